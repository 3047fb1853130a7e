"""The reasons for which the rules of Artifact refuse a move, in words."""

from __future__ import annotations

from bot.language import gettext as _
from bot.ui.screens.game_screens import Refusal
from cogs.artifact import names as name
from engine.artifact.catalogue import Catalogue


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
