"""Matches of several people in a group DM, where the bot can do nothing but answer presses and commands."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from bot.tables import seats
from bot.tables.calling import WITH_HAND
from bot.tables.model import HOUR, MINUTE, Table
from bot.ui.call_choices import CALLS
from bot.ui.screens.ids import Id
from bot.ui.token_sender import POSTS_IN_GROUP
from tests.bot.store.bytes import traces
from tests.cogs import some_game
from tests.cogs.in_memory import ENGINES, PLAYED
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Room
from tests.cogs.test_threads import forget_nonces
from tests.cogs.without_server import Elsewhere, elsewhere, group_of

QUARTER = 15 * MINUTE + 1
"""So long that all tokens have expired."""
OWN = "your sets bring now"
"""A text that only a private screen has."""
FOLLOW_UPS = 5
"""How many follow-ups to an interaction Discord takes where the bot is not installed for all."""


@pytest.fixture(autouse=True)
def no_forbidden_request(room: Room) -> Iterator[None]:
    """The bot asks for nothing in a group DM to which it has no right, nor for more than Discord takes."""
    yield
    group = f"/{room.channel.id}"
    assert [each.path for each in room.env.http_requests if group in each.path] == []
    for interaction in room.env.backend.interactions.values():
        assert len(interaction.followup_ids) <= FOLLOW_UPS


def boards(room: Room) -> list[Page]:
    """The table messages of matches under way that stand in the channel, oldest first."""
    return [page for page in room.pages() if "More" in page.buttons]


async def match_of(room: Room, *names: str, agents: int = 0) -> list[Elsewhere]:
    """A match that has just begun; the agents sit after the first of these people."""
    people = group_of(room, *names)
    lobby = await people[0].command("start", agents=agents, agent_level="novice")
    for person in people[1:]:
        await person.press(lobby, "Join")
    await people[0].press(lobby, "Start Match")
    return people


async def hand(person: Elsewhere) -> Page:
    """The person's private screen, opened from the newest board."""
    page = await person.press(boards(person.room)[-1], "Hand")
    assert page.ephemeral
    return page


async def play(room: Room, people: list[Elsewhere], turns: int = 400, rng: Random | None = None) -> Table:
    """Plays on from the private screens until the match is over, or for so many presses."""
    rng, hands = rng or Random(5), dict[int, Page]()
    for _ in range(turns):
        table = await room.table()
        if not table.live:
            break
        asked = [table.seats[seat].user_id for seat in table.body.asked]
        person = next(person for person in people if person.id in asked)
        page = hands.get(person.id) or await hand(person)
        hands[person.id] = await some_game.act(person, page, rng)
        if not hands[person.id].buttons:
            del hands[person.id]
    return await room.table()


async def staged(room: Room, *names: str) -> list[Elsewhere]:
    """A match of two in which it is the first one's turn, and nobody has a private screen open."""
    people = await match_of(room, *names)
    await room.stage(some_game.TURN)
    return people


# -- a whole match


async def test_whole_match_is_played_from_the_command_to_the_podium_and_again(room: Room) -> None:
    ana, ben = people = group_of(room, "Ana", "Ben")
    lobby = await ana.command("start", agents=1, agent_level="novice")
    assert not lobby.ephemeral
    assert "In a group I can only answer" in lobby.text
    assert "**Ben**" in (await ben.press(lobby, "Join")).text
    assert "Only the host" in (await ben.press(lobby, "Start Match")).text
    await ana.press(lobby, "Start Match")
    assert "The match has started." in lobby.text
    [board] = boards(room)
    assert "it's your turn" in board.text.split("\n")[0]
    table = await play(room, people)
    assert table.status == "over"
    result, ended = await room.result(), await room.board()
    assert "🏆" in result.text
    assert ana.mention in result.text
    assert "The match is over" in ended.text
    assert boards(room) == []
    public = [page for page in room.pages() if page.id != ended.id]
    assert [page.id for page in public] == [lobby.id, table.body.messages.start, result.id]
    assert not table.body.messages.waits
    log = await ben.press(result, "Log")
    assert log.ephemeral
    assert "record" in (await ben.press(log, "Fairness")).text
    following = await ben.press(result, "Play Again")
    assert not following.ephemeral
    assert "**Ben** would like to play again" in following.text
    assert ana.mention in following.text
    assert "you have a seat" in (await ana.press(result, "Play Again")).text
    assert "**Ana**" in following.text


