"""The reasons for moves of Artifacts, Inc.: what they say comes true, and they follow from the view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, cast

import pytest

from engine.agents.advice import Reason, advice, adviser_of
from engine.agents.lines import lines
from engine.agents.search import Compared, Outlook, Tried
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.master import Master
from engine.artifacts_inc.agents.turn import Turn
from engine.artifacts_inc.choices import majority, majority_of, museum_points, near_end
from engine.artifacts_inc.company import Place, Space
from engine.artifacts_inc.state import FREE, GOAL, MUSEUMS, State, View, powers
from tests.engine.artifacts_inc.scene import BUILT_IN, GAME, card, number_in, scene


def reason_for(game: Any, view: View, line: tuple[m.Move, ...]) -> Reason:
    master = adviser_of(game)
    assert isinstance(master, Master)
    return master.reason(view, Tried(line[0], 0.0, 0.0, 0.0, 0, line), None)


def best_line(game: Any, view: View, rng: Random) -> tuple[m.Move, ...]:
    master = adviser_of(game)
    assert isinstance(master, Master)
    return master.lines(view, rng)[0]


def scored(state: State, seat: int) -> int:
    """The seat's reputation without the museums, which are counted at the end."""
    return sum(state.earned[seat][:MUSEUMS])


def check(before: State, after: State, seat: int, reason: Reason, line: tuple[m.Move, ...]) -> None:
    """Asserts that what a reason says of the first move is true of the match before and after it."""
    facts, catalogue = reason.facts, before.catalogue
    if "plan" in facts:
        assert [move for move, *_brought in facts["plan"]] == list(line[1 : 1 + len(facts["plan"])])
    if "cubes" in facts:
        assert facts["cubes"] == tuple(map(after.orders[facts["museum"]].count, range(after.seats)))
    if saves := facts.get("saves"):
        side, dollars, reputation = saves
        card_saved = catalogue.cards[side // 2]
        assert (dollars, reputation >= card_saved.sides[side % 2].reputation) == (card_saved.dollars, True)
    match reason.code:
        case "scores":
            assert scored(after, seat) - scored(before, seat) == facts["reputation"]
        case "ends-match" if facts["soon"]:
            later = [gained for _move, _dollars, gained in facts["plan"]]
            assert max(before.reputation) < GOAL <= facts["reputation"] <= scored(after, seat) + sum(later)
        case "ends-match":
            assert max(before.reputation) < GOAL <= scored(after, seat) == facts["reputation"]
            points = [scored(after, each) + museum_points(after, each) for each in range(after.seats)]
            assert points.pop(seat) > max(points)
        case "pays":
            assert after.dollars[seat] - before.dollars[seat] == facts["dollars"]
        case "takes-lead":
            museum = facts["museum"]
            assert majority(before, museum) != majority(after, museum) == seat
            assert catalogue.museums[museum].majority == facts["reputation"]
        case "keeps-lead":
            assert majority(before, facts["museum"]) == majority(after, facts["museum"]) == seat
        case "gains-ground":
            assert majority(after, facts["museum"]) != seat
        case "fills-order" | "grows-order":
            museum, held = facts["museum"], facts["held"]
            sizes = catalogue.orders(museum, before.seats)
            free = [size for size, by in zip(sizes, before.orders[museum], strict=True) if by == FREE]
            assert after.artifacts[seat][museum] == held == before.artifacts[seat][museum] + 1
            assert facts["size"] == min(size for size in free if size >= held)
            assert (facts["size"] == held) == (reason.code == "fills-order")
            spots = zip(sizes, before.orders[museum], strict=True)
            order = max(at for at, spot in enumerate(spots) if spot == (facts["size"], FREE))
            filled = (*before.orders[museum][:order], seat, *before.orders[museum][order + 1 :])
            won = majority_of(filled, sizes) == seat != majority(before, museum)
            assert facts["reputation"] == catalogue.museums[museum].majority * won
        case "fills-now":
            sales = [each for each in line[1:] if isinstance(each, m.FillOrder)]
            filled = [each.order for each in sales if each.museum == facts["museum"]]
            assert facts["size"] in [
                catalogue.orders(facts["museum"], before.seats)[order] for order in filled
            ]
            assert after.artifacts[seat][facts["museum"]] > before.artifacts[seat][facts["museum"]]
        case "pays-for":
            bought = [move.card for move in line[1:] if isinstance(move, m.Buy)]
            turned = [move.own.card for move in line[1:] if isinstance(move, m.TurnCard)]
            assert facts["card"] in (turned if facts["again"] else bought)
            more = sum(after.artifacts[seat]) > sum(before.artifacts[seat])
            assert more or after.dollars[seat] > before.dollars[seat]
        case "prepares":
            assert facts["then"] in line[1:]
        case "supplies":
            assert catalogue.museums[facts["museum"]].majority == facts["reputation"]
            assert isinstance(line[0], m.Buy | m.TurnCard)
        case "earns":
            assert isinstance(line[0], m.Buy | m.TurnCard)
            assert facts["dice"] == powers(after, seat).dice - powers(before, seat).dice
        case _:
            pass


@pytest.mark.usefixtures("hasty_masters")
def test_what_reasons_say_is_true_and_depends_on_nothing_hidden() -> None:
    reasons: Counter[str] = Counter()
    for seats in (2, 3, 4):
        state, rng = BUILT_IN.new(seats, BUILT_IN.options_type(), bytes([seats]) * 32), Random(seats)
        while pending := BUILT_IN.pending(state):
            seat = pending[0].seat
            view = BUILT_IN.view(state, seat)
            line = best_line(BUILT_IN, view, rng)
            reason = reason_for(BUILT_IN, view, line)
            twin = BUILT_IN.view(BUILT_IN.determinize(view, rng), seat)
            assert reason_for(BUILT_IN, twin, line) == reason
            before = state.copy()
            BUILT_IN.apply(state, seat, line[0])
            check(before, state, seat, reason, line)
            reasons[reason.code] += 1
    assert len(reasons) >= 10
    assert reasons["due"] < sum(reasons.values()) / 20


def test_advice_keeps_its_plan_until_chance_has_a_say() -> None:
    """A plan is carried on move by move; one that its viewer leaves is given up."""
    state = BUILT_IN.new(2, BUILT_IN.options_type(), bytes(32))
    turn: list[View] = []
    due: Sequence[m.Move] = ()
    kept, repeated, why = 0, 0, None
    while pending := BUILT_IN.pending(state):
        seat, rng = pending[0].seat, Random(state.moves)
        if seat == 1:
            move, turn, due = BUILT_IN.agents["veteran"].choose(BUILT_IN.view(state, seat), rng), [], ()
        else:
            turn.append(BUILT_IN.view(state, seat))
            advised = advice(BUILT_IN, turn, b"7")
            assert advised
            if due:
                assert tuple(advised.line) == tuple(due)
                kept, repeated = kept + 1, repeated + advised.reason.facts["still"]
                assert advised.reason.code == why or not advised.reason.facts["still"]
            move, due, why = advised.move, advised.line[1:], advised.reason.code
        if any(event.reveals for event in BUILT_IN.apply(state, seat, move)):
            turn, due = [], ()
    assert kept > 10 > repeated > 0


def test_a_plan_that_is_left_is_not_carried_on() -> None:
    state = scene(dice="1 2 5", artifacts="fossil", dollars=3)
    first = GAME.view(state, 0)
    advised = advice(GAME, [first], b"7")
    assert advised
    other = next(
        move for move in (GAME.sample(state, 0, Random(n)) for n in range(99)) if move != advised.move
    )
    GAME.apply(state, 0, other)
    now = GAME.view(state, 0)
    assert advice(GAME, [first, now], b"7") == advice(GAME, [now], b"7")


def test_a_die_is_turned_for_the_move_that_follows() -> None:
    """The reason for a move that only prepares another names that one, with its own reason."""
    view = GAME.view(scene("field_office", dice="3", dollars=0, divers=(0,) * 10), 0)
    turning = [line for line in all_lines(view) if isinstance(line[0], m.TurnDie)]
    assert turning
    for line in turning:
        reason = reason_for(GAME, view, line)
        assert reason.code == "prepares"
        assert reason.facts["then"] == line[1]
        assert reason.facts["why"].code != "prepares"


def all_lines(view: View, game: Any = GAME) -> list[tuple[m.Move, ...]]:
    master = adviser_of(game)
    assert isinstance(master, Master)
    standing = master.playouts.standing(view)
    turn = Turn(standing, 1, 3)
    return [line.moves for line in lines(turn, standing.begun(view), 20, 2000) if line.moves]


def test_a_find_is_not_said_to_be_needed_for_a_purchase_that_could_be_paid_without_it() -> None:
    view = GAME.view(scene(dice="1 2 5", artifacts="fossil", dollars=1, divers=(0,) * 10), 0)
    find = m.PlaceDie(1, Space(card("canyon_expedition")))
    sale = m.Collect(2, Space(card("private_collectors")), (1, 0, 0, 0))
    why = [reason_for(GAME, view, line) for line in all_lines(view) if line[:2] == (find, sale) != line]
    said = {each.facts.get("why", each).code for each in why}
    assert "pays" in said
    assert "pays-for" not in said


def test_a_rival_that_may_end_the_match_is_named_and_whether_a_turn_is_left_before() -> None:
    for active, other, more in ((0, 1, False), (1, 0, True)):
        for short, dollars, near in ((2, 0, [other]), (5, 3, [other]), (5, 2, []), (6, 9, [])):
            state = scene(dice="4", reputation=(GOAL - short,) * 2, active=active)
            state.dollars[other] = dollars
            view = GAME.view(state, active)
            assert near_end(view, active) == (near, more if near else True)


def test_a_turn_that_can_end_the_match_ahead_says_so_with_its_first_die() -> None:
    for money, soon in ((1, False), (0, True)):
        dollars = GAME.catalogue.cards[card("airfield")].dollars - 1 + money
        view = GAME.view(
            scene(dice="1 1", dollars=dollars, reputation=(GOAL - 1, GOAL - 3), offer="airfield"), 0
        )
        advised = advice(GAME, [view], bytes(1))
        assert advised is not None
        assert (advised.reason.code, advised.reason.facts.get("soon")) == ("ends-match", soon)


def test_the_end_is_advised_once_the_last_turn_cannot_change_the_winner() -> None:
    for others, active, is_decided in ((GOAL - 1, 1, True), (GOAL, 1, False), (GOAL - 1, 0, False)):
        points = (others, GOAL) if active else (GOAL, others)
        view = GAME.view(scene(dice="1", reputation=points, active=active), active)
        advised = advice(GAME, [view], bytes(1))
        assert advised is not None
        assert (advised.move == m.PASS and advised.reason.code == "decided") == is_decided


def test_what_still_scores_is_advised_once_the_match_is_decided() -> None:
    state = scene(dice="1", dollars=9, reputation=(GOAL - 1, GOAL), active=1, offer="dig_camp")
    advised = advice(GAME, [GAME.view(state, 1)], bytes(1))
    assert advised is not None
    assert (advised.reason.code, type(advised.move)) == ("decided", m.Buy)
    assert advised.reason.facts["reputation"] >= GAME.catalogue.side(2 * advised.move.card).reputation > 0


def test_a_last_die_that_ends_the_match_ahead_is_advised_before_one_that_only_adds_to_the_lead() -> None:
    own = "auction_house jungle_expedition+@lower:0 mountain_expedition@lower:2"
    orders = {"statue": {0: 0}, "gem": {0: 0, 1: 0}, "scroll": {1: 0}}
    offer = "explorers_club research_institute"
    state = scene(
        own, dice="1", dollars=8, orders=orders, offer=offer, divers=(1,) * 10, game=BUILT_IN, round=12
    )
    state.earned = [(15, 0, 0, 0), (9, 0, 0, 0)]
    state.derive()
    view = BUILT_IN.view(state, 0)
    advised = advice(BUILT_IN, [view], bytes(1))
    assert advised is not None
    assert (advised.move.card, advised.reason.code) == (number_in(state, "explorers_club"), "ends-match")
    institute = m.Buy(1, advised.move.on, number_in(state, "research_institute"), Place(0, 5))
    master = adviser_of(BUILT_IN)
    assert isinstance(master, Master)
    beside = master.reason(
        view, Tried(institute, 0.0, 0.0, 0.0, 0), advised.move._replace(card=institute.card)
    )
    assert (beside.code, beside.facts["turn"]) == ("later", False), "nothing comes after the last die"


def test_a_page_has_the_plan_alone_as_matches_played_on_give_the_reason() -> None:
    state = scene(dice="2 4", dollars=2, offer="mountain_expedition", divers=(0,) * 10, game=BUILT_IN)
    view, find = BUILT_IN.view(state, 0), m.PlaceDie(4, Space(card("canyon_expedition"), 0, 1))
    mountain = number_in(state, "mountain_expedition")
    lines = [each for each in all_lines(view, BUILT_IN) if getattr(each[-1], "card", 0) == mountain]
    line, master = next(each for each in lines if each[0] == find), cast("Master", adviser_of(BUILT_IN))
    found = Compared(Outlook(5.5, 30.0, 21.4), Outlook(0.6, 17.0, 21.2), 0.4)
    tried = Tried(line[0], 0.0, 0.0, 0.0, 0, line, found)
    reason = master.reason(view, tried, line[-1])
    assert (reason.code, [*reason.facts]) == ("plan", ["plan"])
    assert [move for move, *_brought in reason.facts["plan"]] == [*line[1:]]
    assert master.reason(view, tried._replace(beside=None), None).facts["aim"][0] == line[-1]


def test_what_the_other_move_brings_as_well_is_no_reason() -> None:
    view = GAME.view(scene(dice="1 2", dollars=4), 0)
    master, lines = adviser_of(GAME), all_lines(view)
    assert isinstance(master, Master)
    (dive,) = {line[0] for line in lines if isinstance(line[0], m.Dive)}
    alone = master.reason(view, Tried(dive, 0.0, 0.0, 0.0, 0), None)
    beside = master.reason(view, Tried(dive, 0.0, 0.0, 0.0, 0), dive)
    assert (alone.code, beside.code) == ("scores", "later")
    view = GAME.view(scene(dice="1", dollars=4, offer="biplane dig_camp"), 0)
    on = Space(card("headquarters"))
    bought, other = (
        m.Buy(1, on, card(key), Place(*at)) for key, at in (("biplane", (0, 4)), ("dig_camp", (1, 1)))
    )
    facts = master.reason(view, Tried(bought, 0.0, 0.0, 0.0, 0), other).facts
    assert facts["dearer"][:4] == [2 * card("dig_camp"), 2, 0, -1], "wherever it lies"
    find = m.PlaceDie(1, Space(card("canyon_expedition")))
    facts = master.reason(view, Tried(find, 0.0, 0.0, 0.0, 0), bought).facts
    assert facts["dearer"][1:4] == [2, 2, 0], "no price is compared with a find"
    assert "dearer" not in master.reason(view, Tried(find, 0.0, 0.0, 0.0, 0), dive).facts


def test_to_end_the_turn_or_to_roll_has_a_reason_too() -> None:
    view = GAME.view(scene(dice="1", divers=(0,) * 10), 0)
    assert reason_for(GAME, view, (m.PASS,)).code == "keeps"
    assert reason_for(GAME, view, (m.Roll(),)).code == "rolls"
