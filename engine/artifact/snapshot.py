"""States as JSON data and back, checked: what is read is a state the rules can go on from, or is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, model_validator

from engine.artifact.catalogue import SECOND, Catalogue, Scenario
from engine.artifact.party import (
    ABILITIES,
    CHOICE,
    CHOSEN,
    EQUIPMENT_KEYS,
    MEMBERS,
    ROLLS,
    SIZES,
    WELL,
    WOUNDED,
    counted,
)
from engine.artifact.party import GONE as GONE_MEMBER
from engine.artifact.state import (
    ABILITY,
    ATTACK,
    CHALLENGE,
    DEFEND,
    DIRECTION,
    END,
    ENTRIES,
    GIVE_UP,
    GONE,
    HOME,
    NOBODY,
    NONE,
    OPPONENT,
    OVER,
    PARTY,
    PLAIN,
    Created,
    Held,
    State,
)
from engine.forms import Form, SnapshotForm, check_parts, read_snapshot, write_snapshot
from engine.order import first_by

FORM: Final = 1
"""The version of the snapshots' form."""

_MOVED: Final = frozenset({OPPONENT, ABILITY, ATTACK, DEFEND, CHALLENGE, GIVE_UP})
"""The phases in which the active party has moved."""
_FIGHTING: Final = frozenset({ABILITY, ATTACK, DEFEND})
_FACING: Final = frozenset({CHALLENGE, GIVE_UP})

_Number = Annotated[int, Field(ge=0)]
_Seat = Annotated[int, Field(ge=0, le=5)]
_SeatOrNobody = Annotated[int, Field(ge=NOBODY, le=5)]
_Square = Annotated[int, Field(ge=GONE, le=END)]
_Ability = Annotated[int, Field(ge=0, lt=len(ABILITIES))]
_Party = Annotated[list[list[_Ability]], Field(max_length=MEMBERS)]


class _Created(Form):
    model_config = ConfigDict(hide_input_in_errors=True)

    tens: list[_Ability]
    equipment: Annotated[list[str], Field(min_length=CHOSEN, max_length=CHOSEN)]


class Snapshot(SnapshotForm):
    """The fields of a `State` that do not follow from the others, as they stand in a snapshot."""

    model_config = ConfigDict(strict=True)

    form: Literal[1]
    seats: Annotated[int, Field(ge=2, le=6)]
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    counters: dict[str, _Number]
    moves: _Number
    scenario: _Number
    drawn: bool
    printed: bool
    phase: Literal[
        "party",
        "roll",
        "direction",
        "opponent",
        "ability",
        "attack",
        "defend",
        "challenge",
        "give_up",
        "over",
    ]
    waiting: Annotated[int, Field(ge=0, lt=1 << 6)]
    rolls: list[list[Annotated[int, Field(ge=1, le=CHOICE)]]]
    created: list[_Created | None]
    order: list[Annotated[list[_Number], Field(min_length=2, max_length=2)]]
    round: Annotated[int, Field(ge=1)]
    first: _Seat
    active: _Seat
    members: list[_Party]
    wounds: list[list[Annotated[int, Field(ge=WELL, le=GONE_MEMBER)]]]
    aids: list[list[str]]
    at: list[_Square]
    skips: list[bool]
    holder: _SeatOrNobody
    lies: _Square
    die: Annotated[int, Field(ge=0, le=6)]
    step: Annotated[int, Field(ge=-1, le=1)]
    encounter: str
    opponent: _SeatOrNobody
    ability: Annotated[int, Field(ge=NONE, lt=len(ABILITIES))]
    used: list[str]
    journal: list[_Number]
    hands: list[Annotated[list[_Number], Field(min_length=3, max_length=3)]]

    @model_validator(mode="after")
    def _fits(self) -> Snapshot:
        by_seat = (self.rolls, self.created, self.members, self.wounds, self.aids, self.at, self.skips)
        if any(len(part) != self.seats for part in by_seat) or len(self.journal) != self.seats * ENTRIES:
            raise ValueError("a list by seat has another length than there are seats")
        if max(self.first, self.active, self.holder, self.opponent) >= self.seats:
            raise ValueError("a seat does not exist")
        if self.waiting >> self.seats or bool(self.waiting) != (self.phase == PARTY):
            raise ValueError("parties are made at the start")
        return self

    @model_validator(mode="after")
    def _coheres(self) -> Snapshot:
        if bool(self.die) != (self.phase == DIRECTION):
            raise ValueError("a roll waits for a direction, and none else")
        if bool(self.step) != (self.phase in _MOVED):
            raise ValueError("who has moved has moved in a direction")
        if bool(self.encounter) != (self.phase in _FACING):
            raise ValueError("a Challenge is faced, or none")
        if (self.opponent != NOBODY) != (self.phase in _FIGHTING):
            raise ValueError("a fight has an opponent")
        if (self.ability != NONE) != (self.phase in (ATTACK, DEFEND)):
            raise ValueError("a fight has an ability")
        if self.used and self.phase != DEFEND:
            raise ValueError("Aids are spent in fights")
        return self


