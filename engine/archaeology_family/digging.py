"""Digging in the Archaeology family: a dig brings a treasure, a Thief or a Sandstorm (`storms`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.archaeology_family.card_list import THIEF
from engine.archaeology_family.knowledge import learn_theft
from engine.archaeology_family.moves import Dig, Steal
from engine.archaeology_family.state import ACT, DIG, STEAL, State
from engine.archaeology_family.storms import LEAST_STRUCK
from engine.archaeology_family.turns import begin_actions
from engine.chance import draw
from engine.errors import IllegalMove
from engine.game import Event, make

if TYPE_CHECKING:
    from engine.archaeology_family.rules import ArchaeologyFamily


def dig(game: ArchaeologyFamily[Any, Any], state: State, seat: int, move: Dig) -> list[Event]:
    """Takes the dig site's top card."""
    if state.phase != DIG:
        raise IllegalMove("no-dig-due")
    state.moves += 1
    card = state.site.pop()
    if card >= 0:
        state.hands[seat][card] += 1
        state.phase = ACT
        return [game.found[seat][card]]
    if card == THIEF:
        return _thief(game, state, seat)
    state.sandstorms += 1
    events = [_storm(game, state, seat)]
    game.strike(state, events)
    return events


def _storm(game: ArchaeologyFamily[Any, Any], state: State, seat: int) -> Event:
    """The event of a Sandstorm. It tells which seats have too few cards to lose any (R2), and how many; or that all
    have too few.
    """
    sizes = map(sum, state.hands)
    spared = [(other, size) for other, size in enumerate(sizes) if size < LEAST_STRUCK]
    if not spared:
        return game.met_storm[seat]
    facts = {"in_vain": True} if len(spared) == state.seats else {"spared": spared}
    return make(Event, ("sandstorm", seat, facts, {}, (), True))


def _thief(game: ArchaeologyFamily[Any, Any], state: State, seat: int) -> list[Event]:
    state.thieves += 1
    victims = [s for s, hand in enumerate(state.hands) if s != seat and any(hand)]
    events = [game.met_thief[seat] if victims else game.met_thief_in_vain[seat]]
    if not victims:
        begin_actions(game, state, events)
    elif len(victims) == 1:  # public facts leave one choice (R2): nobody is asked
        _take(game, state, seat, victims[0], events)
    else:
        state.phase = STEAL
    return events


def steal(game: ArchaeologyFamily[Any, Any], state: State, seat: int, move: Steal) -> list[Event]:
    """Sends the Thief to a victim."""
    if state.phase != STEAL:
        raise IllegalMove("no-thief-due")
    victim = move.victim
    if victim == seat or not 0 <= victim < state.seats:
        raise IllegalMove("thief-needs-opponent")
    if not any(state.hands[victim]):
        raise IllegalMove("thief-needs-cards")
    state.moves += 1
    events: list[Event] = []
    _take(game, state, seat, victim, events)
    return events


def _take(
    game: ArchaeologyFamily[Any, Any], state: State, thief: int, victim: int, events: list[Event]
) -> None:
    hand = state.hands[victim]
    left = draw(state.key, state.counters, "thief", sum(hand))
    card = 0
    while left >= hand[card]:
        left -= hand[card]
        card += 1
    hand[card] -= 1
    state.hands[thief][card] += 1
    learn_theft(state, thief, victim, card)
    concerned = (thief, victim)
    events.append(make(Event, ("stolen", thief, {"victim": victim}, {"treasure": card}, concerned, True)))
    begin_actions(game, state, events)
