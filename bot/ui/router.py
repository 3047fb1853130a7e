"""Finds and runs the handler of each press and command, and has the answer delivered. Every interaction is answered.

A handler runs again if another process has changed the table meanwhile. A press that is refused, stale, delivered
twice, or not stored, is answered, too.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from functools import cached_property
from typing import Any, Final

import discord

from bot.gateway.errors import Brief, is_transient
from bot.observability.context import Operation, may_retry, operation_scope, set_outcome
from bot.observability.metrics import Metrics
from bot.ratelimit.limiter import RateLimiter
from bot.store.model import Conflict, Repeated, StoreError, shard_of
from bot.tables.locks import Locks
from bot.tables.refusals import AnsweredElsewhere, Refused, Stale
from bot.tables.secrecy import check_may_look
from bot.ui.actions.presses import refused_reply, show_present
from bot.ui.actions.server_setup import Introductions
from bot.ui.delivery import Delivery
from bot.ui.handlers import Action, Actions, Handler, HandlerContext, check_is_ours
from bot.ui.interaction import UNDELIVERED, DeferralMode, Interaction, Reply, read_interaction
from bot.ui.permissions import say_files_are_forbidden
from bot.ui.screens.game_screens import GAME_INTENTS
from bot.ui.screens.ids import Id

log = logging.getLogger(__name__)

RUNS_AGAIN: Final = 3
"""How often a handler runs again because another process has changed the table."""


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
    check_may_look(table, interaction.user_id, context.tables.utc)
    if table.is_private or interaction.message is None:
        return
    if interaction.on_private:
        user_id = interaction.user_id
        plays = table.seat_of(user_id) is not None or table.has_left(user_id)
        outside = table.in_group and table.channel_id != interaction.channel_id
        if table.guild_id != interaction.guild_id or (outside and not plays):
            raise Refused("no-table")
        return
    if table.channel_id != interaction.channel_id:
        raise Refused("no-table")
    await context.presenter.recognise(table, interaction.message.id)


async def answer(context: HandlerContext, interaction: Interaction, handler: Handler) -> Reply:
    """The handler's reply, or a screen with the reason why the press did nothing.

    Raises `AnsweredElsewhere` if another process answers, and no other error.
    """
    try:
        return await _unless_outdated(context, interaction, handler)
    except Refused as refused:
        await check_is_ours(context, interaction)
        set_outcome("refused")
        return refused_reply(interaction, refused)
    except AnsweredElsewhere:
        raise
    except StoreError as error:
        set_outcome("not-saved")
        log.error("table %s: could not be saved: %s", interaction.to.table, error)
        return refused_reply(interaction, Refused("storage"))
    except Exception:
        set_outcome("failed")
        reference = secrets.token_hex(4)
        to = interaction.to
        log.exception("table %s: a press failed (%s, %s)", to.table, to.intent, reference)
        return refused_reply(interaction, Refused("failed", reference=reference))


async def _unless_outdated(context: HandlerContext, interaction: Interaction, handler: Handler) -> Reply:
    """The handler's reply, or the present state if the press was on an outdated screen or was already carried out."""
    try:
        return await run(context, interaction, handler)
    except UNDELIVERED as error:
        if not is_transient(error):
            raise
        log.warning("table %s: Discord does not take a message (%s)", interaction.to.table, Brief(error))
        raise Refused("discord-away") from None
    except (Stale, Conflict):
        return await _present(context, interaction, "stale")
    except Repeated:
        return await _present(context, interaction, "repeated")


async def _present(context: HandlerContext, interaction: Interaction, code: str) -> Reply:
    await check_is_ours(context, interaction)
    set_outcome(code)
    return await show_present(context, interaction, code)


UNKNOWN: Final = "unknown"
"""The name under which presses with an unknown intent are counted."""
PRESSES_AT_ONCE: Final = 5
"""Presses of one person that are dealt with at a time. Their further presses wait; other people's do not."""


async def _unknown(_context: HandlerContext, _interaction: Interaction) -> Reply:
    raise Refused("unknown")


class Router:
    """Has every button, menu, form and command carried out and answered."""

    def __init__(
        self,
        client: discord.Client,
        context: HandlerContext,
        actions: Actions,
        pace: RateLimiter,
        metrics: Metrics,
    ) -> None:
        """`actions` are the actions of every button, menu and form, by intent."""
        self._client = client
        self._context = context
        self._actions = actions
        self._language_of = context.presenter.calls.language
        self._metrics = metrics
        self._delivery = Delivery(context, pace, metrics)
        self._presses = Locks(PRESSES_AT_ONCE)
        self._introductions = Introductions(context)
        self.answering: set[asyncio.Task[Any]] = set()
        """The tasks that answer interactions. A host that closes waits for them."""

    async def on_interaction(self, raw: discord.Interaction[Any]) -> None:
        """Answers presses and forms. Commands arrive through the command tree instead."""
        interaction = read_interaction(raw, self._language_of, self._context.pictures.uploads)
        if interaction is not None:
            handler, mode = self._actions.get(_key(interaction.to.intent), Action(_unknown, "ephemeral"))
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
            with operation_scope(self._operation(interaction)) as operation:
                await self._delivery.deliver(interaction, self._answer(interaction, handler), mode)
                self._metrics.answered(operation, interaction.first.at)
                await self._introductions.follow(interaction)
                await say_files_are_forbidden(interaction)
                log.debug("table %s: %s is %s", operation.table, operation.name, operation.outcome)
        finally:
            self.answering.discard(task)
            interaction.let_go()

    def shard_of(self, guild_id: int) -> int | None:
        """The shard that serves a server; None before the number of shards is known."""
        count = self._client.shard_count
        return shard_of(guild_id, count) if count else None

    # -- the name by which an interaction is counted

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

    # -- the answer

    async def _answer(self, interaction: Interaction, handler: Handler) -> Reply:
        """The reply with its emoji and the new view of the pressed table message. Raises `AnsweredElsewhere`."""
        async with self._presses.hold(interaction.user_id):
            if (
                self._context.tables.writer.is_too_late(interaction.shard_guild, interaction.id)
                and not interaction.is_deferred
            ):
                raise AnsweredElsewhere  # the interaction has waited for the lock while this process was frozen
            if interaction.message is not None:
                await self._context.late.pressed(interaction.message.id)
            reply = await answer(self._context, interaction, handler)
        self._add_emoji(interaction, reply)
        if interaction.on_public and reply.mode != "public" and reply.modal is None:
            await self._add_table(interaction, reply)
        return reply

    def _add_emoji(self, interaction: Interaction, reply: Reply) -> None:
        """Sets the emoji of the reply's game."""
        table = self._context.tables.at_hand(interaction.to.table)
        game = table.game.key if table is not None else reply.game
        if reply.screen is None or game is None:
            return
        user = None if reply.mode == "public" else interaction.user_id
        reply.screen.legend = self._context.pictures.legend(game, interaction.guild_id, user)

    async def _add_table(self, interaction: Interaction, reply: Reply) -> None:
        """Has the answer also draw the pressed message anew, in addition to the private reply."""
        assert interaction.message is not None
        try:
            reply.table = await self._context.presenter.in_answer(
                interaction.to.table, interaction.message.id
            )
        except (Refused, StoreError):
            pass  # the table's redraw will draw it
        except Exception:
            log.exception("table %s: it could not be drawn in an answer", interaction.to.table)


def _key(intent: str) -> str:
    """The key in `Actions` for an intent: its beginning up to and with the first ".", or the whole of it."""
    family, dot, _rest = intent.partition(".")
    return family + dot
