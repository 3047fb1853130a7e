"""The pictures of Archaeology, and what those of both games share."""

from __future__ import annotations

import re
from dataclasses import fields
from itertools import pairwise
from typing import Any

import pytest

from bot.art.common import draw as common
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Pen, figures
from bot.language import languages, speaking
from bot.tables.model import Seat
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import PICTURED, SEATS
from bot.ui.screens.names import Names
from cogs.archaeology_family import names
from cogs.archaeology_family.art import draw, hand
from cogs.archaeology_family.art.cards import treasure
from cogs.archaeology_family.art.results import podium
from cogs.archaeology_family.recap import moment
from cogs.archaeology_family.screens import FamilyScreens
from engine.archaeology_family.card_list import TREASURES
from engine.archaeology_family.rules import ArchaeologyFamily
from engine.archaeology_family.state import View
from engine.game import Outcome
from tests.cogs import pictures
from tests.cogs.in_memory import ENGINES

KEY = "archaeology"
APART = 30.0
"""Two drawings are told apart in greyscale if their pixels differ by so much on average. If the main colour of a
drawing is exchanged for any other, it differs from itself by less, but for three drawings that have only one colour;
any two of the treasures differ by 44 at least, and any two emoji by 33."""

HANDS = (
    (1, 0, 0, 0, 0, 0, 0),
    (2, 1, 0, 3, 0, 1, 0),
    (7, 3, 4, 2, 3, 1, 2),
    (1, 1, 1, 1, 1, 1, 1),
    (18, 16, 14, 8, 6, 6, 4),
    (0, 0, 0, 0, 0, 6, 0),
    (18, 0, 0, 0, 0, 0, 0),
)


def view_of(viewer: int | None = 0, seats: int = 4, **changed: Any) -> View:
    """A view of a match that has just begun, with some facts replaced."""
    game = ENGINES[KEY]
    view = game.view(game.new(seats, next(iter(game.variants(seats))), b"p" * 32), viewer)
    return View.of({**{field.name: getattr(view, field.name) for field in fields(view)}, **changed})


def screens() -> FamilyScreens[Any, Any]:
    made = pictures.screens_of(KEY)
    assert isinstance(made, FamilyScreens)
    return made


@pytest.mark.sampled
@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_the_table_looks_the_same_to_all(key: str) -> None:
    for course in pictures.matches(key):
        for match in pictures.moments(course):
            public = match.game.view(match.state, None)
            for viewer in range(public.seats):
                own = match.game.view(match.state, viewer)
                assert match.screens.table_picture(own) == match.screens.table_picture(public)


def test_nobody_is_marked_on_the_table_once_no_decision_is_open() -> None:
    tables = [screens().table_picture(view_of(None, pending=(), active=seat)) for seat in range(2)]
    assert tables[0] == tables[1]
    assert tables[0] != screens().table_picture(view_of(None))


def test_each_treasure_and_hazard_has_an_emoji_of_its_own() -> None:
    emoji = screens().emoji_parts()
    assert set(emoji) > {*names.EMOJI[:7], names.THIEF, names.SANDSTORM}
    assert not set(emoji) & set(names.EMOJI[7:]), "what only the other game has"
    for part in emoji.values():
        assert (part.width, part.height) == (100, 100)


@pytest.mark.sampled
def test_every_drawing_is_in_a_picture() -> None:
    sales = (SeenEvent("sold", 0, {"treasure": 6, "count": 4, "price": 50}),)
    crafted = [screens().vignette(sales), screens().own_picture(view_of(hand=(1,) * 7))]
    crafted += [
        screens().table_picture(view_of(market=(3,) * 7, chambers=chambers))
        for chambers in ((3, 5, 7), (0, 0, 0))
    ]
    crafted += [screens().table_picture(view_of(sold=(((0, n),),) * 4)) for n in range(1, 6)]
    of_the_other_game = ("aeroplane", "broken pendant", "broken tablet", "rubble", "tent gone")
    made = [*pictures.all_pictures(KEY), *filter(None, crafted)]
    pictures.check_drawings(draw, screens(), made, of_the_other_game)


