"""Players who are sure to be asked are called at once with all others, and may choose before their turn, unseen."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.archaeology import Archaeology
from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import SANDSTORM
from engine.errors import IllegalMove
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.page import MENTION, Page
from tests.cogs.table_driver import Person, Room

CHANGE = "Change My Choice"
HANDS = ({"coin": 4}, {"coin": 2, "map": 2}, {"coin": 2, "talisman": 2})


async def storm(room: Room) -> tuple[list[Person], Page]:
    """Ana has dug up a Sandstorm, in which everybody loses two cards; returns the people, and her screen."""
    people = await room.match_of("Ana", "Ben", "Cara")
    await room.stage(crafted.craft(HANDS, site=["sandstorm", "pot_shard", "pot_shard"]))
    return people, await people[0].press(await room.board(), "Dig")


async def storm_with_tents(room: Room) -> tuple[list[Person], Page]:
    """The same where everybody has a Tent."""
    room.game = "expedition"
    people = await room.match_of("Ana", "Ben", "Cara", monument="tomb")
    state = (await room.table()).state.copy()
    state.active = state.asked = 0
    state.site.remove(SANDSTORM)
    state.site.append(SANDSTORM)
    await room.stage(state)
    return people, await people[0].press(await room.board(), "Dig")


async def lose(person: Person) -> Page:
    """Accepts on the hand what is proposed to be lost."""
    page = await person.hand()
    return await person.press(page, digger.lose_button(page))


def rung(room: Room) -> list[int]:
    """The people whom the present announcement has called."""
    (announcement,) = room.announcements()
    return announcement.kept.ping_user_ids


async def test_all_are_called_at_once_and_nobody_twice(room: Room) -> None:
    (ana, ben, cara), _hers = await storm(room)
    assert rung(room) == [ben.id, cara.id], "Ana has just pressed, and was called for her turn"
    (announcement,) = room.announcements()
    assert announcement.text.count("Sandstorm") == 1, "in one line"
    await lose(cara)
    await lose(ana)
    assert room.announcements() == [announcement], "Ben is asked now, and was called already"
    assert ben.mention in announcement.text
    await lose(ben)
    await room.minds_wander()
    assert rung(room) == [ana.id], "the whole storm has passed, and she digs again"
    assert "to dig" in (await room.board()).text


async def test_nothing_shows_others_who_has_chosen(room: Room) -> None:
    (ana, ben, cara), _hers = await storm(room)
    his = await ben.hand()

    def seen() -> list[list[dict[str, Any]]]:
        return [page.components for page in (*room.pages(), hers, his)]

    log = (await ana.press(await room.board(), "Log")).text
    hers = await ana.hand()
    before = seen()
    page = await lose(cara)
    assert CHANGE in page.buttons
    async with room.host.tables.change((await room.table()).id) as draft:
        draft.touch()
    await room.catch_up()
    assert seen() == before, "also when all is drawn anew"
    assert "**Ben** and **Cara** choose ahead, unseen." in (await room.board()).text
    assert "secret" not in "".join(page.text for page in room.pages())
    assert (await ana.press(await room.board(), "Log")).text == log


async def test_the_hand_says_that_one_may_choose_and_then_what_is_chosen(room: Room) -> None:
    (_ana, ben, _cara), _hers = await storm(room)
    page = await ben.hand()
    assert "You can already choose" in page.text
    assert "Ana** chooses 2 cards to lose." in page.text
    page = await ben.press(page, digger.lose_button(page))
    assert "You have chosen" in page.text
    assert "You lose" in page.text
    assert not page.offers(digger.LOSE)
    page = await ben.press(page, CHANGE)
    assert "Undone" in page.text
    assert page.offers(digger.LOSE)
    assert (await room.table()).sequence == 1


async def test_a_choice_ends_what_one_had_missed(room: Room) -> None:
    (ana, ben, cara), _hers = await storm(room)
    page = await cara.hand()
    assert page.text.startswith("**Ana** digs up a 🌪️ Sandstorm.")
    page = await cara.press(page, digger.lose_button(page))
    assert page.text.count("digs up a") == 1, "what she answered is not told again"
    await lose(ana)
    await lose(ben)
    storm_line, _others, own = (await cara.hand()).text.splitlines()[:3]
    assert re.match(r"-# \*\*Ana\*\* digs up a 🌪️ Sandstorm\..* \*\*Ana\*\* loses", storm_line), (
        "what led to it"
    )
    assert own.startswith("### 🌪️ **You lose")


async def test_what_is_taken_back_meanwhile_hides_no_news(room: Room) -> None:
    (ana, ben, cara), _hers = await storm(room)
    page = await lose(ana)
    await lose(cara)
    await ana.press(page, "Undo")
    await lose(ana)
    await lose(ben)
    assert re.search(r"-# \*\*Ana\*\* digs up a 🌪️ Sandstorm\..* \*\*Ana\*\* loses", (await cara.hand()).text)


async def test_a_choice_is_played_at_its_turn_and_all_read_it(room: Room) -> None:
    (ana, ben, cara), _hers = await storm(room)
    await lose(cara)
    page = await lose(ben)
    late = ben.pressing(page, CHANGE)
    await lose(ana)
    log = await room.person("Dan").command("log")
    for name in ("Ana", "Ben", "Cara"):
        assert f"**{name}** loses" in log.text
    assert CHANGE not in page.buttons, "the open hand follows"
    await room.deliver(late)
    assert "moved on" in late.answer.text
    assert (await room.table()).sequence == 4


async def test_an_old_screen_still_counts_when_the_turn_has_come(room: Room) -> None:
    (ana, ben, cara), _hers = await storm(room)
    his = await ben.hand()
    press = ben.pressing(his, digger.lose_button(his))
    await lose(ana)
    assert digger.lose_button(his), "half-made choices stay as they are"
    await room.deliver(press, ben.pressing(his, digger.lose_button(his)))
    assert (await room.table()).sequence == 3, "it counts once"
    assert (await room.table()).state.asked == 2
    assert cara.mention in room.announcements()[0].text


async def test_a_choice_that_no_longer_fits_is_asked_again_with_the_reason(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana, ben, _cara), _hers = await storm(room)
    game = room.host.games["archaeology"]
    assert isinstance(game, Archaeology)
    discard = game._handlers[m.Discard]

    def picky(state: Any, seat: int, move: m.Discard) -> Any:
        if seat == 1 and any(state.market):
            raise IllegalMove("not-in-market")
        return discard(state, seat, move)

    page = await lose(ben)
    monkeypatch.setitem(game._handlers, m.Discard, picky)
    await lose(ana)
    assert (
        "no longer fits: Those cards are no longer in the market. Choose others. Please choose again."
        in page.text
    )
    assert page.offers(digger.LOSE)
    await room.minds_wander()
    assert rung(room) == [ben.id], "he is called anew"


async def test_a_restart_forgets_no_choice(room: Room) -> None:
    (ana, ben, cara), _hers = await storm(room)
    await lose(cara)
    await room.restart(crash=True)
    page = await cara.hand()
    assert CHANGE in page.buttons
    await lose(ben)
    await room.restart(crash=True)
    await lose(ana)
    assert "to dig" in (await room.board()).text
    assert (await room.table()).sequence == 4


async def test_with_tents_one_press_in_one_call_is_all_that_a_sandstorm_takes(room: Room) -> None:
    (ana, ben, cara), page = await storm_with_tents(room)
    assert rung(room) == [ben.id, cara.id]
    await ana.press(page, digger.TENT)
    page = await cara.hand()
    page = await cara.press(page, digger.save_and_lose_button(page))
    assert "You save your Tent." in page.text
    assert "You lose" in page.text
    page = await ben.hand()
    await ben.press(page, digger.save_and_lose_button(page))
    table = await room.table()
    assert (table.state.phase, table.state.asked) == ("dig", 0)
    await room.minds_wander()
    rings = [page.kept.ping_user_ids for page in room.pages() if MENTION.search(page.text)]
    assert rings == [[ana.id]]


async def test_whoever_presses_on_the_table_before_their_turn_has_chosen_too(room: Room) -> None:
    (_ana, _ben, cara), _page = await storm_with_tents(room)
    board = await room.board()
    page = await cara.press(board, digger.TENT)
    assert "You shelter in your Tent" in page.text
    page = await cara.press(board, digger.TENT)
    assert "You've already chosen" in page.text
    assert await room.board() == board
    assert all((await room.table()).state.tents)
