"""The prompts for a party's decisions: a sentence for all, and one to its player."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.language import gettext as _
from engine.artifact import state as s

Prompt = Callable[[], str]


def prompts() -> Mapping[str, Prompt]:
    """A sentence to the person who is asked, by the kind of decision."""
    # Translators: each follows a name and a comma: “@Ana, it is your turn: roll.”
    return {
        s.PARTY: lambda: _("make your party."),
        s.ROLL: lambda: _("it's your turn: roll."),
        s.DIRECTION: lambda: _("which way do you go?"),
        s.OPPONENT: lambda: _("who do you fight?"),
        s.ABILITY: lambda: _("name the ability of the fight."),
        s.ATTACK: lambda: _("you are in a fight: do you spend Boons?"),
        s.DEFEND: lambda: _("you are attacked: do you spend Boons?"),
        s.CHALLENGE: lambda: _("a Challenge: do you spend Boons?"),
        s.GIVE_UP: lambda: _("which Boon do you give up?"),
    }


def public_prompts() -> Mapping[str, Prompt]:
    """A sentence for all about who is asked, by the kind of decision."""
    return {
        s.PARTY: lambda: _("{who} makes a party."),
        s.ROLL: lambda: _("It is {who}'s turn to roll."),
        s.DIRECTION: lambda: _("{who} rolled {die}: which way?"),
        s.OPPONENT: lambda: _("{who} chooses who to fight."),
        s.ABILITY: lambda: _("{who} names the ability of the fight."),
        s.ATTACK: lambda: _("{who} attacks: with Boons?"),
        s.DEFEND: lambda: _("{who} is attacked: with Boons?"),
        s.CHALLENGE: lambda: _("{who} faces **{encounter}**."),
        s.GIVE_UP: lambda: _("{who} must give up a Boon."),
    }
