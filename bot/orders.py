"""The operator's commands that change something while the bot runs, and the list of live tables.

If no bot has the store open, a command carries out its order by itself. Otherwise it leaves the order in the store and
waits until the bot has carried it out.
"""

from __future__ import annotations

import asyncio
import getpass
import os
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.clock import SystemClock
from bot.controls import (
    DONE,
    ORDERS,
    Controls,
    Done,
    Order,
    What,
    as_text,
    people_at,
    read_done,
    read_orders,
    to_text,
)
from bot.people import reading
from bot.settings import Settings
from bot.store import statements
from bot.store.base import StoreInUse, TableRow
from bot.store.connection import open_to_ask
from bot.store.faults import write_failed
from bot.store.schema import check_is_current
from bot.store.sqlite import SqliteStore
from bot.tables.service import Tables
from bot.tables.thinking import Thinkers
from engine.registry import load_games

WAIT: Final = 60.0
"""Seconds for which a command waits for the running bot."""
LOOK: Final = 0.25
"""Seconds between two checks whether the bot has done it."""


def who() -> str:
    """Who gives an order on this machine: the account, and the one that became it by `sudo`."""
    try:
        account = getpass.getuser()
    except (KeyError, OSError):  # an account without a name
        account = f"user {os.getuid()}"
    before = os.environ.get("SUDO_USER", "")
    return f"{account} ({before})" if before else account


def give(settings: Settings, what: What, argument: str) -> tuple[bool, str]:
    """Has an order carried out. Returns whether it was, and a sentence. Raises `StoreError`, `BadData`."""
    path = settings.database_path
    with reading(path):
        pass  # raises if there is no store that this version can use
    order = Order(0, what, argument, who())
    try:
        done = asyncio.run(_do_here(settings, order))
    except StoreInUse:
        number = _ask(path, order)
        # From here on this process must not take the store's lock: a bot that is being restarted has to find it free.
        until = time.monotonic() + WAIT
        while (done := _answer(path, number)) is None and time.monotonic() < until:
            time.sleep(LOOK)
        if done is None:
            return False, (
                f"The bot that has {path} open has not done it within a minute. The order is kept, and carried out as "
                "soon as possible."
            )
        _forget(path, number)
    return done.done, done.said


async def _do_here(settings: Settings, order: Order) -> Done:
    """Does it in this process. Raises `StoreInUse` if a bot has the store open."""
    clock = SystemClock()
    store = SqliteStore(settings.database_path, clock)
    await store.open()
    try:
        tables = Tables(store, load_games(settings.card_lists), clock, Thinkers(0), settings.agent_delay)
        tables.start(float(await store.fact("downtime") or 0), 0.0)
        controls = Controls(tables)
        await controls.load()
        await controls.take_up()  # what was asked of a bot that has since ended
        return await controls.do(order)
    finally:
        await store.close()


def _ask(path: Path, order: Order) -> int:
    """Leaves the order in the store for the bot that has it open; returns its number."""
    try:
        with closing(open_to_ask(path)) as connection:
            check_is_current(connection, path)
            connection.execute("BEGIN IMMEDIATE")
            orders = read_orders(statements.fact(connection, ORDERS))
            done = read_done(statements.fact(connection, DONE))
            number = 1 + max((each.number for each in (*orders, *done)), default=0)
            orders.append(Order(number, order.what, order.argument, order.by))
            statements.setting_fact(ORDERS, to_text(orders))(connection)
            connection.execute("COMMIT")
            return number
    except sqlite3.Error as error:
        raise write_failed(error) from error


def _answer(path: Path, number: int) -> Done | None:
    with reading(path) as connection:
        done = read_done(statements.fact(connection, DONE))
    return next((each for each in done if each.number == number), None)


def _forget(path: Path, number: int) -> None:
    """Takes an order that was carried out away again: it may hold the id of a person."""
    try:
        with closing(open_to_ask(path)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            orders = [
                each for each in read_orders(statements.fact(connection, ORDERS)) if each.number != number
            ]
            statements.setting_fact(ORDERS, to_text(orders))(connection)
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise write_failed(error) from error


# -- what there is


def overview(path: Path, server: int | None = None) -> str:
    """The live tables and the people at them by server; with `server`, each table of that one. Raises `StoreError`."""
    with reading(path) as connection:
        rows = statements.live_tables(connection)
    if server is not None:
        lines = [_line(row) for row in rows if row.guild_id == server]
        return "\n".join(lines) or f"There is no live table on the server {server}."
    return as_text(rows)


def _line(row: TableRow) -> str:
    changed = datetime.fromtimestamp(row.changed_at, UTC).strftime("%Y-%m-%d %H:%M")
    people = len(people_at(row))
    return (
        f"table {row.id}: {row.game}, {row.status}, in channel {row.channel_id}; {people} "
        f"{'person' if people == 1 else 'people'}, last changed {changed} UTC"
    )
