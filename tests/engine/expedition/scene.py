"""Matches set up by hand: cards are written as text, "coin*3 map" being three Coins and a Map."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import Bundles, bundles
from engine.archaeology_family.state import ACT, DIG
from engine.expedition import Expedition, create
from engine.expedition import moves as x
from engine.expedition.rules import ExpeditionOptions
from engine.expedition.state import ExpeditionState, MonumentKey
from engine.game import Event
from tests.engine.archaeology_family import KEY, cards, counts, dug, kind, play_in, refused_in

GAME: Expedition = create()
TURN_UP = x.TurnUp()
STOP = x.Stop()
USE_TENT = x.UseTent(True)
SAVE_TENT = x.UseTent(False)

LAID: dict[MonumentKey, tuple[str, ...]] = {
    "great_pyramid": ("coin*2", "coin*5", "pot_shard*8"),
    "temple": ("coin*5", "pot_shard*5", "parchment_scrap*5"),
    "tomb": ("coin*5 talisman*2", "pot_shard*7 talisman"),
    "mine": ("pot_shard*15",),
    "sphinx": ("pot_shard*5 parchment_scrap*5 coin*5",),
    "ruins": ("coin", "talisman", "pot_shard"),
}
PILE = "coin talisman pot_shard " * 4
"""The pile of the Ruins, in the order in which it is uncovered."""


def scene(
    *hands: str,
    monument: MonumentKey = "great_pyramid",
    chambers: Sequence[str] | None = None,
    market: str = "",
    site: str = "",
    pile: str = "",
    active: int = 0,
    **more: Any,
) -> ExpeditionState:
    """A match with these hands, whose seat `active` is to act, or to dig where `dig` is set.

    `site` names the dig site's cards in the order in which they will be dug, `pile` those of the Ruins. An
    empty site makes a turn that began without a dig, unless `dry` is False. Everybody has a Tent.
    """
    kinds = GAME.card_list.kinds(len(hands))
    state = ExpeditionState(seats=len(hands), kinds=kinds, key=KEY, monument=monument)
    state.hands = [counts(hand, kinds) for hand in hands]
    state.market = counts(market, kinds)
    state.site = dug(site)
    state.chambers = [counts(text, kinds) for text in chambers or LAID[monument]]
    state.within = [c.copy() if monument == "ruins" else [0] * kinds for c in state.chambers]
    state.privy = [[] for _ in state.chambers]
    state.pile = [kind(name) for name in reversed(pile.split())]
    state.active = state.asked = active
    state.phase = DIG if more.pop("dig", False) else ACT
    state.dry = not state.site and state.phase == ACT
    for name, value in more.items():
        setattr(state, name, value)
    return state


def begin(seats: int, monument: MonumentKey | None = None, seed: bytes = KEY) -> ExpeditionState:
    return GAME.new(seats, ExpeditionOptions(monument=monument), seed)


def explore(chamber: int = 0) -> m.Explore:
    return m.Explore(chamber)


def keep(text: str) -> x.Keep:
    return x.Keep(cards(text))


def guess(first: str, second: str) -> x.Guess:
    return x.Guess((kind(first), kind(second)))


def look(chamber: int) -> x.LookAt:
    return x.LookAt(chamber)


play = partial(play_in, GAME)
refused = partial(refused_in, GAME)


def asked(state: ExpeditionState) -> tuple[int, str] | None:
    """The seat that is asked, and the decision; None when the match is over."""
    pending = GAME.pending(state)
    return (pending[0].seat, pending[0].kind) if pending else None


def names(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


def chamber(state: ExpeditionState, number: int = 0) -> Bundles:
    return bundles(state.chambers[number])


def turned_up(chamber: str, *treasures: str, **more: Any) -> ExpeditionState:
    """A Mine of these cards, seat 0 holding a Map, in which these treasures turn up first, in this order."""
    for number in range(20_000):
        state = scene("map coin", "coin", monument="mine", chambers=(chamber,), site="coin", **more)
        state.key = number.to_bytes(32, "big")
        twin = state.copy()
        shown = [e for e in play(twin, explore()) if e.kind == "turned_up"]
        while len(shown) < len(treasures) and asked(twin) == (0, "mine"):
            shown += [e for e in play(twin, TURN_UP) if e.kind == "turned_up"]
        if [event.facts["treasure"] for event in shown[: len(treasures)]] == [kind(t) for t in treasures]:
            return state
    raise AssertionError("no such match")
