"""The handlers of every button, menu and form of a table. Each module maps intents to its handlers (`ACTIONS`)."""

from __future__ import annotations

from typing import Final

from bot.ui.actions import (
    daily,
    leaving,
    lessons,
    lobby,
    lookup,
    match,
    opening,
    own_settings,
    play,
    results,
    server_setup,
)
from bot.ui.handlers import Actions

ACTIONS: Final[Actions] = {
    **opening.ACTIONS,
    **lobby.ACTIONS,
    **match.ACTIONS,
    **lookup.ACTIONS,
    **leaving.ACTIONS,
    **results.ACTIONS,
    **own_settings.ACTIONS,
    **play.ACTIONS,
    **daily.ACTIONS,
    **lessons.ACTIONS,
    **server_setup.ACTIONS,
}
"""Every action that requires nothing but the `HandlerContext`."""
