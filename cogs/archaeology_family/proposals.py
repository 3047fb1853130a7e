"""Proposed moves of the Archaeology games in words, their selection on the screen, and the reasons for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.language import gettext as _
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
            text = text.format(**{**facts, "maps": card.counted(MAP, facts["maps"])})
            return " ".join(filter(None, [text, _known(facts, MAP, names)]))
        case "waits":
            return _of_waiting(facts, names)
        case "loses-least" | "loses-for-later":
            return _of_a_loss(reason)
        case "robs":
            return _of_a_theft(facts, names)
        case "completes-set" | "buys-maps" | "grows-set" | "takes-singles":
            return _of_a_trade(reason, names, chambers)
        case "sells-whole-set" | "sells-at-the-end" | "sells-part":
            return _of_a_sale(reason)
        case _:
            return ""


def _known(facts: Mapping[str, Any], kind: int, names: Names) -> str:
    """The sentence about the other player who is known to hold most cards of a treasure; empty without one."""
    text = _("{name} is known to hold {cards}.") if facts["rivals"] else ""
    return text.format(name=names.bold(facts["rival"]), cards=card.cards([(kind, facts["rivals"])]))


_TEMPTING: Final = 3
"""Dollars by which a trade raises the price of the hand enough to say why it is left, while a set is waited for."""


def _of_waiting(facts: Mapping[str, Any], names: Names) -> str:
    """The gain that a set may still bring, and the danger to it; or the reason why no trade serves."""
    if not facts["now"]:
        return _("You have no cards to trade or sell.")
    if not facts["own"]:
        last = _(
            "You don't dig again: what others give in trade before your next turn is then yours to take."
        )
        text = _(
            "A trade now would make your hand sell for ${best}, not ${now}; it stays open unless they want its cards."
        )
        more = _awaited(facts) if facts["short"] else ""
        if facts["best"] > facts["now"]:
            more = text.format(**facts)
        return " ".join(filter(None, [last, more, _risk(facts)]))
    lies = facts["short"] and facts["lie"] >= facts["short"]
    better = facts["best"] and (facts["hope_best"] < facts["hope"] - 1 or not facts["traded"])
    if facts["short"] and not (lies and better):
        tempting = bool(better) and facts["best"] - facts["now"] >= _TEMPTING
        return _left(facts, names) if tempting else " ".join(filter(None, [_awaited(facts), _risk(facts)]))
    if better:
        return _left(facts, names)
    text = _("No trade makes your hand sell for more than ${now}; digs left to you: about {own}.")
    if facts["traded"]:
        text = _("You have traded in this turn; digs left to you: about {own}.")
    return text.format(**facts)


def _awaited(facts: Mapping[str, Any]) -> str:
    """The price of the set that is waited for beside that of its cards now, and where the missing cards may be."""
    text = _("Selling {cards} now brings ${sells}; with {short} more it's ${full}.")
    text = text.format(**facts, cards=card.cards([(facts["treasure"], facts["held"])]))
    if facts["own"] and facts["lie"] >= facts["short"]:
        return text + " " + _("The market has enough of them: your next digs can pay for it.")
    if facts["own"] > 1:  # after a trade this was read with its hint
        return text if facts["traded"] else f"{text} {unseen(facts)}".rstrip()
    last = _("You dig once more.") if facts["own"] else ""
    return " ".join(filter(None, [text, last, _("In the market: {lie}.").format(lie=facts["lie"])]))


def unseen(facts: Mapping[str, Any]) -> str:
    """How many cards of a treasure the viewer has not seen, and how many lie in the market; empty if there are none."""
    seen = _("Not seen yet: {n} among {of} treasures.") if facts["unseen"] else ""
    lies = _("In the market: {lie}.") if facts["lie"] else ""
    return f"{seen} {lies}".strip().format(n=facts["unseen"], of=facts["of"], lie=facts["lie"])


def _risk(facts: Mapping[str, Any]) -> str:
    """The danger that is greater for the hand until its owner can sell again; empty if there is none."""
    text, sign = "", card.SANDSTORM if facts["storm"] else card.THIEF
    if facts["storm"]:
        text = _("Risk of a Sandstorm {sign} before you can sell again: {n}%.")
    elif facts["thief"]:
        text = _("Risk of a Thief {sign} before your next turn: {n}%.")
    return text.format(sign=sign, n=facts["storm"] or facts["thief"])


def _left(facts: Mapping[str, Any], names: Names) -> str:
    """The trade that would make most of the hand now, and why it is left."""
    give, take = card.cards(facts["others"].give), card.cards(facts["others"].take)
    if facts["hope_best"] < facts["hope"]:
        text = _(
            "Trading {give} for {take} makes your hand sell for ${best} instead of ${now}, but should end at about "
            "${hope_best}, not ${hope}."
        )
        return text.format(**facts, give=give, take=take)
    text = _(
        "Giving {give} for {take} makes your hand sell for ${best} instead of ${now}, but it ends no better."
    )
    return f"{text.format(**facts, give=give, take=take)} {_known(facts, facts['gift'], names)}".rstrip()


def _sells(facts: Mapping[str, Any]) -> str:
    """The change of the hand's price at the museum; empty if there is none."""
    text = _("Your hand then sells for ${then} instead of ${now}.").format(**facts)
    return text if facts["then"] != facts["now"] else ""


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
    if facts["as_many"]:
        text = _("No one holds more cards than {name}, who has {cards}; one of them may be what you need.")
        return text.format(**held)
    if facts["known"]:
        return _("{name} holds {cards}, among them {known}.").format(**held, known=card.cards(facts["known"]))
    return _("There it may find what you need: {name} holds {cards}.").format(**held)


