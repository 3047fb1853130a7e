"""A company as a picture: its cards as they lie, what is on them, and what it has; and cards, each with its two sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from math import fsum
from typing import Final, NamedTuple

from bot.art import ink
from bot.art.common import die, token
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Pen, Scene
from cogs.artifacts_inc.art import alt, draw, goods
from cogs.artifacts_inc.art.cards import DIGITS, MARGIN, CardSide, Counted, On, draw_side, row
from cogs.artifacts_inc.art.strips import dice_lying, dice_width
from engine.artifacts_inc.catalogue import Card
from engine.artifacts_inc.choices import dice_of, places
from engine.artifacts_inc.company import Place
from engine.artifacts_inc.state import ACT, View, company, finds

PLACING: Final = "placing"
"""The phase of a view whose picture has the places for a new card."""
HEAD: Final = 40
"""The height of the line with a company's goods, and of that with its dice where both do not stand in one."""
LEFT, SIZE, APART = MARGIN + 46, 32, 18
"""Of the line of goods: where it begins, the size of a thing, and the gap after it."""
HIGHEST: Final = 256
CARD_WIDE: Final = 112
"""A card in a company of few."""
CARD_HIGH: Final = 124
GHOST: Final = 36
"""The width of a column, or the height of a row, in which there are empty places alone."""
SLIM: Final = 1.75
"""How many times as high as wide a card may be in a very wide company."""


def picture(view: View, seat: int) -> Picture:
    """A seat's whole company, with the places for a new card in the view of its owner who has chosen one.

    These places are numbered in the order of `choices.places`, as in the menu.
    """
    playing, cards = _is_playing(view, seat), company(view, seat)
    ghosts, grid = _places(view, seat)
    scene = Scene(WIDTH, height(view, seat))
    _standing(scene, view, seat)
    if playing and _beside(view, seat):
        dice_lying(scene, view, WIDTH - MARGIN - dice_width(view), MARGIN)
    elif playing:
        dice_lying(scene, view, MARGIN, MARGIN + HEAD)
    for number, place in enumerate(ghosts, 1):
        box = grid.box(place)
        scene.panel(box, ink.PAPER, line=1.8, ink=ink.STONE, corner=7)
        scene.figure(number, box.x + box.width / 2, box.y + box.height / 2 - 13, 26, pen=Pen(ink.SLATE))
    for held in cards:
        dice: dict[int, int] = {}
        if seat == view.active:
            for space, face in zip(view.covered, view.laid, strict=True):
                if space.own == held.own:
                    dice[space.slot] = face
        on = On(dice, held.artifacts, held.used if playing else 0)
        draw_side(scene, CardSide(held.card, held.level), grid.box(held.place), on)
    return scene.picture(alt.company(view, seat, len(ghosts)))


def height(view: View, seat: int) -> int:
    """The height of the picture of a seat's company, in its own pixels."""
    return round(_places(view, seat)[1].bottom + MARGIN)


def _places(view: View, seat: int) -> tuple[Sequence[Place], _Grid]:
    """The places for the card that the seat has chosen, and the grid with all places of the picture."""
    ghosts = places(view, seat) if view.phase == PLACING and view.viewer == seat else []
    top = MARGIN + HEAD * (2 if _is_playing(view, seat) and not _beside(view, seat) else 1)
    return ghosts, _grid([held.place for held in company(view, seat)], ghosts, top)


def _is_playing(view: View, seat: int) -> bool:
    return view.phase in (ACT, PLACING) and seat == view.active and bool(view.dice or view.laid or view.dived)


def _beside(view: View, seat: int) -> bool:
    """Whether the dice stand in the line of the goods, at its end."""
    goods_width = fsum(thing.width(SIZE) + APART for thing in _goods(view, seat))
    return LEFT + goods_width + dice_width(view) <= WIDTH - MARGIN


class _Grid(NamedTuple):
    """The places of a company in the picture: left edges and widths by column, upper edges and heights by row."""

    columns: Mapping[int, tuple[float, float]]
    rows: Mapping[int, tuple[float, float]]

    @property
    def bottom(self) -> float:
        return max(top + high for top, high in self.rows.values())

    def box(self, place: Place) -> Box:
        """The box of a place."""
        (x, wide), (y, high) = self.columns[place.column], self.rows[place.row]
        return Box(x + 2, y + 2, wide - 4, high - 4)


