"""Invariants of a table whatever people do, in whatever order, however often the host is stopped or killed."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final
from unittest.mock import patch

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.app.heartbeat import EVERY
from bot.app.host import Host
from bot.people.privacy.stored_data import forget
from bot.store.model import Repeated
from bot.tables import absence, deadlines, ending, holidays, lobby, play, seats
from bot.tables.draft import AGENT, ALARM, REDRAW, START, Draft
from bot.tables.model import DAY, HOUR, MINUTE, Table, read_table
from bot.tables.play import view_version_of
from bot.tables.premoves import question_for
from bot.tables.refusals import Refused
from engine.errors import IllegalMove
from engine.game import AnyGame
from tests.bot.hosts import make_host, run_due
from tests.bot.tables.samples import ARTIFACTS_INC, GAME, SEALED, Presses, change, name_of, open_lobby
from tests.manual_clock import ManualClock
from tests.sampling import amount

HEARTBEAT = EVERY

PEOPLE: Final = range(1, 7)
LEGAL: Final = {
    "lobby": {"lobby", "playing", "paused", "abandoned"},
    "playing": {"playing", "paused", "over", "abandoned"},
    "paused": {"paused", "playing", "abandoned"},
    "over": {"over"},
    "abandoned": {"abandoned"},
}

person = st.sampled_from(PEOPLE)
people = st.lists(person, min_size=1, max_size=3, unique=True)
limit = st.sampled_from([None, 5 * MINUTE, HOUR])
started = st.sampled_from([True, True, True, False])
seat = st.integers(0, GAME.max_seats - 1)
seed = st.integers(0, 999)


class ATable(RuleBasedStateMachine):
    """One channel in which people come, play and go. Whatever is refused changes nothing."""

    game: ClassVar[AnyGame] = GAME

    def __init__(self) -> None:
        super().__init__()
        # Runs repeat themselves.
        self._chance = patch.object(lobby.secrets, "token_bytes", return_value=b"seed" * 8)
        self._chance.start()
        self._loop = asyncio.Runner()
        self._folder = tempfile.TemporaryDirectory()
        self._path = Path(self._folder.name) / "digsite.sqlite3"
        self.clock = ManualClock()
        self.host: Host
        self.table: Table
        self.seen: dict[int, set[int]] = {}
        """The seats whose hands people have seen."""
        self.last: tuple[Any, ...] | None = None
        self._run(self._start())

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run(work)

    async def _start(self) -> None:
        self.host, _drawn = make_host(self._path, self.clock, keep_days=3650)
        await self.host.start()

    def teardown(self) -> None:
        self._run(self.host.close())
        self._loop.close()
        self._folder.cleanup()
        self._chance.stop()

    def _lobby(self, *people: int, **options: Any) -> Coroutine[Any, Any, Table]:
        return open_lobby(self.host.tables, *people, game=self.game, **options)

    def _act(self, act: Callable[[Draft], object]) -> None:
        """Does an act, or is refused it."""
        before = self.table
        try:
            self._run(change(self.host.tables, self.table, act))
        except Refused:
            assert self._now() == before, "what is refused changes nothing"

    def _now(self) -> Table:
        return self._run(self.host.tables.get(self.table.id))

    # -- what may happen

    @initialize(people=people, agents=st.integers(0, 1), limit=limit, started=started)
    def open(self, people: list[int], agents: int, limit: int | None, started: bool) -> None:
        self.table = self._run(self._lobby(*people, agents=agents, limit=limit))
        if started:
            self.begin()
        self.seen = {}
        self.last = None

    @rule(who=person)
    def join(self, who: int) -> None:
        self._act(lambda draft: lobby.join(draft, who, name_of(who)))

    @rule(who=person)
    def leave_lobby(self, who: int) -> None:
        self._act(lambda draft: lobby.leave_lobby(draft, who))

    @rule(number=st.integers(0, 2))
    def set_agents(self, number: int) -> None:
        self._act(lambda draft: lobby.set_agents(draft, draft.table.body.host_id, ["novice"] * number))

    @rule()
    def freeze(self) -> None:
        self._act(lambda draft: lobby.freeze(draft, draft.table.body.host_id))

    @rule()
    def begin(self) -> None:
        """The host has the match start, or a start goes on that something interrupted."""
        self.freeze()
        if self._now().starting:
            self._act(lambda draft: lobby.begin(draft, 99))

    @precondition(lambda self: self.table.starting)
    @rule(who=person)
    def add_word(self, who: int) -> None:
        before = self._now()
        self._act(lambda draft: lobby.add_word(draft, who, "late"))
        assert self._now() == before, "nothing is given between the start and its message"

    @precondition(lambda self: self.table.under_way)
    @rule(moves=st.integers(1, 30), seed=seed)
    def play(self, moves: int, seed: int) -> None:
        """Whoever is asked moves, a few times; agents as soon as they may."""
        presses = Presses(self.host.tables, seed)
        for _ in range(moves):
            table = self._now()
            if table.status != "playing":
                return
            decision = presses.rng.choice(self.game.pending(table.state))
            who = table.seats[decision.seat].user_id
            if who is None:
                self._run(run_due(self.host))
                continue
            move = self.game.sample(table.state, decision.seat, presses.rng)
            self.last = (table.id, who, view_version_of(table, decision), move, presses.next_id())
            after = self._run(self.host.tables.play(*self.last))
            assert after.sequence == table.sequence + 1
            assert after.seats[decision.seat].present

    @rule(who=person)
    def undo(self, who: int) -> None:
        """Somebody takes their last move back; a screen drawn before that does nothing after it."""
        before = self._now()
        if before.state is None:
            return
        self._act(lambda draft: play.undo(draft, who, play.undo_view_version(draft.table)))
        after = self._now()
        if after == before:
            return
        assert after.sequence == before.sequence - 1
        if self.last is not None:
            table, presser, view_version, move, interaction = self.last
            try:
                self._run(self.host.tables.play(table, presser, view_version, move, interaction))
            except (Refused, IllegalMove, Repeated):
                assert self._now().sequence == after.sequence
            else:
                raise AssertionError("a screen from before acted")
            self.last = None

    @precondition(lambda self: self.last is not None)
    @rule(stale=st.booleans())
    def deliver_again(self, stale: bool) -> None:
        """The last press comes once more, with its decision or as a move that is bound to none."""
        assert self.last is not None
        before = self._now()
        table, who, view_version, move, interaction = self.last
        try:
            self._run(self.host.tables.play(table, who, view_version if stale else None, move, interaction))
        except (Refused, IllegalMove, Repeated):
            assert self._now().sequence == before.sequence
        else:
            raise AssertionError("a press counted twice")

    @rule(who=person, seed=seed)
    def press_out_of_turn(self, who: int, seed: int) -> None:
        before = self._now()
        if before.state is None or not self.game.pending(before.state):
            return
        decision = self.game.pending(before.state)[0]
        seat = before.seat_of(who)
        if seat is not None and question_for(before, seat) is not None:
            return  # it is their turn, or they may make a premove
        move = self.game.sample(before.state, decision.seat, Random(seed))
        try:
            self._run(self.host.tables.play(before.id, who, view_version_of(before, decision), move, 5))
        except Refused:
            assert self._now() == before
        else:
            raise AssertionError("somebody moved who was not asked")

    @rule(seconds=st.sampled_from([1, 100, 5 * MINUTE, HOUR, 25 * HOUR, 8 * 24 * HOUR]))
    def wait(self, seconds: int) -> None:
        """Time passes while the host is up, and it does what is due."""
        for part in (seconds - HEARTBEAT, HEARTBEAT):
            self.clock.advance(max(0, part))
            self._run(run_due(self.host))

    @rule(who=person)
    def leave(self, who: int) -> None:
        self._act(lambda draft: seats.leave(draft, who))

    @rule(who=person)
    def come_back(self, who: int) -> None:
        self._act(lambda draft: seats.come_back(draft, who))

    @rule(who=person, days=st.integers(1, 14))
    def go_on_holiday(self, who: int, days: int) -> None:
        ends = int(self.clock.now()) + days * DAY
        self._act(lambda draft: holidays.go_on_holiday(draft, who, ends))

    @rule(who=person)
    def come_home(self, who: int) -> None:
        self._act(lambda draft: holidays.come_home(draft, who))

    @rule(who=people, number=seat)
    def agree_to_wait(self, who: list[int], number: int) -> None:
        for each in who:
            self._act(lambda draft, each=each: holidays.agree_to_wait(draft, each, number))

    @rule(who=person, number=seat)
    def let_agent_play(self, who: int, number: int) -> None:
        self._act(lambda draft: holidays.let_agent_play(draft, who, number))

    @rule(who=person, number=seat)
    def take_over(self, who: int, number: int) -> None:
        before = self._now()
        try:
            self._run(self.host.tables.take_over(self.table.id, who, name_of(who), number))
        except Refused:
            assert self._now() == before

    @rule(who=person)
    def wish_to_end(self, who: int) -> None:
        if self._now().status != "lobby":
            self._act(lambda draft: ending.end(draft, who, manages=False))

    @rule(who=person)
    def be_forgotten(self, who: int) -> None:
        self._run(forget(self.host.tables, who))
        assert self._run(self.host.store.tables_of(who)) == []

    @rule(down=st.sampled_from([0, 40, HOUR, 30 * 24 * HOUR]), killed=st.booleans())
    def restart(self, down: int, killed: bool) -> None:
        self._run(self.host.store.close() if killed else self.host.close())
        self.clock.advance(down)
        self._run(self._start())

    @precondition(lambda self: not self.table.live)
    @rule(people=people, agents=st.integers(0, 1), limit=limit, started=started)
    def open_another(self, people: list[int], agents: int, limit: int | None, started: bool) -> None:
        self.open(people, agents, limit, started)

    # -- what always holds

    @invariant()
    def it_goes_from_one_status_to_the_next_as_tables_do(self) -> None:
        now = self._now()
        assert now.status in LEGAL[self.table.status]
        assert now.version >= self.table.version
        assert now.sequence + now.body.undone >= self.table.sequence + self.table.body.undone
        assert (now.ended_at is None) == now.live
        self.table = now

    @invariant()
    def what_is_on_file_is_what_is_at_hand(self) -> None:
        now = self._now()
        row = self._run(self.host.store.table(now.id))
        kept = read_table(row, self.game)
        deadlines.grant_grace(kept, self.host.tables.time.grace_ends)
        assert kept.body == now.body
        assert (kept.status, kept.version, kept.sequence) == (now.status, now.version, now.sequence)
        assert (kept.state is None) == (now.state is None)
        if now.state is not None:
            assert self.game.dump(kept.state) == self.game.dump(now.state)
        assert len(self._run(self.host.store.moves(now.id))) == now.sequence

    @invariant()
    def nobody_sits_twice_or_sees_two_hands(self) -> None:
        now = self._now()
        people = [each.user_id for each in now.seats if each.user_id is not None]
        assert len(people) == len(set(people))
        if now.under_way:
            for number in now.people():
                user = now.seats[number].user_id
                assert user is not None
                self.seen.setdefault(user, set()).add(number)
        assert all(len(hands) == 1 for hands in self.seen.values()), self.seen

    @invariant()
    def somebody_is_waited_for_or_it_pauses_with_an_end(self) -> None:
        now = self._now()
        jobs = {job.kind: job.due for job in self._run(self.host.store.due(1e12)) if job.table_id == now.id}
        jobs.pop(REDRAW, None)
        host_time = self.clock.now() - self.host.tables.time.downtime
        if not now.live:
            assert jobs == {}
            assert now.body.asked == {}
        elif now.status in ("lobby", "paused"):
            assert set(jobs) == {ALARM, START} if now.starting else {ALARM}
            assert now.body.expires is not None
            assert now.body.expires > host_time - HEARTBEAT
        else:
            self._is_waited_for(now, jobs)

    def _is_waited_for(self, now: Table, jobs: dict[str, float]) -> None:
        pending = {decision.seat for decision in self.game.pending(now.state)}
        assert pending
        assert set(now.body.asked) == pending
        agents = {number for number in pending if absence.played_by_agent(now, number)}
        assert (AGENT in jobs) == bool(agents)
        waits = {number for number in pending if deadlines.waited_for(now, number)}
        assert waits == {number for number in pending if now.body.asked[number].held is not None}
        assert not waits & agents
        timed = {number for number in pending - agents - waits if not now.body.asked[number].silent}
        assert (ALARM in jobs) == bool(timed)
        for number in timed:
            asked = now.body.asked[number]
            assert (asked.deadline is None) == (now.body.limit is None)
            latest = asked.at + 2 * DAY if asked.deadline is None else asked.deadline
            assert jobs[ALARM] <= latest + self.host.tables.time.downtime + 0.001

    @invariant()
    def it_pauses_exactly_when_nobody_is_there(self) -> None:
        now = self._now()
        if now.under_way:
            assert (now.status == "playing") == any(each.present for each in now.seats)

    @invariant()
    def match_waits_for_nobody_unless_all_others_agree(self) -> None:
        now = self._now()
        for number, each in enumerate(now.seats):
            assert each.holiday is None or (now.live and each.away and each.user_id is not None)
            assert each.holiday is not None or not each.agreed
            assert set(each.agreed) <= set(now.people()) - {number}
            if deadlines.waited_for(now, number):
                assert set(each.agreed) == set(now.people()) - {number} != set()

    @invariant()
    def a_person_hosts_wherever_there_is_one(self) -> None:
        now = self._now()
        if now.live and now.people():
            assert now.seat_of(now.body.host_id) is not None
        assert set(now.body.end_votes) <= set(now.people()) or not now.live


ATable.TestCase.settings = settings(max_examples=amount(20, 5), stateful_step_count=35)
TestATable = ATable.TestCase


class ATableOfAllAtOnce(ATable):
    """The same where all decide at once."""

    game = SEALED


ATableOfAllAtOnce.TestCase.settings = ATable.TestCase.settings
TestATableOfAllAtOnce = ATableOfAllAtOnce.TestCase


class ATableOfOpenInformation(ATable):
    """The same where most moves can be taken back, and turns are long."""

    game = ARTIFACTS_INC


ATableOfOpenInformation.TestCase.settings = ATable.TestCase.settings
TestATableOfOpenInformation = ATableOfOpenInformation.TestCase
