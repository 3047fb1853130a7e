"""Screens for the tests' own game of sealed bids: a menu, and a button that seals what is chosen in it."""

from __future__ import annotations

from typing import ClassVar

from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import (
    OWN_SCREEN,
    Action,
    Credits,
    GameScreens,
    Page,
    Pressed,
    SeenEvent,
    keep_selection,
)
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Choices, Item, Option, button, menus
from bot.ui.screens.names import Names
from engine.errors import IllegalMove
from tests.sealed import NONE, Bid, View

PICK = "g.pick"
SEAL = "g.seal"


REFUSALS = {"not-in-hand": "You do not hold that number.", "nothing-chosen": "Choose a number first."}


class SealedScreens(GameScreens[View, Bid]):
    game: ClassVar[str] = "sealed"
    colour: int = 0x8E44AD
    credits = Credits(authors=("Ana", "Ben"), publishers=(), year=1999)
    title = staticmethod(lambda: "Sealed Bids")
    actions = staticmethod(lambda _view: [Action("Bid", OWN_SCREEN)])
    presses = staticmethod(lambda: {PICK: keep_selection, SEAL: _sealed})
    refusals = staticmethod(lambda: REFUSALS)
    rules = staticmethod(lambda: [Page("Bids", "All bid at once.")])

    def public_prompt(self, view: View, seat: int, names: Names) -> str:
        return f"{names.bold(seat)} is to bid."

    def prompt(self, view: View, seat: int) -> str:
        return f"round {view.round + 1}: your bid, please."

    def board(self, view: View, names: Names) -> list[Item]:
        lines = [
            f"{names.bold(seat)} · {view.points[seat]} points{' · sealed' if view.answered[seat] else ''}"
            for seat in range(view.seats)
        ]
        return [ui.text("\n".join([f"Round {view.round + 1}", *lines]))]

    def decide(self, view: View, names: Names, choices: Choices, to: Id) -> list[Item]:
        chosen = choices.get(PICK, ())
        options = [Option(f"Number {n}", f"{n}.{place}") for place, n in enumerate(view.hand or ())]
        items = menus(to._replace(intent=PICK), "Choose", options, chosen=chosen)
        return [*items, ui.row(button("Seal", to._replace(intent=SEAL), disabled=not chosen))]

    def private_text(self, view: View) -> str:
        bid = "" if view.bid == NONE else f"\nYour bid: {view.bid}"
        return f"Your hand: {view.hand}{bid}"

    def describe(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
        who = "" if event.seat is None else names.bold(event.seat)
        return f"{event.kind} {who} {dict(event.facts)}"


def _sealed(_view: View, pressed: Pressed) -> Bid:
    chosen = pressed.choices.get(PICK, ())
    if not chosen:
        raise IllegalMove("nothing-chosen")
    return Bid(int(chosen[0].partition(".")[0]))
