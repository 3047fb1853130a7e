"""Parts of screens: text, rows of buttons, menus that never cut anything off, and the viewer's selection.

Screens are mere drawings. A view is stopped before it is sent, so that discord.py neither stores it nor lets it time
out. Presses arrive through `on_interaction`, and their custom_id says what they mean (`bot.ui.screens.ids`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

import discord
from discord import ui

from bot.art.gallery import Plate
from bot.gateway.lean_http import as_json
from bot.language import pgettext
from bot.ui.screens.emoji_map import NO_EMOJI, Legend
from bot.ui.screens.ids import Id, read_id
from engine.game import Outcome

Item = ui.Item[Any]

_TEXT: Final = discord.ComponentType.text_display.value
_CONTAINER: Final = discord.ComponentType.container.value

MENU_OPTIONS: Final = 25
TEXT_ROOM: Final = 4000
"""Characters that all texts of a message may have together, counted as Discord counts them."""
PAGE_TEXT: Final = 3000
"""Characters of what is listed on a page of a sheet."""
SAND: Final = discord.Colour(0xC9A227)
CALM: Final = discord.Colour(0x5B7B7A)
OVER: Final = discord.Colour(0x7A5C3E)
SEATS: Final = ("🔵", "🔶", "🟩", "🔺", "💜")
"""Whose something is, by seat; pictures show tokens of these shapes (`bot.art.common.token`)."""
_DIGITS: Final = ("0️⃣", "1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "9️⃣", "🔟")

Choices = Mapping[str, Sequence[str]]
"""What is chosen in each menu of a screen, by the menu's intent."""


class Drawn(ui.LayoutView):
    """A screen in the form that discord.py sends, and the pictures that have to be attached to its message.

    What is sent has the application's own emoji in place of those that `legend` has. It is made once, because it is
    compared, sent and remembered. From then on there are no items any more: each of them refers to the one that it is
    in, so that only the garbage collector would find them, which took a seventh of the time of a busy bot.

    discord.py knows of no items in it. All that it does with them (it counts them, and tells each which view it is in)
    is for views that it is to keep, and no message would be another.
    """

    def __init__(
        self,
        items: Iterable[Item],
        colour: discord.Colour | None = None,
        plates: Sequence[Plate] = (),
        *,
        legend: Legend = NO_EMOJI,
    ) -> None:
        """`colour` is that of the container in which the items are; None if they are in none."""
        super().__init__(timeout=None)
        self.stop()
        self._parts = tuple(items)
        self._colour = colour
        self.plates = tuple(plates)
        self._legend = legend
        self._components: list[dict[str, Any]] | None = None
        self._written: list[_Written] = []
        """What has given way to the application's own emoji."""
        self._digest: bytes | None = None

    def to_components(self) -> list[dict[str, Any]]:
        """The components in Discord's form. They are shared and must not be changed."""
        if self._components is None:
            parts = [part.to_component_dict() for part in self._parts]
            if self._colour is not None:
                container = {"type": _CONTAINER, "accent_color": self._colour.value, "components": parts}
                parts = [container]
            self._components = parts
            self._written = _put_emoji(self._components, self._legend)
            _take_apart(self._parts)
            self._parts = ()
        return self._components

    def has_components_v2(self) -> bool:
        return True

    @property
    def digest(self) -> bytes:
        """A digest of what is shown: equal drawings have equal digests, and the drawing itself need not be kept."""
        if self._digest is None:
            self._digest = blake2b(as_json(self.to_components()), digest_size=16).digest()
        return self._digest

    def give_up_emoji(self) -> Callable[[], None] | None:
        """Makes it send the emoji with which its texts are written.

        Returns what to call if Discord takes it then, because it does not know the others. None if there were none.
        """
        self.to_components()
        given_up, self._written, self._digest = self._written, [], None
        for part, name, value in given_up:
            part[name] = value
        return self._legend.doubt if given_up else None


