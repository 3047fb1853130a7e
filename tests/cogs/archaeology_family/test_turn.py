"""A turn on the private screen: what the hand is worth, trades, sales, the Sandstorm, the Thief, and large hands."""

from __future__ import annotations

import re

import pytest

from bot.ui.screens.kit import Option
from cogs.archaeology_family.trading import choice_options
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.page import Page
from tests.cogs.some_game import turn_of_ana
from tests.cogs.table_driver import Person, Room


async def test_each_line_of_a_hand_has_all_prices_with_its_own_in_bold_and_the_trade_value(
    room: Room,
) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    hand = {"pot_shard": 1, "coin": 4, "talisman": 6, "map": 2}
    await room.stage(crafted.craft([hand, {"coin": 1}], site=["coin"], sold=[[("broken_cup", 2)], []]))
    text = (await ana.hand()).text
    assert "▶️ **Your turn** · dig · 13 cards · 💰 $15" in text
    assert "🏺 **1 Pot Shard** (1) · $**1** 2 3 4 15\n" in text
    assert "🪙 **4 Coins** (2) · $2 5 10 **18** 30\n" in text
    assert "🧿 **6 Talismans** (3) · $**3** 7 14 24 **40** = $43\n" in text, "in the best sets"
    assert "🗺️ **2 Maps** (3) · $**3** ×2 = $6\n" in text
    assert "**$68** in all" in text


# -- trading


async def test_a_whole_trade_is_one_choice_that_says_what_is_given_and_what_the_hand_then_brings(
    room: Room,
) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    menu = hers.menu(digger.OFFER)
    assert len(menu.options) <= 9
    assert all(text.startswith("hand $27 → $") for text in [*menu.details.values()][:-1])
    assert next(iter(menu.options)) == "Give 2 Maps → get 2 Talismans", "the button's trade is one too"
    await ana.press(hers, "Give 2 Maps → get 2 Talismans · +$5")
    assert "You trade 🗺️ 2 Maps for 🧿 2 Talismans." in hers.text


