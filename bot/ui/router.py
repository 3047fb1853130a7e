"""Finds the handler of each press and command, and has the answer delivered. Every interaction is answered."""

from __future__ import annotations

import asyncio
import logging
from functools import cached_property
from typing import Any, Final

import discord

from bot.observability.context import Operation, operation_scope
from bot.observability.metrics import Metrics
from bot.ratelimit.limiter import RateLimiter
from bot.store.model import StoreError, shard_of
from bot.tables.locks import Locks
from bot.tables.refusals import AnsweredElsewhere, Refused
from bot.ui.actions.first_words import Introductions
from bot.ui.delivery import Delivery
from bot.ui.failures import answer
from bot.ui.handlers import Action, Actions, Handler, HandlerContext
from bot.ui.interaction import DeferralMode, Interaction, Reply, read_interaction
from bot.ui.permissions import say_files_are_forbidden
from bot.ui.screens.game_screens import GAME_INTENTS
from bot.ui.screens.ids import Id

log = logging.getLogger(__name__)

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
