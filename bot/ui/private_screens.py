"""The private screens that people have open. Each follows its table for as long as Discord accepts edits of it."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from bot.art.picture import Picture
from bot.gateway.errors import Brief
from bot.language import gettext as _
from bot.language import speaking
from bot.tables.absence import played_by_agent
from bot.tables.model import Table
from bot.tables.play import may_undo
from bot.tables.premoves import question_for
from bot.tables.service import Tables
from bot.ui.interaction import UNDELIVERED
from bot.ui.pictures import Attachments, Pictures, Wanted
from bot.ui.screens import table as show
from bot.ui.screens.chronicle import NEWS_ROWS, log_from
from bot.ui.screens.emoji_map import Legend
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.kit import Choices, Screen
from bot.ui.screens.private import private
from bot.ui.sender import together
from bot.ui.tokens import Token

log = logging.getLogger(__name__)

THERE: Final = 60
"""Seconds after a press on their private screen for which somebody is taken to look at it, and need not be called."""

HASTE: Final = 1.0
"""Seconds that lie at least between two edits of a screen that do not wait for the redraw of its table.

Discord takes about five edits by one token in two seconds, and those of redraws count, too.
"""


class DrawnFrom(NamedTuple):
    """What a private screen is drawn from, apart from its owner's presses: if all is as it was, so is the screen."""

    version: int
    """That of the table, and so of all that is stored of it: match, seats, log."""
    may_undo: bool
    trouble: str | None
    legend: Legend


class OwnScreen(NamedTuple):
    """A private screen, and what it was drawn from; None if it may look different when it is drawn again."""

    screen: Screen
    drawn_from: DrawnFrom | None


@dataclass(slots=True)
class OpenScreen:
    """A private screen that somebody has open: how it can be edited, and what it shows."""

    token: Token
    message: int | None
    user_id: int
    seat: int
    locale: str
    choices: Choices
    remark: str
    """The remark about the last press on it. It stays until the next decision."""
    decision: str | None
    digest: bytes
    """That of the drawing that it shows."""
    drawn_from: DrawnFrom | None
    """What the drawing was made from; None if it may look different when it is made again."""
    attachments: Attachments | None
    """The files of its message; None if they are not known."""
    pressed: float
    """When its owner last opened it or pressed something on it."""
    asks: bool
    """Whether it asks its owner something, apart from what they may answer ahead."""
    hurried: float = -math.inf
    """When it was last to be brought up to date without waiting for the redraw of its table."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by whoever brings it up to date, so that several changes that come meanwhile become one more edit."""


