"""The possible actions of the active seat, as lists for screens and agents, made from a view or a state.

The rules judge moves by checks of their own (`engine.artifacts_inc.rules`); tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import ANY, Ability, Action, DiveCard, Side, Slot
from engine.artifacts_inc.company import MOST_DICE, UPPER, CompanyCard, Place, Space, around
from engine.artifacts_inc.state import (
    ACT,
    CLOSE,
    FREE,
    GOAL,
    MUSEUMS,
    OVER,
    ROUNDS,
    Numbers,
    Position,
    finds,
    powers,
)

FACES: Final = range(1, 7)
SCROLL: Final = ARTIFACTS.index("scroll")


# -- dice and where they can lie


def dice_of(position: Position, seat: int) -> int:
    """How many dice a seat rolls with the cards that it has now (R30)."""
    return min(MOST_DICE, powers(position, seat).dice)


def free_slots(position: Position) -> Iterator[tuple[Space, Slot]]:
    """The slots of the public cards, then of the active seat's own, on which no die lies."""
    for space, slot in powers(position, position.active).spots:
        if space not in position.covered:
            yield space, slot


def spaces(position: Position, die: int) -> list[tuple[Space, Slot]]:
    """The present uses of a die of this face: the free slots that take it and whose action can be carried out (R25)."""
    return [
        (space, slot)
        for space, slot in free_slots(position)
        if slot.faces >> die & 1 and possible(position, slot.action)
    ]


def possible(position: Position, action: Action) -> bool:
    """Whether the active seat can carry out an action now."""
    match action.do:
        case "gather":
            return bool(gatherable(position))
        case "buy":
            return bool(purchases(position) or turnable(position))
        case "museum":
            return bool(fillable(position, action.artifact))
        case "collect" | "sell":
            return any(position.artifacts[position.active])
        case _:
            return True


# -- what an action asks for


def collected(artifacts: Sequence[int]) -> int:
    """The price of artifacts that are sold together: a dollar for each, and one for each further kind."""
    return sum(artifacts) + max(0, sum(map(bool, artifacts)) - 1)


def gatherable(position: Position) -> list[int]:
    """The artifacts that the active seat's Expeditions yield (R60)."""
    yields = powers(position, position.active).yields
    return [artifact for artifact in range(len(ARTIFACTS)) if yields >> artifact & 1]


def fillable(position: Position, museum: int = ANY) -> list[tuple[int, int]]:
    """The free orders, as (museum, order), for which the active seat has the artifacts; of one museum or of all."""
    museums = range(len(ARTIFACTS)) if museum == ANY else (museum,)
    held = position.artifacts[position.active]
    return [
        (number, order)
        for number in museums
        for order, size in enumerate(position.catalogue.orders(number, position.seats))
        if position.orders[number][order] == FREE and size <= held[number]
    ]


def affordable(position: Position, card: int) -> bool:
    """Whether the active seat can pay a card's cost."""
    cost, seat = position.catalogue.cards[card], position.active
    return cost.dollars <= position.dollars[seat] and cost.scrolls <= position.artifacts[seat][SCROLL]


def purchases(position: Position) -> list[int]:
    """The cards on offer that the active seat can pay, each once."""
    offered = [card for offer in position.offers for card in dict.fromkeys(offer)]
    return [card for card in offered if affordable(position, card)]


def turnable(position: Position) -> list[CompanyCard]:
    """The active seat's level-1 cards whose cost it can pay again."""
    cards, sides = powers(position, position.active).cards, position.sides[position.active]
    return [
        own for own, side in zip(cards, sides, strict=True) if not side & 1 and affordable(position, own.card)
    ]


def places(position: Position, seat: int) -> list[Place]:
    """Where a seat can lay a new card (R34): the upper row's places first, each row from left to right."""
    taken = position.places[seat]
    return sorted({place for own in taken for place in around(own) if place not in taken})


def usual_place(position: Position, seat: int) -> Place:
    """The right end of the upper row (R26)."""
    return Place(UPPER, 1 + max(place.column for place in position.places[seat] if place.row == UPPER))


class Score(NamedTuple):
    """Reputation that a side brings when it is turned up: its icon's, and what its ability counts."""

    icon: int
    counted: int

    @property
    def total(self) -> int:
        return self.icon + self.counted


