"""All requests together stay below Discord's limit and are shared fairly. Answers to presses do not wait for them."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Coroutine
from typing import Any

import aiohttp
import pytest
from discord.http import HTTPClient, Route
from hypothesis import given
from hypothesis import strategies as st

from bot.fleet.fleet import FLEET_TIMING
from bot.ratelimit.fair_queue import QueueKey
from bot.ratelimit.limiter import (
    AT_ONCE,
    PERMIT_VALID,
    SMALLEST,
    SPENDABLE,
    NoMoreTries,
    RateLimiter,
    Ticket,
    Urgency,
    counting_tries,
)
from tests.bot.fake_discord import FakeDiscord
from tests.patience import PATIENCE
from tests.sampling import examples


async def took(
    session: aiohttp.ClientSession, fake: FakeDiscord, method: str, path: str, count: int
) -> float:
    """The seconds that this many requests take when they are made at once."""
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def request() -> None:
        async with session.request(method, f"http://{fake.base}/api{path}") as answer:
            assert answer.status == 200

    await asyncio.gather(*(request() for _ in range(count)))
    return loop.time() - began


@pytest.mark.system
async def test_many_requests_at_once_keep_their_distance_and_answers_to_presses_do_not(
    discord_here: FakeDiscord,
) -> None:
    async with aiohttp.ClientSession(trace_configs=[RateLimiter(100).trace()]) as session:
        assert await took(session, discord_here, "PATCH", "/channels/1/messages/2", 55) >= 50 / 100
        slow = asyncio.create_task(took(session, discord_here, "PATCH", "/channels/1/messages/2", 4000))
        await asyncio.sleep(0.05)
        await took(session, discord_here, "POST", "/interactions/1/token/callback", 20)
        await took(session, discord_here, "PATCH", "/webhooks/1/token/messages/@original", 20)
        assert not slow.done(), "it takes 40 seconds"
        slow.cancel()


async def test_a_request_for_which_others_wait_is_not_begun_again_by_discords_library(
    discord_here: FakeDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise discord.py makes five tries of a request that fails, in 25 seconds."""
    discord_here.fails["/messages"] = 500, {}
    monkeypatch.setattr(Route, "BASE", discord_here.addresses()[0])
    http = HTTPClient(asyncio.get_running_loop(), http_trace=RateLimiter(1000).trace())
    await http.static_login("x")
    try:
        with pytest.raises(NoMoreTries), counting_tries(most=1):
            await http.logs_from(1, 100)
        assert discord_here.failed == 1
    finally:
        await http.close()


async def test_a_pause_earns_no_more_than_a_few_requests_at_once() -> None:
    loop, limiter = asyncio.get_running_loop(), RateLimiter(100)
    await asyncio.sleep(0.3)
    began = loop.time()
    for _ in range(AT_ONCE + 10):
        await limiter.wait()
    assert loop.time() - began >= 0.09


# -- whose turn it is


FLOOD = (1, 1)
"""The queue key of an account that wants a thousand permits."""
FAST = 2000.0
"""Slots a second for tests that look only at their order."""


class Slots:
    """Notes in which order permits are given out."""

    def __init__(self, per_second: float = FAST, permit_valid: float = PERMIT_VALID) -> None:
        self.limiter = RateLimiter(per_second, permit_valid=permit_valid)
        self.given: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def due(self, key: QueueKey, name: str, urgency: Urgency = Urgency.DUE) -> Ticket:
        return self.limiter.ask(key, lambda: self.given.append(name), urgency)

    def flood(self, how_many: int = 1000, urgency: Urgency = Urgency.DUE) -> None:
        for _ in range(how_many):
            self.due(FLOOD, "flood", urgency)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        return task

    async def press(self, key: QueueKey, channel: int, name: str) -> None:
        with self.limiter.press(*key, channel):
            await self.limiter.wait()
            self.given.append(name)

    async def job(self, key: QueueKey, channel: int, name: str, *, reserved: int = 0) -> None:
        with self.limiter.job(key, channel, reserved=reserved):
            await self.limiter.wait()
            self.given.append(name)

    async def before(self, name: str) -> list[str]:
        """The requests that got permits before this one."""
        while name not in self.given:
            await asyncio.sleep(0.001)
        return self.given[: self.given.index(name)]


async def test_a_strangers_drawing_waits_for_none_of_another_accounts() -> None:
    permits = Slots()
    permits.flood()
    await permits.before("flood")
    behind = len(permits.given)
    permits.due((1, 2), "same server")
    permits.due((2, 3), "another server")
    for name in ("another server", "same server"):
        assert len(await permits.before(name)) <= behind + 3


