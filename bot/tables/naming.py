"""People's names: cleans the names from Discord, and finds names that look too much alike."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from engine.plain import plain

NAME_LENGTH: Final = 32
"""The most characters of a name, as on Discord."""

_BLANK: Final = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
"""Invisible characters, although Unicode counts them among letters, marks and symbols."""
_VARIANTS: Final = "".join(chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
"""Characters that choose how the character before them looks, and are invisible themselves."""
_UNSEEN: Final = str.maketrans("", "", _BLANK + _VARIANTS)
_NUMBERED: Final = re.compile(r"[\s(]*\(\s*\d+\s*\)[\s()]*$")
"""A number in brackets at the end of a name. Screens add one where names are alike (`bot.ui.screens.names`)."""
_BRACKETS: Final = {"Ps": "(", "Pi": "(", "Pe": ")", "Pf": ")"}
"""Unicode's categories of opening and closing brackets and quotation marks."""


def clean_name(*names: str) -> str:
    """The first of these names that has visible characters, cleaned and on one line; "" if none has.

    >>> clean_name(" \\u3164\\n", "An\\u202ea"), clean_name("\\u2800")
    ('Ana', '')
    """
    for name in names:
        clean = plain(name, NAME_LENGTH)
        if any(unicodedata.category(character)[0] in "LNPS" for character in clean.translate(_UNSEEN)):
            return clean
    return ""


def likeness(name: str) -> str:
    """The appearance of a name at a glance. Names with the same likeness are too similar to be told apart.

    Only letters and digits count, but not their case, width or style, and no invisible characters. A number in
    brackets at the end does not count either, because screens use such numbers to tell apart people with the same
    name.

    >>> {likeness(name) for name in ("Ana", "ＡＮＡ", "ana ", "🤖 A\u200dna", "Ana (2)", "Ana ⑵ [3]", "Ana②")}
    {'ana'}
    """
    seen = plain("".join(map(_plainer, name.translate(_UNSEEN))))
    seen = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())
    shown = seen
    while numbered := _NUMBERED.search(shown):
        shown = shown[: numbered.start()]
    letters = "".join(character for character in shown if unicodedata.category(character)[0] in "LMN")
    return letters or shown.strip() or seen


def fold(name: str) -> str:
    """A name without differences of case, width, style and space.

    >>> fold("Ａna  ①") == fold("anA 1")
    True
    """
    seen = unicodedata.normalize("NFKC", plain(name.translate(_UNSEEN))).casefold()
    return "".join(unicodedata.normalize("NFKC", seen).split())


def _plainer(character: str) -> str:
    """The character in a plainer form: brackets become round ones, and a number in a circle one in brackets."""
    category = unicodedata.category(character)
    if category == "No" and (digit := unicodedata.digit(character, None)) is not None:
        return f"({digit})"
    return {"<": "(", ">": ")"}.get(character) or _BRACKETS.get(category) or character
