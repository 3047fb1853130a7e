"""The table message and what anybody can look up: where all stand, how strong they are, and what is at stake."""

from __future__ import annotations

from typing import Any

from simcord.components import walk_components

from bot.art.picture_cache import Plate
from bot.ui.screens import components as ui
from bot.ui.screens.board import board as show_board
from bot.ui.screens.game_screens import Pressed
from bot.ui.screens.kit import TITLE, Screen
from bot.ui.screens.names import Names
from bot.ui.screens.pages import sheet as show_sheet
from bot.ui.screens.private import private
from cogs.artifact import table
from cogs.artifact.teller import person
from engine.artifact import state as s
from engine.artifact.state import State, cast
from tests.cogs.in_memory import Match
from tests.engine.artifact.scene import GAME, scene

NAMES = ["Ana", "Ben", "Cara", "Dan", "Eva", "Finn"]


def lines(screen: Screen) -> list[str]:
    parts = list(walk_components(screen.view().to_components()))
    return [line for part in parts if part["type"] == 10 for line in part["content"].splitlines()]


def board(state: State) -> list[str]:
    match = Match(GAME, state, [])
    return lines(show_board(match.table(names=NAMES), match.screens, [], 0.0))


def sheet(state: State, intent: str, arg: str) -> list[str]:
    match = Match(GAME, state, [])
    return lines(show_sheet(match.table(names=NAMES), match.screens, Pressed(intent, arg, {})))


def trail(state: State) -> list[str]:
    return table.trail(GAME.view(state, None))


def parties(state: State) -> list[str]:
    view = GAME.view(state, None)
    return table.parties(view, Names(Match(GAME, state, []).table(names=NAMES).seats))


def test_the_trail_shows_each_party_and_where_several_share_a_square() -> None:
    assert trail(scene(7, 12, 7, 1)) == [
        "` 1` 🔺▫️▫️▫️▫️▫️👥▫️▫️▫️ `10`",
        "`11` ▫️🔶▫️▫️▫️🔹🔹🔹🔹🔹 `20`",
        "`21` 🔹🔹🔹🔹🔹🔹🔹🔹🔹🏺 `30`",
    ]


def test_the_trail_shows_who_has_the_artifact_and_where_it_lies() -> None:
    assert trail(scene(24, 24, 5, holder=1))[2] == "`21` 🔹🔹🔹👥🔹🔹🔹🔹🔹🔹 `30`"
    assert trail(scene(24, 0, 5, lies=9))[0] == "` 1` 🏠▫️▫️▫️🟩▫️▫️▫️🏺▫️ `10`"


def test_the_trail_stands_once_as_a_picture_or_as_text() -> None:
    """Without a picture the text shows the trail; with one the picture's description tells it."""
    state = scene(7, 12, 7, 1)
    match = Match(GAME, state, [])
    screen = show_board(match.table(names=NAMES), match.screens, [], 0.0)
    without = list(ui.texts(screen.items))
    picture = match.screens.table_picture(GAME.view(state, None))
    assert picture
    screen.picture(Plate("trail.png", b"", picture.alt), screen.after(TITLE))
    drawn = list(ui.texts(screen.items))
    assert [text for text in without if text not in drawn] == ["\n".join(trail(state))]
    assert "Square 7: blue circle and green square." in picture.alt
    assert "Square 12: orange diamond." in picture.alt
    assert [item["type"] for item in screen.items[:3]] == [ui.TEXT, ui.GALLERY, ui.TEXT]


def test_a_party_in_a_line_whose_turn_it_is_and_what_it_has() -> None:
    hurt = "combat / combat! / x / combat"
    state = scene(8, 14, 0, 3, parties={1: hurt}, aids={1: "pistols tomes"}, active=1, holder=1, skips=[3])
    assert parties(state) == [
        "🔵 **Ana** `8` 👤6 🎒0",
        "🔶 **Ben** `14` 👤5 🩹1 🎒2 🏺",
        "🟩 **Cara** out",
        "🔺 **Dan** `3` 👤6 🎒0 💤",
    ]


def test_a_challenge_says_what_it_asks_what_the_party_has_and_what_is_at_stake() -> None:
    state = scene(3, 9, parties={0: "agility / agility"}, phase=s.CHALLENGE, encounter="rope_bridge", step=1)
    shown = board(state)
    assert any(line.startswith("▶️ **Ana** faces **The Bridge of One Rope**.") for line in shown)
    assert "-# ❗ Agility, Mechanics and Strength · **Ana** has +2 · at stake: a wound" in shown


