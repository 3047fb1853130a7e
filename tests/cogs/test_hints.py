"""Hints on the private screen: where there are any, what they say, what they change, and that they tell no secret."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from bot.tables import play, seats
from bot.tables.hints import Hints
from bot.tables.model import Seat
from bot.tables.premoves import Question
from bot.ui.screens import components as ui
from bot.ui.screens.controls import usable
from bot.ui.screens.hints import reason_text, selection_with
from bot.ui.screens.kit import Choices, Item
from bot.ui.screens.names import Names
from bot.ui.screens.private import Personal, private
from engine.agents.advice import (
    ESTIMATES,
    Advice,
    Appraisal,
    Reason,
    advice,
    adviser_of,
    dump_appraisal,
    load_appraisal,
)
from engine.agents.search import Outlook, Tried
from engine.archaeology_family.card_list import TREASURES
from engine.archaeology_family.moves import EndTurn, Sell, Trade
from engine.artifacts_inc.choices import dives
from engine.artifacts_inc.moves import Dive, PlaceDie
from engine.artifacts_inc.state import GOAL
from engine.game import own_decision, same_move
from tests.bench import hints as judge
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.conftest import Mishaps
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS, matches, take_hint
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room

NAMES = Names([Seat(name, user_id=number) for number, name in enumerate(["Ana", "Ben", "Cara"])])
ALLOWED = "🦉 Hints: allowed."
LONGEST = 260
"""The most characters of a reason with its names in bold print; most have far fewer."""

SALE = crafted.craft(
    [{"coin": 5, "pot_shard": 1}, {"map": 1}], site=["coin"] * 2 + ["sandstorm"] * 3, phase=crafted.ACT
)
"""The first seat has a large set to sell, and Sandstorms are near."""


@pytest.mark.parametrize("acted", [False, True], ids=["first", "after a trade"])
@pytest.mark.parametrize("other", [{}, {"coin": 1}], ids=["alone", "beside one card"])
def test_no_hint_gives_money_away_when_the_dig_site_is_empty(acted: bool, other: dict[str, int]) -> None:
    hand, market = {"pot_shard": 1, "talisman": 1, "map": 1}, {"parchment_scrap": 5}
    state = crafted.craft([hand, other], market=market, phase=crafted.ACT, explored=True, rest="sold")
    game, state.acted = ENGINES["archaeology"], acted
    before = game.view(state, 0).money[0]
    while (view := game.view(state, 0)).money[0] < before + 13:  # a set of $10 and $3; now they bring $7
        hint = advice(game, [view], b"last")
        assert hint
        assert not isinstance(hint.move, EndTurn)
        game.apply(state, 0, hint.move)


def test_a_hint_sells_before_a_certain_sandstorm() -> None:
    hands, site = [{"talisman": 3}, {"coin": 3}], ["coin", "sandstorm"]
    view = crafted.GAME.view(crafted.craft(hands, site=site, rest="sold", phase=crafted.ACT), 0)
    hint = advice(crafted.GAME, [view], b"storm")
    assert hint
    assert hint.move == Sell(TREASURES.index("talisman"), 3)


async def taken(room: Room) -> int:
    """The number of hints taken at the table."""
    return sum(len(seat.hinted) for seat in (await room.table()).seats)


async def test_hints_are_for_who_plays_with_agents_unless_the_host_allows_them_to_all(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana", agents=1)
    assert ALLOWED in lobby.text
    assert "not rated" not in lobby.text
    ben = room.person("Ben")
    await ben.press(lobby, "Join")
    assert "🦉 Hints: off, as several people play." in lobby.text
    assert "Only the host" in (await ben.press(lobby, "Allow Hints")).text
    await ana.press(lobby, "Allow Hints")
    assert f"{ALLOWED} The match is not rated." in lobby.text
    await ana.press(lobby, "No Hints")
    await ana.press(lobby, "Start Match")
    await room.stage(crafted.craft([{"coin": 5}, {"map": 1}, {}], site=["coin"] * 4, phase=crafted.ACT))
    answer = await ana.press(await ana.hand(), "Hint")
    assert "This table has hints off. Before a match, its host can allow them in the lobby." in answer.text
    assert "End Turn" in answer.buttons, "below it stands the hand"
    assert await taken(room) == 0


async def test_somebody_alone_with_agents_takes_a_hint_for_their_own_decision(room: Room) -> None:
    (ana,) = await room.match_of("Ana", agents=1)
    await room.stage(SALE)
    hand = await ana.hand()
    assert "Your first match?" in hand.text
    shown = await ana.press(hand, "Hint")
    assert shown == hand, "the hint stands on the private screen"
    assert "🦉 **Sell 🪙 5 Coins for $" in shown.text
    assert ("Hint" in shown.buttons, "Your first match?" in shown.text) == (True, False)
    assert await taken(room) == 1
    await ana.press(shown, "Hint")
    assert await taken(room) == 1, "the same hint is not counted twice"
    owls = [part["label"] for part in shown.components if part.get("emoji") == {"name": "🦉"}]
    assert owls == ["Sell 5 Coins · $30"]
    shown = await ana.hand()
    assert "🦉 **Sell 🪙 5 Coins for $" in shown.text, "its words stay with its sign"
    assert len([part for part in shown.components if part.get("emoji") == {"name": "🦉"}]) == 1


async def hinted(room: Room, person: Person) -> Page:
    """The person's private screen with a hint."""
    room.host.thinkers._rested = 0.0  # by another clock than the one that presses have here
    return await person.press(await person.hand(), "Hint")


