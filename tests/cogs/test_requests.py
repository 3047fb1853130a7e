"""Requests that count towards Discord's limit are scarce: live play makes none, a match by mail few.

Discord counts no request that is made through the token of an interaction. A token dies after a quarter of an hour.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import pytest

from bot.ratelimit.limiter import RateLimiter
from bot.ui.router import TOKEN_LIVES
from tests.cogs import some_game
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room

HOUR = 3600
FREE = ("/interactions/", "/webhooks/")
UNKNOWN_WEBHOOK = 404, 10015


class Requests:
    """The requests made since a moment."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._before = len(room.env.http_requests)

    @property
    def counted(self) -> list[str]:
        """Those that count, as their methods; a message in its channel is the only thing that they are made for."""
        made = self._room.env.http_requests[self._before :]
        return sorted(each.method for each in made if not any(part in each.path for part in FREE))

    @property
    def through_tokens(self) -> list[str]:
        """Edits, posts and deletions through tokens, as their methods."""
        made = self._room.env.http_requests[self._before :]
        return sorted(each.method for each in made if "/webhooks/" in each.path)


async def crowded(room: Room, monkeypatch: pytest.MonkeyPatch) -> tuple[Person, Person, Page, Page]:
    """Ana, Ben, Ana's hand, and the board, whose edits lie half a minute apart: the bot is as busy as it may be."""
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    hers, board = await ana.hand(), await room.board()
    await room.later(HOUR)
    monkeypatch.setattr(RateLimiter, "load", 1.0)
    monkeypatch.setattr(room.settings, "board_lag", 30.0)
    return ana, ben, hers, board


@contextmanager
def requests_of(room: Room) -> Iterator[Requests]:
    yield Requests(room)


async def two_at_a_table(room: Room) -> tuple[Person, Person]:
    """Ana and Ben, who both opened their hand on the table message, and it is Ana's turn."""
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning())
    for person in (ana, ben):
        await person.press(await room.board(), "Hand")
    return ana, ben


async def own(room: Room, person: Person) -> Page:
    """The private screen that somebody has open."""
    kept = room.env.backend.messages[room.channel.id]
    numbers = [
        number for number in sorted(kept) if kept[number].is_ephemeral and kept[number].visible_to(person.id)
    ]
    return Page(room.env, room.channel.id, numbers[-1])


async def test_whole_turns_on_open_screens_make_no_request_that_counts(room: Room) -> None:
    ana, ben = await two_at_a_table(room)
    with requests_of(room) as made:
        for person in (ana, ben, ana):
            await person.press(await own(room, person), "Dig")
            await person.press(await own(room, person), "End Turn")
    assert made.counted == []
    assert "It is **Ben**'s turn" in (await room.board()).text, "the board has followed"
    assert not room.announcements(), "all of them plainly are there"


