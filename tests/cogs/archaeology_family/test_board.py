"""The texts of the table message, the result and the private screens, word for word."""

from __future__ import annotations

import json
from typing import Any

import pytest
from simcord.components import walk_components

from bot.art.picture_cache import Plate
from bot.tables.model import Table
from bot.ui.screens import private as own_screen
from bot.ui.screens.board import board as show_board
from bot.ui.screens.chronicle import log_lines
from bot.ui.screens.ended import result
from bot.ui.screens.game_screens import Pressed
from bot.ui.screens.kit import Screen
from bot.ui.screens.names import Names
from bot.ui.screens.pages import sheet
from engine.game import Event
from tests.cogs.archaeology_family import crafted
from tests.cogs.in_memory import Match, row
from tests.engine.archaeology_family import DIG_MOVE, sell
from tests.engine.expedition import scene as dig

NAMES = ["Ana", "Ben", "Cara", "Dan", "Eve"]
DEADLINE = 1_800_086_400
"""When the time of whoever is asked runs out, if the host was never down."""


def texts(screen: Screen) -> list[str]:
    parts = walk_components(json.loads(json.dumps(screen.view().to_components())))
    return [part["content"] for part in parts if part["type"] == 10]


def buttons(screen: Screen) -> list[str]:
    parts = walk_components(json.loads(json.dumps(screen.view().to_components())))
    return [part["label"] for part in parts if part["type"] == 2]


def archaeology(hands: list[dict[str, int]], **more: Any) -> Match:
    return Match(crafted.GAME, crafted.craft(hands, **more), [])


def expedition(state: Any) -> Match:
    return Match(dig.GAME, state, [])


def board(match: Match, *events: Event, downtime: float = 0.0, table: Table | None = None) -> Screen:
    rows = [row(event, 1, event.seat) for event in events]
    return show_board(table or match.table(names=NAMES), match.screens, rows, downtime)


def private(match: Match, seat: int) -> Screen:
    return own_screen.private(match.table(names=NAMES), match.screens, seat, [])


# -- the table message


def test_a_board_shows_all_that_is_public() -> None:
    match = archaeology(
        [{"coin": 2}, {"map": 1, "talisman": 3}, {}],
        market={"pot_shard": 1, "coin": 2, "broken_cup": 2},
        sold=[[("coin", 2), ("coin", 2), ("map", 1)], [("broken_cup", 2)], []],
        phase=crafted.STORM,
        asked=1,
        site=["thief"] * 3,
    )
    lost = Event("lost", 0, {"cards": [[2, 1]]})
    screen = board(match, Event("sandstorm", 0), lost, downtime=100)
    assert texts(screen) == [
        "-# **Archaeology: The Card Game**",
        "-# **Market** (trade value): 🏺 Pot Shard (1), 🪙 2 Coins (2), 🍷 2 Broken Cups (2)\n"
        "-# **Pyramid** ⛰️ 3 cards for 1 Map, 5 cards for 2 Maps, 7 cards for 3 Maps\n"
        "-# **Dig site** · 42 cards, among them 🦹 3 Thieves",
        "🔵 **Ana** · 2 cards · $13\n▶️ 🔶 **Ben** · 4 cards · $15\n🟩 **Cara** · 0 cards · $0",
        "-# **Ana** digs up a 🌪️ Sandstorm and loses 🪙 1 Coin to the market.",
        "▶️ **Ben** chooses 2 cards to lose. Time runs out <t:1800086500:R>.",
    ]
    assert buttons(screen) == ["Hand", "Prices & Rules", "Log", "Sold", "Watch", "More"]


def test_what_everybody_has_sold_is_looked_up_with_a_press() -> None:
    match = archaeology(
        [{"coin": 2}, {"map": 1}], sold=[[("coin", 2), ("coin", 2), ("map", 1)], []], site=["thief"] * 3
    )
    (looked_up,) = match.screens.sheets(match.game.view(match.state, None), Names([]))
    screen = sheet(match.table(names=NAMES), match.screens, Pressed(looked_up.intent, "", {}))
    assert texts(screen) == [
        "### Sold sets\n**Ana** · **$13** · 🪙 2 Coins $5 ×2, 🗺️ 1 Map $3\n**Ben** · **$0** · nothing yet"
    ]


