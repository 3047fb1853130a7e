"""The income of a company in a usual turn, in dollars: an estimate from the sides that are up, made once a company.

Dice are taken for a quantity that flows to the slots, the most valuable first: as much of a die as there is a chance
that one of those left fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, NamedTuple

from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import ANY, Action, Catalogue, Side, Slot
from engine.artifacts_inc.company import MOST_DICE

_KINDS: Final = range(len(ARTIFACTS))
_PIPS: Final = 3.9
"""Pips of a die laid for a dive, on average: the better ones go there."""
_BUYING: Final = -2
_MOST_KEPT: Final = 1 << 16
_LEAST: Final = 0.1
"""Dollars that the poorest company brings."""

CHEAP: Final = 4
"""Dollars up to which an asset is not dear."""
OF_AN_ORDER: Final = 0.4
"""The part of an order that an artifact usually fills."""


class Leaning(NamedTuple):
    """Reputation that a plan's own deeds seem to bring beyond what they do bring; 0 is no leaning.

    `museums`: each order filled. `dives`: each U card taken. `dear`: each dollar above `CHEAP` that an asset costs,
    bought or turned. `adventurers`: each die that a company gives beyond those at the start. One of them at 1 is a
    player who seldom looks at anything else; 0.3 to 0.5 is a taste.
    """

    museums: float = 0.0
    dives: float = 0.0
    dear: float = 0.0
    adventurers: float = 0.0

    def purchase(self, dollars: int, dice: int) -> float:
        """For a purchase at this price that gives so many dice more."""
        return self.dear * max(0, dollars - CHEAP) + self.adventurers * dice


NO_LEANING: Final = Leaning()


@dataclass(frozen=True)
class Weights:
    """The evaluation's numbers. Dollars but for what says reputation."""

    pace: float = 3.51
    """Reputation that the leader gains in a round."""
    dollar: float = 0.81
    """Reputation that a dollar becomes while there is enough to spend it on."""
    last_dollar: float = 0.02
    """The same when no turn is left: it may break a tie."""
    purchase: float = 7.0
    """Dollars that a purchase usually takes: more are not spent in a turn."""
    income: float = 0.8
    """The worth of a dollar of a later turn, against one in hand."""
    gain: float = 1.35
    """The worth of an artifact of a later turn, against one in hand."""
    prospect: float = 0.41
    """The worth of the best purchase of the next turn."""
    unspent: float = 3.2
    """Reputation that a seat would make of what the last turn leaves in its hands, were there another."""
    cash: float = 0.81
    """The part of what is in hand, and of a turn's income, that is dollars when the next purchase is made."""
    artifact: float = 1.0
    """An artifact's, without what its museum pays beside."""
    bonus: float = 0.47
    """The part of its museum's bonus that an artifact brings."""
    fit: float = 0.81
    """The part of a museum's bonus that artifacts in hand already bring, where they fill an order."""
    sale: float = 0.41
    """A sale's own worth."""
    first_buy: float = 2.7
    next_buy: float = 1.08
    """The gain from a purchase for a die, its dollars aside: the first in a turn, and a further one."""
    idle: float = 0.3
    """A die that nothing asks for."""
    turn: float = 0.5
    set: float = 0.7
    roll: float = 0.6
    """A use of an ability, each turn."""
    find: float = 0.2
    """Reputation: a find for which there are cards that count it."""
    reach: float = 0.15
    """Reputation: a museum with a cube, an Expedition beside an open place, for which there are cards that count it."""
    rivalry: float = 3.0
    """How much surer the majority is the further one is ahead."""
    spread: float = 1.6
    """Reputation by which the end of a match differs from what is expected, by the root of the turns left."""


class Income(NamedTuple):
    """The income of a usual turn: dollars, reputation from dives, purchases, artifacts by kind."""

    dollars: float
    reputation: float
    purchases: float
    artifacts: tuple[float, ...]


_Use = tuple[float, float, float, float, float, int]
"""A use of dice: its merit a die in dollars, dollars, reputation, the chance that a die fits (0: any do
that have pips enough), how many dice it takes, and the artifact that it brings, or `_BUYING`.
"""


class _Gives(NamedTuple):
    """The effects of a side that do not depend on the rest of its company.

    `gathers` and `gains` are the kinds of artifacts, as bits, that a card which gathers may take for its sake, and that
    its own slots yield. `ability` are the dollars that a use of its ability brings, `uses` how many there are a turn.
    `buying` are its slots to buy, as (dollars that the slot pays, chance that a die fits). `works`: it has other slots.
    """

    dice: int
    dive: int
    gathers: int
    gains: int
    ability: float
    uses: int
    buying: tuple[tuple[float, float], ...]
    works: bool


