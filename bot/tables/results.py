"""The result of a match, as it counts for profiles and ratings; and a person's results in numbers.

docs/ratings.md has the rules for players.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final, NamedTuple

from bot.ratings import Rating
from bot.store.model import LogRow, MatchResult, ResultPlayer, ResultRow
from bot.store.results import Results
from bot.tables.model import Body, Table
from engine.game import load_event, rank

log = logging.getLogger(__name__)

PERSON: Final = "person"
"""A person's seat in `Body.sitters`."""
FEWEST: Final = 2
"""A match counts if at least so many people began it."""
OWN_PART: Final = 1 / 3
"""The part of a seat's usual moves that a person has to make for a rated match."""


def match_result(table: Table) -> MatchResult | None:
    """The result of a match that is over; None if too few people began it, or none of them played to the end.

    A seat counts for the person who began the match in it, even if someone else or an agent finished it. A person who
    left comes after everybody who stayed. The match may be rated if people began in all seats and the host allowed no
    hints: both are certain before the first move. Results count on a server, so a match in a group DM has none.
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
    return MatchResult(tuple(players), rated=all(began) and not table.hints)


async def hiding_seats(table: Table, results: Results) -> list[int]:
    """The seats in which people began about whom no results are to be stored: as they or the server chose."""
    seats = range(len(table.seats))
    if await results.is_off("guild", table.guild_id):
        return [*seats]
    people = {seat: person for seat in seats if (person := _began(table.body, seat)) is not None}
    return [seat for seat, person in people.items() if await results.is_off("person", person)]


async def completed(
    result: MatchResult, table: Table, lines: Sequence[LogRow], results: Results
) -> MatchResult | None:
    """The result as it is stored: with the feats of the people who played to the end, and without those who hid.

    `lines` is the whole log of the match. None if nobody is left about whom a result may be stored.
    """
    hiding = table.body.hiding
    if hiding is None:  # an older version began the match
        hiding = await hiding_seats(table, results)
    sizes = _feats(table, lines)
    players = [
        replace(one, user_id=None)
        if one.seat in hiding
        else replace(one, feats=json.dumps(sizes[one.seat]))
        if one.seat in sizes and _stayed(table.body, one)
        else one
        for one in result.players
    ]
    if all(one.user_id is None for one in players):
        return None
    return MatchResult(tuple(players), result.rated and not hiding and played_enough(table, lines))


def played_enough(table: Table, lines: Iterable[LogRow]) -> bool:
    """Whether enough people made enough moves of their own for the match to be rated. `lines` is its whole log.

    So nobody wins a rated match against a person who has joined and left, or against the agent of their seat.
    """
    usual = table.game.usual_moves.get(len(table.seats), 0)
    moves = _own_moves(lines)
    return sum(moves[seat] >= usual * OWN_PART for seat in range(len(table.seats))) >= FEWEST


def _own_moves(lines: Iterable[LogRow]) -> Counter[int]:
    """The numbers of moves, by seat, that people made in the seats in which they began."""
    made, taken = dict[int, int](), set[int | None]()
    for row in lines:
        if row.source == "table":
            event = json.loads(row.event)
            if event["kind"] == "took-over":
                taken.add(event["seat"])
        elif row.source == "game" and row.mover is not None and row.mover not in taken:
            made[row.sequence] = row.mover
    return Counter(made.values())


def _feats(table: Table, lines: Iterable[LogRow]) -> dict[int, dict[str, int]]:
    events = [load_event(json.loads(row.event)) for row in lines if row.source != "table"]
    try:
        feats = [*table.game.feats(events)]
    except Exception:  # the match must be able to end without them
        log.exception("table %s: its feats could not be read", table.id)
        return {}
    sizes: dict[int, dict[str, int]] = {}
    for name, seat, size in feats:
        own = sizes.setdefault(seat, {})
        own[name] = max(size, own.get(name, size))
    return sizes


def _stayed(body: Body, player: ResultPlayer) -> bool:
    return player.user_id is not None and body.seats[player.seat].user_id == player.user_id


def private_score(table: Table) -> int | None:
    """The score of the person of a private match that is over; None at a table in a channel."""
    outcome, people = table.game.outcome(table.state), table.people()
    return outcome.scores[people[0]] if table.is_private and outcome is not None and people else None


def _began(body: Body, number: int) -> int | None:
    earlier = [each.user_id for each in body.earlier if each.seat == number]
    seat = body.seats[number]
    return earlier[0] if earlier else seat.user_id or seat.left_by


class Tally(NamedTuple):
    """Matches played and matches won."""

    matches: int = 0
    wins: int = 0

    def plus(self, *, won: bool) -> Tally:
        return Tally(self.matches + 1, self.wins + won)


class Played(NamedTuple):
    """A person's seat in a match, and the seats of all."""

    own: ResultRow
    seats: tuple[ResultRow, ...]

    @property
    def won(self) -> bool:
        return self.own.place == 1

    @property
    def shared(self) -> bool:
        """Whether another seat has the same place."""
        return sum(row.place == self.own.place for row in self.seats) > 1


