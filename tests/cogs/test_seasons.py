"""The end of a season: the final boards are posted once, by people who manage the server, and nothing is lost."""

from __future__ import annotations

from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room
from tests.cogs.test_results import past


async def played(room: Room) -> tuple[Person, Person]:
    """A server in its first season, where Ana manages, and has lost to Ben in two games."""
    ana, ben = room.manager("Ana"), room.person("Ben")
    await past(room, {ben.id: 1, ana.id: 2}, times=2)
    await past(room, {ben.id: 1, ana.id: 2}, game="artifact")
    return ana, ben


async def begin(ana: Person) -> Page:
    """Ana begins a new season."""
    asked = await ana.press(await ana.command("/leaderboard"), "New Season")
    return await ana.press(asked, "Begin the Season")


async def test_new_season_posts_the_final_boards_of_the_old_one_in_the_channel(room: Room) -> None:
    ana, ben = await played(room)
    shown = await begin(ana)
    assert "Season 2" in shown.text
    [posted] = room.pages()
    assert "Season 1 has ended" in posted.text
    titles = [room.host.screens[game].title() for game in (room.game, "artifact")]
    assert posted.text.index(titles[0]) < posted.text.index(titles[1]), (
        "the game that was played most comes first"
    )
    assert posted.text.index(f"🥇 {ben.mention}") < posted.text.index(f"🥈 {ana.mention}")
    assert "👉" not in posted.text
    assert posted.kept.ping_user_ids in ([], ())
    assert message_faults(posted.kept.components) == []


async def test_second_press_begins_and_posts_nothing(room: Room) -> None:
    ana, _ben = await played(room)
    asked = await ana.press(await ana.command("/leaderboard"), "New Season")
    twice = [ana.pressing(asked, "Begin the Season") for _ in range(2)]
    await room.deliver(*twice)
    assert len(room.pages()) == 1
    assert room.channel.guild is not None
    assert len(await room.host.store.results.seasons(room.channel.guild.id)) == 1


async def test_season_without_matches_posts_nothing(room: Room) -> None:
    shown = await begin(room.manager("Ana"))
    assert "Season 2" in shown.text
    assert room.pages() == []


async def test_boards_that_could_not_be_posted_are_kept_and_can_be_posted_later(room: Room) -> None:
    ana, ben = await played(room)
    asked = await ana.press(await ana.command("/leaderboard"), "New Season")
    room.fail("POST", "/webhooks/*", 403, 50013)
    press = ana.pressing(asked, "Begin the Season")
    await room.deliver(press)
    assert room.pages() == []
    assert "could not post" in press.answers[-1].text
    assert "Post Here" in press.answers[-1].text
    board = await ana.command("/leaderboard")
    assert "Post Here" not in board.buttons, "the present season has not ended"
    older = await ana.choose(board, "Season", "Season 1")
    await room.deliver(ana.pressing(older, "Post Here"))
    [posted] = room.pages()
    assert "Season 1 has ended" in posted.text
    assert f"🥇 {ben.mention}" in posted.text
    assert posted.kept.ping_user_ids in ([], ())


async def test_only_managers_post_and_only_seasons_that_have_ended(room: Room) -> None:
    ana, ben = await played(room)
    board = await ana.command("/leaderboard")
    for person, season in ((ben, "1"), (ana, "1"), (ana, "7"), (ana, "0"), (ana, "x"), (ana, "9" * 30)):
        press = person.forging(board, f"ds:0:post-season::{season}")
        await room.deliver(press)
        assert press.answer.ephemeral
    assert room.pages() == []


async def test_hidden_people_and_switched_off_servers_are_in_no_final_board(room: Room) -> None:
    ana, ben = await played(room)
    results = room.host.store.results
    await results.switch("person", ben.id, on=False)
    await begin(ana)
    [posted] = room.pages()
    assert ben.mention not in posted.text
    assert ana.mention in posted.text
    assert room.channel.guild is not None
    await results.switch("guild", room.channel.guild.id, on=False)
    press = ana.forging(posted, "ds:0:post-season::1")
    await room.deliver(press)
    assert len(room.pages()) == 1


async def test_final_boards_are_in_the_language_of_the_server(room: Room) -> None:
    ana, _ben = await played(room)
    room.locales[0] = "de"
    await begin(ana)
    [posted] = room.pages()
    assert "Saison 1" in posted.text
