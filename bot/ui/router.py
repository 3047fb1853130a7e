"""Turns each press and command into an act at a table, and answers it. Every interaction is answered."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, NoReturn

import discord
from discord import ui

from bot.fleet.alone import Fleet
from bot.gateway.errors import Brief, passes
from bot.language import gettext as _
from bot.language import speaking
from bot.observability.context import Act, at_table, came_to, doing, nothing_durable
from bot.observability.metrics import Metrics
from bot.ratelimit.limiter import Pace
from bot.store.model import Conflict, Repeated, StoreError, shard_of
from bot.tables import ending, lobby, play, seats
from bot.tables import premoves as ahead
from bot.tables.draft import Draft
from bot.tables.locks import Locks
from bot.tables.model import TURN_LIMITS, Seat, Table
from bot.tables.refusals import AnsweredElsewhere, Refused, Stale
from bot.tables.service import Tables
from bot.ui.interaction import UNDELIVERED, How, Patience, Reply, Visit
from bot.ui.permissions import require_permissions
from bot.ui.records import record_of
from bot.ui.rival import Rival
from bot.ui.screens import private as own_screen
from bot.ui.screens import table as show
from bot.ui.screens.game_screens import (
    GAMES_OWN,
    LOOKED_UP,
    OWN_SCREEN,
    AnyScreens,
    HalfChosen,
    Pressed,
    meant_by,
)
from bot.ui.screens.ids import Id, read_id, read_number
from bot.ui.screens.kit import Choices, Screen, escape, menu_number, read_choices, read_label
from bot.ui.screens.names import Names
from bot.ui.screens.settings import SET_LIMIT, SET_OPTION, SETTINGS, settings, wanted_option
from bot.ui.screens.words import refusal
from bot.ui.table_display import Presenter
from bot.ui.tokens import TOKEN_LIVES, Token
from engine.errors import IllegalMove
from engine.fairness import WORD_LENGTH
from engine.game import own_decision

log = logging.getLogger(__name__)

Handler = Callable[[Visit], Awaitable[Reply]]

AGAIN_AT_MOST: Final = 3
"""How often a handler runs again because another process has changed the table."""
PRESSES_AT_ONCE: Final = 5
"""How many presses of one person are dealt with at a time. Their further presses wait; other people's do not."""


