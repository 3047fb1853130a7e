"""A turn on the private screen: what the hand is worth, trades, sales, the Sandstorm, the Thief, and large hands."""

from __future__ import annotations

from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.page import Page
from tests.cogs.some_game import turn_of_ana
from tests.cogs.table_driver import Person, Room


async def test_it_tells_what_each_set_brings_now_and_at_its_next_size(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    hand = {"pot_shard": 1, "coin": 4, "talisman": 5, "map": 2}
    await room.stage(crafted.craft([hand, {"coin": 1}], site=["coin"], sold=[[("broken_cup", 2)], []]))
    text = (await ana.hand()).text
    assert "Your hand · 12 cards · 💰 $15" in text
    assert "**1 Pot Shard** · $1 · 2 for $2\n" in text
    assert "**4 Coins** · $18 · 5 for $30\n" in text
    assert "**5 Talismans** · $40, the largest set" in text
    assert "**2 Maps** · $3 each" in text


# -- trading


async def test_a_trade_takes_two_presses(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await ana.choose(hers, digger.TAKE, "1 Talisman")
    exact = next(label for label, text in hers.menu(digger.PAY).details.items() if "exact" in text)
    assert "Talisman" not in exact, "nobody pays with what they buy"
    await ana.choose(hers, digger.PAY, exact)
    assert "You trade" in hers.text
    assert "2 Talismans" in hers.text


async def choose_losing(person: Person, page: Page) -> str:
    """Chooses a payment that loses 1 of trade value, which is shown and not made; its label."""
    losing = next(label for label, text in page.menu(digger.PAY).details.items() if "loses 1" in text)
    await person.choose(page, digger.PAY, losing)
    return losing


async def test_a_trade_that_loses_value_is_shown_before_it_is_made(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await ana.choose(hers, digger.TAKE, "1 Talisman")
    losing = await choose_losing(ana, hers)
    assert "You trade" not in hers.text
    assert hers.menu(digger.PAY).chosen == (losing,)
    assert "Losing 1" in digger.trade_button(hers)
    await ana.press(hers, digger.trade_button(hers))
    assert "You trade" in hers.text
    assert "losing 1" in hers.text


async def test_other_cards_to_take_put_the_payment_aside(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await ana.choose(hers, digger.TAKE, "1 Talisman")
    await choose_losing(ana, hers)
    await ana.choose(hers, digger.TAKE, "1 Pot Shard")
    assert hers.menu(digger.PAY).chosen == ()
    assert not [label for label in hers.buttons if label.startswith("Trade")]


async def test_other_cards_to_take_leave_what_was_chosen_to_give(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await ana.choose(hers, digger.TAKE, "1 Talisman")
    await ana.choose(hers, digger.GIVE, "1 Coin")
    await ana.choose(hers, digger.TAKE, "2 Pot Shards")
    assert hers.menu(digger.GIVE).chosen == ("1 Coin",)
    await ana.press(hers, "Trade")
    assert "You trade 🪙 1 Coin for 🏺 2 Pot Shards." in hers.text


async def test_a_menu_that_shows_other_things_is_another_menu_to_discord(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await ana.choose(hers, digger.TAKE, "1 Talisman")
    before = {menu.placeholder: menu.custom_id for menu in hers.menus}
    await choose_losing(ana, hers)
    after = {menu.placeholder: menu.custom_id for menu in hers.menus}
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {hers.menu(digger.PAY).placeholder}, "the others stay as they are, opened or not"


async def test_a_choice_in_a_menu_that_was_drawn_anew_meanwhile_counts_once(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await ana.choose(hers, digger.TAKE, "1 Talisman")
    older = hers.menu(digger.GIVE)
    await ana.choose(hers, digger.GIVE, "1 Coin")
    values = [older.options[label] for label in ("1 Coin", "2 Coins")]
    await room.deliver(ana.forging(hers, older.custom_id, values))
    assert "You give 🪙 3 Coins, worth **6**" in hers.text


async def test_bundles_of_the_same_size_are_told_apart_in_words(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await ana.choose(hers, digger.TAKE, "1 Talisman")
    assert [label for label in hers.menu(digger.GIVE).options if "Coin" in label] == [
        "1 Coin",
        "another Coin",
        "2 Coins",
    ]


async def test_a_map_has_a_price_and_no_larger_set(room: Room) -> None:
    _ana, _ben, hers, _his = await turn_of_ana(room)
    assert "🗺️ **2 Maps** · $3 each" in hers.text


async def test_choosing_what_to_give_puts_a_chosen_payment_aside(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await ana.choose(hers, digger.TAKE, "1 Talisman")
    await choose_losing(ana, hers)
    await ana.choose(hers, digger.GIVE, "1 Map")
    assert hers.menu(digger.PAY).chosen == ()
    assert "You give 🗺️ 1 Map, worth **3**" in hers.text
    await ana.press(hers, digger.trade_button(hers))
    assert "You trade 🗺️ 1 Map for 🧿 1 Talisman." in hers.text


async def test_a_set_is_sold_and_a_chamber_explored_by_one_choice_each(room: Room) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    await ana.choose(hers, digger.SELL, "4 Coins · $18")
    assert "You sell" in hers.text
    assert "$18" in (await room.board()).text
    chamber = next(iter(hers.menu(digger.EXPLORE).options))
    await ana.choose(hers, digger.EXPLORE, chamber)
    assert "You explore" in hers.text
    assert "3 cards" in his.text or "5 cards" in his.text
    found = hers.text.partition("find")[2].partition("\n")[0]
    assert found
    assert found not in his.text


# -- the Sandstorm


async def test_of_what_hurts_the_same_the_sandstorm_is_offered_what_trades_for_least(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    hand = {"coin": 2, "talisman": 1, "broken_cup": 1}
    await room.stage(crafted.craft([hand, {"pot_shard": 1}], site=["sandstorm", "coin"]))
    page = await ana.press(await room.board(), "Dig")
    assert "1 Talisman" not in page.menu(digger.LOSE).chosen, "any two of these cards are worth $5"
    assert "is chosen already" in page.text
    await ana.choose(page, digger.LOSE, "1 Talisman", "1 Coin")
    assert "is chosen already" not in page.text, "this is her own choice"


async def test_the_proposal_for_the_sandstorm_is_accepted_by_one_press(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 4, "map": 3}, {"pot_shard": 3}], site=["sandstorm", "coin"]))
    page = await ana.press(await room.board(), "Dig")
    assert len(page.menu(digger.LOSE).chosen) > 0
    await ana.press(page, digger.lose_button(page))
    assert "You lose" in page.text
    assert "4 cards" in page.text
    assert "· 4 cards" in page.text.partition("Your hand")[2]


async def test_another_choice_for_the_sandstorm(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 4, "map": 2}, {"pot_shard": 3}], site=["sandstorm", "coin"]))
    page = await ana.press(await room.board(), "Dig")
    menu = page.menu(digger.LOSE)
    await ana.choose(page, digger.LOSE, *menu.options)
    assert any("Fewer" in label for label in page.greyed)
    coins = [label for label in menu.options if "Coin" in label]
    await ana.choose(page, digger.LOSE, *coins)
    await ana.choose(page, digger.LOSE, "2 Coins", "1 Coin")
    await ana.press(page, digger.lose_button(page))
    assert "You lose 🪙 3 Coins" in page.text
    assert ben.mention in room.announcements()[0].text


async def test_the_button_on_the_board_leads_to_the_choice(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 4}, {"pot_shard": 3}], site=["sandstorm", "coin"]))
    await ana.press(await room.board(), "Dig")
    page = await ana.press(await room.board(), "Discard")
    assert page.ephemeral
    assert page.offers(digger.LOSE)


async def test_a_thief_visits_whom_its_digger_chooses(room: Room) -> None:
    ana, ben, cara = await room.match_of("Ana", "Ben", "Cara")
    await room.stage(crafted.craft([{"coin": 1}, {"map": 1}, {"pharaohs_mask": 1}], site=["thief", "coin"]))
    his, hers = await ben.hand(), await cara.hand()
    page = await ana.press(await room.board(), "Dig")
    await ana.choose(page, digger.THIEF, "Cara")
    assert "You take 🎭 1 Pharaoh's Mask from" in page.text
    assert "🎭 1 Pharaoh's Mask from you" in hers.text
    for page in (his, await room.board()):
        # What lay in the market at the start may be told above, and stand there.
        told = page.text.partition("meets a Thief")[2].partition("\n#")[0]
        assert "takes a card from **Cara**" in told
        assert "Mask" not in told


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


async def test_a_hand_of_fifty_cards_is_shown_and_offered_whole(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    assert sum(FIFTY.values()) == 50
    await room.stage(
        crafted.craft([FIFTY, {"coin": 1}], market=REST, site=["coin"], phase=crafted.ACT, explored=True)
    )
    page = await ana.hand()
    assert "50 cards" in page.text
    await ana.choose(page, digger.TAKE, "1 Talisman")
    gives = numbers(page, digger.GIVE)
    assert len(gives) == 7
    for kind, have in enumerate(FIFTY.values()):
        assert sums(gives[str(kind)]) == set(range(have + 1)), "any number of each can be given"
    sells = numbers(page, digger.SELL)
    for kind, (have, prices) in enumerate(zip(FIFTY.values(), crafted.GAME.prices, strict=True)):
        assert sorted(sells[str(kind)]) == list(range(1, min(have, len(prices)) + 1)), "any set can be sold"
    labels = [label for menu in page.menus for label in menu.options]
    assert max(map(len, labels)) < 100, "no label is cut off"


async def test_a_choice_over_several_menus_is_one_choice(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    everything = crafted.everything(coin=2, talisman=1, pot_shard=1)
    hands, market = [everything, {"coin": 1}], {"talisman": 1}
    await room.stage(
        crafted.craft(hands, market=market, site=["pot_shard"], phase=crafted.ACT, explored=True)
    )
    page = await ana.hand()
    await ana.choose(page, digger.TAKE, "1 Talisman")
    menus = [menu for menu in page.menus if menu.placeholder.startswith(digger.GIVE)]
    assert len(menus) > 1, "more than 25 options"
    first, last = menus[0], menus[-1]
    await ana.choose(page, first.placeholder, "1 Pot Shard")
    await ana.choose(page, last.placeholder, next(label for label in last.options if "Mask" in label))
    assert page.menu(first.placeholder).chosen == ("1 Pot Shard",)
    assert "Pot Shard" in page.text.partition("You give")[2]
    assert "Mask" in page.text.partition("You give")[2]


async def test_a_sandstorm_over_fifty_cards(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(
        crafted.craft([FIFTY, {"coin": 1}], market=REST, site=["sandstorm", "coin"], explored=True)
    )
    page = await ana.press(await room.board(), "Dig")
    losses = numbers(page, digger.LOSE)
    for kind, have in enumerate(FIFTY.values()):
        assert sums(losses[str(kind)]) == set(range(have + 1))
    await ana.press(page, digger.lose_button(page))
    assert "25 cards" in page.text
