"""A process that has lost a shard to another one, because its session had ended, soon changes its tables no longer."""

from __future__ import annotations

import pytest

from bot.clock import ManualClock
from bot.fleet.alone import Alone
from bot.observability.context import Act, doing
from bot.store.model import Conflict
from bot.tables import lobby
from bot.tables.model import Table
from bot.tables.refusals import AnsweredElsewhere
from bot.tables.service import ANSWERED_WITHIN, LEFT, Tables
from tests.bot.tables.samples import ANA, BEN, change, open_lobby


class Loser(Alone):
    """The fleet of a process that has lost all of its shards so many seconds ago."""

    alone = False

    def __init__(self, ago: float) -> None:
        self.ago = ago

    def lost_for(self, guild: int) -> float | None:
        return self.ago


def press_at(clock: ManualClock, ago: float) -> Act:
    """The operation of a press that was made so many seconds ago."""
    number = (int((clock.now() - ago) * 1000) - 1_420_070_400_000) << 22
    return Act("press", "join", press=number)


async def join(tables: Tables, table: Table, act: Act) -> bool:
    """Whether Ben got a seat by this operation."""
    with doing(act):
        try:
            after = await change(tables, table, lambda draft: lobby.join(draft, BEN, "Ben"))
        except (AnsweredElsewhere, Conflict):
            after = await tables.get(table.id)
    return after.seat_of(BEN) is not None


@pytest.mark.parametrize(("lost", "pressed"), [(LEFT + 0.1, 0.5), (0.1, ANSWERED_WITHIN + 0.1)])
async def test_a_press_that_comes_too_late_is_left_to_the_new_owner(
    tables: Tables, clock: ManualClock, lost: float, pressed: float
) -> None:
    table = await open_lobby(tables, ANA)
    tables.fleet = Loser(lost)
    assert not await join(tables, table, press_at(clock, pressed))
    with doing(press_at(clock, pressed)), pytest.raises(AnsweredElsewhere):
        await open_lobby(tables, BEN, channel=2)
    tables.fleet = Loser(LEFT - 0.1)
    assert await join(tables, table, press_at(clock, ANSWERED_WITHIN - 0.1))


async def test_a_job_changes_nothing_any_longer_soon_after_its_shard_was_lost(tables: Tables) -> None:
    table = await open_lobby(tables, ANA)
    tables.fleet = Loser(LEFT + 0.1)
    assert not await join(tables, table, Act("job", "redraw"))
    tables.fleet = Loser(LEFT - 0.1)
    assert await join(tables, table, Act("job", "redraw"))
