"""Puts the application's own emoji in place of the ordinary ones in texts and on buttons.

Texts are written with ordinary emoji everywhere. Only screens that are sent to Discord have the application's own emoji
(`bot.ui.application_emoji`), as far as Discord has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

LOOK: Final = "\ufe0f"
"""The variation selector that has a character shown as a picture. Some emoji are written with or without it."""

_LONGER: Final = r"[\ufe0e\ufe0f\u200d\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
"""Variation selectors and modifiers: each changes the emoji before it; the first makes it text."""
_LEFT_ALONE: Final = r"\\[\s\S]|```[\s\S]*?```|``[\s\S]*?``|`[^`\n]*`|https?://\S+|<[^<>\s]*>"
"""Parts of a text that Discord shows without emoji or reads otherwise: escapes, code, addresses, mentions, times."""


def _nothing() -> None:
    pass


class EmojiMap:
    """The emoji of one game: the word for each, and the ids of those that Discord has. Immutable.

    `words` and `ids` are by emoji. `doubt` is to be called if Discord refuses one of the ids.
    """

    def __init__(
        self,
        words: Mapping[str, str] | None = None,
        ids: Mapping[str, int] | None = None,
        doubt: Callable[[], None] = _nothing,
    ) -> None:
        self._words = {_bare(emoji): word for emoji, word in (words or {}).items()}
        self._ids = {_bare(emoji): number for emoji, number in (ids or {}).items()}
        self._pattern = _pattern(self._words)
        self.doubt = doubt

    def __bool__(self) -> bool:
        """Whether the map has any own emoji to show."""
        return bool(self._ids)

    def in_text(self, text: str) -> str:
        """A text in Discord's Markdown with the application's own emoji, as far as the map has them."""
        return self._pattern.sub(self._own, text) if self._ids else text

    def of(self, emoji: str) -> dict[str, str] | None:
        """The application's own emoji for this one, in the form for buttons and menus; None if there is none."""
        number = self._ids.get(_bare(emoji))
        return None if number is None else {"id": str(number), "name": self._words[_bare(emoji)]}

    def _own(self, found: re.Match[str]) -> str:
        emoji = found["emoji"]
        number = self._ids.get(_bare(emoji)) if emoji else None
        return found[0] if number is None else f"<:{self._words[_bare(emoji)]}:{number}>"


def _bare(emoji: str) -> str:
    """The emoji without variation selectors, so that both ways to write it are equal."""
    return emoji.replace(LOOK, "")


def _pattern(emoji: Iterable[str]) -> re.Pattern[str]:
    """The pattern that finds these emoji (group `emoji`) where Discord would show them, the longest first."""
    longest_first = sorted(emoji, key=lambda each: (-len(each), each))
    each = ["".join(f"{re.escape(sign)}{LOOK}?" for sign in one) for one in longest_first]
    any_of_them = "|".join(each) or "(?!)"
    return re.compile(rf"{_LEFT_ALONE}|(?P<emoji>(?<!\u200d)(?:{any_of_them})(?!{_LONGER}))")


NO_EMOJI: Final = EmojiMap()
"""The empty map, which leaves all texts unchanged."""
