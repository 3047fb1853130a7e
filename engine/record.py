"""A finished match as data that anyone can check: what was agreed, drawn and played, and how it ended.

A record names people by their seats alone. `verify` replays it; it takes anybody's data and never fails: what
is wrong comes back as a code with facts, which the command line words. A record bears its own commitment, so
whoever checks it has to compare that with the one in the lobby's message.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from engine import chance
from engine.errors import BadData, IllegalMove, NotYourMove, first_flaw
from engine.fairness import Contribution, commitment, match_key
from engine.game import AnyGame, Options, Outcome

FORM: Final = 1
"""The version of the records' form."""

LONGEST: Final = 100_000
"""The most moves that a record may hold; a match has some hundred."""
LARGEST: Final = 32 * 1024 * 1024
"""The most characters of a record's text."""

_Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_Name = Annotated[str, Field(max_length=40)]
_Source = Annotated[str, Field(pattern=r"^(start|seat [0-9]{1,2})$")]
_Sitter = Annotated[str, Field(pattern=r"^(person|agent|agent:[a-z0-9_-]{1,30})$")]
_Seat = Annotated[int, Field(ge=0, le=99)]
_Score = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class End(_Part):
    """How the match ended, by seat. Rank 1 won."""

    ranks: tuple[_Seat, ...] = Field(max_length=100)
    scores: tuple[_Score, ...] = Field(max_length=100)


class Record(_Part):
    """All that it takes to play a match again. `seats` tells who sat there at the end: a person or an agent.

    `version` is of the game's rules, `scheme` of the way to draw chance, `table` the card table's digest.
    `end` is None for a match that was given up.
    """

    form: Literal[1] = FORM
    game: _Name
    version: int = Field(ge=0, le=1_000_000)
    scheme: int = Field(ge=0, le=1_000_000)
    table: _Name
    options: dict[str, JsonValue] = Field(max_length=100)
    seats: tuple[_Sitter, ...] = Field(min_length=1, max_length=100)
    commitment: _Hex
    host_seed: _Hex = Field(repr=False)
    contributions: tuple[tuple[_Source, Annotated[str, Field(max_length=2_000)]], ...] = Field(max_length=100)
    moves: tuple[tuple[_Seat, dict[str, JsonValue]], ...] = Field(max_length=LONGEST, repr=False)
    end: End | None


def make_record(
    game: AnyGame,
    *,
    options: Options,
    seats: Sequence[str],
    host_seed: bytes,
    contributions: Iterable[Contribution],
    moves: Iterable[tuple[int, Mapping[str, Any]]],
    outcome: Outcome | None,
) -> Record:
    """The record of a match. `seats` are "person", "agent" or "agent:LEVEL"; `moves` are (seat, move's data).

    `Record.model_dump(mode="json")` makes JSON data of it.
    """
    return Record(
        game=game.key,
        version=game.version,
        scheme=chance.SCHEME,
        table=game.table_digest,
        options=options.model_dump(mode="json"),
        seats=tuple(seats),
        commitment=commitment(host_seed),
        host_seed=host_seed.hex(),
        contributions=tuple((source, value) for source, value in contributions),
        moves=tuple((seat, dict(data)) for seat, data in moves),
        end=End(ranks=outcome.ranks, scores=outcome.scores) if outcome else None,
    )


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a record does not check. `move` counts from 0; `seat` is who made it.

    Codes, and their facts:

    - `too-large` (most), `not-json`, `malformed` (where, what): this is no record;
    - `unknown-game`, `other-version`, `other-scheme`, `other-table` (recorded, known): not to be played here;
    - `bad-seats` (least, most), `bad-options` (where);
    - `commitment` (recorded, computed): the seed is not the one that was promised;
    - `malformed-move`, `illegal-move` (reason, facts), `after-end`: the first move that does not fit;
    - `not-over`, `over`, `other-end` (recorded, computed): the moves lead to another end.
    """

    code: str
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    move: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What checking a record found. None stands for what could not be told."""

    faults: tuple[Fault, ...] = ()
    seed_fits: bool | None = None
    """The host seed is the one whose commitment was shown before anyone joined."""
    same_end: bool | None = None
    """The moves are legal and lead to the ranks and scores of the record."""
    replayed: int = 0
    """Moves that could be played."""

    @property
    def sound(self) -> bool:
        """The record holds in all it says."""
        return not self.faults

    def dump(self) -> dict[str, Any]:
        """The verdict as JSON data."""
        return {
            "sound": self.sound,
            "seed_fits": self.seed_fits,
            "same_end": self.same_end,
            "replayed": self.replayed,
            "faults": [
                {"code": f.code, "facts": dict(f.facts), "move": f.move, "seat": f.seat} for f in self.faults
            ],
        }


