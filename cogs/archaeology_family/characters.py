"""The lines of the agents of both Archaeology games about their play. Each line is true of every agent of its level.

There are as many lines as a table has agents at most, so that agents of one level differ.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.language import by_language
from bot.language import gettext as _
from bot.ui.screens.game_words import Opponent

Wins = Mapping[str, tuple[int, int]]
"""See `Opponent.lesson_wins`, by level."""


def opponents(wins: Wins) -> Mapping[str, Opponent]:
    """The lines and odds of the agents of a game, by level."""
    return {level: Opponent(lines, wins.get(level)) for level, lines in _lines().items()}


@by_language
def _lines() -> Mapping[str, tuple[str, ...]]:
    return {
        "novice": (
            _("A trade must help my sets a lot. The small ones are yours."),
            _("I mind my own cards. My Thief visits the fullest hand."),
            _("I sell full sets, and small ones only at the very end."),
            _("I explore before I trade, and trade before I sell."),
        ),
        "veteran": (
            _("I trade only when it clearly pays."),
            _("Small gains I leave to you. I wait for a big one."),
            _("I plan my whole turn, with few trades in it."),
            _("My Thief knows who took good cards from the market."),
        ),
        "expert": (
            _("I plan my whole turn before I touch a card."),
            _("My Thief remembers who took which cards."),
            _("Of all trades that the market allows, I find the best."),
            _("I ask what each card will be worth next turn."),
        ),
        "master": (
            _("I try my moves out in my head before I make one."),
            _("I imagine the cards that I can't see, again and again."),
            _("I ask what an Expert would do. Then I look for better."),
            _("I think about your next turn, not only mine."),
        ),
    }
