"""A small message mentions the person who is to move; nothing else ever mentions anybody."""

from __future__ import annotations

import re
from random import Random

import pytest

from bot.ui.screens.kit import escape
from tests.cogs import some_game
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.page import Page
from tests.cogs.table_driver import Room


async def called(room: Room) -> Page:
    (announcement,) = room.announcements()
    return announcement


async def test_one_person_is_mentioned_and_the_last_announcement_goes(room: Room) -> None:
    ana, ben, cara = await room.match_of("Ana", "Ben", "Cara")
    await room.stage(some_game.beginning(3))
    seen: list[Page] = []
    for person in (ana, ben, cara, ana):
        announcement = await called(room)
        assert announcement.text.count("<@") == 1
        assert person.mention in announcement.text
        assert announcement.kept.ping_user_ids == [person.id]
        assert not announcement.kept.mention_everyone
        assert str((await room.board()).id) in announcement.links["Go to the Table"]
        seen.append(announcement)
        await person.press(await room.board(), "Dig")
        assert await called(room) == announcement, "the same person goes on: nobody is rung again"
        await person.press(await person.hand(), "End Turn")
        await room.minds_wander()
    assert len(set(seen)) == 4
    assert not [page for page in seen if page.exists]


async def test_who_must_decide_in_anothers_turn_is_called(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 3}, {"map": 3}], site=["sandstorm", "coin"]))
    page = await ana.press(await room.board(), "Dig")
    await ana.press(page, digger.lose_button(page))
    assert ben.mention in (await called(room)).text
    assert "Sandstorm" in (await called(room)).text
    his = await ben.hand()
    await ben.press(his, digger.lose_button(his))
    await room.minds_wander()
    assert ana.mention in (await called(room)).text


async def test_agents_are_not_announced(room: Room) -> None:
    (ana,) = await room.match_of("Ana", agents=3)
    await room.stage(some_game.beginning(4))
    for _ in range(3):
        assert (await called(room)).kept.ping_user_ids == [ana.id]
        await ana.press(await ana.press(await room.board(), "Dig"), "End Turn")
        await room.minds_wander()
    rung = [number for page in room.pages() for number in page.kept.ping_user_ids]
    assert set(rung) <= {ana.id}


async def test_nothing_but_announcements_rings(room: Room) -> None:
    """The fixture checks every request's `allowed_mentions`; here, what Discord made of them."""
    lobby, people = await room.lobby_of(NASTY[0], "Ben", agents=1)
    await people[0].press(lobby, "Start Match")
    for _ in range(12):
        person = await some_game.asked(room, {person.id: person for person in people})
        await some_game.act(person, await person.press(await room.board(), "Hand"), _Often())
        await room.minds_wander()
    ringing = [page for page in room.pages() if page.kept.ping_user_ids or page.kept.mention_everyone]
    assert ringing == [await called(room)]


class _Often(Random):
    """Chance that always ends a turn where it can."""

    def random(self) -> float:
        return 0.5


NASTY = (
    "**@everyone** `x` ||y|| ~~z~~",
    "@here <@123456789012345678>",
    "<@&123456789012345678> _x_",
    "<#123456789012345678>",
    "</end:123456789012345678>",
    "<:a:123456789012345678> <t:1:R>",
    "[x](https://x.example/**y**)",
    "# https://x.example",
    "> x",
    "- x",
    "\\",
    "\\*\\_",
)


@pytest.mark.parametrize("name", NASTY)
def test_a_name_mentions_formats_and_links_nothing(name: str) -> None:
    shown = escape(name)
    active = re.sub(r"\\(.)", "", shown)
    assert not re.search(r"@(everyone|here)|<[@#/:t]|://|\*|_|~|`|\|", active)
    assert not re.search(r"\[.*\]\(", active)
    assert not re.match(r"[#>-]", shown), "no heading, quotation or list"
    assert re.sub(r"\\(.)", r"\1", shown).replace("\N{ZERO WIDTH SPACE}", "") == name, (
        "it still reads the same"
    )


async def test_names_are_escaped_wherever_they_stand(room: Room) -> None:
    first, second = NASTY[0], NASTY[6]
    lobby, (ana, ben) = await room.lobby_of(first, second)
    assert escape(first) in lobby.text
    assert escape(second) in lobby.text
    await ana.press(lobby, "Start Match")
    await room.stage(some_game.beginning())
    private = await ana.press(await room.board(), "Dig")
    await ana.press(private, "End Turn")
    board = await room.board()
    looked_up = [(await ben.press(board, "Log")).text, (await ben.hand()).text]
    more = await ben.press(board, "More")
    sure = await ben.press(more, "Leave the Match")
    await ben.press(sure, "Leave Now")
    for text in (lobby.text, board.text, private.text, *looked_up):
        assert first not in text
        assert second not in text
        assert not re.search(r"@(everyone|here)", text)
    assert escape(first) in board.text
    assert escape(second) in board.text
    assert escape(first) in looked_up[0]
