"""Pages of rules with a picture: a picture with numbered places, or a turn in several pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bot.art.labels import labelled, steps
from bot.art.picture import ALT_TEXT, Picture
from bot.ui.screens.game_screens import AnyScreens, Page

Label = tuple[float, float, str]
"""The middle of a numbered disc in a picture, in pixels, and the sentence about what is there."""


def labelled_page(title: str, draw: Callable[[], Picture], labels: Sequence[Label]) -> Page:
    """A page about a picture: numbered discs on the picture, and a line for each in the text."""
    lines = _numbered([text for _x, _y, text in labels])
    spots = [(x, y) for x, y, _text in labels]
    return Page(title, "\n".join(lines), lambda: labelled(draw(), spots, _alt(title, lines)))


def steps_page(title: str, draw: Callable[[], Sequence[Picture]], sentences: Sequence[str]) -> Page:
    """A page about something that happens in steps: a picture and a line for each."""
    lines = _numbered(sentences)
    return Page(title, "\n".join(lines), lambda: steps(draw(), _alt(title, lines)))


def table_picture(screens: AnyScreens, view: Any) -> Picture:
    """The table's picture of a game that has one."""
    picture = screens.table_picture(view)
    assert picture is not None
    return picture


def own_picture(screens: AnyScreens, view: Any) -> Picture:
    """The own picture of a game that has one."""
    picture = screens.own_picture(view)
    assert picture is not None
    return picture


def _numbered(sentences: Sequence[str]) -> list[str]:
    return [f"**{number}** · {sentence}" for number, sentence in enumerate(sentences, 1)]


def _alt(title: str, lines: Sequence[str]) -> str:
    """The alt text: the sentences that stand below the picture, in their order."""
    return f"{title}. {' '.join(lines)}".replace("**", "")[:ALT_TEXT]
