"""Every event and refusal has words, and the log tells every encounter's story from the scenario's data."""

from __future__ import annotations

import re
from collections import Counter
from copy import deepcopy
from pathlib import Path

import pytest

import engine.artifact
from bot.language import gettext, languages, speaking
from bot.ui.screens.chronicle import log_lines
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.kit import escape
from bot.ui.screens.names import Names
from cogs.artifact import words
from cogs.artifact.screens import ArtifactScreens
from cogs.artifact.teller import person
from engine.artifact import create
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.errors import IllegalMove
from engine.game import Event
from tests.cogs.in_memory import Match, random_match, row
from tests.cogs.limits import EVERY_LANGUAGE
from tests.engine.artifact.oracle import BUILT_IN
from tests.engine.artifact.scene import GAME, d6, play, scene

SCREENS = ArtifactScreens(GAME)
SELDOM = [Event("fell", 0, {"square": 9}), Event("picked_up", 0, {"square": 9})]
NAMES = ["Ana", "Ben", "Cara", "Dan", "Eva", "Finn"]


def told(match: Match, viewer: int | None) -> list[str]:
    return log_lines(match.table(names=NAMES), match.screens, match.rows(), viewer)


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
                (line,) = log_lines(match.table(), match.screens, [row(Event(kind, 0, facts))], None)
                assert escape(gettext(encounter.story)) in line
                assert escape(gettext(encounter.title)) in line


def test_the_discovery_and_the_homecoming_are_told_from_the_scenario() -> None:
    match = random_match("artifact", 1, moves=0)
    facts = {"scenario": "ice_tomb", "winner": 0, "why": "home", "round": 9}
    events = [Event("reached", 0, {"scenario": "ice_tomb", "square": 30}), Event("over", None, facts)]
    rows = [row(event) for event in events]
    reached, over = log_lines(match.table(), match.screens, rows, None)
    assert "Under the ice the stars begin to turn." in reached
    assert "the moon goes dark" in over


def test_an_encounter_that_is_no_more_is_named_by_its_key() -> None:
    match = random_match("artifact", 1, moves=0)
    event = Event(
        "challenge", 0, {"scenario": "lost_city", "part": 1, "dice": [1, 2], "encounter": "old_one"}
    )
    (line,) = log_lines(match.table(), match.screens, [row(event)], None)
    assert line == "🎲 1️⃣ 2️⃣ **old\\_one**"


MOVED = {"die": 3, "from": 4, "to": 7, "direction": "forward", "round": 2}
ROLLS = {"ability": "combat", "dice": [1, 6], "abilities": [4, 2], "aids": [3, 0], "totals": [8, 8]}
FACED = {
    "encounter": "caimans",
    "die": 2,
    "abilities": 1,
    "aids": 3,
    "total": 6,
    "dice": [3, 4],
    "against": 7,
}
FOUGHT = "⚔️ You roll 1️⃣ + 4 + 3 🎒 = **8**, **Ben** rolls 6️⃣ + 2 = **8**. "
LINES: list[tuple[Event, int, str]] = [
    (Event("moved", 0, MOVED), 0, "🎲 3️⃣ You go on from square 4 to 7."),
    (
        Event("moved", 0, MOVED | {"direction": "back", "to": 1}),
        1,
        "🎲 3️⃣ **Ana** goes back from square 4 to 1.",
    ),
    (Event("fought", 0, {"other": 1, "winner": None, **ROLLS}), 0, FOUGHT + "**Neither gives way.**"),
    (Event("fought", 0, {"other": 1, "winner": 1, **ROLLS}), 0, FOUGHT + "**You lose.**"),
    (
        Event("fought", 0, {"other": 1, "winner": 1, **ROLLS}),
        1,
        "⚔️ **Ana** rolls 1️⃣ + 4 + 3 🎒 = **8**, you roll 6️⃣ + 2 = **8**. **You win!**",
    ),
    (
        Event("fought", 0, {"other": 1, "winner": 1, **ROLLS}),
        2,
        "⚔️ **Ana** rolls 1️⃣ + 4 + 3 🎒 = **8**, **Ben** rolls 6️⃣ + 2 = **8**. **Ben** **wins!**",
    ),
    (
        Event("thrown_back", 0, {"squares": 2, "from": 2, "to": 2}),
        0,
        "You stay on square 2, because no one is thrown back further.",
    ),
    (
        Event("aid_lost", 0, {"scenario": "lost_city", "aid": None}),
        1,
        "**Ana** has no Boon to lose, so nothing is lost.",
    ),
    (Event("skipped", 0, {}), 0, "💤 You skip this turn, which a Challenge has cost you."),
    (Event("seized", 1, {"other": 0, "square": 7}), 0, "🏺 **Ben** **seizes the Artifact** from you!"),
    (Event("seized", 1, {"other": 0, "square": 7}), 1, "🏺 **You seize the Artifact** from **Ana**!"),
    (
        Event("used", 0, {"scenario": "lost_city", "aids": ["pistols", "tomes", "tomes"], "worth": 9}),
        0,
        "🎒 You spend Pistols and Ancient Tomes ×2 (+9).",
    ),
    (
        Event("faced", 0, FACED | {"overcome": False}),
        0,
        "You roll 2️⃣ + 1 + 3 🎒 = **6** against 3️⃣ 4️⃣ = **7**: it goes wrong.",
    ),
    (
        Event("faced", 0, FACED | {"overcome": True}),
        1,
        "**Ana** rolls 2️⃣ + 1 + 3 🎒 = **6** against 3️⃣ 4️⃣ = **7**: well done!",
    ),
    (
        Event("wounded", 1, {"member": 1, "cast": 0, "lost": ["combat"]}),
        0,
        f"🩹 {person(0, 1, 1)} of **Ben**'s party is wounded and loses Combat.",
    ),
    (
        Event("member_out", 0, {"member": 2, "cast": 7, "lost": []}),
        0,
        f"🚑 {person(7, 0, 2)} of your party is wounded again and is carried home, out of this story.",
    ),
    (Event("wounded", 1, {"member": 0, "lost": []}), 1, "🩹 Leader of your party is wounded."),
    (
        Event("thrown_back", 0, {"squares": 2, "from": 9, "to": 7}),
        0,
        "You are thrown back from square 9 to 7.",
    ),
]


