"""Features for the time between matches, a folder each: its acts, its handlers and its screens.

The store's part of each is in `bot.store`, since matches are written in the same transaction; acts that lobbies and
matches need as well are in `bot.tables`.
"""

from __future__ import annotations

from typing import Final

from bot.people.daily import handlers as daily
from bot.people.front import games as front
from bot.people.matchmaking import handlers as matchmaking
from bot.people.own_matches import handlers as own_matches
from bot.people.own_settings import handlers as own_settings
from bot.people.ratings import handlers as ratings
from bot.people.server_setup import handlers as server_setup
from bot.ui.handlers import Actions

ACTIONS: Final[Actions] = {
    **daily.ACTIONS,
    **matchmaking.ACTIONS,
    **own_matches.ACTIONS,
    **own_settings.ACTIONS,
    **ratings.ACTIONS,
    **server_setup.ACTIONS,
    **front.ACTIONS,
}
"""Every action of these features that requires nothing but the `HandlerContext`."""
