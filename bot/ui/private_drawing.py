"""Draws the screens of one person with their pictures: a seated person's private screen, and a watching person's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf
from typing import Final

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.language import speaking
from bot.store.model import LogRow
from bot.tables import daily
from bot.tables.history import with_log
from bot.tables.model import Table
from bot.tables.play import may_undo
from bot.tables.premoves import question_for
from bot.tables.refusals import Refused
from bot.tables.same_deal import is_over
from bot.tables.service import Tables
from bot.ui.display.state import DisplayStates, PrivateScreen, ScreenInputs
from bot.ui.pictures import Pictures, Wanted
from bot.ui.screens.board import LATEST_TURNS, LOG_ROWS, Watcher, called_from, public_view, watched
from bot.ui.screens.chronicle import NEWS_ROWS, latest_events, latest_picture, lines_of
from bot.ui.screens.ended import among_others, race_lines
from bot.ui.screens.fitting import has_room
from bot.ui.screens.game_screens import OWN_SCREEN, AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import (
    NEWS,
    OWN_TITLE,
    PICTURED,
    PICTURED_BOARD,
    TITLE,
    TURN,
    Screen,
    button,
    to_the_result,
)
from bot.ui.screens.names import Names
from bot.ui.screens.news import log_from, news
from bot.ui.screens.permissions import name_of
from bot.ui.screens.private import Personal
from bot.ui.screens.private import private as draw_private

NEWCOMERS: Final = 10_000
"""For how many people at tables it is held whether they are new to the game."""


class PrivateDrawing:
    """Draws private screens, and the screens of people who watch."""

    def __init__(
        self,
        tables: Tables,
        screens: Mapping[str, AnyScreens],
        pictures: Pictures,
        states: DisplayStates,
        came: Callable[[int, int], None],
    ) -> None:
        """`came` is called with a table's id and a person's when a picture was rendered after their screen was sent."""
        self._tables = tables
        self._screens = screens
        self._pictures = pictures
        self._states = states
        self._came = came
        self._boards: dict[str, tuple[tuple[int, int], Picture | None]] = {}
        """By language, the newest picture of a board, with its table's id and version: many may watch one table."""
        self._newcomers: dict[tuple[int, int], bool] = {}
        """By table and person: whether they had played the game in no other match when this was first asked."""

    def inputs(self, table: Table, seat: int | None, user_id: int) -> ScreenInputs:
        """The inputs of a person's screen. `seat` is None for a person who watches."""
        state = self._states.get(table.id)
        now = self._tables.clock.now() - self._tables.time.downtime
        return ScreenInputs(
            table.version,
            seat is not None and may_undo(table, seat, now),
            None if state is None else state.trouble,
            self._pictures.emoji_map(table.game.key, table.guild_id, user_id),
        )

    async def draw(self, table: Table, private: PrivateScreen, *, follows: bool = True) -> Screen:
        """Draws a private screen in the table's newest state, in its person's language, and notes what it shows.

        `follows`: the screen of a person who watches is brought up to date while it is open. A seat's choices are
        dropped if its decision has changed since `table`. Raises `Refused` if the seat has lost its person since.
        """
        seat = private.seat
        if seat is None:
            table, screen, inputs = await self._watched(table, private, follows=follows)
        else:
            table, screen, inputs = await self._seated(table, private, seat)
        private.version, private.decision = table.version, decision_of(table, seat)
        private.asks, private.inputs = asks(table, seat), inputs
        return screen

    def page(
        self, table: Table, private: PrivateScreen, draw: Callable[[Table], Screen], *, is_called: bool
    ) -> Screen:
        """A page that a person reads. It stays when a decision is asked of them, and says so on top."""
        seat = private.seat
        with speaking(private.locale):
            screen = draw(table)
            screen.emoji_map = self.inputs(table, seat, private.user_id).emoji
            if seat is None or not is_called:
                return screen
            return called_from(screen, table, self._screens[table.game.key], seat)

    async def _seated(
        self, table: Table, private: PrivateScreen, seat: int
    ) -> tuple[Table, Screen, ScreenInputs | None]:
        """The newest table, its screen for a seat, and the screen's inputs; None if a picture is not ready."""
        user, decision, locale = table.seats[seat].user_id, decision_of(table, seat), private.locale
        since = partial(log_from, seat=seat)
        table, rows = await with_log(self._tables, table, last=NEWS_ROWS, since=since)
        # The end of a private match tells of all of it, and a daily deal compares its turns with a Master's.
        if table.is_private and (table.body.opens is not None or not table.live):
            table, rows = await with_log(self._tables, table)
        if table.seats[seat].user_id != user:
            raise Refused("not-seated")
        if decision_of(table, seat) != decision:
            private.choices = {}
        inputs = self.inputs(table, seat, user or 0)
        if private.held_until > self._tables.clock.now():  # a picture that comes late is not waited for
            if (screen := await self._before_roll(table, private, seat, rows)) is not None:
                return table, screen, None
            private.held_until = -inf
        newcomer = await self._is_newcomer(table, seat)
        first = newcomer and not table.is_lesson and _in_first_turn(table, seat)
        points = first and not await self._has_learnt(table, seat)
        progress = await daily.progress_after(self._tables, table, user or 0)
        with speaking(locale):
            said = private.remark
            if not said and inputs.trouble is not None:
                said = _(
                    "⚠️ I'm not allowed to post in this channel, because I lack the permission **{permission}**. The "
                    "table's messages are missing or out of date until someone who manages this server gives it to me."
                ).format(permission=name_of(inputs.trouble))
            can_post = inputs.trouble is None
            screens = self._screens[table.game.key]
            lines = list[str]()
            if progress is not None:
                pace = race_lines(progress, rows, screens, table.body.beat)
                following = self._screens.get(progress.following)
                lines = among_others(progress, screens, following, pace) or pace
            personal = Personal(private.choices, said, inputs.may_undo, newcomer, points, can_post, lines)
            screen = draw_private(table, screens, seat, rows, personal)
        screen.emoji_map = inputs.emoji
        complete = await self._add_picture(screen, table, private, seat, rows)
        if progress is not None and progress.master is None and not table.live:
            came = partial(self._came, table.id, user or 0)
            complete &= not self._tables.masters.call_when_played(table.body.host_seed, came)
        complete = await self._add_news_picture(screen, table, seat, rows, locale) and complete
        if table.is_private and screen.after(TITLE) and has_room(screen):
            added = await self._add_board_picture(screen, table, user or 0, locale, PICTURED_BOARD)
            complete = added and complete
        return table, screen, inputs if complete else None

    async def _before_roll(
        self, table: Table, private: PrivateScreen, seat: int, rows: Sequence[LogRow]
    ) -> Screen | None:
        """The subject of the roll in the seat's newest move; None if nothing was rolled that matters."""
        screens, move = self._screens[table.game.key], latest_events(table, rows, seat)
        events = [line.event for line in lines_of(table, rows, seat) if not line.of_table]
        turn = events[-max(screens.newest_turn(events), len(move)) :]
        with speaking(private.locale):
            shown, lines = screens.suspense(turn, move, Names(table.seats))
            if not lines or table.is_lesson:
                return None
            screen = Screen(colour=screens.colour).text(*lines)
            # Without this button, a screen whose process ends before the result would lead nowhere.
            screen.buttons(button(screens.words().own_screen, Id(OWN_SCREEN, table.id)))
        screen.emoji_map = self.inputs(table, seat, private.user_id).emoji

        def draw() -> Picture | None:
            with speaking(private.locale):
                return screens.vignette(shown)

        await self._soon(
            screen,
            table,
            Wanted(draw, ("roll", table.id, private.user_id), table.guild_id, private.user_id, at=0),
        )
        return screen

    async def _watched(
        self, table: Table, private: PrivateScreen, *, follows: bool
    ) -> tuple[Table, Screen, ScreenInputs | None]:
        """As `_seated`, for a person who watches: what a spectator may know of the match now."""
        user_id, locale = private.user_id, private.locale
        table, rows = await with_log(self._tables, table, last=LOG_ROWS)
        inputs = self.inputs(table, None, user_id)
        screens = self._screens[table.game.key]
        open_hands = not table.live and await is_over(self._tables, table)
        with speaking(locale):
            watcher = Watcher(follows, open_hands, table.under_way and table.has_left(user_id))
            screen = watched(table, screens, rows, self._tables.time.shown_later, watcher)
        screen.emoji_map = inputs.emoji

        def draw_turn() -> Picture | None:
            with speaking(locale):
                return latest_picture(table, screens, rows)[0]

        complete = await self._add_board_picture(screen, table, user_id, locale)
        turn = Wanted(draw_turn, ("turn", table.id, user_id), table.guild_id, user_id, beside=LATEST_TURNS)
        complete = await self._soon(screen, table, turn) and complete
        return table, screen, inputs if complete else None

    async def _soon(self, screen: Screen, table: Table, wanted: Wanted) -> bool:
        return await self._pictures.soon(screen, wanted, partial(self._came, table.id, wanted.user or 0))

    async def _add_picture(
        self, screen: Screen, table: Table, private: PrivateScreen, seat: int, rows: Sequence[LogRow]
    ) -> bool:
        """Adds the picture of the seat's possessions, with what is chosen; returns whether it is current.

        It stands below the news, so that a phone shows it together with the possible moves, and exactly where the text
        stood whose place it takes.
        """
        if table.is_private and not screen.after(OWN_TITLE):
            return True  # a step of a lesson that is about the table
        if table.status == "over" and to_the_result(table):
            return True  # the screen only leads to the result
        user = table.seats[seat].user_id or 0

        def draw() -> Picture | None:
            with speaking(private.locale):
                screens, view = self._screens[table.game.key], table.game.view(table.state, seat)
                since = latest_events(table, rows, seat)
                return screens.own_picture_after(screens.view_of_choices(view, private.choices), since)

        places = (PICTURED, OWN_TITLE if table.is_private else TURN)
        below = next((place for place in places if screen.after(place)), None)
        place = ("own", table.id, user)
        wanted = Wanted(draw, place, table.guild_id, user, at=len(screen.items[:1]), below=below)
        return await self._soon(screen, table, wanted)

    async def _add_board_picture(
        self, screen: Screen, table: Table, user: int, locale: str, instead: int = PICTURED
    ) -> bool:
        """Adds the picture of the table to a screen with the board; returns whether it is current.

        The picture takes the place of the text whose component has the id `instead`.
        """

        def draw() -> Picture | None:
            drawn, picture = self._boards.get(locale, (None, None))
            if drawn != (table.id, table.version):
                screens = self._screens[table.game.key]
                is_result = table.is_private and table.status == "over"
                with speaking(locale):
                    picture = (screens.podium if is_result else screens.table_picture)(public_view(table))
                self._boards[locale] = (table.id, table.version), picture
            return picture

        place = ("table", table.id, user)
        wanted = Wanted(draw, place, table.guild_id, user, below=TITLE, instead=instead)
        return await self._soon(screen, table, wanted)

    async def _add_news_picture(
        self, screen: Screen, table: Table, seat: int, rows: Sequence[LogRow], locale: str
    ) -> bool:
        """Adds the wide picture of the turn that stands out in the news; returns whether the picture is current."""
        user, screens = table.seats[seat].user_id or 0, self._screens[table.game.key]

        def draw() -> Picture | None:
            with speaking(locale):
                told = news(table, screens, rows, seat)
            return next((turn.picture for turn in told if turn.picture), None)

        wanted = Wanted(draw, ("own turn", table.id, user), table.guild_id, user, beside=NEWS)
        return await self._soon(screen, table, wanted)

    async def _has_learnt(self, table: Table, seat: int) -> bool:
        user, game = table.seats[seat].user_id, table.game.key
        return user is not None and await self._tables.store.has_played(
            user, game, besides=table.id, lessons=True
        )

    async def _is_newcomer(self, table: Table, seat: int) -> bool:
        own = table.seats[seat]
        if own.user_id is None or table.status != "playing":
            return False
        asked, known, store = (table.id, own.user_id), self._newcomers, self._tables.store
        if asked not in known:
            known[asked] = not await store.has_played(own.user_id, table.game.key, besides=table.id)
            if len(known) > NEWCOMERS:
                del known[next(iter(known))]
        return known[asked]


def decision_of(table: Table, seat: int | None) -> str | None:
    """The view version of the seat's open or upcoming decision, as in `Id`; None if there is no such decision."""
    question = None if seat is None else question_for(table, seat)
    return None if question is None else question.view_version


def _in_first_turn(table: Table, seat: int) -> bool:
    own = table.seats[seat]
    return own.moved == own.since or (own.since == 0 and own.moved == table.sequence)


def asks(table: Table, seat: int | None) -> bool:
    """Whether the seat has an open decision."""
    return table.status == "playing" and seat in table.body.asked
