"""Every move and reason that the treasure games' strongest agent can propose has words, which tell the viewer's own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest

from bot.replay.decisions import is_lead
from bot.tables.model import Seat
from bot.ui.screens.hints import button_of
from bot.ui.screens.ids import Id
from bot.ui.screens.names import Names
from cogs.archaeology_family.losses import least_loss
from cogs.archaeology_family.proposals import CLEAR
from cogs.archaeology_family.trades import brings
from cogs.archaeology_family.trading import offered_trades
from engine.agents.advice import Appraisal, Past, Reason, advice, adviser_of
from engine.agents.search import Compared, Outlook, Tried
from engine.archaeology_family.agents.reasons import is_vain, leaves_plan
from engine.archaeology_family.card_list import TREASURES, Bundles
from engine.archaeology_family.moves import Dig, Discard, EndTurn, Sell, Trade
from engine.archaeology_family.state import ACT
from engine.game import own_decision
from tests.cogs.archaeology_family import crafted
from tests.cogs.in_memory import ENGINES, SCREENS
from tests.engine.agents.test_reasons import reason_for
from tests.engine.archaeology_family import cards

NAMES = Names([Seat(name, user_id=number) for number, name in enumerate(["Ana", "Ben", "Cara"])])
DUE = Reason("due")


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_every_legal_move_is_worded_and_so_is_its_reason(key: str) -> None:
    game, screens = ENGINES[key], SCREENS[key]
    said: dict[str, set[str]] = {}
    for number, options in enumerate(game.variants(3)):
        rng = Random(f"{key} {number}")
        state = game.new(3, options, bytes([number]) * 32)
        while pending := game.pending(state):
            seat = pending[0].seat
            view = game.view(state, seat)
            assert own_decision(view)
            move: Any = game.sample(state, seat, rng)
            reason = reason_for(game, view, move)
            text = screens.move_text(view, move, NAMES)
            assert text.endswith(".")
            assert "{" not in text + screens.reason_text(view, reason, NAMES)
            said.setdefault(reason.code, set()).add(screens.reason_text(view, reason, NAMES))
            game.apply(state, seat, move)
    silent = {code for code, texts in said.items() if texts == {""}}
    assert silent <= {"due"}
    assert len(said) > 8


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_a_hint_to_trade_says_what_becomes_of_the_hand(key: str) -> None:
    """It names the best trade of the menu only with its price, and if it is worth less in the end."""
    game, screens = ENGINES[key], SCREENS[key]
    adviser = adviser_of(game)
    assert adviser is not None
    trades = named = fell = 0
    for number, options in enumerate(game.variants(3)):
        rng = Random(f"{key} {number}")
        state = game.new(3, options, bytes([number]) * 32)
        while pending := game.pending(state):
            seat = pending[0].seat
            view: Any = game.view(state, seat)
            planned = rng.random() < 0.5
            move: Any = game.agents["expert"].choose(view, rng) if planned else game.sample(state, seat, rng)
            if view.phase == ACT and not view.duty:
                text = screens.reason_text(view, reason_for(game, view, EndTurn()), NAMES)
                dearest = max([offer.brings for offer in offered_trades(view)], default=0)
                assert "No trade makes" not in text or dearest <= brings(view.hand, view.prices)
            game.apply(state, seat, move)
            if not isinstance(move, Trade):
                continue
            text = screens.reason_text(view, reason_for(game, view, move), NAMES)
            now = brings(view.hand, view.prices)
            after = game.view(state, seat).hand
            then = brings(after, view.prices)
            sizes = zip(map(len, view.prices), view.hand, after, strict=True)
            broken = any(1 < n <= had and n > has for n, had, has in sizes)
            assert ("breaks up a complete set" in text) == broken
            rejected = re.search(r"\+\$(\d+) now, but .*[a-z0-9]\.", text)
            costs = rejected or "It takes" in text or "It breaks up" in text or "hen you hold" in text
            assert f"Your hand: ${now} → ${then}" in text or abs(then - now) <= 1 or costs
            best = max((offer.brings for offer in offered_trades(view)), default=0)
            tried = adviser.reason(view, Tried(move, 0.0, 0.0, 0.0, 0, (move,)), None)
            text = screens.reason_text(view, tried, NAMES)
            beats = best > max(now, then) and best - now >= CLEAR
            assert beats or f" is +${best - now} now, but " not in text
            if rejected:
                assert beats
                assert int(rejected[1]) == best - now
            trades, named, fell = trades + 1, named + bool(rejected), fell + (then < now)
    assert trades > named > 0 < fell


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_a_hint_for_a_storm_is_not_contradicted_by_the_loss_chosen_already(key: str) -> None:
    game, screens = ENGINES[key], SCREENS[key]
    counted = {True: 0, False: 0}
    for number, options in enumerate(game.variants(3)):
        rng = Random(f"{key} {number}")
        state = game.new(3, options, bytes([number]) * 32)
        while pending := game.pending(state):
            seat = pending[0].seat
            view: Any = game.view(state, seat)
            move: Any = game.sample(state, seat, rng)
            if isinstance(move, Discard):
                text = screens.reason_text(view, reason_for(game, view, move), NAMES)
                then, best = (
                    brings(without(view.hand, loss), view.prices) for loss in (move.cards, least_loss(view))
                )
                assert ("No loss costs less: your" in text) == (then == best)
                assert (f"would leave ${best} now" in text) == (best > then)
                counted[then == best] += 1
            game.apply(state, seat, move)
    assert all(counted.values())


def test_of_losses_that_cost_the_same_the_set_that_is_kept_decides() -> None:
    hand = crafted.cards(parchment_scrap=1, coin=1, talisman=2, broken_cup=1)
    view = crafted.GAME.view(crafted.craft([hand, {}], phase=crafted.STORM), 0)
    reason = reason_for(crafted.GAME, view, Discard(cards("parchment_scrap coin")))
    text = SCREENS["archaeology"].reason_text(view, reason, NAMES)
    assert text.endswith("not $12. You keep 🍷 1 Broken Cup, 1 short of a set for $15.")


def test_a_hint_where_nothing_else_is_left_sells_everything_at_one_press() -> None:
    game, screens = ENGINES["archaeology"], SCREENS["archaeology"]
    hands = [crafted.cards(pot_shard=1, map=1), {}]
    for more, label in (({}, "Sell Everything · $4"), ({"coin": 5}, "Sell 1 Pot Shard · $1")):
        state = crafted.craft(hands, market=more, explored=True, phase=crafted.ACT, rest="sold")
        view, sale = game.view(state, 0), Sell(TREASURES.index("pot_shard"), 1)
        found = button_of(screens.private(view, NAMES, {}, Id("")), screens, view, sale, NAMES)
        assert (found or {}).get("label") == label


def test_a_trade_that_was_better_is_argued_for_by_what_the_made_one_lacks() -> None:
    game, screens, hand = ENGINES["archaeology"], SCREENS["archaeology"], crafted.cards(coin=4, broken_cup=1)
    market = crafted.cards(pot_shard=4, broken_cup=1)
    view: Any = game.view(crafted.craft([hand, {}], market=market, phase=crafted.ACT), 0)
    adviser: Any = adviser_of(game)
    tried = Tried(Trade(((2, 3),), ((0, 4), (4, 1))), 0.0, 0.0, 0.0, 0)
    even = Compared(Outlook(0, 0), Outlook(0, 0), 0.0)
    hint = tried._replace(beside=even, line=(tried.move,))  # which is read without the other
    for each, text in ((tried, "a set of"), (tried._replace(beside=even), "1 short"), (hint, "a set of")):
        reason = adviser.reason(view, each, Trade(((2, 1),), ((4, 1),)))
        assert text in screens.reason_text(view, reason, NAMES)
    state = crafted.craft([hand, {}], market=crafted.cards(broken_cup=1, map=1), phase=crafted.ACT)
    tried = tried._replace(move=Trade(((2, 4),), ((4, 1), (5, 1))))
    text = screens.reason_text(view := game.view(state, 0), adviser.reason(view, tried, None), NAMES)
    assert "a set of 🍷 2 Broken Cups for $15. Then you hold 1 Map, " in text


def test_a_hint_argues_against_the_best_trade_of_the_menu_in_figures_of_its_search() -> None:
    screens, adviser = SCREENS["archaeology"], cast("Any", adviser_of(crafted.GAME))
    hand, lie = {"pot_shard": 2, "coin": 1, "talisman": 1, "broken_cup": 1}, {"parchment_scrap": 4, "coin": 1}
    view = crafted.GAME.view(crafted.craft([hand, {"pot_shard": 5}], market=lie, phase=ACT), 0)
    best, end = Trade(*offered_trades(view)[0][2:]), EndTurn()
    assert (adviser.expected(view, end), adviser.expected(view, best)) == (best, end)
    hint = cast("Any", advice(crafted.GAME, [view], b"1"))
    assert hint.move != best
    assert "for 📜 4 Parchment Scraps and 🪙 1 Coin" in screens.reason_text(view, hint.reason, NAMES)
    facts = adviser.reason(view, Tried(end, 0.0, 0.0, 0.0, 0, (end,)), best).facts
    facts |= {"less": facts["less"] + 9, "best_behind": (), "deed": (None, 4, 2, 50, 20)}
    for take, text in ((), " is +$7 now, but about $"), (best.take, "50%, not 20%. The trade for 📜 4 "):
        assert text in screens.reason_text(view, Reason("waits", {**facts, "next": take}), NAMES)


@pytest.mark.parametrize("hinted", [True, False])
def test_a_move_that_keeps_a_map_from_another_says_from_whom_and_for_what(hinted: bool) -> None:
    hands, market = [crafted.cards(coin=2), crafted.cards(map=2)], crafted.cards(map=1)
    state = crafted.craft(hands, market=market, site=["pot_shard"] * 8, rest="sold", phase=ACT)
    view, adviser = crafted.GAME.view(state, 0), cast("Any", adviser_of(crafted.GAME))
    trade, found = Trade(cards("coin*2"), cards("map")), Compared(Outlook(3, 0), Outlook(0, 0), 0.0)
    tried = Tried(trade, 0.0, 0.0, 0.0, 0, (trade,) * hinted, beside=found)
    text = SCREENS["archaeology"].reason_text(view, adviser.reason(view, tried, EndTurn()), NAMES)
    assert re.search(r"Chance that \*\*Ben\*\* soon reaches the \w+ chamber: 1%, not \d\d%", text)
    deed = {"deed": (1, 2, 0, 1, 14), "next": cards("coin")}
    waits = reason_for(crafted.GAME, view, EndTurn())
    button, menu = (
        SCREENS["archaeology"].reason_text(
            view,
            waits._replace(facts={**waits.facts, "short": 0, "best": waits.facts["now"] + more, **deed}),
            NAMES,
        )
        for more in (3, 1)
    )
    assert "The trade for 🪙 1 Coin would help **Ben** to reach the large chamber soon (1% → 14%)." in button
    assert "would help" not in menu, "nobody asks about it"


@pytest.mark.parametrize(
    ("hand", "give", "take", "said"),
    [
        ("talisman*3 broken_cup", "talisman*2", "coin*3", "$1 less now, but then you hold 🪙 3 Coins,"),
        ("talisman*3 broken_cup", "talisman*2", "pot_shard parchment_scrap pharaohs_mask", ""),
        (
            "pot_shard*2 coin*3",
            "coin*3",
            "pot_shard parchment_scrap*2 map",
            "$4 less now, but then you hold 1 M",
        ),
        ("talisman*3 broken_cup", "talisman*2", "pot_shard parchment_scrap coin*2", ""),
    ],
)
def test_a_trade_is_hinted_for_what_outweighs_its_loss_and_takes_back_nothing(
    hand: str, give: str, take: str, said: str
) -> None:
    """As in the turns of a person's match."""
    screens, expert = SCREENS["archaeology"], cast("Any", crafted.GAME.agents["expert"])
    market = "pot_shard parchment_scrap*2 coin*3 pharaohs_mask map"
    held, lie = ({TREASURES[kind]: n for kind, n in cards(text)} for text in (hand, market))
    view = crafted.GAME.view(crafted.craft([held, {}, {}], market=lie, phase=ACT), 0)
    move = Trade(cards(give), cards(take))
    assert is_vain(view, move, expert) == (not said)
    assert screens.reason_text(view, reason_for(crafted.GAME, view, move), NAMES).startswith(said)
    for began, is_back in ((view, False), (replace(view, market=(0,) * view.kinds), True)):
        assert leaves_plan(Past(None, began), view, move, expert) == is_back


