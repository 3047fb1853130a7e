"""The operator's orders and their outcomes, as a fact in the store holds them; and the acts that carry them out.

Orders are blocks, ended tables, the notice shown by every table message, servers to leave, and the overview of tables.

An order comes from a command of the program. If a bot has the store open, the command writes the order to the store
(`bot.cli.orders`), and the bot, of several processes the leader, carries it out within a second or two. All processes
then reload their copies in memory.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, NamedTuple, get_args

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
    "block-person", "allow-person", "block-server", "allow-server", "end", "notice", "leave", "processes"
]

ORDERS: Final = "orders"
"""The fact that holds the orders, as a list of `Entry`."""

Entry = dict[str, Any]
"""An order as JSON: the fields of `Order`, then those of `Done` once it was carried out; more of a newer version."""


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


class Done(NamedTuple):
    """The outcome of an order: whether it was carried out, and a sentence that says so."""

    done: bool
    said: str


def entries(text: str | None) -> list[Entry]:
    """The orders that a fact holds."""
    return json.loads(text or "[]")


def _waiting(text: str | None) -> list[Order]:
    """The orders that are to be carried out, without the kinds that only a newer version has."""
    return [
        Order(each["number"], each["what"], each["argument"], each["by"])
        for each in entries(text)
        if "done" not in each and each["what"] in get_args(OrderKind)
    ]


def _noted(text: str | None, number: int, done: Done) -> str:
    """The fact with the outcome of an order."""
    return json.dumps(
        [{**each, **done._asdict()} if each["number"] == number else each for each in entries(text)]
    )


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
        for order in _waiting(await self._tidied()):
            done = await self.do(order)
            await self._store.change_fact(ORDERS, partial(_noted, number=order.number, done=done))

    async def _tidied(self) -> str | None:
        """The orders, after those are deleted for whose outcome nobody waits: they may hold the id of a person."""
        before = self._tables.clock.now() - _KEPT

        def tidied(text: str | None) -> str:
            return json.dumps([each for each in entries(text) if "done" not in each or each["at"] >= before])

        given = await self._store.fact(ORDERS)
        return await self._store.change_fact(ORDERS, tidied) if tidied(given) != (given or "[]") else given

    async def do(self, order: Order) -> Done:
        """Carries out an order. A repetition has no further effect.

        Raises `StoreError`.
        """
        try:
            said = await self._do(order)
        except Refused as refused:
            log.info("%s ordered: %s %s; refused (%s)", order.by, order.what, order.argument, refused.code)
            return Done(False, _refusal(refused))
        log.info("%s ordered: %s %s; done", order.by, order.what, order.argument)
        return Done(True, said)

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
