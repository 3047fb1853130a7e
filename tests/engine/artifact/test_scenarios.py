"""The built-in scenarios are what the rule page asks for, and an owner's are checked as they are."""

from __future__ import annotations

import json
import pickle
import re
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from engine.artifact import Artifact, create
from engine.artifact.card_list import MOST, Scenario
from engine.artifact.party import ABILITIES
from engine.artifact.rules import ArtifactOptions
from engine.errors import BadData, UnknownVersion
from engine.registry import load_games
from tests.engine.artifact.oracle import BUILT_IN
from tests.engine.artifact.scenarios import loaded
from tests.engine.artifact.scene import GAME, KEY, scene
from tests.engine.data import replaced
from tools.texts import texts_of_scenario

SCENARIOS = {scenario.key: scenario for scenario in GAME.catalogue.scenarios}
each = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=list(SCENARIOS))
LOST_CITY = BUILT_IN["lost_city.json"]


# -- what the page asks for


def test_there_are_a_jungle_a_sea_and_an_ice():
    assert {scenario.data.title for scenario in SCENARIOS.values()} >= {
        "The Lost City of the Selva",
        "The Drowned Temple",
        "The Tomb under the Ice",
    }
    assert {scenario.data.provenance for scenario in SCENARIOS.values()} == {"house"}
    assert [f"{key}.json" for key in SCENARIOS] == list(BUILT_IN)


@each
def test_each_table_has_eleven_rows_of_6_or_7_challenges_and_4_or_5_aids(scenario: Scenario):
    for table in scenario.parts:
        rows = table[2:]
        assert [row.roll for row in rows] == list(range(2, 13))
        challenges = sum(row.challenge is not None for row in rows)
        assert challenges in (6, 7)
        assert sum(row.aid is not None for row in rows) == 11 - challenges


@each
def test_the_commonest_rolls_hold_two_challenges_and_an_aid(scenario: Scenario):
    for table in scenario.parts:
        assert sorted(row.aid is not None for row in table[6:9]) == [False, False, True]


@each
def test_r68_the_second_table_names_fewer_abilities_a_challenge(scenario: Scenario):
    first, second = (
        [len(row.challenge.abilities) for row in table if row.challenge] for table in scenario.parts
    )
    assert sum(second) / len(second) < sum(first) / len(first)


@each
def test_at_least_three_challenges_have_another_penalty_than_a_wound(scenario: Scenario):
    penalties = Counter(row.challenge.penalty for row in scenario.encounters.values() if row.challenge)
    assert sum(n for penalty, n in penalties.items() if penalty != "wound") >= 3
    assert set(penalties) == {"wound", "two_wounds", "turn_lost", "squares_lost", "aid_lost"}


@each
def test_r68_every_ability_is_named_by_at_least_two_challenges(scenario: Scenario):
    named = Counter(
        a for row in scenario.encounters.values() if row.challenge for a in row.challenge.abilities
    )
    assert all(named[ability] >= 2 for ability in range(len(ABILITIES)))


@each
def test_r68_there_is_an_aid_for_personality_and_worths_are_1_to_4(scenario: Scenario):
    aids = [row.aid for row in scenario.encounters.values() if row.aid]
    assert "personality" in {ABILITIES[aid.ability] for aid in aids}
    assert {aid.worth for aid in aids} <= {1, 2, 3, 4}


@each
def test_r68_squares_lost_are_at_most_3(scenario: Scenario):
    lost = [row.challenge.squares for row in scenario.encounters.values() if row.challenge]
    assert 1 <= max(lost) <= 3


@each
def test_a_story_is_one_or_two_sentences_and_no_text_comes_twice(scenario: Scenario):
    for row in scenario.encounters.values():
        for story in (row.story, row.recurring(1).story):
            sentences = re.split(r"[.?!](?:\s|$)", story.strip())[:-1]
            assert 1 <= len(sentences) <= 2, story
            assert 40 < len(story) <= 220
    found = Counter(text.text for text in texts_of_scenario(scenario.data))
    assert max(found.values()) == 1
    assert len(found) == 2 + 3 + 2 + 2 * 44


# -- an owner's files


