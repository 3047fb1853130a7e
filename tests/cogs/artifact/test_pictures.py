"""The pictures of Artifact: what each shows, to whom, and that all of it can be told apart and read on a phone."""

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
from bot.art.scene import Scene
from bot.language import speaking
from bot.ui.screens.game_screens import Pressed, SeenEvent
from cogs.artifact import names
from cogs.artifact.art import draw, marks, pictures, trail
from cogs.artifact.screens import ArtifactScreens
from cogs.artifact.teller import role
from engine.artifact import create
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.party import ABILITIES, EQUIPMENT, MEMBERS
from engine.artifact.rules import Artifact
from engine.artifact.state import cast
from tests.cogs import pictures as check
from tests.cogs.limits import EVERY_LANGUAGE
from tests.engine.artifact.oracle import BUILT_IN
from tests.engine.artifact.scene import GAME, LOW, d6, d10, encounter, pick, play, scene, two

KEY = Artifact.key
SCREENS = ArtifactScreens(GAME)
SCENARIOS = [one.key for one in GAME.catalogue.scenarios]
EACH_SCENARIO = pytest.mark.parametrize("scenario", SCENARIOS)


def table(state: s.State) -> Picture:
    return SCREENS.table_picture(GAME.view(state, None))


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
    for seat in range(common.SEATS):
        yield from uses(picture, common.token(seat))


def told(state: s.State, move: Any, *dice: int) -> list[SeenEvent]:
    """The public events of a move that is made with these dice."""
    return [SeenEvent(one.kind, one.seat, one.seen_by(None)) for one in play(state, move, *dice)]


# -- what holds of all games' pictures


def test_every_part_has_a_name_of_its_own_and_is_in_some_picture() -> None:
    some = islice(check.all_pictures(KEY), 400)
    check.check_parts(SCREENS, [*some, *map(table, lands_of_every_scenario()), *seldom()])


def lands_of_every_scenario() -> list[s.State]:
    game = create({"my_land.json": BUILT_IN["lost_city.json"] | {"key": "my_land"}})
    return [scene(3, 9, scenario=one.key, game=game) for one in game.catalogue.scenarios]


def seldom() -> Iterator[Picture]:
    """States that random matches may not reach: every member wounded, every Aid and Challenge, a party that is out."""
    wounded = scene(3, 9, parties={0: " / ".join(["!"] * MEMBERS)}, aids={0: " ".join(every_aid(GAME))})
    yield SCREENS.own_picture(GAME.view(wounded, 0))
    for ability in ABILITIES:
        key, one = next(
            (scenario.key, encounter.key)
            for scenario in GAME.catalogue.scenarios
            for encounter in scenario.encounters.values()
            if encounter.challenge and ABILITIES[encounter.challenge.abilities[0]] == ability
        )
        facts = {"scenario": key, "part": 1, "dice": (1, 1), "encounter": one}
        drawn = SCREENS.vignette([SeenEvent("challenge", 0, facts)])
        assert drawn
        yield drawn
    taken = SCREENS.vignette(told(scene(27, 9), m.ROLL, d6(3)))
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
    "members": {str(number): marks.member(number) for number in range(MEMBERS)},
    "treasures": {key: marks.prize(key) for key in (*SCENARIOS, "")},
    "penalties": {kind: marks.penalty(kind) for kind in marks.PENALTIES},
    "signs": {part.name: part for part in (draw("fight"), marks.challenge(), draw("pack"), draw("home"))},
    "tokens": {str(seat): common.token(seat) for seat in range(common.SEATS)},
    "homes": {key: marks.home(key) for key in (*SCENARIOS, "")},
    "ends": {key: marks.end(key) for key in (*SCENARIOS, "")},
    "perils": {key: marks.peril(number) for number, key in enumerate(ABILITIES)},
    "emoji": SCREENS.emoji_parts(),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_parts_that_stand_for_different_things_differ_without_their_colours(family: str) -> None:
    check.check_told_apart(FAMILIES[family], NEAR if family in SAME_OUTLINE else APART)