@pytest.mark.parametrize(
    ("phase", "asks", "button"),
    [
        ("dig", "It is **Ana**'s turn to dig.", ["Dig"]),
        ("steal", "**Ana** met a Thief and chooses who it steals from.", []),
        ("act", "**Ana** may trade, explore and sell.", []),
        ("duty", "**Ana** may trade, explore and sell, and must sell at least one set.", []),
    ],
)
def test_a_board_says_what_is_asked_and_has_the_button_for_it(
    phase: str, asks: str, button: list[str]
) -> None:
    hands = [{"coin": 2}, {"map": 1}, {"coin": 1}]
    if phase == "duty":
        match = archaeology(hands, phase=crafted.ACT, rest="sold")
        match.state.duty = True
        sold = ["Sold"]
    else:
        sold = []
        match = archaeology(hands, phase=phase, site=["coin"])
    screen = board(match)
    assert texts(screen)[-1] == f"▶️ {asks} Time runs out <t:{DEADLINE}:R>.", "right above the buttons"
    assert buttons(screen) == [*button, "Hand", "Prices & Rules", "Log", *sold, "Watch", "More"]


def test_while_an_agent_is_asked_there_is_no_button_for_it_and_no_time() -> None:
    match = archaeology([{"coin": 2}, {"map": 1}], site=["coin"])
    table = match.table(names=NAMES)
    table.seats[0].user_id, table.seats[0].agent = None, "novice"
    screen = board(match, table=table)
    assert texts(screen)[-1] == "▶️ It is 🤖\u00a0**Ana**'s turn to dig."
    assert buttons(screen) == ["Hand", "Prices & Rules", "Log", "Watch", "More"], (
        "nobody can come back to an agent's seat"
    )
    table.seats[0].left_by = 1
    assert buttons(board(match, table=table))[-1] == "I'm Back"


def test_a_wish_to_end_is_told_with_who_wishes_it() -> None:
    match = archaeology([{"coin": 2}, {"map": 1}, {"coin": 1}], site=["coin"])
    table = match.table(names=NAMES)
    table.body.end_votes = [1]
    screen = board(match, table=table)
    how = "It ends once everyone who is here agrees."
    assert texts(screen)[-1].endswith(f"\n🏳️ **Ben** wants to end the match. {how}")
    assert buttons(screen)[-1] == "Agree to End"
    table.body.end_votes = [1, 2]
    both = texts(board(match, table=table))[-1]
    assert both.endswith(f"\n🏳️ **Ben** and **Cara** want to end the match. {how}")


@pytest.mark.parametrize(
    ("site", "told"),
    [
        (["thief"] * 3 + ["sandstorm", "coin"], "5 cards, among them 🦹 3 Thieves and 🌪️ 1 Sandstorm"),
        (["coin", "map"], "2 cards, all of them treasures"),
        (["thief"], "1 card: 🦹 1 Thief"),
        (["coin"], "1 card, a treasure"),
    ],
)
def test_a_dig_site_tells_how_many_hazards_of_each_kind_lie_in_it(site: list[str], told: str) -> None:
    hands = [{"coin": 2}, {"map": 1}]
    match = archaeology(hands, phase=crafted.ACT, site=site, rest="sold", explored=True)
    assert texts(board(match))[1].split("\n")[-1] == f"-# **Dig site** · {told}"


def test_an_empty_dig_site_says_how_the_match_ends() -> None:
    screen = board(archaeology([{"coin": 2}, {"map": 1}], phase=crafted.ACT, rest="sold", explored=True))
    assert texts(screen)[1].split("\n") == [
        "-# **Market** (trade value): *empty*",
        "-# **Pyramid** ⛰️ all explored",
        "-# **Dig site** · empty: sell what you hold. The match ends when no one holds a card.",
    ]


# -- the end


def ended(*sold: list[tuple[str, int]]) -> Match:
    return archaeology([{} for _ in sold], sold=sold, phase="over", explored=True, rest="market")


def test_the_result_tells_ranks_and_sold_sets_the_richest_first() -> None:
    match = ended([("map", 1)], [("coin", 1), ("coin", 1), ("talisman", 2)], [("talisman", 5)], [])
    assert texts(result(match.table(names=NAMES), match.screens, match.rows()))[:2] == [
        "## 🏆 **Cara** wins!\nArchaeology: The Card Game · less than a minute · 0 moves\n-# <@1> <@2> <@3> <@4>",
        "### 🥇 1. 🟩 **Cara** · **$40**\n-# 🧿 5 Talismans $40\n"
        "🥈 2. 🔶 **Ben** · **$11**\n-# 🪙 1 Coin $2 ×2, 🧿 2 Talismans $7\n"
        "🥉 3. 🔵 **Ana** · **$3**\n-# 🗺️ 1 Map $3\n"
        "▫️ 4. 🔺 **Dan** · **$0**\n-# sold nothing",
    ]
    assert texts(board(match))[-1] == "🏆 **Cara** wins the match."