def _grid(cards: Sequence[Place], ghosts: Sequence[Place], top: float) -> _Grid:
    """Columns and rows with cards have the size of cards; those with empty places alone are narrow."""
    every = [*cards, *ghosts]
    columns = range(min(place.column for place in every), max(place.column for place in every) + 1)
    rows = sorted({place.row for place in every})
    full_columns, full_rows = {place.column for place in cards}, {place.row for place in cards}
    narrow, low = len(columns) - len(full_columns), len(rows) - len(full_rows)
    wide = min(CARD_WIDE, (WIDTH - 2 * MARGIN - narrow * GHOST) / len(full_columns))
    high = min(CARD_HIGH, (HIGHEST - top - MARGIN - low * GHOST) // len(full_rows), wide * SLIM)
    left = (WIDTH - wide * len(full_columns) - narrow * GHOST) / 2
    return _Grid(
        _laid_out(columns, left, lambda column: wide if column in full_columns else GHOST),
        _laid_out(rows, top, lambda down: high if down in full_rows else GHOST),
    )


def _laid_out(
    numbers: Sequence[int], start: float, size: Callable[[int], float]
) -> dict[int, tuple[float, float]]:
    """The beginning and the size of each column or row, one after the other."""
    sizes = [size(number) for number in numbers]
    begins = accumulate(sizes, initial=start)
    return {number: (begin, each) for number, begin, each in zip(numbers, begins, sizes, strict=False)}


def _goods(view: View, seat: int) -> list[Counted]:
    """Reputation, money, dice unless they lie there, artifacts and finds."""
    things = [Counted(draw("reputation"), view.reputation[seat]), Counted(draw("money"), view.dollars[seat])]
    things += [Counted(die(5), dice_of(view, seat))] * (not _is_playing(view, seat))
    things += [Counted(goods.artifact(kind), n) for kind, n in enumerate(view.artifacts[seat]) if n]
    return things + [Counted(goods.find(kind), n) for kind, n in enumerate(finds(view, seat)) if n]


def _standing(scene: Scene, view: View, seat: int) -> None:
    """A company's token and goods in a line."""
    scene.place(token(seat), MARGIN, MARGIN - 1, 34)
    room = WIDTH - MARGIN - LEFT
    row(scene, _goods(view, seat), (LEFT, MARGIN + 3), room=room, size=SIZE, gap=APART)


_ACROSS: Final = 4
_DOWN: Final = 4
"""The rows of cards on offer: one for each long pile, and one for the short piles."""
OFFER_HIGH: Final = 150
"""The height of a card with its two sides and what stands above them."""


class Whole(NamedTuple):
    """A card to be shown with both sides: how many of it there are, and the level that is up, if one is."""

    card: Card
    copies: int = 1
    up: int = 0


def offers(view: View) -> Picture:
    """The cards on offer, each once with its price and its two sides."""
    rows: list[list[Whole]] = [[] for _ in range(_DOWN)]
    for pile, offer in enumerate(view.offers):
        for number in dict.fromkeys(offer):
            rows[min(pile, _DOWN - 1)].append(Whole(view.catalogue.cards[number], offer.count(number)))
    return _whole_cards([row for row in rows if row], alt.offers(view))


def both_sides(view: View, seat: int) -> Picture:
    """A company's cards as they lie, row by row, each with its two sides; those that are up are marked."""
    lying = sorted(company(view, seat), key=lambda held: held.place)
    cards = [Whole(held.card, up=held.level) for held in lying]
    across = max(_ACROSS, -(-len(cards) // _DOWN))
    rows = [cards[start : start + across] for start in range(0, len(cards), across)]
    return _whole_cards(rows, alt.company(view, seat))


def _whole_cards(rows: Sequence[Sequence[Whole]], text: str) -> Picture:
    scene = Scene(WIDTH, max(len(rows), 1) * OFFER_HIGH + 8)
    wide = (WIDTH - MARGIN) / max(_ACROSS, *map(len, rows), 0)
    for down, cards in enumerate(rows):
        for across, whole in enumerate(cards):
            _whole_card(scene, whole, MARGIN + across * wide, 5 + down * OFFER_HIGH, wide - 5)
    if not rows:
        scene.place(draw("luggage"), 185, 30, 350)
    return scene.picture(text)


def _whole_card(scene: Scene, whole: Whole, x: float, y: float, wide: float) -> None:
    """Price and reputation in a line, the two sides below; what is on offer several times lies on others."""
    card, copies, up = whole
    side = (wide - 3) / 2
    high = OFFER_HIGH - 38
    for behind in range(copies - 1, 0, -1):
        scene.panel(Box(x + 3 * behind, y + 34 + 2 * behind, side * 2 + 3, high), ink.SHADE, line=2, corner=7)
    middle = x + wide / 2 - card.scrolls * 9
    scene.place(draw("price"), middle - 17, y - 1, 35)
    scene.figure(card.dollars, middle + 0.5, y + 2.5, DIGITS if card.dollars < 10 else 22)
    for number in range(card.scrolls):
        scene.place(draw("scroll"), middle + 18 + number * 20, y + 6, 22)
    for level in (1, 2):
        left = x + (level - 1) * (side + 3)
        reputation = card.side(level).reputation
        if reputation:
            at = left if level == 1 else left + side - 46
            scene.place(draw("reputation"), at, y + 3, 27)
            scene.figure(reputation, at + 29, y + 3, DIGITS, anchor="start")
        shown = CardSide(card, level, marked=level == up)
        draw_side(scene, shown, Box(left, y + 34, side, high), counts=True)