class Incomes:
    """The estimates of a card list's companies."""

    def __init__(
        self,
        catalogue: Catalogue,
        weights: Weights,
        leaning: Leaning = NO_LEANING,
        more: Sequence[float] = (),
    ) -> None:
        """`more` are the dollars a turn that sides bring beyond what is reckoned here, by the side's number."""
        self.catalogue = catalogue
        self.weights = weights
        self.leaning = leaning
        self.artifact = [
            weights.gain * (weights.artifact + weights.bonus * museum.bonus) for museum in catalogue.museums
        ]
        """The gain from a later artifact of each kind."""
        self._more = list(more) or [0.0] * len(catalogue.sides)
        self._public = range(0, 2 * catalogue.public, 2)
        self._gives = [self._given(side) for side in catalogue.sides]
        self._used: dict[tuple[int, int, int], list[_Use]] = {}
        self._known: dict[tuple[tuple[int, ...], int], Income] = {}

    def _given(self, side: Side | None) -> _Gives:
        weights = self.weights
        if side is None:
            return _Gives(0, 0, 0, 0, 0.0, 0, (), False)
        gains = 0
        buying: list[tuple[float, float]] = []
        for slot in side.slots:
            if slot.action.do == "gain":
                gains |= 1 << slot.action.artifact
            elif slot.action.do == "buy":
                buying.append((float(slot.action.dollars), _chance(slot)))
        ability, uses = 0.0, 0
        if side.ability:
            uses = side.ability.uses
            ability = {"turn": weights.turn, "set": weights.set, "roll": weights.roll}[side.ability.do]
        works = len(buying) < len(side.slots)
        return _Gives(side.dice, side.dive, side.yields, gains, ability, uses, tuple(buying), works)

    def of(self, sides: tuple[int, ...], taken: int) -> Income:
        """A company's, once so many U cards are taken."""
        key = (sides, taken)
        income = self._known.get(key)
        if income is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            same = (tuple(sorted(sides)), taken)
            income = self._known.get(same)
            if income is None:
                income = self._known[same] = self._estimated(same[0], taken)
            self._known[key] = income
        return income

    def _estimated(self, sides: tuple[int, ...], taken: int) -> Income:
        gives = self._gives
        dice = 0
        for number in sides:
            dice += gives[number].dice
        left = float(min(MOST_DICE, dice))
        dollars = reputation = purchases = 0.0
        artifacts = [0.0 for _ in _KINDS]
        for _, paid, scored, chance, needs, brings in self._uses(sides, taken):
            if left <= 0.05:
                break
            fitting = 1 - (1 - chance) ** left if chance else min(1.0, left / needs) ** 1.5
            part = min(left, fitting)
            left -= part * needs
            dollars += part * paid
            reputation += part * scored
            if brings == _BUYING:
                purchases += part
            elif brings >= 0:
                artifacts[brings] += part
        dollars += left * self.weights.idle
        for number in sides:
            side = gives[number]
            dollars += self._more[number]
            if side.uses:
                dollars += side.ability * min(side.uses, dice) ** 0.7
        return Income(max(_LEAST, dollars), reputation, purchases, tuple(artifacts))

    def _uses(self, sides: tuple[int, ...], taken: int) -> list[_Use]:
        """The uses of dice, the best use of a die first."""
        weights = self.weights
        gathers = gains = dive = 0
        for number in sides:
            side = self._gives[number]
            gathers |= side.gathers
            gains |= side.gains
            dive += side.dive
        buying = weights.first_buy
        uses = self._used_in_public(gathers, gains).copy()
        for number in sides:
            if self._gives[number].works:
                uses += self._used_for(number, gathers, gains)
        for number in (*self._public, *sides):
            for paid, chance in self._gives[number].buying:
                uses.append((buying + paid, paid, 0.0, chance, 1.0, _BUYING))
                buying = weights.next_buy
        dives = self.catalogue.dives
        if taken < len(dives):
            needs = max(1.0, (dives[taken].number - dive) / _PIPS)
            reputation = dives[taken].reputation + weights.find + self.leaning.dives
            uses.append((reputation / weights.dollar / needs, 0.0, reputation, 0.0, needs, ANY))
        uses.sort(key=itemgetter(0), reverse=True)
        return uses

    def _used_in_public(self, gathers: int, gains: int) -> list[_Use]:
        """The same of the public cards' slots."""
        key = (-1, gathers, gains)
        uses = self._used.get(key)
        if uses is None:
            each = [self._used_for(number, gathers, gains) for number in self._public]
            uses = self._used[key] = [use for found in each for use in found]
        return uses

    def _used_for(self, number: int, gathers: int, gains: int) -> list[_Use]:
        """The uses of a side's slots other than buying, in a company that gathers and gains these kinds (as bits)."""
        key = (number, gathers, gains)
        uses = self._used.get(key)
        if uses is None:
            weights = self.weights
            uses = list[_Use]()
            for slot in self.catalogue.side(number).slots:
                action = slot.action
                if action.do == "buy":
                    continue
                value = self._value(action, gathers, gains)
                brings = action.artifact if action.do == "gain" else ANY
                ordered = OF_AN_ORDER * self.leaning.museums if action.do in ("gain", "gather") else 0.0
                merit = value + ordered / weights.dollar
                if merit > weights.idle:
                    uses.append((merit, value, ordered, _chance(slot), 1.0, brings))
            self._used[key] = uses
        return uses

    def _value(self, action: Action, gathers: int, yields: int) -> float:
        """The gain from a die on this action's slot; a purchase's own worth aside."""
        weights = self.weights
        paid = float(action.dollars)
        match action.do:
            case "gain":
                return paid + self.artifact[action.artifact]
            case "gather":
                return paid + max(
                    (self.artifact[kind] for kind in _KINDS if gathers >> kind & 1), default=0.0
                )
            case "museum":
                kinds = _KINDS if action.artifact == ANY else (action.artifact,)
                bonuses = [self.catalogue.museums[kind].bonus for kind in kinds if yields >> kind & 1]
                return paid + (1 - weights.bonus) * max(bonuses) + weights.sale if bonuses else 0.0
            case "collect":
                return paid + weights.sale if yields else 0.0
            case "sell":
                return paid - weights.artifact if yields else 0.0
            case _:
                return paid


def _chance(slot: Slot) -> float:
    return slot.faces.bit_count() / 6
