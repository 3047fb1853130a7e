"""A company's goods and deeds, as drawings: artifacts, finds, reputation, and signs for what dice bring about."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.art import ink
from bot.art.common import die, token
from bot.art.ink import Part, Sketch
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


# -- what dice bring about


def _curl(sketch: Sketch, colour: str = ink.OCHRE) -> None:
    """Two arrows around what stands in the middle."""
    sketch.path("M8 56 C4 24 34 0 64 12", line=10, ink=colour)
    sketch.path("M60 0 L80 18 L54 26 Z", colour, ink=colour, beside=False)
    sketch.path("M92 44 C96 76 66 100 36 88", line=10, ink=colour)
    sketch.path("M40 100 L20 82 L46 74 Z", colour, ink=colour, beside=False)


@cache
def rolling_again() -> Part:
    """A die between arrows: it is rolled again."""
    sketch = Sketch("rolling again")
    _curl(sketch)
    sketch.add(die(5), 23, 23, scale=0.54)
    return sketch.part()


@cache
def turning() -> Part:
    """A die with an arrow up and one down: it is turned by one."""
    sketch = Sketch("turning a die")
    sketch.add(die(3), -4, 12, scale=0.78)
    sketch.path("M86 4 L100 40 L72 40 Z", ink.OLIVE)
    sketch.path("M86 96 L100 60 L72 60 Z", ink.MADDER)
    return sketch.part()


@cache
def setting() -> Part:
    """Dice with several faces: one is chosen."""
    sketch = Sketch("setting a die")
    sketch.add(die(1), 0, 4, scale=0.46, turn=-12)
    sketch.add(die(6), 54, 4, scale=0.46, turn=12)
    sketch.add(die(4), 24, 42, scale=0.54)
    return sketch.part()


@cache
def rolled() -> Part:
    """A cup with dice: how many a company rolls."""
    sketch = Sketch("dice rolled")
    sketch.add(die(4), 0, 30, scale=0.62, turn=-8)
    sketch.add(die(6), 40, 4, scale=0.6, turn=12)
    return sketch.part()


ABILITIES: Final = {"turn": turning, "set": setting, "roll": rolling_again}
"""By what an ability does to dice."""


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
        "🔄": rolling_again(),
        "🦴": draw("fossil"),
        "📜": draw("scroll"),
        "🗿": draw("statue"),
        "💎": draw("gem"),
        "🏺": draw("pottery"),
        "🪙": draw("doubloon"),
        "🔱": draw("sunken-city"),
    }
