"""The outlook of a seat at a table as it is: each agent plays on at its level."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from engine.agents.advice import adviser_of, measuring_levels
from engine.agents.search import Outlook, mean
from engine.game import Agent, AnyGame

AnyAgent = Agent[Any, Any]

WORLDS: Final = 160
"""The worlds in which an outlook at a table is found."""
SEEN: Final = 1 / 2
"""The part of these in which one is found that is told on its own."""


def outlook_at(
    game: AnyGame, view: Any, move: Any, rng: Random, levels: Sequence[str | None], part: float = SEEN
) -> Outlook:
    """The viewer's outlook after a legal move, if agents of these `levels`, by seat, play on; in a game with an
    `Adviser`. It follows from the arguments alone. `part`: of the usual worlds.

    A level that tries out its moves plays as the strongest that need not. Where a person sits (None), the levels above
    the weakest take turns from world to world: so do people, and nobody knows how well this one plays.
    """
    found, usual = list[Outlook](), measuring_levels(game)
    people = usual[1:] or usual
    for world in range(round(part * WORLDS)):
        seats = [people[world % len(people)] if level is None else level for level in levels]
        agents = [game.agents[level if level in usual else usual[-1]] for level in seats]
        state, seat = game.determinize(view, rng), view.viewer
        game.apply(state, seat, move)
        found.append(played_on(game, state, seat, agents, rng, game.agents[usual[-1]]))
    return mean(found)


def played_on(
    game: AnyGame,
    state: Any,
    seat: int,
    agents: Sequence[AnyAgent],
    rng: Random,
    first: AnyAgent | None = None,
) -> Outlook:
    """A seat's outlook once these agents, by seat, have played on; the state is spent.

    `first`: the agent that plays for the seat until others are asked, if that is another.
    """
    adviser, turns, before = adviser_of(game), 0, seat
    assert adviser is not None
    while pending := game.pending(state):
        asked = pending[0].seat
        if asked == seat != before:
            turns, first = turns + 1, None
            if (found := adviser.estimated(state, turns)) is not None:
                return found
        before, agent = asked, first if first and asked == seat else agents[asked]
        view = game.view(state, asked)
        for due in adviser.next_moves(agent, view, rng):
            game.apply(state, asked, due)
    outcome = game.outcome(state)
    assert outcome is not None
    found = Outlook.of(outcome, seat)
    return found if game.scored else found._replace(lead=0.0, own=0.0)
