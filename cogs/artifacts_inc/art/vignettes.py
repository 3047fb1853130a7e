"""The most memorable of a turn as a small scene: a dive, an order of a museum, a dear card, the end coming near."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from bot.art import ink
from bot.art.common import coin, laurel, token
from bot.art.ink import Part, Sketch
from bot.art.numerals import Pen
from bot.art.picture import Picture
from bot.art.scene import Box, Scene
from bot.language import gettext as _
from bot.ui.screens.game_screens import SeenEvent
from cogs.artifacts_inc import names as name
from cogs.artifacts_inc.art import alt, goods
from cogs.artifacts_inc.art.cards import drawing
from engine.artifacts_inc.card_list import ARTIFACTS, FINDS
from engine.artifacts_inc.catalogue import Catalogue

SIDE: Final = 240
MEMORABLE: Final = 30
"""The least weight of an event with a picture."""


def vignette(events: Sequence[SeenEvent], catalogue: Catalogue) -> Picture | None:
    """The scene of the weightiest of these events; None if none is worth one."""
    best = max(events, key=_weight, default=None)
    if best is None or best.seat is None or _weight(best) < MEMORABLE:
        return None
    return _SCENES[best.kind](best, best.seat, catalogue)


def _weight(event: SeenEvent) -> int:
    """How memorable an event is; the first of several equal ones is shown."""
    facts = event.facts
    match event.kind:
        case "majority":
            return 200 + int(facts["reputation"])
        case "reached":
            return 150
        case "dived":
            return 30 + int(facts["number"])
        case "filled":
            return 6 * int(facts["dollars"])
        case "bought" | "turned_card":
            return 5 * int(facts["cost"]) + 2 * (int(facts["reputation"]) + int(facts["counted"]))
        case "collected":
            return 5 * int(facts["dollars"])
        case _:
            return 0


def _sheet() -> Scene:
    """The ground of all scenes."""
    return Scene(SIDE, SIDE).panel(Box(6, 6, SIDE - 12, SIDE - 12), ink.CREAM, line=4, corner=14)


def _scene(seat: int) -> Scene:
    """A sheet with whose deed it is."""
    return _sheet().place(token(seat), 14, 14, 44)


def _reputation(scene: Scene, n: int, x: float, y: float) -> None:
    """A star, and by how much reputation has grown, to the left of this point."""
    scene.figure(f"+{n}", x, y + 2, 32, anchor="end", pen=Pen(halo=ink.CREAM))
    scene.place(goods.reputation(), x - 84 - (20 if n > 9 else 0), y - 2, 38)


# -- a dive


@cache
def _depths() -> Part:
    sketch = Sketch("depths", SIDE - 12, SIDE - 12)
    wide = SIDE - 12
    crest = " ".join(f"Q{x + 9.5} 48 {x + 19} 56" for x in range(0, wide, 19))
    sketch.path(
        f"M0 56 {crest} L{wide} 214 Q{wide} {wide} 214 {wide} L14 {wide} Q0 {wide} 0 214 Z",
        ink.VERDIGRIS,
        line=3,
        beside=False,
    )
    sketch.path(
        f"M0 196 Q60 176 114 194 T{wide} 186 L{wide} 214 Q{wide} {wide} 214 {wide} L14 {wide} Q0 {wide} 0 214 Z",
        ink.SAND,
        line=3,
        beside=False,
    )
    for x, top in ((160, 132), (192, 152)):
        sketch.path(
            f"M{x} 196 L{x + 2} {top} L{x + 8} {top - 8} L{x + 14} {top + 2} L{x + 20} {top - 4} L{x + 22} 196 Z",
            ink.STONE,
        )
        sketch.line([(x + 8, top + 8), (x + 8, 190)], width=ink.FINE)
        sketch.line([(x + 15, top + 8), (x + 15, 190)], width=ink.FINE)
    for x, y in ((112, 84), (122, 70), (108, 64), (40, 90)):
        sketch.oval(x, y, 4, fill=ink.SKY, line=2)
    sketch.line([(20, 188), (16, 170), (22, 156), (17, 142)], width=4, ink=ink.INDIGO, smooth=True)
    sketch.line([(32, 190), (35, 174), (29, 164)], width=4, ink=ink.INDIGO, smooth=True)
    return sketch.part()


@cache
def _diver() -> Part:
    sketch = Sketch("diver", 110, 120)
    sketch.line([(44, 4), (40, -46)], width=3)
    sketch.path("M22 76 Q14 116 26 119 L74 119 Q84 110 76 76 Z", ink.STONE, line=4)
    sketch.path("M70 78 Q96 80 106 62 L98 52 Q88 64 70 62 Z", ink.STONE, line=4)
    sketch.oval(104, 54, 9, fill=ink.SAND, line=3.4)
    sketch.add(goods.helmet(), 6, 0, scale=0.86)
    return sketch.part()


def _dive(event: SeenEvent, seat: int, catalogue: Catalogue) -> Picture:
    facts = event.facts
    find, number, reputation = FINDS.index(facts["find"]), int(facts["number"]), int(facts["reputation"])
    scene = _sheet()
    scene.place(_depths(), 6, 6)
    scene.place(token(seat), 14, 14, 44)
    scene.place(_diver(), 32, 88)
    found = goods.trident() if FINDS[find] == "sunken_city" else goods.find(find)
    scene.place(found, 132, 90, found.width_at(86))
    scene.figure(number, 224, 18, 34, anchor="end")
    if reputation:
        _reputation(scene, reputation, 222, 190)
    text = _("{company} dives for {n} and finds {find}.")
    return scene.picture(alt.begun(text.format(company=alt.seat(seat), n=number, find=name.find(find))))


# -- sales


def _filled(event: SeenEvent, seat: int, catalogue: Catalogue) -> Picture:
    facts = event.facts
    kind, count, dollars = ARTIFACTS.index(facts["artifact"]), int(facts["count"]), int(facts["dollars"])
    scene = _scene(seat)
    scene.place(goods.museum_of(kind), 50, 24, 140)
    step = min(34.0, 150 / max(count, 1))
    left = 14 + max(0.0, (150 - step * count) / 2)
    for number in range(count):
        scene.place(goods.artifact(kind), left + number * step, 176, 44)
    _dollars(scene, dollars)
    text = _("{company} fills an order of the {museum} with {goods} and takes in ${n}.")
    said = text.format(
        company=alt.seat(seat),
        museum=name.card_name(catalogue.cards[kind]),
        goods=name.counted(kind, count),
        n=dollars,
    )
    return scene.picture(alt.begun(said))


def _dollars(scene: Scene, dollars: int) -> None:
    scene.place(coin(), 222 - 36 - 22 * len(str(dollars)), 180, 38)
    scene.figure(dollars, 224, 183, 32, anchor="end", pen=Pen(halo=ink.CREAM))


def _collected(event: SeenEvent, seat: int, catalogue: Catalogue) -> Picture:
    sold = [int(event.facts["artifacts"].get(key, 0)) for key in ARTIFACTS]
    dollars = int(event.facts["dollars"])
    scene = _scene(seat)
    scene.place(goods.collectors(), 60, 36, 120)
    lying = [kind for kind, n in enumerate(sold) for _number in range(n)]
    step = min(34.0, 110 / max(len(lying) - 1, 1))
    for number, kind in enumerate(lying):
        scene.place(goods.artifact(kind), 16 + number * step, 174, 44)
    _dollars(scene, dollars)
    text = _("{company} sells {goods} to collectors and takes in ${n}.")
    goods_sold = alt.listing([name.counted(kind, n) for kind, n in enumerate(sold) if n])
    return scene.picture(alt.begun(text.format(company=alt.seat(seat), goods=goods_sold, n=dollars)))


# -- cards


def _purchase(event: SeenEvent, seat: int, catalogue: Catalogue) -> Picture:
    facts = event.facts
    level = 2 if event.kind == "turned_card" else 1
    number = catalogue.numbers.get(facts["card"])
    scene = _scene(seat)
    scene.panel(Box(28, 62, 184, 112), ink.SHADE if level == 2 else ink.PAPER)
    if number is not None:
        scene.place(drawing(catalogue.cards[number], level), 50, 64, 140)
    if level == 2:
        scene.place(goods.second_level(), 176, 52, 34)
    cost = int(facts["cost"])
    scene.place(goods.price(), 20, 176, 48)
    scene.figure(cost, 44, 185, 30)
    gained = int(facts["reputation"]) + int(facts["counted"])
    if gained:
        _reputation(scene, gained, 222, 184)
    called = name.card_name(catalogue.cards[number]) if number is not None else str(facts["card"])
    text = _("{who} upgrades {card} for {cost}.") if level == 2 else _("{who} buys {card} for {cost}.")
    return scene.picture(alt.begun(text.format(who=alt.seat(seat), cost=f"${cost}", card=called)))


# -- the end


def _reached(event: SeenEvent, seat: int, catalogue: Catalogue) -> Picture:
    n = int(event.facts["reputation"])
    scene = _sheet()
    scene.place(_rays(), 20, 26, 200)
    scene.place(goods.reputation(), 40, 40, 160)
    scene.place(token(seat), 14, 14, 44)
    scene.figure(n, 120, 112, 46, pen=Pen(halo=ink.GOLD))
    text = _("{company} has reached {n} reputation: the last round is played.")
    return scene.picture(alt.begun(text.format(company=alt.seat(seat), n=n)))


@cache
def _rays() -> Part:
    sketch = Sketch("rays", 200, 200)
    for x1, y1, x2, y2 in (
        (100, 2, 100, 14), (160, 24, 151, 34), (194, 80, 182, 84), (186, 150, 176, 144),
        (100, 196, 100, 184), (14, 150, 24, 144), (6, 80, 18, 84), (48, 30, 54, 38),
    ):  # fmt: skip
        sketch.line([(x1, y1), (x2, y2)], width=5, ink=ink.MADDER)
    return sketch.part()


def _majority(event: SeenEvent, seat: int, catalogue: Catalogue) -> Picture:
    facts = event.facts
    kind, n = ARTIFACTS.index(facts["artifact"]), int(facts["reputation"])
    scene = _sheet()
    scene.place(goods.museum_of(kind), 50, 84, 140)
    scene.place(laurel(), 72, 6, 96)
    scene.place(token(seat), 95, 27, 50)
    _reputation(scene, n, 222, 186)
    text = _("{company} has the most cubes on the {museum} and gains {n} reputation.")
    said = text.format(company=alt.seat(seat), museum=name.card_name(catalogue.cards[kind]), n=n)
    return scene.picture(alt.begun(said))


_SCENES: Final[dict[str, Callable[[SeenEvent, int, Catalogue], Picture]]] = {
    "dived": _dive,
    "filled": _filled,
    "collected": _collected,
    "bought": _purchase,
    "turned_card": _purchase,
    "reached": _reached,
    "majority": _majority,
}


def parts() -> list[Part]:
    """The parts of this module."""
    return [_depths(), _diver(), _rays()]
