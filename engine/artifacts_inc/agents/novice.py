"""A sensible player of Artifacts, Inc. that does not look far: every die where it brings most, purchases last.

It judges by the worth of things to the seat whose turn it is, in reputation: rough estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.leaning import NO_LEANING, OF_AN_ORDER, Leaning
from engine.artifacts_inc.catalogue import Action, DiveCard, Side, Slot
from engine.artifacts_inc.choices import (
    abilities,
    cheapest_dive,
    faces,
    fillable,
    free_slots,
    gatherable,
    majority,
    next_dive,
    purchases,
    score,
    scored_places,
    turnable,
    turning_score,
    usual_place,
)
from engine.artifacts_inc.company import CompanyCard, Place, Space
from engine.artifacts_inc.state import ARRANGE, FREE, GOAL, View, company, powers

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

    def turning(self, own: CompanyCard) -> float:
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


TURNING: Final = 0.3
"""The least gain for which a die is turned to another face."""
POOR: Final = 0.45
"""Dice that can bring no more are rolled again."""
INCOME: Final = 4
"""Dollars that a turn is sure to bring."""
PATIENCE: Final = 1.0
"""By so much something dearer must be better to be waited for."""


class Use(NamedTuple):
    """A slot, the best that a die on it could do, and what that brings."""

    space: Space
    slot: Slot
    gain: float
    kind: Callable[..., m.Move]
    asks: tuple[Any, ...]

    def fits(self, die: int) -> bool:
        return bool(self.slot.faces >> die & 1)

    def move(self, die: int) -> m.Move:
        return self.kind(die, self.space, *self.asks)


Option = tuple[float, Callable[..., m.Move], tuple[Any, ...]]
"""A way to carry out an action: what it brings, its kind of move, what that asks for beside die and space."""


class Novice:
    """Places its dice one by one: first what makes money, then purchases with the lowest dice."""

    slow = False

    def __init__(self, leaning: Leaning = NO_LEANING) -> None:
        self._leaning = leaning

    def choose(self, view: View, rng: Random) -> m.Move:
        return m.Roll() if view.phase == ARRANGE else _Turn(view, self._leaning).move()


class _Turn:
    """The possible actions in the view's turn."""

    def __init__(self, view: View, leaning: Leaning) -> None:
        self.view = view
        self.worth = Worth(view, leaning)
        uses = [use for space, slot in free_slots(view) for use in self._uses(space, slot)]
        self.buying = [use for use in uses if use.slot.action.do == "buy"]
        self.others = [use for use in uses if use.slot.action.do != "buy"]

    def move(self) -> m.Move:
        """Abilities first, then the best dive or placement; a purchase once only its dice are left."""
        dice = self.view.dice
        kept = dice[: min(len(self.buying), len(dice))]
        free = dice[len(kept) :]
        if turned := self._turned(free or dice):
            return turned
        use, die = self._best_use(free)
        if dive := self._dive(use.gain if use else 0.0):
            return dive
        if use:
            return use.move(die)
        if purchase := self._purchase(dice):
            return purchase
        use, die = self._best_use(dice)
        return use.move(die) if use else m.PASS

    def _best_use(self, dice: Sequence[int]) -> tuple[Use | None, int]:
        """The best use of any of these dice, and the lowest die for it."""
        found = [(use.gain, -die, use) for use in self.others for die in set(dice) if use.fits(die)]
        _, die, use = max(found, key=lambda each: each[:2], default=(0.0, 0, None))
        return use, -die

    def _purchase(self, dice: Sequence[int]) -> m.Move | None:
        for use in sorted(self.buying, key=lambda use: -use.gain):
            for die in dice:
                if use.fits(die):
                    return use.move(die)
        return None

    def _dive(self, gain: float) -> m.Dive | None:
        """The cheapest dive, where it brings more than its dice would elsewhere, the best of which brings `gain`."""
        dice, top = cheapest_dive(self.view), next_dive(self.view)
        if not dice or not top:
            return None
        elsewhere = gain + DIE * (len(dice) - 1)
        return m.Dive(dice) if self.worth.dive(top) > elsewhere else None

    def _turned(self, dice: Sequence[int]) -> m.TurnDie | m.RollAgain | None:
        """A die turned to a face that brings clearly more, or poor dice rolled again."""
        best: tuple[float, m.TurnDie] | None = None
        for own, ability, _ in abilities(self.view):
            if ability.do == "roll":
                poor = tuple(die for die in dice if self._best(die) < POOR)
                if len(poor) > 1:
                    return m.RollAgain(own, poor)
            for die in set(dice):
                for face in faces(ability, die):
                    gain = self._best(face) - self._best(die)
                    if gain > TURNING and (best is None or gain > best[0]):
                        best = gain, m.TurnDie(own, die, face)
        return best[1] if best else None

    def _best(self, die: int) -> float:
        return max((use.gain for use in self.others if use.fits(die)), default=0.0)

    # -- what a slot could be used for

    def _uses(self, space: Space, slot: Slot) -> Iterator[Use]:
        options = list(self._options(slot.action))
        if options:
            gain, kind, asks = max(options, key=lambda option: option[0])
            if gain > 0:
                yield Use(space, slot, gain, kind, asks)

    def _options(self, action: Action) -> Iterator[Option]:
        view, worth = self.view, self.worth
        held = view.artifacts[view.active]
        paid = action.dollars * worth.dollar
        match action.do:
            case "gain":
                yield worth.artifact + paid, m.PlaceDie, ()
            case "earn":
                yield paid, m.PlaceDie, ()
            case "gather":
                least = min(gatherable(view), key=lambda artifact: held[artifact], default=None)
                if least is not None:
                    yield worth.artifact + paid, m.Gather, (least,)
            case "museum":
                for museum, order in fillable(view, action.artifact):
                    yield worth.order(museum, order) + paid, m.FillOrder, (museum, order)
            case "collect" if any(held):
                kinds = sum(n > 0 for n in held)
                dollars = sum(held) + kinds - 1 + action.dollars
                yield worth.artifacts(held, dollars), m.Collect, (held,)
                one = tuple(min(n, 1) for n in held)
                yield worth.artifacts(one, 2 * kinds - 1 + action.dollars), m.Collect, (one,)
            case "sell" if any(held):
                most = max(range(len(held)), key=lambda artifact: held[artifact])
                yield paid - worth.artifact / 2, m.SellOne, (most,)
            case "buy":
                yield from self._purchases()
            case _:
                pass

    def _purchases(self) -> Iterator[Option]:
        """The cards that can be bought now; none where saving for something better is worth the wait."""
        view, worth = self.view, self.worth
        found: list[Option] = []
        for card in purchases(view):
            place = self._place(card)
            found.append((worth.card(card, place), m.Buy, (card, place)))
        found += [(worth.turning(own), m.TurnCard, (own,)) for own in turnable(view)]
        if found and self._saved_for() <= PATIENCE + max(gain for gain, *_ in found):
            yield from found

    def _place(self, card: int) -> Place:
        """Where a card scores most; the usual place where all are alike (R26)."""
        view = self.view
        if not view.catalogue.cards[card].sides[0].counts:
            return usual_place(view, view.active)
        return max(scored_places(view, card), key=lambda scored: scored[1].total)[0]

    def _saved_for(self) -> float:
        """The most that a purchase could bring next turn that cannot be paid yet."""
        view, worth = self.view, self.worth
        if worth.turns < 3:
            return 0.0
        cards, dollars = view.catalogue.cards, view.dollars[view.active]
        within = range(dollars + 1, dollars + INCOME + 1)
        offered = {card for offer in view.offers for card in offer if cards[card].dollars in within}
        gains = [worth.card(card, self._place(card)) for card in offered]
        held = company(view, view.active)
        gains += [worth.turning(c.own) for c in held if c.level == 1 and c.card.dollars in within]
        return max(gains, default=0.0)
