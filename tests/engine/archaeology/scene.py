"""Matches set up by hand: cards are written as text, "coin*3 map" being three Coins and a Map."""

from __future__ import annotations

from functools import partial
from typing import Any

from engine.archaeology import Archaeology, create
from engine.archaeology_family import moves as m
from engine.archaeology_family.state import ACT, DIG, State
from engine.game import Event
from tests.engine import archaeology_family as family
from tests.engine.archaeology_family import KEY, dug, play_in, refused_in

GAME: Archaeology = create()


def counts(text: str) -> list[int]:
    """Cards by treasure; this game has seven."""
    return family.counts(text, 7)


def scene(*hands: str, market: str = "", site: str = "", active: int = 0, **more: Any) -> State:
    """A match with these hands, whose seat `active` is to act, or to dig where `dig` is set.

    `site` names the dig site's cards in the order in which they will be dug. An empty one makes a turn that
    began without a dig, unless `dry` is False.
    """
    state = State(seats=len(hands), kinds=7, key=KEY)
    state.hands = [counts(hand) for hand in hands]
    state.market = counts(market)
    state.site = dug(site)
    state.chambers = [counts(text) for text in ("coin*3", "coin*5", "pot_shard*7")]
    state.active = state.asked = active
    state.phase = DIG if more.pop("dig", False) else ACT
    state.dry = not state.site and state.phase == ACT
    for name, value in more.items():
        setattr(state, name, value)
    return state


def explore(chamber: int) -> m.Explore:
    return m.Explore(chamber)


play = partial(play_in, GAME)
refused = partial(refused_in, GAME)


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]
