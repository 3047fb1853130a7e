"""The operator's orders and their outcomes, as two facts in the store hold them; and the acts that carry them out.

Orders are blocks, ended tables, the notice shown by every table message, servers to leave, and the overview of tables.

An order comes from a command of the program. If a bot has the store open, the command writes the order to the store
(`bot.cli.orders`), and the bot, of several processes the leader, carries it out within a second or two. All processes
then reload their copies in memory.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal, get_args

from bot.app.controls import Blocklist, Notice, Scope
from bot.fleet.fleet import Fleet, ProcessState
from bot.gateway.errors import UNDELIVERED, Brief
from bot.store.model import TableRow
from bot.tables import ending
from bot.tables.model import HOUR, read_body
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.version import own_version
from engine.errors import BadData

OrderKind = Literal[
    "block-person",
    "allow-person",
    "block-server",
    "allow-server",
    "end",
    "notice",
    "leave",
    "processes",
]

ORDERS: Final = "orders"
"""The fact that holds the orders."""
DONE: Final = "orders-done"
"""The fact that holds the outcomes of orders. Only processes that have the store open write it."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order of the operator. `argument` is an id, a table's number, a name or a text; `by` says who gave the order.

    `at` is the time of the order, in seconds; 0 if unknown.
    """

    number: int
    what: OrderKind
    argument: str
    by: str
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of an order: whether it was carried out, and a sentence that says so."""

    number: int
    done: bool
    said: str


def read_orders(text: str | None) -> list[Order]:
    """The orders that a fact holds, without the kinds that only a newer version has."""
    return [
        Order(**_known(Order, each)) for each in _entries(text) if each.get("what") in get_args(OrderKind)
    ]


def read_done(text: str | None) -> list[Done]:
    """The outcomes of orders that a fact holds."""
    return [Done(**_known(Done, each)) for each in _entries(text)]


def numbers_in(text: str | None) -> set[int]:
    """The numbers of all entries of a fact, including the kinds that only a newer version has."""
    return {each["number"] for each in _entries(text)}


def with_entry(text: str | None, entry: Order | Done) -> str:
    """The fact with this entry, which replaces an earlier one of its number.

    All other entries stay unchanged, because a newer version may have written them.
    """
    rest = [each for each in _entries(text) if each["number"] != entry.number]
    return json.dumps([*rest, asdict(entry)])


def without(text: str | None, numbers: Collection[int]) -> str:
    """The fact without the entries of these numbers."""
    return json.dumps([each for each in _entries(text) if each["number"] not in numbers])


def _entries(text: str | None) -> list[dict[str, Any]]:
    return json.loads(text or "[]")


