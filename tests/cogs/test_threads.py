"""Tables in threads of their own: beside a match in the channel, or because the server wants a thread for each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from simcord.builders import ChannelHandle
from simcord.enums import InteractionType
from simcord.http import client

from bot.observability.context import current_operation
from bot.people.server_setup.screens import SET_ANNOUNCED_IN
from bot.ratelimit.limiter import RateLimiter
from bot.store.model import Change, StoreError, TableRow
from bot.store.store import Store
from bot.tables.model import Table
from bot.ui.screens import threads as screens
from bot.ui.sender import Sender
from tests.cogs import some_game
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Delivery, Person, Room, switch, until
from tests.cogs.test_server_setup import pick

THREAD_EXISTS = 160004
STARTS = "/channels/*/messages/*/threads"


def threads(room: Room) -> list[int]:
    """The ids of the server's threads, oldest first."""
    return sorted(channel.id for channel in room.env.backend.channels.values() if channel.is_thread)


def pages_in(room: Room, channel: int) -> list[Page]:
    """The messages in a channel that everybody sees, oldest first."""
    kept = room.env.backend.messages.get(channel, {})
    return [Page(room.env, channel, number) for number in sorted(kept) if not kept[number].is_ephemeral]


def archived(room: Room, thread: int) -> bool:
    metadata = room.env.backend.get_channel(thread).thread_metadata
    assert metadata is not None
    return metadata.archived


def enter(room: Room, thread: int) -> None:
    """Makes the thread the room's channel from now on."""
    room.channel = ChannelHandle(room.env, room.guild, room.env.backend.get_channel(thread))


async def table_in(room: Room, channel: int) -> Table:
    row = await room.host.store.latest_table(channel)
    assert row is not None
    return await room.host.tables.get(row.id)


async def busy(room: Room) -> Person:
    """Has a match in the room's channel; returns somebody else."""
    await room.match_of("Cara", "Dora")
    return room.person("Ana")


async def opened(room: Room, person: Person, offer: Page) -> tuple[Table, int]:
    """Presses the button of an offer; returns the new table and its thread."""
    answer = await person.press(offer, "Open in a Thread")
    thread = threads(room)[-1]
    assert answer.ephemeral
    assert f"<#{thread}>" in answer.text
    return await table_in(room, thread), thread


async def test_a_table_opens_in_a_thread_of_a_channel_with_a_match(room: Room) -> None:
    ana = await busy(room)
    offer = await ana.command("start", turn_limit="1h", agents=1, agent_level="master")
    assert offer.ephemeral
    assert "already a match here" in offer.text
    assert message_faults(offer.kept.components) == []
    assert threads(room) == [], "nothing is opened unasked"
    table, thread = await opened(room, ana, offer)
    (lobby,) = pages_in(room, thread)
    assert "Join" in lobby.buttons
    assert (table.body.limit, [seat.agent for seat in table.seats]) == (3600, [None, "master"])
    assert (table.body.host_id, table.body.messages.lobby) == (ana.id, lobby.id)
    title = room.host.screens[room.game].title()
    assert room.env.backend.get_channel(thread).name == f"{title} · Ana"
    (starter,) = [page for page in room.pages() if page.id == thread]
    assert f"**{title}** is played in this thread. The host is **Ana**." in starter.text
    assert starter.kept.ping_user_ids == []
    assert message_faults(starter.kept.components) == []
    ben = room.person("Ben")
    enter(room, thread)
    await ben.press(lobby, "Join")
    await ana.press(lobby, "Start Match")
    assert (await table_in(room, thread)).status == "playing"


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("artifact", {"scenario": 1, "challenges": 1}),
        ("expedition", {"monument": 2}),
        ("expedition", {}),
        ("artifacts-inc", {}),
    ],
)
async def test_the_table_in_the_thread_has_the_chosen_settings(
    room: Room, game: str, options: dict[str, int]
) -> None:
    ana = await busy(room)
    room.game = game
    settings = room.host.screens[game].settings()
    chosen = {name: [*settings[name].choices][place] for name, place in options.items()}
    table, _thread = await opened(room, ana, await ana.command("start", **chosen))
    assert {name: table.body.options[name] for name in chosen} == chosen
    assert table.game.key == game


@pytest.fixture
async def offered(room: Room, monkeypatch: pytest.MonkeyPatch) -> tuple[Delivery, Delivery]:
    """Two presses of one offer of a thread."""
    monkeypatch.setattr(RateLimiter, "load", 0.0)  # it is not made for simcord's time, which goes back here
    ana = await busy(room)
    offer = await ana.command("start")
    return ana.pressing(offer, "Open in a Thread"), ana.pressing(offer, "Open in a Thread")