class _Wrong(Exception):
    """Carries a fault out of the checks."""

    def __init__(self, code: str, move: int | None = None, seat: int | None = None, **facts: object) -> None:
        super().__init__(code)
        self.fault = Fault(code, facts, move, seat)


def verify(data: object, games: Mapping[str, AnyGame]) -> Verdict:
    """Checks a record: JSON data, or the text of them. Whatever is passed, the answer is a verdict."""
    try:
        record = _read(data)
    except _Wrong as wrong:
        return Verdict((wrong.fault,))
    computed = commitment(bytes.fromhex(record.host_seed))
    seed_fits = hmac.compare_digest(computed, record.commitment)
    faults: list[Fault] = []
    if not seed_fits:
        faults.append(Fault("commitment", {"recorded": record.commitment, "computed": computed}))
    try:
        game, options = _find(record, games)
    except _Wrong as wrong:
        return Verdict((*faults, wrong.fault), seed_fits)
    try:
        _replay(game, record, options)
    except _Wrong as wrong:
        played = len(record.moves) if wrong.fault.move is None else wrong.fault.move
        return Verdict((*faults, wrong.fault), seed_fits, False, played)
    return Verdict(tuple(faults), seed_fits, True, len(record.moves))


def _read(data: object) -> Record:
    if isinstance(data, str | bytes | bytearray):
        if len(data) > LARGEST:
            raise _Wrong("too-large", most=LARGEST)
        try:
            data = json.loads(data)
        except (ValueError, RecursionError):
            raise _Wrong("not-json") from None
    try:
        return Record.model_validate(data)
    except ValidationError as error:
        flaw = first_flaw(error)
        raise _Wrong("malformed", where=flaw.path, what=flaw.code) from None


def _find(record: Record, games: Mapping[str, AnyGame]) -> tuple[AnyGame, Options]:
    """The game and the options to replay the record with."""
    game = games.get(record.game)
    if game is None:
        raise _Wrong("unknown-game", recorded=record.game, known=sorted(games))
    for code, recorded, known in (
        ("other-version", record.version, game.version),
        ("other-scheme", record.scheme, chance.SCHEME),
        ("other-table", record.table, game.table_digest),
    ):
        if recorded != known:
            raise _Wrong(code, recorded=recorded, known=known)
    if not game.min_seats <= len(record.seats) <= game.max_seats:
        raise _Wrong("bad-seats", least=game.min_seats, most=game.max_seats)
    try:
        return game, game.load_options(record.options)
    except BadData as error:
        raise _Wrong("bad-options", where=".".join(map(str, error.where))) from None


def _replay(game: AnyGame, record: Record, options: Options) -> None:
    """Plays all the moves, and compares the end that they lead to."""
    contributions = [Contribution(source, value) for source, value in record.contributions]
    key = match_key(bytes.fromhex(record.host_seed), contributions)
    state = game.new(len(record.seats), options, key)
    for number, (seat, data) in enumerate(record.moves):
        pending = game.pending(state)
        if not pending:
            raise _Wrong("after-end", number, seat)
        try:
            move = game.load_move(data)
            if all(decision.seat != seat for decision in pending):
                raise NotYourMove
            game.apply(state, seat, move)
        except BadData:
            raise _Wrong("malformed-move", number, seat) from None
        except IllegalMove as error:
            raise _Wrong("illegal-move", number, seat, reason=error.code, facts=error.facts) from None
    _compare(game.outcome(state), record.end)


def _compare(outcome: Outcome | None, end: End | None) -> None:
    if outcome is None:
        if end:
            raise _Wrong("not-over")
        return
    if end is None:
        raise _Wrong("over")
    computed = End(ranks=outcome.ranks, scores=outcome.scores)
    if computed != end:
        raise _Wrong(
            "other-end", recorded=end.model_dump(mode="json"), computed=computed.model_dump(mode="json")
        )
