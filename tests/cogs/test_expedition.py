"""The New Expedition on Discord: each monument's flow by presses, Tents, the Mine's drama, and restarts."""

from __future__ import annotations

from random import Random

import pytest

from bot.ui.ids import read_id
from engine.expedition.state import MONUMENTS
from engine.treasures.table import MAP, SANDSTORM
from tests.cogs import digger
from tests.cogs.table_driver import Room

MONUMENT_NAMES = {
    "great_pyramid": "Great Pyramid",
    "temple": "Temple",
    "tomb": "Tomb",
    "mine": "Mine",
    "sphinx": "Sphinx",
    "ruins": "Buried Ruins",
}


@pytest.fixture
def room(room: Room) -> Room:
    room.game = "expedition"
    return room


async def give_maps(room: Room, seat: int, maps: int) -> None:
    """Brings the match to this seat's actions, with Maps from the dig site in its hand."""
    state = (await room.table()).state.copy()
    state.phase, state.active, state.asked, state.queue = "act", seat, seat, []
    for _ in range(maps):
        state.site.remove(MAP)
        state.hands[seat][MAP] += 1
    await room.stage(state)


@pytest.mark.parametrize("monument", MONUMENTS)
async def test_a_whole_match_at_each_monument_is_played_by_presses_alone(room: Room, monument: str) -> None:
    people = await room.match_of("Ana", "Ben", agents=1, monument=monument)
    board = await room.board()
    assert MONUMENT_NAMES[monument] in board.text
    assert board.text.count("⛺ Tent") == 3
    await digger.play(room, people, Random(7))
    result = await room.result()
    assert "wins" in result.text or "share" in result.text
    assert (await room.table()).status == "over"


async def test_the_lobby_says_which_monument_was_chosen(room: Room) -> None:
    lobby, _people = await room.lobby_of("Ana", monument="tomb")
    assert "Monument: Tomb" in lobby.text


async def test_a_monument_that_nobody_chose_is_drawn_at_the_start(room: Room) -> None:
    lobby, people = await room.lobby_of("Ana", "Ben")
    assert "Monument: drawn at random" in lobby.text
    await people[0].press(lobby, "Start Match")
    text = (await room.board()).text
    assert any(name in text for name in MONUMENT_NAMES.values())


async def test_five_people_can_play_and_a_sixth_cannot_join(room: Room) -> None:
    lobby, _people = await room.lobby_of("Ana", "Ben", "Cara", "Dora", "Emil")
    answer = await room.person("Fay").press(lobby, "Join")
    assert "All 5 seats are taken" in answer.text


