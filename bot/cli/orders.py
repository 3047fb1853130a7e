"""The operator's commands that change something while the bot runs, and the list of live tables.

If no bot has the store open, a command carries out its order by itself. Otherwise it leaves the order in the store and
waits until the bot has carried it out.
"""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, cast

from bot.app.operator import offline_operator
from bot.app.orders import DONE, ORDERS, Done, Order, What, numbers_in, read_done, with_entry, without
from bot.app.overview import as_text, people_at
from bot.clock import SystemClock
from bot.settings import Settings
from bot.store.backends import Backend, backend_of
from bot.store.model import StoreInUse, TableRow
from bot.tables.service import Policy, Tables
from bot.tables.thinking import Thinkers
from engine.registry import load_games

WAIT: Final = 60.0
"""Seconds for which a command waits for the running bot."""
LOOK: Final = 0.25
"""Seconds between two checks whether the bot has done it."""


def order_command(settings: Settings, chosen: argparse.Namespace) -> int:
    """Has the operator's order carried out, by the running bot if there is one. Returns the exit status."""
    done, said = asyncio.run(give(settings, *_order_of(chosen)))
    print(said, file=sys.stdout if done else sys.stderr)
    return 0 if done else 1


def tables_command(settings: Settings, server: int | None) -> int:
    """Prints how many tables are live, by server."""
    print(asyncio.run(overview(backend_of(settings), server)))
    return 0


def _order_of(chosen: argparse.Namespace) -> tuple[What, str]:
    match chosen.command:
        case "block" | "allow":
            return cast("What", f"{chosen.command}-{chosen.scope}"), str(chosen.id)
        case "end":
            return "end", str(chosen.table)
        case "leave":
            return "leave", str(chosen.server)
        case "processes":
            return "processes", ""
        case _:
            return "notice", "" if chosen.clear else chosen.text


def who() -> str:
    """Who gives an order on this machine: the account, and the one that became it by `sudo`."""
    try:
        account = getpass.getuser()
    except (KeyError, OSError):  # an account without a name
        account = f"user {os.getuid()}"
    before = os.environ.get("SUDO_USER", "")
    return f"{account} ({before})" if before else account


async def give(settings: Settings, what: What, argument: str) -> tuple[bool, str]:
    """Has an order carried out. Returns whether it was, and a sentence. Raises `StoreError`, `BadData`."""
    place = backend_of(settings)
    async with place.reading():
        pass  # raises if there is no store that this version can use
    order = Order(0, what, argument, who(), at=time.time())
    try:
        done = await _do_here(settings, order)
    except StoreInUse:
        number = await _ask(place, order)
        # From here on this process must not take the store's lock: a bot that is being restarted has to find it free.
        began = time.monotonic()
        while (done := await _answer(place, number)) is None:
            if time.monotonic() - began >= WAIT:
                return False, (
                    f"The bot that has {place} open has not done it within a minute. The order is kept, and carried "
                    "out as soon as possible."
                )
            await asyncio.sleep(LOOK)
        await _forget(place, number)
    return done.done, done.said


async def _do_here(settings: Settings, order: Order) -> Done:
    """Does it in this process. Raises `StoreInUse` if a bot has the store open."""
    clock = SystemClock()
    store = backend_of(settings).store(clock)
    await store.open()
    try:
        policy = Policy(settings.agent_delay)
        tables = Tables(store, load_games(settings.card_lists), clock, Thinkers(0), policy)
        tables.start(float(await store.fact("downtime") or 0), 0.0)
        operator = await offline_operator(tables)
        await operator.take_up()  # what was asked of a bot that has since ended
        return await operator.do(order)
    finally:
        await store.close()


async def _ask(place: Backend, order: Order) -> int:
    """Leaves the order in the store for the bot that has it open; returns its number."""
    number = 0

    def leave(waiting: str | None, carried_out: str | None) -> str:
        nonlocal number
        number = 1 + max(numbers_in(waiting) | numbers_in(carried_out), default=0)
        return with_entry(waiting, replace(order, number=number))

    await place.change_fact(ORDERS, DONE, leave)
    return number


async def _answer(place: Backend, number: int) -> Done | None:
    async with place.reading() as store:
        done = read_done(await store.fact(DONE))
    return next((each for each in done if each.number == number), None)


async def _forget(place: Backend, number: int) -> None:
    """Takes an order that was carried out away again: it may hold the id of a person."""

    def take(waiting: str | None, _carried_out: str | None) -> str:
        return without(waiting, {number})

    await place.change_fact(ORDERS, DONE, take)


# -- what there is


async def overview(place: Backend, server: int | None = None) -> str:
    """The live tables and the people at them by server; with `server`, each table of that one. Raises `StoreError`."""
    async with place.reading() as store:
        rows = await store.live_tables()
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
