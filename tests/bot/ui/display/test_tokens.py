"""Tokens are used while they live, for what they can do, and are forgotten; the load decides how long boards lag."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.ratelimit.limiter import LOAD_FADES, RateLimiter, Urgency
from bot.ui.display.state import DisplayState, DisplayStates
from bot.ui.router import TOKEN_LIVES
from bot.ui.table_display import Tokens
from bot.ui.tokens import Token
from bot.ui.uploads import Uploads
from tests.manual_clock import ManualClock

TABLE, BOARD, CALL = 1, 100, 200


def a_token(clock: ManualClock, original: int | None = BOARD) -> Token:
    interaction = cast("Any", SimpleNamespace(id=7, token="a secret"))
    uploads = Uploads(clock, lambda _reason: None)
    return Token(interaction, original, clock.now() + TOKEN_LIVES, uploads)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(1_000.0)


@pytest.fixture
def states() -> DisplayStates:
    return DisplayStates()


@pytest.fixture
def tokens(states: DisplayStates) -> Tokens:
    return Tokens(states, wait=1.0)


@pytest.fixture
def table(states: DisplayStates) -> DisplayState:
    return states.of(TABLE)


def test_the_newest_token_edits_the_pressed_message_and_posts_in_the_channel(
    tokens: Tokens, table: DisplayState, clock: ManualClock
) -> None:
    first, second = a_token(clock), a_token(clock)
    tokens.gained(TABLE, first, public=True)
    tokens.gained(TABLE, second, public=True)
    assert table.token_of(BOARD, clock.now()) is second
    assert table.posting_token(clock.now()) is second


def test_a_press_on_a_private_screen_lends_no_edit_of_a_public_message(
    tokens: Tokens, table: DisplayState, clock: ManualClock
) -> None:
    tokens.gained(TABLE, a_token(clock), public=False)
    assert table.token_of(BOARD, clock.now()) is None
    assert table.posting_token(clock.now()) is not None


def test_the_press_that_opened_a_table_edits_its_lobby(
    tokens: Tokens, table: DisplayState, clock: ManualClock
) -> None:
    token = a_token(clock, original=None)
    tokens.opened(TABLE, BOARD, token)
    assert table.token_of(BOARD, clock.now()) is table.posting_token(clock.now()) is token


def test_a_dead_token_is_not_used_and_its_table_is_swept_away(
    tokens: Tokens, states: DisplayStates, clock: ManualClock
) -> None:
    tokens.gained(TABLE, a_token(clock), public=True)
    clock.advance(TOKEN_LIVES)
    assert states.of(TABLE).token_of(BOARD, clock.now()) is None
    assert states.of(TABLE).posting_token(clock.now()) is None
    states.sweep(clock.now())
    assert [*states] == []


def test_a_token_that_was_refused_is_used_for_nothing(
    tokens: Tokens, table: DisplayState, clock: ManualClock
) -> None:
    token = a_token(clock)
    tokens.gained(TABLE, token, public=True)
    table.message(CALL).token = token
    table.lose(token)
    now = clock.now()
    assert table.token_of(BOARD, now) is table.token_of(CALL, now) is table.posting_token(now) is None


def test_a_token_does_not_show_its_secret(clock: ManualClock) -> None:
    assert "secret" not in repr(a_token(clock))
    assert not hasattr(a_token(clock), "__dict__")


async def test_messages_wait_for_an_answer_that_is_on_its_way_but_not_for_ever(
    tokens: Tokens, states: DisplayStates
) -> None:
    impatient = Tokens(states, wait=0.0)
    assert not tokens.awaited(TABLE)
    with tokens.answering(TABLE):
        assert tokens.awaited(TABLE)
        assert not tokens.awaited(TABLE + 1)
    assert not tokens.awaited(TABLE)
    with impatient.answering(TABLE):
        assert not impatient.awaited(TABLE)


async def test_the_load_grows_with_the_slots_that_are_used_and_fades(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    now = loop.time()
    monkeypatch.setattr(loop, "time", lambda: now)
    limiter = RateLimiter(10)
    assert limiter.load == 0
    for _ in range(20 * int(LOAD_FADES)):
        now += 0.1
        limiter.ask((0, 0), lambda: None, Urgency.DUE)
    assert limiter.load == pytest.approx(1.0, abs=0.15)
    used = limiter.load
    now += LOAD_FADES
    assert limiter.load == pytest.approx(used / 2.718, rel=0.01)
    limiter.release((0, 0), 1_000)
    assert limiter.load == 0