def test_treasures_and_hazards_are_told_apart_without_colours() -> None:
    pictures.check_distinct({part.name: part for part in map(treasure, range(len(TREASURES)))}, APART)
    # Seats' tokens are told apart from each other (`tests/cogs/artifact`), and stand beside names alone.
    emoji = screens().emoji_parts()
    pictures.check_distinct({each: part for each, part in emoji.items() if each not in SEATS}, APART)


@pytest.mark.parametrize("cards", HANDS, ids=str)
def test_every_hand_has_room_on_its_picture(cards: tuple[int, ...]) -> None:
    picture = hand.own_picture(view_of(hand=cards))
    assert picture is not None
    pictures.check_drawing("own", picture)
    places = [float(x) for x in re.findall(r"<use [^>]*translate\(([-\d.]+)", picture.svg)]
    assert min(places) >= 0
    assert max(places) <= 720 - hand.NARROWEST + 8


def test_the_picture_of_a_hand_takes_the_place_of_its_text() -> None:
    def own_texts(cards: tuple[int, ...]) -> list[int | None]:
        items = screens().private(
            view_of(hand=cards), Names([Seat("Ana"), Seat("Ben"), Seat("Cara"), Seat("Dan")]), {}, Id("", 1)
        )
        return [item.get("id") for item in items if "content" in item]

    assert own_texts((4, 0, 2, 0, 0, 0, 0))[:2] == [None, PICTURED], "the money is in no picture"


def test_sets_that_have_no_room_side_by_side_are_put_together() -> None:
    view = view_of()
    runs = hand.merged(hand.runs_of(hand.Hand((18, 0, 0, 0, 0, 2, 0), view.prices, view.trade)))
    assert [(run.kind, run.cards, run.prices) for run in runs] == [(0, 18, (15, 15, 15, 3)), (5, 2, (3, 3))]


def test_who_holds_nothing_has_no_picture_of_a_hand() -> None:
    assert hand.own_picture(view_of(hand=(0,) * 7)) is None
    assert hand.own_picture(view_of(viewer=None)) is None


def table(**changed: Any) -> Picture:
    picture = screens().table_picture(view_of(viewer=None, **changed))
    assert picture is not None
    return picture


def test_the_fullest_table_keeps_to_its_size_and_is_described_whole() -> None:
    sold = ((0, 5), (1, 4), (2, 5), (3, 5), (4, 2), (5, 1), (5, 1), (6, 4), (0, 1), (1, 1), (2, 2), (3, 1))
    full = {
        "market": (18, 16, 14, 8, 6, 6, 4),
        "sold": (sold,) * 4,
        "sizes": (31, 12, 40, 28),
        "money": (123,) * 4,
    }
    for language in languages():
        with speaking(language):
            picture = table(**full)
            pictures.check_drawing("table", picture)
            pictures.check_file(picture)


def test_whatever_changes_on_the_table_changes_the_picture() -> None:
    """Each of these is seen: a card in the market, a lower dig site, a hand, money, a sale, a hazard, a turn."""
    changes: tuple[dict[str, Any], ...] = (
        {},
        {"market": (1, 1, 1, 1, 1, 1, 0)},
        {"market": (1, 1, 1, 1, 1, 2, 0)},
        {"site": 30},
        {"site": 0},
        {"thieves": 3},
        {"sandstorms": 0},
        {"sizes": (4, 4, 5, 4)},
        {"money": (0, 0, 12, 0)},
        {"sold": (((0, 2),), (), (), ())},
        {"sold": (((0, 3),), (), (), ())},
        {"active": 2},
        {"chambers": (0, 5, 7)},
    )
    drawn = [table(**{"active": 0, "market": (1, 1, 1, 1, 1, 0, 0), **change}).key for change in changes]
    assert len(set(drawn)) == len(changes)


def test_a_dig_site_sinks_with_its_cards() -> None:
    def surface(cards: int) -> float:
        pile = re.findall(
            r'<use href="#p[0-9a-f]+" transform="translate\(378 ([\d.]+)\) scale\(0.9286\)"',
            table(site=cards).svg,
        )
        return float(pile[-1])

    heights = [surface(cards) for cards in (48, 36, 24, 12, 1)]
    assert all(before < after for before, after in pairwise(heights))


