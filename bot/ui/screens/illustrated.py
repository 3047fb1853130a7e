"""Pages of rules with a picture: a picture with numbered places, or a turn in several pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.art.labels import labelled, steps
from bot.art.picture import ALT_TEXT, Picture
from bot.art.scene import Box
from bot.ui.screens.game_screens import Page

Label = tuple[tuple[float, float, float, float], str]
"""A place in a picture, as the left, top, width and height of a rectangle in pixels, and the sentence about it.

The picture gets a frame around all that has its middle in the place."""


def labelled_page(title: str, draw: Callable[[], Picture | None], labels: Sequence[Label]) -> Page:
    """A page about a picture: numbered frames on the picture, and a line for each in the text.

    Without the picture, the page has its text alone.
    """
    lines = _numbered([text for _place, text in labels])
    targets = [Box(*place) for place, _text in labels]

    def picture() -> Picture | None:
        drawn = draw()
        return drawn and labelled(drawn, targets, _alt(title, lines))

    return Page(title, "\n".join(lines), picture)


def steps_page(title: str, draw: Callable[[], Sequence[Picture | None]], sentences: Sequence[str]) -> Page:
    """A page about something that happens in steps: a picture and a line for each."""
    lines = _numbered(sentences)

    def picture() -> Picture | None:
        drawn = [each for each in draw() if each is not None]
        return steps(drawn, _alt(title, lines)) if len(drawn) == len(lines) else None

    return Page(title, "\n".join(lines), picture)


def _numbered(sentences: Sequence[str]) -> list[str]:
    return [f"**{number}** · {sentence}" for number, sentence in enumerate(sentences, 1)]


def _alt(title: str, lines: Sequence[str]) -> str:
    """The alt text: the sentences that stand below the picture, in their order."""
    return f"{title}. {' '.join(lines)}".replace("**", "")[:ALT_TEXT]