@dataclass(slots=True)
class Screen:
    """A message: the items of one coloured container."""

    items: list[Item] = field(default_factory=list[Item])
    colour: discord.Colour = SAND
    plates: list[Plate] = field(default_factory=list[Plate])
    """The pictures among the items."""
    legend: Legend = NO_EMOJI
    """The application's own emoji that may take the place of those in the texts, and on buttons and menus."""
    _drawn: Drawn | None = field(default=None, init=False, repr=False, compare=False)

    def text(self, *lines: str) -> Screen:
        """Adds lines of Markdown as one text."""
        self.items.append(ui.TextDisplay("\n".join(lines)))
        return self

    def rule(self) -> Screen:
        """Adds a dividing line."""
        self.items.append(ui.Separator())
        return self

    def buttons(self, *buttons: ui.Button[Any]) -> Screen:
        """Adds buttons, five in a row."""
        for start in range(0, len(buttons), 5):
            self.items.append(ui.ActionRow(*buttons[start : start + 5]))
        return self

    def add(self, items: Iterable[Item]) -> Screen:
        self.items.extend(items)
        return self

    def picture(self, plate: Plate, at: int) -> Screen:
        """Adds a picture, as wide as the message, before the item with this number."""
        media = discord.MediaGalleryItem(f"attachment://{plate.name}", description=plate.alt)
        self.items.insert(at, ui.MediaGallery(media))
        self.plates.append(plate)
        return self

    def after(self, number: int) -> int:
        """The place after the text whose component has this id; the first place if there is none."""
        places = (place for place, item in enumerate(self.items, 1) if item.id == number)
        return next(places, 0)

    def thumbnail(self, plate: Plate, beside: int) -> Screen:
        """Adds a small picture to the right of the text whose component has this id; none if there is no such text."""
        for place, item in enumerate(self.items):
            if isinstance(item, ui.TextDisplay) and item.id == beside:
                small = ui.Thumbnail[Any](f"attachment://{plate.name}", description=plate.alt)
                self.items[place] = ui.Section(item, accessory=small)
                self.plates.append(plate)
        return self

    def view(self) -> Drawn:
        """The screen in the form that discord.py sends. It is made once: from then on nothing may be changed."""
        if self._drawn is None:
            self._drawn = Drawn(self.items, self.colour, self.plates, legend=self.legend)
        return self._drawn


_Written = tuple[dict[str, Any], str, Any]
"""A part of a component, a name in it, and the value with which that is written in the code."""


def _take_apart(items: Iterable[Item]) -> None:
    """Undoes that rows and what is in them refer to each other."""
    for item in items:
        if isinstance(item, ui.ActionRow | ui.Section):
            item.clear_items()


def _put_emoji(components: list[dict[str, Any]], legend: Legend) -> list[_Written]:
    """Puts the application's own emoji into the components of a message. Returns what they have replaced.

    All texts keep those with which they are written if they would become too long for Discord together. Labels,
    placeholders and descriptions keep them in any case: Discord shows no others there.
    """
    written: list[_Written] = []
    if not legend:
        return written
    parts = list(_nested(components))
    texts = [part for part in parts if part["type"] == _TEXT]
    shown = [legend.in_text(text["content"]) for text in texts]
    if sum(map(utf16_length, shown)) <= TEXT_ROOM:
        for text, content in zip(texts, shown, strict=True):
            if text["content"] != content:
                written.append((text, "content", text["content"]))
                text["content"] = content
    for part in parts:
        for bearer in (part, *part.get("options", ())):
            emoji = bearer.get("emoji")
            own = legend.of(emoji["name"]) if emoji and not emoji.get("id") else None
            if own is not None:
                written.append((bearer, "emoji", emoji))
                bearer["emoji"] = own
    return written