def test_the_result_tells_the_tie_break_when_it_decided() -> None:
    match = ended([("coin", 1), ("coin", 1), ("pot_shard", 1)], [("coin", 2)], [("map", 1)])
    lines = texts(result(match.table(names=NAMES), match.screens, match.rows()))
    assert lines[0].startswith("## 🏆 **Ben** wins!")
    assert lines[1].endswith("whoever sold fewer cards wins: **Ana** 3 · **Ben** 2")


def test_a_shared_victory_is_told_as_one() -> None:
    match = ended([("talisman", 1)], [("map", 1)], [("coin", 1)])
    lines = texts(result(match.table(names=NAMES), match.screens, match.rows()))
    assert lines[0].startswith("## 🏆 **Ana** and **Ben** share the victory!")
    assert lines[1].endswith("the victory is shared.")
    assert texts(board(match))[-1] == "🏆 **Ana** and **Ben** share the victory."


# -- a Thief's choice


def test_a_thiefs_victim_has_a_button_with_the_size_of_their_hand() -> None:
    match = archaeology([{"coin": 2}, {"map": 1}, {}, {"coin": 3}], phase=crafted.STEAL, site=["coin"])
    assert buttons(private(match, 0))[:2] == ["Ben · 1 card", "Dan · 3 cards"]


# -- The New Expedition


def in_the_mine(**more: Any) -> Match:
    """A Parchment Scrap and a Coin are turned up; five cheap, three middling and a dear one are left."""
    chamber = "pot_shard*2 parchment_scrap*2 coin*3 talisman*3 pharaohs_mask"
    state = dig.turned_up(chamber, "parchment_scrap", "coin")
    dig.play(state, dig.explore(), dig.TURN_UP)
    for name, value in more.items():
        setattr(state, name, value)
    return expedition(state)


def test_the_mine_shows_what_is_turned_up_its_sum_and_the_risk() -> None:
    match = in_the_mine()
    screen = board(match)
    # Of the 62 cards that can lie there two are seen; of the other 60 eight Talismans and four Masks are too dear.
    _market, heading, *lines, _site = texts(screen)[1].split("\n")
    assert heading == "-# **🕳️ Mine** · 9 cards · 1 Map"
    assert lines == [
        "-# ⛏️ 📜 Parchment Scrap (1) + 🪙 Coin (2)",
        "-# 🟨🟨🟨⬜⬜ **3** of 5. Chance that the next card makes it collapse: about 20%.",
    ]
    assert texts(screen)[-1].startswith("▶️ **Ana** is in the Mine: go on, or stop?")
    assert buttons(screen)[:2] == ["Reveal a Card", "Stop, Take 2"]
    assert buttons(private(match, 0))[:2] == ["Reveal a Card", "Stop, Take 2"]
    assert "Reveal a Card" not in buttons(private(match, 1))


def test_the_risk_in_the_mine_goes_by_what_all_know_to_lie_there() -> None:
    known = in_the_mine()
    known.state.within = [known.state.chambers[0].copy()]
    assert "about 44%" in texts(board(known))[1], "four of the nine are too dear"
    known.state.turned = [dig.kind("coin"), dig.kind("coin")]
    assert "about 67%" in texts(board(known))[1], "with 4 turned up the two Coins are too dear as well"
    safe = in_the_mine(turned=[dig.kind("pot_shard")])
    assert "The next card cannot make it collapse." in texts(board(safe))[1]


def test_the_ruins_show_their_cards_and_who_has_a_tent() -> None:
    state = dig.scene(
        "coin*7",
        "coin*4",
        "map",
        monument="ruins",
        site="sandstorm coin",
        dig=True,
        pile=dig.PILE,
        tents=[True, True, False],
    )
    dig.play(state, DIG_MOVE)
    screen = board(expedition(state))
    asks = "▶️ **Ben**: use the Tent, or lose 2 cards? Time"
    assert texts(screen)[-1].startswith(asks)
    _market, *lines, _site = texts(screen)[1].split("\n")
    assert lines == [
        "-# **🧱 Buried Ruins** · 1: 🪙 2 Coins · 2: 🧿 2 Talismans · 3: 🏺 2 Pot Shards · pile of 9",
    ]
    assert texts(screen)[2].split("\n") == [  # the match waits for Ben, and not for Ana, who dug
        "🔵 **Ana** · 7 cards · $0 · ⛺",
        "▶️ 🔶 **Ben** · 4 cards · $0 · ⛺",
        "🟩 **Cara** · 1 card · $0",
    ]
    assert buttons(screen)[:2] == ["Use the Tent", "Hand"]
    asked = private(expedition(state), 1)
    assert "Without the Tent you lose 2 cards." in "\n".join(texts(asked))
    assert buttons(asked)[:2] == ["Use the Tent", "Save the Tent, Lose 2 Coins"]