async def test_the_mine_is_turned_up_card_by_card_before_all_eyes(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", monument="mine")
    await give_maps(room, 0, 3)
    hand = await ana.hand()
    page = await ana.press(hand, digger.MINE)
    for _ in range(20):
        if digger.TURN_UP not in page.buttons:
            break
        board = await room.board()
        assert "of 5" in board.text
        assert "brings it down" in board.text or "bring it down" in board.text
        assert "Ana** turns up" in board.text
        refused = await ben.press(board, digger.TURN_UP)
        assert "not your move" in refused.text
        page = await ana.press(board, digger.TURN_UP)
    assert "Mine" in (await room.board()).text
    assert digger.MINE not in page.buttons, "the monument is explored once a turn"


async def test_stopping_in_the_mine_takes_what_was_turned_up(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="mine")
    await give_maps(room, 0, 1)
    page = await ana.press(await ana.hand(), digger.MINE)
    stops = [label for label in page.buttons if label.startswith("Stop")]
    if stops:  # one card of at most 4 lies there
        page = await ana.press(page, stops[0])
    log = await ana.command("log")
    assert "out of the Mine" in log.text


async def test_the_sphinx_is_asked_for_two_treasures_in_one_choice(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", monument="sphinx")
    await give_maps(room, 0, 1)
    page = await ana.hand()
    await ana.choose(page, digger.SPHINX, "Coin", "Pot Shard")
    for person in (ana, ben):
        told = (await person.command("log")).text
        assert "the Sphinx for Pot Shard and Coin" in told or "the Sphinx for Coin and Pot Shard" in told
        assert "It shows" in told


async def test_what_the_tomb_holds_is_seen_by_who_opens_it_alone(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", monument="tomb")
    await give_maps(room, 0, 1)
    page = await ana.choose(await ana.hand(), digger.EXPLORE, "Chamber 1 · 7 cards")
    assert "You see" in page.text
    kept = list(page.menu(digger.KEEP).options)[:2]
    page = await ana.choose(page, digger.KEEP, *kept)
    assert "👁️ Chamber 1 holds" in page.text
    bens = (await ben.command("log")).text
    assert "sees its 7 cards" in bens
    assert "keeps 2 cards and puts the rest back" in bens
    assert "👁️" not in (await ben.hand()).text


async def test_a_look_into_the_temple_follows_a_sale_and_stays_on_the_sellers_screen(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", monument="temple")
    await give_maps(room, 0, 1)
    page = await ana.choose(await ana.hand(), digger.SELL, "1 Map · $3")
    assert "you may look into one chamber" in page.text
    assert "End Turn" in page.buttons, "going on declines the look"
    page = await ana.press(page, "Chamber 2")
    assert "👁️ Chamber 2 holds" in page.text
    assert "you may look" not in page.text
    assert "looks into Chamber 2." in (await ben.command("log")).text
    assert "👁️ Chamber 2 holds" not in (await ben.hand()).text


async def test_the_ruins_show_what_lies_there_and_grow_with_a_sandstorm(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="ruins")
    assert "The pile holds 12 cards" in (await room.board()).text
    state = (await room.table()).state.copy()
    state.active = state.asked = 0
    state.phase = "dig"
    state.site.remove(SANDSTORM)
    state.site.append(SANDSTORM)
    await room.stage(state)
    await ana.press(await room.board(), "Dig")
    assert "The pile holds 9 cards" in (await room.board()).text
    assert "The Ruins uncover" in (await room.board()).text


async def test_a_tent_shelters_once_and_then_is_gone(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", monument="great_pyramid")
    state = (await room.table()).state.copy()
    state.active = state.asked = 0
    state.phase = "dig"
    state.site.remove(SANDSTORM)
    state.site.append(SANDSTORM)
    await room.stage(state)
    await ana.press(await room.board(), "Dig")
    assert "Ben** decides whether to shelter" in (await room.board()).text
    assert ben.mention in room.announcements()[0].text
    page = await ben.press(await room.board(), "Decide")
    held = (await room.table()).state.hands[1].copy()
    await ben.press(page, "Use the Tent")
    await ana.press(await ana.hand(), "Save It")
    board = await room.board()
    assert "⛺ no Tent" in board.text
    assert (await room.table()).state.hands[1] == held
    page = await ana.hand()
    assert page.offers(digger.LOSE)
    assert "shelters in the Tent" in board.text


@pytest.mark.parametrize("monument", ["mine", "sphinx"])
async def test_a_match_goes_on_though_the_bot_restarts_at_every_step(room: Room, monument: str) -> None:
    people = await room.match_of("Ana", "Ben", monument=monument)
    by_id = {person.id: person for person in people}
    rng = Random(3)
    explored = False
    for step in range(400):
        table = await room.table()
        if table.status == "over":
            break
        person = await digger.asked(room, by_id)
        page = await person.press(await room.board(), "Hand")
        explored = explored or digger.TURN_UP in page.buttons or page.offers(digger.SPHINX)
        await digger.act(person, page, rng)
        await room.restart(crash=step % 2 == 0)
    assert (await room.table()).status == "over"
    assert explored


async def test_the_private_screen_after_a_restart_works_in_the_middle_of_the_mine(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="mine")
    await give_maps(room, 0, 1)
    page = await ana.press(await ana.hand(), digger.MINE)
    if digger.TURN_UP not in page.buttons:
        pytest.skip("the first card ended it")
    await room.restart(crash=True)
    answer = await ana.press(page, digger.TURN_UP)
    assert "Your hand" in answer.text


async def test_the_rules_show_where_numbers_are_the_projects_own(room: Room) -> None:
    ana = room.person("Ana")
    page = await ana.command("rules")
    texts = [page.text]
    while "Next" in page.buttons:
        page = await ana.press(page, "Next")
        texts.append(page.text)
    whole = "\n".join(texts)
    assert "trade value: inferred, sale values: house value" in whole  # the Pot Shard's
    assert "5 with 3 players (inferred)" in whole  # Sandstorms
    assert "explore at most once" in whole
    for name in MONUMENT_NAMES.values():
        assert name in whole
    assert "Broken Pendant" in whole
    assert "R16" in whole


async def test_every_press_of_this_game_bears_its_decision(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="mine")
    await give_maps(room, 0, 1)
    page = await ana.press(await ana.hand(), digger.MINE)
    own = [read_id(custom_id) for custom_id in page.buttons.values()]
    assert all(to is not None and (to.decision is not None) == to.intent.startswith("g.") for to in own)
