"""The public screens: the table message, companies and cards on offer in full, the result, and nothing more."""

from __future__ import annotations

from itertools import accumulate

from simcord.components import walk_components

from bot.ui.screens.board import board as show_board
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.kit import Screen
from bot.ui.screens.names import Names
from bot.ui.screens.private import private
from cogs.artifacts_inc import companies
from engine.artifacts_inc.state import GOAL, State
from tests.cogs.artifacts_inc import roller
from tests.cogs.in_memory import SCREENS, Match
from tests.cogs.table_driver import Person, Room
from tests.engine.artifacts_inc.scene import GAME, scene


def lines(screen: Screen) -> list[str]:
    parts = walk_components(screen.view().to_components())
    return [line for part in parts if part["type"] == 10 for line in part["content"].splitlines()]


SPACE = "\N{NO-BREAK SPACE}"


async def table_with(room: Room, state: State) -> tuple[Person, Person]:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(state)
    return ana, ben


async def test_the_board_shows_dice_museums_dives_offers_and_companies(room: Room) -> None:
    state = scene(
        "biplane airfield+",
        dice="2 5",
        artifacts="gem*2 fossil",
        dollars=4,
        orders={"fossil": {0: 0, 2: 1}},
        divers=[0, 1],
        covered=[(5, 0, 0)],
        laid=[4],
    )
    await table_with(room, state)
    board = await room.board()
    assert "▶️ **Ana** still has 2️⃣ 5️⃣ to place." in board.text
    assert "-# **Round 2**\n🔵" in board.text
    assert f"\n-# 🤿 `6` ⭐1 🏺{SPACE}Pottery\n-# 🛒 **$2**" in board.text
    assert "🔵 **Ana** ⭐**7** $4 🎲3 🦴1 💎2\n🔶 **Ben** ⭐**" in board.text
    cubes = SPACE.join(["⭐3", "🔶1", "🔵1"])
    line = f"-# 🦴{SPACE}`any` die · most cubes: {cubes} · buys 2 4 5 6\n-# 📜"
    assert line in board.text, "the higher order leads"
    assert f"-# 💎{SPACE}`5+` die · most cubes: ⭐4 · buys 1 2 3 4 5 6\n" in board.text
    assert len(board.text.splitlines()) < 20, "it fits a phone"


async def test_a_museum_whose_orders_are_all_filled_is_called_full(room: Room) -> None:
    await table_with(room, scene(dice="2", orders={"gem": dict.fromkeys(range(6), 1)}))
    line = f"-# 💎{SPACE}`5+` die · most cubes: ⭐4{SPACE}🔶6 · full"
    assert line in (await room.board()).text


async def test_the_offers_are_named_from_the_cheapest_on_and_those_without_room_counted(room: Room) -> None:
    dear = "grand_hall world_exhibition research_institute explorers_club"
    await table_with(
        room, scene(dice="2", offer=f"caravan mountain_expedition biplane curators_office {dear}")
    )
    (line,) = [line for line in (await room.board()).text.splitlines() if line.startswith("-# 🛒")]
    costs = [
        int(part.partition("$")[2].partition("**")[0].split(SPACE)[0]) for part in line.split(" · ")[:-1]
    ]
    assert costs == sorted(costs)
    assert line.rpartition(" · ")[2].startswith("… ")
    assert len(line) < 140, "three lines on a phone"


async def test_the_last_round_is_called_so_on_the_table_and_on_the_private_screen(room: Room) -> None:
    state = scene(dice="2 5", active=1, others={0: "world_exhibition+"})
    _ana, ben = await table_with(room, state)
    assert state.reputation[0] < GOAL
    assert "**Round 2**" in (await room.board()).text
    assert "it's your last turn." not in (await roller.own_page(ben)).text
    state = scene(dice="2 5", active=1, others={0: "world_exhibition+ world_exhibition+"})
    await room.stage(state)
    assert state.reputation[0] >= GOAL
    assert "**Last round!**" in (await room.board()).text
    assert "it's your last turn." in (await roller.own_page(ben)).text


def test_the_round_in_which_somebody_has_just_enough_reputation_is_the_last() -> None:
    for reputation, last in ((GOAL - 1, False), (GOAL, True)):
        state = scene(dice="2 5")
        state.earned = [(reputation, 0, 0, 0), (0, 0, 0, 0)]
        state.derive()
        match = Match(GAME, state, [])
        texts = lines(show_board(match.table(), match.screens, [], 0.0))
        assert any("Last round" in line for line in texts) == last
        texts = lines(private(match.table(), match.screens, 0, []))
        assert any("it's your last turn." in line for line in texts) == last


