"""The news that somebody has missed, in a sentence for each turn, and how much of the log the table message shows."""

from __future__ import annotations

from typing import Any

from bot.ui.screens.board import board
from bot.ui.screens.chronicle import latest_turns
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names
from bot.ui.screens.private import private
from cogs.artifact import recap
from cogs.artifact.teller import person
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
WON = "**Ana** goes on to square 7 and wins a fight with **Ben**."
SCREENS = MATCH.screens


def fought(winner: int | None) -> tuple[str, int, dict[str, Any]]:
    rolls = {"ability": "combat", "dice": [1, 2], "abilities": [1, 1], "aids": [0, 3], "totals": [2, 6]}
    return ("fought", 0, {"other": 1, "winner": winner, **rolls})


def told(*events: tuple[str, int | None, dict[str, Any]]) -> list[SeenEvent]:
    return [SeenEvent(*event) for event in events]


def recapped(*events: tuple[str, int | None, dict[str, Any]]) -> list[str]:
    names = Names(MATCH.table(names=NAMES).seats)
    return SCREENS.recap(told(*events), 2, names)


def test_a_turn_is_told_in_one_sentence() -> None:
    challenge = (("challenge", 0, CAIMANS), ("faced", 0, FACED | {"overcome": False}))
    wound = ("wounded", 0, {"member": 1, "cast": 0, "lost": ["combat"]})
    went = f"**Ana** goes on to square 7 and fails at “{FOUND.title}”"
    assert recapped(MOVED, *challenge, wound) == [f"{went}; {person(0, 0, 1)} is wounded."]
    assert recapped(MOVED, challenge[0]) == [f"**Ana** goes on to square 7 and faces “{FOUND.title}”."]
    back = MOVED[2] | {"to": 1, "direction": "back"}
    assert recapped(("moved", 0, back)) == ["**Ana** goes back to square 1."]


def test_all_read_the_story_of_an_encounter_below_the_turn_s_sentence() -> None:
    names = Names(MATCH.table(names=NAMES).seats)
    faced = told(MOVED, ("challenge", 0, CAIMANS), ("faced", 0, FACED | {"overcome": True}))
    assert recap.recap(faced, None, names, GAME.catalogue) == [
        f"**Ana** goes on to square 7 and overcomes “{FOUND.title}”.",
        f"*{FOUND.story}*",
    ]
    assert len(SCREENS.recap(faced, 2, names)) == 1, "a private screen has the news of several turns"
    fight = told(MOVED, MET, fought(0), WOUND, ("challenge", 0, CAIMANS))
    assert len(SCREENS.recap(fight, None, names)) == 1, "a phone has no room for a fight and a story"


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
        fight = next(n for n, line in enumerate(shown) if line.startswith("⚔️ Combat"))
        chances = next(n for n, line in enumerate(shown) if line.startswith("-# Your chance to win"))
        return news_of(shown), shown[fight:chances]

    stake = "-# Both roll a die and add theirs: the lower side is wounded."
    before = ["-# **Cara** goes on to square 2."]
    assert read() == (
        [*before, "-# **Ana** goes on to square 7 and meets you."],
        ["⚔️ Combat · **Ana** +2 – **Ben** +1", stake],
    )
    assert read(Event(*spent), used=("pistols",), holder=1) == (
        [*before, "-# **Ana** goes on to square 7, meets you and spends 🎒 Pistols (+3)."],
        [
            "⚔️ Combat · **Ana** +2 +3 🎒 – **Ben** +1",
            f"{stake} If you lose, **Ana** takes the Artifact 🏺 from you.",
        ],
    )
    assert read(holder=0)[1][-1] == f"{stake} If you win, the Artifact 🏺 is yours."


WOUND = ("wounded", 1, {"member": 1, "cast": 0, "lost": ["combat"]})
HURT = f"{person(0, 1, 1)} of **Ben**'s party is wounded"


