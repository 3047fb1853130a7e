"""Decides which of the people who wait for a match are seated together. Pure: no store, no clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.ratings import NEW
from bot.store.model import Candidate, Wish


class Pairing(NamedTuple):
    """A match that suits all of these people, who are in the order in which they asked."""

    game: str
    wishes: tuple[Wish, ...]


class _Option(NamedTuple):
    """A possible match. `spread` is the difference between the highest and the lowest skill."""

    game: str
    people: tuple[Candidate, ...]
    spread: float


def pair(own: Candidate, others: Iterable[Candidate], seats: Mapping[str, tuple[int, int]]) -> Pairing | None:
    """The match for this person among the others; None if too few of their wishes fit.

    `seats` has the least and the greatest number of players of each game, in the order in which games are preferred.
    The match has as many players as the wishes allow. If more people fit than are needed, those are chosen whose skills
    (the means of their ratings) are nearest to each other.
    """
    fitting = [each for each in others if each.wish.mode == own.wish.mode]
    options = [
        option
        for game, (least, most) in seats.items()
        for size in range(max(2, least), most + 1)
        if (option := _option(own, fitting, game, size)) is not None
    ]
    if not options:
        return None
    best = max(options, key=lambda option: (len(option.people), -option.spread))  # of equal ones, the first
    wishes = sorted((each.wish for each in best.people), key=lambda wish: (wish.since, wish.id))
    return Pairing(best.game, tuple(wishes))


def _option(own: Candidate, others: Sequence[Candidate], game: str, size: int) -> _Option | None:
    """The match of this game with this number of players whose skills are nearest to each other."""
    if not _suits(own.wish, game, size):
        return None
    fitting = [own, *(each for each in others if _suits(each.wish, game, size))]
    fitting.sort(key=lambda each: (_skill(each, game), each.wish.since, each.wish.id))
    place = fitting.index(own)
    windows = [
        fitting[start : start + size]
        for start in range(max(0, place - size + 1), min(place, len(fitting) - size) + 1)
    ]
    if not windows:
        return None
    nearest = min(
        windows, key=lambda window: (_spread(window, game), sum(each.wish.since for each in window))
    )
    return _Option(game, tuple(nearest), _spread(nearest, game))


def _suits(wish: Wish, game: str, size: int) -> bool:
    return wish.game in (None, game) and wish.seats in (None, size)


def _skill(candidate: Candidate, game: str) -> float:
    return candidate.ratings.get(game, NEW).mu


def _spread(window: Sequence[Candidate], game: str) -> float:
    return _skill(window[-1], game) - _skill(window[0], game)
