"""A strong player of Artifact: whatever it does, it takes what leaves it the best chance to win (`standing`).

Dice are counted exactly. In a fight the mover expects the best answer. For reviews two moves are played on to the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, Final

from engine.agents.advice import Adviser, Past, Reason
from engine.agents.outlooks import Players, played_on
from engine.agents.search import VICTORY, Compared, Enough, Outlook, Tried, compare, thought_of
from engine.artifact import choices as c
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.agents.reasons import meeting, news_of, reason_of, spare
from engine.artifact.agents.standing import Side, Standing
from engine.artifact.card_list import Challenge
from engine.artifact.party import ABILITIES
from engine.artifact.state import Keys, View
from engine.game import Game

CAUTION: Final = 0.15
"""The cost of a wound from a fight for nothing."""
HAIR: Final = 0.01
"""The difference of two chances to win up to which the nearer gain decides what is advised; more costs matches."""
FOR_ONE: Final = (0.2, 0.03)
"""The gain in the chance of this roll for which an Aid is advised then, and one to spare."""
FELT: Final = (0.02, 1 / 3)
"""The chance to win that one Aid may cost which raises a Challenge's chance by so much: it costs 1 match of 100."""
LOST: Final = 0.05
"""The chance to win below which two ways that are nearly equal are not told apart."""
WORLDS: Final = 300
"""The matches in which two moves are compared: their chances to win must then differ by about 0.06 to be told apart."""

Worths = list[tuple[m.Move, float]]
"""Moves, each with the chance to win after it."""


class Veteran(Adviser):
    """Keeps its Aids for the fights that matter, and meets the Artifact's holder where it must pass."""

    slow = False
    worlds = WORLDS

    def __init__(self, game: Game[s.State, Any, View]) -> None:
        self._game = game

    def choose(self, view: View, rng: Random) -> m.Move:
        return m.ROLL if view.phase == s.ROLL else max(_worths(view), key=_worth)[0]

    def ranked(self, view: View, rng: Random, share: float = 1) -> list[Tried[m.Move]]:
        """The moves by the model, the best first; equal ones in the order of the screen."""
        found = sorted(_worths(view), key=_worth, reverse=True)
        return [Tried(move, worth, 0.0, 0.0, 0) for move, worth in found]

    def advised(self, view: View, ranked: Sequence[Tried[m.Move]], rng: Random, past: Past) -> Tried[m.Move]:
        """The first, or of moves that are worth as much to a hair the fewest Aids in a fight, those that do most for a
        Challenge, or the way that rather meets the Artifact's holder soon.
        """
        faced = c.encounter(view) if view.phase == s.CHALLENGE else None
        # An Aid that is spent is lost for certain: no better roll against losing one is worth it.
        matters = faced is not None and faced.challenge and faced.challenge.penalty != "aid_lost"

        def roll(aids: Keys) -> float:
            return float(c.chance(view, aids)) if matters else 0.0

        def is_near(one: Tried[m.Move]) -> bool:
            aids = one.move.aids if isinstance(one.move, m.Use) else ()
            felt = len(aids) == 1 and roll(aids) - roll(()) >= FELT[1]
            return one.result > ranked[0].result - (FELT[0] if felt else HAIR)

        def cost(one: Tried[m.Move]) -> float:
            if isinstance(one.move, m.Use):
                return len(one.move.aids) * FOR_ONE[spare(view)] - roll(one.move.aids)
            ways = [way for way in c.ways(view) if way.move == one.move and view.holder != s.NOBODY]
            return -sum(max(meeting(view, way.square), view.holder in way.meets) for way in ways)

        return min(filter(is_near, ranked), key=cost)

    def compared(self, view: View, moves: tuple[m.Move, m.Move], rng: Random, enough: Enough) -> Compared:
        """The chances to win after two moves: by the model where it has both, else if Veterans play on."""
        game, seat = self._game, view.viewer
        assert seat is not None
        unknown = view.phase == s.PARTY or (view.phase == s.DIRECTION and view.holder == s.NOBODY)
        worths = dict(_worths(view)) if _is_duel(view) and not unknown else {}
        if all(move in worths for move in moves):
            one, other = (Outlook(0.0, VICTORY * worths[move]) for move in moves)
            return Compared(one, other, 0.0)

        def outlook(world: s.State, move: m.Move) -> Outlook:
            state = game.copy(world)
            game.apply(state, seat, move)
            return played_on(game, state, seat, Players([[self]] * view.seats), rng)

        worlds = self.worlds * 2 // view.seats  # the parties take as long, however many there are
        return compare(moves, lambda: game.determinize(view, rng), outlook, worlds, enough)

    def news(self, before: View, made: m.Move, view: View, move: m.Move) -> Mapping[str, Any]:
        return news_of(before, made, view, move)

    def reason(self, view: View, best: Tried[m.Move], rival: m.Move | None) -> Reason:
        found, worths = reason_of(view, best.move), dict(_worths(view))
        taken, facts = worths.pop(best.move, 0.0), dict(found.facts)
        way = view.phase == s.DIRECTION and view.holder != s.NOBODY
        ways = [taken, *worths.values()]
        if way and facts["foe"] is None and max(ways) < LOST and max(ways) - min(ways) < FELT[0]:
            facts["lost"] = True
        if not (_is_duel(view) and worths and (way or found.code in ("spends", "holds-back"))):
            return Reason(found.code, facts)
        otherwise = worths.get(m.Use(()), max(worths.values()))
        return Reason(found.code, {**facts, "wins": taken, "otherwise": otherwise})


