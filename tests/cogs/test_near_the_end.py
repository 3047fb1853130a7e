"""Near the end of a match, each private screen says so once, above what is decided, and as the table says it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.language import languages, speaking
from bot.ui.screens.board import board
from bot.ui.screens.kit import dice
from bot.ui.screens.private import private
from engine.artifact.state import HOME, NOBODY
from engine.artifacts_inc.state import GOAL
from tests.cogs.archaeology_family import crafted
from tests.cogs.artifact.test_table import lines
from tests.cogs.in_memory import Match
from tests.engine.artifact import scene as trail
from tests.engine.artifacts_inc import scene as companies

NAMES = ["Ana", "Ben", "Cara"]
EMPTY = "**The dig site is empty.** Sell what you hold: the match ends when no one holds a card."


def screen(game: Any, state: Any, seat: int) -> list[str]:
    match = Match(game, state, [])
    return lines(private(match.table(names=NAMES), match.screens, seat, []))


def flagged(shown: list[str]) -> list[str]:
    return [line.removeprefix("-# ").removeprefix("### ") for line in shown if "🏁" in line]


def table(game: Any, state: Any) -> list[str]:
    match = Match(game, state, [])
    return lines(board(match.table(names=NAMES), match.screens, [], 0.0))


def test_the_last_round_of_artifacts_inc_is_said_once_to_those_who_play_and_to_those_who_wait() -> None:
    state = companies.scene(dice="2 5", seats=3)
    for reputation in (GOAL - 1, GOAL):
        state.earned = [(0, 0, 0, 0), (reputation, 0, 0, 0), (0, 0, 0, 0)]
        state.derive()
        asked, waiting = screen(companies.GAME, state, 0), screen(companies.GAME, state, 1)
        if reputation < GOAL:
            assert not [line for line in [*asked, *waiting] if "is over" in line]
            continue
        assert asked[0].startswith("▶️ **Your last turn** · ")
        last = "🏁 **Last round!** When it is over, the museums are counted."
        assert waiting[1] == f"-# {last}"
        assert last in table(companies.GAME, state)
        assert (len(flagged(asked)), len(flagged(waiting))) == (0, 1)


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (4, None),
        (
            3,
            "🏁 Only 3 cards left to dig up. Then everyone goes on without digging, until no one holds a card.",
        ),
        (
            1,
            "🏁 Only 1 card left to dig up. Then everyone goes on without digging, until no one holds a card.",
        ),
        (0, f"🏁 {EMPTY}"),
    ],
)
def test_the_last_cards_of_the_dig_site_are_said_to_everybody(left: int, said: str | None) -> None:
    phase = crafted.DIG if left else crafted.ACT
    sold = [[("coin", 2)], [], [("coin", 1)]]
    state = crafted.craft([{"coin": 1}] * 3, site=["pot_shard"] * left, rest="market", phase=phase, sold=sold)
    leads = ("$3 ahead of **Cara**", "$5 behind **Ana**", "$3 behind **Ana**")
    for seat, lead in enumerate(leads):
        shown = screen(crafted.GAME, state, seat)
        assert flagged(shown) == ([f"{said} You are {lead}."] if said else [])
        assert not said or said in shown[1], "below whose turn it is"
    of_table = "\n".join(table(crafted.GAME, state))
    assert EMPTY in of_table if not left else f"**Dig site** · {left} card" in of_table


def test_a_last_card_that_is_a_sandstorm_is_said_as_that() -> None:
    state = crafted.craft([{"coin": 1}] * 3, site=["sandstorm"], rest="market", phase=crafted.DIG)
    assert flagged(screen(crafted.GAME, state, 0)) == [
        "🏁 The last card is a Sandstorm 🌪️! You are level with **Cara**."
    ]


@pytest.mark.parametrize("left", [7, 6, 2, 1])
def test_everybody_reads_which_roll_would_bring_the_artifact_home(left: int) -> None:
    state = trail.scene(20, HOME + left, holder=1)
    holder, other = screen(trail.GAME, state, 1), screen(trail.GAME, state, 0)
    if left > 6:
        end = f"Squares to home:\u00a0{left}"
        assert all(any(line.endswith(end) for line in each) for each in (holder, other))
        assert not flagged([*holder, *other])
        return
    rolls = dice(range(left, 7)) if left > 1 else "any roll"
    assert flagged(holder)[0] == f"🏁 You have the Artifact 💎: you may win next turn, on {rolls}."
    assert flagged(other)[0] == f"🏁 **Ben** has the Artifact 💎, and may win next turn, on {rolls}."
    assert other[1] == f"### {flagged(other)[0]}", "a heading"


def test_a_party_near_home_without_the_artifact_is_no_end() -> None:
    assert not flagged(screen(trail.GAME, trail.scene(20, HOME + 2, holder=NOBODY), 0))


def test_every_language_says_it_in_its_own_words() -> None:
    last = companies.scene(dice="2 5")
    last.earned = [(GOAL, 0, 0, 0), (0, 0, 0, 0)]
    last.derive()
    ends: list[tuple[Any, Any]] = [
        (companies.GAME, last),
        (crafted.GAME, crafted.craft([{"coin": 1}] * 3, site=["pot_shard"] * 2, rest="market")),
        (trail.GAME, trail.scene(20, HOME + 3, holder=1)),
    ]
    for game, state in ends:
        said: set[str] = set()
        for language in languages():
            with speaking(language):
                for seat in range(2):
                    said.update(flagged(screen(game, state, seat)))
        assert "{" not in "".join(said)
        assert len(said) >= len(languages())
