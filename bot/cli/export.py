"""`digsite export`: all stored data about one person, as JSON. docs/operating/people.md documents the format.

The export contains nothing about other people and no hidden card: no hands, no seeds, and no name, word or move of
another seat. If several people held a seat in succession, it contains only the moves that are certainly this person's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final, cast

from bot.app.controls import BLOCKED, read_blocked
from bot.cli.cogs import LoadCogs
from bot.cli.forget import NoUserId, read_user_id
from bot.clock import SystemClock
from bot.people.privacy.stored_data import names
from bot.settings import Settings
from bot.store.backends import Backend, backend_of
from bot.store.model import AttemptRow, GuestRow, LogRow, MoveRow, ResultRow, TableRow, Wish
from bot.store.store import StoreReader
from bot.tables.daily import date_of
from bot.tables.model import NO_SEAT, NOWHERE, Body, Seat, read_body
from engine.errors import BadData

FORM: Final = 1
"""The version of the export's format."""

TOOK_OVER: Final = "took-over"
"""The event of a person taking over a seat from another person or an agent."""

Data = dict[str, Any]


def command(settings: Settings, chosen: argparse.Namespace, _load_cogs: LoadCogs) -> int:
    """Prints all stored data about a person. Returns the exit status."""
    try:
        print(asyncio.run(export(backend_of(settings), read_user_id(chosen.user), SystemClock().now())))
    except NoUserId as error:
        print(error, file=sys.stderr)
        return 2
    return 0


async def export(place: Backend, user_id: int, now: float) -> str:
    """All data about this person in the store, as JSON. Raises `StoreError`."""
    async with place.reading() as store:
        downtime = float(await store.fact("downtime") or 0)
        blocked = read_blocked(await store.fact(BLOCKED))["person"].get(user_id)
        data: Data = {
            "form": FORM,
            "user_id": str(user_id),
            "exported_at": _time(now),
            "matches": [match async for match in _matches(store, user_id, downtime)],
            "blocked_since": _time(blocked) if blocked is not None else None,
            "text_only": ("person", user_id) in await store.text_only(),
            "results": [_result(row) for row in await store.results.of_person(user_id)],
            "daily_deals": [_attempt(row) for row in await store.daily.attempts_of(user_id)],
            "choices": await store.choices.of("person", user_id),
            "wishes": [_wish(wish) for wish in await store.wishes.of_person(user_id)],
            "asked_to_lobbies": [_guest(row, user_id) for row in await store.guests.of_person(user_id)],
            "requests_to_be_forgotten": [
                _time(each.asked_at) for each in await store.erasures.pending() if each.user_id == user_id
            ],
        }
    return json.dumps(data, indent=2)  # ASCII, because a name may contain control characters


async def _matches(store: StoreReader, user_id: int, downtime: float) -> AsyncIterator[Data]:
    for table_id in await _known_at(store, user_id):
        row = await store.table(table_id)
        assert row is not None
        sat = await store.seat_of(table_id, user_id)
        try:
            body = read_body(row.body)
        except BadData:
            yield {**_match(row), **_unread(row.body, user_id), "seat": _from_one(sat)}
            continue
        if sat is None and not names(body, user_id) and body.seal(user_id) not in body.forgotten:
            continue  # the digits are part of another number
        own = _Participation(body, user_id, sat, await store.log(table_id))
        yield {
            **_match(row),
            "opened": await store.opener_of(table_id) == user_id,
            **_place(own),
            "asked": _asked(own, downtime),
            "answered_ahead": _premoves(own),
            "messages_with_the_name": _messages(own),
            **own.moves(await store.moves(table_id)),
            "events": own.events(),
            "review": own.body.reviews.get(own.number) if own.number is not None else None,
        }


async def _known_at(store: StoreReader, user_id: int) -> list[int]:
    """The tables that may contain data about this person.

    They contain the id, or the seal (a keyed hash of the id) that a deletion leaves.
    """
    named = set(await store.tables_naming(user_id))
    for row in await store.live_tables():
        try:
            body = read_body(row.body)
        except BadData:
            continue
        if body.seal(user_id) in body.forgotten:
            named.add(row.id)
    return sorted(named)


