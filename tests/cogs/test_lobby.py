"""The lobby: who sits down, who starts, how the match's chance is agreed on, and how it closes."""

from __future__ import annotations

from bot.tables.model import DAY
from bot.ui.screens.components import SECONDARY
from bot.ui.screens.fairness import SEAL
from engine.fairness import commitment
from tests.cogs.page import BUTTON, Page
from tests.cogs.table_driver import Room

HUNDRED = 100


AGENTS = "Computer players"


async def test_start_opens_a_lobby_with_everything_that_people_need_to_know(room: Room) -> None:
    ana = room.person("Ana")
    lobby = await ana.command("start", turn_limit="1h", agents=2, agent_level="veteran")
    assert not lobby.ephemeral
    assert "**Ana**" in lobby.text
    assert lobby.text.count("🤖") == 2
    assert lobby.text.count("Veteran") == 2
    assert "1 hour" in lobby.text
    assert "3 of 4" in lobby.text
    sealed = commitment(bytes.fromhex((await room.table()).body.host_seed))
    assert f"`{sealed[:SEAL]}`" in lobby.text
    assert [*lobby.buttons] == ["Start Match", "Join", "Leave", "Rules & Settings"]
    more = await ana.press(lobby, "Rules & Settings")
    assert more.ephemeral
    assert {"Rules", "Learn", "Settings", "Lucky Word", "Invite", "No Hints"} == set(more.buttons)


async def test_by_default_a_turn_may_take_a_day(room: Room) -> None:
    lobby = await room.person("Ana").command("start", agents=1)
    assert "Turn limit: 24 hours" in lobby.text
    assert (await room.table()).body.limit == DAY


async def test_agents_are_novices_if_nobody_chooses_a_level(room: Room) -> None:
    lobby = await room.person("Ana").command("start", agents=1)
    assert "· Novice" in lobby.text


async def test_people_join_and_leave_and_the_next_one_hosts(room: Room) -> None:
    lobby, (ana, ben, cara) = await room.lobby_of("Ana", "Ben", "Cara")
    assert "3 of 4" in lobby.text
    await ana.press(lobby, "Leave")
    assert "**Ana**" not in lobby.text
    assert "**Ben** · host" in lobby.text
    await cara.press(lobby, "Leave")
    assert "1 of 4" in lobby.text
    refused = await cara.press(lobby, "Start Against a Novice")
    assert "Only the host" in refused.text
    assert ben.mention in refused.text
    await cara.press(lobby, "Join")
    await room.later(1)
    assert not refused.exists, "a refusal goes with the next change of the lobby"


