"""Parts of screens: text, rows of buttons, menus that never cut anything off, the viewer's selection, and links.

Screens handle no presses: presses arrive through `on_interaction`, and their custom_id has their meaning
(`bot.ui.screens.ids`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

import discord

from bot.art.picture_cache import Plate
from bot.language import gettext as _
from bot.language import pgettext
from bot.tables.model import Table
from bot.ui.screens import components as ui
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.screen_view import NO_EMOJI, EmojiMap, ScreenView, utf16_length
from bot.ui.screens.screen_view import TEXT_ROOM as TEXT_ROOM
from engine.game import Outcome

# part of this module's interface


Item = ui.Item
Button = ui.Button

MENU_OPTIONS: Final = 25
ROOMY: Final = 34
"""With fewer components than these a screen has room for two pictures and for a text that is parted by one."""
PAGE_TEXT: Final = 3000
"""The greatest length of the lines on a page of a sheet, in characters as Discord counts them."""
ONE: Final = (1, 1)
ANY_NUMBER: Final = (0, None)
"""The least and the greatest number of options that are chosen in a menu; None: all of them."""
TITLE: Final = 1931
"""The id of the component with the game's name, below which the table's picture stands."""
PICTURED: Final = 1932
"""The id of a screen's one text that says only what its picture shows, and stands where there is no picture."""
NEWS: Final = 1935
"""The id of a private screen's newest news. Beside or below stands a turn's picture that the viewer alone may see."""
FOLDED: Final = 1934
"""The id of texts that a private screen shows only behind its button **?**: hints, and how a decision works."""
FIRST_TIME: Final = 1936
"""The id of hints that stand on the private screen in a person's first match of the game, and later behind **?**."""
OTHERS: Final = 1939
"""The id of a text about the others, which a screen with the board leaves out."""
TURN: Final = 1933
"""The id of a private screen's lines about the turn, below which the picture of the seat's possessions stands."""
OWN_TITLE: Final = 1937
"""The id of the heading above what the viewer has, on the screen of a private match, where the board is above."""
PICTURED_BOARD: Final = 1938
"""The id that the board's text `PICTURED` has on the screen of a private match."""

