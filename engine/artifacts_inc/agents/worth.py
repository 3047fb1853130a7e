"""The worth of things to the seat whose turn it is, in reputation: rough estimates that rules of thumb stand on."""

from __future__ import annotations

from typing import Final

from engine.artifacts_inc.agents.leaning import NO_LEANING, OF_AN_ORDER, Leaning
from engine.artifacts_inc.catalogue import DiveCard, Side, Slot
from engine.artifacts_inc.choices import majority, score, turning_score
from engine.artifacts_inc.company import OwnCard, Place
from engine.artifacts_inc.state import FREE, GOAL, View, powers

PACE: Final = 2.2
"""Reputation that a leader gains in a round."""
DOLLAR: Final = 0.42
"""A dollar's worth while there is time to spend it."""
LAST_DOLLAR: Final = 0.05
"""In the last round: it may still buy something now, or break a tie."""
ARTIFACT: Final = 0.6
"""An artifact's: a dollar at least, more as part of an order."""
FIND: Final = 0.25
DIE: Final = 0.4
"""The gain a turn from a die without a better use."""
USE: Final = 0.25
"""A use of an ability."""
DOES: Final = {
    "gain": ARTIFACT,
    "gather": ARTIFACT,
    "buy": 0.9,
    "museum": 0.6,
    "collect": 0.5,
    "sell": 0.0,
    "earn": 0.0,
}
"""The gain from an action beside its dollars."""


class Worth:
    """Estimates for one view."""

    def __init__(self, view: View, leaning: Leaning = NO_LEANING) -> None:
        self.view = view
        self.leaning = leaning
        self.seat = view.active
        self.artifact = ARTIFACT + OF_AN_ORDER * leaning.museums
        """The gain from an artifact."""
        self.turns = min(10.0, max(0.0, (GOAL - max(view.reputation)) / PACE))
        """Turns that this seat has still before it, after this one."""
        self.dollar = DOLLAR if self.turns else LAST_DOLLAR
        gives = powers(view, self.seat)
        working = sum(slot.action.do != "buy" for own in gives.holdings for slot in own.side.slots)
        self.busy = working >= gives.dice
        """Whether all dice find work on the seat's own cards, so that another slot is worth less, a die more."""

    def slot(self, slot: Slot) -> float:
        """The gain from a slot in a turn beyond the gain from its die elsewhere."""
        gain = DOES[slot.action.do] + slot.action.dollars * DOLLAR - DIE / 2
        return max(0.0, gain) * slot.faces.bit_count() / 6 * (0.3 if self.busy else 1)

    def side(self, side: Side) -> float:
        """The gain from a side in the turns to come."""
        slots = sum(self.slot(slot) for slot in side.slots)
        uses = side.ability.uses * USE if side.ability else 0.0
        diving = 0.12 * side.dive if len(self.view.divers) < len(self.view.catalogue.dives) else 0.0
        return self.turns * (slots + uses + diving + side.dice * (DIE + 0.3 * self.busy))

    def card(self, number: int, place: Place) -> float:
        """The gain from buying a card, its cost taken off."""
        card = self.view.catalogue.cards[number]
        side = card.sides[0]
        gained = score(self.view, self.seat, side, place).total + self.side(side)
        gained += self.leaning.purchase(card.dollars, side.dice)
        return gained - card.dollars * self.dollar - card.scrolls * ARTIFACT

    def turning(self, own: OwnCard) -> float:
        """The gain from turning a card to level 2, its cost taken off."""
        card = self.view.catalogue.cards[own.card]
        more = self.side(card.sides[1]) - self.side(card.sides[0])
        gained = turning_score(self.view, own).total + more
        gained += self.leaning.purchase(card.dollars, card.sides[1].dice - card.sides[0].dice)
        return gained - card.dollars * self.dollar - card.scrolls * ARTIFACT

    def order(self, museum: int, order: int) -> float:
        """The gain from filling an order: dollars, and a better standing for the majority."""
        view = self.view
        size = view.catalogue.orders(museum, view.seats)[order]
        card = view.catalogue.museums[museum]
        share = 0.25 if majority(view, museum) == self.seat else 0.4
        seats = [seat for seat in view.orders[museum] if seat != FREE]
        standing = card.majority * share / (1 + max((seats.count(s) for s in set(seats)), default=0))
        return (
            (size + card.bonus) * self.dollar
            - size * ARTIFACT * self._keeping()
            + standing
            + self.leaning.museums
        )

    def dive(self, top: DiveCard) -> float:
        """The gain from taking a U card."""
        return top.reputation + FIND + self.leaning.dives

    def artifacts(self, counts: tuple[int, ...], dollars: int) -> float:
        """The gain from selling artifacts at once for so many dollars."""
        return dollars * self.dollar - sum(counts) * self.artifact * self._keeping()

    def _keeping(self) -> float:
        """How much of their worth artifacts keep if they are not sold now."""
        return 0.5 if self.turns else 0.0
