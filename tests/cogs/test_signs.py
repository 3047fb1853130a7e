"""Every game's screens with the application's own emoji: within Discord's limits, and the same texts but for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from simcord.components import walk_components

from bot.art.rendering import render_clear
from bot.language import speaking
from bot.ui.application_emoji.uploads import MOST_BYTES, NAME_ROOM, Sign, sign_of
from bot.ui.screens.board import board
from bot.ui.screens.ended import ended
from bot.ui.screens.kit import Screen
from bot.ui.screens.private import private
from bot.ui.screens.screen_view import TEXT_ROOM, EmojiMap
from tests.cogs.in_memory import PLAYED, SCREENS, Match, matches
from tests.cogs.limits import message_faults
from tests.cogs.page import TEXT
from tests.test_emoji import EMOJI, HOST, SCOPES, listed


def signs_of(key: str) -> dict[str, Sign]:
    return {emoji: sign_of(part) for emoji, part in SCREENS[key].emoji_parts().items()}


def legend_of(key: str) -> EmojiMap:
    signs = signs_of(key)
    ids = {emoji: 1_300_000_000_000_000_000 + number for number, emoji in enumerate(signs)}
    return EmojiMap({emoji: sign.word for emoji, sign in signs.items()}, ids)


def screens_of(match: Match) -> Iterator[Screen]:
    table = match.table()
    if table.live:
        yield board(table, match.screens, match.rows(), 0.0)
        for seat in range(len(table.seats)):
            yield private(table, match.screens, seat, match.rows())
    else:
        yield ended(table, match.screens, match.rows())


def texts(components: list[dict[str, object]]) -> list[str]:
    return [str(part["content"]) for part in walk_components(components) if part["type"] == TEXT]


@pytest.mark.parametrize("key", [key for key in PLAYED if signs_of(key)])
@pytest.mark.parametrize("language", ["en", "de"])
def test_screens_keep_discords_limits_and_differ_in_nothing_but_emoji(key: str, language: str) -> None:
    legend, changed = legend_of(key), 0
    for match in matches(key, 6):
        with speaking(language):
            for plain, screen in zip(screens_of(match), screens_of(match), strict=True):
                written = texts(plain.view().to_components())
                screen.emoji_map = legend
                components = screen.view().to_components()
                assert not message_faults(components)
                shown = texts(components)
                changed += shown != written
                with_signs = [*map(legend.in_text, written)]
                assert shown == with_signs or sum(map(len, with_signs)) > TEXT_ROOM
    assert changed


@pytest.mark.parametrize("key", PLAYED)
def test_each_has_a_readable_name_of_its_own_and_a_small_file(key: str) -> None:
    signs = signs_of(key)
    assert len({sign.word for sign in signs.values()}) == len(signs)
    for sign in signs.values():
        assert sign.word.replace("_", "a").isalnum()
        assert 2 <= len(sign.word) < len(sign.name) <= NAME_ROOM
        assert len(render_clear(sign.picture.svg)) <= MOST_BYTES // 10


@pytest.mark.parametrize("key", [key for key in PLAYED if key in SCOPES])
def test_each_stands_for_an_emoji_with_a_meaning_in_this_game(key: str) -> None:
    known = {emoji for emoji, _meaning in [*listed()[key], *listed()[HOST]]}
    for emoji in SCREENS[key].emoji_parts():
        bare = EMOJI.search(emoji)
        assert bare is None or bare[0] in known
