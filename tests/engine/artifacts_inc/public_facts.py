"""The events of Artifacts, Inc.: its kinds of events, and a view in the words of the oracle, which knows none."""

from __future__ import annotations

from typing import Any, Final

from engine.artifacts_inc.card_list import ARTIFACTS, PILES
from engine.artifacts_inc.company import CompanyCard
from engine.artifacts_inc.state import SOURCES, View, company

EVENTS: Final = (
    "offered",
    "first",
    "arranged",
    "rolled",
    "gained",
    "earned",
    "gathered",
    "filled",
    "collected",
    "sold",
    "bought",
    "turned_card",
    "revealed",
    "near",
    "reached",
    "dived",
    "turned_die",
    "rolled_again",
    "passed",
    "majority",
    "over",
)
"""All kinds of events."""


def public_facts(view: View) -> dict[str, Any]:
    """The content of a view, in the form of `Oracle.public`."""
    cards = view.catalogue.cards
    dice: dict[CompanyCard, dict[int, int]] = {}
    for space, face in zip(view.covered, view.laid, strict=True):
        dice.setdefault(space.own, {})[space.slot] = face
    companies: list[list[list[Any]]] = []
    for seat in range(view.seats):
        mine = seat == view.active
        companies.append(
            [
                [
                    held.card.key,
                    held.level,
                    (("upper", "lower")[held.place.row], held.place.column),
                    list(held.artifacts),
                    held.used,
                    dice.get(held.own, {}) if mine else {},
                ]
                for held in company(view, seat)
            ]
        )
    public = view.catalogue.public
    return {
        "phase": view.phase,
        "round": view.round,
        "active": view.active,
        "first": view.first,
        "rolls": [list(roll) for roll in view.rolls],
        "dice": list(view.dice),
        "public dice": {cards[card].key: on[0] for (card, _), on in dice.items() if card < public},
        "dived": list(view.dived),
        "dollars": list(view.dollars),
        "reputation": list(view.reputation),
        "earned": [dict(zip(SOURCES, earned, strict=True)) for earned in view.earned],
        "companies": companies,
        "offers": {p: [cards[c].key for c in offer] for p, offer in zip(PILES, view.offers, strict=True)},
        "piles": {p: {cards[c].key: n for c, n in pile} for p, pile in zip(PILES, view.piles, strict=True)},
        "orders": {
            artifact: [None if seat < 0 else seat for seat in orders]
            for artifact, orders in zip(ARTIFACTS, view.orders, strict=True)
        },
        "divers": list(view.divers),
        "ranks": list(view.outcome.ranks) if view.outcome else None,
    }
