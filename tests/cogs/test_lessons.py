"""Each game's lesson: what its texts say is what the rules do, in every language, and it is played by its presses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import cogs
from bot.cli.export import export
from bot.language import gettext as _
from bot.language import languages, speaking
from bot.store.backends import FileBackend
from bot.tables.lobby import AGENT_NAMES
from bot.tables.model import NOWHERE, Body, Seat, Table
from bot.tables.turns import OpenDecision
from bot.ui.actions.lessons import CONTRIBUTIONS
from bot.ui.screens.components import PRIMARY, ROW, SECONDARY, SEPARATOR
from bot.ui.screens.fitting import FRAME, PHONE, height, picture_height
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import OWN_TITLE, PICTURED_BOARD, TITLE, line_height
from bot.ui.screens.lessons import Lesson, Step, read_lesson, seed_of
from bot.ui.screens.names import Names
from bot.ui.screens.private import private
from engine.archaeology_family.moves import Discard, Trade
from engine.fairness import match_key
from engine.game import Event
from tests.cogs.in_memory import ENGINES, SCREENS
from tests.cogs.lessons import Press, course, in_language, other_moves
from tests.cogs.limits import message_faults
from tests.cogs.page import BUTTON, Page
from tests.cogs.table_driver import Person, Room

TAUGHT = sorted(key for key, screens in SCREENS.items() if screens.lesson is not None)
COGS = Path(cogs.__file__).parent
EACH = pytest.mark.parametrize("key", TAUGHT)
EACH_LANGUAGE = pytest.mark.parametrize("language", languages())
SPOKEN = [
    pytest.param(
        key, name, marks=() if number in (0, 1 + at % (len(languages()) - 1)) else pytest.mark.exhaustive
    )
    for at, key in enumerate(TAUGHT)
    for number, name in enumerate(languages())
]
"""Each lesson in each language; in the quick run in English and in one other."""
FEWEST, MOST = 10, 15
"""The steps of a lesson."""
HIGHEST = 230
"""The height of a step's two lines on a phone, in pixels."""
HIGHER = 175
"""The pixels by which a step without other controls may be higher than a phone's screen: its texts leave no room."""
END_OF_LESSON = ("?", "Log", "Start Over", "End the Lesson")
"""The buttons at the end of a lesson's screen."""
LEARN = "Learn"
"""The label of the button that offers the lesson."""


def taught(key: str) -> tuple[AnyScreens, Lesson]:
    screens = SCREENS[key]
    lesson = screens.lesson
    assert lesson is not None
    return screens, lesson


class Moment(NamedTuple):
    """A step with the state in which it is due, and the events that follow before the next one."""

    step: Step
    state: Any
    moves: int
    events: list[Event]


def moments(key: str) -> Iterator[Moment]:
    """The steps of a lesson in the current language, as the rules play them."""
    game, (_screens, lesson) = ENGINES[key], taught(key)
    options = game.load_options(lesson.options)
    state = game.new(lesson.seats, options, match_key(seed_of(lesson), CONTRIBUTIONS))
    moves = 0
    for step in lesson.steps:
        before, at = game.copy(state), moves
        events = game.apply(state, 0, step.move)
        for seat, move in step.replies:
            events += game.apply(state, seat, move)
        moves += 1 + len(step.replies)
        yield Moment(step, before, at, events)


def names_of(lesson: Lesson) -> Names:
    return Names(seats_of(lesson))


def seats_of(lesson: Lesson) -> list[Seat]:
    agents = [Seat(name, agent="novice") for name in AGENT_NAMES[: lesson.seats - 1]]
    return [Seat("Ana", 1), *agents]


def test_every_lesson_that_is_written_is_taught() -> None:
    assert {file.parent.name.replace("_", "-") for file in COGS.glob("*/lesson.toml")} == {*TAUGHT}


