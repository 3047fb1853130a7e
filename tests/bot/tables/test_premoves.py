"""Players who are sure to be asked may answer already: the premove is stored secretly, and played when it is due."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.cli.export import export
from bot.people.privacy import stored_data as privacy
from bot.store.backends import FileBackend
from bot.store.model import Repeated
from bot.tables import play, premoves
from bot.tables.history import record_of
from bot.tables.model import DAY, HOUR, Table
from bot.tables.play import Moves, undo_view_version, view_version_of
from bot.tables.refusals import Stale
from bot.tables.service import Tables
from engine.archaeology import Archaeology
from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import SANDSTORM, TREASURES
from engine.archaeology_family.state import DIG, STORM
from engine.errors import IllegalMove
from engine.expedition import moves as x
from engine.expedition.state import TENT
from engine.game import AnyGame
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    EXPEDITION,
    GAME,
    Presses,
    asked,
    change,
    do_due,
    events_of,
    jobs_of,
    leave,
    make_tables,
    match_of,
    refused,
    stage,
)
from tests.cogs.archaeology_family.crafted import craft
from tests.manual_clock import ManualClock

PEOPLE = (ANA, BEN, CARA)
COINS, MAPS, TALISMANS = (m.Discard(((TREASURES.index(key), 2),)) for key in ("coin", "map", "talisman"))
"""The cards lost: Two Coins, which all can lose in these matches; two Maps, which Ben has; or Cara's Talismans."""


async def storm(tables: Tables, *, limit: int | None = None) -> Table:
    """Ana has dug up a Sandstorm and is asked first; Ben and Cara are asked after her. Each loses 2 cards of 4."""
    table = await match_of(tables, *PEOPLE, limit=limit)
    hands = [{"coin": 4}, {"coin": 2, "map": 2}, {"coin": 2, "talisman": 2}]
    table = await stage(tables, table, craft(hands, site=["sandstorm", "pot_shard", "pot_shard"]))
    table = await press(tables, table, ANA, m.Dig())
    assert table.state.phase == STORM
    assert list(table.body.expected) == [1, 2]
    return table


async def tents(tables: Tables) -> Table:
    """The same in The New Expedition: first Ben, Cara and Ana are asked about their Tents."""
    table = await match_of(tables, *PEOPLE, limit=None, game=EXPEDITION)
    state = table.state.copy()
    state.active = state.asked = 0
    state.site.remove(SANDSTORM)
    state.site.append(SANDSTORM)
    table = await press(tables, await stage(tables, table, state), ANA, m.Dig())
    assert table.state.phase == TENT
    return table


_presses = iter(range(10_000, 20_000))


async def press(
    tables: Tables,
    table: Table,
    person: int,
    move: Any,
    *,
    view_version: str | None = None,
    number: int | None = None,
) -> Table:
    """A press on the private screen of this person, as it is now if `view_version` says nothing else."""
    table = await tables.get(table.id)
    seat = table.seat_of(person)
    assert seat is not None
    question = premoves.question_for(table, seat)
    if view_version is None:
        view_version = "" if question is None else question.view_version
    return await tables.play(table.id, person, view_version, move, number or next(_presses))


async def played(tables: Tables, table: Table) -> Table:
    await do_due(tables)
    return await tables.get(table.id)


def losses(table: Table, seat: int, game: AnyGame) -> m.Discard:
    """Any loss that is open to a seat of an Expedition in a Sandstorm."""
    state = game.upcoming(table.state, seat)
    while state is not None and state.phase == TENT:
        game.apply(state, seat, x.UseTent(False))
        state = state if state.asked == seat else game.upcoming(state, seat)
    assert state is not None
    return game.sample(state, seat, Random(1))


def shown(table: Table) -> list[Any]:
    """The public view of the match, and the people called."""
    body = table.body
    called = {seat: (each.since, each.at_once) for seat, each in body.expected.items()}
    views = [table.game.view(table.state, viewer) for viewer in (None, 0, 1, 2)]
    return [views, called, {seat: each.since for seat, each in body.asked.items()}, table.sequence]


async def test_answers_that_come_early_are_played_in_the_rules_order(tables: Tables) -> None:
    table = await storm(tables)
    lines = await tables.store.log(table.id)
    before = shown(table)
    table = await press(tables, table, CARA, COINS)
    table = await press(tables, table, BEN, MAPS)
    assert shown(table) == before, "nothing that others see tells that somebody has answered"
    assert await tables.store.log(table.id) == lines
    assert "agent" not in await jobs_of(tables, table), "nothing is to be played yet"
    table = await press(tables, table, ANA, COINS)
    table = await played(tables, table)
    moves = await tables.store.moves(table.id)
    assert [move.seat for move in moves[1:]] == [0, 1, 2], "from who dug, clockwise (R2)"
    assert [json.loads(move.move)["cards"] for move in moves[2:]] == [{"map": 2}, {"coin": 2}]
    assert (table.state.phase, asked(table)) == (DIG, 0)
    assert not table.body.answers
    assert not table.body.expected


