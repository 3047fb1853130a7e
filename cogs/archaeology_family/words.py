"""The Archaeology games' events and refusals in words, the dig site, and the lines of the agents about their play.

Each line is true of every agent of its level. There are as many lines as a table has agents at most, so that agents of
one level differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.language import by_language, listing, ngettext, pgettext
from bot.language import gettext as _
from bot.ui.screens.game_parts import Opponent
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import NO_BREAK, Names
from cogs.archaeology_family import names as card
from engine.archaeology_family.agents.reasons import left_by_storm
from engine.archaeology_family.agents.worth import brings
from engine.archaeology_family.card_list import bundles
from engine.archaeology_family.moves import Sell
from engine.archaeology_family.state import View


def describe(event: SeenEvent, viewer: int | None, names: Names) -> str | None:
    """One line for this viewer about an event that both games have; None if it says only what a player did."""
    facts = event.facts
    you = viewer is not None and event.seat == viewer
    who = names.bold(event.seat) if event.seat is not None else ""
    match event.kind:
        case "first":
            yours = _("You begin. The market shows {cards}.")
            theirs = _("{who} begins. The market shows {cards}.")
            return (yours if you else theirs).format(who=who, cards=card.cards(facts["market"]))
        case "thief" if is_in_vain(event):
            yours = _("{thief} You meet a Thief, who finds nothing to take: all other hands are empty.")
            theirs = _("{thief} {who} meets a Thief, who finds nothing to take: all other hands are empty.")
            return (yours if you else theirs).format(who=who, thief=card.THIEF)
        case "sandstorm" if is_in_vain(event):
            yours = _("{storm} You dig up a Sandstorm, but it takes nothing: no one has more than one card.")
            theirs = _(
                "{storm} {who} digs up a Sandstorm, but it takes nothing: no one has more than one card."
            )
            return (yours if you else theirs).format(who=who, storm=card.SANDSTORM)
        case "over":
            return _("🏁 The match is over: no one has a card left.")
        case _:
            return None


def ahead(sales: Sequence[SeenEvent], viewer: int | None, names: Names) -> str:
    """The sentence that a player's sales in a row took the lead in dollars; empty if they did not."""
    for number, sale in enumerate(sales, 1):
        if lead := sale.facts.get("lead"):  # earlier versions did not say so
            own = lead[0] + sum(later.facts["price"] for later in sales[number:])
            you, who = viewer is not None and sale.seat == viewer, names.bold(sale.seat or 0)
            text = _("You are now ahead: ${n} to ${m}.") if you else _("{who} is now ahead: ${n} to ${m}.")
            return f"**{text.format(who=who, n=own, m=lead[1]).replace('**', '')}**"
    return ""


def as_news(event: SeenEvent, viewer: int | None, text: str) -> str:
    """The line about an event among the viewer's news: marked by a sign and bold if the viewer loses something.

    That the viewer's turn has ended, the Tent was saved before a loss, or what lies in the Tomb goes without saying.
    """
    own, facts = event.seat == viewer, event.facts
    idle = {"passed": True, "ended": not facts.get("empty"), "tent": not facts.get("used"), "opened": True}
    if own and idle.get(event.kind):
        return ""
    if own and event.kind == "lost":
        return _marked(card.SANDSTORM, text)
    robbed = viewer is not None and facts.get("victim") == viewer
    return _marked(card.THIEF, text) if robbed else text


def _marked(sign: str, text: str) -> str:
    return f"{sign} **{text.replace('**', '')}**"


def primer(view: View) -> list[str]:
    """How both games go, in a few lines."""
    return [
        _("Collect matching treasures and sell them as a set: larger sets bring much more."),
        _("Each turn you dig a card. Then you may trade, explore and sell, and end your turn."),
        _(
            "In a trade the cards that you take may be worth no more, by trade value, than those that you give."
        ),
        _(
            "A Sandstorm takes half of every hand, and its finder digs again. A Thief takes one card. "
            "Sold sets are safe."
        ),
        _(
            "Once the dig site is empty you only trade and sell. The richest wins; ties go to fewer cards sold."
        ),
        *prices(view),
    ]


