"""Making the parties of Artifact (R48, R67), and the order of play (R59)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.artifact import moves as m
from engine.artifact.party import ABILITIES, CHOICE, CHOSEN, EQUIPMENT_KEYS, MEMBERS, WELL, counted, members
from engine.artifact.state import ROLL, Created, State
from engine.chance import draws
from engine.errors import IllegalMove
from engine.game import Event, make
from engine.order import roll_for_first

_EVERY_ABILITY: Final = frozenset(range(len(ABILITIES)))
_EVERY_PIECE: Final = frozenset(EQUIPMENT_KEYS)


def create(state: State, seat: int, move: m.Create, events: list[Event]) -> None:
    rolls = state.rolls[seat]
    due = rolls.count(CHOICE)
    if len(move.tens) != due:
        raise IllegalMove("wrong-number-of-tens", need=due, have=len(move.tens))
    if not _EVERY_ABILITY.issuperset(move.tens):
        raise IllegalMove("no-such-ability")
    if len(move.equipment) != CHOSEN:
        raise IllegalMove("wrong-number-of-pieces", need=CHOSEN, have=len(move.equipment))
    if not _EVERY_PIECE.issuperset(move.equipment):
        raise IllegalMove("no-such-equipment")
    if len(set(move.equipment)) < CHOSEN:  # R52
        raise IllegalMove("same-equipment")
    equipment = tuple(sorted(move.equipment, key=EQUIPMENT_KEYS.index))
    state.moves += 1
    state.waiting &= ~(1 << seat)
    state.created[seat] = Created(move.tens, equipment)
    secret = {"tens": [ABILITIES[ability] for ability in move.tens], "equipment": list(equipment)}
    events.append(make(Event, ("created", seat, {}, secret, (seat,), False)))
    if not state.waiting:
        _show_sheets(state, events)
        _roll_for_order(state, events)


def _show_sheets(state: State, events: list[Event]) -> None:
    parties: list[dict[str, Any]] = []
    for seat, created in enumerate(state.created):
        assert created
        party = members(state.rolls[seat], created.tens)
        state.members[seat] = party
        state.counts[seat] = counted(party)
        state.wounds[seat] = (WELL,) * MEMBERS
        state.aids[seat] = tuple(sorted(created.equipment))
        abilities = [list(map(ABILITIES.__getitem__, member)) for member in party]
        parties.append({"members": abilities, "equipment": list(created.equipment)})
    state.rolls = [()] * state.seats
    state.created = [None] * state.seats
    events.append(Event("parties", None, {"parties": parties}, reveals=True))


def _roll_for_order(state: State, events: list[Event]) -> None:
    """Each rolls a ten-sided die, and the highest begins (R59)."""

    def throw(seats: Sequence[int]) -> list[tuple[int, int]]:
        thrown = draws(state.key, state.counters, "order", 10, len(seats))
        return [(seat, 1 + number) for seat, number in zip(seats, thrown, strict=True)]

    state.order, first = roll_for_first(state.seats, throw)
    state.first = state.active = first
    state.phase = ROLL
    facts = {"rolls": [list(roll) for roll in state.order]}
    events.append(Event("order", first, facts, reveals=True))
