"""A person's results in numbers: by game, by number of seats, and against others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from bot.ratings import Rating
from bot.store.model import ResultRow


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
