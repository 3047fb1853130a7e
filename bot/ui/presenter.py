"""Keeps a table's messages as the table is: lobby, board, announcement, result, and the private screens that are open.

Messages are projections: drawn from what is durable, coalesced, retried, posted anew where they are gone.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from hashlib import blake2b
from typing import Final, Literal

import discord
from discord import ui

from bot.discord_errors import Brief
from bot.language import gettext as _
from bot.language import speaking
from bot.store.base import Job
from bot.tables import ending, lobby
from bot.tables.absence import played_by_agent
from bot.tables.draft import REDRAW
from bot.tables.locks import Locks
from bot.tables.model import MINUTE, Messages, Table
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.ui import table_screens as show
from bot.ui.courier import ANNOUNCEMENT, UNKNOWN_CHANNEL, Courier, Edited, together
from bot.ui.edits import drawing
from bot.ui.game_screens import AnyScreens
from bot.ui.kit import Screen
from bot.ui.private_screens import PrivateScreens
from bot.ui.visit import UNDELIVERED

log = logging.getLogger(__name__)

Calls = dict[int, tuple[int, bool]]
"""Whom the match waits for, by seat: since how many moves they have been asked, and whether they are reminded."""

Step = Callable[[Table], Awaitable[Table]]
"""Brings one kind of a table's messages up to date; returns the table with what was kept of it."""

PASSES: Final = 3
"""So often in a row the messages are drawn where edits have met on their way."""

SOON: Final = 2.0
"""Seconds after which a table's messages are looked at again, of which it is not certain what they show."""
LATER: Final = 10 * MINUTE
"""Seconds after which a message is tried again that takes no edits for now; each time it is twice as long."""
TRIES: Final = 6

Kind = Literal["lobby", "start", "board", "result", "announcement"]


