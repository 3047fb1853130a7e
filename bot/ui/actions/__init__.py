"""The handlers of every button, menu and form of a table. Each module maps intents to its handlers (`ACTIONS`)."""

from __future__ import annotations

from typing import Final

from bot.ui.actions import leaving, lessons, lobby, lookup, match, opening
from bot.ui.handlers import Actions

ACTIONS: Final[Actions] = {
    **opening.ACTIONS,
    **lobby.ACTIONS,
    **match.ACTIONS,
    **lookup.ACTIONS,
    **leaving.ACTIONS,
    **lessons.ACTIONS,
}
"""Every action that requires nothing but the `HandlerContext`."""
