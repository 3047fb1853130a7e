"""Work that several processes on one database do once, and changes that must reach all of them."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

import pytest
from pydantic import SecretStr

from bot.app.guild_removals import FACT, REMOVAL_GRACE, Servers
from bot.app.operator import ORDERS, Order, OrderKind
from bot.cli.orders import give
from bot.clock import SystemClock
from bot.fleet.fleet import Notification
from bot.settings import Settings
from bot.store.backends import DatabaseBackend
from bot.store.model import Job, StoreUnreachable
from bot.tables.draft import AGENT
from bot.tables.model import HOUR, MINUTE, Table
from bot.tables.refusals import Refused
from tests.bot.cli.test_forget_and_export import digsite
from tests.bot.fleets import SHARDS, Fleet, Part, Process, server_of, until
from tests.bot.hosts import make_host, run_due
from tests.bot.tables.samples import ANA, CARA, events_of, match_of, open_lobby, tables_on
from tests.manual_clock import ManualClock

BEN = 123456789012345678
"""Somebody whose id stands in nothing else."""


async def tables_of_ben(*processes: Process) -> list[Table]:
    """Ben plays on a server of each of these processes, and has opened a lobby and left it on another one of theirs."""
    made: list[Table] = []
    for number, process in enumerate(processes):
        shard = min(process.fleet.held)
        made.append(await match_of(process.tables, ANA, BEN, channel=10 + number, server=server_of(shard)))
        made.append(
            await open_lobby(process.tables, BEN, CARA, channel=20 + number, server=server_of(shard, 2))
        )
    return made


async def names_ben(process: Process) -> bool:
    store = process.store
    return bool(await store.tables_naming(BEN) or await store.tables_of(BEN))


async def done(process: Process) -> bool:
    return await process.store.erasures.pending() == []


# -- deleting one's data


async def test_deletion_at_one_process_reaches_the_tables_of_all(processes: Fleet) -> None:
    first, second, third = (
        await processes.start("first", 0),
        await processes.start("second", 1, 2),
        await processes.start("third", 3),
    )
    made = await tables_of_ben(first, second, third)
    assert await third.housekeeping.erasures.forget(BEN) == "done"
    assert not await names_ben(third)
    assert await done(third)
    for process, table in zip((first, first, second, second, third, third), made, strict=True):
        there = await process.tables.get(table.id)
        assert BEN not in {seat.user_id for seat in there.seats}, (
            "nor does the process that owns its shard remember"
        )
    row = await first.store.table(made[2].id)
    assert row is not None
    assert str(BEN) not in row.body


async def test_deletion_clears_the_caches_of_every_process(processes: Fleet) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    await first.host.picture_choices.choose("person", BEN, text_only=True)
    await until(lambda: chosen(second, BEN))
    assert await second.housekeeping.erasures.forget(BEN) == "done"

    async def forgotten() -> bool:
        return not await chosen(first, BEN) and not await chosen(second, BEN)

    await until(forgotten)
    assert await first.store.text_only() == []


async def chosen(process: Process, person: int) -> bool:
    return process.host.picture_choices.text_only("person", person)


async def test_new_leader_finishes_an_erasure(processes: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    await tables_of_ben(first, second)
    unnamed = asyncio.Event()

    async def hang(**_options: Any) -> bool:
        unnamed.set()
        await asyncio.Event().wait()
        return False

    monkeypatch.setattr(first.store, "wipe", hang)
    asked = asyncio.create_task(second.housekeeping.erasures.forget(BEN))
    await unnamed.wait()
    assert [each.user_id for each in await second.store.erasures.pending()] == [None]
    await first.die()
    await second.fleet.take(0, 1)
    assert await asked == "done"


async def test_only_the_leader_wipes_and_purges(processes: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    wiped: list[str] = []
    for process in (first, second):

        async def wipe(*, within: float, whole: bool = False, name: str = process.name) -> bool:
            wiped.append(f"{name} wipes")
            return True

        async def purge(_before: float, name: str = process.name) -> int:
            wiped.append(f"{name} purges")
            return 0

        monkeypatch.setattr(process.store, "wipe", wipe)
        monkeypatch.setattr(process.store, "purge", purge)
        process.host.housekeeping.cleanup._purged = 0.0
    assert await second.housekeeping.erasures.forget(BEN) == "done"

    async def both() -> bool:
        return len(wiped) == 2

    await until(both)
    await asyncio.sleep(0.2)
    assert sorted(wiped) == ["first purges", "first wipes"]


# -- orders


async def given(processes: Fleet, what: OrderKind, argument: str) -> tuple[bool, str]:
    """Gives an order by a command of the program; returns whether it was carried out, and the sentence about it."""
    url = SecretStr(processes.url)
    return await give(Settings(_env_file=None, database_url=url), what, argument)  # pyright: ignore[reportCallIssue]


async def ordered(processes: Fleet, what: OrderKind, argument: str) -> str:
    done, said = await given(processes, what, argument)
    assert done, said
    return said


async def orders_left(process: Process) -> list[Any]:
    return json.loads(await process.store.fact(ORDERS) or "[]")


async def test_leader_executes_orders_about_tables_of_any_process(
    processes: Fleet,
) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    table = await match_of(second.tables, ANA, BEN, server=server_of(3))
    assert await ordered(processes, "end", str(table.id)) == f"Table {table.id} has ended."
    assert not (await second.tables.get(table.id)).live
    assert await orders_left(first) == [], "what was done is not kept"
    again = await given(processes, "end", str(table.id))
    assert again == (False, "That table has already ended. Nothing was changed.")
    done, said = await given(processes, "end", "999")
    assert not done
    assert "no table with that number" in said


async def test_leader_leaves_a_server(processes: Fleet) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    await ordered(processes, "leave", str(server_of(2)))
    await ordered(processes, "leave", str(server_of(1)))
    assert (first.left, second.left) == ([server_of(2), server_of(1)], [])


async def test_blocks_and_notice_reach_every_process_and_live_table(
    processes: Fleet,
) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    here = await match_of(first.tables, ANA, BEN, channel=1, server=server_of(1))
    there = await match_of(second.tables, ANA, BEN, channel=2, server=server_of(2))
    for process in (first, second):
        process.drawn.tables.clear()
    await ordered(processes, "block-person", str(CARA))
    await ordered(processes, "notice", "Back at ten")

    async def known() -> bool:
        return all(
            process.host.blocklist.blocks(CARA) and process.host.notice.text == "Back at ten"
            for process in (first, second)
        )

    await until(known)

    async def drawn() -> bool:
        return here.id in first.drawn.tables and there.id in second.drawn.tables

    await until(drawn)
    assert there.id not in first.drawn.tables
    with pytest.raises(Refused, match="blocked-person"):
        await open_lobby(second.tables, CARA, channel=3, server=server_of(2))


async def test_blocks_ordered_at_once_are_all_kept(processes: Fleet) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    people = [str(CARA + number) for number in range(6)]
    await asyncio.gather(*(ordered(processes, "block-person", person) for person in people))

    async def all_known() -> bool:
        return all(
            process.host.blocklist.blocks(int(person)) for process in (first, second) for person in people
        )

    await until(all_known)


async def test_failed_notification_does_not_report_a_stored_change_as_unsaved(
    processes: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await processes.start("first", 0, 1, 2, 3)

    async def cut(notification: Notification) -> NoReturn:
        raise StoreUnreachable("The database does not answer.")

    monkeypatch.setattr(first.fleet, "publish", cut)
    await first.host.picture_choices.choose("person", BEN, text_only=True)
    assert ("person", BEN) in await first.store.text_only()
    assert not first.host.picture_choices.shown(1, BEN)
    assert (
        await ordered(processes, "block-person", str(CARA)) == f"{CARA} is blocked. Matches under way go on."
    )
    assert (await ordered(processes, "notice", "Back at ten")).startswith("The notice is saved.")


# -- versions side by side


async def test_newer_version_retries_unreadable_tables_after_taking_over(
    processes: Fleet,
) -> None:
    older, newer = await processes.start("older", 0, 1, 2, 3), await processes.start("newer")
    await older.idle()
    await newer.idle()
    table = await match_of(older.tables, ANA, agents=1, first=1, server=server_of(3))
    now = older.tables.clock.now()
    await older.store.set_job(Job(table.id, AGENT, now))
    older.tables.cache.clear()
    older.tables.games = {}
    await run_due(older.host)
    await older.hand_over_to(newer)
    [job] = [each for each in await newer.store.due(1e12) if each.kind == AGENT]
    assert now < job.due < now + 2 * MINUTE


NEWER = {"number": 7, "what": "greet", "argument": "all", "by": "a test", "how": "warmly"}
"""An order that only a newer version knows."""


@pytest.mark.system
async def test_orders_that_only_a_newer_version_knows_are_kept_for_it(processes: Fleet, path: Path) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    done = {"at": first.tables.clock.now(), "done": True, "said": "said", "why": "because"}
    newer = [NEWER, {**NEWER, "number": 8, **done}]
    await first.store.set_fact(ORDERS, json.dumps(newer))
    table = await match_of(second.tables, ANA, BEN, server=server_of(3))
    assert await ordered(processes, "end", str(table.id)) == f"Table {table.id} has ended."
    status, said, _ = await digsite(path, "block", "person", str(BEN), DATABASE_URL=processes.url)
    assert (status, "blocked" in said) == (0, True)
    assert await orders_left(second) == newer


async def test_abandoned_orders_are_deleted_after_an_hour(processes: Fleet) -> None:
    first = await processes.start("first", 0, 1, 2, 3)
    now = first.tables.clock.now()
    given = [
        Order(number, "block-person", str(BEN), "a test", at=at)
        for number, at in enumerate((now - HOUR - 1, now), 1)
    ]
    await first.store.set_fact(ORDERS, json.dumps([asdict(each) for each in given]))

    async def tidied() -> bool:
        return [(each["number"], each.get("done")) for each in await orders_left(first)] == [(2, True)]

    await until(tidied)
    assert first.host.blocklist.blocks(BEN)


async def test_answered_order_leaves_no_user_id(processes: Fleet) -> None:
    first = await processes.start("first", 0, 1)
    await processes.start("second", 2, 3)
    await ordered(processes, "block-person", str(BEN))

    async def nothing() -> bool:
        return str(BEN) not in (await first.store.fact(ORDERS) or "")

    await until(nothing)


# -- the processes


async def test_the_processes_are_listed_with_their_shards(processes: Fleet) -> None:
    await processes.start("first-1", 0, version="1.2.0")
    await processes.start("second-22", 2, 3)
    await processes.start("third-3")
    said = await ordered(processes, "processes", "")
    assert [line.split() for line in said.splitlines()] == [
        ["process", "version", "shards"],
        ["first-1", "1.2.0", "1"],
        ["second-22", "1.0", "2"],
        ["third-3", "1.0", "0"],
    ]


@pytest.mark.system
async def test_commands_reach_the_responsible_process(processes: Fleet, path: Path) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    table = await match_of(second.tables, ANA, BEN, server=server_of(3))

    async def command(*arguments: str) -> tuple[int, str, str]:
        return await digsite(path, *arguments, DATABASE_URL=processes.url)

    status, said, _ = await command("processes")
    assert (status, said.splitlines()[1].split()) == (0, ["first", "1.0", "2"])
    answers = await asyncio.gather(
        command("end", str(table.id)), command("block", "person", str(CARA)), command("forget", str(BEN))
    )
    assert [status for status, _, _ in answers] == [0, 0, 0]
    assert not (await second.tables.get(table.id)).live
    assert not await names_ben(first)
    assert await orders_left(first) == []


@pytest.mark.system
async def test_without_a_fleet_the_commands_about_processes_say_so(path: Path) -> None:
    async with tables_on(path, SystemClock()):
        pass
    status, _, said = await digsite(path, "processes")
    assert status == 1
    assert said.endswith("No bot runs on this database. Nothing was changed; start the bot first.\n")

    async def leave(_server: int) -> bool:
        return False

    host, _drawn = make_host(path, SystemClock(), leave_server=leave)  # as one that is connected to Discord
    await host.start()
    done = await host.housekeeping.operator.do(Order(1, "processes", "x", "a test"))
    assert (done.done, done.said.partition(".")[0]) == (True, "There is one process")
    await host.close()


# -- servers that removed the bot


class Memberships(Servers):
    """Stands in for Discord at one process: which servers the bot is on, and which shards are connected."""

    def __init__(self, process: Process, *guilds: int) -> None:
        self.process = process
        self.guilds = set(guilds)
        self.connected = set(range(SHARDS))

    def memberships(self) -> set[int]:
        return self.guilds

    def is_ours(self, guild: int) -> bool:
        return (guild >> 22) % SHARDS in self.connected

    async def is_member(self, guild: int) -> bool:
        return guild in self.guilds


async def asleep(process: Process, table: Table) -> bool:
    return (await process.tables.get(table.id)).body.asleep is not None


async def test_only_the_owner_of_a_server_suspends_its_tables(processes: Fleet) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    there = server_of(3)
    table = await match_of(second.tables, ANA, BEN, server=there)
    await first.housekeeping.removals.ready(Memberships(first))
    await first.housekeeping.removals.left(there)
    assert not await asleep(second, table), "another process's connection tells nothing about it"
    await second.housekeeping.removals.ready(Memberships(second))
    assert await asleep(second, table)


async def test_new_owner_knows_a_removal_and_wakes_tables_on_return(
    processes: Fleet,
) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    there = server_of(3)
    table = await match_of(second.tables, ANA, BEN, server=there)
    others = await match_of(first.tables, ANA, BEN, channel=2, server=server_of(1))
    here = Memberships(first, server_of(1))
    await first.housekeeping.removals.ready(here)
    await second.housekeeping.removals.ready(Memberships(second))
    assert await asleep(second, table)
    await second.die()
    here.connected = {0, 1}
    await first.fleet.take(2, 3)
    assert await asleep(first, table)
    here.guilds.add(there)
    await first.housekeeping.removals.joined(there)
    assert not await asleep(first, table)
    assert json.loads(await first.store.fact(FACT) or "") == {}
    assert not await asleep(first, others)


async def test_missed_removal_is_found_when_the_shard_connects(
    processes: Fleet,
) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    table = await match_of(second.tables, ANA, BEN, server=server_of(3))
    here = Memberships(first)
    here.connected = {0, 1}
    await first.housekeeping.removals.ready(here)
    await second.die()
    await first.fleet.take(2, 3)
    assert not await asleep(first, table), "the connection has not told anything yet"
    here.connected = {0, 1, 2, 3}
    await first.housekeeping.removals.ready(here)
    assert await asleep(first, table)


async def test_removals_recorded_by_several_processes_are_all_kept(
    processes: Fleet,
) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    made = [
        await match_of(process.tables, ANA, BEN, channel=shard + 1, server=server_of(shard))
        for shard, process in enumerate((first, first, second, second))
    ]
    await asyncio.gather(
        *(process.housekeeping.removals.ready(Memberships(process)) for process in (first, second))
    )
    assert {int(each) for each in json.loads(await first.store.fact(FACT) or "")} == {
        server_of(shard) for shard in range(SHARDS)
    }
    await first.idle()
    long_ago = {str(server_of(shard)): SystemClock().now() - REMOVAL_GRACE - 1 for shard in range(SHARDS)}
    await first.store.set_fact(FACT, json.dumps(long_ago))
    await second.housekeeping.removals.load()
    await until(lambda: ended(second, made[2:]))
    assert (await first.tables.get(made[0].id)).live

    async def only_those_of_the_first_are_left() -> bool:
        left = {int(each) for each in json.loads(await first.store.fact(FACT) or "")}
        return left == {server_of(0), server_of(1)}

    await until(only_those_of_the_first_are_left)


async def ended(process: Process, tables: list[Table]) -> bool:
    return not any([(await process.tables.get(table.id)).live for table in tables])


# -- text only


async def test_text_only_reaches_every_process(processes: Fleet) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    await second.host.picture_choices.choose("guild", server_of(2), text_only=True)
    await second.host.picture_choices.choose("person", ANA, text_only=True)

    async def known() -> bool:
        choices = first.host.picture_choices
        return choices.text_only("guild", server_of(2)) and choices.text_only("person", ANA)

    await until(known)
    await first.host.picture_choices.choose("person", ANA, text_only=False)

    async def taken_back() -> bool:
        return not second.host.picture_choices.text_only("person", ANA)

    await until(taken_back)


# -- time


async def test_limits_are_postponed_by_a_database_outage(
    processes: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock()
    store = DatabaseBackend(processes.url).store(clock, shared=True)
    part = Part(processes.url)
    host, _drawn = make_host(store, clock, fleet=part)
    await host.start(part.join)
    try:
        await part.take(*range(SHARDS))
        table = await match_of(host.tables, ANA, CARA, limit=HOUR, first=0, server=server_of(0))
        await run_due(host)

        async def away(*_given: object) -> NoReturn:
            raise StoreUnreachable("The database does not answer.")

        with monkeypatch.context() as patched:
            for name in ("write_heartbeat", "due"):
                patched.setattr(store, name, away)
            clock.advance(2 * HOUR)
            with pytest.raises(StoreUnreachable):
                await host.start_due()
        clock.advance(1)
        await run_due(host)
        assert await events_of(host.tables, table) == []
        assert host.tables.time.downtime == pytest.approx(2 * HOUR + 1)
    finally:
        await host.close()