async def test_of_the_best_trades_one_whose_names_have_room_has_a_button(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    market = {"pot_shard": 3, "parchment_scrap": 2, "coin": 3, "broken_cup": 2, "pharaohs_mask": 1}
    hand = {"talisman": 3, "map": 1}
    await room.stage(crafted.craft([hand, {"coin": 1}], market=market, site=["coin"] * 5, phase=crafted.ACT))
    label = "3 Talismans, 1 Map → 2 Pot Shards, 3 Coins, 2 Broken Cups · +$10"
    assert label in (await ana.hand()).buttons


async def test_a_trade_that_the_menu_does_not_offer_is_put_together_by_counts(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await digger.take(ana, hers, "1 Pot Shard")
    await digger.take(ana, hers, "2 Pot Shards")
    assert hers.menu(digger.TAKE).chosen == ("2 Pot Shards",)
    await digger.take(ana, hers, "2 Pot Shards, 1 Talisman")
    await ana.choose(hers, digger.PAY, "1 Map")
    assert "You are 2 short" in hers.text
    await ana.choose(hers, digger.PAY, "1 Coin, 1 Map")
    assert "You trade 🪙 1 Coin and 🗺️ 1 Map for" not in hers.text, "only Trade makes a trade"
    await ana.choose(hers, digger.PAY, "1 Map")
    assert "You are 2 short" in hers.text, "what was chosen is taken back"
    await ana.choose(hers, digger.PAY, "1 Coin, 1 Map")
    await ana.press(hers, "Trade")
    assert "You trade 🪙 1 Coin and 🗺️ 1 Map for 🏺 2 Pot Shards and 🧿 1 Talisman." in hers.text


async def test_a_trade_that_is_begun_can_be_put_aside(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await digger.take(ana, hers, "1 Talisman")
    assert not hers.offers(digger.OFFER)
    await digger.take(ana, hers, "Clear selection")
    assert hers.offers(digger.OFFER)
    assert not hers.offers(digger.PAY)


async def test_all_trades_come_back_from_a_trade_that_is_begun(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await digger.take(ana, hers, "1 Talisman")
    await ana.choose(hers, digger.PAY, next(iter(hers.menu(digger.PAY).options)))
    await ana.press(hers, "Back to All Trades")
    assert hers.offers(digger.OFFER)
    assert not hers.offers(digger.PAY)


async def test_a_trade_names_each_set_that_it_completes_or_nears(room: Room) -> None:
    (ana,) = await room.match_of("Ana", agents=1)
    hand = {"pot_shard": 2, "coin": 1, "talisman": 1, "broken_cup": 1}
    market = {"pot_shard": 4, "broken_cup": 1, "map": 2}
    await room.stage(crafted.craft([hand, {"coin": 1}], site=["coin"] * 4, market=market, phase=crafted.ACT))
    details = (await ana.hand()).menu(digger.OFFER).details
    both = details["Give 1 Coin, 1 Talisman → get 3 Pot Shards, 1 Broken Cup"]
    assert both.endswith("a complete set: Pot Shard · a complete set: Broken Cup")
    assert any("1 Map" in label for label in details)
    assert not any("a complete set: Map" in text for text in details.values()), "one Map is no aim"


async def choose_losing(person: Person, page: Page) -> str:
    """Chooses a payment that loses 1 of trade value, which is shown and not made; its label."""
    losing = next(label for label, text in page.menu(digger.PAY).details.items() if "loses 1" in text)
    await person.choose(page, digger.PAY, losing)
    return losing


async def test_a_payment_that_loses_value_is_shown_before_the_trade_is_made(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await digger.take(ana, hers, "1 Talisman")
    losing = await choose_losing(ana, hers)
    assert "You trade 🧿" not in hers.text
    assert hers.menu(digger.PAY).chosen == (losing,)
    assert "Wasting 1" in digger.trade_button(hers)
    await ana.press(hers, digger.trade_button(hers))
    assert "overpaying by 1" in hers.text


async def test_an_exact_payment_trades_with_the_press_of_trade(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await digger.take(ana, hers, "1 Talisman")
    exact = next(label for label, text in hers.menu(digger.PAY).details.items() if "exact" in text)
    assert "Talisman" not in exact, "nobody pays with what they buy"
    assert "hand $27 → $28" in hers.menu(digger.PAY).details[exact]
    await ana.choose(hers, digger.PAY, exact)
    assert hers.menu(digger.PAY).chosen == (exact,)
    await ana.press(hers, "Trade")
    assert "You trade 🗺️ 1 Map for 🧿 1 Talisman." in hers.text


async def test_other_cards_to_take_leave_what_was_chosen_to_give(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await digger.take(ana, hers, "1 Talisman")
    await ana.choose(hers, digger.PAY, "1 Coin")
    await digger.take(ana, hers, "2 Pot Shards, 1 Talisman")
    assert hers.menu(digger.PAY).chosen == ("1 Coin",)


async def test_a_menu_that_shows_other_things_is_another_menu_to_discord(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await digger.take(ana, hers, "1 Talisman")
    before = {menu.placeholder: menu.custom_id for menu in hers.menus}
    await choose_losing(ana, hers)
    after = {menu.placeholder: menu.custom_id for menu in hers.menus}
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {hers.menu(digger.PAY).placeholder}, "the others stay as they are, opened or not"


async def test_choosing_what_to_give_takes_the_place_of_a_chosen_payment(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await digger.take(ana, hers, "1 Talisman")
    await choose_losing(ana, hers)
    await ana.choose(hers, digger.PAY, "Clear selection")
    await ana.choose(hers, digger.PAY, "2 Maps")
    assert hers.menu(digger.PAY).chosen == ("2 Maps",)
    assert "You give 🗺️ 2 Maps, worth **6**" in hers.text
    await ana.press(hers, "Trade, Wasting 3")
    assert "You trade 🗺️ 2 Maps for 🧿 1 Talisman, overpaying by 3." in hers.text


# -- selling and exploring


async def test_a_set_is_sold_and_a_chamber_explored_by_one_press_each(room: Room) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    assert digger.labelled(hers, "g.sell") == ["Sell 4 Coins · $18"], "the dearest"
    lesser = ["3 Coins · $10", "2 Coins · $5", "1 Talisman · $3", "1 Map · $3", "1 Coin · $2"]
    assert list(hers.menu(digger.SELL).options) == lesser, "by price"
    await ana.press(hers, "Sell 4 Coins · $18")
    assert "You sell" in hers.text
    assert "$18" in (await room.board()).text
    await ana.press(hers, "Explore for 1 Map · 3 cards")
    assert "You find" in hers.text
    assert "3 cards" in his.text or "5 cards" in his.text
    found = hers.text.partition("find")[2].partition("\n")[0]
    assert found
    assert found not in his.text


async def test_once_the_dig_site_is_empty_everything_is_sold_by_one_press_and_taken_back_by_one(
    room: Room,
) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    hand = {"coin": 6, "talisman": 2, "map": 1}
    await room.stage(crafted.craft([hand, {"coin": 1}], rest="sold", phase=crafted.ACT, explored=True))
    page = await ana.hand()
    assert "**Ana** may trade and sell." in (await room.board()).text, "all chambers are empty"
    await ana.press(page, "Sell Everything · $42")
    assert "You hold no cards" in page.text
    assert "💰 $42" in page.text
    assert (await room.table()).state.active == 1, "with no card left the turn ends by itself"
    await ana.press(page, "Undo")
    assert "▶️ **Your turn** · 9 cards · 💰 $0" in page.text


async def test_while_there_is_something_to_dig_nothing_sells_the_whole_hand(room: Room) -> None:
    _ana, _ben, hers, _his = await turn_of_ana(room)
    assert not [label for label in hers.buttons if "Everything" in label]


async def test_a_turn_without_a_card_ends_by_itself(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 1}, {"coin": 1}], site=["coin"] * 3, phase=crafted.ACT))
    page = await ana.hand()
    assert "Selling all your cards ends your turn." in page.text
    await ana.press(page, "Sell 1 Coin · $2")
    assert ben.mention in room.announcements()[0].text
    assert "End Turn" not in page.buttons
    assert page.text.startswith("You sell 🪙 1 Coin for $2."), (
        "the last thing that she did, and not that it was over"
    )


async def test_only_the_last_cards_are_called_so(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    hand = {"coin": 1, "talisman": 1}
    await room.stage(crafted.craft([hand, {"coin": 1}], site=["coin"] * 3, phase=crafted.ACT))
    assert "all your cards" not in (await ana.hand()).text


async def test_the_chambers_stand_behind_the_button_also_without_a_map(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 2}, {"coin": 1}], site=["coin"] * 3, phase=crafted.ACT))
    page = await ana.hand()
    assert "Pyramid" not in page.text
    assert "**Pyramid** ⛰️ 3 cards for 1 Map" in (await ana.press(page, "?")).text


async def test_the_news_of_ones_first_turn_begin_with_what_the_others_did_before_it(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 1}, {"coin": 1}], site=["coin"] * 6))
    await ana.press(await ana.press(await ana.hand(), "Dig"), "End Turn")
    page = await ben.hand()
    assert page.text.index("**Ana** digs.") < page.text.index("▶️ **Your turn**")
    page = await ben.press(page, "Dig")
    assert "-# **Ana** digs.\n**Now:** You dig up" in page.text
    await ben.press(page, "End Turn")
    await ana.press(await ana.press(await ana.hand(), "Dig"), "End Turn")
    shown = (await ben.hand()).text
    assert "**Ana** digs." in shown
    assert "You dig up" not in shown, "his own turn before is no news to him"


async def test_a_thief_is_named_twice_at_most_when_one_meets_it(room: Room) -> None:
    ana, _ben, _cara = await room.match_of("Ana", "Ben", "Cara")
    await room.stage(crafted.craft([{"coin": 1}] * 3, site=["thief", *["coin"] * 6]))
    page = await ana.press(await ana.hand(), "Dig")
    assert page.text.count("Thief") == 2, page.text
    assert "Ben · 1 card · $0" in page.buttons


async def test_where_the_menu_has_no_whole_trade_it_leads_to_one_of_ones_own(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    hands = [{"pot_shard": 1}, {"coin": 1}]
    await room.stage(crafted.craft(hands, market={"pot_shard": 1}, site=["coin"], phase=crafted.ACT))
    page = await ana.hand()
    assert [*page.menu(digger.OFFER).options] == [digger.BUILD]
    assert (await ana.choose(page, digger.OFFER, digger.BUILD)).offers(digger.TAKE)


async def test_a_turn_says_that_only_one_player_still_has_cards(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 2}, {}], rest="sold", phase=crafted.ACT))
    assert "▶️ **It's your turn: only you still have cards** · 2 cards · 💰 " in (await ana.hand()).text