class Presenter:
    """Draws tables on Discord."""

    def __init__(self, client: discord.Client, tables: Tables, screens: dict[str, AnyScreens]) -> None:
        self._tables = tables
        self._screens = screens
        self._courier = Courier(client)
        self._edits = self._courier.edits
        self._locks = Locks()
        self._starting = Locks()
        """Of their own: a start must not wait for an edit of the lobby that is slow."""
        self._first_try: set[int] = set()
        """Tables that are about to be posted anew for the first time: none of their messages can have been lost yet."""
        self._looked_through: set[int] = set()
        """Tables whose channel was looked through for messages of an earlier process, or that have none."""
        self._full: dict[int, int] = {}
        """How often messages were tried that take no edits for now."""
        self.trouble: dict[int, str] = {}
        """Why a table's message cannot be drawn now, by table: told to whoever opens their private screen."""
        self.private = PrivateScreens(tables, screens, self.trouble)

    # -- all of a table's messages

    async def redraw(self, table_id: int) -> float | None:
        """Brings all messages of a table up to date. Returns in how many seconds another look is due, because it is not
        certain yet what they show; None where that is certain, or Discord will not have it otherwise.

        Raises `discord.HTTPException` where Discord does not take something now.
        """
        async with self._locks.hold(table_id):
            for _pass in range(PASSES):
                try:
                    table = await self._tables.latest(table_id)
                except Refused:
                    return None
                if table.body.asleep is not None:
                    return None
                try:
                    await together(self._draw(table), self.private.follow(table))
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
                table = await self._tables.get(table_id)
                known = table.body.messages.known
                if any(self._edits.on_its_way(message) for message in known):
                    return SOON
                if not any(self._edits.unsure(message) for message in known):
                    return self._all_drawn(table)
            return SOON

    async def follow(self, table_id: int) -> None:
        """Brings the private screens of a table up to date that are open; its messages are left as they are."""
        if self.private.any_of(table_id):
            async with self._locks.hold(table_id):
                await self.private.follow(await self._tables.latest(table_id))

    def _forbidden(self, table: Table) -> None:
        """The bot may not post or edit there; it is tried again with the table's next change."""
        if table.live:
            self.trouble[table.id] = "no-permission"
        else:
            self.trouble.pop(table.id, None)

    def _all_drawn(self, table: Table) -> float | None:
        """In how many seconds messages are to be tried again that take no edits for now; None where there are none."""
        full = [message for message in table.body.messages.known if 0 < self._full.get(message, 0) < TRIES]
        if full:
            return LATER * 2 ** max(self._full[message] - 1 for message in full)
        if not table.live:
            self._edits.forget(table.body.messages.known)
            self._looked_through.discard(table.id)
            for message in table.body.messages.known:
                self._full.pop(message, None)
        return None

    async def _draw(self, table: Table) -> None:
        # One message that Discord will not take now keeps none of the others from being brought up to date.
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
            try:
                table = await step(table)
            except UNDELIVERED as error:
                failed = failed or error
        if failed is not None:
            raise failed

    async def _find(self, table: Table) -> Table:
        """Once in a process, looks for messages that an earlier process posted and did not live to note."""
        if table.id in self._looked_through:
            return table
        self._looked_through.add(table.id)
        left_behind = await self._courier.left_behind(table)
        if not left_behind:
            return table
        async with self._tables.change(table.id) as draft:
            _take_in(draft.table, left_behind)
            draft.touch()
        return draft.table

    async def channel_gone(self, table: Table) -> None:
        """Ends a match whose channel was deleted."""
        async with self._tables.change(table.id) as draft:
            if draft.table.live:
                ending.abandon(draft, "channel-gone")
                draft.cancel(REDRAW)
        self._edits.forget(table.body.messages.known)
        self._looked_through.discard(table.id)
        self.private.forget(table.id)
        self.trouble.pop(table.id, None)

    # -- the table message: the lobby's, then the board

    async def repost(self, table_id: int) -> Table:
        """Posts the table message anew at the bottom of the channel, and retires the old one.

        What is not done when this returns or raises is durable, and done later.
        """
        async with self._tables.change(table_id) as draft:
            if not draft.table.body.messages.moving:
                self._first_try.add(table_id)
            draft.table.body.messages.moving = True
            draft.touch()
        await self.redraw(table_id)
        return await self._tables.get(table_id)

    async def _place(self, table: Table) -> Table:
        """Puts the lobby or the board into its message; keeps where it is, if it had to be posted anew."""
        view = (await self._table_screen(table)).view()
        old = _place_of(table)
        moving = table.live and table.body.messages.moving
        if old is not None and not moving:
            edited = await self._courier.edit(table, old, view)
            # A board that is gone is not wanted any more after the end; one that cannot be changed would look alive.
            # Posting opens an archived thread: there too the end is told.
            if edited == "kept" or (edited == "gone" and not table.live):
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
                    kept.retired.append(old)  # the start message stays, for all to compare
                    kept.start = None if kept.start == old else kept.start
            draft.touch()  # what leads to the table has to lead to where it is now
        return draft.table

    async def _post_anew(self, table: Table, old: int | None, view: ui.LayoutView) -> int:
        first = table.id in self._first_try
        self._first_try.discard(table.id)
        if not first and (old is None or table.body.messages.moving):
            kind = "lobby" if table.state is None else "board"
            for message, intents in await self._courier.left_behind(table):
                if _kind_of(intents) == kind:
                    return message
        return await self._courier.post(table, f"table after {old}", view)

    async def _table_screen(self, table: Table) -> Screen:
        screens = self._screens[table.game.key]
        if table.state is None:
            with speaking(table.body.locale):
                return show.lobby(table, screens)
        rows = await self._tables.store.log(table.id, last=show.RECENT)
        with speaking(table.body.locale):
            return show.board(table, screens, rows, self._tables.shown_later)

    @asynccontextmanager
    async def answering(self, table: Table, message: int, view: ui.LayoutView) -> AsyncGenerator[None]:
        """Within it, the answer to a press draws the pressed message as `table` is. If that is not so any more when it
        has landed, or not certain, the message is drawn anew.
        """
        try:
            with self._edits.making(message, drawing(view)):
                yield
        finally:
            now = await self._tables.get(table.id)
            if now.version != table.version or self._edits.unsure(message):
                await self._tables.store.set_job(Job(table.id, REDRAW, self._tables.clock.now()))

    def opened_here(self, table: Table) -> None:
        """This process has opened the table: none of its messages can be an earlier one's."""
        self._looked_through.add(table.id)

    def posted(self, message: int, screen: Screen) -> None:
        """An answer has posted this screen as a message of a table's."""
        self._edits.note(message, drawing(screen.view()))

    async def recognise(self, table: Table, message: int) -> None:
        """Somebody has pressed a public message of this table: one that a crash left behind is taken away.

        A lobby's that was not kept yet is the lobby's.
        """
        messages = table.body.messages
        place = messages.board or messages.lobby
        if message in messages.known or (place is not None and message > place):
            return  # one that has just been posted may not be kept yet
        async with self._tables.change(table.id) as draft:
            messages = draft.table.body.messages
            if message in messages.known:
                return
            if draft.table.status == "lobby" and messages.lobby is None:
                messages.lobby = message
                draft.touched = True
            elif (place := messages.board or messages.lobby) is not None and message < place:
                messages.retired.append(message)
                draft.touch()

    def sweep(self) -> None:
        """Forgets the private screens that can be followed no longer."""
        self.private.sweep()

    # -- the start

    async def start(self, table_id: int, *, first: bool = False) -> Table:
        """Goes on with a start whose seats and words are frozen: posts the start message, and begins the match.

        `first`: nobody has tried to post it before. Returns the table as it is then. Raises `discord.HTTPException`
        where Discord will not take the message; all else is kept.
        """
        async with self._starting.hold(table_id):
            table = await self._tables.latest(table_id)
            if not table.starting or table.body.asleep is not None:
                return table
            message = None
            if not first:
                left_behind = await self._courier.left_behind(table)
                message = next((each for each, intents in left_behind if _kind_of(intents) == "start"), None)
            if message is None:
                with speaking(table.body.locale):
                    view = show.start_message(table, self._screens[table.game.key]).view()
                message = await self._courier.post(table, f"start {table.body.starts}", view)
            async with self._tables.change(table_id) as draft:
                if draft.table.starting:
                    lobby.begin(draft, message)
                else:  # the lobby was closed meanwhile, or is open again
                    draft.table.body.messages.retired.append(message)
                    draft.touch()
            return draft.table

    # -- messages that seldom change

    async def _mend(self, table: Table) -> Table:
        """Has the started lobby and the result show what holds now: where the table is, and how people are called."""
        messages, screens = table.body.messages, self._screens[table.game.key]
        wanted: list[tuple[str, int, str, Callable[[], Screen]]] = []
        if table.state is not None:
            leads_to = f"board {messages.board}"
            if messages.lobby is not None:
                wanted.append(("lobby", messages.lobby, leads_to, lambda: show.lobby(table, screens)))
            if messages.start not in (None, messages.board):
                wanted.append(("start", messages.start, leads_to, lambda: show.left_start_message(table)))
        if table.status == "over" and messages.result is not None:
            names = _called_there(table)
            wanted.append(("result", messages.result, names, lambda: show.result(table, screens)))
        shown: dict[str, str] = {}
        for kind, message, tells, draw in wanted:
            if messages.shows.get(kind) == tells:
                continue
            with speaking(table.body.locale):
                view = draw().view()
            if await self._settled(table, message, view):
                shown[kind] = tells
        if not shown:
            return table
        async with self._tables.change(table.id) as draft:
            draft.table.body.messages.shows.update(shown)
            draft.touched = True
        return draft.table

    async def _settled(self, table: Table, message: int, view: ui.LayoutView) -> bool:
        """Has the message show this; True where it is certain to, or never will."""
        edited: Edited = await self._courier.edit(table, message, view)
        if edited == "full":
            self._full[message] = self._full.get(message, 0) + 1
            if self._full[message] < TRIES:
                return False
        if edited != "kept":
            log.info("table %s: message %s cannot be brought up to date (%s)", table.id, message, edited)
            return True
        self._full.pop(message, None)
        return self._edits.shows(message, drawing(view)) and not self._edits.on_its_way(message)

    async def _retire(self, table: Table) -> Table:
        """Takes away what must not be pressed any more."""
        # One that was taken for left behind may have its place by now: Discord has told it by its nonce.
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
        """Sees to it that all whose move it is have been mentioned, and keeps which announcement stands now."""
        messages, calls = table.body.messages, _calls(table)
        if table.state is None:
            return table
        fresh = [seat for seat, call in calls.items() if messages.called.get(seat) != call]
        if not fresh and (calls or messages.announcement is None):
            if not calls or messages.announcement is None:
                return table
            # An edit rings nobody.
            if (
                await self._courier.edit(table, messages.announcement, self._announcement(table, calls))
                == "kept"
            ):
                return table
            async with self._tables.change(
                table.id
            ) as draft:  # somebody has taken it away: they have seen it
                draft.table.body.messages.announcement = None
                draft.touched = True
            return draft.table
        deleted = messages.announcement is None or await self._courier.delete(table, messages.announcement)
        sent: int | None = None
        if calls:
            people = [table.seats[seat].user_id or 0 for seat in fresh]
            what = f"announcement {table.body.undone} {sorted(calls.items())}"
            sent = await self._courier.post(table, what, self._announcement(table, calls), ring=people)
            if not deleted and messages.announcement is not None:  # the new one has opened the thread
                await self._courier.delete(table, messages.announcement)
        async with self._tables.change(table.id) as draft:
            kept: Messages = draft.table.body.messages
            kept.announcement, kept.called = sent, calls
            draft.touched = True
        return draft.table

    def _announcement(self, table: Table, calls: Calls) -> ui.LayoutView:
        """The announcement: a line for all who are asked the same, until the same time."""
        screens, public = self._screens[table.game.key], table.game.view(table.state, None)
        view = ui.LayoutView(timeout=None)
        with speaking(table.body.locale):
            asked: dict[tuple[str, bool, float | None], list[str]] = {}
            for seat, (_since, reminds) in calls.items():
                deadline = table.body.asked[seat].deadline if reminds else None
                call = (screens.call(public, seat), reminds, deadline)
                asked.setdefault(call, []).append(f"<@{table.seats[seat].user_id}>")
            lines = [self._call_line(who, *call) for call, who in asked.items()]
            view.add_item(ui.TextDisplay("\n".join(lines), id=ANNOUNCEMENT))
            view.add_item(ui.ActionRow(show.to_the_table(table)))
        view.stop()
        return view

    def _call_line(self, who: Sequence[str], text: str, reminds: bool, deadline: float | None) -> str:
        line = f"{', '.join(who)}, {text}"
        if reminds:
            line = f"⏰ {line}"
        if deadline is None:
            return line
        when = f"<t:{int(deadline + self._tables.shown_later)}:R>"
        return _("{line} Your time runs out {when}; then an agent plays for you.").format(
            line=line, when=when
        )

    # -- the end

    async def _tell_result(self, table: Table) -> Table:
        """Posts the result of a match that has come to its end, once."""
        if table.status != "over" or table.body.messages.result is not None:
            return table
        with speaking(table.body.locale):
            view = show.result(table, self._screens[table.game.key]).view()
        sent = await self._courier.post(table, "result", view)
        async with self._tables.change(table.id) as draft:
            draft.table.body.messages.result = sent
            draft.table.body.messages.shows["result"] = _called_there(table)
            draft.touched = True
        return draft.table


