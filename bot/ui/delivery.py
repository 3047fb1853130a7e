"""Delivers answers to Discord, records lost answers, and detects a second bot with the same token.

Discord refuses answers to presses as already answered if there is a second bot.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Coroutine
from functools import partial
from typing import Any, Final

import discord

from bot.clock import Clock
from bot.gateway.errors import Brief
from bot.observability.metrics import Metrics
from bot.ratelimit.limiter import RateLimiter
from bot.store.model import StoreError
from bot.tables.model import HOUR, MINUTE
from bot.tables.refusals import AnsweredElsewhere
from bot.ui.handlers import HandlerContext
from bot.ui.interaction import UNDELIVERED, DeferralMode, Interaction, Reply
from bot.ui.tokens import Token

log = logging.getLogger(__name__)
ENOUGH: Final = 3
"""If this many presses within `WITHIN` were already answered, that is no accident."""
WITHIN: Final = 10 * MINUTE
"""Seconds within which these presses come."""
AGAIN: Final = HOUR
"""Seconds until a rival is reported again."""
_REMEMBERED: Final = 1000
"""The number of interactions for which it is known that they were delivered."""


class Rival:
    """Counts presses and commands that another bot answered before this process could."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._delivered: dict[int, None] = {}
        """The ids of the interactions that were delivered last, oldest first."""
        self._repeated = deque[int](maxlen=_REMEMBERED)
        self._already_answered = deque[float](maxlen=ENOUGH)
        self._told: float | None = None

    def note_delivered(self, interaction: int) -> None:
        """Notes that an interaction was delivered to this process."""
        if interaction in self._delivered:
            self._repeated.append(interaction)
        self._delivered[interaction] = None
        if len(self._delivered) > _REMEMBERED:
            del self._delivered[next(iter(self._delivered))]

    def note_already_answered(self, interaction: int) -> None:
        """Notes an interaction that was already answered. Reports a rival once that is the likely cause."""
        if interaction in self._repeated:
            # The interaction was delivered twice, and this process answered it the first time.
            return
        now = self._clock.now()
        self._already_answered.append(now)
        if len(self._already_answered) < ENOUGH or now - self._already_answered[0] > WITHIN:
            return
        if self._told is None or now - self._told >= AGAIN:
            self._told = now
            log.error(
                "somebody else has answered presses on this bot, %s within %.0f s: most likely a second bot runs with "
                "the same DISCORD_TOKEN. Stop it, or give it a token of its own; if you run only one, the token is in "
                "other hands: make a new one in the developer portal",
                ENOUGH,
                now - self._already_answered[0],
            )


TOKEN_LIVES: Final = 14 * MINUTE
"""Seconds for which a token is used. Discord accepts it for 15 minutes."""


class Delivery:
    """Delivers the answers to all interactions, and registers their tokens."""

    def __init__(self, context: HandlerContext, pace: RateLimiter, metrics: Metrics) -> None:
        self._presenter = context.presenter
        self._tokens = context.presenter.tokens
        self._clock = context.tables.clock
        self._tables = context.tables
        self._fleet = context.fleet
        self._pace = pace
        self._metrics = metrics
        self._rival = Rival(self._clock)

    async def deliver(
        self, interaction: Interaction, answer: Coroutine[Any, Any, Reply], mode: DeferralMode
    ) -> None:
        """Waits for the answer and delivers it; defers a slow answer in this mode first. Raises nothing."""
        self._rival.note_delivered(interaction.id)
        table = interaction.to.table
        try:
            with (
                self._pace.press(interaction.shard_guild, interaction.user_id, interaction.channel_id),
                self._tokens.answering(table),
            ):
                await interaction.serve(answer, mode, partial(self._keep_token, interaction))
            await self._catch_up(interaction.to.table)
        except AnsweredElsewhere:
            log.info("table %s: another process answers a press", interaction.to.table)
        except discord.NotFound as error:
            # Discord refuses the late answer, or the private message is gone. The change stands, and messages
            # will show it.
            self._metrics.answer_lost("late")
            log.info("table %s: an answer came too late (%s)", interaction.to.table, error.code)
        except UNDELIVERED as error:
            self._undelivered(interaction, error)
        except Exception:
            self._metrics.answer_lost("failed")
            log.exception("table %s: an answer could not be delivered", interaction.to.table)

    async def _catch_up(self, table: int) -> None:
        """Has drawn what has waited for the press that was just answered, at a table in a group DM."""
        try:
            await self._presenter.catch_up(table)
        except StoreError as error:
            log.info("table %s: its messages wait for another press: %s", table, error)

    def _undelivered(self, interaction: Interaction, error: Exception) -> None:
        if interaction.first.beaten and not self._fleet.is_settled:
            log.info("table %s: another process has answered a press", interaction.to.table)
            return
        if interaction.first.beaten:
            self._rival.note_already_answered(interaction.id)
        self._metrics.answer_lost("undelivered")
        log.warning("table %s: an answer could not be delivered: %s", interaction.to.table, Brief(error))

    def _is_in_channel(self, interaction: Interaction) -> bool:
        """Whether the interaction is in its table's channel, where its token posts messages."""
        table = self._tables.at_hand(interaction.to.table)
        if table is None:
            return interaction.on_public
        return not table.is_private and table.channel_id == interaction.channel_id

    def _keep_token(self, interaction: Interaction, original: int | None) -> None:
        """Registers the token of an answered interaction. The token edits the message `original`."""
        until = self._clock.now() + TOKEN_LIVES
        interaction.token = Token(interaction.raw, original, until, interaction.uploads)
        if interaction.to.table and self._is_in_channel(interaction):
            self._tokens.gained(interaction.to.table, interaction.token, public=interaction.on_public)
