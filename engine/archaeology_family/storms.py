"""The losses of a Sandstorm in the Archaeology family, one seat after another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from engine.archaeology_family.card_list import TREASURES
from engine.archaeology_family.knowledge import forget
from engine.archaeology_family.moves import Discard, weigh
from engine.archaeology_family.state import DIG, STORM, State
from engine.archaeology_family.turns import begin_actions
from engine.errors import IllegalMove
from engine.game import Event, make

if TYPE_CHECKING:
    from engine.archaeology_family.rules import ArchaeologyFamily

EACH: Final = (1,) * len(TREASURES)
"""Weights that count cards."""
LEAST_STRUCK: Final = 2
"""R2: the smallest hand that loses cards."""
_NOTHING: Final[Mapping[str, Any]] = {}


def struck(game: ArchaeologyFamily[Any, Any], state: State) -> list[int]:
    """The seats that lose cards, in the order in which they are asked. R2: one that holds 0 or 1 card loses nothing."""
    hands = state.hands
    return [seat for seat in game.storm_order(state) if sum(hands[seat]) >= LEAST_STRUCK]


def begin_losses(game: ArchaeologyFamily[Any, Any], state: State, events: list[Event]) -> None:
    """Begins the losses of a Sandstorm."""
    state.queue = struck(game, state)
    ask_next(game, state, events)


def ask_next(game: ArchaeologyFamily[Any, Any], state: State, events: list[Event]) -> None:
    """Asks the next seat in the queue; after the last the turn goes on."""
    if state.queue:
        state.asked = state.queue.pop(0)
        state.phase = STORM
        return
    state.asked = state.active
    if state.site:
        state.phase = DIG
    else:  # R3: no second dig
        begin_actions(game, state, events)


def discard(game: ArchaeologyFamily[Any, Any], state: State, seat: int, move: Discard) -> list[Event]:
    """Moves what a seat loses into the market."""
    if state.phase != STORM:
        raise IllegalMove("no-sandstorm")
    hand, cards = state.hands[seat], move.cards
    count = weigh(hand, cards, EACH, "not-in-hand")
    due = sum(hand) // 2
    if count != due:
        raise IllegalMove("discard-count", due=due, chosen=count)
    state.moves += 1
    market = state.market
    for kind, n in cards:
        hand[kind] -= n
        market[kind] += n
        forget(state, seat, kind, n)
    events = [make(Event, ("lost", seat, {"cards": cards}, _NOTHING, (), False))]
    ask_next(game, state, events)
    return events
