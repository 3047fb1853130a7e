"""Reviews of matches that are over: what they show, to whom, and that they hold what their person saw and no more."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from bot.cli.export import export
from bot.people.privacy.erasures import AGAIN
from bot.people.privacy.stored_data import blotted, forget
from bot.replay import findings
from bot.replay.decisions import choices
from bot.replay.findings import Played
from bot.replay.progress import UPDATE_EVERY, ReviewLimits
from bot.replay.reviews import PendingReview, Reviews
from bot.store.backends import FileBackend
from bot.store.model import Change
from bot.tables import lobby, play
from bot.tables.history import own_moves, own_seat, record_of
from bot.tables.model import DAY, Table
from bot.tables.thinking import Thinkers
from bot.ui.screens.appraisals import MOMENTS, Review, Reviewed
from engine.agents.advice import Appraisal, Glance, Reason
from engine.agents.search import VICTORY, Outlook
from engine.archaeology_family.moves import EndTurn, Sell
from engine.record import Record, replay
from tests.bot.store.bytes import traces
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room, until
from tests.cogs.waits import Waits

PRESSES = 7_000_000


@pytest.fixture(autouse=True)
def same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run has the same deal, so that each finds decisions to tell of."""
    monkeypatch.setattr(lobby.secrets, "token_bytes", lambda size: b"\7" * size)


async def played(room: Room, *names: str, agents: int = 0) -> list[Person]:
    """A match that is over: the first person plays at random and the others as novices do, by presses of their own."""
    people = await room.match_of(*names, agents=agents)
    room.host.reviews._limits = ReviewLimits(decisions=24, turns=6)
    await play_to_the_end(room, await room.table(), people[0])
    await room.catch_up()
    return people


async def play_to_the_end(room: Room, table: Table, first: Person) -> None:
    """Plays a match: the first person at random, and the others as novices do."""
    rng = Random(3)
    async with room.host.tables.change(table.id) as draft:
        game, number = draft.table.game, PRESSES
        while pending := game.pending(draft.table.state):
            seat, number = pending[0].seat, number + 1
            view = game.view(draft.table.state, seat)
            move = (
                game.sample(draft.table.state, seat, rng)
                if draft.table.seats[seat].user_id == first.id
                else game.agents["novice"].choose(view, rng)
            )
            person = draft.table.seats[seat].user_id is not None
            play.make_move(draft, seat, move, number if person else None)


async def reviewed(room: Room, person: Person, page: Page) -> Page:
    """The review, once it has taken the place of the line that promises it."""
    press = person.pressing(page, "Review")
    room.emit(press)
    await until(lambda: press.answered and bool(press.answers), seconds=30)
    answer = press.answer
    await until(lambda: not room.host.progress_replies.waits.tasks, seconds=60)
    with suppress(TimeoutError):  # SimCord's patience may have ended meanwhile
        await room.env.settle()
    await room.env.settle()
    return answer


async def test_a_player_reviews_their_own_decisions_in_private(room: Room) -> None:
    ana, _ben = await played(room, "Ana", "Ben")
    review = await reviewed(room, ana, await room.result())
    assert review.ephemeral
    assert "of your decisions" in review.text
    assert "**The moments that mattered**" in review.text
    assert "Your chance to win after each of your turns" in review.text, "in words, as pictures are off"
    lines = [line for line in review.text.splitlines() if line[2:3].isdigit()]
    assert 1 < len(lines) <= MOMENTS
    assert [line[2:3] for line in lines] == [name for name in review.buttons if name.isdigit()]
    turns = [int(re.findall(r"Turns? (\d+)", line)[0]) for line in lines if "The end" not in line]
    assert turns == sorted(turns), "in the order of the match"
    assert any(grade in line for line in lines for grade in ("· Slip · ", "· Mistake · ", "· Big mistake · "))
    assert all(line.endswith((" better", " worse", "%", "%**")) for line in lines), "what it changed"


