"""Proposed moves of the Archaeology games in words, their selection on the screen, and the reasons for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from bot.language import gettext as _
from bot.ui.screens.kit import Choices, Option
from bot.ui.screens.names import Names
from cogs.archaeology_family import losses, museum, trading
from cogs.archaeology_family import names as card
from engine.agents.advice import Reason
from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.state import View


def move_text(view: View, move: Any, names: Names, explorations: Iterable[Option]) -> str:
    """A proposed move that both games have; one of the `explorations` is worded as its button."""
    # Translators: the proposals of moves (“Sell 5 Coins for $15.”) are worded as infinitives where a language has them.
    match move:
        case m.Dig():
            return _("Dig.")
        case m.Steal(victim):
            return _("Send the Thief to {name}.").format(name=names.escaped(victim))
        case m.Discard(cards):
            return _("Lose {cards} to the Sandstorm.").format(cards=card.cards(cards))
        case m.Trade():
            return _("Give {give} for {take}.").format(**_bundles(move))
        case m.Explore(chamber):
            return next(f"{each.label}." for each in explorations if each.value == str(chamber))
        case m.Sell(kind, count):
            price = view.prices[kind][count - 1]
            return _("Sell {cards} for ${price}.").format(cards=card.cards([(kind, count)]), price=price)
        case _:
            return _("End the turn.")


def selection_for(view: View, move: Any) -> Choices:
    """The selection with which the private screen makes a proposed move at one press."""
    match move:
        case m.Trade():
            return trading.selection_for(move)
        case m.Discard():
            return losses.selection_for(view, move)
        case m.Sell():
            return museum.selection_for(move)
        case _:
            return {}


def reason_text(reason: Reason, names: Names, chambers: Callable[[int], str]) -> str:
    """A reason of both games (`engine.archaeology_family.agents.reasons`), with the chambers' names in a sentence."""
    facts = reason.facts
    match reason.code:
        case "explores":
            text = _("The cards should be worth about ${dollars}, and {maps} would sell for ${price}.")
            text = text.format(**{**facts, "maps": card.counted(MAP, facts["maps"])})
            small = _("A small gain: in trial games your cards brought a little more.")
            return text if facts["dollars"] > facts["price"] else small
        case "waits":
            return _of_waiting(facts)
        case "loses-least" | "loses-for-later":
            return _of_a_loss(reason)
        case "robs":
            return _of_a_theft(facts, names)
        case "completes-set" | "buys-maps" | "grows-set":
            return _of_a_trade(reason, chambers)
        case "sells-whole-set" | "sells-at-the-end" | "sells-part":
            return _of_a_sale(reason)
        case _:
            return ""


CLEAR: Final = 3
"""Dollars by the Expert's reckoning from which on a difference is argued; it is no better than that."""


def _of_waiting(facts: Mapping[str, Any]) -> str:
    """The gain that a set may still bring; or the trade that would make most of the hand now, and why it is left."""
    if not facts["own"]:
        return _("You don't dig again: wait for what others trade away before your next turn.")
    left = facts["best"] and facts["hope"] - facts["hope_best"] >= CLEAR
    if facts["short"] and not (left and facts["lie"] >= facts["short"]):
        return _awaited(facts)
    if facts["best"]:
        text = _("Giving {give} for {take} brings ${n} more now, but little in the end: it can wait.")
        if left:
            text = _("Giving {give} for {take} brings ${n} more now, but about ${less} less in the end.")
        elif facts["hope_best"] - facts["hope"] >= CLEAR:
            text = _("Giving {give} for {take} brings ${n} more now, but in trial games waiting did better.")
        return _rejected(text, facts, facts["now"])
    return _("No trade makes your hand sell for more than ${now}.").format(**facts)


def _rejected(text: str, facts: Mapping[str, Any], then: int) -> str:
    """The trade that would make most of the hand now, beside a hand that brings `then`, and why it is left."""
    more, less = facts["best"] - then, facts["hope"] - facts["hope_best"]
    return text.format(**_bundles(facts["others"]), n=more, less=less)


def _bundles(trade: m.Trade) -> Mapping[str, Any]:
    """The fields of a trade in texts."""
    return {"give": card.cards(trade.give), "take": card.cards(trade.take)}


