"""The operator's orders to a running bot, and the list of live tables.

Without a running bot, a command executes its order itself. Otherwise the command stores the order, and waits until the
bot has executed it.
"""

from __future__ import annotations

import argparse
import asyncio
import getpass
import json
import os
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypeVar, cast

from bot.app import operator
from bot.cli.cogs import LoadCogs
from bot.clock import SystemClock
from bot.settings import Settings
from bot.store.backends import Backend, backend_of
from bot.store.model import StoreInUse, TableRow
from bot.tables.model import NOWHERE
from bot.tables.service import Policy, Tables
from bot.tables.thinking import Thinkers
from engine.registry import load_games

T = TypeVar("T")
_CHECK_EVERY: Final = 0.25
"""Seconds between two checks for the result."""
AT_MOST: Final = 60.0
"""Seconds for which a command waits for the running bot."""


def command(settings: Settings, chosen: argparse.Namespace, _load_cogs: LoadCogs) -> int:
    """Executes the order, through the running bot if there is one, or prints the list of live tables."""
    if chosen.command == "tables":
        print(asyncio.run(overview(backend_of(settings), chosen.server)))
        return 0
    done, said = asyncio.run(give(settings, *_order_of(chosen)))
    print(said, file=sys.stdout if done else sys.stderr)
    return 0 if done else 1


def _order_of(chosen: argparse.Namespace) -> tuple[operator.OrderKind, str]:
    match chosen.command:
        case "block" | "allow":
            return cast("operator.OrderKind", f"{chosen.command}-{chosen.scope}"), str(chosen.id)
        case "end":
            return "end", str(chosen.table)
        case "leave":
            return "leave", str(chosen.server)
        case "processes":
            return "processes", ""
        case _:
            return "notice", "" if chosen.clear else chosen.text


def account() -> str:
    """The account that gives an order, and the account that used `sudo`."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # an unnamed account
        name = f"user {os.getuid()}"
    before = os.environ.get("SUDO_USER", "")
    return f"{name} ({before})" if before else name


async def give(settings: Settings, what: operator.OrderKind, argument: str) -> tuple[bool, str]:
    """Executes an order. Returns whether it succeeded, and a sentence. Raises `StoreError`, `BadData`."""
    place = backend_of(settings)
    async with place.reading():
        pass  # `reading` raises an error unless this version can use the store
    order = operator.Order(0, what, argument, account(), at=time.time())
    try:
        done = await _do_here(settings, order)
    except StoreInUse:
        number = await _ask(place, order)
        done = await result_of_bot(partial(_answer, place, number), AT_MOST)
        if done is None:
            return False, (
                f"The bot that has {place} open has not done it within a minute. The order is kept, and carried out "
                "as soon as possible."
            )
        await _forget(place, number)
    return done


async def _do_here(settings: Settings, order: operator.Order) -> operator.Done:
    """Executes the order in this process. Raises `StoreInUse` if a bot has the store open."""
    async with tables_of_store(settings) as tables:
        doing = await operator.offline_operator(tables)
        await doing.take_up()  # pending orders of a bot that has ended
        return await doing.do(order)


async def _ask(place: Backend, order: operator.Order) -> int:
    number = 0

    def leave(text: str | None) -> str:
        nonlocal number
        given = operator.entries(text)
        number = 1 + max((each["number"] for each in given), default=0)
        return json.dumps([*given, asdict(replace(order, number=number))])

    await place.change_fact(operator.ORDERS, leave)
    return number


async def _answer(place: Backend, number: int) -> operator.Done | None:
    async with place.reading() as store:
        given = operator.entries(await store.fact(operator.ORDERS))
    done = (each for each in given if each["number"] == number and "done" in each)
    return next((operator.Done(each["done"], each["said"]) for each in done), None)


async def _forget(place: Backend, number: int) -> None:
    """Deletes an executed order, which may contain a user id."""

    def take(text: str | None) -> str:
        return json.dumps([each for each in operator.entries(text) if each["number"] != number])

    await place.change_fact(operator.ORDERS, take)


# -- a store with or without a running bot, for `digsite forget` as well


@asynccontextmanager
async def tables_of_store(settings: Settings) -> AsyncGenerator[Tables]:
    """The tables of the settings' store, opened by this process. Raises `StoreInUse` if a bot has the store open."""
    clock = SystemClock()
    store = backend_of(settings).store(clock)
    await store.open()
    try:
        games, policy = load_games(settings.card_lists), Policy(settings.agent_delay)
        tables = Tables(store, games, clock, Thinkers(0), policy)
        tables.start(float(await store.fact("downtime") or 0), 0.0)
        yield tables
    finally:
        await store.close()


async def result_of_bot(look: Callable[[], Awaitable[T | None]], at_most: float) -> T | None:
    """Calls `look` until it returns the running bot's result, and returns the result; None on timeout.

    The command must not take the store's lock meanwhile, because a restarting bot takes it.
    """
    until = time.monotonic() + at_most
    while (found := await look()) is None and time.monotonic() < until:  # noqa: ASYNC110 - polls another process
        await asyncio.sleep(_CHECK_EVERY)
    return found


# -- the list of live tables


async def overview(place: Backend, server: int | None = None) -> str:
    """The live tables and the people at them by server; with `server`, that server's tables. Raises `StoreError`."""
    async with place.reading() as store:
        rows = await store.live_tables()
    if server is not None:
        lines = [_line(row) for row in rows if row.guild_id == server]
        return "\n".join(lines) or f"There is no live table on the server {server}."
    return operator.as_text(rows)


def _line(row: TableRow) -> str:
    changed = datetime.fromtimestamp(row.changed_at, UTC).strftime("%Y-%m-%d %H:%M")
    people = len(operator.people_at(row))
    where = "private" if row.channel_id == NOWHERE else f"in channel {row.channel_id}"
    return (
        f"table {row.id}: {row.game}, {row.status}, {where}; {people} "
        f"{'person' if people == 1 else 'people'}, last changed {changed} UTC"
    )
