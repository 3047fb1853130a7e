"""A week of three people: how many messages each of them gets, by all the ways of being told."""

from __future__ import annotations

from copy import copy

from tests.cogs import some_game
from tests.cogs.table_driver import Person, Room
from tests.cogs.test_calls import HOUR, quiet, turn_ends
from tests.cogs.test_digests import every, sent
from tests.cogs.test_holidays import away


class Week:
    """The time, in hours since the first of January, and the messages since then."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.begun = room.clock.now()
        self.first = len(room.env.http_requests)

    async def until(self, hour: float) -> None:
        """Lets time pass until five minutes after this hour, in steps of three hours at most."""
        end = self.begun + hour * HOUR + 300
        while (left := end - self.room.clock.now()) > 0:
            await self.room.later(min(left, 3 * HOUR))

    def calls(self, person: Person) -> int:
        """How often the person was called in a channel."""
        posts = [entry.json for entry in self.room.env.http_requests[self.first :] if entry.method == "POST"]
        rung = [(post.get("data") or post).get("allowed_mentions") or {} for post in posts if post]
        return sum(str(person.id) in map(str, each.get("users") or ()) for each in rung)


async def test_week_of_a_digest_a_holiday_and_a_match_that_waits(room: Room) -> None:
    ana, ben, cara = await room.match_of("Ana", "Ben", "Cara", turn_limit="none")
    await room.stage(some_game.beginning(3))
    other = copy(room)
    other.channel = room.guild.create_text_channel("evenings")
    ana_there, cara_there = Person(other, ana.actor), Person(other, cara.actor)
    lobby = await ana_there.command("start", turn_limit="24h")
    await cara_there.press(lobby, "Join")
    await ana_there.press(lobby, "Start Match")
    await other.stage(some_game.beginning(2))

    await every(ben, 6)
    await quiet(ben)
    await away(room, cara, last=5)
    week = Week(room)
    await ana_there.press(await other.board(), "Wait for Cara")
    await turn_ends(other, ana_there)
    await turn_ends(room, ana)
    counts = [(week.calls(person), sent(room, person)) for person in (ana, ben, cara)]
    assert counts == [(0, 0)] * 3, "Ben gets a list, Cara is on holiday"

    await week.until(8)
    assert sent(room, ben) == 0, "his quiet hours last until nine"
    await week.until(33)
    assert sent(room, ben) == 4, "at 9, 15 and 21 o'clock, and at 9 again"
    await turn_ends(room, ben)
    assert week.calls(ana) == 1, "the agent has played for Cara"
    await week.until(50)
    assert sent(room, ben) == 4, "no match has waited for him"
    await turn_ends(room, ana)
    await week.until(57)
    assert sent(room, ben) == 5
    await turn_ends(room, ben)
    await room.restart(crash=True)
    assert week.calls(ana) == 2
    await week.until(100)
    assert week.calls(ana) == 3, "reminded once, after a day"
    assert (await other.table()).sequence == 2, "the other match waits"
    assert "; the match waits." in (await other.board()).text
    await week.until(143)
    assert week.calls(cara) == 0
    await week.until(144)
    assert week.calls(cara) == 1, "where the match has waited; at the other table it is Ana's turn"
    await week.until(161)
    assert week.calls(cara) == 1
    await week.until(167)
    assert week.calls(cara) == 2, "reminded once, late in her turn"
    assert (await other.table()).sequence == 2

    counts = [(week.calls(person), sent(room, person)) for person in (ana, ben, cara)]
    assert counts == [(3, 0), (0, 5), (2, 0)]
    assert room.letters(ben) == [], "the last list was deleted once it was no longer true"