class Novice(Veteran):
    """A first opponent: of what it could do it thinks of a part, but it always heads for the Artifact."""

    def choose(self, view: View, rng: Random) -> m.Move:
        worths = _worths(view)
        sure = view.phase == s.DIRECTION and view.holder == s.NOBODY
        return max(worths if sure else thought_of(worths, rng), key=_worth)[0]


def _worth(move: tuple[m.Move, float]) -> float:
    """The worth without what arithmetic leaves behind the point, so that of equal moves the first stands first."""
    return round(move[1], 9)


def _is_duel(view: View) -> bool:
    """Whether two parties are left; among several, the model is too rough to be told."""
    return sum(square != s.GONE for square in view.at) == 2


def _worths(view: View) -> Worths:
    seat, other = view.active, view.opponent
    match view.phase:
        case s.PARTY:
            return [(c.proposal(view), 0.0)]
        case s.DIRECTION:
            return [(way.move, _going(view, way)) for way in c.ways(view)]
        case s.OPPONENT:
            return [(m.Meet(one), Fight(view, seat, one).expected()) for one in c.opponents(view)]
        case s.ABILITY:
            fight = Fight(view, seat, other)
            return [(m.Name(ability), fight.worth(ability)) for ability in range(len(ABILITIES))]
        case s.ATTACK:
            return Fight(view, seat, other).attacks(view.ability)
        case s.DEFEND:
            return Fight(view, other, seat).answers()
        case s.CHALLENGE:
            return _facing(view)
        case s.GIVE_UP:
            standing, aids = Standing(view, seat), view.aids[seat]
            return [(m.GiveUp(key), _overcome(standing, without(aids, (key,)))) for key in sorted(set(aids))]
        case _:
            standing = Standing(view, seat)
            skips = standing.rival if view.skips[standing.rival] else s.NOBODY
            return [(m.ROLL, _after(standing, view.aids[seat], standing.at, skips=skips, own_next=True))]


# -- Challenges


def _facing(view: View) -> Worths:
    """Each set of Aids against a Challenge."""
    standing, found, worths = Standing(view, view.active), c.encounter(view), Worths()
    assert found
    assert found.challenge
    for aids in c.aid_sets(view):
        left, odds = without(view.aids[view.active], aids), float(c.chance(view, aids))
        worth = odds * _overcome(standing, left) + (1 - odds) * _suffered(standing, left, found.challenge)
        worths.append((m.Use(aids), worth))
    return worths


