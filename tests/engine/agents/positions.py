"""Positions of Archaeology for tests of single decisions: cards are text, "coin*3 map" being three Coins and a Map."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from engine.archaeology import Archaeology, create
from engine.archaeology_family.card_list import SANDSTORM, THIEF, TREASURES
from engine.archaeology_family.state import ACT, STEAL, STORM, View
from engine.game import Options

GAME: Archaeology = create()
KINDS = 7


def counts(text: str) -> list[int]:
    """Cards by treasure."""
    by_kind = [0] * KINDS
    for word in text.split():
        key, _, n = word.partition("*")
        by_kind[TREASURES.index(key)] += int(n or 1)
    return by_kind


def cards(text: str) -> dict[str, int]:
    """Cards as they stand in a move's data."""
    return {TREASURES[kind]: n for kind, n in enumerate(counts(text)) if n}


def position(
    hand: str,
    market: str = "",
    *others: str,
    site: int = 30,
    storms: int = 3,
    phase: str = ACT,
    chambers: bool = False,
    known: bool = False,
    **fields: Any,
) -> View:
    """The view of seat 0 when it is asked. `others` are the other hands (one of three cards where none is given),
    `known` where they came from the market; the other fields are the state's. An empty site makes a dry turn."""
    others = others or ("coin pot_shard*2",)
    state = GAME.new(1 + len(others), Options(), bytes(32))
    state.hands = [counts(text) for text in (hand, *others)]
    state.market = counts(market)
    if known:
        state.known[1:] = [counts(text) for text in others]
    hazards = ([SANDSTORM] * storms + [THIEF] * 4)[:site]
    state.site = [0] * (site - len(hazards)) + hazards
    state.sandstorms = GAME.card_list.sandstorms.by_seats[state.seats] - hazards.count(SANDSTORM)
    state.thieves = GAME.card_list.thieves.by_seats[state.seats] - hazards.count(THIEF)
    if not chambers:
        state.chambers = [[0] * KINDS for _ in state.chambers]
    state.phase, state.active, state.asked = phase, 0, 0
    state.dry = site == 0 and phase == ACT
    for name, value in fields.items():
        setattr(state, name, value)
    return GAME.view(state, 0)


def storm(hand: str, market: str = "", *others: str, **fields: Any) -> View:
    """Seat 0 must lose half of its hand."""
    return position(hand, market, *others, phase=STORM, **fields)


def thief(hand: str, *others: str, **fields: Any) -> View:
    """Seat 0 has dug a Thief."""
    return position(hand, "", *others, phase=STEAL, **fields)


def choice(agent: str, view: View) -> dict[str, Any]:
    """The agent's move as data."""
    return GAME.dump_move(GAME.agents[agent].choose(view, Random(1)))


def turn(
    agent: str, hand: str, market: str = "", other: str = "coin pot_shard*2", **fields: Any
) -> list[dict[str, Any]]:
    """The agent's moves until its turn ends, which must not take long. No Map may be in reach of a chamber."""
    have, lie = counts(hand), counts(market)
    moves: list[dict[str, Any]] = []
    while any(have):
        view = position(_text(have), _text(lie), other, **fields)
        move = choice(agent, view)
        moves.append(move)
        assert len(moves) <= 20, "a turn goes on and on"
        if move["kind"] == "end_turn":
            break
        if move["kind"] == "sell":
            have[TREASURES.index(move["treasure"])] -= move["count"]
            fields["duty"] = False
            continue
        for key, n in move["give"].items():
            have[TREASURES.index(key)] -= n
            lie[TREASURES.index(key)] += n
        for key, n in move["take"].items():
            have[TREASURES.index(key)] += n
            lie[TREASURES.index(key)] -= n
    return moves


def _text(by_kind: Sequence[int]) -> str:
    return " ".join(f"{TREASURES[kind]}*{n}" for kind, n in enumerate(by_kind) if n)
