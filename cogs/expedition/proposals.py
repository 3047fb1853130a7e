"""Proposed moves that only The New Expedition has, in words, and the reasons for them."""

from __future__ import annotations

from typing import Any

from bot.language import gettext as _
from bot.language import ngettext
from cogs.archaeology_family import names as card
from cogs.expedition.monuments import chamber_label
from engine.agents.advice import Reason
from engine.expedition import moves as x
from engine.expedition.state import ExpeditionView


def move_text(view: ExpeditionView, move: Any) -> str | None:
    """A proposed move that only this game has; None if it is one of the whole family."""
    match move:
        case x.UseTent(use):
            return _("Use the Tent.") if use else _("Save the Tent.")
        case x.LookAt(chamber):
            return _("Look into {chamber}.").format(chamber=chamber_label(chamber))
        case x.Keep(cards):
            return _("Keep {cards}.").format(cards=card.cards(cards))
        case x.TurnUp():
            return _("Reveal another card.")
        case x.Stop():
            return _("Stop and take what lies there.")
        case x.Guess((first, second)):
            return _("Ask the Sphinx for {first} and {second}.").format(
                first=card.name(first), second=card.name(second)
            )
        case _:
            return None


def reason_text(reason: Reason) -> str | None:
    """A reason that only this game has (`engine.expedition.agents.master`); None if it is one of the whole family."""
    facts = reason.facts
    match reason.code:
        case "spares-cards":
            return _("It saves you from losing {cards}.").format(cards=card.number_of_cards(facts["cards"]))
        case "saves-tent":
            if not facts["storms"]:
                return ""
            return ngettext(
                "{n} Sandstorm still lies in the dig site.",
                "{n} Sandstorms still lie in the dig site.",
                facts["storms"],
            ).format(n=facts["storms"])
        case "keeps-best":
            return _("They go best with your hand.")
        case "risks-more":
            return _("With {worth} revealed, one more card is worth the risk.").format(worth=facts["worth"])
        case "takes-what-lies":
            return _("With {worth} revealed, one more card could bring the Mine down.").format(
                worth=facts["worth"]
            )
        case "looks":
            return _("No one else learns what you see there.")
        case "names-likeliest":
            return _("These two are the best to hope for.")
        case _:
            return None
