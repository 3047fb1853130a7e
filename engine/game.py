"""The interface of every game for the host, agents and tests: the one interface of the engine.

A match is a *state* that changes in place behind `Game.apply` alone. All that shows, logs or thinks about a
match gets a `View`: what one seat (or a spectator) may know. Seats count from 0 in the order of play.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.errors import BadData, first_flaw
from engine.forms import Moves
from engine.state import MatchState

T = TypeVar("T")


class _Make(Protocol):
    def __call__(self, kind: type[T], parts: tuple[object, ...], /) -> T: ...


make: Final = cast("_Make", tuple.__new__)  # pyright: ignore[reportUnknownMemberType]
"""Makes a named tuple from all its parts in half the time that its class takes. For code that runs very often."""


def same_move(one: object, other: object) -> bool:
    """Whether two moves are the same.

    Named tuples of different kinds are equal if their parts are, as those of all moves without parts.
    """
    return type(one) is type(other) and one == other


class Decision(NamedTuple):
    """A decision that a match waits for. `id` is the number of moves made when it arose."""

    id: int
    seat: int
    kind: str


@cache
def one_decision(moves: int, seat: int, kind: str) -> tuple[Decision, ...]:
    """The decision of this one seat.

    All matches share these tuples, so there are no more than the longest match needs.
    """
    return (Decision(moves, seat, kind),)


class Event(NamedTuple):
    """One fact that a move brought about.

    `facts` are public; `secret` is for the seats in `known_to`. Every viewer gets one line for an event, so that
    counting lines tells nothing. The public form of it must not depend on the secret: a revelation is an event of its
    own. `reveals` marks chance or a revelation: no move is taken back past it. Values are what JSON has: numbers,
    strings, and lists and mappings of them. (In stored data the two are called "knows" and "final".)
    """

    kind: str
    seat: int | None
    facts: Mapping[str, Any] = {}
    secret: Mapping[str, Any] = {}
    known_to: tuple[int, ...] = ()
    reveals: bool = False

    def __repr__(self) -> str:
        return f"Event(kind={self.kind!r}, seat={self.seat})"

    def seen_by(self, viewer: int | None) -> Mapping[str, Any]:
        """The facts as this viewer may know them."""
        return {**self.facts, **self.secret} if viewer in self.known_to else self.facts


class Feat(NamedTuple):
    """A seat's achievement in a match, as a number that can be compared with other matches of the game.

    `name` is the game's word for it. The larger the `size`, the better.
    """

    name: str
    seat: int
    size: int


def dump_event(event: Event) -> dict[str, Any]:
    """An event as JSON data, without its empty parts."""
    data: dict[str, Any] = {"kind": event.kind, "seat": event.seat}
    if event.facts:
        data["facts"] = dict(event.facts)
    if event.secret:
        data["secret"] = dict(event.secret)
        data["knows"] = list(event.known_to)
    if event.reveals:
        data["final"] = True
    return data


def load_event(data: Mapping[str, Any]) -> Event:
    """The event that `dump_event` made these data from."""
    return Event(
        data["kind"],
        data["seat"],
        data.get("facts", {}),
        data.get("secret", {}),
        tuple(data.get("knows", ())),
        data.get("final", False),
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. `ranks` and `scores` go by seat. Rank 1 has won; seats that share a rank have the same number.

    `why` names what decided the first place: the scores themselves, a tie-break, or nothing (shared).
    `detail` holds the numbers of the tie-break, by seat.
    """

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    why: str
    detail: tuple[int, ...] = ()

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


def rank(keys: list[tuple[int, ...]]) -> tuple[int, ...]:
    """Ranks from sort keys, the highest key first; equal keys share a rank.

    >>> rank([(5,), (9,), (5,)])
    (2, 1, 2)
    """
    return tuple([1 + sum([other > key for other in keys]) for key in keys])


class Options(BaseModel):
    """The options of the rules that a table's host may choose; each game adds its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class MatchView(Protocol):
    """The attributes of every game's view."""

    @property
    def viewer(self) -> int | None: ...
    @property
    def seats(self) -> int: ...
    @property
    def moves(self) -> int:
        """Moves made so far."""
        ...

    @property
    def pending(self) -> tuple[Decision, ...]: ...
    @property
    def outcome(self) -> Outcome | None: ...


