"""The start of a match: seats and words are frozen before the start message exists, whatever happens meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from simcord.http import client
from simcord.http.client import FakeHTTPClient

from bot.store.model import Change, StoreFull
from bot.store.store import Store
from bot.tables.model import DAY, MINUTE, Table, read_body
from bot.ui.screens.fairness import SEAL
from bot.ui.screens.ids import Id
from engine.fairness import commitment, match_key
from tests.cogs.conftest import Mishaps
from tests.cogs.crashes import killed
from tests.cogs.page import Page
from tests.cogs.table_driver import Held, Nonces, Person, Room, until

POSTS = "/channels/*/messages"
CONTENT = "The match begins."
SETTLED = "lucky words are settled"


@contextmanager
def answer_held_up(room: Room) -> Iterator[Held]:
    """Discord has taken the bot's posts; its answers to them are held up until they are let go."""
    held, request = Held(), FakeHTTPClient.request

    async def wait_for_it(http: FakeHTTPClient, route: Any, **options: Any) -> Any:
        answer = await request(http, route, **options)
        if route.method == "POST" and route.url.endswith(f"/channels/{room.channel.id}/messages"):
            held.waiting += 1
            await held.gate.wait()
        return answer

    with patch.object(FakeHTTPClient, "request", wait_for_it):
        yield held
        held.gate.set()


async def with_words(room: Room) -> tuple[Page, Person, Person]:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben", agents=1)
    await (await ben.open_form(lobby, "Lucky Word")).submit(word="scarab")
    return lobby, ana, ben


def boards(room: Room) -> list[Page]:
    return [page for page in room.pages() if "More" in page.buttons or CONTENT in page.text]


def key_of(table: Table, *words: tuple[str, str]) -> bytes:
    """The key that the start message and these words alone make."""
    contributions = [("start", str(table.body.messages.board)), *words]
    assert table.body.contributions == contributions
    return match_key(bytes.fromhex(table.body.host_seed), table.contributions)


async def kept_body(room: Room) -> Any:
    """The present content of the file about the table."""
    row = await room.host.store.table(1)
    assert row is not None
    return read_body(row.body)


# -- what is settled when


async def test_seats_and_words_are_durable_before_the_start_message_is_posted(room: Room) -> None:
    lobby, ana, _ben = await with_words(room)
    promised = commitment(bytes.fromhex((await room.table()).body.host_seed))[:SEAL]
    found: list[Any] = []
    request = FakeHTTPClient.request

    async def looking(http: FakeHTTPClient, route: Any, **options: Any) -> Any:
        if route.method == "POST" and CONTENT in str(options):
            found.append((await kept_body(room), str(options)))
        return await request(http, route, **options)

    with patch.object(FakeHTTPClient, "request", looking):
        await ana.press(lobby, "Start Match")
    ((body, shown),) = found
    assert body.contributions == [("seat 3", "scarab")]
    assert body.sitters == ["person", "agent:novice", "person"]
    assert body.scheme == 2
    for part in ("Ana", "Amelia", "Ben", "scarab", promised):
        assert part in shown, f"the start message does not show {part}"


async def test_who_sees_the_start_messages_id_can_change_nothing_any_more(room: Room) -> None:
    """The attack: Discord's answer to the start message is held up, and words are tried until the deal suits."""
    lobby, ana, ben = await with_words(room)
    stranger, more = room.person("Cara"), await ben.press(lobby, "Rules & Settings")
    forms = [await ben.open_form(more, "Lucky Word") for _ in range(20)]
    hers = await ana.open_form(lobby, "Lucky Word")
    presses = [
        *[ben.submitting(form, word=f"try {n}") for n, form in enumerate(forms)],
        ana.submitting(hers, word="mine"),
        stranger.pressing(lobby, "Join"),
        ben.pressing(lobby, "Leave"),
        ben.pressing(more, "Lucky Word"),
    ]
    start = ana.pressing(lobby, "Start Match")
    with answer_held_up(room) as held:
        room.emit(start)
        await until(lambda: held.waiting > 0)
        before = await kept_body(room)
        assert [page for page in room.pages() if CONTENT in page.text], "its id can be seen"
        room.emit(*presses)
        await until(lambda: all(press.answered for press in presses[:-1]))
        body = await kept_body(room)
        assert (body.contributions, body.seats) == (before.contributions, before.seats)
    await room.env.settle()
    await room.catch_up()
    said = [repr(entry) for entry in room.env.backend.transcript]
    assert sum("too late" in text for text in said) == 21
    assert sum(SETTLED in text for text in said) >= 2
    table = await room.table()
    game = table.game
    played = game.new(3, game.load_options({}), key_of(table, ("seat 3", "scarab")))
    for move in await room.host.store.moves(table.id):  # the agent's, where it is the agent that begins
        game.apply(played, move.seat, game.load_move(json.loads(move.move)))
    assert game.dump(played) == game.dump(table.state)


