"""Recaps that depend on the reader and on the room: the news of a fight, its end, and tables of many parties."""

from __future__ import annotations

from typing import Any

from bot.tables.history import OwnMove
from bot.ui.screens.appraisals import Point, Swing
from bot.ui.screens.board import board
from bot.ui.screens.chronicle import latest
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import NO_BREAK, Names
from bot.ui.screens.private import private
from bot.ui.screens.review import effect_on
from cogs.artifact import recap
from cogs.artifact.narrator import person
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.game import Event
from tests.cogs.artifact.test_table import lines
from tests.cogs.in_memory import Match, row
from tests.cogs.page import news_of
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
FOUND = GAME.catalogue.scenarios[GAME.catalogue.numbers["lost_city"]].encounters["caimans"]
TWO, SIX = (text.replace(" ", NO_BREAK) for text in ("1️⃣ + 1 = **2**", "2️⃣ + 1 + 3 = **6**"))
ROLLS = f"({TWO}{NO_BREAK}:{NO_BREAK}{SIX})"
WON = "**Ana** rolls 3️⃣ to square 7 and wins a fight with **Ben**."
SCREENS = MATCH.screens


def fought(winner: int | None) -> tuple[str, int, dict[str, Any]]:
    rolls = {"ability": "combat", "dice": [1, 2], "abilities": [1, 1], "aids": [0, 3], "totals": [2, 6]}
    return ("fought", 0, {"other": 1, "winner": winner, **rolls})


def seen_events(*events: tuple[str, int | None, dict[str, Any]]) -> list[SeenEvent]:
    return [SeenEvent(*event) for event in events]


def test_the_defender_of_a_fight_reads_once_what_led_to_it_and_below_what_is_at_stake() -> None:
    made: dict[str, Any] = {"parties": {0: "combat combat", 1: "combat"}, "opponent": 1, "step": 1}
    made |= {"phase": s.DEFEND, "ability": 0, "aids": {1: "pistols"}}
    spent = ("used", 0, {"scenario": "lost_city", "aids": ["pistols"], "worth": 3})
    earlier = Event("moved", 2, MOVED[2] | {"from": 1, "to": 2})

    def read(*events: Event, **more: Any) -> tuple[list[str], list[str]]:
        """The lines from the turn to the party, and those from the fight to the chances."""
        match = Match(GAME, scene(5, 5, 9, **made, **more), [])
        rows = [row(earlier, 1, 2), *[row(event, 2, 0) for event in (Event(*MOVED), Event(*MET), *events)]]
        table = match.table(names=NAMES)
        table.sequence = 2
        shown = lines(private(table, match.screens, 1, rows))
        fight = next(n for n, line in enumerate(shown) if line.startswith(("⚔️ Combat", "### If")))
        chances = next(n for n, line in enumerate(shown) if line.startswith("-# Your chance"))
        return news_of(shown), shown[fight:chances]

    before = ["-# **Cara** rolls 3️⃣ to square 2.", "-# **Ana** rolls 3️⃣ to square 7."]
    met = "### ⚔️ **Ana** **attacks you**: a fight of Combat."
    assert read() == (
        [*before, met],
        ["⚔️ Combat · **Ana** +2 – **Ben** +1"],
    )
    assert read(Event(*spent), used=("pistols",), holder=1) == (
        [before[0], met, "-# **Ana** spends 🎒 Pistols (+3)."],
        [
            "### If you lose, **Ana** takes the Artifact 💎 from you.",
            "⚔️ Combat · **Ana** +2 +3 🎒 – **Ben** +1",
        ],
    )
    assert read(holder=0)[1][-1] == "-# If you win, the Artifact 💎 is yours."


WOUND = ("wounded", 1, {"member": 1, "cast": 0, "lost": ["combat"]})
HURT = f"{person(0, 1, 1)} of **Ben**'s party is wounded"


