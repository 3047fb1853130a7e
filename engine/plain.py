"""Makes text that people sent fit for a screen, a record and a terminal: one line of visible characters."""

from __future__ import annotations

import unicodedata
from typing import Final

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's categories of control and format characters (those that turn the direction of writing are among them),
line and paragraph separators, and what stands for no character at all.
"""
_JOINERS: Final = "\u200c\u200d"
"""Format characters that belong in words of Persian and Indic scripts, and in emojis of several persons."""
_SEPARATORS: Final = frozenset({"Cc", "Zl", "Zp"})


def plain(text: str, limit: int | None = None) -> str:
    """The text on one line, without control, format and bidirectional characters; at most `limit` characters of it.

    Line breaks and other white space become single spaces. Joiners stay where they join something.

    >>> plain(" two\\nlines,\\u202e turned ", 8)
    'two line'
    """
    seen: list[str] = []
    for character in text:
        category = unicodedata.category(character)
        if category in _SEPARATORS or character.isspace():
            seen.append(" ")
        elif category not in _UNSEEN or (character in _JOINERS and seen and seen[-1] not in f" {_JOINERS}"):
            seen.append(character)
    return " ".join("".join(seen).split())[:limit].strip().strip(_JOINERS)