_LISTS: Final = ("at", "skips", "used", "journal")
_NESTED: Final = ("rolls", "order", "wounds", "aids", "hands")


def dump(state: State) -> dict[str, Any]:
    """The state as JSON data that share nothing with it."""
    digest = state.catalogue.digest
    data = write_snapshot(state, FORM, digest, plain=PLAIN, lists=_LISTS, nested=_NESTED)
    data["members"] = [[list(member) for member in party] for party in state.members]
    data["created"] = [
        created and {"tens": list(created.tens), "equipment": list(created.equipment)}
        for created in state.created
    ]
    return data


def load(data: Mapping[str, Any], catalogue: Catalogue) -> State:
    """The state that `dump` made these data from.

    Raises `BadData`, `UnknownVersion`; their texts hide what was read.
    """
    fields = read_snapshot(Snapshot, data, version=FORM, card_list=catalogue.digest)
    state = State(catalogue, fields.seats, bytes.fromhex(fields.key))
    for name in PLAIN:
        setattr(state, name, getattr(fields, name))
    state.counters = dict(fields.counters)
    state.at, state.skips, state.journal = list(fields.at), list(fields.skips), list(fields.journal)
    state.used = tuple(fields.used)
    for name in ("rolls", "wounds", "aids"):
        setattr(state, name, [tuple(part) for part in getattr(fields, name)])
    state.order = tuple([(seat, roll) for seat, roll in fields.order])
    state.hands = tuple([Held(*held) for held in fields.hands])
    state.members = [tuple([tuple(member) for member in party]) for party in fields.members]
    state.created = [
        Created(tuple(created.tens), tuple(created.equipment)) if created else None
        for created in fields.created
    ]
    if state.phase != PARTY:
        state.counts = [counted(party) for party in state.members]
    check_parts(_fitting(state))
    return state


def _fitting(state: State) -> Iterator[tuple[bool, str]]:
    """Whether a state just read is one of a match, part by part; what comes later relies on what came before."""
    yield state.scenario < len(state.catalogue.scenarios), "scenario"
    if state.phase == PARTY:
        yield _is_beginning(state), "its beginning"
        yield all(_is_being_made(state, seat) for seat in range(state.seats)), "created"
        return
    scenario = state.catalogue.scenarios[state.scenario]
    yield not any(state.rolls) and not any(state.created), "rolls"
    yield first_by(state.order, state.seats, faces=CHOICE) == state.first, "order"
    yield all(_is_party(state, seat, scenario) for seat in range(state.seats)), "members"
    yield _artifact_fits(state), "holder"
    yield _is_over(state) == (state.phase == OVER), "phase"
    yield state.phase == OVER or _turn_fits(state, scenario), "its turn"