async def test_no_public_message_has_anything_of_a_hand(room: Room) -> None:
    people = await match_of(room, "Ana", "Ben")
    await play(room, people, 12)
    for page in room.pages():
        assert OWN not in page.text
    for person in people:
        assert OWN in (await hand(person)).text


async def test_calls_move_the_board_down_and_name_only_people_who_are_not_there(room: Room) -> None:
    ana, ben = await staged(room, "Ana", "Ben")
    mine = await hand(ana)
    before = boards(room)[-1]
    await ana.press(mine, "End Turn")
    [board] = boards(room)
    assert board.id > before.id
    assert not before.exists
    assert board.text.startswith(ben.mention)
    theirs = await hand(ben)
    await ben.press(theirs, "Dig")
    await ben.press(theirs, "End Turn")
    assert boards(room) == [board], "Ana is at her screen, so the board is only edited"
    assert ana.mention not in board.text
    await room.minds_wander()
    [called] = boards(room)
    assert called.text.startswith(ana.mention)


@pytest.mark.parametrize("game", PLAYED)
async def test_every_game_fits_into_the_messages_of_a_group(room: Room, game: str) -> None:
    names = ["Ana", "Ben", "Cleo", "Dan", "Eve", "Fay"][: ENGINES[game].max_seats]
    people = group_of(room, *names)
    lobby = await people[0].command(f"/{game} start")
    for person in people[1:]:
        await person.press(lobby, "Join")
    await people[0].press(lobby, "Start Match")
    [board] = boards(room)
    assert message_faults(board.kept.components) == []
    assert "In a group I can only answer" in board.text
    table = await room.table()
    called = [table.seats[seat].user_id for seat in table.body.asked]
    assert called
    assert all(f"<@{user}>" in board.text for user in called)


# -- without a token


async def test_what_is_due_without_a_token_waits_for_the_next_press(room: Room) -> None:
    _ana, ben = await staged(room, "Ana", "Ben")
    board = boards(room)[-1]
    await room.later(QUARTER)
    shown, requests = board.text, len(room.env.http_requests)
    await room.later(25 * HOUR)
    table = await room.table()
    assert table.sequence > 0, "an agent has played for Ana, whose time was up"
    assert table.body.messages.waits
    assert len(room.env.http_requests) == requests
    assert board.text == shown
    [eve] = [Elsewhere(room, room.person("Eve").actor, "group", room.channel.id)]
    assert (await eve.press(board, "More")).ephemeral
    assert not board.exists, "the press is a token for the old board"
    [board] = boards(room)
    assert ben.mention in board.text.split("\n")[0]
    assert not (await room.table()).body.messages.waits
    assert "▶️ **Your turn**" in (await hand(ben)).text


async def test_press_on_a_private_screen_posts_a_board_that_can_no_longer_be_edited(room: Room) -> None:
    ana, ben = await staged(room, "Ana", "Ben")
    mine = await hand(ana)
    old = boards(room)[-1]
    await room.later(QUARTER)
    await some_game.move(ana, mine)
    first, new = boards(room)
    assert first.id == old.id
    assert "$2" in new.text
    assert "$2" not in old.text
    await ana.press(mine, "End Turn")
    [still, called] = boards(room)
    assert still.id == old.id, "without a token it cannot be deleted"
    assert called.text.startswith(ben.mention)
    assert "**Your turn**" in (await ben.press(old, "Hand")).text
    assert boards(room) == [called], "its press is a token"


