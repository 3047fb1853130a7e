"""Every legal move, for tests: the rules and random play are held against it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from engine.artifacts_inc import choices
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.catalogue import Action
from engine.artifacts_inc.company import Space
from engine.artifacts_inc.state import ACT, ARRANGE, Position


def every_move(position: Position) -> Iterator[m.Move]:
    """Every legal move of the active seat, once each. There may be some hundreds: each set of artifacts that Private
    Collectors would buy, each place for each card, each set of dice.
    """
    if position.phase == ARRANGE:
        yield m.Roll()
        yield from map(m.Roll, permutations(position.catalogue.start))
    elif position.phase == ACT:
        for die in dict.fromkeys(position.dice):
            for space, slot in choices.spaces(position, die):
                yield from _carried_out(position, die, space, slot.action)
        yield from _every_dive(position)
        yield from _every_ability(position)
        yield m.PASS


def _carried_out(position: Position, die: int, space: Space, action: Action) -> Iterator[m.Move]:
    """All ways in which the active seat can carry out an action that is possible."""
    held = position.artifacts[position.active]
    match action.do:
        case "gather":
            yield from (m.Gather(die, space, artifact) for artifact in choices.gatherable(position))
        case "museum":
            yield from (
                m.FillOrder(die, space, *order) for order in choices.fillable(position, action.artifact)
            )
        case "collect":
            for sold in product(*(range(n + 1) for n in held)):
                if any(sold):
                    yield m.Collect(die, space, sold)
        case "sell":
            yield from (m.SellOne(die, space, artifact) for artifact, n in enumerate(held) if n)
        case "buy":
            for card in choices.purchases(position):
                yield from (
                    m.Buy(die, space, card, place) for place in choices.places(position, position.active)
                )
            yield from (m.TurnCard(die, space, own) for own in choices.turnable(position))
        case _:
            yield m.PlaceDie(die, space)


def _every_dive(position: Position) -> Iterator[m.Dive]:
    due = choices.dive_due(position)
    if due is not None:
        yield from (m.Dive(dice) for dice in choices.sets_of(position.dice) if sum(dice) >= due)


def _every_ability(position: Position) -> Iterator[m.TurnDie | m.RollAgain]:
    for own, ability, _ in choices.abilities(position):
        if ability.do == "roll":
            yield from (m.RollAgain(own, dice) for dice in choices.sets_of(position.dice))
        else:
            for die in dict.fromkeys(position.dice):
                yield from (m.TurnDie(own, die, face) for face in choices.faces(ability, die))
