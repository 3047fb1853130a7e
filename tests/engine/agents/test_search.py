"""The search for the better of a few moves in imagined worlds: fair, bounded, and loath to leave the usual move."""

from __future__ import annotations

from collections import Counter
from random import Random

from engine.agents.search import best, promising, search


def try_moves(means: list[float], tries: int, seed: int = 0) -> tuple[Counter[int], list[float], int]:
    """How often each move was tried, what each seemed to gain, and the move chosen.

    A move brings its mean, a noise of its own, and the luck of the world, which is far greater.
    """
    rng, tried = Random(seed), Counter[int]()

    def result(world: float, move: int) -> float:
        tried[move] += 1
        return means[move] + world + rng.gauss(0, 1)

    found = search(range(len(means)), lambda: rng.gauss(0, 100), result, tries)
    return tried, [one.gain for one in found], best(found, errors=1.0).move


def test_the_best_move_is_found_under_the_luck_of_the_worlds() -> None:
    for seed in range(20):
        assert try_moves([0.0, 0.5, 2.0, -1.0, 1.0], 400, seed)[2] == 2


def test_better_moves_are_tried_more_often_and_the_usual_one_as_often_as_any() -> None:
    tried, gains, _ = try_moves([0.0, 3.0, -3.0, 1.0, -2.0], 500)
    assert tried[0] == tried[1] == max(tried.values())
    assert tried[2] < tried[1]
    assert sorted(range(5), key=lambda move: gains[move]) == [2, 4, 0, 3, 1]


def test_the_usual_move_stands_unless_another_is_better_beyond_doubt() -> None:
    chosen = [try_moves([0.0, 0.0], 40, seed)[2] for seed in range(200)]
    assert 10 < sum(chosen) < 60  # one standard error: 16 in a hundred
    assert try_moves([0.0, -1.0, -2.0], 100)[2] == 0


def test_the_work_is_bounded_by_a_count_and_hopeless_moves_cost_little() -> None:
    for moves in range(1, 12):
        for tries in (1, 50, 500):
            tried, *_ = try_moves([0.0] * moves, tries)
            assert sum(tried.values()) <= max(tries, 4 * moves)
    tried, *_ = try_moves([0.0, -9.0, -9.0, -9.0], 1000)
    assert sum(tried.values()) <= 500


def test_each_world_is_left_as_it_was_for_every_move() -> None:
    """All moves that are tried in a world are tried in the same one."""
    worlds: dict[int, list[int]] = {}
    numbers = iter(range(1000))

    def result(world: int, move: int) -> float:
        worlds.setdefault(world, []).append(move)
        return float(move)

    search(range(4), lambda: next(numbers), result, 60)
    assert all(len(moves) == len(set(moves)) and moves[0] == 0 for moves in worlds.values())


def test_the_most_promising_moves_are_kept_in_their_order_by_what_they_bring_in_the_same_worlds() -> None:
    rng, means = Random(1), [0.0, 5.0, -1.0, 4.0, 3.0, 1.0]
    kept = promising(range(6), lambda: rng.gauss(0, 100), lambda world, move: means[move] + world, 8, 3)
    assert kept == [1, 3, 4]


def test_moves_that_are_no_more_than_may_be_kept_are_not_screened() -> None:
    def result(world: int, move: int) -> float:
        raise AssertionError("a move was tried")

    assert promising([3, 1, 2], lambda: 0, result, 8, 3) == [3, 1, 2]
