"""The store does the same with either engine: whatever is asked of it, it answers and keeps the same."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.store.model import ALARM, Change, EmojiRow, Job, LogRow, MoveRow, StoreError, TableLimits, TableRow
from bot.store.store import Store
from tests.bot.postgres import server
from tests.bot.store.samples import NOW, Home, a_table, everything
from tests.manual_clock import ManualClock
from tests.sampling import sweep

TxFunction = Callable[[Store], Awaitable[object]]
KINDS = ("limit", "remind", "redraw", ALARM)
STATUSES = ("lobby", "playing", "paused", "over", "abandoned")
PEOPLE = range(1, 6)


class Requests:
    """Draws what to ask of a store, with what is known of its tables: right and wrong, early and late."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.tables: dict[int, TableRow] = {}
        self.jobs: list[Job] = []

    def next(self) -> TxFunction:
        often = [self.create, self.job, self.look] * 2 + [self.commit] * 6
        return self.rng.choice([*often, self.beat, self.people, self.notes, self.purge])()

    def _table(self) -> TableRow:
        some = self.rng.choice([*self.tables.values()] or [a_table()])
        return replace(some, version=some.version - (self.rng.random() < 0.1))

    def _jobs(self, table_id: int) -> list[Job]:
        kinds = self.rng.choices(KINDS, k=self.rng.randrange(4))
        return [Job(table_id, kind, NOW + self.rng.randrange(50), f"for {kind}") for kind in kinds]

    def _seated(self) -> list[tuple[int, int]]:
        return [(self.rng.choice(PEOPLE), self.rng.randrange(-1, 3)) for _ in range(self.rng.randrange(3))]

    def create(self) -> TxFunction:
        table = a_table(self.rng.randrange(8), status=self.rng.choice(STATUSES), game=self.rng.choice("ab"))
        table.guild_id = self.rng.randrange(2)
        table.snapshot = self.rng.choice([None, "{}", "ß" * 3000])
        table.body = self.rng.choice(["no JSON", f'{{"user": {PEOPLE[-1]}}}'])
        table.asleep = self.rng.random() < 0.3
        table.ended_at = None if table.status in STATUSES[:3] else NOW + self.rng.randrange(100)
        limits = TableLimits(self.rng.choice([0, 2, 4]), self.rng.choice([0, 3]))
        change = Change(
            table,
            log=[LogRow("table", 0, "opened", NOW)],
            set_jobs=self._jobs(0),
            seated=self._seated(),
            press=self.rng.choice([None, self.rng.randrange(1000, 1100)]),
        )
        opener = self.rng.choice(PEOPLE)

        async def act(store: Store) -> object:
            row = await store.create(change, opener_id=opener, limits=limits)
            self.tables[row.id] = row
            return row

        return act

    def commit(self) -> TxFunction:
        table = self._table()
        undone = (
            self.rng.randrange(1, table.sequence + 1) if table.sequence and self.rng.random() < 0.2 else None
        )
        if undone is not None:
            table.sequence = undone - 1
        moves: list[MoveRow] = []
        for part in range(self.rng.randrange(3)):
            press = self.rng.choice([None, self.rng.randrange(40)])
            number = table.sequence + 1 - (self.rng.random() < 0.05)
            moves.append(MoveRow(number, self.rng.randrange(3), f"move {number}", press, NOW + number, part))
            table.sequence = max(table.sequence, number)
        log = [
            LogRow(self.rng.choice(["game", "agent", "table"]), table.sequence, "x" * n, NOW)
            for n in range(2)
        ]
        if self.rng.random() < 0.2:
            table.status = self.rng.choice(STATUSES)
            table.ended_at = None if table.status in STATUSES[:3] else NOW + self.rng.randrange(100)
        drops = self.rng.choices(KINDS, k=self.rng.randrange(3))
        set_jobs, seated = self._jobs(table.id), self._seated()
        pressed = self.rng.choice([None, None, self.rng.randrange(1000, 1100)])

        async def act(store: Store) -> object:
            row = replace(table)  # each store sets the version in a row of its own
            await store.commit(Change(row, moves, log, set_jobs, drops, seated, undone, pressed))
            self.tables[row.id] = row
            return row

        return act

    def job(self) -> TxFunction:
        jobs = self._jobs(self._table().id)
        known = self.rng.sample(self.jobs, min(len(self.jobs), 2))
        later = NOW + self.rng.randrange(100)

        async def act(store: Store) -> object:
            for job in jobs:
                await store.set_job(job)
            await store.finish(known[:1])
            for job in known[1:]:
                await store.postpone(job, later)
            self.jobs = await store.due(NOW + 25, limit=6)
            return self.jobs, await store.due(NOW + 40, besides=known), await store.next_due()

        return act

    def beat(self) -> TxFunction:
        now, away = NOW + self.rng.randrange(-30, 30), self.rng.choice([0.0, 10.0])
        return lambda store: store.write_heartbeat(now, away)

    def look(self) -> TxFunction:
        table, person, channel = self._table().id, self.rng.choice(PEOPLE), self.rng.randrange(8)
        game, begun, last = (
            self.rng.choice([None, "a"]),
            self.rng.random() < 0.5,
            self.rng.choice([0, 2, 200]),
        )

        async def act(store: Store) -> object:
            return (
                await store.table(table),
                await store.live_table(channel),
                await store.latest_table(channel, game, begun=begun),
                await store.live_tables(),
                sorted(await store.live_table_ids()),
                sorted(await store.live_table_ids(server=1)),
                await store.moves(table),
                await store.log(table, last=last),
                await store.seat_of(table, person),
                await store.has_played(person, "a", besides=table),
                await store.has_played(person, "a", besides=table, lessons=True),
                await store.tables_of(person),
                await store.tables_naming(person),
            )

        return act

    def people(self) -> TxFunction:
        table, person = self._table().id, self.rng.choice(PEOPLE)

        async def act(store: Store) -> object:
            await store.forget(person, table)
            number = await store.erasures.ask(person)
            await store.erasures.unname([number, number - 1])
            await store.erasures.finish([number - 2])
            return number, await store.erasures.pending()

        return act

    def notes(self) -> TxFunction:
        number, on, value = self.rng.choice(PEOPLE), self.rng.random() < 0.6, str(self.rng.random())

        async def act(store: Store) -> object:
            await store.set_fact(f"fact {number}", value)
            await store.change_fact("fact 1", lambda old: f"{old} and {value}"[-60:])
            await store.set_text_only("guild" if number % 2 else "person", number, on)
            await store.emoji.keep([EmojiRow(f"coin_{number}", value, number), EmojiRow("Map", value, 7)])
            await store.emoji.drop([f"coin_{6 - number}"])
            return await store.fact("fact 1"), await store.text_only(), await store.emoji.all()

        return act

    def purge(self) -> TxFunction:
        before = NOW + self.rng.randrange(60)
        return lambda store: store.purge(before)