SAND: Final = 0xC9A227
CALM: Final = 0x5B7B7A
OVER: Final = 0x7A5C3E
SEATS: Final = ("🔵", "🔶", "🟩", "🔺", "💜")
"""The signs of the seats; pictures show tokens of these shapes (`bot.art.common.token`)."""
_DIGITS: Final = ("0️⃣", "1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "9️⃣", "🔟")

LARGE: Final = "### "
"""Begins the line about an event that stands out (`GameScreens.moment`)."""

Choices = Mapping[str, Sequence[str]]
"""The choices in each menu of a screen, by the menu's intent."""
DAILY: Final = "daily"
"""The intent of the buttons that lead to today's deal."""


class Pictured(str):
    """A line about a turn that has its picture below this line."""


def pictured(lines: Sequence[str]) -> list[str]:
    """The lines about a turn that has a picture, which stands below the last heading or else the last line."""
    end = max((n for n, line in enumerate(lines, 1) if line.startswith(LARGE)), default=len(lines))
    return [*lines[: end - 1], *map(Pictured, lines[end - 1 : end]), *lines[end:]]


@dataclass(slots=True)
class Screen:
    """A message: the items of one coloured container."""

    items: list[Item] = field(default_factory=list[Item])
    colour: int = SAND
    plates: list[Plate] = field(default_factory=list[Plate])
    """The pictures among the items."""
    instead: dict[str, list[Item]] = field(default_factory=dict[str, list[Item]])
    """By the names of files: the items that stand in their place where Discord does not accept the files."""
    asked_for: bool = False
    """Whether somebody has asked for the files, such as a film: they are then sent also where pictures pause."""
    emoji_map: EmojiMap = NO_EMOJI
    """The application's own emoji that may replace the ordinary ones in texts, and on buttons and menus."""
    _view: ScreenView | None = field(default=None, init=False, repr=False, compare=False)

    def text(self, *lines: str) -> Screen:
        """Adds lines of Markdown as one text."""
        self.items.append(ui.text("\n".join(lines)))
        return self

    def remark(self, text: str) -> Screen:
        """Adds a line about the press that led to the screen, before everything else."""
        self.items.insert(0, ui.text(f"ℹ️ {text}"))
        return self

    def rule(self) -> Screen:
        """Adds a dividing line."""
        self.items.append(ui.separator())
        return self

    def buttons(self, *buttons: ui.Button) -> Screen:
        """Adds buttons, at most five in a row."""
        self.items.extend(ui.rows(buttons))
        return self

    def add(self, items: Iterable[Item]) -> Screen:
        self.items.extend(items)
        return self

    def picture(self, plate: Plate, at: int, instead: int = PICTURED) -> Screen:
        """Adds a picture, as wide as the message, before the item with this index, in place of the text `instead`."""
        self.insert_picture(plate, at)
        self.instead[plate.name] = [item for item in self.items if item.get("id") == instead]
        self.items = [item for item in self.items if item.get("id") != instead]
        return self

    def file(self, plate: Plate, refusal: str) -> Screen:
        """Adds a file that somebody has asked for, to be saved. `refusal` stands where Discord does not accept it."""
        self.items.append(ui.file(f"attachment://{plate.name}"))
        self.plates.append(plate)
        self.instead[plate.name] = [ui.text(refusal)]
        self.asked_for = True
        return self

    def insert_picture(self, plate: Plate, at: int) -> Screen:
        """Adds a picture, as wide as the message, before the item with this index."""
        self.items.insert(at, ui.gallery(f"attachment://{plate.name}", plate.alt))
        self.plates.append(plate)
        return self

    def tell(self, lines: Sequence[str], number: int, at: int) -> Screen:
        """Adds lines about turns before the item with this index. Those down to a `Pictured` have the id `number`."""
        end = max((n for n, line in enumerate(lines, 1) if isinstance(line, Pictured)), default=0)
        end = len(lines) if end and ui.count(self.items) >= ROOMY else end
        above, below = ["\n".join(part) for part in (lines[:end], lines[end:])]
        self.items[at:at] = [ui.text(above, id=number)] * bool(above) + [ui.text(below)] * bool(below)
        return self

    def headline(self, plate: Plate, below: int) -> Screen:
        """Adds a picture, as wide as the message, below the text with this id; none if there is no such text."""
        return self.insert_picture(plate, at) if (at := self.after(below)) else self

    def after(self, number: int) -> int:
        """The index after the text whose component has this id; 0 if there is no such text."""
        places = (place for place, item in enumerate(self.items, 1) if item.get("id") == number)
        return next(places, 0)

    def thumbnail(self, plate: Plate, beside: int) -> Screen:
        """Adds a small picture to the right of the text whose component has this id; none if there is no such text."""
        for place, item in enumerate(self.items):
            if item["type"] == ui.TEXT and item.get("id") == beside:
                small = ui.thumbnail(f"attachment://{plate.name}", plate.alt)
                self.items[place] = ui.section(item, small)
                self.plates.append(plate)
        return self

    def view(self) -> ScreenView:
        """The screen in the form that discord.py sends. It is made once; after that the screen must not be changed."""
        if self._view is None:
            self._view = ScreenView(
                self.items,
                self.colour,
                self.plates,
                instead=self.instead,
                asked_for=self.asked_for,
                emoji_map=self.emoji_map,
            )
        return self._view


def button(
    label: str,
    to: Id,
    style: ui.Style = ui.SECONDARY,
    *,
    emoji: str | None = None,
    disabled: bool = False,
) -> ui.Button:
    """A button that sends `to` when pressed."""
    made: ui.PressButton = {"type": ui.BUTTON, "style": style, "label": label[:80], "custom_id": str(to)}
    if emoji is not None:
        made["emoji"] = {"name": emoji}
    if disabled:
        made["disabled"] = True
    return made


def link(label: str, url: str) -> ui.Button:
    """A button that opens an address."""
    return {"type": ui.BUTTON, "style": ui.LINK, "label": label[:80], "url": url}


@dataclass(frozen=True, slots=True)
class Option:
    """A line of a menu."""

    label: str
    value: str
    description: str = ""
    emoji: str | None = None

    def shown(self, *, chosen: bool) -> ui.MenuOption:
        """The line in the form that is sent."""
        made: ui.MenuOption = {"label": self.label[:100], "value": self.value}
        if self.description:
            made["description"] = self.description[:100]
        if self.emoji is not None:
            made["emoji"] = {"name": self.emoji}
        if chosen:
            made["default"] = True
        return made


def menus(
    to: Id,
    placeholder: str,
    options: Sequence[Option],
    *,
    chosen: Sequence[str] = (),
    count: tuple[int, int | None] = ONE,
    first: int = 0,
) -> list[Item]:
    """A menu of all options. If there are more than 25 options, as many menus as are needed.

    `count` are the least and the greatest number of options that are chosen in each menu (None: all of them). If more
    than one must be chosen, the options must fit into a single menu. Discord's clients store a person's choices by the
    menu's custom_id. A menu with other options or choices therefore gets another custom_id, so that it shows no earlier
    choice. One that returns unchanged, as after **Back to Dice**, shows none either: phones drop a choice with every
    edit of the message, and desktops as soon as the person uses another component, which **Back to Dice** is. If a
    screen has menus of one intent from several calls, each call numbers its menus from `first`.
    """
    least, most = count
    assert least <= 1 or len(options) <= MENU_OPTIONS
    pages = [options[start : start + MENU_OPTIONS] for start in range(0, len(options), MENU_OPTIONS)]
    rows: list[Item] = []
    for number, page in enumerate(pages):
        label = placeholder if len(pages) == 1 else f"{placeholder} ({number + 1}/{len(pages)})"
        menu: ui.Menu = {
            "type": ui.MENU,
            "custom_id": str(to._replace(arg=f"{first + number}.{_drawing(page, chosen)}")),
            "placeholder": label[:150],
            "min_values": least,
            "max_values": len(page) if most is None else most,
            "options": [option.shown(chosen=option.value in chosen) for option in page],
        }
        rows.append(ui.row(menu))
    return rows


def _drawing(page: Sequence[Option], chosen: Sequence[str]) -> str:
    """A short digest of a menu's options and of the choices that it shows."""
    lines = [(option.label, option.value, option.description, option.value in chosen) for option in page]
    return blake2b(repr(lines).encode(), digest_size=4).hexdigest()


def menu_number(to: Id) -> str:
    """The number of this menu among those with its intent."""
    return to.arg.partition(".")[0]


def parts_of(components: Iterable[Any]) -> Iterator[Any]:
    """These components of a message and all that are nested in them, in their order."""
    for component in components:
        yield component
        yield from parts_of(getattr(component, "children", ()))


def read_choices(message: discord.Message | None) -> dict[str, dict[str, list[str]]]:
    """The choices that a message's menus show, by intent and then by the number of the menu."""
    found: dict[str, dict[str, list[str]]] = {}
    for part in parts_of(message.components if message is not None else ()):
        if isinstance(part, discord.SelectMenu) and (to := read_id(part.custom_id or "")):
            chosen = [option.value for option in part.options if option.default]
            found.setdefault(to.intent, {})[menu_number(to)] = chosen
    return found


def read_label(message: discord.Message | None, custom_id: str, values: Sequence[str]) -> str:
    """The label of the pressed button, or of the chosen lines of the menu; "" if the message does not contain it."""
    for part in parts_of(message.components if message is not None else ()):
        if getattr(part, "custom_id", None) == custom_id:
            if isinstance(part, discord.SelectMenu):
                chosen = [option.label for option in part.options if option.value in values]
                return ", ".join(chosen) or part.placeholder or ""
            return getattr(part, "label", None) or ""
    return ""


def bundle_sizes(count: int) -> list[int]:
    """Sizes whose sum is `count`, such that every smaller number is the sum of some of them.

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


def pager(to: Id, before: str, page: int, pages: int) -> list[ui.Button]:
    """The buttons to turn a sheet's pages, if there are several; in their argument, the page follows `before`."""
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
    """Lines by pages of at most `room` characters; a page has one line at least.

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
    """The approximate height of a line of text on a phone, where a message is 265 wide. In pixels."""
    shown = re.sub(r"<t:\d+:R>", "in 24 hours", re.sub(r"\*\*|\\", "", line))
    small = shown.removeprefix("-# ")
    height, width = (19, 38) if small != shown else (23, 27) if shown.startswith(LARGE) else (22, 32)
    return height * max(1, -(-utf16_length(small) // width))


def text_height(screen: Screen) -> int:
    """The approximate height of a screen's texts on a phone, in pixels."""
    return sum(line_height(line) for text in ui.texts(screen.items) for line in text.splitlines())


def die(face: int) -> str:
    """A die's face as an emoji. The pips of ⚀ to ⚅ would be hard to tell apart on a phone."""
    return _DIGITS[face] if 0 <= face < len(_DIGITS) else str(face)


def dice(faces: Iterable[int]) -> str:
    """Dice as emoji, in a line."""
    return " ".join(map(die, faces))


MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def ranking(outcome: Outcome) -> list[tuple[int, str]]:
    """The seats from the winner down, each with the beginning of its line in a result: medal and rank.

    The winners' beginnings are Markdown headings, so each of them has to stand at the beginning of a line.
    """
    by_rank = sorted((rank, seat) for seat, rank in enumerate(outcome.ranks))
    return [(seat, f"{'### ' if rank == 1 else ''}{MEDALS.get(rank, '▫️')} {rank}.") for rank, seat in by_rank]


def escape(name: str) -> str:
    """A person's name made safe for a text: without Markdown, mentions and links.

    discord.py's own function would not escape the inside of a masked link, nor mentions other than of people.
    """
    plain = re.sub(r"[\\*_~`|<\[\]]|^[#>-]", r"\\\g<0>", name)
    return discord.utils.escape_mentions(plain).replace("://", ":\u200b//")


def message_url(table: Table, message: int | None) -> str:
    """The address of a message in the table's channel; that of the channel if there is no message."""
    place = "@me" if table.in_group else table.guild_id
    where = f"https://discord.com/channels/{place}/{table.shown_in}"
    return f"{where}/{message}" if message else where


def table_url(table: Table) -> str:
    """The address of the table message."""
    messages = table.body.messages
    return message_url(table, messages.board or messages.lobby)


def to_the_table(table: Table) -> list[ui.Button]:
    """The button that leads to a table's message; none for a private match."""
    return [] if table.is_private else [link(_("Go to the Table"), table_url(table))]


def to_the_result(table: Table) -> list[ui.Button]:
    """The button that leads to a match's result message; none before the message is posted."""
    message = table.body.messages.result
    return [link(_("See the Result"), message_url(table, message))] if message else []
