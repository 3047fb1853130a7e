"""Keeps a table's messages up to date: lobby, board, announcement, result, and the private screens that are open.

Messages are drawn only from what is durable. Several changes may become one edit. Edits that fail are tried again, and
messages that have disappeared are posted anew.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from hashlib import blake2b
from typing import Final

import discord
from discord import ui

from bot.art.picture import Picture
from bot.gateway.errors import Brief, passes
from bot.language import gettext as _
from bot.language import speaking
from bot.store.model import Job, LogRow, StoreError
from bot.tables import ending, lobby
from bot.tables.draft import REDRAW
from bot.tables.locks import Locks
from bot.tables.messages import Messages
from bot.tables.model import HOUR, MINUTE, Table
from bot.tables.premoves import question_for
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.ui.calls import Calls, calls_of, gist, name_of
from bot.ui.interaction import UNDELIVERED, Around, Landed, Visit
from bot.ui.left_behind import kind_of, take_in
from bot.ui.pictures import Attachments, Pictures, Wanted
from bot.ui.private_screens import PrivateScreens
from bot.ui.screens import table as show
from bot.ui.screens.chronicle import newest_turn
from bot.ui.screens.emoji_map import Legend
from bot.ui.screens.game_screens import AnyScreens, Pressed
from bot.ui.screens.kit import Drawn, Item, Screen
from bot.ui.sender import ANNOUNCEMENT, UNKNOWN_CHANNEL, Courier, Edited, together
from bot.ui.tokens import Tokens

log = logging.getLogger(__name__)

Step = Callable[[Table], Awaitable[Table]]
"""Brings one kind of message up to date; returns the table with what was noted about the message."""

FOLLOWS: Final = 0.5
"""Seconds after which a table message is drawn again if its picture was not ready."""

PASSES: Final = 3
"""How often in a row the messages are drawn if their edits overlapped with others."""

SOON: Final = 2.0
"""Seconds after which a table's messages are checked again if it is uncertain what they show."""
LATER: Final = 10 * MINUTE
"""Seconds after which a message that accepts no edits for now is tried again. They double each time."""
TRIES: Final = 6
LANDED: Final = 30.0
"""Seconds after which a post of an earlier process cannot be on its way to Discord any more."""


