"""The screens of Oasis. All other parts have a default in `GameScreens`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bot.language import gettext as _
from bot.language import ngettext
from bot.ui.screens.game_screens import Credits, GameScreens, Meaning, Page, Pressed, Refusal, SeenEvent
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import SEATS, Choices, Item, Screen, button
from bot.ui.screens.names import Names
from engine.errors import IllegalMove
from tests.oasis.rules import MOST, Draw, Drink, Move, View, drinks, worth

DRAW = "g.draw"
DRINK = "g.drink"


def cards(n: int) -> str:
    """A number of cards."""
    return ngettext("{n} card", "{n} cards", n).format(n=n)


class OasisScreens(GameScreens[View, Move]):
    """The game's texts and buttons."""

    game: ClassVar[str] = "oasis"
    credits = Credits(authors=(), publishers=())

    def title(self) -> str:
        return _("Oasis")

    def rules(self) -> list[Page]:
        text = _(
            "Each card holds water, from 1 to 6; there are four of each value. Everybody begins with three cards.\n"
            "In your turn, **draw** the top card of the well, or **drink**: lay down cards of one value. They bring "
            "the value times their number, times their number again (R1).\n"
            "You hold at most {most} cards (R2). When the well is empty the match ends, and cards in hands count "
            "nothing (R3). All numbers are this project's own (*house*)."
        )
        return [Page(_("The game"), text.format(most=MOST))]

    # -- what all see

    def board(self, view: View, names: Names) -> list[Item]:
        seats = [
            f"{SEATS[seat]} {names.bold(seat)} · {cards(view.sizes[seat])} · **{view.points[seat]}**"
            for seat in range(view.seats)
        ]
        return Screen().text("-# " + _("**Well** · {cards}").format(cards=cards(view.left)), *seats).items

    def describe(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
        facts, you = event.facts, viewer is not None and viewer == event.seat
        who = names.bold(event.seat or 0)
        match event.kind:
            case "begins":
                return _("You begin.") if you else _("{who} begins.").format(who=who)
            case "drew" if "value" in facts:
                return _("You draw a **{value}**.").format(value=facts["value"])
            case "drew":
                return _("{who} draws a card.").format(who=who)
            case "drank":
                text = (
                    _("You drink {count} × {value}: **+{points}**.")
                    if you
                    else _("{who} drinks {count} × {value}: **+{points}**.")
                )
                return text.format(who=who, **facts)
            case _:
                return _("🏁 The well is empty.")

    # -- the private screen

    def private_text(self, view: View) -> str:
        hand = view.hand or ()
        return _("### Your hand · {cards}").format(cards=" · ".join(map(str, hand)) or _("no cards"))

    def revealed(self, view: View, names: Names) -> str:
        if view.viewer is None or not view.hand:
            return ""
        return f"{SEATS[view.viewer]} {names.bold(view.viewer)} · {' · '.join(map(str, view.hand))}"

    def decide(self, view: View, names: Names, choices: Choices, to: Id) -> list[Item]:
        hand = view.hand or ()
        label = _("Drink {count} × {value} · +{points}")
        buttons = [
            button(
                label.format(count=drink.number, value=drink.value, points=worth(*drink)),
                to._replace(intent=DRINK, arg=f"{drink.value}.{drink.number}"),
            )
            for drink in drinks(hand)
        ]
        draw = button(_("Draw"), to._replace(intent=DRAW), disabled=len(hand) == MOST)
        return Screen().buttons(draw, *buttons).items

    def presses(self) -> Mapping[str, Meaning[View, Move]]:
        return {DRAW: lambda _view, _pressed: Draw(), DRINK: _drink}

    def refusals(self) -> Mapping[str, Refusal]:
        return {
            "hand-full": _("You hold {most} cards, which is the most: drink."),
            "not-in-hand": _("You don't have those cards. Choose from your hand."),
        }


def _drink(view: View, pressed: Pressed) -> Drink:
    for drink in drinks(view.hand or ()):
        if pressed.arg == f"{drink.value}.{drink.number}":
            return drink
    raise IllegalMove("not-in-hand")  # a press may be forged, or of an earlier hand
