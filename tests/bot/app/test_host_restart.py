"""A restart at any moment: nothing is lost, and nobody's time runs out because the host was down."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app.heartbeat import EVERY as HEARTBEAT
from bot.app.heartbeat import GRACE
from bot.app.host import Host
from bot.tables.draft import AGENT, ALARM
from bot.tables.model import DAY, HOUR, MINUTE, Table
from tests.bot.hosts import Drawn, make_host, run_due
from tests.bot.tables.samples import (
    ANA,
    BEN,
    GAME,
    Presses,
    asked,
    change,
    come_back,
    events_of,
    jobs_of,
    leave,
    match_of,
    open_lobby,
)
from tests.manual_clock import ManualClock


class Machine:
    """A host that can be stopped, killed and started again on the same file."""

    def __init__(self, path: Path, clock: ManualClock) -> None:
        self._path = path
        self.clock = clock
        self.host: Host
        self.drawn: Drawn

    async def start(self) -> None:
        self.host, self.drawn = make_host(self._path, self.clock)
        await self.host.start()

    async def stop(self) -> None:
        await self.host.close()

    async def kill(self) -> None:
        """Ends it abruptly, so that only what is durable is left."""
        await self.host.store.close()

    async def later(self, seconds: float, table: Table) -> Table:
        """Lets time pass while the host is up, and lets it do what is due."""
        self.clock.advance(seconds)
        await run_due(self.host)
        return await self.host.tables.get(table.id)

    async def down(self, seconds: float = 0, *, set_by: float = 0, crash: bool = False) -> None:
        """Stops or kills it for this long. Meanwhile the machine's time is set, forward or back."""
        await (self.kill() if crash else self.stop())
        self.clock.advance(seconds)
        self.clock.set(set_by)
        await self.start()


@pytest.fixture
async def machine(tmp_path: Path) -> AsyncIterator[Machine]:
    machine = Machine(tmp_path / "digsite.sqlite3", ManualClock())
    await machine.start()
    yield machine
    await machine.stop()


def time_left(machine: Machine, table: Table) -> float:
    """Seconds until the asked seat's time runs out, as the board shows it."""
    deadline = table.body.asked[asked(table)].deadline
    assert deadline is not None
    return deadline + machine.host.tables.time.downtime - machine.clock.now()


async def test_a_match_is_as_it_was(machine: Machine) -> None:
    table = await match_of(machine.host.tables, ANA, BEN)
    presses = Presses(machine.host.tables)
    for _ in range(10):
        table = await presses.move(table)
    await machine.down(HOUR)
    again = await machine.host.tables.get(table.id)
    assert (again.sequence, again.status, again.seats) == (10, "playing", table.seats)
    assert GAME.dump(again.state) == GAME.dump(table.state)
    again = await Presses(machine.host.tables, 7).move(again)
    assert again.sequence == 11


async def test_limits_move_by_the_time_the_host_was_down(machine: Machine) -> None:
    table = await match_of(machine.host.tables, ANA, BEN, limit=HOUR, first=0)
    table = await machine.later(10 * MINUTE, table)
    for _ in range(3):
        await machine.down(3 * DAY)
        table = await machine.host.tables.get(table.id)
        assert time_left(machine, table) == pytest.approx(50 * MINUTE)
        assert (await jobs_of(machine.host.tables, table))[ALARM] == pytest.approx(
            machine.clock.now() + 35 * MINUTE
        )
    table = await machine.later(50 * MINUTE - 1, table)
    assert await events_of(machine.host.tables, table) == []
    table = await machine.later(1, table)
    assert await events_of(machine.host.tables, table) == ["missed"]


