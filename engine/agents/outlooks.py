"""The outlook of a seat at a table as it is: each agent plays on at its level."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

from engine.agents.advice import adviser_of, measuring_levels
from engine.agents.search import BEST, Outlook, mean
from engine.game import Agent, AnyGame, Event

AnyAgent = Agent[Any, Any]

WORLDS: Final = 160
"""The worlds in which an outlook at a table is found."""
SEEN: Final = 1 / 2
"""The part of these in which one is found that is told on its own."""


class Trial(NamedTuple):
    """How a table is played on: the levels by seat, None where a person sits, the part of the usual worlds, and whether
    to the end of the match, even where an `Adviser` has an estimate before.
    """

    levels: Sequence[str | None]
    part: float = SEEN
    to_end: bool = True


class Players(NamedTuple):
    """By seat, the agents that take turns there. `first` plays for a seat until others are asked, if that is another.
    `to_end`: see `Trial`.
    """

    agents: Sequence[Sequence[AnyAgent]]
    first: AnyAgent | None = None
    to_end: bool = True


def outlook_at(game: AnyGame, view: Any, move: Any, rng: Random, trial: Trial) -> Outlook:
    """The viewer's outlook after a legal move, if the table is played on so; in a game with an `Adviser`.

    It follows from the arguments alone.

    A level that tries out its moves plays as the strongest that need not. Where a person sits (None), the levels above
    the weakest play by turns: so do people, at times well and at times not.
    """
    found, usual = list[Outlook](), measuring_levels(game)
    person = [game.agents[level] for level in usual[1:] or usual]
    known = [game.agents[level if level in usual else usual[-1]] if level else None for level in trial.levels]
    for world in range(round(trial.part * WORLDS)):
        at = world % len(person)
        agents = [person[at:] + person[:at] if agent is None else [agent] for agent in known]
        state, seat = game.determinize(view, rng), view.viewer
        game.apply(state, seat, move)
        players = Players(agents, game.agents[usual[-1]], trial.to_end)
        found.append(played_on(game, state, seat, players, rng))
    return mean(found)


def played_on(game: AnyGame, state: Any, seat: int, players: Players, rng: Random) -> Outlook:
    """A seat's outlook once these have played on; the state is spent."""
    adviser, turns, before = adviser_of(game), [0] * len(players.agents), seat
    (agents, first, to_end), events = players, list[Event]()
    assert adviser is not None
    while pending := game.pending(state):
        asked = pending[0].seat
        turns[asked] += asked != before
        if asked == seat != before:
            first = None
            if not to_end and (found := adviser.estimated(state, turns[seat])) is not None:
                return found
        before, those = asked, agents[asked]
        agent = first if first and asked == seat else those[turns[asked] % len(those)]
        view = game.view(state, asked)
        for due in adviser.next_moves(agent, view, rng):
            events += game.apply(state, asked, due)
    outcome = game.outcome(state)
    assert outcome is not None
    if not game.scored:
        return Outlook(0.0, Outlook.of(outcome, seat).victory)
    others = [other for other in range(len(agents)) if other != seat]
    best = max(others, key=outcome.scores.__getitem__)
    return Outlook.of(outcome, seat)._replace(held={(BEST, best, 0): 1.0, **adviser.held(state, events)})