class Presenter:
    """Draws tables on Discord."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        screens: dict[str, AnyScreens],
        spacing: Callable[[], float],
        pictures: Pictures,
        lag: Callable[[], float],
        notice: Callable[[], str] = str,
    ) -> None:
        self._tables = tables
        self.notice = notice
        """What the operator has every table message say; empty for nothing."""
        self._screens = screens
        self.tokens = Tokens(tables.clock)
        self._courier = Courier(client, self.tokens, pictures.shelf.in_words)
        self._edits = self._courier.edits
        self.pictures = pictures
        self._spacing = spacing
        """How many seconds are to lie now between two edits of a table message by requests that count."""
        self._lag = lag
        """For how many seconds what nobody waits for may be out of date now, because the bot is busy."""
        self._whole: dict[int, float] = {}
        """By table: when all of its messages and screens were last brought up to date."""
        self._spent: dict[int, float] = {}
        """By message: when it was last edited by a request that counts."""
        self._urgent: dict[int, int] = {}
        """By table whose messages are drawn without any delay, because a name is to vanish from them: its version since
        then. It stays here until all of them certainly show that version."""
        self._checks: dict[int, float] = {}
        """By table that is being drawn: when something that was put off is to be drawn."""
        self._gists: dict[int, str] = {}
        """By announcement: what it says that is worth a request that counts."""
        self._following: dict[int, asyncio.Future[None]] = {}
        """By table that is being drawn: the edits of its private screens."""
        self._locks = Locks()
        self._starting = Locks()
        """Separate locks for starts, because a start must not wait for a slow edit of the lobby."""
        self._first_try: set[int] = set()
        """Tables that are about to be posted anew for the first time, so that no such message can have been lost."""
        self._looked_through: set[int] = set()
        """Tables whose channel was searched for messages of an earlier process, or that cannot have any."""
        self._look_again: dict[int, float] = {}
        """By table for which a call may have been on its way when its channel was searched: when to search it again."""
        self._full: dict[int, int] = {}
        """By message that accepts no edits for now: how often it was tried."""
        self.trouble: dict[int, str] = {}
        """By table: why its message cannot be drawn now. Whoever opens their private screen is told."""
        self.private = PrivateScreens(tables, screens, self.trouble, pictures)
        self.private.picture_came = self._picture_came
        self._followed_later: set[asyncio.Task[None]] = set()
        """Private screens that are brought up to date because their picture has come."""

    # -- all of a table's messages

    async def redraw(self, table_id: int) -> float | None:
        """Brings all messages of a table up to date. Raises `discord.HTTPException` if Discord does not accept one.

        Returns after how many seconds to check again, if it is not certain yet that the messages show the right thing.
        Returns None if it is certain, or if Discord will not accept the messages at all.
        """
        async with self._locks.hold(table_id):
            for _pass in range(PASSES):
                try:
                    table = await self._tables.latest(table_id)
                except Refused:
                    return None
                if table.body.asleep is not None:
                    return None
                self._checks.pop(table_id, None)
                try:
                    await self._draw_all(table)
                except discord.NotFound as error:
                    if error.code != UNKNOWN_CHANNEL:
                        raise
                    await self.channel_gone(table)
                    return None
                except discord.Forbidden as error:
                    log.warning("table %s: its message cannot be drawn (%s)", table.id, Brief(error))
                    self._forbidden(table)
                    return None
                self.trouble.pop(table_id, None)
                drawn, table = table.version, await self._tables.get(table_id)
                known = table.body.messages.known
                if any(self._edits.on_its_way(message) for message in known):
                    return SOON
                if table_id in self._courier.doubtful:
                    return SOON
                if not any(self._edits.unsure(message) for message in known):
                    if self._urgent.get(table_id, math.inf) <= drawn:
                        del self._urgent[table_id]
                    return self._all_drawn(table)
            return SOON

    async def _draw_all(self, table: Table) -> None:
        """Draws the messages and the private screens at the same time, so that one that is slow holds up no other."""
        urgent = self._may_lag(table)
        following = asyncio.ensure_future(self.private.follow(table, asked_only=urgent))
        self._following[table.id] = following
        try:
            await together(self._draw(table, urgent), _outcome(following))
        finally:
            del self._following[table.id]

    def _may_lag(self, table: Table) -> bool:
        """Whether only what somebody waits for is drawn now, and all else of the table a little later."""
        now, lag = self._tables.clock.now(), self._lag()
        since = now - self._whole.get(table.id, -math.inf)
        at_once = table.status != "playing" or table.body.messages.moving or table.id in self._urgent
        if at_once or not 0 <= since < lag:
            self._whole[table.id] = now
            return False
        self._check_at(table, now + lag - since)
        return True

    def draw_at_once(self, table: Table) -> None:
        """Has the table's next redraw put off nothing, however busy the bot is: a name is to vanish."""
        self._urgent[table.id] = table.version

    def is_urgent(self, table_id: int) -> bool:
        """Whether the table's messages are to be drawn without any delay."""
        return table_id in self._urgent

    def answer_awaited(self, table_id: int) -> bool:
        """Whether the answer to a press at this table is on its way, which will bring a token to draw with."""
        return self.tokens.awaited(table_id)

    def rides(self, table_id: int) -> bool:
        """Whether the table's messages can probably be drawn without a request that counts towards the limit."""
        table = self._tables.at_hand(table_id)
        if table is None or not table.live:
            return False
        place = _place_of(table)
        return place is not None and self.tokens.of_message(place) is not None

    async def follow(self, table_id: int) -> None:
        """Brings the open private screens of a table up to date, but not its messages."""
        if self.private.any_of(table_id):
            async with self._locks.hold(table_id):
                await self.private.follow(await self._tables.latest(table_id))

    def _picture_came(self, table_id: int) -> None:
        task = asyncio.get_running_loop().create_task(self._follow_late(table_id), name="late picture")
        self._followed_later.add(task)
        task.add_done_callback(self._followed_later.discard)

    async def _follow_late(self, table_id: int) -> None:
        try:
            await self.follow(table_id)
        except (Refused, StoreError, *UNDELIVERED) as error:
            log.info("table %s: its private screens get no picture (%s)", table_id, type(error).__name__)

    def _forbidden(self, table: Table) -> None:
        """Notes that the bot may not post or edit there. It will try again at the table's next change."""
        if table.live:
            self.trouble[table.id] = "no-permission"
        else:
            self.trouble.pop(table.id, None)

    def _all_drawn(self, table: Table) -> float | None:
        """After how many seconds to draw what was put off or accepts no edits for now; None if there is nothing."""
        if (check := self._checks.pop(table.id, None)) is not None:
            return max(0.0, check - self._tables.clock.now())
        full = [message for message in table.body.messages.known if 0 < self._full.get(message, 0) < TRIES]
        if full:
            return LATER * 2 ** max(self._full[message] - 1 for message in full)
        if not table.live:
            self._forget(table)
        return None

    def _forget(self, table: Table) -> None:
        """Forgets what need not be known of a table that has ended."""
        known = table.body.messages.known
        self._edits.forget(known)
        self.tokens.forget(table.id, known)
        for noted in (self._looked_through, self._courier.unsearchable):
            noted.discard(table.id)
        self._whole.pop(table.id, None)
        self._urgent.pop(table.id, None)
        self._look_again.pop(table.id, None)
        for message in known:
            self._full.pop(message, None)
            self._spent.pop(message, None)
            self._gists.pop(message, None)

    def keep_only(self, tables: Sequence[Table]) -> None:
        """Forgets what is remembered of all other tables, because another process draws them."""
        ids = {table.id for table in tables}
        messages = {message for table in tables for message in table.body.messages.known}
        self._edits.keep_only(messages)
        self.tokens.keep_only(ids, messages)
        self.private.keep_only(ids)
        for by_message in (self._full, self._spent, self._gists):
            for message in by_message.keys() - messages:
                del by_message[message]
        for by_table in (self._whole, self._urgent, self._checks, self.trouble, self._look_again):
            for table_id in by_table.keys() - ids:
                del by_table[table_id]
        courier = self._courier
        for noted in (self._looked_through, self._first_try, courier.doubtful, courier.unsearchable):
            noted &= ids

    def _check_at(self, table: Table, when: float) -> None:
        """Has the table's messages drawn again at this time."""
        self._checks[table.id] = min(when, self._checks.get(table.id, when))

    async def _draw(self, table: Table, urgent: bool) -> None:
        # If Discord does not accept one message now, the others are brought up to date all the same.
        failed: Exception | None = None
        steps: Sequence[Step] = (
            self._find,
            self._tell_result,
            self._place,
            self._call,
            self._mend,
            self._retire,
        )
        for step in steps:
            if urgent and step == self._place and _place_of(table) is not None:
                continue
            try:
                table = await step(table)
            except UNDELIVERED as error:
                failed = failed or error
        if failed is not None:
            raise failed

    async def _find(self, table: Table) -> Table:
        """Looks for messages that were posted but never noted.

        It does so once in a process, whenever an answer got lost, and whenever a call was to be posted and it is not
        noted whether it was: then once more after `LANDED`.
        """
        now, calling = self._tables.clock.now(), bool(table.body.messages.calling)
        again = self._look_again.get(table.id, math.inf)
        if calling or table.id not in self._looked_through:
            self._courier.doubtful.add(table.id)
        if table.id not in self._courier.doubtful and now < again:
            if again < math.inf:
                self._check_at(table, again)
            return table
        left_behind = await self._courier.left_behind(table)
        self._looked_through.add(table.id)
        self._courier.doubtful.discard(table.id)
        self._look_again.pop(table.id, None)
        if calling and table.id not in self._courier.unsearchable:
            self._look_again[table.id] = now + LANDED
            self._check_at(table, now + LANDED)
        if not left_behind:
            return table
        async with self._tables.change(table.id) as draft:
            take_in(draft.table, left_behind)
            draft.touch()
        return draft.table

    async def channel_gone(self, table: Table) -> None:
        """Ends a match whose channel was deleted."""
        async with self._tables.change(table.id) as draft:
            if draft.table.live:
                ending.abandon(draft, "channel-gone")
                draft.cancel(REDRAW)
        self._forget(table)
        self.private.forget(table.id)
        self.trouble.pop(table.id, None)

    # -- the table message: the lobby's, then the board

    async def repost(self, table_id: int) -> Table:
        """Posts the table message anew at the bottom of the channel, and retires the old one.

        The wish is durable: if this returns or raises before it is fulfilled, it is fulfilled later.
        """
        async with self._tables.change(table_id) as draft:
            if not draft.table.body.messages.moving:
                self._first_try.add(table_id)
            draft.table.body.messages.moving = True
            draft.touch()
        await self.redraw(table_id)
        return await self._tables.get(table_id)

    async def _place(self, table: Table) -> Table:
        """Draws the lobby or the board into its message. If it had to be posted anew, notes the new message."""
        old = _place_of(table)
        screen, rows = await self._table_screen(table)
        finished = True
        for wanted in self._table_pictures(table, rows):
            finished = await self.pictures.soon(screen, wanted) and finished
        if not finished:
            self._check_at(table, self._tables.clock.now() + max(FOLLOWS, self._lag()))
        view = screen.view()
        moving = table.live and table.body.messages.moving
        if old is not None and not moving:
            edited = await self._edit_place(table, old, view)
            # After the end, a board that was deleted is not posted again. But one that cannot be edited is, because
            # it would still look live; posting also opens an archived thread, so that the end is shown there too.
            if edited in ("kept", "later") or (edited == "gone" and not table.live):
                return table
        elif not table.live:
            return table
        new = await self._post_anew(table, old, view)
        async with self._tables.change(table.id) as draft:
            kept = draft.table.body.messages
            if (draft.table.state is None) != (table.state is None) or _place_of(draft.table) not in (
                old,
                new,
            ):
                kept.retired.append(new)
            else:
                if table.state is None:
                    kept.lobby = new
                else:
                    kept.board = new
                kept.moving = False
                if old not in (None, new) and not (moving and old == kept.start):
                    kept.retired.append(old)  # the start message stays, so that everybody can compare its id
                    kept.start = None if kept.start == old else kept.start
            draft.touch()  # links to the table must lead to its new place
        return draft.table

    async def _edit_place(self, table: Table, message: int, view: Drawn) -> Edited:
        """Edits the table message; if no token can and it was just edited, later, so that changes become one edit."""
        now, last = self._tables.clock.now(), self._spent.get(message)
        if table.id in self._urgent:
            last = None
        if last is not None and table.live and last <= now < (due := last + self._spacing()):
            edited = await self._courier.edit(table, message, view, may_count=False)
            if edited == "later":
                self._check_at(table, due)
            return edited
        counts = self.tokens.of_message(message) is None and not self._edits.shows(message, view.digest)
        edited = await self._courier.edit(table, message, view)
        if counts and edited == "kept":
            self._spent[message] = now
        return edited

    async def _post_anew(self, table: Table, old: int | None, view: Drawn) -> int:
        first = table.id in self._first_try
        self._first_try.discard(table.id)
        if not first and (old is None or table.body.messages.moving):
            kind = "lobby" if table.state is None else "board"
            for message, intents in await self._courier.left_behind(table):
                if kind_of(intents) == kind:
                    return message
        ring = table.expected() if old is None else ()  # nobody is asked a second time to play again
        return await self._courier.post(table, f"table after {old}", view, ring=ring)

    async def _table_screen(self, table: Table) -> tuple[Screen, Sequence[LogRow]]:
        """The screen of the table message, without pictures, and the log's newest rows that it was drawn from."""
        screens = self._screens[table.game.key]
        if table.state is None:
            with speaking(table.body.locale):
                return self._for_all(table, show.lobby(table, screens, self.notice())), ()
        rows = await self._tables.log(table, last=show.RECENT_ROWS)
        with speaking(table.body.locale):
            screen = show.board(table, screens, rows, self._tables.time.shown_later, self.notice())
            return self._for_all(table, screen), rows

    def _for_all(self, table: Table, screen: Screen) -> Screen:
        """A screen that the whole channel sees, with the emoji of its game."""
        screen.legend = self._legend(table)
        return screen

    def _legend(self, table: Table) -> Legend:
        return self.pictures.legend(table.game.key, table.guild_id)

    def _table_pictures(self, table: Table, rows: Sequence[LogRow]) -> list[Wanted]:
        """The pictures of the table message: the lobby's, or the board's and that of the newest turn."""
        screens = self._screens[table.game.key]

        def draw() -> Picture | None:
            with speaking(table.body.locale):
                if table.state is None:
                    return screens.banner() if table.live else None
                return screens.table_picture(table.game.view(table.state, None))

        def draw_turn() -> Picture | None:
            with speaking(table.body.locale):
                return screens.vignette(newest_turn(table, rows)) if table.live and rows else None

        return [
            Wanted(draw, ("table", table.id), table.guild_id, below=show.TITLE if table.state else None),
            Wanted(draw_turn, ("turn", table.id), table.guild_id, beside=show.LATEST_TURNS),
        ]

    async def _add_podium(self, table: Table, screen: Screen) -> bool:
        """Adds the picture of the result. Returns whether it is there, or will not come."""
        screens = self._screens[table.game.key]

        def draw() -> Picture | None:
            if table.status != "over":
                return None
            with speaking(table.body.locale):
                return screens.podium(table.game.view(table.state, None))

        wanted = Wanted(draw, ("result", table.id), table.guild_id, at=1)
        finished = await self.pictures.soon(screen, wanted)
        if not finished:
            self._check_at(table, self._tables.clock.now() + max(FOLLOWS, self._lag()))
        return finished

    @asynccontextmanager
    async def answering(self, table: Table, message: int, view: Drawn) -> AsyncGenerator[Landed]:
        """The context in which the answer to a press draws `table` into the pressed message.

        If the table has changed by the time the answer has arrived, or it is uncertain what the message shows, the
        message is drawn anew.
        """
        try:
            with self._edits.making(message, view.digest):
                yield lambda attachments: self._edits.has(message, attachments)
        finally:
            now = await self._tables.get(table.id)
            if message != _place_of(
                now
            ):  # the table has gone elsewhere, and this message may have been told so before
                await self._tell_again_where_it_went(table.id, message)
            if now.version != table.version or self._edits.unsure(message):
                await self._tables.store.set_job(Job(table.id, REDRAW, self._tables.clock.now()))

    async def _tell_again_where_it_went(self, table_id: int, message: int) -> None:
        """Has a message that is the table message no more be told so once more."""
        async with self._tables.change(table_id) as draft:
            messages = draft.table.body.messages
            for kind, each in (("lobby", messages.lobby), ("start", messages.start)):
                if each == message and messages.shows.pop(kind, None) is not None:
                    draft.touched = True

    async def in_answer(self, table_id: int, message: int) -> tuple[Drawn, Around] | None:
        """What the answer to a press on this public message draws into it, and the context in which it does so.

        None if it is not the table message, or shows the right thing already.
        """
        table = await self._tables.get(table_id)
        if not table.live or table.body.asleep is not None or message != _place_of(table):
            return None
        screen, rows = await self._table_screen(table)
        for wanted in self._table_pictures(table, rows):
            self.pictures.at_hand(screen, wanted)
        view = screen.view()
        if self._edits.shows(message, view.digest) or self._edits.on_its_way(message):
            return None
        return view, self.answering(table, message, view)

    def opened_here(self, table: Table) -> None:
        """Notes that this process has opened the table, so that no message can be from an earlier process."""
        self._looked_through.add(table.id)

    async def lobby(self, table: Table) -> Screen:
        """The screen of a lobby that has just been opened."""
        screen, rows = await self._table_screen(table)
        for wanted in self._table_pictures(table, rows):
            await self.pictures.soon(screen, wanted)
        return screen

    async def add_sheet_picture(self, screen: Screen, table: Table, pressed: Pressed, visit: Visit) -> None:
        """Adds the picture of a sheet that somebody looks up."""
        screens = self._screens[table.game.key]

        def draw() -> Picture | None:
            with speaking(visit.locale):
                return screens.sheet_picture(table.game.view(table.state, None), pressed)

        place = ("sheet", table.id, visit.user_id)
        await self.pictures.soon(screen, Wanted(draw, place, table.guild_id, visit.user_id, at=0))

    def posted(self, message: int, screen: Screen, attachments: Attachments | None) -> None:
        """Notes that an answer to a press or command has posted this screen as a message of a table."""
        self._edits.note(message, screen.view().digest)
        self._edits.has(message, attachments)

    async def recognise(self, table: Table, message: int) -> None:
        """To be called when somebody has pressed a button on a public message of this table.

        If the message was left behind by a crash, it is deleted; but if the table's lobby has no message yet, it
        becomes the lobby's message.
        """
        messages = table.body.messages
        place = messages.board or messages.lobby
        newest = None if place is None else max(place, messages.announcement or 0)
        if message in messages.known or (newest is not None and message > newest):
            return  # a message that was only just posted may not have been noted yet
        async with self._tables.change(table.id) as draft:
            messages = draft.table.body.messages
            if message in messages.known:
                return
            if draft.table.status == "lobby" and messages.lobby is None:
                messages.lobby = message
                draft.touched = True
            elif (place := messages.board or messages.lobby) is not None and message < max(
                place, messages.announcement or 0
            ):
                messages.retired.append(message)
                draft.touch()

    def sweep(self) -> None:
        """Forgets what can no longer be edited, or was edited long ago."""
        self.private.sweep()
        self.tokens.sweep()
        before = self._tables.clock.now() - HOUR
        self._spent = {message: at for message, at in self._spent.items() if at > before}
        self._whole = {table: at for table, at in self._whole.items() if at > before}

    # -- the start

    async def start(self, table_id: int, *, first: bool = False) -> Table:
        """Goes on with a start whose seats and words are frozen: posts the start message and begins the match.

        `first` says that nobody has tried to post the message before. Returns the table after that. Raises
        `discord.HTTPException` if Discord does not accept the message; then the table stays as it was.
        """
        async with self._starting.hold(table_id):
            table = await self._tables.latest(table_id)
            if not table.starting or table.body.asleep is not None:
                return table
            message = None
            if not first:
                left_behind = await self._courier.left_behind(table)
                message = next((each for each, intents in left_behind if kind_of(intents) == "start"), None)
            if message is None:
                with speaking(table.body.locale):
                    screen = show.start_message(table, self._screens[table.game.key])
                view = self._for_all(table, screen).view()
                message = await self._courier.post(table, f"start {table.body.starts}", view)
            async with self._tables.change(table_id) as draft:
                if draft.table.starting:
                    lobby.begin(draft, message)
                else:  # meanwhile the lobby was closed or opened again
                    draft.table.body.messages.retired.append(message)
                    draft.touch()
            return draft.table

    # -- messages that seldom change

    async def _mend(self, table: Table) -> Table:
        """Updates the started lobby's message and the result: the link to the table, and people's names."""
        messages, screens = table.body.messages, self._screens[table.game.key]
        wanted: list[tuple[str, int, str, Callable[[], Screen]]] = []
        if table.state is not None:
            leads_to = f"board {messages.board}"
            if messages.lobby is not None:
                wanted.append(("lobby", messages.lobby, leads_to, lambda: show.lobby(table, screens)))
            if messages.start not in (None, messages.board):
                wanted.append(("start", messages.start, leads_to, lambda: show.left_start_message(table)))
        if not table.live and messages.result is not None:
            names = _called_there(table)
            if messages.shows.get("result") != names:
                rows = await self._tables.store.log(table.id)
                wanted.append(("result", messages.result, names, lambda: show.ended(table, screens, rows)))
        shown: dict[str, str] = {}
        for kind, message, tells, draw in wanted:
            if messages.shows.get(kind) == tells:
                continue
            with speaking(table.body.locale):
                screen = self._for_all(table, draw())
            finished = kind != "result" or await self._add_podium(table, screen)
            if await self._settled(table, message, screen.view()) and finished:
                shown[kind] = tells
        if not shown:
            return table
        async with self._tables.change(table.id) as draft:
            draft.table.body.messages.shows.update(shown)
            draft.touched = True
        return draft.table

    async def _settled(self, table: Table, message: int, view: Drawn) -> bool:
        """Edits the message to show this. Returns whether it certainly does, or certainly never will."""
        edited: Edited = await self._courier.edit(table, message, view)
        if edited == "full":
            self._full[message] = self._full.get(message, 0) + 1
            if self._full[message] < TRIES:
                return False
        if edited != "kept":
            log.info("table %s: message %s cannot be brought up to date (%s)", table.id, message, edited)
            return True
        self._full.pop(message, None)
        return self._edits.shows(message, view.digest) and not self._edits.on_its_way(message)

    async def _retire(self, table: Table) -> Table:
        """Deletes the messages that nobody must press any more."""
        # A message that seemed left behind may have got its place meanwhile, because Discord recognised its nonce.
        placed = table.body.messages.placed
        gone = [
            message
            for message in table.body.messages.retired
            if message in placed or await self._courier.delete(table, message)
        ]
        if not gone:
            return table
        async with self._tables.change(table.id) as draft:
            kept = draft.table.body.messages
            kept.retired = [message for message in kept.retired if message not in gone]
            draft.touched = True
        return draft.table

    # -- whose move it is

    async def _call(self, table: Table) -> Table:
        """Makes sure that everybody whose move it is has been mentioned, and notes which announcement is there now."""
        if table.state is None:
            return table
        messages = table.body.messages
        calls = await self._to_be_called(table)
        fresh = [seat for seat, call in calls.items() if messages.called.get(seat) != call]
        name = name_of(table, calls) if fresh else ""
        if messages.calling and table.id in self._courier.doubtful:
            return table  # the channel could not be searched for that call; the redraw is tried again
        if messages.calling not in ("", name):
            table = await self._take_back_call(table)
        if not fresh and (calls or messages.announcement is None):
            return await self._keep_announcement(table, calls)
        deleted = messages.announcement is None or await self._courier.delete(table, messages.announcement)
        self._gists.pop(messages.announcement or 0, None)
        sent: int | None = None
        if calls:
            people = [table.seats[seat].user_id or 0 for seat in fresh]
            await self._note_calling(table, name)
            sent = await self._announce(table, name, self._announcement(table, calls), people)
            self._gists[sent] = gist(table, calls)
            if not deleted and messages.announcement is not None:
                # The new announcement has opened the archived thread.
                await self._courier.delete(table, messages.announcement)
        async with self._tables.change(table.id) as draft:
            kept: Messages = draft.table.body.messages
            kept.announcement, kept.called, kept.calling = sent, calls, ""
            draft.touched = True
        return draft.table

    async def _announce(self, table: Table, name: str, view: Drawn, people: Sequence[int]) -> int:
        try:
            return await self._courier.announce(table, name, view, people)
        except discord.HTTPException as error:
            if not passes(error):
                await self._note_calling(table, "")  # nothing was posted
            raise

    async def _note_calling(self, table: Table, name: str) -> None:
        """Notes durably that a call is about to be posted under this name; "": that none can be there unnoted.

        Whoever finds the note after a crash knows that a message may stand there which says whose move it was then.
        """
        async with self._tables.change(table.id) as draft:
            if draft.table.body.messages.calling != name:
                draft.table.body.messages.calling = name
                draft.touched = True

    async def _take_back_call(self, table: Table) -> Table:
        """Makes sure that a call does not stand which may have been posted and is due no longer.

        In a channel that can be searched, `_find` has found it already if it stands there.
        """
        if table.id in self._courier.unsearchable:
            await self._courier.take_back(table, table.body.messages.calling)
        await self._note_calling(table, "")
        return await self._tables.get(table.id)

    async def _to_be_called(self, table: Table) -> Calls:
        """Those whose move it is, without who plainly is there. They are called later if they do nothing."""
        calls, called = calls_of(table), table.body.messages.called
        # Who may answer ahead is called in any case, so that nobody can tell from it whether somebody has just pressed.
        asked = table.body.asked
        fresh = [s for s, call in calls.items() if s in asked and called.get(s) != call and not call[1]]
        following = self._following.get(table.id)
        if not fresh or following is None or not self.private.any_of(table.id):
            return calls
        await asyncio.wait({following})  # a screen that cannot be edited shows nobody that it is their turn
        for seat in fresh:
            until = self.private.there_until(table, seat)
            if until is not None:
                self._check_at(table, until)
                del calls[seat]
        return calls

    async def _keep_announcement(self, table: Table, calls: Calls) -> Table:
        """Brings the announcement up to date that has called all of these, if there is one."""
        announcement = table.body.messages.announcement
        if not calls or announcement is None:
            return table
        # An edit notifies nobody, so calling somebody takes a new message.
        view, says = self._announcement(table, calls), gist(table, calls)
        names = [table.seats[seat].user_id or 0 for seat in calls]
        matters = self._gists.get(announcement) != says or table.id in self._urgent
        edited = await self._courier.edit(table, announcement, view, names=names, may_count=matters)
        if edited == "kept":
            self._gists[announcement] = says
        if edited in ("kept", "later"):
            return table
        async with self._tables.change(table.id) as draft:  # somebody has deleted it, so it was seen
            draft.table.body.messages.announcement = None
            draft.touched = True
        return draft.table

    def _announcement(self, table: Table, calls: Calls) -> Drawn:
        """The announcement: a line for all who are asked the same until the same time, and the turn's buttons."""
        screens, public = self._screens[table.game.key], table.game.view(table.state, None)
        with speaking(table.body.locale):
            asked: dict[tuple[str, bool, float | None], list[str]] = {}
            for seat, (_since, reminds) in calls.items():
                deadline = table.body.asked[seat].deadline if reminds else None
                question = question_for(table, seat)
                state = table.state if question is None else question.state
                call = (screens.call(table.game.view(state, None), seat), reminds, deadline)
                asked.setdefault(call, []).append(f"<@{table.seats[seat].user_id}>")
            lines = [self._call_line(who, *call) for call, who in asked.items()]
            if essentials := screens.call_line(public):
                lines.append(f"-# {essentials}")
            text: Item = ui.TextDisplay("\n".join(lines), id=ANNOUNCEMENT)
            return Drawn([text, *show.turn_rows(table, screens, public)], legend=self._legend(table))

    def _call_line(self, who: Sequence[str], text: str, reminds: bool, deadline: float | None) -> str:
        line = f"{', '.join(who)}, {text}"
        if reminds:
            line = f"⏰ {line}"
        if deadline is None:
            return line
        when = f"<t:{int(deadline + self._tables.time.shown_later)}:R>"
        return _("{line} Your time runs out {when}; then an agent plays for you.").format(
            line=line, when=when
        )

    # -- the end

    async def _tell_result(self, table: Table) -> Table:
        """Posts how a match has ended, once, and mentions everybody who sits there."""
        messages = table.body.messages
        if messages.result is not None or not (table.status == "over" or messages.farewell):
            return table
        rows = await self._tables.store.log(table.id)
        with speaking(table.body.locale):
            screen = self._for_all(table, show.ended(table, self._screens[table.game.key], rows))
        finished = await self._add_podium(table, screen)
        view = screen.view()
        people = [seat.user_id for seat in table.seats if seat.user_id is not None]
        sent = await self._courier.post(table, "result", view, ring=people)
        async with self._tables.change(table.id) as draft:
            draft.table.body.messages.result = sent
            draft.table.body.messages.farewell = False
            if finished:
                draft.table.body.messages.shows["result"] = _called_there(table)
            draft.touched = True
        return draft.table


def _place_of(table: Table) -> int | None:
    """The id of the table message: the lobby before the match, and then the board."""
    return table.body.messages.lobby if table.state is None else table.body.messages.board


def _called_there(table: Table) -> str:
    """A digest of the names at an ended match. It changes when people have their data, and so their names, deleted."""
    names = [(seat.name, seat.user_id is None) for seat in table.seats]
    if table.status == "abandoned":
        names.append(("", table.body.ended_by is None))
    return blake2b(repr(names).encode(), digest_size=8).hexdigest()


async def _outcome(work: asyncio.Future[None]) -> None:
    """Waits for work that others wait for too."""
    await work