async def test_after_a_start_nobodys_time_runs_out_within_five_minutes(machine: Machine) -> None:
    table = await match_of(machine.host.tables, ANA, BEN, limit=HOUR, first=0)
    table = await machine.later(HOUR - 60, table)
    await machine.down(10)
    table = await machine.host.tables.get(table.id)
    assert time_left(machine, table) == pytest.approx(GRACE)
    table = await machine.later(GRACE - 1, table)
    assert await events_of(machine.host.tables, table) == []
    table = await machine.later(1, table)
    assert await events_of(machine.host.tables, table) == ["missed"]


async def test_the_grace_period_is_kept_whatever_happens_at_the_table_meanwhile(machine: Machine) -> None:
    tables = machine.host.tables
    table = await match_of(tables, ANA, BEN, 3, limit=HOUR, first=0)
    await leave(tables, table, 3)
    table = await machine.later(HOUR - 60, table)
    await machine.down(10)
    tables = machine.host.tables
    table = await machine.later(90, table)
    table = await come_back(tables, table, 3)
    assert time_left(machine, table) == pytest.approx(GRACE - 90)
    table = await machine.later(GRACE - 91, table)
    assert "missed" not in await events_of(tables, table)


async def test_a_decision_that_comes_up_during_the_grace_period_gets_it_too(machine: Machine) -> None:
    table = await match_of(machine.host.tables, ANA, BEN, limit=5 * MINUTE, first=0)
    await machine.down(10)
    table = await Presses(machine.host.tables).turn(await machine.later(60, table))
    assert time_left(machine, table) == pytest.approx(5 * MINUTE)


async def test_a_reminder_that_was_due_meanwhile_comes_at_once(machine: Machine) -> None:
    table = await match_of(machine.host.tables, ANA, BEN, limit=HOUR, first=0)
    table = await machine.later(45 * MINUTE - 10, table)
    await machine.down(HOUR)
    table = await machine.later(9, table)
    assert not table.body.asked[0].reminded
    table = await machine.later(1, table)
    assert table.body.asked[0].reminded


async def test_a_host_that_is_killed_costs_nobody_more_than_half_a_minute(machine: Machine) -> None:
    table = await match_of(machine.host.tables, ANA, BEN, limit=HOUR, first=0)
    table = await machine.later(10 * MINUTE, table)
    machine.clock.advance(HEARTBEAT - 1)
    await machine.kill()
    machine.clock.advance(2 * HOUR)
    await machine.start()
    table = await machine.host.tables.get(table.id)
    assert 50 * MINUTE - HEARTBEAT <= time_left(machine, table) <= 50 * MINUTE


async def test_lobbies_and_pauses_are_given_the_time_that_the_host_was_down_too(machine: Machine) -> None:
    tables = machine.host.tables
    lobby = await open_lobby(tables, ANA, channel=1)
    paused = await leave(tables, await match_of(tables, ANA, agents=1, channel=2), ANA)
    await machine.down(30 * DAY)
    lobby = await machine.later(DAY - 1, lobby)
    assert lobby.status == "lobby"
    lobby = await machine.later(1, lobby)
    assert lobby.status == "abandoned"
    assert (await machine.later(6 * DAY - 1, paused)).status == "paused"
    assert (await machine.later(1, paused)).status == "abandoned"


async def test_neither_a_lobby_nor_a_pause_ends_within_five_minutes_of_a_start(machine: Machine) -> None:
    tables = machine.host.tables
    lobby = await open_lobby(tables, ANA, channel=1)
    paused = await leave(tables, await match_of(tables, ANA, agents=1, channel=2), ANA)
    for table, lasts in ((lobby, DAY), (paused, 6 * DAY - GRACE + 60)):
        await machine.later(lasts - 60, table)
        await machine.down(10)
        assert (await machine.later(GRACE - 1, table)).live
        assert (await machine.later(1, table)).status == "abandoned"


async def test_an_agents_move_that_was_due_is_made_after_the_start(machine: Machine) -> None:
    table = await match_of(machine.host.tables, ANA, agents=1, first=1)
    assert AGENT in await jobs_of(machine.host.tables, table)
    await machine.kill()
    await machine.start()
    await run_due(machine.host)
    assert (await machine.host.tables.get(table.id)).sequence > 0


