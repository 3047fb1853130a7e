"""A company as a picture: its cards as they lie, what is on them, and what it has."""

from __future__ import annotations

from typing import Final

from bot.art import ink
from bot.art.common import coin, die, token
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene
from cogs.artifacts_inc.art import alt, goods
from cogs.artifacts_inc.art.cards import CardSide, On, draw_side, drawing
from cogs.artifacts_inc.art.layout import Counted, row
from engine.artifacts_inc.choices import dice_of
from engine.artifacts_inc.company import LOWER
from engine.artifacts_inc.state import ACT, View, company, finds

MARGIN: Final = 6
HEAD: Final = 40
DICE: Final = 40
HIGHEST: Final = 300
CARD_WIDE: Final = 112
"""A card in a company of few."""
CARD_HIGH: Final = 124
SLIM: Final = 1.75
"""How many times as high as wide a card may be in a very wide company."""


def picture(view: View, seat: int) -> Picture:
    """A seat's whole company. It is the same for everybody."""
    playing = view.phase == ACT and seat == view.active and bool(view.dice or view.laid or view.dived)
    cards = company(view, seat)
    columns = [held.place.column for held in cards]
    first, count = min(columns), max(columns) - min(columns) + 1
    rows = 2 if any(held.place.row == LOWER for held in cards) else 1
    top = MARGIN + HEAD + (DICE if playing else 0)
    wide = min(CARD_WIDE, (WIDTH - 2 * MARGIN) / count)
    high = min(CARD_HIGH, (HIGHEST - top - MARGIN) // rows, wide * SLIM)
    scene = Scene(WIDTH, round(top + rows * high + MARGIN))
    _standing(scene, view, seat)
    if playing:
        _dice(scene, view, MARGIN + HEAD)
    left = (WIDTH - wide * count) / 2
    for held in cards:
        dice: dict[int, int] = {}
        if seat == view.active:
            for space, face in zip(view.covered, view.laid, strict=True):
                if space.own == held.own:
                    dice[space.slot] = face
        box = Box(
            left + (held.place.column - first) * wide + 2,
            top + held.place.row * high + 2,
            wide - 4,
            high - 4,
        )
        on = On(dice, held.artifacts, held.used if playing else 0)
        draw_side(scene, CardSide(held.card, held.level), box, on)
    return scene.picture(alt.company(view, seat))


def _standing(scene: Scene, view: View, seat: int) -> None:
    """Reputation, money, dice, artifacts and finds in a line."""
    scene.place(token(seat), MARGIN, MARGIN - 1, 34)
    things = [
        Counted(goods.reputation(), view.reputation[seat]),
        Counted(coin(), view.dollars[seat]),
        Counted(die(5), dice_of(view, seat)),
    ]
    things += [Counted(goods.artifact(kind), n) for kind, n in enumerate(view.artifacts[seat]) if n]
    things += [Counted(goods.find(kind), n) for kind, n in enumerate(finds(view, seat)) if n]
    row(scene, things, (MARGIN + 46, MARGIN + 3), room=WIDTH - 2 * MARGIN - 46, gap=18)


def _dice(scene: Scene, view: View, y: float) -> None:
    """The dice in hand, and those that lie on public cards or on a dive."""
    x = float(MARGIN)
    for face in view.dice:
        scene.place(die(face), x, y, 37)
        x += 42
    public = [
        (space.card, face)
        for space, face in zip(view.covered, view.laid, strict=True)
        if space.card < view.catalogue.public
    ]
    if view.dice and (public or view.dived):
        scene.panel(Box(x + 4, y + 2, 0.1, 32), None, line=2.4, ink=ink.STONE)
        x += 16
    for number, face in public:
        scene.place(drawing(view.catalogue.cards[number]), x, y, 48)
        scene.place(die(face, ink.SHADE), x + 40, y + 7, 30)
        x += 78
    if view.dived:
        scene.place(goods.helmet(), x, y, 36)
        x += 40
    for face in view.dived:
        scene.place(die(face, ink.SHADE), x, y + 7, 30)
        x += 33
