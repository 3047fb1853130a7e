"""The result of a match, as it counts for profiles and ratings. docs/ratings.md has the rules for players."""

from __future__ import annotations

from typing import Final

from bot.store.model import MatchResult, ResultPlayer
from bot.tables.model import Body, Table
from engine.game import rank

PERSON: Final = "person"
"""A person's seat in `Body.sitters`."""
FEWEST: Final = 2
"""A match counts if at least so many people began it."""


def match_result(table: Table) -> MatchResult | None:
    """The result of a match that is over; None if too few people began it, or none of them played to the end.

    A seat counts for the person who began the match in it, even if someone else or an agent finished it. A person who
    left comes after everybody who stayed. The match is rated if people began in all seats and none was forgotten.
    """
    outcome = table.game.outcome(table.state)
    body = table.body
    began = [sitter == PERSON for sitter in body.sitters]
    if outcome is None or sum(began) < FEWEST or len(began) != len(body.seats):
        return None
    people = [_began(body, seat) if began[seat] else None for seat in range(len(began))]
    stayed = [
        not began[seat] or (person is not None and body.seats[seat].user_id == person)
        for seat, person in enumerate(people)
    ]
    if not any(began[seat] and stayed[seat] for seat in range(len(began))):
        return None
    # Those who left share the last place.
    places = rank(
        [(1, -place) if here else (0, 0) for place, here in zip(outcome.ranks, stayed, strict=True)]
    )
    players = [
        ResultPlayer(seat, person, place, score)
        for seat, (person, place, score) in enumerate(zip(people, places, outcome.scores, strict=True))
    ]
    return MatchResult(tuple(players), rated=None not in people)


def private_score(table: Table) -> int | None:
    """The score of the person of a private match that is over; None at a table in a channel."""
    outcome, people = table.game.outcome(table.state), table.people()
    return outcome.scores[people[0]] if table.is_private and outcome is not None and people else None


def _began(body: Body, number: int) -> int | None:
    """The person who began the match in this seat; None if forgotten."""
    earlier = [each.user_id for each in body.earlier if each.seat == number]
    seat = body.seats[number]
    return earlier[0] if earlier else seat.user_id or seat.left_by