async def test_each_decision_has_a_page_with_table_and_hand_of_that_moment(room: Room) -> None:
    ana, _ben = await played(room, "Ana", "Ben")
    review = await reviewed(room, ana, await room.result())
    kinds = set[str]()
    for number in range(1, 1 + sum(name.isdigit() for name in review.buttons)):
        page = await ana.press(review, str(number))
        assert f"### 🔎 {number}/" in page.text
        assert "of your decisions" not in page.text
        words = page.text.count("**Dig site**") + page.text.count("### Your hand")
        assert len(page.files) + words == 2, "the table and the hand of that moment"
        assert message_faults(page.kept.components) == []
        if "**You:** " in page.text:
            kinds |= {kind for kind in ("**Better:** ", "**Instead of:** ") if kind in page.text}
            assert page.text.count("→ expected at the end: you $") == 2, "with either move"
        else:
            kinds.add("turning point")
            assert " to win\n" in page.text
            kinds |= (
                {"scores"} if re.search(r"\n-# → expected at the end: you \$\d+ → \$", page.text) else set()
            )
        review = await ana.press(page, "Review")
        assert "### 🔎 Your review" in review.text
    assert {"**Better:** ", "turning point", "scores"} <= kinds


def no_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """No decision and no turn is thought about from now on."""

    async def thought(_self: Thinkers, *_given: Any) -> Any:
        raise AssertionError("this was thought about")

    for name in ("glance", "appraise", "outlook"):
        monkeypatch.setattr(Thinkers, name, thought)


async def pages_of(person: Person, page: Page) -> list[str]:
    """The texts of all pages of a review, from the first one on."""
    texts = [page.text]
    while "Next" in page.buttons or "1" in page.buttons:
        page = await person.press(page, "Next" if "Next" in page.buttons else "1")
        texts.append(page.text)
    return texts


@pytest.mark.parametrize("crash", [False, True])
async def test_a_review_outlives_a_restart_and_costs_no_other_thought(
    room: Room, monkeypatch: pytest.MonkeyPatch, crash: bool
) -> None:
    ana, _ben = await played(room, "Ana", "Ben")
    review = await reviewed(room, ana, await room.result())
    no_thought(monkeypatch)
    before = await pages_of(ana, review)
    await room.restart(crash=crash)
    after = await ana.press(await room.result(), "Review")
    assert len(before) > 1
    assert await pages_of(ana, after) == before
    room.locales[ana.id] = "de"
    german = await ana.press(await room.result(), "Review")
    assert "### 🔎 Dein Rückblick" in german.text
    assert len(german.text.splitlines()) == len(before[0].splitlines())


