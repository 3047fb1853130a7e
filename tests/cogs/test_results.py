"""Profiles and leaderboards: what a match that people have ended changes there, and what nobody sees."""

from __future__ import annotations

import pytest

from bot.ratings import ENOUGH, NEW, rate
from bot.store.model import Change as StoreChange
from bot.store.model import MatchResult, ResultPlayer, TableRow
from bot.tables import results
from tests.cogs import some_game
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room

OWN_PART = results.OWN_PART


@pytest.fixture(autouse=True)
def any_moves_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """The matches of these tests are rated though they consist of their last move."""
    monkeypatch.setattr(results, "OWN_PART", 0)


async def ended(room: Room, *names: str, agents: int = 0) -> tuple[list[Person], Page]:
    """A match of these people that has just ended."""
    people = await room.match_of(*names, agents=agents)
    return people, await last_move(room, people[0], len(names) + agents)


async def last_move(room: Room, first: Person, seats: int) -> Page:
    """The result of the match, whose last move its first person makes now. The last seat wins."""
    await room.stage(some_game.last_move(seats))
    await some_game.move(first, await first.hand())
    return await room.result()


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
    after = rate([NEW, NEW], [row.place for row in rows], [1 / ENOUGH] * 2)
    for person, rating in zip((ana, ben), after, strict=True):
        change = f"{rating.points - NEW.points:+}".replace("-", "−")
        assert f"**{person.name}** {rating.points} ({change})" in result.text
    assert "A match counts less against someone you have often met this season" in result.text


async def test_loser_who_hides_and_shows_their_results_during_a_match_has_lost_it(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await ana.press(await ana.command("/profile"), "Hide My Results")
    await room.restart()
    result = await last_move(room, ana, 2)
    assert f"📈 Ratings: **{ben.name}** 1026 (+26) · " in result.text, (
        "nobody sees the rating of a person who hides"
    )
    shown = await ana.press(await ana.command("/profile"), "Show My Results")
    assert "1 match, 0 won" in shown.text
    assert "📈 **about " in shown.text


async def test_match_that_began_while_a_person_hid_is_not_rated_though_they_show_their_results_later(
    room: Room,
) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    hidden = await ben.press(await ben.command("/profile"), "Hide My Results")
    assert "Matches that begin from now on" in hidden.text
    await ana.press(lobby, "Start Match")
    shown = await ben.press(hidden, "Show My Results")
    assert "No results with other people here yet" in shown.text
    await room.restart()
    result = await last_move(room, ana, 2)
    assert "Ratings" not in result.text
    assert "not rated" not in result.text, "nobody reads that somebody hid"
    assert "No results with other people here yet" in (await ben.command("/profile")).text
    assert "1 match" in (await ana.command("/profile")).text


async def test_friend_who_joins_and_leaves_at_once_brings_no_rating(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "OWN_PART", OWN_PART)
    ana, ben = await room.match_of("Ana", "Ben")
    more = await ben.press(await room.board(), "More")
    await ben.press(await ben.press(more, "Leave the Match"), "Leave Now")
    result = await last_move(room, ana, 2)
    assert "The match is not rated: fewer than two people made a third of the usual moves" in result.text
    assert "Ratings" not in result.text
    assert ana.mention not in (await ana.command("/leaderboard")).text
    assert "1 match" in (await ana.command("/profile")).text


async def test_match_with_hints_allowed_is_not_rated_though_nobody_took_one(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    await ana.press(lobby, "Allow Hints")
    await ana.press(lobby, "Start Match")
    result = await last_move(room, ana, 2)
    assert "The host allowed hints, so the match is not rated." in result.text
    assert "Ratings" not in result.text


async def test_profile_and_leaderboard_say_why_there_is_no_place_and_why_a_match_brought_little(
    room: Room,
) -> None:
    ana, ben, cara = (room.person(name) for name in ("Ana", "Ben", "Cara"))
    await past(room, {user: place for place, user in enumerate(range(900_000, 900_010), 1)})
    await past(room, {ana.id: 1, 900_000: 2}, times=3)
    await past(room, {ben.id: 1, **{900_000 + number: 2 for number in range(4)}, cara.id: 3})
    profile = (await ana.command("/profile")).text
    assert "no place yet: 1 of 5 different opponents" in profile
    assert "(counted 50%)" in profile
    assert "A match counts less against someone you have often met this season" in profile
    board = await ana.command("/leaderboard")
    assert f"▫️ 👉 {ana.mention} **" in board.text
    assert "▫️ no place yet: that needs 5 different opponents with a place" in board.text
    places = [line.split()[0] for line in board.text.splitlines() if "<@" in line]
    assert places[:4] == ["🥇", "🥈", "🥉", "4."], "those with a place come first"
    for new in range(800_000, 800_005):
        await past(room, {ana.id: 1, new: 2})
    assert "no place yet: too few of the opponents have a place" in (await ana.command("/profile")).text
    about = await ana.press(board, "How Ratings Work")
    assert "after 2 matches with someone the next one counts half" in about.text
    assert message_faults(about.kept.components) == []


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
    assert "fewer than 10 rated matches" in text
    assert message_faults(profile.kept.components) == []
    seen = await cara.command("/profile", person=ana.actor)
    assert seen.text == text.partition("\n### Against computer players")[0], "progress is the person's alone"
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
    others = {900_000 + n: 2 for n in range(10)}
    await past(room, {ids[0]: 1, **others, ids[1]: 3, ids[2]: 4})
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