def _is_beginning(state: State) -> bool:
    """Nothing has happened but that some have made their parties."""
    new = State(state.catalogue, state.seats, state.key)
    made = state.seats - state.waiting.bit_count()
    as_new = ("order", "round", "first", "active", "members", "wounds", "aids", "at", "skips", "holder")
    as_new += ("lies", "journal", "hands")
    return state.moves == made and all(getattr(state, name) == getattr(new, name) for name in as_new)


def _is_being_made(state: State, seat: int) -> bool:
    """A party has its rolls, and its player's choice once it has been made."""
    rolls, created = state.rolls[seat], state.created[seat]
    if len(rolls) != ROLLS or (created is None) != bool(state.waiting >> seat & 1):
        return False
    if created is None:
        return True
    in_order = [key for key in EQUIPMENT_KEYS if key in created.equipment]
    return len(created.tens) == rolls.count(CHOICE) and list(created.equipment) == in_order


def _is_party(state: State, seat: int, scenario: Scenario) -> bool:
    """Members have lost one ability with the first wound, all with the second; who is out has nothing."""
    wounds, party, aids = state.wounds[seat], state.members[seat], state.aids[seat]
    if len(wounds) != MEMBERS or len(party) != MEMBERS:
        return False
    for wound, member, size in zip(wounds, party, SIZES, strict=True):
        if len(member) != (size if wound == WELL else size - 1 if wound == WOUNDED else 0):
            return False
    if wounds[0] != WELL and any(wound != GONE_MEMBER for wound in wounds[1:]):
        return False
    if list(aids) != sorted(aids) or not all(key in scenario.aids for key in aids):
        return False
    out = all(wound == GONE_MEMBER for wound in wounds)
    return out == (state.at[seat] == GONE) and not (out and (aids or state.skips[seat]))


def _artifact_fits(state: State) -> bool:
    """It is held by a party still in, which had it last, or lies on a square."""
    holder, lies, hands = state.holder, state.lies, state.hands
    for held in hands:
        if held.seat >= state.seats or not HOME < held.square <= END or not 1 <= held.round <= state.round:
            return False
    if (lies == END) == bool(hands):
        return False
    if holder == NOBODY:
        return lies not in (GONE, HOME)
    return lies == GONE and state.at[holder] != GONE and hands[-1].seat == holder


def _is_over(state: State) -> bool:
    left = state.seats - state.at.count(GONE)
    return left == 1 or (state.holder != NOBODY and state.at[state.holder] == HOME)


def _turn_fits(state: State, scenario: Scenario) -> bool:
    """What is asked now can be asked."""
    seat, phase = state.active, state.phase
    square = state.at[seat]
    if square in (GONE, state.lies) or state.skips[seat]:
        return False
    others = [s for s, at in enumerate(state.at) if at == square and s != seat]
    match phase:
        case "roll":
            return True
        case "direction":
            return state.holder != seat and state.lies != END and square not in (HOME, END)
        case "opponent":
            return square != HOME and len(others) > 1 and state.holder not in others
        case "ability" | "attack" | "defend":
            return square != HOME and state.opponent in others and _fight_fits(state, others, scenario)
        case _:
            return square not in (HOME, END) and _challenge_fits(state, scenario)


def _fight_fits(state: State, others: Sequence[int], scenario: Scenario) -> bool:
    if state.holder in others and state.opponent != state.holder:
        return False
    if state.phase == ABILITY:
        return True
    fits = scenario.fits[state.ability]
    asked = state.active if state.phase == ATTACK else state.opponent
    spent = list(state.used) == sorted(state.used) and all(key in fits for key in state.used)
    return spent and not fits.isdisjoint(state.aids[asked])


def _challenge_fits(state: State, scenario: Scenario) -> bool:
    encounter = scenario.encounters.get(state.encounter)
    if (
        encounter is None
        or encounter.challenge is None
        or encounter.part != (state.at[state.active] >= SECOND)
    ):
        return False
    held = set(state.aids[state.active])
    if state.phase == CHALLENGE:
        return not encounter.fits.isdisjoint(held)
    return encounter.challenge.penalty == "aid_lost" and len(held) > 1
