"""What the operator decides while the bot runs: who may play, which table ends, and what every table message says.

An order comes from a command of the program, or from one on Discord that only the owners of the application may use. If
a bot has the store open, a command of the program leaves the order there (`bot.cli.orders`), and the bot carries it out
within a second or two. If several processes share the store, the leader carries out all orders; one that was given on
Discord to another process is left in the store too. All others then read anew what they keep in memory.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final, Literal, get_args

from bot.fleet.fleet import Fleet, ProcessState, SingleProcess
from bot.gateway.errors import UNDELIVERED, Brief
from bot.language import gettext as _
from bot.language import speaking
from bot.store.model import Job, TableRow
from bot.store.store import Store
from bot.tables import ending
from bot.tables.draft import REDRAW
from bot.tables.model import HOUR, read_body
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.version import own_version
from engine.errors import BadData
from engine.plain import plain

log = logging.getLogger(__name__)

What = Literal[
    "block-person",
    "allow-person",
    "block-server",
    "allow-server",
    "end",
    "notice",
    "leave",
    "processes",
]
Scope = Literal["person", "server"]

ORDERS: Final = "orders"
"""The fact that holds the orders."""
DONE: Final = "orders-done"
"""The fact that holds what became of them. Only processes that have the store open write it."""
BLOCKED: Final = "blocked"
NOTICE: Final = "notice"
LONGEST_NOTICE: Final = 300
"""Characters. A full table message has room for them."""
WAIT: Final = 60.0
"""Seconds for which whoever gave an order waits for the leader."""
KEPT: Final = HOUR
"""Seconds after which an order that was carried out is taken away even if whoever gave it has not done so."""
LOOK: Final = 0.25
"""Seconds between two looks at whether it was carried out."""


@dataclass(frozen=True, slots=True)
class Order:
    """Something to be done. `argument` is an id, a table's number, a name or a text; `by` says who gave the order.

    The answer is worded in the language of `locale`. `at` is when it was given, in seconds; 0 if nobody noted it.
    """

    number: int
    what: What
    argument: str
    by: str
    locale: str = ""
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Done:
    """What became of an order: whether it was carried out, and a sentence that says so."""

    number: int
    done: bool
    said: str


def read_orders(text: str | None) -> list[Order]:
    """The orders that a fact holds, without those that only a newer version knows."""
    return [Order(**_known(Order, each)) for each in _entries(text) if each.get("what") in get_args(What)]


def read_done(text: str | None) -> list[Done]:
    """What became of orders, as a fact holds it."""
    return [Done(**_known(Done, each)) for each in _entries(text)]


def numbers_in(text: str | None) -> set[int]:
    """The numbers of all entries of a fact, those that only a newer version knows included."""
    return {each["number"] for each in _entries(text)}


def to_text(entries: Sequence[Order | Done]) -> str:
    return json.dumps([asdict(each) for each in entries])


def with_entry(text: str | None, entry: Order | Done) -> str:
    """The fact with this entry, which takes the place of an earlier one of its number.

    All else stays as it is, because it may be of a newer version.
    """
    rest = [each for each in _entries(text) if each["number"] != entry.number]
    return json.dumps([*rest, asdict(entry)])


def without(text: str | None, numbers: Collection[int]) -> str:
    """The fact without the entries of these numbers."""
    return json.dumps([each for each in _entries(text) if each["number"] not in numbers])


def _entries(text: str | None) -> list[dict[str, Any]]:
    return json.loads(text or "[]")


def _known(kind: type[Order | Done], entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry without the fields that only a newer version knows."""
    known = {field.name for field in fields(kind)}
    return {name: value for name, value in entry.items() if name in known}


def _noting(done: Done, orders: Collection[int]) -> Callable[[str | None], str]:
    """Adds what became of one of these orders, and drops what became of orders that are no longer there.

    Other processes may have noted what became of newer orders, which stays.
    """
    newest = max(orders)

    def note(text: str | None) -> str:
        gone = {number for number in numbers_in(text) if number not in orders and number <= newest}
        return with_entry(without(text, gone), done)

    return note


Blocked = dict[Scope, dict[int, float]]
"""Who is blocked, and since when."""


def read_blocked(text: str | None) -> Blocked:
    """Who is blocked, and since when."""
    kept: Mapping[str, Mapping[str, float]] = json.loads(text or "{}")
    return {
        "person": {int(each): at for each, at in kept.get("person", {}).items()},
        "server": {int(each): at for each, at in kept.get("server", {}).items()},
    }


