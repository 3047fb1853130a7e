"""How The New Expedition's agents use Tents and Maps: `python -m tests.bench.expedition_agents [--matches N]`.

Agents of one level play among themselves. Dollars are what the expert takes cards to be worth in the end, whoever
plays (`engine.archaeology_family.agents.worth`): of a Sandstorm, the loss that the asked seat would bear without its
Tent; of an
exploration, what the cards taken add to the hand. A Map left alone sells for $3.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.archaeology_family.card_list import TREASURES
from engine.expedition.agents.expert import ExpeditionExpert
from engine.expedition.agents.worths import gain_of, gains_of, loss
from engine.expedition.moves import LookAt, UseTent
from engine.expedition.rules import ExpeditionOptions
from engine.expedition.state import MONUMENTS, ExpeditionState, ExpeditionView, MonumentKey
from engine.game import Event
from tests.bench.agents import Player, game_of, play
from tests.bench.report import Report

MATCHES: Final = 60
"""By monument and number of seats."""
KEY: Final = "expedition"

_judge = ExpeditionExpert()


@dataclass
class Asked:
    """A seat asked for its Tent: what it would lose, and the Sandstorms still to come."""

    used: bool
    loss: float
    cards: int
    storms: int


@dataclass
class Watch:
    """The counts of the matches of one monument."""

    matches: int = 0
    seats: int = 0
    asked: list[Asked] = field(default_factory=list[Asked])
    unused: int = 0
    maps: int = 0
    """Spent on explorations."""
    gains: list[float] = field(default_factory=list[float])
    """Of each exploration, in dollars."""
    counts: Counter[str] = field(default_factory=Counter[str])
    taken: Counter[int] = field(default_factory=Counter[int])
    """Cards taken, by treasure."""
    stops: Counter[int] = field(default_factory=Counter[int])
    """Sums at which the Mine's cards were taken."""

    def __call__(self, before: ExpeditionState, seat: int, move: Any, events: Sequence[Event]) -> None:
        view = game_of(KEY).view(before, seat)
        if isinstance(move, UseTent):
            cards = view.sizes[seat] // 2
            self.asked.append(Asked(move.use, loss(view, _judge.kept(view)), cards, view.sandstorms))
        if isinstance(move, LookAt):
            self.counts["looks"] += 1
        for event in events:
            self._note(view, event)

    def _note(self, view: ExpeditionView, event: Event) -> None:
        facts = {**event.facts, **event.secret}
        self.maps += facts.get("maps", 0)
        if event.kind in ("explored", "kept", "mined", "revealed"):
            self._gained(view, facts["taken" if event.kind == "revealed" else "cards"])
        if event.kind == "explored" and view.viewer in view.privy[facts["chamber"]]:
            self.counts["explored after a look"] += 1
        if event.kind == "mined":
            self.stops[facts["worth"]] += 1
        if event.kind == "collapsed":
            self.counts["collapsed"] += 1
            self.gains.append(0.0)

    def _gained(self, view: ExpeditionView, cards: Sequence[tuple[int, int]]) -> None:
        self.gains.append(gain_of(gains_of(view, _judge.kept(view)), cards))
        self.counts["cards"] += sum(n for _, n in cards)
        for kind, n in cards:
            self.taken[kind] += n


def watch(level: str, seats: int, monument: MonumentKey, matches: int, first_seed: int) -> Watch:
    """Plays matches of one monument."""
    game = game_of(KEY)
    seen = Watch(matches, seats)
    options = ExpeditionOptions(monument=monument)
    for seed in range(first_seed, first_seed + matches):
        used = sum(each.used for each in seen.asked)
        play(game, [Player(game, level)] * seats, seed, options, seen)
        seen.unused += seats - (sum(each.used for each in seen.asked) - used)
    return seen


def _mean(numbers: Sequence[float]) -> str:
    return f"{sum(numbers) / len(numbers):.1f}" if numbers else "-"


