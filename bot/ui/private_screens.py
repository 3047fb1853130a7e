"""The private screens that people have open. Each is brought up to date for as long as Discord accepts edits of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.art.picture import Picture
from bot.gateway.errors import Brief
from bot.language import gettext as _
from bot.language import speaking
from bot.store.model import LogRow, StoreError
from bot.tables.absence import played_by_agent
from bot.tables.locks import Locks
from bot.tables.model import Table
from bot.tables.play import may_undo
from bot.tables.premoves import question_for
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.ui.display.state import DisplayStates, OpenScreen, PrivateMessage, ScreenInputs
from bot.ui.interaction import UNDELIVERED
from bot.ui.pictures import Pictures, Wanted
from bot.ui.screens.board import TITLE
from bot.ui.screens.chronicle import CHRONICLE, log_from, newest_turn
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.kit import NEWS, OWN_TITLE, PICTURED_BOARD, Choices, Screen
from bot.ui.screens.messages import say
from bot.ui.screens.private import Personal, has_room, private
from bot.ui.sender import together

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ScreenTiming:
    """The times of private screens, in seconds."""

    present: float = 60.0
    """How long after a press on their private screen somebody is assumed to read it, and need not be called."""
    haste: float = 1.0
    """The shortest time between two edits of a screen that do not wait for the redraw of its table.

    Discord takes about five edits by one token in two seconds, and those of redraws count, too.
    """


TIMING: Final = ScreenTiming()


@dataclass(frozen=True, slots=True)
class OwnScreen:
    """A private screen that was drawn for a seat."""

    screen: Screen
    seat: int
    locale: str
    choices: Choices
    remark: str
    inputs: ScreenInputs | None
    """The inputs of the screen; None if it may look different when it is drawn again."""


class PrivateScreens:
    """Draws private screens, and brings the open ones up to date."""

    def __init__(
        self,
        tables: Tables,
        screens: Mapping[str, AnyScreens],
        pictures: Pictures,
        states: DisplayStates,
        locks: Locks,
        timing: ScreenTiming = TIMING,
    ) -> None:
        """`locks` are held, by table, while the messages of a table are brought up to date."""
        self._tables = tables
        self._screens = screens
        self._pictures = pictures
        self._states = states
        self._locks = locks
        self._timing = timing
        self._late: set[asyncio.Task[None]] = set()
        """The updates of private screens whose picture was rendered late."""

    async def draw(
        self, table: Table, seat: int, locale: str, *, choices: Choices | None = None, remark: str = ""
    ) -> OwnScreen:
        """The private screen of a seat, in the language for `locale`."""
        inputs = self._inputs(table, seat)
        rows = await self._tables.log(table, last=CHRONICLE.news_rows, since=log_from(table, seat))
        newcomer = await self._is_newcomer(table, seat)
        points = newcomer and _in_first_turn(table, seat) and not await self._has_learnt(table, seat)
        with speaking(locale):
            said = remark
            if not remark and inputs.trouble is not None:
                said = _(
                    "⚠️ I'm not allowed to post in this channel, so the table message is out of date. Someone "
                    "who manages this server can allow it."
                )
            screen = private(
                table,
                self._screens[table.game.key],
                seat,
                rows,
                Personal(
                    choices or {},
                    said,
                    inputs.may_undo,
                    newcomer,
                    points,
                    inputs.trouble is None and not table.is_private,
                ),
            )
        screen.legend = inputs.emoji
        complete = await self._add_picture(screen, table, seat, locale)
        complete = await self._add_news_picture(screen, table, seat, rows, locale) and complete
        if table.is_private and has_room(screen):
            complete = await self._add_board_picture(screen, table, seat, locale) and complete
        return OwnScreen(screen, seat, locale, choices or {}, remark, inputs if complete else None)

    def _inputs(self, table: Table, seat: int) -> ScreenInputs:
        state = self._states.get(table.id)
        return ScreenInputs(
            table.version,
            may_undo(table, seat, self._tables.clock.now() - self._tables.time.downtime),
            None if state is None else state.trouble,
            self._pictures.legend(table.game.key, table.guild_id, table.seats[seat].user_id),
        )

    async def _add_picture(self, screen: Screen, table: Table, seat: int, locale: str) -> bool:
        """Adds the picture of the seat's possessions, below the line about the turn; returns whether it is current."""
        user = table.seats[seat].user_id or 0

        def draw() -> Picture | None:
            with speaking(locale):
                return self._screens[table.game.key].own_picture(table.game.view(table.state, seat))

        place, below = ("own", table.id, user), OWN_TITLE if table.is_private else None
        wanted = Wanted(draw, place, table.guild_id, user, at=len(screen.items[:1]), below=below)
        return await self._pictures.soon(screen, wanted, partial(self._came, table.id))

    async def _add_board_picture(self, screen: Screen, table: Table, seat: int, locale: str) -> bool:
        """Adds the picture of the table to the screen of a private match; returns whether it is current."""
        user = table.seats[seat].user_id or 0

        def draw() -> Picture | None:
            with speaking(locale):
                return self._screens[table.game.key].table_picture(table.game.view(table.state, None))

        place = ("table", table.id, user)
        wanted = Wanted(draw, place, table.guild_id, user, below=TITLE, instead=PICTURED_BOARD)
        return await self._pictures.soon(screen, wanted, partial(self._came, table.id))

    async def _add_news_picture(
        self, screen: Screen, table: Table, seat: int, rows: Sequence[LogRow], locale: str
    ) -> bool:
        """Adds the picture of the newest turn if it shows what the seat alone may know, such as the cards found.

        Returns whether the picture is current.
        """
        user, screens = table.seats[seat].user_id or 0, self._screens[table.game.key]

        def draw() -> Picture | None:
            if not table.live or not rows:
                return None
            with speaking(locale):
                own = screens.vignette(newest_turn(table, screens, rows, seat))
                of_all = screens.vignette(newest_turn(table, screens, rows))
            return None if own is None or of_all is None or own.key == of_all.key else own

        wanted = Wanted(draw, ("own turn", table.id, user), table.guild_id, user, beside=NEWS)
        return await self._pictures.soon(screen, wanted, partial(self._came, table.id))

    def _came(self, table_id: int) -> None:
        """Has the screens of a table brought up to date, because a picture was rendered after its screen was sent."""
        task = asyncio.get_running_loop().create_task(self._follow_late(table_id), name="late picture")
        self._late.add(task)
        task.add_done_callback(self._late.discard)

    async def _follow_late(self, table_id: int) -> None:
        try:
            await self.follow_latest(table_id)
        except (Refused, StoreError, *UNDELIVERED) as error:
            log.info("table %s: its private screens get no picture (%s)", table_id, type(error).__name__)

    async def _is_newcomer(self, table: Table, seat: int) -> bool:
        """Whether the person in this seat plays their first match of this game."""
        own = table.seats[seat]
        if own.user_id is None or table.status != "playing":
            return False
        return not await self._tables.played.before(own.user_id, table.game.key, besides=table.id)

    async def _has_learnt(self, table: Table, seat: int) -> bool:
        """Whether the person in this seat knows the game from its lesson."""
        user, game = table.seats[seat].user_id, table.game.key
        return user is not None and await self._tables.store.has_played(
            user, game, besides=table.id, lessons=True
        )

    async def opened(self, table: Table, own: OwnScreen, at: PrivateMessage) -> None:
        """Registers the private screen that answered a press for updates, and deletes the person's older one."""
        screens = self._states.of(table.id).screens
        user, message, now = at.user_id, at.message, self._tables.clock.now()
        older = screens.get(user)
        opened = screens[user] = OpenScreen(
            token=at.token,
            message=message,
            user_id=user,
            seat=own.seat,
            locale=own.locale,
            choices=own.choices,
            remark=own.remark,
            decision=_decision_of(table, own.seat),
            digest=own.screen.view().digest,
            inputs=own.inputs,
            attachments=at.attachments,
            pressed=now,
            asks=_asks(table, own.seat),
        )
        if older is not None and older.message != message and older.token.until > now:
            try:
                await older.token.delete(older.message)
            except UNDELIVERED as error:
                log.info("table %s: an older private screen was gone already (%s)", table.id, Brief(error))
        newest = self._tables.at_hand(table.id) or table
        # After the end, no redraw may follow that brings a picture which came before the answer landed.
        lacks_last_picture = not newest.live and opened.inputs is None
        if lacks_last_picture or self._asks_anew(newest, opened):  # since the answer was drawn
            await self._refresh(newest, opened)

    def _of(self, table_id: int) -> dict[int, OpenScreen]:
        """The open screens of a table, by the ids of their owners."""
        state = self._states.get(table_id)
        return {} if state is None else state.screens

    def any_of(self, table_id: int) -> bool:
        """Whether somebody has a private screen of this table open."""
        return bool(self._of(table_id))

    def there_until(self, table: Table, seat: int) -> float | None:
        """Until when this seat's person is assumed to read their screen with the open decision, in host time.

        None if the person has not pressed anything recently, or if their screen could not be brought up to date.
        """
        opened = self._of(table.id).get(table.seats[seat].user_id or 0)
        if opened is None or opened.seat != seat or opened.decision is None:
            return None
        if opened.decision != _decision_of(table, seat):
            return None
        now, until = self._tables.clock.now(), opened.pressed + self._timing.present
        return until if opened.pressed <= now < min(until, opened.token.until) else None

    async def follow(self, table: Table, *, asked_only: bool = False) -> None:
        """Brings the open screens of a table up to date.

        With `asked_only`, only the screens of seats that have a decision, or whose decision has changed. After the end,
        a screen stays open until it has its last picture.
        """
        screens = self._of(table.id)
        if not screens:
            return
        now = self._tables.clock.now()
        for opened in [opened for opened in screens.values() if opened.token.until < now]:
            self._forget(table.id, opened)
        due = [opened for opened in screens.values() if not asked_only or self._is_asked(table, opened)]
        await together(*[self._refresh(table, opened) for opened in due])
        if not table.live:
            for opened in [opened for opened in screens.values() if opened.inputs is not None]:
                self._forget(table.id, opened)

    async def follow_latest(self, table_id: int) -> None:
        """Brings the open screens of a table up to date with its newest state, under the table's lock."""
        if self.any_of(table_id):
            async with self._locks.hold(table_id):
                await self.follow(await self._tables.latest(table_id))

    def asks_anew(self, table: Table, besides: int | None = None) -> list[OpenScreen]:
        """The open screens whose owners have an open decision that the screens do not show yet.

        The screen of the person `besides` is left out, because the answer to their press shows the decision. A screen
        that was hurried less than `ScreenTiming.haste` ago has to wait for the redraw.
        """
        screens = self._of(table.id)
        if not screens or table.body.asleep is not None:
            return []
        return [
            opened for user, opened in screens.items() if user != besides and self._asks_anew(table, opened)
        ]

    def _asks_anew(self, table: Table, opened: OpenScreen) -> bool:
        now, seat = self._tables.clock.now(), opened.seat
        if not _asks(table, seat) or seat in table.body.answers or played_by_agent(table, seat):
            return False
        if opened.token.until < now or opened.hurried <= now < opened.hurried + self._timing.haste:
            return False
        return not opened.asks or opened.decision != _decision_of(table, seat)

    async def hurry(self, table: Table, due: Sequence[OpenScreen]) -> None:
        """Brings these open screens of a table up to date, without waiting for the table's redraw."""
        now = self._tables.clock.now()
        for opened in due:
            opened.hurried = now
        await together(*[self._refresh(table, opened) for opened in due])

    def _is_asked(self, table: Table, opened: OpenScreen) -> bool:
        decision = _decision_of(table, opened.seat)
        return decision is not None or decision != opened.decision

    def _forget(self, table_id: int, opened: OpenScreen) -> None:
        """Removes this screen from the open ones, but not a newer one of the same person."""
        screens = self._of(table_id)
        if screens.get(opened.user_id) is opened:
            del screens[opened.user_id]

    async def _refresh(self, table: Table, opened: OpenScreen) -> None:
        """Brings this screen up to date, with the table's newest state if that is newer than `table`."""
        async with opened.lock:
            current = self._of(table.id).get(opened.user_id)
            if current is opened:
                newest = self._tables.at_hand(table.id)
                newest = table if newest is None or newest.version < table.version else newest
                await self._bring_up(newest, opened)
        if current is not None and current is not opened:  # it was opened meanwhile
            await self._refresh(table, current)

    async def _bring_up(self, table: Table, opened: OpenScreen) -> None:
        if table.seat_of(opened.user_id) != opened.seat:  # the seat's holder is checked before every edit
            with speaking(opened.locale):
                screen = say(_("You're no longer at this table."))
            self._forget(table.id, opened)
        else:
            if opened.inputs == self._inputs(table, opened.seat):
                return
            decision = _decision_of(table, opened.seat)
            if decision != opened.decision:
                opened.choices, opened.remark, opened.decision = {}, "", decision
            opened.asks = _asks(table, opened.seat)
            own = await self.draw(
                table, opened.seat, opened.locale, choices=opened.choices, remark=opened.remark
            )
            screen, opened.inputs = own.screen, own.inputs
        view = screen.view()
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
        newer = self._of(table.id).get(opened.user_id)
        if newer is not None and newer is not opened and newer.message == opened.message:
            newer.digest, newer.inputs = b"", None  # the edit above has overwritten the answer to a press
            newer.attachments = None
            await self._refresh(await self._tables.get(table.id), newer)


def _asks(table: Table, seat: int) -> bool:
    return table.status == "playing" and seat in table.body.asked


def _decision_of(table: Table, seat: int) -> str | None:
    """The view version of the seat's open or upcoming decision, as in `Id`; None if there is no such decision."""
    question = question_for(table, seat)
    return None if question is None else question.view_version


def _in_first_turn(table: Table, seat: int) -> bool:
    """Whether the person in this seat is in, or before, the first turn of the match."""
    own = table.seats[seat]
    return own.moved == own.since or (own.since == 0 and own.moved == table.sequence)
