"""Pictures of what was most memorable in a turn, as wide as a message; and turns in signs.

These are a Sandstorm, a Thief, an exploration, and a great sale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from bot.art import common, ink
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Deed, Pen, Scene, Sign, counted
from bot.language import gettext as _
from bot.ui.screens.game_screens import SeenEvent
from cogs.archaeology_family import names as card
from cogs.archaeology_family.art import draw, texts
from cogs.archaeology_family.art.cards import treasure, treasure_card
from cogs.archaeology_family.recap import moment
from engine.archaeology_family.card_list import Bundles, CardList

HIGH: Final = 190


OfAnEvent = Callable[[SeenEvent], Iterator[Sign]]
"""The signs of an event; none if it says nothing of its own."""


def vignette(
    events: Sequence[SeenEvent],
    card_list: CardList,
    drawn: Mapping[str, Callable[[SeenEvent], Picture]] = MappingProxyType({}),
) -> Picture | None:
    """The picture of a turn; None if nothing in it was worth one. `drawn` has what only one of the games has."""
    draws = {"sold": _sale, "explored": _exploration, "kept": _exploration, **drawn}
    great = [(moment(event, None, card_list), event) for event in reversed(events) if event.kind in draws]
    # A viewer who knows the stolen card is concerned: only what decides matches stands above it.
    robbed = any(event.kind == "stolen" and "treasure" in event.facts for event in events)
    weight, best = max(great, key=lambda each: each[0], default=(0, None))
    if best and weight > robbed:
        return draws[best.kind](best)
    told = [_storm(events)] if any(event.kind == "sandstorm" for event in events) else []
    told += [_theft(event) for event in events if event.kind in ("thief", "stolen")][-1:]
    if len(told) < 2:
        return told[0] if told else None
    scene = Scene(WIDTH, len(told) * HIGH, ink.PAPER)
    for number, picture in enumerate(told):
        scene.inset(picture, 0, number * HIGH, WIDTH)
    return scene.picture(" ".join(picture.alt for picture in told))


def frame(ground: str = ink.PAPER) -> Scene:
    """A sheet for a picture that is as wide as a message."""
    scene = Scene(WIDTH, HIGH, ink.PAPER)
    scene.panel(Box(5, 5, WIDTH - 10, HIGH - 10), ground, line=3, corner=16)
    return scene


def place_actor(scene: Scene, seat: int | None, x: float = 14) -> None:
    """The token of the player, in the corner."""
    if seat is not None:
        scene.place(common.token(seat), x, 14, 46)


def place_row(scene: Scene, kinds: Sequence[int], x: float, y: float, width: float, size: float) -> None:
    """Treasures side by side, over each other where there is too little room."""
    step = min(size, (width - size) / max(len(kinds) - 1, 1))
    begin = x + (width - size - step * (len(kinds) - 1)) / 2
    for number, kind in enumerate(kinds):
        scene.place(treasure(kind), begin + number * step, y, size)


def sentence(text: str) -> str:
    """A sentence that begins with a capital letter, whoever it is about."""
    return text[0].upper() + text[1:]


def _sale(event: SeenEvent) -> Picture:
    kind, count, price = (int(event.facts[fact]) for fact in ("treasure", "count", "price"))
    scene = frame(ink.SKY)
    scene.panel(Box(70, 134, 440, 16), ink.BONE, line=3, corner=4)
    scene.panel(Box(94, 150, 392, 34), ink.STONE, line=3, corner=2)
    place_row(scene, [kind] * count, 84, 28, 412, 106)
    scene.figure(f"${price}", 612, 62, 64, pen=Pen(weight=1.3, halo=ink.CREAM))
    place_actor(scene, event.seat)
    text = _("A great sale: {player} sells {cards} to the museum for ${price}.")
    player = texts.player(event.seat or 0)
    return scene.picture(sentence(text.format(player=player, cards=card.counted(kind, count), price=price)))


def _exploration(event: SeenEvent) -> Picture:
    """A chamber's door, and the cards found in it as a fan: face up for a viewer who may know them."""
    count = int(event.facts["count"])
    known = [kind for kind, n in event.facts.get("cards", ()) for _copy in range(n)]
    scene = frame(ink.SHADE)
    scene.place(draw("doorway"), 22, 14, 162)
    wide = 96
    step = min(wide + 6, (486 - wide) // max(count - 1, 1))
    left = 206 + (486 - wide - step * (count - 1)) // 2
    for number in range(count):
        off = (number - (count - 1) / 2) / max(count / 2, 1)
        shown = treasure_card(known[number]) if known else draw("card-back")
        scene.place(shown, left + number * step, round(24 + 10 * off * off), wide, turn=round(8 * off))
    place_actor(scene, event.seat)
    text = _("{player} goes down into a chamber and comes back with {cards}.")
    found = texts.plain_cards(event.facts["cards"]) if known else card.number_of_cards(count)
    return scene.picture(sentence(text.format(player=texts.player(event.seat or 0), cards=found)))


def _storm(events: Sequence[SeenEvent]) -> Picture:
    """The whirl, and beside it each player whom it has met so far: the cards lost, or the Tent that held."""
    lost = {event.seat or 0: event.facts["cards"] for event in events if event.kind == "lost"}
    held = [event.seat or 0 for event in events if event.kind == "tent" and event.facts["used"]]
    scene = frame(ink.SKY)
    scene.place(draw("sandstorm"), 14, 12, 166)
    met = sorted({*lost, *held})
    room = 516 // max(len(met), 3)
    for number, seat in enumerate(met):
        x = 192 + (516 - room * len(met)) / 2 + number * room
        scene.place(common.token(seat), x, 18, 40)
        if seat in lost:
            kinds = [kind for kind, n in lost[seat] for _copy in range(n)]
            pen = Pen(weight=1.2, halo=ink.CREAM)
            scene.figure(f"−{len(kinds)}", x + 48, 22, 34, anchor="start", pen=pen)
            place_row(scene, kinds, x, 84, room - 10, min(80, room - 10))
        else:
            scene.place(draw("tent"), x, 72, min(100, room - 10))
    if not met:
        scene.place(draw("palm"), 440, 24, 92, turn=-16)
        scene.place(draw("palm"), 270, 46, 92, turn=-23)
    return scene.picture(_storm_alt(lost, held))


def _storm_alt(lost: Mapping[int, Bundles], held: Sequence[int]) -> str:
    if not lost and not held:
        return _("A Sandstorm sweeps over the camp. No one has lost a card to it so far.")
    lines = [_("A Sandstorm sweeps over the camp.")]
    for seat, cards in sorted(lost.items()):
        text = _("{player} loses {cards}.")
        lines.append(sentence(text.format(player=texts.player(seat), cards=texts.plain_cards(cards))))
    lines += [sentence(_("{player} is safe in a Tent.").format(player=texts.player(seat))) for seat in held]
    return " ".join(lines)


def _theft(event: SeenEvent) -> Picture:
    """The card on its way from one player to another: face up for a viewer who may know it. At first the Thief alone."""
    known, robbed = event.facts.get("treasure"), event.facts.get("victim")
    scene = frame(ink.SHADE)
    if robbed is None:
        scene.place(common.token(event.seat or 0), 184, 52, 86).place(draw("thief"), 330, 14, 164)
        text = _("{player} meets a Thief.")
        return scene.picture(sentence(text.format(player=texts.player(event.seat or 0))))
    scene.place(common.token(robbed), 70, 52, 86)
    scene.place(draw("card-back") if known is None else treasure_card(known), 184, 36, 86, turn=-14)
    scene.place(draw("thief"), 282, 14, 164)
    scene.place(draw("arrow"), 462, 62, 72)
    if event.seat is not None:
        scene.place(common.token(event.seat), 560, 52, 86)
    victim, player = texts.player(robbed), texts.player(event.seat or 0)
    stolen = card.number_of_cards(1) if known is None else texts.plain_cards(((known, 1),))
    text = _("A Thief steals {card} from {victim} for {player}.")
    return scene.picture(sentence(text.format(card=stolen, victim=victim, player=player)))


NOTHING: Final = "−"
"""The figure for a turn that brought nothing."""


def deeds(events: Sequence[SeenEvent], signs_of: OfAnEvent) -> list[Deed]:
    """The events of a turn in their order, those of other players behind the player's token."""
    mover = next((event.seat for event in events if event.seat is not None), None)
    found: list[Deed] = []
    for event in events:
        signs = list(signs_of(event))
        if signs and event.seat not in (None, mover):
            signs.insert(0, common.token(event.seat or 0))
        if signs:
            found.append(signs)
    return found or [[NOTHING]]


def cards(bundles: Bundles) -> list[Sign]:
    """Cards by treasure, with their numbers."""
    return [sign for kind, n in bundles for sign in counted(treasure(kind), n)]


def family_signs(event: SeenEvent) -> Iterator[Sign]:
    """The signs of an event of both games. Cards that a viewer may not know are shown by their backs.

    A Sandstorm's own picture shows what it takes, and whose Tent holds.
    """
    facts = event.facts
    match event.kind:
        case "found":
            yield from (draw("pick"), _card(facts))
        case "stolen":
            yield from (draw("thief"), common.token(facts["victim"]), draw("arrow"), _card(facts))
        case "sandstorm":
            yield draw("sandstorm")
        case "traded":
            yield from (*cards(facts["give"]), draw("arrow"), *cards(facts["take"]))
        case "sold":
            sold = counted(treasure(facts["treasure"]), facts["count"])
            yield from (*sold, draw("arrow"), f"${facts['price']}")
        case "explored" | "kept":
            found = cards(facts["cards"]) if "cards" in facts else counted(draw("card-back"), facts["count"])
            yield from (draw("lamp"), *found)
        case _:
            return


def _card(facts: Mapping[str, Any]) -> Sign:
    return treasure(facts["treasure"]) if "treasure" in facts else draw("card-back")
