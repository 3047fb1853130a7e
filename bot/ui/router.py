"""Answers every interaction: one step after the other, from Discord's event to the delivered answer.

1. `Router.on_interaction`: a second tap is told from a press (`SecondTaps`).
   `Router._serve`: the interaction is this process's; its person's language is set for all that follows.
2. `Router._deliver`: a slow answer is deferred, and the answer is delivered, or its loss is noted.
3. `Router._answer`: the presser's turn among their own presses comes; the reply gets its emoji and the pressed table.
4. `reply_to`: a press that is refused, stale, delivered twice, or not stored, has a reply too.
5. `run`: the table is checked, and the handler runs; again, if another process has changed the table meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

import discord

from bot.background import Locks
from bot.gateway.errors import Brief, is_transient
from bot.language import speaking
from bot.observability.context import Operation, may_retry, operation_scope, set_outcome
from bot.observability.metrics import Metrics
from bot.ratelimit.limiter import RateLimiter
from bot.settings import Settings
from bot.store.model import Conflict, Repeated, StoreError, shard_of
from bot.tables.model import MINUTE
from bot.tables.refusals import AnsweredElsewhere, Refused, Stale
from bot.tables.secrecy import check_may_look
from bot.ui.actions.presses import refused_on_screen, refused_reply, show_present
from bot.ui.handlers import Action, Actions, Handler, HandlerContext, check_is_ours
from bot.ui.interaction import (
    UNDELIVERED,
    DeferralMode,
    Interaction,
    OnDelivered,
    Reply,
    read_interaction,
)
from bot.ui.permissions import say_files_are_forbidden
from bot.ui.rival import Rival
from bot.ui.screens.game_screens import GAME_INTENTS
from bot.ui.screens.ids import BESIDE, Id
from bot.ui.screens.kit import parts_of
from bot.ui.tokens import Token

log = logging.getLogger(__name__)

UNKNOWN: Final = "unknown"
"""The name under which presses with an unknown intent are counted."""
PRESSES_AT_ONCE: Final = 5
"""Presses of one person that are dealt with at a time. Their further presses wait; other people's do not."""
TOKEN_LIVES: Final = 14 * MINUTE
"""Seconds for which a token is used. Discord accepts it for 15 minutes."""
RUNS_AGAIN: Final = 3
"""How often a handler runs again because another process has changed the table."""

_LONGEST: Final = 10.0
"""Seconds after which an answer is no longer expected."""
_REMEMBERED: Final = 1000
"""The number of people whose last press, or last private answer, is known."""


@dataclass(slots=True)
class _Press:
    """A person's last press. It was `created` by Discord's clock, and its answer `took` so many seconds.

    `shown` are the custom_ids on its message before the answer.
    """

    id: int
    created: float
    message: int
    to: Id
    shown: frozenset[str]
    begun: float
    took: float = _LONGEST


class SecondTaps:
    """The last press of each person, with what it was made on."""

    def __init__(self, settings: Settings) -> None:
        # An answer travels to the screen, is recognised in a quarter of a second at least, and the press that is meant
        # for it travels back: so nobody presses sooner than `second_tap` what nobody had seen before.
        self._settings = settings
        self._last: dict[int, _Press] = {}
        """By person, the oldest first."""

    def is_one(self, interaction: Interaction) -> bool:
        """Whether an interaction that has just arrived is a second tap. Any other press is noted."""
        message, custom_id = interaction.message, str((interaction.raw.data or {}).get("custom_id", ""))
        if message is None:
            return False
        now, created = asyncio.get_running_loop().time(), interaction.raw.created_at.timestamp()
        last = self._last.get(interaction.user_id)
        if last is not None and interaction.to.table and self._settings.second_tap:
            # The answer has changed the pressed message, or made a newer one, which moves that one on the screen.
            is_changed = message.id == last.message or message.id > last.id
            # Several quick presses on one place are meant where they turn pages or count up an amount.
            is_new = custom_id not in last.shown and interaction.to[:3] != last.to[:3]
            is_form = interaction.raw.type is discord.InteractionType.modal_submit
            shown_at = last.created + min(last.took, now - last.begun)
            if is_changed and is_new and not is_form and created < shown_at + self._settings.second_tap:
                return True
        shown = frozenset(str(getattr(part, "custom_id", "")) for part in parts_of(message.components))
        if last is None or custom_id in shown:  # else the message has changed since its person saw it
            self._last.pop(interaction.user_id, None)
            self._last[interaction.user_id] = _Press(
                interaction.id, created, message.id, interaction.to, shown, now
            )
        if len(self._last) > _REMEMBERED:
            del self._last[next(iter(self._last))]
        return False

    def answered(self, interaction: Interaction) -> None:
        """Notes that the answer to an interaction has been delivered."""
        last = self._last.get(interaction.user_id)
        if last is not None and last.id == interaction.id:
            last.took = asyncio.get_running_loop().time() - last.begun


