"""A finished match as data that anyone can check: what was agreed, drawn and played, and how it ended.

A record names people by their seats alone. `verify` replays it; it takes anybody's data and never fails: what
is wrong comes back as a code with facts, which the command line words. A record bears its own commitment, so
whoever checks it has to compare that with the one in the lobby's message. docs/record.md specifies the form.
"""

from __future__ import annotations

import codecs
import hmac
import json
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, NamedTuple, TypeVar, cast

from pydantic import BaseModel, ConfigDict, FailFast, Field, JsonValue, Strict, ValidationError

from engine import fairness
from engine.errors import BadData, IllegalMove, NotYourMove, first_flaw
from engine.game import AnyGame, Event, Options, Outcome

FORM: Final = 1
"""The version of the records' form."""

LONGEST: Final = 100_000
"""The most moves that a record may hold. A match has some hundreds."""
LARGEST: Final = 16 * 1024 * 1024
"""The most bytes of a record's text."""
_KEYS: Final = 100
"""The most keys that an object in a record may have."""
_IDS: Final = 1 << 64
"""Discord's ids are less than this."""

_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
"""Half of a character beyond U+FFFF, which is a character only together with its other half."""

_DATE: Final = re.compile("[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")
"""A day, as in 2026-11-25."""

T = TypeVar("T")

_List = Annotated[tuple[T, ...], Strict(False), FailFast()]
"""A JSON list whose elements are read strictly. Reading stops at the first fault."""
_Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_Form = Annotated[int, Field(ge=FORM, le=FORM)]
"""(A `Literal` would take 1.0.)"""
_Name = Annotated[str, Field(max_length=40)]
_Sitter = Annotated[str, Field(pattern=r"^(person|agent|agent:[a-z0-9_-]{1,30})$")]
_Seat = Annotated[int, Field(ge=0, le=99)]
_Number = Annotated[int, Field(ge=0, le=1_000_000)]
_Score = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
_Contributed = Annotated[tuple[_Name, Annotated[str, Field(max_length=2_000)]], Strict(False)]
_Made = Annotated[tuple[_Seat, dict[str, JsonValue]], Strict(False)]


class _Part(BaseModel):
    """A part of a record, read strictly: `true`, "1" and 1.0 are no whole numbers, and no unknown key is taken."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


class End(_Part):
    """How the match ended, by seat. Rank 1 won."""

    ranks: _List[_Seat] = Field(max_length=100)
    scores: _List[_Score] = Field(max_length=100)


class Record(_Part):
    """All that it takes to play a match again.

    `version` is of the game's rules, `scheme` of fairness (`engine.fairness`), `card_list` the card list's digest.
    `seats` tells who sat there at the start, a person or an agent.
    `end` is None where the match has not come to its end.
    """

    form: _Form
    game: _Name
    version: _Number
    scheme: _Number
    card_list: _Name
    options: dict[str, JsonValue] = Field(max_length=_KEYS)
    seats: _List[_Sitter] = Field(min_length=1, max_length=100)
    commitment: _Hex
    host_seed: _Hex = Field(repr=False)
    contributions: _List[_Contributed] = Field(max_length=100)
    moves: _List[_Made] = Field(max_length=LONGEST, repr=False)
    end: End | None


class Agreement(NamedTuple):
    """All that is fixed before a match's first move. `seats` are "person", "agent" or "agent:LEVEL"."""

    options: Options
    seats: Sequence[str]
    host_seed: bytes
    contributions: Iterable[fairness.Contribution]
    scheme: int = fairness.SCHEME


