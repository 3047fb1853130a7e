"""What checking a record found, in sentences for whoever runs `python -m bot verify`."""

from __future__ import annotations

from engine.record import Fault, Verdict

_TEXTS = {
    "too-large": "The file is larger than any record.",
    "not-json": "The file holds no JSON.",
    "malformed": "The file is no record of a match: its part {where} is wrong.",
    "unknown-game": "This version knows no game {recorded!r}.",
    "other-version": "The match was played by version {recorded} of the rules; here is version {known}.",
    "other-scheme": "The chance was drawn by scheme {recorded}; here is scheme {known}.",
    "other-table": "The match was played with another card table ({recorded}; here is {known}).",
    "bad-seats": "The number of seats is not one this game is played with.",
    "bad-options": "The options are not ones this game has.",
    "commitment": "The host's seed is NOT the one whose SHA-256 was shown before the match.",
    "malformed-move": "is no move of this game.",
    "illegal-move": "is against the rules ({reason}).",
    "after-end": "comes after the end of the match.",
    "not-over": "The moves do not lead to an end, but the record names one.",
    "over": "The moves lead to an end, but the record names none.",
    "other-end": "The moves lead to another end than the record names.",
}


def word_fault(fault: Fault) -> str:
    """One fault as a sentence."""
    text = _TEXTS.get(fault.code, fault.code).format(**fault.facts)
    if fault.move is not None:
        return f"Move {fault.move + 1}, by seat {(fault.seat or 0) + 1}, {text}"
    return text


def word_verdict(verdict: Verdict) -> str:
    """A verdict as lines of text."""
    lines = [word_fault(fault) for fault in verdict.faults]
    if verdict.seed_fits:
        lines.insert(0, "The commitment fits the host's seed. Compare it with the one in the lobby message.")
    if verdict.same_end:
        lines.append(f"All {verdict.replayed} moves replay, and the match comes to the same end.")
    return "\n".join(lines)