class Router:
    """Has every button, menu, form and command carried out and answered."""

    def __init__(
        self,
        client: discord.Client,
        context: HandlerContext,
        actions: Actions,
        limiter: RateLimiter,
        metrics: Metrics,
        follow: Callable[[Interaction], Awaitable[None]],
    ) -> None:
        """`actions` are those of every button, menu and form, by intent. `follow` is called after each answer."""
        self._client = client
        self._context = context
        self._actions = actions
        self._limiter = limiter
        self._metrics = metrics
        self._language_of = context.presenter.calls.language
        self._tokens = context.presenter.tokens
        self._rival = Rival(context.tables.clock)
        self._taps = SecondTaps(context.settings)
        self._presses = Locks(PRESSES_AT_ONCE)
        self._asides: dict[tuple[int, int | None], tuple[Token, int | None]] = {}
        """By person and channel: the last private answer beside the pressed screen that is not kept up to date."""
        self._follow = follow
        self.answering: set[asyncio.Task[Any]] = set()
        """The tasks that answer interactions. A host that closes waits for them."""

    async def on_interaction(self, raw: discord.Interaction[Any]) -> None:
        """Answers presses and forms. Commands arrive through the command tree instead."""
        interaction = read_interaction(raw, self._language_of, self._context.pictures.uploads)
        if interaction is not None:
            handler, mode = self._actions.get(_key(interaction.to.intent), Action(_unknown, "ephemeral"))
            if self._taps.is_one(interaction):
                handler, mode = _leave_as_it_is, "update"
            await self._serve(interaction, handler, mode)

    async def command(self, raw: discord.Interaction[Any], name: str, handler: Handler) -> None:
        """Answers a command, which is counted by this name."""
        interaction = Interaction(raw, Id(name), self._language_of, self._context.pictures.uploads)
        await self._serve(interaction, handler, "ephemeral")

    async def _serve(self, interaction: Interaction, handler: Handler, mode: DeferralMode) -> None:
        """Answers an interaction with the handler's reply, unless another process serves it. Raises nothing."""
        if not self._context.fleet.serves(interaction.shard_guild):
            log.debug("another process serves server %s", interaction.shard_guild)
            return
        task = asyncio.current_task()
        assert task is not None
        self.answering.add(task)
        try:
            with (
                speaking(interaction.locale),
                operation_scope(self._operation(interaction)) as operation,
            ):
                await self._deliver(interaction, self._answer(interaction, handler), mode)
                self._metrics.answered(operation, interaction.first.at)
                await self._follow(interaction)
                await say_files_are_forbidden(interaction)
                log.debug("table %s: %s is %s", operation.table, operation.name, operation.outcome)
        finally:
            self.answering.discard(task)
            interaction.let_go()

    # -- the delivery of the answer

    async def _deliver(
        self, interaction: Interaction, answer: Coroutine[Any, Any, Reply], mode: DeferralMode
    ) -> None:
        """Waits for the answer and delivers it; defers a slow answer in this mode first. Raises nothing."""
        self._rival.note_delivered(interaction.id)
        table = interaction.to.table
        try:
            with (
                self._limiter.press(interaction.shard_guild, interaction.user_id, interaction.channel_id),
                self._tokens.answering(table),
            ):
                await interaction.serve(answer, mode, partial(self._keep_token, interaction))
            self._taps.answered(interaction)
            await self._context.presenter.catch_up(table)
        except AnsweredElsewhere:
            log.info("table %s: another process answers a press", table)
        except discord.NotFound as error:
            # Discord refuses the late answer, or the private message is gone. The change stands, and messages
            # will show it.
            self._metrics.answer_lost("late")
            log.info("table %s: an answer came too late (%s)", table, error.code)
        except UNDELIVERED as error:
            if interaction.first.beaten and not self._context.fleet.is_settled:
                log.info("table %s: another process has answered a press", table)
                return
            if interaction.first.beaten:
                self._rival.note_already_answered(interaction.id)
            self._metrics.answer_lost("undelivered")
            log.warning("table %s: an answer could not be delivered: %s", table, Brief(error))
        except Exception:
            self._metrics.answer_lost("failed")
            log.exception("table %s: an answer could not be delivered", table)

    def _keep_token(self, interaction: Interaction, original: int | None) -> None:
        """Registers the token of an answered interaction. The token edits the message `original`.

        It posts messages of the table only if the interaction is in the table's channel.
        """
        until = self._context.tables.clock.now() + TOKEN_LIVES
        interaction.token = Token(interaction.raw, original, until, interaction.uploads)
        table_id, public = interaction.to.table, interaction.on_public
        table = self._context.tables.at_hand(table_id)
        in_channel = public
        if table is not None:
            in_channel = not table.is_private and table.channel_id == interaction.channel_id
        if table_id and in_channel:
            self._tokens.gained(table_id, interaction.token, public=public)

    # -- the answer

    async def _answer(self, interaction: Interaction, handler: Handler) -> Reply:
        """The reply with its emoji and the new view of the pressed table message. Raises `AnsweredElsewhere`."""
        context, message = self._context, interaction.message
        async with self._presses.hold(interaction.user_id):
            is_too_late = context.tables.writer.is_too_late(interaction.shard_guild, interaction.id)
            if is_too_late and not interaction.is_deferred:
                raise AnsweredElsewhere  # the interaction has waited for the lock while this process was frozen
            if message is not None:
                await context.presenter.late.pressed(message.id)
            reply = await reply_to(context, interaction, handler)
        if (
            message is not None
            and interaction.on_private
            and not reply.is_followed
            and reply.mode == "update"
        ):
            context.presenter.private.put_away(interaction.to.table, interaction.user_id, message.id)
        is_aside = interaction.on_public or interaction.to.view_version == BESIDE
        is_aside &= reply.screen is not None and reply.mode != "public" and not reply.is_followed
        # The answer to a press at the table, such as the hand, or one that the hand follows.
        is_hand = interaction.on_public and reply.mode != "public" and reply.on_delivered is not None
        place = interaction.user_id, interaction.channel_id
        stays = reply.is_followed or reply.modal is not None  # a form is answered on its message
        if message is not None and stays and self._asides.get(place, ("", 0))[1] == message.id:
            del self._asides[place]
        if is_hand or (is_aside and reply.modal is None and reply.on_delivered is None):
            reply.on_delivered = partial(self._put_earlier_away, interaction, reply.on_delivered)
        table = context.tables.at_hand(interaction.to.table)
        game = table.game.key if table is not None else reply.game
        if reply.screen is not None and game is not None:
            user = None if reply.mode == "public" else interaction.user_id
            reply.screen.emoji_map = context.pictures.emoji_map(game, interaction.guild_id, user)
        if message is not None and interaction.on_public and reply.mode != "public" and reply.modal is None:
            try:
                reply.table = await context.presenter.in_answer(interaction.to.table, message.id)
            except (Refused, StoreError):
                pass  # the table's redraw will draw it
            except Exception:
                log.exception("table %s: it could not be drawn in an answer", interaction.to.table)
        return reply

    async def _put_earlier_away(
        self, interaction: Interaction, followed: OnDelivered | None, message: int | None
    ) -> None:
        """Deletes the person's earlier private answer to a press in this channel: the new one takes its place, or a
        private screen that is `followed` from now on.
        """
        place = interaction.user_id, interaction.channel_id
        earlier, now = self._asides.pop(place, None), self._context.tables.clock.now()
        if followed is not None:
            await followed(message)
        elif interaction.token is not None:
            self._asides[place] = interaction.token, message
        if len(self._asides) > _REMEMBERED:
            del self._asides[next(iter(self._asides))]
        if earlier is not None and earlier[0].until > now:
            try:
                await earlier[0].delete(earlier[1])
            except UNDELIVERED as error:
                log.info(
                    "table %s: an earlier answer was gone already (%s)", interaction.to.table, Brief(error)
                )

    # -- the name by which an interaction is counted

    def shard_of(self, guild_id: int) -> int | None:
        """The shard that serves a server; None before the number of shards is known."""
        count = self._client.shard_count
        return shard_of(guild_id, count) if count else None

    def _operation(self, interaction: Interaction) -> Operation:
        return Operation(
            "press" if interaction.message is not None else "command",
            self._name_of(interaction),
            interaction.shard_guild,
            interaction.to.table,
            self.shard_of(interaction.shard_guild),
            press=interaction.id,
            presser=(interaction.user_id, interaction.user_name),
        )

    def _name_of(self, interaction: Interaction) -> str:
        """The intent of an interaction, by a name that the program declares, because its custom_id may be forged."""
        intent = interaction.to.intent
        if interaction.raw.type is discord.InteractionType.application_command:
            return f"/{intent}"
        if intent in self._games_intents:
            return intent
        key = _key(intent)
        return key.rstrip(".") if key in self._actions and key != GAME_INTENTS else UNKNOWN

    @cached_property
    def _games_intents(self) -> frozenset[str]:
        """The intents of all games, which are registered by the time of the first press."""
        return frozenset(intent for screens in self._context.screens.values() for intent in screens.presses())


