"""The games' emoji as drawings: their words, pictures and names."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.art.ink import Part
from bot.art.picture import Picture
from bot.art.scene import Scene
from bot.ui.screens.game_screens import AnyScreens

log = logging.getLogger(__name__)

SIDE: Final = 128
"""Width and height of an emoji, the largest that Discord stores. In pixels."""
NAME_ROOM: Final = 32
"""The greatest length of an emoji's name, in characters."""
DIGEST: Final = 8
"""The length of the digest's part in the name, in characters."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One of the games' emoji: the word in its place where the emoji cannot be shown, and its drawing."""

    word: str
    picture: Picture

    @property
    def digest(self) -> str:
        return self.picture.key

    @property
    def name(self) -> str:
        """The emoji's name at Discord."""
        return f"{self.word}_{self.digest[:DIGEST]}"


def sign_of(part: Part) -> Sign:
    """The emoji with this part as its drawing.

    >>> sign_of(Part("Pot Shard emoji", 100, 80, "")).word
    'pot_shard'
    """
    words = re.sub(r"[^a-z0-9]+", "_", part.name.lower()).strip("_")
    word = (words.removesuffix("_emoji") or "emoji")[: NAME_ROOM - DIGEST - 1].strip("_")
    scale = SIDE / max(part.width, part.height)
    x, y = ((SIDE - length * scale) / 2 for length in (part.width, part.height))
    return Sign(word, Scene(SIDE, SIDE, ground=None).place(part, x, y, part.width * scale).picture(word))


class Signs:
    """The signs of all games. Each game draws its emoji once."""

    def __init__(self, screens: Mapping[str, AnyScreens]) -> None:
        self._screens = screens
        self._drawn: dict[str, dict[str, Sign]] = {}

    def of(self, game: str) -> Mapping[str, Sign]:
        """The signs of a game, by the ordinary emoji in whose place they are shown."""
        if game not in self._drawn:
            try:
                parts = self._screens[game].emoji_parts()
                self._drawn[game] = {emoji: sign_of(part) for emoji, part in parts.items()}
            except Exception:  # texts are complete without own emoji
                log.exception("the emoji of %s cannot be drawn", game)
                self._drawn[game] = {}
        return self._drawn[game]

    def by_name(self) -> dict[str, Sign]:
        """The signs of all games by their names at Discord. Games may share signs."""
        return {sign.name: sign for game in self._screens for sign in self.of(game).values()}
