"""A company's goods and deeds, as drawings: artifacts, finds, reputation, and signs for what dice bring about."""

from __future__ import annotations

from typing import Final

from bot.art.common import die, token
from bot.art.ink import Part
from cogs.artifacts_inc.art import draw
from engine.artifacts_inc.card_list import ARTIFACTS, FINDS

# -- artifacts


_ARTIFACTS = ("fossil", "scroll", "statue", "gem")
assert len(_ARTIFACTS) == len(ARTIFACTS)


def artifact(kind: int) -> Part:
    """An artifact by its kind, as states count them."""
    return draw(_ARTIFACTS[kind])


# -- finds


_FINDS = ("pottery", "doubloon", "sunken-city")
assert len(_FINDS) == len(FINDS)


def find(kind: int) -> Part:
    """A find by its kind, as states count them."""
    return draw(_FINDS[kind])


def museum_of(kind: int) -> Part:
    """The museum of an artifact, which stands in its gate."""
    return draw(f"museum-{ARTIFACTS[kind]}")


ABILITIES: Final = {"turn": "turning-a-die", "set": "setting-a-die", "roll": "rolling-again"}
"""The drawings of abilities, by what each does to dice."""


def emoji() -> dict[str, Part]:
    """The drawings of the emoji in this game's texts, by the emoji."""
    return {
        "🎲": die(5),
        "🔵": token(0),
        "🔶": token(1),
        "🟩": token(2),
        "🔺": token(3),
        "⭐": draw("reputation"),
        "💰": draw("money"),
        "🎩": draw("company"),
        "🏛️": draw("museum"),
        "🤝": draw("sale"),
        "🛒": draw("buying"),
        "⬆️": draw("improving"),
        "🤿": draw("dive"),
        "🔄": draw("rolling-again"),
        "🦴": draw("fossil"),
        "📜": draw("scroll"),
        "🗿": draw("statue"),
        "💎": draw("gem"),
        "🏺": draw("pottery"),
        "🪙": draw("doubloon"),
        "🔱": draw("sunken-city"),
    }
