"""Sheets: a party with its members, abilities and Aids, and half of a scenario's encounters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.art import common, ink
from bot.art.ink import Part
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Pen, Scene, figures_width
from bot.ui.screens.game_screens import Pressed
from bot.ui.screens.ids import read_number
from cogs.artifact.art import alt, draw, marks, trail
from cogs.artifact.art.marks import ability, aid, member, ten_sided
from cogs.artifact.table import ENCOUNTERS, PARTY
from engine.artifact import choices
from engine.artifact import state as s
from engine.artifact.card_list import Encounter
from engine.artifact.party import ABILITIES, EQUIPMENT, GONE, WELL, WOUNDED, Aid
from engine.artifact.state import View

FIGURE: Final = 28
SHEET_HEIGHT: Final = 300

_COLUMNS: Final = ((4, 204), (208, 124), (332, 124), (456, 124), (580, 68), (648, 68))
"""Each member's column: its left edge and its width."""
_PORTRAIT: Final = (102, 92, 92, 92, 66, 66)
_SIGN: Final = 40
_ACROSS: Final = WIDTH / len(ABILITIES)


class _Sign(NamedTuple):
    """An ability of a member; `number` None is a 10 for which none is chosen yet, `chosen` one that was."""

    number: int | None
    chosen: bool = False


def looked_up(view: View, pressed: Pressed) -> Picture | None:
    """The subject of a sheet, for every page of it: a party, or half of the encounters. None for an unknown subject."""
    number = read_number(pressed.arg.partition(".")[0])
    if pressed.intent == PARTY and number is not None and number < view.seats and view.phase != s.PARTY:
        return party(view, number)
    if pressed.intent == ENCOUNTERS and number is not None and number < len(choices.scenario(view).parts):
        return encounters(view, number)
    return None


# -- a party


def party(view: View, seat: int, *, with_trail: bool = False) -> Picture:
    """A party's sheet, as all may see it, perhaps above the trail; then a fight that it is in takes its members' place."""
    height, text = SHEET_HEIGHT + with_trail * trail.STRIP_HEIGHT, [alt.sheet(view, seat)]
    if with_trail and view.opponent != s.NOBODY and seat in (view.active, view.opponent):
        scene = Scene(WIDTH, height)
        _fight(scene, view)
        text.append(alt.happening(view))
    else:
        scene = _paper(height)
        for number, person in enumerate(choices.people(view, seat)):
            signs = [_Sign(one) for one in person.abilities]
            _member(scene, marks.face(view.scenario, seat, number), number, signs, person.wound)
        _corner(scene, view, seat)
    counts_now = choices.in_play(view) if seat in (view.active, view.opponent) else ()
    _abilities(scene, view.counts[seat], choices.aids(view, seat), counts_now)
    if with_trail:
        trail.strip(scene, view, SHEET_HEIGHT)
        text += alt.squares(view)
    return scene.picture(alt.fitted(text))


def own(view: View) -> Picture:
    """The viewer's party above the whole trail, or what has been rolled and chosen for it until the sheets are shown."""
    seat = view.viewer
    assert seat is not None
    if view.phase != s.PARTY:
        return party(view, seat, with_trail=True)
    scene = _paper()
    counts = choices.rolled(view)
    tens = list(view.created.tens) if view.created else []
    for ten in tens:
        counts[ten] += 1
    for number, (_role, rolled) in enumerate(choices.members_of(view)):
        signs = [
            _Sign(one) if one is not None else _Sign(tens.pop(0) if tens else None, True) for one in rolled
        ]
        _member(scene, marks.face(view.scenario, seat, number), number, signs, WELL)
    scene.place(common.token(seat), 10, 10, 44)
    packed = [(one, 1) for one in EQUIPMENT if view.created and one.key in view.created.equipment]
    _abilities(scene, counts, packed)
    return scene.picture(alt.own_choice(view))


def _paper(height: int = SHEET_HEIGHT) -> Scene:
    scene = Scene(WIDTH, height)
    for left, width in _COLUMNS:
        scene.panel(Box(left + 2, 4, width - 4, 150), ink.CREAM, line=2.4)
    return scene


def _member(scene: Scene, face: int, number: int, signs: Sequence[_Sign], wound: int) -> None:
    left, width = _COLUMNS[number]
    size = _PORTRAIT[number]
    x, y = left + (width - size) / 2, 107 - size
    out = wound == GONE
    scene.place(member(face, wounded=wound == WOUNDED), x, y, size, faint=0.3 if out else 1)
    if out:
        scene.place(draw("nobody"), left + width / 2 - 31, 52, 62)
    begin = left + (width - len(signs) * _SIGN) / 2
    for place, sign in enumerate(signs):
        at = begin + place * _SIGN
        if sign.chosen:
            scene.panel(Box(at, 111, _SIGN, _SIGN), ink.GOLD, line=2, corner=6)
        drawn = ten_sided(10) if sign.number is None else ability(sign.number)
        scene.place(drawn, at + 2, 113, _SIGN - 4)