@pytest.mark.parametrize("number", range(MEMBERS))
def test_a_wounded_member_looks_otherwise_than_a_well_one(number: int) -> None:
    assert check.grey_distance(marks.member(number), marks.member(number, wounded=True)) > NEAR


@pytest.mark.parametrize("part", [0, 1])
def test_squares_where_somebody_has_been_are_told_from_others(part: int) -> None:
    known, unknown = marks.square(part, trodden=True), marks.square(part, trodden=False)
    assert check.grey_distance(known, unknown) > APART
    numbered = marks.square(part, trodden=True, feet_on_it=False)
    assert check.grey_distance(numbered, unknown) > APART


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


def test_the_artifact_lies_on_its_square_or_stands_beside_its_holder() -> None:
    jaguar = draw("Singing-Jaguar")
    lying = table(scene(3, 9, lies=20))
    ((x, y, _width),) = uses(lying, jaguar)
    assert abs(x - trail.lands.middle(20)[0]) < trail.lands.SQUARE
    assert 0 < trail.lands.middle(20)[1] - y < 90
    held = table(scene(3, 9, 20, holder=1))
    ((x, y, width),) = uses(held, jaguar)
    ((token_x, token_y, token_width),) = uses(held, common.token(1))
    assert token_y == y
    assert 0 < x - token_x < width + token_width


def test_golden_arrowheads_mark_the_holders_way_home() -> None:
    assert not uses(table(scene(3, 9)), draw("step-home"))
    assert len(uses(table(scene(3, 12, holder=1)), draw("step-home"))) == 11


def test_squares_are_trodden_up_to_the_foremost_party_until_the_artifact_is_taken() -> None:
    def dark(picture: Picture) -> int:
        return sum(len(uses(picture, marks.square(part, trodden=False))) for part in (0, 1))

    assert dark(table(scene(1, 1))) == 29
    assert dark(table(scene(3, 12))) == 30 - 12
    assert dark(table(scene(3, 12, holder=1))) == 0
    assert dark(table(scene(3, 12, lies=9))) == 0


def test_an_arrow_points_at_who_is_asked() -> None:
    # In a fight that is who is attacked, though it is not their turn.
    defending = scene(20, 20, 9, phase=s.DEFEND, opponent=1, ability=0)
    for state, asked in ((scene(3, 20, 9, active=1), 1), (scene(20, 20, 9), 0), (defending, 1)):
        picture = table(state)
        ((x, y, width),) = uses(picture, draw("pin"))
        trail_token = uses(picture, common.token(asked))[0]
        assert abs(x + width / 2 - trail_token[0] - trail_token[2] / 2) < 5
        assert y < trail_token[1]


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


def test_a_note_tells_the_challenge_that_is_faced() -> None:
    picture = table(scene(5, 9, phase=s.CHALLENGE, encounter="rapids"))
    for ability in ("navigation", "strength", "agility"):
        assert uses(picture, marks.ability(ABILITIES.index(ability)))
    assert uses(picture, marks.penalty("squares_lost"))
    assert not uses(picture, draw("science"))
    assert "A Challenge: Navigation, Strength and Agility; at stake: 3 squares lost." in picture.alt


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


def test_the_description_says_who_stands_where_and_what_is_going_on() -> None:
    state = scene(4, 12, 12, 0, holder=2, skips=[1], active=1)
    assert table(state).alt == (
        "The trail of “The Lost City of the Selva”, 30 squares from home to the Artifact. Square 4: blue circle. "
        "Square 12: orange diamond (loses its next turn) and green square (has the Artifact). "
        "Someone has been on every square. Out: red triangle. To play: orange diamond."
    )


def test_the_description_tells_a_fight_and_a_choice_of_direction() -> None:
    fight = scene(9, 9, parties={0: "science science", 1: "science"}, phase=s.DEFEND, opponent=1, ability=8)
    assert table(fight).alt.endswith(
        "To play: orange diamond. A fight of Science: blue circle +2 against orange diamond +1."
    )
    choice = scene(9, 20, holder=1, phase=s.DIRECTION, die=4)
    assert table(choice).alt.endswith("The die shows 4: back to square 5, or forward to square 13.")


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
    picture = SCREENS.own_picture(GAME.view(state, 0))
    check.check_drawing("own", picture)
    check.check_file(picture)
    ability = picture.width / len(ABILITIES)
    for number, part in ((0, draw("pistols")), (8, draw("texts")), (8, marks.found(8))):
        places = uses(picture, part)
        assert len(places) == 12
        assert all(number * ability <= x and x + width <= (number + 1) * ability for x, _y, width in places)
    assert "Combat +36" in picture.alt


