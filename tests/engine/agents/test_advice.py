"""Appraisals of moves that were made, and the worth of a deal."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any

import pytest

from engine.agents.advice import RANKED, adviser_of, appraise, glance, measuring_levels
from engine.agents.outlooks import Trial, outlook_at
from engine.agents.search import BATCH, Compared, Outlook, Tried, compare
from engine.archaeology_family.agents.master import Effort, Master
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Dig, EndTurn, Sell, Trade
from engine.registry import load_games

GAMES = load_games()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Master, "effort", Effort(turns=120, rounds=1, weightings=5, worlds=2))


@pytest.fixture
def sale(quick: None) -> tuple[Any, Sell]:
    """A view in which the agent sells a whole set early in the match, though the turn may be ended, and the sale."""
    game, rng = GAMES["archaeology"], Random(2)
    adviser, state = adviser_of(game), game.new(2, game.load_options({}), bytes(32))
    assert adviser
    while True:
        seat = game.pending(state)[0].seat
        view = game.view(state, seat)
        best = adviser.ranked(view, Random(1), RANKED)[0]
        whole = isinstance(best.move, Sell) and best.move.count == len(view.prices[best.move.treasure])
        if whole and view.site > 10 and not view.duty:
            return view, best.move
        game.apply(state, seat, game.sample(state, seat, rng))


def test_the_agents_own_choice_costs_nothing_and_has_a_lead(sale: tuple[Any, Sell]) -> None:
    view, move = sale
    appraisal = appraise(GAMES["archaeology"], view, move, Random(1))
    assert appraisal.cost == 0.0
    assert appraisal.move != move, "the next best"
    assert appraisal.lead != 0.0
    assert appraisal.error > 0.0
    assert appraisal.reason.code == "sells-whole-set"


def test_a_worse_move_costs_what_the_agents_choice_brings_more(sale: tuple[Any, Sell]) -> None:
    view, move = sale
    appraisal = appraise(GAMES["archaeology"], view, EndTurn(), Random(1))
    assert appraisal.move == move
    assert appraisal.lead == 0.0
    assert appraisal.cost > appraisal.error
    made_up_for = appraise(GAMES["archaeology"], view, EndTurn(), Random(1), None, (view, move))
    assert not made_up_for.costly, "judged by what the person made of it before chance had its say"
    assert appraise(GAMES["archaeology"], view, move, Random(1), EndTurn()).cost < 0, "better than the hint"


def test_a_clear_difference_is_known_after_few_worlds_and_a_close_one_after_all() -> None:
    """In worlds in which one move is better by 5 or by 0.1 on average, as luck has it."""

    def worlds(better: float) -> int:
        rng, tried = Random(1), list[float]()

        def outlook(world: float, move: str) -> Outlook:
            tried.append(world)
            return Outlook(world + better if move == "one" else 0.0, 0.0)

        compare(
            ("one", "other"),
            lambda: rng.gauss(0, 1),
            outlook,
            200,
            lambda difference, error, _share: abs(difference) >= 4 * error,
        )
        return len(tried) // 2

    assert worlds(5.0) == BATCH
    assert worlds(0.1) == 200


def test_a_glance_says_of_a_worse_move_that_it_may_cost_and_of_the_agents_own_that_it_may_lead(
    sale: tuple[Any, Sell],
) -> None:
    view, move = sale
    worse, own = (glance(GAMES["archaeology"], view, each, Random(1)) for each in (EndTurn(), move))
    assert worse.difference < 0 < own.difference
    assert (worse.cost, worse.lead) == (worse.error - worse.difference, worse.error + worse.difference)


@pytest.mark.usefixtures("hasty_masters")
@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if adviser_of(game)])
def test_an_appraisal_of_any_legal_move_follows_from_the_view_alone(key: str) -> None:
    game, rng, looked = GAMES[key], Random(key), 0
    for number, options in enumerate(game.variants(2)):
        state = game.new(2, options, sha256(bytes([number])).digest())
        while pending := game.pending(state):
            seat = pending[0].seat
            move = game.sample(state, seat, rng)
            if rng.random() < 0.08:
                view = game.view(state, seat)
                twin = game.view(game.determinize(view, rng), seat)
                assert appraise(game, view, move, Random(2)) == appraise(game, twin, move, Random(2))
                looked += 1
            game.apply(state, seat, move)
    assert looked


@pytest.mark.usefixtures("quick")
def test_a_lead_is_over_another_choice_that_tempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen proposes how a trade is paid, so a payment is nothing to praise. A Map may open a chamber."""
    game, master = GAMES["archaeology"], adviser_of(GAMES["archaeology"])
    assert isinstance(master, Master)
    state = game.new(2, game.load_options({}), bytes(32))
    game.apply(state, game.pending(state)[0].seat, Dig())
    view = game.view(state, game.pending(state)[0].seat)
    one, other = Trade(((0, 2),), ((2, 1),)), Trade(((1, 2),), ((2, 1),))
    compared: list[Any] = []

    def ranked(*_given: Any) -> list[Tried[Any]]:
        return [Tried(one, 9.0, 0.0, 0.0, 9), Tried(other, 5.0, -4.0, 1.0, 9), *more]

    def note(_view: Any, moves: tuple[Any, Any], *_given: Any) -> Compared:
        compared.append(moves)
        return Compared(Outlook(5.0, 4.0), Outlook(4.5, 2.5), 0.5)

    monkeypatch.setattr(master, "ranked", ranked)
    monkeypatch.setattr(master, "compared", note)
    more: list[Tried[Any]] = []
    assert appraise(game, view, one, Random(1)).lead == 0.0
    more = [Tried(move, 7.0, -2.0, 0.5, 9) for move in (Sell(MAP, 1), EndTurn())]
    assert appraise(game, view, one, Random(1)).lead == 2.0
    assert compared == [(one, EndTurn())]


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if adviser_of(game)])
def test_an_outlook_is_of_the_table_as_it_is(key: str) -> None:
    game = GAMES[key]
    state = game.new(2, game.load_options({}), bytes(32))
    seat = game.pending(state)[0].seat
    view, move = game.view(state, seat), game.sample(state, seat, Random(1))
    strongest = measuring_levels(game)[-1]

    def outlook(mine: str | None, other: str) -> Outlook:
        levels = [(other, mine)[each == seat] for each in range(2)]
        return outlook_at(game, view, move, Random(3), Trial(levels, 1 / 4, to_end))

    adviser = adviser_of(game)
    assert adviser is not None
    to_end = not adviser.estimates
    found = outlook(None, strongest)
    assert bool(found.held) == (to_end and game.scored), "only the end of a match tells"
    assert found == outlook(None, strongest) == outlook(None, [*game.agents][-1]), (
        "it need not try out its moves"
    )
    assert found.chance < outlook(None, "novice").chance
    assert outlook("novice", strongest).chance < found.chance, "people play above the weakest level"
    assert bool(found.own) == (key != "artifact"), "the score at the end"