async def test_a_lobby_that_everybody_left_closes_and_frees_the_channel(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben", agents=1)
    await ben.command("leave")
    await ana.press(lobby, "Leave")
    assert "closed" in lobby.text
    assert not lobby.buttons
    again = await ben.command("start")
    assert "**Ben** · host" in again.text


async def test_a_lobby_closes_after_a_day(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    await room.later(DAY - 60)
    assert "Join" in lobby.buttons
    await room.later(61)
    assert "within a day" in lobby.text
    assert not lobby.buttons
    assert "Join" in (await ana.command("start")).buttons


async def test_the_host_chooses_in_one_menu_how_many_agents_there_are_and_how_strong(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    levels = lobby.menu(AGENTS).details
    for level in ("Novice", "Veteran", "Expert", "Master"):
        assert f"The {level} " in levels[f"1 × {level}"], "each is described"
    await ana.choose(lobby, AGENTS, "2 × Veteran")
    assert lobby.text.count("· Veteran") == 2
    assert "4 of 4 taken" in lobby.text
    await ana.choose(lobby, AGENTS, "1 × Novice")
    await ana.choose(lobby, AGENTS, "One more: Expert")
    assert lobby.menu(AGENTS).chosen == ("Novice and Expert",)
    assert "Only the host" in (await ben.choose(lobby, AGENTS, "No computer players")).text
    await ana.choose(lobby, AGENTS, "No computer players")
    assert "🤖" not in lobby.text


async def test_the_lobby_says_what_it_waits_for(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana")
    assert "**Ana** can start against a Novice at once" in lobby.text
    assert bright(lobby) == ["Start Against a Novice"]
    assert "at least 2 players" in (await ana.press_stale(lobby, "start")).text
    alone = ana.pressing(lobby, "Start Against a Novice")
    await room.person("Ben").press(lobby, "Join")
    assert bright(lobby) == ["Start Match"]
    assert "**Ana** starts the match" in lobby.text
    await room.deliver(alone)
    assert ("moved on" in alone.answer.text, "🤖" in lobby.text) == (True, False)


async def test_who_has_not_joined_is_told_to(room: Room) -> None:
    lobby, _people = await room.lobby_of("Ana")
    eve = room.person("Eve")
    for label in ("Leave", "Lucky Word"):
        assert "Press **Join**" in (await eve.press(lobby, label)).text
    assert "Press **Join**" in (await eve.command("hand")).text


async def test_starting_twice_at_once_starts_one_match(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana")
    assert "Only the host" in (await room.person("Ben").press(lobby, "Start Against a Novice")).text
    presses = [ana.pressing(lobby, "Start Against a Novice") for _ in range(3)]
    await room.deliver(*presses)
    assert [seat.agent for seat in (await room.table()).seats] == [None, "novice"]
    boards = [page for page in room.pages() if "More" in page.buttons]
    assert len(boards) == 1
    assert boards[0] == await room.board()
    assert len(room.pages()) == 2, "lobby and board: who has just started is not called"
    assert "started" in lobby.text
    assert str(boards[0].id) in lobby.links["Go to the Table"]


async def test_a_hundred_people_press_join_at_once(room: Room) -> None:
    lobby, _ = await room.lobby_of("Ana")
    crowd = [room.person(f"Person {n}") for n in range(HUNDRED)]
    presses = [person.pressing(lobby, "Join") for person in crowd]
    await room.deliver(*presses)
    assert all(press.answered for press in presses), "everybody is answered"
    seated = [person for person in crowd if f"**{person.name}**" in lobby.text]
    assert len(seated) == 3, "exactly the free seats are filled"
    assert "4 of 4" in lobby.text
    refused = [press for press in presses if press.answer != lobby]
    assert len(refused) == HUNDRED - 3
    assert all("seats are taken" in press.answer.text for press in refused)
    assert all(press.answer.ephemeral for press in refused)
    assert {seat.name for seat in (await room.table()).seats} == {"Ana", *(person.name for person in seated)}


async def test_an_answer_that_arrives_late_does_not_leave_an_old_lobby_standing(room: Room) -> None:
    lobby, _ = await room.lobby_of("Ana")
    ben, cara = room.person("Ben"), room.person("Cara")
    await room.deliver_late(ben.pressing(lobby, "Join"), meanwhile=[cara.pressing(lobby, "Join")])
    assert "**Ben**" in lobby.text
    assert "**Cara**" in lobby.text


async def test_an_answer_that_arrives_after_the_start_does_not_open_the_lobby_again(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    late = room.person("Cara").pressing(lobby, "Join")
    await room.deliver_late(late, meanwhile=[ana.pressing(lobby, "Start Match")])
    assert not lobby.buttons
    assert "started" in lobby.text


async def test_a_lobby_that_somebody_deletes_is_posted_anew_once(room: Room) -> None:
    lobby, (_ana, ben, cara) = await room.lobby_of("Ana", "Ben", "Cara")
    room.delete(lobby)
    await cara.command("leave")
    (lobby,) = room.pages()
    assert "2 of 4" in lobby.text
    await ben.command("leave")
    assert room.pages() == [lobby]
    assert "1 of 4" in lobby.text
    await cara.press(lobby, "Join")
    assert "**Cara**" in lobby.text
    assert room.pages() == [lobby]


async def test_table_brings_the_lobby_to_the_bottom_of_the_channel(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    answer = await ana.command("table")
    (new,) = room.pages()
    assert new != lobby
    assert str(new.id) in answer.links["Go to the Table"]
    await ben.press(new, "Leave")
    assert "**Ben**" not in new.text


async def test_a_lucky_word_becomes_part_of_the_shuffle(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    form = await ben.open_form(lobby, "Lucky Word")
    answer = await form.submit(word="  scarab ")
    assert "part of the shuffle" in answer.text
    assert "2. **Ben** · 🍀 “scarab”" in lobby.text, "everybody sees whose it is, and what"
    await ana.press(lobby, "Start Match")
    assert ("seat 2", "scarab") in (await room.table()).body.contributions
    assert "the lucky word “scarab”" in lobby.text
    assert f"`{(await room.board()).id}`" in lobby.text


async def test_a_form_without_a_value_gives_no_word_and_takes_an_earlier_one_back(room: Room) -> None:
    lobby, (_ana, ben) = await room.lobby_of("Ana", "Ben")
    await (await ben.open_form(lobby, "Lucky Word")).submit(word="scarab")
    press = ben.submitting(await ben.open_form(lobby, "Lucky Word"), word=None)
    await room.deliver(press)
    assert "no lucky word" in press.answer.text
    assert [seat.word for seat in (await room.table()).seats] == ["", ""]


async def test_two_people_have_the_form_open_at_once_and_each_word_is_their_own(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    first, second = await ana.open_form(lobby, "Lucky Word"), await ben.open_form(lobby, "Lucky Word")
    assert first.custom_id != second.custom_id
    await second.submit(word="ben's")
    await first.submit(word="ana's")
    assert [seat.word for seat in (await room.table()).seats] == ["ana's", "ben's"]


async def test_a_form_that_was_open_during_a_restart_still_counts(room: Room) -> None:
    lobby, (_ana, ben) = await room.lobby_of("Ana", "Ben")
    form = await ben.open_form(lobby, "Lucky Word")
    await room.restart(crash=True)
    answer = await form.submit(word="scarab")
    assert "part of the shuffle" in answer.text
    assert (await room.table()).seats[1].word == "scarab"


async def test_a_form_that_is_sent_after_the_start_is_refused(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    form = await ben.open_form(lobby, "Lucky Word")
    await ana.press(lobby, "Start Match")
    answer = await form.submit(word="scarab")
    assert "too late" in answer.text
    assert (await room.table()).body.contributions[1:] == []


async def test_a_lobby_takes_a_thread_too(room: Room) -> None:
    thread = room.env.backend.create_thread(room.channel.id, name="dig", owner_id=room.guild.owner.id)
    room.channel = type(room.channel)(room.env, room.guild, thread)
    ana, _ben = await room.match_of("Ana", "Ben")
    hand = await ana.hand()
    assert " · 💰 $" in hand.text
    room.forbid(send_messages_in_threads=True)
    answer = await ana.command("table")
    assert "Send Messages in Threads" in answer.text


async def test_an_answer_to_start_that_fails_leaves_no_invisible_lobby(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    room.fail("POST", "/interactions/*/callback", 500)
    room.answers_missing = 1
    await ana.actor.slash(room.channel, "archaeology start")
    await room.catch_up()
    await room.later(60)
    (lobby,) = room.pages()
    await ben.press(lobby, "Join")
    assert "**Ben**" in lobby.text


async def test_a_lobby_says_how_many_play_how_long_and_how_much_there_is_to_learn(room: Room) -> None:
    lobby = await room.person("Ana").command("start")
    assert "2 to 4 players · 10–20 minutes · easy to learn" in lobby.text


async def test_invite_shows_the_lobbys_link_to_the_presser_alone(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana")
    invitation = await ana.press(lobby, "Invite")
    assert invitation.ephemeral
    assert f"https://discord.com/channels/{room.guild.id}/{room.channel.id}/{lobby.id}" in invitation.text
    assert "free" in invitation.text
    ben = room.person("Ben")
    await ben.press(lobby, "Join")
    more = await ben.press(lobby, "Rules & Settings")
    await ana.press(lobby, "Start Match")
    for press in [ben.pressing(more, label) for label in ("Invite", "Lucky Word", "Settings")]:
        await room.deliver(press)
        assert "The match has" in press.answer.text
        assert "Your hand" in press.answer.text, "the hand takes the place of the old page"


async def test_the_starters_hand_is_the_newest_message_once_the_match_starts(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana", agents=1)
    hand = await ana.press(lobby, "Start Match")
    assert hand.ephemeral
    assert " · 💰 $" in hand.text
    assert hand.id > (await room.board()).id, "a phone shows the newest message"
    assert (await room.table()).status == "playing"


def bright(page: Page) -> list[str]:
    """The labels of the buttons that are not grey."""
    buttons = [part for part in page.components if part["type"] == BUTTON]
    return [button["label"] for button in buttons if button["style"] != SECONDARY]
