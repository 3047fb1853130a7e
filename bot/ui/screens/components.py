"""Discord's message components as the dicts that are sent, with small functions for those that bear no `Id`.

The form is that of Discord's API. A field with Discord's default is left out. A component is never changed after it is
made, so that several screens may share it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NotRequired, TypedDict

ROW: Final = 1
BUTTON: Final = 2
MENU: Final = 3
ROLE_MENU: Final = 6
CHANNEL_MENU: Final = 8
SECTION: Final = 9
TEXT: Final = 10
THUMBNAIL: Final = 11
GALLERY: Final = 12
FILE: Final = 13
SEPARATOR: Final = 14
CONTAINER: Final = 17
TEXT_CHANNEL: Final = 0
"""Discord's type of an ordinary text channel."""

Style = Literal[1, 2, 3, 4]
"""The style of a button, as Discord numbers it."""
PRIMARY: Final = 1
SECONDARY: Final = 2
SUCCESS: Final = 3
DANGER: Final = 4
LINK: Final = 5

ROW_BUTTONS: Final = 5
"""The greatest number of buttons in a row."""


class Emoji(TypedDict):
    """An emoji on a button or in a menu: its characters, or the name and id of one of the application's own emoji."""

    name: str
    id: NotRequired[str]


class Text(TypedDict):
    """Markdown. `id` distinguishes the text from the other components of its message."""

    type: Literal[10]
    content: str
    id: NotRequired[int]


class Separator(TypedDict):
    """A dividing line. `id` is as for `Text`."""

    type: Literal[14]
    id: NotRequired[int]


class PressButton(TypedDict):
    """A button that sends its custom_id."""

    type: Literal[2]
    style: Style
    label: str
    custom_id: str
    emoji: NotRequired[Emoji]
    disabled: NotRequired[bool]


class LinkButton(TypedDict):
    """A button that opens an address."""

    type: Literal[2]
    style: Literal[5]
    label: str
    url: str


Button = PressButton | LinkButton


class MenuOption(TypedDict):
    """A line of a menu. `default` says that the line is shown as chosen."""

    label: str
    value: str
    description: NotRequired[str]
    emoji: NotRequired[Emoji]
    default: NotRequired[bool]


class Menu(TypedDict):
    """A menu from which between `min_values` and `max_values` options are chosen."""

    type: Literal[3]
    custom_id: str
    placeholder: str
    min_values: int
    max_values: int
    options: list[MenuOption]


class EntityDefault(TypedDict):
    """A role or channel that a menu shows as chosen."""

    id: str
    type: Literal["role", "channel"]


class EntityMenu(TypedDict):
    """A menu of the server's roles or channels, which Discord lists by itself."""

    type: Literal[6, 8]
    custom_id: str
    placeholder: str
    min_values: int
    max_values: int
    default_values: list[EntityDefault]
    channel_types: NotRequired[list[int]]


class Row(TypedDict):
    """Up to five buttons, or one menu."""

    type: Literal[1]
    components: list[Button | Menu | EntityMenu]


class Media(TypedDict):
    """The address of a file; `attachment://NAME` for a file that is attached to the message."""

    url: str


class Thumbnail(TypedDict):
    """A small picture."""

    type: Literal[11]
    media: Media
    description: str


class Section(TypedDict):
    """Texts with a small picture or a button to their right."""

    type: Literal[9]
    components: list[Text]
    accessory: Thumbnail | Button


class GalleryItem(TypedDict):
    """A picture of a gallery."""

    media: Media
    description: str


class Gallery(TypedDict):
    """Pictures as wide as the message."""

    type: Literal[12]
    items: list[GalleryItem]


class File(TypedDict):
    """A file that is attached to the message, to download."""

    type: Literal[13]
    file: Media


Item = Text | Separator | Row | Section | Gallery | File
"""The items of a message, or of its container."""


class Container(TypedDict):
    """Items in a box with a coloured edge (0xRRGGBB)."""

    type: Literal[17]
    accent_color: int
    components: list[Item]


Component = Item | Container | Button | Menu | EntityMenu | Thumbnail


def text(content: str, *, id: int | None = None) -> Text:
    """Markdown, with an `id` by which the text is found again."""
    return {"type": TEXT, "content": content} if id is None else {"type": TEXT, "content": content, "id": id}


def separator(id: int | None = None) -> Separator:
    """A dividing line, with an `id` by which it is found again."""
    return {"type": SEPARATOR} if id is None else {"type": SEPARATOR, "id": id}


def row(*controls: Button | Menu | EntityMenu) -> Row:
    """A row of up to five buttons, or of one menu."""
    return {"type": ROW, "components": list(controls)}


def rows(buttons: Sequence[Button]) -> list[Row]:
    """As few rows of these buttons as there can be, about as many in each: none stands alone below a full row."""
    fewest = max(1, -(-len(buttons) // ROW_BUTTONS))
    most = max(1, -(-len(buttons) // fewest))
    return [row(*buttons[start : start + most]) for start in range(0, len(buttons), most)]


def section(beside: Text, accessory: Thumbnail | Button) -> Section:
    """A text with a small picture or a button to its right."""
    return {"type": SECTION, "components": [beside], "accessory": accessory}


def thumbnail(url: str, description: str) -> Thumbnail:
    """A small picture; screen readers read `description`."""
    return {"type": THUMBNAIL, "media": {"url": url}, "description": description}


def gallery(url: str, description: str) -> Gallery:
    """One picture as wide as the message; screen readers read `description`."""
    return {"type": GALLERY, "items": [{"media": {"url": url}, "description": description}]}


def file(url: str) -> File:
    """A file that is attached to the message."""
    return {"type": FILE, "file": {"url": url}}


def container(items: Iterable[Item], colour: int) -> Container:
    """Items in a box with an edge of this colour (0xRRGGBB)."""
    return {"type": CONTAINER, "accent_color": colour, "components": list(items)}


def texts(items: Iterable[Item]) -> Iterator[str]:
    """The contents of the items that are texts, in their order."""
    return (item["content"] for item in items if item["type"] == TEXT)


def count(items: Iterable[Mapping[str, Any]]) -> int:
    """The number of components that these items are, with those inside them."""
    return sum(1 + count(item.get("components", ())) + ("accessory" in item) for item in items)


def controls(items: Iterable[Item]) -> int:
    """The number of buttons, and of options of menus, in the rows of these items that can be used."""
    rows = (item["components"] for item in items if item["type"] == ROW)
    return sum(len(each.get("options", "1")) for row in rows for each in row if not each.get("disabled"))
