"""The New Expedition on Discord: each monument's flow by presses, Tents, the Mine's drama, and restarts."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

from bot.ui.screens.ids import read_id
from cogs.archaeology_family import names
from engine.archaeology_family.card_list import MAP, SANDSTORM, THIEF, TREASURES
from engine.expedition.monuments import SAFE
from engine.expedition.state import MONUMENTS
from tests.cogs.archaeology_family import digger
from tests.cogs.in_memory import SCREENS
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room
from tests.sampling import sweep

POT_SHARD, PARCHMENT, TALISMAN, MASK = (
    TREASURES.index(key) for key in ("pot_shard", "parchment_scrap", "talisman", "pharaohs_mask")
)
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


async def test_a_tent_spares_the_warning_before_a_turn_ends_with_a_complete_set(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="mine")
    for has_tent in (True, False):
        state = (await room.table()).state.copy()
        state.phase, state.active, state.asked, state.queue = "act", 0, 0, []
        state.tents[0] = has_tent
        state.site = [*(kind for kind, n in enumerate(state.hands[0]) for _ in range(n)), *state.site]
        state.hands[0] = [0] * state.kinds
        while state.hands[0][MASK] < 4:
            if MASK in state.site:
                state.site.remove(MASK)
            else:
                counts = next(each for each in (*state.chambers, state.market, state.hands[1]) if each[MASK])
                counts[MASK] -= 1
            state.hands[0][MASK] += 1
        await room.stage(state)
        assert ("a complete set for $50" not in (await ana.hand()).text) == has_tent


async def fill_mine(room: Room, *kinds: int) -> int:
    """Leaves nothing but these treasures in the Mine, the rest in the dig site; returns how many there are."""
    state = (await room.table()).state.copy()
    mine, size = state.chambers[0], sum(state.chambers[0])
    site = [kind for kind, n in enumerate(mine) for _ in range(n)] + state.site
    mine[:] = [0] * len(mine)
    for kind in kinds:
        while kind in site and sum(mine) < size:
            site.remove(kind)
            mine[kind] += 1
    state.site = site
    await room.stage(state)
    return sum(mine)


def seat_line(board: Page, name: str) -> str:
    """The line of the table message that shows what somebody has."""
    return next(line for line in board.text.splitlines() if f" **{name}** · " in line and "cards · $" in line)


@pytest.mark.parametrize("monument", sweep("mine", *sorted({*MONUMENTS} - {"mine"})))
async def test_a_whole_match_at_each_monument_is_played_by_presses_alone(room: Room, monument: str) -> None:
    people = await room.match_of("Ana", "Ben", agents=1, monument=monument)
    board = await room.board()
    assert MONUMENT_NAMES[monument] in board.text
    assert board.text.count("⛺") == 3, "everybody has a Tent"
    await digger.play(room, people, Random(7))
    result = await room.result()
    assert "wins" in result.text or "share" in result.text
    assert (await room.table()).status == "over"


async def test_the_lobby_says_which_monument_was_chosen(room: Room) -> None:
    lobby, _people = await room.lobby_of("Ana", monument="tomb")
    assert "Monument: ⚰️ Tomb" in lobby.text
    assert "keep 2, put the rest back" in lobby.text


async def test_a_monument_that_nobody_chose_is_drawn_at_the_start(room: Room) -> None:
    lobby, people = await room.lobby_of("Ana", "Ben")
    assert "Monument: drawn at random" in lobby.text
    await people[0].press(lobby, "Start Match")
    text = (await room.board()).text
    assert any(name in text for name in MONUMENT_NAMES.values())


async def test_five_people_can_play_and_a_sixth_cannot_join(room: Room) -> None:
    lobby, _people = await room.lobby_of("Ana", "Ben", "Cara", "Dora", "Emil")
    assert "5 of 5 taken" in lobby.text
    assert "Join" not in lobby.buttons


async def test_the_mine_is_turned_up_card_by_card_before_all_eyes(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", monument="mine")
    await give_maps(room, 0, 2)
    assert await fill_mine(room, POT_SHARD, PARCHMENT) > SAFE
    page = await ana.press(await ana.hand(), digger.MINE)
    assert "Ana** enters the Mine for 1 Map" in (await ben.command("log")).text
    for worth in range(1, SAFE):
        board = await room.board()
        assert f"{'🟨' * worth}{'⬜' * (SAFE - worth)} **{worth}** of 5" in board.text
        no_risk = "The next card cannot make it collapse" in board.text
        assert no_risk if worth == 1 else "Chance that the next card makes it collapse: about" in board.text
        assert "Ana** reveals" in board.text
        assert board.label("Stop") == page.label("Stop"), "what Stop would take stands on both"
        refused = await ben.press(board, digger.TURN_UP)
        assert "not your turn" in refused.text
        page = await ana.press(board, digger.TURN_UP)
    assert digger.TURN_UP not in page.buttons, "at exactly 5 it stops by itself (R11)"
    assert "out of the Mine" in (await room.board()).text
    assert digger.MINE not in page.buttons, "the monument is explored once a turn"
    assert "You have explored" in page.text, "and a Map that is left is not forgotten"


async def test_the_mine_collapses_above_five_and_all_see_what_went_back(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="mine")
    await give_maps(room, 0, 1)
    cards = await fill_mine(room, TALISMAN, MASK)
    assert cards > 1
    page = await ana.press(await ana.hand(), digger.MINE)
    assert "sure to make it collapse" not in page.text, "which cards lie there is not known"
    page = await ana.press(page, digger.TURN_UP)
    assert "You reveal" in page.text.partition("which collapses at")[0]
    board = (await room.board()).text
    assert "in the Mine, which collapses at" in board
    assert f"**🕳️ Mine** · {cards} cards" in board
    assert "Known there" in board
    table, screens = await room.table(), cast(Any, room.host.screens["expedition"])
    view = table.game.view(table.state, 0)
    assert screens.opened(view, 1) == ["your Maps can explore again on your next turn"]
    assert "explore once a turn" in " ".join(screens.primer(view))


async def test_where_all_that_lies_in_the_mine_is_known_the_risk_is_certain(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="mine")
    await give_maps(room, 0, 1)
    await fill_mine(room, TALISMAN, MASK)
    state = (await room.table()).state.copy()
    state.within[0] = state.chambers[0].copy()
    await room.stage(state)
    page = await ana.press(await ana.hand(), digger.MINE)
    assert "The next card is sure to make it collapse" in page.text


async def test_stopping_in_the_mine_takes_what_was_turned_up(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="mine")
    await give_maps(room, 0, 1)
    assert await fill_mine(room, POT_SHARD) > 2
    page = await ana.press(await ana.hand(), digger.MINE)
    await ana.press(page, digger.TURN_UP)
    await ana.press(await room.board(), "Stop, Take 2")
    log = await ana.command("log")
    assert "You take 🏺 2 Pot Shards out of the Mine" in log.text


async def test_the_sphinx_is_asked_for_two_treasures_in_one_choice(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", monument="sphinx")
    await give_maps(room, 0, 1)
    page = await ana.hand()
    offered = page.menu(digger.SPHINX).options
    assert list(offered)[-1] == "Map", "legal, and a poor guess (R9)"
    assert "none lie here" in page.menu(digger.SPHINX).details["Map"]
    await ana.choose(page, digger.SPHINX, "Coin", "Pot Shard")
    for person, who in ((ana, "You ask"), (ben, "**Ana** asks")):
        written = (await person.command("log")).text
        assert f"{who} the Sphinx for" in written
        assert "Pot Shard and Coin (1 Map)" in written or "Coin and Pot Shard (1 Map)" in written
        assert "out of" in written or "it shows" in written


async def test_the_sphinx_is_asked_with_what_can_be_known_in_view(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="sphinx")
    await give_maps(room, 0, 1)
    state = (await room.table()).state.copy()
    state.within[0][next(kind for kind, n in enumerate(state.chambers[0]) if n)] = 1
    await room.stage(state)
    view = room.host.games["expedition"].view(state, 0)
    descriptions = (await ana.hand()).menu(digger.SPHINX).details
    for kind in range(view.kinds):
        if kind == MAP:
            continue
        seen = view.market[kind] + view.hand[kind] + view.within[0][kind]
        text = f"unseen: {view.copies[kind] - seen} of {view.copies[kind]}"
        known = "known here: 1 · " if view.within[0][kind] else ""
        assert known + text in descriptions.values()


async def test_what_the_tomb_holds_is_seen_by_who_opens_it_alone(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", monument="tomb")
    await give_maps(room, 0, 1)
    page = await ana.press(await ana.hand(), "Explore Chamber 1 · 1 Map")
    assert "You see" in page.text
    kept = list(page.menu(digger.KEEP).options)[:2]
    page = await ana.choose(page, digger.KEEP, *kept)
    assert "👁️ Chamber 1 · " in page.text
    bens = (await ben.command("log")).text
    assert "sees its 7 cards" in bens
    assert "keeps 2 cards from Chamber 1" in bens
    assert "👁️" not in (await ben.hand()).text


async def test_a_look_into_the_temple_follows_a_sale_and_stays_on_the_sellers_screen(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", monument="temple")
    await give_maps(room, 0, 1)
    page = await digger.sell(ana, await ana.hand(), "1 Map", 3)
    assert "may look into one chamber" in page.text
    assert "End Turn" in page.buttons, "going on declines the look"
    page = await ana.press(page, "Chamber 2")
    assert "👁️ Chamber 2 · " in page.text
    assert "you may look" not in page.text
    assert "looks into Chamber 2." in (await ben.command("log")).text
    assert "👁️ Chamber 2 · " not in (await ben.hand()).text


async def dig_up_a_sandstorm(room: Room, ana: Person) -> None:
    """Has the first seat, which is this person's, dig up a Sandstorm."""
    state = (await room.table()).state.copy()
    state.active = state.asked = 0
    state.phase = "dig"
    state.site.remove(SANDSTORM)
    state.site.append(SANDSTORM)
    await room.stage(state)
    await ana.press(await room.board(), "Dig")


