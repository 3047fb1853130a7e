"""Proposed moves of the Archaeology games in words, their selection on the screen, and the reasons for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.language import gettext as _
from bot.language import listing, ngettext
from bot.ui.screens.kit import Choices
from bot.ui.screens.names import Names
from cogs.archaeology_family import losses, museum, trading
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
            return _("Send the Thief to {name}.").format(name=names.escaped(victim))
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
        case m.Sell():
            return museum.selection_for(move)
        case _:
            return {}


Chambers = Callable[[int], str]
"""The name of each chamber in a sentence."""


def reason_text(reason: Reason, names: Names, chambers: Chambers) -> str:
    """A reason that both games have. The codes are those of `engine.archaeology_family.agents.reasons`."""
    facts = reason.facts
    match reason.code:
        case "explores":
            text = _("The cards should be worth about ${dollars}, and {maps} would sell for ${price}.")
            maps = card.counted(MAP, facts["maps"])
            text = text.format(dollars=facts["dollars"], maps=maps, price=facts["price"])
            return " ".join(filter(None, [text, _known(facts, MAP, names)]))
        case "waits":
            return _of_waiting(facts)
        case "loses-least" | "loses-for-later":
            return _of_a_loss(reason)
        case "robs":
            return _of_a_theft(facts, names)
        case "completes-set" | "buys-maps" | "grows-set" | "takes-singles":
            return _of_a_trade(reason, names, chambers)
        case "sells-whole-set" | "sells-at-the-end" | "sells-part" | "keeps-set":
            return _of_a_sale(reason)
        case _:
            return ""


def _known(facts: Mapping[str, Any], kind: int, names: Names) -> str:
    """The sentence about the other player who is known to hold most cards of a treasure; empty without one."""
    if not facts["rivals"]:
        return ""
    text = _("{name} is known to hold {cards}.")
    return text.format(name=names.bold(facts["rival"]), cards=card.cards([(kind, facts["rivals"])]))


def _of_waiting(facts: Mapping[str, Any]) -> str:
    if not facts["now"]:
        return _("You have no cards to trade or sell.")
    if 0 < facts["short"] <= facts["held"]:
        return _kept(facts)
    if facts["gains"]:
        return _("Treasures still in the dig site: {n}.").format(n=facts["treasures"])
    if facts["best"]:
        return _rejected(facts)
    return _("Nothing is better than ending the turn: no trade gains you as much as $1.")


def _kept(facts: Mapping[str, Any]) -> str:
    text = _("You keep {cards}, {n} short of a set for ${price}.")
    cards = card.cards([(facts["treasure"], facts["held"])])
    return text.format(cards=cards, n=facts["short"], price=facts["price"])


def _rejected(facts: Mapping[str, Any]) -> str:
    """The trade that would bring more at the museum now, and less in the end by the Expert's reckoning."""
    text = _("The trade for most now (${best}) ends at about ${worse}, this at about ${hope}.")
    return text.format(best=facts["best"], worse=facts["hope_best"], hope=facts["hope"])


def _of_a_theft(facts: Mapping[str, Any], names: Names) -> str:
    held = {"name": names.bold(facts["victim"]), "cards": card.number_of_cards(facts["cards"])}
    if facts["fit"]:
        text = _("{name} holds {cards}, among them {fit}, which you collect too.")
        return text.format(**held, fit=card.cards(facts["fit"]))
    if facts["dollars"]:
        text = _("{name} has the most money, ${dollars}, and holds {cards}.")
        return text.format(**held, dollars=facts["dollars"])
    if facts["alike"]:
        return _("As far as you can know, each of the others is as good a choice.")
    if facts["more"]:
        return _("No one else holds as many cards: {name} has {cards}.").format(**held)
    if facts["as_many"]:
        return _(
            "No one holds more cards than {name}, who has {cards}; one of them may be what you need."
        ).format(**held)
    if facts["known"]:
        return _("{name} holds {cards}, among them {known}.").format(**held, known=card.cards(facts["known"]))
    if facts["unfit"]:
        return _("Nothing that you know of the other hands fits yours; {name} holds {cards}.").format(**held)
    return _("There it may find what you need: {name} holds {cards}.").format(**held)


