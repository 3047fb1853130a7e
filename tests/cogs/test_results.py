"""Profiles and leaderboards: what a match that people have ended changes there, and what nobody sees."""

from __future__ import annotations

from bot.ratings import NEW, rate
from bot.store.model import Change as StoreChange
from bot.store.model import MatchResult, ResultPlayer, TableRow
from tests.cogs import some_game
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room


async def ended(room: Room, *names: str, agents: int = 0) -> tuple[list[Person], Page]:
    """A match of these people that the first of them has just won."""
    people = await room.match_of(*names, agents=agents)
    await room.stage(some_game.last_move(len(names) + agents))
    await some_game.move(people[0], await people[0].hand())
    return people, await room.result()


async def past(
    room: Room, places: dict[int, int], *, game: str | None = None, times: int = 1, guild: int = 0
) -> None:
    """Results of matches that have been played before, by person; on another server if `guild` is its id."""
    assert room.channel.guild is not None
    store, guild = room.host.store, guild or room.channel.guild.id
    for _ in range(times):
        row = TableRow(0, guild, 77, game or room.game, "over", 0, 40, "{}", None, 1.0, 1.0, 2.0)
        players = [
            ResultPlayer(seat, user, place, 50 - place) for seat, (user, place) in enumerate(places.items())
        ]
        made = await store.create(StoreChange(row))
        await store.commit(StoreChange(made, result=MatchResult(tuple(players), rated=True)))


async def test_result_of_a_match_of_people_tells_their_ratings(room: Room) -> None:
    (ana, ben), result = await ended(room, "Ana", "Ben")
    rows = await room.host.store.results.of_table((await room.table()).id)
    after = rate([NEW, NEW], [row.place for row in rows])
    for person, rating in zip((ana, ben), after, strict=True):
        change = f"{rating.points - NEW.points:+}".replace("-", "−")
        assert f"**{person.name}** {rating.points} ({change})" in result.text


async def test_match_with_an_agent_tells_no_rating_and_stands_in_the_profile(room: Room) -> None:
    (ana, _ben), result = await ended(room, "Ana", "Ben", agents=1)
    assert "Ratings" not in result.text
    profile = await ana.command("/profile")
    assert "1 match" in profile.text
    assert "📈" not in profile.text
    assert ana.mention not in (await ana.command("/leaderboard")).text


async def test_profile_has_results_records_opponents_and_the_latest_matches(room: Room) -> None:
    ana, ben, cara = (room.person(name) for name in ("Ana", "Ben", "Cara"))
    await past(room, {ana.id: 1, ben.id: 2, cara.id: 3}, times=2)
    await past(room, {ana.id: 1, ben.id: 2})
    await past(room, {ben.id: 1, ana.id: 2}, game="artifact")
    profile = await ana.command("/profile")
    text = profile.text
    assert "4 matches, 3 won · favourite: " in text
    assert "2 players: 1 of 1 won · 3 players: 2 of 2 won" in text
    assert "best score 49 · quickest victory 40 moves" in text
    assert f"{ben.mention} · ahead 3, behind 1" in text
    assert f"{cara.mention} · ahead 2, behind 0" in text
    assert "place 1 of 3" in text
    assert "provisional" in text
    assert message_faults(profile.kept.components) == []
    seen = await cara.command("/profile", person=ana.actor)
    assert seen.text == text
    assert "Hide My Results" not in seen.buttons
    assert seen.ephemeral