async def test_the_ruins_show_what_lies_there_and_grow_with_a_sandstorm(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="ruins")
    assert "pile of 12" in (await room.board()).text
    await dig_up_a_sandstorm(room, ana)
    assert "pile of 9" in (await room.board()).text
    board = (await room.board()).text
    assert "The storm uncovers" in board
    assert "one in each chamber" in board
    assert "pile of 9" in board


async def test_an_emptied_chamber_of_the_ruins_says_so_and_the_pile_when_it_is_used_up(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="ruins")
    await give_maps(room, 0, 1)
    page = await ana.hand()
    chambers = digger.labelled(page, "g.explore")
    assert len(chambers) == 3
    for label, kinds in zip(chambers, (await room.table()).state.chambers, strict=True):
        assert names.name(kinds.index(1)) in label, "what lies there stands on the button"
    await ana.press(page, chambers[0])
    assert "1: empty" in (await room.board()).text
    state = (await room.table()).state.copy()
    state.site += [card for card in state.pile if card != MAP]
    state.pile.clear()
    await room.stage(state)
    assert "pile used up" in (await room.board()).text


async def test_a_tent_shelters_once_and_then_is_gone(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", monument="great_pyramid")
    await dig_up_a_sandstorm(room, ana)
    assert "Ben**: use the Tent, or lose 2 cards?" in (await room.board()).text
    assert ben.mention in room.announcements()[0].text
    held = (await room.table()).state.hands[1].copy()
    await ben.press(await room.board(), "Use the Tent")  # one press, without opening the hand
    assert "Ana**: use the Tent" in (await room.board()).text
    page = await ana.hand()
    await ana.press(page, digger.save_and_lose_button(page))
    board = await room.board()
    assert seat_line(board, "Ana").endswith("⛺")
    assert "⛺" not in seat_line(board, "Ben")
    assert (await room.table()).state.hands[1] == held
    assert "to the market" in board.text
    assert "loses nothing thanks to the ⛺ Tent" in board.text
    await dig_up_a_sandstorm(room, ana)
    (call,) = room.announcements()
    assert ben.mention in call.text
    assert "Use the Tent" not in call.buttons, "which is Ana's"
    assert "Lose Cards" in call.buttons


@pytest.mark.exhaustive
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
    assert await fill_mine(room, POT_SHARD) > 2
    page = await ana.press(await ana.hand(), digger.MINE)
    await room.restart(crash=True)
    answer = await ana.press(page, digger.TURN_UP)
    assert "**2** of 5" in answer.text


def test_the_rules_tell_of_every_monument() -> None:
    whole = "\n".join(page.text for page in SCREENS["expedition"].rules())
    assert "explore at most once" in whole
    for name in MONUMENT_NAMES.values():
        assert name in whole
    assert "2 + 5 + 8 cards, face down" in whole
    assert "1 + 1 + 1 cards, face up, and a pile of 12" in whole
    assert "Where 2 cards are left, or 1, they are yours without a choice" in whole
    for ruling in (9, 10, 11, 12, 14, 15, 16, 17):
        assert f"R{ruling}" in whole, "every ruling about what differs is told"


async def test_every_press_of_this_game_bears_its_decision(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="mine")
    await give_maps(room, 0, 1)
    assert await fill_mine(room, POT_SHARD) > 2
    page = await ana.press(await ana.hand(), digger.MINE)
    own = [read_id(custom_id) for custom_id in page.buttons.values()]
    assert all(
        to is not None and bool(to.view_version) == to.intent.startswith(("g.", "learn")) for to in own
    )


async def test_play_again_keeps_the_turn_limit_and_the_monument(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", monument="tomb", turn_limit="1h")
    state = (await room.table()).state.copy()
    for card in [
        *state.site,
        *(kind for hand in state.hands for kind, n in enumerate(hand) for _ in range(n)),
    ]:
        if card >= 0:
            state.sold[1].append((card, 1))
    state.thieves, state.sandstorms = (
        state.thieves + state.site.count(THIEF),
        state.sandstorms + state.site.count(SANDSTORM),
    )
    state.hands, state.site = [[0] * state.kinds for _ in state.hands], []
    last, _one = state.sold[1].pop()
    state.hands[0][last] = 1
    state.active = state.asked = 0
    state.phase, state.dry = "act", True
    await room.stage(state)
    page = await ana.hand()
    await ana.press(page, digger.labelled(page, "g.sell")[0])
    lobby = await ana.press(await room.result(), "Play Again")
    assert "Turn limit: 1 hour" in lobby.text
    assert "Monument: ⚰️ Tomb" in lobby.text
