"""A person who wants to be forgotten goes from every match, and the matches go on without them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.people.privacy.stored_data import NOBODY, forget
from bot.tables import ending, lobby
from bot.tables.service import Tables
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    DAN,
    Presses,
    begin,
    change,
    come_back,
    leave,
    match_of,
    open_lobby,
    refused,
    tables_on,
)
from tests.manual_clock import ManualClock


async def everything(path: Path) -> str:
    """All that the file holds, as text."""
    with closing(sqlite3.connect(path)) as connection:
        return "\n".join(connection.iterdump())


async def test_a_person_is_told_in_which_matches_they_are_kept(tables: Tables) -> None:
    await match_of(tables, ANA, BEN)
    await open_lobby(tables, BEN, channel=2)
    rows = await tables.store.tables_of(BEN)
    assert [(row.game, row.status) for row in rows] == [("archaeology", "lobby"), ("archaeology", "playing")]
    assert await tables.store.tables_of(CARA) == []


async def test_nothing_of_a_forgotten_person_is_left_on_file(
    path: Path, clock: ManualClock, presses: Presses, tables: Tables
) -> None:
    over = await match_of(tables, ANA, 987654321, channel=1)
    while over.live:
        over = await presses.move(over)
    lobby_table = await open_lobby(tables, ANA, 987654321, channel=2)
    await change(tables, lobby_table, lambda d: lobby.add_word(d, 987654321, "abracadabra"))
    hosted = await match_of(tables, 987654321, BEN, channel=3)
    left = await leave(tables, await match_of(tables, ANA, 987654321, channel=4), 987654321)
    assert "987654321" in await everything(path)
    await forget(tables, 987654321)
    text = await everything(path)
    assert "987654321" not in text, "neither the id nor the name, which holds it"
    assert "abracadabra" not in text
    assert await tables.store.tables_of(987654321) == []
    assert [(await tables.get(table.id)).status for table in (over, lobby_table, hosted, left)] == [
        "over",
        "lobby",
        "playing",
        "playing",
    ]
    assert (await tables.get(hosted.id)).body.host_id == BEN
    assert (await tables.get(over.id)).seats[1].name == NOBODY


async def test_a_word_stays_in_the_shuffle_and_is_nobodys_any_more(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN)
    await change(tables, table, lambda draft: lobby.add_word(draft, BEN, "abracadabra"))
    await begin(tables, table)
    await forget(tables, BEN)
    table = await tables.get(table.id)
    assert ("seat 2", "abracadabra") in table.body.contributions, "without it nobody could check the shuffle"
    assert [seat.word for seat in table.seats] == ["", ""]


async def test_a_live_seat_goes_to_an_agent_and_can_be_taken_over(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    await forget(tables, BEN)
    table = await tables.get(table.id)
    seat = table.seats[1]
    assert (seat.name, seat.user_id, seat.left_by, seat.agent) == (NOBODY, None, None, "veteran")
    assert (await tables.take_over(table.id, CARA, "Cara", 1)).seats[1].name == "Cara"


async def test_being_forgotten_is_no_way_to_see_a_second_hand(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, CARA)
    await leave(tables, table, CARA)
    await forget(tables, BEN)
    for seat in (1, 2):
        assert await refused(tables.take_over(table.id, BEN, "Ben", seat)) == "sat-elsewhere"
    assert await refused(come_back(tables, table, BEN)) == "not-seated"
    assert (await tables.take_over(table.id, DAN, "Dan", 1)).seat_of(DAN) == 1


async def test_what_keeps_a_forgotten_person_from_another_hand_goes_with_the_match(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    await forget(tables, BEN)
    assert (await tables.get(table.id)).body.forgotten == [table.body.seal(BEN)]
    table = await change(tables, table, lambda draft: ending.end(draft, ANA, manages=True))
    assert table.body.forgotten == []


async def test_the_last_person_of_a_lobby_closes_it_and_of_a_match_pauses_it(tables: Tables) -> None:
    lobby_table = await open_lobby(tables, ANA, agents=1, channel=1)
    match = await match_of(tables, ANA, agents=1, channel=2)
    await forget(tables, ANA)
    assert (await tables.get(lobby_table.id)).status == "abandoned"
    paused = await tables.get(match.id)
    assert (paused.status, paused.body.host_id) == ("paused", 0)
    assert (await tables.take_over(match.id, BEN, "Ben", 0)).body.host_id == BEN


async def test_a_match_that_cannot_be_read_is_cleaned_too_and_keeps_the_rest(
    path: Path, clock: ManualClock
) -> None:
    async with tables_on(path, clock) as tables:
        await begin(tables, await open_lobby(tables, ANA, 987654321))
        other = await match_of(tables, 987654321, CARA, channel=2)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tables SET snapshot = substr(snapshot, 1, 200) WHERE id = 1")
        connection.commit()
    async with tables_on(path, clock) as tables:
        await forget(tables, 987654321)
        assert "987654321" not in await everything(path)
        row = await tables.store.table(1)
        assert row is not None
        assert row.status == "playing"
        assert len(row.snapshot or "") == 200
        assert (await tables.get(other.id)).seats[0].name == NOBODY


async def test_a_person_whom_nobody_knows_is_forgotten_without_trouble(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    await forget(tables, CARA)
    assert await tables.get(table.id) is table
