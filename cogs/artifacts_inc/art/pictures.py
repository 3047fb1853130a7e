"""The public pictures of a match of Artifacts, Inc.: the table, and the cards on offer with their two sides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from bot.art import ink
from bot.art.common import arrow, coin, die, laurel, token
from bot.art.ink import Part, Sketch
from bot.art.numerals import Pen
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene
from cogs.artifacts_inc.art import alt, goods
from cogs.artifacts_inc.art.cards import DIGITS, CardSide, draw_side, drawing
from cogs.artifacts_inc.art.layout import Counted, row
from cogs.artifacts_inc.art.sites import HIGH, WIDE
from engine.artifacts_inc.catalogue import Card
from engine.artifacts_inc.choices import dice_of, majority, next_dive
from engine.artifacts_inc.state import ACT, FREE, View, company, finds

MARGIN: Final = 6
MIDDLE: Final = 362
"""Where museums end and offers begin."""
MUSEUMS_HIGH: Final = 160
STRIP: Final = 40
"""The height of the line with the dice."""
COMPANY_HIGH: Final = 78
_ACROSS: Final = 5
_DOWN: Final = 3
"""Places for cards on offer: the long piles' in rows, the others' at the end of the first rows, the dives' in the last."""


# -- the table


def table(view: View) -> Picture:
    """The museums, what is on offer, the dice, and each company in miniature."""
    companies = -(-view.seats // 2)
    top = MUSEUMS_HIGH + MARGIN
    if view.outcome is None:
        top += STRIP + MARGIN
    height = top + companies * (COMPANY_HIGH + MARGIN)
    scene = Scene(WIDTH, height)
    _museums(scene, view)
    _offers(scene, view)
    if view.outcome is None:
        _dice(scene, view, MUSEUMS_HIGH + MARGIN)
    wide = (WIDTH - 3 * MARGIN) / 2
    for seat in range(view.seats):
        x = MARGIN + seat % 2 * (wide + MARGIN)
        _company(scene, view, seat, x, top + seat // 2 * (COMPANY_HIGH + MARGIN), wide)
    if view.seats % 2:
        scene.place(_luggage(), WIDTH - MARGIN - wide, height - MARGIN - COMPANY_HIGH, wide)
    return scene.picture(alt.table(view))


def _museums(scene: Scene, view: View) -> None:
    high = (MUSEUMS_HIGH - MARGIN) / len(view.orders)
    for number, museum in enumerate(view.catalogue.museums):
        y = MARGIN + number * high
        scene.place(goods.museum_of(number), MARGIN, y, high - 2)
        scene.place(goods.reputation(), 50, y + 4, 30)
        scene.figure(museum.majority, 82, y + 6, DIGITS, anchor="start")
        leads = majority(view, number)
        if leads is not None:
            scene.place(laurel(), 99, y + 1, 36)
            scene.place(token(leads), 107, y + 7, 20)
        sizes = view.catalogue.orders(number, view.seats)
        _orders(scene, sizes, view.orders[number], y)


def _orders(scene: Scene, sizes: Sequence[int], filled: Sequence[int], y: float) -> None:
    left = 137
    wide = min((MIDDLE - left) / len(sizes), 36)
    for at, (size, seat) in enumerate(zip(sizes, filled, strict=True)):
        x = left + at * wide
        if seat == FREE:
            scene.panel(Box(x + 2, y + 1, wide - 4, 35), ink.CREAM, line=2, ink=ink.SLATE, corner=4)
            scene.figure(size, x + wide / 2, y + 4.5, DIGITS, pen=Pen(weight=0.9))
        else:
            fit = min(wide, 32)
            scene.place(token(seat), x + (wide - fit) / 2, y + 18.5 - fit / 2, fit)


def _offers(scene: Scene, view: View) -> None:
    wide = (WIDTH - MARGIN - MIDDLE - MARGIN) / _ACROSS
    high = (MUSEUMS_HIGH - MARGIN) / _DOWN
    for place, number in _places(view.offers):
        x, y = MIDDLE + MARGIN + place[0] * wide, MARGIN + place[1] * high
        _offer(scene, view.catalogue.cards[number], x, y, wide - 3, high - 3)
    x, y = MIDDLE + MARGIN + (_ACROSS - 1) * wide, MARGIN + (_DOWN - 1) * high
    _next_dive(scene, view, x, y, wide - 3, high - 3)


def _places(offers: Sequence[Sequence[int]]) -> list[tuple[tuple[int, int], int]]:
    """Where a card on offer lies, as column and row, and its number."""
    found: list[tuple[tuple[int, int], int]] = []
    for pile, offer in enumerate(offers):
        for at, number in enumerate(offer):
            place = (at, pile) if pile < _DOWN else (_ACROSS - 1, pile - _DOWN)
            found.append((place, number))
    return found


def _offer(scene: Scene, card: Card, x: float, y: float, wide: float, high: float) -> None:
    scene.panel(Box(x, y, wide, high), ink.CREAM, line=2.4, corner=6)
    size = min(wide - 7, (high - 6) * WIDE / HIGH)
    scene.place(drawing(card), x + 3, y + 2, size)
    scene.place(goods.price(), x + wide - 31, y + high - 33, 33)
    scene.figure(card.dollars, x + wide - 14.5, y + high - 30.5, DIGITS if card.dollars < 10 else 22)
    for number in range(card.scrolls):
        scene.place(goods.scroll(), x + wide - 19 - number * 14, y - 1, 19)


def _next_dive(scene: Scene, view: View, x: float, y: float, wide: float, high: float) -> None:
    """The top of the dive pile: the sum that it takes, and what is found."""
    scene.panel(Box(x, y, wide, high), ink.SKY, line=2.4, corner=6)
    scene.place(_waves(), x + 2, y + 2, wide - 4)
    top = next_dive(view)
    if top is None:
        scene.place(goods.helmet(), x + wide / 2 - 17, y + 12, 34, faint=0.5)
        return
    scene.figure(top.number, x + 5, y + high - DIGITS - 6, DIGITS, anchor="start", pen=Pen(halo=ink.SKY))
    scene.place(goods.find(top.find), x + wide - 30, y + high - 34, 29)


@cache
def _waves() -> Part:
    sketch = Sketch("waves", 62, 14)
    sketch.line(
        [(0, 8), (8, 3), (16, 8), (24, 3), (32, 8), (40, 3), (48, 8), (56, 3), (62, 7)],
        width=2.4,
        smooth=True,
    )
    return sketch.part()


@cache
def _luggage() -> Part:
    """The drawing in place of a fourth company: crates, a palm, and a hat on top."""
    sketch = Sketch("luggage", 350, 80)
    sketch.line([(10, 74), (340, 73)], width=2.6)
    for x, y, size in ((120, 28, 46), (172, 34, 40), (216, 44, 30)):
        sketch.box(x, y, size, 74 - y, ink.SAND)
        sketch.line([(x, y), (x + size, 74)], width=2.2)
        sketch.line([(x + size, y), (x, 74)], width=2.2)
    sketch.add(goods.hat(), 122, 0, scale=0.4)
    sketch.add(goods.statue(), 252, 28, scale=0.46)
    sketch.add(goods.pottery(), 76, 32, scale=0.42)
    return sketch.part()


def _dice(scene: Scene, view: View, y: float) -> None:
    """The active seat, the dice in hand, and the places of the others."""
    x = float(MARGIN)
    scene.place(arrow(), x, y + 5, 30)
    scene.place(token(view.active), x + 34, y + 2, 36)
    x += 84
    if view.phase != ACT:
        for _number in range(dice_of(view, view.active)):
            scene.place(goods.slot(), x, y + 1, 36)
            x += 41
        return
    for face in view.dice:
        scene.place(die(face), x, y + 1, 37)
        x += 41
    if view.dice and (view.laid or view.dived):
        scene.panel(Box(x + 3, y + 2, 0.1, STRIP - 8), None, line=2.4, ink=ink.STONE)
        x += 14
    _used_dice(scene, view, x, y)


def _used_dice(scene: Scene, view: View, x: float, y: float) -> None:
    """The dice that have been placed, each on a drawing of its card; those of a dive stand behind a helmet."""
    used = len(view.laid) + (len(view.dived) + 1 if view.dived else 0)
    step = min(74.0, (WIDTH - MARGIN - x) / max(used, 1))
    for space, face in zip(view.covered, view.laid, strict=True):
        card = view.catalogue.cards[space.card]
        scene.place(drawing(card, _level(view, space.card, space.copy)), x, y + 1, min(step - 24, 48))
        scene.place(die(face, ink.SHADE), x + step - 36, y + 8, 30)
        x += step
    if view.dived:
        scene.place(goods.helmet(), x, y, 36)
        x += min(step, 38)
        for face in view.dived:
            scene.place(die(face, ink.SHADE), x, y + 8, 30)
            x += min(step, 33)


def _level(view: View, card: int, copy: int) -> int:
    """The level that is up of a public card or of one of the active seat's own."""
    if card < view.catalogue.public:
        return 1
    copies = [side for side in view.sides[view.active] if side >> 1 == card]
    return 1 + (copies[copy] & 1)


def _company(scene: Scene, view: View, seat: int, x: float, y: float, wide: float) -> None:
    playing = seat == view.active and view.outcome is None
    won = view.outcome is not None and seat in view.outcome.winners
    chosen = playing or won
    scene.panel(Box(x, y, wide, COMPANY_HIGH), ink.SAND if chosen else ink.CREAM, line=4 if chosen else 2.6)
    if won:
        scene.place(laurel(), x + wide - 48, y + 34, 40)
    scene.place(token(seat), x + 6, y + 5, 34)
    numbers = [
        Counted(goods.reputation(), view.reputation[seat]),
        Counted(coin(), view.dollars[seat]),
        Counted(goods.asset(), len(view.sides[seat])),
        Counted(die(5), dice_of(view, seat)),
    ]
    row(scene, numbers, (x + 48, y + 9), room=wide - 54, size=30, gap=14)
    held = [Counted(goods.artifact(kind), n) for kind, n in enumerate(view.artifacts[seat]) if n]
    held += [Counted(goods.find(kind), n) for kind, n in enumerate(finds(view, seat)) if n]
    row(scene, held, (x + 8, y + 45), room=wide - (62 if won else 14), size=30, gap=10)


# -- cards with both sides

OFFER_HIGH: Final = 124
"""The height of a card with its two sides and what stands above them."""


class Whole(NamedTuple):
    """A card to be shown with both sides: how many of it there are, and the level that is up, if one is."""

    card: Card
    copies: int = 1
    up: int = 0


def offers(view: View) -> Picture:
    """The cards on offer, each once with its price and its two sides, a row for each of the long piles."""
    rows: list[list[Whole]] = [[] for _ in range(_DOWN)]
    for pile, offer in enumerate(view.offers):
        for number in dict.fromkeys(offer):
            # The short piles' cards stand at the end of the first rows.
            row = rows[pile if pile < _DOWN else pile - _DOWN]
            row.append(Whole(view.catalogue.cards[number], offer.count(number)))
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
        scene.place(_luggage(), 185, 30, 350)
    return scene.picture(text)


def _whole_card(scene: Scene, whole: Whole, x: float, y: float, wide: float) -> None:
    """Price and reputation in a line, the two sides below; what is on offer several times lies on others."""
    card, copies, up = whole
    side = (wide - 3) / 2
    high = OFFER_HIGH - 38
    for behind in range(copies - 1, 0, -1):
        scene.panel(Box(x + 3 * behind, y + 34 + 2 * behind, side * 2 + 3, high), ink.SHADE, line=2, corner=7)
    middle = x + wide / 2 - card.scrolls * 9
    scene.place(goods.price(), middle - 17, y - 1, 35)
    scene.figure(card.dollars, middle + 0.5, y + 2.5, DIGITS if card.dollars < 10 else 22)
    for number in range(card.scrolls):
        scene.place(goods.scroll(), middle + 18 + number * 20, y + 6, 22)
    for level in (1, 2):
        left = x + (level - 1) * (side + 3)
        reputation = card.side(level).reputation
        if reputation:
            at = left if level == 1 else left + side - 46
            scene.place(goods.reputation(), at, y + 3, 27)
            scene.figure(reputation, at + 29, y + 3, DIGITS, anchor="start")
        shown = CardSide(card, level, marked=level == up)
        draw_side(scene, shown, Box(left, y + 34, side, high), counts=True)


def parts() -> list[Part]:
    """The parts of this module."""
    return [_waves(), _luggage()]