def _known(kind: type[Order | Done], entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry without the fields that only a newer version has."""
    known = {field.name for field in fields(kind)}
    return {name: value for name, value in entry.items() if name in known}


def noting(done: Done, orders: Collection[int]) -> Callable[[str | None], str]:
    """A change of `DONE` that adds the outcome of one of these orders, and drops outcomes of orders that are gone.

    Outcomes of newer orders, which other processes may have added, stay.
    """
    newest = max(orders)

    def note(text: str | None) -> str:
        gone = {number for number in numbers_in(text) if number not in orders and number <= newest}
        return with_entry(without(text, gone), done)

    return note


def people_at(row: TableRow) -> set[int]:
    """The people at a table; empty if this version cannot read the table."""
    try:
        return {seat.user_id for seat in read_body(row.body).seats if seat.user_id is not None}
    except BadData:
        return set()


def as_text(rows: Sequence[TableRow]) -> str:
    """The tables and people on each server, most tables first, and those in all, as lines of equal width."""
    people: dict[int, set[int]] = {}
    for row in rows:
        people.setdefault(row.guild_id, set()).update(people_at(row))
    counts: list[tuple[str | int, int, int]] = [
        (server, tables, len(people[server]))
        for server, tables in Counter(row.guild_id for row in rows).most_common()
    ]
    counts.append(("in all", len(rows), len(set[int]().union(*people.values()))))
    lines = [f"{server:<20} {tables:>6} {number:>6}" for server, tables, number in counts]
    return "\n".join([f"{'server':<20} {'tables':>6} {'people':>6}", *lines])


def processes_as_text(processes: Sequence[ProcessState]) -> str:
    """The live processes, as lines: name, version, number of owned shards, and whether it drains or joins."""
    rows = [
        (each.name, each.version, str(each.owned), "" if each.is_member else "draining or joining")
        for each in processes
    ]
    wide = [
        max([len(title), *(len(row[place]) for row in rows)])
        for place, title in enumerate(("process", "version"))
    ]
    lines = [f"{'process':<{wide[0]}}  {'version':<{wide[1]}}  {'shards':>6}"]
    lines += [
        f"{name:<{wide[0]}}  {version:<{wide[1]}}  {shards:>6}  {state}".rstrip()
        for name, version, shards, state in rows
    ]
    return "\n".join(lines)


log = logging.getLogger(__name__)

LeaveServer = Callable[[int], Awaitable[bool]]
"""Leaves a server, and returns whether the bot was on it."""
_KEPT: Final = HOUR
"""Seconds after which an order that was carried out is deleted even if nobody has read its answer."""


class Operator:
    """Carries out the operator's orders."""

    def __init__(
        self,
        tables: Tables,
        blocklist: Blocklist,
        notice: Notice,
        fleet: Fleet,
        leave_server: LeaveServer | None = None,
    ) -> None:
        """`leave_server` is None if this process is not connected to Discord."""
        self._tables = tables
        self._store = tables.store
        self._blocklist = blocklist
        self._notice = notice
        self._fleet = fleet
        self._leave_server = leave_server

    async def take_up(self) -> None:
        """Carries out the orders in the store, if this process is the leader.

        Raises `StoreError`; the next call then carries out the rest.
        """
        if not self._fleet.is_leader:
            return
        await self._tidy()
        given = await self._store.fact(ORDERS)
        orders = read_orders(given)
        if orders:
            known = numbers_in(await self._store.fact(DONE))
            for order in orders:
                if order.number not in known:
                    done = await self.do(order)
                    await self._store.change_fact(DONE, noting(done, numbers_in(given)))

    async def _tidy(self) -> None:
        """Deletes orders and outcomes that nobody waits for: they may hold the id of a person. Raises `StoreError`."""
        # The outcomes are read before the orders: an outcome is written only while its order is in the store.
        done = numbers_in(await self._store.fact(DONE))
        if not done:
            return
        given = await self._store.fact(ORDERS)
        before = self._tables.clock.now() - _KEPT
        old = {each.number for each in read_orders(given) if each.number in done and each.at < before}
        if old:
            await self._store.change_fact(ORDERS, lambda text: without(text, old))
        over = done - (numbers_in(given) - old)
        if over:
            await self._store.change_fact(DONE, lambda text: without(text, over))

    async def do(self, order: Order) -> Done:
        """Carries out an order. A repetition has no further effect.

        Raises `StoreError`.
        """
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
                await self._blocklist.block(scope, int(order.argument))
                return f"{order.argument} is blocked. Matches under way go on."
            case "allow-person" | "allow-server":
                scope = "person" if order.what == "allow-person" else "server"
                await self._blocklist.allow(scope, int(order.argument))
                return f"{order.argument} is not blocked."
            case "end":
                await self._end(int(order.argument))
                return f"Table {order.argument} has ended."
            case "notice":
                await self._notice.set(order.argument)
                return self._of_notice()
            case "leave":
                return await self._leave(int(order.argument))
            case "processes":
                return await self._processes()

    async def _end(self, table_id: int) -> None:
        """Ends a live table, even one that this version cannot read, so that its channel becomes free."""
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

    def _of_notice(self) -> str:
        """A sentence on the notice. No table shows the notice yet: each message does after its next redraw."""
        done = "withdrawn. Each table message drops it with its next redraw"
        if self._notice.text:
            done = "saved. Each table message shows it from its next redraw on"
        return f"The notice is {done}, and all of them are due now."

    async def _leave(self, guild_id: int) -> str:
        if self._leave_server is None:
            raise Refused("not-connected")
        try:
            there = await self._leave_server(guild_id)
        except UNDELIVERED as error:
            log.warning("server %s could not be left (%s)", guild_id, Brief(error))
            raise Refused("undelivered") from None
        if not there:
            raise Refused("not-there")
        return f"I have left the server {guild_id}. Its tables sleep for a week, in case I am invited again."

    async def _processes(self) -> str:
        if not self._fleet.alone:
            return processes_as_text(await self._fleet.processes())
        if self._leave_server is None:
            raise Refused("none-runs")
        return f"There is one process. Its version is {own_version()}."


async def offline_operator(tables: Tables) -> Operator:
    """The operator of a single process that is not connected to Discord. Raises `StoreError`."""
    alone = Fleet()
    blocklist = Blocklist(tables.store, tables.clock, alone)
    notice = Notice(tables.store, tables.clock, alone)
    await blocklist.load()
    await notice.load()
    return Operator(tables, blocklist, notice, alone)


def _refusal(refused: Refused) -> str:
    """The reason, worded for the operator, why an order was not carried out."""
    texts = {
        "no-table": "There is no table with that number. Nothing was changed; check the number.",
        "match-over": "That table has already ended. Nothing was changed.",
        "not-connected": (
            "No bot runs on this database, and only a bot can leave a server. Nothing was changed; "
            "start the bot first."
        ),
        "not-there": "I'm not on that server. Nothing was changed.",
        "undelivered": "Discord rejected that. Nothing was changed; please try again later.",
        "none-runs": "No bot runs on this database. Nothing was changed; start the bot first.",
    }
    if refused.code == "notice-long":
        long = (
            "A notice may have {most} characters, and this one has {number}. Nothing was changed; shorten it."
        )
        return long.format(**refused.facts)
    return texts.get(refused.code) or "That can't be done now."
