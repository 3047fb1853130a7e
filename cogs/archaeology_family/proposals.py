"""Proposed moves of the Archaeology games in words, their selection on the screen, and the reasons for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from bot.language import gettext as _
from bot.ui.screens.kit import Choices, Option
from bot.ui.screens.names import Names
from cogs.archaeology_family import losses, museum, trading
from cogs.archaeology_family import names as card
from cogs.archaeology_family.trading import CLEAR
from engine.agents.advice import Reason
from engine.archaeology_family import moves as m
from engine.archaeology_family.agents.reasons import FAR, WORSE
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
            return _("Give {give} for {take}.").format(give=card.cards(move.give), take=card.cards(move.take))
        case m.Explore(chamber):
            return next(f"{each.label}." for each in explorations if each.value == str(chamber))
        case m.Sell() if museum.sells_out(view):
            return _("Sell everything.")
        case m.Sell(kind, count):
            price = view.prices[kind][count - 1]
            return _("Sell {cards} for ${price}.").format(cards=card.cards([(kind, count)]), price=price)
        case _:
            return _("End the turn.")


def selection_for(view: View, move: Any) -> Choices:
    """The selection with which the private screen makes a proposed move at one press."""
    makers = {m.Trade: trading.selection_for, m.Discard: losses.selection_for, m.Sell: museum.selection_for}
    return makers[type(move)](move) if type(move) in makers else {}


def reason_text(reason: Reason, names: Names, chambers: Callable[[int], str]) -> str:
    """A reason of both games (`engine.archaeology_family.agents.reasons`), with the chambers' names in a sentence."""
    facts = reason.facts
    match reason.code:
        case "explores":
            text = _("You get {cards}, worth about ${dollars} in sets; {maps} would sell for ${price}.")
            maps, cards = card.counted(MAP, facts["maps"]), card.number_of_cards(facts["cards"])
            return text.format(**{**facts, "maps": maps, "cards": cards})
        case "waits":
            return _of_waiting(facts, names, chambers)
        case "loses-least" | "loses-for-later":
            return _of_a_loss(reason)
        case "robs":
            return _of_a_theft(facts, names)
        case "completes-set" | "buys-maps" | "grows-set":
            return _of_a_trade(reason, names, chambers)
        case "sells-whole-set" | "sells-at-the-end" | "sells-part":
            return _of_a_sale(reason, chambers)
        case _:
            return ""


ROOM: Final = 170
"""The most characters of a reason that has several sentences: five lines of a phone with “End the turn.”."""


def fitting(*sentences: str) -> str:
    """The first of these sentences, and of the others those for which there is room."""
    text = ""
    for sentence in dict.fromkeys(filter(None, sentences)):
        if len(text) + len(sentence) < ROOM or not text:
            text = f"{text} {sentence}".lstrip()
    return text


def _of_waiting(facts: Mapping[str, Any], names: Names, chambers: Callable[[int], str]) -> str:
    """The gain that a set may still bring, the trade that would make most of the hand now, and the danger."""
    deed, gains = _decisive(facts, names, chambers), facts["best"] - facts["now"]
    other = _alternative(facts, deed)
    # A rival's gain is told only beside a trade that the screen offers as a button.
    asked = "next" not in facts or "deed" not in facts or facts["deed"][0] is None
    text = deed if asked and deed != other else ""
    if facts.get("maps"):
        text = _("You keep {maps}, {n} short of {chamber}, worth about ${dollars}.")
        text = _with_maps(text, facts, chambers)
    elif facts["short"]:
        text = _awaited(facts)
    elif not text and (step := facts.get("step")):
        text, facts = _awaited(step.facts), {**facts, **step.facts}
    elif not (text or other or facts["site"]):
        text = _("Nothing can be lost any more, and others may trade away what you need.")
    elif not (text or other or facts["own"]):
        text = _("You don't dig again: wait for what others trade away before your next turn.")
    elif facts["best"] and not (text or other):
        text = _("The best trade would bring you only ${n} more now.").format(n=gains)
    elif facts["now"] and not (text or other):
        text = _("No trade makes your hand sell for more than ${now}.").format(**facts)
    leads_back = facts["traded"] and facts.get("less", 0) < CLEAR and not facts.get("next")
    other = "" if text and leads_back else other
    old = facts["waits"].facts if "waits" in facts else facts
    still = _awaited({**facts, **old}) if old["treasure"] != facts["treasure"] else ""
    return fitting(f"{text} {other}".strip(), still, f"{odds(facts)} {_risk(facts)}".strip())


