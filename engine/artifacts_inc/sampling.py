"""Random legal moves for random play: every one may come up, though not all equally often."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, TypeVar

from engine.artifacts_inc import choices
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.catalogue import Action
from engine.artifacts_inc.company import CompanyCard, Space
from engine.artifacts_inc.state import ARRANGE, State

_T = TypeVar("_T")

_COMMON: Final = 0.7
"""How likely each thing is among some that are drawn."""


def sample_move(state: State, seat: int, rng: Random) -> m.Move:
    """A random legal move of the active seat."""
    if state.phase == ARRANGE:
        order = rng.sample(state.catalogue.start, len(state.catalogue.start))
        return m.Roll(tuple(order)) if rng.random() < 0.5 else m.Roll()
    placed = [(die, *spot) for die in dict.fromkeys(state.dice) for spot in choices.spaces(state, die)]
    used, due = choices.abilities(state), choices.dive_due(state)
    drawn = rng.randrange(len(placed) + len(used) + 2)
    if drawn < len(placed):
        die, space, slot = placed[drawn]
        return _carried_out(state, die, space, slot.action, rng)
    if drawn < len(placed) + len(used):
        own, ability, _left = used[drawn - len(placed)]
        if ability.do == "roll":
            return m.RollAgain(own, tuple(_some(state.dice, rng)))
        die = rng.choice(state.dice)
        return m.TurnDie(own, die, rng.choice(choices.faces(ability, die)))
    if drawn == len(placed) + len(used) or due is None or sum(state.dice) < due:
        return m.PASS
    while sum(dice := _some(state.dice, rng)) < due:
        pass
    return m.Dive(tuple(dice))


def _carried_out(state: State, die: int, space: Space, action: Action, rng: Random) -> m.Move:
    """A random way in which the active seat carries out an action that is possible."""
    held = state.artifacts[state.active]
    match action.do:
        case "gather":
            return m.Gather(die, space, rng.choice(choices.gatherable(state)))
        case "museum":
            return m.FillOrder(die, space, *rng.choice(choices.fillable(state, action.artifact)))
        case "collect":
            sold = tuple([rng.randint(0, n) for n in held])
            return m.Collect(die, space, sold if any(sold) else tuple(held))
        case "sell":
            return m.SellOne(die, space, rng.choice([artifact for artifact, n in enumerate(held) if n]))
        case "buy":
            bought = rng.choice([*choices.purchases(state), *choices.turnable(state)])
            if isinstance(bought, CompanyCard):
                return m.TurnCard(die, space, bought)
            return m.Buy(die, space, bought, rng.choice(choices.places(state, state.active)))
        case _:
            return m.PlaceDie(die, space)


def _some(things: Sequence[_T], rng: Random) -> list[_T]:
    """Some of these, one at least."""
    return [each for each in things if rng.random() < _COMMON] or [rng.choice(things)]
