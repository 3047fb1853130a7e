"""Brings the messages of all tables up to date: lobby, board, announcement, result, and open private screens.

Messages are drawn only from durable state. Several changes may become one edit. Edits that fail are tried again, and
messages that have disappeared are posted anew. The parts are in `bot.ui.display`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import discord

from bot.background import Locks
from bot.language import speaking
from bot.store.model import Job, StoreError
from bot.tables.draft import REDRAW, START
from bot.tables.model import Table
from bot.tables.service import Tables
from bot.ui.call_choices import CallChoices
from bot.ui.display.announcement import Announcements
from bot.ui.display.group_tables import GroupTables
from bot.ui.display.lasting import LastingMessages, Starts
from bot.ui.display.letters import Letters
from bot.ui.display.match_threads import MatchThreads
from bot.ui.display.parts import Load, Parts, place_of
from bot.ui.display.recovery import Recovery
from bot.ui.display.redraw import Redraws
from bot.ui.display.state import DisplayStates
from bot.ui.display.table_message import TableMessages
from bot.ui.interaction import EditContext, Interaction
from bot.ui.private_screens import PrivateScreens
from bot.ui.public_screens import PublicScreens
from bot.ui.screens.kit import Screen, ScreenView
from bot.ui.screens.lobby import opened_table
from bot.ui.sender import Sender
from bot.ui.token_sender import TokenSender
from bot.ui.tokens import Token
from bot.ui.uploads import Attachments

log = logging.getLogger(__name__)


class Tokens:
    """The tokens of presses, from the arrival of a press on."""

    def __init__(self, states: DisplayStates, wait: float) -> None:
        """`wait`: how long an answer under way is waited for, in seconds by the event loop's clock."""
        self._states = states
        self._wait = wait
        self._answering: dict[int, list[float]] = {}
        """By table: the arrival times of its unanswered presses, by the event loop's clock."""

    def gained(self, table_id: int, token: Token, *, public: bool) -> None:
        """Notes the token of an answered interaction. `public` says that the token's original is a public message."""
        state = self._states.of(table_id)
        state.token = token
        if public and token.original is not None:
            state.message(token.original).token = token

    def opened(self, table_id: int, message: int, token: Token | None) -> None:
        """Notes the token of the interaction whose answer is the lobby message of a new table."""
        if token is not None:
            state = self._states.of(table_id)
            state.token = state.message(message).token = token

    @contextmanager
    def answering(self, table_id: int) -> Generator[None]:
        """The context in which a press at this table is answered. The answer makes a token available."""
        if not table_id:
            yield
            return
        began = asyncio.get_running_loop().time()
        under_way = self._answering.setdefault(table_id, [])
        under_way.append(began)
        try:
            yield
        finally:
            under_way.remove(began)
            if not under_way:
                self._answering.pop(table_id, None)

    def awaited(self, table_id: int) -> bool:
        """Whether a press at this table arrived less than `wait` seconds ago and is being answered.

        The answer usually draws some of the table's messages itself, and its token can edit the others.
        """
        began = self._answering.get(table_id, ())
        return bool(began) and max(began) > asyncio.get_running_loop().time() - self._wait


_WAIT_FOR_ANSWER: Final = 1.0
"""Seconds for which a table's messages wait for the answer to a press, by the event loop's clock."""


