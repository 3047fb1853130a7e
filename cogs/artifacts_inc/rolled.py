"""The rolled dice on the private screen: the best of what they can do, in as many buttons as a phone has room for.

Each use is a button that names its card and all that it brings, in short if that is too high for a phone. A single menu
has the other uses, with the cards that can be bought and upgraded.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple

from bot.language import gettext as _
from bot.language import ngettext
from bot.ui.screens import components as ui
from bot.ui.screens.components import PRIMARY, SECONDARY, SUCCESS
from bot.ui.screens.fitting import height
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import FIRST_TIME, FOLDED, MENU_OPTIONS, Choices, Item, Option, button, menus
from cogs.artifacts_inc import intents, shop, uses
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.choices import abilities, cheapest_dive, decided, dive_bonus, dives, next_dive
from engine.artifacts_inc.choices import faces as faces_of
from engine.artifacts_inc.state import View, cubes_on_museums

FIRST_SALES: Final = 6
FIRST_DIVES: Final = 2
"""The last rounds in which the lines for a first sale and a first dive are shown."""
MOST_IN_FULL: Final = 4 * MENU_OPTIONS
"""The most uses in the menus of all dice; the menu of one die has all of its uses."""
MOST: Final = 5
"""The most uses that are buttons: with more of them, the news leave the screen."""
FEWEST: Final = 2
"""The uses that are buttons however little room there is."""
HIGHER: Final = 20
"""The pixels by which a decision may be higher than a phone, so that each slot that takes a die has a button."""


class Dice(NamedTuple):
    """The dice that one decides about."""

    view: View
    faces: list[int]
    """The face of the chosen die, or all faces, ascending."""
    found: list[uses.Use]
    """Their uses; without buying, if that has its own menu."""
    shop: list[Option]
    """The cards that can be bought and upgraded."""
    to: Id


def screen(view: View, choices: Choices, to: Id, room: int) -> list[Item]:
    """The uses of the dice, each with the die that is least needed elsewhere, or with the chosen one. A use that is
    chosen in its menu, as a hint does, is a button.

    `room` is the height for them on a phone, in its pixels.
    """
    faces = chosen_dice(view, choices)
    found = uses.uses(view, faces)
    cards = shop.options_at_once(view, found)
    left = (use for use in found if not (cards and use.opens_shop))
    best = sorted(left, key=lambda use: (not use.opens_shop, use.later, use.opens))
    if choices.get(intents.USE):
        best = uses.with_hinted(view, best, choices[intents.USE][0])
    dice = Dice(view, faces, best, cards, to)

    def laid(most: int, *, full: bool) -> list[Item]:
        press, shown = to._replace(intent=intents.USE), best[:most]
        buttons = [
            button(
                use.label if full else use.brief or use.label,
                press._replace(arg=use.choice),
                PRIMARY,
                emoji=use.picture,
            )
            for use in shown
        ]
        buttons += _of_all_dice(view, to)
        rows = ui.rows(buttons) if buttons else []
        return [*_above(dice), *rows, *_menu(dice, _others(dice, shown)[:MOST_IN_FULL]), *_last_rows(dice)]

    short = (laid(most, full=False) for most in range(MOST, FEWEST, -1))
    tried = chain([laid(MOST, full=True)], short)
    return next((each for each in tried if height(each) <= room + HIGHER), laid(FEWEST, full=False))


def chosen_dice(view: View, choices: Choices) -> list[int]:
    """The face of the die that is chosen, or else all faces there are, ascending."""
    wanted = next(iter(choices.get(intents.DIE, ())), "")
    if wanted.isdecimal() and int(wanted) in view.dice:
        return [int(wanted)]
    return list(dict.fromkeys(view.dice))


def ends_at_once(view: View) -> bool:
    """Whether nothing is lost by ending the turn: no die that is left could be placed, or change who wins."""
    return decided(view) or not (cheapest_dive(view) or any(uses.usable(view, die) for die in view.dice))


def roller(view: View) -> tuple[str, str] | None:
    """The first card by which dice can be rolled again, as numbers and by name."""
    for own, ability, _left in abilities(view):
        if ability.do == "roll":
            return uses.encode("again", *own), name.card_name(view.catalogue.cards[own.card])
    return None


def _others(dice: Dice, shown: Sequence[uses.Use]) -> list[Option]:
    """The uses that are not `shown`, the turning of dice, and other dives."""
    view = dice.view
    other = [option for die in dice.faces for option in _turnings(view, die)]
    if len(dives(view)) > 1:
        label = _("Dive with Other Dice …")
        other.append(Option(label, uses.DIVES, _dive_label(view), emoji=name.DIVING))
    other = [option for option in other if all(option.value != use.choice for use in dice.found)]
    listed = [
        Option(use.label.removesuffix(f" · {use.detail}"), use.choice, use.detail, emoji=use.picture)
        for use in dice.found
        if use not in shown
    ]
    return [*listed, *other]


def _above(dice: Dice) -> list[Item]:
    lines = first_time(dice.view, any(use.choice.startswith("fill.") for use in dice.found))
    tips = _texts([f"-# 💡 {line}" for line in lines], FIRST_TIME)
    several = _("The number on a button says which die is placed. To use another die, press it first.")
    folded = _texts([several] if (dice.found or dice.shop) and len(dice.faces) > 1 else [], FOLDED)
    return [*_texts(_heading(dice)), *tips, *folded]


def _menu(dice: Dice, others: Sequence[Option]) -> list[Item]:
    """One menu of the cards and of other uses; two where they are too many for one."""
    cards, use = dice.to._replace(intent=shop.CARD), dice.to._replace(intent=intents.USE)
    if dice.shop and 0 < len(others) <= MENU_OPTIONS - len(dice.shop):
        text = _("Buy, upgrade (die {die}), other uses …")
        return menus(cards, text.format(die=shop.die_of(dice.shop)), [*dice.shop, *others])
    other, text = menus(use, _("Other ways to use dice …"), others), _("Buy or upgrade a card (die {die}) …")
    return [*menus(cards, text.format(die=shop.die_of(dice.shop)), dice.shop), *other]


def _texts(lines: Sequence[str], number: int | None = None) -> list[Item]:
    """The lines as one text; none without lines."""
    return [ui.text("\n".join(lines), id=number)] if lines else []


def _dice_buttons(view: View, faces: Sequence[int], to: Id) -> list[ui.Button]:
    """A button for each face: it chooses that die, or any die again where it is chosen already."""
    buttons: list[ui.Button] = []
    if len(set(view.dice)) == 1:
        return []
    turns = any(ability.do != "roll" for _own, ability, _n in abilities(view))
    for face in dict.fromkeys(view.dice):
        count = view.dice.count(face)
        label = _("Die {face}").format(face=face) + (f" ×{count}" if count > 1 else "")
        chosen = list(faces) == [face]
        press = to._replace(intent=intents.DIE, arg="" if chosen else str(face))
        buttons.append(
            button(
                f"▸ {label}" if chosen else label,
                press,
                PRIMARY if chosen else SECONDARY,
                disabled=not (turns or uses.usable(view, face)),
            )
        )
    return buttons


def _heading(dice: Dice) -> list[str]:
    """That no die has a use, or that the last one ends the turn. The uses of dice speak for themselves."""
    if dice.found or dice.shop:
        return uses.last_die(dice.view)
    if len(dice.faces) > 1:
        return [_("You can't place any of your dice now.")]
    return [_("You can't place the {die} anywhere now.").format(die=dice.faces[0])]


def _turnings(view: View, die: int) -> list[Option]:
    """The faces that abilities can turn this die to; of cards that do the same, the first that has a use left."""
    options: list[Option] = []
    seen: set[tuple[str, int]] = set()
    for own, ability, left in abilities(view):
        card = name.card_name(view.catalogue.cards[own.card])
        uses_left = ngettext("{card}, {n} use left", "{card}, {n} uses left", left).format(card=card, n=left)
        for face in faces_of(ability, die):
            if (ability.do, face) not in seen:
                seen.add((ability.do, face))
                choice = uses.encode(uses.TURN, *own, die, face)
                options.append(
                    Option(_("Turn {die} to {face}").format(die=die, face=face), choice, uses_left)
                )
    return options


def _last_rows(dice: Dice) -> list[ui.Row]:
    """The end of the turn, and the dice to choose. The end comes first: it keeps its place when the others go."""
    end = dice.to._replace(intent=intents.END)
    last = button(_("End Turn"), end, PRIMARY if ends_at_once(dice.view) else SECONDARY)
    if decided(dice.view):
        last = button(_("Finish the Match"), end, SUCCESS, emoji="🏁")
    return ui.rows([last, *_dice_buttons(dice.view, dice.faces, dice.to)])


def _of_all_dice(view: View, to: Id) -> list[ui.Button]:
    """The dive with the fewest dice, at once unless it ends the turn, and the way to another roll."""
    buttons: list[ui.Button] = []
    top, cheapest = next_dive(view), cheapest_dive(view)
    if top and cheapest:
        press = to._replace(intent=intents.DIVE, arg="".join(map(str, cheapest)))
        if len(cheapest) == len(view.dice):
            press = to._replace(intent=intents.ASK_DIVE)
        buttons.append(button(_dive_label(view), press, emoji=name.FIND[top.find]))
    if roller(view):
        buttons.append(button(_("Reroll …"), to._replace(intent=intents.ASK_AGAIN), emoji="🔄"))
    return buttons


def _dive_label(view: View) -> str:
    """The dive with the fewest dice and what cards add, with all that it brings."""
    top, cheapest = next_dive(view), cheapest_dive(view)
    assert top is not None
    assert cheapest
    bonus = dive_bonus(view, view.active)
    dice = name.sum_of(cheapest) + (f", +{bonus}" if bonus else "")
    # Translators: {dice} are added up, and a card's bonus: “Dive (3 + 6, +2): ⭐ 1, Doubloon”
    text = _("Dive ({dice}): {star} {n}, {find}")
    return text.format(dice=dice, star=name.REPUTATION, n=top.reputation, find=name.find(top.find))


# -- the first time


def first_time(view: View, sells: bool) -> list[str]:
    """A line about the active seat's first sale to a museum or first dive, while it can be made; for each in its first
    rounds alone, so that nobody who decides against it reads the line in every turn.

    `sells`: whether a die can make a sale to a museum now.
    """
    seat = view.active
    if sells and view.round <= FIRST_SALES and not cubes_on_museums(view, seat):
        return [
            _(
                "A sale leaves your cube: the most cubes on a museum bring its {star} at the end. Ties go "
                "to the highest order."
            ).format(star=name.REPUTATION)
        ]
    if cheapest_dive(view) and view.round <= FIRST_DIVES and seat not in view.divers:
        text = _("A dive adds dice up. It brings {star} and a find, for which some cards score later.")
        return [text.format(star=name.REPUTATION)]
    return []
