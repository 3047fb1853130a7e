"""A strong player of Artifact: whatever it does, it takes what leaves it the best chance to win (`standing`).

Dice are counted exactly. In a fight the mover expects the best answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Final

from engine.agents.advice import Reason
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.agents.reasons import reason_of
from engine.artifact.agents.standing import Side, Standing
from engine.artifact.card_list import Challenge
from engine.artifact.choices import (
    Way,
    aid_sets,
    encounter,
    fight_odds,
    opponents,
    proposal,
    prospects,
    scenario,
    sums,
    usefulness,
    ways,
)
from engine.artifact.choices import aids as aids_of
from engine.artifact.party import ABILITIES
from engine.artifact.state import Keys, View

CAUTION: Final = 0.15
"""The cost of a wound from a fight for nothing."""


class Veteran:
    """Keeps its Aids for the fights that matter, and meets the Artifact's holder where it must pass."""

    slow = False

    def choose(self, view: View, rng: Random) -> m.Move:
        match view.phase:
            case s.PARTY:
                return proposal(view)
            case s.DIRECTION:
                return max(ways(view), key=lambda way: _going(view, way)).move
            case s.OPPONENT:
                return m.Meet(
                    max(opponents(view), key=lambda other: Fight(view, view.active, other).expected())
                )
            case s.ABILITY:
                return m.Name(max(range(len(ABILITIES)), key=Fight(view, view.active, view.opponent).worth))
            case s.ATTACK:
                return m.Use(Fight(view, view.active, view.opponent).attack(view.ability)[1])
            case s.DEFEND:
                return m.Use(Fight(view, view.opponent, view.active).answer())
            case s.CHALLENGE:
                return _face(view)
            case s.GIVE_UP:
                return m.GiveUp(_least(view))
            case _:
                return m.ROLL

    def explained(self, view: View, move: m.Move) -> Reason:
        return reason_of(view, move)


# -- Challenges


def _face(view: View) -> m.Use:
    """The set of Aids with the best chance to win the match."""
    seat = view.active
    standing = Standing(view, seat)
    found = encounter(view)
    assert found
    assert found.challenge
    best, chosen = -1.0, ()
    for one in aid_sets(view):
        left = without(view.aids[seat], one.aids)
        chance = float(one.chance)
        worth = chance * _overcome(standing, left) + (1 - chance) * _suffered(standing, left, found.challenge)
        if worth > best + 1e-9:
            best, chosen = worth, one.aids
    return m.Use(chosen)


def _overcome(standing: Standing, left: Keys) -> float:
    """The chance to win the match with these Aids left, nothing having happened."""
    view, seat, rival = standing.view, standing.seat, standing.rival
    own, other = standing.side(seat, left), standing.side(rival, view.aids[rival])
    return standing.worth(own, other, view.holder, (standing.at, view.at[rival]), own_next=False)


def _suffered(standing: Standing, left: Keys, challenge: Challenge) -> float:
    """The chance to win the match with these Aids left, after the Challenge's penalty."""
    view, seat, rival = standing.view, standing.seat, standing.rival
    own, other = standing.side(seat, left), standing.side(rival, view.aids[rival])
    at, rival_at, holder = standing.at, view.at[rival], view.holder
    match challenge.penalty:
        case "turn_lost":
            return standing.worth(own, other, holder, (at, rival_at), own_next=False, skips=seat)
        case "squares_lost":
            back = s.FORWARD if holder == seat else -view.step
            to = min(s.END - 1, max(s.HOME + 1, at + back * challenge.squares))
            return standing.worth(own, other, holder, (to, rival_at), own_next=False)
        case "aid_lost":
            if left:
                own = standing.side(seat, without(left, (min(left, key=lambda key: usefulness(view, key)),)))
            return standing.worth(own, other, holder, (at, rival_at), own_next=False)
        case wounds:
            before = standing.worth(own, other, holder, (at, rival_at), own_next=False)
            after = standing.worth(standing.wounded(own, seat), other, holder, (at, rival_at), own_next=False)
            return after - (before - after if wounds == "two_wounds" else 0)


def _least(view: View) -> str:
    """The Aid without which the chance to win is best."""
    seat = view.active
    standing = Standing(view, seat)
    return max(
        sorted(set(view.aids[seat])), key=lambda key: _overcome(standing, without(view.aids[seat], (key,)))
    )


def without(aids: Keys, used: Sequence[str]) -> Keys:
    """These Aids less those used."""
    left = list(aids)
    for key in used:
        left.remove(key)
    return tuple(left)