def _fight(scene: Scene, view: View) -> None:
    """Both parties of a fight, the attacker first: who leads each, what it adds, and the Artifact."""
    top = 9
    scene.panel(Box(3, 4, WIDTH - 6, 150), ink.SAND, line=2.4)
    scene.place(draw("fight"), 304, top + 24, 112)
    if view.ability != s.NONE:
        scene.place(ability(view.ability), 338, top + 4, 44)
    added = choices.worth(view, view.used)
    for seat, spent, x, inner, outer in (
        (view.active, added, 16, 136, 214),
        (view.opponent, 0, WIDTH - 132, WIDTH - 196, WIDTH - 274),
    ):
        well = [number for number, one in enumerate(choices.people(view, seat)) if one.wound != GONE]
        scene.place(member(marks.face(view.scenario, seat, well[0])), x, top + 12, 116)
        scene.place(common.token(seat), inner, top + 14, 60)
        if view.ability != s.NONE:
            scene.figure(f"+{view.counts[seat][view.ability] + spent}", inner + 30, top + 88, FIGURE + 8)
        if view.holder == seat:
            scene.place(marks.prize(choices.scenario(view).key), outer, top + 40, 62)


def _corner(scene: Scene, view: View, seat: int) -> None:
    """Beside the leader: the party's token, the Artifact if it has it, its camp if it loses a turn."""
    scene.place(common.token(seat), 10, 10, 44)
    if view.holder == seat:
        scene.place(marks.prize(choices.scenario(view).key), 154, 10, 48)
    if view.skips[seat]:
        scene.place(draw("camp"), 10, 64, 42)


def _abilities(
    scene: Scene, counts: Sequence[int], held: Sequence[tuple[Aid, int]], in_play: Sequence[int] = ()
) -> None:
    """Each ability with its number and its Aids; those `in_play` are golden, in a bold frame."""
    for number, count in enumerate(counts):
        x = number * _ACROSS
        fill = ink.GOLD if number in in_play else ink.BONE if count else ink.SHADE
        scene.panel(Box(x + 3, 160, _ACROSS - 6, 136), fill, line=6 if number in in_play else 2.4)
        scene.place(ability(number), x + 5, 165, 47, faint=1 if count or number in in_play else 0.45)
        scene.figure(count, x + 65, 174, FIGURE, pen=Pen(weight=1.1 if count else 0.7))
        fitting = [(one, n) for one, n in held if one.ability == number]
        if not fitting:
            continue
        shown = [aid(one) for one, n in fitting for _each in range(n)]
        worth = sum(one.worth * n for one, n in fitting)
        step = min(12.0, 26 / max(len(shown) - 1, 1))
        begin = x + (_ACROSS - 46 - step * (len(shown) - 1)) / 2
        for place, part in reversed([*enumerate(shown)]):
            scene.place(part, begin + place * step, 214, 46)
        scene.figure(f"+{worth}", x + _ACROSS / 2, 263, FIGURE, pen=Pen(weight=1.1))


# -- encounters

_TILE: Final = (175, 120)
_TILES: Final = 4


def encounters(view: View, part: int) -> Picture:
    """Half of the scenario's encounters, by the roll of two dice."""
    scenario = choices.scenario(view)
    scene = Scene(WIDTH, 380)
    _head(scene, scenario.key, part)
    for place, one in enumerate([one for one in scenario.parts[part] if one.key], 1):
        x, y = 5 + place % _TILES * (_TILE[0] + 3), 7 + place // _TILES * (_TILE[1] + 3)
        _encounter(scene, one, x, y)
    return scene.picture(alt.encounters(view, part))


def _head(scene: Scene, scenario: str, part: int) -> None:
    """Two dice, a square of this half of the trail, and where it leads."""
    place = (marks.home, marks.end)[part](scenario)
    scene.place(place, 96, 14, place.width_at(104))
    scene.place(marks.square(part, trodden=False), 12, 14, 56)
    scene.place(common.die(3), 10, 74, 42)
    scene.place(common.die(5), 54, 80, 42)


def _encounter(scene: Scene, one: Encounter, x: float, y: float) -> None:
    scene.panel(Box(x, y, *_TILE), ink.CREAM if one.challenge else ink.SAND, line=2.6)
    scene.figure(
        one.roll,
        x + 10,
        y + 13,
        34,
        anchor="start",
        pen=Pen(ink=ink.CLAY if one.challenge else ink.INK, weight=1.2),
    )
    if one.aid:
        scene.place(draw("pack"), x + 66, y + 8, 46)
        scene.figure(f"+{one.aid.worth}", x + 144, y + 16, FIGURE, pen=Pen(weight=1.2))
        scene.place(aid(one.aid), x + 62, y + 58, 56)
        return
    assert one.challenge
    scene.place(marks.challenge(), x + 56, y + 8, 44)
    scene.place(marks.penalty(one.challenge.penalty), x + 124, y + 8, 46)
    if one.challenge.squares:
        scene.figure(one.challenge.squares, x + 114, y + 18, FIGURE, pen=Pen(weight=1.2))
    signs: list[Part] = [ability(number) for number in one.challenge.abilities]
    double = "×2" if one.challenge.times > 1 else ""
    room = _TILE[0] - 16 - (figures_width(double, FIGURE) + 8 if double else 0)
    size = min(50, room / len(signs))
    wide = size * len(signs)
    begin = x + 8 + (room - wide) / 2
    for place, sign in enumerate(signs):
        scene.place(sign, begin + place * size + 2, y + 62 + (50 - size) / 2, size - 4)
    if double:
        scene.figure(double, begin + wide + 6, y + 74, FIGURE, anchor="start", pen=Pen(weight=1.2))