@pytest.mark.parametrize(
    ("part", "instead", "said"),
    [
        ('kind = "steal", victim = 2', 'kind = "steel", victim = 2', r"steps\.3\.move: .*kind"),
        ('kind = "steal", victim = 2', 'kind = "steal"', r"steps\.3\.move: .*victim"),
        ("why_not", "whynot", r"steps\.1\.whynot: Unexpected"),
        ('do = "You must', 'to = "You must', r"steps\.2\.do: .*required"),
        ('{ seat = 1, kind = "dig" }', '{ kind = "dig" }', r"steps\.1\.replies\.0: .*a reply names its seat"),
        ("seed = 338922", "seed = 338922,", r"at line 4"),
    ],
)
def test_a_mistake_in_a_lesson_s_file_is_named_with_its_place(
    tmp_path: Path, part: str, instead: str, said: str
) -> None:
    text = (COGS / ONE / "lesson.toml").read_text(encoding="utf-8")
    assert part in text
    file = tmp_path / "lesson.toml"
    file.write_text(text.replace(part, instead, 1), encoding="utf-8")
    lesson = taught(ONE)[1]
    with pytest.raises(ValueError, match=f"lesson.toml: .*{said}"):
        read_lesson(file, ENGINES[ONE], lesson.facts)


@EACH
def test_lesson_takes_ten_to_fifteen_presses_with_the_card_list_in_use(key: str) -> None:
    _screens, lesson = taught(key)
    assert FEWEST <= len(lesson.steps) <= MOST
    assert len(lesson.closing) == 3
    assert len({text for step in lesson.steps for text in (step.look, step.do)}) >= 2 * len(lesson.steps) - 3


@EACH
@EACH_LANGUAGE
def test_what_the_texts_say_is_what_the_rules_do(key: str, language: str) -> None:
    with speaking(language):
        _screens, lesson = taught(key)
        for number, moment in enumerate(moments(key), 1):
            step, view = moment.step, ENGINES[key].view(moment.state, 0)
            facts = lesson.facts(view, names_of(lesson))
            if language == "en":
                given = {name: facts[name] for name in step.given}
                assert given == dict(step.given), f"step {number}"
            assert {*step.shows} <= {event.kind for event in moment.events}, f"step {number}"
            for kind, proved in step.proves.items():
                first = next(event.facts for event in moment.events if event.kind == kind)
                assert {name: first[name] for name in proved} == dict(proved), f"step {number}"
            lines = [_(text).format(**facts) for text in (step.look, step.do)]
            for line in (*lines, step.why_not and _(step.why_not).format(**facts)):
                assert "{" not in line
            height = sum(map(line_height, lines))
            assert height <= HIGHEST, f"step {number}: {height}"


@EACH
def test_screens_of_a_lesson_are_made_of_what_its_person_may_know(key: str) -> None:
    game, (screens, lesson) = ENGINES[key], taught(key)
    for moment in moments(key):
        other = game.determinize(game.view(moment.state, 0), Random(5))
        shown = [screen_of(screens, lesson, moment, state) for state in (moment.state, other)]
        assert shown[0] == shown[1]


@EACH
def test_lines_of_a_step_stand_between_what_they_are_about_and_the_moves(key: str) -> None:
    screens, lesson = taught(key)
    for number, moment in enumerate(moments(key), 1):
        parts = json.loads(screen_of(screens, lesson, moment, moment.state))[0]["components"]
        headings = [at for at, part in enumerate(parts) if part.get("id") in (TITLE, OWN_TITLE)]
        assert [parts[at]["id"] for at in headings] == [TITLE if moment.step.of_table else OWN_TITLE]
        lines = [
            at
            for at, part in enumerate(parts)
            if heading(number, len(lesson.steps)) in part.get("content", "")
        ]
        moves = [at for at, part in enumerate(parts) if "components" in part]
        assert headings[0] < lines[0] < moves[0], f"step {number}"


