"""Answers those who want to watch a match again: with its film or, until that is ready, with how far it is.

The film follows through the token of the press that asked for it. What stands there in the meantime never becomes a
dead end: it has a button that asks again, and that works after a restart too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Final

from bot.art.gallery import Plate
from bot.art.picture import ALT_TEXT
from bot.gateway.errors import Brief, passes
from bot.language import gettext as _
from bot.language import ngettext, speaking
from bot.replay.film import Film, Unwatchable
from bot.replay.film_queue import Key, Order, Replays, Showing
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.ui.desk import Desk
from bot.ui.interaction import UNDELIVERED, Interaction, Reply
from bot.ui.records import record_of
from bot.ui.screens.ended import replay_button
from bot.ui.screens.game_screens import AnyScreens, has_pictures
from bot.ui.screens.kit import CALM, Screen
from bot.ui.screens.links import to_the_table
from bot.ui.screens.messages import say
from bot.ui.screens.words import refusal

log = logging.getLogger(__name__)

EVERY: Final = 2.0
"""Seconds between two lines that tell how far a film is."""
TRIES: Final = 3
"""How often the moves are read, if others are made meanwhile."""

NAME: Final = "digsite-{game}-{table}-{moves}.gif"
"""The name of a film's file."""


class ReplayAnswers:
    """Answers the command `replay` and the button **Replay**. With `on` False there are no pictures at all."""

    def __init__(
        self, tables: Tables, screens: Mapping[str, AnyScreens], replays: Replays, *, on: bool = True
    ) -> None:
        self._tables = tables
        self._screens = screens
        self._replays = replays
        self._on = on
        self._newest: dict[int | None, int] = {}
        """By message: the newest interaction that wants its film there."""
        self.following: set[asyncio.Task[None]] = set()
        """The work on answers that have not got their film yet: a host that closes waits for it."""

    async def replay(self, _desk: Desk, interaction: Interaction) -> Reply:
        """The film of the interaction's table as it stands now: at once, or as soon as it is made. Raises `Refused`."""
        table, order = await self._order(interaction.to.table)
        film = self._replays.at_hand(order.key)
        mode = interaction.own_mode
        if film is not None:
            self._takes_over(interaction)
            self._replays.supersede(order.key, interaction.user_id)
            return Reply(self._film(interaction, table, film, order.key), mode)
        try:
            showing = self._replays.make(order, (interaction.guild_id, interaction.user_id), interaction.id)
        except Refused as refused:
            return Reply(_failed(interaction, table, refused.code), mode)
        self._takes_over(interaction)
        return Reply(
            self._progress(interaction, table, showing),
            mode,
            then=partial(self._begin, interaction, table, order, showing),
            lost=partial(self._replays.leave, showing, interaction.user_id, interaction.id),
        )

    def _takes_over(self, interaction: Interaction) -> None:
        """The answer takes the place of what is awaited on the message that was pressed."""
        if interaction.on_private and interaction.message is not None:
            self._newest.pop(interaction.message.id, None)

    async def _order(self, table_id: int) -> tuple[Table, Order]:
        """What film is wanted of a table, and the table as the film will show it."""
        for _try in range(TRIES):
            table = await self._tables.get(table_id)
            if table.state is None:
                raise Refused("not-started" if table.live else "match-over")
            if not self._on:
                raise Refused("pictures-off")
            if not has_pictures(self._screens[table.game.key]):
                raise Refused("no-pictures")
            moves = await self._tables.store.moves(table.id)
            if len(moves) == table.sequence:
                key = table.id, table.sequence, table.body.undone, not table.live
                return table, Order(key, record_of(table, moves))
        raise Refused("not-drawn")

    # -- until it is ready

    async def _begin(
        self, interaction: Interaction, table: Table, order: Order, showing: Showing, message: int | None
    ) -> None:
        task = asyncio.create_task(
            self._follow(interaction, table, order, showing, message), name=f"replay of table {table.id}"
        )
        self.following.add(task)
        task.add_done_callback(self.following.discard)

    async def _follow(
        self, interaction: Interaction, table: Table, order: Order, showing: Showing, message: int | None
    ) -> None:
        """Tells how far the film is until it is ready, and then shows it or says why there is none."""
        self._newest[message] = interaction.id
        told = None
        try:
            while not await showing.wait(EVERY):
                if not self._can_edit(interaction, message):
                    return
                if not showing.awaited(interaction.user_id, interaction.id):  # others wait for it still
                    await self._edit(interaction, message, _failed(interaction, table, "superseded"))
                    return
                now = showing.begun, showing.progress, self._replays.waiting
                if now == told:
                    continue
                told = now
                if not await self._edit(interaction, message, self._progress(interaction, table, showing)):
                    return
            await self._finish(interaction, table, order, showing, message)
        except Exception:
            log.exception("table %s: a film could not be shown", table.id)
        finally:
            self._replays.leave(showing, interaction.user_id, interaction.id)
            if self._newest.get(message) == interaction.id:
                del self._newest[message]

    async def _finish(
        self, interaction: Interaction, table: Table, order: Order, showing: Showing, message: int | None
    ) -> None:
        try:
            screen = self._film(interaction, table, await showing.result, order.key)
        except Unwatchable as error:
            await self._edit(interaction, message, _failed(interaction, table, error.code))
            return
        if not await self._edit(interaction, message, screen):
            await self._edit(interaction, message, _failed(interaction, table, "not-sent"))

    async def _edit(self, interaction: Interaction, message: int | None, screen: Screen) -> bool:
        """Edits the answer. Returns False if that was not possible and will not be."""
        token = interaction.token
        if token is None or not self._can_edit(interaction, message):
            return False
        try:
            await token.edit(message, screen.view())
        except UNDELIVERED as error:
            log.info(
                "table %s: the answer about a film could not be changed (%s)",
                interaction.to.table,
                Brief(error),
            )
            return passes(error)
        return True

    def _can_edit(self, interaction: Interaction, message: int | None) -> bool:
        """Whether the token of this interaction lives, and no later interaction has taken its message over."""
        alive = interaction.token is not None and interaction.token.until > self._tables.clock.now()
        return alive and self._newest.get(message) == interaction.id

    # -- what is shown

    def _progress(self, interaction: Interaction, table: Table, showing: Showing) -> Screen:
        drawn, of = showing.progress
        with speaking(interaction.locale):
            if not showing.begun:
                text = _queued(self._replays.waiting - 1)
            elif not of:
                text = _("I look through the match …")
            else:
                text = _("Drawing picture {n} of {of} …").format(n=min(drawn + 1, of), of=of)
            again = _("If nothing more comes here, press **Replay** once more.")
            screen = Screen(colour=CALM).text(f"⏳ {text}", f"-# {again}")
            return screen.buttons(replay_button(table))

    def _film(self, interaction: Interaction, table: Table, film: Film, key: Key) -> Screen:
        _table, moves, _undone, everything = key
        screens = self._screens[table.game.key]
        with speaking(interaction.locale):
            screen = Screen(colour=screens.colour).text(f"### 🎬 {screens.title()}")
            name = NAME.format(game=table.game.key, table=table.id, moves=moves)
            screen.picture(Plate(name, film.data, self._alt(table, everything=everything)), 1)
            screen.text(*_caption(film, everything=everything))
            return screen.buttons(to_the_table(table))

    def _alt(self, table: Table, *, everything: bool) -> str:
        """What the film shows, in words."""
        what = _("The match as a film, a picture for each turn of the table as it then was.")
        if everything:
            what = _(
                "The match as a film, a picture for each turn: the table as it then was and what everybody had."
            )
        last = self._screens[table.game.key].table_picture(table.game.view(table.state, None))
        if last is None:
            return what
        how_it_ends = _("The last picture: {alt}").format(alt=last.alt)
        return f"{what} {how_it_ends}"[:ALT_TEXT]