async def test_a_word_stands_in_the_lobby_as_soon_as_it_is_given_and_may_be_taken_back_until_the_start(
    room: Room,
) -> None:
    lobby, ana, ben = await with_words(room)
    assert "**Ben** · 🍀 “scarab”" in lobby.text
    await (await ben.open_form(lobby, "Lucky Word")).submit(word=" ")
    assert "scarab" not in lobby.text
    await (await ben.open_form(lobby, "Lucky Word")).submit(word="*two*\nlines\u202e")
    assert "“\\*two\\* lines”" in lobby.text
    await ana.press(lobby, "Start Match")
    key_of(await room.table(), ("seat 3", "*two* lines"))


# -- a start that something interrupts


@pytest.mark.parametrize("posted", [False, True])
@pytest.mark.parametrize("down", [0, 2 * 60 * MINUTE])
async def test_a_start_that_a_crash_interrupts_goes_on_from_the_frozen_lobby(
    room: Room, mishaps: Mishaps, monkeypatch: pytest.MonkeyPatch, posted: bool, down: float
) -> None:
    mishaps.expect("could not be saved")
    lobby, ana, ben = await with_words(room)
    form = await ben.open_form(lobby, "Lucky Word")
    with killed("POST", CONTENT, taken=posted):
        await ana.press(lobby, "Start Match")
    if down:  # Discord forgets nonces after some minutes
        monkeypatch.setattr(client.router, "dispatch", Nonces().dispatch)
    room.clock.advance(down)
    await room.restart(crash=True)
    if not down:
        assert (await room.table()).starting
        assert SETTLED in (await ben.press_stale(lobby, "leave-lobby")).text
    assert "too late" in (await form.submit(word="other")).text
    await room.later(MINUTE)
    table = await room.table()
    assert table.status == "playing"
    key_of(table, ("seat 3", "scarab"))
    assert boards(room) == [await room.board()], "it was posted once"
    assert "Join" not in lobby.buttons
    assert " · 💰 $" in (await ana.hand()).text


@pytest.mark.parametrize("readable", [True, False])
async def test_a_start_after_a_crash_is_found_by_its_nonce_or_pressed_again_and_posted_once(
    room: Room, mishaps: Mishaps, readable: bool
) -> None:
    mishaps.expect("could not be saved")
    lobby, ana, _ben = await with_words(room)
    with killed("POST", CONTENT, taken=True):
        await ana.press(lobby, "Start Match")
    if not readable:
        room.forbid(read_message_history=True)
    await room.restart(crash=True)
    if readable:
        await room.deliver(ana.forging(lobby, f"ds:{(await room.table()).id}:start::"))
    else:
        await room.later(MINUTE)
    assert (await room.table()).status == "playing"
    assert boards(room) == [await room.board()]


async def test_a_disk_that_fails_between_the_freeze_and_the_match_leaves_no_message_alone(
    room: Room, mishaps: Mishaps
) -> None:
    mishaps.expect("could not be saved")
    lobby, ana, _ben = await with_words(room)
    commit, commits = Store.commit, 0

    async def once(store: Store, change: Change) -> None:
        nonlocal commits
        commits += 1
        if commits > 1:
            raise StoreFull("no room")
        await commit(store, change)

    with patch.object(Store, "commit", once):
        answer = await ana.press(lobby, "Start Match")
    assert "couldn't save" in answer.text
    await room.later(MINUTE)
    key_of(await room.table(), ("seat 3", "scarab"))
    assert boards(room) == [await room.board()]


async def test_a_double_press_on_start_starts_once_and_the_hand_takes_the_place_of_the_lobbys_page(
    room: Room,
) -> None:
    lobby, ana, _ben = await with_words(room)
    settings = await ana.press(lobby, "Rules & Settings")
    await room.deliver(ana.pressing(lobby, "Start Match"), ana.pressing(lobby, "Start Match"))
    assert (await room.table()).status == "playing"
    assert boards(room) == [await room.board()]
    assert not settings.exists


# -- Discord will not take the message


async def test_a_start_that_discord_is_busy_for_once_is_tried_again_at_once(room: Room) -> None:
    lobby, ana, _ben = await with_words(room)
    room.fail("POST", POSTS, 503)
    await ana.press(lobby, "Start Match")
    assert (await room.table()).status == "playing"


