"""The private screens that people have open. Each is brought up to date for as long as Discord accepts edits of it.

A person who watches a match has such a screen as well, without a seat.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Final

from bot.background import Background, Locks
from bot.gateway.errors import Brief
from bot.language import gettext as _
from bot.language import speaking
from bot.store.model import StoreError
from bot.tables.absence import played_by_agent
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.ui.display.state import DisplayStates, PrivateScreen
from bot.ui.interaction import UNDELIVERED
from bot.ui.late_answers import LateAnswers
from bot.ui.pictures import Pictures
from bot.ui.private_drawing import PrivateDrawing, asks, decision_of
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.kit import Choices, Screen
from bot.ui.screens.messages import say
from bot.ui.sender import together

log = logging.getLogger(__name__)
HASTE: Final = 1.0
"""Seconds at least between two edits of a screen that do not wait for the redraw of its table.

Discord takes about five edits by one token in two seconds, and those of redraws count, too.
"""
PRESENT: Final = 60.0
"""Seconds after a press on their private screen for which somebody is assumed to read it, and need not be called."""
WATCHERS: Final = 20
"""How many people who watch a table have screens that follow it. Others press **Refresh**."""


class PrivateScreens:
    """Draws private screens, and brings the open ones up to date."""

    def __init__(
        self,
        tables: Tables,
        screens: Mapping[str, AnyScreens],
        pictures: Pictures,
        states: DisplayStates,
        locks: Locks,
    ) -> None:
        """`locks` are held, by table, while the messages of a table are brought up to date."""
        self._tables = tables
        self._drawing = PrivateDrawing(tables, screens, pictures, states, self._came)
        self._states = states
        self._locks = locks
        self.late = LateAnswers(tables.clock)
        """The answers whose pictures come later."""
        self._later = Background()
        """The updates of screens that no redraw waits for."""

    async def draw(self, table: Table, private: PrivateScreen) -> Screen:
        """Draws the private screen of a seated person, or of one who watches."""
        follows = private.seat is not None or self._may_follow(table.id, private.user_id)
        return await self._drawing.draw(table, private, follows=follows)

    def _may_follow(self, table_id: int, user_id: int) -> bool:
        """Whether the screen of this person who watches may follow the table, besides those that do."""
        now = self._tables.clock.now()
        others = [
            opened
            for user, opened in self._of(table_id).items()
            if opened.seat is None and opened.token.until > now and user != user_id
        ]
        return len(others) < WATCHERS

    def _came(self, table_id: int, user_id: int) -> None:
        """Has a person's screen brought up to date, because its picture was rendered after it was sent."""
        self._start(table_id, self._follow_one(table_id, user_id))

    async def _follow_one(self, table_id: int, user_id: int) -> None:
        async with self._locks.hold(table_id):
            table = await self._tables.latest(table_id)
            opened = self._of(table_id).get(user_id)
            await self._follow(table, [opened] if opened is not None else [])

    def answer_late(self, table: int, user: int, decision: str, remark: str, choices: Choices | None) -> None:
        """Shows a late remark on a person's screen, with these choices; not if it has another decision by now."""
        opened = self._of(table).get(user)
        if opened is not None and opened.decision == decision:
            opened.remark, opened.inputs = remark, None
            opened.choices = opened.choices if choices is None else choices
            self._came(table, user)

    def held_until(self, table_id: int) -> float:
        """Until when a screen of the table holds the result of a roll back, in host time."""
        return max((opened.held_until for opened in self._of(table_id).values()), default=-math.inf)

    async def reveal(self, table_id: int, held: PrivateScreen) -> None:
        """Shows the result of a roll once its screen has been held for long enough."""
        await asyncio.sleep(held.held_until - self._tables.clock.now())
        held.held_until = -math.inf
        await self._follow_one(table_id, held.user_id)

    def _start(self, table_id: int, update: Coroutine[Any, Any, None]) -> None:
        self._later.start(self.attempt(table_id, update), "later screens")

    async def attempt(self, table_id: int, update: Coroutine[Any, Any, None]) -> None:
        """Makes an update that nothing waits for; one that is impossible by now is logged."""
        try:
            await update
        except (Refused, StoreError, *UNDELIVERED) as error:
            log.info("table %s: private screens did not follow (%s)", table_id, type(error).__name__)

    async def opened(self, table: Table, opened: PrivateScreen) -> None:
        """Registers a screen that answered a press for updates, and deletes its person's older one of this table."""
        user, now = opened.user_id, self._tables.clock.now()
        if opened.page:
            _note(table, opened)
        if opened.seat is None and not self._may_follow(table.id, user):
            return
        opened.pressed = now
        screens = self._states.of(table.id).screens
        older, screens[user] = screens.get(user), opened
        if opened.page:
            same = older is not None and (older.decision, older.asks) == (opened.decision, opened.asks)
            opened.choices, opened.remark = (older.choices, older.remark) if older and same else ({}, "")
            if older is None or not same or older.pressed < 0:
                opened.pressed = -math.inf  # the person has not seen the decision
        if opened.held_until > now:
            self._start(table.id, self.reveal(table.id, opened))
        if older is not None and older.message != opened.message and older.token.until > now:
            try:
                await older.token.delete(older.message)
            except UNDELIVERED as error:
                log.info("table %s: an older private screen was gone already (%s)", table.id, Brief(error))
        newest = self._tables.at_hand(table.id) or table
        # After the end, no redraw may follow that brings a picture which came before the answer landed.
        lacks_last_picture = not newest.live and opened.inputs is None and not opened.page
        is_outrun = opened.seat is None and newest.version > opened.version
        if lacks_last_picture or is_outrun or self._asks_anew(newest, opened):  # since the answer was drawn
            await self._refresh(newest, opened)

    def laid_aside(self, table: Table, seat: int) -> Choices:
        """A seat's person's choices for the open decision, which another screen must not lose."""
        opened = self._of(table.id).get(table.seats[seat].user_id or 0)
        return {} if opened is None or opened.decision != decision_of(table, seat) else opened.choices

    def put_away(self, table_id: int, user_id: int, message: int) -> None:
        """Has a page that is shown in this message followed no longer, because an answer takes its place."""
        page = self._of(table_id).get(user_id)
        if page is not None and page.page and message == page.message:
            self._forget(table_id, page)

    def _of(self, table_id: int) -> dict[int, PrivateScreen]:
        state = self._states.get(table_id)
        return {} if state is None else state.screens

    def any_of(self, table_id: int) -> bool:
        """Whether somebody has a private screen of this table open."""
        return bool(self._of(table_id))

    def present_until(self, table: Table, seat: int) -> float | None:
        """Until when this seat's person is assumed to read their screen with the open decision, in host time.

        None if the person has not pressed anything recently, or if their screen could not be brought up to date.
        """
        opened = self._of(table.id).get(table.seats[seat].user_id or 0)
        if opened is None or opened.seat != seat or opened.decision is None:
            return None
        if opened.decision != decision_of(table, seat):
            return None
        now, until = self._tables.clock.now(), opened.pressed + PRESENT
        return until if opened.pressed <= now < min(until, opened.token.until) else None

    async def follow(self, table: Table, *, asked_only: bool = False) -> None:
        """Brings the open screens of the people with seats up to date.

        With `asked_only`, only the screens of seats that have a decision, or whose decision has changed. After the end,
        a screen stays open until the result is posted, and until it has its last picture.
        """
        seated = [opened for opened in self._of(table.id).values() if opened.seat is not None]
        await self._follow(
            table, [opened for opened in seated if not asked_only or self._is_asked(table, opened)]
        )

    def follow_watching(self, table: Table) -> None:
        """Has the open screens of the people who watch brought up to date, as `follow`, and waits for none of them."""
        watching = [opened for opened in self._of(table.id).values() if opened.seat is None]
        for refusal in [each for each in watching if each.page and each.version != table.version]:
            self._forget(table.id, refusal)  # a lobby's, which may hold no longer
            self._start(table.id, refusal.token.delete(refusal.message))
        if watching:
            self._start(table.id, self._follow(table, watching))

    async def _follow(self, table: Table, due: Sequence[PrivateScreen]) -> None:
        now = self._tables.clock.now()
        for opened in [opened for opened in due if opened.token.until < now]:
            self._forget(table.id, opened)
        await together(*[self._refresh(table, opened) for opened in due])
        if not table.live and not table.awaits_result:
            for opened in [opened for opened in due if opened.inputs is not None or opened.page]:
                self._forget(table.id, opened)

    async def follow_latest(self, table_id: int) -> None:
        """Brings the open screens of a table up to date with its newest state, under the table's lock."""
        if self.any_of(table_id):
            async with self._locks.hold(table_id):
                table = await self._tables.latest(table_id)
                await self.follow(table)
            self.follow_watching(table)

    def asks_anew(self, table: Table, besides: int | None = None) -> list[PrivateScreen]:
        """The open screens whose owners have an open decision that the screens do not show yet.

        The screen of the person `besides` is left out, because the answer to their press shows the decision. A screen
        that was hurried less than `HASTE` ago has to wait for the redraw.
        """
        screens = self._of(table.id)
        if not screens or table.body.asleep is not None:
            return []
        return [
            opened for user, opened in screens.items() if user != besides and self._asks_anew(table, opened)
        ]

    def _asks_anew(self, table: Table, opened: PrivateScreen) -> bool:
        now = self._tables.clock.now()
        if opened.token.until < now or opened.hurried <= now < opened.hurried + HASTE:
            return False
        return _lacks_question(table, opened)

    async def hurry(self, table: Table, due: Sequence[PrivateScreen]) -> None:
        """Brings these open screens of a table up to date, without waiting for the table's redraw."""
        now = self._tables.clock.now()
        for opened in due:
            opened.hurried = now
        await together(*[self._refresh(table, opened) for opened in due])

    def _is_asked(self, table: Table, opened: PrivateScreen) -> bool:
        decision = decision_of(table, opened.seat)
        return decision is not None or decision != opened.decision

    def _forget(self, table_id: int, opened: PrivateScreen) -> None:
        """Removes this screen from the open ones, but not a newer one of the same person."""
        screens = self._of(table_id)
        if screens.get(opened.user_id) is opened:
            del screens[opened.user_id]

    async def _refresh(self, table: Table, opened: PrivateScreen) -> None:
        """Brings this screen up to date, with the table's newest state if that is newer than `table`."""
        async with opened.lock:
            current = self._of(table.id).get(opened.user_id)
            if current is opened and opened.held_until <= self._tables.clock.now():
                newest = self._tables.at_hand(table.id)
                newest = table if newest is None or newest.version < table.version else newest
                await self._bring_up(newest, opened)
        if current is not None and current is not opened:  # it was opened meanwhile
            await self._refresh(table, current)

    async def _bring_up(self, table: Table, opened: PrivateScreen) -> None:
        # The seat's holder is checked before every edit.
        has_lost_seat = opened.seat is not None and table.seat_of(opened.user_id) != opened.seat
        stays = opened.page is not None and not has_lost_seat and (table.live or not table.is_private)
        is_called = _lacks_question(table, opened)
        if stays and not is_called and not (opened.asks and not asks(table, opened.seat)):
            return
        if opened.page and opened.message is not None:
            await self.late.pressed(opened.message)
        if opened.page and stays:
            screen = self._drawing.page(table, opened, opened.page, is_called=is_called)
            _note(table, opened)
        elif has_lost_seat:
            with speaking(opened.locale):
                screen = say(_("You're no longer at this table."))
            self._forget(table.id, opened)
        else:
            opened.page = None
            if opened.inputs == self._drawing.inputs(table, opened.seat, opened.user_id):
                return
            is_same = decision_of(table, opened.seat) == opened.decision
            if not is_same:
                opened.choices = {}
            if table.version != opened.version and not (is_same and opened.asks):
                opened.remark = ""
            try:
                screen = await self.draw(table, opened)
            except Refused:  # the person has lost the seat since `table`
                await self._bring_up(await self._tables.get(table.id), opened)
                return
        view = opened.token.prepare(screen.view())
        if view.lacks_files:
            opened.inputs = None
        if view.digest == opened.digest:
            return
        try:
            opened.attachments = await opened.token.edit(opened.message, view, held=opened.attachments)
        except UNDELIVERED as error:
            # The owner has dismissed the screen, or Discord is busy or unavailable. The next press on it updates it.
            log.info("table %s: a private screen could not follow (%s)", table.id, Brief(error))
            self._forget(table.id, opened)
            return
        opened.digest = view.digest
        if view.lacks_files:
            opened.inputs = None
        newer = self._of(table.id).get(opened.user_id)
        if newer is not None and newer is not opened and newer.message == opened.message:
            newer.digest, newer.inputs = b"", None  # the edit above has overwritten the answer to a press
            newer.attachments, newer.page = None, None
            await self._refresh(await self._tables.get(table.id), newer)


def _note(table: Table, opened: PrivateScreen) -> None:
    """Notes of a page the decision that its person knows of."""
    decision = decision_of(table, opened.seat)
    opened.choices = opened.choices if decision == opened.decision else {}
    opened.version, opened.decision, opened.asks = table.version, decision, asks(table, opened.seat)


def _lacks_question(table: Table, opened: PrivateScreen) -> bool:
    """Whether a person has an open decision that their screen does not show yet."""
    seat = opened.seat
    if seat is None or not asks(table, seat) or seat in table.body.answers or played_by_agent(table, seat):
        return False
    return not opened.asks or opened.decision != decision_of(table, seat)
