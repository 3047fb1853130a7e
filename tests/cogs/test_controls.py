"""The effects of an operator's decisions on players' screens."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.backend.errors import SetupError

from bot.app.orders import Order, OrderKind
from cogs.owners import owners_of
from tests.cogs.table_driver import Person, Room

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


# -- the owners' commands


def owned_by(room: Room, *people: Person) -> None:
    """Makes these people the ones who may change the application, as members of its team."""
    application = room.bot.application
    assert application is not None
    member = {"membership_state": 2, "permissions": ["*"], "team_id": "1"}
    members = [
        {
            **member,
            "role": role,
            "user": {"id": str(person.id), "username": "x", "discriminator": "0", "avatar": None},
        }
        for role, people_of_role in (
            ("admin", people[:1]),
            ("developer", people[1:2]),
            ("read_only", people[2:]),
        )
        for person in people_of_role
    ]
    data: Any = {
        "id": "1",
        "name": "team",
        "icon": None,
        "owner_user_id": str(people[0].id),
        "members": members,
    }
    application.team = discord.Team(room.bot._connection, data)


def administrator(room: Room, name: str) -> Person:
    """Somebody new who may do anything on the server, and so sees every command."""
    role = room.guild.create_role(f"admin {name}", permissions=discord.Permissions(administrator=True))
    return Person(
        room, room.guild.add_member(room.env.create_user(name.lower(), global_name=name), roles=[role])
    )


async def test_the_owners_do_on_discord_what_the_commands_of_the_program_do(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "bot.app.operator")
    await room.match_of("Ana", "Ben")
    olga, dev, eve = administrator(room, "Olga"), administrator(room, "Dev"), room.person("Eve")
    owned_by(room, olga, dev)
    answer = await olga.command("/digsite tables")
    assert answer.ephemeral
    assert str(room.guild.id) in answer.text
    await dev.command("/digsite notice", text=NOTICE)
    assert f"📣 {NOTICE}" in (await room.board()).text
    assert "is withdrawn" in (await olga.command("/digsite notice")).text
    assert "is blocked" in (await olga.command("/digsite block-person", person=eve.actor)).text
    assert "can no longer join my tables" in (await eve.command("start")).text
    await olga.command("/digsite allow-person", person=eve.actor)
    assert "Table 1 has ended." in (await olga.command("/digsite end", table=1)).text
    assert "has already ended" in (await olga.command("/digsite end", table=1)).text
    server = str(room.guild.id)
    await olga.command("/digsite block-server", server=server)
    assert "I no longer host tables" in (await eve.command("start")).text
    await olga.command("/digsite allow-server", server=server)
    assert "not a valid server ID" in (await olga.command("/digsite leave", server="here")).text
    assert "not on that server" in (await olga.command("/digsite leave", server="5")).text
    assert "There is one process. Its version is" in (await olga.command("/digsite processes")).text
    told = [record.getMessage() for record in caplog.records]
    assert f"owner {olga.id} ordered: end 1; done" in told
    assert f"owner {dev.id} ordered: notice {NOTICE}; done" in told


async def test_nobody_else_can_use_them_whatever_they_manage(room: Room) -> None:
    await room.match_of("Ana", "Ben")
    olga, dev, reader, other = (administrator(room, name) for name in ("Olga", "Dev", "Rea", "Max"))
    owned_by(room, olga, dev, reader)
    for person in (reader, other):
        for name, options in (
            ("tables", {}),
            ("notice", {"text": NOTICE}),
            ("end", {"table": 1}),
            ("leave", {"server": str(room.guild.id)}),
            ("leave", {"server": "here"}),
            ("block-person", {"person": olga.actor}),
            ("allow-person", {"person": olga.actor}),
            ("block-server", {"server": str(room.guild.id)}),
            ("allow-server", {"server": str(room.guild.id)}),
            ("processes", {}),
        ):
            answer = await person.command(f"/digsite {name}", **options)
            assert answer.ephemeral
            assert "Only the owners" in answer.text
    assert (await room.table()).live
    assert room.host.notice.text == ""
    room.host.blocklist.check(olga.id, room.guild.id)


async def test_only_administrators_see_them_at_all(room: Room) -> None:
    with pytest.raises(SetupError, match="not visible"):
        await room.manager("Max").command("/digsite tables")


def test_an_application_without_a_team_has_one_owner() -> None:
    application: Any = SimpleNamespace(team=None, owner=SimpleNamespace(id=5))
    assert owners_of(application) == {5}
