"""A strong player of Artifacts, Inc.: it plans each turn to its end and judges what that leaves everybody with.

The line of moves comes from a beam search over the rest of the turn (`turn`), the judgement from what things will
become in the turns that are left (`standing`). Dice are rolled again where some rolls of them, drawn from the agent's
own chance, turn out better on average than the best line without.

It holds for one card list, the built-in one: in another a card of the same name may do something else. The list with
which it was learnt may have been an earlier draft that differs in a few numbers (`docs/balance.md`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from importlib import resources
from random import Random
from typing import Final, NamedTuple, Protocol

from engine.agents.lines import Line, best_line
from engine.agents.search import thought_of
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.box import Box
from engine.artifacts_inc.agents.income import NO_LEANING, Incomes, Leaning, Weights
from engine.artifacts_inc.agents.standing import Standing
from engine.artifacts_inc.agents.table import Course, table_of
from engine.artifacts_inc.agents.turn import Turn
from engine.artifacts_inc.catalogue import Catalogue
from engine.artifacts_inc.state import ARRANGE, View

Opinions = Mapping[str, float]
"""By name. Of a weight ("dollar"): the logarithm of the factor on it. Of a side ("biplane 2"): the dollars that it
brings a turn beyond what is reckoned.
"""

WEIGHTS: Final = tuple(field.name for field in fields(Weights))
FILE: Final = "opinions.json"
"""In this game's package: {"cards": the digest of the card list for which they hold, "opinions": by name}."""


class Learnt(NamedTuple):
    """Opinions, and the digest of the card list for which they hold."""

    cards: str
    opinions: Opinions


@cache
def learnt() -> Learnt:
    """The opinions learnt for the built-in card list."""
    text = resources.files("engine.artifacts_inc").joinpath(FILE).read_text(encoding="utf-8")
    data = json.loads(text)
    return Learnt(data["cards"], data["opinions"])


def opinions_of(catalogue: Catalogue) -> Opinions:
    """The learnt opinions that hold for a card list: none for others than the built-in one."""
    cards, opinions = learnt()
    return opinions if cards == catalogue.digest else {}


def opinionated(catalogue: Catalogue, opinions: Opinions, leaning: Leaning = NO_LEANING) -> Incomes:
    """Estimates of what companies bring, by opinions."""
    usual = Weights()
    factors = {name: math.exp(opinions.get(name, 0.0)) for name in WEIGHTS}
    weights = replace(usual, **{name: getattr(usual, name) * factor for name, factor in factors.items()})
    more = [0.0] * len(catalogue.sides)
    for card in catalogue.cards[catalogue.public :]:
        for level in (1, 2):
            more[2 * card.number + level - 1] = opinions.get(f"{card.key} {level}", 0.0)
    return Incomes(catalogue, weights, leaning, more)


class Rules(Protocol):
    """The question of the expert to the game."""

    @property
    def catalogue(self) -> Catalogue: ...


class Effort(NamedTuple):
    """How much is looked at: positions followed and judged for a turn, rolls tried before dice are rolled again.

    No further set of dice is tried once `positions` are judged for the turn and all rolls together. Decisions with the
    built-in cards take fewer than 1,000; with an operator's cards, which may have more abilities to roll dice again, no
    decision takes much longer for that.
    """

    width: int = 12
    limit: int = 900
    rolls: int = 5
    rolled_width: int = 3
    rolled_limit: int = 80
    positions: int = 1200
    purchases: int = 99
    """Cards to buy or turn that are tried in a position (`Turn`)."""


USUAL: Final = Effort()
_SETS_ROLLED: Final = 5


