"""The lines of the agents of Artifact about their play. Each line is true of every agent of its level.

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
                _("I head straight for the Artifact."),
                _("A Boon has to make a difference, or I keep it."),
                _("If you hold the Artifact, I wait for you on your way home."),
                _("In a fight for the Artifact I spend twice as freely."),
                _("With few members left, I'd rather not fight for nothing."),
            ),
            (1, 2),
        ),
        "veteran": Opponent(
            (
                _("I count the dice exactly before I decide."),
                _("I keep my Boons for the fights that matter."),
                _("In a fight I expect your best answer."),
                _("I ask of everything: does it help me win?"),
                _("I'll be where the Artifact has to pass."),
            ),
            (2, 5),
        ),
    }