def prices(view: View) -> list[str]:
    """The meaning of the prices in the picture of a hand, by the viewer's own cards; empty if no set can grow."""
    text = _(
        "In the hand's picture, ${price}>{more} under {cards} means: sold now for ${price}, with one more for ${more}."
    )
    growing = [(n, kind) for kind, n in bundles(view.own_hand) if n < len(view.prices[kind])]
    return [
        text.format(cards=card.cards([(kind, n)]), price=view.prices[kind][n - 1], more=view.prices[kind][n])
        for n, kind in sorted(growing)[:1]
    ]


def found(facts: Mapping[str, Any]) -> str:
    """The finds of an exploration: the cards for viewers who know them, their number for all others."""
    return card.cards(facts["cards"]) if "cards" in facts else card.number_of_cards(facts["count"])


def is_in_vain(event: SeenEvent) -> bool:
    """Whether the event is a Thief or a Sandstorm without an effect. Earlier versions did not say so."""
    return event.facts.get("in_vain", False)


def after_the_last(storm: SeenEvent) -> str:
    """The sentence that a Sandstorm was the last one; else empty. Earlier versions did not say so."""
    text = _("**The last Sandstorm: after it, every hand is safe from storms.**")
    return text if storm.facts.get("last") else ""


def spared(event: SeenEvent, viewer: int | None) -> list[tuple[int, str]]:
    """The seats from which this Sandstorm takes nothing, with the reason as a deed. Earlier versions did not say so."""
    return [(seat, _spared(size, you=seat == viewer)) for seat, size in event.facts.get("spared", ())]


def _spared(size: int, *, you: bool) -> str:
    if not size:
        return pgettext("you …", "have no card to lose") if you else pgettext("who …", "has no card to lose")
    yours = pgettext("you …", "lose nothing from a hand of one card")
    return yours if you else pgettext("who …", "loses nothing from a hand of one card")


def refusals() -> dict[str, str]:
    """Why the family's rules forbid a move, with the rule, by code."""
    return {
        "no-dig-due": _("You've already dug this turn."),
        "no-thief-due": _("You have no Thief to send now."),
        "thief-needs-opponent": _("A Thief steals from an opponent. Choose one."),
        "thief-needs-cards": _(
            "A Thief must steal from an opponent with cards, as long as there is one. Choose such an opponent."
        ),
        "no-sandstorm": _("There is no Sandstorm now."),
        "discard-count": _(
            "The Sandstorm takes half of your hand, rounded down: choose {due}, not {chosen}."
        ),
        "not-now": _("You can only do that on your turn, after digging."),
        "trade-needs-both": _("A trade gives at least one card and takes at least one. Choose both."),
        "trade-too-dear": _(
            "The cards you take are worth {short} more than the cards you give. Give more, or take less."
        ),
        "not-in-hand": _("You don't have those cards. Choose from your hand."),
        "not-in-market": _("Those cards are no longer in the market. Choose others."),
        "malformed-cards": _("Those cards can't be chosen together. Choose again."),
        "no-such-set": _("You have no such set. Choose another one."),
        "set-too-large": _("The museum takes at most {largest} of these as one set. Sell fewer at a time."),
        "no-such-chamber": _("There is no such chamber. Choose another one."),
        "chamber-explored": _("That chamber has already been explored. Choose another one."),
        "too-few-maps": _("You don't have enough Maps: that chamber costs {cost}."),
        "must-sell": _("Sell at least one set before you end this turn, so that the match comes to its end."),
    }


def left(view: View) -> str:
    """The rest of the dig site, with the hazards in it."""
    if view.outcome is not None:
        return _("**Dig site** · empty")
    if not view.site:
        return _("**The dig site is empty.** Sell what you hold: the match ends when no one holds a card.")
    cards, dangers = card.number_of_cards(view.site), hazards(view)
    if not dangers:
        text = ngettext(
            "**Dig site** · {cards}, a treasure", "**Dig site** · {cards}, all of them treasures", view.site
        )
        return text.format(cards=cards)
    text = ngettext(
        "**Dig site** · {cards}: {hazards}", "**Dig site** · {cards}, among them {hazards}", view.site
    )
    return text.format(cards=cards, hazards=listing(dangers))


