"""Discord's limits for messages, forms and commands, and a check that what the bot sends keeps them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from simcord.components import walk_components

from bot.language import languages
from bot.tables.model import Table
from bot.ui.screens.kit import Screen

ROW, BUTTON, MENU, INPUT, TEXT, LABEL = 1, 2, 3, 4, 10, 18
ENTITY_MENUS = (6, 8)
"""Menus of roles and of channels."""
LINK = 5
RADIO_GROUP, CHECKBOX_GROUP = GROUPS = 21, 22
"""In forms alone: options of which one, or any number, is chosen."""
COMPONENTS_V2 = 1 << 15

Json = Mapping[str, Any]

LONG_NAMES = ["*" * 32, "_" * 32, "W" * 32, "~" * 32]
"""Names as long as Discord takes; of most of them each character is escaped."""
EVERY_LANGUAGE = pytest.mark.parametrize("language", languages())


def all_on_holiday(table: Table) -> None:
    """Has every person be on holiday, and all but one agree to wait for each of the others."""
    people = table.people()
    for number in people:
        seat = table.seats[number]
        seat.away, seat.holiday = True, 1_800_000_000
        seat.agreed = [other for other in people if other != number][1:]


def faults(screen: Screen) -> list[str]:
    """Which limits this screen breaks."""
    return message_faults(screen.view().to_components())


def fits(screen: Screen) -> None:
    """Fails the test unless the screen keeps all limits."""
    found = faults(screen)
    assert not found, f"{found}\n{json.dumps(screen.view().to_components(), ensure_ascii=False)[:4000]}"


def length(text: str) -> int:
    """Characters as the strictest of Discord's clients count them: in UTF-16."""
    return len(text.encode("utf-16-le")) // 2


def message_faults(components: Iterable[Json]) -> list[str]:
    """Which limits of a Components V2 message these components break."""
    return list(_message_faults(list(walk_components(list(components)))))


def _message_faults(parts: list[dict[str, Any]]) -> Iterator[str]:
    if not 1 <= len(parts) <= 40:
        yield f"{len(parts)} components"
    texts = [part["content"] for part in parts if part["type"] == TEXT]
    if not all(texts):
        yield "an empty text"
    if (total := sum(map(length, texts))) > 4000:
        yield f"{total} characters of text"
    custom_ids = Counter(part["custom_id"] for part in parts if part.get("custom_id"))
    yield from (f"{n} times the custom_id {custom_id}" for custom_id, n in custom_ids.items() if n > 1)
    yield from (f"a custom_id of {len(one)} characters" for one in custom_ids if not 1 <= len(one) <= 100)
    for part in parts:
        if part["type"] == ROW:
            yield from _row_faults(part["components"])
        elif part["type"] == BUTTON:
            yield from _button_faults(part)
        elif part["type"] == MENU:
            yield from _menu_faults(part)


def _row_faults(row: list[Json]) -> Iterator[str]:
    kinds = {part["type"] for part in row}
    if kinds == {BUTTON}:
        if len(row) > 5:
            yield f"{len(row)} buttons in a row"
    elif len(row) != 1 or kinds.isdisjoint({MENU, *ENTITY_MENUS}):
        yield f"a row of {sorted(kinds)}"


def _button_faults(button: Json) -> Iterator[str]:
    label = button.get("label") or ""
    if length(label) > 80 or not (label or button.get("emoji")):
        yield f"a button labelled {label!r}"
    if bool(button.get("url")) != (button["style"] == LINK):
        yield f"the button {label!r} is half a link"
    if button["style"] != LINK and not button.get("custom_id"):
        yield f"the button {label!r} leads nowhere"
    if length(button.get("url") or "") > 512:
        yield f"the button {label!r} has too long an address"