def own_decision(view: MatchView) -> Decision | None:
    """The decision that waits for the viewer; None where none does, and for a spectator."""
    for decision in view.pending:
        if decision.seat == view.viewer:
            return decision
    return None


class QuickView:
    """A base of frozen dataclasses of views, which makes an instance of all its fields in one step.

    That is far quicker than the way of a frozen dataclass, which sets its fields one by one.
    """

    @classmethod
    def of(cls, facts: dict[str, Any]) -> Self:
        """The view whose fields these are, all of them. The view takes the dictionary over."""
        view = cls.__new__(cls)
        object.__setattr__(view, "__dict__", facts)
        return view


S = TypeVar("S", bound=MatchState)
M = TypeVar("M")  # move
V = TypeVar("V", bound=MatchView)  # view
M_co = TypeVar("M_co", covariant=True)
V_contra = TypeVar("V_contra", contravariant=True)


class Agent(Protocol[V_contra, M_co]):
    """Plays a seat from its view alone. For the same view and the same `rng` it chooses the same move.

    Its work is bounded by a count, never by a clock. An agent that is `slow` is to be asked in another process.
    """

    @property
    def slow(self) -> bool: ...
    def choose(self, view: V_contra, rng: Random) -> M_co:
        """A legal move for the viewer's pending decision."""
        ...