def score(position: Position, seat: int, side: Side, place: Place) -> Score:
    """The immediate score of a side, turned up in this place of a seat's company (R20)."""
    return Score(side.reputation, counted(position, seat, side, place) if side.counts else 0)


def counted(position: Position, seat: int, side: Side, place: Place) -> int:
    """The score of a side's ability, which counts finds, museums with the seat's cube, Expeditions beside the place."""
    total = sum([each * n for each, n in zip(side.per_find, finds(position, seat), strict=True)])
    if side.per_museum:
        total += side.per_museum * sum([seat in orders for orders in position.orders])
    if side.per_expedition:
        lying = zip(position.places[seat], position.sides[seat], strict=True)
        near = [number >> 1 for other, number in lying if other in around(place)]
        total += side.per_expedition * sum([position.catalogue.cards[card].expedition for card in near])
    return total


def scored_places(position: Position, card: int) -> list[tuple[Place, Score]]:
    """Where the active seat can lay a new card, with what it scores there at once."""
    seat, side = position.active, position.catalogue.cards[card].sides[0]
    return [(place, score(position, seat, side, place)) for place in places(position, seat)]


def turning_score(position: Position, own: CompanyCard) -> Score:
    """The active seat's score for turning this card of its own to level 2. Raises `ValueError` where it has none."""
    seat = position.active
    place = position.places[seat][powers(position, seat).cards.index(own)]
    return score(position, seat, position.catalogue.cards[own.card].sides[1], place)


# -- dives


def next_dive(position: Position) -> DiveCard | None:
    """The U pile's top card; None where it is empty."""
    taken = len(position.divers)
    dives = position.catalogue.dives
    return dives[taken] if taken < len(dives) else None


def dive_bonus(position: Position, seat: int) -> int:
    """The number that a seat's cards add to the sum of its dives."""
    return powers(position, seat).dive


def dive_due(position: Position) -> int | None:
    """The sum that the active seat's dice must reach to dive now; None where it cannot (R25, R62)."""
    top = next_dive(position)
    if not top or position.dived or position.phase != ACT:
        return None
    return top.number - dive_bonus(position, position.active)


def dives(position: Position) -> list[Numbers]:
    """The sets of unplaced dice with which the active seat can dive now, without any die that is not needed.

    Sets of fewer dice come first, and of these the ones with the lower sum.
    """
    due = dive_due(position)
    if due is None:
        return []
    sets = [dice for dice in sets_of(position.dice) if sum(dice) >= due]
    least = [dice for dice in sets if len(dice) == 1 or sum(dice[1:]) < due]
    return sorted(least, key=lambda dice: (len(dice), sum(dice), dice))


def cheapest_dive(position: Position) -> Numbers | None:
    """The fewest unplaced dice with which the active seat can dive now; of several such sets the one with the lowest
    sum.
    """
    return next(iter(dives(position)), None)


# -- abilities


def abilities(position: Position) -> list[tuple[CompanyCard, Ability, int]]:
    """The abilities that the active seat can use now, with the uses left (R39). None once all dice are placed."""
    if not position.dice or position.phase != ACT:
        return []
    usable = powers(position, position.active).abilities
    left = [(own, ability, ability.uses - position.used.count(own)) for own, ability in usable]
    return [found for found in left if found[2] > 0]


def faces(ability: Ability, die: int) -> Numbers:
    """The faces to which an ability can turn a die of this face; none for one that rolls."""
    match ability.do:
        case "turn":
            return tuple(face for face in (die - 1, die + 1) if face in FACES)
        case "set":
            return tuple(face for face in FACES if face != die)
        case _:
            return ()


# -- majorities


def majority(position: Position, museum: int) -> int | None:
    """The seat that has a museum's majority as it stands; None where no cube lies on it (R27)."""
    return majority_of(position.orders[museum], position.catalogue.orders(museum, position.seats))


BOUGHT: Final = "bought"
EARNED: Final = "earned"
LEADS: Final = "leads"
TURNS_HELD: Final = "turns"