@pytest.mark.parametrize("crash", [False, True])
async def test_match_goes_on_after_a_restart_in_its_middle(room: Room, crash: bool) -> None:
    people = await match_of(room, "Ana", "Ben", agents=1)
    await play(room, people, 6)
    await room.restart(crash=crash)
    assert (await room.table()).body.asleep is None
    await room.later(QUARTER)
    await room.host.housekeeping.removals.doubt(0)
    assert (await room.table()).body.asleep is None
    assert (await play(room, people)).status == "over"
    assert "🏆" in (await room.result()).text


async def test_end_that_no_press_has_brought_is_told_at_the_next_press(room: Room) -> None:
    ana, ben = await match_of(room, "Ana", "Ben")
    await room.stage(some_game.last_move(2))
    board = boards(room)[-1]
    await room.restart()
    await room.later(60 * HOUR)
    table = await room.table()
    assert table.status == "over"
    assert table.body.messages.result is None
    assert (await ben.press(board, "Prices & Rules")).ephemeral
    assert "🏆" in (await room.result()).text
    assert "The match is over" in board.text
    requests = len(room.env.http_requests)
    await ana.press(board, "Log")
    made = [each.method for each in room.env.http_requests[requests:]]
    assert made == ["POST", "POST"], "nothing is left to draw"


async def delayed_start(room: Room) -> tuple[Elsewhere, Page]:
    """Ben and the lobby of a match whose start message Discord did not take."""
    ana, ben = group_of(room, "Ana", "Ben")
    lobby = await ana.command("start")
    await ben.press(lobby, "Join")
    room.fail("POST", "/webhooks/*", 404, 10015)
    await ana.press(lobby, "Start Match")
    assert (await room.table()).starting
    return ben, lobby


async def test_start_goes_on_at_the_next_press_if_discord_took_no_start_message(room: Room) -> None:
    ben, lobby = await delayed_start(room)
    assert "The match is about to begin" in lobby.text
    await room.later(QUARTER)
    await room.restart()
    assert (await room.table()).starting
    await ben.press(lobby, "Rules")
    assert (await room.table()).status == "playing"
    assert len(boards(room)) == 1


async def test_refused_follow_up_waits_for_the_next_press(room: Room) -> None:
    ana, ben = await staged(room, "Ana", "Ben")
    mine = await hand(ana)
    room.fail("POST", "/webhooks/*", 403, 40094)
    await ana.press(mine, "End Turn")
    assert (await room.table()).body.messages.waits
    await ana.press(mine, "?")
    assert boards(room)[-1].text.startswith(ben.mention)


async def test_board_whose_answer_got_lost_is_posted_again_and_the_first_goes_when_it_is_pressed(
    room: Room,
) -> None:
    ana, ben = await staged(room, "Ana", "Ben")
    mine, before = await hand(ana), boards(room)[-1]
    with room.answers_lost("POST", "/webhooks/", "your turn"):
        await ana.press(mine, "End Turn")
    assert len(boards(room)) == 2
    await room.later(MINUTE)
    first, again = boards(room)
    assert first.id != before.id
    assert again.text == first.text
    assert (await room.table()).body.messages.board == again.id
    assert (await ben.press(first, "Hand")).ephemeral
    assert boards(room) == [again]


async def test_board_that_a_killed_process_did_not_note_goes_when_it_is_pressed(room: Room) -> None:
    """It is newer than the noted board, which shows the match all the same once somebody presses it."""
    ana, ben = await staged(room, "Ana", "Ben")
    await room.host.call_choices.choose(ben.id, CALLS, WITH_HAND)
    mine, noted = await hand(ana), boards(room)[-1]
    await room.later(QUARTER)
    with room.answers_lost("POST", "/webhooks/", "More"):
        await ana.press(mine, "End Turn")
        await room.restart(crash=True)
    [still, unnoted] = boards(room)
    assert still.id == noted.id
    await room.later(QUARTER)
    await ben.press(noted, "More")
    assert (await room.table()).body.messages.board == noted.id
    assert unnoted.exists
    assert (await ben.press(unnoted, "Hand")).ephemeral
    await room.catch_up()
    assert boards(room) == [noted]


