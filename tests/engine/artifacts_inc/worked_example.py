"""The worked example of Artifacts, Inc. in docs/examples (see `tests.engine.worked_example`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.engine.artifacts_inc.oracle import Oracle
from tests.engine.artifacts_inc.record_oracle import ArtifactsMatch
from tests.engine.written import MOVES, chance_of, example, move_line, wrapped


def blocks(record: dict[str, Any]) -> dict[str, str]:
    """The blocks of the example with this record, by name."""
    match = ArtifactsMatch(len(record["seats"]), record["options"], chance_of(record).key)
    oracle, lines = match.oracle, list[str]()
    used = dict(oracle.blocks)
    made = {"piles": "\n".join(_piles(oracle)), "begins": "\n".join(_begins(oracle))}
    for number, (seat, move) in enumerate(record["moves"], 1):
        question = "roll" if oracle.dice is None else "act"
        match.make(seat, move)
        if number <= MOVES:
            player = oracle.players[seat]
            dice = " ".join(map(str, oracle.dice or [])) if oracle.active == seat else ""
            held = f"dice {dice}" if dice else "its turn is over"
            lines.append(move_line(number, question, seat, move))
            lines.append(f"    seat {seat}: dollars {player.dollars}, reputation {player.reputation}; {held}")
    end = match.end()
    assert end
    made["moves"] = "\n".join(lines)
    made["end"] = "\n".join(
        f"seat {seat}: rank {end['ranks'][seat]}, score {end['scores'][seat]}, dollars {player.dollars}"
        for seat, player in enumerate(oracle.players)
    )
    return example(record, used, made)


def _piles(oracle: Oracle) -> Iterable[str]:
    """The cards on offer, and the rest of the piles, the next card last."""
    for pile, offered in oracle.offers.items():
        yield f"{pile} on offer: {wrapped(offered, 12)}"
        yield f"  the rest: {wrapped(oracle.piles[pile], 12)}".rstrip()


def _begins(oracle: Oracle) -> Iterable[str]:
    for seat, one, other in oracle.rolls:
        yield f"seat {seat} rolls {one} and {other}"
    yield f"seat {oracle.first} begins"
