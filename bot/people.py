"""What the operator does for a person with a command: showing what is kept about them, and having them forgotten."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from bot.clock import Clock, SystemClock
from bot.settings import Settings
from bot.store import erasure, statements
from bot.store.base import StoreError, StoreInUse
from bot.store.connection import open_to_ask, open_to_read
from bot.store.copying import copies_beside
from bot.store.faults import read_failed, write_failed
from bot.store.schema import check_is_current
from bot.store.sqlite import SqliteStore
from bot.tables.erasures import Erasures, Outcome
from bot.tables.service import Tables
from bot.tables.thinking import Thinkers
from engine.plain import plain
from engine.registry import load_games

WAIT: Final = 60.0
"""Seconds for which the command waits for the running bot to carry out the request."""
LOOK: Final = 0.25
"""Seconds between two checks whether the bot has carried it out."""

_USER_ID: Final = re.compile(r"[1-9][0-9]{14,18}", re.ASCII)


class NoUserId(ValueError):
    """What was given is not the id of a Discord account. The text says so and explains where to find one."""


def read_user_id(text: str) -> int:
    """The account's id that the text holds. Raises `NoUserId`."""
    if not _USER_ID.fullmatch(text) or int(text) >= 2**63:
        raise NoUserId(
            f"“{plain(text, 40)}” is no user id. That is a number of 17 to 19 digits: switch on Developer Mode in "
            "Discord's settings, and choose Copy User ID in a person's menu. Nothing was done."
        )
    return int(text)


@contextmanager
def reading(path: Path) -> Generator[sqlite3.Connection]:
    """The store as it is at one moment, to read from, whether or not a bot has it open. Raises `StoreError`."""
    if not path.is_file():
        raise StoreError(f"There is no file at {path}. Check the path of the store (DATABASE_PATH).")
    try:
        with closing(open_to_read(path)) as connection:
            check_is_current(connection, path)
            connection.execute("BEGIN")
            yield connection
    except sqlite3.Error as error:
        raise read_failed(error) from error


# -- forgetting


def forget(settings: Settings, user_id: int) -> tuple[bool, str]:
    """Forgets a person: lets a running bot do it if one has the store open, and else does it here.

    Returns whether everything is done, and a text that says what happened. Raises `StoreError`, `BadData`.
    """
    path, clock = settings.database_path, SystemClock()
    with reading(path) as connection:
        matches = _matches_of(connection, user_id)
        asked = any(each.user_id == user_id for each in erasure.pending(connection))
        text_only = ("person", user_id) in statements.text_only(connection)
    if not matches and not asked and not text_only:
        return True, f"Nothing in {path} names {user_id}. Nothing was changed.{_copies(path)}"
    try:
        outcome = asyncio.run(_forget_here(settings, clock, user_id))
        return outcome == "done", _told(path, user_id, matches, outcome)
    except StoreInUse:
        number = _ask(path, user_id, clock.now())
    # From here on this process must not take the store's lock: a bot that is being restarted has to find it free.
    until = time.monotonic() + WAIT
    while (outcome := _state(path, number)) != "done" and time.monotonic() < until:
        time.sleep(LOOK)
    return outcome == "done", _told(path, user_id, matches, outcome, by_the_bot=True)


def _matches_of(connection: sqlite3.Connection, user_id: int) -> int:
    named, after = 0, 0
    while after is not None:
        some, after = statements.naming(connection, user_id, after, 1000)
        named += len(some)
    return named


async def _forget_here(settings: Settings, clock: Clock, user_id: int) -> Outcome:
    """Does it in this process. Raises `StoreInUse` where a bot has the store open."""
    store = SqliteStore(settings.database_path, clock)
    await store.open()
    try:
        games = load_games(settings.card_lists)
        tables = Tables(store, games, clock, Thinkers(0), settings.agent_delay)
        tables.start(float(await store.fact("downtime") or 0), 0.0)
        erasures = Erasures(tables)
        outcome = await erasures.forget(user_id)
        await erasures.take_up()  # carries out what was asked of a bot that has since ended
        return outcome
    finally:
        await store.close()


def _ask(path: Path, user_id: int, now: float) -> int:
    """Writes the request into the file for the bot that has it open; returns the request's number."""
    try:
        with closing(open_to_ask(path)) as connection:
            check_is_current(connection, path)
            return erasure.asking(user_id, now)(connection)
    except sqlite3.Error as error:
        raise write_failed(error) from error


def _state(path: Path, number: int) -> Outcome:
    with reading(path) as connection:
        for each in erasure.pending(connection):
            if each.id == number:
                return "traces" if each.user_id is None else "later"
    return "done"


def _told(path: Path, user_id: int, matches: int, outcome: Outcome, *, by_the_bot: bool = False) -> str:
    if outcome == "later":
        why = (
            f"The bot that has {path} open has not done it within a minute"
            if by_the_bot
            else f"{path} could not be written to"
        )
        return (
            f"{why}. The request to forget {user_id} is kept in the file and carried out as soon as possible; "
            "run this command again to see whether it is."
        )
    redrawn = "The bot is drawing" if by_the_bot else "At its next start the bot draws"
    gone = f"{user_id} is taken out of {matches} match{'es' if matches != 1 else ''} in {path}. "
    gone += f"{redrawn} its messages anew without the name, as far as Discord lets it."
    if outcome == "traces":
        return (
            f"{gone} But another program reads the file, so traces are left in its bytes; they are wiped as soon as "
            "the bot runs and nobody else reads."
        )
    return (
        f"{gone} No byte of the file or of its companions names them any more. Backups made before still do."
        f"{_copies(path)}"
    )


def _copies(path: Path) -> str:
    """A sentence about the older copies of the store in its folder; empty where there are none."""
    copies = ", ".join(file.name for file in copies_beside(path))
    return (
        f" These older copies beside it may name them, and only you can delete them: {copies}."
        if copies
        else ""
    )
