"""The handlers of every button, menu and form of a table. Each module maps intents to its handlers (`ACTIONS`)."""

from __future__ import annotations

from typing import Final

from bot.ui.actions import (
    challenge,
    daily,
    ending,
    first_words,
    holiday,
    leaving,
    lessons,
    lobby,
    lookup,
    match,
    opening,
    own_matches,
    own_settings,
    play,
    results,
    seasons,
    server_setup,
)
from bot.ui.handlers import Actions

ACTIONS: Final[Actions] = {
    **opening.ACTIONS,
    **lobby.ACTIONS,
    **match.ACTIONS,
    **lookup.ACTIONS,
    **leaving.ACTIONS,
    **ending.ACTIONS,
    **results.ACTIONS,
    **seasons.ACTIONS,
    **own_settings.ACTIONS,
    **holiday.ACTIONS,
    **own_matches.ACTIONS,
    **challenge.ACTIONS,
    **server_setup.ACTIONS,
    **play.ACTIONS,
    **daily.ACTIONS,
    **lessons.ACTIONS,
    **first_words.ACTIONS,
}
"""Every action that requires nothing but the `HandlerContext`."""