async def test_newcomers_are_told_in_three_lines_what_to_do_until_they_have_played_here(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 1}, {"map": 1}], site=["coin"] * 4))
    page = await ana.hand()
    assert "\n▶️ **Your turn** · dig · 1 card · 💰 $0\n-# 👋 Your first match?" in page.text
    await room.stage(crafted.craft([{"coin": 1}, {}], rest="sold", phase=crafted.ACT, explored=True))
    await ana.press(page, "Sell 1 Coin · $2")
    lobby = await ana.command("start", agents=1)
    await ana.press(lobby, "Start Match")
    assert "👋" not in (await ana.hand()).text, "she has played it now"


# -- the Sandstorm


async def test_of_what_hurts_the_same_the_sandstorm_is_offered_what_trades_for_least(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    hand = {"coin": 2, "talisman": 1, "broken_cup": 1}
    await room.stage(crafted.craft([hand, {"pot_shard": 1}], site=["sandstorm", "coin"]))
    page = await ana.press(await room.board(), "Dig")
    assert "1 Talisman" not in page.menu(digger.LOSE).chosen, "any two of these cards are worth $5"
    assert "is chosen below" in page.text
    await ana.choose(page, digger.LOSE, "1 Coin, 1 Talisman")
    assert "is chosen below" not in page.text, "this is her own choice"


async def test_the_proposal_for_the_sandstorm_is_accepted_by_one_press(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 4, "map": 3}, {"pot_shard": 3}], site=["sandstorm", "coin"]))
    page = await ana.press(await room.board(), "Dig")
    assert len(page.menu(digger.LOSE).chosen) > 0
    await ana.press(page, digger.lose_button(page))
    assert "You lose" in page.text
    assert "4 cards" in page.text
    assert "Your hand · 4 cards" in page.text


