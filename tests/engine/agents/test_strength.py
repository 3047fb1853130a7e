"""The levels are what they are called: `tests/bench/agents.py` measures it in thousands of matches, this in dozens."""

from __future__ import annotations

from tests.bench.agents import HASTY, RANDOM, Job, compare


def victories(first: str, second: str, matches: int, seats: int = 2) -> float:
    """Victories of `first` in mirrored matches."""
    seeds = range(matches // seats)
    return sum(compare(Job("archaeology", first, second, seats, seed) for seed in seeds).shares)


def test_a_novice_beats_random_play() -> None:
    assert victories("novice", RANDOM, 20) >= 17  # wins 99 in a hundred


def test_a_novice_beats_a_player_who_never_trades() -> None:
    assert victories("novice", HASTY, 20) >= 17  # wins 99 in a hundred


def test_a_veteran_beats_a_novice() -> None:
    assert victories("veteran", "novice", 100) >= 70  # wins 88 in a hundred


def test_a_veteran_among_three_novices_wins_more_than_its_share() -> None:
    assert victories("veteran", "novice", 24, seats=4) >= 8  # wins 15 in 24; a fair share is 6
