"""Invariants of every game's pictures: checks that the tests of each game's pictures share.

A game's tests call them with the game's key. They look at random matches, at every number of seats and in all variants.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from gettext import NullTranslations
from itertools import combinations, product
from random import Random
from typing import Any, Final
from unittest.mock import patch

from PIL import Image, ImageChops, ImageStat
from simcord.components import walk_components

from bot import language
from bot.art.drawings import Drawings, as_emoji
from bot.art.ink import PAPER, Part
from bot.art.picture import ALT_TEXT, Picture
from bot.art.rendering import Tiles, pixels, render
from bot.art.scene import WIDTH, Scene
from bot.language import languages, speaking
from bot.ui.screens.game_screens import AnyScreens, Pressed, SeenEvent
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.kit import Screen
from bot.ui.screens.names import Names
from tests.bot.art.composed import check_composed
from tests.cogs.in_memory import ENGINES, SCREENS, Match
from tests.cogs.page import BUTTON
from tests.engine.conformance import LONGEST, cases, few
from tests.sampling import FULL

MOST_BYTES: Final = 150_000
TILES: Final = Tiles()
MOST_SHEETS: Final = 30
SHEETS_OF: Final = 2
"""The sheets of one of a match's moments are looked at, because there are many."""
HIGHEST: Final = {
    "banner": 240,
    "table": 1080,
    "own": 440,
    "podium": 300,
    "sheet": 620,
    "vignette": 380,  # a Thief below a Sandstorm
    "profile": 602,
    "season": 220,
}
"""The most pixels that a picture may be high, by the first word of what it is. The highest table is that of four
companies in Artifacts, Inc., which leaves no scores and museums to the text below it.
"""
MOMENTS: Final = 3
"""At so many moments of each match pictures are looked at."""
MOVED: Final = 2
"""By so many pixels parts are moved over each other when they are compared."""
GREY_SIDE: Final = 44
"""The size in pixels at which parts are compared: about that of a treasure beside a line on a phone."""


def matches(key: str, number: int = 0) -> Iterator[list[Match]]:
    """A random match of each variant of the game at each number of seats, as its states from the first to the last."""
    every = cases({key: ENGINES[key]})
    for case in every if FULL else few(every):
        chance = Random(f"pictures {case.name} {number}")
        state = case.game.new(case.seats, case.options, chance.randbytes(32))
        seen_turns = [(0, event) for event in case.game.opening(state)]
        course = [Match(case.game, case.game.copy(state), list(seen_turns))]
        while pending := case.game.pending(state):
            seat = chance.choice(pending).seat
            move = case.game.sample(state, seat, chance)
            seen_turns += [(len(course), event) for event in case.game.apply(state, seat, move)]
            movers = {**course[-1].movers, len(course): seat}
            course.append(Match(case.game, case.game.copy(state), list(seen_turns), movers))
            assert len(course) < LONGEST
        yield course


def moments(course: Sequence[Match], limit: int = MOMENTS) -> list[Match]:
    """The first state of a match, the last, and some between."""
    steps = min(limit, len(course)) - 1
    return [course[round((len(course) - 1) * step / steps)] for step in range(steps + 1)]


def shown(
    match: Match, viewer: int | None, state: Any = None, *, looked_up: bool = True
) -> dict[str, Picture]:
    """All pictures that this viewer may see of the match in this state, by what each is; sheets if `looked_up`."""
    game, screens = match.game, match.screens
    state = match.state if state is None else state
    public = game.view(state, None)
    made: dict[str, Picture | None] = {"banner": screens.banner(), "table": screens.table_picture(public)}
    if viewer is not None:
        made["own"] = screens.own_picture(game.view(state, viewer))
    if game.outcome(state) is not None:
        made["podium"] = screens.podium(public)
    for pressed in sheets(screens, public, Names(match.table(state).seats)) if looked_up else ():
        picture = screens.sheet_picture(public, pressed)
        made.setdefault(f"sheet {pressed.intent}", picture)
        made[f"sheet {pressed.intent} {pressed.arg}"] = picture
    return {what: picture for what, picture in made.items() if picture is not None}