def test_the_sheet_shows_wounds_who_is_out_and_every_ability_that_is_left() -> None:
    state = scene(4, 12, parties={0: "combat combat science! / x / agility"}, aids={0: "pistols"})
    picture = SCREENS.own_picture(GAME.view(state, 0))
    assert uses(picture, marks.member(0, wounded=True))
    assert not uses(picture, marks.member(0))
    assert len(uses(picture, draw("nobody"))) == 1
    assert len(uses(picture, draw("combat"))) == 2 + 1, "twice with the leader, once with its number"
    leader, companion = (role(cast(state), 0, number) for number in range(2))
    assert picture.alt.startswith(
        f"The party sheet of: blue circle. {leader}, wounded: Combat ×2, Personality, Science. {companion}: out."
    )
    assert "Boons: Combat +3." in picture.alt


def test_a_sheet_is_looked_up_with_its_picture_and_an_unknown_one_has_none() -> None:
    view = GAME.view(scene(4, 12), None)
    assert SCREENS.sheet_picture(view, Pressed("s.party", "1.0", {})) == SCREENS.own_picture(
        GAME.view(scene(4, 12), 1)
    )
    first, second = (SCREENS.sheet_picture(view, Pressed("s.encounters", f"{part}.0", {})) for part in (0, 1))
    assert first
    assert second
    assert first.key != second.key
    assert SCREENS.sheet_picture(view, Pressed("s.encounters", "0.1", {})) == first, (
        "the next page of the text"
    )
    for intent, arg in (("s.party", "2.0"), ("s.party", "x"), ("s.encounters", "2.0"), ("s.else", "0.0")):
        assert SCREENS.sheet_picture(view, Pressed(intent, arg, {})) is None


def test_the_encounters_are_described_with_roll_abilities_and_what_is_at_stake() -> None:
    view = GAME.view(scene(4, 12), None)
    picture = SCREENS.sheet_picture(view, Pressed("s.encounters", "1.0", {}))
    assert picture
    assert "8: a Challenge, Strength ×2; a wound. 9: a Boon, Agility +3." in picture.alt


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
    trail_picture = screens.table_picture(view)
    assert uses(trail_picture, draw("golden-urn"))
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


def test_a_turn_is_remembered_by_its_challenge_and_how_it_ended() -> None:
    state = scene(3, 9)
    events = told(state, m.ROLL, d6(2), encounter("caimans"), LOW, pick(0), pick(0), pick(0))
    picture = SCREENS.vignette(events)
    assert picture
    assert uses(picture, marks.peril(ABILITIES.index("combat")))
    assert uses(picture, common.token(0))
    assert "Challenge failed: two wounds." in picture.alt


def test_a_challenge_of_an_earlier_move_is_remembered_by_what_was_suffered() -> None:
    state = scene(5, 9, phase=s.CHALLENGE, encounter="rapids", step=1, aids={0: "sextant"})
    picture = SCREENS.vignette(told(state, m.HOLD_BACK, LOW))
    assert picture
    assert uses(picture, draw("thrown-back"))
    assert picture.alt == "The party of the blue circle does not overcome its Challenge."


def test_a_fight_is_remembered_before_what_came_after_it() -> None:
    state = scene(7, 9, parties={0: "combat combat combat combat"})
    events = told(state, m.ROLL, d6(2), d10(1), two(6, 1), pick(0), pick(0), encounter("letter"))
    picture = SCREENS.vignette(events)
    assert picture
    assert uses(picture, draw("fight"))
    assert picture.alt == "A fight of Combat: blue circle 10, orange diamond 1. The winner: blue circle."


