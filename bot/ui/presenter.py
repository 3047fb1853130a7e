"""Keeps a table's messages as the table is: board, announcement, result, and the private screens that are open.

Messages are projections: drawn from what is durable, coalesced, retried, posted anew where they are gone.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
import secrets
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import discord
from discord import ui

from bot.discord_errors import Brief
from bot.language import gettext as _
from bot.language import speaking
from bot.store.base import Job
from bot.tables import ending
from bot.tables.absence import played_by_agent
from bot.tables.draft import REDRAW
from bot.tables.locks import Locks
from bot.tables.model import Messages, Table
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.ui import table_screens as show
from bot.ui.game_screens import GameScreens
from bot.ui.kit import Choices, Screen
from bot.ui.records import record_of
from bot.ui.visit import UNDELIVERED

log = logging.getLogger(__name__)

Calls = dict[int, tuple[int, bool]]
"""Whom the match waits for, by seat: since how many moves they have been asked, and whether they are reminded."""

TOKEN_LIVES: Final = 14 * 60
"""Seconds for which an open private screen is followed; Discord takes edits for 15 minutes."""

# Discord's error codes.
UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
TOO_MANY_EDITS: Final = 30046
MISSING_ACCESS: Final = 50001
MISSING_PERMISSIONS: Final = 50013
THREAD_ARCHIVED: Final = 50083


@dataclass(slots=True)
class OpenScreen:
    """A private screen that somebody has open: how to edit it, what it shows, and until when that works."""

    interaction: discord.Interaction[Any]
    message: int | None
    user_id: int
    seat: int
    locale: str
    choices: Choices
    notice: str
    """What its last press was told; it stands until the next decision."""
    decision: int | None
    payload: bytes
    until: float


class Presenter:
    """Draws tables on Discord."""

    def __init__(self, client: discord.Client, tables: Tables, screens: dict[str, GameScreens]) -> None:
        self._client = client
        self._tables = tables
        self._screens = screens
        self._locks = Locks()
        self._drawn: dict[int, bytes] = {}
        self._announced: dict[int, bytes] = {}
        """What the standing announcement says, by table."""
        self._open: dict[int, dict[int, OpenScreen]] = {}
        self.trouble: dict[int, str] = {}
        """Why a table's message cannot be drawn now, by table: told to whoever opens their private screen."""

    def _channel(self, table: Table) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)

    # -- the table's messages

    async def redraw(self, table_id: int) -> None:
        """Brings all messages of a table up to date. Raises `discord.HTTPException` where Discord will not."""
        async with self._locks.hold(table_id):
            try:
                table = await self._tables.latest(table_id)
            except Refused:
                return
            try:
                await _together(self._draw(table), self._follow(table))
            except discord.NotFound as error:
                if error.code != UNKNOWN_CHANNEL:
                    raise
                await self.channel_gone(table)
            except discord.Forbidden as error:
                if table.live:
                    self.trouble[table_id] = "no-permission"
                else:
                    self.trouble.pop(table_id, None)
                log.warning("table %s: its message cannot be drawn: %s", table_id, Brief(error))
            else:
                self.trouble.pop(table_id, None)

    async def repost(self, table_id: int) -> Table:
        """Posts the table message anew at the bottom of the channel and retires the old one."""
        async with self._locks.hold(table_id):
            table = await self._tables.latest(table_id)
            screen = await self._table_screen(table)
            lobby = table.status == "lobby"
            old = table.body.messages.lobby if lobby else table.body.messages.board
            new = await self._post(table, "table", screen.view())
            async with self._tables.change(table_id) as draft:
                messages = draft.table.body.messages
                if draft.table.status == "lobby":
                    messages.lobby = new
                else:
                    messages.board = new
                draft.touch()
            await self._delete(table, old)
            await self._mend_links(draft.table)
            return draft.table

    async def answered_with(self, table: Table) -> None:
        """An answer to a press drew the lobby as `table` was then: it is drawn anew if that is no longer so."""
        self._drawn.pop(table.id, None)
        now = await self._tables.get(table.id)
        if now.status != table.status:
            await self._mend_links(now)
        if now.version != table.version:
            await self._tables.store.set_job(Job(table.id, REDRAW, self._tables.clock.now()))

    async def channel_gone(self, table: Table) -> None:
        """Ends a match whose channel was deleted."""
        async with self._tables.change(table.id) as draft:
            if draft.table.live:
                ending.abandon(draft, "channel-gone")
                draft.cancel(REDRAW)
        for kept in (self._open, self._drawn, self._announced, self.trouble):
            kept.pop(table.id, None)

    async def _table_screen(self, table: Table) -> Screen:
        screens = self._screens[table.game.key]
        if table.state is None:
            with speaking(table.body.locale):
                return show.lobby(table, screens)
        rows = await self._tables.store.log(table.id, last=show.RECENT)
        with speaking(table.body.locale):
            return show.board(table, screens, rows, self._tables.shown_later)

    async def _draw(self, table: Table) -> None:
        # One message that Discord will not take now keeps none of the others from being brought up to date.
        try:
            if table.status == "over" and table.body.messages.result is None:
                table = await self._post_result(table)
        finally:
            try:
                table = await self._place(table, await self._table_screen(table))
            finally:
                if table.state is not None:
                    await self._call(table)

    async def _place(self, table: Table, screen: Screen) -> Table:
        """Puts the lobby or the board into its message; keeps where it is, if it had to be posted anew."""
        lobby = table.state is None
        old = table.body.messages.lobby if lobby else table.body.messages.board
        new = await self._edit(table, old, screen)
        if new == old:
            return table
        async with self._tables.change(table.id) as draft:
            kept = draft.table.body.messages
            if lobby and kept.lobby == old:
                kept.lobby = new
            elif not lobby and kept.board == old:
                kept.board = new
            draft.touched = True
        await self._mend_links(draft.table)
        await self._delete(table, old)  # one that takes no more edits must not be pressed any more
        return draft.table

    async def _call(self, table: Table) -> None:
        """Keeps which announcement stands now."""
        keep = await self._announce(table)
        if keep:
            async with self._tables.change(table.id) as draft:
                keep(draft.table.body.messages)
                draft.touched = True

    async def _mend_links(self, table: Table) -> None:
        """Has the messages that lead to the table lead to where it is now."""
        messages, views = table.body.messages, dict[int, ui.LayoutView]()
        if table.state is not None and messages.lobby is not None:
            with speaking(table.body.locale):
                views[messages.lobby] = show.lobby(table, self._screens[table.game.key]).view()
        calls = _calls(table)
        if messages.notice is not None and calls and calls.items() <= messages.called.items():
            views[messages.notice] = self._notice(table, calls)
        for message, view in views.items():
            try:
                await self._change(table, message, view)
            except UNDELIVERED as error:
                log.info("table %s: a link to it could not be mended (%s)", table.id, Brief(error))

    async def _change(self, table: Table, message: int, view: ui.LayoutView) -> None:
        # An edit without text takes no default from the client: nobody is to be mentioned by it either.
        silent = discord.AllowedMentions.none()
        await self._channel(table).get_partial_message(message).edit(view=view, allowed_mentions=silent)

    async def _edit(self, table: Table, message: int | None, screen: Screen) -> int | None:
        """Edits the message, or posts it anew where that is not possible; returns its id."""
        view = screen.view()
        payload = _digest([message, view.to_components()])
        if self._drawn.get(table.id) == payload:
            return message
        archived = False
        if message is not None:
            try:
                await self._change(table, message, view)
            except discord.HTTPException as error:
                if error.code not in (UNKNOWN_MESSAGE, TOO_MANY_EDITS, THREAD_ARCHIVED):
                    raise
                archived = error.code == THREAD_ARCHIVED
            else:
                self._note_drawn(table, payload)
                return message
        if not table.live and not archived:  # posting opens an archived thread: there too the end is told
            return message
        return await self._post(table, "table", view)

    def _note_drawn(self, table: Table, payload: bytes) -> None:
        if table.live:
            self._drawn[table.id] = payload
        else:
            self._drawn.pop(table.id, None)

    async def _post(
        self,
        table: Table,
        what: str,
        view: ui.LayoutView,
        *,
        ring: Sequence[int] = (),
        attached: tuple[str, str] | None = None,
    ) -> int:
        """Posts a message and returns its id.

        `ring`: the ids of those whom it may mention; `attached`: a file's name and text.

        Posted again for the same version of the table, as after a crash before its id was kept, it is the same one:
        Discord knows it by its nonce for some minutes.
        """
        channel = self._channel(table)
        rung = discord.AllowedMentions.none()
        rung.users = [discord.Object(user_id) for user_id in ring]

        async def send(nonce: str) -> discord.Message:
            if attached is None:
                return await channel.send(view=view, allowed_mentions=rung, nonce=nonce)
            file = discord.File(io.BytesIO(attached[1].encode()), filename=attached[0])
            return await channel.send(view=view, allowed_mentions=rung, nonce=nonce, file=file)

        try:
            sent = await send(_nonce(table, what))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            # That one was posted before, and has been deleted since.
            sent = await send(secrets.token_hex(12))
        return sent.id

    async def _delete(self, table: Table, message: int | None) -> bool:
        """Deletes the message, if there is one and that is possible at all; False in a thread that is archived."""
        if message is None:
            return True
        try:
            await self._channel(table).get_partial_message(message).delete()
        except discord.HTTPException as error:
            if error.code == THREAD_ARCHIVED:
                return False
            if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, MISSING_ACCESS, MISSING_PERMISSIONS):
                raise
        return True

    # -- whose move it is

    async def _announce(self, table: Table) -> Callable[[Messages], None] | None:
        """Sees to it that all whose move it is have been mentioned; returns what is to be kept of it."""
        messages, calls = table.body.messages, _calls(table)
        fresh = [seat for seat, call in calls.items() if messages.called.get(seat) != call]
        if not fresh and (calls or messages.notice is None):
            await self._reword(table, calls)
            return None
        deleted = await self._delete(table, messages.notice)
        self._announced.pop(table.id, None)
        sent: int | None = None
        if calls:
            view = self._notice(table, calls)
            people = [table.seats[seat].user_id or 0 for seat in fresh]
            sent = await self._post(table, "notice", view, ring=people)
            if not deleted:  # the new one has opened the thread
                await self._delete(table, messages.notice)
            self._announced[table.id] = _digest([sent, view.to_components()])

        def keep(kept: Messages) -> None:
            kept.notice, kept.called = sent, calls

        return keep

    async def _reword(self, table: Table, calls: Calls) -> None:
        """Has the announcement say what is asked now, and of whom; an edit rings nobody."""
        message = table.body.messages.notice
        if message is None or not calls:
            return
        view = self._notice(table, calls)
        payload = _digest([message, view.to_components()])
        if self._announced.get(table.id) == payload:
            return
        try:
            await self._change(table, message, view)
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_MESSAGE, THREAD_ARCHIVED):
                raise
        self._announced[table.id] = payload

    def _notice(self, table: Table, calls: Calls) -> ui.LayoutView:
        """The announcement: a line for all who are asked the same, until the same time."""
        screens, public = self._screens[table.game.key], table.game.view(table.state, None)
        view = ui.LayoutView(timeout=None)
        with speaking(table.body.locale):
            asked: dict[tuple[str, bool, float | None], list[str]] = {}
            for seat, (_since, reminds) in calls.items():
                deadline = table.body.asked[seat].deadline if reminds else None
                call = (screens.notice(public, seat), reminds, deadline)
                asked.setdefault(call, []).append(f"<@{table.seats[seat].user_id}>")
            lines = [self._call_line(who, *call) for call, who in asked.items()]
            view.add_item(ui.TextDisplay("\n".join(lines)))
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

    async def _post_result(self, table: Table) -> Table:
        screens = self._screens[table.game.key]
        record = record_of(table, await self._tables.store.moves(table.id))
        name = f"digsite-{table.game.key}-{table.id}.json"
        with speaking(table.body.locale):
            screen = show.result(table, screens).add([ui.File(f"attachment://{name}")])
            bare = show.result(table, screens, attached=False)
        try:
            sent = await self._post(table, "result", screen.view(), attached=(name, record))
        except discord.Forbidden:
            # Without the permission to attach files the result itself is told all the same.
            sent = await self._post(table, "bare result", bare.view())
        async with self._tables.change(table.id) as draft:
            draft.table.body.messages.result = sent
            draft.touched = True
        return draft.table

    # -- private screens

    async def private(
        self, table: Table, seat: int, locale: str, *, choices: Choices | None = None, notice: str = ""
    ) -> Screen:
        """The private screen of a seat, in the language for `locale`."""
        rows = await self._tables.store.log(table.id, last=show.OWN_RECENT)
        with speaking(locale):
            if not notice and table.id in self.trouble:
                notice = _("⚠️ I may not post in this channel, so the table message is out of date.")
            return show.private(
                table, self._screens[table.game.key], seat, rows, choices=choices, notice=notice
            )

    async def opened(
        self,
        interaction: discord.Interaction[Any],
        message: int | None,
        table: Table,
        seat: int,
        screen: Screen,
        choices: Choices,
        notice: str,
    ) -> None:
        """From now on the private screen that answered this interaction follows the table, in place of an older one."""
        user = interaction.user.id
        screens = self._open.setdefault(table.id, {})
        older = screens.get(user)
        screens[user] = OpenScreen(
            interaction=interaction,
            message=message,
            user_id=user,
            seat=seat,
            locale=interaction.locale.value,
            choices=choices,
            notice=notice,
            decision=_decision_of(table, seat),
            payload=_digest(screen.view().to_components()),
            until=self._tables.clock.now() + TOKEN_LIVES,
        )
        if older is not None and older.message != message and older.until > self._tables.clock.now():
            try:
                await older.interaction.delete_original_response()
            except UNDELIVERED as error:
                log.info("table %s: an older private screen was gone already (%s)", table.id, Brief(error))

    def sweep(self) -> None:
        """Forgets the private screens that can be followed no longer."""
        now = self._tables.clock.now()
        for table_id, screens in list(self._open.items()):
            for user in [user for user, opened in screens.items() if opened.until < now]:
                del screens[user]
            if not screens:
                del self._open[table_id]

    async def _follow(self, table: Table) -> None:
        screens = self._open.get(table.id)
        if not screens:
            return
        now = self._tables.clock.now()
        for opened in [opened for opened in screens.values() if opened.until < now]:
            self._forget(table.id, opened)
        await _together(*[self._refresh(table, opened) for opened in screens.values()])
        if not table.live:
            self._open.pop(table.id, None)

    def _forget(self, table_id: int, opened: OpenScreen) -> None:
        """Follows this screen no longer; a newer one of the same person's goes on."""
        screens = self._open.get(table_id, {})
        if screens.get(opened.user_id) is opened:
            del screens[opened.user_id]

    async def _refresh(self, table: Table, opened: OpenScreen) -> None:
        if table.seat_of(opened.user_id) != opened.seat:  # checked at every pushed edit
            with speaking(opened.locale):
                screen = show.say(_("You no longer sit at this table."))
            self._forget(table.id, opened)
        else:
            decision = _decision_of(table, opened.seat)
            if decision != opened.decision:
                opened.choices, opened.notice, opened.decision = {}, "", decision
            screen = await self.private(
                table, opened.seat, opened.locale, choices=opened.choices, notice=opened.notice
            )
        view = screen.view()
        payload = _digest(view.to_components())
        if payload == opened.payload:
            return
        try:
            await opened.interaction.edit_original_response(view=view)
        except UNDELIVERED as error:
            # Dismissed by its owner, or Discord is busy or away: the next press catches up.
            log.info("table %s: a private screen could not follow (%s)", table.id, Brief(error))
            self._forget(table.id, opened)
            return
        opened.payload = payload
        newer = self._open.get(table.id, {}).get(opened.user_id)
        if newer is not None and newer is not opened and newer.message == opened.message:
            newer.payload = b""  # this edit has undone the answer to a press
            await self._refresh(await self._tables.get(table.id), newer)


