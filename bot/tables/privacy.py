"""What is kept about one person, and how it goes."""

from __future__ import annotations

import json
import re
from typing import Any, Final, cast

from bot.store.base import TableRow
from bot.tables import lobby, seats
from bot.tables.draft import Draft
from bot.tables.model import STAND_IN, Body, read_body, write_body
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from engine.errors import BadData

NOBODY: Final = "—"
"""What a forgotten person is called in matches that stay."""


async def kept_about(tables: Tables, user_id: int) -> list[TableRow]:
    """The matches in which this person is kept, newest first, without snapshots."""
    return await tables.store.tables_of(user_id)


async def forget(tables: Tables, user_id: int) -> None:
    """Takes a person out of every match: a live seat goes to an agent, a lobby's is left, names are blotted out.

    What they did stays, as a seat's moves. So does a word that they gave to a match that has started: without it
    nobody could check the shuffle; nothing tells any more whose it was. Raises `StoreError`; what was forgotten
    until then is, and the rest goes when this is called again. `bot.tables.erasures` sees to that, and to what is
    left in the bytes of the file.
    """
    for table_id in await tables.store.tables_naming(user_id):
        sat = await tables.store.seat_of(table_id, user_id)
        try:
            async with tables.change(table_id) as draft:
                if sat is not None or names(draft.table.body, user_id):
                    _leave(draft, user_id, sat)
                    _blot(draft.table.body, user_id, sat)
                    draft.touch()
        except Refused:  # it cannot be read, or was purged just now
            await _blot_row(tables, table_id, user_id)
        await tables.store.forget(user_id, table_id)


def names(body: Body, user_id: int) -> bool:
    """Whether this person stands anywhere in what is kept of a table."""
    return body.host_id == user_id or any(user_id in (seat.user_id, seat.left_by) for seat in body.seats)


def _leave(draft: Draft, user_id: int, sat: int | None) -> None:
    table = draft.table
    number = table.seat_of(user_id)
    seated = number is not None
    if table.starting and seated:
        # Seats are frozen: an agent takes this one, and no hand of it has been seen.
        table.seats[number].user_id, table.seats[number].agent = None, STAND_IN
        table.seats[number].left_by = user_id
        seats.hand_over(table, user_id, number)
    elif table.status == "lobby" and seated:
        lobby.leave_lobby(draft, user_id)
    if not table.under_way:
        return
    seal = table.seal(user_id)
    if sat not in (None, lobby.IN_LOBBY) and seal not in table.body.forgotten:
        # They have seen a hand. A seal, which does not tell who they are, keeps them from others while it lasts.
        table.body.forgotten.append(seal)
    if seated:
        seats.leave(draft, user_id)


def _blot(body: Body, user_id: int, sat: int | None) -> None:
    for number, seat in enumerate(body.seats):
        if number == sat and body.contributions:
            seat.word = ""  # of a seat that others hold by now: it stays among the contributions
        if user_id not in (seat.user_id, seat.left_by):
            continue
        seat.name = NOBODY
        seat.word = ""
        if seat.user_id == user_id:
            seat.user_id = None
            seat.agent = seat.agent or STAND_IN
        seat.left_by = None
    if body.host_id == user_id:
        body.host_id = 0


# -- tables that this version cannot read


async def _blot_row(tables: Tables, table_id: int, user_id: int) -> None:
    """Takes a person out of the row of a table, whatever form it has."""

    def blot(row: TableRow) -> None:
        row.body = blotted(row.body, user_id)

    try:
        await tables.rewrite(table_id, blot)
    except Refused:
        return  # it was purged just now


def blotted(text: str, user_id: int) -> str:
    """A body's text without this person, also one of a form that is not known here, or that is no JSON at all."""
    try:
        body = read_body(text)
    except BadData:
        return _blot_unread(text, user_id)
    _blot(body, user_id, None)
    return write_body(body)


def _blot_unread(text: str, user_id: int) -> str:
    try:
        data = json.loads(text)
    except ValueError:
        return _blot_damaged(text, user_id)
    return json.dumps(_without(data, user_id), ensure_ascii=False, separators=(",", ":"))


def _without(data: Any, user_id: int) -> Any:
    """JSON data without this person's id; what stands beside it in an object loses its name and its word."""
    if isinstance(data, list):
        return [_without(each, user_id) for each in cast("list[Any]", data)]
    if isinstance(data, dict):
        named = cast("dict[str, Any]", data)
        clean = {key: _without(value, user_id) for key, value in named.items()}
        if any(named.get(key) == user_id for key in ("user_id", "left_by")):
            clean |= {key: blot for key, blot in (("name", NOBODY), ("word", "")) if key in named}
            clean |= {key: None for key in ("user_id", "left_by") if named.get(key) == user_id}
        return {_number(user_id).sub("0", key): value for key, value in clean.items()}
    if isinstance(data, str):
        return _number(user_id).sub("0", data)
    return 0 if data == user_id and not isinstance(data, bool) else data


def _blot_damaged(text: str, user_id: int) -> str:
    """The same for a text that breaks off, or is no JSON for another reason."""

    def blot(found: re.Match[str]) -> str:
        part = found[0]
        if not _number(user_id).search(part):
            return part
        return re.sub(r'("(?:name|word)"\s*:\s*)"(?:[^"\\]|\\.)*"?', r'\1""', part)

    return _number(user_id).sub("0", re.sub(r"\{[^{}]*\}?", blot, text))


def _number(user_id: int) -> re.Pattern[str]:
    """Finds an id as a number of its own, and not as a part of another."""
    return re.compile(rf"(?<!\d){user_id}(?!\d)")