def _awaited(facts: Mapping[str, Any]) -> str:
    """The price of the set that is waited for beside that of its cards now, and where the missing cards may be."""
    text = _("Selling {cards} now brings ${sells}; with {short} more it's ${full}.")
    text = text.format(**facts, cards=card.cards([(facts["treasure"], facts["held"])]))
    if facts.get("again") == (facts["treasure"], facts["short"]):  # it was read a turn ago
        cards = card.cards([(facts["treasure"], facts["short"])])
        return _("Still waiting for {cards}: then ${full}, not ${sells}.").format(**{**facts, "cards": cards})
    if facts["lie"] >= facts["short"]:
        text += " " + _("The market has the rest: pay for it with what you dig up next.")
    elif not (_risk(facts) or facts["traded"]):  # it was read with the trade
        text = f"{text} {unseen(facts)}".rstrip()
    return f"{text} {_risk(facts)}".rstrip()


def unseen(facts: Mapping[str, Any]) -> str:
    """How many cards of a treasure the viewer has not seen, and how many lie in the market; empty if there are none."""
    suffices = facts["lie"] >= facts.get("short", facts["lie"] + 1)
    seen = _("Not seen yet: {n} among {of} treasures.") if facts["unseen"] and not suffices else ""
    lies = _("In the market: {lie}.") if facts["lie"] else ""
    return f"{seen} {lies}".strip().format(n=facts["unseen"], of=facts["of"], lie=facts["lie"])


_LIKELY: Final = 10
"""The percentage from which on the danger of a Sandstorm is a reason to sell."""
_MUCH: Final = 8
"""The dollars of a hand for which that danger is told to one who waits."""


def _risk(facts: Mapping[str, Any]) -> str:
    """The risk of a Sandstorm; empty if it is small, or little is held, or it was read in this turn."""
    text = _("Risk of a Sandstorm {sign} before you can sell again: {n}%.")
    said = facts["storm"] < _LIKELY or facts.get("warned") or facts.get("now", _MUCH) < _MUCH
    return "" if said else text.format(sign=card.SANDSTORM, n=facts["storm"])


def sells(facts: Mapping[str, Any], least: int = 2) -> str:
    """The change of the hand's price at the museum; empty if it is less than so many dollars."""
    text = _("Your hand: ${now} → ${then}.").format(**facts)
    return text if abs(facts["then"] - facts["now"]) >= least else ""


def _of_a_theft(facts: Mapping[str, Any], names: Names) -> str:
    held = {"name": names.bold(facts["victim"]), "cards": card.number_of_cards(facts["cards"])}
    if facts["dollars"]:
        text = _("{name} has the most money, ${dollars}, and holds {cards}.")
        return text.format(**held, dollars=facts["dollars"])
    if facts["fit"]:
        text = _("{name} holds {cards}, among them {fit}, which you collect too.")
        return text.format(**held, fit=card.cards(facts["fit"]))
    return _("There it may find what you need: {name} holds {cards}.").format(**held)


def _of_a_loss(reason: Reason) -> str:
    """The cost at the museum of a loss in a Sandstorm; if another one costs less there, what is kept instead."""
    facts = reason.facts
    if reason.code == "loses-least":
        return _("No loss costs you less: your hand then sells for ${then}, not ${now}.").format(**facts)
    if facts["short"]:
        hope = _("You keep {cards}, {n} short of a set for ${price}.")
        cards = card.cards([(facts["treasure"], facts["held"])])
        hope = hope.format(cards=cards, n=facts["short"], price=facts["price"])
    elif facts["maps"]:
        hope = _("You keep {maps}, which can open a chamber.").format(maps=card.cards([(MAP, facts["maps"])]))
    elif facts["hope"] >= facts["hope_best"] + CLEAR:
        hope = _("Your cards are then worth about ${hope} in the end, not ${hope_best}.").format(**facts)
    else:
        return sells(facts, 1)
    text = _("The cheapest loss would leave ${best} now, not ${then}.").format(**facts)
    return f"{hope} {text}" if facts["best"] >= facts["then"] + CLEAR else hope


