"""The pictures of Artifact: that all on them can be told apart and read on a phone, and what written matches lack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import islice
from random import Random
from typing import Any

import pytest
from PIL import ImageChops, ImageStat

from bot.art import common
from bot.art.ink import Part
from bot.art.picture import Picture
from bot.art.rendering import pixels
from bot.art.scene import WIDTH, Scene
from bot.language import speaking
from bot.ui.screens.game_screens import Pressed, SeenEvent
from cogs.artifact import names
from cogs.artifact.art import draw, marks, pictures
from cogs.artifact.screens import ArtifactScreens
from cogs.artifact.turn import EQUIP
from engine.artifact import create
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.party import ABILITIES, EQUIPMENT, MEMBERS
from engine.artifact.rules import Artifact
from tests.cogs import pictures as check
from tests.cogs.limits import EVERY_LANGUAGE
from tests.engine.artifact.oracle import BUILT_IN
from tests.engine.artifact.scene import GAME, d6, d10, pick, play, scene, two

KEY = Artifact.key
SCREENS = ArtifactScreens(GAME)
SCENARIOS = [one.key for one in GAME.catalogue.scenarios]
EACH_SCENARIO = pytest.mark.parametrize("scenario", SCENARIOS)


def shown(picture: Picture | None) -> Picture:
    assert picture is not None
    return picture


def table(state: s.State) -> Picture:
    return shown(SCREENS.table_picture(GAME.view(state, None)))


def uses(picture: Picture, part: Part) -> list[tuple[float, float, float]]:
    """Where this part is placed in a picture, each time: left edge, upper edge, width."""
    defined = re.search(rf'<g id="(p[0-9a-f]+)">{re.escape(part.body)}</g>', picture.svg)
    if defined is None:
        return []
    found = re.findall(rf'href="#{defined[1]}" transform="([^"]+)"', picture.svg)
    return [_place(moved, part) for moved in found]


def _place(moved: str, part: Part) -> tuple[float, float, float]:
    where = re.match(r"translate\((\S+) (\S+)\)", moved)
    scale = re.search(r"scale\((\S+)\)", moved)
    assert where
    return float(where[1]), float(where[2]), part.width * (float(scale[1]) if scale else 1)


def tokens(picture: Picture) -> Iterator[tuple[float, float, float]]:
    for seat in range(len(common.SEAT_COLOURS)):
        yield from uses(picture, common.token(seat))


def events_of(state: s.State, move: Any, *dice: int) -> list[SeenEvent]:
    """The public events of a move that is made with these dice."""
    return [SeenEvent(one.kind, one.seat, one.seen_by(None)) for one in play(state, move, *dice)]


# -- what holds of all games' pictures


def test_every_drawing_is_in_some_picture() -> None:
    some = islice(check.all_pictures(KEY), 400)
    check.check_drawings(draw, SCREENS, [*some, *map(table, lands_of_every_scenario()), *seldom()])


MINE = create({"my_land.json": BUILT_IN["lost_city.json"] | {"key": "my_land"}})


def lands_of_every_scenario() -> list[s.State]:
    return [scene(3, 9, scenario=one.key, game=MINE) for one in MINE.catalogue.scenarios]


def seldom() -> Iterator[Picture]:
    """States that random matches may not reach: every member wounded, every Aid and Challenge, a party that is out."""
    wounded = scene(3, 9, parties={0: " / ".join(["!"] * MEMBERS)}, aids={0: " ".join(every_aid(GAME))})
    yield shown(SCREENS.own_picture(GAME.view(wounded, 0)))
    known = [(one.key, encounter) for one in MINE.catalogue.scenarios for encounter in one.encounters.items()]
    for scenario, (key, found) in known:
        if found.challenge:
            facts = {"scenario": scenario, "part": 1, "dice": (1, 1), "encounter": key}
            drawn = ArtifactScreens(MINE).vignette([SeenEvent("challenge", 0, facts)])
            assert drawn
            yield drawn
    taken = SCREENS.vignette(events_of(scene(27, 9), m.ROLL, d6(3)))
    assert taken
    yield taken
    out = SCREENS.vignette([SeenEvent("party_out", 0, {"square": 4})])
    assert out
    yield out
    for rolls in (range(1, 7), range(5, 11)):
        order = {"rolls": [*enumerate(rolls)]}
        drawn = SCREENS.vignette(
            [SeenEvent("parties", None, {"parties": [{}] * 6}), SeenEvent("order", 5, order)]
        )
        assert drawn
        yield drawn
    yield table(scene(0, 9, 4, skips=[1], phase=s.ABILITY, active=1, opponent=2))
    for scenario in GAME.catalogue.scenarios:
        for one in scenario.encounters.values():
            if one.challenge:
                yield table(scene(5, 9, scenario=scenario.key, phase=s.CHALLENGE, encounter=one.key))


def every_aid(game: Artifact) -> list[str]:
    return [*game.catalogue.scenarios[game.catalogue.numbers["lost_city"]].aids]


# -- told apart without colours

APART = 20.0
"""The least distance in greyscale. One part drawn twice, its lines trembling otherwise, is up to 10 from itself."""
NEAR = 8.0
"""The same for what shares an outline on purpose, so that all of the distance is in what it shows."""
SAME_OUTLINE = {"found Aids", "emoji"}
"""Parcels with an ability's sign, and tiles with a number."""