async def test_artifact_has_hints_with_odds_and_no_review(room: Room) -> None:
    room.game = "artifact"
    (ana,) = await room.match_of("Ana", agents=1)
    shown = await hinted(room, ana)
    assert "🦉 **Set out with " in shown.text
    await ana.press(shown, "Set Out")
    table, reasons = await room.table(), set[str]()
    game, veteran, rng = table.game, table.game.agents["veteran"], Random(2)
    while table.live and len(reasons) < 12:
        async with room.host.tables.change(table.id) as draft:
            state = draft.table.state
            view = game.view(state, game.pending(state)[0].seat)
            play.make_move(draft, view.viewer, veteran.choose(view, rng), None)
        table = await room.table()
        if table.live and table.body.asked.keys() == {0}:
            hand = await ana.hand()
            if "Hint" in hand.buttons:
                (hint,) = (line for line in (await hinted(room, ana)).text.splitlines() if "🦉" in line)
                reasons.add(hint)
    assert len(reasons) > 3
    assert any("%" in hint for hint in reasons)
    assert len((await room.table()).seats[0].hinted) >= len(reasons)


async def test_a_hint_stands_while_others_decide_at_the_same_time(room: Room) -> None:
    room.game = "artifact"
    ana, ben = await room.match_of("Ana", "Ben")
    async with room.host.tables.change((await room.table()).id) as draft:
        draft.table.body.hints = draft.touched = True
    await hinted(room, ana)
    await ben.press(await ben.hand(), "Set Out")
    hand = await ana.hand()
    assert "🦉 **Set out with " in hand.text, "the reason stays with the sign"
    equipment = hand.menu("Two pieces of equipment")
    hand = await ana.choose(hand, "Two pieces of equipment", *list(equipment.options)[:2])
    assert "-# 🦉 Set out with " in hand.text, "another choice"
    await hinted(room, ana)
    hand = await ana.hand()
    signs = [part.get("emoji") for part in hand.components if part.get("label") == "Set Out"]
    assert [sign and sign["name"] for sign in signs] == ["🥾"], "a hint that was read undoes no choice"
    hand = await ana.choose(hand, "Two pieces of equipment", *equipment.chosen)
    assert "🦉 **Set out with " in hand.text
    assert (await room.table()).seats[0].hinted == [0]
    await ana.press(hand, "Set Out")
    assert (await room.table()).seats[0].followed == [0], "by the decision's id"