async def test_another_choice_for_the_sandstorm(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 4, "map": 2}, {"pot_shard": 3}], site=["sandstorm", "coin"]))
    page = await ana.press(await room.board(), "Dig")
    assert sorted(page.menu(digger.LOSE).options) == ["1 Coin, 2 Maps", "2 Coins, 1 Map", "3 Coins"]
    await ana.choose(page, digger.LOSE, "3 Coins")
    await ana.press(page, digger.lose_button(page))
    assert "You lose 🪙 3 Coins" in page.text
    assert ben.mention in room.announcements()[0].text


async def test_the_calls_button_leads_to_the_choice(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 4}, {"pot_shard": 3}], site=["sandstorm", "coin"]))
    await ana.press(await room.board(), "Dig")
    assert "Lose Cards" not in (await room.board()).buttons, "there, everybody has the button Hand"
    (call,) = room.announcements()
    assert "Hand" not in call.buttons, "it would open the same screen"
    page = await ben.press(call, "Lose Cards")
    assert page.ephemeral
    assert not page.menus, "there is nothing to choose from, and it is asked all the same"
    page = await ben.press(page, "Lose 1 Pot Shard")
    assert "You lose 🏺 1 Pot Shard" in page.text


async def test_a_thief_visits_whom_its_digger_chooses(room: Room) -> None:
    ana, ben, cara = await room.match_of("Ana", "Ben", "Cara")
    await room.stage(crafted.craft([{"coin": 1}, {"map": 1}, {"pharaohs_mask": 1}], site=["thief", "coin"]))
    his, hers = await ben.hand(), await cara.hand()
    page = await ana.press(await room.board(), "Dig")
    await ana.press(page, "Cara · 1 card · $0")
    assert "You steal 🎭 1 Pharaoh's Mask from" in page.text
    assert "🎭 1 Pharaoh's Mask from you" in hers.text
    # The cards that lay in the market at the start may be told above, and stand there.
    story = his.text.partition("steals a card")[2].partition("\n#")[0]
    assert story.startswith(" from **Cara**")
    assert "Mask" not in story
    assert "meets a 🦹 Thief (the last one) and steals a card from **Cara**." in (await room.board()).text


