"""The search for the decisions that a review names, and which of them are mistakes or praised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from random import Random
from typing import Any, Final

from bot.replay.findings import Played
from bot.replay.turns import seed_of
from bot.tables.history import OwnMove
from bot.ui.screens.appraisals import MISTAKE, MOST, PRAISED, Reviewed, by_hint
from bot.ui.screens.game_screens import AnyScreens
from engine.agents.advice import SURE, Appraisal, Glance, adviser_of, measuring_levels

FOUND: Final = MOST + 3
"""The number of decisions found that cost most: some may make no difference at the table."""
_TRIES: Final = 100
"""The number of random moves among which a puzzle's third choice is looked for."""
RIGHT: Final = 0.03
"""The smallest chance to win that a right decision gained which is shown where nothing else was."""


class Search:
    """The search for the decisions that a review names, of moves that have been glanced at."""

    def __init__(self, played: Played) -> None:
        self._played = played
        self.glances: list[Glance] = []
        """By move: how much it may have cost or led by."""
        self._appraised: dict[int, Reviewed] = {}
        self._praised = set[int]()
        """The numbers of the moves that are good enough to be praised, by the person's own choice."""

    def add(self, own: OwnMove, appraisal: Appraisal) -> None:
        """Adds an appraised move. One by a hint is not wrong if it may be as good as what is advised can be, nor is one
        of a daily deal that keeps one's own score.
        """
        if self._played.is_daily and 0 < appraisal.other.own <= appraisal.made.own:
            appraisal = appraisal._replace(cost=0.0)
        if hinted := by_hint(self._played.seat, own.view):
            adviser = adviser_of(self._played.game)
            assert adviser is not None
            if appraisal.cost < adviser.as_good + SURE * appraisal.error:
                appraisal = appraisal._replace(cost=0.0)
        self._appraised[own.number] = self._played.reviewed(own, appraisal)
        led = is_lead(appraisal, self._played.screens, own.view, own.move)
        if led and not (hinted or self._played.obvious(own)):
            self._praised.add(own.number)

    def named(self) -> tuple[list[Reviewed], list[Reviewed]]:
        """The appraised decisions that cost most, and those that were best.

        Of each turn one decision is praised, that of the greatest lead; after or before a mistake of its turn, none.
        """
        first = sorted(self._appraised.values(), key=lambda each: -each.gain)
        turns = self._played.turns
        wrong = {turns[each.number] for each in first if each.appraisal.costly and each.gained <= -MISTAKE}
        named: dict[int, Reviewed] = {}
        for each in first:
            if each.appraisal.costly or (each.number in self._praised and turns[each.number] not in wrong):
                named.setdefault(turns[each.number], each)
        costs = [
            each for each in first if each.appraisal.costly and named[turns[each.number]].appraisal.costly
        ]
        leads = [each for each in named.values() if not each.appraisal.costly]
        return costs[:FOUND], leads[:MOST]

    def lesser(self, named: Sequence[Reviewed]) -> list[Reviewed]:
        """Where few are `named`, those of other turns that mattered most, one that may be right; none is praised."""
        turns, shown = self._played.turns, [*named]
        for each in sorted(self._appraised.values(), key=lambda each: -each.gain):
            right = each.appraisal.cost <= 0
            none = right and not any(one.appraisal.is_better for one in shown)
            told = each.appraisal.leads if right else each.appraisal.costly
            told |= none and each.gained >= RIGHT and each.appraisal.lead >= each.appraisal.error
            apart = not any(turns[each.number] == turns[one.number] or each.repeats(one) for one in shown)
            if told and apart and (none or len(shown) < MOST):
                shown.append(replace(each, praised=False))
        return shown[len(named) :]

    def most_promising(self) -> OwnMove | None:
        """The decision that may cost or lead by most; None if no other may do so by more than those that are named."""
        for found, name, size in zip(self.named(), ("cost", "lead"), (FOUND, MOST), strict=True):
            most, enough = attrgetter(name), found[-1].gain if len(found) == size else 0.0
            left = [
                (most(glance), own)
                for own, glance in zip(self._played.moves, self.glances, strict=True)
                if own.number not in self._appraised and most(glance) >= max(glance.least, enough)
            ]
            if left:
                return max(left, key=lambda each: each[0])[1]
        return None


def is_lead(appraisal: Appraisal, screens: AnyScreens, view: Any, move: Any) -> bool:
    """Whether a move was certainly better than the next best by enough, and the person's own choice among such as may
    tempt.
    """
    certain = appraisal.lead >= max(PRAISED, SURE * appraisal.error)
    tempts = appraisal.other.chance >= appraisal.made.chance / 2
    return certain and tempts and not screens.preselected(view, move)


def choices(played: Played, each: Reviewed, text: Callable[[Any], str]) -> list[Any]:
    """The moves of a puzzle: the better one, the one made, and a third choice; fewer where there are no others.

    Weak agents propose the third choice, or chance. It and the order follow from the view and from public facts. `text`
    is how players read a move: no two read the same.
    """
    game, view, adviser = played.game, each.view, adviser_of(played.game)
    assert adviser is not None
    rng = Random(seed_of(played.record, "puzzle", each.number))
    found, state = {text(each.appraisal.move): each.appraisal.move}, game.determinize(view, rng)
    found.setdefault(text(each.move), each.move)
    taken = [adviser.choice(move) for move in found.values()]
    weak = (game.agents[level].choose(view, rng) for level in measuring_levels(game))
    for move in chain(weak, (game.sample(state, view.viewer, rng) for _try in range(_TRIES))):
        if text(move) not in found and adviser.choice(move) not in taken:
            found[text(move)] = move
            break
    return rng.sample([*found.values()], len(found))
