"""A hand as a fan of cards, sorted by treasure, with the sets that bring most and what each of them brings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from bot.art import common, ink
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Pen, Scene, figures_width
from bot.language import by_language
from cogs.archaeology_family.art import draw, texts
from cogs.archaeology_family.art.cards import place_tag, treasure_card
from cogs.archaeology_family.trades import set_sizes
from engine.archaeology_family.card_list import Bundles, bundles
from engine.archaeology_family.state import View

EDGE: Final = 16
GAP: Final = 14
"""Between two sets."""
FIGURE: Final = 28
SMALLER: Final = 22
"""The height of the price with one more card."""
MORE_GAP: Final = 6
WIDEST: Final = 104
"""How wide a card is at most."""
ROOMY: Final = 64
"""Narrower cards than these are laid in two rows, as wide as `TWO_ROWS` at most."""
TWO_ROWS: Final = 66
NARROWEST: Final = 56
"""Where cards of two rows would be narrower, a treasure's sets are put together."""
PITCH: Final = 22
"""How far apart the cards of a set lie at most."""
SHEETS: Final = 7
"""So many cards are seen below the last one of a set at most; its number says how many there are."""
LEAN: Final = 8
"""By how many degrees the outermost cards of the fan are turned."""
RAISED: Final = 10
"""By how much cards are raised that the viewer's last move has brought."""
PRICES: Final = 50
"""The height of what stands below the cards."""
_KEPT: Final = 512
"""The number of pictures that are kept, some kilobytes each."""


@dataclass(frozen=True)
class Run:
    """Cards of one treasure that lie together: how many, and what they bring as one set, or as several."""

    kind: int
    cards: int
    prices: tuple[int, ...]
    more: int = 0
    """The price of the set with one more card; 0 if this is no single set or the largest."""
    found: int = 0
    """The number of its cards that the viewer's last move has brought, which are raised."""

    @property
    def next_price(self) -> str:
        """The price with one more card behind an arrow; empty if there is none."""
        return f">{self.more}" if self.more else ""

    @property
    def covered(self) -> int:
        """The cards that are seen below the last one."""
        return min(self.cards - 1, SHEETS)

    @property
    def price(self) -> str:
        return f"${sum(self.prices)}"


class Hand(NamedTuple):
    """All that the picture of a hand shows: the cards by treasure, and the prices of sets and the trade values."""

    cards: tuple[int, ...]
    prices: tuple[tuple[int, ...], ...]
    trade: tuple[int, ...]
    found: Bundles = ()
    """The cards that the viewer's last move has brought, which are marked."""


def runs_of(hand: Hand) -> list[Run]:
    """The hand's best sets in the order of the treasures."""
    found: list[Run] = []
    for kind, n in bundles(hand.cards):
        prices, sizes = hand.prices[kind], set_sizes(hand.prices[kind], n)
        for size in sizes:
            more = prices[size] if len(sizes) == 1 and size < len(prices) else 0
            found.append(Run(kind, size, (prices[size - 1],), more))
        found[-1] = replace(found[-1], found=dict(hand.found).get(kind, 0))
    return found


def merged(runs: list[Run]) -> list[Run]:
    """The runs with all cards of a treasure in one: for hands that have too many sets to lie side by side."""
    together: dict[int, Run] = {}
    for run in runs:
        before = together.get(run.kind, Run(run.kind, 0, ()))
        prices = (*before.prices, *run.prices)
        together[run.kind] = Run(run.kind, before.cards + run.cards, prices, found=run.found)
    return list(together.values())


def own_picture(view: View, found: Bundles = ()) -> Picture | None:
    """The viewer's hand, with the cards that were `found` marked. None for a spectator and for an empty hand."""
    if view.hand is None or not any(view.hand):
        return None
    still = tuple((kind, min(n, view.hand[kind])) for kind, n in found if view.hand[kind])
    return _drawn(Hand(view.hand, view.prices, view.trade, still))


@partial(by_language, kept=_KEPT)
def _drawn(hand: Hand) -> Picture:
    """The picture of a hand. Cached, because most moves of others leave a hand as it is."""
    runs = runs_of(hand)
    if (width := _card_width(runs)) >= ROOMY:
        return _fan(hand, [runs], min(width, WIDEST), 242, arc=24)
    rows = _in_two(runs)
    if min(map(_card_width, rows)) < NARROWEST:
        rows = _in_two(merged(runs))
    width = min(*map(_card_width, rows), TWO_ROWS)
    return _fan(hand, rows, width, 312, arc=9)