def _decisive(facts: Mapping[str, Any], names: Names, chambers: Callable[[int], str]) -> str:
    """The chance of a sale or an exploration that decides between two moves; empty if none does."""
    if "deed" not in facts:
        return ""
    (seat, kind, count, n, m), beside = facts["deed"], facts.get("next", ())
    what, by = (
        card.cards([(kind, count)]) if count else chambers(kind),
        "" if seat is None else names.bold(seat),
    )
    if count:
        own = _("Your chance to sell {what} soon: {n}%, not {m}%.")
        text = _("Chance that {name} soon sells {what}: {n}%, not {m}%.")
        text = (
            _("The trade for {take} would help {name} to sell {what} soon ({n}% → {m}%).") if beside else text
        )
    else:
        own = _("Your chance to reach {what} soon: {n}%, not {m}%.")
        text = _("Chance that {name} soon reaches {what}: {n}%, not {m}%.")
        text = (
            _("The trade for {take} would help {name} to reach {what} soon ({n}% → {m}%).")
            if beside
            else text
        )
    own += " " + _("The trade for {take} lowers it.") if beside else ""
    return (text if by else own).format(what=what, take=card.cards(beside), name=by, n=n, m=m)


def _alternative(facts: Mapping[str, Any], deed: str) -> str:
    """The trade that has a button because it makes most of the hand now, and why it is left; empty if there is none."""
    if not facts["best"] or facts["best"] - facts["now"] < CLEAR:
        return ""
    if deed and facts.get("next"):
        return deed
    less, behind = facts.get("less", facts["hope"] - facts["hope_best"]), facts["best_behind"]
    kind = given[0][0] if (given := facts["best_gives"]) else -1
    text = _("The trade for {take} is +${n} now, but costs {given}.") if given else ""
    if behind and kind == behind[0] != (*facts.get("behind", ()), -1)[0]:
        if kind != facts.get("treasure") and len(given) == 1:
            text = _("The trade for {take} is +${n} now, but costs {given}, part of a set for ${price}.")
    elif less >= (WORSE if "less" in facts else CLEAR) and (kind != MAP or "less" in facts):
        text = _("The trade for {take} is +${n} now, but about ${less} less in the end.")
    more = {"n": facts["best"] - facts["now"], "less": less, "price": behind[2] if behind else 0}
    return text.format(take=card.cards(facts["others"].take), given=card.cards(given), **more)


def _awaited(facts: Mapping[str, Any]) -> str:
    """The price of the set that is waited for beside that of its cards now; the trade value that buys the rest."""
    text = _("{cards}: ${sells} now, ${full} with {short} more.")
    cards = card.cards([(facts["treasure"], facts["held"])])
    if facts.get("again") == (facts["treasure"], facts["short"]):  # it was read a turn ago
        text = _("Still waiting for {cards}: then ${full}, not ${sells}.")
        cards = card.cards([(facts["treasure"], facts["short"])])
    if facts["lie"] >= facts["short"] and facts["lacking"] > 0:
        text += " " + _("The market has the rest; you need {lacking} more of trade value.")
    return text.format(**{**facts, "cards": cards})


def odds(facts: Mapping[str, Any]) -> str:
    """The chance that the viewer digs up what a set or a chamber lacks; empty if there is none or no need."""
    lacks = facts.get("missing") or facts.get("short", 0)
    if (n := lacks - facts.get("lie", 0)) <= 0 or not facts["chance"]:
        return ""
    cards = card.cards([(MAP if "missing" in facts else facts["treasure"], n)])
    text = _("In the market: {lie}. Chance to dig up {cards} by the end: {n}%.")
    text = text if facts["lie"] else _("Chance to dig up {cards} by the end: {n}%.")
    return text.format(cards=cards, n=facts["chance"], lie=facts["lie"])