async def test_anybody_opens_all_companies_and_each_in_full(room: Room) -> None:
    ana, _ben = await table_with(
        room, scene("biplane@lower:1 dig_camp@upper:-1 airfield+", dice="2", artifacts="fossil*2 gem@biplane")
    )
    stranger = room.person("Sam")
    board = await room.board()
    sheet = await stranger.press(board, "Cards")
    assert sheet.ephemeral
    await stranger.press(sheet, "Companies")
    assert "🔵 **Ana** · ⭐ **" in sheet.text
    assert "-# Dig Camp, Desert Expedition, Canyon Expedition, Headquarters, Adventurers, " in sheet.text
    await stranger.press(sheet, "Ana")
    assert "__Lower row__\n**Biplane** below Canyon Expedition · " in sheet.text
    assert (
        f"**Canyon Expedition** · `1` 🦴{SPACE}Fossil · `3+` 🦴{SPACE}Fossil · on it: **🦴 2**" in sheet.text
    )
    assert (
        sheet.text.index("__Upper row, from left to right__")
        < sheet.text.index("__Lower row__")
        < sheet.text.index("Biplane")
    )
    await stranger.press(sheet, "Both Sides")
    assert (
        "**Headquarters** · $4 to upgrade\n▸ **I** · `any` buy or upgrade a card\n"
        "II · ⭐ 2 · `any` buy or upgrade a card ×2" in sheet.text
    )
    assert "**Airfield II**\nI · ⭐ 1" in sheet.text, "what is at level 2 cannot be improved any more"
    assert "\n▸ **II** · ⭐ 3 · 2 times per turn" in sheet.text
    await stranger.press(sheet, "Ben")
    assert "### 🔶 Ben" in sheet.text
    assert "Biplane" not in sheet.text
    page = await roller.own_page(ana)
    await ana.press(page, "2 → $1")
    await stranger.press(sheet, "Ana")
    assert "💰 $1" in sheet.text, "it shows how things stand when it is pressed"


def test_a_gap_in_a_row_is_told() -> None:
    view = GAME.view(scene("biplane@lower:0 airfield@lower:2", dice="2"), None)
    text = "\n".join(companies.card_lines(view, 0))
    assert "**Biplane** below Desert Expedition" in text
    assert "\n(a gap)\n**Airfield** below Headquarters" in text
    assert text.count("(a gap)") == 1


async def test_anybody_reads_the_cards_on_offer_with_both_sides(room: Room) -> None:
    await table_with(room, scene(dice="2", offer="caravan grand_hall"))
    sheet = await room.person("Sam").press(await room.board(), "Cards")
    assert (
        "**Caravan** · $2 + 1 📜\nI · ⭐ 2 · once per turn: reroll unplaced dice\n"
        "II · ⭐ 3 · 2 times per turn: reroll unplaced dice" in sheet.text
    )
    assert "__Pile D, 4 more cards__" in sheet.text


async def test_anybody_reads_whose_cube_lies_on_each_order_and_which_dives_are_to_come(room: Room) -> None:
    await table_with(room, scene(dice="2", orders={"fossil": {0: 0, 2: 1}}, divers=[0] * 8))
    sam = room.person("Sam")
    sheet = await sam.press(await room.board(), "Cards")
    await sam.press(sheet, "Museums and Dives")
    assert (
        "🦴 **Fossil Museum** `any` · a sale brings $1 more · ⭐ 3 for the most cubes\n"
        "Orders: 🔵 2 🔶 4 5 6 · most cubes: 🔶" in sheet.text
    ), "the higher order leads"
    assert "Orders: 1 2 3 4 5 6\n" in sheet.text
    assert "**Private Collectors** `any` sell any artifacts" in sheet.text
    assert f"🤿 **Dives to come** `18`{SPACE}⭐1{SPACE}🏺{SPACE}Pottery · `20`" in sheet.text
    await room.stage(scene(dice="2", divers=[0] * 10))
    await sam.press(sheet, "Cards on Offer")
    await sam.press(sheet, "Museums and Dives")
    assert "All dives have been completed." in sheet.text
    assert "🤿 all completed" in (await room.board()).text


async def test_a_stranger_cannot_play_and_no_press_of_theirs_is_without_an_answer(room: Room) -> None:
    await table_with(room, scene(dice="2"))
    sam = room.person("Sam")
    assert "You're not at this table" in (await sam.press(await room.board(), "My Company")).text
    number = (await room.table()).id
    for intent, arg in (
        ("s.company", ""),
        ("s.company", "9.0.0"),
        ("s.company", "0.2.0"),
        ("s.company", "0.0.-1"),
        ("s.company", "x"),
        ("s.offers", "x"),
        ("s.nothing", ""),
        ("s.", ""),
    ):
        press = sam.forging(await room.board(), str(Id(intent, number, arg=arg)))
        await room.deliver(press)
        assert "older version of me" in press.answer.text
    press = sam.forging(await room.board(), str(Id("s.company", number, arg="0.0.99")))
    await room.deliver(press)
    assert "### 🔵 Ana" in press.answer.text, "a page too far is the last one"