def test_a_plan_is_left_for_what_brings_more_now() -> None:
    expert, market = cast("Any", crafted.GAME.agents["expert"]), {"pot_shard": 5}
    state = crafted.craft([{"parchment_scrap": 3, "coin": 1}, {}, {}], market=market, phase=ACT)
    for n, view in ((n, crafted.GAME.view(state, 0)) for n in (4, 5)):
        move = Trade(cards("parchment_scrap*3 coin"), cards(f"pot_shard*{n}"))
        assert leaves_plan(Past((view, EndTurn())), view, move, expert) == (n < 5)


def test_a_wait_for_another_set_carries_the_plan_of_the_turn_before_on_also_after_a_storm() -> None:
    adviser, end, hand = cast("Any", adviser_of(crafted.GAME)), EndTurn(), {"parchment_scrap": 3}
    now = crafted.GAME.view(crafted.craft([{**hand, "pot_shard": 3}, {}], phase=ACT), 0)
    for coins, made, phase in ((0, end, ACT), (1, Discard(cards("coin")), crafted.STORM)):
        before = crafted.GAME.view(crafted.craft([{**hand, "coin": coins}, {}], phase=phase), 0)
        told = {**reason_for(crafted.GAME, now, end).facts, **adviser.news(before, made, now, end)}
        text = SCREENS["archaeology"].reason_text(now, Reason("waits", told), NAMES)
        assert "with 2 more. Still waiting for 📜 1 Parchment Scrap: then $10, not $3." in text