class _Participation:
    """A table's data about one person.

    The store records the seat of a move, not the person, and the times at which a seat passed to another person. If the
    seat passed once, the moves of both people can be separated; if it passed more often, only those of the last person.
    """

    def __init__(self, body: Body, user_id: int, sat: int | None, log: Sequence[LogRow]) -> None:
        self.body, self.user_id = body, user_id
        self.number, self.seat = _seat(body, user_id)
        self.sat = sat if sat != NO_SEAT else self.number if body.script else None
        self._events = [
            (row, event)
            for row in log
            if row.source == "table" and (event := json.loads(row.event))["seat"] == self.sat
        ]
        self._changes = [row.sequence for row, event in self._events if event["kind"] == TOOK_OVER]
        """By change of the seat's holder: the number of moves made before the change."""
        self._turn = self._whose_turn()

    def _whose_turn(self) -> int | None:
        """This person's index among all holders of the seat; None if unknown."""
        if self.sat is None:
            return None
        if self.number == self.sat:
            return len(self._changes)
        return 0 if len(self._changes) == 1 else None

    @property
    def word(self) -> str | None:
        """The person's lucky word, even if another person has the seat now."""
        started = any(source == "start" for source, _word in self.body.contributions)
        if self.seat is not None and not started:
            return self.seat.word or None
        own = f"seat {self.sat + 1}" if self.sat is not None and self._turn == 0 else None
        return next((word for source, word in self.body.contributions if source == own), None)

    def moves(self, moves: Sequence[MoveRow]) -> Data:
        pressed = [move for move in moves if move.seat == self.sat and move.interaction_id is not None]
        first = [0, *self._changes]
        own: list[MoveRow] = []
        if self._turn is not None:
            until = [*self._changes, len(moves)]
            own = [move for move in pressed if first[self._turn] < move.sequence <= until[self._turn]]
        # The last holder may have held the seat before, so some of the other moves may be that person's too.
        known = self._turn == 0
        entries = [
            {
                "number": move.sequence,
                "at": _time(move.at),
                "interaction_id": str(move.interaction_id),
                "move": json.loads(move.move),
            }
            for move in own
        ]
        return {"moves": entries, "moves_not_told_apart": 0 if known else len(pressed) - len(own)}

    def events(self) -> list[Data]:
        """The log's events about the person, without moves."""
        entries: list[Data] = []
        turn = 0
        for row, event in self._events:
            turn += event["kind"] == TOOK_OVER
            if turn == self._turn:
                entries.append({"at": _time(row.at), "what": event["kind"]})
        return entries


def _seat(body: Body, user_id: int) -> tuple[int | None, Seat | None]:
    """The seat that this person holds, or has left and may return to, with its number."""
    for number, seat in enumerate(body.seats):
        if user_id in (seat.user_id, seat.left_by):
            return number, seat
    return None, None


# -- the parts


def _match(row: TableRow) -> Data:
    return {
        "match": row.id,
        "game": row.game,
        "server_id": str(row.guild_id) if row.guild_id else None,
        "channel_id": None if row.channel_id == NOWHERE else str(row.channel_id),
        "status": row.status,
        "opened_at": _time(row.created_at),
        "changed_at": _time(row.changed_at),
        "ended_at": _time(row.ended_at),
    }


def _result(row: ResultRow) -> Data:
    ratings = {"rating_before": row.before, "rating_after": row.after}
    return {
        "server_id": str(row.guild_id),
        "match": row.table_id,
        "game": row.game,
        "season": row.season,
        "ended_at": _time(row.ended_at),
        "seat": row.seat + 1,
        "place": row.place,
        "score": row.score,
        "feats": json.loads(row.feats) if row.feats else {},
        **{name: None if each is None else each._asdict() for name, each in ratings.items()},
    }


def _wish(wish: Wish) -> Data:
    return {
        "server_id": str(wish.guild_id),
        "channel_id": str(wish.channel_id),
        "interaction_id": str(wish.id),
        "game": wish.game,
        "seats": wish.seats,
        "mode": wish.mode,
        "since": _time(wish.since),
        "ends": _time(wish.ends),
        "match": wish.table_id,
    }


