"""Tokens are used while they live, for what they can do, and are forgotten; the load decides how long boards lag."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.clock import ManualClock
from bot.ratelimit.limiter import LIMITER, Pace, Urgency
from bot.ui import tokens as module
from bot.ui.tokens import TOKEN_LIVES, Token, Tokens

TABLE, BOARD, CALL = 1, 100, 200


def a_token(clock: ManualClock, original: int | None = BOARD) -> Token:
    interaction = cast("Any", SimpleNamespace(id=7, token="a secret"))
    return Token(interaction, original, clock.now() + TOKEN_LIVES)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(1_000.0)


@pytest.fixture
def tokens(clock: ManualClock) -> Tokens:
    return Tokens(clock)


def test_the_newest_token_edits_the_pressed_message_and_posts_in_the_channel(
    tokens: Tokens, clock: ManualClock
) -> None:
    first, second = a_token(clock), a_token(clock)
    tokens.gained(TABLE, first, public=True)
    tokens.gained(TABLE, second, public=True)
    assert tokens.of_message(BOARD) is second
    assert tokens.of_table(TABLE) is second


def test_a_press_on_a_private_screen_lends_no_edit_of_a_public_message(
    tokens: Tokens, clock: ManualClock
) -> None:
    tokens.gained(TABLE, a_token(clock), public=False)
    assert tokens.of_message(BOARD) is None
    assert tokens.of_table(TABLE) is not None


def test_what_was_posted_through_a_token_belongs_to_it(tokens: Tokens, clock: ManualClock) -> None:
    token = a_token(clock)
    tokens.posted(CALL, token)
    assert tokens.of_message(CALL) is token


def test_a_dead_token_is_not_used_and_is_swept_away(tokens: Tokens, clock: ManualClock) -> None:
    tokens.gained(TABLE, a_token(clock), public=True)
    clock.advance(TOKEN_LIVES)
    assert tokens.of_message(BOARD) is None
    assert tokens.of_table(TABLE) is None
    tokens.sweep()
    assert tokens._of_message == tokens._of_table == {}


def test_a_token_that_was_refused_is_used_for_nothing_any_more(tokens: Tokens, clock: ManualClock) -> None:
    token = a_token(clock)
    tokens.gained(TABLE, token, public=True)
    tokens.posted(CALL, token)
    tokens.lost(token)
    assert tokens.of_message(BOARD) is tokens.of_message(CALL) is tokens.of_table(TABLE) is None


def test_a_table_that_is_over_leaves_no_token_behind(tokens: Tokens, clock: ManualClock) -> None:
    token = a_token(clock)
    tokens.gained(TABLE, token, public=True)
    tokens.posted(CALL, token)
    tokens.forget(TABLE, [BOARD, CALL])
    assert tokens._of_message == tokens._of_table == {}


def test_a_token_does_not_show_its_secret(clock: ManualClock) -> None:
    assert "secret" not in repr(a_token(clock))
    assert not hasattr(a_token(clock), "__dict__")


async def test_messages_wait_for_an_answer_that_is_on_its_way_but_not_for_ever(
    tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not tokens.awaited(TABLE)
    with tokens.answering(TABLE):
        assert tokens.awaited(TABLE)
        assert not tokens.awaited(TABLE + 1)
        monkeypatch.setattr(module, "AWAITED", 0.0)
        assert not tokens.awaited(TABLE)
    assert tokens._answering == {}


async def test_the_load_grows_with_the_slots_that_are_used_and_fades(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    now = loop.time()
    monkeypatch.setattr(loop, "time", lambda: now)
    pace = Pace(10)
    assert pace.load == 0
    for _ in range(20 * int(LIMITER.load_fades)):
        now += 0.1
        pace.ask((0, 0), lambda: None, Urgency.DUE)
    assert pace.load == pytest.approx(1.0, abs=0.15)
    used = pace.load
    now += LIMITER.load_fades
    assert pace.load == pytest.approx(used / 2.718, rel=0.01)
    pace.give_back((0, 0), 1_000)
    assert pace.load == 0