def test_the_private_screen_tells_the_newest_turn_whole_and_the_table_in_a_line() -> None:
    events = [("skipped", 1, {}), ("rolled", 0, {"die": 3}), MOVED, MET, fought(0), WOUND]
    assert recap.newest_turn(seen_events(*events)) == len(events) - 1
    assert recap.newest_turn(seen_events(("order", 0, {"rolls": []}))) == 0
    movers = [1, *[0] * (len(events) - 1)]
    rows = [row(Event(*event, reveals=True), 1, mover) for event, mover in zip(events, movers, strict=True)]
    table = MATCH.table(names=NAMES)
    table.sequence = table.seats[0].moved = 1
    shown = lines(board(table, SCREENS, rows, 0.0))
    own = lines(private(table, SCREENS, 0, rows))
    assert any("**You win!**" in line for line in own)
    assert [line for line in shown if line.startswith("-# ")][-2:] == [
        "-# 💤 **Ben** skips this turn, which was lost in a Challenge.",
        f"-# {WON[:-1]} {ROLLS}; {HURT}.",
    ]
    at = next(number for number, line in enumerate(own) if "**You win!**" in line)
    assert own[at + 1] == f"-# 🩹 {HURT} and loses Combat.", "with the fight, and not with what follows"


def test_a_turn_in_which_another_party_spends_aids_is_one_line() -> None:
    """The other's move decides the fight, and is no turn of its own."""
    events = [row(Event(*MOVED), 1, 0), row(Event(*MET), 1, 0), row(Event(*SPENT), 2, 1)]
    events += [row(Event(*fought(0)), 2, 1)]
    table = MATCH.table(names=NAMES)
    assert latest(table, SCREENS, events, None, 5) == [
        "**Ana** rolls 3️⃣ to square 7 and meets **Ben**. **Ben** spends 🎒 Pistols (+3). "
        f"**Ana** wins the fight {ROLLS}."
    ]


def test_what_happened_to_the_artifact_stays_at_the_table_until_its_party_s_next_turn() -> None:
    seized = Event("seized", 1, {"other": 0, "square": 7})
    rows = [row(Event(*event), 1, 0) for event in (MOVED, MET, fought(1), WOUND)] + [row(seized, 1, 0)]
    rows.append(row(Event("moved", 1, MOVED[2] | {"from": 7, "to": 3, "direction": "back"}), 2, 1))
    table = MATCH.table(names=NAMES)
    del table.seats[2:]
    heading = "### 💎 **Ben** **seizes the Artifact** from **Ana**! ⚔️ 6\u00a0:\u00a02"
    last = "**Ben** rolls 3️⃣ homeward to square 3."
    assert latest(table, SCREENS, rows, None, 2) == [
        heading,
        f"**Ana** rolls 3️⃣ to square 7 and loses a fight with **Ben** {ROLLS}; {HURT}.",
        last,
    ]
    assert latest(table, SCREENS, rows, None, 2, lambda lines: len(lines) < 3) == [heading, last]
    assert latest(table, SCREENS, rows, None, 2, lambda lines: len(lines) < 2) == [last], "two need no count"
    failed = Event("faced", 0, FACED | {"overcome": False})
    rows[-1:] = [row(Event("challenge", 0, CAIMANS), 1, 0)]
    assert latest(table, SCREENS, rows, None, 2)[1].endswith(f"{HURT}."), "the line below names what is faced"
    rows.append(row(failed, 2, 0))
    cut = latest(table, SCREENS, rows, None, 2, lambda lines: sum(map(len, lines)) < 190)
    assert cut[0] == heading
    assert cut[1].startswith(f"… **Ana** fails at “{FOUND.title}” (")


def test_the_table_of_many_parties_leaves_out_what_rolls_are_made_of() -> None:
    seats = [*MATCH.table(names=NAMES).seats, *MATCH.table(names=["Dan", "Eva"]).seats[:2]]
    names = Names(seats)
    faced = ("faced", 0, {**FACED, "scenario": "lost_city", "overcome": False})
    events = seen_events(
        MOVED, fought(0), ("challenge", 0, CAIMANS), faced, ("thrown_back", 0, {"from": 7, "to": 5})
    )
    (in_full,) = recap.recap(events, None, names, GAME.catalogue)
    assert in_full.endswith(
        f"(2\u00a0:\u00a06), fails at “{FOUND.title}” (3\u00a0:\u00a07) "
        "and is thrown back to square 5 (2 squares lost)."
    )
    assert recap.recap(seen_events(("rolled", 0, {"die": 3})), None, names, GAME.catalogue) == []
    (to_her,) = recap.recap(events, 0, names, GAME.catalogue)
    assert to_her.startswith("🎲 3️⃣ You go on from square 4 to 7. ⚔️ **Combat.** You roll ")
    assert "Ana" not in to_her


