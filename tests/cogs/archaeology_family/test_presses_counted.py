"""How many presses the usual turns take, counted from the open hand, through the real screens.

A press on a button is one. Opening a menu and choosing in it are two. A menu in which several options can be ticked
takes a press for each of them, and one more to close it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room


@dataclass
class Presses:
    """Somebody at their screen, who counts."""

    person: Person
    page: Page
    count: int = 0

    async def press(self, label: str) -> None:
        self.count += 1
        self.page = await self.person.press(self.page, label)

    async def choose(self, placeholder: str, *labels: str) -> None:
        self.count += 2 if self.single(placeholder) else 2 + len(labels)
        self.page = await self.person.choose(self.page, placeholder, *labels)

    def single(self, placeholder: str) -> bool:
        """Whether the menu closes with the first choice in it."""
        wanted = self.page.menu(placeholder).custom_id
        return all(
            part["max_values"] == 1 for part in self.page.components if part.get("custom_id") == wanted
        )


async def open_hand(room: Room, hand: dict[str, int], others: int = 1, **more: object) -> Presses:
    """Ana with this hand, at the beginning of her turn or in it, and the hand open."""
    ana, *_others = await room.match_of("Ana", *["Ben", "Cara", "Dan"][:others])
    site = more.pop("site", ["coin", "coin"])
    state = crafted.craft([hand, *[{"map": 1}] * others], site=site, **more)  # type: ignore[arg-type]
    await room.stage(state)
    return Presses(ana, await ana.hand())


HAND = {"talisman": 2, "pot_shard": 3, "coin": 1, "map": 2}
MARKET = {"talisman": 2, "pharaohs_mask": 1, "broken_cup": 2}


async def test_to_dig_and_to_end_the_turn_takes_two(room: Room) -> None:
    turn = await open_hand(room, HAND)
    await turn.press("Dig")
    await turn.press("End Turn")
    assert turn.count == 2
    assert (await room.table()).state.active == 1


def labels(turn: Presses) -> list[str]:
    """The labels of **Dig** and of the next button."""
    found = [part["label"] for part in turn.page.components if "label" in part]
    return found[found.index("Dig") :][:2]


async def test_with_a_sale_it_takes_three(room: Room) -> None:
    turn = await open_hand(room, HAND)
    before = labels(turn)
    await turn.press("Dig")
    assert labels(turn) == before == ["Dig", "End Turn"]
    assert turn.page.greyed == ["Dig"], "a second tap where Dig was does nothing"
    await turn.press("Sell 2 Talismans · $7")
    await turn.press("End Turn")
    assert turn.count == 3


async def test_with_an_exact_trade_it_takes_four(room: Room) -> None:
    turn = await open_hand(room, HAND, market=MARKET)
    await turn.press("Dig")
    await turn.choose(digger.OFFER, "Give 2 Maps → get 2 Talismans")
    await turn.press("End Turn")
    assert turn.count == 4
    assert (await room.table()).state.hands[0][3] == 4


async def test_with_a_payment_of_ones_own_it_takes_nine(room: Room) -> None:
    turn = await open_hand(room, HAND, market=MARKET)
    await turn.press("Dig")
    await turn.choose(digger.OFFER, digger.BUILD)
    await turn.choose(digger.TAKE, "1 Talisman")
    await turn.choose(digger.PAY, "3 Pot Shards")
    await turn.press("Trade")
    await turn.press("End Turn")
    assert turn.count == 9
    assert "🏺 3 Pot Shards for 🧿 1 Talisman" in (await turn.person.command("log")).text


async def test_the_only_payment_is_chosen_at_once(room: Room) -> None:
    turn = await open_hand(room, {"talisman": 1}, market={"coin": 2, "pot_shard": 1}, phase=crafted.ACT)
    await turn.choose(digger.OFFER, digger.BUILD)
    for coins in ("1 Coin", "1 Pot Shard, 1 Coin"):
        await turn.choose(digger.TAKE, coins)
        assert turn.page.menu(digger.PAY).chosen == ("1 Talisman",)
    await turn.press("Trade")
    assert turn.count == 7
    assert (await room.table()).state.hands[0][:3] == [1, 0, 1]


async def test_a_thiefs_victim_takes_one_more(room: Room) -> None:
    turn = await open_hand(room, HAND, others=3, site=["thief", "coin"])
    await turn.press("Dig")
    await turn.press("Cara · 1 card · $0")
    await turn.press("End Turn")
    assert turn.count == 2 + 1


async def test_exploring_takes_one_more(room: Room) -> None:
    turn = await open_hand(room, HAND)
    await turn.press("Dig")
    await turn.press("Explore for 2 Maps · 5 cards")
    await turn.press("End Turn")
    assert turn.count == 2 + 1


async def test_six_treasures_at_the_end_are_sold_by_one(room: Room) -> None:
    hand = {"talisman": 1, "pot_shard": 1, "coin": 1, "map": 1, "broken_cup": 1, "pharaohs_mask": 1}
    turn = await open_hand(room, hand, phase=crafted.ACT, site=[], rest="sold", explored=True)
    await turn.press("Sell Everything · $15")
    assert turn.count == 1
    assert (await room.table()).state.active == 1, "and the turn is over"


async def test_all_prices_take_one_at_the_table_and_those_in_the_hand_none(room: Room) -> None:
    turn = await open_hand(room, HAND)
    assert "🧿 **2 Talismans** (3) · $3 **7** 14 24 40" in turn.page.text
    turn = Presses(turn.person, await room.board())
    await turn.press("Prices & Rules")
    assert turn.count == 1
    assert (
        "🎭 **Pharaoh's Mask** · 4 copies · trades for 4\n-# 1: $4 · 2: $12 · 3: $26 · 4: $50"
        in turn.page.text
    )
    assert turn.page.id != (await turn.person.hand()).id, "and the hand stays open"


async def test_the_call_itself_begins_the_turn(room: Room) -> None:
    """From the table message, without opening the hand first: its answer is the hand, in which the turn goes on."""
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([HAND, {"map": 1}], site=["coin", "coin"]))
    turn = Presses(ana, await room.board())
    await turn.press("Dig")
    await turn.press("End Turn")
    assert turn.count == 2
