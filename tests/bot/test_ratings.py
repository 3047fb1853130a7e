"""The arithmetic of ratings: what a victory does, what a match counts, and who has a place."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

from hypothesis import example, given
from hypothesis import strategies as st

from bot.ratings import ENOUGH, Rating, places_of, rate, weights_of
from tests.bench.second_accounts import CUNNING, MAIN, PLAIN, League, attacked

RATINGS = st.builds(Rating, st.floats(-10, 80), st.floats(0.5, 9))


@given(st.lists(st.tuples(RATINGS, st.floats(0.01, 1)), min_size=2, max_size=6), st.data())
@example([(Rating(45.0, 1.5), 1.0), (Rating(20.0, 1.5), 1.0)], None)
def test_a_victory_never_lowers_a_rating(
    seats: list[tuple[Rating, float]], data: st.DataObject | None
) -> None:
    before, weights = zip(*seats, strict=True)
    others = len(seats) - 1
    ranks = (
        [2] * others
        if data is None
        else data.draw(st.lists(st.integers(2, 6), min_size=others, max_size=others))
    )
    after = rate(before, [1, *ranks], weights)
    assert after[0].points >= before[0].points
    assert after[0].mu >= before[0].mu
    assert all(new.sigma <= old.sigma for new, old in zip(after, before, strict=True))


def test_a_match_with_known_people_counts_in_full_and_each_further_one_with_them_less() -> None:
    met: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for one, other in combinations(range(ENOUGH + 1), 2):
        met[one][other] = met[other][one] = 1
    assert weights_of([0, 100], met) == [1 / ENOUGH, 1]
    assert weights_of([100, 0, 1], met) == [1, (2 / ENOUGH + 1 / 1.5) / 2, (2 / ENOUGH + 1 / 1.5) / 2]
    assert weights_of([100, 100 + 1], met) == [1 / ENOUGH] * 2


def test_a_small_server_has_places_too() -> None:
    def met(people: range) -> dict[int, set[int]]:
        return {each: {*people} - {each} for each in people}

    assert places_of({}).people == set()
    for number in range(2, 12):
        places = places_of(met(range(number)))
        assert len(places.people) == number
        assert places.needed == max(1, min(ENOUGH, number // 2))
    assert places_of({1: {2}, 2: {1}, 3: {4}, 4: {3}}).people == {1, 2, 3, 4}, "two circles of the same size"


def test_second_accounts_bring_no_place_and_an_honest_league_is_rated_as_well_as_without_weights() -> None:
    before, now = (League(1, weighs=weighs).honest(100).correlation() for weighs in (False, True))
    assert now > before - 0.01
    for attack in PLAIN.values():
        league = attacked(attack, 1, weighs=True, matches=100)
        assert league.place(MAIN) is None
        assert {*league.skills} == {*places_of(league.met).people}, "and the league keeps its places"
    crowd = CUNNING["twenty new accounts, then five honest matches"]
    before, now = (attacked(crowd, 1, weighs=weighs, matches=100).rank(MAIN) for weighs in (False, True))
    assert now > before