def seen_event(kind: str, seat: int | None = 0, **facts: Any) -> SeenEvent:
    return SeenEvent(kind, seat, facts)


def test_cards_that_the_viewer_may_know_lie_face_up() -> None:
    found = {"chamber": 1, "maps": 2, "count": 3}
    hidden, known = seen_event("explored", **found), seen_event("explored", **found, cards=[(0, 2), (3, 1)])
    theft, seen_theft = seen_event("stolen", victim=1), seen_event("stolen", victim=1, treasure=5)
    for unknown, open_to_viewer, backs, text in (
        (hidden, known, 3, "comes back with 2 Pot Shards and 1 Talisman."),
        (theft, seen_theft, 1, "A Thief steals 1 Map from the second player for the first player."),
    ):
        public, own = screens().vignette([unknown]), screens().vignette([open_to_viewer])
        assert public
        assert own
        (back,) = (name for name, body in public.parts.items() if body == common("card-back").body)
        assert sum(f'href="#{back}"' in layer.element for layer in public.layers) == backs
        assert back not in own.parts
        assert own.alt.endswith(text)
        pictures.check_drawing("vignette", own)
    both = screens().vignette([seen_theft, seen_event("sold", treasure=4, count=2, price=15)])
    assert both == screens().vignette([seen_theft])


def test_a_sale_stands_out_if_it_is_dear_or_a_full_set_and_the_dearest_most() -> None:
    for key in ("archaeology", "expedition"):
        game = ENGINES[key]
        assert isinstance(game, ArchaeologyFamily)
        full = len(game.card_list.treasures[3].sales)
        for n, price, level in ((2, 14, 0), (2, 15, 1), (full, 9, 0), (full, 10, 1), (2, 25, 2), (2, 35, 3)):
            sale = seen_event("sold", treasure=3, count=n, price=price)
            assert moment(sale, None, game.card_list) == level


def test_what_all_talk_about_is_told_in_a_picture_as_wide_as_the_message() -> None:
    wide = (
        [
            seen_event("sandstorm"),
            *(seen_event("lost", seat, cards=[(0, 4), (1, 3), (2, 3)]) for seat in range(4)),
        ],
        [seen_event("sandstorm")],
        [seen_event("sandstorm"), seen_event("lost", 1, cards=[(0, 2)]), seen_event("stolen", victim=1)],
        [seen_event("thief")],
        [seen_event("stolen", victim=1)],
        [seen_event("explored", chamber=1, maps=2, count=13)],
        [seen_event("sold", treasure=3, count=5, price=40)],
        [seen_event("kept", chamber=1, count=2, left=3)],
    )
    for events in wide:
        picture = screens().vignette(events)
        assert picture is not None
        assert picture.width == WIDTH
        pictures.check_drawing("vignette", picture)
        pictures.check_file(picture)
        assert all(layer.x + layer.width <= WIDTH for layer in picture.layers)


def test_the_stand_tells_ranks_and_money_apart() -> None:
    outcomes = [
        Outcome((1, 2, 3, 4), (9, 8, 7, 6), "score"),
        Outcome((1, 2, 2, 4), (9, 8, 7, 6), "score"),
        Outcome((1, 2, 2, 4), (9, 8, 8, 6), "score"),
        Outcome((1, 1, 3, 4), (9, 9, 7, 6), "shared"),
        Outcome((2, 1, 3, 4), (8, 9, 7, 6), "score"),
    ]
    drawn = [podium(view_of(viewer=None, outcome=outcome)) for outcome in outcomes]
    assert len({picture.key for picture in drawn}) == len(outcomes)
    for picture, outcome in zip(drawn, outcomes, strict=True):
        pictures.check_drawing("podium", picture)
        for number in {*outcome.ranks, *outcome.scores}:
            (strokes,) = re.findall(r' d="[^"]+"', figures(str(number), 30, Pen()))
            assert strokes in picture.svg
