"""The operator's overview: the live tables by server, and the processes of the fleet, as lines of equal width."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.fleet.fleet import ProcessState
from bot.store.model import TableRow
from bot.tables.model import read_body
from engine.errors import BadData


@dataclass(frozen=True, slots=True)
class OnServer:
    """The number of live tables on a server, and the number of people at them."""

    server: int
    tables: int
    people: int


def by_server(rows: Sequence[TableRow]) -> tuple[list[OnServer], int]:
    """The tables and people on each server, most tables first; and the number of all people."""
    tables = Counter(row.guild_id for row in rows)
    people: dict[int, set[int]] = {}
    for row in rows:
        people.setdefault(row.guild_id, set()).update(people_at(row))
    found = [OnServer(server, number, len(people[server])) for server, number in tables.most_common()]
    return found, len(set[int]().union(*people.values()))


def people_at(row: TableRow) -> set[int]:
    """The people at a table; empty if this version cannot read the table."""
    try:
        return {seat.user_id for seat in read_body(row.body).seats if seat.user_id is not None}
    except BadData:
        return set()


def as_text(rows: Sequence[TableRow]) -> str:
    """The tables and people on each server, as lines of equal width."""
    servers, people = by_server(rows)
    lines = [f"{'server':<20} {'tables':>6} {'people':>6}"]
    lines += [f"{each.server:<20} {each.tables:>6} {each.people:>6}" for each in servers]
    return "\n".join([*lines, f"{'in all':<20} {len(rows):>6} {people:>6}"])


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