async def test_token_posts_no_more_messages_than_discord_takes(room: Room) -> None:
    ana, _ben = await staged(room, "Ana", "Ben")
    mine = await hand(ana)
    for number in range(POSTS_IN_GROUP):
        room.delete(boards(room)[-1])
        await room.stage(some_game.TURN if number % 2 else some_game.beginning())
        assert len(boards(room)) == 1, number
    room.delete(boards(room)[-1])
    await room.stage(some_game.beginning())
    assert boards(room) == []
    assert (await room.table()).body.messages.waits
    await ana.press(mine, "Dig")
    assert len(boards(room)) == 1


# -- who and where


async def test_strangers_of_the_group_see_no_hand_and_may_watch_and_take_over(room: Room) -> None:
    _ana, ben = await match_of(room, "Ana", "Ben")
    eve = Elsewhere(room, room.person("Eve").actor, "group", room.channel.id)
    board = boards(room)[-1]
    refused = await eve.press(board, "Hand")
    assert refused.ephemeral
    assert "You're not at this table" in refused.text
    watched = await eve.press(await eve.press(board, "More"), "Watch")
    assert watched.ephemeral
    assert OWN not in watched.text
    sure = await ben.press(await ben.press(board, "More"), "Leave the Match")
    await ben.press(sure, "Leave Now")
    taken = await eve.press(await eve.press(boards(room)[-1], "More"), "Take Over from Ben")
    assert OWN in taken.text
    assert taken.ephemeral
    assert (await room.table()).seat_of(eve.id) == 1


async def test_end_is_voted_on_by_all(room: Room) -> None:
    ana, ben = await match_of(room, "Ana", "Ben")
    sure = await ana.press(await ana.press(boards(room)[-1], "More"), "End the Match")
    assert "agrees too" in (await ana.press(sure, "End the Match")).text
    await ben.press(boards(room)[-1], "Agree to End")
    assert (await room.table()).status == "abandoned"
    assert "🏁" in (await room.result()).text


async def test_group_holds_one_table_and_several_groups_hold_several(room: Room) -> None:
    room.settings.tables_per_server = room.settings.new_tables_per_server = 1
    await room.restart()
    for name in ("Ana", "Ben"):
        [person] = group_of(room, name)
        assert "Join" in (await person.command("start")).buttons
    assert "There is already a match here" in (await person.command("start")).text
    assert "only works on a server" in (await person.command("start", same_deal="x")).text


async def test_tables_in_groups_count_for_their_opener(room: Room) -> None:
    room.settings.tables_per_person = 1
    await room.restart()
    [ana] = group_of(room, "Ana")
    await ana.command("start")
    other = room.env.backend.create_channel(None, None, type=1)
    refused = await Elsewhere(room, ana.actor, "group", other.id).command("start")
    assert "You've opened 1 table" in refused.text
    assert refused.ephemeral


async def test_table_command_posts_the_table_below(room: Room) -> None:
    ana, ben = group_of(room, "Ana", "Ben")
    lobby = await ana.command("start")
    below = await ben.command("table")
    assert "Join" in below.buttons
    assert not below.ephemeral
    await room.later(QUARTER)
    assert not lobby.exists
    await ben.press(below, "Join")
    await ana.press(below, "Start Match")
    await room.later(QUARTER)
    old = boards(room)[-1]
    board = await ben.command("table")
    assert [page.id for page in boards(room)] == [old.id, board.id]
    assert (await room.table()).body.messages.board == board.id
    assert OWN in (await ana.command("hand")).text
    assert "### The match" in (await ana.command("log")).text


