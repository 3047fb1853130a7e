"""The reasons for moves of the treasure games: what they say comes true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import prod
from random import Random
from typing import Any

import pytest

from engine.agents.advice import Reason, adviser_of
from engine.agents.search import Tried
from engine.archaeology_family.agents.reasons import sets, worths
from engine.archaeology_family.card_list import MAP, TREASURES
from engine.archaeology_family.moves import EndTurn, Sell, Trade
from engine.registry import load_games
from tests.cogs.archaeology_family import crafted
from tests.engine.archaeology_family import cards

GAMES = load_games()


def reason_for(game: Any, view: Any, move: Any, rival: Any = None) -> Reason:
    adviser = adviser_of(game)
    assert adviser is not None
    return adviser.reason(view, Tried(move, 0.0, 0.0, 0.0, 0), rival)


def check(before: Any, after: Any, seat: int, reason: Reason) -> None:
    """Asserts that the facts of a reason are true in the seat's views before and after its move."""
    facts = reason.facts
    if "now" in facts:
        assert worths(before)["now"] == facts["now"]
    if "then" in facts and reason.code not in ("names-likeliest", "spares-cards", "saves-tent"):
        assert worths(after)["now"] == facts["then"]
    if "left" in facts and sum(before.hand) < 6:
        lost = losses(before.hand, sum(before.hand) // 2)
        assert facts["left"] == max([worths(before, less=each)["then"] for each in lost])
    if facts.get("best") and isinstance(facts.get("others"), Trade):
        other = worths(before, facts["others"].take, facts["others"].give)
        assert other["then"] == facts["best"] > max(facts["now"], facts["then"])
    if facts.get("behind"):
        kind, size, price, short, lacks = facts["behind"]
        assert (before.hand[kind] > after.hand[kind], price) == (True, sets(before)[kind][size - 1])
        assert (before.hand[kind] + short) % size == (after.hand[kind] + lacks) % size == 0
    assert all(before.hand[kind] >= n > 0 for kind, n in facts.get("came", ()))
    assert all(before.market[kind] >= n > 0 for kind, n in facts.get("lies", ()))
    if "storm" in facts:
        dug, site = range(min(before.seats, before.site)), before.site
        chance = 100 - 100 * prod(max(0, site - before.sandstorms - n) / (site - n) for n in dug)
        assert abs(facts["storm"] - chance) < 0.51
    if reason.code.startswith("sells"):
        assert after.money[seat] - before.money[seat] == facts["price"]
    elif facts.get("short"):
        kind, cards = facts["treasure"], [sum(each) for each in zip(before.market, before.hand, strict=True)]
        assert (facts["held"], facts["lie"]) == (after.hand[kind], cards[kind] - after.hand[kind])
        assert (facts["held"] + facts["short"]) % len(sets(before)[kind]) == 0
        assert facts["lie"] >= facts["short"] or 0 < facts["chance"] <= 100
        assert sum(before.unseen) == hidden(before)
    match reason.code:
        case "completes-set":
            assert after.hand[facts["treasure"]] >= facts["count"] == len(sets(before)[facts["treasure"]])
            assert before.prices[facts["treasure"]][facts["count"] - 1] == facts["price"]
        case "buys-maps":
            assert after.hand[MAP] == facts["maps"] > before.hand[MAP]
            assert before.chambers[facts["chamber"]]
            assert facts["dollars"] > 0
        case "explores":
            assert before.hand[MAP] >= facts["maps"]
        case "robs":
            assert facts["cards"] == before.sizes[facts["victim"]]
        case "loses-least" | "loses-for-later":
            check_loss(before, after, reason)
        case _:
            pass


def check_loss(before: Any, after: Any, reason: Reason) -> None:
    """Asserts that a loss is called the cheapest only if it is, among all that are possible."""
    facts = reason.facts
    cheapest = max(worths(before, less=loss)["then"] for loss in losses(before.hand, before.to_lose))
    if reason.code == "loses-least":
        assert facts["then"] == cheapest
        return
    assert facts["then"] < cheapest == facts["best"]


def hidden(view: Any) -> int:
    """The treasures in the dig site, in other hands and in chambers that the view does not show."""
    others = sum(view.sizes) - sum(view.hand) - sum(sum(known) for known in view.known)
    others += sum(view.known[view.viewer]) + view.site - view.thieves - view.sandstorms
    return others + sum(view.chambers) + getattr(view, "pile", 0) - sum(map(sum, getattr(view, "within", ())))


def losses(hand: Any, due: int, kind: int = 0) -> Iterator[tuple[tuple[int, int], ...]]:
    """All losses of so many cards."""
    if kind == len(hand):
        yield from [()] if due == 0 else []
        return
    for n in range(min(hand[kind], due) + 1):
        for others in losses(hand, due - n, kind + 1):
            yield ((kind, n), *others)


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_what_reasons_say_is_true(key: str) -> None:
    game, counted = GAMES[key], Counter[str]()
    for number, options in enumerate(game.variants(3)):
        rng = Random(f"{key} {number}")
        state = game.new(3, options, bytes([number]) * 32)
        while pending := game.pending(state):
            seat = pending[0].seat
            view = game.view(state, seat)
            planned = rng.random() < 0.6
            move = game.agents["expert"].choose(view, rng) if planned else game.sample(state, seat, rng)
            reason = reason_for(game, view, move)
            game.apply(state, seat, move)
            check(view, game.view(state, seat), seat, reason)
            counted[reason.code] += 1
    codes = "completes-set grows-set buys-maps explores robs sells-part waits loses-least loses-for-later"
    assert counted.keys() >= set(codes.split())


def test_a_wait_is_about_the_larger_set_and_for_the_same_set_it_is_told_as_such() -> None:
    coin, state = TREASURES.index("coin"), crafted.craft([{"coin": 4}, {}], site=["coin"] * 6, phase="act")
    view, adviser = crafted.GAME.view(state, 0), adviser_of(crafted.GAME)
    assert adviser is not None
    code, facts = reason_for(crafted.GAME, view, EndTurn(), Sell(coin, 4))
    assert (code, facts["treasure"], facts["sells"], facts["full"]) == ("waits", coin, 18, 30)
    assert adviser.news(view, EndTurn(), view, EndTurn())["again"] == (coin, 1)
    view = crafted.GAME.view(crafted.craft([{"coin": 2}, {}], site=["coin"] * 6, phase=crafted.ACT), 0)
    step = reason_for(crafted.GAME, view, EndTurn()).facts["step"].facts
    assert (step["treasure"], step["short"], step["sells"], step["full"]) == (coin, 1, 5, 10)


@pytest.mark.parametrize(
    ("site", "paid", "short"),
    [(["sandstorm"], 2, 0), (["sandstorm"] * 2, 2, 0), (["coin"] * 6, 2, 3), (["coin"] * 6, 0, 0)],
)
def test_a_set_is_a_reason_only_while_the_digs_suffice(site: list[str], paid: int, short: int) -> None:
    """It is near if a likely find pays for the rest; one that is neither near nor likely is no reason."""
    hands, market = [{"pharaohs_mask": 1 + paid}, {"coin": 1}], {"parchment_scrap": 1, "talisman": 4}
    state = crafted.craft(hands, market=market, site=site, rest="sold", phase=crafted.ACT)
    move = Trade(cards("pharaohs_mask"), cards("parchment_scrap talisman"))
    facts = reason_for(crafted.GAME, crafted.GAME.view(state, 0), move).facts
    assert (facts["short"], facts["near"]) == (short, bool(short and paid))
