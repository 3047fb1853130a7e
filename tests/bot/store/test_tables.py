"""The stored data of a table: its row, moves, log and people."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.store.model import LIVE, Change, ChannelTaken, Conflict, Job, MoveRow, Repeated
from bot.store.repository import StoreLimits
from bot.store.sqlite.engine import SqliteEngine
from bot.store.store import Store
from tests.bot.store.samples import NOW, Home, a_line, a_move, a_table, kept


async def test_a_new_table_is_kept_as_it_was_given_with_an_id_and_a_first_version(store: Store) -> None:
    given = a_table(ended_at=NOW + 1)
    row = await store.create(Change(given))
    assert row == replace(given, id=row.id, version=1)
    assert await store.table(row.id) == row
    assert given.id == 0


async def test_a_new_table_comes_with_its_log_jobs_and_people(store: Store) -> None:
    row = await store.create(
        Change(a_table(), log=[a_line("opened")], set_jobs=[Job(999, "close", NOW)], seated=[(7, 0), (8, 1)])
    )
    assert [(line.number, line.event) for line in await store.log(row.id)] == [(1, "opened")]
    assert [(job.table_id, job.kind) for job in await store.due(NOW)] == [(row.id, "close")]
    assert await store.seat_of(row.id, 8) == 1


async def test_failed_creation_leaves_nothing_in_the_channel(store: Store) -> None:
    await kept(store, 1)
    with pytest.raises(ChannelTaken):
        await store.create(Change(a_table(1), set_jobs=[Job(0, "close", NOW)], seated=[(7, 0)]))
    assert await store.due(NOW) == []
    assert await store.tables_of(7) == []


async def test_live_tables_are_counted_by_game_and_ended_ones_are_not(store: Store) -> None:
    assert await store.live_by_game() == {}
    for channel, status in enumerate((*LIVE, "over", "abandoned")):
        await kept(store, channel, status=status)
    await kept(store, 9, game="artifact")
    assert await store.live_by_game() == {"archaeology": len(LIVE), "artifact": 1}


async def test_concurrent_commands_keep_all_additions_to_a_fact(home: Home, store: Store) -> None:
    place = home.backend()

    def adding(word: str) -> Callable[[str | None], str]:
        return lambda value: f"{value or ''}{word}"

    await asyncio.gather(*(place.change_fact("said", adding(word)) for word in "abcdefgh"))
    assert sorted(await store.fact("said") or "") == [*"abcdefgh"]


async def test_text_only_is_stored_until_it_is_cleared(store: Store) -> None:
    assert await store.text_only() == []
    for _twice in range(2):
        await store.set_text_only("guild", 5, True)
        await store.set_text_only("person", 3, True)
    assert await store.text_only() == [("person", 3), ("guild", 5)]
    await store.set_text_only("guild", 3, False)
    await store.set_text_only("person", 3, False)
    await store.set_text_only("person", 4, False)
    assert await store.text_only() == [("guild", 5)]


async def test_choices_are_stored_together_and_no_value_is_the_default(store: Store) -> None:
    await store.choices.put_all("guild", 5, {"language": "de", "ratings": "off"}, text_only=True)
    await store.choices.put_all("guild", 5, {"language": None, "threads": "on"})
    assert await store.choices.of("guild", 5) == {"ratings": "off", "threads": "on"}
    assert await store.text_only() == [("guild", 5)]
    await store.choices.put_all("guild", 5, {}, text_only=False)
    assert await store.text_only() == []


async def test_missing_rows_read_as_none(store: Store) -> None:
    assert await store.table(1) is None
    assert await store.live_table(1) is None
    assert await store.latest_table(1) is None
    assert await store.live_tables() == []
    assert await store.moves(1) == []
    assert await store.log(1) == []
    assert await store.seat_of(1, 1) is None
    assert await store.tables_of(1) == []
    assert await store.fact("heartbeat") is None


async def test_a_change_is_kept_whole_and_raises_the_version(store: Store) -> None:
    row = await kept(store)
    row.status, row.body, row.snapshot, row.sequence = "paused", '{"new": 1}', None, 1
    move = MoveRow(1, 3, '{"kind": "dig"}', 555, NOW + 1)
    await store.commit(Change(row, [move], log=[a_line("dug"), a_line("found")], seated=[(7, 3)]))
    assert row.version == 2
    assert await store.table(row.id) == row
    assert await store.moves(row.id) == [move]
    assert [line.event for line in await store.log(row.id)] == ["dug", "found"]
    assert await store.seat_of(row.id, 7) == 3


async def test_text_of_any_language_and_large_ids_come_back_as_they_were(store: Store) -> None:
    row = await kept(store, 2**63 - 1)
    row.body = '{"name": "Zoë 🏺 \\u0000 \'); DROP TABLE tables;--"}'
    row.snapshot = "x" * 300_000
    await store.commit(a_move(row, 2**63 - 1))
    assert await store.live_table(2**63 - 1) == row
    assert (await store.moves(row.id))[0].interaction_id == 2**63 - 1


async def test_changed_table_is_a_conflict(store: Store) -> None:
    mine = await kept(store)
    theirs = await store.table(mine.id)
    assert theirs is not None
    await store.commit(a_move(theirs, move="theirs"))
    with pytest.raises(Conflict):
        await store.commit(replace(a_move(mine, move="mine"), set_jobs=[Job(0, "limit", NOW)]))
    assert mine.version == 1
    assert [move.move for move in await store.moves(mine.id)] == ["theirs"]
    assert len(await store.log(mine.id)) == 1
    assert await store.due(NOW) == []


async def test_a_table_that_is_gone_is_a_conflict(store: Store) -> None:
    row = await kept(store, status="over", ended_at=NOW)
    await store.purge(NOW + 1)
    with pytest.raises(Conflict):
        await store.commit(a_move(row))


async def test_duplicate_move_number_is_a_conflict(store: Store) -> None:
    row = await kept(store)
    await store.commit(a_move(row))
    with pytest.raises(Conflict):
        await store.commit(Change(row, [MoveRow(1, 0, "again", None, NOW)]))
    assert [move.move for move in await store.moves(row.id)] == ["dig"]


async def test_repeated_press_is_kept_once(store: Store) -> None:
    row = await kept(store)
    await store.commit(a_move(row, interaction_id=77))
    with pytest.raises(Repeated):
        await store.commit(a_move(row, interaction_id=77))
    assert row.version == 2
    assert len(await store.moves(row.id)) == 1
    assert len(await store.log(row.id)) == 1


async def test_repeated_takes_precedence_over_conflict(
    store: Store,
) -> None:
    row = await kept(store)
    read_before = replace(row)
    await store.commit(a_move(row, interaction_id=77))
    with pytest.raises(Repeated):
        await store.commit(a_move(read_before, interaction_id=77))


async def test_concurrent_repeated_press_is_kept_once(store: Store) -> None:
    row = await kept(store)
    same = replace(row)
    results = await asyncio.gather(
        store.commit(a_move(row, 77)), store.commit(a_move(same, 77)), return_exceptions=True
    )
    assert [type(result) for result in results] == [bool, Repeated]


async def test_agents_moves_have_no_press_and_never_repeat_each_other(store: Store) -> None:
    row = await kept(store)
    for _ in range(3):
        await store.commit(a_move(row, interaction_id=None))
    assert [move.sequence for move in await store.moves(row.id)] == [1, 2, 3]


async def test_a_log_is_numbered_per_table_and_across_changes(store: Store) -> None:
    one, other = await kept(store, 1), await kept(store, 2)
    for row in (one, other, one):
        await store.commit(Change(row, log=[a_line("a"), a_line("b")]))
    assert [(line.number, line.event) for line in await store.log(one.id)] == [
        (1, "a"),
        (2, "b"),
        (3, "a"),
        (4, "b"),
    ]
    assert [line.number for line in await store.log(other.id)] == [1, 2]


async def test_the_last_lines_of_a_log_come_oldest_first(store: Store) -> None:
    row = await kept(store)
    await store.commit(Change(row, log=[a_line(event) for event in "abcd"]))
    assert [line.event for line in await store.log(row.id, last=2)] == ["c", "d"]
    assert [line.event for line in await store.log(row.id, last=9)] == ["a", "b", "c", "d"]
    assert await store.log(row.id, last=0) == []


# -- one live table a channel


@pytest.mark.parametrize("status", LIVE)
async def test_a_live_table_holds_its_channel(store: Store, status: str) -> None:
    row = await kept(store, 1, status=status)
    with pytest.raises(ChannelTaken):
        await kept(store, 1)
    assert await store.live_table(1) == row


@pytest.mark.parametrize("status", ["over", "abandoned"])
async def test_a_table_that_ends_frees_its_channel(store: Store, status: str) -> None:
    row = await kept(store, 1)
    row.status, row.ended_at = status, NOW
    await store.commit(Change(row))
    assert await store.live_table(1) is None
    assert (await kept(store, 1)).id != row.id


async def test_an_ended_table_cannot_come_back_to_a_channel_that_is_taken(store: Store) -> None:
    ended = await kept(store, 1, status="over")
    await kept(store, 1)
    ended.status = "playing"
    with pytest.raises(ChannelTaken):
        await store.commit(Change(ended))
    assert ended.version == 1


async def test_concurrent_openings_in_a_channel_create_one_table(store: Store) -> None:
    results = await asyncio.gather(*(kept(store, 1) for _ in range(5)), return_exceptions=True)
    assert sum(isinstance(result, ChannelTaken) for result in results) == 4
    assert len(await store.live_tables()) == 1


async def test_latest_table_among_begun_matches(
    store: Store,
) -> None:
    begun = await kept(store, 1, status="over")
    closed = await store.create(Change(replace(a_table(1, status="abandoned"), snapshot=None)))
    latest, played = await store.latest_table(1), await store.latest_table(1, begun=True)
    assert latest is not None
    assert played is not None
    assert (latest.id, played.id) == (closed.id, begun.id)


async def test_the_latest_table_of_a_channel_is_the_newest_live_or_not(store: Store) -> None:
    await kept(store, 1, status="over", game="expedition")
    newest = await kept(store, 1, status="over")
    await kept(store, 2)
    latest = await store.latest_table(1)
    assert latest is not None
    assert (latest.id, latest.snapshot) == (newest.id, newest.snapshot)
    of_the_other_game = await store.latest_table(1, "expedition")
    assert of_the_other_game is not None
    assert of_the_other_game.game == "expedition"
    assert await store.latest_table(1, "artifact") is None


async def test_live_tables_have_no_snapshots(store: Store) -> None:
    one, other = await kept(store, 1), await kept(store, 2, status="lobby")
    await kept(store, 3, status="over")
    assert await store.live_tables() == [replace(one, snapshot=None), replace(other, snapshot=None)]


# -- people


async def test_the_seat_of_a_person_is_remembered_for_one_table(store: Store) -> None:
    one, other = await kept(store, 1), await kept(store, 2)
    await store.commit(Change(one, seated=[(7, 2)]))
    await store.commit(Change(one, seated=[(7, 2)]))
    assert await store.seat_of(one.id, 7) == 2
    assert await store.seat_of(one.id, 8) is None
    assert await store.seat_of(other.id, 7) is None


async def test_a_persons_tables_come_newest_first_without_snapshots(store: Store) -> None:
    rows = [await store.create(Change(a_table(channel), seated=[(7, 0)])) for channel in (1, 2)]
    await kept(store, 3)
    newest_first = [replace(row, snapshot=None) for row in reversed(rows)]
    assert await store.tables_of(7) == newest_first


async def test_forgotten_person_has_never_sat_there(store: Store) -> None:
    one = await store.create(Change(a_table(1), seated=[(7, 0), (8, 1)]))
    other = await store.create(Change(a_table(2), seated=[(7, 0)]))
    await store.forget(7, one.id)
    await store.forget(7, one.id)
    assert await store.seat_of(one.id, 7) is None
    assert await store.seat_of(one.id, 8) == 1
    assert [row.id for row in await store.tables_of(7)] == [other.id]


# -- time


async def test_purge_deletes_ended_tables_with_all_their_rows(store: Store) -> None:
    old = await store.create(
        Change(a_table(1), log=[a_line()], set_jobs=[Job(0, "tidy", NOW)], seated=[(7, 0)])
    )
    old.status, old.ended_at = "over", NOW - 10
    await store.commit(a_move(old, interaction_id=77))
    recent = await kept(store, 2, status="over", ended_at=NOW)
    live = await kept(store, 3)
    assert await store.purge(NOW) == 1
    assert await store.table(old.id) is None
    assert await store.moves(old.id) == []
    assert await store.log(old.id) == []
    assert await store.due(NOW) == []
    assert await store.tables_of(7) == []
    assert await store.table(recent.id) == recent
    assert await store.table(live.id) == live
    assert await store.purge(NOW) == 0


@pytest.mark.parametrize("limits", [StoreLimits(purge_batch_size=1)])
async def test_purge_of_many_tables_lets_moves_through(store: Store) -> None:
    live = await kept(store, 1)
    await asyncio.gather(*(kept(store, 2, status="over", ended_at=NOW) for _ in range(50)))
    purging = asyncio.create_task(store.purge(NOW + 1))
    await asyncio.sleep(0)
    await store.commit(a_move(live))
    # A file has one writer, which does both by turns; a database does them side by side, and either may be first.
    assert not purging.done() or not isinstance(store.engine, SqliteEngine)
    assert await purging == 50


async def test_a_live_table_is_never_purged(store: Store) -> None:
    row = await kept(store, 1, status="playing", ended_at=NOW)
    assert await store.purge(NOW + 1) == 0
    assert await store.table(row.id) == row


async def test_the_id_of_a_purged_table_is_never_given_again(store: Store) -> None:
    row = await kept(store, 1, status="over", ended_at=NOW)
    await store.purge(NOW + 1)
    assert (await kept(store, 1)).id > row.id


async def test_facts_are_kept_and_replaced(store: Store) -> None:
    await store.set_fact("heartbeat", "1")
    await store.set_fact("heartbeat", "2")
    assert await store.fact("heartbeat") == "2"
