"""A message that was posted but not noted gets its place if that is free; otherwise it is to be deleted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables import lobby
from bot.tables.service import Tables
from bot.ui.display.left_behind import Kind, LeftBehind, take_in
from bot.ui.display.state import Calls
from tests.bot.tables.samples import ANA, BEN, CARA, change, match_of, open_lobby, tables_on
from tests.manual_clock import ManualClock

FOUND, NOTED = 300, 100


def left(kind: Kind | None, message: int = FOUND) -> LeftBehind:
    return LeftBehind(message, kind, {}, frozenset())


def call(message: int, calls: Calls, *people: int) -> LeftBehind:
    return LeftBehind(message, "announcement", calls, frozenset(people))


@pytest.fixture
async def tables(path: Path, clock: ManualClock) -> AsyncIterator[Tables]:
    async with tables_on(path, clock) as opened:
        yield opened


async def test_a_lobby_without_a_message_takes_the_newest_one_that_is_found(tables: Tables) -> None:
    table = await open_lobby(tables, ANA)
    take_in(table, [left("lobby"), left("lobby", FOUND - 1)])
    messages = table.body.messages
    assert (messages.lobby, messages.retired) == (FOUND, [FOUND - 1])


async def test_a_message_that_got_its_place_meanwhile_keeps_it(tables: Tables) -> None:
    table = await open_lobby(tables, ANA)
    table.body.messages.lobby = FOUND
    take_in(table, [left("lobby")])
    assert (table.body.messages.lobby, table.body.messages.retired) == (FOUND, [])


async def test_a_board_replaces_the_old_one_only_if_the_table_moves(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    messages = table.body.messages
    messages.board = NOTED
    take_in(table, [left("board")])
    assert (messages.board, messages.retired) == (NOTED, [FOUND])
    messages.moving, messages.retired = True, []
    take_in(table, [left("board")])
    assert (messages.board, messages.moving, messages.retired) == (FOUND, False, [NOTED])


async def test_the_start_message_stays_when_a_board_is_found_that_replaces_it(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    messages = table.body.messages
    assert messages.board == messages.start
    messages.moving = True
    take_in(table, [left("board")])
    assert (messages.board, messages.retired) == (FOUND, [])


async def test_a_result_is_taken_only_after_the_end(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    messages = table.body.messages
    take_in(table, [left("result")])
    assert (messages.result, messages.retired) == (None, [FOUND])
    table.status, messages.farewell, messages.retired = "abandoned", True, []
    take_in(table, [left("result")])
    assert (messages.result, messages.farewell, messages.retired) == (FOUND, False, [])


async def test_a_start_message_is_left_to_the_start_under_way(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN)
    frozen = await change(tables, table, lambda draft: lobby.freeze(draft, ANA))
    take_in(frozen, [left("start")])
    assert frozen.body.messages.retired == []
    take_in(table, [left("start")])
    assert table.body.messages.retired == [FOUND]


async def test_messages_of_no_known_kind_are_deleted(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    take_in(table, [left(None)])
    assert table.body.messages.retired == [FOUND]


async def test_of_announcements_the_newest_stays_and_has_made_its_calls(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    (seat,) = table.body.asked
    messages, since, other = table.body.messages, table.body.asked[seat].since, 1 - seat
    messages.announcement, messages.called, messages.calling = NOTED, {other: (0, 0)}, "a name"
    mover = (ANA, BEN)[seat]
    take_in(table, [call(FOUND, {seat: (since, 1)}, mover), call(FOUND - 1, {seat: (since, 0)}, mover)])
    assert (messages.announcement, messages.retired) == (FOUND, [NOTED, FOUND - 1])
    assert (messages.called, messages.calling) == ({seat: (since, 1), other: (0, 0)}, "")


async def test_an_announcement_that_comes_late_takes_no_place(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    (seat,) = table.body.asked
    messages, since, other = table.body.messages, table.body.asked[seat].since, 1 - seat
    messages.announcement, messages.called = NOTED, {seat: (since, 1)}
    for number, late in enumerate(
        [{seat: (since, 1)}, {seat: (since, 0)}, {other: (since, 0)}, {seat: (since + 7, 0)}]
    ):
        take_in(table, [call(FOUND + number, late, ANA, BEN)])
        assert (messages.announcement, messages.called) == (NOTED, {seat: (since, 1)})
        assert messages.retired[-1] == FOUND + number


async def test_an_announcement_has_not_called_a_person_who_has_taken_the_seat_since(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    (seat,) = table.body.asked
    messages, since = table.body.messages, table.body.asked[seat].since
    take_in(table, [call(FOUND, {seat: (since, 0), 5: (since, 0)}, CARA)])
    assert (messages.announcement, messages.called, messages.retired) == (None, {}, [FOUND])
