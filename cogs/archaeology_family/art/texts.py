"""The alt texts of both Archaeology games' pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.language import Phrase, listing, ngettext, noun, pgettext
from bot.language import gettext as _
from cogs.archaeology_family import names as card
from cogs.archaeology_family.trades import Counts, brings, set_sizes
from engine.archaeology_family.card_list import MAP, Bundles, bundles
from engine.archaeology_family.state import View
from engine.game import Outcome


def player(seat: int) -> Phrase:
    """A player by their place in the order of the seats, as the subject of a sentence."""
    return (
        noun("who …", "the first player"),
        noun("who …", "the second player"),
        noun("who …", "the third player"),
        noun("who …", "the fourth player"),
        noun("who …", "the fifth player"),
    )[seat]


def plain_cards(cards: Bundles) -> str:
    """Cards in a sentence without emoji: "2 Coins and 1 Map"."""
    return listing([card.counted(kind, n) for kind, n in cards])


def chambers(counts: Sequence[int], costs: Sequence[int]) -> str:
    """The cards in a monument's chambers and their prices: "2 cards for 1 Map and 8 cards for 3 Maps"."""
    text, left = _("{cards} for {maps}"), [each for each in zip(counts, costs, strict=True) if each[0]]
    offers = [(card.number_of_cards(n), card.counted(MAP, cost)) for n, cost in left]
    return listing([text.format(cards=cards, maps=maps) for cards, maps in offers])


def table(view: View, monument: str, tents: Sequence[bool] | None) -> str:
    """The text beside the picture of a table; `monument` is the sentence for that."""
    return " ".join([_market(view), _site(view), monument, _seats(view, tents), *_turn(view)])


def _market(view: View) -> str:
    cards = [f"{card.counted(kind, n)} ({view.trade[kind]})" for kind, n in enumerate(view.market) if n]
    if not cards:
        return _("The market is empty.")
    # Translators: {cards} are cards, each with its trade value in brackets.
    return _("In the market, with trade values: {cards}.").format(cards=listing(cards))


def _site(view: View) -> str:
    if not view.site:
        return _("The dig site is empty.")
    thieves = ngettext("{n} Thief", "{n} Thieves", view.thieves).format(n=view.thieves)
    storms = ngettext("{n} Sandstorm", "{n} Sandstorms", view.sandstorms).format(n=view.sandstorms)
    hazards = listing([thieves] * bool(view.thieves) + [storms] * bool(view.sandstorms))
    cards = card.number_of_cards(view.site)
    if not hazards:
        return _("The dig site holds {cards} and no danger any more.").format(cards=cards)
    return _("The dig site holds {cards}, with {hazards}.").format(cards=cards, hazards=hazards)


def _seats(view: View, tents: Sequence[bool] | None) -> str:
    lines: list[str] = []
    for seat in range(view.seats):
        sets = len(view.sold[seat])
        parts = [card.number_of_cards(view.sizes[seat]), f"${view.money[seat]}"]
        if sets:
            parts.append(ngettext("{n} set sold", "{n} sets sold", sets).format(n=sets))
        if tents is not None and tents[seat]:
            parts.append(pgettext("what a player has", "a Tent"))
        lines.append(", ".join(parts))
    # Translators: {seats} says for each player, in the order of play, how many cards they hold, their money and so on.
    return _("The players in order: {seats}.").format(seats="; ".join(lines))


def _turn(view: View) -> list[str]:
    if not view.pending:
        return [_("The match is over.")]
    lines = [_("It is {player}'s turn.").format(player=player(view.active))]
    waiting = [decision.seat for decision in view.pending if decision.seat != view.active]
    if waiting:
        text = _("{player} is asked what to do.").format(player=listing([player(seat) for seat in waiting]))
        lines.append(text[0].upper() + text[1:])
    return lines


def hand(cards: Counts, by_treasure: Sequence[Counts], found: Bundles = ()) -> str:
    """The text beside the picture of a hand, with the prices of sets by treasure and size."""
    groups: list[str] = []
    for kind, n in bundles(cards):
        sizes = set_sizes(by_treasure[kind], n)
        sets = Counter(by_treasure[kind][size - 1] for size in sizes)
        prices = [f"${price}" + (f" ×{times}" if times > 1 else "") for price, times in sets.items()]
        brought = " + ".join(prices)
        if len(sizes) == 1 and n < len(by_treasure[kind]):
            text = _("{price}, with one more card ${more}")
            brought = text.format(price=brought, more=by_treasure[kind][n])
        groups.append(f"{card.counted(kind, n)} ({brought})")
    # Translators: {cards} are cards, each with what their sets bring in brackets.
    text = _(
        "Your hand as a fan, sorted by treasure, with what your sets bring now: {cards}. In all: ${price}."
    )
    new = " " + _("New: {cards}.").format(cards=plain_cards(found)) if found else ""
    return text.format(cards=listing(groups), price=brings(cards, by_treasure)) + new


def sold(view: View) -> str:
    """The text beside the picture of all sold sets."""
    lines: list[str] = []
    for seat, sets in enumerate(view.sold):
        if not sets:
            lines.append(_("{player} has sold nothing yet.").format(player=player(seat)))
            continue
        kind, n = max(sets, key=lambda each: (view.prices[each[0]][each[1] - 1], each))
        text = ngettext(
            "{player} has sold {n} set for ${money}: {best}.",
            "{player} has sold {n} sets for ${money}, the best of them {best}.",
            len(sets),
        )
        best = card.counted(kind, n)
        lines.append(text.format(player=player(seat), n=len(sets), money=view.money[seat], best=best))
    return " ".join(line[0].upper() + line[1:] for line in lines)


def podium(outcome: Outcome, won_with: Bundles) -> str:
    """The text beside the picture of a result. `won_with` are the cards of the winner's best sets."""
    scores = "; ".join(
        _("{player} with ${money}").format(player=player(seat), money=outcome.scores[seat])
        for seat in sorted(range(len(outcome.ranks)), key=lambda seat: (outcome.ranks[seat], seat))
    )
    text = _("The winners' stand, the best first: {players}.").format(players=scores)
    if won_with:
        text += " " + _("In the museum's case lie the best sets that won the match: {cards}.").format(
            cards=plain_cards(won_with)
        )
    return text
