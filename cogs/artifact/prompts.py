"""Sentences to the players of Artifact: prompts for decisions, refusals of moves, and the agents' lines.

A prompt is a sentence for all, and one to the party's player. Each line of an agent is true of every agent of its
level.

There are as many lines as a table has agents at most, so that agents of one level differ.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.language import by_language
from bot.language import gettext as _
from bot.ui.screens.game_parts import Opponent
from bot.ui.screens.game_screens import Refusal
from cogs.artifact import names as name
from cogs.artifact.table import EXPLAINED
from engine.artifact import state as s
from engine.artifact.card_list import Catalogue
from engine.artifact.choices import by_roll


def prompts() -> Mapping[str, str]:
    """A sentence to the person who is asked, by the kind of decision."""
    # Translators: each follows a name and a comma: “@Ana, it is your turn: roll.”
    return {
        s.PARTY: _("these six people are your party."),
        s.ROLL: _("it's your turn: roll."),
        s.DIRECTION: _("which way do you go?"),
        s.OPPONENT: _("who do you fight?"),
        s.ABILITY: _("name the ability of the fight."),
        s.ATTACK: _("you are in a fight: do you spend Boons?"),
        s.DEFEND: _("you are attacked: do you spend Boons?"),
        s.CHALLENGE: _("a Challenge: do you spend Boons?"),
        s.GIVE_UP: _("which Boon do you give up?"),
    }


def public_prompts() -> Mapping[str, str]:
    """A sentence for all about who is asked, by the kind of decision."""
    return {
        s.PARTY: _("{who} makes a party."),
        s.ROLL: _("It is {who}'s turn to roll."),
        s.DIRECTION: _("{who} rolled {die} and chooses a way."),
        s.OPPONENT: _("{who} chooses who to fight."),
        s.ABILITY: _("{who} names the ability of the fight."),
        s.ATTACK: _("{who} attacks, and decides about Boons."),
        s.DEFEND: _("{who} is attacked, and decides about Boons."),
        s.CHALLENGE: _("{who} faces **{encounter}**."),
        s.GIVE_UP: _("{who} must give up a Boon."),
    }


def roll(view: s.View) -> str:
    """The sentence on the consequence of a roll, for a newcomer; none if the newcomer knows it by now."""
    ways = [way for each in by_roll(view).values() for way in each]
    meets = any(way.meets for way in ways)
    if view.holder == s.NOBODY:
        text = _("**Roll** to move 1 to 6 squares, to a Boon or a Challenge.")
        if meets:
            text = _("**Roll** to move 1 to 6 squares, to a Boon, a Challenge or a fight.")
        if any(way.square == view.lies for way in ways):
            text = _("**Roll** to move 1 to 6 squares; the Artifact {artifact} is in reach.")
        elif view.round > EXPLAINED:
            return ""
    elif view.holder == view.viewer:
        text = _("**Roll** to carry the Artifact {artifact} on to square 1.")
        if view.at[view.active] - s.HOME > 1:  # from there any roll wins
            text += " " + _("Others may fight you for it.")
    elif view.at[view.active] in (s.HOME, s.END):
        text = _("**Roll** to go after the Artifact {artifact}: from here there is only one way.")
    elif any(view.holder in way.meets for way in ways):
        text = _("**Roll**, then choose the way: to the Artifact {artifact}, or to where it must pass.")
    else:
        text = _("**Roll**, then choose the way; the Artifact {artifact} is out of reach of this roll.")
    if meets and view.round <= EXPLAINED:
        text += " " + _("In a fight, a die says which ability counts.")
    return text.format(artifact=name.ARTIFACT)


def refusals(catalogue: Catalogue) -> dict[str, Refusal]:
    """Why the rules forbid a move, by code."""

    def naming_the_aid(text: str) -> Refusal:
        return lambda facts: text.format(aid=name.aid_of(catalogue, str(facts["aid"])))

    return {
        "malformed": _("You can't choose that. Please choose again."),
        "other-decision": _("You have something else to decide now. Open your party to see it."),
        "wrong-number-of-tens": _(
            "Tens that you rolled: {need}. Abilities that you chose: {have}. Choose one for each ten."
        ),
        "no-such-ability": _("There is no such ability. Choose one of the nine."),
        "wrong-number-of-pieces": _(
            "A party sets out with {need} pieces of equipment, and you've chosen {have}. Choose {need}."
        ),
        "no-such-equipment": _("There is no such equipment. Choose two pieces from the list."),
        "same-equipment": _("Choose two different pieces of equipment."),
        "no-such-direction": _("A party moves forward or back. Choose one of the two."),
        "no-such-opponent": _("That party isn't on your square. Choose one that is."),
        "aid-not-held": naming_the_aid(_("You don't have that Boon: {aid}. Choose another one.")),
        "aid-does-not-fit": naming_the_aid(
            _("That Boon is for another ability: {aid}. Choose one for an ability that is named.")
        ),
    }


@by_language
def opponents() -> Mapping[str, Opponent]:
    """The lines and odds of the agents, by level."""
    return {
        "novice": Opponent(
            (
                _("I head straight for the Artifact."),
                _("I overlook half of what I could do."),
                _("If you hold it, I may wait on your way home."),
                _("My Boons? I keep forgetting them."),
                _("I fight whoever I notice first."),
            ),
            (3, 5),
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