async def test_there_is_no_hint_where_the_screen_has_one_button(room: Room) -> None:
    (ana,) = await room.match_of("Ana", agents=1)
    await room.stage(crafted.craft([{"coin": 5}, {"map": 1}], site=["coin"] * 4))
    hand = await ana.hand()
    assert "Dig" in hand.buttons
    assert "Hint" not in hand.buttons
    assert "Hint" in (await ana.press(hand, "Dig")).buttons


async def test_a_hint_for_a_choice_ahead_counts_once_the_seat_is_asked(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    async with room.host.tables.change((await room.table()).id) as draft:
        draft.table.body.hints = draft.touched = True
    hands = [{"coin": 2, "map": 2}, {"coin": 2, "pot_shard": 2}]
    await room.stage(crafted.craft(hands, site=["sandstorm"] + ["coin"] * 4))
    await ana.press(await ana.hand(), "Dig")
    ahead = await hinted(room, ben)
    assert "You can already choose" in ahead.text
    assert "🦉 **Lose " in ahead.text
    [lose] = [part for part in ahead.components if part.get("label", "").startswith("Lose 2 Pot")]
    assert lose["emoji"]["name"] == "🦉"
    await ben.press(ahead, lose["label"])
    hand = await ana.hand()
    await ana.press(hand, next(label for label in hand.buttons if label.startswith("Lose ")))
    assert len((await room.table()).seats[1].followed) == 1


def hinting(room: Room, move: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every hint from now on names this move."""

    async def advise(*_given: object) -> Advice:
        return Advice(move, Reason("due"))

    monkeypatch.setattr(room.host.thinkers, "advise", advise)


TRADES = crafted.craft(
    [{"coin": 3, "map": 1}, {}], market={"talisman": 2}, site=["coin"] * 5, phase=crafted.ACT
)


async def test_a_hint_leaves_what_is_chosen_in_the_menus_if_its_move_needs_nothing_else(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana,) = await room.match_of("Ana", agents=1)
    await room.stage(TRADES)
    hinting(room, EndTurn(), monkeypatch)
    hand = await ana.choose(await ana.hand(), digger.OFFER, digger.BUILD)
    [menu] = hand.menus
    chosen = await ana.choose(hand, menu.placeholder, next(iter(menu.options)))
    before = [each.chosen for each in chosen.menus]
    assert any(before)
    hinted = await ana.press(chosen, "Hint")
    assert "🦉 **End the turn.**" in hinted.text
    assert [each.chosen for each in hinted.menus] == before


async def test_a_hinted_move_that_the_chosen_trade_hides_is_shown_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana,) = await room.match_of("Ana", agents=1)
    await room.stage(TRADES)
    hinting(room, Sell(TREASURES.index("coin"), 3), monkeypatch)
    hand = await ana.choose(await ana.hand(), digger.OFFER, digger.BUILD)
    [menu] = hand.menus
    chosen = await ana.choose(hand, menu.placeholder, next(iter(menu.options)))
    sale = "Sell 3 Coins · $10"
    assert sale not in chosen.buttons
    assert sale in (await ana.press(chosen, "Hint")).buttons


async def test_a_hinted_trade_that_is_not_in_the_menu_is_one_press_away(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana,) = await room.match_of("Ana", agents=1)
    await room.stage(
        crafted.craft(
            [{"coin": 5, "pot_shard": 3, "parchment_scrap": 4, "map": 2}, {}],
            market={"talisman": 2, "coin": 2, "pot_shard": 4, "broken_cup": 3, "map": 1},
            phase=crafted.ACT,
        )
    )
    coin, shard = TREASURES.index("coin"), TREASURES.index("pot_shard")
    trade = Trade(((coin, 2),), ((shard, 1),))  # nobody would make it
    hinting(room, trade, monkeypatch)
    shown = await ana.press(await ana.hand(), "Hint")
    assert "🦉 **Give 🪙 2 Coins for 🏺 1 Pot Shard.**" in shown.text
    before = (await room.table()).state.hands[0]
    await ana.press(shown, next(label for label in shown.buttons if label.startswith("Give 2 Coins")))
    after = (await room.table()).state.hands[0]
    assert (after[coin], after[shard]) == (before[coin] - 2, before[shard] + 1)
    back = await ana.press(shown, "Undo")
    assert any(label.startswith("Give 2 Coins") for label in back.buttons), "as before the move"


async def test_nobody_gets_a_hint_out_of_turn_or_where_there_are_none(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 5}, {"map": 1}], site=["coin"] * 4, phase=crafted.ACT))
    hand = await ana.hand()
    assert "Hint" in hand.buttons
    other = await ben.hand()
    out_of_turn = ben.forging(other, other.buttons["?"].replace("explain", "hint"))
    await room.deliver(out_of_turn)
    assert "It's not your turn yet." in out_of_turn.answer.text
    assert await taken(room) == 0


async def test_only_the_person_reads_how_many_hints_they_followed_and_such_a_match_is_not_rated(
    room: Room,
) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    await ana.press(lobby, "Allow Hints")
    await ana.press(lobby, "Start Match")
    await room.stage(crafted.craft([{"coin": 1}, {}], rest="sold", phase=crafted.ACT, explored=True))
    hand = await ana.press(await ana.hand(), "Hint")
    assert "Sell 🪙 1 Coin" in hand.text
    ended = await ana.press(hand, next(label for label in hand.buttons if "Coin" in label))
    result = await room.result()
    assert "The host allowed hints, so the match is not rated." in result.text
    assert "🦉" not in result.text
    assert "Ratings" not in result.text
    assert "1 match" in (await ben.command("/profile")).text
    assert (
        "🦉 Hints that you followed: 1" in (await ana.press(ended, "?")).text or "followed: 1" in ended.text
    )


async def test_a_hint_that_is_taken_back_or_not_followed_does_not_count_as_followed(room: Room) -> None:
    (ana,) = await room.match_of("Ana", agents=1)
    await room.stage(SALE)
    hand = await ana.press(await ana.hand(), "Hint")
    sold = await ana.press(hand, next(label for label in hand.buttons if label.startswith("Sell 5")))
    assert len((await room.table()).seats[0].followed) == 1
    back = await ana.press(sold, "Undo")
    assert (await room.table()).seats[0].followed == []
    await ana.press(back, "End Turn Without Selling")
    seat = (await room.table()).seats[0]
    assert (seat.followed, [json.loads(hint)["kind"] for hint in seat.unfollowed.values()]) == ([], ["sell"])
    assert await taken(room) == 1


async def test_the_hints_of_a_seat_are_not_those_of_the_person_who_takes_it_over(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    await ana.press(lobby, "Allow Hints")
    await ana.press(lobby, "Start Match")
    await room.stage(SALE)
    await ana.press(await ana.hand(), "Hint")
    table = await room.table()
    async with room.host.tables.change(table.id) as draft:
        seats.leave(draft, ana.id)
    cara = room.person("Cara")
    async with room.host.tables.change(table.id) as draft:
        seats.sit(draft, 0, cara.id, "Cara")
    assert await taken(room) == 0


async def test_where_hints_are_off_the_panel_says_so(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    panel = await ana.press(await ana.hand(), "?")
    assert "This table has hints off." in panel.text


async def test_a_busy_agent_and_a_second_press_are_refused_in_words(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana,) = await room.match_of("Ana", agents=1)
    await room.stage(SALE)

    async def late(*_given: object) -> None:
        raise TimeoutError

    hand = await ana.hand()
    with monkeypatch.context() as patched:
        patched.setattr(room.host.thinkers, "advise", late)
        assert "no hint right now" in (await ana.press(hand, "Hint")).text
    assert await taken(room) == 0
    assert "🦉 **Sell" in (await ana.press(hand, "Hint")).text, "the next press gets the hint"


@pytest.mark.parametrize("course", ["comes", "they play on", "fails"])
async def test_while_a_hint_is_thought_about_its_person_can_play_on(
    room: Room, mishaps: Mishaps, monkeypatch: pytest.MonkeyPatch, course: str
) -> None:
    """It comes on the screen on which it was asked for, or, if they have decided, not at all."""
    if course == "fails":
        mishaps.expect("a late hint failed")
    (ana,) = await room.match_of("Ana", agents=1)
    await room.stage(SALE)
    hand, advise = await ana.hand(), room.host.thinkers.advise

    async def slowly(*given: Any) -> Advice | None:
        await asyncio.sleep(20)  # on the simulated clock
        if course == "fails":
            raise RuntimeError
        return await advise(*given)

    monkeypatch.setattr("bot.ui.actions.match.SOON", 0.01)
    monkeypatch.setattr(room.host.thinkers, "advise", slowly)
    assert "🦉 I'm thinking about your hint." in (await ana.press(hand, "Hint")).text
    if course == "they play on":
        await ana.press(hand, "End Turn Without Selling")
    await room.later(30)
    assert ("🦉 **Sell" in hand.text) == (course == "comes") == await taken(room)
    assert ("no hint right now" in hand.text) == (course == "fails")


async def test_hints_follow_from_what_the_seat_sees_alone(room: Room) -> None:
    """In matches that look the same to the seat, the hint is the same, whatever the hands and the dig site hide."""
    await room.match_of("Ana", agents=1)
    await room.stage(SALE)
    table, game = await room.table(), ENGINES["archaeology"]
    view, rng = game.view(table.state, 0), Random(5)
    hints = Hints(room.host.thinkers)
    thought: set[str] = set()
    for state in (table.state, *(game.determinize(view, rng) for _ in range(3))):
        table.body.host_seed = str(rng.random())
        thought.add(repr(await hints.think(table, Question(0, "act", state, "1", is_premove=False))))
    assert len(thought) == 1


@pytest.mark.parametrize("key", [key for key in PLAYED if adviser_of(ENGINES[key])])
def test_a_hint_is_true_worded_and_one_press_away_and_what_it_announces_follows(key: str) -> None:
    found = Counter[str]()
    judge.play(key, 24, found, follows=True, most=20)  # there a trade to and fro looks good
    assert found["hints"] == found["true"] == found["buttons"] == found["worded"] == 20
    assert (found["kept"], found["undone"]) == (found["announced"], 0)


@pytest.mark.parametrize("key", [key for key in PLAYED if adviser_of(ENGINES[key])])
def test_a_hint_marks_its_button_and_hides_nothing(key: str) -> None:
    signed = 0
    for match in matches(key, 12):
        table = match.private()
        table.body.hints, table.status = True, "playing"
        screens, view = match.screens, table.game.view(table.state, 0)
        if own_decision(view) is None:
            continue
        move: Any = table.game.sample(table.state, 0, Random(1))
        chosen = Personal(choices=screens.selection_for(view, move))
        without = private(table, screens, 0, match.rows()[-20:], chosen).items
        take_hint(table, 0, move)
        shown = private(table, screens, 0, match.rows()[-20:], chosen).items
        assert {*"\n".join(ui.texts(without)).splitlines()} <= {*"\n".join(ui.texts(shown)).splitlines()}
        owls = [
            button
            for button, to in usable(shown)
            if button.get("emoji") == {"name": "🦉"} and to.intent != "hint"
        ]
        assert len(owls) <= 1
        signed += len(owls)
    assert signed


PREPARED = {
    *("Trade", "Discard", "Keep", "Buy", "TurnCard", "Collect", "Dive", "RollAgain", "Pass"),
    *("Create", "Go", "Meet", "Name", "Use", "GiveUp"),
}
"""The kinds of moves that take several presses on a screen without a selection."""


@pytest.mark.parametrize("key", [key for key in PLAYED if adviser_of(ENGINES[key])])
def test_every_move_has_a_selection_with_which_one_press_makes_it(key: str) -> None:
    game, screens = ENGINES[key], SCREENS[key]
    rng, tried = Random(key), set[str]()
    for number, options in enumerate(game.variants(3)):
        state = game.new(3, options, bytes([number]) * 32)
        while pending := game.pending(state):
            seat = pending[0].seat
            view = game.view(state, seat)
            move: Any = game.sample(state, seat, rng)
            wasteful = isinstance(move, Dive) and move.dice not in dives(view)
            if (kind := type(move).__name__) in PREPARED and not wasteful:
                tried.add(kind)
                assert judge.has_button(key, view, move), screens.move_text(view, move, NAMES)
            game.apply(state, seat, move)
    assert len(tried) > 1


@pytest.mark.parametrize("key", [key for key in PLAYED if adviser_of(ENGINES[key])])
def test_a_hinted_move_has_a_marked_button_on_every_screen_and_hinting_again_keeps_it(key: str) -> None:
    game, screens, tried = ENGINES[key], SCREENS[key], Counter[str]()
    for match in matches(key, 60):
        table = match.private()
        table.body.hints, table.status = True, "playing"
        view = game.view(table.state, 0)
        decision, rng = own_decision(view), Random(key)
        for _time in range(0 if decision is None else 8):
            move: Any = game.sample(table.state, 0, rng)
            assert decision is not None
            if isinstance(move, Dive) and move.dice not in dives(view):  # with a die more than it needs
                continue
            take_hint(table, 0, move)
            present: Choices = {}
            for _press in range(2):
                present = selection_with(table, screens, 0, move, present)
                shown = private(table, screens, 0, match.rows()[-20:], Personal(present))
                marked = [
                    button
                    for button, to in usable(shown.items)
                    if button.get("emoji") == {"name": "🦉"} and to.intent != "hint"
                ]
                assert len(marked) == 1, screens.move_text(view, move, NAMES)
                assert ui.count(shown.items) < 38
                if isinstance(move, PlaceDie) and max(view.reputation) < GOAL:
                    assert "/20" in "\n".join(ui.texts(shown.items)), "the race stands beside the hint"
                present = chosen_on(shown.items)
            tried[type(move).__name__] += 1
    assert len(tried) > 2


def chosen_on(items: Sequence[Item]) -> Choices:
    """The chosen options in the menus of a screen, as a press on its button **Hint** brings it."""
    found: dict[str, list[str]] = {}
    for control, to in usable(items):
        if control["type"] == ui.MENU:
            chosen = [each["value"] for each in control["options"] if each.get("default")]
            found.setdefault(to.intent, []).extend(chosen)
    return found


@pytest.mark.parametrize("key", [key for key in PLAYED if adviser_of(ENGINES[key])])
def test_a_stored_appraisal_reads_as_it_did_in_every_game(key: str) -> None:
    game, screens = ENGINES[key], SCREENS[key]
    adviser = adviser_of(game)
    assert adviser is not None
    rng, said = Random(key), set[str]()
    for number, options in enumerate(game.variants(3)):
        state = game.new(3, options, bytes([number]) * 32)
        while pending := game.pending(state):
            view = game.view(state, pending[0].seat)
            ranked = adviser.ranked(view, rng, 0.01)
            rival = ranked[1].move if len(ranked) > 1 else None
            reason = adviser.reason(view, ranked[0], rival)
            made = Appraisal(ranked[0].move, reason, 1.5, 0.0, 0.25, Outlook(2.0, 13.125), Outlook(0.5, 20.0))
            read = load_appraisal(game, json.loads(json.dumps(dump_appraisal(game, made))))
            assert same_move(read.move, made.move)
            assert read._replace(reason=reason) == made
            text = screens.reason_text(view, reason, NAMES)
            assert screens.reason_text(view, read.reason, NAMES) == text
            assert len(text) <= LONGEST, text
            said.add(text)
            sampled: Any = game.sample(state, view.viewer, rng)
            for tried, other in (
                (ranked[0], None),
                (ranked[0], sampled),
                (Tried(sampled, *ranked[0][1:5]), rival),
            ):
                reason = adviser.reason(view, tried, other)
                facts = {name: fact for name, fact in reason.facts.items() if name not in ESTIMATES}
                reason = reason._replace(facts=facts)
                assert "{" not in screens.reason_text(view, reason, NAMES)
                assert not reason_text(screens, view, Reason(reason.code), NAMES).startswith("{")
            game.apply(state, view.viewer, made.move if rng.random() < 0.7 else sampled)
    assert len(said) > 20
