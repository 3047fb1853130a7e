"""Draws all drawings and all pictures of all games onto one page, to be looked at together.

    python tools/art.py [build/art]

The page shows each picture as wide as a phone does, in colour, in greyscale, and as people see it whose eyes lack one
of the three kinds of cones.
"""

from __future__ import annotations

import argparse
import html
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bot.art.drawings import Drawings
from bot.art.ink import Part
from bot.art.picture import Picture
from bot.art.rendering import render
from bot.art.scene import WIDTH, Scene
from bot.language import speaking
from bot.tables.model import Seat
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.names import Names
from cogs import make_screens
from engine.game import AnyGame
from engine.registry import load_games
from tests.cogs.pictures import sheets

ROOT = Path(__file__).parents[1]
PHONE = 330
"""The width of a picture on a phone, in the pixels of a web page."""
VIGNETTE_MATCHES = 3
VIGNETTES = 60
"""So many matches of each variant are looked through, and so many small pictures shown at most."""
MOMENTS = (0.0, 0.5, 0.9, 1.0)
"""At which parts of a match pictures are taken."""


def sheet_of(parts: Sequence[Part], columns: int = 8) -> Picture:
    """All these parts on one picture, in rows."""
    cell = WIDTH // columns
    rows = -(-len(parts) // columns)
    scene = Scene(WIDTH, cell * rows)
    for number, part in enumerate(parts):
        room = cell - 12
        scale = min(room / part.width, room / part.height)
        x = number % columns * cell + (cell - part.width * scale) / 2
        y = number // columns * cell + (cell - part.height * scale) / 2
        scene.place(part, x, y, part.width * scale)
    return scene.picture("parts")


def vignettes_of(game: AnyGame, screens: AnyScreens) -> Iterator[tuple[str, Picture]]:
    """Every small picture of a turn that matches of all variants bring."""
    seen: set[str] = set()
    for options in game.variants(game.max_seats):
        for number in range(VIGNETTE_MATCHES):
            seed = b"vignettes %d" % number
            state, chance = game.new(game.max_seats, options, seed), Random(seed)
            turn, mover = list[SeenEvent](), -1
            while pending := game.pending(state):
                seat = pending[0].seat
                events = game.apply(state, seat, game.sample(state, seat, chance))
                turn = turn if seat == mover else []
                mover = seat
                turn += [SeenEvent(event.kind, event.seat, event.seen_by(None)) for event in events]
                picture = screens.vignette(turn)
                if picture is not None and picture.key not in seen and len(seen) < VIGNETTES:
                    seen.add(picture.key)
                    yield "vignette", picture


def sheets_of(game: AnyGame, screens: AnyScreens, state: Any) -> Iterator[tuple[str, Picture]]:
    """The pictures of all sheets to which the table message leads."""
    view = game.view(state, None)
    names = Names([Seat(name) for name in ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")[: view.seats]])
    for pressed in sheets(screens, view, names):
        picture = screens.sheet_picture(view, pressed)
        if picture is not None:
            yield f"sheet {pressed.intent} {pressed.arg}", picture


def match_of(game: AnyGame, seats: int, options: Any, seed: bytes) -> list[Any]:
    """The states of a match that random moves play, from the first to the last."""
    state = game.new(seats, options, seed)
    chance = Random(seed)
    states = [game.copy(state)]
    while pending := game.pending(state):
        seat = pending[0].seat
        game.apply(state, seat, game.sample(state, seat, chance))
        states.append(game.copy(state))
    return states


def moments(game: AnyGame, seats: int, options: Any) -> Iterator[tuple[str, Any]]:
    """States from the beginning, the middle and the end of a match, each with what it is."""
    states = match_of(game, seats, options, b"pictures")
    for share in MOMENTS:
        yield f"{share:.0%} of a match", states[round((len(states) - 1) * share)]


def pictures_of(game: AnyGame, screens: AnyScreens) -> Iterator[tuple[str, Picture]]:
    """A game's pictures with what they are: every variant, every number of seats, at several moments."""
    if (banner := screens.banner()) is not None:
        yield "banner", banner
    for seats in range(game.min_seats, game.max_seats + 1):
        for options in game.variants(seats):
            said = " ".join(map(str, options.model_dump(exclude_none=True, exclude_defaults=True).values()))
            for when, state in moments(game, seats, options):
                title = f"{seats} seats {said} {when}"
                if (table := screens.table_picture(game.view(state, None))) is not None:
                    yield f"{title}: table", table
                if (own := screens.own_picture(game.view(state, 0))) is not None:
                    yield f"{title}: own", own
                for sheet, picture in sheets_of(game, screens, state):
                    yield f"{title}: {sheet}", picture
                if not game.pending(state) and (podium := screens.podium(game.view(state, None))) is not None:
                    yield f"{title}: result", podium
    yield from vignettes_of(game, screens)


# Brettel and others' half planes, as the usual matrices for linear light, approximated for sRGB.
_EYES = {
    "protan": "0.152 1.053 -0.205 0 0  0.115 0.786 0.099 0 0  -0.004 -0.048 1.052 0 0  0 0 0 1 0",
    "deutan": "0.367 0.861 -0.228 0 0  0.280 0.673 0.047 0 0  -0.012 0.043 0.969 0 0  0 0 0 1 0",
    "tritan": "1.256 -0.077 -0.179 0 0  -0.078 0.931 0.148 0 0  0.005 0.691 0.304 0 0  0 0 0 1 0",
}
_STYLE = f"""
body {{ background: #313338; color: #dbdee1; font: 13px sans-serif; margin: 12px }}
figure {{ display: inline-block; vertical-align: top; margin: 6px; max-width: {PHONE}px }}
img {{ width: {PHONE}px; display: block; border-radius: 6px }}
.eyes img {{ width: {PHONE * 2}px }}
figcaption {{ padding: 3px 0; color: #949ba4 }}
"""


class Page:
    """A web page in a folder of its own, with pictures as files beside it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lines = [
            f"<!doctype html><meta charset=utf-8><title>Pictures</title><style>{_STYLE}</style>",
            "<svg width=0 height=0>",
            *[
                f'<filter id="{eyes}"><feColorMatrix values="{matrix}"/></filter>'
                for eyes, matrix in _EYES.items()
            ],
            "</svg>",
        ]

    def heading(self, text: str) -> None:
        self._lines.append(f"<h2>{html.escape(text)}</h2>")

    def picture(self, title: str, picture: Picture, *, eyes: str = "") -> None:
        """Adds a picture, once for each text; the browser shows it as other eyes see it."""
        name = f"{picture.key}.png"
        path = self._folder / name
        if not path.exists():
            path.write_bytes(render(picture))
        size = f"{picture.width}×{picture.height}, {path.stat().st_size // 1000} kB"
        look = {"": "", "grey": "filter: grayscale(1)"}.get(eyes, f"filter: url(#{eyes})")
        shown = f'<img src="{name}" alt="{html.escape(picture.alt)}" style="{look}" loading=lazy>'
        caption = f"<b>{html.escape(title)}</b> {eyes} ({size})<br>{html.escape(picture.alt)}"
        kind = "eyes" if eyes else ""
        self._lines.append(f'<figure class="{kind}">{shown}<figcaption>{caption}</figcaption></figure>')

    def save(self) -> Path:
        path = self._folder / "index.html"
        path.write_text("\n".join(self._lines), encoding="utf-8")
        return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/art"))
    parser.add_argument("--game", help="only this game")
    given = parser.parse_args()
    games = load_games()
    page = Page(given.folder)
    for folder in sorted((*ROOT.glob("bot/art/drawings"), *ROOT.glob("cogs/*/art/drawings"))):
        page.heading(f"Drawings in {folder.relative_to(ROOT)}")
        for eyes in ("", "grey", *_EYES):
            page.picture("drawings", sheet_of(Drawings(folder).all()), eyes=eyes)
    with speaking("en"):
        for key, screens in make_screens(games).items():
            if given.game not in (None, key):
                continue
            page.heading(screens.title())
            for title, picture in pictures_of(games[key], screens):
                page.picture(title, picture)
    print(page.save())


if __name__ == "__main__":
    main()