def test_a_fight_is_told_with_the_wound_that_it_brought_and_whose_it_is() -> None:
    assert recapped(MOVED, MET) == ["**Ana** goes on to square 7 and meets **Ben**."]
    names = Names(MATCH.table(names=NAMES).seats)
    assert SCREENS.recap(told(MOVED, MET), 1, names) == ["**Ana** goes on to square 7 and meets you."]
    assert recapped(MOVED, MET, fought(0), WOUND) == [f"{WON[:-1]}; {HURT}."]
    carried = ("member_out", 0, {"member": 2, "cast": 0, "lost": []})
    assert recapped(MOVED, MET, fought(1), carried) == [
        f"**Ana** goes on to square 7 and loses a fight with **Ben**; {person(0, 0, 2)} of **Ana**'s party is "
        "wounded again and carried home."
    ]
    assert recapped(fought(None)) == ["**Ana** fights **Ben** to a draw."]


def test_what_a_fight_brings_is_told_before_the_encounter_that_follows_it() -> None:
    own_wound = ("wounded", 0, {"member": 1, "cast": 0, "lost": ["combat"]})
    failed = (("challenge", 0, CAIMANS), ("faced", 0, FACED | {"overcome": False}), own_wound)
    seized = ("seized", 1, {"other": 0, "square": 7})
    assert recapped(MOVED, MET, fought(0), WOUND, *failed) == [
        f"{WON[:-1]}; {HURT}. **Ana** fails at “{FOUND.title}”; {person(0, 0, 1)} is wounded."
    ]
    assert recapped(MOVED, MET, fought(1), own_wound, seized, *failed[:2]) == [
        f"**Ana** goes on to square 7 and loses a fight with **Ben**; {person(0, 0, 1)} of **Ana**'s party is "
        f"wounded. **Ben** takes the Artifact 🏺 from **Ana**. **Ana** fails at “{FOUND.title}”."
    ]
    out = ("party_out", 1, {"square": 7})
    assert recapped(fought(0), WOUND, out, *failed[:2]) == [
        f"**Ana** wins a fight with **Ben**; {HURT}. No one in **Ben**'s party is left: it is out of the race. "
        f"**Ana** fails at “{FOUND.title}”."
    ]


def test_all_read_the_boons_that_a_party_spends_between_what_it_meets_and_how_it_ends() -> None:
    own = ("used", 0, {"scenario": "lost_city", "aids": ["pistols", "picks"], "worth": 6})
    faced = ("faced", 0, FACED | {"overcome": True})
    assert recapped(MOVED, ("challenge", 0, CAIMANS), own, faced) == [
        f"**Ana** goes on to square 7, faces “{FOUND.title}”, spends 🎒 Pistols and Picks and Crowbar (+6) and "
        "overcomes it."
    ]
    assert recapped(MOVED, MET, own, SPENT, fought(0), WOUND) == [
        "**Ana** goes on to square 7, meets **Ben** and spends 🎒 Pistols and Picks and Crowbar (+6). **Ben** spends "
        f"🎒 Pistols (+3). **Ana** wins the fight; {HURT}."
    ]
    nothing = ("used", 0, {"scenario": "lost_city", "aids": [], "worth": 0})
    assert recapped(MOVED, MET, nothing, fought(0)) == [WON]


def test_a_penalty_that_takes_nothing_is_told_as_such() -> None:
    failed = (("challenge", 0, CAIMANS), ("faced", 0, FACED | {"overcome": False}))
    went = f"**Ana** goes on to square 7, fails at “{FOUND.title}” and"
    assert recapped(MOVED, *failed, ("aid_lost", 0, {"scenario": "lost_city", "aid": None})) == [
        f"{went} has no Boon to lose."
    ]
    assert recapped(MOVED, *failed, ("thrown_back", 0, {"squares": 2, "from": 7, "to": 7})) == [
        f"{went} stays on square 7."
    ]


