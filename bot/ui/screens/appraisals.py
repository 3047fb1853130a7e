"""The appraisal of a decision in words: its grade, what it changed, and what it leads to."""

from __future__ import annotations

from typing import Any, Final

from bot.language import gettext as _
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.names import Names
from engine.agents.advice import Appraisal
from engine.agents.search import Outlook

BIG_MISTAKE: Final = 0.25
"""The smallest chance to win that a big mistake loses."""
MISTAKE: Final = 0.1
"""The smallest chance to win that a mistake loses, and that a great move gains."""
TOLD: Final = 5
"""The difference of chances to win from which on it is told, in per cent."""


def grade(appraisal: Appraisal, *, praised: bool = True) -> str:
    """A decision in a few words, by the chance to win, which `facts` tells. Not all good ones are `praised`."""
    if appraisal.lead > 0 and not praised:
        return _("Right")
    if appraisal.lead > 0:
        return _("Great move") if appraisal.gained >= MISTAKE else _("Good move")
    if appraisal.beats_other:
        return _("You were right")
    if not appraisal.costly:
        return _("As good as the hint")
    if appraisal.gained <= -BIG_MISTAKE:
        return _("Big mistake")
    return _("Mistake") if appraisal.gained <= -MISTAKE else _("Slip")


def facts(screens: AnyScreens, appraisal: Appraisal, *, short: bool = False) -> str:
    """The effect of a decision on the chance to win; on the lead, if the chance is hardly another.

    `short`: for a list of such chances.
    """
    made, other, good = appraisal.made, appraisal.other, appraisal.lead > 0
    better, worse = (made, other) if good else (other, made)
    if better.own and worse.own:  # as the decision's page has the scores
        mine, others = [round(each.own) - round(each.own - each.lead) for each in (better, worse)]
        amount = mine - others
    else:
        amount = round(better.lead - worse.lead)
    if percent(made.chance) == percent(other.chance) and amount <= 0:
        return _("{made}% to win either way").format(made=percent(made.chance))
    if percent(better.chance) - percent(worse.chance) >= TOLD or amount <= 0:
        chances = _("{made}% instead of {other}%") if short else _("{made}% to win instead of {other}%")
        return chances.format(made=percent(made.chance), other=percent(other.chance))
    leads = _("about {amount} better") if good else _("about {amount} worse")
    return leads.format(amount=screens.amount(amount))


def percent(chance: float) -> int:
    """A chance in per cent. A match is never certain before its end, nor lost."""
    return min(99, max(1, round(100 * chance)))


def ends(screens: AnyScreens, view: Any, names: Names, outlook: Outlook) -> str:
    """The scores to which the agent plays on after a move; empty in a game without scores."""
    if not outlook.own:
        return ""
    others = [seat for seat in range(view.seats) if seat != view.viewer]
    who = names.bold(others[0]) if len(others) == 1 else _("the best of the others")
    mine, theirs = (screens.amount(round(score)) for score in (outlook.own, outlook.own - outlook.lead))
    return _("→ played on: you {own}, {who} {theirs}").format(own=mine, who=who, theirs=theirs)
