"""Pages of rules with a picture: a picture with numbered places, or a turn in several pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.art.labels import labelled, steps
from bot.art.picture import ALT_TEXT, Picture
from bot.ui.screens.game_screens import Page

Label = tuple[float, float, str]
"""The middle of a numbered disc in a picture, in pixels, and the sentence about what is there."""


def labelled_page(title: str, draw: Callable[[], Picture | None], labels: Sequence[Label]) -> Page:
    """A page about a picture: numbered discs on the picture, and a line for each in the text.

    Without the picture, the page has its text alone.
    """
    lines = _numbered([text for _x, _y, text in labels])
    spots = [(x, y) for x, y, _text in labels]

    def picture() -> Picture | None:
        drawn = draw()
        return drawn and labelled(drawn, spots, _alt(title, lines))

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