def _card_width(runs: list[Run]) -> float:
    """How wide cards may be in one row if those that others cover show an eighth of their width at least."""
    covered = sum(run.covered for run in runs)
    return (WIDTH - 2 * EDGE - GAP * (len(runs) - 1)) / (len(runs) + covered / 8)


def _in_two(runs: list[Run]) -> list[list[Run]]:
    """The runs in two rows, whose cards may be as wide as can be."""
    cuts = ([runs[:cut], runs[cut:]] for cut in range(1, len(runs)))
    return max(cuts, key=lambda rows: min(map(_card_width, rows)))


def _fan(hand: Hand, rows: list[list[Run]], width: float, height: int, *, arc: float) -> Picture:
    scene = Scene(WIDTH, height)
    for number, runs in enumerate(rows):
        room = WIDTH - 2 * EDGE - GAP * (len(runs) - 1) - width * len(runs)
        covered = sum(run.covered for run in runs)
        pitch = min(PITCH, room / covered) if covered else 0
        x = EDGE + (room - pitch * covered) / 2
        bottom = height * (number + 1) / len(rows)
        card = width * common.CARD_HEIGHT / common.CARD_WIDTH
        top = bottom - PRICES - card - arc - (height / len(rows) - PRICES - card - arc) / 2 + 2
        for run in runs:
            _place_run(scene, hand.trade[run.kind], run, x, Row(top, width, pitch, arc))
            _place_price(scene, run, x, bottom - PRICES, width + run.covered * pitch)
            x += width + run.covered * pitch + GAP
    return scene.picture(texts.hand(hand.cards, hand.prices, hand.found))


class Row(NamedTuple):
    """How a row of a fan lies. Lengths are in pixels."""

    top: float
    width: float
    """The width of a card."""
    pitch: float
    """From a card to the next one, which covers it."""
    arc: float
    """By how much the outermost cards lie lower than those in the middle."""


def _place_run(scene: Scene, trade: int, run: Run, x: float, row: Row) -> None:
    """The cards of a run with this trade value, the last one whole, each turned and lowered as its place in the fan has it."""
    top, width, pitch, arc = row

    def off(left: float) -> float:
        return (left + width / 2 - WIDTH / 2) / (WIDTH / 2)

    for number in range(run.covered + 1):
        left = x + number * pitch
        part = treasure_card(run.kind) if number == run.covered else draw("card")
        raised = RAISED if number > run.covered - run.found else 0
        scene.place(part, left, top - raised + arc * off(left) ** 2, width, turn=off(left) * LEAN)
    place_tag(scene, trade, x - 7, top + arc * off(x) ** 2 - 6 - 4 * off(x), 40)
    end = x + run.covered * pitch
    if run.found:
        pen = Pen(weight=1.2, halo=ink.GOLD)
        y = top - RAISED + arc * off(end) ** 2 + 5 + off(end) * 5
        scene.figure(f"+{run.found}", end + width - 6, y, SMALLER, anchor="end", pen=pen)
    if run.cards > 1:
        y = top + arc * off(end) ** 2 + width * common.CARD_HEIGHT / common.CARD_WIDTH
        y, pen = y - FIGURE - 3 + off(end) * 5, Pen(weight=1.2, halo=ink.CREAM)
        scene.figure(f"×{run.cards}", end + width - 3, y, FIGURE, anchor="end", pen=pen)


def _place_price(scene: Scene, run: Run, x: float, y: float, whole: float) -> None:
    """A bar below the cards of a run for each set in it, and what they bring in all.

    If there is room, the price with one more card follows, smaller and behind an arrow.
    """
    sets = len(run.prices)
    for number in range(sets):
        scene.panel(Box(x + whole * number / sets + 1, y + 2, whole / sets - 3, 5), ink.INK, line=0, corner=2)
    own = figures_width(run.price, FIGURE)
    more = figures_width(run.next_price, SMALLER) + MORE_GAP if run.next_price else 0.0
    if own + more > whole + GAP - 2:
        more = 0.0
    half = (own + more) / 2
    left = min(max(x + whole / 2, half + 4), WIDTH - half - 4) - half
    scene.figure(run.price, left, y + 12, FIGURE, anchor="start", pen=Pen(weight=1.15, halo=ink.PAPER))
    if more:
        pen = Pen(ink.SLATE, halo=ink.PAPER)
        scene.figure(run.next_price, left + own + MORE_GAP, y + 16, SMALLER, anchor="start", pen=pen)