def hazards(view: View) -> list[str]:
    """The Sandstorms and Thieves in the dig site."""
    storms = ngettext("{n} Sandstorm", "{n} Sandstorms", view.sandstorms).format(n=view.sandstorms)
    thieves = ngettext("{n} Thief", "{n} Thieves", view.thieves).format(n=view.thieves)
    found = [f"{card.SANDSTORM}{NO_BREAK}{storms}"] if view.sandstorms else []
    return [*found, f"{card.THIEF}{NO_BREAK}{thieves}"] if view.thieves else found


def nearly_empty(view: View) -> str:
    """The rest of the dig site, from the round on in which it becomes empty; empty before."""
    if view.outcome is not None or view.site > view.seats:
        return ""
    if not view.site:
        return f"🏁 {left(view)}"
    if view.site == view.sandstorms:
        last = ngettext(
            "🏁 The last card is a Sandstorm {storm}!",
            "🏁 The last {n} cards are Sandstorms {storm}!",
            view.site,
        )
        return last.format(n=view.site, storm=card.SANDSTORM)
    text = _(
        "🏁 Only {cards} left to dig up. Then everyone goes on without digging, until no one holds a card."
    )
    return text.format(cards=card.number_of_cards(view.site))


def lead(view: View, names: Names) -> str:
    """The viewer's lead in money, or what they lack."""
    own = view.money[view.viewer or 0]
    best, seat = max((money, seat) for seat, money in enumerate(view.money) if seat != view.viewer)
    if own == best:
        return _("You are level with {who}.").format(who=names.bold(seat))
    text = _("You are ${n} ahead of {who}.") if own > best else _("You are ${n} behind {who}.")
    return text.format(n=abs(own - best), who=names.bold(seat))


def risk(kept: Sell, view: View) -> str:
    """The warning before a turn ends with a complete set, and the cost of a Sandstorm to the hand."""
    text = _(
        "⚠️ {cards}, a complete set for ${price}, unsold: a Sandstorm {storm} would cost your hand ${lost} at least."
    )
    lost = brings(view.own_hand, view.prices) - brings(left_by_storm(view), view.prices)
    cards, price = card.cards([(kept.treasure, kept.count)]), view.prices[kept.treasure][-1]
    return text.format(cards=cards, price=price, storm=card.SANDSTORM, lost=lost)


Wins = Mapping[str, tuple[int, int]]
"""See `Opponent.lesson_wins`, by level."""


def opponents(wins: Wins) -> Mapping[str, Opponent]:
    """The lines and odds of the agents of a game, by level."""
    return {level: Opponent(lines, wins.get(level)) for level, lines in _lines().items()}


@by_language
def _lines() -> Mapping[str, tuple[str, ...]]:
    return {
        "novice": (
            _("A trade must help my sets a lot. The small ones are yours."),
            _("I have no patience: what sells today is sold."),
            _("I leave most of the market to you."),
            _("I explore before I trade, and trade before I sell."),
        ),
        "veteran": (
            _("I trade only when it clearly pays."),
            _("Small gains I leave to you. I wait for a big one."),
            _("I plan my whole turn, with few trades in it."),
            _("My Thief knows who took good cards from the market."),
        ),
        "expert": (
            _("I plan my whole turn before I touch a card."),
            _("My Thief remembers who took which cards."),
            _("Of all trades that the market allows, I find the best."),
            _("I ask what each card will be worth next turn."),
        ),
        "master": (
            _("I try my moves out in my head before I make one."),
            _("I imagine the cards that I can't see, again and again."),
            _("I ask what an Expert would do. Then I look for better."),
            _("I think about your next turn, not only mine."),
        ),
    }