def _nested(components: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All components, also those within others."""
    for component in components:
        yield component
        yield from _nested(component.get("components", ()))
        if "accessory" in component:
            yield from _nested([component["accessory"]])


def button(
    label: str,
    to: Id,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    emoji: str | None = None,
    disabled: bool = False,
) -> ui.Button[Any]:
    """A button that sends `to` when pressed."""
    return ui.Button(
        label=label[:80], custom_id=str(to), style=style, emoji=_partial(emoji), disabled=disabled
    )


@lru_cache(maxsize=512)
def _partial(emoji: str | None) -> discord.PartialEmoji | None:
    """An emoji in discord.py's form, which it would work out again for each button and option."""
    return None if emoji is None else discord.PartialEmoji.from_str(emoji)


def link(label: str, url: str) -> ui.Button[Any]:
    """A button that opens an address."""
    return ui.Button(label=label[:80], url=url)


@dataclass(frozen=True, slots=True)
class Option:
    """A line of a menu."""

    label: str
    value: str
    description: str = ""
    emoji: str | None = None


def menus(
    to: Id,
    placeholder: str,
    options: Sequence[Option],
    *,
    chosen: Sequence[str] = (),
    several: bool = False,
    least: int = 0,
    exactly: int = 1,
    first: int = 0,
) -> list[Item]:
    """A menu of all options. If there are more than 25 options, as many menus as are needed.

    With `several`, any number of options may be chosen in each menu, but no fewer than `least`; otherwise exactly
    `exactly` of them, and if that is more than one, they must fit into a single menu. Discord's clients keep by
    custom_id what somebody has chosen in a menu. A menu that offers or shows something else therefore gets another
    custom_id, so that no earlier choice is seen in it. Where a screen has several calls' menus of one intent, each
    call's count on from `first`.
    """
    assert exactly == 1 or len(options) <= MENU_OPTIONS
    pages = [options[start : start + MENU_OPTIONS] for start in range(0, len(options), MENU_OPTIONS)]
    rows: list[Item] = []
    for number, page in enumerate(pages):
        label = placeholder if len(pages) == 1 else f"{placeholder} ({number + 1}/{len(pages)})"
        select: ui.Select[Any] = ui.Select(
            custom_id=str(to._replace(arg=f"{first + number}.{_drawing(page, chosen)}")),
            placeholder=label[:150],
            min_values=least if several else exactly,
            max_values=len(page) if several else exactly,
            options=[
                discord.SelectOption(
                    label=option.label[:100],
                    value=option.value,
                    description=option.description[:100] or None,
                    emoji=_partial(option.emoji),
                    default=option.value in chosen,
                )
                for option in page
            ],
        )
        rows.append(ui.ActionRow(select))
    return rows


def _drawing(page: Sequence[Option], chosen: Sequence[str]) -> str:
    """A short digest of what a menu offers and shows as chosen."""
    lines = [(option.label, option.value, option.description, option.value in chosen) for option in page]
    return blake2b(repr(lines).encode(), digest_size=4).hexdigest()


def menu_number(to: Id) -> str:
    """The number of this menu among those with its intent."""
    return to.arg.partition(".")[0]


def read_choices(message: discord.Message | None) -> dict[str, dict[str, list[str]]]:
    """What a message's menus show as chosen, by intent and then by the number of the menu."""
    found: dict[str, dict[str, list[str]]] = {}

    def walk(components: Iterable[Any]) -> None:
        for component in components:
            if isinstance(component, discord.SelectMenu):
                to = read_id(component.custom_id or "")
                if to:
                    chosen = [option.value for option in component.options if option.default]
                    found.setdefault(to.intent, {})[menu_number(to)] = chosen
            walk(getattr(component, "children", ()))

    if message is not None:
        walk(message.components)
    return found


def read_label(message: discord.Message | None, custom_id: str, values: Sequence[str]) -> str:
    """What stood on the pressed button, or on the chosen lines of the menu; "" if the message has it no more."""

    def walk(components: Iterable[Any]) -> str:
        for component in components:
            if getattr(component, "custom_id", None) == custom_id:
                if isinstance(component, discord.SelectMenu):
                    chosen = [option.label for option in component.options if option.value in values]
                    return ", ".join(chosen) or component.placeholder or ""
                return getattr(component, "label", None) or ""
            if found := walk(getattr(component, "children", ())):
                return found
        return ""

    return walk(message.components) if message is not None else ""


def bundle_sizes(count: int) -> list[int]:
    """Sizes whose sum is `count`, and from which every smaller number can be put together.

    >>> bundle_sizes(6), bundle_sizes(4), bundle_sizes(15)
    ([1, 2, 3], [1, 1, 2], [1, 2, 4, 8])
    """
    sizes: list[int] = []
    size = 1
    while size <= count:
        sizes.append(size)
        count -= size
        size *= 2
    if count:
        sizes.append(count)
    return sorted(sizes)


def pager(to: Id, before: str, page: int, pages: int) -> list[ui.Button[Any]]:
    """Buttons that lead through a sheet's pages, none if there is only one.

    The page's number follows `before` in the buttons' argument.
    """
    if pages == 1:
        return []
    return [
        button(
            pgettext("button: the page before", "Back"),
            to._replace(arg=f"{before}{max(page - 1, 0)}"),
            disabled=page == 0,
        ),
        button(
            pgettext("button: the page after", "Next"),
            to._replace(arg=f"{before}{page + 1}"),
            disabled=page == pages - 1,
        ),
    ]


def paged(lines: Sequence[str], room: int = PAGE_TEXT) -> list[list[str]]:
    """Lines by pages of at most so many characters; a page holds one line at least.

    >>> paged(["one", "two", "three"], 8)
    [['one', 'two'], ['three']]
    """
    pages: list[list[str]] = [[]]
    left = room
    for line in lines:
        left -= utf16_length(line) + 1
        if left < 0 and pages[-1]:
            pages.append([])
            left = room - utf16_length(line) - 1
        pages[-1].append(line)
    return pages


def line_height(line: str) -> int:
    """About how many pixels a line of text is high on a phone, where a message is 265 wide."""
    shown = re.sub(r"<t:\d+:R>", "in 24 hours", re.sub(r"\*\*|\\", "", line))
    small = shown.removeprefix("-# ")
    height, width = (19, 38) if small != shown else (22, 32)
    return height * max(1, -(-utf16_length(small) // width))


def clipped(line: str, height: int) -> str:
    """As many of a line's words as are at most so high on a phone, with an ellipsis if that is not all of them.

    >>> clipped("-# **Ana** trades 2 Maps for 2 Coins, sells 5 Talismans for $40.", 19)
    '-# **Ana** trades 2 Maps for 2 Coins, sells …'
    """
    words = line.split(" ")
    while len(words) > 1 and line_height(line) > height:
        words.pop()
        shorter = " ".join(words)
        line = shorter + ("**" if shorter.count("**") % 2 else "") + " …"
    return line


def text_height(screen: Screen) -> int:
    """About how many pixels the texts of a screen are high on a phone."""
    texts = [item.content for item in screen.items if isinstance(item, ui.TextDisplay)]
    return sum(line_height(line) for text in texts for line in text.splitlines())


def die(face: int) -> str:
    """A die's face as a picture. The pips of ⚀ to ⚅ would be hard to tell apart on a phone."""
    return _DIGITS[face] if 0 <= face < len(_DIGITS) else str(face)


def dice(faces: Iterable[int]) -> str:
    """Dice as pictures, in a line."""
    return " ".join(map(die, faces))


MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def ranking(outcome: Outcome) -> list[tuple[int, str]]:
    """The seats from the winner down, each with the beginning of its line in a result: medal and rank.

    The winners' lines are headings, so each of them has to begin a line.
    """
    by_rank = sorted((rank, seat) for seat, rank in enumerate(outcome.ranks))
    return [(seat, f"{'### ' if rank == 1 else ''}{MEDALS.get(rank, '▫️')} {rank}.") for rank, seat in by_rank]


def utf16_length(text: str) -> int:
    """The length of a text as Discord counts it, for which most emoji are two characters."""
    return len(text.encode("utf-16-le")) // 2


def escape(name: str) -> str:
    """A person's name made safe for a text: it forms no Markdown, mentions nothing and is no link.

    discord.py's own function would not escape the inside of a masked link, nor mentions of anything but people.
    """
    plain = re.sub(r"[\\*_~`|<\[\]]|^[#>-]", r"\\\g<0>", name)
    return discord.utils.escape_mentions(plain).replace("://", ":\u200b//")
