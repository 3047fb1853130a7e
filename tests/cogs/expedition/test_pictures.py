"""The pictures of The New Expedition: its six monuments, Tents, and what happens in Mine and Sphinx."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from bot.art.picture import Picture
from bot.language import languages, speaking
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.kit import SEATS
from cogs.archaeology_family import names
from cogs.expedition.art import draw
from cogs.expedition.art import pictures as art
from cogs.expedition.monuments import EMOJI
from cogs.expedition.screens import TENT_ICON
from engine.expedition.monuments import MONUMENT_TYPES
from engine.expedition.state import MONUMENTS, ExpeditionView, MonumentKey
from tests.cogs import pictures
from tests.cogs.in_memory import ENGINES

KEY = "expedition"
APART = 30.0
"""As for the treasures, in the tests of Archaeology's pictures."""

FULL: dict[str, Any] = {
    "market": (12, 10, 9, 8, 6, 6, 4, 12, 5),
    "sizes": (12, 28, 31, 17, 40),
    "money": (123, 107, 88, 100, 145),
    "sold": (((3, 5), (2, 5), (0, 5), (6, 2), (1, 4), (1, 4), (0, 3), (5, 1), (7, 4), (8, 3)),) * 5,
}
CHANGES: dict[MonumentKey, list[dict[str, Any]]] = {
    "great_pyramid": [{}, {"chambers": (0, 5, 8)}, {"chambers": (2, 0, 8)}, {"chambers": (0, 0, 0)}],
    "temple": [
        {},
        {"chambers": (5, 0, 5)},
        {"privy": ((1,), (), ())},
        {"privy": ((), (1,), ())},
        {"privy": ((0, 1, 2, 3, 4),) * 3},
    ],
    "tomb": [
        {},
        {"chambers": (5, 8)},
        {"chambers": (0, 8)},
        {"privy": ((), (2,))},
        {"opened": 0},
        {"opened": 1},
    ],
    "mine": [
        {},
        {"chambers": (12,)},
        {"chambers": (0,)},
        {"public_within": ((2, 0, 1, 0, 0, 0, 1, 0, 0),)},
        {"turned": (0,), "chambers": (14,)},
        {"turned": (2, 0, 1), "chambers": (12,)},
        {"turned": (2, 1, 0), "chambers": (12,)},
    ],
    "sphinx": [
        {},
        {"chambers": (10,)},
        {"chambers": (0,)},
        {"public_within": ((0, 3, 0, 0, 0, 0, 0, 0, 1),)},
    ],
    "ruins": [
        {"public_within": ((1,) + (0,) * 8,) * 3},
        {
            "public_within": ((0,) * 9, (1,) + (0,) * 8, (1, 1, 1, 1, 0, 0, 1, 0, 0)),
            "chambers": (0, 1, 5),
            "pile": 0,
        },
        {"public_within": ((1,) + (0,) * 8,) * 3, "pile": 3},
    ],
}
"""By monument, what may be seen of it."""


def view_of(monument: MonumentKey, seats: int = 5, **changed: Any) -> ExpeditionView:
    """A spectator's view of a match that has just begun with this monument, with some facts replaced."""
    game = ENGINES[KEY]
    options = game.options_type.model_validate({"monument": monument})
    view = game.view(game.new(seats, options, b"p" * 32), None)
    return ExpeditionView.of({**{field.name: getattr(view, field.name) for field in fields(view)}, **changed})


def table(monument: MonumentKey, **changed: Any) -> Picture:
    return art.table_picture(view_of(monument, **changed))


def test_each_monument_and_the_tent_have_an_emoji_of_their_own() -> None:
    emoji = pictures.screens_of(KEY).emoji_parts()
    assert set(emoji) > {*names.EMOJI, *EMOJI.values(), TENT_ICON}


@pytest.mark.sampled
def test_every_drawing_is_in_a_picture() -> None:
    screens = pictures.screens_of(KEY)
    crafted = [table(monument, **change) for monument, changes in CHANGES.items() for change in changes]
    crafted += [table("temple", **FULL), table("temple", tents=(False,) * 5)]
    events = (
        seen_event("collapsed", cards=[(0, 1)], worth=7),
        seen_event("sold", treasure=6, count=4, price=50),
    )
    crafted += filter(None, (screens.vignette([event]) for event in events))
    pictures.check_drawings(draw, screens, [*pictures.all_pictures(KEY), *crafted])


def test_monuments_and_all_other_emoji_are_told_apart_without_colours() -> None:
    # Seats' tokens are told apart from each other (`tests/cogs/artifact`), and stand beside names alone.
    emoji = pictures.screens_of(KEY).emoji_parts()
    pictures.check_distinct({each: part for each, part in emoji.items() if each not in SEATS}, APART)


@pytest.mark.parametrize("monument", MONUMENTS)
def test_whatever_is_explored_revealed_or_left_of_a_monument_is_seen(monument: MonumentKey) -> None:
    drawn = [table(monument, **change) for change in CHANGES[monument]]
    assert len({picture.key for picture in drawn}) == len(drawn)
    assert len({picture.alt for picture in drawn}) == len({*map(str, CHANGES[monument])} - _SAME_WORDS)


_SAME_WORDS = {
    str({"privy": ((), (1,), ())}),
    str({"opened": 1}),
    str({"turned": (2, 1, 0), "chambers": (12,)}),
}
"""Differences in the picture that the words do not have: in which chamber somebody has looked, and in what order."""


@pytest.mark.parametrize("monument", MONUMENTS)
def test_five_seats_with_everything_keep_to_size_and_text(monument: MonumentKey) -> None:
    for change in CHANGES[monument]:
        pictures.check_file(table(monument, **FULL, **change))
        for language in languages():
            with speaking(language):
                pictures.check_drawing("table", table(monument, **FULL, **change))


def test_all_monuments_look_different() -> None:
    drawn = {kind.key: table(kind.key) for kind in MONUMENT_TYPES}
    assert len({picture.key for picture in drawn.values()}) == len(MONUMENTS)


def test_a_used_tent_is_gone() -> None:
    used = table("sphinx", tents=(True, False, True, True, True))
    assert used.key != table("sphinx").key
    assert used.alt.count("a Tent") == 4


def seen_event(kind: str, **facts: Any) -> SeenEvent:
    return SeenEvent(kind, 1, facts)