def _caption(film: Film, *, everything: bool) -> list[str]:
    shown = film.frames - 1  # the first one shows the set-up
    if not film.turns:
        lines = [_("Nobody has moved yet, so this is the set-up.")]
    elif shown < film.turns:
        lines = [
            _("{shown} of {turns} turns, from the first to the last.").format(shown=shown, turns=film.turns)
        ]
    else:
        turns = ngettext(
            "{n} turn, from the start to its end.", "{n} turns, one after the other.", film.turns
        )
        lines = [turns.format(n=film.turns)]
    if not everything:
        lines.append("-# " + _("The match is not over yet, so this shows only what everybody may know."))
    return lines


def _queued(others: int) -> str:
    """Why a film has not begun. `others`: how many more films wait."""
    if others <= 0:
        return _("Another film is being drawn just now. This one comes after it.")
    text = ngettext(
        "Another film is being drawn just now, and {n} more waits beside this one.",
        "Another film is being drawn just now, and {n} more wait beside this one.",
        others,
    )
    return text.format(n=others)


def _failed(interaction: Interaction, table: Table, code: str) -> Screen:
    with speaking(interaction.locale):
        text = refusal(Refused("not-drawn" if code == "failed" else code))
        return say(text).buttons(replay_button(table), to_the_table(table))