FAMILIES: dict[str, Mapping[str, Part]] = {
    "abilities": {key: marks.ability(number) for number, key in enumerate(ABILITIES)},
    "equipment": {one.key: marks.aid(one) for one in EQUIPMENT},
    "found Aids": {key: marks.found(number) for number, key in enumerate(ABILITIES)},
    "members": {str(number): marks.member(number) for number in range(marks.FACES)},
    "treasures": {key: marks.prize(key) for key in (*SCENARIOS, "")},
    "penalties": {kind: marks.penalty(kind) for kind in marks.PENALTIES},
    "signs": {part.name: part for part in (draw("fight"), marks.challenge(), draw("pack"), draw("home"))},
    "tokens": {str(seat): common.token(seat) for seat in range(len(common.SEAT_COLOURS))},
    "homes": {key: marks.home(key) for key in (*SCENARIOS, "")},
    "ends": {key: marks.end(key) for key in (*SCENARIOS, "")},
    "perils": {
        part.name: part
        for scenario in GAME.catalogue.scenarios
        for one in scenario.encounters.values()
        if one.challenge
        for part in [marks.peril(scenario.key, one.part, one.title)]
    },
    "emoji": SCREENS.emoji_parts(),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_parts_that_stand_for_different_things_differ_without_their_colours(family: str) -> None:
    check.check_distinct(FAMILIES[family], NEAR if family in SAME_OUTLINE else APART)


@pytest.mark.parametrize("number", range(marks.FACES))
def test_a_wounded_member_looks_otherwise_than_a_well_one(number: int) -> None:
    assert check.grey_distance(marks.member(number), marks.member(number, wounded=True)) > NEAR


@pytest.mark.parametrize("part", [0, 1])
def test_squares_where_somebody_has_been_are_told_from_others(part: int) -> None:
    known, unknown = marks.square(part, trodden=True), marks.square(part, trodden=False)
    assert check.grey_distance(known, unknown) > APART


# -- the trail


@pytest.mark.parametrize("seed", range(60))
def test_wherever_parties_stand_no_token_covers_another_and_all_are_large_enough_for_a_phone(
    seed: int,
) -> None:
    chance = Random(f"crowd {seed}")
    middle = chance.randint(2, 29)
    near = [min(30, max(2, middle + chance.randint(-1, 1))) for _seat in range(6)]
    squares = [near, [middle] * 6, [chance.randint(2, 30) for _seat in range(6)]][seed % 3]
    skips = [seat for seat in range(6) if chance.random() < 0.3]
    picture = table(scene(*squares, holder=chance.randrange(6), skips=skips, active=chance.randrange(6)))
    places = [*tokens(picture)]
    assert len(places) == 6
    for x, y, width in places:
        assert width >= 28, "13 pixels of a phone"
        assert 0 <= x <= picture.width - width
        assert 0 <= y <= picture.height - width
    for number, (x, y, width) in enumerate(places):
        for other_x, other_y, other in places[:number]:
            assert (
                x + width <= other_x or other_x + other <= x or y + width <= other_y or other_y + other <= y
            )


def test_while_parties_are_made_a_check_shows_who_is_ready_and_nothing_of_what_they_chose() -> None:
    state = GAME.new(3, GAME.variants(3)[0], bytes(32))
    assert not uses(table(state), draw("check"))
    assert not uses(table(state), draw("pin"))
    for seat, pieces in ((2, ("pistols", "tomes")),):
        tens = (0,) * state.rolls[seat].count(10)
        one, other = GAME.copy(state), GAME.copy(state)
        GAME.apply(one, seat, m.Create(tens, pieces))
        GAME.apply(other, seat, m.Create(tuple(8 for _ in tens), ("picks", "texts")))
        assert len(uses(table(one), draw("check"))) == 1
        assert table(one) == table(other)
        assert SCREENS.own_picture(GAME.view(one, 2)) != SCREENS.own_picture(GAME.view(other, 2))
        chosen = SCREENS.view_of_choices(GAME.view(state, seat), {EQUIP: pieces})
        assert len(uses(shown(SCREENS.own_picture(chosen)), draw("pistols"))) == 1, (
            "it is shown before it is made"
        )


def test_a_note_never_covers_a_token() -> None:
    for seed in range(80):
        chance = Random(f"note {seed}")
        squares = [chance.randint(2, 29) for _seat in range(6)]
        squares[1] = squares[0]
        picture = table(scene(*squares, holder=2, phase=s.DEFEND, opponent=1, ability=3))
        x, y, size = uses(picture, draw("fight"))[0]
        # The note lies around its sabres: the ability, a token and a figure to the left, as much to the right.
        left, right = x - 150, x + size + 100
        on_note = [place for place in tokens(picture) if abs(place[1] - y) < 1]
        for token_x, token_y, width in (place for place in tokens(picture) if place not in on_note):
            apart = token_x + width <= left or token_x >= right
            assert apart or token_y + width <= y - 4 or token_y >= y + size + 4


@EVERY_LANGUAGE
@EACH_SCENARIO
def test_pictures_are_the_same_in_every_language(language: str, scenario: str) -> None:
    state = scene(4, 12, 12, holder=2, scenario=scenario)
    with speaking(language):
        spoken = table(state)
    assert spoken.key == table(state).key


# -- sheets


def test_a_party_with_more_aids_than_anybody_holds_still_fits_on_its_sheet() -> None:
    state = scene(4, 12, aids={0: " ".join(every_aid(GAME) * 12)})
    picture = shown(SCREENS.own_picture(GAME.view(state, 0)))
    check.check_drawing("own", picture)
    check.check_file(picture)
    ability = picture.width / len(ABILITIES)
    for number, part in ((0, draw("pistols")), (8, draw("texts")), (8, marks.found(8))):
        places = uses(picture, part)
        assert len(places) == 12
        assert all(number * ability <= x and x + width <= (number + 1) * ability for x, _y, width in places)
    assert "Combat +36" in picture.alt


def test_abilities_are_golden_only_on_the_sheet_of_who_rolls() -> None:
    waits = SCREENS.own_picture(GAME.view(scene(3, 9), 1))
    faced = scene(3, 9, phase=s.CHALLENGE, encounter="rope_bridge", step=1)
    assert SCREENS.own_picture(GAME.view(faced, 1)) == waits
    assert SCREENS.own_picture(GAME.view(faced, 0)) != SCREENS.own_picture(GAME.view(scene(3, 9), 0))


def test_a_sheet_is_looked_up_with_its_picture_and_an_unknown_one_has_none() -> None:
    view = GAME.view(scene(4, 12), None)
    sheet = shown(SCREENS.sheet_picture(view, Pressed("s.party", "1.0", {})))
    own = shown(SCREENS.own_picture(GAME.view(scene(4, 12), 1)))
    assert (
        own.alt == f"{sheet.alt} Square 4: blue circle. Square 12: orange diamond. Square 30: the Artifact."
    )
    assert [layer.at(0, 0) for layer in own.layers[: len(sheet.layers)]] == [
        layer.at(0, 0) for layer in sheet.layers
    ]
    assert own.height > sheet.height, "below the sheet stands the trail"
    first, second = (SCREENS.sheet_picture(view, Pressed("s.encounters", f"{part}.0", {})) for part in (0, 1))
    assert first
    assert second
    assert first.key != second.key
    assert SCREENS.sheet_picture(view, Pressed("s.encounters", "0.1", {})) == first, (
        "the next page of the text"
    )
    for intent, arg in (("s.party", "2.0"), ("s.party", "x"), ("s.encounters", "2.0"), ("s.else", "0.0")):
        assert SCREENS.sheet_picture(view, Pressed(intent, arg, {})) is None


def test_an_owners_scenario_has_a_land_and_an_artifact_and_keeps_all_limits() -> None:
    data = deepcopy(BUILT_IN["lost_city.json"]) | {"key": "my_land", "title": "W" * 60}
    for part in data["parts"]:
        part["title"] = "W" * 60
        for one in part["encounters"]:
            one.pop("aid", None)
            one["challenge"] = {
                "abilities": [*ABILITIES],
                "double": True,
                "penalty": "squares_lost",
                "squares": 3,
            }
    game = create({"my_land.json": data})
    screens = ArtifactScreens(game)
    state = scene(4, 12, scenario="my_land", game=game, phase=s.CHALLENGE, encounter="fever")
    view = game.view(state, None)
    trail_picture = shown(screens.table_picture(view))
    assert uses(trail_picture, draw("treasure"))
    assert uses(trail_picture, draw("tower"))
    check.check_drawing("table", trail_picture)
    sheet = screens.sheet_picture(view, Pressed("s.encounters", "0.0", {}))
    assert sheet
    check.check_drawing("sheet", sheet)
    assert sheet.alt.endswith("…")
    edges = [x + width for number in range(9) for x, _y, width in uses(trail_picture, marks.ability(number))]
    assert max(edges) <= trail_picture.width
    facts = {"scenario": "my_land", "part": 1, "dice": (1, 1), "encounter": "fever"}
    drawn = screens.vignette([SeenEvent("challenge", 0, facts)])
    assert drawn
    check.check_drawing("vignette", drawn)


# -- turns


def test_an_encounter_that_is_no_more_has_no_picture() -> None:
    for kind in ("challenge", "aid"):
        for scenario in ("lost_city", "lost_land"):
            facts = {"scenario": scenario, "part": 1, "dice": (1, 2), "encounter": "old_one"}
            assert SCREENS.vignette([SeenEvent(kind, 0, facts)]) is None


# -- the result, and emoji


def test_who_is_last_on_the_trail_wins_without_the_artifact() -> None:
    state = scene(9, 10, 0, parties={1: "! / x / x / x / x / x"})
    play(state, m.ROLL, d6(1), d10(1), two(6, 1), pick(0))
    picture = shown(SCREENS.podium(GAME.view(state, None)))
    assert not uses(picture, draw("Singing-Jaguar"))
    assert "the last on the trail" in picture.alt


def test_tokens_and_dice_stand_for_the_emoji_of_the_texts() -> None:
    drawn = SCREENS.emoji_parts()
    assert all(common.token(seat).body in drawn[mark].body for seat, mark in enumerate(names.SEAT))
    assert {names.die(face) for face in range(1, 11)} <= drawn.keys()
    assert draw("treasure").body in drawn[names.ARTIFACT].body


@pytest.mark.parametrize("part", [*pictures.emoji_parts().values()], ids=lambda part: part.name)
def test_emoji_are_seen_on_dark_and_on_light_ground(part: Part) -> None:
    for ground in ("#313338", "#ffffff"):
        shown = Scene(100, 100, ground)
        empty = pixels(shown.picture("empty").svg, 22).convert("L")
        shown.place(part, 0, 0, 100)
        drawn = pixels(shown.picture("drawn").svg, 22).convert("L")
        assert ImageStat.Stat(ImageChops.difference(drawn, empty)).mean[0] > 12


def test_taking_the_artifact_is_drawn_as_wide_as_a_message_also_on_the_hands_of_all() -> None:
    moved = SeenEvent("moved", 0, {"scenario": "lost_city"})
    lifted = (SeenEvent(kind, 0, moved.facts) for kind in ("reached", "picked_up"))
    for taken in (*lifted, SeenEvent("seized", 0, {"other": 1})):
        drawn = SCREENS.vignette([moved, taken])
        assert drawn is not None
        assert drawn.width == WIDTH
    out = SCREENS.vignette([SeenEvent("party_out", 0, {"square": 4})])
    assert out is not None
    assert out.width < WIDTH