# -- large hands

FIFTY = {
    "pot_shard": 15,
    "parchment_scrap": 11,
    "coin": 10,
    "talisman": 5,
    "broken_cup": 4,
    "map": 3,
    "pharaohs_mask": 2,
}
REST = {"pot_shard": 3, "parchment_scrap": 2, "coin": 1, "talisman": 1}


async def test_any_number_of_each_card_can_be_reached_out_of_a_hand_of_fifty(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    assert sum(FIFTY.values()) == 50
    await room.stage(
        crafted.craft([FIFTY, {"coin": 1}], market=REST, site=["coin"], phase=crafted.ACT, explored=True)
    )
    page = await ana.hand()
    assert "50 cards" in page.text
    everything = {*digger.labelled(page, "g.sell")} | {*page.menu(digger.SELL).options}
    sets = sum(
        min(have, len(prices)) for have, prices in zip(FIFTY.values(), crafted.GAME.prices, strict=True)
    )
    assert len(everything) == sets, "any set can be sold"
    await digger.take(ana, page, "1 Talisman")
    view = crafted.GAME.view((await room.table()).state, 0)
    for kind, have in enumerate(FIFTY.values()):
        reached: set[int] = {0}
        chosen: list[str] = []
        while more := _counts(choice_options(view, view.hand or (), chosen, 1000), kind) - reached:
            reached |= more
            chosen = [f"{kind}x{max(more)}"]
            if max(more) == have:
                chosen = [f"{kind}x{min({*range(1, have + 1)} - reached, default=have)}"]
        assert reached == {*range(have + 1)}, "any number of each can be given"
    labels = [label for menu in page.menus for label in menu.options]
    assert max(map(len, labels)) < 100, "no label is cut off"


def _counts(options: list[Option], kind: int) -> set[int]:
    """How many cards of this treasure alone the options stand for."""
    alone = [
        option.value for option in options if option.value.startswith(f"{kind}x") and "," not in option.value
    ]
    return {int(value.partition("x")[2]) for value in alone}


def sums(sizes: list[int]) -> set[int]:
    """All numbers that some of these make together."""
    found = {0}
    for size in sizes:
        found |= {total + size for total in found}
    return found


def numbers(page: Page, placeholder: str) -> dict[str, list[int]]:
    """By treasure, how many cards each option of these menus stands for."""
    found: dict[str, list[int]] = {}
    for menu in page.menus:
        if menu.placeholder.startswith(placeholder):
            for value in menu.options.values():
                kind, _, count = value.partition("x")
                found.setdefault(kind, []).append(int(count.partition(".")[0]))
    return found


async def test_a_sandstorm_over_fifty_cards(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(
        crafted.craft([FIFTY, {"coin": 1}], market=REST, site=["sandstorm", "coin"], explored=True)
    )
    page = await ana.press(await room.board(), "Dig")
    wanted = [have // 2 for have in FIFTY.values()]
    wanted[0] += 25 - sum(wanted)
    while (now := lost_so_far(page)) != wanted:

        def missing(label: str, page: Page = page) -> int:
            counts = counted(page.menu(digger.LOSE).options[label])
            return sum(abs(each - other) for each, other in zip(counts, wanted, strict=True))

        nearest = min(page.menu(digger.LOSE).options, key=missing)
        await ana.choose(page, digger.LOSE, nearest)
        assert lost_so_far(page) != now, "each choice leads nearer to any loss that the rules allow"
    await ana.press(page, digger.lose_button(page))
    assert "25 cards" in page.text
    left = [have - lost for have, lost in zip(FIFTY.values(), wanted, strict=True)]
    assert list((await room.table()).state.hands[0]) == left


def counted(value: str) -> list[int]:
    """How many cards of each treasure the value of an option stands for."""
    counts = [0] * len(FIFTY)
    for part in value.split(",") if value != "none" else ():
        kind, _x, n = part.partition("x")
        counts[int(kind)] += int(n)
    return counts


def lost_so_far(page: Page) -> list[int]:
    """The cards that are chosen to be lost."""
    menu = page.menu(digger.LOSE)
    return [n for label in menu.chosen for n in counted(menu.options[label])]


async def test_the_trade_menu_has_the_dearest_hand_first_no_mere_loss_and_says_what_a_trade_opens(
    room: Room,
) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    hand = {"coin": 4, "pot_shard": 3, "map": 2}
    site = ["coin"] * 5
    await room.stage(
        crafted.craft([hand, {"coin": 1}], market={"map": 1, "talisman": 2}, site=site, phase=crafted.ACT)
    )
    menu = (await ana.hand()).menu(digger.OFFER)
    for_a_map = next(label for label in menu.options if label.endswith("→ get 1 Map"))
    assert "then: Explore for 3 Maps · 7 cards" in menu.details[for_a_map]
    effects = [menu.details[label] for label in menu.options if label != digger.BUILD]
    then = [int(re.findall(r"→ \$(\d+)", effect)[0]) for effect in effects]
    assert then == sorted(then, reverse=True)
    now = int(effects[0].split("$")[1].split()[0])
    assert all(
        brings >= now or "set" in effect or "then:" in effect
        for brings, effect in zip(then, effects, strict=True)
    )


# -- a Sandstorm that would break a set

WARNING = "🧿 5 Talismans, a complete set for $40, unsold: a Sandstorm 🌪️ would cost your hand $10 at least."


async def test_a_turn_that_would_end_with_a_complete_set_before_a_sandstorm_is_warned_of_beside_its_button(
    room: Room,
) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    hand = {"talisman": 5, "parchment_scrap": 4}  # the dearer of two, though a Sandstorm need not break it
    await room.stage(crafted.craft([hand, {"coin": 1}], site=["sandstorm", "coin"], phase=crafted.ACT))
    hers = await ana.hand()
    assert WARNING in hers.text
    assert "End Turn" not in hers.buttons
    await ana.press(hers, "End Turn Without Selling")
    assert WARNING not in (await ben.hand()).text


@pytest.mark.parametrize(
    ("hand", "site"),
    [
        ({"talisman": 5}, ["coin"]),  # no Sandstorm is left
        ({"talisman": 5, "pot_shard": 4, "map": 1}, ["sandstorm", "coin"]),  # other cards are lost first
        ({"talisman": 4, "coin": 2}, ["sandstorm", "coin"]),  # not complete
        ({"map": 2}, ["sandstorm", "coin"]),  # not dear
    ],
)
async def test_a_turn_ends_without_a_warning_where_no_dear_set_is_lost(
    room: Room, hand: dict[str, int], site: list[str]
) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([hand, {"coin": 1}], site=site, phase=crafted.ACT))
    hers = await ana.hand()
    assert "unsold" not in hers.text
    assert "End Turn" in hers.buttons
