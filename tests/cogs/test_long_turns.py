"""The table tells a turn that is too long for a phone in whole sentences, with an ellipsis for what is left out."""

from __future__ import annotations

import dataclasses

import pytest

from bot.language import speaking
from bot.ui.screens import components as ui
from bot.ui.screens.board import LATEST_TURNS, LOG_ROWS, board
from bot.ui.screens.chronicle import in_short, latest, lines_of, more_turns
from bot.ui.screens.kit import line_height
from engine.game import Event
from tests.cogs.archaeology_family import crafted
from tests.cogs.in_memory import PLAYED, Match, random_match, row
from tests.engine.artifacts_inc.scene import GAME, scene
from tests.sampling import amount

pytestmark = pytest.mark.sampled

NAMES = ["Ana", "Ben", "Cara", "Dan", "Eva"]
PURCHASE = {"scrolls": 0, "counted": 0, "dollars": 0}
BOUGHT = Event("bought", 0, {"card": "biplane", "cost": 4, "reputation": 2, **PURCHASE})
TURNED = Event("turned_card", 0, {"card": "biplane", "cost": 4, "reputation": 3, **PURCHASE})
DIVED = Event("dived", 0, {"number": 7, "dice": [7], "bonus": 0, "find": "pottery", "reputation": 1})
SOLD = Event(
    "filled",
    0,
    {"on": "gem_museum", "die": 6, "artifact": "gem", "count": 2, "dollars": 6, "takes_lead": True},
)
TURN = (BOUGHT, SOLD, DIVED, TURNED)


@pytest.mark.parametrize(
    ("height", "expected"),
    [
        (19, "… **Ana** upgrades Biplane for $4 (⭐\u00a0+3)."),
        (38, "… **Ana** dives for 🏺 Pottery (⭐\u00a0+1) and **upgrades Biplane for $4 (⭐\u00a0+3)**."),
        (
            400,
            "**Ana** buys Biplane for $4 (⭐\u00a0+2), sells 💎 2 Gems to the Gem Museum for $6 (**now in the lead**), "
            "dives for 🏺 Pottery (⭐\u00a0+1) and **upgrades Biplane for $4 (⭐\u00a0+3)**.",
        ),
    ],
)
def test_a_turn_is_shortened_between_two_deeds_which_keep_their_prices_and_gains(
    height: int, expected: str
) -> None:
    match = Match(GAME, scene(), [])
    rows = [row(event, n, 0) for n, event in enumerate(TURN, 1)]
    fits = latest(
        match.table(names=NAMES),
        match.screens,
        rows,
        None,
        5,
        lambda lines: sum(line_height(f"-# {line}") for line in lines) <= height,
    )
    assert fits == [expected]


def test_the_newest_move_is_told_however_little_room_there_is() -> None:
    match = Match(GAME, scene(), [])
    rows = [row(event, n, 0) for n, event in enumerate(TURN, 1)]
    expected = latest(match.table(names=NAMES), match.screens, rows, None, 5, lambda lines: not lines)
    assert expected == ["… **Ana** upgrades Biplane for $4 (⭐\u00a0+3)."]
    expected = latest(match.table(names=NAMES), match.screens, rows[:1], None, 5, lambda lines: not lines)
    assert expected == ["**Ana** buys Biplane for $4 (⭐\u00a0+2)."], "nothing is left out"


def test_of_an_earlier_turn_without_room_all_that_stands_out_is_told() -> None:
    match = Match(crafted.GAME, crafted.craft([{}, {}, {}]), [])
    turn = [Event("traded", 0, {"give": ((3, 2),), "take": ((2, 3),), "over": 0})]
    turn += [Event("sold", 0, {"treasure": n, "count": n + 3, "price": 20 * n - 10}) for n in (2, 1)]
    rows = [row(event, n, event.seat) for n, event in enumerate([*turn, Event("found", 1)], 1)]
    table, fits = match.table(names=NAMES), lambda lines: len("".join(lines)) < 110
    told = "**Ana** sells 🪙 5 Coins for $30 and 📜 4 Parchment Scraps for $10."
    assert latest(table, match.screens, rows, None, 5, fits) == [told, "**Ben** digs."]


def ends_of_the_newest_turn(match: Match) -> list[list[str]]:
    """The words of the newest events: of one of them, of two, and so on."""
    table = match.table(names=NAMES)
    lines = lines_of(table, match.rows()[-LOG_ROWS:], None)
    return [in_short(lines[start:], table, match.screens) for start in range(len(lines))]


def test_the_move_that_ends_a_match_is_told_in_full_above_what_happens_at_the_table_after_it() -> None:
    match = Match(GAME, scene(), [])
    rows = [row(event, n, 0) for n, event in enumerate(TURN, 1)]
    back = Event("back", 1, {})
    rows += [dataclasses.replace(row(back, 4, None), source="table")]
    expected = latest(
        match.table(names=NAMES), match.screens, rows, None, 5, lambda lines: len("".join(lines)) < 90
    )
    assert expected[0] == "… **Ana** upgrades Biplane for $4 (⭐\u00a0+3)."
    assert "**Ben** is back" in expected[1]


def test_a_move_that_is_too_long_is_shortened_only_while_the_match_goes_on() -> None:
    match = Match(GAME, scene(), [])
    rows = [row(event, 1, 0) for event in TURN]
    table = match.table(names=NAMES)
    (expected,) = latest(table, match.screens, rows, None, 5, lambda lines: not lines)
    assert expected == "… **Ana** upgrades Biplane for $4 (⭐\u00a0+3)."
    table.status = "over"
    (expected,) = latest(table, match.screens, rows, None, 5, lambda lines: not lines)
    assert expected.startswith("**Ana** buys Biplane for $4 (⭐\u00a0+2), sells 💎 2 Gems")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_table_message_without_room_has_the_end_of_the_newest_turn_in_whole_sentences(
    language: str,
) -> None:
    shortened = counted = 0
    with speaking(language):
        for key in PLAYED:
            for seed in range(amount(40, 12)):
                match = random_match(key, seed)
                shown = board(match.table(names=NAMES), match.screens, match.rows()[-LOG_ROWS:], 0.0)
                for item in shown.items:
                    if item.get("id") == LATEST_TURNS and (text := "".join(ui.texts([item]))).startswith(
                        "-# … "
                    ):
                        shortened += 1
                        expected = [
                            line.removeprefix("-# ") for line in text.removeprefix("-# … ").splitlines()
                        ]
                        if any(f"… {expected[0]}" in more_turns(n) for n in range(1, 9)):
                            counted += 1
                        else:
                            assert expected in ends_of_the_newest_turn(match), text
    assert shortened
    assert counted
