"""A match of Artifact: its state, the view that a seat may have of it, and what both have in common.

All lies open but a party's rolls until the sheets are shown (R67), and the dice to come. So a view holds nearly what
a state holds, under the same names, and whoever wants to know what can be done (`engine.artifact.choices`) asks
either of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from pydantic import Field

from engine.artifact.card_list import Catalogue
from engine.artifact.party import ABILITIES, CHOICE, CHOSEN, MEMBERS, WELL, Member
from engine.artifact.party import GONE as GONE_MEMBER
from engine.game import Decision, Outcome, QuickView
from engine.state import Derived, Hidden, MatchState, Number, Owned, Seen, no_entries, start

# The phases of a match; each but OVER is the kind of the decision that waits.
PARTY: Final = "party"
ROLL: Final = "roll"
DIRECTION: Final = "direction"
OPPONENT: Final = "opponent"
ABILITY: Final = "ability"
ATTACK: Final = "attack"
DEFEND: Final = "defend"
CHALLENGE: Final = "challenge"
GIVE_UP: Final = "give_up"
OVER: Final = "over"

HOME: Final = 1
"""The known world: where all begin, and where the Artifact is to be brought."""
END: Final = 30
"""Where the Artifact lies at first."""
GONE: Final = 0
"""In a square's place: the party is out; of the Artifact: a party holds it."""
NOBODY: Final = -1
"""In a seat's place."""
NONE: Final = -1
"""In an ability's place."""

FORWARD, BACK = 1, -1
"""Toward square 30 and toward square 1."""

Numbers = tuple[int, ...]
Keys = tuple[str, ...]

Phase = Literal[
    "party", "roll", "direction", "opponent", "ability", "attack", "defend", "challenge", "give_up", "over"
]

_Seat = Annotated[int, Field(ge=0, le=5)]
_SeatOrNobody = Annotated[int, Field(ge=NOBODY, le=5)]
_Square = Annotated[int, Field(ge=GONE, le=END)]
_Ability = Annotated[int, Field(ge=0, lt=len(ABILITIES))]
_Roll = Annotated[int, Field(ge=1, le=CHOICE)]
_Wound = Annotated[int, Field(ge=WELL, le=GONE_MEMBER)]
_Party = Annotated[tuple[tuple[_Ability, ...], ...], Field(max_length=MEMBERS)]


@dataclass(frozen=True, slots=True)
class Created:
    """A player's choices for a party: an ability for each 10, and equipment."""

    tens: tuple[_Ability, ...]
    equipment: Annotated[Keys, Field(min_length=CHOSEN, max_length=CHOSEN)]


class Held(NamedTuple):
    """The Artifact came into this seat's hands on this square."""

    round: Number
    seat: Number
    square: Number


class Journal(NamedTuple):
    """The history of a party: squares moved, Aids found and spent, Challenges and fights, and those won."""

    squares: int = 0
    found: int = 0
    spent: int = 0
    faced: int = 0
    overcome: int = 0
    fought: int = 0
    won: int = 0


SQUARES, FOUND, SPENT, FACED, OVERCOME, FOUGHT, WON = range(len(Journal._fields))
ENTRIES: Final = len(Journal._fields)


