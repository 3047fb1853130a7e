"""The lines of the agents of Artifacts, Inc. about their play. Each line is true of every agent of its level.

There are as many lines as a table has agents at most, so that agents of one level differ.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.language import by_language
from bot.language import gettext as _
from bot.ui.screens.game_words import Opponent


@by_language
def opponents() -> Mapping[str, Opponent]:
    """The lines and odds of the agents, by level."""
    return {
        "novice": Opponent(
            (
                _("One die at a time, each where it brings most."),
                _("I buy last, with my lowest dice."),
                _("If a much better card is just out of reach, I save for it."),
            ),
            (2, 3),
        ),
        "veteran": Opponent(
            (
                _("I follow my first good idea to the end of my turn."),
                _("Of all the cards that I could buy, I look at only one."),
                _("I love to dive. At times I dive too much."),
            ),
            (1, 3),
        ),
        "expert": Opponent(
            (
                _("I plan every die to the end of my turn."),
                _("I count the turns that are left, and what they can bring."),
                _("If a card lets me reroll, I weigh what that may bring."),
            ),
            (1, 20),
        ),
        "master": Opponent(
            (
                _("I compare many plans before I place a die."),
                _("I imagine your next turn, and then mine."),
                _("I play for the chance to win, not for reputation alone."),
            ),
        ),
    }