def _after(
    standing: Standing,
    left: Keys,
    to: int,
    *,
    skips: int = s.NOBODY,
    hurt: bool = False,
    own_next: bool = False,
) -> float:
    """The chance to win the match with these Aids left on this square, when a seat `skips`, or is `hurt` once."""
    view, seat, rival = standing.view, standing.seat, standing.rival
    own, other = standing.side(seat, left), standing.side(rival, view.aids[rival])
    own = standing.wounded(own, seat) if hurt else own
    return standing.worth(own, other, view.holder, (to, view.at[rival]), own_next, skips)


def _overcome(standing: Standing, left: Keys) -> float:
    """The chance to win the match with these Aids left, nothing having happened."""
    return _after(standing, left, standing.at)


def _suffered(standing: Standing, left: Keys, challenge: Challenge) -> float:
    """The chance to win the match with these Aids left, after the Challenge's penalty."""
    match challenge.penalty:
        case "turn_lost":
            return _after(standing, left, standing.at, skips=standing.seat)
        case "squares_lost":
            return _after(standing, left, c.set_back(standing.view, challenge.squares))
        case "aid_lost":
            return max(
                [_overcome(standing, without(left, (key,))) for key in left],
                default=_overcome(standing, left),
            )
        case wounds:
            before, after = _overcome(standing, left), _after(standing, left, standing.at, hurt=True)
            return after - (before - after if wounds == "two_wounds" else 0)


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
        counts, known = self.view.counts, c.scenario(self.view).aids
        mine = counts[self.seat][ability] + sum(known[key].worth for key in own)
        theirs = counts[self.other][ability] + sum(known[key].worth for key in others)
        win, tie, lose = self.ends(*kept)
        won, drawn, lost = _odds(mine, theirs)
        return won * win + drawn * tie + lost * lose

    def attacks(self, ability: int) -> Worths:
        """Each set of the mover's Aids, against the best answer."""
        aids, worths = self.view.aids, Worths()
        theirs = self._sets(self.other, ability)
        for own in self._sets(self.seat, ability):
            left = without(aids[self.seat], own)
            worth = min(
                self.judged(ability, own, others, (left, without(aids[self.other], others)))
                for others in theirs
            )
            worths.append((m.Use(own), worth))
        return worths

    def worth(self, ability: int) -> float:
        """The chance to win the match with a fight of this ability."""
        return max(worth for _move, worth in self.attacks(ability))

    def answers(self) -> Worths:
        """Each set of Aids of who answers the mover."""
        view, ability = self.view, self.view.ability
        aids, worths = view.aids[self.seat], Worths()
        for own in self._sets(self.seat, ability):
            kept = without(aids, own), view.aids[self.other]
            worths.append((m.Use(own), self.judged(ability, own, view.used, kept)))
        return worths

    def _sets(self, seat: int, ability: int) -> list[Keys]:
        """Sets of a party's fitting Aids, one for each sum, from none to all; of equal sums one with few Aids."""
        fits = c.scenario(self.view).fits[ability]
        return list(c.sums([(aid, n) for aid, n in c.aids(self.view, seat) if aid.key in fits]).values())

    def expected(self) -> float:
        """The chance to win the match, before the ability is rolled."""
        found = [self.worth(ability) for ability in range(len(ABILITIES))]
        return (sum(found) + max(found)) / (len(found) + 1)


@cache
def _odds(bonus: int, other: int) -> tuple[float, float, float]:
    """The chances to win, to draw and to lose a fight."""
    odds = c.fight_odds(bonus, other)
    return float(odds.win), float(odds.tie), float(odds.lose)


# -- directions


def _going(view: View, way: c.Way) -> float:
    """The chance to win after this move."""
    seat = view.active
    if view.holder == s.NOBODY:
        return 1.0 if way.square == view.lies else -float(abs(way.square - view.lies))
    met = [view.holder] if view.holder in way.meets else list(way.meets)
    worth = _after(Standing(view, seat), view.aids[seat], way.square)
    if not met:
        return worth
    at = tuple(way.square if one == seat else square for one, square in enumerate(view.at))
    there = replace(view, at=at)
    if view.holder in met:
        return Fight(there, seat, view.holder).expected()
    # Such a fight wins no Artifact, and whoever loses it is hurt for nothing.
    return worth - CAUTION * sum(float(c.prospects(view, seat, one).lose) for one in met) / len(met)
