"""Proposed moves of the Archaeology games in words, and the reasons for them."""

from __future__ import annotations

from typing import Any

from bot.language import gettext as _
from bot.language import ngettext
from bot.ui.screens.names import Names
from cogs.archaeology_family import names as card
from engine.agents.advice import Reason
from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.state import View


def move_text(view: View, move: Any, names: Names, chamber: str) -> str:
    """A proposed move that both games have; `chamber` is the name of the chamber that it explores."""
    # Translators: the proposals of moves (“Sell 5 Coins for $15.”) are worded as infinitives where a language has them.
    match move:
        case m.Dig():
            return _("Dig.")
        case m.Steal(victim):
            return _("Send the Thief to {name}.").format(name=names.bold(victim))
        case m.Discard(cards):
            return _("Lose {cards} to the Sandstorm.").format(cards=card.cards(cards))
        case m.Trade(give, take):
            return _("Give {give} for {take}.").format(give=card.cards(give), take=card.cards(take))
        case m.Explore():
            return _("Explore {chamber}.").format(chamber=chamber)
        case m.Sell(kind, count):
            price = view.prices[kind][count - 1]
            return _("Sell {cards} for ${price}.").format(cards=card.cards([(kind, count)]), price=price)
        case _:
            return _("End the turn.")


def reason_text(view: View, reason: Reason, names: Names) -> str:
    """A reason that both games have. The codes are those of `engine.archaeology_family.agents.reasons`."""
    facts = reason.facts
    match reason.code:
        case "explores":
            return _("Its {cards} are worth more than the Maps.").format(
                cards=card.number_of_cards(facts["cards"])
            )
        case "waits":
            if not facts["site"]:
                return _("Nothing else would gain you anything now.")
            return _("Your sets can still grow: {cards} lie in the dig site.").format(
                cards=card.number_of_cards(facts["site"])
            )
        case "loses-least":
            return _("That costs you the least.")
        case "robs":
            return _("There it may find what you need: {name} holds {cards}.").format(
                name=names.bold(facts["victim"]), cards=card.number_of_cards(facts["cards"])
            )
        case "completes-set":
            return _("That completes a set: {cards} bring ${price}.").format(
                cards=card.cards([(facts["treasure"], facts["count"])]), price=facts["price"]
            )
        case "buys-maps":
            return _("Then you hold {maps} for a chamber.").format(maps=card.counted(MAP, facts["maps"]))
        case "grows-set":
            return _("Then you hold {cards}; a complete set is {largest}.").format(
                cards=card.cards([(facts["treasure"], facts["held"])]), largest=facts["largest"]
            )
        case "sells-whole-set":
            return _("The museum takes no larger set of these.")
        case "sells-at-the-end":
            return _("The dig site is empty, so this set is unlikely to grow.")
        case "sells-part":
            return _of_a_small_sale(view)
        case _:
            return ""


def _of_a_small_sale(view: View) -> str:
    """Why a set is sold that could still grow: the danger that lies in the dig site."""
    if not view.sandstorms:
        return _("A larger set is unlikely now.")
    return ngettext(
        "A sold set is safe: {n} Sandstorm is among the {cards} in the dig site.",
        "A sold set is safe: {n} Sandstorms are among the {cards} in the dig site.",
        view.sandstorms,
    ).format(n=view.sandstorms, cards=card.number_of_cards(view.site))
