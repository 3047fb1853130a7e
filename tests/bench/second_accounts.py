"""Second accounts against an honest league: what they bring in points, and whether they bring a place on the board.

`bot.ratings` has the numbers that were chosen by this: `HALF`, after how many matches with the same person the next one
counts half, and `ENOUGH`, how many opponents a place needs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random
from statistics import mean
from typing import Final

from bot.ratings import NEW, Rating, places_of, rate, weights_of
from tests.bench.report import Report

PEOPLE: Final = 20
MATCHES: Final = 300
"""The matches of each person of the honest league, of two to four people each."""
SEEDS: Final = 8
NOISE: Final = 25 / 6
"""The standard deviation of people's skills, and of the play of one person from match to match."""
MAIN: Final = 100
"""The account that the others are for. Their numbers follow."""


class League:
    """The ratings of a season. `weighs` is False for ratings as they were before matches had weights."""

    def __init__(self, seed: int, *, weighs: bool = True) -> None:
        self.rng, self.weighs = Random(seed), weighs
        self.skills = {person: self.rng.gauss(NEW.mu, NOISE) for person in range(PEOPLE)}
        self.ratings: defaultdict[int, Rating] = defaultdict(lambda: NEW)
        self.met: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self.played = Counter[int]()

    def end(self, *order: int) -> None:
        """A match that ends with these people in this order."""
        weights = weights_of(order, self.met) if self.weighs else None
        after = rate([self.ratings[each] for each in order], range(1, len(order) + 1), weights)
        self.ratings.update(zip(order, after, strict=True))
        self.played.update(order)
        for one, other in combinations(order, 2):
            self.met[one][other] += 1
            self.met[other][one] += 1

    def play(self, *people: int) -> None:
        """An honest match of these people. The main account plays as a person of middling skill does."""
        form = {each: self.rng.gauss(self.skills.get(each, NEW.mu), NOISE) for each in people}
        self.end(*sorted(people, key=lambda each: -form[each]))

    def honest(self, matches: int) -> League:
        """Has the league play until everybody has had so many matches."""
        while min(self.played[person] for person in self.skills) < matches:
            self.play(*self.rng.sample(range(PEOPLE), self.rng.randrange(2, 5)))
        return self

    def correlation(self) -> float:
        """The rank correlation of ratings and skills (Spearman)."""
        rated = sorted(self.skills, key=lambda each: self.ratings[each].points)
        skilled = sorted(self.skills, key=lambda each: self.skills[each])
        off = sum((rated.index(each) - skilled.index(each)) ** 2 for each in self.skills)
        return 1 - 6 * off / (PEOPLE * (PEOPLE**2 - 1))

    def rank(self, person: int) -> int:
        """The place that a person's points alone would have in the league."""
        return 1 + sum(self.ratings[each].points > self.ratings[person].points for each in self.skills)

    def place(self, person: int) -> int | None:
        """A person's place on the board; None without one."""
        placed = places_of(self.met).people
        better = [each for each in placed if self.ratings[each].points > self.ratings[person].points]
        return 1 + len(better) if person in placed else None


def same_account(league: League, matches: int = 200) -> None:
    """The main account beats one other again and again."""
    for _ in range(matches):
        league.end(MAIN, MAIN + 1)


def five_accounts(league: League, matches: int = 20) -> None:
    """Five accounts of one person play matches of five."""
    for _ in range(matches):
        league.end(*range(MAIN, MAIN + 5))


def ten_accounts(league: League, times: int = 20) -> None:
    """Nine accounts play each other, so that they are known; then the main account beats each of them."""
    for _ in range(times):
        for one, other in combinations(range(MAIN + 1, MAIN + 10), 2):
            league.end(one, other)
    for _ in range(times):
        for each in range(MAIN + 1, MAIN + 10):
            league.end(MAIN, each)


def new_accounts(league: League) -> None:
    """The main account beats each of twenty new ones once."""
    for each in range(MAIN + 1, MAIN + 21):
        league.end(MAIN, each)


def then_honest(attack: Callable[[League], None], people: int = 5) -> Callable[[League], None]:
    """The same, and then the main account plays so many people of the league honestly."""

    def run(league: League) -> None:
        attack(league)
        for each in league.rng.sample(range(PEOPLE), people):
            league.play(MAIN, each)

    return run


PLAIN: Final[dict[str, Callable[[League], None]]] = {
    "one account, 200 matches": same_account,
    "five accounts, 20 matches of five": five_accounts,
    "five accounts, 200 matches of five": lambda league: five_accounts(league, 200),
    "ten accounts, known to each other": ten_accounts,
}
"""The attacks that are to bring no place at all."""
CUNNING: Final[dict[str, Callable[[League], None]]] = {
    "twenty new accounts, then five honest matches": then_honest(new_accounts),
    "five accounts, then five honest matches": then_honest(five_accounts),
    "ten accounts, then one honest match": then_honest(ten_accounts, 1),
    "ten accounts, then five honest matches": then_honest(ten_accounts),
}
"""Attacks one step smarter. Accounts of many, that play each other and real people too, still bring a place."""


def attacked(attack: Callable[[League], None], seed: int, *, weighs: bool, matches: int = MATCHES) -> League:
    """An honest league after an attack."""
    league = League(seed, weighs=weighs).honest(matches)
    attack(league)
    return league


def run() -> list[Report]:
    """The honest league, and the attacks on it."""
    return [honest(range(SEEDS)), attacks(range(SEEDS // 2))]


def honest(seeds: Sequence[int]) -> Report:
    """How well ratings follow skills, without weights and with them, after so many matches of each person."""
    rows: list[tuple[str, ...]] = []
    for matches in (20, 50, MATCHES):
        for name, weighs in (("without weights", False), ("with weights", True)):
            leagues = [League(seed, weighs=weighs).honest(matches) for seed in seeds]
            points = [sorted(league.ratings[each].points for each in league.skills) for league in leagues]
            found = mean(league.correlation() for league in leagues)
            first, tenth = (round(mean(each[at] for each in points)) for at in (-1, -10))
            rows.append((f"{matches} matches, {name}", f"{found:.3f}", f"{first:,}", f"{tenth:,}"))
    return Report(f"An honest league of {PEOPLE}", ("league", "rank correlation", "first", "tenth"), rows)


def attacks(seeds: Sequence[int]) -> Report:
    """The points that attacks bring, the place that these alone would have, and the place on the board."""
    rows: list[tuple[str, ...]] = []
    for name, attack in (PLAIN | CUNNING).items():
        before, now = ([attacked(attack, seed, weighs=weighs) for seed in seeds] for weighs in (False, True))
        figures = [
            f"{mean(each.ratings[MAIN].points for each in leagues):,.0f} "
            f"({mean(each.rank(MAIN) for each in leagues):.0f}.)"
            for leagues in (before, now)
        ]
        places = sorted({str(league.place(MAIN) or "none") for league in now})
        rows.append((name, *figures, ", ".join(places)))
    notes = [
        f"In brackets: the place of these points in a league of {PEOPLE} after {MATCHES} matches of each."
    ]
    return Report(
        "Second accounts", ("attack", "without weights", "with weights", "place on the board"), rows, notes
    )