def _of_a_loss(reason: Reason) -> str:
    """The cost at the museum of a loss in a Sandstorm; if another one costs less there, what is kept instead."""
    facts = reason.facts
    hand = trading.comes_to(facts["now"], facts["then"])
    if reason.code == "loses-least":
        return _("At the museum: {hand}; no loss costs you less.").format(hand=hand)
    if facts["short"]:
        hope = _kept(facts)
    elif facts["maps"]:
        hope = _("You keep {maps}, which can open a chamber.")
        hope = hope.format(maps=card.cards([(MAP, facts["maps"])]))
    elif facts["hope"] > facts["hope_best"]:
        hope = _("Your cards are then worth about ${hope} in the end, not ${hope_best}.")
        hope = hope.format(hope=facts["hope"], hope_best=facts["hope_best"])
    else:
        return _("At the museum: {hand}.").format(hand=hand)
    text = _("Losing {cards} would leave ${best} now, not ${then}.")
    text = text.format(cards=card.cards(facts["others"]), best=facts["best"], then=facts["then"])
    return f"{hope} {text}"


def _of_a_trade(reason: Reason, names: Names, chambers: Chambers) -> str:
    """The purpose of a trade, and a trade that is worth more now; without one, the hand at the museum if it changes."""
    facts, parts = reason.facts, [_purpose(reason, names, chambers)]
    if broken := facts.get("broken"):
        parts.append(_("It breaks up a whole set: {cards}.").format(cards=card.cards(broken)))
    if facts["best"]:
        parts.append(_rejected(facts))
    elif facts["then"] != facts["now"]:
        hand = trading.comes_to(facts["now"], facts["then"])
        parts.append(_("At the museum: {hand}.").format(hand=hand))
    return " ".join(filter(None, parts))


def _purpose(reason: Reason, names: Names, chambers: Chambers) -> str:
    """The purpose of a trade: a set, a chamber, or cards that need no others."""
    facts = reason.facts
    match reason.code:
        case "buys-maps":
            return " ".join(filter(None, [_of_a_chamber(facts, chambers), _known(facts, MAP, names)]))
        case "completes-set":
            text = _("It completes a set: {cards} bring ${price} at once.")
            cards = card.cards([(facts["treasure"], facts["count"])])
            return text.format(cards=cards, price=facts["price"])
        case "takes-singles":
            text = _("{card} sells for ${price} even alone, with no set to wait for.")
            return text.format(card=card.cards([(facts["treasure"], 1)]), price=facts["price"])
        case _ if facts["short"]:
            text = _("Then you hold {cards}, {n} short of a set for ${price}.")
            if facts["lie"] and not facts["best"]:
                text = _("Then you hold {cards}, {n} short of a set for ${price}; in the market: {lie} more.")
            cards = card.cards([(facts["treasure"], facts["held"])])
            return text.format(cards=cards, n=facts["short"], price=facts["price"], lie=facts["lie"])
        case _:
            return ""


def _of_a_chamber(facts: Mapping[str, Any], chambers: Chambers) -> str:
    if facts["missing"]:
        text = _("Then you hold {maps}, {n} short of {chamber}, worth about ${dollars}.")
    else:
        text = _("Then you hold {maps}, enough for {chamber}, worth about ${dollars}.")
    maps, chamber = card.counted(MAP, facts["maps"]), chambers(facts["chamber"])
    return text.format(maps=maps, n=facts["missing"], chamber=chamber, dollars=facts["dollars"])


def _of_a_sale(reason: Reason) -> str:
    """The gain of a sale over keeping the cards, or of keeping them over a sale."""
    facts = reason.facts
    match reason.code:
        case "keeps-set":
            text = _("Selling now brings only ${price}; with {n} more it's ${full}.")
        case "sells-at-the-end":
            text = _("Selling now brings ${price}; with the dig site empty, waiting hardly brings more.")
        case "sells-part":
            text = _("Selling now brings ${price}; the {n} more for ${full} may not come.")
        case _:
            text = _("Selling now brings ${price}, and the museum takes no larger set of these.")
    if dangers := _dangers(facts):
        text = f"{text} " + _("Still to come: {dangers}.")
    return text.format(
        price=facts["price"], n=facts.get("short", 0), full=facts.get("full", 0), dangers=dangers
    )


def _dangers(facts: Mapping[str, Any]) -> str:
    """The hazards in the dig site: "🦹 1 Thief and 🌪️ 2 Sandstorms"."""
    thieves, storms = facts["thieves"], facts["storms"]
    thieves_text = ngettext("{n} Thief", "{n} Thieves", thieves).format(n=thieves)
    storms_text = ngettext("{n} Sandstorm", "{n} Sandstorms", storms).format(n=storms)
    named = [f"{card.THIEF} {thieves_text}"] if thieves else []
    named += [f"{card.SANDSTORM} {storms_text}"] if storms else []
    return listing(named)