async def test_a_press_goes_before_drawings_and_a_strangers_press_before_another_accounts() -> None:
    permits = Slots()
    permits.flood()
    presses = [permits.spawn(permits.press(FLOOD, channel, "flood press")) for channel in range(100)]
    await permits.before("flood press")
    behind = len(permits.given)
    await permits.press((2, 2), 500, "stranger")
    assert len(await permits.before("stranger")) <= behind + 20, (
        "not behind the 100 presses, nor the 300 jobs"
    )
    await asyncio.gather(*presses)


async def test_however_many_press_every_fourth_slot_is_for_drawings() -> None:
    permits = Slots()
    permits.flood(100)
    await asyncio.gather(*(permits.press((person, person), person, "press") for person in range(2, 302)))
    assert permits.given.count("flood") >= 95


async def test_begun_jobs_go_on_before_others_begin_and_agents_tables_come_last() -> None:
    permits = Slots()
    for number in range(20):
        permits.due((number, number), "agents", Urgency.AGENTS)
        permits.due((number, number), "due")
    begun = [permits.spawn(permits.job((number, number), number, "begun")) for number in range(20, 30)]
    await asyncio.gather(*begun)
    assert permits.given.count("due") + permits.given.count("agents") <= AT_ONCE + 5
    await permits.before("agents")
    while len(permits.given) < 50:
        await asyncio.sleep(0.001)
    first_half = permits.given[:25]
    assert first_half.count("agents") < first_half.count("due")


async def test_what_a_job_has_begun_in_a_channel_becomes_as_urgent_as_a_press_there() -> None:
    permits = Slots()
    begun = [permits.spawn(permits.job(FLOOD, channel, f"begun {channel}")) for channel in range(300)]
    await asyncio.sleep(0)
    permits.flood(100, Urgency.PRESS)
    await permits.before("flood")
    behind = len(permits.given)
    with permits.limiter.press(1, 2, 299):
        assert len(await permits.before("begun 299")) <= behind + 20, (
            "not behind the 100 presses, nor the 300 jobs"
        )
        await permits.job(FLOOD, 299, "begun meanwhile")
    assert len(await permits.before("begun meanwhile")) <= behind + 30
    await asyncio.gather(*begun)


async def test_a_job_begins_with_the_slot_that_it_waited_for_and_an_unused_one_goes_back() -> None:
    permits = Slots(20)
    for _ in range(AT_ONCE):
        permits.due(FLOOD, "first")
    for _ in range(3):  # no slot is free now
        await permits.job(FLOOD, 1, "paid", reserved=1)
    assert permits.given.count("paid") == 3
    permits.due((2, 2), "next")
    assert permits.given[-1] != "next"
    with permits.limiter.job(FLOOD, 1, reserved=1):
        pass
    assert permits.given[-1] == "next"


async def test_jobs_that_waited_too_long_for_the_store_do_not_use_their_slots_all_at_once() -> None:
    permits, store = Slots(20, permit_valid=0.01), asyncio.Event()

    async def job() -> None:
        with permits.limiter.job(FLOOD, 1, reserved=1):
            await store.wait()
            await permits.limiter.wait()
            permits.given.append("late")

    jobs = [permits.spawn(job()) for _ in range(20)]
    await asyncio.sleep(0.02)
    store.set()
    for _ in range(20):
        await asyncio.sleep(0)
    assert permits.given.count("late") <= AT_ONCE
    for each in jobs:
        each.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)


async def test_whoever_gives_up_waiting_takes_no_slot() -> None:
    permits = Slots(40)
    permits.flood(AT_ONCE)
    waiting = [permits.spawn(permits.press((2, 2), 1, "gone")) for _ in range(50)]
    ticket = permits.due((3, 3), "withdrawn")
    await asyncio.sleep(0)
    for task in waiting:
        task.cancel()
    permits.limiter.withdraw(ticket)
    await asyncio.gather(*waiting, return_exceptions=True)
    assert not permits.limiter.saturated
    permits.due(FLOOD, "last")
    await permits.before("last")
    assert "gone" not in permits.given
    assert "withdrawn" not in permits.given


async def test_after_a_pause_of_the_program_no_more_come_at_once_than_discord_takes() -> None:
    permits = Slots(45)
    permits.flood(200)
    time.sleep(0.5)
    before = len(permits.given)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(permits.given) - before <= AT_ONCE


async def test_without_a_limit_nothing_waits() -> None:
    permits = Slots(math.inf)
    permits.flood()
    assert len(permits.given) == 1000
    assert not permits.limiter.saturated


@pytest.mark.parametrize(
    ("per_second", "limit", "at_once"), [(45, 50, 5), (48, 50, 2), (50, 50, 1), (10, 50, 5), (22, 25, 3)]
)
async def test_a_bunch_of_requests_and_those_that_follow_stay_within_what_discord_accepts(
    per_second: float, limit: float, at_once: int
) -> None:
    permits = Slots(per_second)
    permits.limiter = RateLimiter(per_second, limit)
    permits.flood(10)
    assert len(permits.given) == at_once