async def test_late_answer_to_the_command_is_seen_by_all(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.ui.interaction.DEFER_AFTER", 0.0)
    ana, ben = group_of(room, "Ana", "Ben")
    await ana.command("start")
    [lobby] = room.pages()
    assert (await room.table()).body.messages.lobby == lobby.id
    await ben.press(lobby, "Join")
    await ana.press(lobby, "Start Match")
    assert len(boards(room)) == 1


async def test_own_private_match_is_found_in_a_group_without_a_table(room: Room) -> None:
    ana = elsewhere(room, "Ana", "dm")
    await ana.command("start", agents=1)
    group = Elsewhere(room, ana.actor, "group", room.env.backend.create_channel(None, None, type=1).id)
    for name in ("hand", "table"):
        page = await group.command(name)
        assert page.ephemeral
        assert "**Market** (trade value)" in page.text


async def test_match_is_listed_and_opened_from_the_persons_own_messages(room: Room) -> None:
    ana, _ben = await match_of(room, "Ana", "Ben")
    own = Elsewhere(room, ana.actor, "dm")
    listed = await own.command("/games mine")
    assert f"https://discord.com/channels/@me/{room.channel.id}/" in listed.text
    assert OWN in (await own.press(listed, "Open")).text


async def test_move_from_the_persons_own_messages_shows_in_the_group_at_the_next_press_there(
    room: Room,
) -> None:
    ana, ben = await staged(room, "Ana", "Ben")
    await room.later(QUARTER)
    own = Elsewhere(room, ana.actor, "dm")
    screen = await own.press(await own.command("/games mine"), "Open")
    [board], before = boards(room), boards(room)[0].text
    await own.press(screen, "End Turn")
    assert (await room.table()).body.messages.waits
    assert boards(room) == [board]
    assert board.text == before
    assert "**Your turn**" in (await ben.press(board, "Hand")).text
    assert "It is **Ben**'s turn" in boards(room)[-1].text


async def test_people_who_wish_so_are_called_by_letter(room: Room) -> None:
    ana, ben = await staged(room, "Ana", "Ben")
    await room.host.call_choices.choose(ben.id, CALLS, WITH_HAND)
    before = boards(room)[-1]
    await ana.press(await hand(ana), "End Turn")
    assert boards(room) == [before], "nobody is called here"
    [letter] = room.letters(ben)
    assert f"/@me/{room.channel.id}/" in letter.links["Go to the Table"]
    assert list((await room.table()).body.messages.letters) == [ben.id]
    await room.later(QUARTER)
    page = await ben.press(boards(room)[-1], "Dig")
    await ben.press(page, "End Turn")
    await room.later(60)
    assert room.letters(ben) == []
    assert (await room.table()).body.messages.letters == {}


async def test_results_count_for_no_rating(room: Room) -> None:
    people = await match_of(room, "Ana", "Ben")
    await room.stage(some_game.last_move(2))
    table = await play(room, people, 5)
    assert table.status == "over"
    assert await room.host.store.results.of_table(table.id) == []
    assert "📈" not in (await room.result()).text


async def test_deleted_data_leave_nothing_and_the_name_goes_at_the_next_press(room: Room) -> None:
    ana, ben = await match_of(room, "Anastasia", "Ben")
    await room.later(QUARTER)
    folder = room.settings.database_path.parent
    assert traces(folder, "Anastasia", ana.id)
    dm = Elsewhere(room, ana.actor, "dm")
    sure = await dm.press(await dm.command("/privacy"), "Delete My Data")
    assert "Done" in (await dm.press(sure, "Delete Permanently")).text
    assert traces(folder, "Anastasia", ana.id) == {}
    board = boards(room)[-1]
    assert "Anastasia" in board.text
    await ben.press(board, "Hand")
    assert all("Anastasia" not in page.text for page in boards(room))


async def test_forged_and_unknown_messages_do_no_harm(room: Room) -> None:
    _ana, ben = await match_of(room, "Ana", "Ben")
    table, board = await room.table(), boards(room)[-1]
    for intent in ("start", "again", "thread-open", "again-in-thread", "join", "back"):
        answer = await ben.press_id(board, str(Id(intent, table.id)))
        assert answer.ephemeral, intent
    assert (await room.table()).id == table.id


@pytest.mark.parametrize("where", ["dm", "server", "another group"])
async def test_forged_press_from_elsewhere_reaches_no_table_of_a_group(room: Room, where: str) -> None:
    _ana, ben = await match_of(room, "Ana", "Ben")
    table = await room.table()
    eve = room.person("Eve").actor
    if where == "another group":
        other = room.env.backend.create_channel(None, None, type=1)
        stranger = Elsewhere(room, eve, "group", other.id)
    else:
        stranger = Elsewhere(room, eve, "server" if where == "server" else "dm")
    page = await stranger.command("/settings")
    async with room.host.tables.change(table.id) as draft:
        seats.leave(draft, ben.id)
    for intent in ("watch", "more", "log", "take-over"):
        answer = await stranger.press_id(page, str(Id(intent, table.id, arg="1")))
        assert "**Ana**" not in answer.text, intent
        assert OWN not in answer.text, intent
    assert (await room.table()).seat_of(eve.id) is None


async def test_letter_is_noted_though_discord_refuses_the_board(room: Room) -> None:
    ana, ben = await staged(room, "Ana", "Ben")
    await room.host.call_choices.choose(ben.id, CALLS, WITH_HAND)
    mine = await hand(ana)
    room.delete(boards(room)[-1])
    room.fail("POST", "/webhooks/*", 403, 40094)
    await ana.press(mine, "End Turn")
    [letter] = room.letters(ben)
    table = await room.table()
    assert table.body.messages.waits
    assert table.body.messages.letters == {ben.id: (letter.channel_id, letter.id)}
    forget_nonces()
    await room.later(QUARTER)
    await ana.press(mine, "?")
    assert len(boards(room)) == 1
    assert room.letters(ben) == [letter]


async def test_letter_that_discord_has_refused_is_not_tried_again_for_the_same_call(room: Room) -> None:
    ana, ben = await staged(room, "Ana", "Ben")
    await room.host.call_choices.choose(ben.id, CALLS, WITH_HAND)
    mine = await hand(ana)
    room.fail("POST", "/webhooks/*", 403, 40094)
    room.fail("POST", "/users/@me/channels", 403, 50007, times=None)
    await ana.press(mine, "End Turn")
    assert (await room.table()).body.messages.waits
    for _redraw in range(3):
        async with room.host.tables.change((await room.table()).id) as draft:
            draft.touch()
        await room.later(MINUTE)
    assert len(list(room.requests("POST", "/users/@me/channels"))) == 1
    await ana.press(mine, "?")
    assert boards(room)[-1].text.startswith(ben.mention), "he is called in the group"


async def test_table_command_leaves_the_calls_that_were_made_meanwhile(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = await staged(room, "Ana", "Ben")
    await room.host.call_choices.choose(ben.id, CALLS, WITH_HAND)
    read_before, brought = await room.table(), room.host.presenter.moved_to_bottom
    await ana.press(await hand(ana), "End Turn")
    [letter] = room.letters(ben)
    monkeypatch.setattr(
        room.host.presenter, "moved_to_bottom", lambda _table, *rest: brought(read_before, *rest)
    )
    below = await ana.command("table")
    assert (await room.table()).body.messages.board == below.id
    assert room.letters(ben) == [letter]


async def test_result_that_waits_for_a_press_is_not_tried_again_before_one(room: Room) -> None:
    ana, _ben = await match_of(room, "Ana", "Ben")
    await room.stage(some_game.last_move(2))
    mine = await hand(ana)
    room.fail("POST", "/webhooks/*", 403, 40094)
    await some_game.move(ana, mine)
    table = await room.table()
    assert table.awaits_result
    assert table.body.messages.waits
    assert await room.host.store.due(room.clock.now() + 10 * MINUTE) == []
    await ana.press(mine, "?")
    assert "🏆" in (await room.result()).text


async def test_start_that_waits_is_not_forgotten_by_a_redraw_of_the_lobby(room: Room) -> None:
    ben, lobby = await delayed_start(room)
    async with room.host.tables.change((await room.table()).id) as draft:
        draft.touch()
    await room.later(QUARTER)
    assert (await room.table()).starting
    await ben.press(lobby, "Rules")
    assert (await room.table()).status == "playing"
