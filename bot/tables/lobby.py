"""The lobby before a match: its host, people, agents and settings, and the data on which the shuffle will depend.

A private match has no lobby: it begins when it is opened.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bot.tables.absence import rest
from bot.tables.deadlines import wait
from bot.tables.draft import REDRAW, Draft
from bot.tables.ending import close_lobby
from bot.tables.messages import MatchThread
from bot.tables.model import DAY, HOUR, NO_SEAT, PACES, TURN_LIMITS, USUAL, USUAL_PACE, Body, Seat, Table
from bot.tables.naming import clean_name, likeness
from bot.tables.refusals import Refused, Stale
from bot.tables.seats import hand_over
from engine.errors import BadData
from engine.fairness import SAME_DEAL, SCHEME, SEED_BYTES, WORD_LENGTH, Contribution, commitment, match_key
from engine.game import AnyGame
from engine.plain import plain

AGENT_NAMES: Final = ("Amelia", "Boris", "Cleo", "Dastan", "Esme", "Farouk")
_LOBBY_ENDS: Final = DAY
"""Seconds after which a lobby that was not started closes."""
SEATS_KEPT: Final = HOUR
"""Seconds, from when a lobby was opened, for which free seats are kept for people who were asked to join."""
_UNSEEN: Final = 10.0
"""Seconds after which a lobby is posted if the answer that should have shown it was lost."""
_ALONE_ENDS: Final = 90 * DAY
"""Seconds after which a match alone against agents, in no channel, ends by itself."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The shuffle of a private match, which is fixed before its person opens it.

    `lasts` is the number of seconds after which the match ends by itself. `opens`: see `Body.opens`. `day` is that of a
    daily deal, at which each person has one attempt; it counts on the board of `server`, or on none for 0. `script`:
    see `Body.script`. `beat`: see `Body.beat`.
    """

    seed: bytes = field(repr=False)
    scheme: int
    contributions: tuple[Contribution, ...]
    lasts: float
    opens: float | None = None
    day: int | None = None
    server: int = 0
    beat: int = 0
    script: tuple[tuple[int, str], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class NewTable:
    """A lobby that a person opens in a channel, with the seats and settings that it has from the start.

    `limit` is the turn limit in seconds. `agents` is the number of agents of this `level` that sit down after `seats`.
    `guests` are the people who are asked to join. `rematch_of` is the match before a lobby of Play Again. `wishes` are
    the ids of the wishes for a match for which the lobby is opened; its seats are then those of the people who waited.
    With a `deal` it is a private match, which has no channel. `same` is the table whose deal it shares. `thread` is the
    thread of its own in which it is opened, or in which it goes on; see `MatchThread` for its `channel_id`.
    """

    game: AnyGame
    guild_id: int
    channel_id: int
    user_id: int
    seats: list[Seat]
    locale: str
    limit: int | None
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    agents: int = 0
    level: str = USUAL
    pace: str = USUAL_PACE
    hints: bool | None = None
    rematch_of: int | None = None
    guests: list[int] = field(default_factory=list[int])
    wishes: list[int] = field(default_factory=list[int])
    deal: Deal | None = None
    same: Table | None = None
    thread: MatchThread | None = None


def new_table(new: NewTable, now: float) -> Table:
    """A lobby that is not in the store yet. Its seed is drawn here, so it is fixed before anyone else can join."""
    seed = _seed_of(new)
    body = Body(
        new.user_id,
        seed.hex(),
        new.seats,
        limit=new.limit,
        options=new.options,
        locale=new.locale,
        pace=new.pace,
        hints=new.hints,
        commitment=commitment(seed),
        rules=new.game.version,
    )
    body.guests, body.thread, body.rematch_of = [*new.guests], new.thread, new.rematch_of
    if new.same is not None:
        body.same_of = new.same.id
    if new.wishes:
        body.matched, body.guests = True, [seat.user_id for seat in new.seats if seat.user_id is not None]
    return Table(0, new.guild_id, new.channel_id, new.game, "lobby", 0, 0, now, now, body)


def deal_alone(command: int) -> Deal:
    """A deal that is drawn now for one person alone. The id of their command or press enters the shuffle."""
    contributions = (Contribution("start", str(command)),)
    return Deal(secrets.token_bytes(SEED_BYTES), SCHEME, contributions, _ALONE_ENDS)


def _seed_of(new: NewTable) -> bytes:
    if new.same is not None:
        return bytes.fromhex(new.same.body.host_seed)
    return secrets.token_bytes(SEED_BYTES) if new.deal is None else new.deal.seed


def open_lobby(draft: Draft, new: NewTable) -> None:
    """Seats the agents of a new table, records the seated people, and sets the table's jobs.

    A private match begins at once.
    """
    table = draft.table
    for _ in range(new.agents):
        _seat_agent(table, new.level)
    if new.deal is not None:
        _begin_privately(draft, new.deal)
        return
    for seat in table.seats:
        if seat.user_id is not None:
            draft.seat_taken(seat.user_id, NO_SEAT)
    table.body.expires = draft.host_time + _LOBBY_ENDS
    draft.schedule(REDRAW, draft.now + _UNSEEN)


def _in_lobby(draft: Draft) -> Table:
    """The table, if its seats may still be changed. Raises `Refused` otherwise."""
    if draft.table.status != "lobby":
        raise no_lobby(draft.table)
    if draft.table.starting:
        raise Refused("starting")
    return draft.table


def no_lobby(table: Table) -> Refused:
    """The refusal of a press that belongs to a lobby: the match has started or is over, or the lobby was closed."""
    if table.live:
        return Refused("started")
    return Refused("lobby-over" if table.state is None else "match-over")


def check_host(table: Table, user_id: int) -> None:
    """Raises `Refused` unless this person hosts the table."""
    if user_id != table.body.host_id:
        raise Refused("host-only", host=table.body.host_id)


def join(draft: Draft, user_id: int, name: str) -> None:
    """Seats a person on the next free seat. Agents hold seats too, and do not make room.

    For the time `SEATS_KEPT`, a seat is kept for each awaited person.
    """
    table = _in_lobby(draft)
    if table.seat_of(user_id) is not None:
        raise Refused("already-joined")
    free = table.game.max_seats - len(table.seats)
    if free <= 0:
        raise Refused("table-full", seats=table.game.max_seats)
    awaited, kept_until = table.awaited(), table.created_at + SEATS_KEPT
    if user_id not in awaited and free <= len(awaited) and draft.now < kept_until:
        raise Refused("seats-kept", again=kept_until)
    table.seats.append(Seat(clean_name(name), user_id))
    draft.seat_taken(user_id, NO_SEAT)
    draft.touch()


def decline(draft: Draft, user_id: int) -> None:
    """Records that a person who was asked to join does not want to. Their kept seat is then free for others.

    The lobby message stays the same.
    """
    table = _in_lobby(draft)
    if user_id not in table.expected():
        raise Refused("already-seated" if table.seat_of(user_id) is not None else "not-asked")
    if user_id not in table.body.declined:
        table.body.declined.append(user_id)
        draft.declined.append(user_id)
        draft.touched = True


def set_limit(draft: Draft, user_id: int, limit: int | None) -> None:
    """Sets the turn limit, in seconds, for the host. Setting the present value changes nothing."""
    table = _settable(draft, user_id)
    if limit not in TURN_LIMITS.values():
        raise Refused("unknown")
    if limit != table.body.limit:
        table.body.limit = limit
        draft.log_event("limit-set", limit=limit)
        draft.touch()


def set_pace(draft: Draft, user_id: int, pace: str) -> None:
    """Sets the pace of the agents for the host, a key of `PACES`. Setting the present value changes nothing."""
    table = _settable(draft, user_id)
    if pace not in PACES:
        raise Refused("unknown")
    if pace != table.body.pace:
        table.body.pace = pace
        draft.touch()


def set_hints(draft: Draft, user_id: int, allowed: bool) -> None:
    """Sets for the host whether people may take hints. Setting the present value changes nothing."""
    table = _settable(draft, user_id)
    if allowed != table.hints:
        table.body.hints = allowed
        draft.touch()


def set_option(draft: Draft, user_id: int, name: str, value: str | None) -> None:
    """Sets an option of the game for the host; None resets the option to its default.

    Setting the present value changes nothing. Raises `Refused("unknown")` for an option or value that the game lacks.
    """
    table = _settable(draft, user_id)
    if table.body.same_of is not None or table.body.same:
        raise Refused("same-settings")
    options = {key: each for key, each in table.body.options.items() if key != name}
    if value is not None:
        options[name] = value
    try:
        table.game.load_options(options)
    except BadData:
        raise Refused("unknown") from None
    if options != table.body.options:
        table.body.options = options
        draft.log_event("option-set", name=name, value=value)
        draft.touch()


def check_settable(table: Table, user_id: int) -> None:
    """Raises `Refused` unless this person may change the settings now."""
    if table.under_way or table.starting:
        raise Refused("settings-late")
    if not table.live:
        raise no_lobby(table)
    check_host(table, user_id)


def _settable(draft: Draft, user_id: int) -> Table:
    check_settable(draft.table, user_id)
    return draft.table


def leave_lobby(draft: Draft, user_id: int) -> None:
    """Removes a person from the lobby. If the host leaves, the next person hosts. A lobby without people closes."""
    table = _in_lobby(draft)
    number = table.seat_of(user_id)
    if number is None:
        raise Refused("not-joined")
    del table.seats[number]
    if table.people():
        hand_over(table, user_id, number)
    else:
        close_lobby(draft, "lobby-empty")
    draft.touch()


def _seat_agent(table: Table, level: str) -> None:
    if len(table.seats) >= table.game.max_seats:
        raise Refused("table-full", seats=table.game.max_seats)
    table.seats.append(Seat(_agent_name(seat.name for seat in table.seats), agent=level))


def _agent_name(taken: Iterable[str]) -> str:
    """A name for an agent that is not similar to any name at the table."""
    held = {likeness(name) for name in taken}
    rounds = itertools.count(1)
    names = (name if number == 1 else f"{name} {number}" for number in rounds for name in AGENT_NAMES)
    return next(name for name in names if likeness(name) not in held)


def play_again(old: Table, user_id: int, name: str) -> tuple[list[Seat], list[int]]:
    """The seats of the lobby that this person opens by Play Again, and the people who are asked to join.

    Only the person and the agents from the start of the match are seated; nobody else is seated unasked. The people who
    sat there to the end are asked. An agent in the seat of a person who left is not seated: the seat stays free.
    """
    others = [seat for seat in old.seats if seat.user_id not in (None, user_id)]
    names = [clean_name(name), *(seat.name for seat in others)]
    seats = [Seat(names[0], user_id)]
    for seat in old.seats:
        if seat.user_id is None and seat.left_by is None and seat.agent in old.game.agents:
            seats.append(Seat(_agent_name([*names, *(other.name for other in seats)]), agent=seat.agent))
    return seats, [seat.user_id for seat in others if seat.user_id is not None]


def may_play_again(old: Table, user_id: int, sat: int | None) -> bool:
    """Whether this person played in that match, even if they left it. `sat` is their seat according to the store."""
    return sat not in (None, NO_SEAT) or any(user_id in (seat.user_id, seat.left_by) for seat in old.seats)


def set_agents(draft: Draft, user_id: int, levels: Sequence[str]) -> None:
    """Has an agent of each of these levels at the table, for the host; agents that stay keep name and seat."""
    table = _in_lobby(draft)
    check_host(table, user_id)
    if not {*levels} <= {*table.game.agents}:
        raise Refused("unknown")  # the press comes from a menu of an older version
    agents = [seat for seat in table.seats if seat.user_id is None]
    for seat in agents[len(levels) :]:
        table.seats.remove(seat)
    for seat, level in zip(agents, levels, strict=False):
        seat.agent = level
    for level in levels[len(agents) :]:
        _seat_agent(table, level)
    draft.touch()


def may_start_alone(table: Table) -> bool:
    """Whether the host of a lobby may start at once, against a Novice: nobody else sits here or is asked to."""
    alone = table.status == "lobby" and len(table.seats) == 1 and table.body.same_of is None
    return alone and not table.expected() and table.game.min_seats == 2 and USUAL in table.game.agents


def seat_novice(draft: Draft, user_id: int) -> None:
    """Seats the Novice against whom the host starts alone. Raises `Stale` if somebody has joined meanwhile."""
    if (
        draft.table.status == "lobby" and not draft.table.starting
    ):  # else `freeze` says so, or has been called
        if not may_start_alone(draft.table):
            raise Stale
        set_agents(draft, user_id, [USUAL])


def add_word(draft: Draft, user_id: int, word: str) -> None:
    """Sets the word of a seated person, which enters the shuffle (docs/fairness.md)."""
    if draft.table.starting or draft.table.under_way:
        raise Refused("word-late")
    table = _in_lobby(draft)
    number = table.seat_of(user_id)
    if number is None:
        raise Refused("not-joined")
    if table.body.same_of is not None:
        raise Refused("same-words")
    table.seats[number].word = plain(word, WORD_LENGTH)
    draft.touch()


def check_start(table: Table, user_id: int) -> None:
    """Raises `Refused` unless this person may start the match now."""
    if table.status != "lobby":
        raise no_lobby(table)
    check_host(table, user_id)
    if len(table.seats) < table.game.min_seats:
        raise Refused("too-few", seats=table.game.min_seats)
    try:
        table.game.load_options(table.body.options)
    except BadData:  # the bot was restarted without the operator's data that the options name
        raise Refused("option-gone") from None


def freeze(draft: Draft, user_id: int, first: Table | None = None, *, hiding: Sequence[int] = ()) -> None:
    """Starts the match for the host: freezes seats, settings and words. A repetition has no effect.

    The start message may be posted only once this is durable, so that nobody who sees the message's id can still choose
    the deal. `first` is the table whose deal it has, if it has that of another one. `hiding` are the seats whose
    results are not to be stored (`results.hiding_seats`): no one can choose that for a match under way.
    """
    table, body = draft.table, draft.table.body
    check_start(table, user_id)
    if table.starting:
        return
    if first is not None and len(first.seats) != len(table.seats):
        raise Refused("same-seats", seats=len(first.seats))
    body.scheme = SCHEME if first is None else SAME_DEAL
    body.starts += 1
    body.sitters = [seat.kind for seat in body.seats]
    body.hiding = [*hiding]
    words = [(f"seat {n}", plain(seat.word, WORD_LENGTH)) for n, seat in enumerate(body.seats, 1)]
    body.contributions = [(source, word) for source, word in words if word]
    if first is not None:
        body.contributions = first.body.contributions.copy()
    draft.touched = True


def thaw(draft: Draft) -> None:
    """Undoes the freeze, once it is certain that Discord has not accepted the start message."""
    if draft.table.starting:
        draft.table.body.sitters, draft.table.body.hiding = [], None
        draft.table.body.contributions = []
        draft.touch()
        if not draft.table.people():  # the people have had their data deleted meanwhile
            close_lobby(draft, "lobby-empty")


def begin(draft: Draft, start_message: int) -> None:
    """Begins a match whose seats are frozen. The start message's id, which nobody could foresee, enters the shuffle."""
    table, body = draft.table, draft.table.body
    assert table.starting
    if body.scheme != SAME_DEAL:
        body.contributions = [("start", str(start_message)), *body.contributions]
    body.messages.start = body.messages.board = start_message
    _deal(draft)
    body.expires = None
    body.guests, body.declined = [], []  # guests who did not join in time are not stored
    draft.touch()
    rest(draft)  # if the only person has had their data deleted since the freeze, nobody is there


def _begin_privately(draft: Draft, deal: Deal) -> None:
    """Begins a private match, which ends by itself after a while."""
    body = draft.table.body
    body.scheme, body.opens, body.beat, body.script = deal.scheme, deal.opens, deal.beat, [*deal.script]
    body.contributions = [(source, value) for source, value in deal.contributions]
    body.sitters = [seat.kind for seat in body.seats]
    _deal(draft)
    body.expires = draft.host_time + deal.lasts
    if deal.day is not None:
        draft.attempt = body.host_id, deal.day, deal.server
    draft.touch()


def _deal(draft: Draft) -> None:
    """Sets the match up from its seed and contributions."""
    table, body = draft.table, draft.table.body
    key = match_key(bytes.fromhex(body.host_seed), table.contributions)
    table.state = table.game.new(len(body.seats), table.game.load_options(body.options), key)
    body.rules = table.game.version
    table.status = "playing"
    for number, seat in enumerate(body.seats):
        if seat.user_id is not None:
            draft.seat_taken(seat.user_id, NO_SEAT if table.is_lesson else number)  # no match that was played
    draft.record(table.game.opening(table.state))
    wait(draft)