@EACH
def test_task_stands_above_the_control_that_it_asks_for_which_alone_is_coloured(key: str) -> None:
    screens, lesson = taught(key)
    for number, moment in enumerate(moments(key), 1):
        parts = json.loads(screen_of(screens, lesson, moment, moment.state))[0]["components"]
        task = next(at for at, part in enumerate(parts) if "🎯" in part.get("content", ""))
        kinds = [part["type"] for part in parts[task + 1 :]]
        assert kinds[:2] == [ROW, SEPARATOR], f"step {number}: the control follows the task, and nothing else"
        (asked,) = parts[task + 1]["components"]
        first = course(table_of(screens, lesson, moment, moment.state), screens, moment.step.move)[0]
        assert asked["custom_id"] == first.custom_id, f"step {number}"
        others = [each for part in parts[:task] for each in part.get("components", ())]
        assert {each["style"] for each in others if each["type"] == BUTTON} <= {SECONDARY}, f"step {number}"
        assert asked.get("style", PRIMARY) == PRIMARY, f"step {number}"


@EACH
@EACH_LANGUAGE
def test_step_stands_on_a_phone_s_screen_with_its_picture_and_its_control(key: str, language: str) -> None:
    with speaking(language):
        screens, lesson = taught(key)
        for number, moment in enumerate(moments(key), 1):
            table = table_of(screens, lesson, moment, moment.state)
            shown = private(table, screens, 0, []).items
            picture = screens.own_picture(table.game.view(table.state, 0))
            if moment.step.of_table:
                picture = screens.table_picture(table.game.view(table.state, None))
                shown = [item for item in shown if item.get("id") != PICTURED_BOARD]
            assert picture is not None
            found = 2 * FRAME + picture_height(picture.width, picture.height) + height(shown)
            controls = [control for item in shown if item["type"] == ROW for control in item["components"]]
            kept = [each for each in controls if each.get("options")]  # a menu may hold a choice
            asked_alone = len(controls) - len(kept) <= 1 + len(END_OF_LESSON)
            most = PHONE + (HIGHER if asked_alone else 0)
            assert found <= most, f"step {number}: {found}"


def screen_of(screens: AnyScreens, lesson: Lesson, moment: Moment, state: Any) -> str:
    table = table_of(screens, lesson, moment, state)
    return json.dumps(private(table, screens, 0, []).view().to_components())


def table_of(screens: AnyScreens, lesson: Lesson, moment: Moment, state: Any) -> Table:
    game = ENGINES[screens.game]
    body = Body(1, seed_of(lesson).hex(), seats_of(lesson), script=[*lesson.script(game)])
    for decision in game.pending(state):
        body.asked[decision.seat] = OpenDecision(0.0, None)
    return Table(1, 1, NOWHERE, game, "playing", 1, moment.moves, 0.0, 0.0, body, state)


# -- played by presses


async def learn(person: Person, key: str) -> Page:
    return await person.command(f"/{key} learn")


async def lesson_of(person: Person) -> Table:
    rows = await person.room.host.store.live_tables_of(person.id)
    assert len(rows) == 1
    return await person.room.table(rows[0].id)


async def press(person: Person, page: Page, one: Press) -> Page:
    delivery = person.forging(page, one.custom_id, None if one.values is None else [*one.values])
    await person.room.deliver(delivery)
    return delivery.answer


async def make(person: Person, page: Page, step: Step) -> Page:
    """Makes the move of a step by presses on the screen."""
    table = await lesson_of(person)
    screens = person.room.host.screens[table.game.key]
    locale = person.room.locales.get(person.id, "en")
    for one in in_language(locale, table, screens, step.move):
        page = await press(person, page, one)
    return page


def heading(number: int, of: int) -> str:
    return f"🎓 **{number}/{of}** · "


@pytest.mark.parametrize(("key", "language"), SPOKEN)
async def test_lesson_is_played_by_the_presses_that_its_screens_offer(
    room: Room, key: str, language: str
) -> None:
    ana = room.person("Ana")
    room.locales[ana.id] = language
    page = await learn(ana, key)
    steps = taught(key)[1].steps
    for number, step in enumerate(steps, 1):
        assert heading(number, len(steps)) in page.text
        assert message_faults(page.kept.components) == []
        table = await lesson_of(ana)
        others = other_moves(table, room.host.screens[key], step.move)
        for one in others if language == "en" else others[:1]:
            page = await press(ana, page, one)
            assert heading(number, len(steps)) in page.text
            assert page.text.count("🎓") == 2, "the answer says what it would do"
            assert message_faults(page.kept.components) == []
        assert (await room.table(table.id)).sequence == table.sequence
        page = await make(ana, page, step)
    assert not await room.host.store.live_tables_of(ana.id)
    assert message_faults(page.kept.components) == []
    with speaking(language):
        assert all(_(line) in page.text for line in taught(key)[1].closing)
    assert room.pages() == []