async def test_profile_opens_from_a_persons_menu(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    await past(room, {ana.id: 1, ben.id: 2})
    shown = await ana.answered(await ana.actor.context_menu(room.channel, "Profile", ben.actor))
    assert shown.text == (await ana.command("/profile", person=ben.actor)).text
    assert shown.ephemeral


async def test_a_match_can_be_watched_again_from_the_profile(room: Room) -> None:
    (ana, _ben), _result = await ended(room, "Ana", "Ben")
    profile = await ana.command("/profile")
    film = await ana.press(profile, "1")
    assert film.text or film.files


async def test_purged_match_stays_in_the_profile_and_cannot_be_watched(room: Room) -> None:
    (ana, _ben), _result = await ended(room, "Ana", "Ben")
    assert "1" in (await ana.command("/profile")).buttons
    await room.host.store.purge(1e12)
    profile = await ana.command("/profile")
    assert "1 match" in profile.text
    assert "1" not in profile.buttons


async def test_largest_feat_stands_in_the_profile_with_a_way_to_its_match(room: Room) -> None:
    (ana, ben), _result = await ended(room, "Ana", "Ben")
    profile = await ana.command("/profile")
    assert "largest sale $2" in profile.text
    assert "largest sale" not in (await ben.command("/profile")).text, "Ben has sold nothing"
    (label,) = profile.menu("Watch a best match again").options
    assert label == "best score 2 · largest sale $2"
    assert message_faults(profile.kept.components) == []
    film = await ana.choose(profile, "Watch a best match again", label)
    assert film.text or film.files
    await room.host.store.purge(1e12)
    profile = await ana.command("/profile")
    assert "largest sale $2" in profile.text
    assert not profile.offers("Watch a best match again")


async def test_forged_choice_of_a_best_match_is_refused(room: Room) -> None:
    (ana, _ben), _result = await ended(room, "Ana", "Ben")
    profile = await ana.command("/profile")
    for values in (["x"], ["-1"], ["9" * 30], [""], ["99"]):
        press = ana.forging(profile, profile.menu("Watch a best").custom_id, values)
        await room.deliver(press)
        assert press.answered
        assert not press.answer.files


async def test_leaderboard_is_ordered_and_shows_the_own_line_on_every_page(room: Room) -> None:
    people = [room.person(name) for name in ("Ana", "Ben", "Cara")]
    ids = [person.id for person in people]
    await past(room, {user: place for place, user in enumerate(ids, 1)}, times=11)
    for n in range(10):
        await past(room, {ids[0]: 1, 900_000 + n: 2})
    board = await people[2].command("/leaderboard")
    lines = [line for line in board.text.splitlines() if "<@" in line]
    assert lines[0].startswith(f"🥇 {people[0].mention}")
    assert "👉" in next(line for line in lines if people[2].mention in line)
    assert "~" in board.text
    assert len(lines) == 11
    second = await people[2].press(board, "Next")
    assert second.text != board.text or second.id == board.id
    assert message_faults(second.kept.components) == []


async def test_another_game_and_an_older_season_can_be_chosen(room: Room) -> None:
    ana, ben = room.manager("Ana"), room.person("Ben")
    await past(room, {ana.id: 1, ben.id: 2})
    await past(room, {ben.id: 1, ana.id: 2}, game="artifact")
    board = await ana.command("/leaderboard")
    assert "Season 1" in board.text
    begun = await ana.press(await ana.press(board, "New Season"), "Begin the Season")
    assert "Season 2" in begun.text
    assert "No one has a rating yet" in begun.text
    older = await ana.choose(begun, "Season", "Season 1")
    assert "Season 1" in older.text
    other = await ana.choose(older, "Game", room.host.screens["artifact"].title())
    first = next(line for line in other.text.splitlines() if "<@" in line)
    assert ben.mention in first


async def test_only_managers_begin_seasons_and_switch_results_off(room: Room) -> None:
    ana, ben = room.manager("Ana"), room.person("Ben")
    await past(room, {ana.id: 1, ben.id: 2})
    board = await ben.command("/leaderboard")
    assert not {"New Season", "Switch Off Here"} & set(board.buttons)
    for forged in ("ds:0:new-season-now::1", "ds:0:ratings-here::off", "ds:0:new-season::1"):
        press = ben.forging(board, forged)
        await room.deliver(press)
        assert "manages this server" in press.answer.text
    off = await ana.press(await ana.command("/leaderboard"), "Switch Off Here")
    assert off.text.startswith("ℹ️ Results and ratings are off here now.")
    assert "stores no results" in off.text
    assert "never counts" in off.text
    refused = await ben.command("/profile")
    assert "### Profile" in refused.text
    assert "stores no results" in refused.text
    assert "with `/setup`" in refused.text
    await ended(room, "Ben", "Cara")
    assert await room.host.store.results.of_table((await room.table()).id) == []
    on = await ana.press(off, "Switch On Here")
    assert on.text.startswith("ℹ️ Results and ratings are on here again.")
    assert ben.mention in on.text


async def test_switching_results_on_at_a_profile_shows_the_profile(room: Room) -> None:
    ana, ben = room.manager("Ana"), room.person("Ben")
    await past(room, {ana.id: 1, ben.id: 2})
    await ana.press(await ana.command("/leaderboard"), "Switch Off Here")
    off = await ana.command("/profile", person=ben.actor)
    assert "### Profile" in off.text
    on = await ana.press(off, "Switch On Here")
    assert on.text.startswith("ℹ️ Results and ratings are on here again.")
    assert f"## {ben.mention}" in on.text
    await room.deliver(press := ben.forging(on, f"ds:0:ratings-on::{ana.id}"))
    assert "manages this server" in press.answer.text
    await room.deliver(press := ana.forging(on, "ds:0:ratings-on::x"))
    assert "older version" in press.answer.text


async def test_hidden_results_are_seen_by_nobody_and_no_more_are_kept(room: Room) -> None:
    (ana, ben), result = await ended(room, "Ana", "Ben")
    cara = room.person("Cara")
    never = (await ana.command("/profile", person=cara.actor)).text
    hidden = await ben.press(await ben.command("/profile"), "Hide My Results")
    assert "Your results are hidden" in hidden.text
    seen = await ana.command("/profile", person=ben.actor)
    assert seen.text.replace(ben.mention, "") == never.replace(cara.mention, "")
    assert ben.mention not in (await ana.command("/leaderboard")).text
    assert ben.mention not in (await ana.command("/profile")).text
    lobby = await ana.press(result, "Play Again")
    await ben.press(lobby, "Join")
    await ana.press(lobby, "Start Match")
    await room.stage(some_game.last_move(2))
    await some_game.move(ana, await ana.hand())
    assert "Ratings" not in (await room.result()).text
    rows = await room.host.store.results.with_person(ben.id)
    assert len([row for row in rows if row.user_id == ben.id]) == 1
    shown = await ben.press(await ben.command("/profile"), "Show My Results")
    assert "1 match" in shown.text


async def test_privacy_tells_of_results_and_deletes_them(room: Room) -> None:
    (ana, ben), _result = await ended(room, "Ana", "Ben")
    assert "1 finished match" in (await ben.command("/privacy")).text
    before = await room.host.store.results.with_person(ana.id)
    await ben.delete_data()
    after = await room.host.store.results.with_person(ana.id)
    assert [row.user_id for row in after if row.user_id is not None] == [ana.id]
    assert [row.after for row in after] == [row.after for row in before]
    assert "no results here" in (await ana.command("/profile", person=ben.actor)).text
    assert "I store no match" in (await ben.command("/privacy")).text
