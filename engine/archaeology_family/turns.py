"""The course of turns in the Archaeology family, and the end of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.archaeology_family.state import ACT, DIG, OVER, State
from engine.game import Event

if TYPE_CHECKING:
    from engine.archaeology_family.rules import ArchaeologyFamily

STALL_ROUNDS: Final = 3
"""R6: after so many dry turns for each player without a sale or an exploration, somebody must sell."""


def begin_actions(game: ArchaeologyFamily[Any, Any], state: State, events: list[Event]) -> None:
    """Lets the active seat act. A seat without cards has nothing to choose, so its turn ends."""
    state.asked = state.active
    state.phase = ACT
    if not any(state.hands[state.active]):
        leave_empty_hand(game, state, events)


def leave_empty_hand(game: ArchaeologyFamily[Any, Any], state: State, events: list[Event]) -> None:
    """Ends the turn of a seat without cards, or the match if nobody has any (R4)."""
    if not state.site and not any(map(any, state.hands)):
        _finish(game, state, events)
    else:
        seat = state.active
        event = close_turn(game, state)
        # The event tells that nobody chose to end the turn; a turn without a deed is still a pass.
        events.append(game.ended_empty[seat] if event is game.ended[seat] else event)


def close_turn(game: ArchaeologyFamily[Any, Any], state: State) -> Event:
    """Begins the next seat's turn, and says how this one has ended."""
    seat = state.active
    event = _close_dry_turn(game, state, seat) if state.dry else game.ended[seat]
    state.acted = state.fruitful = state.explored = False
    following = seat + 1
    if following == state.seats:
        following = 0
    if state.site:
        state.phase = DIG
    else:
        following = _begin_dry_turn(state, following)
    state.active = state.asked = following
    return event


def _close_dry_turn(game: ArchaeologyFamily[Any, Any], state: State, seat: int) -> Event:
    if not state.fruitful:
        state.stall += 1
    if state.acted:
        return game.ended[seat]
    state.row.append(seat)
    return game.passed[seat]


def _begin_dry_turn(state: State, following: int) -> int:
    """Begins a turn without a dig and returns whose it is. R4: a seat that holds no card is skipped."""
    hands = state.hands
    while not any(hands[following]):
        following = (following + 1) % state.seats
    state.phase = ACT
    state.dry = True
    holders = sum(map(any, hands))
    state.duty = len(state.row) >= holders or state.stall >= STALL_ROUNDS * holders
    return following


def go_on(state: State) -> None:
    """Begins the row of R5 and the count of R6 anew, for something was done that cannot go on for ever."""
    state.stall = 0
    state.row.clear()


def _finish(game: ArchaeologyFamily[Any, Any], state: State, events: list[Event]) -> None:
    state.phase = OVER
    outcome = game.outcome(state)
    assert outcome
    events.append(Event("over", None, {"winners": outcome.winners, "scores": outcome.scores}, reveals=True))