class State(MatchState):
    """Everything about a match; only `Game.apply` changes it.

    Beside what a `Position` has: `rolls`, the ten-sided dice that make each party, `created`, what its player has
    chosen, and `drawn`: the scenario was drawn. Fields that change seldom are tuples, which copies share.
    """

    catalogue: Derived[Catalogue]
    seats: Annotated[int, Field(ge=2, le=6)]
    moves: Number = 0
    scenario: Number = 0
    drawn: bool = False
    printed: bool = False
    phase: Phase = PARTY
    waiting: Annotated[int, Field(ge=0, lt=1 << 6)] = start(lambda match: (1 << match.seats) - 1)
    round: Annotated[int, Field(ge=1)] = 1
    first: _Seat = 0
    active: _Seat = 0
    holder: _SeatOrNobody = NOBODY
    lies: _Square = END
    die: Annotated[int, Field(ge=0, le=6)] = 0
    step: Annotated[int, Field(ge=-1, le=1)] = 0
    encounter: str = ""
    opponent: _SeatOrNobody = NOBODY
    ability: Annotated[int, Field(ge=NONE, lt=len(ABILITIES))] = NONE
    counters: Hidden[dict[str, Number]] = start(no_entries)
    at: list[_Square] = start(lambda match: [HOME] * match.seats)
    skips: list[bool] = start(lambda match: [False] * match.seats)
    used: Keys = ()
    journal: list[Number] = start(lambda match: [0] * (match.seats * ENTRIES))
    rolls: Annotated[list[tuple[_Roll, ...]], Seen("owner", nothing=())] = start(
        lambda match: [()] * match.seats
    )
    order: tuple[tuple[Number, Number], ...] = ()
    wounds: list[tuple[_Wound, ...]] = start(lambda match: [()] * match.seats)
    aids: list[Keys] = start(lambda match: [()] * match.seats)
    hands: tuple[Held, ...] = ()
    members: list[_Party] = start(lambda match: [()] * match.seats)
    created: Owned[list[Created | None]] = start(lambda match: [None] * match.seats)
    counts: Derived[list[Numbers]] = start(lambda match: [()] * match.seats)

    def __repr__(self) -> str:
        return f"<State seats={self.seats} moves={self.moves} round={self.round} phase={self.phase}>"


@dataclass(frozen=True)
class View(QuickView):
    """The parts of a match that one seat or a spectator may know. Made with `of`.

    Beside what a `Position` has: `drawn`, and until the sheets are shown the viewer's own `rolls`, and the viewer's
    own choice, `created`; both are the viewer's alone, and empty later. `recurrence`: how often the Challenge being
    faced came before in the match.
    """

    viewer: int | None
    seats: int
    moves: int
    pending: tuple[Decision, ...]
    outcome: Outcome | None
    scenario: int
    drawn: bool
    printed: bool
    phase: str
    waiting: int
    rolls: Numbers
    created: Created | None
    order: tuple[tuple[int, int], ...]
    round: int
    first: int
    active: int
    members: tuple[tuple[Member, ...], ...]
    wounds: tuple[Numbers, ...]
    counts: tuple[Numbers, ...]
    aids: tuple[Keys, ...]
    at: Numbers
    skips: tuple[bool, ...]
    holder: int
    lies: int
    die: int
    step: int
    encounter: str
    opponent: int
    ability: int
    used: Keys
    journal: Numbers
    hands: tuple[Held, ...]
    recurrence: int
    catalogue: Catalogue

    def __repr__(self) -> str:
        return f"<View viewer={self.viewer} moves={self.moves} round={self.round} phase={self.phase}>"


Position: TypeAlias = State | View
"""A state or a view, of which the reader uses the data that both have. Lists go by seat unless something else is said.

- `scenario` is a place in the catalogue's scenarios, `printed` the option to read Challenges to the letter.
- `waiting` are the seats, as bits, whose parties are not made yet. `order` are the rolls for the order of play,
  as (seat, roll); who tied for the highest rolled again. `round` counts from 1, `first` began it, `active` is the
  seat whose turn it is.
- `members[s]` are the members with their abilities, empty until the sheets are shown; `wounds[s]` how each member
  fares; `counts[s]` how often the party has each ability. `aids[s]` are the keys of its Aids, sorted, equipment
  among them.
- `at[s]` is the party's square, `GONE` if it is out. `skips[s]`: it loses its next turn. `holder` is the seat that
  has the Artifact, or `NOBODY`; `lies` the square on which it lies, or `GONE`.
- Of the turn: `die` is the roll for movement that waits for a direction, or that came home, `step` the direction of
  the move just made, `encounter` the key of what is being faced. Of a fight: `opponent`, `ability`, and `used`, the
  Aids that the mover spends in it.
- `journal` has the entries of all parties, `hands` when and where the Artifact changed hands.
"""


CASTS: Final = 720


def cast(position: Position) -> int | None:
    """The number of the match's cast, from the scenario and the rolls for the order of play; None before the rolls."""
    if not position.order:
        return None
    number = position.scenario
    for _seat, roll in position.order:
        number = (number * 31 + roll) % CASTS
    return number
