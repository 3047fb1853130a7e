"""The session of a process's locks: what it reads from them, what ends it, and what may not lie before the server."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import Any

import asyncpg
import pytest

from bot.fleet.fleet import FleetTiming
from bot.fleet.locks import LockKind, Locks, SessionLost, fleet_state
from bot.store.model import StoreRefused
from bot.store.postgres import driver
from bot.store.postgres.driver import Primary
from bot.store.postgres.errors import opening_failed
from bot.store.postgres.layout import check_server
from tests.bot.postgres import server
from tests.patience import PATIENCE


@pytest.fixture
async def url() -> str:
    return server().url(await server().database())


async def test_exclusive_lock_has_one_holder_and_shared_lock_many(url: str):
    one, two = Locks(Primary(url)), Locks(Primary(url))
    for locks in (one, two):
        await locks.open()
    assert await one.take(LockKind.OWNER, [1, 2]) == {1, 2}
    assert await two.take(LockKind.OWNER, [2, 3]) == {3}
    assert await one.take(LockKind.CONNECTED, [2]) == await two.take(LockKind.CONNECTED, [2]) == {2}
    state = await one.state()
    assert state.owners == {1: one.process, 2: one.process, 3: two.process}
    assert state.connected == {2: {one.process, two.process}}
    assert not await one.give(2), "only its standby gets it"
    assert (await two.state()).connected == {2: {one.process, two.process}}
    assert await two.take(LockKind.STANDBY, [1, 2]) == {1, 2}
    assert not await one.give(1), "the standby is not connected"
    assert await one.give(2)
    assert await two.take(LockKind.OWNER, [2]) == {2}
    assert (await two.state()).connected == {2: {two.process}}
    one.close()
    assert await _within(lambda: two.take(LockKind.OWNER, [1])) == {1}
    two.close()


async def _within(ask: Any) -> Any:
    async with asyncio.timeout(PATIENCE):
        while not (found := await ask()):
            await asyncio.sleep(0.01)
        return found


async def test_locks_of_other_databases_and_programs_are_ignored(url: str):
    elsewhere = Locks(Primary(server().url(await server().database())))
    await elsewhere.open()
    await elsewhere.take(LockKind.OWNER, [0])
    somebody = await asyncpg.connect(url)
    await somebody.execute("SELECT pg_advisory_lock(7), pg_advisory_lock(7, 7)")
    here = Locks(Primary(url))
    await here.open()
    assert (await here.state()).owners == {}
    assert await here.take(LockKind.OWNER, [0]) == {0}
    for each in (elsewhere, here):
        each.close()
    await somebody.close()


async def test_server_ends_a_silent_session(url: str):
    silent, other = (Locks(Primary(url), FleetTiming(session_ends=1)) for _ in range(2))
    for locks in (silent, other):
        await locks.open()
    await silent.take(LockKind.OWNER, [5])
    assert await _within(lambda: other.take(LockKind.OWNER, [5])) == {5}
    with pytest.raises(SessionLost):
        await silent.state()
    assert not silent.certain
    other.close()


async def test_cancelled_statement_ends_the_session(url: str):
    locks = Locks(Primary(url))
    await locks.open()
    taking = asyncio.create_task(locks.take(LockKind.OWNER, [0]))
    await asyncio.sleep(0)
    taking.cancel()
    await asyncio.gather(taking, return_exceptions=True)
    assert not locks.is_open


def test_fleet_state_without_locks_is_empty():
    assert fleet_state([]).processes == frozenset()
    assert fleet_state([(LockKind.COUNT, 16, 1), (LockKind.MEMBER, 0, 1)]).shard_count == 16


def test_the_name_of_a_process_fits_and_says_where_it_runs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(driver, "own_version", lambda: "0.1.0+20261122175512.b64bec4f2a10")
    monkeypatch.setattr(socket, "gethostname", lambda: "a" * 60 + "-pod-x2x4z")
    program, version, process = driver.own_name().split(" ")
    assert (program, version) == ("digsite", "0.1.0+b64bec4")
    assert process.endswith(f"-pod-x2x4z-{os.getpid()}")
    assert len(driver.own_name()) == 63


# -- proxies


class Pooled:
    """A connection through a proxy: the server's sessions go to whoever says something."""

    def __init__(self, sessions: list[int]) -> None:
        self._sessions = sessions

    def get_server_pid(self) -> int:
        return 4711  # the proxy's own number

    async def fetchval(self, _query: str) -> int:
        return self._sessions.pop(0)

    async def execute(self, _query: str) -> str:
        return "BEGIN"

    def terminate(self) -> None:
        pass


@pytest.mark.parametrize(("sessions", "refused"), [([10, 10, 11], True), ([10, 11, 10], False)])
async def test_proxy_that_shares_sessions_is_refused(
    monkeypatch: pytest.MonkeyPatch, sessions: list[int], refused: bool
):
    async def connect(*_given: object, **_named: object) -> Pooled:
        return Pooled(sessions)

    monkeypatch.setattr(Primary, "connect", connect)
    locks = Locks(Primary("postgresql://somewhere"))
    asked = locks._pid_of(Pooled(sessions))  # type: ignore[arg-type]  # pyright: ignore[reportPrivateUsage, reportArgumentType]
    if refused:
        with pytest.raises(StoreRefused, match="direct address"):
            await asked
    else:
        assert await asked == 10


async def test_proxy_that_drops_startup_parameters_is_refused(url: str):
    error = asyncpg.exceptions.ProtocolViolationError("unsupported startup parameter: jit")
    failure = opening_failed("postgresql:///x", error)
    assert isinstance(failure, StoreRefused)
    assert "direct address" in str(failure)
    dropped = await asyncpg.connect(url)
    with pytest.raises(StoreRefused, match="direct address"):
        await check_server(dropped, "postgresql:///x")
    await dropped.close()
