"""The handlers of every button, menu and form of a table. Each module maps intents to its handlers (`ACTIONS`)."""

from __future__ import annotations

from typing import Final

from bot.ui.actions import (
    challenge,
    daily,
    ending,
    leaving,
    lessons,
    lobby,
    lookup,
    match,
    opening,
    own_matches,
    own_settings,
    picture_choice,
    results,
)
from bot.ui.handlers import Actions

ACTIONS: Final[Actions] = {
    **opening.ACTIONS,
    **lobby.ACTIONS,
    **match.ACTIONS,
    **lookup.ACTIONS,
    **leaving.ACTIONS,
    **ending.ACTIONS,
    **picture_choice.ACTIONS,
    **results.ACTIONS,
    **own_settings.ACTIONS,
    **own_matches.ACTIONS,
    **challenge.ACTIONS,
    **daily.ACTIONS,
    **lessons.ACTIONS,
}
"""Every action that requires nothing but the `HandlerContext`."""
