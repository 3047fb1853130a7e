"""The rules of Artifact. Rulings R40 to R59, R67 and R68 are named where they are kept.

Every move that throws dice takes them one after another from the stream `dice`, beginning at a fresh block: first
what the move itself throws, then what it brings about. Dice that are thrown together are one number: two six-sided
dice are one below 36, the three of a Challenge one below 216.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, ClassVar, Final, Literal

from engine.artifact import journeys, party
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.agents.veteran import Novice, Veteran
from engine.artifact.card_list import CardList, Catalogue, read_card_list
from engine.artifact.state import Created, State, View
from engine.artifact.turns import outcome
from engine.cards import built_in_files
from engine.chance import draw, draws, roll_for_first
from engine.errors import BadData, IllegalMove, NotYourMove
from engine.forms import Moves
from engine.game import Agent, Decision, Event, Feat, Game, Options, Outcome, make, one_decision

_EVERY_ABILITY: Final = frozenset(range(len(party.ABILITIES)))
_EVERY_PIECE: Final = frozenset(party.EQUIPMENT_KEYS)
_KINDS: Final = len(party.ABILITIES)
_PIECES: Final = len(party.EQUIPMENT_KEYS)


def create_party(state: State, seat: int, move: m.Create, events: list[Event]) -> None:
    """Makes a party; with the last one the sheets are shown and the order is rolled for."""
    rolls = state.rolls[seat]
    due = rolls.count(party.CHOICE)
    if len(move.tens) != due:
        raise IllegalMove("wrong-number-of-tens", need=due, have=len(move.tens))
    if not _EVERY_ABILITY.issuperset(move.tens):
        raise IllegalMove("no-such-ability")
    if len(move.equipment) != party.CHOSEN:
        raise IllegalMove("wrong-number-of-pieces", need=party.CHOSEN, have=len(move.equipment))
    if not _EVERY_PIECE.issuperset(move.equipment):
        raise IllegalMove("no-such-equipment")
    if len(set(move.equipment)) < party.CHOSEN:  # R52
        raise IllegalMove("same-equipment")
    equipment = tuple(sorted(move.equipment, key=party.EQUIPMENT_KEYS.index))
    state.moves += 1
    state.waiting &= ~(1 << seat)
    state.created[seat] = Created(move.tens, equipment)
    secret = {"tens": [party.ABILITIES[ability] for ability in move.tens], "equipment": list(equipment)}
    events.append(make(Event, ("created", seat, {}, secret, (seat,), False)))
    if not state.waiting:
        _show_sheets(state, events)
        _roll_for_order(state, events)


def _show_sheets(state: State, events: list[Event]) -> None:
    parties: list[dict[str, Any]] = []
    for seat, created in enumerate(state.created):
        assert created
        made = state.members[seat] = party.members(state.rolls[seat], created.tens)
        state.counts[seat] = party.counted(made)
        state.wounds[seat] = (party.WELL,) * party.MEMBERS
        state.aids[seat] = tuple(sorted(created.equipment))
        abilities = [list(map(party.ABILITIES.__getitem__, member)) for member in made]
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
    state.phase = s.ROLL
    facts = {"rolls": [list(roll) for roll in state.order]}
    events.append(Event("order", first, facts, reveals=True))


Handler = Callable[[State, int, Any, list[Event]], None]


class ArtifactOptions(Options):
    """The choices of the table's host: the scenario's key (None draws one), and how Challenges are read (R40).

    `challenges`: "corrected" is overcome by an ability roll that is equal or higher, "printed" by a lower one.
    """

    scenario: str | None = None
    challenges: Literal["corrected", "printed"] = "corrected"


class Artifact(Game[State, Any, View]):
    """Artifact, for 2 to 6 players."""

    key: ClassVar[str] = "artifact"
    version: ClassVar[int] = 1
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 6
    usual_moves: ClassVar[Mapping[int, int]] = {2: 26, 3: 28, 4: 29, 5: 31, 6: 32}
    opens_turn: ClassVar[frozenset[str]] = frozenset({s.ROLL})
    out_of_turn: ClassVar[frozenset[str]] = frozenset({s.DEFEND})
    scored: ClassVar[bool] = False
    options_type: ClassVar[type[Options]] = ArtifactOptions
    move_forms: ClassVar[Moves[Any]] = m.MOVES

    def __init__(self, card_list: CardList) -> None:
        self.card_list = card_list
        self.catalogue = Catalogue(card_list)
        self._scenarios = self.catalogue.scenarios
        self._agents: Mapping[str, Agent[View, Any]] = {"novice": Novice(self), "veteran": Veteran(self)}
        self._handlers: dict[str, tuple[type, Handler]] = {
            s.PARTY: (m.Create, create_party),
            s.ROLL: (m.Roll, journeys.roll),
            s.DIRECTION: (m.Go, journeys.go),
            s.OPPONENT: (m.Meet, journeys.meet),
            s.ABILITY: (m.Name, journeys.name),
            s.ATTACK: (m.Use, journeys.attack),
            s.DEFEND: (m.Use, journeys.defend),
            s.CHALLENGE: (m.Use, journeys.face_it),
            s.GIVE_UP: (m.GiveUp, journeys.give_up),
        }
        self._kinds = frozenset(kind for kind, _ in self._handlers.values())

    @property
    def agents(self) -> Mapping[str, Agent[View, Any]]:
        return self._agents

    def variants(self, seats: int) -> Sequence[Options]:
        read = [ArtifactOptions(scenario=scenario.key) for scenario in self.catalogue.scenarios]
        return [*read, ArtifactOptions(challenges="printed")]

    @property
    def cards_digest(self) -> str:
        return self.catalogue.digest

    def feats(self, events: Iterable[Event]) -> Iterable[Feat]:
        """The squares that each party has travelled by its own moves."""
        squares = Counter[int]()
        for event in events:
            if event.kind == "moved" and event.seat is not None:
                squares[event.seat] += abs(event.facts["to"] - event.facts["from"])
        return [Feat("journey", seat, number) for seat, number in squares.items()]

    def load_options(self, data: Mapping[str, Any], *, strict: bool = False) -> Options:
        options = super().load_options(data, strict=strict)
        self._number(options)
        return options

    def _number(self, options: Options) -> int | None:
        """The number of the scenario that the options name; None where one is to be drawn. Raises `BadData`."""
        key = options.scenario if isinstance(options, ArtifactOptions) else None
        if key is not None and key not in self.catalogue.numbers:
            raise BadData(f"options of {self.key}, scenario: there is none of this key", ("scenario",))
        return None if key is None else self.catalogue.numbers[key]

    # -- set-up

    def new(self, seats: int, options: Options, seed: bytes) -> State:
        self.check_seats(seats)
        chosen = self._number(options)
        state = State(catalogue=self.catalogue, seats=seats, key=seed)
        if chosen is None:
            state.drawn = True
            state.scenario = draw(seed, state.counters, "scenario", len(self.catalogue.scenarios))
        else:
            state.scenario = chosen
        state.printed = isinstance(options, ArtifactOptions) and options.challenges == "printed"
        for seat in range(seats):
            thrown = draws(seed, state.counters, f"party {seat}", party.CHOICE, party.ROLLS)
            state.rolls[seat] = tuple([1 + number for number in thrown])
        return state

    def opening(self, state: State) -> list[Event]:
        scenario = self._scenarios[state.scenario]
        facts = {"scenario": scenario.key, "drawn": state.drawn}
        opened = Event("scenario", None, facts, reveals=state.drawn)
        return [opened, *[self._rolled_party(state, seat) for seat in range(state.seats)]]

    def _rolled_party(self, state: State, seat: int) -> Event:
        return Event("rolled_party", seat, {}, {"rolls": list(state.rolls[seat])}, (seat,), True)

    # -- decisions
    # Agents that think ahead play a match some thousand times a minute. So what is asked most is looked up, not
    # worked out anew, and events are made by `make`.

    def pending(self, state: State) -> tuple[Decision, ...]:
        phase = state.phase
        if phase == s.PARTY:
            return _creating(state.waiting)
        if phase == s.OVER:
            return ()
        return one_decision(state.moves, state.opponent if phase == s.DEFEND else state.active, phase)

    def apply(self, state: State, seat: int, move: object) -> list[Event]:
        phase = state.phase
        if phase == s.PARTY:
            asked = seat >= 0 and bool(state.waiting >> seat & 1)
        else:
            asked = phase != s.OVER and seat == (state.opponent if phase == s.DEFEND else state.active)
        if not asked:
            raise NotYourMove
        kind, handler = self._handlers[phase]
        if type(move) is not kind:
            raise IllegalMove("other-decision" if type(move) in self._kinds else "unknown-move")
        events: list[Event] = []
        handler(state, seat, move, events)
        return events

    # -- random play, views

    def sample(self, state: State, seat: int, rng: Random) -> Any:
        return sample_move(state, seat, rng)

    def outcome(self, state: State) -> Outcome | None:
        """The party that brought the Artifact home ("home") or is the last ("last") has won; the others rank alike."""
        return outcome(state)

    def view(self, state: State, viewer: int | None) -> View:
        facts = state.seen_by(viewer)
        facts["pending"] = self.pending(state)
        facts["outcome"] = outcome(state)
        facts["recurrence"] = journeys.recurrence(state)
        return View.of(facts)

    def determinize(self, view: View, rng: Random) -> State:
        """Draws what is unknown: the dice to come, and until the sheets are shown the others' rolls and choices."""
        state = State.of_view(view, rng.randbytes(32))
        if view.encounter:
            state.counters[journeys.came_before(view.encounter)] = view.recurrence + 1
        if view.phase == s.PARTY:
            for seat in range(view.seats):
                if seat == view.viewer:
                    state.rolls[seat], state.created[seat] = view.rolls, view.created
                else:
                    self._determinize_party(state, seat, rng)
        return state

    def _determinize_party(self, state: State, seat: int, rng: Random) -> None:
        state.rolls[seat] = tuple([rng.randint(1, party.CHOICE) for _ in range(party.ROLLS)])
        if not state.waiting >> seat & 1:
            state.created[seat] = Created(*sample_party(state, seat, rng))

    # -- data

    def replayed(self, state: State) -> dict[str, Any]:
        """Without the numbers of Challenges and the roll that came home, which earlier versions did not have."""
        data = self.dump(state)
        kept = {stream: n for stream, n in data["counters"].items() if not stream.startswith(journeys.CAME)}
        return {**data, "counters": kept, "die": 0 if state.phase == s.OVER else state.die}

    def load(self, data: Mapping[str, Any]) -> State:
        state = State.load(data, self.cards_digest, catalogue=self.catalogue)
        if state.phase != s.PARTY:
            state.counts = [party.counted(each) for each in state.members]
        return state