async def test_a_restart_keeps_what_was_answered_early(tables: Tables, clock: ManualClock) -> None:
    table = await storm(tables)
    await press(tables, table, BEN, MAPS)
    fresh = make_tables(tables.store, clock)
    await press(fresh, table, ANA, COINS)
    # The process ends before the answer is played: the job that plays it stands in the store.
    table = await played(make_tables(tables.store, clock), table)
    assert [move.seat for move in await tables.store.moves(table.id)][-2:] == [0, 1]
    assert asked(table) == 2


async def test_an_answer_is_taken_back_until_it_is_played(tables: Tables) -> None:
    table = await storm(tables)
    table = await press(tables, table, BEN, MAPS, number=77)
    assert await refused(press(tables, table, BEN, COINS)) == "premove-made"
    table = await change(tables, table, lambda draft: premoves.take_back(draft, BEN, 77))
    assert not table.body.answers
    table = await press(tables, table, BEN, COINS, number=78)
    with pytest.raises(Stale):  # the press on the earlier screen does not take back what was chosen since
        await change(tables, table, lambda draft: premoves.take_back(draft, BEN, 77))
    table = await change(tables, table, lambda draft: premoves.take_back(draft, BEN, 78))
    with pytest.raises(Repeated):
        await press(tables, table, BEN, MAPS, number=77)
    await press(tables, table, BEN, COINS)
    table = await played(tables, await press(tables, table, ANA, COINS))
    assert asked(table) == 2
    with pytest.raises(Stale):
        await change(tables, table, lambda draft: premoves.take_back(draft, BEN, 78))


async def test_what_would_be_illegal_now_is_refused_and_nothing_is_kept(tables: Tables) -> None:
    table = await storm(tables)
    for move in (m.Discard(((TREASURES.index("coin"), 1),)), TALISMANS, m.Dig()):
        with pytest.raises(IllegalMove):
            await press(tables, table, BEN, move)
    assert not (await tables.get(table.id)).body.answers
    await press(tables, table, ANA, COINS)
    assert await refused(press(tables, table, ANA, COINS, view_version="42")) == "not-your-move"