@pytest.mark.parametrize(("event", "viewer", "line"), LINES)
def test_what_happens_is_told_to_each_in_their_own_way(event: Event, viewer: int, line: str) -> None:
    table = Match(GAME, scene(7, 7), []).table(names=NAMES)
    assert log_lines(table, SCREENS, [row(event)], viewer) == [line]


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
        told = [
            words.tell(SeenEvent(one.kind, one.seat, one.facts), 0, names, game.catalogue) for one in events
        ]
        assert told[0] == f"🎒 You lose the Boon “{title}”."
        assert told[-1] == f"🎒 You spend {title} ×2 (+4)."


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
    pictures = ("die 🎲", "Artifact 🏺", "**Boon** 🎒", "**Challenge** ❗", "wounded 🩹", "fight it ⚔️")
    assert all(picture in shown[0].text for picture in pictures)
    numbers = [re.findall(r"\bR[0-9]{2}\b", page.text) for page in shown]
    assert {page.title for page, found in zip(shown, numbers, strict=True) if found} == {"Full rules"}
    assert len({number for found in numbers for number in found}) == 22


def test_the_result_tells_the_journey_of_the_winner_in_five_lines() -> None:
    match = random_match("artifact", 3, moves=9999)
    names = Names(match.table(names=NAMES).seats)
    lines = SCREENS.result(GAME.view(match.state, None), names)
    at = lines.index("**The journey of the winner**")
    assert lines[at + 6] == ""
    assert all(lines[at + 1 : at + 6])


def test_the_result_is_the_journey_as_it_was() -> None:
    state = scene(2, 9, 0, parties={0: "combat / combat! / x"}, aids={0: "pistols"}, holder=0)
    state.hands = (s.Held(3, 1, 30), s.Held(4, 0, 20))
    been = s.Journal(squares=57, overcome=7, faced=9, won=4, fought=6, found=5, spent=4)
    state.journal[: s.ENTRIES] = [*been]
    state.journal[2 * s.ENTRIES :] = [*s.Journal(overcome=2, faced=3, won=1, fought=2)]
    play(state, m.ROLL, d6(1))
    names = Names(Match(GAME, state, []).table(names=NAMES).seats)
    assert SCREENS.result(GAME.view(state, None), names) == [
        f"*{GAME.catalogue.scenarios[state.scenario].data.homecoming}*",
        "**The journey of the winner**",
        "🥾 Squares travelled: 58 · rounds: 5",
        "🎒 Boons found on the way: 5 · spent: 4",
        "❗ Challenges overcome: 7 of 9",
        "⚔️ Fights won: 4 of 6",
        "👤 Members still there: 5 of 6 · wounded: 1 · 🏺 the Artifact changed hands 1 time",
        "",
        "### 🥇 1. 🔵 **Ana** · 👤5 🩹1 🎒1",
        "🥈 2. 🔶 **Ben** · 👤6 🎒0",
        "-# The Artifact was in this party's hands until **Ana** took it on square 20.",
        "🥈 2. 🟩 **Cara** · out",
        "-# The party never reached the Artifact. It goes home with 2 Challenges overcome and 1 fight won.",
    ]
