"""The reasons that the Veteran gives for its moves: each is true of what its seat sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.agents.advice import Reason, advice, adviser_of, appraise
from engine.artifact import choices as c
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.agents.reasons import meeting, news_of, reason_of
from engine.artifact.agents.veteran import FELT, HAIR, Veteran
from engine.artifact.state import View
from engine.registry import load_games
from tests.engine.artifact.scene import scene

GAME = load_games()["artifact"]


def check(view: View, move: m.Move, reason: Reason) -> None:
    """Fails unless what the reason says is true."""
    facts, code = reason.facts, reason.code
    way = next((way for way in c.ways(view) if way.move == move), None)
    if code == "fits-trail":
        often, have = c.named(view), c.rolled(view)
        assert facts["chosen"] == [(often[each], each, have[each]) for _, each, _ in facts["chosen"]]
    if code == "takes-artifact":
        assert way is not None
        assert way.square == view.lies
    if code == "nears":
        assert way is not None
        assert facts["squares"] == abs(way.square - view.lies)
    if code in ("lies-in-wait", "follows"):
        assert way is not None
        ahead = view.at[facts["holder"]] - way.square
        assert (ahead > 0) == (code == "lies-in-wait")
        assert facts["turns"] * 3.5 >= (ahead if ahead > 0 else view.at[facts["holder"]])
        assert facts["holder"] == view.holder
    if code in ("meets-holder", "attacks") or facts.get("foe") is not None:
        odds = c.prospects(view, view.active, facts["foe"] if code != "attacks" else facts["other"])
        assert (facts["win"], facts["lose"]) == (float(odds.win), float(odds.lose))
    if code == "avoids-fight":
        assert way is not None
        assert not way.meets
        assert view.holder != facts["foe"]
        assert ("holder" in facts) == (view.at[view.holder] > way.square)
    if code == "attacks":
        assert facts["other"] in c.opponents(view)
    if code in ("spends", "holds-back", "no-use"):
        assert isinstance(move, m.Use)
        assert bool(move.aids) == (code == "spends")
        assert not Counter(facts["aids"]) - Counter(view.aids[c.asked(view)])
        assert facts["unused"] == _chances(view, ())
        assert (code == "no-use") == (facts["n"] == 0)
        assert facts["chances"] == _chances(view, facts["aids"])
        assert facts["aids"] == (move.aids or facts["aids"])
    if "need" in facts and code != "no-use":
        _check_need(view, facts)
    if code in ("spends", "holds-back"):
        felt = code == "spends" and view.phase == s.CHALLENGE and facts["n"] == 1
        felt = felt and facts["chances"][0] - facts["unused"][0] >= FELT[1]
        assert facts.get("wins", 1) >= facts.get("otherwise", 0) - (FELT[0] if felt else HAIR)


def _check_need(view: View, facts: Mapping[str, Any]) -> None:
    """Fails unless the fight for which Aids are needed is true."""
    seat, who = view.active, facts["who"]
    if view.holder != seat:
        others = [other for other, at in enumerate(view.at) if at != s.GONE and other != seat]
        near = min(others, key=lambda other: abs(view.at[other] - view.lies))
        assert (facts["need"], who) == (("race", near) if view.holder == s.NOBODY else ("take", view.holder))
    else:
        between = [s.GONE < at < view.at[seat] for at in view.at]
        assert between[who] == any(between) == (facts["need"] == "ahead")


def _chances(view: View, aids: tuple[str, ...]) -> list[float]:
    if view.phase == s.CHALLENGE:
        return [float(c.chance(view, aids))]
    holds = view.holder == c.asked(view)
    return [float(1 - odds.lose if holds else odds.win) for odds in c.fight_chances(view, aids)]


def test_every_reason_is_true_and_follows_from_the_view() -> None:
    found, spent = dict[str, int](), set[str]()
    for number, options in enumerate((*GAME.variants(2), *GAME.variants(4), *GAME.variants(6))):
        seats, rng = (2, 4, 6)[number % 3], Random(number)
        state = GAME.new(seats, options, bytes([number]) * 32)
        while pending := GAME.pending(state):
            view = GAME.view(state, pending[0].seat)
            seed = bytes([number])
            hint = advice(GAME, [view], seed)
            assert hint is not None
            check(view, hint.move, hint.reason)
            world = GAME.determinize(view, rng)
            assert advice(GAME, [GAME.view(world, pending[0].seat)], seed) == hint
            found[hint.reason.code] = found.get(hint.reason.code, 0) + 1
            gained = hint.reason.facts.get("wins", 1) - hint.reason.facts.get("otherwise", 0)
            spent |= {"felt" if gained < -HAIR else view.phase} if hint.reason.code == "spends" else set()
            for event in GAME.apply(state, pending[0].seat, hint.move):
                if event.kind == "thrown_back" and view.phase == s.CHALLENGE:
                    assert event.facts["to"] == c.set_back(view, event.facts["squares"])
    assert spent == {s.CHALLENGE, s.ATTACK, s.DEFEND, "felt"}
    codes = "fits-trail meets-holder avoids-fight lies-in-wait follows attacks names spends holds-back missed-least"
    assert found.keys() >= {*codes.split()}


def test_the_artifact_on_the_ground_is_the_reason_to_turn_back() -> None:
    state, rng, codes = GAME.new(2, GAME.options_type(), bytes(32)), Random(1), set[str]()
    while pending := GAME.pending(state):
        view = GAME.view(state, pending[0].seat)
        for way in c.ways(view):
            for lies in (way.square, way.square + 1):
                fallen = replace(view, holder=s.NOBODY, lies=lies)
                if way in c.ways(fallen):
                    reason = reason_of(fallen, way.move)
                    check(fallen, way.move, reason)
                    codes.add(reason.code)
        GAME.apply(state, pending[0].seat, GAME.agents["veteran"].choose(view, rng))
    assert codes >= {"takes-artifact", "nears"}


def test_a_hint_tells_that_the_holder_has_passed_and_that_boons_were_kept() -> None:
    ahead = GAME.view(scene(6, 9, holder=1, active=0, phase=s.DIRECTION, die=3), 0)
    assert not news_of(ahead, m.FORWARD, ahead, m.FORWARD)
    assert news_of(ahead, m.FORWARD, replace(ahead, at=(6, 4)), m.BACK) == {"news": "passed"}
    assert not news_of(replace(ahead, holder=s.NOBODY), m.BACK, ahead, m.FORWARD)
    faced = GAME.view(scene(9, 9, phase=s.CHALLENGE, encounter="rope_bridge", aids={0: "picks"}), 0)
    assert news_of(faced, m.Use(()), faced, m.Use(("picks",))) == {"kept": ("picks",)}
    assert news_of(faced, m.Use(("picks",)), faced, m.Use(())) == {"kept": ()}


def test_playing_on_tells_a_move_that_lets_the_artifact_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its holder needs a 5 to be home, and the other stands beside it or turns away."""
    state = scene(6, 9, holder=1, active=0, phase=s.DIRECTION, die=3)
    view, adviser = GAME.view(state, 0), adviser_of(GAME)
    assert meeting(view, 7) == pytest.approx(
        (1 + 5 / 6) / 6
    )  # a 2 of the holder's, or any other and then one of six
    monkeypatch.setattr(Veteran, "worlds", 160)
    assert adviser is not None
    assert adviser.ranked(view, Random(1))[0].move == m.FORWARD
    found = appraise(GAME, view, m.BACK, Random(1))
    assert found.move == m.FORWARD
    assert found.cost > 0 == found.error, "the model knows both"
    assert found.other.chance > found.made.chance
