"""Where two plays of one deal first differ."""

from __future__ import annotations

from typing import Any

from bot.ui.screens.game_screens import SeenEvent
from cogs.archaeology_family.ending import turns_of
from tests.cogs.in_memory import SCREENS

TALISMAN, COIN = 3, 2
SCREEN = SCREENS["archaeology"]


def sold(treasure: int, count: int = 2, seat: int = 0) -> SeenEvent:
    return SeenEvent("sold", seat, {"treasure": treasure, "count": count, "price": 5})


def turn(*deeds: SeenEvent, seat: int = 0) -> list[SeenEvent]:
    return [SeenEvent("found", seat, {}), *deeds, SeenEvent("ended", seat, {})]


def play(*turns: list[SeenEvent]) -> list[SeenEvent]:
    """A match in which another seat has a turn after each of these."""
    return [event for own in turns for event in (*own, *turn(seat=1))]


def compared(mine: list[SeenEvent], theirs: list[SeenEvent]) -> str:
    return SCREEN.compare(mine, theirs, 0, "<@7>")


def kinds(turns: list[list[SeenEvent]]) -> list[list[Any]]:
    return [[event.kind for event in each] for each in turns]


def test_same_deeds_are_the_same_play_whatever_others_did() -> None:
    mine = play(turn(sold(COIN)), turn())
    theirs = [*play(turn(sold(COIN)), turn()), *turn(sold(COIN, seat=1), seat=1)]
    assert compared(mine, theirs) == "You traded, explored and sold the same as <@7>."


def test_other_differences_tell_both_turns() -> None:
    mine, theirs = play(turn(sold(COIN))), play(turn())
    assert compared(mine, theirs) == ("You part ways on turn 1: you sell 🪙 2 Coins for $5; <@7> only digs.")
    assert compared(theirs, mine) == ("You part ways on turn 1: you only dig; <@7> sells 🪙 2 Coins for $5.")


def test_turns_are_told_apart_even_if_nobody_else_moves_between_them() -> None:
    storm = SeenEvent("sandstorm", 0, {}), SeenEvent("lost", 1, {})
    events = [*turn(sold(COIN)), *turn(), *storm, *turn(sold(COIN))]
    assert kinds(turns_of(events, 0)) == [["sold"], [], ["sold"]]
