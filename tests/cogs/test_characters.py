"""Remarks of agents on their play and at the end of a match: short, different at one table, and nothing hidden."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest

from bot.language import languages, speaking
from bot.tables.lobby import AGENT_NAMES
from bot.tables.model import Seat, Table
from bot.ui.screens.ended import ended
from bot.ui.screens.kit import line_height
from bot.ui.screens.private import INTRODUCED
from bot.ui.screens.words import introductions, last_word, own_line
from engine.game import Outcome
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS, matches
from tests.cogs.private_matches import open_private
from tests.cogs.table_driver import Room

SPEAKING = [key for key in PLAYED if SCREENS[key].opponents()]
"""The games whose agents have lines."""
TWO_LINES = 2 * 19
"""The height of two lines of small print on a phone, in pixels."""


def against(key: str, levels: Sequence[str]) -> Table:
    """A match that is over, of the first person with these agents; its state does not matter here."""
    (match,) = (match for match in matches(key, 1) if match.game.outcome(match.state))
    table = match.table()
    seats = [Seat(name, agent=level) for name, level in zip(AGENT_NAMES, levels, strict=False)]
    table.body.seats = [Seat("Ana", 1), *seats]
    return table


def won_by(table: Table, *winners: int) -> Outcome:
    ranks = tuple(1 if seat in winners else 2 for seat in range(len(table.seats)))
    return Outcome(ranks, tuple(3 - rank for rank in ranks), "")


@pytest.mark.parametrize("key", SPEAKING)
def test_every_level_says_how_it_plays_in_two_lines_on_a_phone_and_no_two_agents_say_the_same(
    key: str,
) -> None:
    game, screens = ENGINES[key], SCREENS[key]
    for language in languages():
        with speaking(language):
            for level in game.agents:
                table = against(key, [level] * (game.max_seats - 1))
                lines = [own_line(table, screens, seat) for seat in range(1, game.max_seats)]
                assert all(lines)
                assert len({*lines}) == len(lines), (language, level)
                assert max(line_height(f"-# {line}") for line in lines) <= TWO_LINES, (language, lines)
    assert not own_line(against(key, ["novice"]), screens, 0), "a person speaks for themselves"


@pytest.mark.parametrize("key", SPEAKING)
def test_a_level_that_the_lesson_does_not_prepare_for_is_won_less_often(key: str) -> None:
    levels, opponents = [*ENGINES[key].agents], SCREENS[key].opponents()
    assert set(opponents) == set(levels)
    measured = [wins for level in levels if (wins := opponents[level].lesson_wins)]
    shares = [won / of for won, of in measured]
    assert len(shares) >= 2
    assert shares == sorted(shares, reverse=True)


def test_an_agent_that_plays_for_a_person_and_one_of_a_lesson_say_nothing() -> None:
    table, screens = against("archaeology", ["novice", "novice"]), SCREENS["archaeology"]
    table.seats[1].left_by = 5
    assert [own_line(table, screens, seat) != "" for seat in (1, 2)] == [False, True]
    table.body.script = [(0, "{}")]
    assert introductions(table, screens) == []
    assert last_word(table, screens, won_by(table, 0)) == ""


@pytest.mark.parametrize("key", SPEAKING)
def test_the_best_agent_has_the_last_word_and_it_fits_the_result(key: str) -> None:
    game, screens = ENGINES[key], SCREENS[key]
    strongest = [*game.agents][-1]
    said: dict[tuple[int, ...], set[str]] = {}
    for number in range(8):
        for winners in ((0,), (1,), (0, 1)):
            table = against(key, [strongest])
            table.id = number
            word = last_word(table, screens, won_by(table, *winners))
            assert word.startswith("🤖\u00a0**Amelia**: “")
            said.setdefault(winners, set()).add(word)
    assert len(said[0,]) >= 3
    assert len(said[1,]) == 3
    assert len(said[0, 1]) == 1
    assert not said[0,] & said[1,]
    assert any("You beat a Master" in word for word in said[0,]) == (strongest == "master")


def test_an_agent_that_lost_names_a_stronger_level_only_if_there_is_one() -> None:
    screens = SCREENS["archaeology"]
    for level, stronger in (("novice", "Veteran"), ("veteran", "Expert"), ("expert", "Master")):
        table = against("archaeology", [level])
        words: set[str] = set()
        for table.id in range(8):
            words.add(last_word(table, screens, won_by(table, 0)))
        assert any(f"Your next opponent: {stronger}?" in word for word in words)
    veteran = against("artifact", ["veteran"])
    for veteran.id in range(8):
        assert "next opponent" not in last_word(veteran, SCREENS["artifact"], won_by(veteran, 0))


@pytest.mark.parametrize("key", SPEAKING)
def test_what_agents_say_follows_from_what_everyone_knows(key: str) -> None:
    """The same level, names and result with any hands and any course of the match: the same words."""
    screens = SCREENS[key]
    spoken: set[tuple[str, ...]] = set()
    for match in matches(key, 6):
        table = match.table()
        table.body.seats[1:] = [
            Seat(name, agent="novice") for name in AGENT_NAMES[: len(table.body.seats) - 1]
        ]
        spoken.add((introductions(table, screens)[0], last_word(table, screens, won_by(table, 1))))
    assert len(spoken) == 1


def test_the_result_has_the_word_below_everything_else() -> None:
    table = against("archaeology", ["master"])
    game, rng = table.game, Random(1)
    table.state = game.new(2, game.options_type(), bytes(32))
    while pending := game.pending(table.state):
        seat = pending[0].seat
        game.apply(table.state, seat, game.agents["novice"].choose(game.view(table.state, seat), rng))
    text = "\n".join(
        item["content"] for item in ended(table, SCREENS["archaeology"], []).items if "content" in item
    )
    assert re.search(r"\n-# 🤖\u00a0\*\*Amelia\*\*: “[^”]+”$", text)


async def test_agents_introduce_themselves_in_the_lobby_and_behind_the_question_mark(room: Room) -> None:
    ana = room.person("Ana")
    lobby = await ana.command("start", agents=1, agent_level="novice")
    first = re.findall(r"^-# (“.+”)$", lobby.text, re.MULTILINE)
    assert len(first) == 1
    more = await ana.press(lobby, "Rules & Settings")
    assert "people win about: Novice" in more.text
    assert "Master less often." in more.text
    await ana.choose(lobby, "Computer players", "2 × Novice")
    lines = re.findall(r"^-# (“.+”)$", lobby.text, re.MULTILINE)
    assert len({*lines}) == 2
    await ana.press(lobby, "Start Match")
    page = await ana.press(await ana.hand(), "?")
    for line in lines:
        assert f"· Novice: {line}" in page.text
    legend = await ana.press(page, "The Picture Explained")
    assert "A hand in a picture" in legend.text


async def test_in_a_match_without_a_lobby_agents_introduce_themselves_until_the_first_move(
    room: Room,
) -> None:
    ana = room.person("Ana")
    table, page = await open_private(ana)
    assert len(introductions(table, room.host.screens[room.game])) == INTRODUCED
    assert page.text.count("· Novice: “") == INTRODUCED
    await ana.press(page, next(iter(page.buttons)))
    assert "· Novice: “" not in page.text