class PrivateScreens:
    """Draws private screens, and keeps those that are open up to date."""

    def __init__(
        self,
        tables: Tables,
        screens: dict[str, AnyScreens],
        trouble: Mapping[int, str],
        pictures: Pictures,
    ) -> None:
        self._tables = tables
        self._screens = screens
        self._trouble = trouble
        self._pictures = pictures
        self.picture_came: Callable[[int], None] = lambda _table: None
        """Called with a table for which the picture of a private screen has come after the screen."""
        self._open: dict[int, dict[int, OpenScreen]] = {}

    async def draw(
        self, table: Table, seat: int, locale: str, *, choices: Choices | None = None, remark: str = ""
    ) -> OwnScreen:
        """The private screen of a seat, in the language for `locale`."""
        drawn_from = self._drawn_from(table, seat)
        rows = await self._tables.log(table, last=NEWS_ROWS, since=log_from(table, seat))
        newcomer = await self._is_newcomer(table, seat)
        with speaking(locale):
            if not remark and drawn_from.trouble is not None:
                remark = _("⚠️ I am not allowed to post in this channel, so the table message is out of date.")
            screen = private(
                table,
                self._screens[table.game.key],
                seat,
                rows,
                choices=choices,
                remark=remark,
                may_undo=drawn_from.may_undo,
                newcomer=newcomer,
            )
        screen.legend = drawn_from.legend
        complete = await self._add_picture(screen, table, seat, locale)
        return OwnScreen(screen, drawn_from if complete else None)

    def _drawn_from(self, table: Table, seat: int) -> DrawnFrom:
        return DrawnFrom(
            table.version,
            may_undo(table, seat, self._tables.clock.now() - self._tables.time.downtime),
            self._trouble.get(table.id),
            self._pictures.legend(table.game.key, table.guild_id, table.seats[seat].user_id),
        )

    async def _add_picture(self, screen: Screen, table: Table, seat: int, locale: str) -> bool:
        """Adds the picture of what the seat has, below whose turn it is; returns whether that is the right one."""
        user = table.seats[seat].user_id or 0

        def draw() -> Picture | None:
            with speaking(locale):
                return self._screens[table.game.key].own_picture(table.game.view(table.state, seat))

        wanted = Wanted(draw, ("own", table.id, user), table.guild_id, user, at=len(screen.items[:1]))
        return await self._pictures.soon(screen, wanted, partial(self._came, table.id))

    def _came(self, table_id: int) -> None:
        self.picture_came(table_id)

    async def _is_newcomer(self, table: Table, seat: int) -> bool:
        """Whether the person in this seat is in, or before, the first turn of their first match of this game."""
        own = table.seats[seat]
        in_first_turn = own.moved == own.since or (own.since == 0 and own.moved == table.sequence)
        if own.user_id is None or table.status != "playing" or not in_first_turn:
            return False
        return not await self._tables.played.before(own.user_id, table.game.key, besides=table.id)

    async def opened(
        self,
        token: Token,
        user: int,
        locale: str,
        message: int | None,
        table: Table,
        seat: int,
        own: OwnScreen,
        choices: Choices,
        remark: str,
        attachments: Attachments | None,
    ) -> None:
        """Follows from now on the private screen that answered a press, instead of the person's older one."""
        screens = self._open.setdefault(table.id, {})
        older = screens.get(user)
        opened = screens[user] = OpenScreen(
            token=token,
            message=message,
            user_id=user,
            seat=seat,
            locale=locale,
            choices=choices,
            remark=remark,
            decision=_decision_of(table, seat),
            digest=own.screen.view().digest,
            drawn_from=own.drawn_from,
            attachments=attachments,
            pressed=self._tables.clock.now(),
            asks=_asks(table, seat),
        )
        if older is not None and older.message != message and older.token.until > self._tables.clock.now():
            try:
                await older.token.delete(older.message)
            except UNDELIVERED as error:
                log.info("table %s: an older private screen was gone already (%s)", table.id, Brief(error))
        newest = self._tables.at_hand(table.id)
        if newest is not None and self._asks_anew(newest, opened):  # since the answer was drawn
            await self._refresh(newest, opened)

    def sweep(self) -> None:
        """Forgets the private screens that can be followed no longer."""
        now = self._tables.clock.now()
        for table_id, screens in list(self._open.items()):
            for user in [user for user, opened in screens.items() if opened.token.until < now]:
                del screens[user]
            if not screens:
                del self._open[table_id]

    def any_of(self, table_id: int) -> bool:
        """Whether somebody has a private screen of this table open."""
        return table_id in self._open

    def there_until(self, table: Table, seat: int) -> float | None:
        """Until when this seat's person is taken to look at their screen, which shows that they are asked.

        None if they are not plainly there, or if their screen could not be brought up to date.
        """
        opened = self._open.get(table.id, {}).get(table.seats[seat].user_id or 0)
        if opened is None or opened.seat != seat or opened.decision is None:
            return None
        if opened.decision != _decision_of(table, seat):
            return None
        now, until = self._tables.clock.now(), opened.pressed + THERE
        return until if opened.pressed <= now < min(until, opened.token.until) else None

    async def follow(self, table: Table, *, asked_only: bool = False) -> None:
        """Brings the open screens of a table up to date; with `asked_only`, those of who is asked, or is no more."""
        screens = self._open.get(table.id)
        if not screens:
            return
        now = self._tables.clock.now()
        for opened in [opened for opened in screens.values() if opened.token.until < now]:
            self._forget(table.id, opened)
        due = [opened for opened in screens.values() if not asked_only or self._is_asked(table, opened)]
        await together(*[self._refresh(table, opened) for opened in due])
        if not table.live:
            self._open.pop(table.id, None)

    def asks_anew(self, table: Table, besides: int | None = None) -> list[OpenScreen]:
        """The open screens whose owners are asked something that these do not show yet.

        The answer to the press of the person `besides` shows it to them. Who was shown something in haste only just
        now has to wait for the redraw.
        """
        screens = self._open.get(table.id)
        if not screens or table.body.asleep is not None:
            return []
        return [
            opened for user, opened in screens.items() if user != besides and self._asks_anew(table, opened)
        ]

    def _asks_anew(self, table: Table, opened: OpenScreen) -> bool:
        now, seat = self._tables.clock.now(), opened.seat
        if not _asks(table, seat) or seat in table.body.answers or played_by_agent(table, seat):
            return False
        if opened.token.until < now or opened.hurried <= now < opened.hurried + HASTE:
            return False
        return not opened.asks or opened.decision != _decision_of(table, seat)

    async def hurry(self, table: Table, due: Sequence[OpenScreen]) -> None:
        """Brings these open screens of a table up to date, without waiting for its redraw."""
        now = self._tables.clock.now()
        for opened in due:
            opened.hurried = now
        await together(*[self._refresh(table, opened) for opened in due])

    def _is_asked(self, table: Table, opened: OpenScreen) -> bool:
        decision = _decision_of(table, opened.seat)
        return decision is not None or decision != opened.decision

    def _forget(self, table_id: int, opened: OpenScreen) -> None:
        """Stops following this screen, but not a newer one of the same person."""
        screens = self._open.get(table_id, {})
        if screens.get(opened.user_id) is opened:
            del screens[opened.user_id]

    async def _refresh(self, table: Table, opened: OpenScreen) -> None:
        """Brings this screen up to date, with the table's newest state if that is newer than this one."""
        async with opened.lock:
            current = self._open.get(table.id, {}).get(opened.user_id)
            if current is opened:
                newest = self._tables.at_hand(table.id)
                newest = table if newest is None or newest.version < table.version else newest
                await self._bring_up(newest, opened)
        if current is not None and current is not opened:  # it has come meanwhile
            await self._refresh(table, current)

    async def _bring_up(self, table: Table, opened: OpenScreen) -> None:
        if table.seat_of(opened.user_id) != opened.seat:  # who sits there is checked before every edit
            with speaking(opened.locale):
                screen = show.say(_("You no longer sit at this table."))
            self._forget(table.id, opened)
        else:
            if opened.drawn_from == self._drawn_from(table, opened.seat):
                return
            decision = _decision_of(table, opened.seat)
            if decision != opened.decision:
                opened.choices, opened.remark, opened.decision = {}, "", decision
            opened.asks = _asks(table, opened.seat)
            screen, opened.drawn_from = await self.draw(
                table, opened.seat, opened.locale, choices=opened.choices, remark=opened.remark
            )
        view = screen.view()
        if view.digest == opened.digest:
            return
        try:
            opened.attachments = await opened.token.edit(opened.message, view, held=opened.attachments)
        except UNDELIVERED as error:
            # Its owner has dismissed it, or Discord is busy or away. The next press on it brings it up to date.
            log.info("table %s: a private screen could not follow (%s)", table.id, Brief(error))
            self._forget(table.id, opened)
            return
        opened.digest = view.digest
        newer = self._open.get(table.id, {}).get(opened.user_id)
        if newer is not None and newer is not opened and newer.message == opened.message:
            newer.digest, newer.drawn_from = b"", None  # this edit has overwritten the answer to a press
            newer.attachments = None
            await self._refresh(await self._tables.get(table.id), newer)

    def keep_only(self, tables: Collection[int]) -> None:
        """Follows the screens of these tables only."""
        self._open = {table_id: screens for table_id, screens in self._open.items() if table_id in tables}

    def forget(self, table_id: int) -> None:
        """Follows no screen of this table any more."""
        self._open.pop(table_id, None)


def _asks(table: Table, seat: int) -> bool:
    return table.status == "playing" and seat in table.body.asked


def _decision_of(table: Table, seat: int) -> str | None:
    """What a screen of this seat is drawn from if the seat is asked or may answer ahead; otherwise None."""
    question = question_for(table, seat)
    return None if question is None else question.drawn
