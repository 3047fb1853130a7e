"""Legality by the rule page, written out a second time and independently of the engine's own checks."""

from __future__ import annotations

from engine.archaeology_family import moves as m
from engine.archaeology_family.state import State
from tests.engine.archaeology.scene import GAME
from tests.engine.archaeology_family import kind, may_choose

CODES = {
    "not-your-move",
    "unknown-move",
    "not-now",
    "no-dig-due",
    "no-thief-due",
    "thief-needs-opponent",
    "thief-needs-cards",
    "no-sandstorm",
    "discard-count",
    "malformed-cards",
    "not-in-hand",
    "not-in-market",
    "trade-needs-both",
    "trade-too-dear",
    "no-such-chamber",
    "chamber-explored",
    "too-few-maps",
    "no-such-set",
    "set-too-large",
    "must-sell",
}
"""Every code that a refused move may bear."""


def is_legal(state: State, seat: int, move: object) -> bool:
    if state.phase == "over" or seat != state.asked:
        return False
    hand = state.hands[seat]
    match state.phase, move:
        case "dig", m.Dig():
            return True
        case "steal", m.Steal(victim):
            return victim in range(state.seats) and victim != seat and sum(state.hands[victim]) > 0
        case "sandstorm", m.Discard(cards):
            return may_choose(cards, hand) and sum(n for _, n in cards) == sum(hand) // 2
        case "act", m.Trade(give, take):
            worth = {True: 0, False: 0}
            if not give or not take or not may_choose(give, hand) or not may_choose(take, state.market):
                return False
            for given, cards in ((True, give), (False, take)):
                worth[given] = sum(GAME.trade[treasure] * n for treasure, n in cards)
            return worth[True] >= worth[False]
        case "act", m.Explore(chamber):
            maps = hand[kind("map")]
            return chamber in range(3) and sum(state.chambers[chamber]) > 0 and maps > chamber
        case "act", m.Sell(treasure, n):
            return treasure in range(7) and 1 <= n <= min(hand[treasure], len(GAME.prices[treasure]))
        case "act", m.EndTurn():
            return not state.duty
        case _:
            return False
