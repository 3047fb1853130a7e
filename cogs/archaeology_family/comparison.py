"""Where two plays of the same deal first differ, in a sentence to the person of one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bot.language import gettext as _
from bot.language import listing, ngettext
from bot.ui.screens.game_screens import SeenEvent
from cogs.archaeology_family import names as card

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


def first_difference(
    own: Sequence[SeenEvent], other: Sequence[SeenEvent], seat: int, rival: str, deed: Deed
) -> str:
    """The first turn in which the two plays of this seat differ. `rival` is the name of the other play's person."""
    mine, theirs = turns_of(own, seat), turns_of(other, seat)
    for number in range(max(len(mine), len(theirs))):
        my_turn = mine[number] if number < len(mine) else []
        their_turn = theirs[number] if number < len(theirs) else []
        if _facts(my_turn) != _facts(their_turn):
            return _late_sale(mine, their_turn, number, rival) or _difference(
                my_turn, their_turn, number, rival, deed
            )
    return _("You traded, explored and sold the same as {rival}.").format(rival=rival)


def _facts(turn: Sequence[SeenEvent]) -> list[tuple[str, str]]:
    return [(event.kind, repr(sorted(event.facts.items()))) for event in turn]


def _late_sale(
    mine: Sequence[Sequence[SeenEvent]], their_turn: Sequence[SeenEvent], number: int, rival: str
) -> str:
    """The sentence about a treasure that the other sold in this turn, and the reader only later; or empty."""
    my_turn = mine[number] if number < len(mine) else ()
    sold_here = {event.facts["treasure"] for event in my_turn if event.kind == "sold"}
    for sale in (event for event in their_turn if event.kind == "sold"):
        treasure = sale.facts["treasure"]
        if treasure in sold_here:
            continue
        later = [
            n - number
            for n, turn in enumerate(mine)
            if n > number and any(e.kind == "sold" and e.facts["treasure"] == treasure for e in turn)
        ]
        if later:
            text = ngettext(
                "On turn {turn}, {rival} sold {cards}; you did so one turn later.",
                "On turn {turn}, {rival} sold {cards}; you did so {n} turns later.",
                later[0],
            )
            cards = card.cards([(treasure, sale.facts["count"])])
            return text.format(turn=number + 1, rival=rival, cards=cards, n=later[0])
    return ""


def _difference(
    my_turn: Sequence[SeenEvent], their_turn: Sequence[SeenEvent], number: int, rival: str, deed: Deed
) -> str:
    text = _("You part ways on turn {turn}: you {own}; {rival} {other}.")
    own = listing([deed(event, True) for event in my_turn]) or _("only dig")
    other = listing([deed(event, False) for event in their_turn]) or _("only digs")
    return text.format(turn=number + 1, own=own, rival=rival, other=other)