def test_what_was_seen_in_the_temple_stands_under_the_hand_of_who_saw_it_alone() -> None:
    state = dig.scene("coin*2 map*2", "coin*4", monument="temple", site="coin")
    dig.play(state, sell("coin"), dig.look(1))
    match = expedition(state)
    assert texts(private(match, 0))[1].endswith("\n-# 👁️ Chamber 2 holds 🏺 5 Pot Shards.")
    assert "👁️" not in "".join(texts(private(match, 1)))
    pictured = private(match, 0).picture(Plate("hand.png", b"", "A hand."), 1)
    assert any("👁️ Chamber 2" in text and "💰 $" in text for text in texts(pictured)), "no picture has these"
    assert not any("In brackets: trade value." in text for text in texts(pictured))
    assert [label for label in buttons(private(match, 0)) if label.startswith("Explore")] == [
        "Explore Chamber 1 · 2 Maps",
        "Explore Chamber 2 · 5 Pot Shards",
        "Explore Chamber 3 · 2 Maps",
    ]


def test_in_the_tomb_two_of_a_kind_can_be_kept() -> None:
    laid = ("coin*4 talisman*2 broken_cup", "pot_shard*8")
    state = dig.scene("map coin", "coin*4", monument="tomb", site="coin", chambers=laid)
    dig.play(state, dig.explore(0))
    screen = private(expedition(state), 0)
    assert texts(screen)[3] == "You see 🪙 4 Coins, 🧿 2 Talismans and 🍷 1 Broken Cup."
    parts = walk_components(json.loads(json.dumps(screen.view().to_components())))
    (menu,) = [part for part in parts if part["type"] == 3]
    assert (menu["min_values"], menu["max_values"]) == (2, 2)
    assert [(option["label"], option["description"]) for option in menu["options"]] == [
        ("Coin", "trade value 2 · you hold 1"),
        ("another Coin", "trade value 2 · you hold 1"),
        ("Talisman", "trade value 3 · you hold 0"),
        ("another Talisman", "trade value 3 · you hold 0"),
        ("Broken Cup", "trade value 2 · you hold 0"),
    ]


# -- the rules


def cards_page(match: Match) -> list[str]:
    (page,) = [page for page in match.screens.rules() if page.title == "Prices and cards"]
    return page.text.split("\n")


def test_the_first_games_cards_are_listed_with_all_their_numbers() -> None:
    lines = cards_page(archaeology([{"coin": 1}] * 2, site=["coin"]))
    assert lines[:6] == [
        "Below each treasure: what the museum pays for a set of 1, 2, 3 … cards. The last is for a complete set.",
        "",
        "🏺 **Pot Shard** · 18 copies · trades for 1",
        "-# 1: $1 · 2: $2 · 3: $3 · 4: $4 · 5: $15",
        "📜 **Parchment Scrap** · 16 copies · trades for 1",
        "-# 1: $1 · 2: $2 · 3: $3 · 4: $10",
    ]
    assert lines[-3:-1] == [
        "🦹 **Thieves** · 8",
        "🌪️ **Sandstorms** · 6 with 2 players, 5 with 3 players, 4 with 4 players",
    ]
    assert len(lines) == 2 + 2 * 7 + 3


def test_the_second_games_cards_are_listed_with_how_each_number_is_known() -> None:
    lines = cards_page(expedition(dig.scene("coin", "coin")))
    assert "📜 **Parchment Scrap** · 16 copies · trades for 1" in lines
    assert "🪙 **Coin** · 12 copies · trades for 2 · *sale values: our own number*" in lines
    assert (
        "🪨 **Broken Tablet** · 12 copies · trades for 2 · from 4 players on · "
        "*trade value: our own number, sale values: our own number*"
    ) in lines
    assert [line for line in lines if "from 5 players on" in line] == [
        "📿 **Broken Pendant** · 5 copies · trades for 3 · from 5 players on · "
        "*trade value: our own number, sale values: our own number*"
    ]
    assert lines[-3:-1] == [
        "🦹 **Thieves** · 4 with 2 players, 6 with 3 players, 8 with 4 players, 10 with 5 players",
        "🌪️ **Sandstorms** · 6 with 2 players, 5 with 3 players (inferred), 4 with 4/5 players (inferred)",
    ]


