"""A screen in the form that discord.py sends: its components, its files, and the application's own emoji.

Texts are written with ordinary emoji everywhere. Only screens that are sent to Discord have the application's own emoji
(`bot.ui.application_emoji`), as far as Discord has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, cast

import discord

from bot.art.picture_cache import Plate
from bot.gateway.lean_http import as_json
from bot.ui.screens import components as ui

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
        if number is None:
            return found[0]
        gap = "\u00a0" if found["gap"] else ""  # no line ends between a sign and its name
        return f"<:{self._words[_bare(emoji)]}:{number}>{gap}"


def _bare(emoji: str) -> str:
    """The emoji without variation selectors, so that both ways to write it are equal."""
    return emoji.replace(LOOK, "")


def _pattern(emoji: Iterable[str]) -> re.Pattern[str]:
    """The pattern that finds these emoji (group `emoji`) where Discord would show them, the longest first."""
    longest_first = sorted(emoji, key=lambda each: (-len(each), each))
    each = ["".join(f"{re.escape(sign)}{LOOK}?" for sign in one) for one in longest_first]
    any_of_them = "|".join(each) or "(?!)"
    sign = rf"(?P<emoji>(?<!\u200d)(?:{any_of_them})(?!{_LONGER}))"
    return re.compile(rf"{_LEFT_ALONE}|{sign}(?P<gap> ?)")


NO_EMOJI: Final = EmojiMap()
"""The empty map, which leaves all texts unchanged."""


TEXT_ROOM: Final = 4000
"""The greatest length of all texts of a message together, in characters as Discord counts them."""
_ATTACHED: Final = "attachment://"
"""The beginning of the address of a file that is attached to the message."""


class ScreenView(discord.ui.LayoutView):
    """A screen in the form that discord.py sends, and the pictures that have to be attached to its message.

    The application's own emoji replace the ordinary ones that `emoji_map` has. discord.py reads three parts of a view
    that it sends: the components, the timeout, and whether presses are to be dispatched, for which it would store the
    view. The rest of a `LayoutView` is for items, which a drawing does not have, and is therefore not initialised.
    """

    def __init__(  # pyright: ignore[reportMissingSuperCall]
        self,
        items: Iterable[ui.Item],
        colour: int | None = None,
        plates: Sequence[Plate] = (),
        *,
        instead: Mapping[str, Sequence[ui.Item]] | None = None,
        asked_for: bool = False,
        emoji_map: EmojiMap = NO_EMOJI,
    ) -> None:
        """`colour` is the colour of the items' container; None if they have no container.

        `instead` has, by the names of files, the items that stand where the files are not accepted. `asked_for`:
        somebody has asked for these very files.
        """
        self._written: list[ui.Component] = [*items] if colour is None else [ui.container(items, colour)]
        self.plates = tuple(plates)
        self._instead = instead or {}
        self.asked_for = asked_for
        self.private = False
        """Whether the message is for one person, and so sent through the token of an interaction."""
        self.lacks_files = False
        """Whether the files were given up."""
        self._emoji_map = emoji_map
        self._shown: list[ui.Component] | None = None
        self._digest: bytes | None = None

    def to_components(self) -> list[dict[str, Any]]:
        """The components in Discord's form. The list is shared and must not be changed."""
        if self._shown is None:
            self._shown = _with_emoji(self._written, self._emoji_map)
        return cast("list[dict[str, Any]]", self._shown)

    def has_components_v2(self) -> bool:
        return True

    def is_dispatchable(self) -> bool:
        return False

    def is_finished(self) -> bool:
        return True

    @property
    def timeout(self) -> float | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        return None

    @property
    def digest(self) -> bytes:
        """A digest of the components: equal drawings have equal digests, so that the drawing need not be stored."""
        if self._digest is None:
            self._digest = blake2b(as_json(self.to_components()), digest_size=16).digest()
        return self._digest

    def give_up_emoji(self) -> Callable[[], None] | None:
        """Replaces the application's own emoji by the ordinary ones with which the texts are written.

        Returns the function to call if Discord then accepts the drawing, because it has refused the own emoji. None if
        the drawing had no own emoji.
        """
        given_up, emoji_map = self.to_components() != self._written, self._emoji_map
        self._emoji_map, self._shown, self._digest = NO_EMOJI, None, None
        return emoji_map.doubt if given_up else None

    def give_up_files(self) -> None:
        """Takes the pictures and other files off. The texts in whose place they stood come back."""
        self._written = list(_without_files(self._written, self._instead))
        self.plates, self.lacks_files = (), True
        self._shown, self._digest = None, None


def _without_files(components: Iterable[Any], instead: Mapping[str, Sequence[ui.Item]]) -> Iterator[Any]:
    """The components without those that show attached files. `instead` has the items in their place, by file name."""
    for part in components:
        name = _attached(part)
        if name is not None and part["type"] == ui.SECTION:
            yield from part["components"]
        elif name is not None:
            yield from instead.get(name, ())
        elif "components" in part:
            yield {**part, "components": list(_without_files(part["components"], instead))}
        else:
            yield part


def _attached(part: Mapping[str, Any]) -> str | None:
    """The name of the attached file that a gallery, a section or a file component shows; None if it shows none."""
    media: Mapping[str, Any] = {}
    if part["type"] == ui.GALLERY:
        media = part["items"][0]["media"]
    elif part["type"] == ui.SECTION:
        media = part["accessory"].get("media", media)
    elif part["type"] == ui.FILE:
        media = part["file"]
    url = str(media.get("url", ""))
    return url.removeprefix(_ATTACHED) if url.startswith(_ATTACHED) else None


def _with_emoji(components: list[ui.Component], emoji_map: EmojiMap) -> list[ui.Component]:
    """The components of a message with the application's own emoji.

    All texts retain their ordinary emoji if the texts together would become too long for Discord. Labels, placeholders
    and descriptions always retain them: Discord shows no own emoji there.
    """
    if not emoji_map:
        return components
    shown = {content: emoji_map.in_text(content) for content in _texts(components)}
    if sum(utf16_length(shown[content]) for content in _texts(components)) > TEXT_ROOM:
        shown = {}
    return [_part_with_emoji(part, shown, emoji_map) for part in components]


def _texts(components: Iterable[Any]) -> Iterator[str]:
    for component in components:
        if component["type"] == ui.TEXT:
            yield component["content"]
        yield from _texts(component.get("components", ()))


def _part_with_emoji(part: Any, texts: Mapping[str, str], emoji_map: EmojiMap) -> Any:
    """This component, or line of a menu, with the application's own emoji. `texts` maps written texts to shown ones."""
    changed: dict[str, Any] = {}
    if "content" in part:
        changed["content"] = texts.get(part["content"], part["content"])
    if "emoji" in part:
        changed["emoji"] = emoji_map.of(part["emoji"]["name"]) or part["emoji"]
    for name in ("components", "options"):
        if name in part:
            changed[name] = [_part_with_emoji(each, texts, emoji_map) for each in part[name]]
    return {**part, **changed} if changed else part


def utf16_length(text: str) -> int:
    """The length of a text as Discord counts it, in UTF-16 code units; most emoji are two."""
    return len(text.encode("utf-16-le")) // 2