async def answer(store: Store, act: TxFunction) -> object:
    """The answer of the store, or the error that it raises."""
    try:
        return await act(store)
    except Exception as error:  # noqa: BLE001 - which one it is, is what is compared
        return type(error), "" if type(error) is StoreError else str(error)


async def number_alike(file: Home, database: Home) -> None:
    """Lets the database go on with the file's numbers: each leaves out others when something could not be done."""
    for name, last in await file.query("SELECT name, seq FROM sqlite_sequence"):
        await database.query(
            f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {max(last, 1)}, {last > 0})"
        )


@pytest.mark.parametrize("seed", sweep(*range(5)))
async def test_sqlite_and_postgres_give_equal_answers_and_contents(
    path: Path, clock: ManualClock, seed: int
) -> None:
    running = server()
    homes = [Home(path), Home(running.url(await running.database()))]
    stores = [home.store(clock) for home in homes]
    for store in stores:
        await store.open()
    requests = Requests(seed)
    outcomes: set[object] = set()
    for number in range(200):
        act = requests.next()
        await number_alike(homes[0], homes[1])
        first, second = [await answer(store, act) for store in stores]
        assert first == second, f"request {number}"
        outcomes.add(first[0] if isinstance(first, tuple) and isinstance(first[0], type) else "an answer")
    assert len(outcomes) >= 3, "some are refused"
    file, database = [await everything(home) for home in homes]
    assert file == database
    for store in stores:
        await store.close()