async def test_nobody_is_told_by_a_button_what_they_may_not_know(room: Room) -> None:
    """All lies open but what is to come: neither the piles' order nor dice are in any component's id."""
    await table_with(room, scene(dice="2 5"))
    board = await room.board()
    args = {to.arg for to in board.ids}
    assert args <= {"", "0", "0.0.0", "1.0.0"}, "pages and companies alone"


async def test_companies_stay_open_to_all_after_the_end(room: Room) -> None:
    ana, _ben = await table_with(room, scene(dice="6", round=60, active=1, first=0))
    ben = _ben
    page = await roller.own_page(ben)
    await ben.press(page, "Guide Work: $1")
    assert (await room.table()).status == "over"
    sheet = await ana.press(await room.board(), "Ben")
    assert "💰 $1" in sheet.text


def test_the_result_says_where_reputation_came_from_and_what_decided() -> None:
    state = scene("world_exhibition", dice="", seats=3, phase="over", divers=[0, 1])
    state.earned = [(5, 1, 1, 3), (0, 0, 10, 0), (0, 0, 0, 0)]
    state.derive()
    state.dollars = [1, 4, 2]
    match = Match(GAME, state, [])
    lines = SCREENS["artifacts-inc"].result(
        GAME.view(state, None), Names(match.table(names=["Ana", "Ben", "Cara"]).seats)
    )
    assert lines[:2] == ["### 🥇 1. 🔶 **Ben** · ⭐ **10** · $4", "-# dives 10"]
    assert lines[2:4] == [
        "🥈 2. 🔵 **Ana** · ⭐ **10** · $1",
        "-# cards 5 · counted by cards 1 · dives 1 · museums 3",
    ]
    assert lines[4:6] == ["🥉 3. 🟩 **Cara** · ⭐ **0** · $2", "-# no reputation"]
    assert lines[6] == "Tied on reputation: the most dollars wins."


def test_the_result_says_what_decided_between_those_who_did_not_win() -> None:
    state = scene("world_exhibition", dice="", seats=3, phase="over")
    state.earned = [(5, 0, 0, 0), (12, 0, 0, 0), (5, 0, 0, 0)]
    state.derive()
    lines: dict[int, list[str]] = {}
    for dollars in (1, 2):
        state.dollars = [dollars, 0, 1]
        seats = Match(GAME, state, []).table(names=["Ana", "Ben", "Cara"]).seats
        lines[dollars] = SCREENS["artifacts-inc"].result(GAME.view(state, None), Names(seats))
    decided = "-# Ties are broken by dollars, then by cubes on museums."
    assert lines[2][-1] == decided
    assert decided not in lines[1], "they share a rank"


def test_the_result_counts_the_museums_one_by_one_and_says_when_they_turned_the_match() -> None:
    orders = {"fossil": {0: 1, 1: 0, 2: 1}, "scroll": {0: 0, 1: 1}, "gem": {3: 1}}
    state = scene("", dice="", seats=2, phase="over", orders=orders)
    worth = [museum.majority for museum in state.catalogue.museums]
    state.earned = [(15, 0, 0, 0), (12, 0, 0, worth[0] + worth[1] + worth[3])]
    state.derive()
    match = Match(GAME, state, [])
    lines = SCREENS["artifacts-inc"].result(
        GAME.view(state, None), Names(match.table(names=["Ana", "Ben"]).seats)
    )
    first, second, third = list(accumulate([worth[0], worth[1], worth[3]], initial=12))[1:]
    assert all(" " not in line.partition("→")[2] for line in lines), "the totals stay in one line"
    assert [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines[4:]] == [
        "-# Before the museums: 🔵 **15** · 🔶 12",
        f"-# 🦴 **Ben** ⭐ +{worth[0]}: cubes 2 to 1 → 🔵 **15** · 🔶 **{first}**",
        f"-# 📜 **Ben** ⭐ +{worth[1]}: 1 cube each, but on the higher order → 🔵 15 · 🔶 **{second}**",
        f"-# 💎 **Ben** ⭐ +{worth[3]}: cubes 1 to 0 → 🔵 15 · 🔶 **{third}**",
        f"**The museums decided it:** **Ana** led by 15–12, and it ended 15–{third}.",
    ]


def test_every_button_of_a_sheet_is_a_sheets() -> None:
    state = scene("biplane", dice="2")
    view, screens = GAME.view(state, None), SCREENS["artifacts-inc"]
    names = Names(Match(GAME, state, []).table().seats)
    for action in screens.sheets(view, names):
        to = read_id(str(Id(action.intent, 1, arg=action.arg)))
        assert to is not None
        assert to.intent.startswith("s.")