class Presenter:
    """Draws the tables of this process on Discord, and caches the state of their messages."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        public: PublicScreens,
        calls: CallChoices,
        load: Load,
    ) -> None:
        self._tables = tables
        self.public = public
        self.pictures = public.pictures
        self.calls = calls
        """How people are called."""
        self.notice = public.notice
        """Returns the operator's sentence for every table message; empty for none."""
        self.states = states = DisplayStates()
        locks = Locks()
        self.tokens = Tokens(states, _WAIT_FOR_ANSWER)
        self.private = PrivateScreens(tables, public.screens, public.pictures, states, locks)
        self.late = self.private.late
        self.uploads = public.pictures.uploads
        self._sender = sender = Sender(client, tables.clock, self.uploads)
        by_token = TokenSender(client, tables.clock, self.uploads)
        letters = Letters(client, public, calls)
        parts = Parts(tables, public, self.private, sender, by_token, letters, calls, load)
        self._table_messages = TableMessages(parts)
        self.recovery = Recovery(parts)
        self._starts = Starts(parts, states)
        lasting, threads, announcements = LastingMessages(parts), MatchThreads(parts), Announcements(parts)
        self._group_tables = GroupTables(parts, announcements)
        steps = (
            self.recovery.find,
            lasting.post_result,
            self._table_messages.draw,
            announcements.call,
            lasting.update,
            self.recovery.delete_retired,
            threads.settle,
        )
        in_group = (
            lasting.post_result,
            self._group_tables.draw,
            lasting.update,
            self.recovery.delete_retired,
        )
        self._redraws = Redraws(
            parts, states, locks, threads.open, lambda table: in_group if table.in_group else steps
        )

    # -- drawing

    async def redraw(self, table_id: int) -> float | None:
        """Brings all messages of a table up to date, as `Redraws.redraw`."""
        return await self._redraws.redraw(table_id)

    async def repost(self, table_id: int) -> Table:
        """Posts the table message anew at the bottom of the channel, and retires the old one.

        The request is durable: if this method returns or raises before the message is posted, it is posted later.
        """
        async with self._tables.change(table_id) as draft:
            if not draft.table.body.messages.moving:
                self.states.of(table_id).first_post = True
            draft.table.body.messages.moving = True
            draft.touch()
        await self.redraw(table_id)
        return await self._tables.get(table_id)

    async def post_lobby(self, table_id: int) -> Table:
        """Posts the message of a lobby that this process has just opened. Returns the table, which has the message.

        The table has no message if Discord does not accept one in the channel. Raises `discord.HTTPException` if
        Discord does not accept it now; the table's redraw then posts it later.
        """
        state = self.states.of(table_id)
        state.searched = state.first_post = True
        await self.redraw(table_id)
        return await self._tables.get(table_id)

    async def start(self, table_id: int, *, first: bool = False) -> Table:
        """Continues a start, as `Starts.start`."""
        return await self._starts.start(table_id, first=first)

    async def channel_gone(self, table: Table) -> None:
        """Ends a match whose channel was deleted."""
        await self._redraws.channel_gone(table)

    # -- when to draw

    def draw_at_once(self, table: Table) -> None:
        """Has the next redraw of the table draw everything, even under load, because a name is to be removed."""
        self.states.of(table.id).urgent_since = table.version

    def is_urgent(self, table_id: int) -> bool:
        """Whether the table's messages are to be drawn without any delay."""
        state = self.states.get(table_id)
        return state is not None and state.urgent_since is not None

    def draws_outside_limit(self, table_id: int) -> bool:
        """Whether the table's messages can probably be drawn without a request that counts towards the limit."""
        table, state = self._tables.at_hand(table_id), self.states.get(table_id)
        if table is not None and (table.is_private or table.in_group):
            return True
        if table is None or state is None or not table.live:
            return False
        place = place_of(table)
        return place is not None and state.token_of(place, self._tables.clock.now()) is not None

    def trouble_of(self, table_id: int) -> str | None:
        """The permission for want of which the table's messages cannot be drawn now; None if they can."""
        state = self.states.get(table_id)
        return None if state is None else state.trouble

    # -- presses and commands

    def opened_here(self, table: Table) -> None:
        """Notes that this process has opened the table, so that no message can be from an earlier process."""
        self.states.of(table.id).searched = True

    async def announce_opened(self, table: Table, channel: int) -> None:
        """Announces a table in another channel of its server. If Discord refuses, the table stands without it."""
        with speaking(table.body.locale):
            screen = opened_table(table, self.public.screens[table.game.key])
        await self._sender.announce_opened(table, channel, screen.view())

    def posted(self, table: Table, message: int, screen: Screen, attachments: Attachments | None) -> None:
        """Notes that an answer to a press or command has posted this screen as a message of the table."""
        self.states.of(table.id).message(message).note_posted(screen.view().digest, attachments)

    async def moved_to_bottom(
        self, table: Table, message: int, screen: Screen, interaction: Interaction
    ) -> None:
        """Notes that the answer to a command in a group DM has posted the table message anew, as this screen."""
        self.tokens.opened(table.id, message, interaction.token)
        self.posted(table, message, screen, interaction.attachments)
        await self._group_tables.placed(table, message)

    async def catch_up(self, table_id: int) -> None:
        """Has drawn what waits for a press in a group DM. To be called once a press at the table is answered."""
        table, now = self._tables.at_hand(table_id), self._tables.clock.now()
        if table is None or not table.body.messages.waits:
            return
        if self.states.of(table_id).posting_token(now) is None:
            return
        try:
            await self._tables.store.set_job(Job(table_id, START if table.starting else REDRAW, now))
        except StoreError as error:
            log.info("table %s: its messages wait for another press: %s", table_id, error)

    async def in_answer(self, table_id: int, message: int) -> tuple[ScreenView, EditContext] | None:
        """The screen that the answer to a press on this public message draws into it, and the context of the edit.

        None if the answer leaves the message as it is (`TableMessages.in_answer`).
        """
        table, state = await self._tables.get(table_id), self.states.of(table_id)
        view = await self._table_messages.in_answer(table, state, message)
        return view and (view, self._table_messages.answering(table, state, message, view))

    # -- memory

    def sweep(self) -> None:
        """Deletes cached state that has expired."""
        self.states.sweep(self._tables.clock.now())
