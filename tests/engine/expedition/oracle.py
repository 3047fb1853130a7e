"""Legality by the rule page, written out a second time and independently of the engine's own checks."""

from __future__ import annotations

from engine.archaeology_family import moves as m
from engine.expedition import moves as x
from engine.expedition.state import ExpeditionState
from tests.engine.archaeology_family import kind, may_choose
from tests.engine.expedition.scene import GAME

CODES = {
    "not-your-move",
    "unknown-move",
    "not-now",
    "no-dig-due",
    "no-thief-due",
    "thief-needs-opponent",
    "thief-needs-cards",
    "no-sandstorm",
    "no-tent-due",
    "discard-count",
    "malformed-cards",
    "not-in-hand",
    "not-in-market",
    "trade-needs-both",
    "trade-too-dear",
    "explored-already",
    "no-such-chamber",
    "chamber-explored",
    "chamber-empty",
    "too-few-maps",
    "no-sphinx",
    "sphinx-needs-names",
    "no-such-treasure",
    "names-must-differ",
    "no-choice-due",
    "keep-count",
    "not-in-chamber",
    "not-in-mine",
    "no-look-due",
    "no-such-set",
    "set-too-large",
    "must-sell",
}
"""Every code that a refused move may bear."""

COSTS = {
    "great_pyramid": {0: 1, 1: 2, 2: 3},
    "temple": {0: 2, 1: 2, 2: 2},
    "tomb": {0: 1, 1: 1},
    "mine": {0: 1},
    "sphinx": {},
    "ruins": {0: 1, 1: 1, 2: 1},
}
"""The Maps for a chamber, by monument. The Sphinx is explored by naming."""


def number_of(cards: tuple[tuple[int, int], ...]) -> int:
    return sum(n for _, n in cards)


def is_legal(state: ExpeditionState, seat: int, move: object) -> bool:
    if seat != state.asked:
        return False
    hand = state.hands[seat]
    match state.phase, move:
        case "dig", m.Dig():
            return True
        case "steal", m.Steal(victim):
            return victim in range(state.seats) and victim != seat and sum(state.hands[victim]) > 0
        case "tent", x.UseTent():
            return True
        case "sandstorm", m.Discard(cards):
            return may_choose(cards, hand) and number_of(cards) == sum(hand) // 2
        case "keep", x.Keep(cards):
            assert state.opened is not None
            return may_choose(cards, state.chambers[state.opened]) and number_of(cards) == 2
        case "mine", x.TurnUp() | x.Stop():
            return True
        case "act", _:
            return is_legal_action(state, hand, move)
        case _:
            return False


def is_legal_action(state: ExpeditionState, hand: list[int], move: object) -> bool:
    maps = hand[kind("map")]
    match move:
        case m.Trade(give, take):
            if not give or not take or not may_choose(give, hand) or not may_choose(take, state.market):
                return False
            worth = [sum(GAME.trade[treasure] * n for treasure, n in cards) for cards in (give, take)]
            return worth[1] <= worth[0]
        case m.Explore(chamber):
            cost = COSTS[state.monument].get(chamber)
            return (
                cost is not None and cost <= maps and sum(state.chambers[chamber]) > 0 and not state.explored
            )
        case x.Guess((first, second)):
            known = range(state.kinds)
            named = first in known and second in known and first != second
            there = state.monument == "sphinx" and sum(state.chambers[0]) > 0
            return named and there and maps > 0 and not state.explored
        case m.Sell(treasure, count):
            if not 0 <= treasure < state.kinds:
                return False
            return 1 <= count <= min(hand[treasure], len(GAME.prices[treasure]))
        case x.LookAt(chamber):
            return state.look == state.moves and chamber in (0, 1, 2) and sum(state.chambers[chamber]) > 0
        case m.EndTurn():
            return not state.duty
        case _:
            return False