def tents(level: str, every: dict[MonumentKey, Watch]) -> Report:
    """When Tents are used, and when saved."""
    seats = next(iter(every.values())).seats
    rows: list[list[str]] = []
    for monument, seen in every.items():
        used = [each for each in seen.asked if each.used]
        saved = [each for each in seen.asked if not each.used]
        row = [monument, f"{len(used) / seen.matches:.2f}", f"{seen.unused / seen.matches:.2f}"]
        for some in (used, saved):
            row += [
                _mean([a.loss for a in some]),
                _mean([a.cards for a in some]),
                _mean([a.storms for a in some]),
            ]
        rows.append(row)
    columns = ("monument", "used", "left", *("$ spared", "cards", "storms"), *("$ lost", "cards", "storms"))
    notes = (
        "used, left: Tents a match. Then, where the Tent was used: the loss it spared, the cards that would have been "
        "lost, the Sandstorms still to come; and the same where it was saved.",
    )
    return Report(f"Tents, {seats} {level}s", columns, rows, notes)


def maps(level: str, every: dict[MonumentKey, Watch]) -> Report:
    """The gain from Maps."""
    seats = next(iter(every.values())).seats
    rows: list[list[str]] = []
    for monument, seen in every.items():
        row = [f"{seen.maps / seen.matches:.2f}", _mean(seen.gains)]
        row += [f"{sum(seen.gains) / seen.maps:.1f}" if seen.maps else "-"]
        row += [f"{seen.counts['cards'] / max(1, len(seen.gains)):.2f}"]
        rows.append([monument, *row])
    columns = ("monument", "Maps a match", "$ an exploration", "$ a Map", "cards an exploration")
    return Report(f"Maps, {seats} {level}s", columns, rows, tuple(_remarks(every)))


def _remarks(every: dict[MonumentKey, Watch]) -> Iterator[str]:
    if mine := every.get("mine"):
        entered = max(1, len(mine.gains))
        sums = ", ".join(f"{worth}: {n}" for worth, n in sorted(mine.stops.items()))
        yield (
            f"Mine: {mine.counts['collapsed'] / entered:.0%} of {len(mine.gains)} explorations collapsed; "
            f"cards taken at the sums {sums}"
        )
    if temple := every.get("temple"):
        looks, explored = temple.counts["looks"] / temple.matches, len(temple.gains) / temple.matches
        after = temple.counts["explored after a look"] / temple.matches
        yield f"Temple: {looks:.2f} looks a match; {explored:.2f} chambers explored, {after:.2f} by who had looked"
    if sphinx := every.get("sphinx"):
        yield f"Sphinx: {sphinx.counts['cards'] / max(1, len(sphinx.gains)):.2f} hits of five cards"
    if tomb := every.get("tomb"):
        total = max(1, sum(tomb.taken.values()))
        kinds = ", ".join(f"{TREASURES[kind]} {n / total:.0%}" for kind, n in tomb.taken.most_common())
        yield f"Tomb: kept {kinds}"


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.expedition_agents", description=__doc__)
    parser.add_argument(
        "--matches", type=int, default=MATCHES, help=f"a monument and number of seats ({MATCHES})"
    )
    parser.add_argument("--level", default="expert", help="of the agents (expert)")
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 3, 4, 5])
    parser.add_argument("--option", default="", metavar="monument=NAME", help="only this monument")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    chosen = parser.parse_args()
    wanted = chosen.option.removeprefix("monument=")
    for seats in chosen.seats:
        every: dict[MonumentKey, Watch] = {
            monument: watch(chosen.level, seats, monument, chosen.matches, chosen.seed)
            for monument in MONUMENTS
            if wanted in ("", monument)
        }
        for report in (tents(chosen.level, every), maps(chosen.level, every)):
            print("", *report.lines(), sep="\n", flush=True)


if __name__ == "__main__":
    main()
