"""Where all decide at once: whom the channel calls, what stands on whose screen, and what a restart leaves of it."""

from __future__ import annotations

import pytest

from bot.tables.model import DAY, HOUR
from tests.cogs.page import Page
from tests.cogs.sealed_screens import SealedScreens
from tests.cogs.table_driver import Person, Room, add_game
from tests.sealed import ROUNDS, Sealed


@pytest.fixture(autouse=True)
def sealed_bids(monkeypatch: pytest.MonkeyPatch) -> None:
    add_game(monkeypatch, Sealed(), SealedScreens)


@pytest.fixture
def room(room: Room) -> Room:
    room.game = Sealed.key
    return room


async def bid(person: Person, page: Page | None = None) -> Page:
    """Bids the first number of the hand."""
    page = page or await person.hand()
    await person.choose(page, "Choose", next(iter(page.menu("Choose").options)))
    return await person.press(page, "Seal")


def called(room: Room) -> set[int]:
    """The people whom the present messages of the channel have mentioned."""
    return {number for page in room.announcements() for number in page.kept.ping_user_ids}


async def test_the_board_says_of_each_who_is_asked_and_who_has_answered(room: Room) -> None:
    ana, ben, cara = await room.match_of("Ana", "Ben", "Cara")
    board = await room.board()
    assert board.text.count("is to bid.") == 3
    assert board.text.count("Time runs out") == 1, "all have as much time"
    await bid(ben)
    assert "**Ben** is to bid" not in board.text
    assert board.text.count("is to bid.") == 2
    assert "**Ben** · 0 points · sealed" in board.text
    assert "Bid" in room.announcements()[0].buttons
    assert "Hand" in board.buttons, "which does the same there"
    await bid(ana)
    await bid(cara)
    assert "Round 2" in board.text
    assert board.text.count("is to bid.") == 3


async def test_a_bid_stands_on_nobody_elses_screen_until_all_are_opened(room: Room) -> None:
    ana, ben, _cara = await room.match_of("Ana", "Ben", "Cara")
    his = await ben.hand()
    hers = await bid(ana)
    assert "Your bid" in hers.text
    assert "'number'" in hers.text
    board = await room.board()
    for text in (his.text, board.text, (await ben.press(board, "Log")).text):
        assert "bid **Ana** {}" in text
        assert "'number'" not in text


async def test_the_selection_stays_when_somebody_else_answers(room: Room) -> None:
    ana, ben, cara = await room.match_of("Ana", "Ben", "Cara")
    his = await ben.hand()
    choice = next(iter(his.menu("Choose").options))
    await ben.choose(his, "Choose", choice)
    await bid(ana)
    assert "bid **Ana**" in his.text, "the screen has followed"
    assert his.menu("Choose").chosen == (choice,)
    assert "Your bid" in (await ben.press(his, "Seal")).text
    await bid(cara)
    assert his.menu("Choose").chosen == ()
    assert "Seal" in his.greyed


async def test_all_press_at_the_same_moment(room: Room) -> None:
    people = await room.match_of("Ana", "Ben", "Cara", "Dan")
    presses = []
    for person in people:
        page = await person.hand()
        await person.choose(page, "Choose", next(iter(page.menu("Choose").options)))
        presses.append(person.pressing(page, "Seal"))
    await room.deliver(*presses)
    assert (await room.table()).sequence == 4
    assert "Round 2" in (await room.board()).text


async def test_a_match_is_played_though_the_bot_restarts_after_every_answer(room: Room) -> None:
    people = await room.match_of("Ana", "Ben", "Cara", agents=1)
    pages = {person.id: await person.hand() for person in people}
    for number in range(ROUNDS):
        for person in people[number % 3 :] + people[: number % 3]:
            page = pages[person.id]
            if not page.offers("Choose"):  # it shows what its owner answered in the round before
                page = pages[person.id] = await person.press(await room.board(), "Hand")
            assert await bid(person, page) == page, "the screen that is open is the one that changes"
            await room.restart(crash=True)
    assert (await room.table()).status == "over"
    assert "🏆" in (await room.result()).text


async def test_an_agent_plays_for_who_lets_the_limit_pass_and_nobody_else(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", turn_limit="1h")
    await bid(ana)
    await room.later(HOUR + 1)
    board = await room.board()
    assert "Round 2" in board.text
    assert "**Ben** ran out of time" in (await ana.press(board, "Log")).text
    assert "**Ana** is to bid" in board.text


async def test_all_who_are_asked_are_called(room: Room) -> None:
    ana, ben, cara = await room.match_of("Ana", "Ben", "Cara")
    assert called(room) == {ana.id, ben.id, cara.id}
    await bid(ben)
    assert {person.id for person in (ana, cara) if person.mention in _calls(room)} == {ana.id, cara.id}
    assert ben.mention not in _calls(room)


async def test_a_new_round_calls_all_again(room: Room) -> None:
    people = await room.match_of("Ana", "Ben", "Cara")
    first = room.announcements()
    for person in reversed(people):
        await bid(person)
    await room.minds_wander()
    assert called(room) == {person.id for person in people}
    assert not [page for page in room.announcements() if page in first], "an edit rings nobody"


async def test_a_call_names_all_who_are_asked_and_mentions_those_who_are_not_playing(room: Room) -> None:
    ana, ben, cara = await room.match_of("Ana", "Ben", "Cara")
    await bid(ana)
    await room.minds_wander()
    await bid(ben)
    await bid(cara)
    assert called(room) == {ana.id}
    assert f"{ana.mention}, **Ben**, **Cara**, " in _calls(room)
    await bid(ben)
    assert f"{ana.mention}, **Cara**, " in _calls(room)


async def test_whoever_has_not_answered_is_reminded(room: Room) -> None:
    _ana, ben, cara = await room.match_of("Ana", "Ben", "Cara")
    await bid(cara)
    await room.later(0.76 * DAY)
    assert ben.mention in _calls(room)
    assert "⏰" in _calls(room)


def _calls(room: Room) -> str:
    return "\n".join(page.text for page in room.announcements())


async def test_a_press_on_an_own_screen_that_has_been_answered_brings_it_up_to_date(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    page = await ana.hand()
    await ana.choose(page, "Choose", next(iter(page.menu("Choose").options)))
    twice = ana.pressing(page, "Seal"), ana.pressing(page, "Seal")
    await room.deliver(*twice)
    assert (await room.table()).sequence == 1
    assert twice[1].answer == page, "no second message"
    assert "Your bid" in page.text