def test_a_file_more_is_a_scenario_more():
    game = create({"my own.json": loaded()})
    assert [scenario.key for scenario in game.catalogue.scenarios] == [*SCENARIOS, "loaded"]
    assert game.cards_digest != GAME.cards_digest
    assert len(game.variants(2)) == 5
    state = game.new(2, ArtifactOptions(scenario="loaded"), KEY)
    assert game.catalogue.scenarios[state.scenario].key == "loaded"
    with pytest.raises(UnknownVersion):
        GAME.load(game.dump(state))


def test_a_file_of_the_same_scenario_takes_its_place():
    theirs = replaced(LOST_CITY, "parts", 0, "encounters", 7, "aid", "worth", value=1)
    game = create({"ours.json": theirs})
    assert [scenario.key for scenario in game.catalogue.scenarios] == list(SCENARIOS)
    assert game.catalogue.scenarios[game.catalogue.numbers["lost_city"]].aids["river_doctor"].worth == 1
    assert game.cards_digest != GAME.cards_digest


def test_words_and_provenance_change_nothing_in_the_digest():
    theirs = deepcopy(LOST_CITY)
    theirs |= {"title": "Die verlorene Stadt", "prize": "der Jaguar", "provenance": "inferred"}
    theirs["parts"][0]["encounters"][0] |= {"title": "Stromschnellen", "story": "Es rauscht."}
    game = create({"stadt.json": theirs})
    assert game.cards_digest == GAME.cards_digest
    assert game.catalogue != GAME.catalogue


def test_what_a_scenario_does_changes_the_digest():
    for path, value in (
        (("parts", 0, "encounters", 0, "challenge", "penalty"), "wound"),
        (("parts", 1, "encounters", 10, "challenge", "double"), False),
        (("parts", 0, "encounters", 0, "key"), "other_rapids"),
    ):
        data = replaced(LOST_CITY, *path, value=value)
        data["parts"][0]["encounters"][0]["challenge"].pop("squares", None) if path[-1] == "penalty" else None
        assert create({"a.json": data}).cards_digest != GAME.cards_digest


ROW = ("parts", 0, "encounters", 0)
AID = ("parts", 0, "encounters", 7)


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("game",), "expedition", ("game",)),
        (("wings",), 2, ("wings",)),
        (("key",), "Lost City", ("key",)),
        (("title",), "", ("title",)),
        (("title",), "x" * 61, ("title",)),
        (("title",), "two\nlines", ("title",)),
        (("departure",), "x" * 401, ("departure",)),
        (("homecoming",), None, ("homecoming",)),
        (("provenance",), "guessed", ("provenance",)),
        (("parts",), LOST_CITY["parts"][:1], ("parts", 1)),
        (("parts", 1, "encounters"), LOST_CITY["parts"][0]["encounters"], ()),
        (("parts", 0, "encounters"), LOST_CITY["parts"][0]["encounters"][:10], ("parts", 0, "encounters")),
        (("parts", 0, "encounters"), LOST_CITY["parts"][0]["encounters"][::-1], ("parts", 0)),
        ((*ROW, "roll"), 13, (*ROW, "roll")),
        ((*ROW, "roll"), "2", (*ROW, "roll")),
        ((*ROW, "key"), "pistols", ROW),
        ((*ROW, "key"), "river_doctor", ()),
        ((*ROW, "story"), "", (*ROW, "story")),
        ((*ROW, "aid"), {"ability": "combat", "worth": 1}, ROW),
        ((*ROW, "challenge"), None, ROW),
        ((*ROW, "challenge", "abilities"), [], (*ROW, "challenge", "abilities")),
        ((*ROW, "challenge", "abilities"), ["luck"], (*ROW, "challenge", "abilities", 0)),
        ((*ROW, "challenge", "abilities"), ["combat", "combat"], (*ROW, "challenge")),
        ((*ROW, "challenge", "double"), 1, (*ROW, "challenge", "double")),
        ((*ROW, "challenge", "penalty"), "death", (*ROW, "challenge", "penalty")),
        ((*ROW, "challenge", "penalty"), "wound", (*ROW, "challenge")),
        ((*ROW, "challenge", "squares"), None, (*ROW, "challenge")),
        ((*ROW, "challenge", "squares"), 4, (*ROW, "challenge", "squares")),
        ((*AID, "aid", "worth"), 0, (*AID, "aid", "worth")),
        ((*AID, "aid", "worth"), 5, (*AID, "aid", "worth")),
        ((*AID, "aid", "worth"), True, (*AID, "aid", "worth")),
        ((*AID, "aid", "ability"), "luck", (*AID, "aid", "ability")),
    ],
)
def test_a_fault_is_refused_with_its_place(path: tuple[Any, ...], value: Any, where: tuple[Any, ...]):
    data = deepcopy(LOST_CITY)
    inner: Any = data
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    with pytest.raises(BadData) as caught:
        create({"mine.json": data})
    assert caught.value.where == ("mine.json", *where)