async def test_restarts_in_a_row_add_up_and_a_clock_set_back_takes_nothing(machine: Machine) -> None:
    table = await match_of(machine.host.tables, ANA, BEN, limit=DAY, first=0)
    for seconds in (HOUR, 2 * HOUR, 0, 3 * HOUR):
        await machine.down(seconds)
    assert machine.host.tables.time.downtime == pytest.approx(6 * HOUR)
    assert time_left(machine, await machine.host.tables.get(table.id)) == pytest.approx(DAY)
    await machine.down(set_by=-HOUR)
    assert time_left(machine, await machine.host.tables.get(table.id)) == pytest.approx(DAY)


SETTINGS = [-HOUR, -DAY, -400 * DAY, -10, 10, HOUR, DAY, 400 * DAY]
"""By how many seconds the machine's time is set while the host is down."""


@pytest.mark.parametrize("crash", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize("set_by", SETTINGS)
async def test_a_clock_that_is_set_between_two_starts_leaves_no_agent_standing_still(
    machine: Machine, set_by: float, crash: bool
) -> None:
    table = await match_of(machine.host.tables, ANA, agents=1, first=1)
    assert AGENT in await jobs_of(machine.host.tables, table)
    await machine.down(5, set_by=set_by, crash=crash)
    table = await machine.later(30, table)
    assert table.sequence > 0
    await change(machine.host.tables, table, lambda draft: draft.touch())
    drawn = len(machine.drawn.tables)
    await machine.later(1, table)
    assert len(machine.drawn.tables) > drawn


@pytest.mark.parametrize("crash", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize("set_by", SETTINGS)
async def test_a_clock_that_is_set_between_two_starts_takes_and_gives_nobody_time(
    machine: Machine, set_by: float, crash: bool
) -> None:
    table = await match_of(machine.host.tables, ANA, BEN, limit=HOUR, first=0, channel=1)
    lobby = await open_lobby(machine.host.tables, ANA, channel=2)
    table = await machine.later(10 * MINUTE, table)
    for _ in range(3):
        await machine.down(set_by=set_by, crash=crash)
        table = await machine.host.tables.get(table.id)
        assert time_left(machine, table) == pytest.approx(50 * MINUTE)
        assert (await jobs_of(machine.host.tables, table))[ALARM] == pytest.approx(
            machine.clock.now() + 35 * MINUTE
        )
    await machine.later(50 * MINUTE - 1, table)
    assert await events_of(machine.host.tables, table) == []
    await machine.later(1, table)
    assert await events_of(machine.host.tables, table) == ["missed"]
    assert (await machine.later(DAY - HOUR - 1, lobby)).status == "lobby"
    assert (await machine.later(1, lobby)).status == "abandoned"


async def test_a_clock_that_was_wrong_and_is_put_right_again_leaves_all_as_it_was(machine: Machine) -> None:
    table = await match_of(machine.host.tables, ANA, BEN, limit=HOUR, first=0)
    for set_by in (DAY, -DAY, -HOUR, HOUR):
        await machine.down(set_by=set_by)
        assert time_left(machine, await machine.host.tables.get(table.id)) == pytest.approx(HOUR)
    assert machine.host.tables.time.downtime == pytest.approx(0)


async def test_a_match_goes_on_though_the_host_is_killed_after_every_step(machine: Machine) -> None:
    table = await match_of(machine.host.tables, ANA, BEN, agents=1, limit=HOUR)
    steps = 0
    while table.live and steps < 40:
        await machine.kill()
        machine.clock.advance(60)
        await machine.start()
        await run_due(machine.host)
        table = await machine.host.tables.get(table.id)
        if table.live and table.seats[asked(table)].present:
            table = await Presses(machine.host.tables, steps).move(table)
            assert table.sequence == len(await machine.host.store.moves(table.id))
        steps += 1
    assert table.sequence >= steps
