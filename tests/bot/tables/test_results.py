"""The result of a match: it counts for the people who began it, and those who left come last."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from bot.people.privacy.stored_data import forget
from bot.ratings import NEW
from bot.store.model import LogRow, ResultRow
from bot.tables import lobby
from bot.tables.draft import Draft
from bot.tables.model import Table
from bot.tables.service import Tables
from engine.game import Feat, load_event
from tests.bot.store.rated import rated_of, recomputed
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    DAN,
    GAME,
    Presses,
    asked,
    begin,
    change,
    come_back,
    do_due,
    leave,
    match_of,
    name_of,
    open_lobby,
)
from tests.manual_clock import ManualClock


async def play_on(tables: Tables, table: Table, clock: ManualClock, presses: Presses) -> Table:
    """Plays a match to its end, agents included."""
    while True:
        table = await tables.get(table.id)
        if not table.live:
            return table
        (decision, *_) = table.game.pending(table.state)
        if table.seats[decision.seat].user_id is None:
            clock.advance(5)
            await do_due(tables)
        else:
            await presses.move(table)


def shown(rows: list[ResultRow]) -> list[tuple[Any, int, bool]]:
    """The person, the place and whether the seat is rated, by seat."""
    return [(row.user_id, row.place, row.after is not None) for row in rows]


async def ended(tables: Tables, table: Table, clock: ManualClock) -> tuple[Table, list[ResultRow]]:
    table = await play_on(tables, table, clock, Presses(tables))
    return table, await tables.store.results.of_table(table.id)


async def test_match_of_people_is_stored_with_its_places_and_scores(
    tables: Tables, clock: ManualClock
) -> None:
    table, rows = await ended(tables, await match_of(tables, ANA, BEN, CARA), clock)
    outcome = table.game.outcome(table.state)
    assert outcome is not None
    assert [(row.place, row.score) for row in rows] == list(zip(outcome.ranks, outcome.scores, strict=True))
    assert [row.user_id for row in rows] == [ANA, BEN, CARA]
    assert [(row.guild_id, row.game, row.moves, row.ended_at) for row in rows] == [
        (table.guild_id, table.game.key, table.sequence, table.ended_at)
    ] * 3
    assert None not in [row.after for row in rows]


async def test_agents_make_a_match_unrated_and_a_match_of_one_person_is_not_stored(
    tables: Tables, clock: ManualClock
) -> None:
    _, rows = await ended(tables, await match_of(tables, ANA, BEN, agents=1), clock)
    assert [(person, rated) for person, _place, rated in shown(rows)] == [
        (ANA, False),
        (BEN, False),
        (None, False),
    ]
    assert (await ended(tables, await match_of(tables, ANA, agents=2, channel=2), clock))[1] == []


async def test_person_who_left_comes_last_and_the_match_is_rated(tables: Tables, clock: ManualClock) -> None:
    table = await leave(tables, await match_of(tables, ANA, BEN, CARA), ANA)
    table, rows = await ended(tables, table, clock)
    assert rows[0].user_id == ANA
    assert rows[0].place == 3
    assert {rows[1].place, rows[2].place} <= {1, 2}
    assert None not in [row.after for row in rows]
    assert rows[0].after is not None
    assert rows[0].before is not None
    assert rows[0].after.mu < rows[0].before.mu


async def moved(tables: Tables, table: Table, times: int) -> Table:
    """Random moves until both of two people have made at least so many."""
    presses = Presses(tables)
    made = Counter[int]()
    while min(made[0], made[1]) < times:
        made[asked(table)] += 1
        table = await presses.move(table)
    return table


USUAL = GAME.usual_moves[2]


@pytest.mark.parametrize("far", [True, False])
async def test_leaving_a_match_of_two_loses_it_after_a_third_of_the_usual_moves(
    tables: Tables, clock: ManualClock, far: bool
) -> None:
    table = await moved(tables, await match_of(tables, ANA, BEN), -(-USUAL // 3) if far else 3)
    table = await leave(tables, table, BEN)
    _, rows = await ended(tables, table, clock)
    assert shown(rows) == [(ANA, 1, far), (BEN, 2, far)]


async def test_moves_of_a_person_who_takes_a_seat_over_and_of_an_agent_make_no_match_rated(
    tables: Tables, clock: ManualClock
) -> None:
    table = await moved(tables, await match_of(tables, ANA, BEN), 3)
    table = await leave(tables, table, BEN)
    table = await tables.take_over(table.id, DAN, name_of(DAN), 1)
    _, rows = await ended(tables, table, clock)
    assert shown(rows) == [(ANA, 1, False), (BEN, 2, False)]


async def test_choice_to_hide_results_counts_for_matches_that_begin_after_it(
    tables: Tables, clock: ManualClock
) -> None:
    under_way = await match_of(tables, ANA, BEN)
    await tables.store.results.switch("person", BEN, on=False)
    hidden = await match_of(tables, ANA, BEN, channel=2)
    assert hidden.body.hiding == [1]
    await tables.store.results.switch("person", BEN, on=True)
    assert [each[0::2] for each in shown((await ended(tables, under_way, clock))[1])] == [
        (ANA, True),
        (BEN, True),
    ]
    _, rows = await ended(tables, hidden, clock)
    assert [each[0::2] for each in shown(rows)] == [(ANA, False), (None, False)]


async def test_choice_of_a_server_counts_for_matches_that_begin_after_it(
    tables: Tables, clock: ManualClock
) -> None:
    under_way = await match_of(tables, ANA, BEN)
    await tables.store.results.switch("guild", under_way.guild_id, on=False)
    unseen = await match_of(tables, ANA, BEN, channel=2)
    assert len((await ended(tables, under_way, clock))[1]) == 2
    await tables.store.results.switch("guild", under_way.guild_id, on=True)
    assert (await ended(tables, unseen, clock))[1] == []


async def test_choices_of_the_end_count_for_a_match_that_an_older_version_began(
    tables: Tables, clock: ManualClock
) -> None:
    def older(draft: Draft) -> None:
        draft.table.body.hiding = None
        draft.touch()

    table = await change(tables, await match_of(tables, ANA, BEN), older)
    await tables.store.results.switch("person", BEN, on=False)
    _, rows = await ended(tables, table, clock)
    assert [each[0::2] for each in shown(rows)] == [(ANA, False), (None, False)]


async def test_match_whose_host_allowed_hints_is_unrated_whether_or_not_one_is_taken(
    tables: Tables, clock: ManualClock
) -> None:
    table = await open_lobby(tables, ANA, BEN)
    table = await change(tables, table, lambda draft: lobby.set_hints(draft, ANA, True))
    _, rows = await ended(tables, await begin(tables, table), clock)
    assert [each[0::2] for each in shown(rows)] == [(ANA, False), (BEN, False)]


async def test_person_who_came_back_has_not_left(tables: Tables, clock: ManualClock) -> None:
    table = await leave(tables, await match_of(tables, ANA, BEN), ANA)
    table = await come_back(tables, table, ANA)
    table, rows = await ended(tables, table, clock)
    outcome = table.game.outcome(table.state)
    assert outcome is not None
    assert [row.place for row in rows] == [*outcome.ranks]


async def test_seat_counts_for_the_person_who_began_in_it_and_not_for_the_one_who_took_it_over(
    tables: Tables, clock: ManualClock
) -> None:
    table = await leave(tables, await match_of(tables, ANA, BEN, CARA), ANA)
    table = await tables.take_over(table.id, DAN, name_of(DAN), 0)
    _, rows = await ended(tables, table, clock)
    assert shown(rows)[0] == (ANA, 3, True)
    assert await tables.store.results.with_person(DAN) == []


async def test_match_that_all_left_or_ended_early_is_not_stored(tables: Tables, clock: ManualClock) -> None:
    from bot.tables import ending

    table = await match_of(tables, ANA, BEN)
    for person in (ANA, BEN):
        await change(tables, table, lambda draft, who=person: ending.agree(draft, who))
    assert (await tables.get(table.id)).status == "abandoned"
    assert await tables.store.results.of_table(table.id) == []


async def test_person_who_is_forgotten_during_a_match_comes_last_without_a_name_and_it_is_rated(
    tables: Tables, clock: ManualClock
) -> None:
    before, rows = await ended(tables, await match_of(tables, ANA, BEN), clock)
    table = await match_of(tables, ANA, BEN, CARA, channel=2)
    await forget(tables, BEN)
    _, later = await ended(tables, table, clock)
    assert [(person, rated) for person, _place, rated in shown(later)] == [
        (ANA, True),
        (None, True),
        (CARA, True),
    ]
    assert (later[1].place, later[1].before) == (3, NEW)
    assert recomputed(await rated_of(tables.store, table.guild_id)) == []
    again = await tables.store.results.of_table(before.id)
    assert [row.user_id for row in again] == [ANA, None]
    assert [row.after for row in again] == [row.after for row in rows]
    assert await tables.store.results.with_person(BEN) == []


def sizes(table: Table, log: list[LogRow]) -> dict[int, dict[str, int]]:
    """The largest feats in a log, by seat and name, computed apart from the host."""
    found: dict[int, dict[str, int]] = {}
    for name, seat, size in table.game.feats(
        load_event(json.loads(row.event)) for row in log if row.source != "table"
    ):
        own = found.setdefault(seat, {})
        own[name] = max(size, own.get(name, 0))
    return found


async def test_feats_of_the_whole_match_are_stored_with_its_result(
    tables: Tables, clock: ManualClock
) -> None:
    table, rows = await ended(tables, await match_of(tables, ANA, BEN, CARA), clock)
    expected = sizes(table, await tables.store.log(table.id))
    assert expected, "nobody sold anything"
    for row in rows:
        assert (json.loads(row.feats) if row.feats else None) == expected.get(row.seat)


async def test_feats_are_stored_only_of_people_who_played_to_the_end_and_do_not_hide(
    tables: Tables, clock: ManualClock
) -> None:
    await tables.store.results.switch("person", BEN, on=False)
    table = await leave(tables, await match_of(tables, ANA, BEN, CARA, agents=1), ANA)
    table, rows = await ended(tables, table, clock)
    assert {*sizes(table, await tables.store.log(table.id))} == {0, 1, 2, 3}, "all sold something"
    assert [row.seat for row in rows if row.feats] == [2]


async def test_match_ends_also_if_its_feats_cannot_be_read(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await match_of(tables, ANA, BEN)

    def broken(_events: object) -> list[Feat]:
        raise KeyError("price")

    monkeypatch.setattr(table.game, "feats", broken)
    _, rows = await ended(tables, table, clock)
    assert [(row.user_id, row.feats) for row in rows] == [(ANA, None), (BEN, None)]
    assert "feats could not be read" in caplog.text
