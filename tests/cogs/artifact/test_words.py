"""Every event and refusal has words, and the log tells every encounter's story from the scenario's data."""

from __future__ import annotations

import re
from collections import Counter
from copy import deepcopy
from pathlib import Path

import engine.artifact
from bot.language import gettext, languages, speaking
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.kit import escape
from bot.ui.screens.names import Names
from cogs.artifact import words
from cogs.artifact.screens import ArtifactScreens
from engine.artifact import create
from engine.artifact import moves as m
from engine.errors import IllegalMove
from engine.game import Event
from tests.cogs.in_memory import Match, random_match, row
from tests.cogs.limits import EVERY_LANGUAGE
from tests.cogs.screen_text import log_lines
from tests.engine.artifact.oracle import BUILT_IN
from tests.engine.artifact.scene import GAME, scene

SCREENS = ArtifactScreens(GAME)
SELDOM = [Event("fell", 0, {"square": 9}), Event("picked_up", 0, {"square": 9})]
NAMES = ["Ana", "Ben", "Cara", "Dan", "Eva", "Finn"]


def lines_of(match: Match, viewer: int | None) -> list[str]:
    return log_lines(match.table(names=NAMES), match.screens, match.rows(), viewer)


@EVERY_LANGUAGE
def test_every_event_is_told_in_words_to_all_and_to_whom_it_concerns(language: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(12):
        match = random_match("artifact", seed, moves=3000)
        match.events += [(0, event) for event in SELDOM]
        with speaking(language):
            public, own = lines_of(match, None), lines_of(match, 0)
        for (_made, event), line, mine in zip(match.events, public, own, strict=True):
            seen[event.kind] += 1
            assert line != event.kind
            assert "{" not in line + mine
    assert {*seen} == {*words._DESCRIPTIONS}  # pyright: ignore[reportPrivateUsage]


@EVERY_LANGUAGE
def test_every_encounter_tells_its_story(language: str) -> None:
    match = random_match("artifact", 1, moves=0)
    for scenario in GAME.catalogue.scenarios:
        for encounter in scenario.encounters.values():
            kind = "aid" if encounter.aid else "challenge"
            facts = {
                "scenario": scenario.key,
                "part": encounter.part + 1,
                "dice": [1, 1],
                "encounter": encounter.key,
            }
            with speaking(language):
                (line,) = log_lines(match.table(), match.screens, [row(Event(kind, 0, facts))], None)
                assert escape(gettext(encounter.story)) in line
                assert escape(gettext(encounter.title)) in line


def test_an_aid_has_the_title_of_the_scenario_that_is_played() -> None:
    data = deepcopy(BUILT_IN["lost_city.json"]) | {"key": "my_city"}
    (boatman,) = [one for one in data["parts"][0]["encounters"] if one["roll"] == 5]
    boatman["title"] = "The Ferryman's Song"
    game = create({"my_city.json": data})
    names = Names(Match(GAME, scene(3, 9), []).table(names=NAMES).seats)
    for key, title in (("lost_city", "The Boatman's Song"), ("my_city", "The Ferryman's Song")):
        state = scene(3, 9, scenario=key, game=game, aids={0: f"pistols {boatman['key']}"})
        state.phase, state.encounter, state.step = "give_up", "rival_agent", 1
        events = game.apply(state, 0, m.GiveUp(boatman["key"]))
        events += [Event("used", 0, {"scenario": key, "aids": [boatman["key"]] * 2, "worth": 4})]
        lines_of = [
            words.describe(SeenEvent(one.kind, one.seat, one.facts), 0, names, game.catalogue)
            for one in events
        ]
        assert lines_of[0] == f"🎒 You lose the Boon “{title}”."
        assert lines_of[-1] == f"🎒 You spend {title} ×2 (+4)."


def test_every_refusal_of_the_rules_has_a_sentence_of_its_own() -> None:
    source = "".join(file.read_text() for file in Path(engine.artifact.__file__).parent.glob("*.py"))
    codes = {*re.findall(r'IllegalMove\(\s*"([a-z-]+)"', source), "other-decision"} - {"unknown-move"}
    assert len(codes) > 8
    facts = {"need": 2, "have": 1, "aid": "pistols"}
    for language in languages():
        with speaking(language):
            texts = {code: SCREENS.refuse(IllegalMove(code, **facts)) for code in (*codes, "malformed")}
            assert len({*texts.values()}) == len(texts)
            assert not any("{" in text for text in texts.values())
            assert SCREENS.refuse(IllegalMove("of-a-later-version")) not in texts.values()


def test_the_first_page_is_ten_lines_and_ruling_numbers_stand_on_the_last_pages_alone() -> None:
    shown = SCREENS.rules()
    assert len(shown[0].text.splitlines()) == 10
    pictures = ("die 🎲", "Artifact 💎", "**Boon** 🎒", "**Challenge** ❗", "wounded 🩹", "fight it ⚔️")
    assert all(picture in shown[0].text for picture in pictures)
    numbers = [re.findall(r"\bR[0-9]{2}\b", page.text) for page in shown]
    assert {page.title for page, found in zip(shown, numbers, strict=True) if found} == {"Full rules"}
    assert len({number for found in numbers for number in found}) == 22
