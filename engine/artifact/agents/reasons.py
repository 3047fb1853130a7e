"""The reasons for moves of Artifact, for hints. Chances are those of the screens, and a holder is the Artifact's."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, Final

from engine.agents.advice import Reason
from engine.artifact import choices as c
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.party import ABILITIES, EQUIPMENT
from engine.artifact.state import Keys, View

LEAST: Final = 0.02
"""The gain in a chance for which one more Aid is told."""
_FACES: Final = range(1, 7)


def reason_of(view: View, move: m.Move) -> Reason:
    """The reason for a move of the seat that is asked."""
    match move:
        case m.Create(tens, pieces):
            chosen = {*tens, *[aid.ability for aid in EQUIPMENT if aid.key in pieces]}
            often, have = c.named(view), c.rolled(view)
            found = sorted([(often[each], each, have[each]) for each in chosen], reverse=True)
            lacks = [each for each, n in enumerate(have) if not n and each not in chosen and often[each]]
            return Reason("fits-trail", {"chosen": found, "lacks": lacks})
        case m.Go():
            taken, other = sorted(c.ways(view), key=lambda way: way.move != move)
            return _of_way(view, taken, other)
        case m.Meet(seat):
            odds = c.prospects(view, view.active, seat)
            best = all(odds.win >= c.prospects(view, view.active, other).win for other in c.opponents(view))
            return Reason(
                "attacks", {"other": seat, "stake": view.holder == view.active, "best": best, **_odds(odds)}
            )
        case m.Name(ability):
            found = [c.duel(view, view.active, view.opponent, one) for one in range(len(ABILITIES))]
            best = found[ability].win == max(odds.win for odds in found)
            mine, against = (view.counts[seat][ability] for seat in (view.active, view.opponent))
            aided = c.duel(view, view.active, view.opponent, ability, aided=(view.active,))
            facts = {"best": best, "bonus": mine, "against": against, "most": float(c.success(view, aided))}
            stake = view.holder in (view.active, view.opponent)
            return Reason("names", {**facts, "stake": stake, **_odds(found[ability])})
        case m.Use(aids):
            return _of_aids(view, aids)
        case m.GiveUp(aid):
            given = c.scenario(view).aids[aid]
            return Reason("missed-least", {"ability": given.ability, "worth": given.worth})
        case _:
            return Reason("due")


def _odds(odds: c.FightOdds) -> dict[str, Any]:
    return {"win": float(odds.win), "lose": float(odds.lose)}


def _of_way(view: View, taken: c.Way, other: c.Way) -> Reason:
    """The Artifact or its holder is reached, approached or awaited, or a fight for nothing is avoided.

    `foe` is the party that is fought on the way that the reason speaks of; None for none.
    """
    holder, square = view.holder, taken.square
    if holder == s.NOBODY:
        code = "takes-artifact" if square == view.lies else "nears"
        facts: dict[str, Any] = {"squares": abs(square - view.lies)}
    elif holder in taken.meets:
        return Reason("meets-holder", {"foe": holder, **_odds(c.prospects(view, view.active, holder))})
    elif not taken.meets and other.meets and holder not in other.meets:
        waits = view.at[holder] > square
        facts = _of_holder(view, square) if waits else {"squares": abs(view.at[holder] - square)}
        return Reason("avoids-fight", {**_worst(view, other), **facts})
    else:
        code = "lies-in-wait" if view.at[holder] > square else "follows"
        facts = _of_holder(view, square)
        facts["near"] = [meeting(view, way.square) for way in (taken, other)]
        facts["before"] = [view.at[holder] - way.square for way in (taken, other)]
    return Reason(code, {"foe": None, **facts, **(_worst(view, taken) if taken.meets else {})})


def _of_holder(view: View, square: int) -> dict[str, Any]:
    """The Artifact's holder, and in about how many turns it passes this square, or is home if it has passed."""
    ahead = view.at[view.holder] - square
    left = ahead if ahead > 0 else view.at[view.holder]
    return {"holder": view.holder, "turns": ceil(left / 3.5), "square": square}  # an average roll