class Router:
    """Carries out every button, menu, form and command."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        presenter: Presenter,
        screens: Mapping[str, AnyScreens],
        pace: Pace,
        metrics: Metrics,
        fleet: Fleet,
    ) -> None:
        self.client = client
        self._fleet = fleet
        self.tables = tables
        self.presenter = presenter
        self.screens = screens
        self._rival = Rival(tables.clock)
        self.pace = pace
        self._metrics = metrics
        self._declared: set[str] = set()
        """The games' own intents."""
        self._presses = Locks(PRESSES_AT_ONCE)
        self.answering: set[asyncio.Task[Any]] = set()
        """The interactions that are being answered: a host that closes waits for them."""
        self._handlers: dict[str, tuple[Handler, Patience]] = {
            "join": (self._join, "update"),
            "leave-lobby": (self._leave_lobby, "update"),
            "add-agent": (self._ask_level, "private"),
            "add": (self._add_agent, "update"),
            "remove-agent": (self._remove_agent, "update"),
            "word": (self._ask_word, "private"),
            "word-set": (self._add_word, "private"),
            "start": (self._start, "update"),
            SETTINGS: (self._settings, "private"),
            SET_LIMIT: (self._set, "update"),
            OWN_SCREEN: (self._show_own_screen, "private"),
            "rules": (self._rules, "private"),
            "rules-page": (self._rules, "update"),
            "log": (self._log, "private"),
            "log-page": (self._log, "update"),
            "more": (self._more, "private"),
            "dm": (self._dm, "private"),
            "leave": (self._ask_leave, "update"),
            "leave-now": (self._leave, "update"),
            "take-over": (self._take_over, "update"),
            "back": (self._back, "private"),
            "end": (self._ask_end, "update"),
            "agree": (self._agree, "private"),
            "end-now": (self._end, "update"),
            "play-on": (self._play_on, "update"),
            "undo": (self._undo, "update"),
            own_screen.CHANGE_ANSWER: (self._change_answer, "update"),
            "again": (self._again, "private"),
            show.FAIRNESS: (self._fairness, "private"),
        }

    def add_handler(self, intent: str, handler: Handler, patience: Patience) -> None:
        """Registers what a cog's own button does."""
        assert intent not in self._handlers
        self._handlers[intent] = (handler, patience)

    def declare(self, intents: Iterable[str]) -> None:
        """Notes a game's own intents, by whose names presses are counted."""
        self._declared.update(intents)

    # -- arrival

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answers presses and forms. Commands arrive through the command tree instead."""
        if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            return
        data: Mapping[str, Any] = interaction.data or {}
        # Only messages of this bot can be pressed, so a custom_id that cannot be read is from an older version.
        to = read_id(str(data.get("custom_id", ""))) or Id("unknown")
        values = data.get("values")
        if interaction.type is discord.InteractionType.modal_submit:
            values = _form_values(data.get("components"))
        visit = Visit(interaction, to, [str(value) for value in values or ()])
        if to.intent.startswith(GAMES_OWN):
            await self.serve(visit, self._game_press, "update" if visit.on_private else "private")
            return
        if to.intent.startswith(LOOKED_UP):
            await self.serve(visit, self._sheet, "update" if visit.on_private else "private")
            return
        if to.intent.startswith("rules."):
            await self.serve(visit, self._rules, "update")
            return
        if to.intent.startswith(SET_OPTION):
            await self.serve(visit, self._set, "update")
            return
        handler, patience = self._handlers.get(to.intent, (self._unknown, "private"))
        await self.serve(visit, handler, patience)

    async def serve(self, visit: Visit, handler: Handler, patience: Patience) -> None:
        """Answers an interaction with the handler's reply, unless another process does. It raises nothing."""
        if not self._fleet.serves(visit.guild_id):
            log.debug("another process serves server %s", visit.guild_id)
            return
        task = asyncio.current_task()
        assert task is not None
        self.answering.add(task)
        try:
            await self._count(visit, handler, patience)
        finally:
            self.answering.discard(task)
            visit.let_go()

    async def _count(self, visit: Visit, handler: Handler, patience: Patience) -> None:
        """Answers an interaction and counts it."""
        self._rival.came(visit.id)
        visit.on_answer = partial(self._gained, visit)
        act = Act(
            "press" if visit.message is not None else "command",
            self._name_of(visit),
            visit.guild_id,
            visit.to.table,
            self.shard_of(visit.guild_id),
            press=visit.id,
        )
        with doing(act):
            await self._serve(visit, handler, patience)
            self._metrics.answered(act, visit.first_answer)
            log.debug("table %s: %s is %s", act.table, act.name, act.outcome)

    def shard_of(self, guild_id: int) -> int | None:
        """The shard that serves a server; None before it is known how many there are."""
        count = self.client.shard_count
        return shard_of(guild_id, count) if count else None

    def _name_of(self, visit: Visit) -> str:
        """What an interaction means, by a name that the program declares: its custom_id may be forged."""
        intent = visit.to.intent
        if visit.interaction.type is discord.InteractionType.application_command:
            return f"/{intent}"
        if intent in self._handlers:
            return intent
        for beginning in (LOOKED_UP, "rules.", SET_OPTION):
            if intent.startswith(beginning):
                return beginning.rstrip(".:-")
        return intent if intent in self._declared else "unknown"

    async def _serve(self, visit: Visit, handler: Handler, patience: Patience) -> None:
        try:
            with (
                self.pace.press(visit.guild_id, visit.user_id, visit.channel_id),
                self.presenter.tokens.answering(visit.to.table),
            ):
                await visit.serve(self._guarded(visit, handler), patience)
        except AnsweredElsewhere:
            log.info("table %s: another process answers a press", visit.to.table)
        except discord.NotFound as error:
            # Discord takes the answer no more, or the private message is gone. What was done stands, and messages
            # will show it.
            self._metrics.answer_lost("late")
            log.info("table %s: an answer came too late (%s)", visit.to.table, error.code)
        except UNDELIVERED as error:
            if visit.beaten and not self._fleet.is_settled:
                log.info("table %s: another process has answered a press", visit.to.table)
                return
            if visit.beaten:
                self._rival.lost(visit.id)
            self._metrics.answer_lost("undelivered")
            log.warning("table %s: an answer could not be delivered: %s", visit.to.table, Brief(error))
        except Exception:
            self._metrics.answer_lost("failed")
            log.exception("table %s: an answer could not be delivered", visit.to.table)

    def _gained(self, visit: Visit, original: int | None) -> None:
        """Keeps the token of an interaction that has been answered."""
        visit.token = Token(visit.interaction, original, self.tables.clock.now() + TOKEN_LIVES)
        if visit.to.table:
            self.presenter.tokens.gained(visit.to.table, visit.token, public=visit.on_public)

    async def _guarded(self, visit: Visit, handler: Handler) -> Reply:
        async with self._presses.hold(visit.user_id):
            if self.tables.writer.is_too_late(visit.guild_id, visit.id) and not visit.is_deferred:
                raise AnsweredElsewhere  # it has waited here while this process was frozen
            reply = await self._answer(visit, handler)
        self._add_emoji(visit, reply)
        if visit.on_public and reply.how == "private" and reply.modal is None:
            assert visit.message is not None
            try:
                reply.table = await self.presenter.in_answer(visit.to.table, visit.message.id)
            except (Refused, StoreError):
                pass  # the redraw will draw it
            except Exception:
                log.exception("table %s: it could not be drawn in an answer", visit.to.table)
        return reply

    def _add_emoji(self, visit: Visit, reply: Reply) -> None:
        """Gives the answer the emoji of its game."""
        table = self.tables.at_hand(visit.to.table)
        game = table.game.key if table is not None else reply.game
        if reply.screen is None or game is None:
            return
        for_all = reply.how == "public" or (reply.how == "update" and visit.on_public)
        user = None if for_all else visit.user_id
        reply.screen.legend = self.presenter.pictures.legend(game, visit.guild_id, user)

    async def _answer(self, visit: Visit, handler: Handler) -> Reply:
        try:
            try:
                return await self._handled(visit, handler)
            except UNDELIVERED as error:
                if not passes(error):
                    raise
                log.warning("table %s: Discord does not take a message (%s)", visit.to.table, Brief(error))
                raise Refused("discord-away") from None
            except (Stale, Conflict):
                await self._check_it_is_ours(visit)
                came_to("stale")
                return await self._stale(visit)
            except Repeated:
                await self._check_it_is_ours(visit)
                came_to("repeated")
                return await self._stale(visit, "repeated")
        except Refused as refused:
            await self._check_it_is_ours(visit)
            came_to("refused")
            return self._refused(visit, refused)
        except AnsweredElsewhere:
            raise
        except StoreError as error:
            came_to("not-saved")
            log.error("table %s: could not be saved: %s", visit.to.table, error)
            return self._refused(visit, Refused("storage"))
        except Exception:
            came_to("failed")
            reference = secrets.token_hex(4)
            log.exception("table %s: a press failed (%s, %s)", visit.to.table, visit.to.intent, reference)
            return self._refused(visit, Refused("failed", reference=reference))

    async def _handled(self, visit: Visit, handler: Handler) -> Reply:
        """The handler's reply. It runs again where another process has changed the table since it was read.

        A handler has sent nothing to Discord before its first change is durable, so that nothing is done twice.
        """
        await self._check_place(visit)
        for _again in range(AGAIN_AT_MOST):
            try:
                return await handler(visit)
            except Conflict:
                if not nothing_durable():
                    raise
        return await handler(visit)

    async def _check_it_is_ours(self, visit: Visit) -> None:
        """Raises `AnsweredElsewhere` if another process has carried out this press, which then answers it too.

        Both get the presses on a shard while it changes hands. One that reads the table after the other has changed it
        would refuse what has just been done.
        """
        if self._fleet.alone or not nothing_durable():
            return
        with suppress(StoreError):
            known = await self.tables.store.is_known(visit.id)
            if known and not visit.is_deferred:  # else this process has said that it answers
                raise AnsweredElsewhere

    async def _check_place(self, visit: Visit) -> None:
        """Checks that the button's table is in this channel. After restoring a backup another may have its number."""
        if visit.message is None or not visit.to.table:
            return
        table = await self.tables.get(visit.to.table)
        if table.channel_id != visit.channel_id:
            raise Refused("no-table")
        if not visit.on_private:
            await self.presenter.recognise(table, visit.message.id)

    def _refused(self, visit: Visit, refused: Refused) -> Reply:
        table = refused.facts.get("table")
        with speaking(visit.locale):
            screen = show.say(refusal(refused))
            if isinstance(table, Table):
                screen.buttons(show.to_the_table(table))
        return Reply(screen)

    async def _stale(self, visit: Visit, code: str = "stale") -> Reply:
        """Shows the presser the present state, and says why the press did nothing."""
        table = await self.tables.get(visit.to.table)
        seat = table.seat_of(visit.user_id)
        if seat is None or table.state is None:
            return self._refused(visit, Refused(code))
        with speaking(visit.locale):
            why = refusal(Refused(code)) if code != "stale" else self._outdated(visit, table, seat)
        return await self._own_screen(visit, table, seat, remark=f"ℹ️ {why}")

    def _outdated(self, visit: Visit, table: Table, seat: int) -> str:
        """What to say of a press on an outdated screen: what it was, and what holds now."""
        data: Mapping[str, Any] = visit.interaction.data or {}
        label = read_label(visit.message, str(data.get("custom_id", "")), visit.values)
        if not label:
            return refusal(Refused("stale"))
        # The press may be a second one, after a first that was carried out: so nothing is said of what was not done.
        nothing = _("{button}: this press did nothing.").format(button=f"**{escape(label)}**")
        if not table.live:
            return f"{nothing} {refusal(Refused('match-over'))}"
        moved_on = _("The table has moved on since this screen was drawn; here is how things stand.")
        screens, view = self.screens[table.game.key], table.game.view(table.state, seat)
        if not visit.to.intent.startswith(GAMES_OWN) or own_decision(view) is None:
            return f"{nothing} {moved_on}"
        try:
            move = meant_by(screens, view, Pressed(visit.to.intent, visit.to.arg, _choices(visit)))
            if not isinstance(move, HalfChosen):
                table.game.apply(table.game.copy(table.state), seat, move)
        except IllegalMove as error:
            return f"{nothing} {screens.refuse(error, table.game)}"
        except Refused:
            return f"{nothing} {moved_on}"
        again = _("The table has moved on since this screen was drawn. Press it again if you still want it.")
        return f"{nothing} {again}"

    async def _unknown(self, visit: Visit) -> Reply:
        raise Refused("unknown")

    # -- commands

    async def open_lobby(
        self,
        visit: Visit,
        screens: AnyScreens,
        *,
        limit: int | None,
        agents: int,
        level: str,
        options: dict[str, Any],
    ) -> Reply:
        """`start`: a new lobby in this channel."""
        require_permissions(visit)
        table = await self.tables.open(
            lobby.NewTable(
                self.tables.games[screens.game],
                guild_id=visit.guild_id,
                channel_id=visit.channel_id,
                user_id=visit.user_id,
                seats=[Seat(visit.user_name, visit.user_id)],
                locale=visit.guild_locale,
                limit=limit,
                options=options,
                agents=agents,
                level=level,
            )
        )
        at_table(table.id)
        return await self._lobby_posted(visit, table)

    async def _lobby_posted(self, visit: Visit, table: Table) -> Reply:
        self.presenter.opened_here(table)

        async def keep(message: int | None) -> None:
            async with self.tables.change(table.id) as draft:
                messages = draft.table.body.messages
                if message is not None and messages.lobby not in (None, message):
                    # This answer came so late that the lobby was posted separately meanwhile.
                    messages.retired.append(message)
                else:
                    messages.lobby = message
                    if message is not None:
                        self.presenter.posted(message, screen, visit.attachments)
                        self.presenter.tokens.opened(table.id, message, visit.token)
                draft.touch()

        screen = await self.presenter.lobby(table)
        return Reply(screen, "public", then=keep, ring=table.expected())

    async def table_here(self, visit: Visit, game: str, *, live: bool = True) -> Table:
        """This channel's table of a game. Raises `Refused` if there is none."""
        table = await self.tables.live_in(visit.channel_id)
        if table is not None and table.game.key == game:
            return table
        if not live:
            latest = await self.tables.latest_in(visit.channel_id, game)
            if latest is not None:
                return latest
        if table is not None:
            with speaking(visit.locale):
                title = self.screens[table.game.key].title()
            raise Refused("other-game-here", table=table, title=title)
        raise Refused("no-match-here", game=game)

    async def on_table(self, visit: Visit, game: str, handler: str, *, live: bool = True) -> Reply:
        """A command that does what a button of this channel's table does."""
        table = await self.table_here(visit, game, live=live)
        visit.to = Id(handler, table.id)
        at_table(table.id)
        return await self._handlers[handler][0](visit)

    async def repost(self, visit: Visit, game: str) -> Reply:
        """`table`: posts the table message anew at the bottom of the channel."""
        require_permissions(visit)
        table = await self.table_here(visit, game)
        try:
            table = await self.presenter.repost(table.id)
        except UNDELIVERED as error:
            log.warning("table %s: it could not be brought down yet (%s)", table.id, Brief(error))
            raise Refused("table-delayed") from None
        if table.live and table.body.messages.moving:
            raise Refused("table-delayed")
        with speaking(visit.locale):
            screen = show.say(_("The table is at the bottom of the channel now."))
            return Reply(screen.buttons(show.to_the_table(table)))

    async def rules(self, visit: Visit, game: str) -> Reply:
        """`rules`: shows the rules of the game, whether or not it is being played here."""
        with speaking(visit.locale):
            return Reply(show.rules_page(self.screens[game], None, self.tables.games[game], 0), game=game)

    # -- the lobby

    async def _lobby_changed(self, visit: Visit, change: Callable[[Any], None]) -> Reply:
        async with self.tables.change(visit.to.table) as draft:
            change(draft)
        return self._lobby_shown(draft.table)

    def _lobby_shown(self, table: Table) -> Reply:
        with speaking(table.body.locale):
            screen = show.lobby(table, self.screens[table.game.key], self.presenter.notice())
        return Reply(screen, "update", around=partial(self.presenter.answering, table))

    async def _join(self, visit: Visit) -> Reply:
        def join(draft: Draft) -> None:
            self.tables.may_sit(visit.user_id, visit.guild_id)
            lobby.join(draft, visit.user_id, visit.user_name)

        return await self._lobby_changed(visit, join)

    async def _leave_lobby(self, visit: Visit) -> Reply:
        return await self._lobby_changed(visit, lambda d: lobby.leave_lobby(d, visit.user_id))

    async def _remove_agent(self, visit: Visit) -> Reply:
        def remove(draft: Draft) -> None:
            if _as_shown(visit, draft.table):
                lobby.remove_agent(draft, visit.user_id)

        return await self._lobby_changed(visit, remove)

    async def _ask_level(self, visit: Visit) -> Reply:
        table = await self.tables.get(visit.to.table)
        lobby.check_host(table, visit.user_id)
        if len(table.seats) >= table.game.max_seats:
            raise Refused("table-full", seats=table.game.max_seats)
        with speaking(visit.locale):
            return Reply(show.agent_levels(table))

    async def _add_agent(self, visit: Visit) -> Reply:
        async with self.tables.change(visit.to.table) as draft:
            table = draft.table
            if _as_shown(visit, table):
                lobby.add_agent(draft, visit.user_id, visit.to.arg)
        with speaking(visit.locale):
            full = len(table.seats) >= table.game.max_seats
            text = _("🤖 {name} has sat down.").format(name=Names(table.seats).escaped(-1))
            if not draft.touched:
                text = refusal(Refused("stale"))
            screen = show.say(text) if full else show.agent_levels(table)
            if not full:
                screen.text(text)
        return Reply(screen, "update")

    async def _ask_word(self, visit: Visit) -> Reply:
        table = await self.tables.get(visit.to.table)
        if table.seat_of(visit.user_id) is None:
            raise _stranger(table)
        with speaking(visit.locale):
            # It contains a nonce, because discord.py finds forms by their custom_id alone, whoever opened them.
            form = ui.Modal(
                title=_("Lucky Word"),
                custom_id=str(Id("word-set", table.id, arg=secrets.token_hex(4))),
                timeout=None,
            )
            form.add_item(
                ui.Label(
                    text=_("A word that is mixed into the shuffle"),
                    description=_("Everybody sees it in the lobby at once."),
                    component=ui.TextInput(custom_id="word", max_length=WORD_LENGTH, required=False),
                )
            )
            late = show.say(_("I was too slow to open the form. Please press **Lucky Word** once more."))
        return Reply(late, modal=form)

    async def _add_word(self, visit: Visit) -> Reply:
        word = visit.values[0] if visit.values else ""
        async with self.tables.change(visit.to.table) as draft:
            lobby.add_word(draft, visit.user_id, word)
        seat = draft.table.seat_of(visit.user_id)
        given = seat is not None and draft.table.seats[seat].word
        with speaking(visit.locale):
            text = _("Your word is in the lobby now, and will be part of the shuffle.")
            return Reply(show.say(text if given else _("You have no lucky word in the shuffle.")))

    async def _settings(self, visit: Visit) -> Reply:
        table = await self.tables.get(visit.to.table)
        lobby.check_settable(table, visit.user_id)
        with speaking(visit.locale):
            return Reply(settings(table, self.screens[table.game.key]))

    async def _set(self, visit: Visit) -> Reply:
        """Sets the turn limit or an option of the game, as the host has chosen in a menu."""
        value = visit.values[0] if visit.values else ""
        table = await self.tables.get(visit.to.table)
        screens = self.screens[table.game.key]
        wanted = wanted_option(screens, visit.to.intent, value)
        async with self.tables.change(table.id) as draft:
            if visit.to.intent == SET_LIMIT and value in TURN_LIMITS:
                lobby.set_limit(draft, visit.user_id, TURN_LIMITS[value])
            elif wanted is not None:
                lobby.set_option(draft, visit.user_id, *wanted)
            else:
                raise Refused("unknown")
        with speaking(visit.locale):
            return Reply(settings(draft.table, screens), "update")

    async def _start(self, visit: Visit) -> Reply:
        require_permissions(visit)
        async with self.tables.change(visit.to.table) as draft:
            lobby.freeze(draft, visit.user_id)
        table, first = draft.table, not draft.before.starting
        try:
            table = await self.presenter.start(table.id, first=first)
        except UNDELIVERED as error:
            await self._start_failed(table, error, first=first)
        return self._lobby_shown(table)

    async def _start_failed(self, table: Table, error: Exception, *, first: bool) -> NoReturn:
        """Handles a start message that Discord refused. Raises `Refused`, or the error if the bot is at fault."""
        log.warning("table %s: the start message could not be posted (%s)", table.id, Brief(error))
        refused = not passes(error)
        async with self.tables.change(table.id) as draft:
            if refused and first:
                lobby.thaw(draft)
            draft.touch()  # so that the lobby's message says what it is waiting for
        if not refused:
            raise Refused("start-delayed") from None
        if isinstance(error, discord.Forbidden):
            raise Refused("may-not-post" if first else "may-not-post-yet") from None
        raise error

    async def _again(self, visit: Visit) -> Reply:
        """Play Again: the first who presses it opens the next lobby, and the others who press it join that one."""
        require_permissions(visit)
        old = await self.tables.get(visit.to.table)
        sat = await self.tables.store.seat_of(old.id, visit.user_id)
        if not lobby.may_play_again(old, visit.user_id, sat):
            raise Refused("not-seated-then")
        seated, rematch = lobby.play_again(old, visit.user_id, visit.user_name)
        try:
            table = await self.tables.open(
                lobby.NewTable(
                    old.game,
                    guild_id=old.guild_id,
                    channel_id=old.channel_id,
                    user_id=visit.user_id,
                    seats=seated,
                    locale=old.body.locale,
                    limit=old.body.limit,
                    options=old.body.options,
                    rematch=rematch,
                )
            )
        except Refused as refused:
            opened = refused.facts.get("table")
            if refused.code != "channel-taken" or not isinstance(opened, Table) or opened.status != "lobby":
                raise
            if opened.body.rematch_of != old.id:
                raise
            return await self._join_again(visit, opened)
        return await self._lobby_posted(visit, table)

    async def _join_again(self, visit: Visit, opened: Table) -> Reply:
        """Seats a person in the lobby that somebody else has opened by Play Again."""
        async with self.tables.change(opened.id) as draft:
            if draft.table.seat_of(visit.user_id) is None:
                self.tables.may_sit(visit.user_id, visit.guild_id)
                lobby.join(draft, visit.user_id, visit.user_name)
        with speaking(visit.locale):
            screen = show.say(_("The next lobby is open, and you have a seat in it."))
            return Reply(screen.buttons(show.to_the_table(draft.table)))

    # -- the match

    async def _own_screen(
        self,
        visit: Visit,
        table: Table,
        seat: int,
        *,
        choices: Choices | None = None,
        remark: str = "",
    ) -> Reply:
        own = await self.presenter.private.draw(table, seat, visit.locale, choices=choices, remark=remark)

        async def follow(message: int | None) -> None:
            assert visit.token is not None
            await self.presenter.private.opened(
                visit.token,
                visit.user_id,
                visit.locale,
                message,
                table,
                seat,
                own,
                choices or {},
                remark,
                visit.attachments,
            )

        return Reply(own.screen, "update" if visit.on_private else "private", then=follow)

    async def _seated(self, visit: Visit) -> tuple[Table, int]:
        table = await self.tables.get(visit.to.table)
        seat = table.seat_of(visit.user_id)
        if seat is None:
            raise _stranger(table)
        if table.state is None:
            raise Refused("not-started" if table.live else "match-over")
        return table, seat

    async def _show_own_screen(self, visit: Visit) -> Reply:
        table, seat = await self._seated(visit)
        return await self._own_screen(visit, table, seat)

    async def _game_press(self, visit: Visit) -> Reply:
        try:
            return await self._choose(visit)
        except Refused as refused:
            await self._check_it_is_ours(visit)
            if refused.code == "answered-ahead":
                return await self._stale(visit, refused.code)
            if refused.code != "not-your-move":
                raise
            # On the person's own screen they have probably answered already. On the table message somebody else is due.
            if visit.on_private:
                raise Stale from None
            return await self._not_asked(visit)

    async def _not_asked(self, visit: Visit) -> Reply:
        """Tells somebody who pressed out of turn for whom the match waits."""
        table = await self.tables.get(visit.to.table)
        view = table.game.view(table.state, None)
        with speaking(visit.locale):
            screens, names = self.screens[table.game.key], Names(table.seats)
            waits = [screens.asks(view, decision.seat, names) for decision in view.pending]
            return Reply(show.say(" ".join([refusal(Refused("not-your-move")), *waits])))

    async def _choose(self, visit: Visit) -> Reply:
        """Carries out a game's own button or menu: it makes a move, or changes what is half chosen."""
        table, to = await self.tables.get(visit.to.table), visit.to
        if not to.drawn:
            raise Refused("unknown")
        question = play.check_move(table, visit.user_id, to.drawn)
        seat = question.seat
        view = table.game.view(question.state, seat)
        choices: Choices = _choices(visit)
        screens = self.screens[table.game.key]
        remark = ""
        try:
            move = meant_by(screens, view, Pressed(to.intent, to.arg, choices))
            if isinstance(move, HalfChosen):
                choices = move.choices
            else:
                table = await self.tables.play(table.id, visit.user_id, to.drawn, move, visit.id)
                choices = {}
        except IllegalMove as error:
            await self._check_it_is_ours(visit)
            remark = self._warning(visit, screens, error, table)
        try:
            return await self._own_screen(visit, table, seat, choices=choices, remark=remark)
        except IllegalMove as error:
            # A menu has a choice that it never offered, so the screen is drawn with nothing chosen.
            remark = self._warning(visit, screens, error, table)
            return await self._own_screen(visit, table, seat, remark=remark)

    def _warning(self, visit: Visit, screens: AnyScreens, error: IllegalMove, table: Table) -> str:
        with speaking(visit.locale):
            return "⚠️ " + screens.refuse(error, table.game)

    async def _change_answer(self, visit: Visit) -> Reply:
        async with self.tables.change(visit.to.table) as draft:
            seat = ahead.take_back(draft, visit.user_id, _number(visit.to))
        with speaking(visit.locale):
            remark = "↩️ " + _("Taken back.")
        return await self._own_screen(visit, draft.table, seat, remark=remark)

    async def _sheet(self, visit: Visit) -> Reply:
        """What anybody may look up, as things stand now."""
        table, to = await self.tables.get(visit.to.table), visit.to
        if table.state is None:
            raise Refused("not-started" if table.live else "match-over")
        with speaking(visit.locale):
            pressed = Pressed(to.intent, to.arg, _choices(visit))
            screen = show.sheet(table, self.screens[table.game.key], pressed)
        await self.presenter.add_sheet_picture(screen, table, pressed, visit)
        return Reply(screen, "update" if visit.on_private else "private")

    async def _undo(self, visit: Visit) -> Reply:
        async with self.tables.change(visit.to.table) as draft:
            seat = play.undo(draft, visit.user_id, visit.to.drawn)
        with speaking(visit.locale):
            remark = "↩️ " + _("Taken back.")
        return await self._own_screen(visit, draft.table, seat, remark=remark)

    async def _rules(self, visit: Visit) -> Reply:
        to = visit.to
        page = _number(to) if to.arg else 0
        with speaking(visit.locale):
            if to.intent.startswith("rules."):
                game = to.intent.removeprefix("rules.").removesuffix("-page")
                if game not in self.screens:
                    raise Refused("unknown")
                screen = show.rules_page(self.screens[game], None, self.tables.games[game], page)
                return Reply(screen, "update", game=game)
            table = await self.tables.get(to.table)
            how: How = "update" if to.intent == "rules-page" else "private"
            return Reply(show.rules_page(self.screens[table.game.key], table, table.game, page), how)

    async def _log(self, visit: Visit) -> Reply:
        table = await self.tables.get(visit.to.table)
        rows = await self.tables.store.log(table.id)
        paged = visit.to.intent == "log-page"
        page = _number(visit.to) if paged else None
        with speaking(visit.locale):
            screens = self.screens[table.game.key]
            screen = show.log_page(table, screens, rows, table.seat_of(visit.user_id), page)
        return Reply(screen, "update" if paged else "private")

    async def _more(self, visit: Visit) -> Reply:
        table = await self.tables.get(visit.to.table)
        if not table.under_way:
            raise Refused("match-over")
        with speaking(visit.locale):
            return Reply(show.more(table, self.screens[table.game.key], visit.user_id, manages=visit.manages))

    async def _dm(self, visit: Visit) -> Reply:
        table, seat = await self._seated(visit)
        screens = self.screens[table.game.key]
        with speaking(visit.locale):
            words, text = screens.words(), screens.private_text(table.game.view(table.state, seat))
            letter = (
                Screen(colour=screens.colour).text(f"### {screens.title()}", text).text(show.table_url(table))
            )
            try:
                await visit.interaction.user.send(view=letter.view())
            except discord.HTTPException as error:
                if error.status not in (400, 403):
                    raise
                return Reply(Screen(colour=screens.colour).text(words.dms_closed, text))
            return Reply(show.say(words.sent_by_dm))

    async def _fairness(self, visit: Visit) -> Reply:
        """Explains how the shuffle is kept fair; once the match has ended, with the seed and the record."""
        table = await self.tables.get(visit.to.table)
        if table.state is None:
            raise Refused("not-started" if table.live else "match-over")
        record = None
        if not table.live:
            text = record_of(table, await self.tables.store.moves(table.id))
            record = f"digsite-{table.game.key}-{table.id}.json", text
        with speaking(visit.locale):
            return Reply(show.fairness(table, record[0] if record else None), attached=record)

    # -- coming and going

    async def _ask_leave(self, visit: Visit) -> Reply:
        with speaking(visit.locale):
            text = _(
                "An agent will play on for you. You can come back as long as nobody takes your seat over."
            )
            return Reply(show.confirm(text, _("Leave Now"), visit.to._replace(intent="leave-now")), "update")

    async def leave(self, visit: Visit, game: str) -> Reply:
        """`leave`: takes the person out of a lobby or a match."""
        table = await self.table_here(visit, game)
        visit.to = Id("leave", table.id)
        if table.status == "lobby":
            async with self.tables.change(table.id) as draft:
                lobby.leave_lobby(draft, visit.user_id)
            with speaking(visit.locale):
                return Reply(show.say(_("You have left the table.")))
        if table.seat_of(visit.user_id) is None:
            raise Refused("not-seated")
        return await self._ask_leave(visit)

    async def _leave(self, visit: Visit) -> Reply:
        async with self.tables.change(visit.to.table) as draft:
            seats.leave(draft, visit.user_id)
        with speaking(visit.locale):
            return Reply(show.say(_("You have left the table. An agent plays on for you.")), "update")

    async def _take_over(self, visit: Visit) -> Reply:
        wanted = _number(visit.to)
        table = await self.tables.take_over(visit.to.table, visit.user_id, visit.user_name, wanted)
        return await self._own_screen(visit, table, wanted)

    async def _back(self, visit: Visit) -> Reply:
        async with self.tables.change(visit.to.table) as draft:
            seats.come_back(draft, visit.user_id)
        table = draft.table
        seat = table.seat_of(visit.user_id)
        assert seat is not None
        return await self._own_screen(visit, table, seat)

    # -- ending

    async def end(self, visit: Visit, game: str) -> Reply:
        """`end`: ends this channel's match. Whoever manages the channel can also end a match that cannot be read."""
        try:
            return await self.on_table(visit, game, "end")
        except Refused as refused:
            if refused.code != "unreadable" or not visit.manages:
                raise
            await self.tables.give_up(int(str(refused.facts["table"])))
        with speaking(visit.locale):
            return Reply(
                show.say(_("The match has ended. It is kept for my operator, who may be able to read it."))
            )

    async def _ask_end(self, visit: Visit) -> Reply:
        table = await self.tables.get(visit.to.table)
        alone = ending.may_end(table, visit.user_id, manages=visit.manages)
        with speaking(visit.locale):
            wished = table.seat_of(visit.user_id) in table.body.end_votes
            if wished and not alone and ending.undecided(table):
                return Reply(show.wish_noted(table), "update")
            return Reply(show.ask_end(table, alone=alone), "update")

    async def _agree(self, visit: Visit) -> Reply:
        """The table message's **Agree to End**: it was the question, so nothing is asked again."""
        async with self.tables.change(visit.to.table) as draft:
            ended = ending.agree(draft, visit.user_id)
        with speaking(visit.locale):
            return Reply(show.say(_("The match has ended.")) if ended else show.wish_noted(draft.table))

    async def _end(self, visit: Visit) -> Reply:
        async with self.tables.change(visit.to.table) as draft:
            ended = ending.end(draft, visit.user_id, manages=visit.manages)
        with speaking(visit.locale):
            if not ended:
                return Reply(show.wish_noted(draft.table), "update")
            closed = draft.before.status == "lobby"
            text = _("The lobby has closed.") if closed else _("The match has ended.")
            return Reply(show.say(text), "update")

    async def _play_on(self, visit: Visit) -> Reply:
        async with self.tables.change(visit.to.table) as draft:
            ending.play_on(draft, visit.user_id)
        with speaking(visit.locale):
            return Reply(show.say(_("All right, the match goes on.")), "update")


