"""Replies with the film of a match or, until the film is ready, with its progress.

The film is sent through the token of the press that requested it. The progress message has a button that requests the
film again, also after a restart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.art.picture import ALT_TEXT
from bot.art.picture_cache import Plate
from bot.language import gettext as _
from bot.language import pgettext, speaking
from bot.replay.film import Film, NoFilm
from bot.replay.film_queue import FilmQueue, FilmRequest, Key, PendingFilm
from bot.replay.progress import ProgressReplies
from bot.tables.history import record_of, with_moves
from bot.tables.model import NO_SEAT, Table
from bot.tables.refusals import Refused
from bot.tables.same_deal import check_over
from bot.tables.secrecy import has_sealed_deal
from bot.tables.service import Tables
from bot.ui.handlers import HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.permissions import require_permissions
from bot.ui.screens import components as ui
from bot.ui.screens.ended import REPLAY, replay_button
from bot.ui.screens.game_screens import AnyScreens, has_pictures
from bot.ui.screens.ids import BESIDE, Id, read_number
from bot.ui.screens.kit import CALM, Screen, button, to_the_result, to_the_table
from bot.ui.screens.messages import say
from bot.ui.screens.refusals import refusal
from bot.ui.screens.words import bar

NAME: Final = "digsite-{game}-{table}-{moves}.gif"
"""The file name of a film."""
PAGE_NAME: Final = "digsite-{game}-{table}.html"
"""The file name of a match's page."""
POST: Final = "replay-post"
"""The intent of the button that posts a film of an ended match in the match's channel."""
PAGE: Final = "replay-page"
"""The intent of the button that gives the page of an ended match, which can be paused and turned."""


class FilmReplies:
    """Handles the command `replay` and the button **Replay**. `on` is False if the operator has disabled pictures."""

    def __init__(
        self,
        tables: Tables,
        screens: Mapping[str, AnyScreens],
        replays: FilmQueue,
        waiting: ProgressReplies,
        *,
        on: bool = True,
    ) -> None:
        self._tables = tables
        self._screens = screens
        self._replays = replays
        self._waiting = waiting
        self._on = on

    async def replay(self, _context: HandlerContext, interaction: Interaction) -> Reply:
        """The reply with the film of the interaction's table, or with its progress. Raises `Refused`."""
        table, request = await self._request(interaction.to.table)
        film = self._replays.cached(request.key)
        mode = "ephemeral" if interaction.to.view_version == BESIDE else "update"
        if film is not None:
            self._waiting.end_earlier(interaction)
            self._replays.supersede(request.key, interaction.user_id)
            return Reply(self.film(interaction, table, film, request.key), mode)
        try:
            pending = self._replays.make(request, (interaction.guild_id, interaction.user_id), interaction.id)
        except Refused as refused:
            return Reply(_failed(table, refused.code), mode)
        return self._waiting.reply(interaction, _Wait(self, interaction, table, request.key, pending), mode)

    async def replay_chosen(self, context: HandlerContext, interaction: Interaction) -> Reply:
        """As `replay`, for the table that is chosen in a menu. Raises `Refused`."""
        table = read_number(interaction.values[0]) if interaction.values else None
        if table is None:
            raise Refused("unknown")
        interaction.to = Id(REPLAY, table)
        return await self.replay(context, interaction)

    async def post(self, context: HandlerContext, interaction: Interaction) -> Reply:
        """The film as a message for everybody in the match's channel. Raises `Refused`."""
        table, request = await self._request(interaction.to.table)
        if await context.tables.store.seat_of(table.id, interaction.user_id) in (None, NO_SEAT):
            raise Refused("film-of-others")
        if not _may_be_posted(interaction, table):
            raise Refused("film-elsewhere")
        require_permissions(interaction)
        film = self._replays.cached(request.key)
        if film is None:
            raise Refused("film-gone")
        with speaking(table.body.locale):
            named = to_the_result(table) or to_the_table(table)  # the film itself could forget no name
            return Reply(self._shown(table, film, request.key).buttons(*named), "public")

    async def page(self, _context: HandlerContext, interaction: Interaction) -> Reply:
        """The page of a match that is over, as a file. Raises `Refused`."""
        table, request = await self._request(interaction.to.table)
        if table.live:
            raise Refused("unknown")
        data = await self._replays.page(request, interaction.locale)
        about = _(
            "Save this page and open it in a browser: it shows the match move by move, with all hands, and can be "
            "paused. It needs no network and has no names."
        )
        name = PAGE_NAME.format(game=table.game.key, table=table.id)
        screen = Screen(colour=CALM).text(about).file(Plate(name, data, ""), refusal(Refused("not-sent")))
        return Reply(screen)

    async def _request(self, table_id: int) -> tuple[Table, FilmRequest]:
        """The requested film of a table, and the table in the same state."""
        table, moves = await with_moves(self._tables, await self._tables.get(table_id))
        if table.state is None:
            raise Refused("not-started" if table.live else "match-over")
        if has_sealed_deal(table, self._tables.utc):
            raise Refused("sealed", until=int(table.body.opens or 0))
        await check_over(self._tables, table)
        if not self._on:
            raise Refused("pictures-off")
        if not has_pictures(self._screens[table.game.key]):
            raise Refused("no-pictures")
        key = table.id, table.sequence, table.body.undone, not table.live
        return table, FilmRequest(key, record_of(table, moves))

    def leave(self, interaction: Interaction, pending: PendingFilm) -> None:
        """Ends the wait of a press for a film."""
        self._replays.leave(pending, interaction.user_id, interaction.id)

    # -- screens

    def progress(self, table: Table, pending: PendingFilm) -> Screen:
        drawn, of = pending.progress
        if not pending.begun:
            text = _("Films that are drawn before yours: {n}").format(n=self._replays.waiting)
        elif not of:
            text = _("Going through the match …")
        else:
            text = _("Drawing picture {n} of {of} …").format(n=min(drawn + 1, of), of=of)
        ready = _("The film appears here when it is ready.")
        screen = Screen(colour=CALM).text(f"⏳ {text}", bar(drawn, of), f"-# {ready}")
        return screen.buttons(replay_button(table))

    def film(self, interaction: Interaction, table: Table, film: Film, key: Key) -> Screen:
        """The film for the presser alone. Once the match has ended, with its page, and a way to post the film."""
        post = (
            [button(_("Post Here"), Id(POST, table.id), emoji="📤")]
            if _may_be_posted(interaction, table)
            else []
        )
        page = [] if table.live else [button(pgettext("button", "Page"), Id(PAGE, table.id), emoji="📄")]
        return self._shown(table, film, key).buttons(*post, *page, *to_the_table(table))

    def _shown(self, table: Table, film: Film, key: Key) -> Screen:
        _table, moves, _undone, everything = key
        screens = self._screens[table.game.key]
        screen = Screen(colour=screens.colour).text(f"### 🎬 {screens.title()}")
        name = NAME.format(game=table.game.key, table=table.id, moves=moves)
        screen.picture(Plate(name, film.data, self._alt(table, everything=everything)), 1)
        screen.asked_for = True
        screen.instead[name] = [ui.text(refusal(Refused("not-sent"))), *ui.rows([replay_button(table)])]
        return screen.text(*_caption(film, everything=everything))

    def _alt(self, table: Table, *, everything: bool) -> str:
        what = _("The match as a film: one picture per turn, showing the table at that point.")
        if everything:
            what = _(
                "The match as a film: one picture per turn, showing the table and what everyone had at "
                "that point."
            )
        last = self._screens[table.game.key].table_picture(table.game.view(table.state, None))
        if last is None:
            return what
        how_it_ends = _("The last picture: {alt}").format(alt=last.alt)
        return f"{what} {how_it_ends}"[:ALT_TEXT]