@EACH
async def test_lesson_is_left_and_continued_at_each_step_also_after_a_restart(room: Room, key: str) -> None:
    ana = room.person("Ana")
    page = await learn(ana, key)
    steps = taught(key)[1].steps
    for number, step in enumerate(steps[:-1], 1):
        page = await make(ana, page, step)
        if number in (3, len(steps) - 1):
            await room.restart(crash=True)
        page = await learn(ana, key)
        assert heading(number + 1, len(steps)) in page.text
    assert len(await room.host.store.live_tables_of(ana.id)) == 1


async def page_after(person: Person, key: str, steps: int | None = None) -> Page:
    """The page after so many steps of a lesson, or after all."""
    page = await learn(person, key)
    for step in taught(key)[1].steps[:steps]:
        page = await make(person, page, step)
    return page


def first(key: str, wanted: Callable[[Step], bool]) -> int:
    """The number of steps before the first one that is wanted."""
    return next(number for number, step in enumerate(taught(key)[1].steps) if wanted(step))


RESULTS = {
    "archaeology": ["You sell 🏺 5 Pot Shards for $15."],
    "artifact": [
        "You roll 3️⃣\u00a0+\u00a03\u00a0=\u00a0**6**, "
        "🤖\u00a0**Amelia** rolls 4️⃣\u00a0+\u00a01\u00a0=\u00a0**5**. **You win!**",
        "The Artifact is yours!",
    ],
    "artifacts-inc": [
        "You buy Explorers' Club for $7. ⭐\N{NO-BREAK SPACE}+3",
        "lead at **Fossil Museum** and **Scroll Museum**: ⭐ 3 and ⭐ 3 more",
    ],
    "expedition": ["You sell 🏺 5 Pot Shards for $15."],
}
"""By game, what the last page of its lesson says about the last move."""


@EACH
async def test_last_page_says_what_the_last_move_has_led_to(room: Room, key: str) -> None:
    page = await page_after(room.person("Ana"), key)
    for text in RESULTS[key]:
        assert text in page.text


