"""The news of one's own party: its newest turn comes first, in the order of what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.store.model import LogRow
from bot.ui.screens.kit import Screen
from bot.ui.screens.news import log_from, shown_news
from bot.ui.screens.private import private
from cogs.artifact.narrator import person
from engine.artifact import state as s
from engine.game import Event
from tests.cogs.artifact.test_recap import CAIMANS, FACED, FOUND, MET, MOVED, NAMES, SIX, TWO, fought
from tests.cogs.artifact.test_table import lines
from tests.cogs.in_memory import Match, row
from tests.cogs.page import news_of
from tests.engine.artifact.scene import GAME, scene

HERS = MOVED[2] | {"from": 1, "to": 2}
REACHED = Event("reached", 0, {"scenario": "lost_city"})
CHALLENGE = Event("challenge", 0, CAIMANS, reveals=True)
FAILED = Event("faced", 0, FACED | {"overcome": False}, reveals=True)
WOUND = Event("wounded", 0, {"member": 1, "cast": 0, "lost": ["combat"]}, reveals=True)
OWN_TURN = (Event(*MOVED, reveals=True), CHALLENGE, FAILED, WOUND)
RESULT = (
    f"### ❗ **{FOUND.title}**: it goes wrong.",
    "You roll 2️⃣\u00a0+\u00a01\u00a0=\u00a0**3** against 3️⃣\u00a04️⃣\u00a0=\u00a0**7** (chance 26%).",
)
WOUNDED = f"🩹 {person(0, 0, 1)} (First Companion) of your party is wounded and loses Combat."


def rows(*moves: tuple[int, Sequence[Event]]) -> list[LogRow]:
    """The log of these moves: the mover and the events of each."""
    return [row(event, n, mover) for n, (mover, events) in enumerate(moves, 1) for event in events]


def shown(
    moves: Sequence[tuple[int, Sequence[Event]]], *, moved: int, since: int = 0, **more: Any
) -> list[str]:
    """The lines of Ana's screen after these moves, of which `moved` was hers last."""
    match = Match(GAME, scene(5, 5, 9, **more), [])
    table = match.table(names=NAMES)
    table.sequence = len(moves)
    table.seats[0].moved, table.seats[0].since = moved, since
    log = [each for each in rows(*moves) if each.sequence >= log_from(table, 0)]
    return lines(private(table, match.screens, 0, log))


def above(screen: Sequence[str]) -> Sequence[str]:
    """The newest news above the party."""
    return news_of(screen)


SMALL_RESULT = f"{RESULT[0].removeprefix('### ')} {WOUNDED}"
"""What it cost goes with it; its story, and what the roll is made of, do not."""


def test_the_own_turn_is_told_in_its_order_and_in_one_small_line_once_the_reader_is_asked_again() -> None:
    went = "🎲 3️⃣ You go on from square 4 to 7."
    assert above(shown([(0, OWN_TURN)], moved=1, active=1)) == [went, *RESULT, WOUNDED]
    others = [(1, [Event("moved", 1, HERS, reveals=True)])]
    news_lines = above(shown([(0, OWN_TURN), *others], moved=1, active=2))
    assert news_lines[1:] == [*RESULT, WOUNDED, "**Ben** rolls 3️⃣ to square 2."], news_lines
    news_lines = above(shown([(0, OWN_TURN), *others], moved=1))
    assert news_lines == [f"-# {went} {SMALL_RESULT}", "**Ben** rolls 3️⃣ to square 2."]
    own = [(0, [Event("moved", 0, HERS, reveals=True)])]
    last = shown([(0, OWN_TURN), *others, *own, *others], moved=3, since=1)
    assert RESULT[0] not in last, "but not after the next own turn"


def test_what_befell_one_in_another_s_turn_does_not_hide_the_own_turn_after_it() -> None:
    moves = [(1, [Event("skipped", 0, {})]), (0, [Event(*MOVED, reveals=True), REACHED])]
    first = above(shown(moves, moved=2, active=1, holder=0))
    assert first[-2].startswith("### 💎 You **lift the Artifact**"), first
    assert first[-3] == "🎲 3️⃣ You go on from square 4 to 7."


