"""What a company brings in a usual turn, in dollars: an estimate from the sides that are up, made once a company.

Dice are taken for a quantity that flows to the slots, the most valuable first: as much of a die as there is a chance
that one of those left fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.artifacts_inc.agents.leaning import NO_LEANING, OF_AN_ORDER, Leaning
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import ANY, Action, Catalogue
from engine.artifacts_inc.choices import MOST_DICE
from engine.artifacts_inc.company import powers_of

_KINDS: Final = range(len(ARTIFACTS))
_PIPS: Final = 3.9
"""Pips of a die laid for a dive, on average: the better ones go there."""
_BUYING: Final = -2
_MOST_KEPT: Final = 1 << 16


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
    """What a dollar of a later turn counts, against one in hand."""
    gain: float = 1.35
    """What an artifact of a later turn counts, against one in hand."""
    prospect: float = 0.41
    """What the best purchase of the next turn counts."""
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
    """What a purchase brings a die, its dollars aside: the first in a turn, and a further one."""
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
    """What a usual turn brings: dollars, reputation from dives, purchases, artifacts by kind."""

    dollars: float
    reputation: float
    purchases: float
    artifacts: tuple[float, ...]


class _Use(NamedTuple):
    """What dice can be used for: its merit a die in dollars, dollars, reputation, the chance that a die fits (0: any
    do that have pips enough), how many dice it takes, and the artifact that it brings, or `_BUYING`.
    """

    merit: float
    dollars: float
    reputation: float
    chance: float
    dice: float
    brings: int


class Incomes:
    """The estimates of a card list's companies."""

    def __init__(self, catalogue: Catalogue, weights: Weights, leaning: Leaning = NO_LEANING) -> None:
        self.catalogue = catalogue
        self.weights = weights
        self.leaning = leaning
        self.artifact = [
            weights.gain * (weights.artifact + weights.bonus * museum.bonus) for museum in catalogue.museums
        ]
        """What a later artifact of each kind brings."""
        self._known: dict[tuple[tuple[int, ...], int], Income] = {}

    def of(self, sides: tuple[int, ...], taken: int) -> Income:
        """A company's, once so many U cards are taken."""
        key = (sides, taken)
        income = self._known.get(key)
        if income is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            income = self._known[key] = self._estimated(sides, taken)
        return income

    def _estimated(self, sides: tuple[int, ...], taken: int) -> Income:
        weights = self.weights
        powers = powers_of(self.catalogue, sides)
        left = float(min(MOST_DICE, powers.dice))
        dollars = reputation = purchases = 0.0
        artifacts = [0.0 for _ in _KINDS]
        for use in self._uses(sides, taken):
            if left <= 0.05:
                break
            fitting = 1 - (1 - use.chance) ** left if use.chance else min(1.0, left / use.dice) ** 1.5
            part = min(left, fitting)
            left -= part * use.dice
            dollars += part * use.dollars
            reputation += part * use.reputation
            if use.brings == _BUYING:
                purchases += part
            elif use.brings >= 0:
                artifacts[use.brings] += part
        dollars += left * weights.idle
        for _, ability in powers.abilities:
            each = (
                weights.turn if ability.do == "turn" else weights.set if ability.do == "set" else weights.roll
            )
            dollars += each * min(ability.uses, powers.dice) ** 0.7
        return Income(dollars, reputation, purchases, tuple(artifacts))

    def _uses(self, sides: tuple[int, ...], taken: int) -> list[_Use]:
        """What dice can be used for, the best use of a die first."""
        weights, leaning = self.weights, self.leaning
        powers = powers_of(self.catalogue, sides)
        yielding = self._yields(sides)
        uses: list[_Use] = []
        buys = 0
        for _, slot in powers.spots:
            action, brings, merit = slot.action, ANY, 0.0
            value = self._value(action, powers.yields, yielding)
            if action.do == "buy":
                brings, merit = _BUYING, weights.next_buy if buys else weights.first_buy
                buys += 1
            elif action.do == "gain":
                brings = action.artifact
            ordered = OF_AN_ORDER * leaning.museums if action.do in ("gain", "gather") else 0.0
            merit += value + ordered / weights.dollar
            if merit > weights.idle:
                uses.append(_Use(merit, value, ordered, slot.faces.bit_count() / 6, 1.0, brings))
        dives = self.catalogue.dives
        if taken < len(dives):
            dice = max(1.0, (dives[taken].number - powers.dive) / _PIPS)
            reputation = dives[taken].reputation + weights.find + leaning.dives
            uses.append(_Use(reputation / weights.dollar / dice, 0.0, reputation, 0.0, dice, ANY))
        uses.sort(key=lambda use: -use.merit)
        return uses

    def _yields(self, sides: tuple[int, ...]) -> int:
        """The kinds of artifacts that a company can gain, as bits."""
        bits = 0
        for number in sides:
            side = self.catalogue.side(number)
            bits |= side.yields
            for slot in side.slots:
                if slot.action.do == "gain":
                    bits |= 1 << slot.action.artifact
        return bits

    def _value(self, action: Action, gathers: int, yields: int) -> float:
        """What a die on this action's slot brings; a purchase's own worth aside."""
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
