"""A handler that met another process's change runs again, as long as nothing that it did is durable."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bot.observability.context import Operation, operation_scope
from bot.store.model import Conflict
from bot.ui.handlers import Handler, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.router import RUNS_AGAIN, run
from bot.ui.screens.ids import Id
from bot.ui.screens.messages import say
from tests.bot.hosts import make_host
from tests.bot.tables.samples import ANA, BEN, match_of
from tests.manual_clock import ManualClock

PRESS = cast("Interaction", SimpleNamespace(message=None, to=Id("probe")))


async def attempts(path: Path, clock: ManualClock, handler: Handler) -> Reply:
    """The handler's reply, at a host of its own."""
    host, _drawn = make_host(path, clock)
    await host.start()
    await match_of(host.tables, ANA, BEN)
    context = cast("HandlerContext", SimpleNamespace(tables=host.tables))
    try:
        with operation_scope(Operation("press", "probe")):
            return await run(context, PRESS, handler)
    finally:
        await host.close()


async def test_a_handler_that_keeps_meeting_conflicts_is_given_up(path: Path, clock: ManualClock) -> None:
    runs = 0

    async def conflicting(_context: HandlerContext, _interaction: Interaction) -> Reply:
        nonlocal runs
        runs += 1
        raise Conflict("not as it was read")

    with pytest.raises(Conflict):
        await attempts(path, clock, conflicting)
    assert runs == 1 + RUNS_AGAIN


async def test_a_handler_that_meets_a_conflict_once_answers(path: Path, clock: ManualClock) -> None:
    runs, reply = 0, Reply(say("Done."))

    async def conflicting_once(_context: HandlerContext, _interaction: Interaction) -> Reply:
        nonlocal runs
        runs += 1
        if runs == 1:
            raise Conflict("not as it was read")
        return reply

    assert await attempts(path, clock, conflicting_once) is reply
    assert runs == 2


async def test_a_handler_does_not_run_again_after_a_change_of_its_own_is_durable(
    path: Path, clock: ManualClock
) -> None:
    runs = 0

    async def conflicting_later(context: HandlerContext, _interaction: Interaction) -> Reply:
        nonlocal runs
        runs += 1
        (table,) = context.tables.cache.all()
        async with context.tables.change(table.id) as draft:
            draft.touched = True
        raise Conflict("not as it was read")

    with pytest.raises(Conflict):
        await attempts(path, clock, conflicting_later)
    assert runs == 1