def make_record(
    game: AnyGame,
    agreed: Agreement,
    moves: Iterable[tuple[int, Mapping[str, Any]]],
    outcome: Outcome | None,
) -> Record:
    """The record of a match. `moves` are (seat, move's data).

    `Record.model_dump(mode="json")` makes JSON data of it.
    """
    return Record(
        form=FORM,
        game=game.key,
        version=game.version,
        scheme=agreed.scheme,
        card_list=game.cards_digest,
        options=agreed.options.model_dump(mode="json"),
        seats=tuple(agreed.seats),
        commitment=fairness.commitment(agreed.host_seed),
        host_seed=agreed.host_seed.hex(),
        contributions=tuple((source, value) for source, value in agreed.contributions),
        moves=tuple((seat, dict(data)) for seat, data in moves),
        end=End(ranks=outcome.ranks, scores=outcome.scores) if outcome else None,
    )


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a record does not check. `move` counts from 0; `seat` is who made it.

    Codes, and their facts:

    - `too-large` (most), `byte-order-mark`, `not-utf8`, `empty`, `not-json` (line), `too-deep`, `long-number`,
      `no-number` (name), `half-character`, `twice` (key), `many-keys` (most), `not-an-object`,
      `other-form` (recorded, known), `malformed` (where, what): this is no record, or none that can be read here;
    - `unknown-game`, `other-version`, `other-scheme`, `other-cards` (recorded, known): not to be played here;
    - `commitment` (recorded, computed): the seed is not the one that was promised;
    - `bad-seats` (recorded, least, most), `bad-options` (where);
    - `bad-day`: the contributions of a daily deal are not its day alone;
    - `no-start`, `second-start`, `bad-start` (recorded), `bad-source` (recorded), `no-such-seat` (number, seats),
      `word-order` (number), `second-word` (number), `word-of-agent` (number), `bad-word` (number, most): no start
      could have mixed these contributions in; numbers of seats count from 1, as there;
    - `malformed-move`, `illegal-move` (reason, facts), `after-end`: the first move that does not fit;
    - `not-over`, `over`, `other-end` (recorded, computed): the moves lead to another end;
    - `unfinished` (moves): all fits, but there is no end: the match was given up, or its last moves are missing.
    """

    code: str
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    move: int | None = None
    seat: int | None = None

    @property
    def unread(self) -> bool:
        """Whether the data could not be checked here: they are no record, or one of a match that this version does not
        know.
        """
        return self.code in _UNREAD


_UNREAD: Final = frozenset(
    {
        "too-large", "byte-order-mark", "not-utf8", "empty", "not-json", "too-deep", "long-number", "no-number",
        "half-character", "twice", "many-keys", "not-an-object", "other-form", "malformed",
        "unknown-game", "other-version", "other-scheme", "other-cards",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking a record. A field is None where the answer could not be found out."""

    faults: tuple[Fault, ...] = ()
    record: Record | None = None
    """The content of the record. It may be forged as a whole, so people compare it with the channel's messages."""
    seed_fits: bool | None = None
    """Whether the host seed has the commitment that stands in the record."""
    same_end: bool | None = None
    """Whether the moves are legal and lead to the record's ranks and scores. None also if neither has an end."""
    replayed: int = 0
    """How many moves could be played."""

    @property
    def sound(self) -> bool:
        """Whether the record is of a whole match, and all that it says is right."""
        return not self.faults

    @property
    def unread(self) -> bool:
        """Whether the only thing wrong is that it cannot be checked here."""
        return bool(self.faults) and all(fault.unread for fault in self.faults)


@dataclass(frozen=True, slots=True)
class Step:
    """A moment of a match that is replayed: the set-up, or what a move brought about.

    `move` counts the moves made so far. `seat` made the last of them, to a decision of this `kind`; both are None for
    the set-up. `state` is the state after it. It changes with the next step, so it must be looked at before.
    """

    move: int
    seat: int | None
    kind: str | None
    state: Any = field(repr=False)
    events: Sequence[Event] = field(repr=False)


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
    computed = fairness.commitment(bytes.fromhex(record.host_seed))
    seed_fits = hmac.compare_digest(computed, record.commitment)
    faults: list[Fault] = []
    if not seed_fits:
        faults.append(Fault("commitment", {"recorded": record.commitment, "computed": computed}))
    try:
        game, options = _find(record, games)
        _check_contributions(record)
    except _Wrong as wrong:
        return Verdict((*faults, wrong.fault), record, seed_fits)
    try:
        finished = _replay(game, record, options)
    except _Wrong as wrong:
        played = len(record.moves) if wrong.fault.move is None else wrong.fault.move
        return Verdict((*faults, wrong.fault), record, seed_fits, False, played)
    if not finished:
        faults.append(Fault("unfinished", {"moves": len(record.moves)}))
    return Verdict(tuple(faults), record, seed_fits, True if finished else None, len(record.moves))


# -- reading


def _read(data: object) -> Record:
    if isinstance(data, Record):
        return data
    if isinstance(data, str | bytes | bytearray):
        data = _parse(data)
    if not isinstance(data, dict):
        raise _Wrong("not-an-object")
    form = cast("dict[str, object]", data).get("form")
    if type(form) is int and form != FORM and 0 <= form <= 1_000_000:
        raise _Wrong("other-form", recorded=form, known=FORM)
    try:
        return Record.model_validate(data)
    except ValidationError as error:
        flaw = first_flaw(error)
        raise _Wrong("malformed", where=flaw.path, what=flaw.code) from None


def _parse(text: str | bytes | bytearray) -> object:
    """The JSON data of a text, which must leave no doubt about what it says."""
    if len(text) > LARGEST:
        raise _Wrong("too-large", most=LARGEST)
    if not isinstance(text, str):
        text = _decode(text)
    if text.startswith("\ufeff"):
        raise _Wrong("byte-order-mark")
    if not text.strip():
        raise _Wrong("empty")
    try:
        data: object = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
        if _SURROGATE.search(text):
            json.dumps(data, ensure_ascii=False).encode("utf-8")
        return data
    except UnicodeEncodeError:
        raise _Wrong("half-character") from None
    except json.JSONDecodeError as error:
        raise _Wrong("not-json", line=error.lineno) from None
    except RecursionError:
        raise _Wrong("too-deep") from None
    except ValueError:  # the text has a number of more digits than Python reads
        raise _Wrong("long-number") from None