def test_a_fight_says_what_each_side_has_so_far() -> None:
    made: dict[str, Any] = {"parties": {0: "combat combat", 1: "combat"}, "opponent": 1, "step": 1}
    named = scene(5, 5, phase=s.DEFEND, ability=0, used=("pistols",), aids={1: "pistols"}, **made)
    assert "⚔️ Combat · **Ana** +2 +3 🎒 – **Ben** +1" in board(named)
    assert "⚔️ **Ana** – **Ben**" in board(scene(5, 5, phase=s.ABILITY, **made))


def test_a_party_in_full() -> None:
    party = "combat combat science / survival! / x / combat"
    state = scene(8, 14, parties={1: party}, aids={1: "pistols tomes pistols"}, holder=1, skips=[1])
    shown = sheet(state, table.PARTY, "1.0")
    assert shown[:6] == [
        "### 🔶 Ben",
        "Round 5",
        "On square 14 · 👤5 🩹1 🎒3 · 🏺",
        "💤 It loses its next turn.",
        f"**{person(cast(state), 1, 0)} (Leader)** · Combat ×2, Personality ×2, Science",
        f"**{person(cast(state), 1, 1)} (First Companion)** 🩹 · Survival, Personality",
    ]
    assert f"~~{person(cast(state), 1, 2)}~~ · out" in shown
    assert any(line.startswith("-# Together: Combat ×3, Survival, ") for line in shown)
    assert [line for line in shown if line.startswith("🎒")] == [
        "🎒 Pistols · Combat +3 ×2",
        "🎒 Ancient Tomes · Linguistics +3",
    ]


def test_all_parties_with_what_their_members_have_together_and_their_aids() -> None:
    state = scene(8, 14, 0, parties={1: "combat / combat"}, aids={1: "pistols tomes pistols"})
    shown = sheet(state, table.ALL, "")
    assert shown[:2] == ["### Parties", "Round 5"]
    assert "👤 members" in shown[2]
    at = shown.index("🔶 **Ben** `14` 👤6 🎒3")
    assert shown[at + 1].startswith("-# Combat ×2")
    assert shown[at + 2] == "-# 🎒 Pistols (Combat +3) ×2, Ancient Tomes (Linguistics +3)"
    assert shown[-1] == "🟩 **Cara** out"


def own(state: State, seat: int) -> list[str]:
    match = Match(GAME, state, [])
    return lines(private(match.table(names=NAMES), match.screens, seat, []))


def test_above_a_decision_stands_what_a_party_has_together_and_else_the_whole_party() -> None:
    made: dict[str, Any] = {"parties": {0: "agility / agility"}, "aids": {0: "climbing_gear"}}
    state = scene(3, 9, phase=s.CHALLENGE, encounter="rope_bridge", step=1, **made)
    asked, waiting = own(state, 0), own(state, 1)
    assert "On square 3 · 👤6 🎒1" in asked
    assert any(line.startswith("-# Agility ×2") for line in asked)
    assert "-# 🎒 Climbing Gear (Agility +3)" in asked
    assert not any(" (Leader)**" in line for line in asked)
    assert any(" (Leader)**" in line for line in waiting)


def test_who_is_asked_at_once_has_a_line_each_and_the_time_stands_once() -> None:
    match = Match(GAME, GAME.new(6, GAME.load_options({"scenario": "lost_city"}), b"k" * 32), [])
    shown = lines(show_board(match.table(names=NAMES), match.screens, [], 0.0))
    asked = [line for line in shown if "makes a party" in line]
    assert len(asked) == 6
    assert [("Time runs out" in line) for line in asked] == [False] * 5 + [True]
    table = match.table(names=NAMES)
    table.body.asked[2].deadline = 1_900_000_000.0
    asked = [line for line in lines(show_board(table, match.screens, [], 0.0)) if "makes a party" in line]
    assert [("Time runs out" in line) for line in asked] == [False, True, True, False, False, True]


def test_the_encounters_say_what_each_roll_brings() -> None:
    shown = sheet(scene(3, 9), table.ENCOUNTERS, "0.0")
    assert shown[1] == "Two dice on squares 2–15:"
    assert len([line for line in shown if line.startswith("`")]) == 11
    rapids = "` 2` **The Laughing Rapids** · ❗ Navigation, Strength and Agility · 3 squares lost"
    assert rapids in shown
    assert "` 5` **The Boatman's Song** · 🎒 Navigation +2" in shown
    assert sheet(scene(3, 9), table.ENCOUNTERS, "1.0")[1] == "Two dice on squares 16–29:"


def test_while_parties_are_made_the_table_tells_the_story_once() -> None:
    match = Match(GAME, GAME.new(2, GAME.load_options({"scenario": "lost_city"}), b"k" * 32), [])
    match.events = [(0, event) for event in GAME.opening(match.state)]
    shown = lines(show_board(match.table(names=NAMES), match.screens, match.rows(), 0.0))
    assert sum("Singing Jaguar" in line for line in shown) == 1
