"""The loss in a Sandstorm, on the private screen: the cheapest loss is chosen already; menus offer the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from bot.language import gettext as _
from bot.language import ngettext
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import Meaning, Pressed, Selection
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import MENU_OPTIONS, Choices, Item, Option, button, menus
from cogs.archaeology_family import names as card
from cogs.archaeology_family.names import read_cards, written
from cogs.archaeology_family.trades import least_losses
from cogs.archaeology_family.trading import choice_options, comes_to
from engine.archaeology_family import moves as m
from engine.archaeology_family.agents.reasons import worths
from engine.archaeology_family.card_list import Bundles
from engine.archaeology_family.state import View

LOSE: Final = "g.lose"
DISCARD: Final = "g.discard"


def chosen_losses(view: View, choices: Choices, due: int) -> Bundles:
    """The cards that are chosen to be lost; at first, those whose loss hurts least."""
    return read_cards(view, choices[LOSE]) if choices.get(LOSE) else _least(view, due)[0]


def least_loss(view: View) -> Bundles:
    """The loss that is chosen at first in a Sandstorm."""
    return _least(view, view.to_lose)[0]


def selection_for(loss: m.Discard) -> Choices:
    """The selection of this loss, which the button then makes."""
    return {LOSE: [written(loss.cards)]}


def loss_menus(view: View, choices: Choices, due: int, to: Id) -> list[Item]:
    """The other losses whole, those first that hurt least. If there are too many, also others by counts."""
    chosen, least = [written(chosen_losses(view, choices, due))], _least(view, due)
    if len(least) == 1:
        return []
    results = [(loss, comes_to(**worths(view, less=loss)), card.EMOJI[loss[0][0]]) for loss in least]
    options = [Option(card.fitting_cards(loss, 100), written(loss), *shown) for loss, *shown in results]
    if len(least) > MENU_OPTIONS:
        all_cards = sum(view.own_hand) * max(view.trade)
        options = choice_options(view, view.own_hand, chosen, all_cards, options, partial(_effect, view, due))
    return menus(to._replace(intent=LOSE), _("Lose something else …"), options, chosen=chosen)


def loss_button(view: View, chosen: Bundles, due: int, label: str, press: Id) -> ui.Button:
    """The button that accepts the choice, with the chosen {cards} in its label; greyed until they are right.

    The only possible loss is its argument, because no menu shows it.
    """
    least = _least(view, due)
    press = press._replace(arg=written(least[0])) if len(least) == 1 else press
    wrong = _wrong(chosen, due)
    label = wrong or label.format(cards=card.fitting_cards(chosen, 80 - len(label)))
    return button(label, press, ui.PRIMARY, disabled=bool(wrong))


def _wrong(chosen: Bundles, due: int) -> str:
    """The number of cards to be chosen more or fewer, as a label; empty if it is right."""
    n = due - sum(n for _kind, n in chosen)
    more = ngettext("Choose {n} More", "Choose {n} More", n)
    fewer = ngettext("Choose {n} Fewer", "Choose {n} Fewer", -n)
    return (more if n > 0 else fewer).format(n=abs(n)) if n else ""


def _effect(view: View, due: int, cards: Bundles) -> str:
    return _wrong(cards, due) or comes_to(**worths(view, less=cards))


def discard(view: View, pressed: Pressed) -> m.Discard:
    """The loss that the button names: its argument, or what its screen's menus show as chosen."""
    return m.Discard(read_cards(view, [pressed.arg] if pressed.arg else pressed.choices.get(LOSE, ())))


def _least(view: View, due: int) -> Sequence[Bundles]:
    return least_losses(view.own_hand, view.trade, view.prices, due, MENU_OPTIONS + 1)


PRESSES: Final[Mapping[str, Meaning[View, m.Discard]]] = {
    LOSE: lambda _view, pressed: Selection({LOSE: pressed.chosen}),
    DISCARD: discard,
}


def storm_items(view: View, choices: Choices, to: Id) -> list[Item]:
    """The proposed loss in a Sandstorm, with the button that accepts it, and the menus of all others."""
    due = view.to_lose
    text = ngettext("{storm} Choose {n} card to lose.", "{storm} Choose {n} cards to lose.", due)
    text += "" if choices else " " + _("The cheapest loss is chosen below.")
    if len(_least(view, due)) == 1:  # asked all the same: else all would know the hand
        text = _("{storm} All your cards are of one kind: there is nothing to choose.")
    text = text.format(storm=card.SANDSTORM, n=due)
    other = loss_menus(view, choices, due, to)
    chosen = chosen_losses(view, choices, due)
    lose = loss_button(view, chosen, due, _("Lose {cards}"), to._replace(intent=DISCARD))
    # The menu comes last: it stands where Dig was, so a second tap there loses nothing.
    return [ui.text(text), ui.row(lose), *other]
