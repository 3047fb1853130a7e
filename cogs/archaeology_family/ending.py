"""The end of a match of both Archaeology games in words: the result, highlights, and the comparison with the same deal.

A result has the ranks, the sets that were sold, and what broke a tie. A comparison is a sentence to a person about
where two plays of the same deal first differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, zip_longest
from typing import Final

from bot.language import gettext as _
from bot.language import listing
from bot.ui.screens.game_parts import most
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.kit import SEATS, ranking
from bot.ui.screens.names import Names
from cogs.archaeology_family import names as card
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.state import View
from engine.game import Outcome


def result(view: View, names: Names) -> list[str]:
    """The causes that broke ties, the ranks with their reasons, a line each, and the cards that nobody explored."""
    outcome = view.outcome
    assert outcome is not None
    lines = ties(outcome, names)
    if outcome.why == "shared":
        lines.append(_("Tied on money and on cards sold: the victory is shared."))
    for seat, place in ranking(outcome):
        lines.append(f"{place} {SEATS[seat]} {names.bold(seat)} · **${outcome.scores[seat]}**")
        sets = card.sold_sets(view.sold[seat], view.prices)
        lines.append(f"-# {sets}" if sets else _("-# sold nothing"))
    left = [(kind, n) for kind, n in enumerate(view.unseen) if n]
    if left and sum(n for _kind, n in left) == sum(view.chambers):
        text = _("-# Never explored: {cards}").format(cards=card.cards(left))
        lines.append(text.replace("-#", card.EMOJI[MAP]))  # apart from the sets above it
    return lines


def ties(outcome: Outcome, names: Names) -> list[str]:
    """The numbers of cards by which seats with as much money are ranked, a line for each such amount."""
    lines = list[str]()
    for money in sorted({*outcome.scores}, reverse=True):
        tied = [seat for seat, n in enumerate(outcome.scores) if n == money]
        counts = " · ".join(f"{names.bold(seat)} {outcome.detail[seat]}" for seat in tied)
        if len({outcome.ranks[seat] for seat in tied}) > 1:
            text = _("Tied on money; whoever sold fewer cards is ahead: {counts}")
            lines.append(text.format(counts=counts))
    return lines


BEST: Final = "💎"


def highlights(events: Sequence[SeenEvent], view: View, names: Names) -> list[str]:
    """How the lead changed, the dearest set, the busiest thief, and who lost most to Sandstorms."""
    thefts, lost = [0] * view.seats, [0] * view.seats
    for event in events:
        if event.seat is None:
            continue
        if event.kind == "stolen":
            thefts[event.seat] += 1
        elif event.kind == "lost":
            lost[event.seat] += sum(n for _kind, n in event.facts["cards"])
    return [
        *_lead(events, view, names),
        *_dearest_set(events, names),
        *most(card.THIEF, thefts, names, _("Stole the most cards: {who}, {n}.")),
        *most(card.SANDSTORM, lost, names, _("Most cards lost to Sandstorms: {who}, {n}.")),
    ]


def _lead(events: Sequence[SeenEvent], view: View, names: Names) -> list[str]:
    """The sale that took the lead for good, or that drew level at the end; none if the lead never changed hands."""
    money, taken, level = [0] * view.seats, list[SeenEvent](), list[SeenEvent]()
    for event in (event for event in events if event.kind == "sold" and event.seat is not None):
        was_alone = sorted(money)[-2] < money[event.seat or 0]
        money[event.seat or 0] += event.facts["price"]
        second, best = sorted(money)[-2:]
        if money[event.seat or 0] < best:
            continue
        level = [event] if second == best else []
        if not level and not was_alone:
            taken.append(event)
    changes = sum(one.seat != other.seat for one, other in pairwise(taken))
    if not changes:
        return []
    text = _("Lead changes: {n}. {who} took it for good with {cards} for ${price}.")
    if level:
        text = _("Lead changes: {n}. {who} drew level at the end with {cards} for ${price}.")
    seat, facts = [*taken, *level][-1][1:]
    cards = card.cards([(facts["treasure"], facts["count"])])
    return ["💰 " + text.format(n=changes, who=names.bold(seat or 0), cards=cards, price=facts["price"])]


def _dearest_set(events: Sequence[SeenEvent], names: Names) -> list[str]:
    """The set that brought most dollars; none if several people sold one for as much."""
    sold = [event for event in events if event.kind == "sold" and event.seat is not None]
    price = max((event.facts["price"] for event in sold), default=0)
    best = [event for event in sold if event.facts["price"] == price]
    if len({event.seat for event in best}) != 1:
        return []
    cards = card.cards([(best[0].facts["treasure"], best[0].facts["count"])])
    who = names.bold(best[0].seat or 0)
    text = _("Most valuable set: {who}, {cards} for ${price}.").format(who=who, cards=cards, price=price)
    return [f"{BEST} {text}"]


DEEDS: Final = ("traded", "explored", "opened", "entered", "named", "sold")
"""The kinds of events that a player decides on."""
_OF_A_TURN: Final = ("found", "thief", "sandstorm", "ended", "passed", *DEEDS)
"""The kinds of events that tell whose turn it is."""

Deed = Callable[[SeenEvent, bool], str]
"""A deed as a part of a sentence; True if the reader did it."""


def turns_of(events: Sequence[SeenEvent], seat: int) -> list[list[SeenEvent]]:
    """The deeds of a seat, by its turns."""
    turns: list[list[SeenEvent]] = []
    before: int | None = None
    for event in events:
        if event.kind not in _OF_A_TURN:
            continue
        if event.seat == seat:
            # A turn ends at its "ended" or "passed"; the next one may follow at once if nobody else has cards.
            if before != seat:
                turns.append([])
            if event.kind in DEEDS:
                turns[-1].append(event)
        before = None if event.kind in ("ended", "passed") else event.seat
    return turns


SALES: Final = ((20, "🌟"), (10, "🔷"), (1, "🔹"), (0, "⚪"))
"""The sign of a turn by the least dollars that its sales bring."""
_A_LINE: Final = 14
"""The signs that a line has on a phone."""


def course(events: Sequence[SeenEvent], seat: int) -> list[str]:
    """A seat's turns by what their sales brought, as signs, and below them what these mean. No card is told."""
    turns = turns_of(events, seat)
    sold = [sum(event.facts["price"] for event in turn if event.kind == "sold") for turn in turns]
    signs = [next(sign for least, sign in SALES if dollars >= least) for dollars in sold]
    rows = -(-len(signs) // _A_LINE)
    lines = ["".join(signs[len(signs) * n // rows : len(signs) * (n + 1) // rows]) for n in range(rows)]
    meaning = _("Sold each turn: 🌟 $20+ · 🔷 $10–19 · 🔹 less · ⚪ none")
    return lines and [*lines, f"-# {meaning}"]


def dollars(n: float) -> str:
    return f"${n:g}"


def pace(events: Sequence[SeenEvent], seat: int) -> list[int]:
    """A seat's money after each of its turns, and now."""
    money, after = 0, list[int]()
    for event in events:
        if event.seat == seat:
            money += event.facts["price"] if event.kind == "sold" else 0
            after += [money] if event.kind in ("ended", "passed") else []
    return [*after, money]


def first_difference(
    own: Sequence[SeenEvent], other: Sequence[SeenEvent], seat: int, rival: str, deed: Deed
) -> str:
    """The first turn in which the two plays of this seat differ. `rival` is the name of the other play's person."""
    plays = zip_longest(turns_of(own, seat), turns_of(other, seat), fillvalue=())
    for number, (my_turn, their_turn) in enumerate(plays):
        if _facts(my_turn) != _facts(their_turn):
            return _difference(my_turn, their_turn, number, rival, deed)
    return _("You traded, explored and sold the same as {rival}.").format(rival=rival)


def _facts(turn: Sequence[SeenEvent]) -> list[tuple[str, str]]:
    return [(event.kind, repr(sorted(event.facts.items()))) for event in turn]


def _difference(
    my_turn: Sequence[SeenEvent], their_turn: Sequence[SeenEvent], number: int, rival: str, deed: Deed
) -> str:
    text = _("You part ways on turn {turn}: you {own}; {rival} {other}.")
    own = listing([deed(event, True) for event in my_turn]) or _("only dig")
    other = listing([deed(event, False) for event in their_turn]) or _("only digs")
    return text.format(turn=number + 1, own=own, rival=rival, other=other)
