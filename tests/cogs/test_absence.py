"""People come and go: leaving, taking over, coming back, running out of time, pausing, ending."""

from __future__ import annotations

from typing import Any

import pytest

from bot.store.store import Store
from bot.tables import seats
from bot.tables.model import DAY, HOUR
from tests.cogs.archaeology_family import crafted
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room, until

MINUTE = 60


async def leave(person: Person) -> Page:
    """Leaves the match by the board's buttons."""
    more = await person.press(await person.room.board(), "More")
    sure = await person.press(more, "Leave the Match")
    return await person.press(sure, "Leave Now")


async def long_match(room: Room, *names: str, **options: Any) -> list[Person]:
    """A match in which the first person is to dig, and treasures are all that the next cards are."""
    people = await room.match_of(*names, **options)
    seats = len((await room.table()).seats)
    hands = [{"coin": 2, "map": 1}, *[{"pot_shard": 3} for _ in range(seats - 1)]]
    await room.stage(crafted.craft(hands, market={"talisman": 2}, site=["parchment_scrap"] * 8))
    return people


async def test_who_leaves_gives_the_seat_to_an_agent_and_loses_sight_of_the_hand(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben")
    hand = await ben.hand()
    assert "Pot Shard" in hand.text
    answer = await leave(ben)
    assert (
        "A computer player plays for you until you press **I'm Back** or someone takes your seat over."
        in answer.text
    )
    assert not hand.exists, "a page took its place"
    board = await room.board()
    assert "🤖\u00a0**Ben**" in board.text
    assert "left" in board.text
    digs = (await room.table()).sequence
    await ana.press(board, "Dig")
    await ana.press(page := await ana.hand(), "End Turn")
    assert (await room.table()).sequence > digs + 2, "the agent has played Ben's turn"
    assert "Dig" in page.buttons
    await room.minds_wander()
    (announcement,) = room.announcements()
    assert ana.mention in announcement.text


async def test_the_hands_of_others_say_that_somebody_left(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    hers = await ana.hand()
    await leave(ben)
    assert "**Ben** left; a computer player plays on." in (await ana.hand()).text
    assert hers.id


async def test_who_left_comes_back_while_the_seat_is_free(room: Room) -> None:
    _ana, ben = await long_match(room, "Ana", "Ben")
    await leave(ben)
    board = await room.board()
    page = await ben.press(board, "I'm Back")
    assert "Pot Shard" in page.text
    assert "🤖" not in board.text.partition("-#")[0]
    assert "I'm Back" not in board.buttons


async def test_a_person_who_leaves_computer_players_alone_reads_the_same_everywhere(room: Room) -> None:
    paused = "the match is paused until you press **I'm Back** or someone takes your seat over"
    (ana,) = await room.match_of("Ana", agents=1)
    more = await ana.press(await room.board(), "More")
    sure = await ana.press(more, "Leave the Match")
    assert "so the match is paused until you come back" in sure.text
    assert paused in (await ana.press(sure, "Leave Now")).text
    board = await room.board()
    assert "The match is paused: no one is here to play. Press **I'm Back** to go on." in board.text
    assert paused in (await ana.press(board, "Hand")).text
    assert paused in (await ana.press(board, "More")).text
    hand = await ana.command("hand")
    assert paused in hand.text
    back = await ana.press(hand, "I'm Back")
    assert " · 💰 $" in back.text
    assert "You left" not in back.text, "no computer player has moved meanwhile"


async def test_a_person_who_left_finds_the_way_back_by_the_button_of_their_hand(room: Room) -> None:
    _ana, ben = await long_match(room, "Ana", "Ben")
    await leave(ben)
    page = await ben.press(await room.board(), "Hand")
    assert (
        "A computer player plays for you until you press **I'm Back** or someone takes your seat over."
        in page.text
    )
    assert " · 💰 $" not in page.text
    assert "Pot Shard" in (await ben.press(page, "I'm Back")).text


async def test_somebody_new_takes_the_seat_over_and_the_old_owner_stays_out(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben")
    cara = room.person("Cara")
    await leave(ben)
    board = await room.board()
    offer = await cara.press(board, "Hand")
    page = await cara.press(offer, "Take Over from Ben")
    assert "Pot Shard" in page.text
    assert "**Cara**" in board.text
    assert "**Ben**" not in board.text.partition("Dig site")[2].partition("-# ")[0]
    assert "I'm Back" not in board.buttons
    assert "not at this table" in (await ben.command("hand")).text
    outside = await ben.press(board, "More")
    assert not [label for label in outside.buttons if label.startswith("Take Over")]
    assert ana.mention in room.announcements()[0].text


async def test_a_seat_is_taken_over_from_the_board_and_the_old_owner_is_no_longer_called_back(
    room: Room,
) -> None:
    _ana, ben = await long_match(room, "Ana", "Ben")
    cara, dan = room.person("Cara"), room.person("Dan")
    board = await room.board()
    watching = await dan.press(board, "Watch")
    assert "Take Over" not in {*board.buttons, *watching.buttons}, "nobody is gone"
    outside = await leave(ben)
    assert "I'm Back" in outside.buttons
    assert "Take Over" not in outside.buttons
    assert "Take Over" in watching.buttons
    await cara.press(await cara.press(board, "Take Over"), "Take Over from Ben")
    assert "Take Over" not in {*board.buttons, *watching.buttons}
    assert "I'm Back" not in outside.text
    assert "I'm Back" not in outside.buttons
    assert "**Cara** takes over" in outside.text


async def test_a_seated_person_who_presses_take_over_has_their_hand(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben")
    await leave(ben)
    assert " · 💰 $" in (await ana.press(await room.board(), "Take Over")).text


async def test_nobody_takes_a_seat_over_who_has_seen_another_hand(room: Room) -> None:
    _ana, ben, cara = await long_match(room, "Ana", "Ben", "Cara")
    await leave(ben)
    await leave(cara)
    dan = room.person("Dan")
    await dan.press(await dan.press(await room.board(), "More"), "Take Over from Ben")
    more = await ben.press(await room.board(), "More")
    assert "played another seat" in (await ben.press(more, "Take Over from Cara")).text


async def test_who_left_is_offered_their_own_seat_alone(room: Room) -> None:
    _ana, ben, cara = await long_match(room, "Ana", "Ben", "Cara")
    await leave(ben)
    await leave(cara)
    more = await ben.press(await room.board(), "More")
    assert list(more.buttons) == ["Log", "Watch", "Fairness", "I'm Back"]
    assert " · 💰 $" in (await ben.press(more, "I'm Back")).text


async def test_who_sat_in_the_lobby_alone_has_seen_no_hand(room: Room) -> None:
    lobby, (ana, _ben, cara) = await room.lobby_of("Ana", "Ben", "Cara", agents=1)
    await cara.press(lobby, "Leave")
    await ana.press(lobby, "Start Match")
    more = await cara.press(await room.board(), "More")
    page = await cara.press(more, more.label("Take Over"))
    assert " · 💰 $" in page.text


async def test_two_people_who_take_the_same_seat_at_once_do_not_both_get_it(room: Room) -> None:
    _ana, ben = await long_match(room, "Ana", "Ben")
    await leave(ben)
    cara, dan = room.person("Cara"), room.person("Dan")
    board = await room.board()
    first, second = await cara.press(board, "More"), await dan.press(board, "More")
    presses = [
        cara.pressing(first, first.label("Take Over")),
        dan.pressing(second, second.label("Take Over")),
    ]
    await room.deliver(*presses)
    hands = [press for press in presses if "Pot Shard" in press.answer.text]
    assert len(hands) == 1
    other = next(press for press in presses if press not in hands)
    assert "seat is already taken" in other.answer.text


async def test_the_old_owners_open_screen_loses_the_hand_when_the_seat_is_taken_over(room: Room) -> None:
    _ana, ben = await long_match(room, "Ana", "Ben")
    page = await ben.hand()
    async with room.host.tables.change(
        (await room.table()).id
    ) as draft:  # as if no edit had reached Ben's screen yet
        seats.leave(draft, ben.id)
    cara = room.person("Cara")
    more = await cara.press(await room.board(), "More")
    await cara.press(more, more.label("Take Over"))
    assert "Pot Shard" not in page.text
    assert "no longer at this table" in page.text


@pytest.mark.parametrize("label", ["Log", "Hand", "Watch"])
async def test_whatever_is_pressed_while_a_seat_is_taken_over_is_shown(
    room: Room, monkeypatch: pytest.MonkeyPatch, label: str
) -> None:
    """The takeover is stored between the two reads of the screen: that of the table, and that of its log."""
    ana, ben = await long_match(room, "Ana", "Ben")
    await leave(ben)
    board, cara = await room.board(), room.person("Cara")
    more = await cara.press(board, "More")
    take, read, begun = cara.pressing(more, more.label("Take Over")), Store.log, False
    presser = room.person("Eve") if label == "Watch" else ana
    press = presser.pressing(board if label == "Hand" else await presser.press(board, "More"), label)

    async def overtaken(store: Store, *given: Any, **options: Any) -> Any:
        nonlocal begun
        if not begun:
            begun = True
            room.emit(take)
            await until(lambda: take.answered)
        return await read(store, *given, **options)

    room.host.tables.cache.tails.forget((await room.table()).id)
    monkeypatch.setattr(Store, "log", overtaken)
    await room.deliver(press)
    assert begun
    assert "went wrong" not in press.answer.text
    assert "**Cara**" in press.answer.text


async def test_a_reminder_comes_when_most_of_the_time_is_used_up(room: Room) -> None:
    ana, _ben = await long_match(room, "Ana", "Ben", turn_limit="1h")
    (first,) = room.announcements()
    await room.later(44 * MINUTE)
    assert room.announcements() == [first]
    await room.later(2 * MINUTE)
    (second,) = room.announcements()
    assert second != first
    assert ana.mention in second.text
    assert "⏰" in second.text
    await room.later(5 * MINUTE)
    assert room.announcements() == [second], "one reminder a turn"


async def test_the_reminder_tells_the_time_that_an_own_action_has_gained(room: Room) -> None:
    ana, _ben = await long_match(room, "Ana", "Ben", turn_limit="1h")
    await room.later(59 * MINUTE)
    (before,) = room.announcements()
    text = before.text
    await ana.press(await room.board(), "Dig")
    assert room.announcements() == [before], "nobody is rung anew"
    assert before.text != text
    asked = (await room.table()).body.asked[0]
    assert f"<t:{int(asked.deadline or 0)}:R>" in before.text


async def test_after_the_bot_was_down_board_and_reminder_tell_the_time_that_is_left(room: Room) -> None:
    ana, _ben = await long_match(room, "Ana", "Ben", turn_limit="1h")
    begun = room.clock.now()
    await room.later(40 * MINUTE)
    await room.host.close()
    room.clock.advance(3 * HOUR)
    await room.restart()
    await room.later(6 * MINUTE)
    runs_out = f"<t:{int(begun + 4 * HOUR)}:R>"
    assert runs_out in (await room.board()).text
    (reminder,) = room.announcements()
    assert reminder.text.startswith(f"⏰ {ana.mention}")
    assert runs_out in reminder.text


async def test_without_a_limit_somebody_is_reminded_once(room: Room) -> None:
    ana, _ben = await long_match(room, "Ana", "Ben", turn_limit="none")
    (first,) = room.announcements()
    await room.later(DAY)
    (second,) = room.announcements()
    assert second != first
    assert second.text.startswith(f"⏰ {ana.mention}, it's your turn.")
    await room.later(30 * DAY)
    assert room.announcements() == [second]


async def test_an_agent_plays_for_who_runs_out_of_time_and_the_match_goes_on(room: Room) -> None:
    _ana, ben = await long_match(room, "Ana", "Ben", turn_limit="1h")
    await room.later(HOUR + 1)
    board = await room.board()
    assert "ran out of time" in (await ben.press(board, "Log")).text
    assert (await room.table()).sequence >= 1
    await room.later(HOUR + 1)
    await room.later(HOUR + 1)
    assert (await room.table()).sequence >= 3, "one absent player stalls nobody"


async def test_who_plays_in_time_is_not_punished(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben", turn_limit="5m")
    for person in (ana, ben, ana, ben):
        await room.later(4 * MINUTE)
        page = await person.hand()
        await person.press(page, "Dig")
        await room.later(MINUTE + 30)
        await person.press(page, "End Turn")
    assert "ran out" not in (await ana.command("log")).text


async def away(room: Room, *people: Person) -> None:
    """Lets time run out until agents play for all of these people."""
    for _ in range(12):
        await room.later(HOUR + 1)
        seats = (await room.table()).seats
        if all(seat.away for seat in seats if seat.user_id in [person.id for person in people]):
            return
    raise AssertionError("nobody went away")


async def test_a_match_that_nobody_plays_is_paused_and_goes_on_when_somebody_is_back(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben", turn_limit="1h")
    await away(room, ana, ben)
    board = await room.board()
    assert "paused" in board.text
    assert "🌙\u00a0**Ana**" in board.text, "who is away is marked"
    hers = await ana.hand()
    assert "The match is paused" in hers.text
    assert "a computer player plays until you" not in hers.text, (
        "the news and the pause do not contradict each other"
    )
    assert list(hers.buttons) == ["I'm Back", "?"], "nothing that would be refused"
    assert not room.announcements(), "nobody is called in a pause"
    moves = (await room.table()).sequence
    await room.later(DAY)
    assert (await room.table()).sequence == moves
    page = await ben.press(board, "I'm Back")
    assert " · 💰 $" in page.text
    assert "paused" not in board.text.partition("Market")[0]
    assert "🌙\u00a0**Ben**" not in board.text
    await room.minds_wander()
    (announcement,) = room.announcements()
    assert ben.mention in announcement.text, "an agent has played what Ana was asked, if she was"
    await ben.press(page, "Dig")
    assert (await room.table()).sequence > moves


async def test_a_press_in_a_pause_says_how_to_go_on(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben", turn_limit="1h")
    seen = ana.pressing(await room.board(), "Dig")
    await away(room, ana, ben)
    dig = seen.now()
    await room.deliver(dig)
    assert "paused" in dig.answer.text
    assert "I'm Back" in dig.answer.text


async def test_a_paused_match_ends_after_a_week(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben", turn_limit="1h")
    await away(room, ana, ben)
    await room.later(7 * DAY + 1)
    board = await room.board()
    assert "for a week" in board.text
    assert "I'm Back" not in board.buttons
    assert "Join" in (await ana.command("start")).buttons


async def test_who_is_away_sees_it_on_their_own_screen_and_comes_back_there(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben", turn_limit="1h")
    for _ in range(12):
        await room.later(HOUR + 1)
        if (await room.table()).seats[1].away:
            break
        if "Dig" in (page := await ana.hand()).buttons:
            await ana.press(page, "Dig")
        if "End Turn" in page.buttons:
            await ana.press(page, "End Turn")
    page = await ben.hand()
    assert "computer player plays for you" in page.text
    back = ben.pressing(page, "I'm Back")
    await room.deliver(back)
    assert "computer player plays for you" not in page.text
    assert "I'm Back" not in (await room.board()).buttons
    again = back.now()
    await room.deliver(again)
    assert "already here" in again.answer.text


# -- ending


async def end(person: Person) -> Page:
    """Ends the match by command, or wishes to."""
    sure = await person.command("end")
    return await person.press(sure, next(iter(sure.buttons)))


async def test_all_who_are_here_end_a_match_together(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben", agents=1)
    answer = await end(ana)
    assert "once **Ben** agrees" in answer.text
    board = await room.board()
    assert "wants to end" in board.text
    answer = await ben.press(board, "Agree to End")
    assert answer.ephemeral, "the answer is Ben's, and the board stays as it is"
    assert "has ended" in answer.text, "the button was the question: nothing is asked again"
    assert "agreed to end the match: **Ana** and **Ben**." in board.text
    assert "Dig" not in board.buttons
    assert not room.announcements()
    assert "Join" in (await ben.command("start")).buttons, "the channel is free"


async def test_who_agrees_agrees_with_the_others_and_ends_nothing_alone(room: Room) -> None:
    boss = room.person("Boss", manages=True)
    lobby = await boss.command("start")
    ben, cara = room.person("Ben"), room.person("Cara")
    for person in (ben, cara):
        await person.press(lobby, "Join")
    await boss.press(lobby, "Start Match")
    await end(ben)
    answer = await boss.press(await room.board(), "Agree to End")
    assert "once **Cara** agrees" in answer.text
    assert (await room.table()).live, "who manages the channel could end it alone, and was not asked that"
    stranger = await room.person("Dan").press(await room.board(), "Agree to End")
    assert "not at this table" in stranger.text


async def test_a_wish_to_end_is_taken_back(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben", agents=1)
    await end(ana)
    again = await ana.command("end")
    assert "You want to end" in again.text, "it is told once more, not asked"
    answer = await ana.press(again, "Play On")
    assert "All right, the match goes on." in answer.text
    assert "You want to end" not in answer.text
    board = await room.board()
    assert "wants to play on after all" in board.text
    assert "Agree to End" not in board.buttons
    await end(ben)
    assert (await room.table()).live


async def test_a_wish_to_end_is_told_on_the_private_screen_which_follows_the_match_to_its_end(
    room: Room,
) -> None:
    ana, ben = await long_match(room, "Ana", "Ben")
    hand = await ana.hand()
    wished = await end(ana)
    assert "You want to end the match. It ends once **Ben** agrees too." in wished.text
    assert " · 💰 $" in wished.text
    assert not hand.exists, "she has one private screen"
    await ben.press(await room.board(), "Agree to End")
    await room.catch_up()
    assert "It ends once" not in wished.text
    assert "Play On" not in wished.buttons
    assert "agreed to end the match: **Ana** and **Ben**." in wished.text


async def test_a_host_who_plays_with_agents_alone_ends_the_match(room: Room) -> None:
    (ana,) = await room.match_of("Ana", agents=2)
    answer = await end(ana)
    assert "has ended" in answer.text
    assert "**Ana** ended the match." in (await room.board()).text


async def test_who_manages_the_channel_ends_a_match_that_others_play(room: Room) -> None:
    await room.match_of("Ana", "Ben")
    boss = room.person("Boss", manages=True)
    more = await boss.press(await room.board(), "More")
    sure = await boss.press(more, "End the Match")
    await boss.press(sure, "End the Match")
    assert f"{boss.mention}, who manages this channel, ended the match." in (await room.board()).text


async def test_an_outsider_ends_nothing(room: Room) -> None:
    await room.match_of("Ana", "Ben")
    cara = room.person("Cara")
    assert "not at this table" in (await cara.command("end")).text
    more = await cara.press(await room.board(), "More")
    assert "End the Match" not in more.buttons


async def test_the_host_closes_a_lobby(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    assert "Only the host" in (await ben.command("end")).text
    sure = await ana.command("end")
    assert "lobby" in sure.text
    assert "The lobby has closed" in (await ana.press(sure, "Close the Lobby")).text
    assert "closed" in lobby.text
    assert not lobby.buttons


@pytest.mark.parametrize("label", ["Send My Hand by DM", "Leave the Match", "End the Match"])
async def test_after_the_match_an_old_panel_becomes_one_sentence(room: Room, label: str) -> None:
    ana, ben = await long_match(room, "Ana", "Ben")
    panel = await ben.press(await room.board(), "More")
    await end(ana)
    await ben.press(await room.board(), "Agree to End")
    answer = await ben.press(panel, label)
    assert answer == panel, "no other message follows"
    assert panel.text == "This match is over."
    assert not panel.buttons


@pytest.mark.parametrize("label", ["Leave the Match", "End the Match"])
async def test_a_question_before_leaving_or_ending_leads_back_to_the_hand(room: Room, label: str) -> None:
    _ana, ben = await long_match(room, "Ana", "Ben")
    question = await ben.press(await ben.press(await room.board(), "More"), label)
    assert await ben.press(question, "Play On") == question
    assert "3 Pot Shards" in question.text
    boss = room.person("Boss", manages=True)
    question = await boss.press(await boss.press(await room.board(), "More"), "End the Match")
    assert (await boss.press(question, "Play On")).text == "Nothing has changed."
    assert (await room.table()).status == "playing"


@pytest.mark.parametrize(
    ("label", "sure"), [("Leave the Match", "Leave Now"), ("End the Match", "End the Match")]
)
async def test_after_the_match_an_old_question_becomes_one_sentence(
    room: Room, label: str, sure: str
) -> None:
    _ana, ben = await long_match(room, "Ana", "Ben")
    question = await ben.press(await ben.press(await room.board(), "More"), label)
    boss = room.person("Boss", manages=True)
    more = await boss.press(await room.board(), "More")
    await boss.press(await boss.press(more, "End the Match"), "End the Match")
    assert (await room.table()).status == "abandoned"
    await ben.press(question, sure)
    assert question.text == "This match is over."
    assert not question.buttons


async def test_after_the_match_an_old_offer_of_a_seat_becomes_one_sentence(room: Room) -> None:
    (ana,) = await long_match(room, "Ana", agents=1)
    dan = room.person("Dan")
    panel = await dan.press(await room.board(), "More")
    (take_over,) = [label for label in panel.buttons if label.startswith("Take Over")]
    await end(ana)
    await dan.press(panel, take_over)
    assert panel.text == "This match is over."
    assert not panel.buttons