def test_the_outcome_of_a_defence_stands_above_what_led_to_it() -> None:
    attack = [Event("moved", 1, HERS, reveals=True), Event("met", 1, MET[2] | {"other": 0}, reveals=True)]
    spent = Event("used", 0, {"scenario": "lost_city", "aids": [], "worth": 0})
    kind, _seat, facts = fought(0)
    outcome = [spent, Event(kind, 1, facts | {"other": 0}, reveals=True)]
    seized = Event("seized", 0, {"other": 1, "square": 7})
    after = [Event(event.kind, 1, event.facts, reveals=True) for event in OWN_TURN]
    news_lines = shown([(1, attack), (0, [*outcome, seized, *after[1:]])], moved=2)
    (place,) = [number for number, line in enumerate(news_lines) if "⚔️ **Ben** rolls 1️⃣" in line]
    assert place < news_lines.index("### Your party")
    assert news_lines[place].endswith("**You win!**")
    assert news_lines[place + 1] == "### 💎 **You seize the Artifact** from **Ben**!"


def test_a_lost_fight_stands_directly_above_the_wound_and_the_theft_that_it_brought() -> None:
    moved, met = Event("moved", 1, HERS, reveals=True), Event("met", 1, MET[2] | {"other": 0}, reveals=True)
    kind, _seat, facts = fought(1)
    fight = Event(kind, 1, facts | {"other": 0, "winner": 1, "artifact": True}, reveals=True)
    seized = Event("seized", 1, {"other": 0, "square": 2})
    others = [(2, [Event("moved", 2, HERS, reveals=True)])]
    news_lines = above(
        shown([(0, OWN_TURN), (1, [moved, met, fight, WOUND, seized]), *others], moved=1, active=0)
    )
    assert news_lines[-4:] == [
        f"⚔️ **Ben** rolls {TWO}, you roll {SIX}. **You lose.**",
        f"-# {WOUNDED}",
        "### 💎 **Ben** **seizes the Artifact** from you!",
        "-# **Cara** rolls 3️⃣ to square 2.",
    ]


def test_one_s_own_fight_is_told_with_the_challenge_that_followed_it() -> None:
    spent = [
        Event("used", seat, {"scenario": "lost_city", "aids": ["pistols"], "worth": 3}) for seat in (0, 1)
    ]
    kind, _seat, facts = fought(1)
    fight = [spent[1], Event(kind, 0, facts, reveals=True), CHALLENGE]
    before: list[tuple[int, Sequence[Event]]] = [(2, [Event("moved", 2, HERS, reveals=True)])] * 9
    moved = [Event(*MOVED, reveals=True), Event(*MET, reveals=True)]
    own = [(0, moved), (0, spent[:1]), (1, fight), (0, [FAILED, WOUND])]
    whole = above(shown([*before, *own], moved=13, since=11))
    whole = [line.removeprefix("**Now:** ") for line in whole if not line.startswith("-#")]
    assert [line.partition(" ")[0] for line in whole] == ["⚔️", "###", "You", "🩹"], whole
    news_lines = shown([*before, *own, (1, [Event("moved", 1, HERS, reveals=True)])], moved=13, since=11)
    small, last = above(news_lines)
    assert last == "**Ben** rolls 3️⃣ to square 2."
    assert "⚔️ **Combat.** You roll" in small, "the fight, too"
    assert small.endswith(SMALL_RESULT)


def test_the_lost_artifact_stays_the_heading_while_the_turn_goes_on() -> None:
    kind, _seat, facts = fought(1)
    seized = Event("seized", 1, {"other": 0, "square": 7})
    own = [
        (0, [Event(*MOVED, reveals=True), Event(*MET, reveals=True)]),
        (0, [Event("named", 0, {"ability": "combat"})]),
    ]
    own += [(1, [Event(kind, 0, facts, reveals=True), seized, CHALLENGE]), (0, [FAILED])]
    large = [line for line in above(shown(own, moved=4)) if line.startswith("###")]
    assert large == ["### 💎 **Ben** **seizes the Artifact** from you!"]


