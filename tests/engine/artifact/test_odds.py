"""Chances are exact: counted here once more, die by die, and thrown often."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from engine.artifact import moves as m
from engine.artifact.choices import challenge_odds, fight_odds
from tests.engine.artifact.scene import GAME, d10, encounter, facts, roll, scene

FACES = range(1, 7)


@pytest.mark.parametrize("bonus", range(15))
def test_the_chance_to_overcome_a_challenge_is_counted(bonus: int):
    throws = list(product(FACES, repeat=3))
    won = sum(die + bonus >= one + other for die, one, other in throws)
    assert challenge_odds(bonus) == Fraction(won, 216)
    assert challenge_odds(bonus, printed=True) == Fraction(216 - won, 216)


def test_from_11_on_a_challenge_is_certain():
    assert challenge_odds(10) < 1
    assert challenge_odds(11) == challenge_odds(99) == 1
    assert challenge_odds(11, printed=True) == 0


@pytest.mark.parametrize("bonus", range(9))
@pytest.mark.parametrize("other", range(9))
def test_the_chances_of_a_fight_are_counted(bonus: int, other: int):
    throws = list(product(FACES, repeat=2))
    odds = fight_odds(bonus, other)
    assert odds.win == Fraction(sum(a + bonus > b + other for a, b in throws), 36)
    assert odds.tie == Fraction(sum(a + bonus == b + other for a, b in throws), 36)
    assert sum(odds) == 1
    assert fight_odds(other, bonus) == (odds.lose, odds.tie, odds.win)


def test_challenges_are_overcome_as_often_as_the_odds_say():
    won, n = 0, 6_000
    for number in range(n):
        state = scene(3, 1, parties={0: "agility agility strength"}, aids={0: "picks"})
        roll(state, 2, encounter("rope_bridge"))
        state.key = number.to_bytes(32, "big")
        won += facts(GAME.apply(state, 0, m.HOLD_BACK), "faced")["overcome"]
    chance = float(challenge_odds(3))
    assert abs(won - n * chance) < 4 * (n * chance * (1 - chance)) ** 0.5


def test_fights_end_as_often_as_the_odds_say():
    won, n = 0, 6_000
    for number in range(n):
        state = scene(3, 5, parties={0: "combat combat"}, aids={0: "pistols"})
        roll(state, 2, d10(1))
        state.key = number.to_bytes(32, "big")
        won += facts(GAME.apply(state, 0, m.HOLD_BACK), "fought")["winner"] == 0
    chance = float(fight_odds(2, 0).win)
    assert abs(won - n * chance) < 4 * (n * chance * (1 - chance)) ** 0.5
