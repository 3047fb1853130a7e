"""The payments and losses that menus offer, against every choice there is (tried one by one)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from hypothesis import event, given
from hypothesis import strategies as st

from cogs.archaeology_family.trades import PAYMENTS, Payment, least_losses, payments
from engine.archaeology_family.agents.worth import revenue
from engine.archaeology_family.card_list import Bundles, bundles
from tests.cogs.archaeology_family import crafted
from tests.sampling import examples

TRADE, PRICES = crafted.GAME.trade, crafted.GAME.prices

rich = st.tuples(*(st.integers(0, most) for most in (5, 4, 3, 2, 2, 2, 2)))
dear = st.tuples(*(st.integers(0, most) for most in (0, 0, 1, 3, 0, 2, 3)))
hands = rich | dear
"""Many cards to choose from, and a few that seldom pay exactly."""


def hand(**counts: int) -> list[int]:
    return [counts.get(key, 0) for key in crafted.COPIES]


def brings(counts: Sequence[int]) -> int:
    """The price of cards at the museum, sold in the best sets."""
    return sum(revenue(prices, n)[n] for prices, n in zip(PRICES, counts, strict=True))


def ways(held: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return product(*(range(n + 1) for n in held))


def worth(counts: Sequence[int]) -> int:
    """The trade value of cards."""
    return sum(n * value for n, value in zip(counts, TRADE, strict=True))


def every_payment(held: Sequence[int], price: int) -> list[Payment]:
    """All that pay the price with no card too many, the best first."""
    found: list[Payment] = []
    for given_cards in ways(held):
        paid = worth(given_cards)
        spare = min((value for n, value in zip(given_cards, TRADE, strict=True) if n), default=0)
        if paid >= price > paid - spare:
            kept = _less(held, given_cards)
            found.append(Payment(paid - price, brings(held) - brings(kept), bundles(given_cards)))
    return sorted(found)


@given(hands, st.integers(1, 14))
@examples(60)
def test_the_best_payments_are_offered_without_a_needless_card(held: tuple[int, ...], price: int) -> None:
    offered, every = payments(held, TRADE, PRICES, price), every_payment(held, price)
    assert len(offered) <= PAYMENTS
    assert len(set(offered)) == len(offered)
    assert set(offered) <= set(every)
    assert bool(offered) == bool(every)
    assert offered == sorted(offered), "those that lose no value first, then those that hurt least"
    exact = [payment[:2] for payment in every if not payment.lost][:PAYMENTS]
    assert [payment[:2] for payment in offered[: len(exact)]] == exact
    if every:
        assert offered[0][:2] == every[0][:2]
    event(f"exact: {bool(exact)}, any: {bool(every)}, more than a menu takes: {len(every) > PAYMENTS}")


def test_nobody_is_offered_to_give_a_card_for_nothing() -> None:
    offered = payments(hand(coin=2, pharaohs_mask=1), TRADE, PRICES, 4)
    assert {payment.cards for payment in offered} == {cards(pharaohs_mask=1), cards(coin=2)}
    (only,) = payments(hand(pharaohs_mask=2), TRADE, PRICES, 3)
    assert only == Payment(1, 8, cards(pharaohs_mask=1)), "one Mask is enough: two bring 12, one 4"


def cards(**counts: int) -> Bundles:
    return bundles(hand(**counts))


def test_what_keeps_sets_whole_is_offered_first() -> None:
    offered = payments(hand(coin=5, broken_cup=3), TRADE, PRICES, 2)
    found = [(payment.cards, payment.hurt) for payment in offered]
    assert found == [(cards(broken_cup=1), 2), (cards(coin=1), 12)]


@given(hands)
@examples(40)
def test_those_losses_are_offered_that_hurt_least_and_then_trade_for_least(held: tuple[int, ...]) -> None:
    due = sum(held) // 2
    offered = least_losses(held, TRADE, PRICES, due, 26)
    every = {bundles(gone): gone for gone in ways(held) if sum(gone) == due}
    assert len(set(offered)) == len(offered) == min(26, len(every))

    def pain(gone: Sequence[int]) -> tuple[int, int]:
        return -brings(_less(held, gone)), worth(gone)

    assert [pain(every[loss]) for loss in offered] == sorted(map(pain, every.values()))[: len(offered)]


def _less(held: Sequence[int], gone: Sequence[int]) -> list[int]:
    return [have - n for have, n in zip(held, gone, strict=True)]
