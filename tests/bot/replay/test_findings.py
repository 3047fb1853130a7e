"""The decisions that a review names."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.replay.decisions import Search
from bot.replay.findings import HELPED, LOOKS, SMALL, Played
from bot.replay.progress import REVIEWS
from bot.replay.turns import moments, seed_of
from bot.tables.history import OwnMove, seen_moves
from bot.tables.seat import Seat
from bot.ui.screens.appraisals import FEW, MOMENTS, Point, Review, Reviewed, Swing, facts, grade, slides
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.names import Names
from bot.ui.screens.review import course, effect_on, verdict
from engine.agents.advice import Appraisal, Reason, adviser_of
from engine.agents.search import VICTORY, Outlook
from tests.bot.art.composed import check_composed
from tests.bot.replay.records import ENGINES, PLAYED, SCREENS, played

WHY = Reason("usual")
GREAT = Appraisal("sell", WHY, lead=12.0, error=0.5)


class Preselects:
    """Screens that preselect nothing."""

    def preselected(self, view: Any, move: Any) -> bool:
        return False


class Unlike(Played):
    """A match whose weakest agent makes none of the moves."""

    def obvious(self, own: OwnMove | Reviewed) -> bool:
        return False


def named(
    *, daily: bool = False, lesser: bool = False, **appraised: tuple[int, int, Appraisal]
) -> list[list[int]]:
    """The numbers of the costly and of the praised moves, of moves with turn, number and appraisal."""
    turns = {number: turn for turn, number, _ in appraised.values()}
    none, screens = cast("Any", None), cast("AnyScreens", Preselects())
    search = Search(Unlike(none, none, screens, [], turns, turns, {}, {}, is_daily=daily))
    for move, (_turn, number, appraisal) in appraised.items():
        search.add(OwnMove(number, SimpleNamespace(pending=()), move), appraisal)
    return [[each.number for each in found] for found in (*search.named(), search.lesser([]))][: 2 + lesser]


def costing(cost: float, chance: float) -> Appraisal:
    """A move that cost so much, and this chance to win."""
    made, other = Outlook(0.0, 20.0 - VICTORY * chance), Outlook(0.0, 20.0)
    return Appraisal("other", WHY, cost=cost, error=0.5, made=made, other=other)


@pytest.mark.parametrize(
    ("trade", "number", "turn", "found"),
    [
        (costing(9.0, 0.2), 21, 5, [[20], []]),
        (costing(9.0, 0.2), 19, 5, [[20], []]),
        (costing(9.0, 0.05), 21, 5, [[], [21]]),
        (costing(9.0, 0.2), 28, 7, [[20], [28]]),
    ],
    ids=["after a mistake", "before a mistake", "better than a slip was bad", "in another turn"],
)
def test_one_decision_a_turn_is_named_and_none_praised_in_a_turn_that_went_wrong(
    trade: Appraisal, number: int, turn: int, found: list[list[int]]
) -> None:
    assert named(trade=(5, 20, trade), sell=(turn, number, GREAT)) == found


def test_a_daily_deals_move_that_keeps_the_own_score_is_not_wrong() -> None:
    for mine, wrong in ((40.0, [[], []]), (39.0, [[20], []])):
        made, other = Outlook(0.0, -10.0, mine), Outlook(0.0, 20.0, 40.0)
        assert named(daily=True, sell=(5, 20, Appraisal("other", WHY, 30.0, 0.0, 0.5, made, other))) == wrong


def test_a_hint_is_not_wrong_by_what_it_may_leave_out() -> None:
    game = ENGINES["artifacts-inc"]
    view = game.view(game.new(2, game.options_type(), bytes(32)), 0)
    record, screens = SimpleNamespace(game=game), SCREENS["artifacts-inc"]
    for cost, hints in ((2.2, 0), (2.3, 1)):
        search = Search(
            Unlike(cast("Any", record), game, screens, [], {1: 1}, {1: 1}, {}, {}, Seat("", followed=[0]))
        )
        search.add(OwnMove(1, view, None), costing(cost, 0.2))
        assert len(search.named()[0]) == hints


@pytest.mark.parametrize("key", [key for key in PLAYED if adviser_of(ENGINES[key])])
def test_a_choice_that_the_weakest_agent_makes_is_obvious(key: str) -> None:
    record, game = played(key, 2, 4), ENGINES[key]
    numbers = {number for number, (seat, _move) in enumerate(record.moves, 1) if seat == 0}
    match = Played.of(record, ENGINES, SCREENS[key], seen_moves(record, ENGINES, numbers))
    adviser = adviser_of(game)
    assert adviser is not None
    others = 0
    for own in match.moves:
        rng = Random(seed_of(record, "obvious", own.number))
        chosen = [game.agents["novice"].choose(own.view, rng) for _look in range(LOOKS)]
        assert all(match.obvious(own._replace(move=each)) for each in chosen)
        other = game.sample(game.determinize(own.view, rng), 0, rng)
        assert match.obvious(own._replace(move=other)) == (
            adviser.choice(other) in map(adviser.choice, chosen)
        )
        others += not match.obvious(own._replace(move=other))
    assert others


def test_a_decision_that_makes_no_difference_at_a_table_is_not_named() -> None:
    made, other = Outlook(-6.0, VICTORY * 0.2, 30.0), Outlook(-2.0, VICTORY * 0.5, 33.0)
    cost = Appraisal("other", WHY, 4.0, 0.0, 0.5, made, other)
    less, more = Outlook(3.0, VICTORY * 0.7, 70.0), Outlook(5.0, VICTORY * 0.8, 72.0)
    found, even = cost.at_table(less, more), cost.at_table(more, less)
    assert (found.made, found.other, found.cost, even.cost) == (less, more, 4.0, 0.0)
    lead = Appraisal("other", WHY, 0.0, 4.0, 0.5, other, made)
    assert (lead.at_table(more, less).lead, lead.at_table(less, more).lead) == (4.0, 0.0)
    one, two = (Reviewed(n, n, None, "made", each) for n, each in enumerate((cost, lead)))
    review = Review(2, [one], [two], [one]).at_table({0: (more, less), 1: (more, less)})
    assert ([*review.costs], [each.number for each in review.leads]) == ([], [1])
    assert [each.grade for each in review.hints] == ["Better than the hint"]
    close = cost._replace(counter=Reason("counter")).at_table(more, more._replace(victory=VICTORY * 0.77))
    assert (grade(close), close.reason.code, close.is_better) == ("As good as the hint", "usual", False)
    assert facts(SCREENS["archaeology"], close) == "78% to win either way"


def test_the_words_follow_the_chance_to_win_that_was_lost() -> None:
    grades = [grade(costing(12.0, chance)) for chance in (0.01, 0.12, 0.3)]
    assert grades == ["Slip", "Mistake", "Big mistake"], "whatever the lead that it cost"
    assert named(one=(5, 20, costing(4.0, 0.1)), other=(5, 21, costing(8.0, 0.2))) == [[21, 20], []]


def test_of_a_turn_the_decision_is_told_that_cost_most_at_the_table_if_it_cost_enough() -> None:
    one, two, three = (
        Reviewed(n, n // 10, None, n, costing(cost, 0.1)) for n, cost in ((20, 4), (21, 8), (30, 3))
    )
    less, more, even = (Outlook(0.0, VICTORY * chance) for chance in (0.5, 0.7, 0.54))
    review = Review(3, [two, one, three], [], [])
    worse = {20: (less, more), 21: (even, more), 30: (less, even)}
    assert [each.number for each in review.at_table(worse).costs] == [20]
    assert [each.number for each in review.at_table({**worse, 30: (less, more)}).costs] == [20, 30]


def test_a_right_decision_is_shown_without_certainty_where_nothing_else_was() -> None:
    made, other = Outlook(0.0, 17.6), Outlook(0.0, 16.0)
    right = Appraisal("other", WHY, 0.0, 1.6, 1.2, made, other)
    assert named(lesser=True, one=(5, 20, right)) == [[], [], [20]]
    assert named(lesser=True, one=(5, 20, right._replace(error=2.0))) == [[], [], []]


def test_a_slip_that_is_repeated_is_one_moment_and_lesser_ones_stand_beside_three_turning_points() -> None:
    slips = [
        Reviewed(n, t, None, "wait", costing(3.0, 0.07)) for n, t in ((10, 3), (14, 4), (22, 6), (26, 7))
    ]
    points = [Point(number, number, 0.5 + 0.1 * (number % 2)) for number in range(40, 46)]
    swings = [Swing(*pair, None, []) for pair in pairwise(points)]
    apart = [replace(slip, turn=3 * number) for number, slip in enumerate(slips)]
    small = [replace(slip, appraisal=costing(3.0, 0.03)) for slip in apart]
    for hints, shown in ((slips, [10, 22]), (apart, [10, 14, 22]), (small, [10, 14, 22])):
        moments = Review(9, [], [], hints, points, swings).moments
        assert [each.number for each in moments if isinstance(each, Reviewed)] == shown
        assert len(moments) == MOMENTS
    for turns, n in ((swings, MOMENTS), (swings[:2], FEW)):
        assert len(Review(9, small, [], [], points, turns).moments) == n, (
            "small slips where there are few moments"
        )
    right = Reviewed(30, 9, None, "wait", Appraisal("other", WHY, lead=1.5, error=1.2), praised=False)
    assert right in Review(9, [], [], [], points, swings, [right]).moments, "the only decision there is"
    for gained, told in ((0.0, False), (0.02, True)):
        beaten = replace(slips[0], number=30, turn=11, appraisal=costing(-5.0, -gained))
        assert (beaten in Review(9, [], [], [*apart, beaten], points, swings).moments) == told
    felt = Swing(Point(46, 46, 0.5), Point(47, 47, 0.5), None, [], felt=True)
    assert felt in Review(9, [], [], apart, points, [*swings, felt]).moments, (
        "the Artifact lost, whatever it changed"
    )


def test_many_small_changes_in_few_turns_are_one_turning_point() -> None:
    points = [Point(n, n, chance) for n, chance in enumerate((0.6, 0.62, 0.56, 0.5, 0.46, 0.52))]
    parts = [Swing(*ends, None, []) for ends in pairwise(points)]
    (fall,) = slides(points, parts[2:3], [])
    assert (fall.begins, fall.number) == (1, 4)
    assert (fall.outweighs(parts[2:3]), fall.outweighs(parts)) == (True, False)
    assert slides(points, [Swing(points[1], points[3], None, [])], []) == [], "one of its parts is most of it"
    assert [each.number for each in slides(points, [], [3])] == [3], (
        "the loss at a wrong decision is told by itself"
    )
    assert [each.overlaps_alike(fall) for each in (*parts, fall)] == [False, True, True, True, False, True]


@pytest.mark.parametrize(
    ("chances", "said"),
    [
        ([0.6, 0.9, 1.0], "You were the favourite throughout."),
        ([0.3, 0.1, 0.0], "You were never the favourite: 30% to win at the best."),
        ([0.4, 0.6, 0.3, 0.0], "The match was open, until the odds turned against you (Turns 2–3)."),
        (
            [0.4, 0.1, 0.7, 1.0],
            "You came from behind: 10% to win at the lowest, until the odds turned (Turns 2–3).",
        ),
        (
            [0.4, 0.8, 0.6, 0.9, 1.0],
            "You were ahead, fell back to 60%, and pulled ahead once more (Turns 3–4).",
        ),
        (
            [0.5, 0.9, 0.6, 0.0],
            "You were the favourite: 90% to win at the best, until the odds turned (The end).",
        ),
        (
            [0.5, 0.2, 0.8, 0.1, 0.0],
            "You fought back from 20% to 80%, until the odds turned once more (Turns 3–4).",
        ),
        ([0.4, 0.6, 0.5], "You shared the victory."),
    ],
)
def test_a_match_is_told_in_a_sentence_by_its_course(chances: list[float], said: str) -> None:
    own = OwnMove(0, SimpleNamespace(seats=2), None)
    points = [Point(number, number, chance, own) for number, chance in enumerate(chances, 1)]
    review = Review(1, [], [], [], [*points[:-1], points[-1]._replace(own=None)])
    assert verdict(SCREENS["archaeology"], review) == said


@pytest.mark.parametrize(
    ("chances", "certain"),
    [([0.6, 0.96, 1.0], []), ([0.6, 0.96, 0.97, 1.0], [2, 3]), ([0.96, 0.9, 0.02, 0.05, 0.0], [3, 4])],
)
def test_turns_after_a_match_was_decided_are_named(chances: list[float], certain: list[int]) -> None:
    points = [Point(number, number, chance) for number, chance in enumerate(chances, 1)]
    assert [point.turn for point in Review(1, [], [], [], points).certain] == certain


def test_scores_that_explain_a_turning_point_are_told() -> None:
    own = OwnMove(0, SimpleNamespace(seats=2, viewer=0), None)
    names = Names([Seat("Ana", user_id=1), Seat("Ben", user_id=2)])
    less, same, more = (Outlook(lead, 0.0, score) for lead, score in ((2.0, 20.0), (2.3, 20.4), (5.0, 22.0)))
    for chances, outlooks, said in (
        ((0.6, 0.8), (less, more), "-# → expected at the end: you $20 → $22, **Ben** $18 → $17"),
        ((0.6, 0.8), (less, same), "**Ben** $18, as before, with less time to change it"),
        ((0.8, 0.6), (less, same), ""),
        ((0.8, 0.6), (less, more), ""),
    ):
        before, after = (Point(0, 0, *found) for found in zip(chances, [own, own], outlooks, strict=True))
        text = Swing(before, after, None, []).scores_text(SCREENS["archaeology"], names)
        assert text.endswith(said)
        assert bool(text) == bool(said)


@pytest.mark.parametrize("key", PLAYED)
def test_turning_points_are_the_greatest_changes_with_what_happened_as_the_seat_saw_it(key: str) -> None:
    record = played(key, 2, 4)
    numbers = {number for number, (seat, _move) in enumerate(record.moves, 1) if seat == 0}
    own = seen_moves(record, ENGINES, numbers)
    match, screens = Played.of(record, ENGINES, SCREENS[key], own), SCREENS[key]
    rng = Random(key)
    review = match.with_course(
        Review(1, [], [], []), {own.number: Outlook(0.0, VICTORY * rng.random()) for own in match.turning(12)}
    )
    points = review.course
    assert [point.number for point in points] == sorted({point.number for point in points})
    assert record.end is not None
    assert points[-1].chance == (record.end.ranks[0] == 1)
    chances, told = {point.number: point.chance for point in points}, review.swings
    assert all(swing.gained == chances[swing.number] - chances[swing.begins] for swing in told)
    assert all(one.number <= after.begins for one, after in pairwise(told))
    assert sum(not swing.felt for swing in told) <= 5 + 2, "the greatest, a rise and a fall of several turns"
    assert [*review.swings] == sorted(review.swings, key=lambda swing: swing.after.number)
    steps = {moment.step.move: moment.step.events for moment in moments(record, ENGINES)}
    for swing in review.swings:
        ends = (swing.before.number, swing.after.number)
        first, end = (n + (not any(e.reveals for e in steps.get(n, ()))) for n in ends)
        begins = swing.after.own is not None and swing.after.turn != swing.before.turn
        happened = range(first, swing.after.number if begins else end)
        seen = [
            (SeenEvent(event.kind, event.seat, event.seen_by(0)), event.reveals)
            for number in happened
            for event in steps.get(number, ())
        ]
        sign = 1 if swing.gained > 0 else -1
        effects = [effect_on(screens, event, 0, sign) for turn in swing.turns for event in turn]
        assert all((event, True) in seen and event.seat == 0 for event in swing.luck)
        assert {event.kind for turn in swing.turns for event in turn} <= {event.kind for event, _ in seen}
        asked = swing.after.turn == swing.before.turn and swing.after.own is not None
        lasts = swing.after.turn - swing.before.turn > 1
        assert swing.plain or swing.luck or asked or swing.felt or lasts or max(effects) > 0, (
            "what happened explains the change"
        )
        assert not swing.plain or (max(effects, default=0) <= 0 and abs(swing.gained) >= SMALL)
        assert not swing.plain or swing.view == match.seen[swing.begins], "one's own move is made by then"
        earlier = [event.kind for n in steps if n < swing.number for event in steps[n]]
        assert [event.kind for event in swing.events] == earlier[len(earlier) - len(swing.events) :], (
            "before its view"
        )
        now, luck = match.turns[swing.number], swing.luck
        rolled = begins and luck and not any(screens.concerns(event, 0) for event in luck)
        of_turn = [n for n, turn in match.turns.items() if turn == now and rolled]
        turn = [event for n in of_turn for event in steps.get(n, ()) if event.seat == 0 and not event.reveals]
        assert [*swing.then] == [SeenEvent(event.kind, 0, event.seen_by(0)) for event in turn]
    all_looked_at = len(own) <= REVIEWS.decisions
    assert all(swing.sound == all_looked_at for swing in told)
    wrong = match.reviewed(own[len(own) // 2], costing(9.0, 0.3))
    found = {own.number: Outlook(0.0, VICTORY * rng.random()) for own in match.turning(12)}
    for swing in match.with_course(Review(1, [wrong], [], []), found).swings:
        late = wrong.turn <= swing.after.turn <= wrong.turn + HELPED
        assert swing.sound == (all_looked_at and not late)
    picture = course(screens, review)
    assert picture is not None
    check_composed(picture)
    for layer in picture.layers:
        assert 0 <= layer.x <= layer.x + layer.width <= picture.width + 1
        assert 0 <= layer.y <= layer.y + layer.height <= picture.height