# -- fights


class Fight:
    """A fight between a seat and another, to the seat."""

    def __init__(self, view: View, seat: int, other: int) -> None:
        self.view = view
        self.seat, self.other = seat, other
        self.standing = Standing(view, seat, other)
        self._worths: dict[tuple[Keys, Keys], tuple[float, float, float]] = {}

    def ends(self, own: Keys, others: Keys) -> tuple[float, float, float]:
        """The worth of winning, a tie and losing with these Aids left to both."""
        if (own, others) in self._worths:
            return self._worths[own, others]
        standing, view, seat, other = self.standing, self.view, self.seat, self.other
        mine, theirs = standing.side(seat, own), standing.side(other, others)
        holder, square = view.holder, view.at[seat]
        own_next = view.active != seat

        def worth(one: Side, two: Side, holder: int) -> float:
            return standing.worth(one, two, holder, (square, square), own_next)

        found = (
            worth(mine, standing.wounded(theirs, other), seat if holder == other else holder),
            worth(mine, theirs, holder),
            worth(standing.wounded(mine, seat), theirs, other if holder == seat else holder),
        )
        self._worths[own, others] = found
        return found

    def judged(self, ability: int, own: Keys, others: Keys, kept: tuple[Keys, Keys]) -> float:
        """The chance to win the match when these Aids are spent and those kept."""
        counts, known = self.view.counts, scenario(self.view).aids
        mine = counts[self.seat][ability] + sum(known[key].worth for key in own)
        theirs = counts[self.other][ability] + sum(known[key].worth for key in others)
        win, tie, lose = self.ends(*kept)
        won, drawn, lost = _odds(mine, theirs)
        return won * win + drawn * tie + lost * lose

    def attack(self, ability: int) -> tuple[float, Keys]:
        """The best set of the mover's Aids, against the best answer."""
        aids = self.view.aids
        mine, theirs = self._sets(self.seat, ability), self._sets(self.other, ability)
        best, chosen = -1.0, ()
        for own in mine:
            left = without(aids[self.seat], own)
            worth = min(
                self.judged(ability, own, others, (left, without(aids[self.other], others)))
                for others in theirs
            )
            if worth > best + 1e-9:
                best, chosen = worth, own
        return best, chosen

    def worth(self, ability: int) -> float:
        """The chance to win the match with a fight of this ability."""
        return self.attack(ability)[0]

    def answer(self) -> Keys:
        """The best set of Aids of who answers the mover."""
        view, ability = self.view, self.view.ability
        best, chosen = -1.0, ()
        for own in self._sets(self.seat, ability):
            left = without(view.aids[self.seat], own)
            worth = self.judged(ability, own, view.used, (left, view.aids[self.other]))
            if worth > best + 1e-9:
                best, chosen = worth, own
        return chosen

    def _sets(self, seat: int, ability: int) -> list[Keys]:
        """Sets of a party's fitting Aids, one for each sum, from none to all; of equal sums one with few Aids."""
        fits = scenario(self.view).fits[ability]
        return list(sums([(aid, n) for aid, n in aids_of(self.view, seat) if aid.key in fits]).values())

    def expected(self) -> float:
        """The chance to win the match, before the ability is rolled."""
        found = [self.worth(ability) for ability in range(len(ABILITIES))]
        return (sum(found) + max(found)) / (len(found) + 1)


@cache
def _odds(bonus: int, other: int) -> tuple[float, float, float]:
    """The chances to win, to draw and to lose a fight."""
    odds = fight_odds(bonus, other)
    return float(odds.win), float(odds.tie), float(odds.lose)


# -- directions


def _going(view: View, way: Way) -> float:
    """The chance to win after this move."""
    seat = view.active
    if view.holder == s.NOBODY:
        return 1.0 if way.square == view.lies else -float(abs(way.square - view.lies))
    standing = Standing(view, seat)
    rival = standing.rival
    own, other = standing.side(seat, view.aids[seat]), standing.side(rival, view.aids[rival])
    met = [view.holder] if view.holder in way.meets else list(way.meets)
    worth = standing.worth(own, other, view.holder, (way.square, view.at[rival]), own_next=False)
    if not met:
        return worth
    at = tuple(way.square if one == seat else square for one, square in enumerate(view.at))
    there = replace(view, at=at)
    if view.holder in met:
        return Fight(there, seat, view.holder).expected()
    # Such a fight wins no Artifact, and whoever loses it is hurt for nothing.
    return worth - CAUTION * sum(float(prospects(view, seat, one).lose) for one in met) / len(met)
