"""Components are of the form that Discord describes for its API, and mean to discord.py what they are made for."""

from __future__ import annotations

from typing import Any, cast

import pytest
from discord import ComponentType
from discord.components import _component_factory  # pyright: ignore[reportPrivateUsage]

from bot.ui.screens import components as ui
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Option, button, link, menus
from tests.cogs import schemas

OF_EACH_KIND: tuple[ui.Component, ...] = (
    ui.text("### Your hand"),
    ui.text("Whose turn it is", id=7),
    ui.separator(),
    ui.row(
        button("Dig", Id("g.dig", 1), ui.PRIMARY, emoji="⛏️"),
        button("Sell", Id("g.sell", 1), ui.DANGER, disabled=True),
        link("Table", "https://example.org"),
    ),
    *menus(
        Id("g.take", 1),
        "Take …",
        [Option("A map", "map", "worth 3", "🗺️"), Option("Coin", "coin")],
        chosen=["map"],
    ),
    ui.section(ui.text("Beside it"), ui.thumbnail("attachment://turn.png", "The newest turn")),
    ui.gallery("attachment://table.png", "The table"),
    ui.file("attachment://record.json"),
    ui.container([ui.text("Inside"), ui.separator()], 0xC9A227),
)
BY_KIND = pytest.mark.parametrize("component", OF_EACH_KIND, ids=lambda made: f"{made['type']}")


@BY_KIND
@pytest.mark.skipif(not schemas.at_hand(), reason="Discord's description of its API is not at hand")
def test_each_kind_of_component_is_of_the_form_that_discord_describes(component: ui.Component) -> None:
    assert schemas.check("POST", "/channels/1/messages", {"components": [component]}) == []
    nonsense: dict[str, Any] = {**component, "type": 99}
    assert schemas.check("POST", "/channels/1/messages", {"components": [nonsense]})


@BY_KIND
def test_discord_py_reads_back_what_was_made(component: ui.Component) -> None:
    read = _component_factory(cast("Any", component))
    assert read is not None
    assert read.type is ComponentType(component["type"])
    assert _within(read.to_dict(), component)


def _within(read: Any, made: Any) -> bool:
    """Whether all that was made is there in what was read, which also has Discord's defaults."""
    if isinstance(made, dict):
        return all(name in read and _within(read[name], value) for name, value in made.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(made, list):
        pairs = zip(read, cast("list[Any]", made), strict=True)
        return all(_within(each, value) for each, value in pairs)
    return read == made


def test_buttons_stand_five_in_a_row() -> None:
    buttons = [button(str(n), Id("press", 1, arg=str(n))) for n in range(11)]
    assert [len(row["components"]) for row in ui.rows(buttons)] == [4, 4, 3]
    assert [button for row in ui.rows(buttons) for button in row["components"]] == buttons


def test_the_texts_of_items_are_found_in_their_order() -> None:
    row = ui.row(button("Dig", Id("g.dig", 1)))
    assert list(ui.texts([ui.text("One"), row, ui.separator(), ui.text("Two")])) == ["One", "Two"]