def _decode(data: bytes | bytearray) -> str:
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _Wrong("byte-order-mark")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise _Wrong("not-utf8") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object. A key may not stand in it twice, for then different readers would take different values."""
    if len(pairs) > _KEYS:
        raise _Wrong("many-keys", most=_KEYS)
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise _Wrong("twice", key=next(key for key, n in counts.items() if n > 1))
    return made


def _refuse_constant(name: str) -> object:
    raise _Wrong("no-number", name=name)


# -- checking


def _find(record: Record, games: Mapping[str, AnyGame]) -> tuple[AnyGame, Options]:
    game = games.get(record.game)
    if game is None:
        raise _Wrong("unknown-game", recorded=record.game, known=sorted(games))
    for code, recorded, known in (
        ("other-version", record.version, (game.version,)),
        ("other-scheme", record.scheme, fairness.SCHEMES),
        ("other-cards", record.card_list, (game.cards_digest,)),
    ):
        if recorded not in known:
            raise _Wrong(code, recorded=recorded, known=list(known))
    if not game.min_seats <= len(record.seats) <= game.max_seats:
        raise _Wrong("bad-seats", recorded=len(record.seats), least=game.min_seats, most=game.max_seats)
    try:
        return game, game.load_options(record.options, strict=True)
    except BadData as error:
        raise _Wrong("bad-options", where=".".join(map(str, error.where))) from None


def _check_contributions(record: Record) -> None:
    """Checks that there is one start message, and after it nothing but words in the order of their seats.

    In a daily deal there is its day alone. Words of another table (`SAME_DEAL`) may be of seats that agents have here.
    """
    if record.scheme == fairness.OF_DAY:
        sources = [source for source, _ in record.contributions]
        if sources != ["day"] or not _DATE.fullmatch(record.contributions[0][1]):
            raise _Wrong("bad-day")
        return
    if not record.contributions or record.contributions[0][0] != "start":
        raise _Wrong("no-start")
    (_, start), *words = record.contributions
    if not re.fullmatch("[1-9][0-9]{0,19}", start) or int(start) >= _IDS:
        raise _Wrong("bad-start", recorded=start)
    last = 0
    for source, word in words:
        if source == "start":
            raise _Wrong("second-start")
        named = re.fullmatch("seat ([1-9][0-9]?)", source)
        if not named:
            raise _Wrong("bad-source", recorded=source)
        number = int(named[1])
        if number > len(record.seats):
            raise _Wrong("no-such-seat", number=number, seats=len(record.seats))
        if number <= last:
            raise _Wrong("second-word" if number == last else "word-order", number=number)
        if record.scheme != fairness.SAME_DEAL and record.seats[number - 1] != "person":
            raise _Wrong("word-of-agent", number=number)
        if not fairness.may_be_word(word):
            raise _Wrong("bad-word", number=number, most=fairness.WORD_LENGTH)
        last = number


def replay(record: Record, games: Mapping[str, AnyGame]) -> Iterator[Step]:
    """Plays a match again, step by step, as far as its moves are legal; `verify` says what is wrong after that.

    There is no step at all if the match cannot be played here, or if no start could have mixed its contributions in.
    """
    try:
        game, options = _find(record, games)
        _check_contributions(record)
        yield from _steps(game, record, options)
    except _Wrong:
        return


def _replay(game: AnyGame, record: Record, options: Options) -> bool:
    """Plays all the moves, and compares the end that they lead to. False where neither has an end."""
    (last,) = deque(_steps(game, record, options), maxlen=1)
    _compare(game.outcome(last.state), record.end)
    return record.end is not None


def _steps(game: AnyGame, record: Record, options: Options) -> Iterator[Step]:
    contributions = [fairness.Contribution(source, value) for source, value in record.contributions]
    key = fairness.match_key(bytes.fromhex(record.host_seed), contributions)
    state = game.new(len(record.seats), options, key)
    yield Step(0, None, None, state, game.opening(state))
    for number, (seat, data) in enumerate(record.moves):
        pending = game.pending(state)
        if not pending:
            raise _Wrong("after-end", number, seat)
        try:
            move = game.load_move(data)
            kind = next((decision.kind for decision in pending if decision.seat == seat), None)
            if kind is None:
                raise NotYourMove
            events = game.apply(state, seat, move)
        except BadData:
            raise _Wrong("malformed-move", number, seat) from None
        except IllegalMove as error:
            raise _Wrong("illegal-move", number, seat, reason=error.code, facts=error.facts) from None
        yield Step(number + 1, seat, kind, state, events)


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