def test_the_attacker_reads_once_who_they_met_and_what_they_spent() -> None:
    kind, _seat, facts = fought(1)
    fight = Event(kind, 0, facts, reveals=True)
    came = [Event(*MOVED, reveals=True), Event(*MET, reveals=True)]
    went = "🎲 3️⃣ You go on from square 4 to 7."
    large = f"### ⚔️ **Combat.** You roll {TWO}, **Ben** rolls {SIX}. **You lose.**"
    assert above(shown([(0, [*came, fight])], moved=1, active=1)) == [went, large], "nobody was asked"

    def spent(seat: int, *aids: str) -> Event:
        return Event("used", seat, {"scenario": "lost_city", "aids": [*aids], "worth": 3 * len(aids)})

    moves = [(0, came), (0, [spent(0, "picks")]), (1, [spent(1, "pistols"), fight])]
    assert above(shown(moves, moved=2, active=1)) == [
        f"-# {went}",
        "🎒 You spend Picks and Crowbar (+3).",
        "-# **Ben** spends 🎒 Pistols (+3).",
        large,
    ]
    moves = [(0, came), (0, [spent(0)]), (1, [spent(1), fight])]
    assert above(shown(moves, moved=2, active=1)) == [f"-# {went}", large], (
        "that no Boon was spent shows in the result"
    )
    met = Event("met", 0, MET[2] | {"die": 10, "ability": None}, reveals=True)
    named = Event("named", 0, {"ability": "combat"})
    news_lines = above(shown([(0, [came[0], met]), (0, [named, fight])], moved=2, active=1))
    assert news_lines == [f"-# {went}", "You choose Combat for the fight.", large]


def test_a_challenge_is_named_once_with_its_story_while_its_player_decides() -> None:
    asked: dict[str, Any] = {"phase": s.CHALLENGE, "encounter": "caimans", "step": 1, "aids": {0: "pistols"}}
    text = "\n".join(shown([(0, [Event(*MOVED, reveals=True), CHALLENGE])], moved=1, **asked))
    assert text.count(FOUND.title) == 1
    assert text.count(FOUND.story) == 1
    assert "your die + 0 against two dice" in text


def test_where_room_is_short_the_fight_over_the_artifact_outlasts_the_way_to_it() -> None:
    kind, _seat, facts = fought(1)
    fight = Event(kind, 1, facts | {"other": 2, "winner": 1, "artifact": True}, reveals=True)
    turn = [Event("moved", 1, HERS, reveals=True), fight, Event("seized", 1, {"other": 2, "square": 2})]
    rolled = Event("rolled", 0, {"die": 3}, reveals=True)
    match = Match(GAME, scene(5, 2, 2, phase=s.DIRECTION, die=3, holder=1), [])
    table = match.table(names=NAMES)
    table.sequence = table.seats[0].moved = 3
    later = (2, [Event("moved", 2, HERS, reveals=True)])
    log = rows((1, [*turn, Event("turn_lost", 1, {})]), later, (0, [rolled]))
    told = "".join(shown_news(Screen(), table, match.screens, log, 0, 110))
    assert "wins a fight with **Cara** (2\u00a0:\u00a06) and takes the Artifact" in told


def test_the_own_turn_the_carrier_s_way_and_causes_of_wounds_stay_where_room_is_short() -> None:
    carries = Event("moved", 1, HERS | {"from": 20, "to": 14, "direction": "back", "artifact": True})
    carried = Event("member_out", 2, {"member": 1, "cast": 0, "lost": []})
    theirs = [Event("moved", 2, HERS), Event("challenge", 2, CAIMANS)]
    theirs += [Event("faced", 2, FACED | {"overcome": False}), carried]
    match = Match(GAME, scene(5, 14, 2, holder=1), [])
    table = match.table(names=NAMES)
    table.sequence, table.seats[0].moved = 3, 1
    log = rows((0, OWN_TURN), (1, [carries]), (2, theirs))
    own, carrier, other = shown_news(Screen(), table, match.screens, log, 0, 60)
    assert SMALL_RESULT in own, "the others were quicker than the reader could read it"
    assert carrier == "-# **Ben** brings the Artifact 💎 homeward with 3️⃣ to square 14."
    assert all(told in other for told in (" and fails at ", " is wounded again and carried home"))
    table.sequence = table.seats[0].moved = 4
    log += [row(Event("rolled", 0, {"die": 3}, reveals=True), 4, 0)]
    assert carrier in shown_news(Screen(), table, match.screens, log, 0, 60)
