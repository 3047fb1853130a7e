"""The most memorable of a turn as a small scene: a dive, an order, a dear card, the near end; and a turn in signs.

A scene is as wide as a message if all talk about it: a majority that is taken from another company, the near end.

The signs are for the captions of films: what a turn brought, and not die by die.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from bot.art import ink
from bot.art.common import die, token
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Deed, Pen, Scene, counted
from bot.language import gettext as _
from bot.ui.screens.game_screens import SeenEvent
from cogs.artifacts_inc import names as name
from cogs.artifacts_inc.art import alt, draw, goods
from cogs.artifacts_inc.art.cards import drawing
from engine.artifacts_inc.card_list import ARTIFACTS, FINDS
from engine.artifacts_inc.catalogue import Catalogue

SIDE: Final = 240
WIDE_HIGH: Final = 150
"""The height of a picture that is as wide as a message."""
MEMORABLE: Final = 30
"""The least weight of an event with a picture."""
TAKES_LEAD: Final = 20
"""The weight of the lead that a sale takes, so that no early dive for a point hides it."""
PASSES: Final = 100
"""The same, if another company had the lead."""


def vignette(events: Sequence[SeenEvent], catalogue: Catalogue) -> Picture | None:
    """The scene of the weightiest of these events; None if none is worth one."""
    best = max(events, key=_weight, default=None)
    if best is None or best.seat is None or not is_memorable(best):
        return None
    return _SCENES[best.kind](best, best.seat, catalogue)


def is_memorable(event: SeenEvent) -> bool:
    """Whether an event is worth a picture, and bold letters."""
    return _weight(event) >= MEMORABLE


def _weight(event: SeenEvent) -> int:
    """How memorable an event is; the first of several equal ones is shown."""
    facts = event.facts
    match event.kind:
        case "majority":
            return 100 + int(facts["reputation"])
        case "reached":
            return 150
        case "dived":
            return 30 + int(facts["number"])
        case "filled" if "passes" in facts:
            return PASSES
        case "filled":
            return 6 * int(facts["dollars"]) + (TAKES_LEAD if facts.get("takes_lead") else 0)
        case "bought" | "turned_card":
            return 5 * int(facts["cost"]) + 2 * (int(facts["reputation"]) + int(facts["counted"]))
        case "collected" | "sold":
            return 5 * int(facts["dollars"])
        case _:
            return 0


def _sheet(width: int = SIDE, height: int = SIDE) -> Scene:
    return Scene(width, height).panel(Box(6, 6, width - 12, height - 12), ink.CREAM, line=4, corner=14)


def _scene(seat: int) -> Scene:
    return _sheet().place(token(seat), 14, 14, 44)


def _reputation(scene: Scene, n: int, x: float, y: float) -> None:
    """A star, and by how much reputation has grown, to the left of this point."""
    scene.figure(f"+{n}", x, y + 2, 32, anchor="end", pen=Pen(halo=ink.CREAM))
    scene.place(draw("reputation"), x - 84 - (20 if n > 9 else 0), y - 2, 38)


# -- a dive


def _dive(event: SeenEvent, seat: int, catalogue: Catalogue) -> Picture:
    facts = event.facts
    find, number, reputation = FINDS.index(facts["find"]), int(facts["number"]), int(facts["reputation"])
    scene = _sheet()
    scene.place(draw("depths"), 6, 6)
    scene.place(token(seat), 14, 14, 44)
    scene.place(draw("diver"), 32, 88)
    found = draw("trident") if FINDS[find] == "sunken_city" else goods.find(find)
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
    rival = facts.get("passes")
    scene = _order(seat, kind, count, dollars) if rival is None else _lead_taken(seat, rival, kind)
    text = _("{company} fills an order of the {museum} with {goods} and takes in ${n}.")
    said = text.format(
        company=alt.seat(seat),
        museum=name.card_name(catalogue.cards[kind]),
        goods=name.counted(kind, count),
        n=dollars,
    )
    lead = _("{who} now leads there.").format(who=alt.seat(seat)) if facts.get("takes_lead") else ""
    return scene.picture(" ".join(map(alt.begun, filter(None, [said, lead]))))


def _order(seat: int, kind: int, count: int, dollars: int) -> Scene:
    scene = _scene(seat)
    scene.place(goods.museum_of(kind), 50, 24, 140)
    step = min(34.0, 150 / max(count, 1))
    left = 14 + max(0.0, (150 - step * count) / 2)
    for number in range(count):
        scene.place(goods.artifact(kind), left + number * step, 176, 44)
    _dollars(scene, dollars)
    return scene


def _lead_taken(seat: int, rival: int, museum: int) -> Scene:
    scene = _sheet(WIDTH, WIDE_HIGH)
    scene.place(goods.museum_of(museum), 66, 16, 118)
    scene.place(token(rival), 282, 43, 64, faint=0.55)
    scene.place(draw("arrow"), 384, 46, 60)
    scene.place(draw("laurel"), 500, 10, 134)
    return scene.place(token(seat), 534, 41, 66)


def _dollars(scene: Scene, dollars: int) -> None:
    scene.place(draw("money"), 222 - 36 - 22 * len(str(dollars)), 180, 38)
    scene.figure(dollars, 224, 183, 32, anchor="end", pen=Pen(halo=ink.CREAM))


def _collected(event: SeenEvent, seat: int, catalogue: Catalogue) -> Picture:
    facts = event.facts
    by_kind = facts.get("artifacts") or {facts["artifact"]: facts.get("count", 1)}
    sold = [int(by_kind.get(key, 0)) for key in ARTIFACTS]
    dollars = int(facts["dollars"])
    scene = _scene(seat)
    scene.place(draw("sale"), 60, 36, 120)
    lying = [kind for kind, n in enumerate(sold) for _number in range(n)]
    step = min(34.0, 110 / max(len(lying) - 1, 1))
    for number, kind in enumerate(lying):
        scene.place(goods.artifact(kind), 16 + number * step, 174, 44)
    _dollars(scene, dollars)
    text = _("{company} sells {goods} and takes in ${n}.")
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
        scene.place(draw("level-2"), 176, 52, 34)
    cost = int(facts["cost"])
    scene.place(draw("price"), 20, 176, 48)
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
    scene = _sheet(WIDTH, WIDE_HIGH)
    scene.place(token(seat), 120, 38, 74)
    scene.place(draw("rays"), 294, 9, 132)
    scene.place(draw("reputation"), 307, 18, 106)
    scene.figure(n, 360, 60, 36, pen=Pen(halo=ink.GOLD))
    scene.place(draw("goal"), 534, 24, 70)
    text = _("{company} has reached {n} reputation: the last round is played.")
    return scene.picture(alt.begun(text.format(company=alt.seat(seat), n=n)))


def _majority(event: SeenEvent, seat: int, catalogue: Catalogue) -> Picture:
    facts = event.facts
    kind, n = ARTIFACTS.index(facts["artifact"]), int(facts["reputation"])
    scene = _sheet()
    scene.place(goods.museum_of(kind), 50, 84, 140)
    scene.place(draw("laurel"), 72, 6, 96)
    scene.place(token(seat), 95, 27, 50)
    _reputation(scene, n, 222, 186)
    text = _("{company} has the most cubes on the {museum} and gains {n} reputation.")
    said = text.format(company=alt.seat(seat), museum=name.card_name(catalogue.cards[kind]), n=n)
    return scene.picture(alt.begun(said))


_SCENES: Final[dict[str, Callable[[SeenEvent, int, Catalogue], Picture]]] = {
    "dived": _dive,
    "filled": _filled,
    "collected": _collected,
    "sold": _collected,
    "bought": _purchase,
    "turned_card": _purchase,
    "reached": _reached,
    "majority": _majority,
}


NOTHING: Final = "−"
"""The figure for a turn that brought nothing."""


def deeds(events: Sequence[SeenEvent], catalogue: Catalogue) -> list[Deed]:
    """The sum of a turn: finds, sales, cards, dives, dollars and reputation; at the end of a match, the museums."""
    return [*_traded(events), *_cards(events, catalogue), *_sums(events), *_end(events)] or [
        [die(1), NOTHING]
    ]


def _traded(events: Sequence[SeenEvent]) -> Iterator[Deed]:
    for kind, key in enumerate(ARTIFACTS):
        found = sum(each.kind in ("gained", "gathered") and each.facts["artifact"] == key for each in events)
        if found:
            yield counted(goods.artifact(kind), found)
    for kind, key in enumerate(ARTIFACTS):
        if any(each.kind == "filled" and each.facts["artifact"] == key for each in events):
            takes_lead = any(each.kind == "filled" and each.facts["takes_lead"] for each in events)
            yield [goods.museum_of(kind), *([draw("laurel")] if takes_lead else [])]


def _cards(events: Sequence[SeenEvent], catalogue: Catalogue) -> Iterator[Deed]:
    for each in events:
        number = catalogue.numbers.get(each.facts.get("card", ""))
        if each.kind == "dived":
            yield [draw("dive"), f"{each.facts['number']}"]
        elif each.kind in ("bought", "turned_card"):
            improved = each.kind == "turned_card"
            card = [] if number is None else [drawing(catalogue.cards[number], 1 + improved)]
            yield [draw("improving") if improved else draw("buying"), *card]


def _sums(events: Sequence[SeenEvent]) -> Iterator[Deed]:
    if dollars := sum(each.facts.get("dollars", 0) - each.facts.get("cost", 0) for each in events):
        yield [draw("money"), f"{dollars:+}".replace("-", "−")]
    own = [each.facts for each in events if each.kind in ("bought", "turned_card", "dived")]
    if reputation := sum(facts["reputation"] + facts.get("counted", 0) for facts in own):
        yield [draw("reputation"), f"+{reputation}"]


def _end(events: Sequence[SeenEvent]) -> Iterator[Deed]:
    for each in events:
        if each.kind == "majority":
            museum = goods.museum_of(ARTIFACTS.index(each.facts["artifact"]))
            yield [museum, token(each.seat or 0), f"+{each.facts['reputation']}"]
        elif each.kind == "over":
            yield [draw("laurel"), *map(token, each.facts["winners"])]