class Game(ABC, Generic[S, M, V]):
    """The rules of one game. An instance holds its card list and nothing of any match."""

    key: ClassVar[str]
    """The game's name in commands, records and the store."""
    version: ClassVar[int]
    """The version of the rules. It is raised when the same moves may lead to another state."""
    published: ClassVar[bool] = True
    """False until the game has its section of docs/record.md, a second verifier and translations.

    Until then players meet it in the playground, and on Discord only where the operator switches such games on.
    """
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    time_shares: ClassVar[Mapping[str, float]] = {}
    """By kind of decision, the part of the turn limit that it is given: more than 0, at most 1.

    Kinds that are not named are given the whole limit. A smaller part is for decisions in another seat's turn, which
    hold up everybody, and for quick decisions within one's own turn.
    """
    opens_turn: ClassVar[frozenset[str]] = frozenset()
    """The kinds of decisions with which a turn begins, in games in which other seats' turns may be skipped.

    A seat that is asked one has a new turn, with its whole time, even if nobody else was asked since its last turn.
    """
    out_of_turn: ClassVar[frozenset[str]] = frozenset()
    """The kinds of decisions that a seat makes in another seat's turn."""
    usual_moves: ClassVar[Mapping[int, int]] = {}
    """By number of seats, how many moves a seat usually makes in a match: the median of agents' matches.

    A match counts as played only if its people made a part of them. A test compares them with matches of novices.
    """
    daily: ClassVar[bool] = False
    """Whether the game takes its turn as the daily deal, with the default options: one person against two agents."""
    scored: ClassVar[bool] = True
    """Whether the scores tell more than who has won, so that the worth of a deal can be measured."""
    options_type: ClassVar[type[Options]] = Options
    state_type: type[S]
    move_forms: ClassVar[Moves[Any]]
    """The moves as JSON data."""
    catalogue: Any = None
    """The card list in the form in which the rules look it up, for games whose moves name cards by it."""

    @property
    @abstractmethod
    def agents(self) -> Mapping[str, Agent[V, M]]:
        """The agents by level, the weakest first; "novice" is always there, and quick."""

    def variants(self, seats: int) -> Sequence[Options]:
        """Options that between them bring out all that the rules have for so many seats.

        Every one of them goes through the conformance tests.
        """
        return (self.options_type(),)

    @property
    def cards_digest(self) -> str:
        """Names the card list in use; matches with different lists do not replay each other."""
        return ""

    def check_seats(self, seats: int) -> None:
        """Raises `BadData` for a number of seats that the game is not for."""
        if not self.min_seats <= seats <= self.max_seats:
            raise BadData(f"{self.key} is for {self.min_seats} to {self.max_seats} players")

    @abstractmethod
    def new(self, seats: int, options: Options, seed: bytes) -> S:
        """A match at its start. `seed` is the match's key, 32 bytes (see `engine.fairness`).

        Raises `BadData` for a number of seats that the game is not for.
        """

    @abstractmethod
    def opening(self, state: S) -> list[Event]:
        """The events of the set-up, told once from a state that `new` has just made.

        Their public halves tell what all see of the set-up. No viewer is told a fact that their view does not show.
        """

    @abstractmethod
    def pending(self, state: S) -> tuple[Decision, ...]:
        """The open decisions; empty when the match is over."""

    def upcoming(self, state: S, seat: int) -> S | None:
        """The upcoming decision of this seat: a copy of the state in which the seat is asked already.

        Not None if the seat is not asked now, but is sure to be, as things stand: after the seats that are asked now
        have answered, whatever they answer, and before anything else happens in the match. In the copy the seat has
        this decision, with the number of moves as its id, and `apply` takes a premove for it. The seat and its upcoming
        decision may depend on public facts alone, and the seat sees nothing in the copy that it does not see in the
        match. A premove must mean the same whatever others answer meanwhile. None unless overridden.
        """
        return None

    @abstractmethod
    def apply(self, state: S, seat: int, move: M) -> list[Event]:
        """Plays a move. Raises `IllegalMove` before it has changed anything."""

    @abstractmethod
    def sample(self, state: S, seat: int, rng: Random) -> M:
        """A random legal move for this seat's pending decision; every legal move may come up."""

    def copy(self, state: S) -> S:
        """A copy of the state. A change of the copy does not change the state."""
        return state.copy()

    @abstractmethod
    def view(self, state: S, viewer: int | None) -> V:
        """All that this seat (None: a spectator) may know, its decisions included."""

    @abstractmethod
    def determinize(self, view: V, rng: Random) -> S:
        """A state that gives exactly this view; what the view hides is drawn from `rng`.

        To a spectator it looks as the match does: what the viewer knows beyond that stays the viewer's.
        """

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the match ended; None while it goes on."""

    def feats(self, events: Iterable[Event]) -> Iterable[Feat]:
        """The feats in these events, which are all those of a match that is over. None unless overridden.

        Of several feats of a seat with one name, the largest counts.
        """
        return ()

    def dump(self, state: S) -> dict[str, Any]:
        """The whole state as JSON data, with the version of its form."""
        return state.dump(self.cards_digest)

    def replayed(self, state: S) -> dict[str, Any]:
        """The part of `dump` to which seed and moves lead in every version of the game. By default all of it."""
        return self.dump(state)

    def load(self, data: Mapping[str, Any]) -> S:
        """The state that `dump` made these data from. Raises `BadData`, `UnknownVersion`.

        Only the fields' types are checked: the caller makes sure that `dump` made the data, by their digest.
        """
        return self.state_type.load(data, self.cards_digest)

    def dump_move(self, move: M) -> dict[str, Any]:
        """A move as JSON data that people can read: cards by name."""
        return self.move_forms.dump(move, self.catalogue)

    def load_move(self, data: Mapping[str, Any]) -> M:
        """The move that these data describe; its form is checked, not its legality. Raises `BadData`."""
        return self.move_forms.load(data, self.catalogue)

    def load_options(self, data: Mapping[str, Any], *, strict: bool = False) -> Options:
        """The options that these data describe. Raises `BadData`.

        Options from a command are texts, in which a number may be written. `strict` takes nothing but JSON data of the
        right types.
        """
        try:
            if strict:
                return self.options_type.model_validate_json(json.dumps(data), strict=True)
            return self.options_type.model_validate(data)
        except ValidationError as error:
            flaw = first_flaw(error)
            raise BadData(f"options of {self.key}, {flaw.path}: {flaw.text}", flaw.where) from None


AnyGame = Game[Any, Any, Any]
"""A game for code that does not know its types, such as the host."""
