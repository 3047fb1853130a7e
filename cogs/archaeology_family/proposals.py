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
        case "loses-least" | "loses-for-later":
            return _of_a_loss(reason)
        case "robs":
            return _of_a_theft(facts, names)
        case "completes-set" | "buys-maps" | "grows-set" | "takes-singles":
            return _of_a_trade(reason)
        case "sells-whole-set" | "sells-at-the-end" | "sells-part" | "keeps-set":
            return _of_a_sale(reason)
        case _:
            return ""


def _of_waiting(facts: Mapping[str, Any]) -> str:
    if not facts["now"]:
        return _("You have no cards to trade or sell.")
    if not facts["site"]:
        return _("Everything else would cost you more in the end.")
    if facts["best"] and facts["acted"]:
        text = _(
            "After your latest move, this hint looks at no further trade; one for {cards} would bring your hand from "
            "${now} to ${best} now."
        )
        return text.format(cards=card.cards(facts["others"].take), now=facts["now"], best=facts["best"])
    if facts["best"]:
        text = _(
            "Taking {cards} would bring your hand from ${now} to ${best} now, but your cards should come to more "
            "as they are."
        )
        return text.format(cards=card.cards(facts["others"].take), now=facts["now"], best=facts["best"])
    text = _("No trade raises the ${now} that your hand brings now. Treasures still in the dig site: {n}.")
    return text.format(now=facts["now"], n=facts["treasures"])


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
    text = _("At the museum: {hand}; losing {cards} would leave ${best}.")
    text = text.format(hand=hand, cards=card.cards(facts["others"]), best=facts["best"])
    if facts["short"]:
        kept = card.cards([(facts["treasure"], facts["held"])])
        hope = _("But this way you keep {cards}, {n} short of a set for ${price}.")
        hope = hope.format(cards=kept, n=facts["short"], price=facts["price"])
    elif facts["maps"]:
        hope = _("But this way you keep {maps}, which can open a chamber.")
        hope = hope.format(maps=card.cards([(MAP, facts["maps"])]))
    else:
        hope = _("But what you keep this way can still become more.")
    return f"{text} {hope}"


def _of_a_trade(reason: Reason) -> str:
    """The hand at the museum before and after a trade, the trade that makes most of it, and the purpose."""
    facts = reason.facts
    parts = [_at_the_museum(facts)]
    if reason.code != "completes-set" and (facts["best"] or facts["then"] < facts["now"]):
        parts.append(_("This trade looks further ahead."))
    parts.append(_purpose(reason))
    return " ".join(filter(None, parts))


def _at_the_museum(facts: Mapping[str, Any]) -> str:
    hand = trading.comes_to(facts["now"], facts["then"])
    if not facts["best"]:
        return _("At the museum: {hand}.").format(hand=hand)
    if facts["instead"]:
        text, cards = _("At the museum: {hand}; giving {cards} would make it ${best}."), facts["others"].give
    else:
        text, cards = _("At the museum: {hand}; taking {cards} would make it ${best}."), facts["others"].take
    return text.format(hand=hand, cards=card.cards(cards), best=facts["best"])


def _purpose(reason: Reason) -> str:
    """The purpose of a trade: a set, a chamber, or cards that need no others."""
    facts = reason.facts
    match reason.code:
        case "buys-maps" if not facts["cost"]:
            text = _("Then you hold {maps}, {n} short of a chamber.")
            return text.format(maps=card.counted(MAP, facts["maps"]), n=facts["short"])
        case "buys-maps":
            return _of_a_chamber(facts)
        case "completes-set":
            text = (
                _(
                    "Either way you complete a set: {cards} bring ${price}. The rest of the trade is for later."
                )
                if facts["too"]
                else _("It completes a set that you can sell at once: {cards} bring ${price}.")
            )
            cards = card.cards([(facts["treasure"], facts["count"])])
            text = text.format(cards=cards, price=facts["price"])
            return f"{text} {_of_a_chamber(facts)}" if facts["cost"] else text
        case "takes-singles":
            text = _("{card} sells for ${price} even alone, with no set to wait for.")
            return text.format(card=card.cards([(facts["treasure"], 1)]), price=facts["price"])
        case _ if facts["short"]:
            text = _("Then you hold {cards}, {n} short of a set for ${price}.")
            cards = card.cards([(facts["treasure"], facts["held"])])
            text = text.format(cards=cards, n=facts["short"], price=facts["price"])
            if not facts["lie"]:
                return text
            lying = card.cards([(facts["treasure"], facts["lie"])])
            return f"{text} " + _("Still in the market: {cards}.").format(cards=lying)
        case _:
            return ""


def _of_a_chamber(facts: Mapping[str, Any]) -> str:
    text = _("Then you hold {maps}, enough for a chamber that another player might take first.")
    return text.format(maps=card.counted(MAP, facts["maps"]))


def _of_a_sale(reason: Reason) -> str:
    """The gain of a sale over keeping the cards, or of keeping them over a sale."""
    facts, dangers = reason.facts, _dangers(reason.facts)
    match reason.code:
        case "keeps-set":
            text = _("Selling now brings only ${price}; with {n} more it's ${full}.")
            text = text.format(price=facts["price"], n=facts["short"], full=facts["full"])
            risk = _("That is worth the risk of what lies in the dig site: {dangers}.") if dangers else ""
            return " ".join(filter(None, [text, risk.format(dangers=dangers)]))
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


def _dangers(facts: Mapping[str, Any]) -> str:
    """The hazards in the dig site: "🦹 1 Thief and 🌪️ 2 Sandstorms"."""
    thieves, storms = facts["thieves"], facts["storms"]
    thieves_text = ngettext("{n} Thief", "{n} Thieves", thieves).format(n=thieves)
    storms_text = ngettext("{n} Sandstorm", "{n} Sandstorms", storms).format(n=storms)
    named = [f"{card.THIEF} {thieves_text}"] if thieves else []
    named += [f"{card.SANDSTORM} {storms_text}"] if storms else []
    return listing(named)