class Controls:
    """Carries out the operator's orders, and remembers who is blocked and which notice is shown."""

    def __init__(self, tables: Tables, fleet: Fleet | None = None) -> None:
        self._tables = tables
        self._store: Store = tables.store
        self._fleet = fleet if fleet is not None else SingleProcess()
        self._blocked: dict[Scope, dict[int, float]] = read_blocked(None)
        self.notice = ""
        """What every table message says until it is taken back; empty for nothing."""
        self.leave_server: Callable[[int], Awaitable[bool]] | None = None
        """Leaves a server, and returns whether the bot was on it. None if this process is not connected to Discord."""
        self._fleet.on("controls", self._heard)

    async def load(self) -> None:
        """Reads what is kept. Raises `StoreError`."""
        self._blocked = read_blocked(await self._store.fact(BLOCKED))
        self.notice = await self._store.fact(NOTICE) or ""

    async def _heard(self) -> None:
        """Somebody has changed what is kept."""
        shown = self.notice
        await self.load()
        if self.notice != shown:
            await self._draw_all()

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
        """Carries out the orders in the store, if this process is the leader.

        Raises `StoreError`; the rest is then done the next time.
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
                    await self._store.change_fact(DONE, _noting(done, numbers_in(given)))

    async def _tidy(self) -> None:
        """Takes away what nobody waits for any more: it may hold the id of a person. Raises `StoreError`."""
        # In this order: what became of an order is noted while the order is there.
        done = numbers_in(await self._store.fact(DONE))
        if not done:
            return
        given = await self._store.fact(ORDERS)
        before = self._tables.clock.now() - KEPT
        old = {each.number for each in read_orders(given) if each.number in done and each.at < before}
        if old:
            await self._store.change_fact(ORDERS, lambda text: without(text, old))
        over = done - (numbers_in(given) - old)
        if over:
            await self._store.change_fact(DONE, lambda text: without(text, over))

    async def give(self, what: What, argument: str, by: str, locale: str) -> Done | None:
        """Has an order carried out that was given to this process; None if the leader needs too long for it.

        Raises `StoreError`.
        """
        # Numbers go up. What became of earlier orders may still be changed by others, so the time is part of them.
        now = self._tables.clock.now()
        least = 1 + max(numbers_in(await self._store.fact(DONE)), default=0)
        order = Order(max(least, int(now * 1000)), what, argument, by, locale, at=now)
        if what == "processes" or self._fleet.is_leader:
            return await self.do(order)
        number = 0

        def leave(text: str | None) -> str:
            nonlocal number
            number = max([order.number, *(each + 1 for each in numbers_in(text))])
            return with_entry(text, replace(order, number=number))

        await self._store.change_fact(ORDERS, leave)
        await self._fleet.publish_with_retry("controls")
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            for done in read_done(await self._store.fact(DONE)):
                if done.number == number:
                    await self._store.change_fact(ORDERS, lambda text: without(text, {number}))
                    return done
            await asyncio.sleep(LOOK)
        return None

    async def do(self, order: Order) -> Done:
        """Carries out an order. Doing it twice is the same as once.

        Raises `StoreError`.
        """
        with speaking(order.locale):
            try:
                said = await self._do(order)
            except Refused as refused:
                log.info(
                    "%s ordered: %s %s; refused (%s)", order.by, order.what, order.argument, refused.code
                )
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
                return self._of_notice()
            case "leave":
                return await self._leave(int(order.argument))
            case "processes":
                return await self._processes()

    async def _block(self, scope: Scope, number: int) -> None:
        now = self._tables.clock.now()
        await self._keep(lambda blocked: {**blocked, scope: {number: now, **blocked[scope]}})

    async def _allow(self, scope: Scope, number: int) -> None:
        def allow(blocked: Blocked) -> Blocked:
            return {**blocked, scope: {other: at for other, at in blocked[scope].items() if other != number}}

        await self._keep(allow)

    async def _keep(self, change: Callable[[Blocked], Blocked]) -> None:
        kept = await self._store.change_fact(BLOCKED, lambda text: json.dumps(change(read_blocked(text))))
        self._blocked = read_blocked(kept)
        await self._fleet.publish_with_retry("controls")

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

    def _of_notice(self) -> str:
        """What has become of the notice. It is on no table yet: each message shows it once it is drawn."""
        if self.notice:
            return _(
                "The notice is kept. Each table message shows it from its next redraw on, and all of them are due now."
            )
        return _(
            "The notice is taken back. Each table message drops it with its next redraw, and all of them are due now."
        )

    async def _set_notice(self, text: str) -> None:
        notice = plain(text)
        if len(notice) > LONGEST_NOTICE:
            raise Refused("notice-long", number=len(notice), most=LONGEST_NOTICE)
        await self._store.set_fact(NOTICE, notice)
        self.notice = notice
        await self._fleet.publish_with_retry("controls")
        await self._draw_all()

    async def _draw_all(self) -> None:
        """Has live tables drawn anew: all of them by the leader, else those of the shards that this process owns."""
        now = self._tables.clock.now()
        for table_id, server in await self._store.live_table_ids():
            if self._fleet.is_leader or self._fleet.owns(server):
                await self._store.set_job(Job(table_id, REDRAW, now))

    async def _leave(self, guild_id: int) -> str:
        if self.leave_server is None:
            raise Refused("not-connected")
        try:
            there = await self.leave_server(guild_id)
        except UNDELIVERED as error:
            log.warning("server %s could not be left (%s)", guild_id, Brief(error))
            raise Refused("undelivered") from None
        if not there:
            raise Refused("not-there")
        left = _("I have left the server {id}. Its tables sleep for a week, in case I am invited again.")
        return left.format(id=guild_id)

    # -- the processes

    async def _processes(self) -> str:
        if not self._fleet.alone:
            return processes_as_text(await self._fleet.processes())
        if self.leave_server is None:
            raise Refused("none-runs")
        return _("There is one process. Its version is {version}.").format(version=own_version())


def _refusal(refused: Refused) -> str:
    """Why an order was not carried out, to the operator."""
    texts = {
        "no-table": _("There is no table of that number. Nothing was done."),
        "match-over": _("That table has ended already. Nothing was done."),
        "not-connected": _(
            "No bot runs on this database, and only a bot can leave a server. Nothing was done."
        ),
        "not-there": _("I am not on that server. Nothing was done."),
        "undelivered": _("Discord did not take that. Nothing was done; try again later."),
        "none-runs": _("No bot runs on this database. Nothing was done."),
    }
    if refused.code == "notice-long":
        long = _(
            "A notice may have {most} characters, and this one has {number}. Nothing was changed; shorten it."
        )
        return long.format(**refused.facts)
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


# -- the processes of the fleet


def processes_as_text(processes: Sequence[ProcessState]) -> str:
    """The processes that live, as lines: name, version, how many shards each owns, and what keeps it from more."""
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
