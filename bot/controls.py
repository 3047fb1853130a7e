"""What the operator decides while the bot runs: who may play, which table ends, and what every table message says.

An order comes from a command of the program, or from one on Discord that only the owners of the application may use. If
a bot has the store open, a command of the program leaves the order there (`bot.orders`), and the bot carries it out
within a second or two.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args

from bot.language import gettext as _
from bot.store.base import Job, Store, TableRow
from bot.tables import ending
from bot.tables.draft import REDRAW
from bot.tables.model import read_body
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from engine.errors import BadData
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
        if self.blocks(user_id):
            raise Refused("blocked-person")
        if guild_id in self._blocked["server"]:
            raise Refused("blocked-server")

    def blocks(self, user_id: int) -> bool:
        """Whether this person may sit down at no table."""
        return user_id in self._blocked["person"]

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
            return Done(order.number, False, _refusal(refused))
        log.info("%s ordered: %s %s; done", order.by, order.what, order.argument)
        return Done(order.number, True, said)

    async def _do(self, order: Order) -> str:
        match order.what:
            case "block-person" | "block-server":
                scope: Scope = "person" if order.what == "block-person" else "server"
                await self._block(scope, int(order.argument))
                return _("{id} is blocked. Matches under way go on.").format(id=order.argument)
            case "allow-person" | "allow-server":
                scope = "person" if order.what == "allow-person" else "server"
                await self._allow(scope, int(order.argument))
                return _("{id} is not blocked.").format(id=order.argument)
            case "end":
                await self._end(int(order.argument))
                return _("Table {number} has ended.").format(number=order.argument)
            case "notice":
                await self._set_notice(order.argument)
                return _("The notice is on all tables.") if self.notice else _("There is no notice any more.")
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
        for table_id, _server in await self._store.live_places():
            await self._store.set_job(Job(table_id, REDRAW, now))

    async def _leave(self, guild_id: int) -> str:
        if self.leave_server is None:
            raise Refused("not-connected")
        if not await self.leave_server(guild_id):
            raise Refused("not-there")
        left = _("I have left the server {id}. Its tables sleep for a week, in case I am invited again.")
        return left.format(id=guild_id)


def _refusal(refused: Refused) -> str:
    """Why an order was not carried out, to the operator."""
    texts = {
        "no-table": _("There is no table of that number. Nothing was done."),
        "match-over": _("That table has ended already. Nothing was done."),
        "not-connected": _(
            "No bot runs on this database, and only a bot can leave a server. Nothing was done."
        ),
        "not-there": _("I am not on that server, as far as this process knows. Nothing was done."),
    }
    return texts.get(refused.code) or _("That cannot be done now.")


@dataclass(frozen=True, slots=True)
class OnServer:
    """How many tables are live on a server, and how many people sit at them."""

    server: int
    tables: int
    people: int


def by_server(rows: Sequence[TableRow]) -> tuple[list[OnServer], int]:
    """What there is on each server, most tables first; and how many people there are in all."""
    tables = Counter(row.guild_id for row in rows)
    people: dict[int, set[int]] = {}
    for row in rows:
        people.setdefault(row.guild_id, set()).update(people_at(row))
    found = [OnServer(server, number, len(people[server])) for server, number in tables.most_common()]
    return found, len(set[int]().union(*people.values()))


def people_at(row: TableRow) -> set[int]:
    """The people at a table; nobody, if this version cannot read it."""
    try:
        return {seat.user_id for seat in read_body(row.body).seats if seat.user_id is not None}
    except BadData:
        return set()


def as_text(rows: Sequence[TableRow], most: int | None = None) -> str:
    """What there is on each server, as lines of equal width; at most so many servers."""
    servers, people = by_server(rows)
    shown = servers if most is None else servers[:most]
    lines = [f"{'server':<20} {'tables':>6} {'people':>6}"]
    lines += [f"{each.server:<20} {each.tables:>6} {each.people:>6}" for each in shown]
    if len(shown) < len(servers):
        lines.append("…")
    return "\n".join([*lines, f"{'in all':<20} {len(rows):>6} {people:>6}"])
