"""A seat's actions in its turn in the Archaeology family: trading, selling, spending Maps, ending the turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.knowledge import forget
from engine.archaeology_family.moves import EndTurn, Sell, Trade, weigh
from engine.archaeology_family.state import ACT, State
from engine.archaeology_family.turns import close_turn, go_on, leave_empty_hand
from engine.errors import IllegalMove
from engine.game import Event, make

if TYPE_CHECKING:
    from engine.archaeology_family.rules import ArchaeologyFamily

_NOTHING: Final[Mapping[str, Any]] = {}


def trade(game: ArchaeologyFamily[Any, Any], state: State, seat: int, move: Trade) -> list[Event]:
    """Trades cards of the hand for cards of the market."""
    if state.phase != ACT:
        raise IllegalMove("not-now")
    give, take = move
    if not give or not take:
        raise IllegalMove("trade-needs-both")
    hand, market = state.hands[seat], state.market
    over = weigh(hand, give, game.trade, "not-in-hand")
    over -= weigh(market, take, game.trade, "not-in-market")
    if over < 0:
        raise IllegalMove("trade-too-dear", short=-over)
    state.moves += 1
    for kind, n in give:
        hand[kind] -= n
        market[kind] += n
        forget(state, seat, kind, n)
    known = state.known[seat]
    for kind, n in take:
        hand[kind] += n
        market[kind] -= n
        known[kind] += n
    state.acted = True
    state.row.clear()
    return [make(Event, ("traded", seat, {"give": give, "take": take, "over": over}, _NOTHING, (), False))]


def sell(game: ArchaeologyFamily[Any, Any], state: State, seat: int, move: Sell) -> list[Event]:
    """Sells a set to the museum."""
    if state.phase != ACT:
        raise IllegalMove("not-now")
    kind, count = move
    if not 0 <= kind < state.kinds or count < 1:
        raise IllegalMove("no-such-set")
    if count > game.largest[kind]:
        raise IllegalMove("set-too-large", treasure=kind, largest=game.largest[kind])
    hand = state.hands[seat]
    left = hand[kind] - count
    if left < 0:
        raise IllegalMove("not-in-hand", treasure=kind)
    state.moves += 1
    hand[kind] = left
    forget(state, seat, kind, count)
    state.sold[seat].append((kind, count))
    state.acted = state.fruitful = True
    if state.dry:
        go_on(state)
        state.duty = False
    events = [game.sold[seat][kind][count]]
    if not game.after_sale(state) and not any(hand):
        leave_empty_hand(game, state, events)
    return events


def end_turn(game: ArchaeologyFamily[Any, Any], state: State, seat: int, move: EndTurn) -> list[Event]:
    """Ends the turn, unless a set must be sold (R6)."""
    if state.phase != ACT:
        raise IllegalMove("not-now")
    if state.duty:
        raise IllegalMove("must-sell")
    state.moves += 1
    return [close_turn(game, state)]


def spend_maps(state: State, seat: int, cost: int) -> None:
    """Begins an exploration: its Maps leave the game."""
    hand = state.hands[seat]
    if hand[MAP] < cost:
        raise IllegalMove("too-few-maps", cost=cost)
    state.moves += 1
    hand[MAP] -= cost
    state.maps_gone += cost
    forget(state, seat, MAP, cost)
    state.acted = state.fruitful = True
    go_on(state)