_LIKELY: Final = 10
"""The percentage from which on the danger of a Sandstorm is told."""


def _risk(facts: Mapping[str, Any]) -> str:
    """The dangers to a hand, and the cost of a Sandstorm; empty if they are small, or were read in this turn."""
    lost, storm, thief = facts["now"] - facts["left"], facts["storm"], facts["thief"]
    if (facts["warned"] and "site" not in facts) or lost < CLEAR or max(storm, thief) < _LIKELY:
        return ""
    if facts.get("tent"):
        return _("Your Tent saves you from the next Sandstorm.") if "site" in facts else ""
    storms = _("{storm} Sandstorm {n}% (−${lost})").format(storm=card.SANDSTORM, n=storm, lost=lost)
    thieves = _("{thief} Thief {n}%").format(thief=card.THIEF, n=thief)
    dangers = ", ".join([storms] * (storm >= _LIKELY) + [thieves] * (thief >= _LIKELY))
    # Translators: {dangers} are a Sandstorm and a Thief with their chances until the player's next turn.
    text = _("By your next turn: {dangers}.") if "site" in facts else _("If you keep them: {dangers}.")
    return text.format(dangers=dangers)


def sells(facts: Mapping[str, Any], least: int = 2) -> str:
    """The change of the hand's price at the museum; empty if it is less than so many dollars."""
    text = _("Your hand: ${now} → ${then}.").format(**facts)
    return text if abs(facts["then"] - facts["now"]) >= least else ""


def _of_a_theft(facts: Mapping[str, Any], names: Names) -> str:
    held = {"name": names.bold(facts["victim"]), "cards": card.number_of_cards(facts["cards"])}
    if facts["fit"]:
        text = _("{name} holds {cards}, among them {fit}, which you can use.")
        return text.format(**held, fit=card.cards(facts["fit"]))
    text = _("There it may find what you need: {name} holds {cards}.")
    text = _("{name} is your strongest rival, with ${money}.") if facts.get("rival") else text
    return text.format(**held, money=facts.get("money"))


def _of_a_loss(reason: Reason) -> str:
    facts = reason.facts
    if facts["short"]:
        hope = _("You keep {cards}, {n} short of a set for ${price}.")
        cards = card.cards([(facts["treasure"], facts["held"])])
        hope = hope.format(cards=cards, n=facts["short"], price=facts["price"])
    elif facts.get("maps"):
        hope = _("You keep {maps}, which can open a chamber.").format(maps=card.cards([(MAP, facts["maps"])]))
    else:
        hope = "" if reason.code == "loses-least" else sells(facts, 1)
    if reason.code == "loses-least":
        text = _("No loss costs less: your hand then sells for ${then}, not ${now}.").format(**facts)
        return fitting(text, hope)
    text = _("The cheapest loss would leave ${best} now, not ${then}.")
    if (more := facts["hope"] - facts["hope_best"]) > 0:
        text = _("The cheapest loss would leave ${best} now, not ${then}, but about ${n} less in the end.")
    return f"{hope} {text.format(**facts, n=more)}".lstrip()


def _of_a_trade(reason: Reason, names: Names, chambers: Callable[[int], str]) -> str:
    beside = reason.facts.get("beside")
    reason = reason._replace(facts={**reason.facts, **(beside.facts if beside else {})})
    facts, purpose = reason.facts, _purpose(reason, chambers)
    effect, rises, less = sells(facts), facts["then"] > facts["now"], facts["now"] - facts["then"]
    gain = facts.get("more", facts["hope"] - facts["had"])
    broken, deed = facts["broken"], _decisive(facts, names, chambers)
    other = _alternative(facts, deed)
    decides = other if facts["best"] - max(facts["now"], facts["then"]) >= CLEAR else ""
    breaks = _("It breaks up a complete set: {cards}.").format(cards=card.cards(broken)) if broken else ""
    hope = _("In the end your cards should bring about ${n} more.").format(n=gain) if gain > 0 else ""
    if purpose and less > 0:
        text = _("${n} less now, but {then}")
        purpose, effect = text.format(n=less, then=purpose[:1].lower() + purpose[1:]), ""
    step = facts.get("step")
    step = f"{_awaited(step.facts)} {odds(step.facts)}".rstrip() if step else ""
    lead = [purpose or (effect if rises else ""), deed or ("" if purpose or rises else step or hope)]
    news = _news(facts) if facts["behind"] or facts["back"] else ""
    further = (breaks, "" if rises else effect, other, effect, odds(facts) if purpose else "")
    return fitting(lead[0], decides, news, *lead[1:], *further) or sells(facts, 1)


