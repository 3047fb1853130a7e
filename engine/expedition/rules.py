"""The rules of The New Expedition alone: Tents, monuments, and one exploration a turn.

It shares the rest of its rules with the other game of the Archaeology family (`engine.archaeology_family`).

Rulings R9 to R17 are named where they are kept, here and in `engine.expedition.monuments`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import sub
from random import Random
from typing import Any, ClassVar, Final

from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import CardList, read_card_list
from engine.archaeology_family.rules import ArchaeologyFamily
from engine.archaeology_family.state import ACT, STORM
from engine.archaeology_family.turns import LEAST_STRUCK, begin_actions, begin_losses, spend_maps, struck
from engine.cards import card_data
from engine.chance import draw
from engine.errors import IllegalMove
from engine.expedition import moves as x
from engine.expedition.agents import agents_of
from engine.expedition.monuments import MONUMENT_TYPES, Monument
from engine.expedition.state import (
    KEEP,
    MINE,
    MONUMENTS,
    NO_LOOK,
    TENT,
    ExpeditionState,
    ExpeditionView,
    MonumentKey,
)
from engine.forms import Moves
from engine.game import Agent, Event, Options

TENTS: Final = 5
"""Tents in the box. Each player has one, so no more can play."""

_REPLIES: Final[Mapping[type, tuple[str, str]]] = {
    x.Keep: (KEEP, "no-choice-due"),
    x.TurnUp: (MINE, "not-in-mine"),
    x.Stop: (MINE, "not-in-mine"),
}
"""Moves that answer what a monument asks, with the phase in which they do, and the code that refuses them in another.
"""
_ASKED_BY_MONUMENTS: Final = frozenset(phase for phase, _ in _REPLIES.values())

_USE: Final = (x.UseTent(False), x.UseTent(True))


class ExpeditionOptions(Options):
    """R17: the table's host may choose the monument; None draws one at random."""

    monument: MonumentKey | None = None