def _key(intent: str) -> str:
    """The key in `Actions` for an intent: its beginning up to and with the first ".", or the whole of it."""
    family, dot, _rest = intent.partition(".")
    return family + dot


async def _unknown(_context: HandlerContext, _interaction: Interaction) -> Reply:
    raise Refused("unknown")


async def _leave_as_it_is(_context: HandlerContext, _interaction: Interaction) -> Reply:
    set_outcome("second-tap")
    return Reply()


async def reply_to(context: HandlerContext, interaction: Interaction, handler: Handler) -> Reply:
    """The handler's reply, or a screen with the reason why the press did nothing.

    A press on an outdated screen, or one that was already carried out, is answered with the present state. Raises
    `AnsweredElsewhere` if another process answers, and no other error.
    """
    table = interaction.to.table
    try:
        try:
            return await run(context, interaction, refused_on_screen(handler))
        except (Stale, Conflict, Repeated) as error:
            await check_is_ours(context, interaction)
            code = "repeated" if isinstance(error, Repeated) else "stale"
            set_outcome(code)
            return await show_present(context, interaction, Refused(code))
        except UNDELIVERED as error:
            if not is_transient(error):
                raise
            log.warning("table %s: Discord does not take a message (%s)", table, Brief(error))
            raise Refused("discord-away") from None
    except AnsweredElsewhere:
        raise
    except Refused as refused:
        await check_is_ours(context, interaction)
        set_outcome("refused")
        return refused_reply(refused)
    except StoreError as error:
        set_outcome("not-saved")
        log.error("table %s: could not be saved: %s", table, error)
        return refused_reply(Refused("storage"))
    except Exception:
        set_outcome("failed")
        reference = secrets.token_hex(4)
        log.exception("table %s: a press failed (%s, %s)", table, interaction.to.intent, reference)
        return refused_reply(Refused("failed", reference=reference))