async def one_is_open(room: Room, *presses: Delivery) -> None:
    """One thread was opened, and these presses lead to it."""
    (thread,) = threads(room)
    assert len(await room.host.store.live_tables()) == 2
    for press in presses:
        assert f"<#{thread}>" in press.answer.text
        assert str(thread) in press.answer.links["Go to the Table"]


async def test_a_press_that_is_delivered_twice_opens_one_thread(
    room: Room, offered: tuple[Delivery, Delivery]
) -> None:
    await room.deliver(offered[0], offered[0])
    await one_is_open(room)


@pytest.mark.parametrize("at_once", [True, False])
async def test_an_offer_that_is_pressed_twice_opens_one_table(
    room: Room, offered: tuple[Delivery, Delivery], at_once: bool
) -> None:
    for presses in [offered] if at_once else [offered[:1], offered[1:]]:
        await room.deliver(*presses)
    await one_is_open(room, *offered)


@pytest.mark.parametrize("late", ["create", "live_table"])
async def test_a_press_of_an_offer_that_was_overtaken_by_another_opens_no_second_table(
    room: Room, offered: tuple[Delivery, Delivery], monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    """The second press finds no table of the offer, and the first has opened its thread before the second goes on."""
    (first, second), on_time = offered, getattr(Store, late)

    async def overtaken(store: Store, *given: Any, **options: Any) -> Any:
        operation = current_operation()
        if operation is not None and operation.press == second.record.id:
            await until(lambda: first.answered)
        return await on_time(store, *given, **options)

    monkeypatch.setattr(Store, late, overtaken)
    await room.deliver(first, second)
    await one_is_open(room, first, second)


async def test_an_offer_whose_thread_was_refused_is_made_anew(room: Room) -> None:
    ana = await busy(room)
    offer = await ana.command("start")
    room.fail("POST", STARTS, 400, 160006)
    await ana.press(offer, "Open in a Thread")
    anew = await ana.press(offer, "Open in a Thread")
    assert anew.buttons.keys() == offer.buttons.keys()
    _table, thread = await opened(room, ana, anew)
    assert threads(room) == [thread]


def forget_nonces() -> None:
    """Discord forgets nonces after some minutes."""
    client.router.dispatch.__self__._sent.clear()  # type: ignore[attr-defined]


async def test_a_press_that_is_repeated_before_its_thread_is_open_opens_no_other(room: Room) -> None:
    ana = await busy(room)
    press = ana.pressing(await ana.command("start"), "Open in a Thread")
    room.fail("POST", STARTS, 500, times=None)
    await room.deliver(press)
    again = press.now()
    again.payload["id"], again.record = press.payload["id"], press.record
    await room.deliver(again)
    room.heal()
    await room.later(60)
    assert len(threads(room)) == 1
    assert len(await room.host.store.live_tables()) == 2


@contextmanager
def answers_lost(method: str, ending: str, part: str) -> Iterator[list[str]]:
    """Discord does what such requests with this in their body ask for, but the bot never hears of it.

    Gives the paths of these requests.
    """
    paths, dispatch = list[str](), client.router.dispatch

    def lost(backend: Any, kind: str, path: str, **options: Any) -> Any:
        done = dispatch(backend, kind, path, **options)
        if kind == method and path.endswith(ending) and part in str(options.get("json")):
            paths.append(path)
            raise OSError("the answer got lost")
        return done

    with patch.object(client.router, "dispatch", lost):
        yield paths


@pytest.mark.parametrize(("lost", "part"), [("/messages", "in this thread"), ("/threads", " · Ana")])
async def test_a_killed_process_leaves_one_table_which_opens_in_the_thread_that_is_found(
    room: Room, lost: str, part: str
) -> None:
    """Discord has posted the message or opened the thread, and the process dies before it knows."""
    ana = await busy(room)
    offer = await ana.command("start")
    with answers_lost("POST", lost, part) as paths:
        await ana.press(offer, "Open in a Thread")
        await room.restart(crash=True)
    assert paths
    if lost == "/threads":
        room.fail("POST", STARTS, 400, THREAD_EXISTS)
    await room.later(60)
    (thread,) = threads(room)
    table = await table_in(room, thread)
    assert table.status == "lobby"
    assert [page.id for page in pages_in(room, thread)] == [table.body.messages.lobby]
    assert len([page for page in room.pages() if "in this thread" in page.text]) == 1
    assert len(await room.host.store.live_tables()) == 2


async def test_a_process_that_is_down_for_long_after_a_kill_goes_on_in_the_thread_it_had_opened(
    room: Room,
) -> None:
    ana = await busy(room)
    offer = await ana.command("start")
    with answers_lost("POST", "/threads", " · Ana"):
        await ana.press(offer, "Open in a Thread")
    forget_nonces()
    room.fail("POST", STARTS, 400, THREAD_EXISTS)
    await room.restart(crash=True)
    await room.later(60)
    (thread,) = threads(room)
    assert len(pages_in(room, thread)) == 1
    assert len(await room.host.store.live_tables()) == 2


async def test_a_thread_is_its_tables_own_from_its_first_moment_on(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody types a start command in the thread before the bot has heard that it exists."""
    ana, ben = await busy(room), room.person("Ben")
    offer, start_thread, typed = await ana.command("start"), Sender.start_thread, list[Delivery]()

    async def then_type(sender: Sender, parent: int, starter: int, name: str) -> None:
        await start_thread(sender, parent, starter, name)
        enter(room, starter)
        data = {
            "id": "1",
            "type": 1,
            "name": room.game,
            "options": [{"type": 1, "name": "start", "options": []}],
        }
        typed.append(ben.interaction(InteractionType.APPLICATION_COMMAND, data, None))
        room.emit(*typed)
        await until(lambda: typed[0].answered)

    monkeypatch.setattr(Sender, "start_thread", then_type)
    answer = await ana.press(offer, "Open in a Thread")
    (thread,) = threads(room)
    assert f"<#{thread}>" in answer.text
    assert "already a match" in typed[0].answer.text
    table = await table_in(room, thread)
    assert (table.body.host_id, table.status) == (ana.id, "lobby")
    assert [page.id for page in pages_in(room, thread)] == [table.body.messages.lobby]


async def test_a_lobby_whose_answer_was_lost_is_closed_where_discord_takes_no_message(room: Room) -> None:
    ana = room.person("Ana")
    room.answers_missing = 1
    room.fail("POST", "/interactions/*", 404, 10062, times=None)
    await ana.actor.slash(room.channel, "archaeology start")
    room.heal()
    room.fail("POST", f"/channels/{room.channel.id}/messages", 403, 50013, times=None)
    await room.later(60)
    assert await room.host.store.live_tables() == []
    room.heal()
    await room.later(60)
    assert room.pages() == []
    assert "Join" in (await ana.command("start")).buttons


async def test_a_refusal_after_a_kill_closes_the_table(room: Room) -> None:
    ana = await busy(room)
    offer = await ana.command("start")
    room.fail("POST", STARTS, 500, times=None)
    await ana.press(offer, "Open in a Thread")
    await room.restart(crash=True)
    room.heal()
    room.forbid(create_public_threads=True)
    await room.later(60)
    assert len(await room.host.store.live_tables()) == 1
    assert threads(room) == []


async def test_a_thread_that_is_late_opens_later(room: Room) -> None:
    ana = await busy(room)
    offer = await ana.command("start")
    room.fail("POST", STARTS, 500, times=None)
    answer = await ana.press(offer, "Open in a Thread")
    assert f"Your table opens in a thread of <#{room.channel.id}> as soon as it does" in answer.text
    assert str(room.channel.id) in (await ana.command("/games mine")).text
    room.heal()
    await room.later(60)
    (thread,) = threads(room)
    assert (await table_in(room, thread)).body.messages.lobby is not None


async def test_a_thread_that_cannot_be_noted_now_opens_later(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = await busy(room)
    offer = await ana.command("start")

    async def full(_store: Store, _change: Change) -> bool:
        raise StoreError("the disk is full")

    press = ana.pressing(offer, "Open in a Thread")
    with monkeypatch.context() as patched:
        patched.setattr(Store, "commit", full)
        room.emit(press)
        await until(lambda: press.answered)
    assert "as soon as it does" in press.answer.text
    await room.later(60)
    (thread,) = threads(room)
    assert (await table_in(room, thread)).body.messages.lobby is not None


@pytest.mark.parametrize(("path", "code"), [(STARTS, 160006), ("/channels/{channel}/messages", 50013)])
async def test_a_refused_thread_leaves_no_table(room: Room, path: str, code: int) -> None:
    ana = await busy(room)
    offer = await ana.command("start")
    before = len(room.pages())
    room.fail("POST", path.format(channel=room.channel.id), 400 if path == STARTS else 403, code, times=None)
    answer = await ana.press(offer, "Open in a Thread")
    assert "doesn't let me open a thread" in answer.text
    assert len(await room.host.store.live_tables()) == 1
    assert threads(room) == []
    assert len(room.pages()) == before, "the message about the thread is gone"
    room.heal()
    await room.later(60)
    assert threads(room) == [], "a closed table opens no thread"
    asked = {entry.path.split("/")[2] for entry in room.env.http_requests if "/channels/" in entry.path}
    assert asked <= {str(number) for number in room.env.backend.channels}, "nor is it looked for anywhere"


async def test_a_lobby_that_cannot_be_posted_in_its_thread_is_closed(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = await busy(room)
    offer = await ana.command("start")
    create = room.env.backend.create_thread

    def create_and_forbid(*given: Any, **options: Any) -> Any:
        room.forbid(send_messages_in_threads=True)
        return create(*given, **options)

    monkeypatch.setattr(room.env.backend, "create_thread", create_and_forbid)
    answer = await ana.press(offer, "Open in a Thread")
    assert "doesn't let me open a thread" in answer.text
    (thread,) = threads(room)
    assert (await table_in(room, thread)).status == "abandoned"
    assert archived(room, thread)


async def test_a_permission_that_is_taken_away_in_a_thread_is_named(room: Room) -> None:
    ana = await busy(room)
    _table, thread = await opened(room, ana, await ana.command("start", agents=1))
    (lobby,) = pages_in(room, thread)
    enter(room, thread)
    room.forbid(send_messages_in_threads=True)
    named = "Send Messages in Threads"
    assert named in (await ana.press(lobby, "Start Match")).text
    room.allow_again()
    await ana.press(lobby, "Start Match")
    await room.stage(some_game.TURN)
    hand = await ana.hand()
    room.delete(await room.board())
    room.forbid(send_messages_in_threads=True)
    await some_game.move(ana, hand)
    assert f"I lack the permission **{named}**" in (await ana.hand()).text


# -- where there can be none


@pytest.mark.parametrize("permission", ["create_public_threads", "send_messages_in_threads"])
async def test_a_missing_permission_is_named_with_those_who_can_give_it(room: Room, permission: str) -> None:
    ana = await busy(room)
    room.forbid(**{permission: True})
    refused = await ana.command("start")
    name = permission.replace("_", " ").title().replace(" In ", " in ")
    assert f"I need the permission {name} in this channel. Someone who manages this server" in refused.text
    assert "Open in a Thread" not in refused.buttons
    assert "Go to the Table" in refused.links


async def test_a_permission_that_is_taken_before_the_press_is_named(room: Room) -> None:
    ana = await busy(room)
    offer = await ana.command("start")
    room.forbid(create_public_threads=True)
    refused = await ana.press(offer, "Open in a Thread")
    assert "I need: Create Public Threads" in refused.text
    assert "already a match" not in refused.text, "it may have ended meanwhile"
    assert len(await room.host.store.live_tables()) == 1


async def test_a_thread_holds_no_other_thread(room: Room) -> None:
    ana = await busy(room)
    _table, thread = await opened(room, ana, await ana.command("start"))
    enter(room, thread)
    refused = await room.person("Ben").command("start")
    assert "a thread can't hold another thread" in refused.text
    assert refused.buttons == {}


async def test_kinds_of_channels_without_threads_say_so(room: Room) -> None:
    room.channel = room.guild.create_voice_channel("voice")
    ana = await busy(room)
    assert "this kind of channel has no threads" in (await ana.command("start")).text


FORGED_OFFERS = [
    "", "chess..0...7.", "archaeology..x...7.", "archaeology..9...7.", "archaeology.2y.0...7.",
    "archaeology..0.god..7.", "archaeology..0...7.0", "expedition..0...7.99", "expedition..0...7.x",
    "artifact..0...7.0", "archaeology..0....", "archaeology..0...x.", "archaeology..0...0.", "a.b.c.d.e.f.g.h",
]  # fmt: skip


async def test_a_forged_offer_opens_nothing(room: Room) -> None:
    ana = await busy(room)
    offer = await ana.command("start")
    for arg in FORGED_OFFERS:
        press = ana.forging(offer, f"ds:0:{screens.OPEN_THREAD}::{arg}")
        await room.deliver(press)
        assert "older version" in press.answer.text, arg
    assert len(await room.host.store.live_tables()) == 1


# -- other ways to a table


async def test_a_challenge_opens_its_thread_at_once_and_calls_the_person_there(room: Room) -> None:
    ana = await busy(room)
    ben = room.person("Ben")
    answer = await ana.command("/challenge", person=ben.actor, game=room.game)
    (thread,) = threads(room)
    assert f"<#{thread}>" in answer.text
    (lobby,) = pages_in(room, thread)
    assert f"**Ana** would like to play with {ben.mention}." in lobby.text
    assert lobby.kept.ping_user_ids == [ben.id]


async def test_a_challenge_in_a_channel_without_threads_is_refused(room: Room) -> None:
    ana = await busy(room)
    room.forbid(create_public_threads=True)
    refused = await ana.command("/challenge", person=room.person("Ben").actor, game=room.game)
    assert "the permission Create Public Threads" in refused.text


async def look(person: Person) -> Page:
    return await person.answered(await person.actor.slash(person.room.channel, "play"))


async def test_people_who_wait_are_seated_in_a_thread(room: Room) -> None:
    ana = await busy(room)
    ben = room.person("Ben")
    await look(ana)
    answer = await look(ben)
    (thread,) = threads(room)
    (lobby,) = pages_in(room, thread)
    assert answer.links["Go to the Table"].endswith(f"/{thread}/{lobby.id}")
    assert sorted(lobby.kept.ping_user_ids) == sorted([ana.id, ben.id])
    assert await room.host.store.wishes.candidates(room.guild.id) == []


async def test_people_who_wait_go_on_waiting_where_their_thread_is_refused(room: Room) -> None:
    ana = await busy(room)
    ben = room.person("Ben")
    await look(ana)
    room.fail("POST", STARTS, 400, 160006)
    answer = await look(ben)
    assert "You all go on waiting" in answer.text
    assert len(await room.host.store.wishes.candidates(room.guild.id)) == 2
    await ben.press(answer, "Look Again")
    assert len(threads(room)) == 1


async def test_the_same_deal_is_opened_in_a_thread_of_its_channel(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    code = (await ana.press(lobby, "Invite")).text.partition("same_deal:")[2].partition("`")[0]
    cleo = room.person("Cleo")
    table, _thread = await opened(room, cleo, await cleo.command("start", same_deal=code))
    assert table.body.same_of == (await room.table()).id
    assert (await room.table()).body.same == [table.id]


# -- Play Again


async def ended(room: Room) -> tuple[list[Person], Page]:
    """A match of Ana and Ben that is over, with its result."""
    people = await room.match_of("Ana", "Ben")
    await room.stage(some_game.last_move(2))
    await some_game.move(people[0], await people[0].hand())
    return people, await room.result()


async def test_play_again_opens_one_thread_where_another_match_has_begun(room: Room) -> None:
    (ana, ben), result = await ended(room)
    await room.match_of("Cara", "Dora")
    first, second = await ana.press(result, "Play Again"), await ben.press(result, "Play Again")
    table, thread = await opened(room, ana, first)
    (lobby,) = pages_in(room, thread)
    assert f"**Ana** would like to play again. {ben.mention}, will you **Join**?" in lobby.text
    answer = await ben.press(second, "Open in a Thread")
    assert "you have a seat in it" in answer.text
    assert len(threads(room)) == 1
    assert "you have a seat in it" in (await ben.press(result, "Play Again")).text
    assert [seat.user_id for seat in (await room.host.tables.get(table.id)).seats] == [ana.id, ben.id]


async def test_only_those_who_played_play_again_in_a_thread(room: Room) -> None:
    (ana, _ben), result = await ended(room)
    cara = await busy(room)
    offer = await ana.press(result, "Play Again")
    press = cara.forging(offer, offer.buttons["Open in a Thread"])
    await room.deliver(press)
    assert "Only those who played that match" in press.answer.text
    assert threads(room) == []


async def test_an_offer_leads_to_the_next_lobby_that_was_opened_in_the_channel_meanwhile(room: Room) -> None:
    (ana, ben), result = await ended(room)
    (cara, dora) = await room.match_of("Cara", "Dora")
    offer = await ana.press(result, "Play Again")
    await cara.press(await cara.command("end"), "End the Match")
    await dora.press(await dora.command("end"), "End the Match")
    assert await room.host.store.live_table(room.channel.id) is None
    await ben.press(result, "Play Again")
    answer = await ana.press(offer, "Open in a Thread")
    assert "you have a seat in it" in answer.text
    (row,) = await room.host.store.live_tables()
    seats = (await room.host.tables.get(row.id)).seats
    assert [seat.user_id for seat in seats] == [ben.id, ana.id]
    assert threads(room) == []


async def test_a_process_killed_after_it_stored_the_next_lobby_leaves_the_only_one(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana, ben), result = await ended(room)
    await boss_wants_threads(room)
    create, commit, stored = room.host.store.create, room.host.store.commit, list[TableRow]()

    async def created(*given: Any, **options: Any) -> TableRow:
        stored.append(await create(*given, **options))
        return stored[0]

    async def fail_then(change: Change) -> bool:
        if stored:
            raise StoreError("The process was killed.")
        return await commit(change)

    monkeypatch.setattr(room.host.store, "create", created)
    monkeypatch.setattr(room.host.store, "commit", fail_then)
    await ana.press(result, "Play Again")
    assert stored
    await room.restart(crash=True)
    assert "you have a seat in it" in (await ben.press(result, "Play Again")).text
    await room.later(100)
    assert len(threads(room)) == 1
    assert [row.id for row in await room.host.store.live_tables()] == [stored[0].id]


async def test_presses_of_two_people_at_once_open_one_next_lobby(room: Room) -> None:
    (ana, ben), result = await ended(room)
    await boss_wants_threads(room)
    await room.deliver(ana.pressing(result, "Play Again"), ben.pressing(result, "Play Again"))
    (row,) = await room.host.store.live_tables()
    seats = (await room.host.tables.get(row.id)).seats
    assert {seat.user_id for seat in seats} == {ana.id, ben.id}
    assert len(threads(room)) == 1


# -- after the match


async def played_in_a_thread(room: Room) -> tuple[Person, int, int]:
    """A match of Ana and Ben in a thread that is over; returns Ana, the thread and its channel."""
    ana, thread, parent = await before_the_last_move(room)
    await some_game.move(ana, await ana.hand())
    return ana, thread, parent


async def before_the_last_move(room: Room) -> tuple[Person, int, int]:
    """A match of Ana and Ben in a thread that Ana's next move ends; returns Ana, the thread and its channel."""
    ana, ben, parent = await busy(room), room.person("Ben"), room.channel.id
    _table, thread = await opened(room, ana, await ana.command("start"))
    enter(room, thread)
    (lobby,) = room.pages()
    await ben.press(lobby, "Join")
    await ana.press(lobby, "Start Match")
    await room.stage(some_game.last_move(2))
    return ana, thread, parent


def results_in(room: Room, channel: int) -> list[Page]:
    return [page for page in pages_in(room, channel) if "Go to the Result" in page.links]


async def test_the_channel_is_told_the_result_once_and_the_thread_is_archived(room: Room) -> None:
    _ana, thread, parent = await played_in_a_thread(room)
    result = await room.result()
    (announced,) = results_in(room, parent)
    assert "🏆 **Ben** wins by $" in announced.text
    assert f"<#{thread}>" in announced.text
    assert announced.links["Go to the Result"].endswith(f"/{thread}/{result.id}")
    assert announced.kept.ping_user_ids == []
    assert message_faults(announced.kept.components) == []
    assert archived(room, thread)
    made = [(entry.method, entry.path) for entry in room.env.http_requests]
    (closing,) = [
        n for n, (method, path) in enumerate(made) if (method, path) == ("PATCH", f"/channels/{thread}")
    ]
    posts = [
        n
        for n, (method, path) in enumerate(made)
        if (method, path) == ("POST", f"/channels/{thread}/messages")
    ]
    assert max(posts) < closing, "after the result"
    forget_nonces()
    async with room.host.tables.change((await room.table()).id) as draft:
        draft.touch()
    await room.restart()
    await room.later(3600)
    announced_by = [n for n in room.requests("POST", f"/{parent}/messages") if "Go to the Result" in str(n)]
    assert len(announced_by) == 1


async def test_a_process_that_dies_after_telling_the_result_tells_it_once(room: Room) -> None:
    with answers_lost("POST", "/messages", "Go to the Result") as paths:
        _ana, thread, parent = await played_in_a_thread(room)
        await room.restart(crash=True)
    assert paths
    await room.later(60)
    assert len(results_in(room, parent)) == 1
    assert archived(room, thread)


async def test_a_thread_is_archived_once_discord_takes_it(room: Room) -> None:
    room.fail("PATCH", "/channels/*", 500, times=None)
    _ana, thread, _parent = await played_in_a_thread(room)
    assert not archived(room, thread)
    room.heal()
    await room.later(120)
    assert archived(room, thread)


async def test_a_channel_in_which_the_result_cannot_be_told_is_left_alone(room: Room) -> None:
    parent = room.channel.id
    ana = await busy(room)
    _table, thread = await opened(room, ana, await ana.command("start", agents=1))
    enter(room, thread)
    await ana.press(room.pages()[0], "Start Match")
    room.fail("POST", f"/channels/{parent}/messages", 403, 50013, times=None)
    await ana.press(await ana.command("end"), "End the Match")
    assert archived(room, thread)
    room.heal()
    await room.later(3600)
    assert results_in(room, parent) == []


async def test_a_match_that_ended_early_is_told_too(room: Room) -> None:
    ana, parent = await busy(room), room.channel.id
    _table, thread = await opened(room, ana, await ana.command("start", agents=1))
    enter(room, thread)
    await ana.press(room.pages()[0], "Start Match")
    await ana.press(await ana.command("end"), "End the Match")
    (announced,) = results_in(room, parent)
    assert "🏁" in announced.text
    assert archived(room, thread)


async def test_a_closed_lobby_is_not_told_and_its_thread_is_archived(room: Room) -> None:
    ana, parent = await busy(room), room.channel.id
    _table, thread = await opened(room, ana, await ana.command("start"))
    enter(room, thread)
    await ana.press(await ana.command("end"), "Close the Lobby")
    assert results_in(room, parent) == []
    assert archived(room, thread)


async def test_play_again_goes_on_in_the_thread_and_is_told_too(room: Room) -> None:
    ana, thread, parent = await played_in_a_thread(room)
    lobby = await ana.press(await room.result(), "Play Again")
    assert lobby.channel_id == thread
    await ana.choose(lobby, "Computer players", "1 × Novice")
    await ana.press(lobby, "Start Match")
    await ana.press(await ana.command("end"), "End the Match")
    assert len(results_in(room, parent)) == 2
    assert archived(room, thread)
    assert len(threads(room)) == 1


def archivings(room: Room, thread: int) -> list[bool]:
    """Whether each request about it so far archived the thread (True) or opened it."""
    bodies = room.requests("PATCH", f"/channels/{thread}")
    return [body["archived"] for body in bodies if "archived" in body]


async def test_a_thread_with_the_next_match_is_not_archived_for_the_one_before(room: Room) -> None:
    ana, thread, _parent = await played_in_a_thread(room)
    before = await room.table()
    await ana.press(await room.result(), "Play Again")
    async with room.host.tables.change(before.id) as draft:
        draft.touch()
    await room.later(60)
    assert archivings(room, thread) == [True, False]


async def test_a_thread_whose_next_lobby_opens_while_it_is_archived_is_opened_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit, presses = Sender.edit_thread, list[Delivery]()
    ana, thread, _parent = await before_the_last_move(room)

    async def edit_late(sender: Sender, table: Table, **changes: Any) -> None:
        if not presses:
            presses.append(ana.pressing(await room.result(), "Play Again"))
            room.emit(*presses)
            await until(lambda: presses[0].answered)
        await edit(sender, table, **changes)

    monkeypatch.setattr(Sender, "edit_thread", edit_late)
    await some_game.move(ana, await ana.hand())
    assert (await table_in(room, thread)).status == "lobby"
    assert not archived(room, thread)
    assert archivings(room, thread) == [True, False]


async def test_nothing_is_told_or_archived_before_the_result_is_posted(room: Room) -> None:
    ana, parent = await busy(room), room.channel.id
    _table, thread = await opened(room, ana, await ana.command("start", agents=1))
    enter(room, thread)
    await ana.press(room.pages()[0], "Start Match")
    room.fail("POST", f"/channels/{thread}/messages", 500, times=None)
    await ana.press(await ana.command("end"), "End the Match")
    assert results_in(room, parent) == []
    assert not archived(room, thread)
    room.heal()
    await room.later(120)
    assert len(results_in(room, parent)) == 1
    assert archived(room, thread)


async def test_names_of_those_who_are_forgotten_vanish_from_channel_and_thread(room: Room) -> None:
    ana, thread, parent = await played_in_a_thread(room)
    await ana.delete_data()
    await room.later(60)
    texts = [page.text for page in (*pages_in(room, parent), *pages_in(room, thread))]
    assert not [text for text in texts if "**Ana**" in text or ana.mention in text]
    assert room.env.backend.get_channel(thread).name == room.host.screens[room.game].title()
    changes = [
        body["archived"] for body in room.requests("PATCH", f"/channels/{thread}") if "archived" in body
    ]
    assert changes == [True, False, True], "Discord takes no edits of messages in an archived thread"


@pytest.mark.parametrize("name", ["Ana", "Ben"])
@pytest.mark.parametrize("outage", [False, True])
async def test_names_vanish_from_the_channel_of_a_thread_that_was_deleted(
    room: Room, name: str, outage: bool
) -> None:
    """Ana is the host, and Ben has won."""
    _ana, thread, parent = await played_in_a_thread(room)
    assert [page for page in pages_in(room, parent) if f"**{name}**" in page.text]
    room.env.backend.delete_channel(thread)
    await room.env.settle()
    if outage:
        room.fail("PATCH", f"/channels/{parent}/messages/*", 500, times=None)
    (forgotten,) = [seat.user_id for seat in (await room.table()).seats if seat.name == name]
    assert forgotten is not None
    await room.host.housekeeping.erasures.forget(forgotten)
    await room.catch_up()
    room.heal()
    await room.later(60)
    assert not [page.text for page in pages_in(room, parent) if f"**{name}**" in page.text]


async def test_a_thread_has_the_name_of_the_next_host(room: Room) -> None:
    ana, ben, parent = await busy(room), room.person("Ben"), room.channel.id
    _table, thread = await opened(room, ana, await ana.command("start"))
    enter(room, thread)
    (lobby,) = room.pages()
    await ben.press(lobby, "Join")
    await ana.press(lobby, "Leave")
    await room.later(60)
    assert str(room.env.backend.get_channel(thread).name).endswith(" · Ben")
    assert "The host is **Ben**." in Page(room.env, parent, thread).text


async def test_long_names_of_threads_are_cut(room: Room) -> None:
    await busy(room)
    room.host.screens[room.game].title = lambda: "Archaeology " * 20  # type: ignore[method-assign]
    ana = room.person("Ana")
    _table, thread = await opened(room, ana, await ana.command("start"))
    name = str(room.env.backend.get_channel(thread).name)
    assert len(name) == 100
    assert name.endswith("…")


async def test_a_table_in_a_thread_that_discord_has_lost_is_posted_in_a_new_one(room: Room) -> None:
    """As in the playground, whose Discord is empty after each start."""
    ana = await busy(room)
    table, old = await opened(room, ana, await ana.command("start"))
    room.env.backend.channels.pop(old)
    await room.host.repost_all()
    (thread,) = threads(room)
    assert thread != old
    assert (await table_in(room, thread)).id == table.id
    assert "Join" in pages_in(room, thread)[0].buttons


async def test_a_deleted_thread_ends_its_match(room: Room) -> None:
    ana = await busy(room)
    table, thread = await opened(room, ana, await ana.command("start"))
    room.env.backend.delete_channel(thread)
    await room.env.settle()
    await room.catch_up()
    assert (await room.host.tables.get(table.id)).body.ending == "channel-gone"


# -- a thread for each match


async def boss_wants_threads(room: Room) -> Person:
    boss = room.manager("Boss")
    shown = await boss.command("/setup")
    assert "A thread for each match" in shown.text
    shown = await switch(boss, "A thread for each match", on=True)
    assert "A thread for each match: on" in shown.text
    return boss


async def test_a_server_has_each_match_in_a_thread(room: Room) -> None:
    boss = await boss_wants_threads(room)
    ana, ben = room.person("Ana"), room.person("Ben")
    answer = await ana.command("start")
    assert answer.ephemeral
    await ben.command("/challenge", person=ana.actor, game=room.game)
    assert len(threads(room)) == 2
    assert await room.host.store.live_table(room.channel.id) is None
    await switch(boss, "A thread for each match", on=False)
    assert "Join" in (await room.person("Cara").command("start")).buttons


async def test_people_who_wait_are_seated_in_a_thread_where_the_server_wants_it(room: Room) -> None:
    await boss_wants_threads(room)
    await look(room.person("Ana"))
    await look(room.person("Ben"))
    assert len(threads(room)) == 1
    assert await room.host.store.live_table(room.channel.id) is None


async def test_play_again_opens_a_thread_where_the_server_wants_it(room: Room) -> None:
    (ana, ben), result = await ended(room)
    await boss_wants_threads(room)
    answer = await ana.press(result, "Play Again")
    (thread,) = threads(room)
    assert answer.ephemeral
    assert f"<#{thread}>" in answer.text
    assert "you have a seat in it" in (await ben.press(result, "Play Again")).text
    assert len(threads(room)) == 1


async def test_a_server_that_wants_threads_names_what_is_missing(room: Room) -> None:
    boss = await boss_wants_threads(room)
    room.forbid(create_public_threads=True)
    assert "I need the permission Create Public Threads" in (await boss.command("/setup")).text
    assert "I need: Create Public Threads" in (await room.person("Ana").command("start")).text
    assert await room.host.store.live_tables() == []


async def test_channels_without_threads_hold_a_match_themselves(room: Room) -> None:
    await boss_wants_threads(room)
    room.channel = room.guild.create_voice_channel("voice")
    assert "Join" in (await room.person("Ana").command("start")).buttons


async def test_an_opened_thread_is_announced_elsewhere(room: Room) -> None:
    boss = await boss_wants_threads(room)
    news = room.guild.create_text_channel("news")
    await pick(boss, await boss.command("/setup"), SET_ANNOUNCED_IN, news)
    await room.person("Ana").command("start")
    (said,) = pages_in(room, news.id)
    assert f"in <#{threads(room)[0]}>" in said.text
