"""Setting the machine's time while the host runs delays nothing and makes nothing come early."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot import clock as module
from bot.app.host import Host
from bot.clock import SystemClock
from bot.tables.model import DAY, HOUR, MINUTE
from tests.bot.hosts import Drawn, make_host, run_due
from tests.bot.tables.samples import ANA, BEN, Presses, change, events_of, match_of, open_lobby
from tests.manual_clock import ManualClock


class Machine:
    """A machine whose time can be set, and whose time passes when a test says so."""

    def __init__(self) -> None:
        self.wall = 1_800_000_000.0
        self.elapsed = 5_000.0
        self.clock = SystemClock(lambda: self.wall, lambda: self.elapsed)

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.elapsed += seconds


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
async def started(path: Path, machine: Machine) -> AsyncIterator[tuple[Host, Drawn]]:
    host, drawn = make_host(path, machine.clock, agent_delay=(2, 2), redraw_interval=1)
    await host.start()
    yield host, drawn
    await host.close()


SETTINGS = [-HOUR, -400 * DAY, HOUR, 400 * DAY]


@pytest.mark.parametrize("set_by", SETTINGS)
async def test_agents_move_and_messages_follow_as_ever(
    started: tuple[Host, Drawn], machine: Machine, set_by: float
) -> None:
    host, drawn = started
    table = await match_of(host.tables, ANA, agents=1, first=1)
    await run_due(host)
    machine.wall += set_by
    await run_due(host)
    assert (await host.tables.get(table.id)).sequence == 0, "not before its time"
    machine.passes(2)
    await run_due(host)
    assert (await host.tables.get(table.id)).sequence == 1
    before = len(drawn.tables)
    machine.passes(1)
    await change(host.tables, table, lambda draft: draft.touch())
    machine.wall -= set_by
    machine.passes(1)
    await run_due(host)
    assert len(drawn.tables) > before


@pytest.mark.parametrize("set_by", SETTINGS)
async def test_limits_and_lobbies_end_after_the_time_that_they_have(
    started: tuple[Host, Drawn], machine: Machine, set_by: float
) -> None:
    host, _drawn = started
    table = await match_of(host.tables, ANA, BEN, limit=HOUR, first=0, channel=1)
    lobby = await open_lobby(host.tables, ANA, channel=2)
    machine.passes(10 * MINUTE)
    await run_due(host)
    machine.wall += set_by
    await run_due(host)
    machine.passes(50 * MINUTE - 1)
    await run_due(host)
    assert await events_of(host.tables, table) == []
    machine.passes(1)
    await run_due(host)
    assert await events_of(host.tables, table) == ["missed"]
    machine.passes(DAY - HOUR - 1)
    await run_due(host)
    assert (await host.tables.get(lobby.id)).status == "lobby"
    machine.passes(1)
    await run_due(host)
    assert (await host.tables.get(lobby.id)).status == "abandoned"


@pytest.mark.parametrize("set_by", SETTINGS)
async def test_people_are_shown_what_their_own_clocks_will_say(
    path: Path, machine: Machine, set_by: float
) -> None:
    host, _drawn = make_host(path, machine.clock)
    await host.start()
    table = await match_of(host.tables, ANA, BEN, limit=HOUR, first=0)

    deadline = table.body.asked[0].deadline or 0.0

    def shown(host: Host) -> float:
        return deadline + host.tables.time.shown_later

    machine.passes(10 * MINUTE)
    assert shown(host) == machine.wall + 50 * MINUTE
    machine.wall += set_by
    assert shown(host) == machine.wall + 50 * MINUTE
    await host.close()

    machine.clock = SystemClock(lambda: machine.wall, lambda: machine.elapsed)
    again, _drawn = make_host(path, machine.clock)
    await again.start()
    assert shown(again) == pytest.approx(machine.wall + 50 * MINUTE)
    table = await Presses(again.tables).move(table)
    await again.close()


def test_small_corrections_of_the_time_change_nothing_that_is_shown(machine: Machine) -> None:
    for _ in range(10):
        machine.passes(1000)
        machine.wall += 0.03  # small corrections like those of a machine that keeps its time by the network
        assert machine.clock.correction == 0


def test_the_clock_adds_what_has_passed_to_the_time_that_the_machine_had_at_first() -> None:
    clock = SystemClock()
    assert clock.now() == pytest.approx(time.time(), abs=1)
    assert clock.correction == 0
    before = clock.now()
    time.sleep(0.01)
    assert 0.01 <= clock.now() - before < 5


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="a clock of Linux")
def test_the_machines_sleep_counts() -> None:
    assert module.ELAPSED() == pytest.approx(time.clock_gettime(time.CLOCK_BOOTTIME), abs=1)


def test_a_manual_clock_goes_back_only_where_a_test_sets_it() -> None:
    clock = ManualClock()
    with pytest.raises(AssertionError):
        clock.advance(-1)
    clock.set(-1)
    assert clock.now() == ManualClock().now() - 1