def without(hand: Sequence[int], loss: Bundles) -> list[int]:
    lost = dict(loss)
    return [n - lost.get(kind, 0) for kind, n in enumerate(hand)]


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_a_loss_that_the_screen_has_chosen_is_not_praised(key: str) -> None:
    game, screens = ENGINES[key], SCREENS[key]
    rng, looked = Random(key), 0
    state = game.new(3, next(iter(game.variants(3))), bytes(32))
    while pending := game.pending(state):
        seat = pending[0].seat
        view: Any = game.view(state, seat)
        move = game.sample(state, seat, rng)
        if isinstance(move, Discard):
            least = Discard(least_loss(view))
            good = Appraisal(move, DUE, lead=5.0, error=1.0)
            assert not is_lead(good, screens, view, least)
            assert is_lead(good, screens, view, move) == (move != least)
            looked += move != least
        game.apply(state, seat, move)
    assert looked


def test_a_difference_counts_from_two_standard_errors_on() -> None:
    screens = SCREENS["archaeology"]
    for error, counts in ((1.0, True), (3.0, False)):
        assert is_lead(Appraisal(Dig(), DUE, lead=5.0, error=error), screens, None, Dig()) == counts
        assert Appraisal(Dig(), DUE, cost=5.0, error=error).costly == counts
    assert not Appraisal(Dig(), DUE, cost=0.4, error=0.1).costly, "too little to be told"
    assert not is_lead(Appraisal(Dig(), DUE), screens, None, Dig()), "nothing was compared"


def test_a_hand_that_digs_no_more_is_sold_where_waiting_brings_hardly_more() -> None:
    hands = [crafted.cards(coin=2), crafted.cards(pot_shard=3), crafted.cards(map=1)]
    state = crafted.craft(hands, site=["thief"], rest="sold", phase=ACT)
    hint = cast("Any", advice(crafted.GAME, [crafted.GAME.view(state, 0)], b"1"))
    assert hint.move == Sell(TREASURES.index("coin"), 2)
