"""The data stored about one person, and its deletion."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, Final, cast

from bot.store.model import TableRow
from bot.store.store import Repositories
from bot.tables import lobby, seats
from bot.tables.draft import Draft
from bot.tables.ending import abandon
from bot.tables.model import NO_SEAT, SUBSTITUTE, Body, read_body, write_body
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from engine.errors import BadData

_BLANKS: Final[dict[str, Any]] = {"answers": {}, "presses": [], "letters": {}, "reviews": {}}
"""Empty values of the members of a body that hold premoves, the presses that made them, letters, and reviews."""

NOBODY: Final = "—"
"""The name of a forgotten person in stored matches."""


async def is_named(store: Repositories, user_id: int) -> bool:
    """Whether anything stored besides tables, requests to be forgotten and blocks names this person."""
    return bool(
        ("person", user_id) in await store.text_only()
        or await store.results.of_person(user_id)
        or await store.daily.attempts_of(user_id)
        or await store.choices.of("person", user_id)
        or await store.wishes.of_person(user_id)
        or await store.guests.of_person(user_id)
    )


async def forget(tables: Tables, user_id: int) -> None:
    """Removes a person from every match: from live ones by an agent in their seat, from lobbies, and from all names.

    Their moves stay as the moves of a seat. A word that they gave to a match that has started stays too, because
    nobody could check the shuffle without the word; nothing links the word to the person. The numbers of their results
    stay without them, because the ratings of others follow from these numbers. Raises `StoreError` if a
    write failed. Earlier deletions stay, and the next call deletes the rest. `bot.people.privacy.erasures` makes this
    call, and wipes the remains from the bytes of the file.
    """
    await tables.store.set_text_only("person", user_id, False)
    # First, because a wish can still lead to a seat.
    await tables.store.wishes.forget_person(user_id)
    for table_id in await tables.store.tables_naming(user_id):
        await _forget_at(tables, table_id, user_id)
    # Last, because a match may have ended meanwhile.
    await tables.store.results.forget_person(user_id)
    await tables.store.daily.forget_person(user_id)
    await tables.store.guests.forget_person(user_id)
    await tables.store.choices.forget(user_id)


async def _forget_at(tables: Tables, table_id: int, user_id: int) -> None:
    sat = await tables.store.seat_of(table_id, user_id)

    def blot(draft: Draft) -> None:
        if sat is not None or names(draft.table.body, user_id):
            _leave(draft, user_id, sat)
            _blot(draft.table.body, user_id, sat, ended=not draft.table.live)
            draft.touch_at_once()

    try:
        await tables.apply(table_id, blot)
    except Refused:  # the table cannot be read, or has just been purged
        await _blot_row(tables, table_id, user_id)
    await tables.store.forget(user_id, table_id)


def names(body: Body, user_id: int) -> bool:
    """Whether this person's id occurs anywhere in a table's body."""
    return (
        user_id in (body.host_id, body.ended_by)
        or user_id in (*body.guests, *body.declined, *body.messages.letters)
        or any(user_id in (seat.user_id, seat.left_by) for seat in body.seats)
        or any(user_id == each.user_id for each in body.earlier)
    )


def _leave(draft: Draft, user_id: int, sat: int | None) -> None:
    table = draft.table
    number = table.seat_of(user_id)
    seated = number is not None
    if table.starting and seated:
        # Seats are frozen, so an agent takes this one. Its hand has not been seen yet.
        table.seats[number].user_id, table.seats[number].agent = None, SUBSTITUTE
        table.seats[number].left_by = user_id
        table.seats[number].is_here()
        seats.hand_over(table, user_id, number)
    elif table.status == "lobby" and seated:
        lobby.leave_lobby(draft, user_id)
    if not table.under_way:
        return
    seal = table.body.seal(user_id)
    if sat not in (None, NO_SEAT) and seal not in table.body.forgotten:
        # They have seen a hand. Until the match ends, a seal that hides who they are prevents them from taking other
        # seats.
        table.body.forgotten.append(seal)
    if seated:
        seats.leave(draft, user_id)
        if table.is_private:
            abandon(draft, "host")


def _blot(body: Body, user_id: int, sat: int | None, *, ended: bool = False) -> None:
    for number, seat in enumerate(body.seats):
        if number == sat and body.contributions:
            seat.word = ""  # another person may hold the seat by now; the word stays among the contributions
        if user_id not in (seat.user_id, seat.left_by):
            continue
        if seat.user_id == user_id:
            body.forget_answers(number)
        body.reviews.pop(number, None)
        seat.forget_hints()
        seat.name = NOBODY
        seat.word = ""
        if seat.user_id == user_id:
            seat.user_id = None
            if not ended:  # after the end, the seat stays that of a person who played to the end
                seat.agent = seat.agent or SUBSTITUTE
        seat.left_by = None
    body.messages.letters.pop(user_id, None)
    body.guests = [guest for guest in body.guests if guest != user_id]
    body.declined = [guest for guest in body.declined if guest != user_id]
    body.earlier = [
        replace(each, name=NOBODY, user_id=None) if each.user_id == user_id else each for each in body.earlier
    ]
    if body.host_id == user_id:
        body.host_id = 0
    if body.ended_by == user_id:
        body.ended_by = None
    if body.thread is not None:
        body.thread.offer = 0  # perhaps the id of a command of theirs


# -- tables that this version cannot read


async def _blot_row(tables: Tables, table_id: int, user_id: int) -> None:
    """Removes a person from the row of a table, whatever the form of the body is."""

    def blot(row: TableRow) -> None:
        row.body = blotted(row.body, user_id)

    try:
        await tables.rewrite(table_id, blot)
    except Refused:
        return  # the table has just been purged


def blotted(text: str, user_id: int) -> str:
    """A body's text without this person, even if this version cannot read the body or the text is not JSON."""
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
    """JSON data without this person's id, without premoves and reviews.

    An object that contains the id also loses its name and its word.
    """
    if isinstance(data, list):
        return [_without(each, user_id) for each in cast("list[Any]", data)]
    if isinstance(data, dict):
        named = cast("dict[str, Any]", data)
        clean = {key: _without(value, user_id) for key, value in named.items()}
        if any(named.get(key) == user_id for key in ("user_id", "left_by")):
            clean |= {key: blot for key, blot in (("name", NOBODY), ("word", "")) if key in named}
            clean |= {key: None for key in ("user_id", "left_by") if named.get(key) == user_id}
        # The seats of these cannot be determined here. The match can ask for the decisions again, and people can ask
        # for their reviews.
        clean |= {key: blank for key, blank in _BLANKS.items() if key in named}
        return {_number(user_id).sub("0", key): value for key, value in clean.items()}
    if isinstance(data, str):
        return _number(user_id).sub("0", data)
    return 0 if data == user_id and not isinstance(data, bool) else data


def _blot_damaged(text: str, user_id: int) -> str:
    """A body's text without this person, if it is truncated or is not JSON for another reason."""

    def blot(found: re.Match[str]) -> str:
        part = found[0]
        if not _number(user_id).search(part):
            return part
        return re.sub(r'("(?:name|word)"\s*:\s*)"(?:[^"\\]|\\.)*"?', r'\1""', part)

    text = re.sub(r'("presses"\s*:\s*)\[[^\]]*\]?', r"\1[]", re.sub(r'("press"\s*:\s*)\d+', r"\g<1>0", text))
    text = re.sub(r'("letters"\s*:\s*)\{[^{}]*\}?', r"\1{}", text)
    text = re.sub(r'("reviews"\s*:\s*)\{.*', r"\1{}", text, flags=re.DOTALL)  # the last member of a body
    return _number(user_id).sub("0", re.sub(r"\{[^{}]*\}?", blot, text))


def _number(user_id: int) -> re.Pattern[str]:
    """A pattern that finds an id as a whole number, not as a part of a longer one."""
    return re.compile(rf"(?<!\d){user_id}(?!\d)")