@pytest.mark.parametrize("status", [500, 503])
async def test_a_start_during_an_outage_is_told_as_that_and_goes_on_by_itself(
    room: Room, status: int
) -> None:
    lobby, ana, ben = await with_words(room)
    room.fail("POST", POSTS, status, times=None)
    answer = await ana.press(lobby, "Start Match")
    assert "as soon as Discord accepts them again" in answer.text
    assert answer.ephemeral
    assert SETTLED in lobby.text.replace("Seats and ", "")
    assert "Start Match" not in lobby.buttons
    assert SETTLED in (await room.person("Cara").press_stale(lobby, "join")).text
    await room.later(MINUTE)
    assert (await room.table()).starting
    room.heal()
    await room.later(10 * MINUTE)
    key_of(await room.table(), ("seat 3", "scarab"))
    assert boards(room) == [await room.board()]
    assert " · 💰 $" in (await ben.hand()).text


async def test_where_the_bot_may_not_post_the_lobby_is_as_it_was(room: Room) -> None:
    lobby, ana, ben = await with_words(room)
    room.fail("POST", POSTS, 403, 50013)
    answer = await ana.press(lobby, "Start Match")
    assert "I lack the permission **Send Messages**" in answer.text
    assert not (await room.table()).starting
    await (await ben.open_form(lobby, "Lucky Word")).submit(word="other")
    await ana.press(lobby, "Start Match")
    key_of(await room.table(), ("seat 3", "other"))
    assert boards(room) == [await room.board()]


async def test_a_lobby_that_is_closed_while_it_starts_leaves_no_message(room: Room) -> None:
    lobby, ana, _ben = await with_words(room)
    with answer_held_up(room) as held:
        start = ana.pressing(lobby, "Start Match")
        room.emit(start)
        await until(lambda: held.waiting > 0)
        end = ana.forging(lobby, str(Id("end-now", 1)))
        room.emit(end)
        await until(lambda: end.answered)
    await room.env.settle()
    await room.catch_up()
    assert (await room.table()).status == "abandoned"
    assert room.pages() == [lobby]
    assert "closed the lobby" in lobby.text


async def test_a_start_that_never_can_go_on_closes_with_its_lobby(room: Room) -> None:
    lobby, ana, _ben = await with_words(room)
    room.fail("POST", POSTS, 500, times=None)
    await ana.press(lobby, "Start Match")
    await room.later(DAY + MINUTE)
    assert (await room.table()).status == "abandoned"
    assert "lobby has closed" in lobby.text


async def test_who_has_their_data_deleted_while_it_starts_leaves_the_seat_to_an_agent(
    room: Room, mishaps: Mishaps
) -> None:
    mishaps.expect("could not be saved")
    lobby, ana, ben = await with_words(room)
    with killed("POST", CONTENT, taken=False):
        await ana.press(lobby, "Start Match")
    await room.restart(crash=True)
    await ben.delete_data()
    await room.later(MINUTE)
    table = await room.table()
    key_of(table, ("seat 3", "scarab"))
    assert table.seats[2].user_id is None
    assert str(ben.id) not in (await room.host.store.table(1)).body  # type: ignore[union-attr]
    assert all("Ben" not in page.text for page in room.pages())


async def test_an_agent_plays_alone_where_the_only_person_is_gone_and_the_match_pauses(
    room: Room, mishaps: Mishaps
) -> None:
    mishaps.expect("could not be saved")
    ana = room.person("Ana")
    lobby = await ana.command("start", agents=1)
    with killed("POST", CONTENT, taken=False):
        await ana.press(lobby, "Start Match")
    await room.restart(crash=True)
    await ana.delete_data()
    await room.later(MINUTE)
    assert (await room.table()).status == "paused"


async def test_fairness_tells_during_the_match_what_is_sealed_and_not_the_seed(room: Room) -> None:
    lobby, ana, _ben = await with_words(room)
    start: list[Page] = []
    with answer_held_up(room) as held:
        room.emit(ana.pressing(lobby, "Start Match"))
        await until(lambda: held.waiting > 0)
        start += boards(room)
        assert "Fairness" in start[0].buttons
        custom_id = start[0].buttons["Fairness"]
    await room.env.settle()
    await room.catch_up()
    press = ana.forging(start[0], custom_id)
    await room.deliver(press)
    table = await room.table()
    assert commitment(bytes.fromhex(table.body.host_seed)) in press.answer.text
    assert table.body.host_seed not in press.answer.text
    assert "scarab" in press.answer.text
    assert not press.answer.files


async def test_fairness_of_a_match_that_was_ended_early_has_the_seed_and_what_was_played(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", agents=1)
    await ana.press(await ana.command("leave"), "Leave Now")
    manager = room.person("Max", manages=True)
    await manager.press(await manager.command("end"), "End the Match")
    board = await room.board()
    fairness = await ana.press(board, "Fairness")
    table = await room.table()
    assert table.body.host_seed not in board.text
    assert table.body.host_seed in fairness.text
    ((_name, data),) = fairness.files.items()
    record = json.loads(data)
    assert record["end"] is None
    assert record["seats"] == ["person", "person", "agent:novice"], "who sat there at the start"
