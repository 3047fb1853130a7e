"""The rule page told a second time, slowly and from the scenarios' JSON alone, to be played beside the engine.

It shares no code with the engine: a match is a tale that runs from the first roll to the end and stops only where
somebody is asked, moves are JSON data, chance is HMAC from the standard library. `Oracle.may` says whether a move is
legal, `Oracle.play` plays it, `Oracle.public` has all public facts; `tests.engine.artifact.public_facts` has those of a
view.
"""

from __future__ import annotations

import hmac
import json
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from importlib import resources
from itertools import count
from typing import Any, NamedTuple

BUILT_IN: dict[str, Any] = {
    file.name: json.loads(file.read_text(encoding="utf-8"))
    for file in sorted(
        resources.files("engine.artifact").joinpath("scenarios").iterdir(), key=lambda f: f.name
    )
}
"""The built-in scenarios by the names of their files."""

ABILITIES = [
    "combat", "strength", "agility", "navigation", "survival", "mechanics", "linguistics", "personality", "science",
]  # fmt: skip
EQUIPMENT = {
    "pistols": "combat",
    "picks": "strength",
    "climbing_gear": "agility",
    "sextant": "navigation",
    "maps": "survival",
    "lockpicks": "mechanics",
    "tomes": "linguistics",
    "texts": "science",
}
SIZES = {"leader": [5], "companion": [3, 3, 3], "helper": [1, 1]}

CODES = {
    "not-your-move",
    "unknown-move",
    "other-decision",
    "wrong-number-of-tens",
    "no-such-ability",
    "wrong-number-of-pieces",
    "no-such-equipment",
    "same-equipment",
    "no-such-direction",
    "no-such-opponent",
    "aid-not-held",
    "aid-does-not-fit",
}
"""Every code that a refused move may bear."""

Data = dict[str, Any]


class Stream:
    """The numbers of a named stream."""

    def __init__(self, key: bytes, name: str) -> None:
        self.key, self.name, self.used = key, name, 0
        self.thrown: list[tuple[int, int]] = []
        """The numbers of the last throw, each with its bound."""

    def throw(self) -> Callable[[int], int]:
        """Begins a throw at a fresh block; what is returned gives a number below a bound, time and again."""
        supply = self._words()
        self.thrown = []

        def below(bound: int) -> int:
            for word in supply:
                if word < 2**32 // bound * bound:
                    self.thrown.append((word % bound, bound))
                    return word % bound
            raise AssertionError

        return below

    def _words(self) -> Iterator[int]:
        for n in count(self.used):
            self.used = n + 1
            block = hmac.digest(self.key, f"{self.name}:{n}".encode(), "sha256")
            for at in range(0, 32, 4):
                yield int.from_bytes(block[at : at + 4], "big")


class Question(NamedTuple):
    """The decision for which the tale stops."""

    seat: int
    kind: str
    allows: Callable[[Data], bool]


class Party:
    """A party on its sheet."""

    def __init__(self, seat: int, abilities: list[str], equipment: list[str]) -> None:
        self.seat = seat
        self.members: list[Data] = []
        for role, sizes in SIZES.items():
            for size in sizes:
                self.members.append({"role": role, "abilities": abilities[:size], "wounds": 0})
                abilities = abilities[size:]
        self.aids = Counter(equipment)
        self.square = 1
        self.skips = False
        self.journal = Counter[str]()

    @property
    def alive(self) -> list[Data]:
        return [member for member in self.members if member["wounds"] < 2]

    def has(self, ability: str) -> int:
        return sum(member["abilities"].count(ability) for member in self.members)


