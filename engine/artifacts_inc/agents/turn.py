"""A turn's possible courses, as `engine.agents.lines` searches them.

Whatever can be done in any order is looked at in one order alone: what gains, then what sells, then what buys, each
by its space; a purchase may open new spaces, so after it all is looked at again. An ability is used for a die just
before that is placed. The outcome of chance, such as a roll again or a refilled offer, is not part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from engine.agents.lines import Judged, Line, lines
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.box import BUYING, ORDER, Purchase, Spot, Tool
from engine.artifacts_inc.agents.standing import Standing
from engine.artifacts_inc.agents.table import Course
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import ANY
from engine.artifacts_inc.choices import SCROLL, faces
from engine.artifacts_inc.state import GOAL, NEAR, Numbers
from engine.game import make

_KINDS: Final = range(len(ARTIFACTS))
_BUYS: Final = BUYING * ORDER
PIP: Final = 0.02
"""The expected worth of a pip of an unplaced die, in reputation."""

Step = tuple[tuple[m.Move, ...], Course]
Die = tuple[tuple[m.Move, ...], int, Numbers, int]
"""A die for a slot: moves before it, its face, the dice left without it, and the abilities used by then."""
Deed = tuple[type[Any], tuple[Any, ...], tuple[Any, ...]]
"""A way to carry out an action: its kind of move, what that asks for beside die and space, and the course's parts from
the dollars on after it.
"""


class Turn:
    """The plan of the active seat's turn (`engine.agents.lines.Plan`)."""

    def __init__(self, standing: Standing, dies: int = 2, purchases: int = 99, sales: int = 99) -> None:
        """`dies` is how many different dice are tried on a slot: those that fit the fewest others. `purchases` is how
        many of the cards that can be bought or turned are tried: those that seem best. `sales` is how many choices of
        artifacts are tried where they are sold at once: the first is all of them.
        """
        self._standing = standing
        self._prospects = standing.prospects
        self._dies, self._most, self._sales = dies, purchases, sales
        self._seat = standing.seat
        self.judged = 0
        """How many positions have been judged."""

    # -- what the search asks

    def left(self, course: Course, /) -> int:
        return len(course.dice)

    def judge(self, course: Course, /) -> Judged:
        self.judged += 1
        return make(Judged, self._standing.judged(course, PIP * sum(course.dice)))

    def steps(self, course: Course, /) -> Iterator[Step]:
        """Dives, then a die on each spot that may come next."""
        dice, covered, used, since, *_ = course
        means, free = course.company.means, ~covered
        tools = [tool for tool in means.tools if tool.ability.do != "roll" and tool.left(used)]
        if since < 0:
            yield from self._dives(course, tools)
        reach = sorted([((means.fits[die] & free).bit_count(), die) for die in set(dice)])
        ranked = [die for _, die in reach]
        dies: list[Die] = [((), die, _without(dice, die), used) for die in ranked]
        chosen: dict[int, list[Die]] = {}
        """By the faces that fit."""
        for spot in means.spots:
            key, bit, fits, _, _, _, space = spot
            if key < since or covered & bit:
                continue
            placed = chosen.get(fits)
            if placed is None:
                placed = [die for die in dies if fits >> die[1] & 1][: self._dies]
                placed = chosen[fits] = placed or _turned(course, fits, ranked, tools)
            if not placed:
                continue
            deeds = self._deeds(course, spot)
            if not deeds:
                continue
            after = -1 if key >= _BUYS else key
            for turned, die, rest, uses in placed:
                for kind, asks, parts in deeds:
                    moves = (*turned, make(kind, (die, space, *asks)))
                    yield moves, make(Course, (rest, covered | bit, uses, after, *parts))

    def along(
        self, course: Course, line: Sequence[m.Move]
    ) -> Iterator[tuple[tuple[m.Move, ...], Course, Course]]:
        """The steps of a line, each with the positions before and after it."""
        while step := next((one for one in self.steps(course) if one[0] == (*line[: len(one[0])],)), None):
            yield step[0], course, step[1]
            line, course = line[len(step[0]) :], step[1]

    # -- what can be done next

    def _dives(self, course: Course, tools: Sequence[Tool]) -> Iterator[Step]:
        """The cheapest dive with the dice as they are, and with one of them raised by an ability."""
        dives, taken, dice = self._standing.catalogue.dives, course.taken, course.dice
        dived = taken > self._prospects.taken or self._standing.table.dived
        if not dice or dived or taken == len(dives):
            return
        top = dives[taken]
        due = top.number - course.company.dive
        after = course._replace(since=0, taken=taken + 1, reputation=course.reputation + top.reputation)
        plain = _cheapest(dice, due)
        if plain:
            yield (m.Dive(plain),), after._replace(dice=_without(dice, *plain))
        for tool in tools:
            die = dice[0]
            face = max(faces(tool.ability, die), default=die)
            if face > die:
                raised = tuple(sorted([*dice[1:], face]))
                sum_ = _cheapest(raised, due)
                if sum_ and face in sum_ and (not plain or len(sum_) < len(plain)):
                    left = after._replace(dice=_without(raised, *sum_), used=course.used + (1 << tool.shift))
                    yield (m.TurnDie(tool.own, die, face), m.Dive(sum_)), left
                    return

    def _deeds(self, course: Course, spot: Spot) -> list[Deed]:
        """How an action can be carried out, what is never better left out."""
        _, _, _, _, dollars, artifacts, *rest = course
        paid = dollars + spot.dollars
        match spot.do:
            case "gain":
                return [(m.PlaceDie, (), (paid, _more(artifacts, spot.artifact), *rest))]
            case "earn":
                return [(m.PlaceDie, (), (paid, artifacts, *rest))]
            case "gather":
                kinds = course.company.means.kinds
                return [(m.Gather, (kind,), (paid, _more(artifacts, kind), *rest)) for kind in kinds]
            case "museum":
                held = sum(artifacts) if spot.artifact == ANY else artifacts[spot.artifact]
                return self._orders(course, spot) if held else []
            case "collect":
                return [
                    (m.Collect, (sold,), (paid + sum(sold) + sum(map(bool, sold)) - 1, left, *rest))
                    for sold, left in _collections(artifacts)[: self._sales]
                ]
            case "sell":
                held = [kind for kind in _KINDS if artifacts[kind]]
                return [(m.SellOne, (kind,), (paid, _more(artifacts, kind, -1), *rest)) for kind in held]
            case _:
                return self._purchases(course, spot)

    def _orders(self, course: Course, spot: Spot) -> list[Deed]:
        """The orders that can be filled; of equal ones the highest (R27)."""
        artifacts, museums, museum = course.artifacts, course.museums, spot.artifact
        found: list[Deed] = []
        for kind in _KINDS if museum == ANY else (museum,):
            held = artifacts[kind]
            if not held:
                continue
            paid = course.dollars + self._standing.catalogue.museums[kind].bonus + spot.dollars
            for size, order in museums.open[kind]:
                if size > held:
                    break
                after = museums.filled(kind, order, self._seat)
                left = _more(artifacts, kind, -size)
                parts = (paid + size, left, course.company, after, course.taken, course.reputation)
                found.append((m.FillOrder, (kind, order), parts))
        return found

    def _purchases(self, course: Course, spot: Spot) -> list[Deed]:
        prospects, company, dollars = self._prospects, course.company, course.dollars
        scrolls, cards = course.artifacts[SCROLL], prospects.catalogue.cards
        found: list[tuple[type[Any], int, int]] = [
            (m.Buy, 2 * card, card)
            for card in prospects.offered(company)
            if cards[card].dollars <= dollars and cards[card].scrolls <= scrolls
        ]
        for index, number in enumerate(company.sides):
            if not number & 1:
                card = cards[number >> 1]
                if card.dollars <= dollars and card.scrolls <= scrolls:
                    found.append((m.TurnCard, number + 1, index))
        if len(found) > self._most:
            merits = prospects.merits()
            found.sort(key=lambda one: merits.get(one[1], 0.0), reverse=True)
            del found[self._most :]
        return [
            (kind, *self._bought(course, spot, company.bought(at) if kind is m.Buy else company.turned(at)))
            for kind, _, at in found
        ]

    def _bought(
        self, course: Course, spot: Spot, purchase: Purchase
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The facts that the move asks for, and the course's parts after the purchase."""
        cost, scrolls, asks, company, reputation, side = purchase
        artifacts, museums, taken = course.artifacts, course.museums, course.taken
        if scrolls:
            artifacts = _more(artifacts, SCROLL, -scrolls)
        if side.counts:
            reputation += self._prospects.counted(side, museums, taken)
        left = course.dollars - cost + spot.dollars
        return asks, (left, artifacts, company, museums, taken, course.reputation + reputation)


class _Sprint(Turn):
    """The same turn for reputation alone. Money and artifacts promise as much of it as purchases make of them."""

    def judge(self, course: Course, /) -> Judged:
        promise = course.reputation + 0.7 * course.dollars + 0.6 * sum(course.artifacts)
        return Judged(course.reputation, promise)


def sprints(
    standing: Standing, start: Course, width: int = 60, limit: int = 4000
) -> list[Line[Course, m.Move]]:
    """The lines that bring the seat to the goal from where it is near, judged by reputation alone."""
    found = lines(_Sprint(standing), start, width, limit) if NEAR <= start.reputation < GOAL else []
    return [line for line in found if line.end.reputation >= GOAL]


def side_of(deed: m.Move) -> int:
    """The side that a purchase turns up; 0 if it is none."""
    if isinstance(deed, m.TurnCard):
        return 2 * deed.own.card + 1
    return 2 * deed.card if isinstance(deed, m.Buy) else 0


def _turned(course: Course, fits: int, ranked: Sequence[int], tools: Sequence[Tool]) -> list[Die]:
    """A die that an ability makes fit a slot."""
    for tool in tools:
        for die in ranked:
            for face in faces(tool.ability, die):
                if fits >> face & 1:
                    turned = (m.TurnDie(tool.own, die, face),)
                    return [(turned, face, _without(course.dice, die), course.used + (1 << tool.shift))]
    return []


def _without(dice: Numbers, *placed: int) -> Numbers:
    for die in placed:
        at = dice.index(die)
        dice = dice[:at] + dice[at + 1 :]
    return dice


def _more(artifacts: Numbers, kind: int, n: int = 1) -> Numbers:
    return (*artifacts[:kind], artifacts[kind] + n, *artifacts[kind + 1 :])


@lru_cache(maxsize=1 << 10)
def _collections(held: Numbers) -> list[tuple[Numbers, Numbers]]:
    """All artifacts, one of each kind, and all but those that an order asks for; each with those that are left."""
    if not any(held):
        return []
    one = tuple([min(1, n) for n in held])
    found = [held, one]
    for kept, n in enumerate(held):
        if n:
            found.append(tuple([0 if kind == kept else n for kind, n in enumerate(held)]))
            found.append(tuple([1 if kind == kept else n for kind, n in enumerate(held)]))
    return [
        (sold, tuple([n - gone for n, gone in zip(held, sold, strict=True)]))
        for sold in dict.fromkeys(found)
        if any(sold)
    ]


def _cheapest(dice: Sequence[int], due: int) -> Numbers | None:
    """The fewest dice that reach a sum, of these the least pips."""
    ordered = sorted(dice)
    for count in range(1, len(ordered) + 1):
        if sum(ordered[-count:]) >= due:
            chosen = ordered[-count:]
            rest = ordered[:-count]
            for at in range(count):
                for other in rest:
                    if other < chosen[at] and sum(chosen) - chosen[at] + other >= due:
                        rest.remove(other)
                        rest.append(chosen[at])
                        chosen[at] = other
                        break
            return tuple(sorted(chosen))
    return None
