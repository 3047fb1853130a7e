"""What the operator decides while the bot runs: who may play, which table ends, and what every table message says.

An order comes from a command of the program. If a bot has the store open, the command leaves the order there
(`bot.orders`), and the bot carries it out within a second or two.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args

from bot.store.base import Job, Store
from bot.tables import ending
from bot.tables.draft import REDRAW
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from engine.plain import plain

log = logging.getLogger(__name__)

What = Literal["block-person", "allow-person", "block-server", "allow-server", "end", "notice", "leave"]
Scope = Literal["person", "server"]

ORDERS: Final = "orders"
"""The fact that holds the orders. Only the commands of the program write it."""
DONE: Final = "orders-done"
"""The fact that holds what became of them. Only the process that has the store open writes it."""
BLOCKED: Final = "blocked"
NOTICE: Final = "notice"
LONGEST_NOTICE: Final = 300
"""Characters. A full table message has room for them."""


@dataclass(frozen=True, slots=True)
class Order:
    """Something to be done. `argument` is an id, a table's number or a text; `by` says who gave the order."""

    number: int
    what: What
    argument: str
    by: str


@dataclass(frozen=True, slots=True)
class Done:
    """What became of an order: whether it was carried out, and a sentence that says so."""

    number: int
    done: bool
    said: str


def read_orders(text: str | None) -> list[Order]:
    """The orders that a fact holds, without those that only a newer version knows."""
    given: list[dict[str, Any]] = json.loads(text or "[]")
    return [Order(**each) for each in given if each["what"] in get_args(What)]


def read_done(text: str | None) -> list[Done]:
    given: list[dict[str, Any]] = json.loads(text or "[]")
    return [Done(**each) for each in given]


def to_text(entries: list[Order] | list[Done]) -> str:
    return json.dumps([asdict(each) for each in entries])


def read_blocked(text: str | None) -> dict[Scope, dict[int, float]]:
    """Who is blocked, and since when."""
    kept: Mapping[str, Mapping[str, float]] = json.loads(text or "{}")
    return {
        "person": {int(each): at for each, at in kept.get("person", {}).items()},
        "server": {int(each): at for each, at in kept.get("server", {}).items()},
    }


class Controls:
    """Carries out the operator's orders, and remembers who is blocked and which notice is shown."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store: Store = tables.store
        self._blocked: dict[Scope, dict[int, float]] = read_blocked(None)
        self.notice = ""
        """What every table message says until it is taken back; empty for nothing."""
        self.leave_server: Callable[[int], Awaitable[bool]] | None = None
        """Leaves a server, and returns whether the bot was on it. None if this process is not connected to Discord."""

    async def load(self) -> None:
        """Reads what is kept. Raises `StoreError`."""
        self._blocked = read_blocked(await self._store.fact(BLOCKED))
        self.notice = await self._store.fact(NOTICE) or ""

    def check(self, user_id: int, guild_id: int) -> None:
        """Raises `Refused` if this person may not sit down at a table, or nobody may on this server."""
        if user_id in self._blocked["person"]:
            raise Refused("blocked-person")
        if guild_id in self._blocked["server"]:
            raise Refused("blocked-server")

    async def take_up(self) -> None:
        """Carries out the orders that wait in the store. Raises `StoreError`; the rest is then done the next time."""
        orders = read_orders(await self._store.fact(ORDERS))
        if not orders:
            return
        done = read_done(await self._store.fact(DONE))
        known = {each.number for each in done}
        for order in orders:
            if order.number not in known:
                done = [each for each in done if each.number in {other.number for other in orders}]
                done.append(await self.do(order))
                await self._store.set_fact(DONE, to_text(done))

    async def do(self, order: Order) -> Done:
        """Carries out an order. Doing it twice is the same as once. Raises `StoreError`."""
        try:
            said = await self._do(order)
        except Refused as refused:
            log.info("%s ordered: %s %s; refused (%s)", order.by, order.what, order.argument, refused.code)
            return Done(order.number, False, _REFUSALS.get(refused.code, "That cannot be done now."))
        log.info("%s ordered: %s %s; done", order.by, order.what, order.argument)
        return Done(order.number, True, said)

    async def _do(self, order: Order) -> str:
        match order.what:
            case "block-person" | "block-server":
                scope: Scope = "person" if order.what == "block-person" else "server"
                await self._block(scope, int(order.argument))
                return f"The {scope} {order.argument} is blocked. Matches under way go on."
            case "allow-person" | "allow-server":
                scope = "person" if order.what == "allow-person" else "server"
                await self._allow(scope, int(order.argument))
                return f"The {scope} {order.argument} is not blocked."
            case "end":
                await self._end(int(order.argument))
                return f"Table {order.argument} has ended."
            case "notice":
                await self._set_notice(order.argument)
                return "The notice is on all tables." if self.notice else "There is no notice any more."
            case "leave":
                return await self._leave(int(order.argument))

    async def _block(self, scope: Scope, number: int) -> None:
        since = self._blocked[scope].get(number, self._tables.clock.now())
        await self._keep({**self._blocked, scope: {**self._blocked[scope], number: since}})

    async def _allow(self, scope: Scope, number: int) -> None:
        rest = {other: at for other, at in self._blocked[scope].items() if other != number}
        await self._keep({**self._blocked, scope: rest})

    async def _keep(self, blocked: dict[Scope, dict[int, float]]) -> None:
        await self._store.set_fact(BLOCKED, json.dumps(blocked))
        self._blocked = blocked

    async def _end(self, table_id: int) -> None:
        """Ends a live table. One that this version cannot read ends too, so that its channel becomes free."""
        try:
            async with self._tables.change(table_id) as draft:
                if not draft.table.live:
                    raise Refused("match-over")
                if draft.table.status == "lobby":
                    ending.close_lobby(draft, "operator")
                else:
                    ending.abandon(draft, "operator")
        except Refused as refused:
            if refused.code != "unreadable":
                raise
            await self._tables.give_up(table_id)

    async def _set_notice(self, text: str) -> None:
        notice = plain(text, LONGEST_NOTICE)
        await self._store.set_fact(NOTICE, notice)
        self.notice = notice
        now = self._tables.clock.now()
        for table_id, _guild in await self._store.live_places():
            await self._store.set_job(Job(table_id, REDRAW, now))

    async def _leave(self, guild_id: int) -> str:
        if self.leave_server is None:
            raise Refused("not-connected")
        if not await self.leave_server(guild_id):
            raise Refused("not-there")
        return f"I have left the server {guild_id}. Its tables sleep for a week, in case I am invited again."


_REFUSALS: Final = {
    "no-table": "There is no table of that number. Nothing was done.",
    "match-over": "That table has ended already. Nothing was done.",
    "not-connected": "No bot runs on this database, and only a bot can leave a server. Nothing was done.",
    "not-there": "I am not on that server, as far as this process knows. Nothing was done.",
}
