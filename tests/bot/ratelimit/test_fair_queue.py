"""Where many wait for one thing, the one who has had the least is next, and nobody waits for ever."""

from __future__ import annotations

from collections import Counter
from itertools import count

from bot.ratelimit.fair_queue import HALF_LIFE, LONGEST_WAITING, FairQueue, QueueKey, Usage

FLOOD, STRANGER = 1, 2
"""Accounts."""


class Line:
    """A queue that serves twenty a second, each of whom uses one unit."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.queue = FairQueue[int](self.usage)
        self.now = 0.0
        self._numbers = count()

    def arrive(self, key: QueueKey, how_many: int = 1) -> list[int]:
        items = [next(self._numbers) for _ in range(how_many)]
        for item in items:
            self.queue.put(key, item)
        return items

    def serve(self) -> tuple[QueueKey, int]:
        key, item = self.queue.take()
        self.usage.charge(key, self.now)
        self.now += 0.05
        return key, item

    def until(self, item: int) -> int:
        """How many others are served before this one."""
        return next(number for number in count() if self.serve()[1] == item)


def flooded(keys: list[QueueKey]) -> Line:
    """A line that has served a thousand items of these keys, and in which another thousand wait."""
    line = Line()
    for number in range(2000):
        line.arrive(keys[number % len(keys)])
    for _ in range(1000):
        line.serve()
    return line


def test_beside_one_account_with_a_thousand_tables_in_one_server_a_stranger_is_next() -> None:
    line = flooded([(1, FLOOD)])
    for server in (1, 2):  # the flooded server, or another one
        (item,) = line.arrive((server, STRANGER + server))
        assert line.until(item) <= 1


def test_beside_one_account_with_tables_in_a_thousand_servers_a_stranger_is_next() -> None:
    line = flooded([(server, FLOOD) for server in range(1, 1001)])
    for server in (500, 5000):
        (item,) = line.arrive((server, STRANGER + server))
        assert line.until(item) <= 1


def test_beside_one_server_with_a_thousand_accounts_another_server_is_next() -> None:
    line = flooded([(1, person) for person in range(1, 1001)])
    (item,) = line.arrive((2, 5000))
    assert line.until(item) <= 1


def test_the_one_with_a_thousand_tables_gets_what_others_leave_and_never_nothing() -> None:
    line = flooded([(1, FLOOD)])
    others = [(server, 10 + server) for server in range(2, 12)]
    served = Counter[int]()
    for _ in range(2000):
        for key in others:
            if not any(line.queue._key_of[item] == key for item in line.queue):
                line.arrive(key)
        served[line.serve()[0][1]] += 1
    share = served[FLOOD] / 2000
    assert 1 / 20 < share < 1 / 4, "eleven accounts want all they can get"
    assert min(served.values()) > 100


def test_nobody_waits_for_ever_though_there_are_always_newcomers() -> None:
    line = flooded([(1, FLOOD)])
    newcomers = count(10)
    served = 0
    for _ in range(LONGEST_WAITING * 20):
        newcomer = next(newcomers)
        line.arrive((newcomer, newcomer))
        served += line.serve()[0] == (1, FLOOD)
    assert served >= 1


def test_within_a_lane_whoever_came_first_is_served_first() -> None:
    line = Line()
    items = line.arrive((1, 1), 20)
    assert [line.serve()[1] for _ in items] == items


def test_whoever_was_removed_from_the_queue_is_not_served() -> None:
    line = Line()
    first, second, third = line.arrive((1, 1), 3)
    line.queue.remove(second)
    line.queue.remove(second)
    assert len(line.queue) == 2
    assert second not in line.queue
    assert [line.serve()[1], line.serve()[1]] == [first, third]
    assert not line.queue


def test_past_use_counts_less_and_less_and_is_forgotten_in_the_end() -> None:
    usage = Usage()
    for person in range(1, 1001):
        usage.charge((0, person), 0.0)
    usage.charge((0, 2000), 0.0, 4)
    usage.charge((0, 3000), 2 * HALF_LIFE)
    assert usage.of((0, 2000)) == usage.of((0, 3000))
    usage.charge((0, 4000), 100 * HALF_LIFE)
    assert len(usage._servers) + len(usage._people) == 1
    usage.charge((0, 4000), 100 * HALF_LIFE, -1)
    assert usage.of((0, 4000)) == 0


def test_use_on_behalf_of_nobody_is_counted_for_nobody() -> None:
    usage = Usage()
    usage.charge((7, 0), 0.0, 100)
    assert usage.of((0, 0)) == usage.of((8, 0)) == 0
    assert usage.of((7, 0)) == 100


def test_who_gives_back_what_they_took_long_ago_gains_nothing_over_others() -> None:
    usage = Usage()
    usage.charge((1, FLOOD), 0.0)
    usage.charge((1, FLOOD), 3 * HALF_LIFE, -1)
    queue = FairQueue[str](usage)
    queue.put((2, STRANGER), "came first")
    queue.put((1, FLOOD), "came second")
    assert queue.take()[1] == "came first"
