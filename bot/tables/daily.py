"""The daily deal: a private match with the same deal for everybody, one try a person.

Days go by UTC and are counted from 1970-01-01. The seed of a day is sealed on the day before, shown by its SHA-256, and
revealed when the day is over.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Final, NamedTuple

from bot.store.model import AlreadyTried, AttemptRow, DealRow
from bot.tables import thinking
from bot.tables.lobby import Deal, NewTable
from bot.tables.model import DAY, NOWHERE, Seat, Table
from bot.tables.refusals import Refused
from bot.tables.secrecy import has_sealed_deal
from bot.tables.service import Tables
from bot.tables.thinking import MasterPlay
from engine.fairness import OF_DAY, SEED_BYTES, match_key, of_day
from engine.game import AnyGame

AGENTS: Final = 2
"""The number of agents that each person plays against."""
LEVEL: Final = "veteran"
"""The level of these agents."""


def day_of(utc: float) -> int:
    """The day of a time in UTC."""
    return int(utc // DAY)


def day_of_match(table: Table) -> int:
    """The day of the deal that a match has."""
    return day_of(table.body.opens or DAY) - 1


def date_of(day: int) -> date:
    """The date of a day."""
    return datetime.fromtimestamp(day * DAY, UTC).date()


def ends_at(day: int) -> float:
    """The end of a day, in UTC."""
    return float((day + 1) * DAY)


def month_of(day: int) -> int:
    """The month of a day, counted from the year 0."""
    return date_of(day).year * 12 + date_of(day).month - 1


def first_of(month: int) -> int:
    """The first day of a month."""
    return int(datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC).timestamp() // DAY)


def game_of(games: Mapping[str, AnyGame], day: int) -> AnyGame | None:
    """The game of a day: the games that have a daily deal take turns, in alphabetical order; None if there are none."""
    daily = sorted(key for key, game in games.items() if game.daily)
    return games[daily[day % len(daily)]] if daily else None


async def deal_of(tables: Tables, day: int) -> DealRow | None:
    """The deal of a day, which is sealed now if it has not been; None if no game has a daily deal."""
    stored = await tables.store.daily.deal(day)
    game = game_of(tables.games, day)
    if stored is not None or game is None:
        return stored
    seed = secrets.token_hex(SEED_BYTES)
    return await tables.store.daily.seal(DealRow(day, game.key, seed, tables.utc))


async def seal_ahead(tables: Tables) -> None:
    """Seals the deals of today and of tomorrow, if they have not been."""
    for ahead in (0, 1):
        await deal_of(tables, day_of(tables.utc) + ahead)


async def play(tables: Tables, seat: Seat, guild: int, shard_guild: int, locale: str, beat: int) -> Table:
    """The match of today's deal of the person in `seat`, which begins now if they have not begun it.

    `guild` is the server where they play, 0 where the bot is on none, and `shard_guild` the one whose shard their
    presses come to. `beat` is as for `Body`. Raises `Refused` and `StoreError`.
    """
    day, user = day_of(tables.utc), seat.user_id or 0
    attempt = await tables.store.daily.attempt_of(user, day)
    if attempt is None:
        try:
            deal, game = await _begun(tables, day, guild, beat)
            new = NewTable(game, shard_guild, NOWHERE, user, [seat], locale, limit=None, deal=deal)
            return await tables.open(replace(new, agents=AGENTS, level=LEVEL, pace="quick"))
        except AlreadyTried:
            attempt = await tables.store.daily.attempt_of(user, day)
    if attempt is None:
        raise Refused("no-table")
    return await tables.get(attempt.table_id)


async def _begun(tables: Tables, day: int, guild: int, beat: int) -> tuple[Deal, AnyGame]:
    sealed = await deal_of(tables, day)
    if sealed is None or (game := tables.games.get(sealed.game)) is None:
        raise Refused("no-daily")
    seed, of, ends = bytes.fromhex(sealed.seed), of_day(date_of(day).isoformat()), ends_at(day)
    return Deal(seed, OF_DAY, of, ends - tables.utc, ends, day, guild, beat), game


def master_play(tables: Tables, deal: DealRow) -> MasterPlay | None:
    """The strongest agent's play of a deal, in the person's seat; None until it is known, which may take a minute.

    The score is for people who have finished the deal. Deals from before yesterday are not played any more.
    """
    game = tables.games.get(deal.game)
    if game is None or deal.day < day_of(tables.utc) - 1:
        return None
    key = match_key(bytes.fromhex(deal.seed), of_day(date_of(deal.day).isoformat()))
    dealt = thinking.Deal(1 + AGENTS, game.load_options({}), key)
    return tables.masters.play_of(game, dealt, deal.seed, LEVEL)


class Progress(NamedTuple):
    """A person's attempt at the deal of a day, if there is one, and their days in a row up to that day.

    Of a finished attempt also what others made of the deal. `board`: the attempts that the server shows. `below`: of
    all people who have finished, the number, and how many have a lower score. `master`: the strongest agent's
    play in the person's seat, None until it is known. `following`: the next deal's game, "" for none.
    """

    own: AttemptRow | None
    streak: int
    board: Sequence[AttemptRow] = ()
    below: tuple[int, int] = (0, 0)
    master: MasterPlay | None = None
    following: str = ""


async def progress(tables: Tables, user: int, deal: DealRow, guild: int) -> Progress:
    """A person's progress with this deal, on this server."""
    store, day = tables.store.daily, deal.day
    attempts = await store.attempts_of(user)
    own = next((each for each in attempts if each.day == day), None)
    following = game_of(tables.games, day + 1)
    found = Progress(own, streak(attempts, day), following="" if following is None else following.key)
    if own is None or own.score is None:
        return found
    board, below = await shown_attempts(tables, guild, day), await store.below(day, own.score)
    return found._replace(board=board, below=below, master=master_play(tables, deal))


async def progress_after(tables: Tables, table: Table, user: int) -> Progress | None:
    """A person's progress with today's deal in or after this match of theirs; None if it is another deal's.

    While the match is played, it has the strongest agent's play alone.
    """
    if not has_sealed_deal(table, tables.utc):
        return None
    deal = await tables.store.daily.deal(day_of_match(table))
    if deal is None or table.status == "over":
        return None if deal is None else await progress(tables, user, deal, table.guild_id)
    return Progress(None, 0, master=master_play(tables, deal))


async def shown_attempts(tables: Tables, guild: int, day: int) -> list[AttemptRow]:
    """The attempts of a day that a server shows; none if it keeps no results, and where there is no server."""
    if not guild or await tables.store.results.is_off("guild", guild):
        return []
    return await tables.store.daily.attempts_on(guild, day)


def rank_of(board: Sequence[AttemptRow], own: AttemptRow) -> int | None:
    """The rank of an attempt among those of a board, 1 for the best; None for one that was not finished."""
    if own.score is None:
        return None
    return 1 + sum(each.score is not None and each.score > own.score for each in board)


def streak(attempts: Sequence[AttemptRow], today: int) -> int:
    """The number of days in a row, up to today or yesterday, on which a person finished the deal."""
    days = {each.day for each in attempts if each.score is not None}
    last = today if today in days else today - 1
    count = 0
    while last - count in days:
        count += 1
    return count
