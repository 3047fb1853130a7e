"""Matchmaking: people on a server wait for others to play with, and are seated together in a lobby.

The choice of the people who are seated together is pure: it uses no store and no clock.

A wish is stored before its person is told that they wait. The transaction that creates the lobby takes the wishes, so
that two processes never seat one person twice. Only when the lobby's message is posted are the wishes deleted: if it
cannot be posted, or the process is killed before, the people go on waiting.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Final, NamedTuple

from bot.observability.context import mark_durable
from bot.ratings import NEW
from bot.store.model import Candidate, Mode, Wish
from bot.tables.draft import Draft
from bot.tables.ending import close_lobby
from bot.tables.lobby import NewTable
from bot.tables.messages import Place
from bot.tables.model import DAY, MINUTE, TURN_LIMITS, Seat, Table
from bot.tables.refusals import Refused
from bot.tables.service import Tables


class Pairing(NamedTuple):
    """A match that suits all of these people, who are in the order in which they asked."""

    game: str
    wishes: tuple[Wish, ...]


class _Option(NamedTuple):
    """A possible match. `spread` is the difference between the highest and the lowest skill."""

    game: str
    people: tuple[Candidate, ...]
    spread: float


def pair(own: Candidate, others: Iterable[Candidate], seats: Mapping[str, tuple[int, int]]) -> Pairing | None:
    """The match for this person among the others; None if too few of their wishes fit.

    `seats` has the least and the greatest number of players of each game, in the order in which games are preferred.
    The match has as many players as the wishes allow. If more people fit than are needed, those are chosen whose skills
    (the means of their ratings) are nearest to each other.
    """
    fitting = [each for each in others if each.wish.mode == own.wish.mode]
    options = [
        option
        for game, (least, most) in seats.items()
        for size in range(max(2, least), most + 1)
        if (option := _option(own, fitting, game, size)) is not None
    ]
    if not options:
        return None
    best = max(options, key=lambda option: (len(option.people), -option.spread))  # of equal ones, the first
    wishes = sorted((each.wish for each in best.people), key=lambda wish: (wish.since, wish.id))
    return Pairing(best.game, tuple(wishes))


def _option(own: Candidate, others: Sequence[Candidate], game: str, size: int) -> _Option | None:
    """The match of this game with this number of players whose skills are nearest to each other."""
    if not _suits(own.wish, game, size):
        return None
    fitting = [own, *(each for each in others if _suits(each.wish, game, size))]
    fitting.sort(key=lambda each: (_skill(each, game), each.wish.since, each.wish.id))
    place = fitting.index(own)
    windows = [
        fitting[start : start + size]
        for start in range(max(0, place - size + 1), min(place, len(fitting) - size) + 1)
    ]
    if not windows:
        return None
    nearest = min(
        windows, key=lambda window: (_spread(window, game), sum(each.wish.since for each in window))
    )
    return _Option(game, tuple(nearest), _spread(nearest, game))


def _suits(wish: Wish, game: str, size: int) -> bool:
    return wish.game in (None, game) and wish.seats in (None, size)


def _skill(candidate: Candidate, game: str) -> float:
    return candidate.ratings.get(game, NEW).mu


def _spread(window: Sequence[Candidate], game: str) -> float:
    return _skill(window[-1], game) - _skill(window[0], game)


UNPOSTED: Final = MINUTE
"""Seconds after which a lobby without a message is closed, so that its people wait again."""
SWEEP_EVERY: Final = MINUTE
"""Seconds between two deletions of wishes that have ended."""
_USUAL_FROM: Final = 3
"""The number of matches from which on it is shown how long people waited for the last ones."""
TRIES: Final = 5
"""How often a press looks for others if those found were seated elsewhere meanwhile, or have left the server."""


_LASTS: Final[Mapping[Mode, float]] = {"now": 30 * MINUTE, "mail": 7 * DAY}
"""Seconds after which a wish of a mode ends."""
LIMITS: Final[Mapping[Mode, int | None]] = {"now": TURN_LIMITS["5m"], "mail": TURN_LIMITS["24h"]}
"""The turn limits of the lobbies that are opened, in seconds. The host may change them."""
NOT_POSTED: Final = "not-posted"
"""Why a lobby was closed that could not be posted."""


def seats_of(tables: Tables, games: Collection[str]) -> dict[str, tuple[int, int]]:
    """The least and the greatest number of players of these games."""
    return {key: (tables.games[key].min_seats, tables.games[key].max_seats) for key in games}


async def check_may_wait(tables: Tables, user_id: int, guild_id: int) -> None:
    """Raises `Refused` if this person may not sit down here, or has opened too many tables to open another one."""
    tables.may_sit(user_id, guild_id)
    most = tables.most_per_person
    if most and await tables.store.wishes.opened_by(user_id) >= most:
        raise Refused("too-many-tables", most=most, game=next(iter(tables.games)))


async def ask(tables: Tables, wish: Wish) -> None:
    """Stores a wish, which begins now. Raises `Repeated` if that has happened before."""
    now = tables.clock.now()
    await tables.store.wishes.put(replace(wish, since=now, ends=now + _LASTS[wish.mode]))
    mark_durable()


async def candidates(tables: Tables, guild_id: int) -> list[Candidate]:
    """The wishes on a server, the oldest first, after lobbies that were left behind are dealt with."""
    found = await tables.store.wishes.candidates(guild_id)
    left_behind = {each.wish.table_id for each in found if each.wish.table_id is not None}
    for table_id in left_behind:
        await _settle(tables, table_id)
    return await tables.store.wishes.candidates(guild_id) if left_behind else found


def may_be_seated(tables: Tables, candidate: Candidate) -> bool:
    """Whether a person still waits, and may sit down here and open a table."""
    wish, most = candidate.wish, tables.most_per_person
    if wish.table_id is not None or (most and candidate.opened >= most):
        return False
    try:
        tables.may_sit(wish.user_id, wish.guild_id)
    except Refused:
        return False
    return True


async def seat(
    tables: Tables, pairing: Pairing, names: Mapping[int, str], host: int, place: Place, locale: str
) -> Table:
    """Opens a lobby for these people in this place. `names` are their names, by id.

    Raises `Refused` as `Tables.open` does, and `Conflict` if one of them does not wait any more.
    """
    people = sorted((wish.user_id for wish in pairing.wishes), key=lambda user_id: user_id != host)
    return await tables.open(
        NewTable(
            tables.games[pairing.game],
            guild_id=pairing.wishes[0].guild_id,
            channel_id=place.channel,
            user_id=host,
            seats=[Seat(names[user_id], user_id) for user_id in people],
            locale=locale,
            limit=LIMITS[pairing.wishes[0].mode],
            wishes=[wish.id for wish in pairing.wishes],
            thread=place.match_thread,
        )
    )


async def usual_wait(tables: Tables, guild_id: int, mode: Mode) -> float | None:
    """The median of how long the first person of each of the last matches waited, in seconds; None for few matches."""
    waits = await tables.store.wishes.waits(guild_id, mode)
    return median(waits) if len(waits) >= _USUAL_FROM else None


async def give_back(tables: Tables, table_id: int) -> None:
    """Closes a lobby that could not be posted, and has its people wait again."""

    def close(draft: Draft) -> None:
        if draft.table.status == "lobby":
            close_lobby(draft, NOT_POSTED)

    await tables.apply(table_id, close)
    await tables.store.wishes.release(table_id)


async def _settle(tables: Tables, table_id: int) -> None:
    """Deletes or releases the wishes of a lobby that a process opened and perhaps could not post."""
    try:
        table = await tables.get(table_id)
    except Refused:
        await tables.store.wishes.release(table_id)
        return
    if table.body.messages.lobby is not None or table.state is not None:
        await tables.store.wishes.fulfil(table_id)
    elif not table.live:
        await tables.store.wishes.release(table_id)
    elif tables.clock.now() - table.created_at >= UNPOSTED:
        await give_back(tables, table_id)