def sheets(screens: AnyScreens, public: Any, names: Names) -> list[Pressed]:
    """The sheets that can be looked up: from the table message, and from one sheet to the next."""
    found = [Pressed(action.intent, action.arg, {}) for action in screens.sheets(public, names)]
    for pressed in found:  # which grows meanwhile
        if len(found) > MOST_SHEETS:
            break
        items = Screen().add(screens.sheet(public, names, pressed, Id("", 1))).view().to_components()
        for part in walk_components(items):
            to = read_id(part.get("custom_id", ""))
            if to is not None and part["type"] == BUTTON:
                further = Pressed(to.intent, to.arg, {})
                found += [further] if further not in found else []
    return found


def turns(match: Match, viewer: int | None) -> list[list[SeenEvent]]:
    """The events, as this viewer may know them, a list for each row of moves that one player made."""
    seen_turns: list[list[SeenEvent]] = []
    last: int | None = None
    for sequence, event in match.events:
        mover = match.movers.get(sequence)
        if mover != last or not seen_turns:
            seen_turns.append([])
            last = mover
        seen_turns[-1].append(SeenEvent(event.kind, event.seat, event.seen_by(viewer)))
    return seen_turns


def vignettes(match: Match, viewer: int | None = None) -> list[Picture | None]:
    """The picture of each turn of a match, None for the turns that have none."""
    return [match.screens.vignette(events) for events in turns(match, viewer)]


# -- single pictures


def check_drawing(what: str, picture: Picture) -> None:
    """Checks a picture's size and text, and that it holds no word and nothing that is not in it."""
    assert picture.height <= HIGHEST[what.split()[0]], what
    widths = (240, WIDTH) if what.startswith("vignette") else (WIDTH,)
    assert picture.width in widths, what
    assert 20 <= len(picture.alt) <= ALT_TEXT, what
    assert "{" not in picture.alt, picture.alt
    for forbidden in ("<text", "font", "<image", "http://", "https://"):
        assert forbidden not in picture.svg.replace("http://www.w3.org/2000/svg", ""), forbidden
    known = re.findall(r'id="([^"]+)"', picture.svg)
    assert len(known) == len(set(known))
    assert set(re.findall(r'href="#([^"]+)"', picture.svg)) <= set(known)


def check_file(picture: Picture) -> None:
    """Checks that a picture can be made into a file that is small enough, and that this shows what its SVG does."""
    assert len(render(picture, TILES)) <= MOST_BYTES
    check_composed(picture, TILES)


def check_languages(match: Match, viewer: int | None, *, looked_up: bool) -> None:
    """Checks each of these pictures in all languages: other sentences each time, and the same drawing."""
    drawn: dict[str, set[str]] = {}
    texts: dict[str, set[str]] = {}
    for name in languages():
        with speaking(name):
            for what, picture in shown(match, viewer, looked_up=looked_up).items():
                check_drawing(what, picture)
                drawn.setdefault(what, set()).add(picture.key)
                texts.setdefault(what, set()).add(picture.alt)
    assert all(len(keys) == 1 for keys in drawn.values()), drawn
    assert all(len(alts) == len(languages()) for alts in texts.values()), texts