def _of_a_loss(reason: Reason) -> str:
    """The cost at the museum of a loss in a Sandstorm; if another one costs less there, what is kept instead."""
    facts = reason.facts
    if reason.code == "loses-least":
        return _("Your hand then sells for ${then} instead of ${now}; no loss costs you less.").format(
            **facts
        )
    if facts["short"]:
        hope = _("You keep {cards}, {n} short of a set for ${price}.")
        cards = card.cards([(facts["treasure"], facts["held"])])
        hope = hope.format(cards=cards, n=facts["short"], price=facts["price"])
    elif facts["maps"]:
        hope = _("You keep {maps}, which can open a chamber.")
        hope = hope.format(maps=card.cards([(MAP, facts["maps"])]))
    elif facts["hope"] > facts["hope_best"]:
        hope = _("Your cards are then worth about ${hope} in the end, not ${hope_best}.").format(**facts)
    else:
        return _sells(facts)
    text = _("Losing {cards} would leave ${best} now, not ${then}.")
    text = text.format(cards=card.cards(facts["others"]), best=facts["best"], then=facts["then"])
    return f"{hope} {text}"


def _of_a_trade(reason: Reason, names: Names, chambers: Chambers) -> str:
    """The purpose of a trade and its effect on the hand's price; or, in place of this, a trade that brings more now."""
    facts, parts = reason.facts, [_purpose(reason, names, chambers)]
    if reason.code == "grows-set" and facts["then"] > facts["now"]:
        parts.insert(0, _sells(facts))
    if not facts["best"]:
        parts.append(_effect(reason))
    if broken := facts["broken"]:
        parts.append(_("It breaks up a whole set: {cards}.").format(cards=card.cards(broken)))
    elif facts["behind"] and not facts["back"]:  # either is told as a step back
        kind, size, price, short, lacks = facts["behind"]
        text = _("Of the set of {cards} for ${price} you then lack {n}, not {short}.")
        parts.append(text.format(cards=card.cards([(kind, size)]), price=price, n=lacks, short=short))
    if facts["best"]:
        text = _(
            "Another trade makes your hand ${best} now; it ends at about ${hope_best}, this one at ${hope}."
        )
        parts.append(text.format(**facts))
    said = " ".join(filter(None, parts))
    return said or _("Your hand sells for no more now, but played on it ends better.")


def _effect(reason: Reason) -> str:
    """The change of the hand's price, and its reckoned worth in the end if the trade's purpose is far off."""
    facts, grows, rises = reason.facts, reason.code == "grows-set", reason.facts["then"] > reason.facts["now"]
    sells = "" if grows and rises else _sells(facts)
    gain, begins = facts["hope"] - facts["had"], grows or facts.get("missing")
    if gain > 0 and facts["back"] and (begins or reason.code == "takes-singles"):
        text = _("It gives back {cards}: with the rest of your hand, this is worth about ${n} more.")
        return " ".join(filter(None, [text.format(cards=card.cards(facts["back"]), n=gain), sells]))
    if gain <= 0 or (facts["then"] >= facts["now"] and (not begins or facts.get("near"))):
        return sells
    text = _("In the end your cards should bring about ${hope} instead of ${had}.")
    if facts["then"] < facts["now"]:
        text = _(
            "Your hand then sells for ${then} instead of ${now}, but in the end for about ${hope}, not ${had}."
        )
    return text.format(**facts)


def _purpose(reason: Reason, names: Names, chambers: Chambers) -> str:
    """The purpose of a trade: a set, a chamber, or cards that need no others; empty if it is the hand's price."""
    facts, rises = reason.facts, reason.facts["then"] > reason.facts["now"]
    match reason.code:
        case "buys-maps":
            return " ".join(filter(None, [_of_a_chamber(facts, chambers), _known(facts, MAP, names)]))
        case "completes-set":
            text = _("It completes a full set: {cards} bring ${price} at once.")
            return text.format(**facts, cards=card.cards([(facts["treasure"], facts["count"])]))
        case "takes-singles":
            text = _("{card} sells for ${price} even alone.")
            return text.format(card=card.cards([(facts["treasure"], 1)]), price=facts["price"])
        case _ if facts["near"]:
            text = _("Then you hold {cards}, {n} short of a set for ${price}.")
            cards = card.cards([(facts["treasure"], facts["held"])])
            text = text.format(**facts, cards=cards, n=facts["short"])
            told = rises or facts["best"] or facts["back"]
            return text if told else f"{text} {unseen(facts)}".rstrip()
        case _ if facts["given"] and not rises:
            text = _("Not seen yet: {cards}, but only {given}.")
            cards = card.cards([(facts["treasure"], facts["unseen"])])
            return text.format(cards=cards, given=card.cards([facts["given"]]))
        case _:
            return ""


def _of_a_chamber(facts: Mapping[str, Any], chambers: Chambers) -> str:
    if facts["missing"]:
        text = _("Then you hold {maps}, {n} short of {chamber}, worth about ${dollars}.")
        if not facts["best"] and not facts["back"]:
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
            text = _("No larger set of these is sold: waiting brings nothing.")
    likely = max(facts["storm"], facts["thief"]) > 9  # less is no reason to sell
    return " ".join(filter(None, [text, _risk(facts) if likely else ""]))
