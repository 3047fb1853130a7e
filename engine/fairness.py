"""How a match's chance is agreed on so that nobody could choose it: commit, contribute, reveal.

The host draws a seed and shows only its SHA-256, the *commitment*, before anyone joins. At the start
*contributions* that the host could not foresee are published. The match's key is
HMAC-SHA256(host seed, canonical contributions). After the match the seed is revealed.
docs/fairness.md says which claims that proves, and which it does not.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.plain import plain

SEED_BYTES: Final = 32

SCHEME: Final = 2
"""The version of how a match's chance is agreed on and drawn. A match's record names it.

Words and seats are frozen before the start message is posted, so its id is the last thing that enters the key. The key
and the streams (`engine.chance`) are made in the same way in all schemes.
"""
OF_DAY: Final = 3
"""The scheme of a daily deal, which is the same for everybody: its seed is sealed on the day before.

Nothing is contributed but the day (`of_day`), because a message's id or a word would make another deal for each.
"""
SAME_DEAL: Final = 4
"""The scheme of a table with the deal of another one, of which it has the host seed and all contributions.

They were fixed there by scheme 2. Nothing of the table itself is mixed in, or its deal would be another one.
"""
SCHEMES: Final = (2, 3, 4)
"""The schemes whose records can be checked."""

WORD_LENGTH: Final = 64
"""The most characters that a player's word may have. (`engine.plain` puts it on one line.)"""


class Contribution(NamedTuple):
    """A piece of a match's key.

    `source` is "start" (then `value` is the id of the start message), "seat N" (a player's word), or, of a daily deal,
    "day" (its date).
    """

    source: str
    value: str


def of_day(date: str) -> tuple[Contribution, ...]:
    """The contributions of the daily deal of this day, as in 2026-11-25."""
    return (Contribution("day", date),)


def commitment(host_seed: bytes) -> str:
    """The SHA-256 of the host's seed, in hexadecimal.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(host_seed).hexdigest()


def canonical(contributions: Sequence[Contribution]) -> bytes:
    """The contributions as the bytes that enter the key: JSON, a list of pairs, no spaces, UTF-8."""
    pairs = [[source, value] for source, value in contributions]
    return json.dumps(pairs, separators=(",", ":"), ensure_ascii=False).encode()


def match_key(host_seed: bytes, contributions: Sequence[Contribution]) -> bytes:
    """The key of a match's streams, 32 bytes (see `engine.chance`)."""
    return hmac.digest(host_seed, canonical(contributions), "sha256")


def may_be_word(word: str) -> bool:
    """Whether a lobby takes this word."""
    # A character that is unknown here may be known to the Python which the bot ran on.
    known = "".join("?" if _is_unassigned(character) else character for character in word)
    return bool(word) and plain(known, WORD_LENGTH) == known


def _is_unassigned(character: str) -> bool:
    """Whether a later version of Unicode may give this code point a character. (66 code points never get one.)"""
    code = ord(character)
    never = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return unicodedata.category(character) == "Cn" and not never
