"""The result of a match, as it counts for profiles and ratings. docs/ratings.md has the rules for players."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from bot.store.model import LogRow, MatchResult, ResultPlayer
from bot.tables.model import Body, Table
from engine.game import load_event, rank

log = logging.getLogger(__name__)

PERSON: Final = "person"
"""A person's seat in `Body.sitters`."""
FEWEST: Final = 2
"""A match counts if at least so many people began it."""


def match_result(table: Table) -> MatchResult | None:
    """The result of a match that is over; None if too few people began it, or none of them played to the end.

    A seat counts for the person who began the match in it, even if someone else or an agent finished it. A person who
    left comes after everybody who stayed. The match is rated if people began in all seats, none was forgotten and
    nobody took a hint. Results count on a server, so a match in a group DM has none.
    """
    if table.in_group:
        return None
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
    return MatchResult(tuple(players), rated=None not in people and not table.hints_taken())


def with_feats(result: MatchResult, table: Table, lines: Iterable[LogRow]) -> MatchResult:
    """The result with the feats of the people who played to the end. `lines` is the whole log of the match."""
    events = [load_event(json.loads(row.event)) for row in lines if row.source != "table"]
    try:
        feats = [*table.game.feats(events)]
    except Exception:  # the match must be able to end without them
        log.exception("table %s: its feats could not be read", table.id)
        return result
    sizes: dict[int, dict[str, int]] = {}
    for name, seat, size in feats:
        own = sizes.setdefault(seat, {})
        own[name] = max(size, own.get(name, size))
    players = [
        replace(one, feats=json.dumps(sizes[one.seat]))
        if one.seat in sizes and _stayed(table.body, one)
        else one
        for one in result.players
    ]
    return replace(result, players=tuple(players))


def _stayed(body: Body, player: ResultPlayer) -> bool:
    """Whether the person who began in this seat has it at the end."""
    return player.user_id is not None and body.seats[player.seat].user_id == player.user_id


def private_score(table: Table) -> int | None:
    """The score of the person of a private match that is over; None at a table in a channel."""
    outcome, people = table.game.outcome(table.state), table.people()
    return outcome.scores[people[0]] if table.is_private and outcome is not None and people else None


def _began(body: Body, number: int) -> int | None:
    """The person who began the match in this seat; None if forgotten."""
    earlier = [each.user_id for each in body.earlier if each.seat == number]
    seat = body.seats[number]
    return earlier[0] if earlier else seat.user_id or seat.left_by
