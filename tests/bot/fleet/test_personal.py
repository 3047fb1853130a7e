"""Holidays and digests with several processes: the leader does the work, and of two that try, one sends."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.tables.calling import WITH_HAND, Digest, DigestState
from bot.tables.holidays import Holiday
from bot.tables.model import DAY
from bot.ui.call_choices import CALLS, DIGEST, HOLIDAY, LANGUAGE
from tests.bot.fleets import Fleet, Process, server_of, until
from tests.bot.tables.samples import ANA, BEN, match_of


async def test_holiday_told_at_any_process_begins_and_ends_at_tables_of_all_shards(processes: Fleet) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    here = await match_of(first.tables, ANA, BEN, channel=1, server=server_of(1))
    there = await match_of(second.tables, ANA, BEN, channel=2, server=server_of(2))
    now = int(time.time())
    holiday = Holiday(now, now + DAY, "UTC")
    await second.host.call_choices.choose(BEN, HOLIDAY, holiday)

    async def holidays() -> set[int | None]:
        """As each process finds it in the store."""
        found: set[int | None] = set()
        for process, table in ((first, here), (second, there)):
            process.tables.cache.drop(table.id)
            found.add((await process.tables.get(table.id)).seats[1].holiday)
        return found

    async def away() -> bool:
        return await holidays() == {holiday.ends}

    await until(away)
    for process in (first, second):
        with pytest.raises(Exception, match="on-holiday"):
            process.tables.may_sit(BEN, server_of(2))
    await second.host.call_choices.choose(BEN, HOLIDAY, holiday._replace(ends=now))

    async def home() -> bool:
        return await holidays() == {None} and await first.store.choices.of("person", BEN) == {}

    await until(home)


class Letters:
    """The direct messages of a process that takes part in a race: what Discord was sent."""

    def __init__(self, process: Process, sent: list[int]) -> None:
        digests = cast("Any", process.host.personal._digests)
        digests._client = SimpleNamespace(create_dm=self._create_dm)
        digests._screens = {"archaeology": None}
        digests._post = self._post
        self._sent = sent

    async def _create_dm(self, _person: object) -> None:
        return None

    async def _post(self, _channel: object, user: int, *_digest: object) -> int:
        self._sent.append(user)
        await asyncio.sleep(0)
        return 7


async def test_of_two_processes_that_take_themselves_for_the_leader_one_sends_a_digest(
    processes: Fleet,
) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    await first.idle()
    await second.idle()
    await match_of(first.tables, BEN, ANA, channel=1, server=server_of(1), first=0)
    sent: list[int] = []
    now = time.time()
    choices = [process.host.call_choices for process in (first, second)]
    await choices[0].choose_digest(BEN, Digest(3, "en-GB"), now)
    due = DigestState(now, now)
    await first.store.choices.put("person", BEN, DIGEST, str(due))
    for each in choices:
        await each.load()
    second.fleet.held |= {0}
    assert first.fleet.is_leader
    assert second.fleet.is_leader
    for process in (first, second):
        Letters(process, sent)
        process.host.personal._looked = 0.0
        process.host.personal.start_due(now + 1)
    tasks = first.host.personal.work.tasks | second.host.personal.work.tasks
    assert len(tasks) == 2
    await asyncio.gather(*tasks)
    assert sent == [BEN]
    state = await choices[0].digest_state(BEN)
    assert state is not None
    assert (state.due, state.message) == (now + 1 + 3 * 3600, 7)
    second.fleet.held -= {0}


async def test_language_and_call_with_the_hand_reach_every_process_and_are_forgotten_by_all(
    processes: Fleet,
) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    mine, others = second.host.call_choices, first.host.call_choices
    await mine.choose(BEN, LANGUAGE, "ru")
    await mine.choose(BEN, CALLS, WITH_HAND)

    async def known() -> bool:
        return others.language(BEN, "en-GB") == "ru" and others.with_hand(BEN)

    await until(known)
    assert others.language(ANA, "en-GB") == "en-GB"
    await first.host.housekeeping.erasures.forget(BEN)

    async def forgotten() -> bool:
        return mine.language(BEN, "en-GB") == "en-GB" and not mine.by_dm(BEN)

    await until(forgotten)
    assert await second.store.choices.of("person", BEN) == {}