def _kind_of(intents: set[str]) -> Kind | None:
    """Which of a table's messages has buttons with these intents."""
    if "join" in intents:
        return "lobby"
    if "more" in intents:
        return "board"
    if "again" in intents:
        return "result"
    if show.FAIRNESS in intents and "log" not in intents:
        return "start"
    return "announcement" if intents == {""} else None


def _take_in(table: Table, left_behind: Sequence[tuple[int, set[str]]]) -> None:
    """Gives each message that was left behind (the newest first) its place, where that is free; the others must go."""
    messages = table.body.messages
    for message, intents in left_behind:
        kind = _kind_of(intents)
        if message in messages.known:
            continue  # somebody has pressed it meanwhile
        if kind == "lobby" and table.status == "lobby" and messages.lobby is None:
            messages.lobby = message
        elif kind == "board" and table.live and table.state is not None and messages.moving:
            if messages.board is not None and messages.board != messages.start:
                messages.retired.append(messages.board)
            messages.board, messages.moving = message, False
        elif kind == "result" and table.status == "over" and messages.result is None:
            messages.result = message
        elif not (kind == "start" and table.starting):
            messages.retired.append(message)


def _place_of(table: Table) -> int | None:
    """The message in which the table stands now: the lobby's before the match, then the board."""
    return table.body.messages.lobby if table.state is None else table.body.messages.board


def _calls(table: Table) -> Calls:
    """Whom the match waits for, of those who play themselves."""
    if table.status != "playing":
        return {}
    asked = table.body.asked.items()
    return {seat: (each.since, each.reminded) for seat, each in asked if not played_by_agent(table, seat)}


def _called_there(table: Table) -> str:
    """Tells apart how the people of an ended match are called: their names go when they have their data deleted."""
    names = [(seat.name, seat.user_id is None) for seat in table.seats]
    return blake2b(repr(names).encode(), digest_size=8).hexdigest()
