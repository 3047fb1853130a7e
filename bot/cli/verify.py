"""`digsite verify`: verifies the file of a record, and prints the verdict.

Anybody can write a record, so every value from the record passes through `visible`.
"""

from __future__ import annotations

import argparse
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bot.cli.cogs import LoadCogs
from bot.language import listing
from bot.settings import Settings
from engine.errors import IllegalMove
from engine.fairness import OF_DAY, SAME_DEAL
from engine.game import AnyGame
from engine.record import LARGEST, End, Fault, Record, Verdict, verify
from engine.registry import load_games

if TYPE_CHECKING:
    from bot.ui.screens.game_screens import AnyScreens


Refuse = Callable[[IllegalMove], str]
"""The text of an illegal move, from the game's screens."""

_LONGEST: Final = 200
_DISCORD_EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)


def show(text: str) -> None:
    """Prints a text; characters that the terminal lacks are escaped."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))


_TEXTS: Final = {
    "too-large": "The file is larger than any record: it has more than {most} bytes.",
    "byte-order-mark": "The file begins with a byte-order mark, which a record does not have. Save it as UTF-8 "
    "without one.",
    "not-utf8": "The file is not text in UTF-8.",
    "empty": "The file is empty.",
    "not-json": "The file is not JSON: its line {line} cannot be read.",
    "too-deep": "The file nests lists and objects deeper than any record does.",
    "long-number": "The file holds a number with more digits than any record has.",
    "no-number": "The file holds {name}, which JSON does not have.",
    "half-character": "The file holds half a character (an unpaired surrogate), which is no text.",
    "twice": 'The file has the key "{key}" twice in one object, so it could be read in two ways.',
    "many-keys": "An object in the file has more than {most} keys, which no record has.",
    "not-an-object": "The file holds JSON, but no record of a match, which would be an object.",
    "other-form": "The record is of form {recorded}, which this version does not know. It reads form {known}.",
    "malformed": "The file is no record of a match: its part {where} {what}.",
    "unknown-game": 'This version knows no game "{recorded}". It knows {known}.',
    "other-version": "The match was played by version {recorded} of the game's rules. This is version {known}.",
    "other-scheme": "The match's chance was drawn by scheme {recorded}. This version knows {known}.",
    "other-cards": "The match was played with the card list {recorded}. The one here is {known}.",
    "commitment": "The host's seed is NOT the one that was promised: its SHA-256 is {computed}.",
    "bad-seats": "The record is of {recorded} seats; this game is for {least} to {most}.",
    "bad-options": "The options are not ones that this game has.",
    "bad-day": "The contributions of a daily deal must be the date of its day alone.",
    "no-start": "The contributions do not begin with the id of the start message.",
    "second-start": "The contributions name two start messages.",
    "bad-start": 'The start message\'s id "{recorded}" is not the id of a message.',
    "bad-source": "The contribution of \"{recorded}\" is neither the start message's nor a seat's.",
    "no-such-seat": "There is a word of seat {number}, but the match had {seats} seats.",
    "word-order": "The word of seat {number} does not stand in its place: words go by seats, from seat 1 on.",
    "second-word": "Seat {number} has two words.",
    "word-of-agent": "There is a word of seat {number}, at which no person sat.",
    "bad-word": "The word of seat {number} is none that a lobby takes: one line of 1 to {most} visible characters.",
    "malformed-move": "is no move of this game.",
    "illegal-move": "is against the rules. The player is told: {why}",
    "after-end": "comes after the end of the match.",
    "not-over": "The record names a result, but its moves do not lead to an end.",
    "over": "The moves lead to an end, but the record names none.",
    "other-end": "The moves lead to another end: {computed}.",
    "unfinished": "The record is UNFINISHED: its {moves} moves are legal, but lead to no end. Either the match was "
    "given up, or moves have been cut off; the record cannot tell which.",
}

_FLAWS: Final = {
    "missing": "is missing",
    "extra_forbidden": "is none that a record has",
    "int_type": "is not a whole number",
    "string_type": "is not a text",
    "string_pattern_mismatch": "does not have the right form",
    "dict_type": "is not an object",
    "model_type": "is not an object",
    "tuple_type": "is not a list",
    "too_long": "is too long",
    "too_short": "is too short",
    "string_too_long": "is too long",
    "greater_than_equal": "is out of range",
    "less_than_equal": "is out of range",
}


_SCHEMES: Final = {
    OF_DAY: "It is a daily deal. Compare the commitment with the seal that stood in /daily on the day before: if they "
    "are equal, the deal was fixed before its day. Nobody but the bot drew it; docs/fairness.md says more.",
    SAME_DEAL: "The match had the deal of another table, whose start message and words these are. Compare commitment, "
    "start message and words with the record of that table, which proves how they were fixed.",
}
"""By scheme, what its records prove less than those of scheme 2."""


def visible(text: str, limit: int = _LONGEST) -> str:
    """The text, truncated, with control and invisible characters escaped.

    >>> visible("red \\x1b[31m, turned \\u202e")
    'red \\\\x1b[31m, turned \\\\u202e'
    """
    cut = text if len(text) <= limit else f"{text[:limit]}…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)


def word_fault(fault: Fault, refuse: Refuse) -> str:
    """A fault as a sentence; moves and seats count from 1."""
    facts = {name: _word(value) for name, value in fault.facts.items()}
    if fault.code == "malformed":
        facts["what"] = _FLAWS.get(fault.facts["what"], "is wrong")
    elif fault.code == "illegal-move":
        facts["why"] = f'"{refuse(IllegalMove(fault.facts["reason"], **fault.facts["facts"]))}"'
    elif fault.code == "other-end":
        facts["computed"] = _ranking(End.model_validate(fault.facts["computed"]))
    text = _TEXTS[fault.code].format(**facts)
    if fault.move is not None:
        return f"Move {fault.move + 1}, by seat {(fault.seat or 0) + 1}, {text}"
    return text


def _word(value: Any) -> str:
    if isinstance(value, list):
        return listing(list(map(_word, value)))  # pyright: ignore[reportUnknownArgumentType]
    return visible(str(value))


def word_verdict(verdict: Verdict, refuse: Refuse) -> str:
    """A verdict as text: the values to compare by eye, the faults, and the conclusion."""
    lines = [*_to_compare(verdict.record), ""] if verdict.record else []
    if verdict.seed_fits:
        lines.append("The commitment is the SHA-256 of the host's seed.")
    if verdict.same_end:
        lines.append(f"All {verdict.replayed} moves are legal, and the match comes to the same end.")
    lines += [word_fault(fault, refuse) for fault in verdict.faults]
    if verdict.sound:
        lines.append("The record is sound, as far as a file can tell. Compare what stands above.")
        if verdict.record and verdict.record.scheme in _SCHEMES:
            lines.append(_SCHEMES[verdict.record.scheme])
    elif verdict.unread:
        lines.append("The record could not be checked.")
    else:
        unfinished = {fault.code for fault in verdict.faults} == {"unfinished"}
        lines.append(
            "The record fits as far as it goes. Compare what stands above."
            if unfinished
            else "The record is NOT sound."
        )
    return "\n".join(lines)


def _to_compare(record: Record) -> list[str]:
    """The values that only witnesses of the match can confirm, one per line."""
    words = [(source, word) for source, word in record.contributions if source not in ("start", "day")]
    days = [visible(value) for source, value in record.contributions if source == "day"]
    starts = [_message(value) for source, value in record.contributions if source == "start"]
    parts = [
        ("Game", f"{visible(record.game)}, version {record.version} of its rules"),
        ("Settings", _settings(record)),
        ("Fairness", f"scheme {record.scheme}"),
        ("Commitment", record.commitment),
        *(("Start message", start) for start in starts),
        *(("Daily deal of", day) for day in days),
        *((f"Seat {n}", sitter.replace(":", ", ")) for n, sitter in enumerate(record.seats, 1)),
        *((f"Word of {visible(source)}", f'"{visible(word)}"') for source, word in words),
        ("Result", _ranking(record.end) if record.end else "none"),
    ]
    width = max(len(name) for name, _ in parts) + 1
    heading = "Compare this with what stood in the channel:"
    return [heading, *(f"  {name + ':':<{width}} {text}" for name, text in parts)]


def _settings(record: Record) -> str:
    chosen = [f"{name} {value}" for name, value in record.options.items() if value is not None]
    return visible(", ".join(chosen)) or "none chosen"


def _message(recorded: str) -> str:
    if not (recorded.isascii() and recorded.isdecimal()) or int(recorded) >= 1 << 64:
        return visible(recorded)
    posted = _DISCORD_EPOCH + timedelta(milliseconds=int(recorded) >> 22)
    return f"{recorded}, posted on {posted:%Y-%m-%d at %H:%M:%S} UTC"


def _ranking(end: End) -> str:
    """A result in the order of ranks, seats counted from 1."""
    places: Sequence[tuple[int, int, int]] = sorted(
        (rank, seat, score) for seat, (rank, score) in enumerate(zip(end.ranks, end.scores, strict=False), 1)
    )
    return "; ".join(f"{rank}. seat {seat} with {score}" for rank, seat, score in places)


SOUND: Final = 0
FAULTY: Final = 1
"""The record has a fault, or the match is unfinished."""
UNREAD: Final = 2
"""The record could not be verified: no file, no record, or an unknown game, version, scheme or card list."""

MakeScreens = Callable[[Mapping[str, AnyGame]], Mapping[str, "AnyScreens"]]
"""Makes the screens of all games, by the game's key."""