def test_two_files_of_one_scenario_and_too_many_scenarios_are_refused():
    with pytest.raises(BadData, match="another file has the scenario 'loaded'") as caught:
        create({"a.json": loaded(), "b.json": loaded()})
    assert caught.value.where == ("b.json", "key")
    many = {f"{n}.json": {**loaded(), "key": f"s{n}"} for n in range(MOST - len(SCENARIOS) + 1)}
    with pytest.raises(BadData, match="25 scenarios are more than the 24"):
        create(many)
    many.popitem()
    assert len(create(many).catalogue.scenarios) == MOST


@pytest.mark.parametrize("data", [[], "lost_city", 7])
def test_what_is_no_collection_of_files_is_refused(data: object):
    with pytest.raises(BadData):
        create(data)


# -- in a folder of card lists


def folder(tmp_path: Path, **files: Any) -> Path:
    scenarios = tmp_path / "artifact"
    scenarios.mkdir()
    for name, data in files.items():
        text = data if isinstance(data, str) else json.dumps(data, indent=1)
        (scenarios / f"{name}.json").write_text(text)
    return tmp_path


def test_an_owners_folder_adds_its_scenarios(tmp_path: Path):
    game = load_games(folder(tmp_path, zoo={**loaded(), "key": "zoo"}, mine=loaded()))["artifact"]
    assert isinstance(game, Artifact)
    assert list(game.catalogue.numbers) == [*SCENARIOS, "loaded", "zoo"]


def test_an_empty_folder_or_none_changes_nothing(tmp_path: Path):
    assert load_games(tmp_path)["artifact"].cards_digest == GAME.cards_digest
    (folder(tmp_path) / "artifact" / ".notes.txt").write_text("nothing to read")
    assert load_games(tmp_path)["artifact"].cards_digest == GAME.cards_digest


def test_a_refusal_names_the_file_the_line_and_the_reason(tmp_path: Path):
    data = replaced(loaded(), "parts", 0, "encounters", 0, "aid", "worth", value=9)
    line = json.dumps(data, indent=1).splitlines().index('      "worth": 9') + 1
    with pytest.raises(BadData) as caught:
        load_games(folder(tmp_path, good={**loaded(), "key": "good"}, mine=data))
    file = tmp_path / "artifact" / "mine.json"
    assert str(caught.value).startswith(f"{file}, line {line}: parts.0.encounters.0.aid.worth: ")


def test_broken_json_is_refused_with_its_line(tmp_path: Path):
    with pytest.raises(BadData, match=r"mine\.json, line 3: "):
        load_games(folder(tmp_path, mine="{\n\n nonsense"))


def test_a_fault_of_no_single_file_names_the_folder(tmp_path: Path):
    many = {f"s{n}": {**loaded(), "key": f"s{n}"} for n in range(MOST)}
    with pytest.raises(BadData) as caught:
        load_games(folder(tmp_path, **many))
    assert str(caught.value).startswith(f"{tmp_path / 'artifact'}: 27 scenarios")


def test_a_single_file_is_pointed_to_the_folder(tmp_path: Path):
    (tmp_path / "artifact.json").write_text(json.dumps(loaded()))
    with pytest.raises(BadData, match=r"artifact\.json: .* put them into .*artifact"):
        load_games(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path):
    (tmp_path / "artifact").write_text("{}")
    with pytest.raises(BadData, match="artifact"):
        load_games(tmp_path)


# -- the catalogue


def test_a_catalogue_is_sent_as_its_data_and_read_once():
    view = GAME.view(scene(3, 5), 0)
    sent = pickle.dumps(view)
    one, other = pickle.loads(sent), pickle.loads(sent)
    assert one == view
    assert one.catalogue is other.catalogue
    assert one.catalogue == GAME.catalogue
    assert hash(one.catalogue) == hash(GAME.catalogue)
    assert GAME.catalogue != "scenarios"
    assert repr(GAME.catalogue.scenarios[0]) == "<Scenario drowned_temple>"
