"""Tables that no written playthrough has: pictures in place of text, times of several, a party that is out."""

from __future__ import annotations

from simcord.components import walk_components

from bot.art.picture_cache import Plate
from bot.ui.screens import components as ui
from bot.ui.screens.board import board as show_board
from bot.ui.screens.game_screens import Pressed
from bot.ui.screens.kit import TITLE, Screen
from bot.ui.screens.names import Names
from bot.ui.screens.pages import sheet as show_sheet
from cogs.artifact import table
from engine.artifact.state import State
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


def test_all_parties_with_what_their_members_have_together_and_their_aids() -> None:
    state = scene(8, 14, 0, parties={1: "combat / combat"}, aids={1: "pistols tomes pistols"})
    shown = sheet(state, table.ALL, "")
    assert shown[:2] == ["### Parties", "Round 5"]
    assert "👤 members" in shown[2]
    at = shown.index("🔶 **Ben** · square 14 · 👤6 🎒3")
    assert shown[at + 1].startswith("-# Combat ×2")
    assert shown[at + 2] == "-# 🎒 Pistols (Combat +3) ×2, Ancient Tomes (Linguistics +3)"
    assert shown[-1] == "🟩 **Cara** out"


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