def command(settings: Settings, chosen: argparse.Namespace, load_cogs: LoadCogs) -> int:
    """Verifies a record. Returns `SOUND`, `FAULTY` or `UNREAD`."""
    try:
        status, text = verify_file(
            chosen.file, settings.card_lists, lambda games: load_cogs().make_screens(games)
        )
    except Unreadable as error:
        print(error, file=sys.stderr)
        return UNREAD
    show(text)
    return status


class Unreadable(Exception):
    """The file cannot be read. The text gives the reason and is safe to print."""


def read_file(file: Path) -> bytes:
    """The bytes of a regular file, at most one more than a record may have. Raises `Unreadable`."""
    try:
        mode = file.stat().st_mode
        if stat.S_ISDIR(mode):
            raise Unreadable(f"{visible(str(file))} is a folder.")
        if not stat.S_ISREG(mode):  # a pipe or a device may have no end
            raise Unreadable(f"{visible(str(file))} is not an ordinary file.")
        with file.open("rb") as opened:
            return opened.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        why = error.strerror if isinstance(error, OSError) and error.strerror else "there can be no such file"
        raise Unreadable(f"{visible(str(file))} cannot be read: {visible(why)}.") from None


def verify_file(file: Path, card_lists: Path | None, make_screens: MakeScreens) -> tuple[int, str]:
    """Verifies the file of a record. Returns the exit status and the text to show.

    Raises `Unreadable`, and `BadData` for invalid card lists.
    """
    games = load_games(card_lists)
    verdict = verify(read_file(file), games)

    def refuse(error: IllegalMove) -> str:
        assert verdict.record, "a move was refused"
        key = verdict.record.game
        return make_screens(games)[key].refuse(error)

    text = word_verdict(verdict, refuse)
    if verdict.sound:
        return SOUND, text
    return (UNREAD if verdict.unread else FAULTY), text
