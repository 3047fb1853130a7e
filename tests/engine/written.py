"""How the worked examples of docs/examples are written: what every game's example has, line by line."""

from __future__ import annotations

import hashlib
import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.engine.record_oracle import Chance, canonical, match_key

WIDTH = 110
MOVES = 10
"""Moves that an example shows one by one."""


def example(record: dict[str, Any], used: Mapping[str, int], own: Mapping[str, str]) -> dict[str, str]:
    """The blocks of an example by name: those that every game's has, and the game's own.

    `used` tells how many blocks of each stream the set-up takes.
    """
    chance = chance_of(record)
    streams = [
        (f"{name}:{n}", chance.block(name, n).hex()) for name, most in used.items() for n in range(most)
    ]
    shared = {"agreed": columns(_agreed(record)), "blocks": columns(streams), "record": write_record(record)}
    return {name: f"{text}\n" for name, text in {**shared, **own}.items()}


def chance_of(record: dict[str, Any]) -> Chance:
    """The streams of a record's match, unused."""
    return Chance(match_key(bytes.fromhex(record["host_seed"]), record["contributions"]))


def columns(rows: Iterable[tuple[str, str]]) -> str:
    """Names with their values, all values in one column."""
    rows = list(rows)
    width = max(len(name) for name, _ in rows) + 2
    return "\n".join(f"{name:<{width}}{text}" for name, text in rows)


def wrapped(cards: Sequence[str], indent: int = 0) -> str:
    """Words in lines of the page's width; all lines but the first are indented."""
    space = " " * indent
    return textwrap.fill(" ".join(cards), WIDTH, initial_indent=space, subsequent_indent=space).lstrip()


def _agreed(record: dict[str, Any]) -> list[tuple[str, str]]:
    seed, pairs = bytes.fromhex(record["host_seed"]), record["contributions"]
    written = canonical(pairs)
    return [
        ("host seed", seed.hex()),
        ("commitment", hashlib.sha256(seed).hexdigest()),
        ("start message", pairs[0][1]),
        *((f"word of {source}", word) for source, word in pairs[1:]),
        ("contributions", written.decode("utf-8")),
        ("in bytes", f"\n{' ' * 16}".join(textwrap.wrap(written.hex(), 80))),
        ("key", match_key(seed, pairs).hex()),
    ]


def drawn(chance: Chance, name: str, bound: int) -> str:
    """How the first draw from a stream goes, where its first word is not passed over."""
    word = chance.block(name, 0)[:4]
    number = int.from_bytes(word, "big")
    return f"{word.hex()} is {number}, {number} mod {bound} = {number % bound}"


def move_line(number: int, question: str, seat: int, move: dict[str, Any]) -> str:
    """A move as an example shows it, with its number and what it answers."""
    return f"{number:>2}. {question:<10}{json.dumps([seat, move], separators=(',', ':'))}"


def write_record(record: dict[str, Any]) -> str:
    """The record as the page prints it: a line for each key, and the moves in lines of the page's width."""
    lines: list[str] = []
    for key, value in record.items():
        if key == "moves":
            moves = [json.dumps(move, separators=(",", ":"), ensure_ascii=False) for move in value]
            lines.append(f' "moves": [\n{_packed(moves)}\n ]')
        else:
            lines.append(f' "{key}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(lines) + "\n}"


def _packed(parts: list[str]) -> str:
    lines = [""]
    for number, part in enumerate(parts, 1):
        part += "," if number < len(parts) else ""
        if lines[-1] and len(lines[-1]) + len(part) > WIDTH:
            lines.append("")
        lines[-1] += f" {part}"
    return "\n".join(f" {line}" for line in lines)
