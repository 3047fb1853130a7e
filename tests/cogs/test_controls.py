"""The effects of an operator's decisions on players' screens."""

from __future__ import annotations

from bot.app.operator import Order, OrderKind
from tests.cogs.table_driver import Room

NOTICE = "Back in *ten minutes*"


async def ordered(room: Room, what: OrderKind, argument: str) -> None:
    done = await room.host.housekeeping.operator.do(Order(1, what, argument, "a test"))
    assert done is not None
    assert done.done, done.said
    await room.catch_up()


async def test_a_blocked_person_is_told_politely_where_they_would_open_or_join(room: Room) -> None:
    page, _people = await room.lobby_of("Ana", "Ben")
    eve = room.person("Eve")
    await ordered(room, "block-person", str(eve.id))
    answer = await eve.press(page, "Join")
    assert answer.ephemeral
    assert "can no longer join my tables" in answer.text
    assert "can no longer join my tables" in (await eve.command("start")).text
    await ordered(room, "allow-person", str(eve.id))
    await eve.press(page, "Join")
    assert (await room.table()).seat_of(eve.id) == 2


async def test_a_blocked_person_who_already_plays_goes_on(room: Room) -> None:
    people = await room.match_of("Ana", "Ben")
    digger = await room.asked(people)
    await ordered(room, "block-person", str(digger.id))
    before = (await room.table()).sequence
    await digger.press(await digger.hand(), "Dig")
    assert (await room.table()).sequence > before


async def test_privacy_tells_a_blocked_person_that_their_id_stays(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    stays = "because my operator has blocked you from joining tables"
    assert stays not in (await ana.command("/privacy")).text
    await ordered(room, "block-person", str(ana.id))
    assert stays in (await ana.command("/privacy")).text
    deleted = await ana.delete_data()
    assert stays in deleted.text
    assert "nothing that I store" not in deleted.text
    assert "I store no match" not in (await ana.command("/privacy")).text


async def test_on_a_blocked_server_nobody_opens_a_table(room: Room) -> None:
    await ordered(room, "block-server", str(room.guild.id))
    assert "I no longer host tables on this server" in (await room.person("Ana").command("start")).text


async def test_a_notice_stands_on_the_lobby_and_the_board_until_it_is_taken_back(room: Room) -> None:
    page, people = await room.lobby_of("Ana", "Ben")
    await ordered(room, "notice", NOTICE)
    assert f"📣 {NOTICE}" in room.pages()[0].text
    await people[0].press(page, "Start Match")
    await room.catch_up()
    assert f"📣 {NOTICE}" in (await room.board()).text
    await ordered(room, "notice", "")
    assert "📣" not in (await room.board()).text


async def test_players_read_that_the_operator_has_ended_their_table(room: Room) -> None:
    await room.match_of("Ana", "Ben")
    await ordered(room, "notice", NOTICE)
    await ordered(room, "end", "1")
    assert any("My operator has closed this table." in page.text for page in room.pages())
    assert "📣" not in (await room.board()).text


async def test_the_bot_leaves_a_server_and_its_tables_sleep(room: Room) -> None:
    await room.match_of("Ana", "Ben")
    await room.host.housekeeping.operator.do(Order(1, "leave", str(room.guild.id), "a test"))
    await room.catch_up()
    assert any(
        method == "DELETE" and path.endswith(f"/guilds/{room.guild.id}") for method, path in requests_of(room)
    )


def requests_of(room: Room) -> list[tuple[str, str]]:
    return [(request.method, request.path) for request in room.env.http_requests]