class _Wait:
    """A press that waits for a film (`bot.replay.progress.LongWork`)."""

    def __init__(
        self, replies: FilmReplies, interaction: Interaction, table: Table, key: Key, pending: PendingFilm
    ) -> None:
        self._replies, self._interaction, self._table = replies, interaction, table
        self._key, self._pending = key, pending

    @property
    def _awaited(self) -> bool:
        """Whether the press still waits; if not, other people may."""
        return self._pending.is_awaited(self._interaction.user_id, self._interaction.id)

    async def wait(self, seconds: float) -> bool:
        return await self._pending.wait(seconds) or not self._awaited

    def progress(self) -> Screen:
        return self._replies.progress(self._table, self._pending)

    async def outcome(self) -> Screen:
        try:
            if not self._pending.result.done():
                raise NoFilm("superseded")
            film = await self._pending.result
        except NoFilm as error:
            return _failed(self._table, error.code)
        return self._replies.film(self._interaction, self._table, film, self._key)

    def leave(self) -> None:
        self._replies.leave(self._interaction, self._pending)


def _may_be_posted(interaction: Interaction, table: Table) -> bool:
    """Whether this is the channel of the match, which is over and keeps no hand secret any more."""
    return not (table.live or table.is_private) and interaction.channel_id == table.channel_id


def _caption(film: Film, *, everything: bool) -> list[str]:
    shown = film.frames - 1  # without the set-up
    if not film.turns:
        lines = [_("No one has moved yet, so this is the set-up.")]
    elif shown < film.turns:
        lines = [
            _("{shown} of {turns} turns, from the first to the last.").format(shown=shown, turns=film.turns)
        ]
    else:
        lines = [_("A picture of each turn; below the table is what the player did.")]
    if not everything:
        lines.append("-# " + _("The match is not over yet, so this shows only what everyone may know."))
    return lines


def _failed(table: Table, code: str) -> Screen:
    text = refusal(Refused("not-drawn" if code == "failed" else code))
    return say(text).buttons(replay_button(table), *to_the_table(table))