class Expedition(ArchaeologyFamily[ExpeditionState, ExpeditionView]):
    """Archaeology: The New Expedition, for 2 to 5 players, rulings R1 to R17."""

    key: ClassVar[str] = "expedition"
    version: ClassVar[int] = 1
    max_seats: ClassVar[int] = TENTS
    usual_moves: ClassVar[Mapping[int, int]] = {2: 63, 3: 46, 4: 40, 5: 35}
    time_shares: ClassVar[Mapping[str, float]] = dict.fromkeys((STORM, TENT, KEEP, MINE), 0.25)
    out_of_turn: ClassVar[frozenset[str]] = frozenset({STORM, TENT})
    options_type: ClassVar[type[Options]] = ExpeditionOptions
    state_type = ExpeditionState
    move_forms: ClassVar[Moves[Any]] = x.MOVES

    def __init__(self, card_list: CardList) -> None:
        super().__init__(card_list)
        self.monuments: Mapping[MonumentKey, Monument] = {
            kind.key: kind(self.trade) for kind in MONUMENT_TYPES
        }
        self._declared = [
            [Event("tent", seat, {"used": used}) for used in (False, True)] for seat in range(self.max_seats)
        ]
        self._handlers |= {x.UseTent: self._use_tent, x.Guess: self._explore, x.LookAt: self._look_at}
        self._handlers |= dict.fromkeys(_REPLIES, self._reply)
        self._agents = agents_of(self)

    @property
    def agents(self) -> Mapping[str, Agent[ExpeditionView, Any]]:
        return self._agents

    def variants(self, seats: int) -> Sequence[Options]:
        return [ExpeditionOptions(monument=monument) for monument in MONUMENTS]

    # -- set-up

    def _make(self, seats: int, kinds: int, key: bytes, options: Options) -> ExpeditionState:
        chosen = options.monument if isinstance(options, ExpeditionOptions) else None
        state = ExpeditionState(seats=seats, kinds=kinds, key=key, monument=chosen or MONUMENTS[0])
        if chosen is None:
            state.monument = MONUMENTS[draw(key, state.counters, "monument", len(MONUMENTS))]
        return state

    def _lay_chambers(self, state: ExpeditionState, cards: list[int]) -> None:
        self.monuments[state.monument].lay_out(state, cards)

    def opening(self, state: ExpeditionState) -> list[Event]:
        sizes = [sum(chamber) for chamber in state.chambers]
        laid = Event("monument", None, {"monument": state.monument, "chambers": sizes}, reveals=True)
        return [laid, *self.monuments[state.monument].opening(state), *super().opening(state)]

    # -- Sandstorms

    def storm_order(self, state: ExpeditionState) -> list[int]:
        """The seats that are struck: clockwise from the left of the one that dug, which is the last.

        Sheltered ones are not.
        """
        left = state.active + 1
        order = (*range(left, state.seats), *range(left))
        return [seat for seat in order if seat not in state.sheltered]

    def strike(self, state: ExpeditionState, events: list[Event]) -> None:
        events += self.monuments[state.monument].strike(state, state.active)
        tents, hands = state.tents, state.hands
        state.queue = [
            s for s in self.storm_order(state) if tents[s] and sum(hands[s]) >= LEAST_STRUCK
        ]  # R13
        self._next_tent(state, events)

    def _next_tent(self, state: ExpeditionState, events: list[Event]) -> None:
        if state.queue:
            state.asked = state.queue.pop(0)
            state.phase = TENT
            return
        begin_losses(self, state, events)
        state.sheltered.clear()

    def upcoming(self, state: ExpeditionState, seat: int) -> ExpeditionState | None:
        """Before the losses, a seat with a Tent is sure to be asked about it, and a seat without one to lose cards.

        A seat that has declined to use its Tent is sure to lose cards too.
        """
        if state.phase != TENT:
            return super().upcoming(state, seat)
        if seat in state.queue:
            return self.asked_next(state, seat, TENT, state.queue)
        losers = struck(self, state)
        if seat == state.asked or seat not in losers:
            return None
        twin = self.asked_next(state, seat, STORM, losers)
        twin.sheltered.clear()
        return twin

    def _use_tent(self, state: ExpeditionState, seat: int, move: x.UseTent) -> list[Event]:
        if state.phase != TENT:
            raise IllegalMove("no-tent-due")
        state.moves += 1
        if move.use:
            state.tents[seat] = False
            state.sheltered.append(seat)
        events = [self._declared[seat][bool(move.use)]]
        self._next_tent(state, events)
        return events

    # -- exploring

    def _explore(self, state: ExpeditionState, seat: int, move: Any) -> list[Event]:
        if state.phase != ACT:
            raise IllegalMove("not-now")
        if state.explored:
            raise IllegalMove("explored-already")
        monument = self.monuments[state.monument]
        spend_maps(state, seat, monument.costs[monument.chamber_of(state, move)])
        state.explored = True
        return self._resume(state, monument.explore(state, seat, move))

    def _reply(self, state: ExpeditionState, seat: int, move: Any) -> list[Event]:
        phase, refusal = _REPLIES[type(move)]
        if state.phase != phase:
            raise IllegalMove(refusal)
        return self._resume(state, self.monuments[state.monument].reply(state, seat, move))

    def _resume(self, state: ExpeditionState, events: list[Event]) -> list[Event]:
        """Goes on with the actions once the monument asks nothing more.

        R14: a player who is left without a card is done.
        """
        if state.phase == ACT:
            begin_actions(self, state, events)
        return events

    def after_sale(self, state: ExpeditionState) -> bool:
        """R10: the seller may look into a chamber, if there is one and the match goes on."""
        offered = (
            self.monuments[state.monument].grants_look
            and any(map(any, state.chambers))
            and (bool(state.site) or any(map(any, state.hands)))
        )
        if offered:
            state.look = state.moves
        return offered

    def _look_at(self, state: ExpeditionState, seat: int, move: x.LookAt) -> list[Event]:
        if state.look != state.moves:
            raise IllegalMove("no-look-due")
        return self._resume(state, self.monuments[state.monument].look(state, seat, move.chamber))

    # -- random play

    def sample(self, state: ExpeditionState, seat: int, rng: Random) -> Any:
        if state.look == state.moves:
            number = int(rng.random() * 2 * len(state.chambers))
            if number < len(state.chambers) and any(state.chambers[number]):
                return x.LookAt(number)
            if not any(state.hands[seat]):
                return m.EndTurn()
        return super().sample(state, seat, rng)

    def _sample_answer(self, state: ExpeditionState, seat: int, rng: Random) -> Any:
        if state.phase == TENT:
            return _USE[rng.random() < 0.5]
        if state.phase in _ASKED_BY_MONUMENTS:
            return self.monuments[state.monument].sample_reply(state, rng)
        return super()._sample_answer(state, seat, rng)

    def _sample_explore(self, state: ExpeditionState, seat: int, rng: Random) -> Any | None:
        return None if state.explored else self.monuments[state.monument].sample(state, seat, rng)

    # -- views

    def view(self, state: ExpeditionState, viewer: int | None) -> ExpeditionView:
        insight = [
            (number, tuple(map(sub, state.chambers[number], state.within[number])))
            for number, privy in enumerate(state.privy)
            if viewer in privy
        ]
        facts = self.view_facts(state, viewer)
        facts["look"] = state.look == state.moves
        facts["costs"] = self.monuments[state.monument].costs
        facts["insight"] = tuple(insight)
        facts["pile"] = len(state.pile)
        return ExpeditionView.of(facts)

    def determinize(self, view: ExpeditionView, rng: Random) -> ExpeditionState:
        state = super().determinize(view, rng)
        state.look = view.moves if view.look else NO_LOOK
        return state

    def fill_chambers(self, state: ExpeditionState, view: ExpeditionView, hidden: list[int]) -> None:
        for seen, size in zip(view.within, view.chambers, strict=True):
            chamber = list(seen)
            for _ in range(size - sum(seen)):
                chamber[hidden.pop()] += 1
            state.chambers.append(chamber)
        state.pile = [hidden.pop() for _ in range(view.pile)]


def create(card_list: object | None = None) -> Expedition:
    """The game with the built-in card list, or with `card_list`'s JSON data. Raises `BadData`."""
    seats = range(Expedition.min_seats, Expedition.max_seats + 1)
    return Expedition(
        read_card_list(card_data("expedition", card_list), game=Expedition.key, kinds=9, seats=seats)
    )
