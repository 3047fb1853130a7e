"""The master of Artifacts, Inc.: it tries lines of moves, and leaves the best one only where it is sure."""

from __future__ import annotations

from random import Random

import pytest

from engine.agents.advice import advice, adviser_of, appraise
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.master import Effort, Master
from engine.artifacts_inc.state import View
from tests.bench.agents import Job, compare
from tests.engine.artifacts_inc.scene import GAME, PASS, scene


@pytest.fixture(autouse=True)
def some_effort(hasty_masters: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the master looks at as many lines as at a table."""
    monkeypatch.setattr(Master, "effort", Effort(tries=48))


def master() -> Master:
    agent = adviser_of(GAME)
    assert isinstance(agent, Master)
    return agent


def choice() -> View:
    """A turn in which the master has to choose between lines that begin differently."""
    return GAME.view(scene(dice="2 4 5", dollars=6, artifacts="gem*2@headquarters scroll*2 fossil"), 0)


@pytest.mark.exhaustive
def test_a_master_beats_an_expert() -> None:
    jobs = [Job(GAME.key, "master", "expert", 2, seed) for seed in range(3)]
    assert sum(compare(jobs).shares) >= 3  # of 6; it wins 4 of 5 with its usual effort


def test_a_line_that_wins_at_once_is_found() -> None:
    """In the last turn of the match, the cube that wins a majority beats the dollars."""
    state = scene(
        dice="5",
        artifacts="gem*2@headquarters fossil*5 scroll*5",
        orders={"gem": {0: 0}},
        divers=(0,) * 10,
        round=60,
        active=1,
    )
    best = master().ranked(view := GAME.view(state, 1), Random(1))[0]
    assert best.move == m.FillOrder(5, m.Space(3), 3, 1)
    assert master().reason(view, best, None).code == "takes-lead"


def test_a_masters_choice_is_the_first_that_it_ranks_and_each_move_is_ranked_once() -> None:
    view = choice()
    ranked = master().ranked(view, Random(4))
    assert ranked[0].move == master().choose(view, Random(4))
    assert len({one.move for one in ranked}) == len(ranked) > 1
    assert [one.gain for one in ranked[1:]] == sorted((one.gain for one in ranked[1:]), reverse=True)


def test_of_lines_about_as_good_the_one_that_scores_most_is_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    view = GAME.view(scene(dice="6", dollars=9, offer="world_exhibition grand_hall"), 0)
    for as_good, scores in ((0.0, False), (99.0, True)):
        monkeypatch.setattr("engine.artifacts_inc.agents.master.AS_GOOD", as_good)
        (first, *_others) = master().ranked(view, Random(1))
        card = getattr(first.move, "card", -1)
        assert (GAME.catalogue.cards[card].key == "world_exhibition") == scores


def test_advice_for_a_turn_compares_moves_and_to_waste_it_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The order alone costs nothing, whether it is the agent's choice or a hint that comes first in the plan."""
    view = choice()
    ranked = master().ranked(view, Random(1))
    advised = advice(GAME, [view], bytes(1))
    assert advised is not None
    assert any(one.move == advised.move for one in ranked)
    wasted = appraise(GAME, view, PASS, Random(1))
    assert wasted.cost > wasted.error
    first, later = m.PlaceDie(2, m.Space(5)), m.FillOrder(5, m.Space(3), 3, 1)
    plan = ranked[0]._replace(move=first, line=(first, later, PASS))
    monkeypatch.setattr(Master, "ranked", lambda *_given: [plan, *ranked])
    for hint in (None, first):
        assert not any(appraise(GAME, view, later, Random(1), hint).other)
        assert appraise(GAME, view, PASS, Random(1), hint).cost > 0, "the plan cannot be followed after it"