def _choices(visit: Visit) -> Choices:
    """What all menus of the pressed message show as chosen now, by intent."""
    by_menu = read_choices(visit.message)
    if visit.interaction.data and "values" in visit.interaction.data:
        by_menu.setdefault(visit.to.intent, {})[menu_number(visit.to)] = visit.values
    return {
        intent: [value for chosen in menus.values() for value in chosen] for intent, menus in by_menu.items()
    }


def _stranger(table: Table) -> Refused:
    """The refusal for somebody who does not sit at this table."""
    return Refused("not-joined" if table.status == "lobby" else "not-seated")


def _as_shown(visit: Visit, table: Table) -> bool:
    """Whether as many people sit in the lobby as on the pressed screen. If not, a double press must not act again."""
    return visit.to.drawn == show.seats_drawn(table) or table.status != "lobby"


def _number(to: Id) -> int:
    """The number that a component has as its argument. Raises `Refused` if it has none."""
    number = read_number(to.arg)
    if number is None:
        raise Refused("unknown")
    return number


def _form_values(components: Any) -> list[str]:
    """The values of a submitted form's inputs, read from the interaction's data alone; "" for one without a text."""
    found: list[str] = []
    for component in components or ():
        if "value" in component:
            value = component["value"]
            found.append(value if isinstance(value, str) else "")
        nested = component.get("components") or ([component["component"]] if "component" in component else ())
        found += _form_values(nested)
    return found