# -- the log's sentences, as each reads them


def told(game: str, event: Event, viewer: int | None) -> str:
    match = archaeology([{"coin": 1}] * 3, site=["coin"])
    if game == "expedition":
        match = expedition(dig.scene("coin", "coin", "coin"))
    (line,) = log_lines(match.table(names=NAMES), match.screens, [row(event)], viewer)
    return line


STOLEN = Event("stolen", 0, {"victim": 1}, {"treasure": 3}, (0, 1), True)
FOUND = Event("found", 0, {}, {"treasure": 3}, (0,), True)
EXPLORED = Event("explored", 0, {"chamber": 1, "maps": 2, "count": 5}, {"cards": [[0, 5]]}, (0,), True)
NOTHING_TAKEN = Event("revealed", 0, {"cards": [[0, 5]], "taken": []})


@pytest.mark.parametrize(
    ("game", "event", "viewer", "line"),
    [
        ("archaeology", STOLEN, 0, "You take 🧿 1 Talisman from **Ben**."),
        ("archaeology", STOLEN, 1, "**Ana** takes 🧿 1 Talisman from you."),
        ("archaeology", STOLEN, 2, "**Ana** takes a card from **Ben**."),
        ("archaeology", STOLEN, None, "**Ana** takes a card from **Ben**."),
        ("archaeology", FOUND, 0, "You dig up 🧿 1 Talisman."),
        ("archaeology", FOUND, 1, "**Ana** digs up a treasure."),
        (
            "archaeology",
            EXPLORED,
            0,
            "You explore the medium chamber for 2 Maps and find 🏺 5 Pot Shards.",
        ),
        (
            "archaeology",
            EXPLORED,
            1,
            "**Ana** explores the medium chamber for 2 Maps and finds 5 cards.",
        ),
        ("archaeology", Event("passed", 0), 0, "You pass."),
        ("archaeology", Event("ended", 0), 1, "**Ana** ends the turn."),
        (
            "archaeology",
            Event("traded", 0, {"give": [[4, 1]], "take": [[0, 1]], "over": 1}),
            1,
            "**Ana** trades 🍷 1 Broken Cup for 🏺 1 Pot Shard, overpaying by 1.",
        ),
        (
            "archaeology",
            Event("traded", 0, {"give": [[4, 2]], "take": [[2, 2]], "over": 0}),
            0,
            "You trade 🍷 2 Broken Cups for 🪙 2 Coins.",
        ),
        (
            "archaeology",
            Event("sold", 0, {"treasure": 6, "count": 2, "price": 12}),
            1,
            "**Ana** sells 🎭 2 Pharaoh's Masks for $12.",
        ),
        (
            "expedition",
            Event("tent", 0, {"used": True}),
            1,
            "⛺ **Ana** shelters in the Tent and loses nothing.",
        ),
        ("expedition", Event("tent", 0, {"used": False}), 0, "You save your Tent for a later Sandstorm."),
        (
            "expedition",
            NOTHING_TAKEN,
            0,
            "The Sphinx shows 🏺 5 Pot Shards: nothing that you asked for, so you take nothing.",
        ),
        (
            "expedition",
            NOTHING_TAKEN,
            1,
            "The Sphinx shows 🏺 5 Pot Shards: nothing that **Ana** asked for, so **Ana** takes nothing.",
        ),
        (
            "expedition",
            Event("revealed", 0, {"cards": [[0, 5]], "taken": [[0, 5]]}),
            1,
            "The Sphinx shows 🏺 5 Pot Shards. **Ana** takes 🏺 5 Pot Shards.",
        ),
        (
            "expedition",
            Event("collapsed", 0, {"cards": [[3, 2]], "worth": 6}),
            1,
            "💥 6 is more than 5: the Mine collapses, and **Ana** gains nothing.",
        ),
    ],
)
def test_everybody_reads_what_they_may_know(game: str, event: Event, viewer: int | None, line: str) -> None:
    assert told(game, event, viewer) == line