async def test_whole_turns_on_open_screens_read_nothing_of_the_match(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = await two_at_a_table(room)
    asked: list[str] = []

    def noting(name: str) -> Callable[..., Awaitable[object]]:
        read = getattr(room.host.store, name)

        def noted(*values: object, **named: object) -> Awaitable[object]:
            asked.append(name)
            return read(*values, **named)

        return noted

    for person in (ana, ben):  # after the first turn nobody is new to the game any more
        await person.press(await own(room, person), "Dig")
        await person.press(await own(room, person), "End Turn")
    for name in ("table", "live_table", "latest_table", "log", "moves", "seat_of", "has_played"):
        monkeypatch.setattr(room.host.store, name, noting(name))
    for person in (ana, ben, ana):
        page = await person.press(await own(room, person), "Dig")
        assert "You dig" in page.text
        await person.press(page, "End Turn")
    assert asked == []


async def test_presses_on_the_table_message_are_answered_with_it_and_count_nothing(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning())
    await room.later(TOKEN_LIVES)
    board = await room.board()
    with requests_of(room) as made:
        for person in (ana, ben, ana):
            page = await person.press(board, "Dig")
            assert page.ephemeral
            assert "Dig" not in board.buttons
            await person.press(page, "End Turn")
    assert made.counted == ["DELETE"], "Ana's first call, whose token was dead"
    assert "It is **Ben**'s turn" in board.text


async def test_the_call_carries_the_turn_and_goes_by_the_press_on_it(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning())
    await room.later(HOUR)
    (call,) = room.announcements()
    assert {"Dig", "Hand"} <= set(call.buttons)
    assert "Market" in call.text
    with requests_of(room) as made:
        page = await ana.press(call, "Dig")
        assert "Dig" not in call.buttons
        await ana.press(page, "End Turn")
    assert not call.exists
    assert made.counted == ["PATCH", "PATCH"], "the table message alone has no token"
    (call,) = room.announcements()
    assert ben.mention in call.text
    assert call.kept.ping_user_ids == [ben.id]


async def test_a_turn_by_mail_from_ones_own_screen(room: Room) -> None:
    ana, ben = await two_at_a_table(room)
    hers = await own(room, ana)
    await room.later(HOUR)
    with requests_of(room) as made:
        await ana.press(hers, "Dig")
        await room.later(HOUR)
        await ana.press(hers, "End Turn")
    assert made.counted == ["DELETE", "PATCH", "PATCH"], "two moves: the board twice, the old call"
    assert ben.mention in room.announcements()[0].text


async def test_a_call_that_nobody_presses_is_taken_away_by_the_token_that_posted_it(room: Room) -> None:
    ana, ben = await two_at_a_table(room)
    await room.minds_wander()
    (call,) = room.announcements()
    assert ana.mention in call.text
    with requests_of(room) as made:
        await ana.press(await own(room, ana), "Dig")
        await ana.press(await own(room, ana), "End Turn")
    assert not call.exists
    assert made.counted == []
    assert ben.mention in room.announcements()[0].text, "Ben has done nothing for a minute"


async def test_who_plainly_is_there_is_called_only_if_they_do_nothing_for_a_minute(room: Room) -> None:
    ana, ben = await two_at_a_table(room)
    await ana.press(await own(room, ana), "Dig")
    await ana.press(await own(room, ana), "End Turn")
    assert not room.announcements()
    await room.later(30)
    assert not room.announcements()
    with requests_of(room) as made:
        await room.later(31)
    (call,) = room.announcements()
    assert call.kept.ping_user_ids == [ben.id]
    assert made.counted == []


async def test_who_has_no_screen_open_that_shows_their_turn_is_called_at_once(room: Room) -> None:
    ana, ben = await two_at_a_table(room)
    room.fail("PATCH", "/webhooks/*/messages/*", 404, 10008, times=None)
    await ana.press(await own(room, ana), "Dig")
    await ana.press(await own(room, ana), "End Turn")
    assert room.announcements()[0].kept.ping_user_ids == [ben.id]


async def test_after_a_restart_everybody_is_called_whom_the_match_waits_for(room: Room) -> None:
    ana, ben = await two_at_a_table(room)
    await ana.press(await own(room, ana), "Dig")
    await ana.press(await own(room, ana), "End Turn")
    assert not room.announcements()
    await room.restart(crash=True)
    await room.minds_wander()
    assert room.announcements()[0].kept.ping_user_ids == [ben.id]


async def test_what_changes_nothing_is_not_sent(room: Room) -> None:
    _ana, ben = await two_at_a_table(room)
    board, before = await room.board(), (await room.board()).text
    with requests_of(room) as made:
        for label in ("Log", "More", "Log"):
            await ben.press(board, label)
    assert made.counted == []
    assert made.through_tokens.count("POST") == 3, "each answer"
    assert set(made.through_tokens) == {"POST", "DELETE"}, "and the page before is gone"
    assert board.text == before


# -- where no token does


async def test_calls_in_a_channel_that_the_bot_may_not_read_count(room: Room) -> None:
    """A call then needs a nonce, by which it is found after a crash, and Discord takes none through a token."""
    room.forbid(read_message_history=True)
    ana, ben = await two_at_a_table(room)
    page = await ana.press(await own(room, ana), "Dig")
    await room.minds_wander()
    with requests_of(room) as made:
        await ana.press(page, "End Turn")
        await room.minds_wander()
    assert ben.mention in room.announcements()[0].text
    assert made.counted == ["DELETE", "POST"], "the old call and the new one"


@pytest.mark.parametrize("method", ["PATCH", "POST", "DELETE"])
async def test_what_a_token_is_refused_for_is_done_in_the_ordinary_way(room: Room, method: str) -> None:
    ana, ben = await two_at_a_table(room)
    await room.minds_wander()
    page = await ana.press(await own(room, ana), "Dig")
    room.fail(method, "/webhooks/*", *UNKNOWN_WEBHOOK, times=None)
    await ana.press(page, "End Turn")
    await room.minds_wander()
    assert "It is **Ben**'s turn" in (await room.board()).text
    (call,) = room.announcements()
    assert ben.mention in call.text


async def test_a_call_that_may_have_been_posted_is_looked_for_and_not_posted_twice(room: Room) -> None:
    ana, ben = await two_at_a_table(room)
    await room.minds_wander()
    page = await ana.press(await own(room, ana), "Dig")
    with room.answers_lost("POST", "/webhooks/", ben.mention):
        await room.deliver(ana.pressing(page, "End Turn"))
    posted = room.announcements()
    await room.later(60)
    assert room.announcements() == posted
    assert (await room.table()).body.messages.announcement == posted[0].id


async def test_a_board_that_no_token_edits_lags_while_the_bot_is_busy(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ben, hers, board = await crowded(room, monkeypatch)
    with requests_of(room) as made:
        await some_game.move(ana, hers)
        assert "$2" in board.text, "what changes after a quiet time is drawn at once"
        await room.deliver(some_game.moving(ana, hers))
        await ana.press(hers, "Undo")
        await room.deliver(some_game.moving(ana, hers))
        assert made.counted.count("PATCH") == 1
        await room.later(31)
    assert made.counted.count("PATCH") == 2, "all that changed meanwhile becomes one edit"
    assert "$4" in board.text


async def test_a_name_that_is_to_go_goes_at_once_however_busy_the_bot_is(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben, hers, board = await crowded(room, monkeypatch)
    await some_game.move(ana, hers)
    assert "Ben" in board.text
    now = room.clock.now()
    await ben.delete_data()
    assert room.clock.now() == now, "no time has passed"
    assert [page.text for page in room.pages() if "Ben" in page.text or str(ben.id) in page.text] == []
    await some_game.move(ana, hers)
    assert "$4" not in board.text, "what comes after that lags again"


async def test_a_press_on_a_board_that_lags_brings_it_up_to_date(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben, hers, board = await crowded(room, monkeypatch)
    await some_game.move(ana, hers)
    await room.deliver(some_game.moving(ana, hers))
    assert "$4" not in board.text
    await ben.press(board, "Log")
    assert "$4" in board.text


# -- stale calls, and secrets


async def test_an_old_call_answers_what_holds_now(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning())
    (call,) = room.announcements()
    stale = ana.pressing(call, "Dig")
    page = await ana.press(await room.board(), "Dig")
    await ana.press(page, "End Turn")
    await room.deliver(stale)
    assert " · 💰 $" in stale.answer.text
    assert "Ben" in stale.answer.text, "it says whose turn it is"
    assert (await room.table()).sequence == 2
    (new,) = room.announcements()
    refused = ana.pressing(new, "Dig")
    await room.deliver(refused)
    assert refused.answer.ephemeral
    assert (await room.table()).sequence == 2
    assert ben.mention in new.text


async def test_a_private_screen_opens_with_whose_turn_it_is(room: Room) -> None:
    ana, ben = await two_at_a_table(room)
    for person, line in ((ana, "▶️ **Your turn**"), (ben, "⏳ It is **Ana**'s turn to dig.")):
        above, hand, _below = (await own(room, person)).text.partition(" card · 💰")
        assert hand
        assert line in above


async def test_no_token_is_shown_anywhere(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    ana, _ben = await two_at_a_table(room)
    room.fail("PATCH", "/webhooks/*", *UNKNOWN_WEBHOOK, times=None)
    await ana.press(await own(room, ana), "Dig")
    states = [state for _table, state in room.host.presenter.states]
    kept = [state.token for state in states]
    assert any(kept)
    secrets = [record.token for record in room.env.backend.interactions.values()]
    shown = [repr(kept), repr(states), caplog.text]
    assert not [secret for secret in secrets if any(secret in text for text in shown)]
