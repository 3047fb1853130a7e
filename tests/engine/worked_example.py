"""The worked examples of docs/fairness.md: every block of values, worked out again from what was agreed and played.

All of it comes from the second verifier (`tests.engine.record_oracle`), which knows that page and not the engine.
"""

from __future__ import annotations

import hashlib
import json
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from tests.engine.record_oracle import Match, begin, canonical, match_key

WIDTH = 110
MOVES = 10
"""Moves that an example shows one by one."""
STEPS = 4
"""Steps of a shuffle that it shows."""


def blocks(record: dict[str, Any]) -> dict[str, str]:
    """The blocks of the example with this record, by name; the record itself is one."""
    match = begin(record)
    made = {
        "agreed": _columns(_agreed(record)),
        "blocks": _columns(_blocks(match)),
        "steps": _steps(match),
        "deck": _wrapped(match.shuffled),
        "dealt": "\n".join(_dealt(match)),
        "site-before": _wrapped(match.site_before),
        "site": _wrapped(match.site_after),
        "begins": f"{_drawn(match, 'first', match.seats)}: seat {match.active} begins",
    }
    if not record["options"].get("monument") and match.game == "expedition":
        made["monument"] = f"{_drawn(match, 'monument', 6)}: {match.monument}"
    made |= _played(match, record["moves"])
    made["record"] = write_record(record)
    return {name: f"{text}\n" for name, text in made.items()}


def _columns(rows: Iterable[tuple[str, str]]) -> str:
    rows = list(rows)
    width = max(len(name) for name, _ in rows) + 2
    return "\n".join(f"{name:<{width}}{text}" for name, text in rows)


def _wrapped(cards: Sequence[str], indent: int = 0) -> str:
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


def _blocks(match: Match) -> list[tuple[str, str]]:
    """The blocks that the set-up takes."""
    return [
        (f"{name}:{n}", match.chance.block(name, n).hex())
        for name, used in match.chance.used.items()
        for n in range(used)
    ]


def _drawn(match: Match, name: str, bound: int) -> str:
    """How the first draw from a stream goes, where its first word is not passed over."""
    word = match.chance.block(name, 0)[:4]
    number = int.from_bytes(word, "big")
    return f"{word.hex()} is {number}, {number} mod {bound} = {number % bound}"


def _steps(match: Match) -> str:
    """The first steps of the shuffle of the deck."""
    cards = list(match.sorted_deck)
    words = match.chance.block("deal", 0)
    lines: list[str] = []
    for step in range(STEPS):
        place = len(cards) - 1 - step
        word = words[4 * step : 4 * step + 4]
        number = int.from_bytes(word, "big")
        other = number % (place + 1)
        lines.append(
            f"place {place}: {word.hex()} is {number}, {number} mod {place + 1} = {other}: "
            f"{cards[place]} and {cards[other]} change places"
        )
        cards[place], cards[other] = cards[other], cards[place]
    return "\n".join(lines)


def _dealt(match: Match) -> Iterable[str]:
    for name, cards in match.dealt.items():
        yield f"{name + ':':<16}{_wrapped(cards, 16)}"


def _played(match: Match, moves: list[Any]) -> dict[str, str]:
    """The first moves, the first theft, what the Sphinx first shows, and the end."""
    made: dict[str, str] = {}
    lines: list[str] = []
    for number, (seat, move) in enumerate(moves, 1):
        assert match.asked
        question = match.asked[1]
        dug = f", which is {match.site[-1]}" if question == "dig" else ""
        hands = [match.counted(hand) for hand in match.hands]
        chamber = match.counted(match.chambers[0])
        thefts, shown = match.chance.used["thief"], match.chance.used["sphinx"]
        match.play(seat, move)
        if match.chance.used["thief"] > thefts == 0:
            victim = next(
                s for s in range(match.seats) if s != seat and hands[s] != match.counted(match.hands[s])
            )
            made["theft"] = _theft(match, number, victim, hands[victim])
        if match.chance.used["sphinx"] > shown == 0:
            made["sphinx"] = _sphinx(match, number, chamber, move["treasures"])
        if number <= MOVES:
            lines.append(f"{number:>2}. {question:<10}{json.dumps([seat, move], separators=(',', ':'))}{dug}")
            lines.append(f"    hand of seat {seat}: {_counted(match, seat)}")
    made["moves"] = "\n".join(lines)
    made["end"] = "\n".join(_end(match))
    return made


def _counted(match: Match, seat: int) -> str:
    hand = match.hands[seat]
    return ", ".join(f"{hand[key]} {key}" for key in match.order if hand[key]) or "nothing"


def _theft(match: Match, number: int, victim: int, hand: list[str]) -> str:
    word = int.from_bytes(match.chance.block("thief", 0)[:4], "big")
    return _columns(
        [
            ("in move", str(number)),
            ("thief:0", match.chance.block("thief", 0).hex()),
            (f"hand of seat {victim}", " ".join(hand)),
            ("number", _drawn(match, "thief", len(hand))),
            ("card", hand[word % len(hand)]),
        ]
    )


def _sphinx(match: Match, number: int, chamber: list[str], named: list[str]) -> str:
    blocks = [
        (f"sphinx:{n}", match.chance.block("sphinx", n).hex()) for n in range(match.chance.used["sphinx"])
    ]
    return _columns(
        [
            ("in move", str(number)),
            *blocks,
            ("before", _wrapped(chamber, 10)),
            ("shuffled", _wrapped(match.sphinx, 10)),
            ("shown", " ".join(match.sphinx[-5:])),
            ("named", " ".join(named)),
            ("taken", " ".join(card for card in match.sphinx[-5:] if card in named)),
        ]
    )


def _end(match: Match) -> Iterable[str]:
    end = match.end()
    assert end
    for seat, sets in enumerate(match.sold):
        yield f"seat {seat}: rank {end['ranks'][seat]}, score {end['scores'][seat]}"
        sold = [f"{n} {key} for {match.sales[key][n - 1]}" for key, n in sets]
        yield textwrap.fill(", ".join(sold), WIDTH, initial_indent="  ", subsequent_indent="  ")


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