class Marked(NullTranslations):
    """A language in which every text is the English one in brackets: what has none was not meant to be translated."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


@contextmanager
def speaking_in_brackets() -> Generator[None]:
    """Within it, texts are in the language of brackets: for `check_translated`."""
    language.forget_texts()
    with patch.object(language, "_catalogue", lambda _name: Marked()):
        yield
    language.forget_texts()


def check_translated(texts: Iterable[str]) -> None:
    """Checks that all words of these texts, which were made in the language of brackets, went through gettext."""
    for text in texts:
        rest = text
        while (inner := re.sub("⟦[^⟦⟧]*⟧", "", rest)) != rest:
            rest = inner
        assert not re.search(r"\w", rest), f"{rest} of {text}"


# -- whole games


def check_every_picture(key: str, needed: Iterable[str]) -> None:
    """Checks pictures of random matches, all variants and numbers of seats; there must be one of each needed kind."""
    seen: set[str] = set()
    files: dict[str, Picture] = {}
    for course in matches(key):
        for number, match in enumerate(moments(course)):
            viewer = number % match.game.view(match.state, None).seats
            looked_up = number == SHEETS_OF
            check_languages(match, viewer, looked_up=looked_up)
            with speaking_in_brackets():
                made = shown(match, viewer, looked_up=looked_up)
                check_translated(each.alt for each in made.values())
            seen |= made.keys()
        late = shown(course[len(course) * 2 // 3], 0, looked_up=FULL).values()
        files |= {picture.key: picture for picture in (*late, *shown(course[-1], 0).values())}
        small = list(filter(None, vignettes(course[-1])))
        for picture in small:
            check_drawing("vignette", picture)
            seen.add("vignette")
        files |= {picture.key: picture for picture in small[-2:]}
        with speaking_in_brackets():
            check_translated(made.alt for made in vignettes(course[-1]) if made)
    for picture in files.values():
        check_file(picture)
    assert set(needed) <= {what.split()[0] for what in seen}


def check_secrecy(key: str) -> None:
    """Checks that what a viewer may not know changes neither their pictures nor the texts beside them."""
    for course in matches(key):
        for match in moments(course):
            seats = match.game.view(match.state, None).seats
            for viewer in (None, *range(seats)):
                view = match.game.view(match.state, viewer)
                other = match.game.determinize(view, Random(f"{viewer}"))
                # Sheets are a spectator's, whoever looks them up.
                mine, others = (
                    shown(match, viewer, state, looked_up=viewer is None) for state in (match.state, other)
                )
                assert mine == others
        public = list(zip(turns(course[-1], None), vignettes(course[-1]), strict=True))
        for viewer in range(course[-1].game.view(course[-1].state, None).seats):
            own = zip(turns(course[-1], viewer), vignettes(course[-1], viewer), strict=True)
            for (events, picture), (known, shown_to_viewer) in zip(public, own, strict=True):
                if events == known:
                    assert shown_to_viewer == picture, "a turn's picture shows what the viewer knows"


def check_drawings(
    drawings: Drawings, screens: AnyScreens, pictures: Iterable[Picture], besides: Collection[str] = ()
) -> None:
    """Checks that each drawing of a folder is in a picture of the game or is an emoji, but those `besides`, by name."""
    emoji = "".join(part.body for part in screens.emoji_parts().values())
    # A part that stands for an emoji is in its drawing whole, within the pale edge.
    everything = emoji + "".join({picture.key: picture.svg for picture in pictures}.values())
    unseen = {
        part.name
        for part in drawings.all()
        if not any(body in everything for body in (part.body, as_emoji(part).body))
    }
    assert sorted(unseen) == sorted(besides)


def all_pictures(key: str) -> Iterator[Picture]:
    """The pictures of random matches at many moments, with those of each turn: to look for what must be in some."""
    for course in matches(key):
        for number, match in enumerate(moments(course, 5 * MOMENTS)):
            yield from shown(match, number % match.game.view(match.state, None).seats).values()
        yield from filter(None, vignettes(course[-1]))


# -- what differs in more than its colour


@cache
def grey(part: Part) -> Image.Image:
    """A part on paper, in greyscale."""
    scene = Scene(100, 100, PAPER)
    scale = min(100 / part.width, 100 / part.height)
    scene.place(part, (100 - part.width * scale) / 2, (100 - part.height * scale) / 2, part.width * scale)
    return pixels(scene.picture(part.name).svg, GREY_SIDE).convert("L")


def grey_distance(one: Part, other: Part) -> float:
    """How far two parts are apart in greyscale: the mean difference of their pixels, from 0 to 255.

    They are laid over each other where they differ least, so that the same drawing is near itself wherever it stands.
    """
    return min(
        ImageStat.Stat(ImageChops.difference(grey(one), ImageChops.offset(grey(other), x, y))).mean[0]
        for x, y in product(range(-MOVED, MOVED + 1), repeat=2)
    )


def check_distinct(parts: Mapping[str, Part], least: float) -> None:
    """Checks that any two of these parts, which stand for different things, are told apart without their colours."""
    near = {
        (one, other): distance
        for one, other in combinations(parts, 2)
        if (distance := grey_distance(parts[one], parts[other])) < least
    }
    assert not near


def screens_of(key: str) -> AnyScreens:
    """The screens of a game."""
    return SCREENS[key]
