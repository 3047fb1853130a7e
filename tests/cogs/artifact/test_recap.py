"""What somebody has missed, in a line for each turn, and how much of the log the table message shows."""

from __future__ import annotations

from typing import Any

from bot.ui import table_screens as show
from bot.ui.game_screens import Told
from bot.ui.names import Names
from bot.ui.own_screen import private
from cogs.artifact import recap
from engine.game import Event
from tests.cogs.artifact.test_table import lines
from tests.cogs.in_memory import Match, row
from tests.engine.artifact.scene import GAME, scene

NAMES = ["Ana", "Ben", "Cara"]
MATCH = Match(GAME, scene(5, 5, 9), [])

MOVED = ("moved", 0, {"die": 3, "from": 4, "to": 7, "direction": "forward", "round": 2})
MET = ("met", 0, {"other": 1, "square": 7, "die": 1, "ability": "combat"})
SPENT = ("used", 1, {"scenario": "lost_city", "aids": ["pistols"], "worth": 3})
FACED = {
    "encounter": "caimans",
    "die": 2,
    "abilities": 1,
    "aids": 0,
    "total": 3,
    "dice": [3, 4],
    "against": 7,
}
CAIMANS = {"scenario": "lost_city", "part": 1, "dice": [4, 4], "encounter": "caimans"}
SCREENS = MATCH.screens


def fought(winner: int | None) -> tuple[str, int, dict[str, Any]]:
    rolls = {"ability": "combat", "dice": [1, 2], "abilities": [1, 1], "aids": [0, 3], "totals": [2, 6]}
    return ("fought", 0, {"other": 1, "winner": winner, **rolls})


def told(*events: tuple[str, int | None, dict[str, Any]]) -> list[Told]:
    return [Told(*event) for event in events]


def recapped(*events: tuple[str, int | None, dict[str, Any]]) -> list[str]:
    names = Names(MATCH.table(names=NAMES).seats)
    return SCREENS.recap(told(*events), 2, names, GAME)


def test_a_turn_is_told_in_one_line() -> None:
    title = GAME.catalogue.scenarios[GAME.catalogue.numbers["lost_city"]].encounters["caimans"].title
    challenge = (("challenge", 0, CAIMANS), ("faced", 0, FACED | {"overcome": False}))
    wound = ("wounded", 0, {"member": 1, "lost": ["combat"]})
    assert recapped(MOVED, *challenge, wound) == [f"**Ana** 🎲 3️⃣ `4` → `7` · ❗ {title} · not overcome · 🩹"]


def test_a_fight_is_told_of_who_moved_and_the_other_s_wounds_go_without_saying() -> None:
    wound = ("wounded", 1, {"member": 1, "lost": ["combat"]})
    assert recapped(MOVED, MET) == ["**Ana** 🎲 3️⃣ `4` → `7`"]
    assert recapped(SPENT, fought(0), wound) == ["**Ana** ⚔️ **Ben**, won"]
    assert recapped(SPENT, fought(1), ("seized", 1, {"other": 0, "square": 7})) == [
        "**Ana** ⚔️ **Ben**, lost · 🏺 **Ben**"
    ]
    assert recapped(SPENT, fought(None)) == ["**Ana** ⚔️ **Ben**, undecided"]


def test_what_has_only_begun_is_told_as_it_stands() -> None:
    assert recapped(("rolled", 0, {"die": 3})) == ["**Ana** rolls 3️⃣ and looks both ways along the trail."]
    assert recapped(SPENT) == ["🎒 **Ben** spends Pistols (+3)."]


def test_what_ends_a_party_or_the_match_is_told_in_full() -> None:
    over = ("over", None, {"scenario": "lost_city", "winner": 0, "why": "last", "round": 9})
    lines = recapped(fought(0), ("party_out", 1, {}), over)
    assert lines[1] == "Nobody of **Ben**'s party is left: it is out of the race."
    assert len(lines) == 3


def test_a_fight_concerns_both_and_nobody_else() -> None:
    (fight,) = told(fought(0))
    assert [SCREENS.concerns(fight, seat) for seat in range(3)] == [True, True, False]


def test_the_table_tells_the_newest_turn_whole_however_long_it_is() -> None:
    wounds = [("wounded", 1, {"member": n, "lost": []}) for n in range(1, 5)]
    events = [("skipped", 1, {}), ("rolled", 0, {"die": 3}), MOVED, MET, SPENT, fought(0), *wounds]
    assert recap.newest_turn(told(*events)) == len(events) - 1
    assert recap.newest_turn(told(("order", 0, {"rolls": []}))) == 0
    rows = [row(Event(*event)) for event in events]
    shown = lines(show.board(MATCH.table(names=NAMES), SCREENS, rows, 0.0))
    own = lines(private(MATCH.table(names=NAMES), SCREENS, 0, rows))
    assert any("look both ways" in line for line in own)
    assert any("looks both ways" in line for line in shown)
    assert not any("skips this turn" in line for line in shown)