async def test_task_asks_for_the_way_back_from_another_choice(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.screens.private.PHONE", 2_000)  # the step has room for the other choices
    ana = room.person("Ana")
    at = first("archaeology", lambda step: isinstance(step.move, Trade))
    page = await page_after(ana, "archaeology", at)
    page = await ana.choose(page, "Trade at the market …", "Build your own trade …")
    page = await ana.choose(page, "Choose what to take …", "1 Coin")
    buttons = [part for part in page.components if part["type"] == BUTTON and part["style"] == PRIMARY]
    assert [each["label"] for each in buttons] == ["Back to All Trades"]
    page = await ana.press(page, "Back to All Trades")
    assert page.menu("Trade at the market …")


async def test_wrong_choice_in_a_menu_is_dropped_once_it_has_been_answered(room: Room) -> None:
    ana = room.person("Ana")
    at = first("archaeology", lambda step: isinstance(step.move, Discard))
    page = await page_after(ana, "archaeology", at)
    assert "Lose 2 Pot Shards" in page.buttons
    page = await ana.choose(page, "Lose something else …", "1 Pot Shard, 1 Talisman")
    assert "Lose 1 Pot Shard, 1 Talisman" in page.buttons
    page = await ana.press(page, "Lose 1 Pot Shard, 1 Talisman")
    assert "You chose: Lose" in page.text
    assert "Lose 2 Pot Shards" in page.buttons


async def test_another_card_in_the_menu_is_answered_with_the_reason_why_not(room: Room) -> None:
    ana = room.person("Ana")
    page = await page_after(ana, "artifacts-inc", 2)
    assert "Undo" in page.buttons
    other = next(label for label in page.menu("Buy").options if not label.startswith("Field Office"))
    page = await ana.choose(page, "Buy", other)
    assert "🎓 First buy **Field Office**, which helps you on every turn" in page.text
    assert "Undo" not in page.buttons, "it would take back the dive"
    page = await ana.choose(page, "Buy", "Field Office · $2")
    assert "First buy" not in page.text
    assert "Buy for $2" in page.buttons


async def test_no_undo_takes_back_the_right_move_before_a_wrong_press(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.screens.private.PHONE", 2_000)  # the step has room for the other buttons
    ana = room.person("Ana")
    at = first("archaeology", lambda step: "traded" in step.shows)
    page = await page_after(ana, "archaeology", at + 1)
    assert "Undo" in page.buttons
    page = await ana.press(page, "End Turn Without Selling")
    assert page.text.count("🎓 ") == 2, "the remark beside the step's number"
    assert "Undo" not in page.buttons


async def test_the_question_before_a_lesson_is_ended_speaks_of_the_lesson(room: Room) -> None:
    ana = room.person("Ana")
    page = await learn(ana, ONE)
    question = await ana.press(page, "End the Lesson")
    assert "This ends the lesson for good." in question.text
    ended = await ana.press(question, "End the Lesson")
    assert ended.text == "The lesson has ended."


@EACH
async def test_after_the_end_a_lesson_is_begun_anew_or_a_lobby_is_opened(room: Room, key: str) -> None:
    ana = room.person("Ana")
    page = await page_after(ana, key)
    steps = len(taught(key)[1].steps)
    again = await ana.press(page, "Once More")
    assert again.id == page.id
    assert heading(1, steps) in again.text
    page = await page_after(ana, key)
    lobby = await ana.press(page, "Start a Match")
    assert "Join" in lobby.buttons
    assert [page.id for page in room.pages()] == [lobby.id]


ONE = TAUGHT[0]
"""A game for tests of what does not depend on the game."""


async def test_lesson_is_offered_in_the_lobby_and_in_the_rules_and_goes_on_from_there(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    lobby = await ana.command(f"/{ONE} start")
    page = await ben.press(lobby, LEARN)
    assert page.ephemeral
    assert "🎓 **1/" in page.text
    assert "Join" in lobby.buttons, "the lobby stays"
    page = await make(ben, page, taught(ONE)[1].steps[0])
    rules = await ben.command(f"/{ONE} rules")
    again = await ben.press(rules, LEARN)
    assert again.id != rules.id
    assert "🎓 **2/" in again.text


async def test_lesson_begins_anew_when_its_person_wants_it(room: Room) -> None:
    ana = room.person("Ana")
    page = await page_after(ana, ONE, 1)
    old = await lesson_of(ana)
    page = await ana.press(page, "Start Over")
    assert "🎓 **1/" in page.text
    assert (await lesson_of(ana)).id != old.id
    assert (await room.table(old.id)).status == "abandoned"


async def test_move_in_a_lesson_can_be_taken_back(room: Room) -> None:
    ana = room.person("Ana")
    at = first("archaeology", lambda step: "traded" in step.shows)
    page = await page_after(ana, "archaeology", at + 1)
    page = await ana.press(page, "Undo")
    steps = taught("archaeology")[1].steps
    assert heading(at + 1, len(steps)) in page.text
    for step in steps[at:]:
        page = await make(ana, page, step)
    assert "Once More" in page.buttons


async def test_lesson_goes_on_if_too_many_are_begun_anew(room: Room) -> None:
    room.host.tables._quota._of_person.limit = 2
    ana = room.person("Ana")
    page = await page_after(ana, ONE, 1)
    page = await make(ana, await ana.press(page, "Start Over"), taught(ONE)[1].steps[0])
    refused = await ana.press(page, "Start Over")
    assert "No one may open more than 2 tables per minute" in refused.text
    assert "🎓 **2/" in (await learn(ana, ONE)).text


async def test_lesson_that_has_changed_begins_anew_with_a_sentence(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = room.person("Ana")
    page = await page_after(ana, ONE, 1)
    old = await lesson_of(ana)
    monkeypatch.setattr(Lesson, "script", lambda lesson, game: (("other", "script"),))
    assert "This lesson has changed" in (await ana.press(await ana.command("/games mine"), "Open")).text
    monkeypatch.undo()
    async with room.host.tables.change(old.id) as draft:
        draft.table.body.script = draft.table.body.script[:-1]
        draft.touch()
    page = await learn(ana, ONE)
    assert "🎓 **1/" in page.text
    assert "it starts over" in page.text
    assert (await lesson_of(ana)).id != old.id


async def test_after_a_lesson_no_screen_says_that_the_match_is_the_first(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    lobby = await ana.press(await page_after(ana, ONE), "Start a Match")
    await ben.press(lobby, "Join")
    await ana.press(lobby, "Start Match")
    for person, greeted in ((ana, False), (ben, True)):
        page = await person.command(f"/{ONE} hand")
        assert ("Your first match?" in page.text) is greeted


@EACH
async def test_a_newcomer_s_first_private_screen_offers_the_lesson_in_every_game(
    room: Room, key: str
) -> None:
    room.game = key
    (ana,) = await room.match_of("Ana", agents=1)
    hand = await ana.hand()
    assert "Your first match?" in hand.text
    assert "🎓 **1/" in (await ana.press(hand, "Learn")).text


async def test_lesson_counts_nowhere(room: Room) -> None:
    ana = room.person("Ana")
    store = room.host.store
    await page_after(ana, ONE)
    table = max(row.id for row in await store.tables_of(ana.id))
    assert await store.results.with_person(ana.id) == []
    assert not await store.has_played(ana.id, ONE, besides=0), "the first match is still to come"
    assert (await room.table(table)).status == "abandoned"


@pytest.mark.parametrize("intent", ["hand", "log", "replay", "fairness", "rules", "?", "end", "learn-anew"])
async def test_nobody_else_sees_a_lesson_or_acts_in_it(room: Room, intent: str) -> None:
    ana, eve = room.person("Ana"), room.person("Eve")
    page = await learn(ana, ONE)
    table = await lesson_of(ana)
    forged = eve.forging(page, str(Id(intent, table.id)))
    await room.deliver(forged)
    assert forged.answer.text == "This is someone else's private match, and only they can see it."
    assert (await room.table(table.id)).live


@pytest.mark.parametrize("arg", ["", "x", "9" * 20])
async def test_forged_buttons_are_answered(room: Room, arg: str) -> None:
    ana = room.person("Ana")
    lobby = await ana.command("start")
    for intent in ("learn", "learn-anew", "learn-match"):
        for table in (0, (await room.table()).id):
            forged = ana.forging(lobby, str(Id(intent, table, arg=arg)))
            await room.deliver(forged)
            assert forged.answer.text


async def test_deleting_ones_data_removes_a_lesson(room: Room) -> None:
    ana = room.person("Ana")
    await learn(ana, ONE)
    table = await lesson_of(ana)
    await ana.delete_data()
    table = await room.table(table.id)
    assert table.status == "abandoned"
    assert table.seats[0].user_id is None
    assert await room.host.store.tables_of(ana.id) == []


async def test_export_has_a_lesson_with_its_moves(room: Room) -> None:
    ana = room.person("Ana")
    await page_after(ana, ONE, 3)
    data = json.loads(await export(FileBackend(room.settings.database_path), ana.id, room.clock.now()))
    (match,) = data["matches"]
    assert match["game"] == ONE
    assert [move["number"] for move in match["moves"]] == [1, 2, 7]


async def test_lesson_ends_by_itself_after_a_month(room: Room) -> None:
    ana = room.person("Ana")
    await learn(ana, ONE)
    table = await lesson_of(ana)
    await room.later(29 * 86_400.0)
    assert (await room.table(table.id)).live
    await room.later(86_401.0)
    assert (await room.table(table.id)).status == "abandoned"
    assert room.pages() == []
