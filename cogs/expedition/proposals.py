"""Proposed moves that only The New Expedition has, in words, and the reasons for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.language import gettext as _
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
            return _of_the_tent(
                facts,
                _("It saves you {cards}, worth about ${dollars}."),
                _(
                    "It saves you {cards}, worth about ${dollars}. A later Sandstorm may find less to take; still "
                    "to come: {n}."
                ),
            )
        case "saves-tent":
            return _of_the_tent(
                facts,
                _("You lose {cards}, worth only about ${dollars}."),
                _(
                    "You lose {cards}, worth only about ${dollars}; the Tent may spare you more later. "
                    "Sandstorms still to come: {n}."
                ),
            )
        case "keeps-best":
            if facts["then"] <= facts["now"]:
                return _("They go best with your hand.")
            return _("With them your hand brings ${then} at the museum instead of ${now}.").format(
                now=facts["now"], then=facts["then"]
            )
        case "risks-more":
            return _(
                "One more card is worth the risk, although one with a trade value above {room} would bring the "
                "Mine down."
            ).format(room=facts["room"])
        case "takes-what-lies":
            return _(
                "With these, your hand brings ${then} instead of ${now}; another card with a trade value above "
                "{room} would bring the Mine down."
            ).format(now=facts["now"], then=facts["then"], room=facts["room"])
        case "looks":
            return _("No one else learns what you see there.")
        case "names-likeliest":
            return _(
                "They are the best to hope for: with one of each, your hand brings ${then} instead of ${now}."
            ).format(now=facts["now"], then=facts["then"])
        case _:
            return None


def _of_the_tent(facts: Mapping[str, Any], last: str, more: str) -> str:
    """A sentence about the cards at stake: `last` is for the last Sandstorm, `more` if there are others to come."""
    text = more if facts["storms"] else last
    return text.format(
        cards=card.number_of_cards(facts["cards"]), dollars=facts["dollars"], n=facts["storms"]
    )
