"""A sensible player of Artifact that does not look far: Aids where they decide, and after the Artifact's holder."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.choices import (
    FightOdds,
    Way,
    aid_sets,
    duel,
    fight_sets,
    opponents,
    proposal,
    prospects,
    strength,
    usefulness,
    ways,
)
from engine.artifact.party import ABILITIES, EQUIPMENT_KEYS
from engine.artifact.state import View

PER_POINT: Final = Fraction(1, 30)
"""The chance that a point of an Aid must add, to be spent: a piece of equipment must add one chance in ten."""
FOR_THE_ARTIFACT: Final = 2
"""A fight for the Artifact is worth so many times an ordinary one."""


class Novice:
    """Heads for the Artifact, waits for its holder on the way home, and spends Aids that make a difference."""

    slow = False

    def choose(self, view: View, rng: Random) -> m.Move:
        match view.phase:
            case s.PARTY:
                return self._party(view, rng)
            case s.DIRECTION:
                return max(ways(view), key=lambda way: _worth_going(view, way)).move
            case s.OPPONENT:
                return m.Meet(
                    max(opponents(view), key=lambda other: _lead(prospects(view, view.active, other)))
                )
            case s.ABILITY:
                own, other = view.active, view.opponent
                abilities = range(len(ABILITIES))
                return m.Name(max(abilities, key=lambda ability: _lead(duel(view, own, other, ability))))
            case s.CHALLENGE:
                return self._face(view)
            case s.ATTACK | s.DEFEND:
                return self._fight(view)
            case s.GIVE_UP:
                return m.GiveUp(min(view.aids[view.active], key=lambda key: usefulness(view, key)))
            case _:
                return m.ROLL

    def _party(self, view: View, rng: Random) -> m.Create:
        """The proposal, but for one piece of equipment now and then: parties are not all alike."""
        move = proposal(view)
        if rng.random() < 0.5:
            return move
        kept, other = rng.choice(move.equipment), rng.choice(EQUIPMENT_KEYS)
        if kept == other:
            return move
        return m.Create(move.tens, tuple(sorted((kept, other), key=EQUIPMENT_KEYS.index)))

    def _face(self, view: View) -> m.Use:
        """The set with the best chance for what it costs."""
        return m.Use(max(aid_sets(view), key=lambda found: found.chance - _price(found.worth)).aids)

    def _fight(self, view: View) -> m.Use:
        """As for a Challenge, and more freely where the Artifact is at stake."""
        stake = FOR_THE_ARTIFACT if view.holder in (view.active, view.opponent) else 1
        found = fight_sets(view)
        return m.Use(max(found, key=lambda one: stake * _lead(one.most) - _price(one.worth)).aids)


def _price(worth: int) -> Fraction:
    return worth * PER_POINT


def _lead(odds: FightOdds) -> Fraction:
    return odds.win - odds.lose


def _worth_going(view: View, way: Way) -> float:
    """How good a square is for a party without the Artifact."""
    seat = view.active
    if way.square == view.lies:
        return 10.0
    if view.holder == s.NOBODY:
        return -float(abs(way.square - view.lies))
    if view.holder in way.meets:
        return 4.0 + float(_lead(prospects(view, seat, view.holder)))
    return _reach(view.at[view.holder] - way.square) - 0.2 * len(way.meets) * _caution(view, seat, way)


def _caution(view: View, seat: int, way: Way) -> float:
    """The cost of a fight that wins no Artifact: more for a party that has little left."""
    if not way.meets:
        return 0.0
    lead = sum(float(_lead(prospects(view, seat, other))) for other in way.meets) / len(way.meets)
    return (1 - lead) * (2 if strength(view, seat).members < 3 else 1)


def _reach(ahead: int) -> float:
    """How likely the holder, who is so many squares farther from home, can be met after its next move.

    A party that is passed can still turn, but every round more leaves it farther behind.
    """
    chance = sum(0 < abs(ahead - die) <= 6 for die in range(1, 7)) / 6
    return chance - 0.05 * max(0, ahead - 6) + (0.3 if ahead > 3 else 0.05 * ahead)
