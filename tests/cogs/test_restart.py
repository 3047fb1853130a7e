"""A match outlives restarts and crashes: whatever stands on anybody's screen goes on working."""

from __future__ import annotations

import sqlite3
from random import Random

import pytest

from tests.cogs import some_game
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.conftest import Mishaps
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room
from tests.sampling import amount

STRIDE = amount(1, 3)
STALE = "moved on since this screen was shown"


@pytest.mark.sampled
async def test_a_match_goes_on_though_the_bot_restarts_after_every_step(room: Room) -> None:
    """In the quick run, after every third step."""
    people = await room.match_of("Ana", "Ben")
    by_id = {person.id: person for person in people}
    screens: dict[int, Page] = {}
    rng = Random(4)
    steps = 0
    while (await room.table()).status != "over":
        person = await some_game.asked(room, by_id)
        old = screens.get(person.id)
        screens[person.id] = await act_on_what_is_open(person, old, rng)
        if steps % STRIDE == 0:
            await room.restart(crash=steps % (2 * STRIDE) == 0)
        steps += 1
    assert steps > 50
    assert "wins" in (await room.result()).text
    assert len(list(room.requests("PUT", "/commands"))) == 1, "the commands were registered once"


async def act_on_what_is_open(person: Person, old: Page | None, rng: Random) -> Page:
    """Plays on the ephemeral screen of before the restart; where it is outdated, once it has caught up."""
    board = await person.room.board()
    if old is None:
        return await some_game.act(person, await person.press(board, "Hand"), rng)
    if "Dig" in board.buttons and rng.random() < 0.3:
        return await person.press(board, "Dig")
    if not game_controls(old):
        return await some_game.act(person, await person.press(board, "Hand"), rng)
    answer = await some_game.act(person, old, rng)
    assert answer == old, "the screen that is open is the one that changes"
    if STALE in answer.text:
        return await some_game.act(person, answer, rng)
    return answer


def game_controls(page: Page) -> bool:
    return any(to.intent.startswith("g.") for to in page.ids)


async def test_every_button_and_menu_on_every_screen_works_after_a_crash(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    outsider = room.person("Cara")
    await room.stage(
        crafted.craft(
            [{"coin": 4, "map": 2, "talisman": 1}, {"coin": 3}],
            market={"talisman": 2, "pot_shard": 5},
            site=["coin", "thief", "sandstorm"],
            phase=crafted.ACT,
        )
    )
    board = await room.board()
    open_pages: list[tuple[Person, Page]] = [(ana, board), (ben, board), (outsider, board)]
    turn = await ana.hand()
    await digger.take(ana, turn, "1 Talisman")
    open_pages += [(ana, turn), (ben, await ben.command("rules"))]
    for label in ("Log", "Prices & Rules"):
        another = room.person(label)  # a private answer takes the place of the person's earlier one
        open_pages.append((another, await another.press(board, label)))
    open_pages.append((outsider, await outsider.command("/privacy")))
    more = await ben.press(board, "More")
    open_pages += [(ben, more), (outsider, await outsider.press(board, "More"))]
    send, end = more.buttons["Send My Hand by DM"], turn.buttons["End Turn"]
    before = [(person, page, page.buttons, page.menus) for person, page in open_pages]
    await room.restart(crash=True)

    presses = [
        (person, person.forging(page, custom_id))
        for person, page, buttons, _menus in before
        for label, custom_id in buttons.items()
        if label not in ("Leave the Match", "End the Match", "End Turn")
    ]
    presses += [
        (person, person.forging(page, menu.custom_id, [next(iter(menu.options.values()))]))
        for person, page, _buttons, menus in before
        for menu in menus
    ]
    assert len(presses) > 20
    for _person, press in presses:
        await room.deliver(press)
        assert press.answered
        assert "went wrong" not in press.answer.text
    await room.restart()
    last = [
        ana.forging(turn, end),
        ben.forging(more, send),
    ]
    await room.deliver(*last)
    assert all(press.answered for press in last)


async def test_a_half_made_trade_survives_a_crash(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(
        crafted.craft(
            [{"coin": 3, "map": 1}, {"coin": 1}], market={"talisman": 1}, site=["coin"], phase=crafted.ACT
        )
    )
    page = await ana.hand()
    await digger.take(ana, page, "1 Talisman")
    await room.restart(crash=True)
    await ana.choose(page, digger.PAY, "1 Coin")
    await ana.choose(page, digger.PAY, "1 Coin, 1 Map")
    assert page.menu(digger.TAKE).chosen == ("1 Talisman",)
    assert page.menu(digger.PAY).chosen == ("1 Coin, 1 Map",)
    await ana.press(page, digger.trade_button(page))
    assert "You trade 🪙 1 Coin" in page.text
    assert "Talisman" in page.text


async def test_play_again_and_the_log_of_an_ended_match_work_after_a_restart(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", agents=1)
    await room.stage(some_game.last_move(3))
    page = await ana.hand()
    await some_game.move(ana, page)
    result = await room.result()
    await room.restart(crash=True)
    assert "sells" in (await ben.press(result, "Log")).text
    lobby = await ben.press(result, "Play Again")
    assert "**Ben** · host" in lobby.text
    assert ana.mention in lobby.text
    assert lobby.text.count("🤖") == 1


async def test_a_move_that_was_counted_before_a_crash_is_not_played_again(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning())
    dig = ana.pressing(await room.board(), "Dig")
    await room.deliver(dig)
    moves = (await room.table()).sequence
    await room.restart(crash=True)
    await room.deliver(dig)  # Discord delivers the press once more
    assert (await room.table()).sequence == moves
    assert "**Your turn** · 2 cards" in (await ana.hand()).text


async def test_a_table_whose_record_is_damaged_is_kept_and_said_so(room: Room, mishaps: Mishaps) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    board = await room.board()
    seed = (await room.table()).body.host_seed
    await room.host.close()
    with sqlite3.connect(room.settings.database_path) as file:
        file.execute("UPDATE tables SET body = replace(body, '\"host\":', '\"guest\":')")
    mishaps.expect("table 1")
    await room.restart()
    answer = await ana.press(board, "Hand")
    assert "can't read" in answer.text
    assert not any(seed in (record.getMessage() + (record.exc_text or "")) for record in mishaps.records)