def test_the_roll_that_comes_home_and_a_run_ahead_of_the_artifact_are_told() -> None:
    names = Names(MATCH.table(names=NAMES).seats)
    home = {**MOVED[2], "die": 6, "from": 7, "to": 1, "direction": "back", "artifact": True}
    (event,) = seen_events(("moved", 0, home))
    assert recap.effect(event) == 3
    (told,) = recap.recap([event], 1, names, GAME.catalogue)
    assert told == "**Ana** comes home with a roll of 6️⃣ (chance 17%)."
    ahead = {**home, "from": 25, "to": 19, "artifact": False, "ahead": True}
    (told,) = recap.recap(seen_events(("moved", 0, ahead)), 1, names, GAME.catalogue)
    assert told == "**Ana** runs ahead with 6️⃣ to wait on square 19."


def test_reviews_tell_the_artifact_s_way_and_what_better_luck_would_have_brought() -> None:
    seized, fell = seen_events(("seized", 1, {"other": 2, "square": 7}), ("wounded", 1, {"other": 2}))
    assert [effect_on(SCREENS, seized, 0, sign) for sign in (1, -1)] == [3, 3], "between two others"
    assert [effect_on(SCREENS, fell, 0, sign) for sign in (1, -1)] == [1, -1]
    carried = {**MOVED[2], "from": 14, "to": 8, "direction": "back", "artifact": True}
    (event,) = seen_events(("moved", 1, carried))
    assert effect_on(SCREENS, event, 0, -1) == 3
    view, names = GAME.view(scene(12, 9, holder=1), 0), Names(MATCH.table(names=NAMES).seats)
    luck = seen_events(("moved", 0, {**MOVED[2], "die": 2}))
    swing = Swing(Point(1, 1, 0.5), Point(2, 1, 0.4), view, [], luck)
    assert SCREENS.meaning(swing, names) == "3️⃣ would have reached the Artifact 💎."
    events = seen_events(
        ("faced", 1, {**FACED, "overcome": False}),
        ("skipped", 1, {}),
        ("moved", 1, {**MOVED[2], "die": 6}),
        ("seized", 1, {"other": 0, "square": 7}),
    )
    swing, fails = (
        swing._replace(turns=[events], events=events),
        f"**Ben** fails at “{FOUND.title}” (3 : 7). ",
    )
    for chance, cause in ((0.4, ""), (0.6, fails)):  # another's failure is no cause of a fall
        told = SCREENS.meaning(swing._replace(after=Point(2, 1, chance)), names).replace(NO_BREAK, " ")
        assert told == cause + "**Ben** needed a 6️⃣ (chance 17%) to meet you."
    held = OwnMove(2, GAME.view(scene(12, 17, 9, holder=0), 0), m.ROLL)
    assert SCREENS.meaning(Swing(swing.before, Point(2, 2, 0.8, held), view, []), names) == (
        "Squares to home: 11; **Ben** 5 behind and **Cara** 3 ahead."
    )
    shown = lines(private(MATCH.table(scene(12, 9, holder=1), names=NAMES), SCREENS, 0, []))
    assert shown[-1] == "-# 3️⃣ → square 9 · ⚔️ **Ben**: you 42% · 💎"


def test_another_boon_of_a_kind_is_told_without_its_story() -> None:
    names = Names(MATCH.table(names=NAMES).seats)
    facts = {"scenario": "ice_tomb", "part": 2, "dice": [2, 5], "encounter": "furs"}
    first, again = seen_events(("aid", 0, facts), ("aid", 0, {**facts, "again": True}))
    assert "\n-# *" in recap.news_line(first, 0, names, GAME.catalogue)
    told = recap.news_line(again, 0, names, GAME.catalogue)
    assert told.endswith("You gain another “A Chest of Furs” (Survival +4).")