def _news(facts: Mapping[str, Any]) -> str:
    """The change for which a trade leaves the plan of the turn before; empty if there is none."""
    if fewer := facts.get("fewer"):
        return _("Left to come: {cards}.").format(cards=card.cards([fewer]))
    if lies := facts.get("lies"):
        return _("New in the market: {cards}.").format(cards=card.cards(lies))
    if came := facts.get("came"):
        return _("New in your hand: {cards}.").format(cards=card.cards(came))
    text = _("A Sandstorm {sign} is likelier now: {n}%, not {before}%.")
    before = facts.get("calmer")
    return "" if before is None else text.format(sign=card.SANDSTORM, n=facts["storm"], before=before)


def _purpose(reason: Reason, chambers: Callable[[int], str]) -> str:
    """The purpose of a trade: a set, a chamber, or cards that need no others; empty if it is the hand's price."""
    facts, rises = reason.facts, reason.facts["then"] > reason.facts["now"]
    match reason.code:
        case "buys-maps":
            return _of_a_chamber(facts, chambers)
        case "completes-set" if not facts.get("near"):
            text = _("It completes a set of {cards} for ${price}.")
            text = text.format(price=facts["price"], cards=card.cards([(facts["treasure"], facts["count"])]))
            return f"{text} {_of_a_chamber(opens.facts, chambers)}" if (opens := facts.get("opens")) else text
        case _ if facts["near"] or (0 < facts["short"] <= FAR and not (rises and sells(facts))):
            text = _("Then you hold {cards}, {n} short of a set for ${price}.")
            cards = card.cards([(facts["treasure"], facts["held"])])
            return text.format(**facts, cards=cards, n=facts["short"])
        case _:
            return ""


def _of_a_chamber(facts: Mapping[str, Any], chambers: Callable[[int], str]) -> str:
    if facts["missing"]:
        text = _("Then you hold {maps}, {n} short of {chamber}, worth about ${dollars}.")
    else:
        text = _("Then you hold {maps}, enough for {chamber}, worth about ${dollars}.")
    return _with_maps(text, facts, chambers)


def _with_maps(text: str, facts: Mapping[str, Any], chambers: Callable[[int], str]) -> str:
    maps, chamber = card.counted(MAP, facts["maps"]), chambers(facts["chamber"])
    return text.format(maps=maps, n=facts["missing"], chamber=chamber, dollars=facts["dollars"])


def _of_a_sale(reason: Reason, chambers: Callable[[int], str]) -> str:
    facts = reason.facts
    match reason.code:
        case "sells-at-the-end":
            if facts["alone"]:
                return _("Only you still hold cards, so nothing more can come.")
            if facts["duty"]:
                return _("You must sell a set now, and this one costs you least.")
            return _("The dig site is empty, so waiting hardly brings more.")
        case "sells-part" if facts["short"]:
            text = _("The {n} more for ${full} may not come.").format(n=facts["short"], full=facts["full"])
            unlikely = facts["chance"] < 50  # else it is no reason to sell
            return fitting(text, _risk(facts), odds(facts) if unlikely else "")
        case "sells-part":
            text = _("A larger set of these can hardly come together.")
        case _ if facts.get("lack", 0) > facts.get("pays", 0):
            text = _("For {chamber} you lack {maps}; your other cards pay for {n}.")
            maps, chamber = card.counted(MAP, facts["lack"]), chambers(facts["chamber"])
            text = text.format(maps=maps, chamber=chamber, n=facts["pays"])
        case _:
            text = _("The price can't rise any more.")
    return fitting(text, _risk(facts))