async def _together(*work: Coroutine[Any, Any, None]) -> None:
    """Does all of it side by side, so that what Discord is slow to take holds up nothing else; then raises what failed
    first in this order.
    """
    results = await asyncio.gather(*work, return_exceptions=True)
    for error in results:
        if error is not None:
            raise error


def _decision_of(table: Table, seat: int) -> int | None:
    return next((decision.id for decision in table.game.pending(table.state) if decision.seat == seat), None)


def _nonce(table: Table, what: str) -> str:
    """Names a message of the table as it is now, in the 25 characters that Discord takes.

    Every bot's messages share these names, so all goes in that tells one table from another: its number may come
    again in another file.
    """
    named = f"{table.channel_id}:{table.id}:{table.created_at}:{table.version}:{what}"
    return blake2b(named.encode(), digest_size=12).hexdigest()


def _calls(table: Table) -> Calls:
    """Whom the match waits for, of those who play themselves."""
    if table.status != "playing":
        return {}
    asked = table.body.asked.items()
    return {seat: (each.since, each.reminded) for seat, each in asked if not played_by_agent(table, seat)}


def _digest(payload: object) -> bytes:
    """Tells one drawing from another without keeping either."""
    return blake2b(json.dumps(payload, default=str).encode(), digest_size=16).digest()
