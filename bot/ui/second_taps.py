"""Recognises second taps: the end of a double tap, on the button that has just taken the place of the pressed one."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import discord

from bot.settings import Settings
from bot.ui.interaction import Interaction
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import parts_of

_LONGEST: Final = 10.0
"""Seconds after which an answer is no longer expected."""
_REMEMBERED: Final = 1000
"""The number of people whose last press is known."""


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