def test_what_has_only_begun_is_told_as_it_stands() -> None:
    assert recapped(("rolled", 0, {"die": 3})) == ["**Ana** rolls 3️⃣ and looks both ways along the trail."]
    assert recapped(SPENT) == ["**Ben** spends 🎒 Pistols (+3)."]


def test_what_ends_a_party_or_the_match_is_told_in_full() -> None:
    over = ("over", None, {"scenario": "lost_city", "winner": 0, "why": "last", "round": 9})
    lines = recapped(fought(0), ("party_out", 1, {}), over)
    assert lines[0].endswith("No one in **Ben**'s party is left: it is out of the race.")
    assert len(lines) == 2
    home = {"scenario": "lost_city", "winner": 0, "why": "home", "round": 9}
    assert recapped(("over", None, home)) == ["🏁 After 9 rounds **Ana** brings the Artifact home!"], (
        "the result tells the homecoming"
    )


def test_a_fight_concerns_both_and_nobody_else() -> None:
    (fight,) = told(fought(0))
    assert [SCREENS.concerns(fight, seat) for seat in range(3)] == [True, True, False]


def test_the_private_screen_tells_the_newest_turn_whole_and_the_table_in_a_line() -> None:
    events = [("skipped", 1, {}), ("rolled", 0, {"die": 3}), MOVED, MET, fought(0), WOUND]
    assert recap.newest_turn(told(*events)) == len(events) - 1
    assert recap.newest_turn(told(("order", 0, {"rolls": []}))) == 0
    movers = [1, *[0] * (len(events) - 1)]
    rows = [row(Event(*event, reveals=True), 1, mover) for event, mover in zip(events, movers, strict=True)]
    table = MATCH.table(names=NAMES)
    table.sequence = table.seats[0].moved = 1
    shown = lines(board(table, SCREENS, rows, 0.0))
    own = lines(private(table, SCREENS, 0, rows))
    assert any("**You win!**" in line for line in own)
    assert [line for line in shown if line.startswith("-# ")][-2:] == [
        "-# 💤 **Ben** skips this turn, which was lost in a Challenge.",
        f"-# {WON[:-1]}; {HURT}.",
    ]
    at = next(number for number, line in enumerate(own) if "**You win!**" in line)
    assert own[at + 1] == f"-# 🩹 {HURT} and loses Combat.", "with the fight, and not with what follows"


def test_a_turn_in_which_another_party_spends_aids_is_one_line() -> None:
    """The other's move decides the fight, and is no turn of its own."""
    events = [row(Event(*MOVED), 1, 0), row(Event(*MET), 1, 0), row(Event(*SPENT), 2, 1)]
    events += [row(Event(*fought(0)), 2, 1)]
    table = MATCH.table(names=NAMES)
    assert latest_turns(table, SCREENS, events, None, 5) == [
        "**Ana** goes on to square 7 and meets **Ben**. **Ben** spends 🎒 Pistols (+3). **Ana** wins the fight."
    ]


def test_the_table_of_many_parties_leaves_out_dice_and_titles() -> None:
    seats = [*MATCH.table(names=NAMES).seats, *MATCH.table(names=["Dan", "Eva"]).seats[:2]]
    names = Names(seats)
    faced = ("faced", 0, {**FACED, "scenario": "lost_city", "overcome": False})
    events = told(
        MOVED, fought(0), ("challenge", 0, CAIMANS), faced, ("thrown_back", 0, {"from": 7, "to": 5})
    )
    assert recap.recap(events, None, names, GAME.catalogue) == [
        "**Ana** wins a fight with **Ben**, fails at a Challenge and is thrown back to square 5."
    ]
    assert recap.recap(told(MOVED, fought(0)), None, names, GAME.catalogue) == [WON]
    assert recap.recap(told(("rolled", 0, {"die": 3})), None, names, GAME.catalogue) == []
    (in_full,) = recap.recap(events, 2, names, GAME.catalogue)
    assert in_full.endswith(f"fails at “{FOUND.title}” and is thrown back to square 5.")
