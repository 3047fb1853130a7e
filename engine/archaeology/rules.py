"""The rules of Archaeology alone: its card list, its pyramid, and its agents, the weakest first.

It shares the rest of its rules with the other game of the Archaeology family (`engine.archaeology_family`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from random import Random
from typing import Any, ClassVar, Final

from engine.archaeology_family import moves as m
from engine.archaeology_family.agents import worth
from engine.archaeology_family.agents.expert import NOVICE, Expert
from engine.archaeology_family.agents.master import Master
from engine.archaeology_family.agents.playouts import Ends, Playouts, ends_of
from engine.archaeology_family.card_list import MAP, CardList, read_card_list
from engine.archaeology_family.moves import Explore
from engine.archaeology_family.rules import ArchaeologyFamily
from engine.archaeology_family.state import ACT, State, View
from engine.archaeology_family.turns import lay_chamber, spend_maps, take_all
from engine.cards import card_data
from engine.errors import IllegalMove
from engine.game import Agent, Event, Options


class PyramidPlayouts(Playouts[State]):
    """Plays matches on with the pyramid."""

    def situation(self, state: State) -> Hashable:
        return not state.site, state.dry, *map(any, state.chambers)

    def make_ends(self, state: State) -> Ends:
        prices = self.game.prices
        over = not state.site
        kept = worth.kept_worth(prices, over, worth.DRY * prices[MAP][0] if over else worth.MAP_WORTH)
        offers = [
            worth.Offer(number + 1, sum(chamber) * worth.CARD_FOUND, Explore(number))
            for number, chamber in enumerate(state.chambers)
            if any(chamber)
        ]
        return ends_of(prices, self.game.trade, kept, offers, dry=state.dry)


VETERAN: Final = 6.5
"""Dollars that a veteran's trade must gain: a person who does what the lesson teaches wins a third of the matches."""


def agents_of(game: Any) -> Mapping[str, Agent[View, Any]]:
    """The agents that play by the rules of this game."""
    explorations = worth.PyramidExplorations()
    expert = Expert(explorations)
    return {
        "novice": Expert(explorations, *NOVICE),
        "veteran": Expert(explorations, VETERAN),
        "expert": expert,
        "master": Master[State, View](expert, PyramidPlayouts(game)),
    }


CHAMBERS: Final = (3, 5, 7)
"""Cards in the small, the medium and the large chamber; chamber n costs n + 1 Maps."""


class Archaeology(ArchaeologyFamily[State, View]):
    """Archaeology: The Card Game, for 2 to 4 players, rulings R1 to R8."""

    key: ClassVar[str] = "archaeology"
    version: ClassVar[int] = 1
    max_seats: ClassVar[int] = 4
    usual_moves: ClassVar[Mapping[int, int]] = {2: 70, 3: 47, 4: 34}
    state_type = State

    def __init__(self, card_list: CardList) -> None:
        super().__init__(card_list)
        self._agents = agents_of(self)

    @property
    def agents(self) -> Mapping[str, Agent[View, Any]]:
        return self._agents

    def _make(self, seats: int, kinds: int, key: bytes, options: Options) -> State:
        return State(seats=seats, kinds=kinds, key=key)

    def _lay_chambers(self, state: State, cards: list[int]) -> None:
        for size in CHAMBERS:
            state.chambers.append(lay_chamber(cards, size, state.kinds))

    def _explore(self, state: State, seat: int, move: m.Explore) -> list[Event]:
        if state.phase != ACT:
            raise IllegalMove("not-now")
        number = move.chamber
        if not 0 <= number < len(CHAMBERS):
            raise IllegalMove("no-such-chamber")
        chamber, cost = state.chambers[number], number + 1
        if not any(chamber):
            raise IllegalMove("chamber-explored")
        spend_maps(state, seat, cost)
        found = take_all(chamber, state.hands[seat])
        facts = {"chamber": number, "maps": cost, "count": CHAMBERS[number]}
        return [Event("explored", seat, facts, {"cards": found}, (seat,), True)]

    def _sample_explore(self, state: State, seat: int, rng: Random) -> m.Explore | None:
        maps = state.hands[seat][MAP]
        if not maps:
            return None
        number = int(rng.random() * min(maps, len(CHAMBERS)))
        return m.Explore(number) if any(state.chambers[number]) else None

    def view(self, state: State, viewer: int | None) -> View:
        return View.of(self.view_facts(state, viewer))


def create(card_list: object | None = None) -> Archaeology:
    """The game with the built-in card list, or with `card_list`'s JSON data. Raises `BadData`."""
    seats = range(Archaeology.min_seats, Archaeology.max_seats + 1)
    return Archaeology(
        read_card_list(card_data("archaeology", card_list), game=Archaeology.key, kinds=7, seats=seats)
    )
