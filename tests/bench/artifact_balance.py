"""How matches of Artifact go, beside what they should be like: `python -m tests.bench.artifact_balance [--matches N]`.

Agents of one level play among themselves, each scenario by itself, Challenges read with R40. The goals are those of the
rule page.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final, NamedTuple

from engine.artifact.rules import Artifact, ArtifactOptions
from engine.artifact.state import State
from engine.game import Event
from tests.bench.agents import Player, game_of, play
from tests.bench.report import Report

MATCHES: Final = 2000
"""By scenario and number of seats."""
KEY: Final = "artifact"


class Goal(NamedTuple):
    """The goals at a number of seats. `first` is the most, `dies` and `changes` are from-to, in %."""

    first: float
    dies: tuple[int, int]
    changes: tuple[int, int]


GOALS: Final = {
    2: Goal(1.10, (0, 3), (45, 75)),
    3: Goal(1.10, (0, 8), (70, 100)),
    4: Goal(1.10, (2, 20), (70, 100)),
    5: Goal(1.15, (8, 35), (80, 100)),
    6: Goal(1.15, (20, 45), (80, 100)),
}
ROUNDS: Final = (16, 20)
"""The median length."""
LONG: Final = 24
"""90 % of the matches end within so many rounds."""
OVERCOME: Final = (60, 72)
HOME: Final = (8, 11)
"""The median way home, in rounds."""


@dataclass
class Watch:
    """The counts of the matches of a scenario at a number of seats."""

    rounds: list[int] = field(default_factory=list[int])
    home: list[int] = field(default_factory=list[int])
    first: int = 0
    died: int = 0
    changed: int = 0
    faced: int = 0
    overcome: int = 0
    _died: bool = False
    _changed: bool = False
    _reached: int = 0

    def see(self, before: State, seat: int, move: Any, events: Sequence[Event]) -> None:
        """Counts what a move brought about."""
        for event in events:
            if event.kind == "faced":
                self.faced += 1
                self.overcome += event.facts["overcome"]
            elif event.kind == "party_out":
                self._died = True
            elif event.kind in ("seized", "picked_up"):
                self._changed = True
            elif event.kind == "reached":
                self._reached = before.round
            elif event.kind == "over":
                self.rounds.append(event.facts["round"])
                self.first += event.facts["winner"] == before.first
                if self._reached:
                    self.home.append(event.facts["round"] - self._reached)

    def begin(self) -> None:
        """Another match begins."""
        self._died = self._changed = False
        self._reached = 0

    def end(self) -> None:
        """The match is over."""
        self.died += self._died
        self.changed += self._changed


def watch(scenario: str, seats: int, matches: int, level: str) -> Watch:
    """So many matches of a scenario."""
    game, seen = game_of(KEY), Watch()
    for number in range(matches):
        players = [Player(game, level, timed=False) for _ in range(seats)]
        seen.begin()
        play(game, players, f"{scenario} {seats} {number}", ArtifactOptions(scenario=scenario), seen.see)
        seen.end()
    return seen


def row(scenario: str, seats: int, seen: Watch) -> tuple[str, ...]:
    """The figures, with a star at those that miss their goal."""
    goal, matches = GOALS[seats], len(seen.rounds)
    rounds = sorted(seen.rounds)
    first = seen.first * seats / matches
    died, changed = 100 * seen.died / matches, 100 * seen.changed / matches
    overcome = 100 * seen.overcome / seen.faced
    middle, most, home = median(rounds), rounds[int(0.9 * (matches - 1))], median(seen.home)
    return (
        scenario,
        str(seats),
        figure(f"{middle:g}", ROUNDS[0] <= middle <= ROUNDS[1]),
        figure(f"{most}", most <= LONG),
        figure(f"{first:.2f}", first <= goal.first),
        figure(f"{died:.1f} %", goal.dies[0] <= died <= goal.dies[1]),
        figure(f"{changed:.1f} %", goal.changes[0] <= changed <= goal.changes[1]),
        figure(f"{overcome:.1f} %", OVERCOME[0] <= overcome <= OVERCOME[1]),
        figure(f"{home:g}", HOME[0] <= home <= HOME[1]),
    )


def figure(text: str, reached: bool) -> str:
    """A figure, with a star if it misses its goal."""
    return text if reached else f"{text} *"


HEAD: Final = (
    "scenario",
    "seats",
    "median rounds",
    "90 % within",
    "first player",
    "a party dies",
    "changes hands",
    "overcome",
    "way home",
)


def measured(scenarios: Sequence[str], seats: Sequence[int], matches: int, level: str) -> Report:
    """The figures of all these."""
    rows = [row(s, n, watch(s, n, matches, level)) for s in scenarios for n in seats]
    notes = [
        f"{matches} matches a row, {level}s among themselves. A star: the figure misses its goal.",
        "First player: its victories over a fair share. Way home: rounds from when the Artifact was first taken.",
    ]
    return Report("Matches of Artifact", HEAD, rows, notes)


def main() -> None:
    """Reads the command line."""
    game = game_of(KEY)
    assert isinstance(game, Artifact)
    every = list(game.catalogue.numbers)
    parser = argparse.ArgumentParser(prog="python -m tests.bench.artifact_balance", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--level", choices=list(game.agents), default="veteran")
    parser.add_argument("--scenario", choices=every, action="append")
    parser.add_argument("--seats", type=int, choices=list(GOALS), action="append")
    chosen = parser.parse_args()
    for scenario in chosen.scenario or every:
        report = measured([scenario], chosen.seats or list(GOALS), chosen.matches, chosen.level)
        print(*report.lines(), "", sep="\n", flush=True)


if __name__ == "__main__":
    main()