async def test_a_stored_review_is_small_in_no_language_and_its_persons_alone(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = await played(room, "Ana", "Ben")
    await reviewed(room, ana, await room.result())
    table = await room.table()
    assert [*table.body.reviews] == [table.seat_of(ana.id)]
    stored = json.dumps(table.body.reviews)
    assert len(stored) < 3000
    assert "Ana" not in stored
    assert str(ana.id) not in stored
    assert not [text for text in ("Sell", "Trade", "Turn ", "mistake") if text in stored]
    for person in (ana, ben):
        (match,) = json.loads(await export(FileBackend(room.settings.database_path), person.id, 0.0))[
            "matches"
        ]
        seat = table.seat_of(person.id)
        assert seat is not None
        assert match["review"] == table.body.reviews.get(seat), "a copy of one's data has it"
    refused = await room.person("Cara").press(await room.result(), "Review")
    assert "Only people who played the match can review it" in refused.text
    Appraisals(room, monkeypatch)
    page = await asks(room, ben, await room.result())
    assert "Looking at your decisions" in page.text, "a review of Ben's own decisions begins"


async def test_a_hints_move_is_judged_with_its_sign(room: Room) -> None:
    ana, _ben = await played(room, "Ana", "Ben")
    found = list[dict[str, set[int]]]()
    for _time in range(2):
        review = await reviewed(room, ana, await room.result())
        async with room.host.tables.change((await room.table()).id) as draft:
            seat = draft.table.seat_of(ana.id)
            assert seat is not None
            stored = draft.table.body.reviews[seat]
            found.append({kind: {each["number"] for each in stored[kind]} for kind in ("costs", "leads")})
            draft.table.seats[seat].followed = [number - 1 for number in set[int]().union(*found[0].values())]
            del draft.table.body.reviews[seat]
            draft.touched = True
        assert (review.text.count("by a hint that was wrong:** 🦉") > 0) == (len(found) > 1)
    assert found[0] == found[1]


async def test_each_hint_that_was_not_followed_is_listed_with_what_came_of_it(room: Room) -> None:
    ana, _ben = await played(room, "Ana", "Ben")
    table, stored = await room.table(), await room.host.store.moves(1)
    record, seat = Record.model_validate_json(record_of(table, stored)), table.seat_of(ana.id) or 0
    own = own_moves(record, room.host.games, stored, seat, 0)
    ends = [each for each in own if type(each.move) is EndTurn and any(each.view.hand)][3:6]
    hints = {each.number: Sell(next(t for t, n in enumerate(each.view.hand) if n), 1) for each in ends}
    async with room.host.tables.change(table.id) as draft:
        dumped = {at: json.dumps(table.game.dump_move(hint)) for at, hint in hints.items()}
        draft.table.seats[seat].unfollowed = dumped
        draft.table.seats[seat].hinted = [*range(5)]
        draft.touched = True
    review = await reviewed(room, ana, await room.result())
    assert "Hints followed: 0 of 5. Refused and tried out: 3. " in review.text
    assert "Taken back, or only the order differed: 2." in review.text
    (found,) = (await room.table()).body.reviews.values()
    assert [each["number"] for each in found["hints"]] == [*hints]


async def test_a_review_is_deleted_with_its_person(room: Room) -> None:
    ana, ben = await played(room, "Ana", "Ben")
    for person in (ana, ben):
        await reviewed(room, person, await room.result())
    table = await room.table()
    row = await room.host.store.table(table.id)
    assert row is not None
    of_another_form = row.body.replace('"form":1', '"form":99')
    for unreadable in (of_another_form, of_another_form[:-40], of_another_form.replace(",", ";")):
        assert '"figures"' in unreadable
        assert '"figures"' not in blotted(unreadable, ana.id)
    await ana.delete_data()
    row = await room.host.store.table(table.id)
    assert row is not None
    assert [*json.loads(row.body)["reviews"]] == [str(table.seat_of(ben.id))]


async def test_a_review_under_way_is_not_stored_once_its_person_is_forgotten(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana,) = await played(room, "Ana", agents=1)
    appraisals = Appraisals(room, monkeypatch)
    await asks(room, ana, await room.result())
    await until(lambda: appraisals.begun == 1)
    await forget(room.host.tables, ana.id)
    appraisals.allow(24)
    await until(lambda: not room.host.reviews.making.tasks, seconds=60)
    await room.env.settle()
    assert (await room.table()).body.reviews == {}


async def test_a_review_is_deleted_with_the_match_from_every_byte(room: Room) -> None:
    ana, _ben = await played(room, "Ana", "Ben")
    await reviewed(room, ana, await room.result())
    table, folder = await room.table(), room.settings.database_path.parent
    assert traces(folder, '"figures"')
    await room.later(room.settings.keep_days * DAY + DAY)
    await until(lambda: room.host.housekeeping.cleanup.task is None)
    assert await room.host.store.table(table.id) is None
    await room.later(AGAIN)
    await until(lambda: not traces(folder, '"figures"'))


async def other_process(room: Room, change: Callable[[dict[str, Any]], None]) -> None:
    """Another process changes the stored table behind the back of this one."""
    row = await room.host.store.table((await room.table()).id)
    assert row is not None
    body = json.loads(row.body)
    change(body)
    row.body = json.dumps(body)
    await room.host.store.commit(Change(row))


async def test_of_two_processes_that_make_a_review_at_once_one_result_stands_and_nothing_is_lost(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = await played(room, "Ana", "Ben")
    await reviewed(room, ana, await room.result())
    await reviewed(room, ben, await room.result())
    table = await room.table()
    seat, other = table.seat_of(ana.id), table.seat_of(ben.id)
    assert seat is not None
    theirs = {**table.body.reviews[seat], "decisions": 23}  # no other process looks at as many
    async with room.host.tables.change(table.id) as draft:
        draft.table.body.reviews.clear()
        draft.touched = True
    make, begun, go_on = Reviews._found, asyncio.Event(), asyncio.Event()

    async def made(self: Reviews, *given: Any) -> Review:
        review = await make(self, *given)
        begun.set()
        await room.env.external_wait(go_on.wait(), reason="another process is quicker")
        return review

    monkeypatch.setattr(Reviews, "_found", made)
    waits = Waits(room.env, monkeypatch, PendingReview)
    page = await asks(room, ana, await room.result())
    await until(lambda: waits.now == 1 and begun.is_set(), seconds=60)
    await other_process(
        room, lambda body: body.update(reviews={str(seat): theirs, str(other): {"since": 0}}, pace="calm")
    )
    go_on.set()
    await until(lambda: not room.host.progress_replies.waits.tasks, seconds=60)
    await room.env.settle()
    assert "out 23 of your decisions" in page.text, "the one that was stored first"
    body = (await room.table()).body
    assert body.reviews == {seat: theirs, other: {"since": 0}}
    assert body.pace == "calm"


async def test_a_review_of_another_form_is_made_again_and_one_with_further_figures_stands(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ben = await played(room, "Ana", "Ben")
    first = (await reviewed(room, ana, await room.result())).text
    table = await room.table()
    seat = table.seat_of(ana.id)
    assert seat is not None
    stored = table.body.reviews[seat]
    for damaged in (
        {},
        {**stored, "form": 2},
        {**stored, "since": 5},
        {**stored, "course": [["?", 0.5]]},
        {**stored, "costs": [{**stored["costs"][0], "number": 100_000}]},
        {**stored, "costs": [{**stored["costs"][0], "move": {"kind": "teleport"}}]},
        {**stored, "leads": [{"number": stored["costs"][0]["number"]}]},
    ):
        async with room.host.tables.change(table.id) as draft:
            draft.table.body.reviews[seat] = damaged
            draft.touched = True
        assert (await reviewed(room, ana, await room.result())).text == first
        assert (await room.table()).body.reviews[seat] == stored
    async with room.host.tables.change(table.id) as draft:
        other = {**stored["costs"][0], "agent": "a later one's"}
        draft.table.body.reviews[seat] = {
            **stored,
            "costs": [other],
            "leads": [],
            "lesser": [],
            "course": stored["course"][-1:],
            "made_by": "3.0",
        }
        draft.touched = True
    no_thought(monkeypatch)
    page = await ana.press(await room.result(), "Review")
    assert "**1 · Turn " in page.text
    assert "**2 · Turn " not in page.text
    assert "### 🔎 1/" in (await ana.press(page, "1")).text


async def test_pages_beyond_the_last_and_of_others_are_refused_or_bounded(room: Room) -> None:
    ana, _ben = await played(room, "Ana", "Ben")
    review = await reviewed(room, ana, await room.result())
    page = await ana.press(review, "1")
    turn = page.buttons["Next"].rsplit(":", 1)[0]
    last = ana.forging(page, f"{turn}:999999")
    await room.deliver(last)
    assert "Next" not in last.answer.buttons
    strange = ana.forging(page, f"{turn}:1_0")
    await room.deliver(strange)
    assert "### 🔎 Your review" in strange.answer.text
    cara = room.person("Cara").forging(page, f"{turn}:1")
    await room.deliver(cara)
    assert "Only people who played the match can review it" in cara.answer.text


async def test_a_review_is_made_of_what_its_person_saw_when_they_moved(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, Any]] = []

    async def glance(_self: Thinkers, _game: Any, view: Any, move: Any, _seed: bytes) -> Glance:
        asked.append((view, move))
        return Glance(0.0, 0.0, 1.0)

    ana, ben = await played(room, "Ana", "Ben")
    monkeypatch.setattr(Thinkers, "glance", glance)
    table = await room.table()
    moves = await room.host.store.moves(table.id)
    record = Record.model_validate_json(record_of(table, moves))
    for person in (ana, ben):
        asked.clear()
        seat = table.seat_of(person.id)
        await reviewed(room, person, await room.result())
        assert asked
        assert {view.viewer for view, _move in asked} == {seat}
        seen = [table.game.view(step.state, seat) for step in replay(record, room.host.games)]
        for view, move in asked:
            assert view == seen[view.moves]
            assert table.game.dump_move(move) == record.moves[view.moves][1]


async def test_the_costliest_decision_is_a_puzzle_for_its_person_alone(room: Room) -> None:
    ana, ben = await played(room, "Ana", "Ben")
    assert "Puzzle" not in (await ana.command("/profile")).buttons
    await reviewed(room, ana, await room.result())
    profile, said, text = await ana.command("/profile"), dict[str, str](), ""
    for number in range(3):
        puzzle = await ana.press(profile, "Puzzle")
        assert message_faults(puzzle.kept.components) == []
        *moves, _profile = puzzle.buttons
        text = (await ana.press(puzzle, moves[number])).text
        said[text.partition("\n")[0].removeprefix(f"ℹ️ **Today:** {moves[number]}. ")] = moves[number]
        profile = await ana.press(puzzle, "Profile")
    assert f"**You:** {said['So you played in the match; another move is better.']}." in text
    assert f"**Better:** {said['Yes, this is the better move.']}." in text
    assert "Another move is better." in said
    assert "Puzzle" not in (await ben.command("/profile")).buttons
    for press in (ana.forging(profile, f"{profile.buttons['Puzzle']}3"), ben.pressing(profile, "Puzzle")):
        await room.deliver(press)
        assert "I no longer have this puzzle" in press.answer.text
    await ana.delete_data()
    assert "Only people who played the match" in (await ana.press(profile, "Puzzle")).text


async def test_a_puzzle_has_legal_choices_and_the_better_one_in_any_place(room: Room) -> None:
    ana, _ben = await played(room, "Ana", "Ben")
    table, games, places = await room.table(), room.host.games, set[int]()
    stored, seat = await room.host.store.moves(table.id), table.seat_of(ana.id) or 0
    record = Record.model_validate_json(record_of(table, stored))
    own = own_moves(record, games, stored, seat, 0)
    made = findings.Played.of(record, games, room.host.screens[record.game], own)
    for own in made.moves:
        better = table.game.agents["expert"].choose(own.view, Random(0))
        each = made.reviewed(own, Appraisal(better, Reason("due")))
        moves = choices(made, each, repr)
        assert moves == choices(made, each, repr)
        places |= {moves.index(better)} if len(moves) == 3 else set()
        for move in moves:  # with other cards in others' hands
            table.game.apply(table.game.determinize(own.view, Random(1)), seat, move)
    assert places == {0, 1, 2}


async def test_no_review_before_the_end(room: Room) -> None:
    (ana,) = await room.match_of("Ana", agents=1)
    hand = await ana.hand()
    early = ana.forging(hand, hand.buttons["?"].replace("explain", "review"))
    await room.deliver(early)
    assert "The match isn't over yet." in early.answer.text
    assert not room.host.progress_replies.waits.tasks


async def test_no_review_for_others(room: Room) -> None:
    await played(room, "Ana", agents=1)
    refused = await room.person("Cara").press(await room.result(), "Review")
    assert "Only people who played the match can review it" in refused.text
    assert not room.host.progress_replies.waits.tasks


class Appraisals:
    """Stands in for the thinking processes: a test says when each decision of a review is looked at."""

    def __init__(self, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = 0
        self.waits = Waits(room.env, monkeypatch, PendingReview)
        self.free = asyncio.Semaphore(0)
        self.late = False

        async def glance(_self: Thinkers, *_given: Any) -> Glance:
            self.begun += 1
            await room.env.external_wait(self.free.acquire(), reason="the agents are busy")
            if self.late:
                raise TimeoutError
            return Glance(0.0, 0.0, 1.0)

        monkeypatch.setattr(Thinkers, "glance", glance)

    def allow(self, number: int) -> None:
        for _ in range(number):
            self.free.release()


async def asks(room: Room, person: Person, page: Page) -> Page:
    """Has a person ask for a review and not wait for it."""
    press = person.pressing(page, "Review")
    room.emit(press)
    await until(lambda: press.answered and bool(press.answers), seconds=30)
    return press.answer


async def test_the_answer_tells_at_once_how_far_the_review_is_and_becomes_the_review(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana,) = await played(room, "Ana", agents=1)
    appraisals = Appraisals(room, monkeypatch)
    page = await asks(room, ana, await room.result())
    assert "▱▱▱▱▱▱▱▱▱▱▱▱" in page.text
    await until(lambda: appraisals.waits.now == 1)
    appraisals.allow(12)
    await until(lambda: appraisals.begun == 13)
    await room.later(UPDATE_EVERY)
    assert "▰▰▱▱▱" in page.text
    appraisals.allow(12)
    await until(lambda: not room.host.progress_replies.waits.tasks, seconds=60)
    await room.env.settle()
    assert "### 🔎 Your review" in page.text
    assert "interrupted" not in page.text


async def test_only_close_decisions_are_appraised(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 24 decisions the first ten cost $9, $10, … at a glance, with an error of $2; the others certainly nothing."""
    (ana,) = await played(room, "Ana", agents=1)
    glanced, begun, free = list[Any](), list[float](), asyncio.Semaphore(0)

    async def glance(_self: Thinkers, _game: Any, view: Any, _move: Any, _seed: bytes) -> Glance:
        glanced.append(view)
        return Glance(-8.0 - len(glanced), 2.0, 1.0) if len(glanced) <= 10 else Glance(0.0, 0.1, 1.0)

    async def appraise(_self: Thinkers, _game: Any, view: Any, move: Any, *_given: Any) -> Appraisal:
        cost = 9.0 + glanced.index(view)
        begun.append(cost)
        await room.env.external_wait(free.acquire(), reason="the agents are busy")
        return Appraisal(move, Reason("due"), cost, 0.0, 0.5, Outlook(0.0, 0.0), Outlook(cost, 0.0))

    async def outlook(_self: Thinkers, _game: Any, view: Any, *_given: Any) -> Outlook:
        played_on.append(view.moves)  # the move made is played on before the other
        return Outlook(28.0, 13.2) if played_on[-2:-1] == [view.moves] else Outlook(10.0, 12.0)

    played_on = list[int]()
    monkeypatch.setattr(Thinkers, "glance", glance)
    monkeypatch.setattr(Thinkers, "appraise", appraise)
    monkeypatch.setattr(Thinkers, "outlook", outlook)
    waits = Waits(room.env, monkeypatch, PendingReview)
    page = await asks(room, ana, await room.result())
    await until(lambda: waits.now == 1 and bool(begun))
    free.release()
    await until(lambda: len(begun) == 2)
    for _ in range(24):
        free.release()
    await until(lambda: not room.host.progress_replies.waits.tasks, seconds=60)
    await room.env.settle()
    assert "appears here when it is ready" not in page.text
    assert "about $18 worse" in page.text
    assert len((await room.table()).body.reviews[0]["costs"]) == 3
    assert begun == [18.0, 17.0, 16.0, 15.0, 14.0, 13.0, 12.0, 11.0][: len(begun)], (
        "no other can cost more than the sixth"
    )


async def test_pressing_again_meanwhile_makes_no_second_review_and_both_answers_become_it(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana,) = await played(room, "Ana", agents=1)
    appraisals = Appraisals(room, monkeypatch)
    result = await room.result()
    first = await asks(room, ana, result)
    second = await asks(room, ana, result)
    await asks(room, ana, second)
    assert "Looking at your decisions, " in second.text
    appraisals.allow(24)
    await until(lambda: not room.host.progress_replies.waits.tasks, seconds=60)
    await room.env.settle()
    assert appraisals.begun == 24
    assert "### 🔎 Your review" in first.text
    assert "### 🔎 Your review" in second.text


async def test_a_review_that_the_agents_have_no_time_for_is_told(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana,) = await played(room, "Ana", agents=1)
    appraisals = Appraisals(room, monkeypatch)
    appraisals.late = True
    page = await asks(room, ana, await room.result())
    appraisals.allow(1)
    await until(lambda: not room.host.progress_replies.waits.tasks, seconds=30)
    await room.env.settle()
    assert "gave up" in page.text
    assert "Review" in page.buttons


async def test_a_restart_in_the_midst_of_a_review_says_so(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana,) = await played(room, "Ana", agents=1)
    Appraisals(room, monkeypatch)
    page = await asks(room, ana, await room.result())
    await room.restart()
    assert "I'm being restarted. Please press **Review** again" in page.text
    assert "Review" in page.buttons


async def test_after_a_crash_in_the_midst_of_a_review_the_next_press_makes_it(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana,) = await played(room, "Ana", agents=1)
    appraisals = Appraisals(room, monkeypatch)
    page = await asks(room, ana, await room.result())
    for task in asyncio.all_tasks():
        if task.get_name().startswith(("review of", "making of")):
            task.cancel()
    await room.restart(crash=True)
    room.host.reviews._limits = ReviewLimits(decisions=24, turns=6)
    assert "Looking at your decisions, " in page.text
    await asks(room, ana, page)
    appraisals.allow(24)
    await until(lambda: not room.host.progress_replies.waits.tasks, seconds=60)
    await room.env.settle()
    assert "### 🔎 Your review" in page.text


def think_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patches the thinkers: every move is due, and the chance to win rises and falls."""
    chances = dict[int, float]()

    async def glance(_self: Thinkers, *_given: Any) -> Glance:
        return Glance(0.0, 0.0, 1.0)

    async def outlook(_self: Thinkers, _game: Any, view: Any, *_given: Any) -> Outlook:
        chance = chances.setdefault(view.moves, (0.5, 0.2)[len(chances) % 2])
        return Outlook(100 * chance - 40, VICTORY * chance, 50.0)

    monkeypatch.setattr(Thinkers, "glance", glance)
    monkeypatch.setattr(Thinkers, "outlook", outlook)


async def test_a_review_of_a_daily_deal_is_made_at_once_from_what_its_person_saw(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(_self: Thinkers, game: Any, _level: str, view: Any, seed: bytes) -> Any:
        return game.agents["novice"].choose(view, Random(seed))

    think_at_once(monkeypatch)
    monkeypatch.setattr(Thinkers, "in_processes", True)
    monkeypatch.setattr(Thinkers, "choose_later", play)
    ana = room.person("Ana")
    last = await ana.press(await ana.command("/daily"), "Start")
    (row,) = await room.host.store.live_tables_of(ana.id)
    await play_to_the_end(room, await room.table(row.id), ana)
    await room.catch_up()
    await until(lambda: "a Master" in last.text.splitlines()[1], seconds=30)
    review = (first := await reviewed(room, ana, last)).text
    assert f"\n**{last.text.splitlines()[1].removeprefix('## 📅 ')}**\n" in review, "dollars count"
    assert "Dollars by turn" in review
    assert "mattered against the Veterans** (your money at the end, your chance to win)" in review
    assert re.search(r"\n\*\*1 · Turns? .* · \d0% → \*\*\d0%\*\*\n-# \S", review)
    no_thought(monkeypatch)
    page = await ana.press(first, sorted(filter(str.isdecimal, first.buttons))[-2])
    assert "-# **Against a Master**\n-# After turn " in page.text
    await room.later(86_400.0)
    later = (await reviewed(room, ana, last)).text
    (parted,) = {*later.splitlines()} - {*review.splitlines()}
    assert parted.startswith("-# You part ways on turn "), "the day's end tells nothing more"


async def test_a_review_of_artifact_tells_of_chances_alone(room: Room) -> None:
    room.game = "artifact"
    ana, _ben = await played(room, "Ana", "Ben")
    review = await reviewed(room, ana, await room.result())
    assert "of your decisions" in review.text
    assert not re.search(r"about \S+ (better|worse)", review.text)
    assert " → **" in review.text


async def test_moves_before_a_takeover_are_nobodys_to_review(room: Room) -> None:
    ana, _ben = await played(room, "Ana", "Ben")
    table, store = await room.table(), room.host.store
    moves, log = await store.moves(table.id), await store.log(table.id)
    record = Record.model_validate_json(record_of(table, moves))
    seat = table.seat_of(ana.id)
    assert seat is not None
    assert own_seat(table, ana.id, log) == (seat, 0)
    assert own_seat(table, room.person("Cara").id, log) is None
    middle = len(moves) // 2
    late = own_moves(record, room.host.games, moves, seat, middle)
    assert [each.number for each in late] == [
        move.sequence for move in moves if move.seat == seat and move.sequence > middle
    ]
    everything = own_moves(record, room.host.games, moves, seat, 0)
    assert len(everything) == sum(move.seat == seat for move in moves)
    by_agent = [type(move)(move.sequence, move.seat, move.move, None, move.at) for move in moves]
    assert own_moves(record, room.host.games, by_agent, seat, 0) == []


async def test_a_review_of_large_hands_keeps_discords_limits_without_pictures(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ben = await played(room, "Ana", "Ben")
    shown, other = list[Any](), Outlook(-1.0, 12.6, 9.0)

    async def made(_self: Reviews, _context: Any, pending: PendingReview, played: Played) -> Review:
        largest = sorted(pending.moves, key=lambda own: -sum(own.view.hand))
        costs, leads = (
            [
                Reviewed(
                    own.number,
                    own.number,
                    own.view,
                    own.move,
                    Appraisal(own.move, Reason("due"), cost, lead, 1.0, Outlook(2.0, made, 9.0), other),
                )
                for own in largest[:3]
            ]
            for cost, lead, made in ((6.5, 0.0, 6.1), (0.0, 4.5, 13.6))
        )
        shown.extend([*costs, *leads])
        return played.with_course(Review(8, costs, leads, []), {})

    monkeypatch.setattr(Reviews, "_found", made)
    page = await reviewed(room, ana, await room.result())
    assert message_faults(page.kept.components) == []
    texts = list[str]()
    for _each in range(5):
        page = await ana.press(page, "Next" if "Next" in page.buttons else "1")
        assert message_faults(page.kept.components) == []
        texts.append(page.text)
        assert "**You:** " in page.text
    assert any("34% to win instead of 32%\n" in text for text in texts)