class Expert:
    """Plays the line that its search likes best, or the first moves of it up to what chance decides."""

    slow = True

    def __init__(
        self,
        rules: Rules,
        effort: Effort = USUAL,
        leaning: Leaning = NO_LEANING,
        opinions: Opinions | None = None,
    ) -> None:
        """`opinions` are what it has learnt, where it is not what experts have (`opinions_of`)."""
        self._effort = effort
        catalogue = rules.catalogue
        held = opinions_of(catalogue) if opinions is None else opinions
        self.box = Box(opinionated(catalogue, held, leaning))

    def choose(self, view: View, rng: Random) -> m.Move:
        """The next move of the best line."""
        return self.moves(view, rng)[0]

    def moves(self, view: View, rng: Random) -> Sequence[m.Move]:
        """The moves of the best line until something is rolled or revealed, or the turn ends; at least one.

        Simulations may play them one after the other without asking again.
        """
        if view.phase == ARRANGE:
            return (m.Roll(),)
        effort, standing = self._effort, Standing(table_of(view), self.box)
        turn, start = Turn(standing, purchases=effort.purchases), standing.begun(view)
        line = best_line(turn, start, effort.width, effort.limit)
        if again := self.rolled_again(turn, start, line, rng):
            return (again,)
        return foreseen(view, line.moves) or (m.PASS,)

    def rolled_again(
        self, turn: Turn, start: Course, line: Line[Course, m.Move], rng: Random
    ) -> m.RollAgain | None:
        """The dice that are better rolled again, if any are."""
        rollers = [
            tool for tool in start.company.tools if tool.ability.do == "roll" and tool.left(start.used)
        ]
        if not rollers or len(start.dice) < 2:
            return None
        roller, effort = rollers[0], self._effort
        best, chosen = line.worth + 1e-6, None
        for dice in _worst(start.dice, line):
            if turn.judged >= effort.positions:
                break
            kept = list(start.dice)
            for die in dice:
                kept.remove(die)
            total = 0.0
            for _ in range(effort.rolls):
                rolled = tuple(sorted([*kept, *(rng.randint(1, 6) for _ in dice)]))
                begun = start._replace(dice=rolled, used=start.used + (1 << roller.shift))
                total += best_line(turn, begun, effort.rolled_width, effort.rolled_limit).worth
            if total / effort.rolls > best:
                best, chosen = total / effort.rolls, m.RollAgain(roller.own, dice)
        return chosen


def foreseen(view: View, moves: Sequence[m.Move]) -> Sequence[m.Move]:
    """Moves up to the first purchase after which a card is revealed (R28)."""
    for at, move in enumerate(moves, start=1):
        if isinstance(move, m.Buy) and view.piles[view.catalogue.cards[move.card].pile]:
            return moves[:at]
    return moves


def _worst(dice: Sequence[int], line: Line[Course, m.Move]) -> list[tuple[int, ...]]:
    """Sets of dice worth rolling again: what the line leaves over, with more and more of the lowest, and all."""
    idle = sorted(line.end.dice)
    sets = [tuple(idle)] if idle else []
    ordered = sorted(dice)
    sets += [tuple(ordered[:count]) for count in range(1, len(ordered) + 1)]
    possible = [
        chosen
        for chosen in dict.fromkeys(sets)
        if chosen and all(chosen.count(die) <= dice.count(die) for die in chosen)
    ]
    return possible[:_SETS_ROLLED]


LITTLE: Final = Effort(
    width=1, limit=250, rolls=3, rolled_width=1, rolled_limit=60, positions=200, purchases=1
)
DIVES: Final = Leaning(dives=0.4)


class Veteran(Expert):
    """A decent player: it follows a single line of moves with one purchase in mind, judges cards by their texts alone,
    without what experts have learnt of them by play, and dives at times where something else brings more.
    """

    slow = False

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, LITTLE, DIVES, opinions={})


class Novice(Expert):
    """A first opponent: one step at a time, of those that it thinks of the one that seems best by itself.

    It judges cards as a `Veteran` does, and rolls dice again for which it has no use.
    """

    slow = False

    def __init__(self, rules: Rules, leaning: Leaning = NO_LEANING) -> None:
        super().__init__(rules, LITTLE, leaning, opinions={})

    def moves(self, view: View, rng: Random) -> Sequence[m.Move]:
        """The first move of a step, a roll again, or the pass where nothing seems better."""
        if view.phase == ARRANGE:
            return (m.Roll(),)
        standing = Standing(table_of(view), self.box)
        turn, start = Turn(standing, purchases=self._effort.purchases), standing.begun(view)
        steps = thought_of(list(turn.steps(start)), rng)
        chosen = max(steps, key=lambda step: turn.judge(step[1]).worth, default=None)
        idle = Line[Course, m.Move](turn.judge(start).worth, (), start)
        if chosen and turn.judge(chosen[1]).worth > idle.worth:
            return chosen[0][:1]
        return (self.rolled_again(turn, start, idle, rng) or m.PASS,)
