"""Draws the public messages of a table: lobby, board, announcement, and the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.language import listing, speaking
from bot.store.model import LogRow
from bot.tables.history import with_log
from bot.tables.model import Table
from bot.tables.premoves import question_for
from bot.tables.same_deal import compared_with
from bot.tables.service import Tables
from bot.ui.display.state import ANNOUNCEMENT, Calls, calls_as_arg, calls_of, still_due
from bot.ui.interaction import Interaction
from bot.ui.pictures import Pictures, Wanted
from bot.ui.screens import components as ui
from bot.ui.screens.board import LATEST_TURNS, LOG_ROWS, board, public_view, turn_rows
from bot.ui.screens.chronicle import latest_picture
from bot.ui.screens.ended import ended
from bot.ui.screens.game_screens import AnyScreens, Pressed
from bot.ui.screens.kit import TITLE, Item, Screen, ScreenView, to_the_table
from bot.ui.screens.lobby import lobby
from bot.ui.screens.names import Names
from bot.ui.screens.screen_view import EmojiMap


class PublicScreens:
    """Draws the public messages of tables, in the table's language and with the emoji and pictures of its game.

    Some methods return a screen and a bool. The bool says whether the screen has all its pictures. If it is False, a
    picture is being rendered, and the screen is worth drawing again.
    """

    def __init__(
        self,
        tables: Tables,
        screens: Mapping[str, AnyScreens],
        pictures: Pictures,
        notice: Callable[[], str] = str,
    ) -> None:
        self._tables = tables
        self.screens = screens
        """The screens of each game, by its key."""
        self.pictures = pictures
        self.notice = notice
        """Returns the operator's sentence for every table message; empty for none."""

    # -- the table message: lobby or board

    async def table(self, table: Table, calls: Calls | None = None) -> tuple[Screen, bool]:
        """The lobby before the match, then the board. Waits a moment for the pictures.

        In a group DM the board has the calls: those that have been made, if `calls` is None.
        """
        table, screen, rows = await self._table(table, calls)
        complete = True
        for wanted in self._table_pictures(table, rows):
            complete = await self.pictures.soon(screen, wanted) and complete
        return screen, complete

    async def table_at_once(self, table: Table) -> Screen:
        """The lobby or board with the pictures that are ready."""
        table, screen, rows = await self._table(table)
        for wanted in self._table_pictures(table, rows):
            self.pictures.at_hand(screen, wanted)
        return screen

    async def _table(
        self, table: Table, calls: Calls | None = None
    ) -> tuple[Table, Screen, Sequence[LogRow]]:
        """The table's screen without pictures, and the newest state and rows of the log from which it was drawn."""
        if table.state is None:
            return table, self.draw(table, lambda table, screens: lobby(table, screens, self.notice())), []
        table, rows = await with_log(self._tables, table, last=LOG_ROWS)

        def draw(table: Table, screens: AnyScreens) -> Screen:
            screen = board(table, screens, rows, self._tables.time.shown_later, self.notice())
            made = still_due(table, table.body.messages.called if calls is None else calls)
            if table.in_group and made:
                screen.items.insert(0, ui.text("\n".join(self._call_lines(table, made)), id=ANNOUNCEMENT))
            return screen

        return table, self.draw(table, draw), rows

    def _table_pictures(self, table: Table, rows: Sequence[LogRow]) -> list[Wanted]:
        """The pictures of the table message: the lobby's picture, or the board's and the newest turn's."""
        screens = self._screens_of(table)

        def draw() -> Picture | None:
            with speaking(table.body.locale):
                if table.state is None:
                    return screens.banner() if table.live else None
                return screens.table_picture(public_view(table))

        def draw_turn() -> Picture | None:
            with speaking(table.body.locale):
                return latest_picture(table, screens, rows)[0]

        return [
            Wanted(draw, ("table", table.id), table.guild_id, below=TITLE if table.state else None),
            Wanted(draw_turn, ("turn", table.id), table.guild_id, beside=LATEST_TURNS),
        ]

    # -- other messages

    def draw(self, table: Table, make: Callable[[Table, AnyScreens], Screen]) -> Screen:
        """A public screen without a picture, in the table's language, with the emoji of its game."""
        with speaking(table.body.locale):
            screen = make(table, self._screens_of(table))
        screen.emoji_map = self._emoji_map(table)
        return screen

    async def result(self, table: Table) -> tuple[Screen, bool]:
        """The result of a match, with its picture."""
        table, rows = await with_log(self._tables, table)
        screens = self._screens_of(table)
        stored = await self._tables.store.results.of_table(table.id)
        group = await compared_with(self._tables, table)

        def draw() -> Picture | None:
            if table.status != "over":
                return None
            with speaking(table.body.locale):
                return screens.podium(table.game.view(table.state, None))

        screen = self.draw(table, lambda table, screens: ended(table, screens, rows, stored, group))
        wanted = Wanted(draw, ("result", table.id), table.guild_id, at=1)
        return screen, await self.pictures.soon(screen, wanted)

    async def add_sheet_picture(
        self,
        screen: Screen,
        table: Table,
        pressed: Pressed,
        interaction: Interaction,
        then: Callable[[], None],
    ) -> bool:
        """Adds the picture of a sheet that the presser looks up; returns whether the sheet is complete.

        If it is not, `then` is called once the picture is rendered.
        """
        screens = self._screens_of(table)

        def draw() -> Picture | None:
            return screens.sheet_picture(table.game.view(table.state, None), pressed)

        place = ("sheet", table.id, interaction.user_id)
        wanted = Wanted(draw, place, table.guild_id, interaction.user_id, at=0)
        return await self.pictures.soon(screen, wanted, then)

    def announcement(self, table: Table, calls: Calls) -> ScreenView:
        """The announcement: a line for all people with the same prompt and deadline, and the buttons that all have."""
        screens, public = self._screens_of(table), table.game.view(table.state, None)
        with speaking(table.body.locale):
            lines = self._call_lines(table, calls)
            if essentials := screens.call_line(public):
                lines.append(f"-# {essentials}")
            text: Item = ui.text("\n".join(lines), id=ANNOUNCEMENT)
            states = [
                question.state if (question := question_for(table, seat)) else table.state for seat in calls
            ]
            offered = [screens.actions(table.game.view(state, None)) for state in states]
            common = offered[0] if all(each == offered[0] for each in offered) else []
            rows = turn_rows(table, screens, common, calls_as_arg(calls))
            return ScreenView([text, *rows], emoji_map=self._emoji_map(table))

    def _call_lines(self, table: Table, calls: Calls) -> list[str]:
        """The lines that call these seats, in the language that is being spoken.

        Seats that are asked as well and need no call, because their people are playing, are named without a mention.
        """
        screens, names = self._screens_of(table), Names(table.seats)
        asked: dict[tuple[str, bool, float | None], list[str]] = {}
        for seat in calls_of(table):
            reminds = seat in calls and calls[seat][1] > 0
            decision = table.body.asked.get(seat)
            deadline = decision.deadline if reminds and decision is not None else None
            question = question_for(table, seat)
            state = table.state if question is None else question.state
            call = (screens.prompt(table.game.view(state, None), seat), reminds, deadline)
            who = f"<@{table.seats[seat].user_id}>" if seat in calls else names.bold(seat)
            asked.setdefault(call, []).append(who)
        return [self._call_line(people, *call) for call, people in asked.items()]

    def letter(self, table: Table, seat: int, locale: str, *, with_hand: bool) -> ScreenView:
        """The call of a seat by direct message, in the language for `locale`: the game, what to do, and a link.

        `with_hand` adds what the seat has, as `GameScreens.private_text` words it for its person alone.
        """
        screens, public = self._screens_of(table), table.game.view(table.state, None)
        question = question_for(table, seat)
        view = public if question is None else table.game.view(question.state, None)
        with speaking(locale):
            names = Names(table.seats)
            others = [names.bold(other) for other in range(len(table.seats)) if other != seat]
            screen = Screen(colour=screens.colour).text(
                f"### {screens.title()}",
                _("With {names}: {prompt}").format(names=listing(others), prompt=screens.prompt(view, seat)),
            )
            asked = table.body.asked.get(seat)
            if asked is not None and asked.deadline is not None:
                when = f"<t:{int(asked.deadline + self._tables.time.shown_later)}:R>"
                screen.text(
                    "-# "
                    + _("Your time runs out {when}; then a computer player plays for you.").format(when=when)
                )
            if with_hand:
                screen.rule().text(screens.private_text(table.game.view(table.state, seat)))
            screen.buttons(*to_the_table(table))
        screen.emoji_map = self.pictures.emoji_map(table.game.key, table.guild_id, table.seats[seat].user_id)
        return screen.view()

    def _call_line(self, people: Sequence[str], text: str, reminds: bool, deadline: float | None) -> str:
        line = f"{', '.join(people)}, {text}"
        if reminds:
            line = f"⏰ {line}"
        if deadline is None:
            return line
        when = f"<t:{int(deadline + self._tables.time.shown_later)}:R>"
        return _("{line} Your time runs out {when}; then a computer player plays for you.").format(
            line=line, when=when
        )

    def _screens_of(self, table: Table) -> AnyScreens:
        return self.screens[table.game.key]

    def _emoji_map(self, table: Table) -> EmojiMap:
        return self.pictures.emoji_map(table.game.key, table.guild_id)
