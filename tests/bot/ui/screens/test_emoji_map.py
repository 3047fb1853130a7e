"""The application's own emoji take the place of those in texts, on buttons and in menus, and of nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from bot.art.ink import Part
from bot.ui.application_emoji.uploads import NAME_ROOM, sign_of
from bot.ui.screens import components as ui
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import TEXT_ROOM, Option, Screen, button, menus, utf16_length
from bot.ui.screens.screen_view import NO_EMOJI, EmojiMap

WORDS = {"🏺": "pot", "⛏️": "pick", "👁️": "look", "1️⃣": "die_1", "🏳️": "flag", "🏳️‍🌈": "rainbow", "🔟": "die_10"}
IDS = {emoji: 10**18 + number for number, emoji in enumerate(WORDS)}
LEGEND = EmojiMap(WORDS, IDS)


def own(emoji: str) -> str:
    return f"<:{WORDS[emoji]}:{IDS[emoji]}>"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**🏺 2 Pots**, 🏺", f"**{own('🏺')}\N{NO-BREAK SPACE}2 Pots**, {own('🏺')}"),
        ("### ⛏️ and ⛏", f"### {own('⛏️')}\N{NO-BREAK SPACE}and {own('⛏️')}"),
        ("1️⃣ 1⃣, 🔟", f"{own('1️⃣')}\N{NO-BREAK SPACE}{own('1️⃣')}, {own('🔟')}"),
        ("11️⃣", f"1{own('1️⃣')}"),
        ("🏳️🏳️‍🌈🏳", f"{own('🏳️')}{own('🏳️‍🌈')}{own('🏳️')}"),
        ("👁️🏺", f"{own('👁️')}{own('🏺')}"),
    ],
)
def test_an_emoji_is_recognised_however_it_is_written_the_longest_first(text: str, shown: str) -> None:
    assert LEGEND.in_text(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "👁️‍🗨️ is another emoji",
        "⛏🏽 has a colour",
        "⛏\ufe0e is text",
        "1 and 2",
        "🍷 is not of this game",
        "`🏺` ``🏺 ` `` ```\n🏺\n```",
        "https://example.org/🏺?x=🏺",
        "\\🏺",
        "<:🏺:123> <@123> <t:1:R>",
    ],
)
def test_other_emoji_code_and_addresses_stay_as_they_are(text: str) -> None:
    assert LEGEND.in_text(text) == text


def test_a_quoted_backtick_begins_no_code() -> None:
    assert LEGEND.in_text("\\`🏺\\`") == f"\\`{own('🏺')}\\`"


def test_what_discord_does_not_have_stays_an_ordinary_emoji() -> None:
    some = EmojiMap(WORDS, {"🏺": 5})
    assert some.in_text("🏺⛏️") == "<:pot:5>⛏️"
    assert EmojiMap(WORDS).in_text("🏺⛏️") == "🏺⛏️"
    assert not EmojiMap(WORDS)


def shown(screen: Screen) -> list[dict[str, Any]]:
    screen.emoji_map = LEGEND
    [container] = screen.view().to_components()
    return container["components"]


def a_screen(text: str) -> Screen:
    screen = Screen().text(text)
    screen.buttons(button("🏺 Dig", Id("dig"), emoji="⛏️"), button("Sell", Id("sell"), emoji="💰"))
    options = [Option("🏺 Pot", "1", "⛏️ it", "🏺"), Option("Other", "2")]
    return screen.add(menus(Id("take"), "🏺 Take", options))


def test_buttons_and_menus_have_them_too_but_labels_and_descriptions_do_not() -> None:
    text, row, menu = shown(a_screen("🏺"))
    assert text["content"] == own("🏺")
    dig, sell = row["components"]
    assert dig["emoji"] == {"id": str(IDS["⛏️"]), "name": "pick"}
    assert dig["label"] == "🏺 Dig"
    assert sell["emoji"]["name"] == "💰"
    [select] = menu["components"]
    assert select["placeholder"] == "🏺 Take"
    pot, other = select["options"]
    assert pot["emoji"] == {"id": str(IDS["🏺"]), "name": "pot"}
    assert (pot["label"], pot["description"]) == ("🏺 Pot", "⛏️ it")
    assert not other.get("emoji")


def test_a_text_beside_a_thumbnail_has_them() -> None:
    screen = Screen(items=[ui.section(ui.text("🏺"), ui.thumbnail("attachment://a.png", "a"))])
    [section] = shown(screen)
    assert section["components"][0]["content"] == own("🏺")


def test_texts_that_would_become_too_long_keep_ordinary_emoji_and_buttons_do_not() -> None:
    letters = TEXT_ROOM - utf16_length(own("🏺"))
    fitting, *_rest = shown(a_screen("x" * letters + "🏺"))
    assert fitting["content"].endswith(own("🏺"))
    text, row, menu = shown(a_screen("x" * (letters + 1) + "🏺"))
    assert text["content"].endswith("🏺")
    assert row["components"][0]["emoji"]["name"] == "pick"
    assert menu["components"][0]["options"][0]["emoji"]["name"] == "pot"


def test_a_drawing_can_give_them_up() -> None:
    written = a_screen("🏺").view().to_components()
    screen = a_screen("🏺")
    doubts: list[str] = []
    screen.emoji_map = EmojiMap(WORDS, IDS, lambda: doubts.append("doubt"))
    view = screen.view()
    assert view.to_components() != written
    doubt = view.give_up_emoji()
    assert view.to_components() == written
    assert doubt is not None
    doubt()
    assert doubts == ["doubt"]
    assert view.give_up_emoji() is None
    screen.emoji_map = NO_EMOJI
    assert screen.view().give_up_emoji() is None


def test_names_are_readable_and_tell_drawings_apart() -> None:
    def part(name: str, body: str = "") -> Part:
        return Part(name, 100, 50, body)

    sign = sign_of(part("Pharaoh's Mask emoji"))
    assert sign.word == "pharaoh_s_mask"
    assert sign.name == f"pharaoh_s_mask_{sign.digest[:8]}"
    other = sign_of(part("Pharaoh's Mask emoji", "<path d='M1 1'/>"))
    assert other.word == sign.word
    assert other.name != sign.name
    long = sign_of(part("a very long name of something that was dug up"))
    assert len(long.name) <= NAME_ROOM
    assert sign_of(part("***")).word == "emoji"