def _menu_faults(menu: Json) -> Iterator[str]:
    name, options = menu.get("placeholder") or "", menu["options"]
    if length(name) > 150:
        yield f"the menu {name!r} has too long a placeholder"
    if not 1 <= len(options) <= 25:
        yield f"the menu {name!r} has {len(options)} options"
    least, most = menu.get("min_values", 1), menu.get("max_values", 1)
    if not 0 <= least <= most <= len(options) or most < 1:
        yield f"the menu {name!r} takes {least} to {most} of {len(options)}"
    if sum(bool(option.get("default")) for option in options) > most:
        yield f"the menu {name!r} shows more as chosen than can be"
    if len({option["value"] for option in options}) < len(options):
        yield f"the menu {name!r} repeats a value"
    for option in options:
        for key, least in (("label", 1), ("value", 1), ("description", 0)):
            text = option.get(key) or ""
            if not least <= length(text) <= 100:
                yield f"the menu {name!r} has the {key} {text!r}"


def form_faults(form: Json) -> list[str]:
    """Which limits of a modal this one breaks."""
    return list(_form_faults(form))


def _form_faults(form: Json) -> Iterator[str]:
    if not 1 <= length(form["title"]) <= 45:
        yield f"the title {form['title']!r}"
    if not 1 <= len(form["custom_id"]) <= 100:
        yield f"the custom_id {form['custom_id']!r}"
    labels = form["components"]
    if not 1 <= len(labels) <= 5:
        yield f"{len(labels)} labels"
    for label in labels:
        if label["type"] != LABEL:
            yield f"a component of type {label['type']} at the top"
            continue
        if not 1 <= length(label["label"]) <= 45:
            yield f"the label {label['label']!r}"
        if length(label.get("description") or "") > 100:
            yield f"the description {label['description']!r}"
        inner = label["component"]
        if not 1 <= length(inner["custom_id"]) <= 100:
            yield f"the custom_id {inner['custom_id']!r}"
        if inner["type"] in (MENU, *GROUPS):
            yield from _menu_faults({"placeholder": label["label"], **inner})
        if inner["type"] in GROUPS and len(inner["options"]) > 10:
            yield f"{len(inner['options'])} options in a group"
        if inner["type"] == RADIO_GROUP and len(inner["options"]) < 2:
            yield f"one option in the group {label['label']!r}"
        if inner["type"] == INPUT and not 1 <= inner.get("max_length", 4000) <= 4000:
            yield f"an input of up to {inner['max_length']} characters"


SUBCOMMAND, GROUP = 1, 2
CHAT_INPUT = 1


def command_faults(command: Json) -> list[str]:
    """Which limits of an application command this registration breaks."""
    if command.get("type", CHAT_INPUT) != CHAT_INPUT:  # an entry in a menu has a name alone
        given = [name for name in ("description", "options") if command.get(name)]
        return [f"{command['name']} has {given}"] if given or not 1 <= length(command["name"]) <= 32 else []
    faults = list(_command_faults(command, command["name"]))
    if (total := _weight(command)) > 8000:
        faults.append(f"/{command['name']} has {total} characters in all")
    return faults


def _command_faults(command: Json, path: str) -> Iterator[str]:
    if not re.fullmatch(r"[-_'\w]{1,32}", command["name"]) or command["name"] != command["name"].lower():
        yield f"/{path} has a bad name"
    descriptions = [
        command.get("description", ""),
        *(command.get("description_localizations") or {}).values(),
    ]
    yield from (f"/{path} has the description {d!r}" for d in descriptions if not 1 <= length(d) <= 100)
    options, choices = command.get("options") or [], command.get("choices") or []
    if len(options) > 25 or len(choices) > 25:
        yield f"/{path} has {len(options)} options and {len(choices)} choices"
    if len({option["name"] for option in options}) < len(options):
        yield f"/{path} repeats an option's name"
    for choice in choices:
        names = [choice["name"], *(choice.get("name_localizations") or {}).values()]
        yield from (f"/{path} has the choice {name!r}" for name in names if not 1 <= length(name) <= 100)
    for option in options:
        yield from _command_faults(option, f"{path} {option['name']}")


def _weight(command: Json) -> int:
    """The characters of names, descriptions and values together, each in its longest language."""
    own = [
        max(map(len, [str(command.get(key) or ""), *(command.get(f"{key}_localizations") or {}).values()]))
        for key in ("name", "description", "value")
    ]
    nested = [*(command.get("options") or []), *(command.get("choices") or [])]
    return sum(own) + sum(map(_weight, nested))
