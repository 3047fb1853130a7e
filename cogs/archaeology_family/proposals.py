"""Proposed moves of the Archaeology games in words, their selection on the screen, and the reasons for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.language import gettext as _
from bot.language import listing, ngettext
from bot.ui.screens.kit import Choices
from bot.ui.screens.names import Names
from cogs.archaeology_family import losses, trading
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


def selection_for(view: View, move: Any) -> Choices:
    """The selection with which the private screen makes a proposed move at one press."""
    match move:
        case m.Trade():
            return trading.selection_for(view, move)
        case m.Discard():
            return losses.selection_for(view, move)
        case _:
            return {}


def reason_text(view: View, reason: Reason, names: Names) -> str:
    """A reason that both games have. The codes are those of `engine.archaeology_family.agents.reasons`."""
    facts = reason.facts
    match reason.code:
        case "explores":
            return _(
                "The cards should be worth about ${dollars}, and {maps} would sell for ${price}. "
                "If you wait, another player may come first."
            ).format(dollars=facts["dollars"], maps=card.counted(MAP, facts["maps"]), price=facts["price"])
        case "waits":
            return _of_waiting(facts)
        case "loses-least" if facts["now"] == facts["then"]:
            return _("The cards you keep bring ${now} at the museum, as much as before.").format(
                now=facts["now"]
            )
        case "loses-least":
            return _(
                "The cards you keep bring ${then} at the museum instead of ${now}; any other loss costs "
                "you more."
            ).format(now=facts["now"], then=facts["then"])
        case "robs":
            return _of_a_theft(facts, names)
        case "completes-set" | "buys-maps" | "grows-set":
            return _of_a_trade(reason)
        case "sells-whole-set" | "sells-at-the-end" | "sells-part" | "keeps-set":
            return _of_a_sale(reason)
        case _:
            return ""


def _of_waiting(facts: Mapping[str, Any]) -> str:
    if not facts["site"]:
        return _("Everything else would cost you more in the end.")
    text = _("No trade or sale gains you anything now; {cards} in the dig site can still grow your sets.")
    return with_dangers(text.format(cards=card.number_of_cards(facts["site"])), facts)


def _of_a_theft(facts: Mapping[str, Any], names: Names) -> str:
    held = {"name": names.bold(facts["victim"]), "cards": card.number_of_cards(facts["cards"])}
    if facts["fit"]:
        text = _("{name} holds {cards}, among them {fit}, which you collect too.")
        return text.format(**held, fit=card.cards(facts["fit"]))
    if facts["dollars"]:
        text = _("{name} has the most money, ${dollars}, and holds {cards}.")
        return text.format(**held, dollars=facts["dollars"])
    return _("There it may find what you need: {name} holds {cards}.").format(**held)


def _of_a_trade(reason: Reason) -> str:
    """The effect of a trade on the hand."""
    facts = reason.facts
    if reason.code == "buys-maps":
        maps = card.counted(MAP, facts["maps"])
        if facts["cost"]:
            text = _("Then you hold {maps}, enough for a chamber that another player might take first.")
            return text.format(maps=maps)
        return _("Then you hold {maps}, {n} short of a chamber.").format(maps=maps, n=facts["short"])
    worth = {"now": facts["now"], "then": facts["then"], "price": facts["price"]}
    if reason.code == "completes-set":
        cards = card.cards([(facts["treasure"], facts["count"])])
        text = _(
            "That completes a set: {cards} bring ${price}, and your whole hand ${then} instead of ${now}."
        )
        return text.format(cards=cards, **worth)
    if not facts["short"] and facts["then"] <= facts["now"]:
        return ""
    if not facts["short"]:
        return _("Your hand then brings ${then} at the museum instead of ${now}.").format(**worth)
    text = (
        _(
            "Then you hold {cards}, {n} short of a set for ${price}; your hand brings ${then} instead of ${now}."
        )
        if facts["then"] > facts["now"]
        else _("Then you hold {cards}, {n} short of a set for ${price}.")
    )
    cards = card.cards([(facts["treasure"], facts["held"])])
    return with_dangers(text.format(cards=cards, n=facts["short"], **worth), facts)


def _of_a_sale(reason: Reason) -> str:
    """The gain of a sale over keeping the cards, or of keeping them over a sale."""
    facts, dangers = reason.facts, _dangers(reason.facts)
    match reason.code:
        case "keeps-set":
            text = _("Selling now brings only ${price}; with {n} more it's ${full}.")
            return with_dangers(
                text.format(price=facts["price"], n=facts["short"], full=facts["full"]), facts
            )
        case "sells-at-the-end":
            text = _("Selling now brings ${price}; with the dig site empty, waiting hardly brings more.")
        case "sells-part" if dangers:
            text = _(
                "Selling now brings ${price}; with {n} more it would be ${full}, but waiting risks what lies "
                "in the dig site: {dangers}."
            )
        case "sells-part":
            text = _("Selling now brings ${price}; with {n} more it would be ${full}, but they may not come.")
        case _ if dangers:
            text = _(
                "Selling now brings ${price}; keeping the set risks what lies in the dig site: {dangers}."
            )
        case _:
            text = _("Selling now brings ${price}, and the museum takes no larger set of these.")
    return text.format(
        price=facts["price"], n=facts.get("short", 0), full=facts.get("full", 0), dangers=dangers
    )


def with_dangers(text: str, facts: Mapping[str, Any]) -> str:
    """A sentence, and another one about the hazards in the dig site if there are any."""
    dangers = _dangers(facts)
    return (
        " ".join([text, _("Still in the dig site: {dangers}.").format(dangers=dangers)]) if dangers else text
    )


def _dangers(facts: Mapping[str, Any]) -> str:
    """The hazards in the dig site: "🦹 1 Thief and 🌪️ 2 Sandstorms"."""
    thieves, storms = facts["thieves"], facts["storms"]
    thieves_text = ngettext("{n} Thief", "{n} Thieves", thieves).format(n=thieves)
    storms_text = ngettext("{n} Sandstorm", "{n} Sandstorms", storms).format(n=storms)
    named = [f"{card.THIEF} {thieves_text}"] if thieves else []
    named += [f"{card.SANDSTORM} {storms_text}"] if storms else []
    return listing(named)
