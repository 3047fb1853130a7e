"""The trades that the menu offers, against every trade there is (tried one by one)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from operator import le

from hypothesis import event, given
from hypothesis import strategies as st

from bot.ui.screens.ids import Id
from cogs.archaeology_family.trades import Offer, best_trades, brings
from cogs.archaeology_family.trading import offered_trades, trade_items
from engine.archaeology_family.card_list import Bundles, bundles
from tests.cogs.archaeology_family import crafted
from tests.sampling import examples

TRADE, PRICES = crafted.GAME.trade, crafted.GAME.prices

hands = st.tuples(*(st.integers(0, most) for most in (4, 3, 3, 1, 2, 1, 1)))
markets = st.tuples(*(st.integers(0, most) for most in (2, 1, 2, 2, 1, 1, 2)))

Counts = tuple[int, ...]


def counts(**cards: int) -> Counts:
    return tuple(cards.get(key, 0) for key in crafted.COPIES)


def worth(cards: Sequence[int]) -> int:
    """The trade value of cards."""
    return sum(n * value for n, value in zip(cards, TRADE, strict=True))


def ways(held: Sequence[int]) -> Iterator[Counts]:
    return product(*(range(n + 1) for n in held))


def every_trade(hand: Counts, market: Counts) -> list[Offer]:
    """For each choice to take, the best trade: what the hand brings, then the value lost, then the cards moved."""
    best: dict[Counts, tuple[int, int, int]] = {}
    payments = [(cards, worth(cards)) for cards in ways(hand) if any(cards)]
    for take in ways(market):
        price = worth(take)
        for gone_cards, paid in payments if any(take) else ():
            if paid < price or any(n and gone for n, gone in zip(take, gone_cards, strict=True)):
                continue
            after = [have + n - gone for have, n, gone in zip(hand, take, gone_cards, strict=True)]
            rank = (-brings(after, PRICES), paid - price, sum(gone_cards) + sum(take))
            best[take] = min(best.get(take, rank), rank)
    return [Offer(-money, lost, (), bundles(take)) for take, (money, lost, _moved) in best.items()]


@given(hands, markets)
@examples(25)
def test_the_best_trades_there_are_come_first(hand: Counts, market: Counts) -> None:
    """For each treasure and number of it that can be taken."""
    offered = best_trades(hand, market, TRADE, PRICES)
    every = every_trade(hand, market)
    shown = [(-offer.brings, offer.lost) for offer in offered]
    assert shown == sorted(shown)
    assert shown[:1] == sorted((-offer.brings, offer.lost) for offer in every)[:1]
    for taken in {each for offer in every for each in offer.take}:
        best, mine = (max([each.brings for each in some if taken in each.take]) for some in (every, offered))
        assert best == mine
    event(f"any: {bool(every)}")


@given(hands, markets)
@examples(60)
def test_each_can_be_made_and_brings_what_it_says(hand: Counts, market: Counts) -> None:
    for offer in best_trades(hand, market, TRADE, PRICES):
        after = list(hand)
        for kind, n in offer.give:
            assert 0 < n <= hand[kind]
            after[kind] -= n
        for kind, n in offer.take:
            assert 0 < n <= market[kind]
            after[kind] += n
        assert brings(after, PRICES) == offer.brings
        assert value(offer.give) - value(offer.take) == offer.lost >= 0
        assert all(TRADE[kind] > offer.lost for kind, _n in offer.give), "no card could be left out"
        assert not {kind for kind, _n in offer.give} & {kind for kind, _n in offer.take}


@given(hands, markets)
@examples(60)
def test_the_menu_begins_with_the_greatest_gain_and_no_trade_gives_the_same_for_less(
    hand: Counts, market: Counts
) -> None:
    held, lie = (dict(zip(crafted.COPIES, each, strict=True)) for each in (hand, market))
    state = crafted.craft([held, {}], market=lie, phase=crafted.ACT, explored=True)
    offers = offered_trades(crafted.GAME.view(state, 0))
    most = max([offer.brings for offer in every_trade(hand, market)], default=0)
    now = brings(hand, PRICES)
    gaining = [offer.brings for offer in offers if offer.brings > now]
    assert gaining[:1] == [most] * (most > now)
    assert gaining == [offer.brings for offer in offers[: len(gaining)]], (
        "those that only near a set are last"
    )
    nets = [
        [dict(offer.take).get(kind, 0) - dict(offer.give).get(kind, 0) for kind in range(7)]
        for offer in offers
    ]
    assert not [one for one, other in permutations(nets, 2) if all(map(le, one, other))]


def test_a_trade_that_loses_nothing_and_nears_a_set_is_offered_while_there_is_room() -> None:
    state = crafted.craft([{"pot_shard": 4, "coin": 1}, {}], market={"parchment_scrap": 2}, phase=crafted.ACT)
    items = trade_items(crafted.GAME.view(state, 0), {}, Id(""), lambda _maps: ())
    assert "hand $6 → $6 · 2 short of a complete set: Parchment Scrap" in str(items)


def value(cards: Bundles) -> int:
    return sum(n * TRADE[kind] for kind, n in cards)


def test_a_hand_and_a_market_of_all_cards_there_are_are_weighed_too() -> None:
    half = tuple(n // 2 for n in crafted.GAME.copies)
    offers = best_trades(half, half, TRADE, PRICES)
    assert len(offers) > 12
    assert offers[0].brings > brings(half, PRICES)