async def run(context: HandlerContext, interaction: Interaction, handler: Handler) -> Reply:
    """The handler's reply. Raises the handler's errors; `Conflict` after `RUNS_AGAIN` further runs.

    A handler runs again only while none of its changes is durable, so that no change is made twice.
    """
    await _check_table(context, interaction)
    for _again in range(RUNS_AGAIN):
        try:
            return await handler(context, interaction)
        except Conflict:
            if not may_retry():
                raise
    return await handler(context, interaction)


async def _check_table(context: HandlerContext, interaction: Interaction) -> None:
    """Checks that the button's table is here, or is a private match that the presser may look at.

    After restoring a backup another table may have its number. A public message stands in its table's channel. A
    private one may have been opened in another channel of the server, from `/games mine`; of a table in a group DM,
    anywhere without a server, but by its players alone.
    """
    if not interaction.to.table:
        return
    table = await context.tables.get(interaction.to.table)
    user_id = interaction.user_id
    check_may_look(table, user_id, context.tables.utc)
    if table.is_private or interaction.message is None:
        return
    if interaction.on_private:
        plays = table.seat_of(user_id) is not None or table.has_left(user_id)
        outside = table.in_group and table.channel_id != interaction.channel_id
        if table.guild_id != interaction.guild_id or (outside and not plays):
            raise Refused("no-table")
        return
    if table.channel_id != interaction.channel_id:
        raise Refused("no-table")
    await context.presenter.recovery.recognise(table, interaction.message.id)
