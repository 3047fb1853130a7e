"""The worked examples of docs/examples: every block of values, worked out again from what was agreed and played.

All of it comes from the second verifier (`tests.engine.record_oracle`), which knows docs/record.md and not the engine.
Here stand the examples of the Archaeology family; the modules `worked_example` of the other games have theirs.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from tests.engine.record_oracle import Match, begin
from tests.engine.written import MOVES, WIDTH, columns, drawn, example, move_line, wrapped

STEPS = 4
"""Steps of a shuffle that it shows."""


def blocks(record: dict[str, Any]) -> dict[str, str]:
    """The blocks of the example with this record, by name; the record itself is one."""
    match = begin(record)
    assert isinstance(match, Match)
    made = {
        "steps": _steps(match),
        "deck": wrapped(match.shuffled),
        "dealt": "\n".join(_dealt(match)),
        "site-before": wrapped(match.site_before),
        "site": wrapped(match.site_after),
        "begins": f"{drawn(match.chance, 'first', match.seats)}: seat {match.active} begins",
    }
    if not record["options"].get("monument") and match.game == "expedition":
        made["monument"] = f"{drawn(match.chance, 'monument', 6)}: {match.monument}"
    used = dict(match.chance.used)
    return example(record, used, made | _played(match, record["moves"]))


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
        yield f"{name + ':':<16}{wrapped(cards, 16)}"


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
            lines.append(move_line(number, question, seat, move) + dug)
            lines.append(f"    hand of seat {seat}: {_counted(match, seat)}")
    made["moves"] = "\n".join(lines)
    made["end"] = "\n".join(_end(match))
    return made


def _counted(match: Match, seat: int) -> str:
    hand = match.hands[seat]
    return ", ".join(f"{hand[key]} {key}" for key in match.order if hand[key]) or "nothing"


def _theft(match: Match, number: int, victim: int, hand: list[str]) -> str:
    word = int.from_bytes(match.chance.block("thief", 0)[:4], "big")
    return columns(
        [
            ("in move", str(number)),
            ("thief:0", match.chance.block("thief", 0).hex()),
            (f"hand of seat {victim}", " ".join(hand)),
            ("number", drawn(match.chance, "thief", len(hand))),
            ("card", hand[word % len(hand)]),
        ]
    )


def _sphinx(match: Match, number: int, chamber: list[str], named: list[str]) -> str:
    blocks = [
        (f"sphinx:{n}", match.chance.block("sphinx", n).hex()) for n in range(match.chance.used["sphinx"])
    ]
    return columns(
        [
            ("in move", str(number)),
            *blocks,
            ("before", wrapped(chamber, 10)),
            ("shuffled", wrapped(match.sphinx, 10)),
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
