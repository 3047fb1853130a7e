"""Matches set up by hand: cards are written as text, "coin*3 map" being three Coins and a Map."""

from __future__ import annotations

from typing import Any

import pytest

from engine.archaeology import Archaeology, create
from engine.errors import IllegalMove
from engine.game import Event
from engine.treasures import moves as m
from engine.treasures.state import ACT, DIG, State
from engine.treasures.table import SANDSTORM, THIEF, TREASURES, Bundles, bundles

GAME: Archaeology = create()
KEY = bytes(range(32))

DIG_MOVE = m.Dig()
END_TURN = m.EndTurn()


def counts(text: str) -> list[int]:
    """Cards by treasure."""
    by_kind = [0] * 7
    for word in text.split():
        key, _, n = word.partition("*")
        by_kind[TREASURES.index(key)] += int(n or 1)
    return by_kind


def cards(text: str) -> Bundles:
    """Cards as moves and events hold them."""
    return bundles(counts(text))


def kind(key: str) -> int:
    return TREASURES.index(key)


def scene(*hands: str, market: str = "", site: str = "", active: int = 0, **more: Any) -> State:
    """A match with these hands, whose seat `active` is to act, or to dig where `dig` is set.

    `site` names the dig site's cards in the order in which they will be dug. An empty one makes a turn that
    began without a dig, unless `dry` is False.
    """
    state = State(len(hands), 7, KEY)
    state.hands = [counts(hand) for hand in hands]
    state.market = counts(market)
    hazards = {"thief": THIEF, "sandstorm": SANDSTORM}
    names = site.split()
    state.site = [hazards[name] if name in hazards else TREASURES.index(name) for name in reversed(names)]
    state.chambers = [counts(text) for text in ("coin*3", "coin*5", "pot_shard*7")]
    state.active = state.asked = active
    state.phase = DIG if more.pop("dig", False) else ACT
    state.dry = not names and state.phase == ACT
    for name, value in more.items():
        setattr(state, name, value)
    return state


def trade(give: str, take: str) -> m.Trade:
    return m.Trade(cards(give), cards(take))


def discard(text: str) -> m.Discard:
    return m.Discard(cards(text))


def sell(text: str) -> m.Sell:
    ((treasure, count),) = cards(text)
    return m.Sell(treasure, count)


def explore(chamber: int) -> m.Explore:
    return m.Explore(chamber)


def play(state: State, *moves: object) -> list[Event]:
    """Plays moves, each for the seat that is asked, and returns the last one's events."""
    events: list[Event] = []
    for move in moves:
        (decision,) = GAME.pending(state)
        events = GAME.apply(state, decision.seat, move)
    return events


def refused(state: State, move: object, seat: int | None = None) -> IllegalMove:
    """The error with which a move is refused, after checking that nothing has changed."""
    before = GAME.dump(state)
    with pytest.raises(IllegalMove) as caught:
        GAME.apply(state, state.asked if seat is None else seat, move)
    assert GAME.dump(state) == before
    return caught.value


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


def hand(state: State, seat: int) -> Bundles:
    return bundles(state.hands[seat])
