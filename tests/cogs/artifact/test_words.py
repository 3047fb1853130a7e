"""Every event and refusal has words, and the log tells every encounter's story from the scenario's data."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import engine.artifact
from bot.language import gettext, languages, speaking
from bot.ui import table_screens as show
from bot.ui.kit import escape
from bot.ui.names import Names
from cogs.artifact import words
from cogs.artifact.screens import ArtifactScreens
from engine.errors import IllegalMove
from engine.game import Event
from tests.cogs.in_memory import Match, random_match, row
from tests.cogs.limits import EVERY_LANGUAGE
from tests.engine.artifact.scene import GAME

SCREENS = ArtifactScreens(GAME)
SELDOM = [Event("fell", 0, {"square": 9}), Event("picked_up", 0, {"square": 9})]
NAMES = ["Ana", "Ben", "Cara", "Dan", "Eva", "Finn"]


def told(match: Match, viewer: int | None) -> list[str]:
    return show.log_lines(match.table(names=NAMES), match.screens, match.rows(), viewer)


@EVERY_LANGUAGE
def test_every_event_is_told_in_words_to_all_and_to_whom_it_concerns(language: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(12):
        match = random_match("artifact", seed, moves=3000)
        match.events += [(0, event) for event in SELDOM]
        with speaking(language):
            public, own = told(match, None), told(match, 0)
        for (_made, event), line, mine in zip(match.events, public, own, strict=True):
            seen[event.kind] += 1
            assert line != event.kind
            assert "{" not in line + mine
    assert {*seen} == {*words._TOLD}  # pyright: ignore[reportPrivateUsage]


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
                (line,) = show.log_lines(match.table(), match.screens, [row(Event(kind, 0, facts))], None)
                assert escape(gettext(encounter.story)) in line
                assert escape(gettext(encounter.title)) in line


def test_the_discovery_and_the_homecoming_are_told_from_the_scenario() -> None:
    match = random_match("artifact", 1, moves=0)
    facts = {"scenario": "ice_tomb", "winner": 0, "why": "home", "round": 9}
    events = [Event("reached", 0, {"scenario": "ice_tomb", "square": 30}), Event("over", None, facts)]
    rows = [row(event) for event in events]
    reached, over = show.log_lines(match.table(), match.screens, rows, None)
    assert "Under the ice the stars begin to turn." in reached
    assert "the moon goes dark" in over


def test_an_encounter_that_is_no_more_is_named_by_its_key() -> None:
    match = random_match("artifact", 1, moves=0)
    event = Event(
        "challenge", 0, {"scenario": "lost_city", "part": 1, "dice": [1, 2], "encounter": "old_one"}
    )
    (line,) = show.log_lines(match.table(), match.screens, [row(event)], None)
    assert line == "1️⃣ 2️⃣ **old\\_one**"


def test_every_refusal_of_the_rules_has_a_sentence_of_its_own() -> None:
    source = "".join(file.read_text() for file in Path(engine.artifact.__file__).parent.glob("*.py"))
    codes = {*re.findall(r'IllegalMove\(\s*"([a-z-]+)"', source), "other-decision"} - {"unknown-move"}
    assert len(codes) > 8
    facts = {"need": 2, "have": 1, "aid": "pistols"}
    for language in languages():
        with speaking(language):
            texts = {code: SCREENS.refuse(IllegalMove(code, **facts), GAME) for code in (*codes, "malformed")}
            assert len({*texts.values()}) == len(texts)
            assert not any("{" in text for text in texts.values())
            assert SCREENS.refuse(IllegalMove("of-a-later-version"), GAME) not in texts.values()


def test_the_first_page_is_ten_lines_and_ruling_numbers_stand_on_the_last_pages_alone() -> None:
    shown = SCREENS.rules(GAME)
    assert len(shown[0].text.splitlines()) == 10
    numbers = [re.findall(r"\bR[0-9]{2}\b", page.text) for page in shown]
    assert {page.title for page, found in zip(shown, numbers, strict=True) if found} == {"To the letter"}
    assert len({number for found in numbers for number in found}) == 22


def test_the_result_tells_the_journey_of_the_winner_in_five_lines() -> None:
    match = random_match("artifact", 3, moves=9999)
    names = Names(match.table(names=NAMES).seats)
    lines = SCREENS.result(GAME.view(match.state, None), names)
    at = lines.index("**The journey of the winner**")
    assert lines[at + 6] == ""
    assert all(lines[at + 1 : at + 6])
