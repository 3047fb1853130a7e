"""The largest screens of Archaeology, in every language, keep Discord's limits; nothing is cut off."""

from __future__ import annotations

import json
import re
from functools import cache
from random import Random
from typing import Any

from simcord.components import walk_components

from bot.language import speaking
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.board import LOG_ROWS, board
from bot.ui.screens.chronicle import NEWS_ROWS
from bot.ui.screens.ended import ended as result
from bot.ui.screens.pages import log_page
from bot.ui.screens.private import Personal, private
from bot.ui.screens.refusals import refusal
from cogs.archaeology_family.losses import LOSE
from cogs.archaeology_family.names import written
from cogs.archaeology_family.trades import best_trades, brings, payments
from cogs.archaeology_family.trading import GIVE, TAKE, _offer_option, _payment_option
from engine.archaeology_family.card_list import bundles
from engine.game import Event
from tests.cogs.archaeology_family import crafted
from tests.cogs.in_memory import ENGINES, Match, row
from tests.cogs.limits import EVERY_LANGUAGE, LONG_NAMES, all_on_holiday, fits
from tests.cogs.test_limits import with_pictures


def archaeology(state: Any) -> Match:
    return Match(crafted.GAME, state, [])


EVERYTHING_IN_THE_MARKET = crafted.craft(
    [{"map": 1}, {"coin": 1}, {}, {}], rest="market", phase=crafted.ACT, explored=True
)
HALVES = (
    {key: n - n // 2 for key, n in crafted.COPIES.items()},
    {key: n // 2 for key, n in crafted.COPIES.items()},
)


def half_and_half(phase: str = crafted.ACT, **options: Any) -> Any:
    """One hand holds half of all cards, the market the other half."""
    hand, market = HALVES
    market = {**market, "pot_shard": market["pot_shard"] - 1}
    return crafted.craft(
        [hand, {"pot_shard": 1}], market=market, site=[], rest="market", phase=phase, explored=True, **options
    )


def all_in_one_hand(phase: str) -> Any:
    hand = crafted.everything(coin=3)
    return crafted.craft(
        [hand, {"coin": 1}], market={"coin": 2}, phase=phase, explored=True, site=["sandstorm"], rest="market"
    )


def all_sold_one_by_one() -> Any:
    """Seventy-two sets of one card, shared out among four people."""
    sold: list[list[tuple[str, int]]] = [[] for _ in range(4)]
    cards = [key for key, n in crafted.COPIES.items() for _ in range(n)]
    for number, key in enumerate(cards):
        sold[number % 4].append((key, 1))
    state = crafted.craft([{}, {}, {}, {}], sold=sold, phase="over", explored=True)
    assert ENGINES["archaeology"].outcome(state) is not None
    return state


@cache
def long_log(count: int) -> list[Any]:
    """Lines as long as they get, numbered from 1000: each in turn trades every treasure for every treasure."""
    cards = [[kind, 18] for kind in range(7)]
    facts = [{"give": cards, "take": cards, "over": 1000 + number} for number in range(count)]
    return [row(Event("traded", number % 2, facts[number]), number, number % 2) for number in range(count)]


def shared_by_all() -> list[Any]:
    """A log in which everybody shares every first place, with sets of every treasure."""
    each = [
        *(("sold", {"treasure": kind, "count": 1, "price": 3}) for kind in range(7)),
        ("stolen", {"victim": 0}),
        ("traded", {"give": [[0, 1]], "take": [[0, 1]], "over": 0}),
        ("lost", {"cards": [[0, 1]]}),
    ]
    return [row(Event(kind, seat, facts)) for seat in range(4) for kind, facts in each]


@EVERY_LANGUAGE
def test_the_largest_boards(language: str) -> None:
    for state in (EVERYTHING_IN_THE_MARKET, half_and_half(), all_sold_one_by_one()):
        match = archaeology(state)
        table = match.table(names=LONG_NAMES)
        table.body.end_votes = list(range(len(table.seats)))
        with speaking(language):
            all_on_holiday(table)
            fits(board(table, match.screens, long_log(LOG_ROWS), 0.0))
        for seat in table.seats:
            seat.is_here()
            seat.left_by, seat.user_id, seat.agent = seat.user_id, None, "novice"
        with speaking(language):
            fits(board(table, match.screens, long_log(LOG_ROWS), 0.0))
        table.status = "paused" if table.status == "playing" else "abandoned"
        with speaking(language):
            fits(board(table, match.screens, long_log(LOG_ROWS), 0.0))


@EVERY_LANGUAGE
def test_the_largest_result(language: str) -> None:
    match = archaeology(all_sold_one_by_one())
    table = match.table(names=LONG_NAMES)
    with speaking(language):
        screen = result(table, match.screens, shared_by_all())
        screen.add([ui.file("attachment://digsite-archaeology-1000000000.json")])
        fits(screen)


@EVERY_LANGUAGE
def test_the_largest_private_screens(language: str) -> None:
    duty = half_and_half()
    duty.duty = True
    thief = crafted.craft([{"coin": 1}] * 4, phase=crafted.STEAL)
    states = [half_and_half(), duty, all_in_one_hand(crafted.ACT), all_in_one_hand(crafted.STORM), thief]
    states += [
        crafted.craft(
            [crafted.everything(coin=1, pot_shard=8, talisman=8), {"coin": 1}],
            phase=crafted.ACT,
            market={"talisman": 1},
        )
    ]
    for state in states:
        match = archaeology(state)
        table = match.table(names=LONG_NAMES)
        table.seats[0].away = True
        view = match.game.view(state, 0)
        with speaking(language):
            hand, everything = [written(bundles(view.hand))], [written(bundles(view.market))]
            some, one = [written(bundles(view.market)[-3:])], [written(bundles(view.hand)[:1])]
            for choices in (
                {},
                {TAKE: some, GIVE: hand},
                {TAKE: everything, GIVE: hand},
                {TAKE: everything, GIVE: one},
                {LOSE: hand},
                {TAKE: some, GIVE: one},
            ):
                remark = "⚠️ " + refusal(Refused("failed", reference="x" * 8)) * 2
                log, personal = long_log(NEWS_ROWS), Personal(choices, remark)
                fits(private(table, match.screens, 0, log, personal))
                fits(with_pictures(private(match.private(names=LONG_NAMES), match.screens, 0, log, personal)))


@EVERY_LANGUAGE
def test_no_payment_and_no_trade_is_too_long_for_its_line(language: str) -> None:
    """Discord cuts a label at 100 characters, and what it leaves out might be what matters."""
    rng, game, longest = Random(5), crafted.GAME, 0
    view = game.view(half_and_half(), 0)
    for _ in range(20):
        hand, market = (tuple(rng.randint(0, n // 2) for n in game.copies) for _side in range(2))
        price = rng.randint(1, max(1, sum(n * value for n, value in zip(hand, game.trade, strict=True))))
        marks, now = ("one more Pharaoh's Mask completes a set",) * 3, brings(hand, game.prices)
        with speaking(language):
            paid = payments(hand, game.trade, game.prices, price)
            options = [_payment_option(view, payment, ((3, 1),)) for payment in paid]
            offers = best_trades(hand, market, game.trade, game.prices)
            options += [_offer_option(offer, now, marks) for offer in offers]
        for option in options:
            longest = max(longest, len(option.label))
            assert max(map(len, (option.label, option.description, option.value))) <= 100
    assert longest > 60


@EVERY_LANGUAGE
def test_a_log_of_long_lines_is_shown_whole_page_by_page(language: str) -> None:
    match = archaeology(EVERYTHING_IN_THE_MARKET)
    table = match.table(names=LONG_NAMES)
    log = long_log(90)
    shown: list[str] = []
    with speaking(language):
        while not shown or not _is_last(shown[-1]):
            screen = log_page(table, match.screens, log, None, len(shown))
            fits(screen)
            shown.append(json.dumps(screen.view().to_components()))
    assert len(shown) > 5
    texts = [
        part["content"] for page in shown for part in walk_components(json.loads(page)) if "content" in part
    ]
    told = re.findall(r"1\d{3}", "\n".join(texts))
    counts = [told.count(str(number)) for number in range(1000, 1090)]
    assert {*counts} == {1}


def _is_last(page: str) -> bool:
    """Whether there is no page after this one: the button that leads on is greyed."""
    buttons = [part for part in walk_components(json.loads(page)) if part["type"] == 2]
    return bool(buttons[-1].get("disabled"))
