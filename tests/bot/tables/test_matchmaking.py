"""Which of the people who wait are seated together, and what becomes of their wishes when a process is killed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ratings import Rating
from bot.store.model import Candidate, Conflict, Mode, Wish
from bot.tables import matchmaking
from bot.tables.ending import close_lobby
from bot.tables.matchmaking import NOT_POSTED, UNPOSTED, Pairing, pair
from bot.tables.messages import Place
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from tests.bot.store.samples import Home
from tests.bot.tables.samples import ANA, BEN, CARA, NAMES, tables_on
from tests.manual_clock import ManualClock
from tests.sampling import examples

GUILD, CHANNEL = 10, 3


@pytest.fixture
async def tables(home: Home, clock: ManualClock) -> AsyncIterator[Tables]:
    async with tables_on(home.place, clock) as opened:
        yield opened


async def ask(tables: Tables, *people: int) -> tuple[Wish, ...]:
    for user in people:
        await matchmaking.ask(tables, Wish(GUILD, user, 10 * user, CHANNEL, None, None, "now", 0.0, 0.0))
    return tuple(each.wish for each in await tables.store.wishes.candidates(GUILD))


async def seated(tables: Tables, wishes: tuple[Wish, ...], channel: int = CHANNEL) -> Table:
    return await matchmaking.seat(
        tables, Pairing("archaeology", wishes), NAMES, wishes[-1].user_id, Place(channel), "en"
    )


async def waiting(tables: Tables) -> list[int]:
    found = await matchmaking.candidates(tables, GUILD)
    return [each.wish.user_id for each in found if matchmaking.may_be_seated(tables, each)]


async def test_the_host_sits_first_and_a_wish_gets_one_lobby(tables: Tables) -> None:
    wishes = await ask(tables, ANA, BEN)
    table = await seated(tables, wishes)
    assert [seat.user_id for seat in table.seats] == [BEN, ANA]
    assert (table.body.host_id, table.matched(), table.expected()) == (BEN, [BEN, ANA], [])
    with pytest.raises(Conflict):
        await seated(tables, wishes, channel=4)
    assert await tables.store.live_table(4) is None


async def test_people_of_a_lobby_that_was_closed_wait_again(tables: Tables) -> None:
    table = await seated(tables, await ask(tables, ANA, BEN))
    assert await waiting(tables) == [], "the lobby may still be on its way"
    async with tables.change(table.id) as draft:
        close_lobby(draft, NOT_POSTED)
    assert await waiting(tables) == [ANA, BEN]


async def test_people_of_a_lobby_that_is_not_posted_in_time_wait_again(
    tables: Tables, clock: ManualClock
) -> None:
    table = await seated(tables, await ask(tables, ANA, BEN))
    clock.advance(UNPOSTED - 1)
    assert await waiting(tables) == []
    clock.advance(1)
    assert await waiting(tables) == [ANA, BEN]
    assert (await tables.get(table.id)).body.ending == NOT_POSTED


async def test_people_of_a_lobby_that_was_posted_wait_no_more(tables: Tables) -> None:
    table = await seated(tables, await ask(tables, ANA, BEN))
    async with tables.change(table.id) as draft:
        draft.table.body.messages.lobby = 99
        draft.touch()
    assert await waiting(tables) == []
    assert await tables.store.wishes.of_person(ANA) == []


async def test_people_of_a_lobby_that_is_gone_wait_again(tables: Tables) -> None:
    table = await seated(tables, await ask(tables, ANA, BEN))
    async with tables.change(table.id) as draft:
        close_lobby(draft, NOT_POSTED)
    assert await tables.store.purge(tables.clock.now() + 1) == 1
    tables.cache.drop(table.id)
    assert await waiting(tables) == [ANA, BEN]


async def test_a_lobby_that_is_refused_leaves_everybody_waiting(tables: Tables) -> None:
    await seated(tables, await ask(tables, ANA, BEN))
    wishes = tuple(each for each in await ask(tables, CARA) if each.table_id is None)
    with pytest.raises(Refused):
        await seated(tables, wishes)
    assert await waiting(tables) == [CARA]


SEATS = {"duel": (2, 2), "party": (1, 5), "trio": (3, 4)}


def waits(
    user: int,
    game: str | None = None,
    seats: int | None = None,
    mode: Mode = "now",
    skill: float | None = None,
    since: float | None = None,
) -> Candidate:
    at = float(user) if since is None else since
    ratings = {} if skill is None else {key: Rating(skill, 1.0) for key in SEATS}
    return Candidate(Wish(1, user, user, 1, game, seats, mode, at, at + 100), ratings, 0)


def found(own: Candidate, *others: Candidate) -> tuple[str, list[int]] | None:
    pairing = pair(own, others, SEATS)
    return None if pairing is None else (pairing.game, [wish.user_id for wish in pairing.wishes])


def test_two_with_the_same_wish_are_paired_in_the_order_in_which_they_asked() -> None:
    assert found(waits(2, "duel"), waits(1, "duel")) == ("duel", [1, 2])
    assert found(waits(2, "duel")) is None
    assert found(waits(2, "duel"), waits(1, "party")) is None
    assert found(waits(2, "duel"), waits(1, "duel", mode="mail")) is None
    assert found(waits(2), waits(1, "party")) == ("party", [1, 2])


def test_a_wish_for_any_game_takes_the_first_one() -> None:
    assert found(waits(2), waits(1)) == ("duel", [1, 2])


def test_as_many_are_seated_as_the_wishes_allow() -> None:
    assert found(waits(3), waits(1), waits(2)) == ("party", [1, 2, 3])
    assert found(waits(3), waits(1, seats=2), waits(2, seats=2)) == ("duel", [2, 3])
    assert found(waits(3, seats=3), waits(1), waits(2)) == ("party", [1, 2, 3])
    assert found(waits(3, "trio"), waits(1)) is None, "the game needs three"
    assert found(waits(7, "trio"), *(waits(number) for number in range(1, 7))) is not None


def test_the_nearest_skills_are_grouped_if_more_wait_than_there_are_seats() -> None:
    own = waits(9, "duel", skill=25)
    assert found(own, waits(1, skill=10), waits(2, skill=24), waits(3, skill=30)) == ("duel", [2, 9])
    assert found(own, waits(1, skill=10), waits(3)) == ("duel", [3, 9]), "an unrated person counts as new"


def test_of_equally_near_people_those_are_taken_who_wait_longest() -> None:
    own = waits(9, "duel", skill=25)
    assert found(own, waits(1, skill=26), waits(2, skill=24)) == ("duel", [1, 9])
    assert found(own, waits(2, skill=26), waits(1, skill=24)) == ("duel", [1, 9])


games = st.sampled_from([None, *SEATS])
candidate: Any = st.builds(
    waits,
    st.just(0),
    games,
    st.sampled_from([None, None, None, 2, 3, 4]),
    st.sampled_from(["now", "now", "mail"]),
    st.one_of(st.none(), st.integers(0, 50).map(float)),
)


def skill(each: Candidate, game: str) -> float:
    return each.ratings[game].mu if game in each.ratings else 25.0


def suits(each: Candidate, game: str, size: int, mode: str) -> bool:
    wish = each.wish
    return wish.game in (None, game) and wish.seats in (None, size) and wish.mode == mode


def spreads(own: Candidate, others: list[Candidate], game: str, size: int) -> Iterator[float]:
    """The differences in skill within each group of this size that suits all its people."""
    for chosen in combinations(others, size - 1):
        group = (own, *chosen)
        if all(suits(each, game, size, own.wish.mode) for each in group):
            skills = [skill(each, game) for each in group]
            yield max(skills) - min(skills)


@examples(300)
@given(st.lists(candidate, min_size=1, max_size=9))
def test_a_pairing_suits_all_its_people_and_none_would_be_larger_or_nearer(drawn: list[Candidate]) -> None:
    everybody = [
        each._replace(wish=replace(each.wish, user_id=number, id=number, since=float(number)))
        for number, each in enumerate(drawn, 1)
    ]
    *others, own = everybody
    pairing = pair(own, others, SEATS)
    possible = {
        (game, size): list(spreads(own, others, game, size))
        for game, (least, most) in SEATS.items()
        for size in range(max(2, least), most + 1)
    }
    sizes = [size for (_game, size), found in possible.items() if found]
    if pairing is None:
        assert not sizes
        return
    by_id = {each.wish.id: each for each in everybody}
    people = [by_id[wish.id] for wish in pairing.wishes]
    size = len(people)
    assert own in people
    assert len({each.wish.user_id for each in people}) == size == max(sizes)
    assert all(suits(each, pairing.game, size, own.wish.mode) for each in people)
    assert [wish.since for wish in pairing.wishes] == sorted(wish.since for wish in pairing.wishes)
    skills = [skill(each, pairing.game) for each in people]
    nearest = min(min(found) for (_game, n), found in possible.items() if n == size and found)
    assert max(skills) - min(skills) == nearest
