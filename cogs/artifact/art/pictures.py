"""The banner of a lobby and the result, all parts of this game, and the parts that stand for its emoji."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from bot.art import common, ink
from bot.art.drawings import edged
from bot.art.ink import Part, Sketch
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Pen, Scene, with_figure
from bot.language import gettext as _
from cogs.artifact import names as name
from cogs.artifact.art import alt, draw, marks
from engine.artifact import choices
from engine.artifact import state as s
from engine.artifact.state import View

BANNER_HEIGHT: Final = 240
PODIUM_HEIGHT: Final = 262
FIGURE: Final = 30


# -- the banner


def banner() -> Picture:
    """Explorers on their way past the three lands, whose treasures wait."""
    scene = Scene(WIDTH, BANNER_HEIGHT)
    for x, y, width in ((596, 18, 140), (504, 36, 120)):
        scene.place(draw("peak"), x, y, width)
    scene.place(draw("three-lands"), 0, 0)
    scene.place(draw("jungle-tree"), 12, 60, 92)
    scene.place(draw("stepped-pyramid"), 88, 44, 128)
    scene.place(draw("palm"), 196, 98, 78)
    scene.place(draw("sea-temple"), 316, 52, 108)
    scene.place(draw("junk"), 244, 100, 62)
    scene.place(draw("islet"), 424, 104, 62)
    scene.place(draw("ice-gate"), 566, 62, 112)
    scene.place(draw("pine"), 516, 98, 60)
    scene.place(draw("pine"), 678, 96, 54)
    scene.place(draw("march"), 130, 128, 236)
    scene.place(draw("yak"), 30, 150, 92)
    scene.place(draw("signpost"), 640, 138, 74)
    for place, key in enumerate(("lost_city", "drowned_temple", "ice_tomb")):
        scene.place(marks.prize(key), 396 + place * 78, 166, 64)
    return scene.picture(
        _(
            "Explorers with packs and staffs, and a yak, walk past a pyramid in the jungle, a temple in the sea and a "
            "gate in the ice. Before them are the treasures: a jaguar of jade, a pearl in its shell, a globe of stars."
        )
    )


# -- the result


def podium(view: View) -> Picture:
    """The winner on a block before home, with the Artifact if it was brought there; and the others."""
    assert view.outcome is not None
    (winner,) = view.outcome.winners
    key = choices.scenario(view).key
    brought = view.outcome.why == "home"
    scene = Scene(WIDTH, PODIUM_HEIGHT)
    scene.panel(Box(-8, 176, WIDTH + 16, 160), ink.SHADE, line=2, corner=0)
    scene.place(marks.home(key), 20, 70, 150)
    scene.place(marks.end(key), 596, 100, 110)
    _block(scene, 286, 176, 148, 80, 1)
    others = [seat for seat in range(view.seats) if seat != winner]
    for side, seats in ((0, others[: len(others) // 2]), (1, others[len(others) // 2 :])):
        if not seats:
            continue
        left = 176 if side == 0 else 434
        _block(scene, left, 212, 110, 44, 2)
        step = min(44, 104 / len(seats))
        for place, seat in enumerate(seats):
            x = left + 55 + (place - len(seats) / 2) * step
            out = view.at[seat] == s.GONE
            scene.place(
                common.token(seat), x + 2, 174, step - 4 if step < 44 else 40, faint=0.4 if out else 1
            )
            if out:
                scene.place(draw("struck-out"), x, 172, min(step, 44))
    if brought:
        scene.place(draw("rays"), 286, -6, 148)
        scene.place(marks.prize(key), 318, 26, 84)
    scene.place(draw("laurel"), 308, 86, 104)
    scene.place(common.token(winner), 334, 110, 52)
    return scene.picture(_result(view, winner, others))


def _block(scene: Scene, x: float, y: float, width: float, height: float, rank: int) -> None:
    scene.panel(Box(x, y, width, height), ink.BONE, corner=3)
    scene.figure(rank, x + width / 2, y + (height - FIGURE - 4) / 2, FIGURE + 4, pen=Pen(weight=1.2))


def _result(view: View, winner: int, others: list[int]) -> str:
    assert view.outcome is not None
    if view.outcome.why == "home":
        first = _("On the first place stands the party of the {who}, with the Artifact.")
    else:
        first = _("On the first place stands the party of the {who}, the last on the trail.")
    sentences = [first.format(who=alt.party(winner))]
    sentences.append(_("On the second: {who}.").format(who=alt.parties(others)))
    if gone := [seat for seat in others if view.at[seat] == s.GONE]:
        sentences.append(_("Out: {who}.").format(who=alt.parties(gone)))
    return alt.fitted(sentences)


# -- emoji


@cache
def _number(number: int) -> Part:
    """The face of a die, six-sided or ten-sided: a tile with a number."""
    sketch = Sketch(f"rolled {number}")
    sketch.path(
        "M18 6 L82 6 Q94 6 94 18 L94 82 Q94 94 82 94 L18 94 Q6 94 6 82 L6 18 Q6 6 18 6 Z", ink.CREAM, line=6
    )
    height = 60 if number < 10 else 50
    return with_figure(sketch.part(), str(number), 50 - height / 2, height, 1.4)


def emoji_parts() -> Mapping[str, Part]:
    """The parts that stand for this game's emoji, under the words that say what they mean."""
    tokens = {
        mark: edged(common.token(seat), common.TOKEN_WORDS[seat]) for seat, mark in enumerate(name.SEAT)
    }
    rolled = {name.die(number): _number(number) for number in range(1, 11)}  # tiles are pale as they are
    return {
        name.DIE: edged(marks.ten_sided(), "die"),
        name.ARTIFACT: edged(draw("treasure"), "the artifact"),
        name.MEMBERS: edged(draw("some-member"), "member"),
        name.WOUND: edged(draw("wound")),
        name.CARRIED: edged(draw("nobody"), "carried away"),
        name.AIDS: edged(draw("pack"), "aids"),
        name.FIGHT: edged(draw("fight")),
        name.CHALLENGE: edged(marks.challenge()),
        name.SKIPS: edged(draw("camp"), "lost turn"),
        name.HOME: edged(draw("home")),
        "🥾": edged(draw("boot"), "on the way"),
        "📜": edged(draw("story")),
        "🗺️": edged(draw("maps"), "encounters"),
        "👥": edged(draw("several"), "several parties"),
        "➡️": edged(draw("forward")),
        "⬅️": edged(draw("back")),
        **tokens,
        **rolled,
    }