def holdings(position: Position) -> dict[tuple[str, int, int], float]:
    """The holdings of seats by their kind: `BOUGHT`, the numbers of sides that were bought or turned up; `LEADS`, the
    museums whose majority is theirs; `EARNED`, reputation from cards, dives and museums.
    """
    start, found = position.catalogue.start, dict[tuple[str, int, int], float]()
    for seat, sides in enumerate(position.sides):
        found |= {(BOUGHT, seat, side - side % 2): 1.0 for side in sides if side // 2 not in start}
        found |= {(BOUGHT, seat, side): 1.0 for side in sides if side % 2}
        cards, counted, dives, museums = position.earned[seat]
        found |= {(EARNED, seat, n): more for n, more in enumerate((cards + counted, dives, museums))}
    leads = {museum: majority(position, museum) for museum in range(len(ARTIFACTS))}
    return found | {(LEADS, seat, museum): 1.0 for museum, seat in leads.items() if seat is not None}


def majority_of(orders: Sequence[int], sizes: Sequence[int]) -> int | None:
    """The seat with most cubes on a museum's orders; of equal ones the seat with a cube on the highest order (R27).

    `orders`: the seat whose cube lies on each order, or `FREE`. `sizes`: how many artifacts each order takes.
    """
    best: tuple[int, int, int] | None = None
    for at, seat in enumerate(orders):
        if seat != FREE:
            standing = (list(orders).count(seat), sizes[at], at)
            best = max(best or standing, standing)
    return None if best is None else orders[best[2]]


class Counted(NamedTuple):
    """A museum's majority as it is counted at the end: its seat, the reputation, its cubes, and the next most."""

    museum: int
    seat: int
    points: int
    cubes: int
    next_most: int


def counted_museums(position: Position) -> list[Counted]:
    """The museums that bring somebody reputation, the closest majority last."""
    counted: list[Counted] = []
    for museum, orders in enumerate(position.orders):
        if (seat := majority(position, museum)) is not None:
            cubes = [list(orders).count(each) for each in range(position.seats)]
            next_most = max(cubes[:seat] + cubes[seat + 1 :])
            points = position.catalogue.museums[museum].majority
            counted.append(Counted(museum, seat, points, cubes[seat], next_most))
    return sorted(counted, key=lambda each: each.next_most - each.cubes)


def museum_points(position: Position, seat: int) -> int:
    """The reputation that museums' majorities bring a seat: as they stand now, or as they were counted at the end."""
    if position.phase == OVER:
        return position.earned[seat][MUSEUMS]
    led = [museum for museum in range(len(ARTIFACTS)) if majority(position, museum) == seat]
    return sum([position.catalogue.museums[museum].majority for museum in led])


def near_end(position: Position, seat: int) -> tuple[list[int], bool]:
    """The others that may well begin the last round in their next turn: those after which the seat has no more turns,
    if there are such; and whether it has one more turn. None once the last round has begun.
    """
    if max(position.reputation) >= GOAL:
        return [], False
    order = [(position.first + turn) % position.seats for turn in range(position.seats)]
    # With 3 to 5 points to go, four in ten experts take them in a turn if they hold this much, else one in six.
    rich = [
        dollars + sum(held) >= 3 for dollars, held in zip(position.dollars, position.artifacts, strict=True)
    ]
    from_ = [GOAL - 5 if each else CLOSE for each in rich]
    near = [each for each in order if each != seat and position.reputation[each] >= from_[each]]
    last = [each for each in near if order.index(each) > order.index(seat)]
    return last or near, not last


def last_to_move(position: Position) -> bool:
    """True if nobody moves after the active seat in this round."""
    return (position.active + 1) % position.seats == position.first


def last_round(position: Position) -> bool:
    """True if the match ends with this round."""
    return max(position.reputation) >= GOAL or position.round == ROUNDS


def ends_match(position: Position) -> bool:
    """True if the match ends with this turn."""
    return position.phase == ACT and last_round(position) and last_to_move(position)


def decided(position: Position) -> bool:
    """True if the match ends with this turn, and the active seat wins by reputation whatever it does."""
    points = [position.reputation[seat] + museum_points(position, seat) for seat in range(position.seats)]
    own = points.pop(position.active)
    return ends_match(position) and own > max(points)


def sets_of(dice: Sequence[int]) -> list[Numbers]:
    """The different sets of one or more of these dice, which are ascending."""
    sizes = range(1, len(dice) + 1)
    return list(dict.fromkeys(chosen for size in sizes for chosen in combinations(dice, size)))
