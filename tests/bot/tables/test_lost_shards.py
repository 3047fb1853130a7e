"""A process that has lost a shard to another one, because its session had ended, soon changes its tables no longer."""

from __future__ import annotations

import pytest

from bot.fleet.fleet import Fleet
from bot.observability.context import Operation, operation_scope
from bot.store.model import Conflict
from bot.tables import lobby
from bot.tables.cache import ANSWERED_WITHIN, LEFT_AFTER_LOSS
from bot.tables.model import Table
from bot.tables.refusals import AnsweredElsewhere
from bot.tables.service import Tables
from tests.bot.tables.samples import ANA, BEN, change, open_lobby
from tests.manual_clock import ManualClock

LEFT = LEFT_AFTER_LOSS


class Loser(Fleet):
    """The fleet of a process that has lost all of its shards so many seconds ago."""

    alone = False

    def __init__(self, ago: float) -> None:
        self.ago = ago

    def lost_for(self, guild: int) -> float | None:
        return self.ago


def press_at(clock: ManualClock, ago: float) -> Operation:
    """The operation of a press that was made so many seconds ago."""
    number = (int((clock.now() - ago) * 1000) - 1_420_070_400_000) << 22
    return Operation("press", "join", press=number)


async def join(tables: Tables, table: Table, operation: Operation) -> bool:
    """Whether Ben got a seat by this operation."""
    with operation_scope(operation):
        try:
            after = await change(tables, table, lambda draft: lobby.join(draft, BEN, "Ben"))
        except (AnsweredElsewhere, Conflict):
            after = await tables.get(table.id)
    return after.seat_of(BEN) is not None


@pytest.mark.parametrize(("lost", "pressed"), [(LEFT + 0.1, 0.5), (0.1, ANSWERED_WITHIN + 0.1)])
async def test_late_press_is_left_to_the_new_owner(
    tables: Tables, clock: ManualClock, lost: float, pressed: float
) -> None:
    table = await open_lobby(tables, ANA)
    tables.writer._fleet = Loser(lost)  # pyright: ignore[reportPrivateUsage]
    assert not await join(tables, table, press_at(clock, pressed))
    with operation_scope(press_at(clock, pressed)), pytest.raises(AnsweredElsewhere):
        await open_lobby(tables, BEN, channel=2)
    tables.writer._fleet = Loser(LEFT - 0.1)  # pyright: ignore[reportPrivateUsage]
    assert await join(tables, table, press_at(clock, ANSWERED_WITHIN - 0.1))


async def test_job_of_a_lost_shard_changes_nothing(tables: Tables) -> None:
    table = await open_lobby(tables, ANA)
    tables.writer._fleet = Loser(LEFT + 0.1)  # pyright: ignore[reportPrivateUsage]
    assert not await join(tables, table, Operation("job", "redraw"))
    tables.writer._fleet = Loser(LEFT - 0.1)  # pyright: ignore[reportPrivateUsage]
    assert await join(tables, table, Operation("job", "redraw"))