async def test_an_answer_that_no_longer_fits_is_dropped_and_its_person_is_asked_and_called(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    def picky(state: Any, seat: int, move: m.Discard) -> Any:
        if any(state.market[kind] for kind, _n in move.cards):
            raise IllegalMove("not-in-hand", treasure=2)
        return discard(state, seat, move)

    assert isinstance(GAME, Archaeology)
    discard = GAME._handlers[m.Discard]
    monkeypatch.setitem(GAME._handlers, m.Discard, picky)
    table = await storm(tables)
    table = await press(tables, table, BEN, COINS)
    table = await press(tables, table, CARA, TALISMANS)
    early = table.body.expected[1].since
    table = await press(tables, table, ANA, COINS)
    table = await played(tables, table)
    assert asked(table) == 1
    own = table.body.asked[1]
    assert own.unfit is not None
    assert own.unfit.code == "not-in-hand"
    assert own.since > early, "which calls Ben anew"
    assert 1 not in table.body.answers
    assert await events_of(tables, table) == [], "nobody else is told"
    table = await played(tables, await press(tables, table, BEN, MAPS))
    assert (table.state.phase, asked(table)) == (DIG, 0)


async def test_a_press_on_a_screen_from_before_counts_once_the_seat_is_asked(tables: Tables) -> None:
    table = await storm(tables)
    question = premoves.question_for(table, 1)
    assert question is not None
    table = await press(tables, table, ANA, COINS)
    assert premoves.question_for(table, 1) == question._replace(state=table.state, is_premove=False)
    table = await press(tables, table, BEN, MAPS, view_version=question.view_version)
    assert asked(table) == 2
    with pytest.raises(Stale):
        await press(tables, table, BEN, MAPS, view_version=question.view_version)


async def test_who_is_not_sure_to_be_asked_cannot_answer(tables: Tables) -> None:
    table = await match_of(tables, *PEOPLE, first=0)
    assert not table.body.expected
    view_version = view_version_of(table, table.game.pending(table.state)[0])
    assert await refused(press(tables, table, BEN, COINS, view_version=view_version)) == "not-your-move"


# -- several moves by one press


async def test_one_press_saves_the_tent_and_chooses_the_loss(tables: Tables) -> None:
    table = await tents(tables)
    assert asked(table) == 1
    early = {seat: losses(table, seat, EXPEDITION) for seat in (0, 2)}
    ben = table.game.sample(_without_tents(table), 1, Random(1))
    await press(tables, table, CARA, Moves((x.UseTent(False), early[2])), number=501)
    await press(tables, table, ANA, x.UseTent(True), number=502)
    table = await press(tables, table, BEN, Moves((x.UseTent(False), ben)), number=503)
    table = await played(tables, table)
    assert (table.state.phase, asked(table)) == (DIG, 0), "the whole Sandstorm has passed"
    moves = [(move.seat, move.interaction_id, move.part) for move in await tables.store.moves(table.id)]
    assert moves[1:] == [(1, 503, 0), (2, 501, 0), (0, 502, 0), (1, 503, 1), (2, 501, 1)]
    for number in (501, 502, 503):
        with pytest.raises(Stale):
            await press(tables, table, BEN, x.UseTent(False), view_version="1", number=number)
    record = record_of(table, await tables.store.moves(table.id))
    assert len(json.loads(record)["moves"]) == 6


def _without_tents(table: Table) -> Any:
    state = table.game.copy(table.state)
    state.phase = STORM
    return state


async def test_a_later_move_that_is_illegal_leaves_the_first_unplayed(tables: Tables) -> None:
    table = await tents(tables)
    with pytest.raises(IllegalMove):
        await press(tables, table, BEN, Moves((x.UseTent(False), m.Discard(((0, 9),)))))
    with pytest.raises(Stale):  # who is sheltered loses nothing
        await press(tables, table, BEN, Moves((x.UseTent(True), losses(table, 0, EXPEDITION))))
    assert (await tables.get(table.id)).sequence == table.sequence


async def test_who_puts_the_loss_off_is_called_when_it_is_due(tables: Tables) -> None:
    table = await tents(tables)
    table = await press(tables, table, BEN, x.UseTent(False))
    assert table.body.expected[1].kind == STORM
    assert not table.body.expected[1].at_once
    answered = await press(tables, table, CARA, x.UseTent(True))
    answered = await press(tables, answered, ANA, x.UseTent(True))
    assert asked(answered) == 1
    assert answered.body.asked[1].since == answered.sequence, "which calls Ben anew"


# -- time


async def test_a_seats_time_begins_when_it_is_asked(tables: Tables, clock: ManualClock) -> None:
    table = await storm(tables, limit=DAY)
    await press(tables, table, CARA, COINS)
    clock.advance(5 * HOUR)
    table = await press(tables, table, ANA, COINS)
    assert table.body.asked[1].deadline == clock.now() + DAY / 4
    clock.advance(DAY / 4 + 1)
    table = await played(tables, table)
    assert table.body.asked.keys() == {0}, "an agent has answered for Ben, and Cara's own answer was played"
    assert await events_of(tables, table) == ["missed"]
    assert (await tables.store.moves(table.id))[-1].interaction_id is not None


# -- taking moves back


async def test_what_was_answered_early_is_not_taken_back_after_others_have_shown_their_losses(
    tables: Tables,
) -> None:
    table = await storm(tables)
    await press(tables, table, BEN, MAPS)
    table = await played(tables, await press(tables, table, ANA, COINS))
    now = tables.clock.now()
    assert not any(play.may_undo(table, seat, now) for seat in range(3))
    assert asked(table) == 2


async def test_taking_a_move_back_leaves_others_answers(tables: Tables) -> None:
    table = await storm(tables)
    table = await press(tables, table, CARA, COINS)
    table = await press(tables, table, ANA, COINS)
    table = await change(tables, table, lambda draft: play.undo(draft, ANA, undo_view_version(table)))
    assert list(table.body.expected) == [1, 2]
    assert list(table.body.answers) == [2]
    table = await press(tables, table, BEN, MAPS)
    table = await played(tables, await press(tables, table, ANA, COINS))
    assert (table.state.phase, asked(table)) == (DIG, 0)


async def test_who_takes_the_first_of_two_moves_back_has_answered_neither(tables: Tables) -> None:
    table = await tents(tables)
    loss = table.game.sample(_without_tents(table), 1, Random(1))
    table = await press(tables, table, BEN, Moves((x.UseTent(False), loss)))
    table = await change(tables, table, lambda draft: play.undo(draft, BEN, undo_view_version(table)))
    assert (table.state.phase, asked(table)) == (TENT, 1)
    assert not table.body.answers


# -- who leaves


async def test_an_agent_does_not_play_what_somebody_answered_who_left(tables: Tables) -> None:
    table = await storm(tables)
    table = await press(tables, table, BEN, MAPS, number=77)
    table = await leave(tables, table, BEN)
    assert not table.body.answers
    row = await tables.store.table(table.id)
    assert row is not None
    assert "77" not in json.dumps(json.loads(row.body)["expected"])
    table = await played(tables, await press(tables, table, ANA, COINS))
    assert (await tables.store.moves(table.id))[-1].interaction_id is None


async def test_who_has_their_data_deleted_leaves_no_answer(tables: Tables) -> None:
    table = await storm(tables)
    table = await press(tables, table, BEN, MAPS, number=4_711_000_815)
    row = await tables.store.table(table.id)
    assert row is not None
    assert "4711000815" in row.body
    for text in (privacy.blotted(row.body, BEN), privacy.blotted(f"{row.body[:-1]},", BEN)):
        assert "4711000815" not in text
    assert "4711000815" not in privacy.blotted(row.body.replace('"form":1', '"form":99'), BEN)
    await privacy.forget(tables, BEN)
    row = await tables.store.table(table.id)
    assert row is not None
    assert "4711000815" not in row.body
    assert not (await tables.get(table.id)).body.answers


# -- whatever happens


@pytest.mark.parametrize("game", [GAME, EXPEDITION], ids=lambda game: game.key)
async def test_a_match_with_early_answers_is_the_same_match_as_one_without(
    tables: Tables, game: AnyGame
) -> None:
    """Its moves, made one after the other, lead to the same states; and everybody was asked in the rules' order."""
    early = 0
    for seed in range(5):
        table = await match_of(tables, *PEOPLE, channel=seed + 1, limit=None, game=game)
        cards = game.new(3, game.load_options({}), seed.to_bytes(32, "big"))
        table = await stage(tables, table, cards)
        start = game.dump(table.state)
        rng, presses = Random(seed), Presses(tables, seed)
        while table.live:
            for seat in list(table.body.expected):
                if seat not in table.body.answers and rng.random() < 0.7:
                    move = early_answer(table, seat, rng)
                    table = await press(tables, table, PEOPLE[seat], move)
                    early += 1
            table = await played(tables, await presses.move(table))
        state = game.load(start)
        for row in await tables.store.moves(table.id):
            game.apply(state, row.seat, game.load_move(json.loads(row.move)))
        assert game.dump(state) == game.dump(table.state)
        assert not table.body.answers
    assert early > 3


def early_answer(table: Table, seat: int, rng: Random) -> Any:
    """Premoves that a seat may make, in one or two moves."""
    question = premoves.question_for(table, seat)
    assert question is not None
    move = table.game.sample(question.state, seat, rng)
    if move != x.UseTent(False) or rng.random() < 0.3:
        return move
    return Moves((move, losses(table, seat, table.game)))


# -- what is kept of it


async def test_a_press_that_was_taken_back_does_not_count_later_either(tables: Tables) -> None:
    table = await storm(tables)
    question = premoves.question_for(table, 1)
    assert question is not None
    table = await press(tables, table, BEN, MAPS, number=77)
    table = await change(tables, table, lambda draft: premoves.take_back(draft, BEN, 77))
    await press(tables, table, ANA, COINS)
    with pytest.raises(Stale):
        await press(tables, table, BEN, MAPS, view_version=question.view_version, number=77)
    await press(tables, table, BEN, COINS)


async def test_each_person_can_have_a_copy_of_what_they_chose_and_of_nothing_else(
    tables: Tables, path: Path
) -> None:
    table = await storm(tables)
    await press(tables, table, CARA, COINS, number=76)
    table = await press(tables, table, BEN, MAPS, number=77)
    exported = json.loads(await export(FileBackend(path), BEN, 1.0))["matches"][0]["answered_ahead"]
    move = {"kind": "discard", "cards": {"map": 2}}
    assert exported == [{"interaction_id": "77", "move": move}]
    await change(tables, table, lambda draft: premoves.take_back(draft, BEN, 77))
    exported = json.loads(await export(FileBackend(path), BEN, 1.0))["matches"][0]["answered_ahead"]
    assert exported == [{"interaction_id": "77", "move": None}]
    assert json.loads(await export(FileBackend(path), ANA, 1.0))["matches"][0]["answered_ahead"] == []
