"""The reasons for moves of Artifact, for hints. Chances are those of the screens, and a holder is the Artifact's."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.agents.advice import Reason
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.choices import (
    FightOdds,
    Way,
    aid_sets,
    chance,
    duel,
    fight_chances,
    fight_sets,
    named,
    opponents,
    prospects,
    scenario,
    ways,
)
from engine.artifact.party import ABILITIES, EQUIPMENT
from engine.artifact.state import Keys, View


def reason_of(view: View, move: m.Move) -> Reason:
    """The reason for a move of the seat that is asked."""
    match move:
        case m.Create(tens, pieces):
            chosen = {*tens, *[aid.ability for aid in EQUIPMENT if aid.key in pieces]}
            asked = named(view)
            found = sorted([(asked[each], each) for each in chosen], reverse=True)
            return Reason("fits-trail", {"chosen": found})
        case m.Go():
            taken, other = sorted(ways(view), key=lambda way: way.move != move)
            return _of_way(view, taken, other)
        case m.Meet(seat):
            odds = prospects(view, view.active, seat)
            best = all(odds.win >= prospects(view, view.active, other).win for other in opponents(view))
            facts = {"other": seat, "holds": seat == view.holder, "best": best}
            return Reason("attacks", {**facts, **_odds(odds)})
        case m.Name(ability):
            found = [duel(view, view.active, view.opponent, one) for one in range(len(ABILITIES))]
            best = found[ability].win == max(odds.win for odds in found)
            return Reason("names", {"best": best, **_odds(found[ability])})
        case m.Use(aids):
            return _of_challenge(view, aids) if view.phase == s.CHALLENGE else _of_fight(view, aids)
        case m.GiveUp(aid):
            given = scenario(view).aids[aid]
            return Reason("missed-least", {"ability": given.ability, "worth": given.worth})
        case _:
            return Reason("due")


def _odds(odds: FightOdds) -> dict[str, Any]:
    return {"win": float(odds.win), "lose": float(odds.lose)}


def _of_way(view: View, taken: Way, other: Way) -> Reason:
    """The Artifact or its holder is reached, approached or awaited, or a fight for nothing is avoided.

    `foe` is the party that is fought on the way that the reason speaks of; None for none.
    """
    holder, square = view.holder, taken.square
    if holder == s.NOBODY:
        code = "takes-artifact" if square == view.lies else "nears"
        facts: dict[str, Any] = {"squares": abs(square - view.lies)}
    elif holder in taken.meets:
        return Reason("meets-holder", {"foe": holder, **_odds(prospects(view, view.active, holder))})
    elif not taken.meets and other.meets and holder not in other.meets:
        return Reason("avoids-fight", _worst(view, other))
    else:
        ahead = view.at[holder] - square
        code = "lies-in-wait" if ahead > 0 else "follows"
        facts = {"holder": holder, "squares": abs(ahead), "instead": other.square - view.at[holder]}
    return Reason(code, {"foe": None, **facts, **(_worst(view, taken) if taken.meets else {})})


def _worst(view: View, way: Way) -> dict[str, Any]:
    """The party on a square against which the chances are worst: it may not be met alone."""
    odds = {seat: prospects(view, view.active, seat) for seat in way.meets}
    foe = min(odds, key=lambda seat: odds[seat].win)
    return {"foe": foe, **_odds(odds[foe])}


def strongest(view: View) -> Keys:
    """The fewest Aids with the best chance in the Challenge or the fight that is open."""
    challenges = [(-one.chance, len(one.aids), one.aids) for one in aid_sets(view)]
    fights = [(-one.least.win - one.most.win, len(one.aids), one.aids) for one in fight_sets(view)]
    return min([*challenges, *fights])[2]


def _of_challenge(view: View, aids: Keys) -> Reason:
    best = strongest(view)
    return _of_aids(aids, [chance(view, aids)], [chance(view)], [chance(view, best)], {"boons": len(best)})


def _of_fight(view: View, aids: Keys) -> Reason:
    """From the least to the greatest chance, if the other has yet to answer."""
    best = strongest(view)
    used, unused, most = ([odds.win for odds in fight_chances(view, keys)] for keys in (aids, (), best))
    stake = view.holder in (view.active, view.opponent)
    return _of_aids(aids, used, unused, most, {"boons": len(best), "stake": stake})


def _of_aids(
    aids: Keys, used: list[Fraction], unused: list[Fraction], best: list[Fraction], facts: dict[str, Any]
) -> Reason:
    """Aids are spent or held back: the chances with them, without any, and with the best set."""
    code = "spends" if aids else "holds-back" if best > unused else "no-use"
    chances = {"used": used, "unused": unused, "best": best}
    return Reason(code, facts | {name: [float(one) for one in found] for name, found in chances.items()})
