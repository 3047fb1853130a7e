"""The worked example of Artifact in docs/examples (see `tests.engine.worked_example`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.engine.artifact.oracle import Oracle, Party
from tests.engine.artifact.record_oracle import ArtifactMatch
from tests.engine.written import MOVES, chance_of, drawn, example, move_line


def blocks(record: dict[str, Any]) -> dict[str, str]:
    """The blocks of the example with this record, by name."""
    match = ArtifactMatch(len(record["seats"]), record["options"], chance_of(record).key)
    oracle, lines = match.oracle, list[str]()
    made = {"rolls": "\n".join(_rolls(oracle))}
    if not record["options"].get("scenario"):
        number = drawn(chance_of(record), "scenario", len(match.scenarios))
        made["scenario"] = f"{number}: {oracle.scenario['key']}"
    used: dict[str, int] = {}
    for number, (seat, move) in enumerate(record["moves"], 1):
        question = oracle.asked()[seat]
        match.make(seat, move)
        if not used and oracle.parties:
            made["parties"] = "\n".join(_parties(oracle))
            made["begins"] = "\n".join(_begins(oracle))
            used = {name: stream.used for name, stream in oracle.streams.items()}
        if number <= oracle.seats + MOVES:
            lines.append(move_line(number, question, seat, move))
            if question != "party":
                thrown = ", ".join(f"{n} below {bound}" for n, bound in oracle.stream("dice").thrown)
                lines.append(f"    thrown: {thrown or 'nothing'}; {_party(oracle.parties[seat])}")
    end = match.end()
    assert end
    made["moves"] = "\n".join(lines)
    made["end"] = "\n".join(
        f"seat {seat}: rank {end['ranks'][seat]}, score {end['scores'][seat]}, {_party(party)}"
        for seat, party in enumerate(oracle.parties)
    )
    return example(record, used, made)


def _rolls(oracle: Oracle) -> Iterable[str]:
    """The numbers that make the parties, as they were drawn."""
    for seat, rolls in enumerate(oracle.rolls):
        yield f"seat {seat}: {' '.join(str(roll - 1) for roll in rolls)}"


def _parties(oracle: Oracle) -> Iterable[str]:
    for party in oracle.parties:
        yield f"seat {party.seat}"
        for member in party.members:
            yield f"  {member['role']}: {' '.join(member['abilities'])}"


def _begins(oracle: Oracle) -> Iterable[str]:
    for seat, roll in oracle.order:
        yield f"seat {seat} draws {roll - 1}"
    yield f"seat {oracle.first} begins"


def _party(party: Party) -> str:
    if not party.alive:
        return "out"
    aids = " ".join(sorted(party.aids.elements())) or "no Boons"
    wounds = sum(member["wounds"] for member in party.members)
    return f"on square {party.square}, wounds {wounds}, {aids}"