class Opponent(NamedTuple):
    """Another person: the matches with them, and those in which either of the two was ahead."""

    user_id: int
    matches: int
    ahead: int
    behind: int


class LargestFeat(NamedTuple):
    """A person's largest feat of a name, and the match in which it was."""

    size: int
    match: ResultRow


@dataclass(slots=True)
class InGame:
    """A person's results in one game. `best` has the highest score, `quickest` is the victory with the fewest moves.

    `feats` has the largest feats by name.
    """

    game: str
    tally: Tally = field(default_factory=Tally)
    by_seats: dict[int, Tally] = field(default_factory=dict[int, Tally])
    best: ResultRow | None = None
    quickest: ResultRow | None = None
    feats: dict[str, LargestFeat] = field(default_factory=dict[str, LargestFeat])

    def add(self, match: Played) -> None:
        own, seats = match.own, len(match.seats)
        self.tally = self.tally.plus(won=match.won)
        self.by_seats[seats] = self.by_seats.get(seats, Tally()).plus(won=match.won)
        if self.best is None or own.score > self.best.score:
            self.best = own
        if match.won and (self.quickest is None or own.moves < self.quickest.moves):
            self.quickest = own
        sizes: dict[str, int] = json.loads(own.feats) if own.feats else {}
        for name, size in sizes.items():
            if name not in self.feats or size > self.feats[name].size:
                self.feats[name] = LargestFeat(size, own)


def matches_of(rows: Sequence[ResultRow], user_id: int) -> list[Played]:
    """The matches of a person, newest first. `rows` have all seats of these matches, ordered by match."""
    played: list[Played] = []
    for _match, seats in groupby(rows, lambda row: (row.guild_id, row.number)):
        match = tuple(seats)
        own = next(row for row in match if row.user_id == user_id)
        played.append(Played(own, match))
    return sorted(played, key=lambda one: -one.own.ended_at)


def by_game(played: Iterable[Played]) -> list[InGame]:
    """The results by game, the game with the most matches first."""
    games: dict[str, InGame] = {}
    for match in played:
        games.setdefault(match.own.game, InGame(match.own.game)).add(match)
    return sorted(games.values(), key=lambda one: (-one.tally.matches, one.game))


def opponents(played: Iterable[Played]) -> list[Opponent]:
    """The people who were in these matches too, the most frequent first."""
    matches, ahead, behind = Counter[int](), Counter[int](), Counter[int]()
    for own, seats in played:
        for other in seats:
            if other.user_id is None or other.user_id == own.user_id:
                continue
            matches[other.user_id] += 1
            ahead[other.user_id] += own.place < other.place
            behind[other.user_id] += other.place < own.place
    return [Opponent(user, n, ahead[user], behind[user]) for user, n in matches.most_common()]


def latest_rating(played: Iterable[Played], game: str, season: int) -> Rating | None:
    """The rating after the newest rated match of a game in a season; None without one. `played` is newest first."""
    rated = (
        one.own.after for one in played if (one.own.game, one.own.season) == (game, season) and one.own.after
    )
    return next(rated, None)