def _guest(row: GuestRow, user_id: int) -> Data:
    """A request to join a lobby, without the other person; of a request to another one also without the answer."""
    data: Data = {"match": row.table_id, "asked_at": _time(row.at), "asked_by_you": row.user_id != user_id}
    if row.user_id != user_id:
        return data
    return {**data, "notified": row.notified, "declined_at": _time(row.declined_at)}


def _attempt(row: AttemptRow) -> Data:
    return {
        "day": date_of(row.day).isoformat(),
        "server_id": str(row.guild_id) if row.guild_id else None,
        "match": row.table_id,
        "score": row.score,
    }


def _place(own: _Participation) -> Data:
    body, user_id, seat = own.body, own.user_id, own.seat
    return {
        "seat": _from_one(own.sat if own.number is None else own.number),
        "sits_there": seat is not None and seat.user_id == user_id,
        "may_come_back": seat is not None and seat.left_by == user_id,
        "hosts": body.host_id == user_id,
        "ended_the_match": body.ended_by == user_id,
        "name": seat.name if seat else next((e.name for e in body.earlier if e.user_id == user_id), None),
        "lucky_word": own.word,
        "away": seat.away if seat else False,
        "on_holiday_until": _time(seat.holiday if seat and seat.user_id == user_id else None),
        "turns_missed": seat.missed if seat else 0,
        "hints_taken_in_the_seat": len(seat.hinted) if seat else 0,
        "hints_followed_in_the_seat": len(seat.followed) if seat else 0,
        "hints_not_followed_in_the_seat": [*map(json.loads, seat.unfollowed.values())] if seat else [],
        "newest_hint_in_the_seat": json.loads(seat.advised[1]) if seat and seat.advised else None,
        "wishes_to_end": own.number in body.end_votes,
        "asked_to_join": user_id in body.guests and not body.matched,
        "declined": user_id in body.declined,
        "kept_from_other_seats": body.seal(user_id) in body.forgotten,
    }


def _asked(own: _Participation, downtime: float) -> Data | None:
    asked = None if own.number is None else own.body.asked.get(own.number)
    if asked is None or own.seat is None or own.seat.user_id != own.user_id:
        return None
    return {
        "since": _time(asked.at + downtime),
        "until": _time(asked.deadline + downtime if asked.deadline is not None else None),
        "reminded": asked.reminded,
        "agent_answers": asked.substitute,
        "silent": asked.silent,
    }


def _premoves(own: _Participation) -> list[Data]:
    """The person's stored premoves, and the presses of those taken back."""
    if own.number is None or own.seat is None or own.seat.user_id != own.user_id:
        return []
    answers, expected = own.body.answers.get(own.number, []), own.body.expected.get(own.number)
    waiting = [(answer.press, answer.move) for answer in answers]
    gone = {*(expected.presses if expected else ())} - {answer.press for answer in answers}
    return [
        {"interaction_id": str(press), "move": move}
        for press, move in (*waiting, *((press, None) for press in sorted(gone)))
    ]


def _messages(own: _Participation) -> dict[str, str]:
    """The ids of the bot's messages that show or mention the person."""
    if own.seat is None:
        return {}
    kept = own.body.messages
    ids = {"lobby": kept.lobby, "table": kept.board, "result": kept.result}
    if own.number in kept.called:
        ids["announcement"] = kept.announcement
    if own.user_id in kept.letters:
        _channel, ids["direct_message"] = kept.letters[own.user_id]
    if (thread := own.body.thread) is not None:
        if own.body.host_id == own.user_id:
            ids["thread"] = thread.starter
        ids["result_in_channel"] = thread.parent_result or None
    return {name: str(message) for name, message in ids.items() if message is not None}


def _unread(text: str, user_id: int) -> Data:
    """The names and words beside the person's id in a body that this version cannot read."""
    found: list[Data] = []

    def look(data: Any) -> None:
        if isinstance(data, dict):
            named = cast("Data", data)
            if user_id in (named.get("user_id"), named.get("left_by")):
                found.append({key: named[key] for key in ("name", "word") if key in named})
            data = list(named.values())
        if isinstance(data, list):
            for each in cast("list[Any]", data):
                look(each)

    try:
        look(json.loads(text))
    except ValueError:
        return {"readable": False}
    return {"readable": False, "beside_the_id": found}


def _from_one(seat: int | None) -> int | None:
    return None if seat is None or seat == NO_SEAT else seat + 1


def _time(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
