"""Results of matches and their ratings: written with the change that ends a match, and computed again to the same."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.ratings import ENOUGH, NEW, rate
from bot.store.engine import Tx
from bot.store.migrate import scripts
from bot.store.model import Change, Conflict, MatchResult, ResultPlayer, ResultRow
from bot.store.sqlite.layout import apply
from bot.store.store import Store
from tests.bot.postgres import server
from tests.bot.store.bytes import snowflake, traces
from tests.bot.store.rated import rated_of, recomputed
from tests.bot.store.samples import NOW, Home, a_table, kept
from tests.manual_clock import ManualClock
from tests.sampling import sweep

ANA, BEN, CARA = 1_000_001, 1_000_002, 1_000_003


async def end(
    store: Store,
    places: Mapping[Any, int],
    *,
    rated: bool = True,
    game: str = "archaeology",
    guild: int = 10,
) -> int:
    """A match that ends with these places, by person; returns the id of its table."""
    row = a_table(1, game=game)
    row.guild_id = guild
    row = await store.create(Change(row))
    row.status, row.ended_at, row.sequence = "over", NOW, 30
    players = [
        ResultPlayer(seat, person, place, 10 - place) for seat, (person, place) in enumerate(places.items())
    ]
    await store.commit(Change(row, result=MatchResult(tuple(players), rated)))
    return row.id


def points(rows: list[ResultRow]) -> list[int | None]:
    return [None if row.after is None else row.after.points for row in rows]


async def test_ratings_change_with_the_result_and_start_from_the_rating_before(store: Store) -> None:
    first = await end(store, {ANA: 1, BEN: 2})
    second = await end(store, {BEN: 1, CARA: 2})
    rows = await store.results.of_table(first)
    assert [(row.user_id, row.place, row.score, row.before) for row in rows] == [
        (ANA, 1, 9, NEW),
        (BEN, 2, 8, NEW),
    ]
    least = 1 / ENOUGH
    won, lost = rate([NEW, NEW], [1, 2], [least, least])
    assert [row.after for row in rows] == [won, lost]
    assert [row.weight for row in rows] == [least, least], "neither has met anybody else"
    again = await store.results.of_table(second)
    assert [row.before for row in again] == [lost, NEW]
    assert [row.weight for row in again] == [least, 2 * least], "Ben has met Ana"
    assert [row.after for row in again] == rate([lost, NEW], [1, 2], [least, 2 * least])
    assert [row.number for row in (*rows, *again)] == [1, 1, 2, 2]


async def weight_of_ana(store: Store, *others: int | None, **where: Any) -> float | None:
    table = await end(store, {ANA: 1, **{other: place for place, other in enumerate(others, 2)}}, **where)
    return (await store.results.of_table(table))[0].weight


async def test_matches_with_the_same_person_count_less_each_time_within_a_season(store: Store) -> None:
    for number in range(ENOUGH):
        await end(store, {BEN: 1, 900 + number: 2})
    assert [await weight_of_ana(store, BEN) for _ in range(3)] == [1, 1 / (1 + 1 / 2), 1 / 2]
    await end(store, {ANA: 1, BEN: 2}, rated=False)
    assert await weight_of_ana(store, BEN) == 1 / (1 + 3 / 2), "unrated matches do not count"
    assert await weight_of_ana(store, BEN, guild=11) == 1 / ENOUGH
    assert await weight_of_ana(store, BEN, game="artifact") == 1 / ENOUGH
    await store.results.begin_season(10, 1, NOW)
    assert await weight_of_ana(store, BEN) == 1 / ENOUGH


async def test_a_person_who_has_their_data_deleted_again_and_again_counts_as_one_person(store: Store) -> None:
    weights: list[float | None] = []
    for person in range(900, 904):
        weights.append(await weight_of_ana(store, None))
        await store.results.forget_person(person)
    assert weights == [1 / ENOUGH / (1 + number / 2) for number in range(4)]
    assert recomputed(await rated_of(store, 10)) == []


async def circle(store: Store, *people: int) -> None:
    """Each of these people has beaten each that comes later."""
    for one, other in combinations(people, 2):
        await end(store, {one: 1, other: 2})


async def test_a_place_needs_opponents_with_a_place_in_the_largest_circle(store: Store) -> None:
    league, accounts = range(100, 108), range(200, 206)
    await circle(store, *league)
    await circle(store, *accounts)
    for new in range(300, 306):
        await end(store, {ANA: 1, new: 2})
    for person in (*league[:4], 300):
        await end(store, {ANA: 1, person: 2})
    board = await store.results.leaderboard(10, "archaeology", 1)
    placed = [each.user_id for each in board if not each.needed]
    assert {*placed} == {*league}
    assert [each.user_id for each in board[: len(league)]] == placed, "those with a place come first"
    seen = {each.user_id: (each.opponents, each.needed) for each in board}
    assert seen[ANA] == (10, ENOUGH), "only four of her opponents have a place"
    assert seen[accounts[0]] == (5, ENOUGH)
    await end(store, {ANA: 1, league[4]: 2})
    board = await store.results.leaderboard(10, "archaeology", 1)
    assert {each.user_id for each in board if not each.needed} == {*league, ANA}


async def test_a_result_that_is_not_committed_changes_no_rating(store: Store) -> None:
    row = await kept(store)
    outdated = replace(row, version=row.version - 1, status="over", ended_at=NOW)
    result = MatchResult((ResultPlayer(0, ANA, 1, 9), ResultPlayer(1, BEN, 2, 8)), rated=True)
    with pytest.raises(Conflict):
        await store.commit(Change(outdated, result=result))
    assert await store.results.of_table(row.id) == []


async def test_ties_share_and_order_of_seats_does_not_matter(store: Store) -> None:
    tie = await store.results.of_table(await end(store, {ANA: 1, BEN: 1, CARA: 3}))
    assert tie[0].after == tie[1].after
    assert tie[2].after is not None
    assert tie[1].after is not None
    assert tie[2].after.mu < NEW.mu < tie[1].after.mu


async def test_games_servers_and_seasons_have_ratings_of_their_own(store: Store) -> None:
    await end(store, {ANA: 1, BEN: 2})
    for game, guild in (("artifact", 10), ("archaeology", 11)):
        assert (await store.results.of_table(await end(store, {ANA: 1, BEN: 2}, game=game, guild=guild)))[
            0
        ].before == NEW
    assert await store.results.begin_season(10, 1, NOW)
    assert not await store.results.begin_season(10, 1, NOW), "two presses begin one season"
    assert (await store.results.of_table(await end(store, {BEN: 1, ANA: 2})))[1].before == NEW
    assert await store.results.seasons(10) == [(2, NOW)]
    assert [each.user_id for each in await store.results.leaderboard(10, "archaeology", 1)] == [ANA, BEN]
    assert [each.user_id for each in await store.results.leaderboard(10, "archaeology", 2)] == [BEN, ANA]
    assert await store.results.games_of(10, 1) == {"archaeology": 1, "artifact": 1}


async def test_leaderboard_counts_matches_and_victories(store: Store) -> None:
    for places in ({ANA: 1, BEN: 2}, {ANA: 2, BEN: 1}, {ANA: 1, BEN: 1}):
        await end(store, places)
    await end(store, {ANA: 1, BEN: 2}, rated=False)
    board = await store.results.leaderboard(10, "archaeology", 1)
    assert {(each.user_id, each.matches, each.wins) for each in board} == {(ANA, 3, 2), (BEN, 3, 2)}
    last = await store.results.of_table(3)
    assert {each.user_id: each.rating for each in board} == {row.user_id: row.after for row in last}


async def test_unrated_results_have_no_ratings(store: Store) -> None:
    rows = await store.results.of_table(await end(store, {ANA: 1, BEN: 2, None: 3}, rated=False))
    assert [row.user_id for row in rows] == [ANA, BEN, None]
    assert points(rows) == [None] * 3
    assert await store.results.leaderboard(10, "archaeology", 1) == []


async def test_of_two_that_replace_the_same_choice_one_succeeds(store: Store) -> None:
    await store.choices.put("person", BEN, "digest", "1")
    assert await store.choices.swap("person", BEN, "digest", "1", "2")
    assert not await store.choices.swap("person", BEN, "digest", "1", "3")
    assert not await store.choices.swap("person", BEN, "digest", "1", None)
    assert await store.choices.get("person", BEN, "digest") == "2"
    assert await store.choices.swap("person", BEN, "digest", "2", None)
    assert not await store.choices.swap("person", BEN, "digest", "2", "3")
    assert await store.choices.of("person", BEN) == {}


async def test_a_person_who_switched_it_off_is_seen_by_nobody(store: Store) -> None:
    before = await end(store, {ANA: 1, BEN: 2})
    await store.results.switch("person", BEN, on=False)
    assert await store.results.is_off("person", BEN)
    rows = await store.results.of_table(before)
    assert [row.user_id for row in rows] == [ANA, None]
    assert [each.user_id for each in await store.results.leaderboard(10, "archaeology", 1)] == [ANA]
    seen = await store.results.with_person(ANA, 10)
    assert {row.user_id for row in seen} == {ANA, None}, "others do not see who hides"
    assert [row.table_id for row in await store.results.with_person(BEN) if row.user_id == BEN] == [before]
    await store.results.switch("person", BEN, on=True)
    assert await store.choices.of("person", BEN) == {}
    assert len(await store.results.leaderboard(10, "archaeology", 1)) == 2


async def some_matches(store: Store, number: int, rng: Random, people: list[int]) -> None:
    for _ in range(number):
        some = rng.sample(people, rng.randrange(2, 5))
        places = {person: rng.randrange(1, 4) for person in some}
        await end(store, places, game=rng.choice(["archaeology", "artifact"]), guild=rng.choice([10, 11]))


@pytest.mark.parametrize("matches", sweep(60, 1000))
async def test_recomputation_finds_no_difference_also_after_deletions(store: Store, matches: int) -> None:
    rng, people = Random(1), [snowflake(number) for number in range(8)]
    for part in range(4):
        await some_matches(store, matches // 4, rng, people)
        await store.results.forget_person(people.pop())
        if part == 1:
            await store.results.begin_season(10, 1, NOW)
    rows = [await rated_of(store, guild) for guild in (10, 11)]
    assert sum(len({row.number for row in found}) for found in rows) == matches // 4 * 4
    assert [recomputed(found) for found in rows] == [[], []]


async def test_forgetting_leaves_the_numbers_and_no_id_in_any_byte(path: Path, file_store: Store) -> None:
    ben = snowflake(5)
    for _ in range(40):
        await end(file_store, {ANA: 1, ben: 2})
    await file_store.results.switch("person", ben, on=False)
    before = [replace(row, user_id=None) for row in await rated_of(file_store, 10) if row.user_id == ben]
    await file_store.results.forget_person(ben)
    await file_store.choices.forget(ben)
    assert await file_store.wipe(within=5.0)
    await file_store.close()
    assert traces(path.parent, ben) == {}
    await file_store.open()
    assert [row for row in await rated_of(file_store, 10) if row.user_id is None] == before


async def test_no_page_that_many_people_went_through_has_an_id_of_a_forgotten_one(
    path: Path, file_store: Store
) -> None:
    people = [snowflake(number) for number in range(1500)]
    Random(3).shuffle(people)

    async def add(tx: Tx) -> None:
        await tx.many("INSERT INTO players (user_id) VALUES ($1)", [(person,) for person in people])

    await file_store.engine.write(add)
    for person in people[::20]:
        await file_store.results.forget_person(person)
    assert await file_store.wipe(within=5.0)
    await file_store.close()
    assert traces(path.parent, *people[::20]) == {}
    assert traces(path.parent, people[1]) != {}


async def test_numbers_of_forgotten_people_are_not_given_out_again(path: Path, file_store: Store) -> None:
    ben, cara = snowflake(5), snowflake(6)
    await end(file_store, {ANA: 1, ben: 2})
    await file_store.results.forget_person(ben)
    assert await file_store.wipe(within=5.0)
    await end(file_store, {ANA: 1, cara: 2})
    assert len(await file_store.results.with_person(cara)) == 2
    await file_store.close()
    with closing(sqlite3.connect(path)) as file:
        (_ana, (number, user)) = file.execute("SELECT id, user_id FROM players ORDER BY id").fetchall()
    assert user == cara
    assert number > 2, "Ben had the number 2"


OLD_COLUMNS = (
    *("guild_id", "number", "seat", "table_id", "game", "season", "ended_at", "moves", "user_id", "place"),
    *("score", "mu", "sigma", "new_mu", "new_sigma"),
)
OLD_RESULTS = [
    (10, 1, seat, 7, "archaeology", 1, NOW, 30, user, seat + 1, 9, *NEW, *new)
    for seat, (user, new) in enumerate(zip((ANA, None), rate([NEW, NEW], [1, 2]), strict=True))
]
"""A match of Ana and of a forgotten person, in the layout in which results had the ids of users."""


def old_file(path: Path) -> Home:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        apply(file, path, scripts("sqlite")[:8])
        file.executemany(f"INSERT INTO results VALUES ({', '.join('?' * 15)})", OLD_RESULTS)
    return Home(path)


async def old_database() -> Home:
    from bot.store.postgres.driver import connect
    from bot.store.postgres.layout import migrate

    running = server()
    home = Home(running.url(await running.empty()))
    connection = await connect(str(home.place))
    await migrate(connection, "the database", scripts("postgres")[:5])
    await connection.copy_records_to_table(
        "results", records=OLD_RESULTS, columns=OLD_COLUMNS, schema_name="digsite"
    )
    await connection.close()
    return home


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
async def test_results_of_the_previous_layout_stay_and_have_no_feats(
    engine: str, path: Path, clock: ManualClock
) -> None:
    home = old_file(path) if engine == "sqlite" else await old_database()
    store = home.store(clock)
    await store.open()
    rows = await rated_of(store, 10)
    assert [(row.user_id, row.place, row.feats) for row in rows] == [(ANA, 1, None), (None, 2, None)]
    assert recomputed(rows) == []
    assert [one.user_id for one in await store.results.leaderboard(10, "archaeology", 1)] == [ANA]
    assert [row.weight for row in rows] == [None, None]
    await end(store, {ANA: 1, BEN: 2})
    assert recomputed(await rated_of(store, 10)) == []
    await store.close()


async def test_results_survive_a_restart(store: Store, home: Home, clock: ManualClock) -> None:
    table = await end(store, {ANA: 1, BEN: 2})
    rows = await store.results.of_table(table)
    await store.close()
    again = home.store(clock)
    await again.open()
    assert await again.results.of_table(table) == rows
    await again.close()