async def test_any_number_of_slots_in_a_row_may_be_given_back_at_once() -> None:
    limiter, served = RateLimiter(1, 1), list[int]()

    def let_be(number: int) -> None:
        served.append(number)
        limiter.release((1, 1))

    limiter.ask((1, 1), lambda: None, Urgency.DUE)
    for number in range(2000):
        limiter.ask((1, 1), lambda number=number: let_be(number), Urgency.DUE)
    assert served == []
    async with asyncio.timeout(PATIENCE):  # at one in a second they would take half an hour
        while len(served) < 2000:
            await asyncio.sleep(0.01)
    assert served == list(range(2000))


# -- several processes


class Sharing:
    """A process of a fleet that shares the permits, with a clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.asleep = 0
        self.limiter = RateLimiter(1000.0, shared=True, elapsed=lambda: self.now)

    @property
    def part(self) -> float:
        """Which part of the permits it spends now."""
        self.limiter.ask((1, 1), lambda: None, Urgency.DUE)
        return 1 / (self.limiter._distance * 1000.0)  # pyright: ignore[reportPrivateUsage]

    def shared_among(self, processes: int, seconds: float) -> None:
        """Is told for so long that so many share the permits, as often as that is told."""
        for _ in range(round(seconds / FLEET_TIMING.check_every)):
            self.now += FLEET_TIMING.check_every
            self.limiter.share(processes, self.now)


async def test_who_joins_spends_its_share_only_once_the_others_have_given_it_up() -> None:
    one, joins = Sharing(), Sharing()
    assert joins.part == pytest.approx(SMALLEST), "it does not know yet how many there are"
    one.shared_among(1, 20)
    assert one.part == pytest.approx(1)
    joins.shared_among(2, FLEET_TIMING.check_every)
    assert joins.part == pytest.approx(SMALLEST)
    one.shared_among(2, FLEET_TIMING.check_every)
    assert one.part == pytest.approx(1 / 2), "at once"
    joins.shared_among(2, SPENDABLE + FLEET_TIMING.check_every)
    assert joins.part == pytest.approx(1 / 2)


async def test_a_share_grows_only_when_nobody_spends_it_any_more() -> None:
    process = Sharing()
    process.shared_among(4, 20)
    process.shared_among(2, FLEET_TIMING.check_every)
    assert process.part == pytest.approx(1 / 4), "the two that are gone may only sleep"
    process.shared_among(2, SPENDABLE + FLEET_TIMING.check_every)
    assert process.part == pytest.approx(1 / 2)
    process.shared_among(50, FLEET_TIMING.check_every)
    assert process.part == pytest.approx(1 / 50)


async def test_who_slept_spends_the_smallest_share_until_the_others_know_of_it() -> None:
    process = Sharing()
    process.shared_among(2, 20)
    process.now += SPENDABLE
    assert process.part == pytest.approx(SMALLEST)
    process.shared_among(2, FLEET_TIMING.check_every)
    assert process.part == pytest.approx(SMALLEST), "the others may have taken it for dead"
    process.shared_among(2, SPENDABLE + FLEET_TIMING.check_every)
    assert process.part == pytest.approx(1 / 2)


@examples(100)
@given(
    st.lists(st.tuples(st.sampled_from(["join", "end", "freeze", "wake"]), st.integers(0, 4)), max_size=12)
)
async def test_whatever_becomes_of_processes_they_never_spend_more_than_there_is_together(
    happened: list[tuple[str, int]],
) -> None:
    living, frozen, ticks = list[Sharing](), list[Sharing](), 0

    def pass_by(ticks_more: int) -> None:
        nonlocal ticks
        for _ in range(ticks_more):
            ticks += 1
            for number, process in enumerate([*living, *frozen]):
                process.now = 1000.0 + ticks / 2
                # Each renews its leases every two seconds, at times of its own; who is frozen is deposed after eight.
                if process in living and (ticks + number) % 4 == 0:
                    process.limiter.share(len(living) + sum(each.asleep < 16 for each in frozen), process.now)
            for process in frozen:
                process.asleep += 1
            spent = [process.part for process in [*living, *frozen]]
            whole = sum(part for part in spent if part > SMALLEST + 0.001)
            assert whole <= 1.001, "who has more than the smallest share never has another one's"

    for event, wait in happened:
        if event == "join" and len(living) < 6:
            living.append(Sharing())
            living[-1].now = 1000.0 + ticks / 2
            living[-1].limiter = RateLimiter(
                1000.0, shared=True, elapsed=lambda process=living[-1]: process.now
            )
        elif event == "end" and living:
            living.pop(0)
        elif event == "freeze" and living:
            living[0].asleep = 0
            frozen.append(living.pop(0))
        elif event == "wake" and frozen and (woken := frozen.pop()).asleep < 16:
            living.append(woken)
        pass_by(4 * wait)
    pass_by(40)
