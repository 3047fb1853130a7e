"""The context of handlers: the parts that every handler uses; their registration, and other processes' presses.

During a change of a shard's owner, both processes receive its presses; one of them carries a press out.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from bot.fleet.fleet import Fleet
from bot.observability.context import may_retry
from bot.settings import Settings
from bot.store.model import StoreError
from bot.tables.model import Table
from bot.tables.refusals import AnsweredElsewhere
from bot.tables.service import Tables
from bot.ui.interaction import DeferralMode, Interaction, Reply
from bot.ui.pictures import Pictures
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.table_display import Presenter


@dataclass(frozen=True, slots=True)
class HandlerContext:
    """The parts that every handler uses."""

    tables: Tables
    presenter: Presenter
    pictures: Pictures
    screens: Mapping[str, AnyScreens]
    """The screens of each game, by the game's key."""
    fleet: Fleet
    settings: Settings

    def screens_of(self, table: Table) -> AnyScreens:
        """The screens of a table's game."""
        return self.screens[table.game.key]


Handler = Callable[[HandlerContext, Interaction], Awaitable[Reply]]
"""Carries out a press or command, and returns the answer. Raises `Refused` if that is impossible.

A handler sends nothing to Discord before its first change of a table is durable: after a conflict it runs again.
"""


class Action(NamedTuple):
    """The handler of a button, menu or form, and the deferral mode of its answer."""

    handler: Handler
    mode: DeferralMode


Actions = Mapping[str, Action]
"""Actions by their intent. An intent that ends in "." stands for all intents with this beginning."""


async def check_is_ours(context: HandlerContext, interaction: Interaction) -> None:
    """Raises `AnsweredElsewhere` if another process has carried out this press; that process also answers it.

    To be called before a press is refused: a process that reads the table after the other process has changed it would
    refuse a press that was carried out.
    """
    if context.fleet.alone or not may_retry():
        return
    with suppress(StoreError):
        known = await context.tables.store.has_press(interaction.id)
        if known and not interaction.is_deferred:  # after a deferral this process must answer
            raise AnsweredElsewhere