def sample_move(state: State, seat: int, rng: Random) -> m.Move:
    """A random legal move for the decision that this seat has to make: every one may come up, if not equally often."""
    phase, random = state.phase, rng.random
    if phase == s.ROLL:
        return m.ROLL
    if phase == s.DIRECTION:
        return m.FORWARD if random() < 0.5 else m.BACK
    if phase == s.ABILITY:
        return make(m.Name, (int(random() * _KINDS),))
    if phase == s.GIVE_UP:
        return make(m.GiveUp, (rng.choice(state.aids[seat]),))
    if phase == s.OPPONENT:
        square = state.at[seat]
        return make(m.Meet, (rng.choice([n for n, at in enumerate(state.at) if at == square and n != seat]),))
    if phase == s.PARTY:
        return sample_party(state, seat, rng)
    scenario = state.catalogue.scenarios[state.scenario]
    fits = scenario.encounters[state.encounter].fits if phase == s.CHALLENGE else scenario.fits[state.ability]
    used = tuple([key for key in state.aids[seat] if key in fits and random() < 0.5])
    return make(m.Use, (used,)) if used else m.HOLD_BACK


def sample_party(state: State, seat: int, rng: Random) -> m.Create:
    """A random way to make a party of what this seat has rolled."""
    tens = tuple([int(rng.random() * _KINDS) for _ in range(state.rolls[seat].count(party.CHOICE))])
    one = int(rng.random() * _PIECES)
    other = (one + 1 + int(rng.random() * (_PIECES - 1))) % _PIECES
    return make(
        m.Create, (tens, (party.EQUIPMENT_KEYS[min(one, other)], party.EQUIPMENT_KEYS[max(one, other)]))
    )


@cache
def _creating(waiting: int) -> tuple[Decision, ...]:
    """The decisions of those who still make their parties: all arose before the first move."""
    return tuple([Decision(0, seat, s.PARTY) for seat in range(waiting.bit_length()) if waiting >> seat & 1])


def create(card_list: object | None = None) -> Artifact:
    """The game with the built-in scenarios, and with those of `card_list`: an owner's files by name, as JSON data.

    Raises `BadData`.
    """
    built_in = built_in_files("artifact", "scenarios")
    return Artifact(read_card_list(built_in, {} if card_list is None else card_list, Artifact.key))