def news_of(before: View, made: m.Move, view: View, move: m.Move) -> Mapping[str, Any]:
    """The changes since a hint was followed: the Artifact's holder has `passed`; the Aids that the hint `kept`."""
    if isinstance(move, m.Use):
        return {"kept": reason_of(before, made).facts["aids"] if made == m.Use(()) else ()}
    if not isinstance(move, m.Go) or view.holder in (s.NOBODY, view.active) or before.holder != view.holder:
        return {}
    behind = view.at[view.holder] < view.at[view.active]
    return {"news": "passed"} if behind and before.at[view.holder] > before.at[view.active] else {}


def meeting(view: View, square: int) -> float:
    """The chance that the mover, on this square, fights the Artifact's holder by its own next move, if nothing but
    their rolls moves the two.
    """
    at, chances = view.at[view.holder], list[float]()
    for to in [at] if view.skips[view.holder] else [at - die for die in _FACES]:
        lands = view.at[view.holder] != to == square
        chances.append(
            to > s.HOME and (1.0 if lands else (0 < abs(to - square) <= len(_FACES)) / len(_FACES))
        )
    return sum(chances) / len(chances)


def _worst(view: View, way: c.Way) -> dict[str, Any]:
    """The party on a square against which the chances are worst: it may not be met alone."""
    odds = {seat: c.prospects(view, view.active, seat) for seat in way.meets}
    foe = min(odds, key=lambda seat: odds[seat].win)
    return {"foe": foe, **_odds(odds[foe])}


def need(view: View) -> dict[str, Any]:
    """The fight with `who` for which the mover may need its Aids: who is nearest to an Artifact that nobody has yet, or
    has it, or stands `ahead` of it on its way home or comes from `behind`.
    """
    seat, holder = view.active, view.holder
    others = [other for other, at in enumerate(view.at) if at != s.GONE and other != seat]
    if holder != seat:
        near = min(others, key=lambda other: abs(view.at[other] - view.lies))
        return {"need": "race", "who": near} if holder == s.NOBODY else {"need": "take", "who": holder}
    ahead = [other for other in others if view.at[other] < view.at[seat]]
    who = max(ahead, key=view.at.__getitem__) if ahead else min(others, key=view.at.__getitem__)
    return {"need": "ahead" if ahead else "behind", "who": who}


def spare(view: View) -> bool:
    """Whether the Artifact's holder faces a Challenge with more Aids than squares to home, and failing costs no Aid."""
    seat, faced = view.active, c.encounter(view)
    if view.phase != s.CHALLENGE or faced is None or faced.challenge is None or view.holder != seat:
        return False
    return len(view.aids[seat]) > view.at[seat] - s.HOME and faced.challenge.penalty != "aid_lost"


def _of_aids(view: View, aids: Keys) -> Reason:
    """Aids are spent or held back: the chances `unused`, and those with `n` `aids`, these or the fewest that matter.

    In a fight the chances go from the least to the greatest, if the other has yet to answer.
    """
    # A move may have more than are of use.
    found = {keys: c.successes(view, keys) for keys in (*c.aid_sets(view), aids)}
    stake = {"stake": view.holder in (view.active, view.opponent)}
    facts: dict[str, Any] = {**need(view), "spare": spare(view)} if view.phase == s.CHALLENGE else stake
    none = found[()]
    more = [keys for keys in found if sum(found[keys]) - sum(none) >= LEAST * len(none)]
    matter = aids or min(more, key=lambda keys: (len(keys), -sum(found[keys])), default=())
    code = "spends" if aids else "holds-back" if matter else "no-use"
    odds = {"unused": [float(one) for one in none], "chances": [float(one) for one in found[matter]]}
    return Reason(code, {**facts, **odds, "n": len(matter), "aids": matter})