class Oracle:
    """A match by the rule page, with one of these scenarios (drawn where none is named)."""

    def __init__(
        self,
        seats: int,
        key: bytes,
        scenarios: list[Data],
        scenario: str | None = None,
        challenges: str = "corrected",
    ) -> None:
        self.seats, self.key = seats, key
        self.streams: dict[str, Stream] = {}
        if scenario is None:
            self.scenario = scenarios[self.stream("scenario").throw()(len(scenarios))]
        else:
            (self.scenario,) = [s for s in scenarios if s["key"] == scenario]
        self.printed = challenges == "printed"
        self.rolls = [self._sixteen(seat) for seat in range(seats)]
        self.choices: dict[int, Data] = {}
        self.parties: list[Party] = []
        self.order: list[list[int]] = []
        self.holder: int | None = None
        self.ground: int | None = 30
        self.hands: list[list[int]] = []
        self.round, self.turn, self.first = 1, 0, 0
        self.winner: int | None = None
        self.why = ""
        self.shown: Data = {}
        self.aids = {key: {"ability": ability, "worth": 3} for key, ability in EQUIPMENT.items()}
        for part in self.scenario["parts"]:
            self.aids |= {row["key"]: row["aid"] for row in part["encounters"] if row.get("aid")}
        self.question: Question | None = None
        self.tale: Generator[Question, Data] | None = None

    def stream(self, name: str) -> Stream:
        return self.streams.setdefault(name, Stream(self.key, name))

    def _sixteen(self, seat: int) -> list[int]:
        below = self.stream(f"party {seat}").throw()
        return [1 + below(10) for _ in range(16)]

    # -- who is asked, and for what

    def asked(self) -> dict[int, str]:
        if not self.parties:
            return {seat: "party" for seat in range(self.seats) if seat not in self.choices}
        return {self.question.seat: self.question.kind} if self.question else {}

    def may(self, seat: int, data: Data) -> bool:
        if seat not in self.asked():
            return False
        if not self.parties:
            return self._may_make(seat, data)
        assert self.question
        return self.question.allows(data)

    def _may_make(self, seat: int, data: Data) -> bool:
        if data["kind"] != "create" or len(data["tens"]) != self.rolls[seat].count(10):
            return False
        return len(data["equipment"]) == len(set(data["equipment"])) == 2

    def play(self, seat: int, data: Data) -> None:
        assert self.may(seat, data)
        if self.parties:
            assert self.tale
            self.below = self.stream("dice").throw()
            try:
                self.question = self.tale.send(data)
            except StopIteration:
                self.question = None
            return
        self.choices[seat] = data
        if len(self.choices) == self.seats:
            self._begin()

    def _begin(self) -> None:
        for seat in range(self.seats):
            tens = list(self.choices[seat]["tens"])
            abilities = [tens.pop(0) if roll == 10 else ABILITIES[roll - 1] for roll in self.rolls[seat]]
            self.parties.append(Party(seat, abilities, self.choices[seat]["equipment"]))
        rolling = list(range(self.seats))
        while len(rolling) > 1:
            below = self.stream("order").throw()
            thrown = [[seat, 1 + below(10)] for seat in rolling]
            self.order += thrown
            rolling = [seat for seat, roll in thrown if roll == max(roll for _, roll in thrown)]
        self.first = self.turn = rolling[0]
        self.tale = self._tale()
        self.question = next(self.tale)

    # -- the tale

    def _tale(self) -> Generator[Question, Data]:
        while True:
            party = self.parties[self.turn]
            if party.skips:
                party.skips = False
            elif party.alive:
                if self.ground == party.square and self.hands:
                    self._take(party)
                yield from self._turn(party)
                if self.winner is not None:
                    return
            self.turn = (self.turn + 1) % self.seats
            self.round += self.turn == self.first

    def _turn(self, party: Party) -> Generator[Question, Data]:
        yield Question(party.seat, "roll", lambda data: data == {"kind": "roll"})
        roll = 1 + self.below(6)
        way = 1
        if self.holder == party.seat or (party.square == 30):
            way = -1
        elif self.hands and party.square > 1:
            self.shown = {"die": roll}
            answer = yield Question(party.seat, "direction", lambda data: data["kind"] == "go")
            way = 1 if answer["direction"] == "forward" else -1
        self.shown = {"step": way}
        left = roll
        while left and 1 <= party.square + way <= 30:
            party.square += way
            party.journal["squares"] += 1
            left -= 1
            if party.square == self.ground:
                self._take(party)
                break
        if party.square == 1:
            if self.holder == party.seat:
                self._end(party, "home")
                self.shown = {"die": roll}
                return
        else:
            yield from self._adventure(party, way)
        self.shown = {}

    def _adventure(self, party: Party, way: int) -> Generator[Question, Data]:
        here = [p for p in self.parties if p.alive and p.square == party.square and p is not party]
        if here:
            yield from self._fight(party, here)
            if self.winner is not None or not party.alive:
                return
        if party.square < 30:
            yield from self._event(party, way)

    def _take(self, party: Party) -> None:
        self.ground, self.holder = None, party.seat
        self.hands.append([self.round, party.seat, party.square])

    def _end(self, party: Party, why: str) -> None:
        self.winner, self.why, self.shown = party.seat, why, {}

    def _fight(self, party: Party, here: list[Party]) -> Generator[Question, Data]:
        holders = [p for p in here if p.seat == self.holder]
        if holders or len(here) == 1:
            other = (holders or here)[0]
        else:
            seats = [p.seat for p in here]
            answer = yield Question(
                party.seat, "opponent", lambda data: data["kind"] == "meet" and data["seat"] in seats
            )
            other = self.parties[answer["seat"]]
        number = self.below(10)
        self.shown |= {"opponent": other.seat}
        if number == 9:
            answer = yield Question(party.seat, "ability", lambda data: data["kind"] == "name")
            ability = answer["ability"]
        else:
            ability = ABILITIES[number]
        self.shown |= {"ability": ability}
        own = yield from self._spend(party, "attack", [ability])
        self.shown |= {"used": sorted(own)}
        answer = yield from self._spend(other, "defend", [ability])
        both = self.below(36)
        sides = {party.seat: 1 + both // 6 + party.has(ability) + self._worth(own)}
        sides[other.seat] = 1 + both % 6 + other.has(ability) + self._worth(answer)
        self.shown = {"step": self.shown["step"]}
        for p in (party, other):
            p.journal["fought"] += 1
        if sides[party.seat] == sides[other.seat]:
            return
        winner, loser = (party, other) if sides[party.seat] > sides[other.seat] else (other, party)
        winner.journal["won"] += 1
        self._wound(loser)
        if self.holder == loser.seat:
            self.holder = winner.seat
            self.hands.append([self.round, winner.seat, party.square])

    def _worth(self, aids: list[str]) -> int:
        return sum(self.aids[aid]["worth"] for aid in aids)

    def _spend(self, party: Party, kind: str, abilities: list[str]) -> Generator[Question, Data, list[str]]:
        """The Aids that a party spends on a roll."""
        fitting = {aid: n for aid, n in party.aids.items() if n and self.aids[aid]["ability"] in abilities}
        if not fitting:
            return []

        def allows(data: Data) -> bool:
            wanted = Counter(data["aids"]) if data["kind"] == "use" else None
            return wanted is not None and all(n <= fitting.get(aid, 0) for aid, n in wanted.items())

        answer = yield Question(party.seat, kind, allows)
        party.aids -= Counter(answer["aids"])
        party.journal["spent"] += len(answer["aids"])
        return answer["aids"]

    def _event(self, party: Party, way: int) -> Generator[Question, Data]:
        rows = self.scenario["parts"][0 if party.square <= 15 else 1]["encounters"]
        thrown = self.below(36)
        roll = thrown // 6 + thrown % 6 + 2
        (row,) = [row for row in rows if row["roll"] == roll]
        if row.get("aid"):
            party.aids[row["key"]] += 1
            party.journal["found"] += 1
            return
        challenge = row["challenge"]
        self.shown |= {"encounter": row["key"]}
        spent = yield from self._spend(party, "challenge", challenge["abilities"])
        total = sum(party.has(ability) for ability in challenge["abilities"])
        total = total * (2 if challenge.get("double") else 1) + self._worth(spent)
        thrown = self.below(216)
        total += 1 + thrown // 36
        against = 2 + thrown % 36 // 6 + thrown % 6
        party.journal["faced"] += 1
        if against > total if self.printed else against <= total:
            party.journal["overcome"] += 1
            return
        match challenge.get("penalty", "wound"):
            case "turn_lost":
                party.skips = True
            case "squares_lost":
                back = 1 if self.holder == party.seat else -way
                for _ in range(challenge["squares"]):
                    if 2 <= party.square + back <= 29:
                        party.square += back
            case "aid_lost":
                yield from self._lose_aid(party)
            case wounds:
                self._wound(party)
                if wounds == "two_wounds" and party.alive:
                    self._wound(party)
                if not party.alive and self.holder == party.seat:
                    self._drop(party)

    def _lose_aid(self, party: Party) -> Generator[Question, Data]:
        held = [aid for aid, n in party.aids.items() if n]
        if len(held) > 1:
            answer = yield Question(
                party.seat, "give_up", lambda data: data["kind"] == "give_up" and data["aid"] in held
            )
            held = [answer["aid"]]
        party.aids -= Counter(held)

    def _wound(self, party: Party) -> None:
        others = [member for member in party.alive if member["role"] != "leader"]
        members = others or party.alive
        member = members[self.below(len(members))]
        member["wounds"] += 1
        if member["wounds"] == 2:
            member["abilities"] = []
        elif member["abilities"]:
            member["abilities"].remove(member["abilities"][self.below(len(member["abilities"]))])
        if not party.alive:
            party.aids, party.skips = Counter(), False
            left = [p for p in self.parties if p.alive]
            if len(left) == 1:
                self._end(left[0], "last")

    def _drop(self, party: Party) -> None:
        self.holder, self.ground = None, party.square
        for turn in range(1, self.seats):
            other = self.parties[(party.seat + turn) % self.seats]
            if other.alive and other.square == party.square:
                self._take(other)
                return

    # -- what lies open

    def public(self) -> Data:
        sheets = [
            {
                "members": [[m["abilities"], m["wounds"]] for m in party.members],
                "aids": sorted(party.aids.elements()),
                "square": party.square if party.alive else 0,
                "skips": party.skips,
                "journal": {key: n for key, n in party.journal.items() if n},
            }
            for party in self.parties
        ]
        return {
            "scenario": self.scenario["key"],
            "asked": self.asked(),
            "sheets": sheets,
            "order": self.order,
            "round": self.round,
            "turn": self.turn if self.winner is None else None,
            "holder": self.holder,
            "ground": self.ground,
            "hands": self.hands,
            "shown": self.shown,
            "end": [self.winner, self.why],
        }