def _of_a_trade(reason: Reason, chambers: Callable[[int], str]) -> str:
    """The purpose of a trade, its effect on the hand's price, and its price in other sets."""
    facts, purpose = reason.facts, _purpose(reason, chambers)
    effect, gain = sells(facts), facts["hope"] - facts["had"]
    if gain >= CLEAR and facts["then"] < facts["now"] and effect:
        effect = _("Your hand: ${now} → ${then} now, but about ${n} more in the end.").format(**facts, n=gain)
    elif gain >= CLEAR and not (purpose or effect):
        effect = _("In the end your cards should bring about ${n} more.").format(n=gain)
    elif not (purpose or effect):
        small = _("A small gain: in trial games your cards brought a little more.")
        effect = sells(facts, 1) if facts["then"] > facts["now"] else small
    elif not purpose and facts["then"] < facts["now"]:
        effect = f"{effect} " + _("In trial games this did better.")
    clear = facts["hope"] - facts.get("hope_best", 0) >= CLEAR
    left = facts["best"] and (clear or facts.get("tried"))
    costs = list[str]()
    if broken := facts["broken"]:
        costs.append(_("It breaks up a whole set: {cards}.").format(cards=card.cards(broken)))
    if left:
        text = _("Taking {take} instead brings ${n} more now, but did worse in trial games.")
        if facts.get("repaid"):
            text = _("Paying with {give} brings ${n} more now, but did worse in trial games.")
        elif clear:
            text = _("Taking {take} instead brings ${n} more now, but about ${less} less in the end.")
        costs.append(_rejected(text, facts, facts["then"]))
    elif facts["behind"] and not (broken or facts["back"]):  # either is told as a step back
        kind, size, price, short, lacks = facts["behind"]
        text = _("It sets back the set of {cards} for ${price}: {n} short, not {short}.")
        costs.append(text.format(cards=card.cards([(kind, size)]), price=price, n=lacks, short=short))
    parts = [purpose or effect, *costs] if costs else [purpose, effect]
    if facts["behind"] or facts["back"]:  # it leaves a plan
        if lies := facts.get("lies"):
            parts.insert(0, _("New in the market: {cards}.").format(cards=card.cards(lies)))
        elif came := facts.get("came"):
            parts.insert(0, _("New in your hand: {cards}.").format(cards=card.cards(came)))
    return " ".join(filter(None, parts))


def _purpose(reason: Reason, chambers: Callable[[int], str]) -> str:
    """The purpose of a trade: a set, a chamber, or cards that need no others; empty if it is the hand's price."""
    facts, rises = reason.facts, reason.facts["then"] > reason.facts["now"]
    match reason.code:
        case "buys-maps":
            return _of_a_chamber(facts, chambers)
        case "completes-set":
            text = _("It completes the set of {cards} for ${price}.")
            return text.format(price=facts["price"], cards=card.cards([(facts["treasure"], facts["count"])]))
        case _ if facts["near"] or (facts["held"] >= facts["short"] > 0 and not rises):
            text = _("Then you hold {cards}, {n} short of a set for ${price}.")
            cards = card.cards([(facts["treasure"], facts["held"])])
            text = text.format(**facts, cards=cards, n=facts["short"])
            told = rises or facts["best"] or facts["back"] or facts["behind"]
            return text if told else f"{text} {unseen(facts)}".rstrip()
        case _:
            return ""


def _of_a_chamber(facts: Mapping[str, Any], chambers: Callable[[int], str]) -> str:
    if facts["missing"]:
        text = _("Then you hold {maps}, {n} short of {chamber}, worth about ${dollars}.")
        if not (facts["best"] or facts["back"] or facts["behind"]):
            text = f"{text} {unseen(facts)}".rstrip()
    else:
        text = _("Then you hold {maps}, enough for {chamber}, worth about ${dollars}.")
    maps, chamber = card.counted(MAP, facts["maps"]), chambers(facts["chamber"])
    return text.format(maps=maps, n=facts["missing"], chamber=chamber, dollars=facts["dollars"])


def _of_a_sale(reason: Reason) -> str:
    """The gain of a sale over keeping the cards."""
    facts = reason.facts
    match reason.code:
        case "sells-at-the-end":
            return _("The dig site is empty, so waiting hardly brings more.")
        case "sells-part" if facts["short"]:
            text = _("The {n} more for ${full} may not come.").format(n=facts["short"], full=facts["full"])
            text = f"{text} {unseen(facts)}".rstrip()
        case "sells-part":
            text = _("A larger set of these can hardly come together.")
        case _:
            text = _("The price can't rise any more.")
    return f"{text} {_risk(facts)}".rstrip()