def test_taking_the_artifact_and_the_end_are_remembered_before_all_else() -> None:
    reached = SCREENS.vignette(told(scene(27, 9), m.ROLL, d6(3)))
    assert reached
    assert uses(reached, draw("Singing-Jaguar"))
    assert uses(reached, draw("stepped-pyramid"))
    home = SCREENS.vignette(told(scene(3, 9, holder=0), m.ROLL, d6(4)))
    assert home
    assert uses(home, draw("laurel"))
    assert uses(home, draw("stilt-house"))


def test_the_parties_set_out_above_what_they_rolled_for_the_order_of_play() -> None:
    rolls = {"rolls": [[0, 7], [1, 7], [2, 3], [0, 2], [1, 9]]}
    picture = SCREENS.vignette(
        [SeenEvent("parties", None, {"parties": [{}] * 3}), SeenEvent("order", 1, rolls)]
    )
    assert picture
    for seat, face in enumerate((7, 7, 3)):
        ((token_x, token_y, _width),) = uses(picture, common.token(seat))
        assert any(x == token_x and y > token_y for x, y, _wide in uses(picture, marks.ten_sided(face)))
    assert picture.alt == "The parties set out, past a signpost. The first to play: orange diamond."


def test_a_turn_without_anything_to_remember_has_no_picture() -> None:
    assert SCREENS.vignette(told(scene(9, 20, holder=1), m.ROLL, d6(4))) is None
    assert SCREENS.vignette([]) is None


def test_an_encounter_that_is_no_more_has_no_picture() -> None:
    for kind in ("challenge", "aid"):
        for scenario in ("lost_city", "lost_land"):
            facts = {"scenario": scenario, "part": 1, "dice": (1, 2), "encounter": "old_one"}
            assert SCREENS.vignette([SeenEvent(kind, 0, facts)]) is None


# -- the result, and emoji


def test_the_podium_shows_the_winner_with_the_artifact_and_the_journey() -> None:
    state = scene(2, 9, 0, holder=0)
    state.journal[: s.ENTRIES] = [
        *s.Journal(squares=57, overcome=7, faced=9, won=4, fought=6, found=5, spent=4)
    ]
    play(state, m.ROLL, d6(1))
    picture = SCREENS.podium(GAME.view(state, None))
    assert uses(picture, draw("Singing-Jaguar"))
    assert uses(picture, draw("laurel"))
    assert len([*tokens(picture)]) == 3
    assert picture.alt == (
        "On the first place stands the party of the blue circle, with the Artifact. On the second: orange diamond and "
        "green square. Out: green square. The winner's journey. Squares travelled: 58. Boons found: 5. Challenges "
        "overcome: 7 of 9. Fights won: 4 of 6. Members still there: 6 of 6."
    )


def test_who_is_last_on_the_trail_wins_without_the_artifact() -> None:
    state = scene(9, 10, 0, parties={1: "! / x / x / x / x / x"})
    play(state, m.ROLL, d6(1), d10(1), two(6, 1), pick(0))
    picture = SCREENS.podium(GAME.view(state, None))
    assert not uses(picture, draw("Singing-Jaguar"))
    assert "the last on the trail" in picture.alt


def test_tokens_and_dice_stand_for_the_emoji_of_the_texts() -> None:
    drawn = SCREENS.emoji_parts()
    assert all(common.token(seat).body in drawn[mark].body for seat, mark in enumerate(names.SEAT))
    assert {names.die(face) for face in range(1, 11)} <= drawn.keys()
    assert draw("golden-urn").body in drawn[names.ARTIFACT].body


@pytest.mark.parametrize("part", [*pictures.emoji_parts().values()], ids=lambda part: part.name)
def test_emoji_are_seen_on_dark_and_on_light_ground(part: Part) -> None:
    for ground in ("#313338", "#ffffff"):
        shown = Scene(100, 100, ground)
        empty = pixels(shown.picture("empty").svg, 22).convert("L")
        shown.place(part, 0, 0, 100)
        drawn = pixels(shown.picture("drawn").svg, 22).convert("L")
        assert ImageStat.Stat(ImageChops.difference(drawn, empty)).mean[0] > 12
