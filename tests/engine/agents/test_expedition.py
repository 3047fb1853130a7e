"""The moves of sensible players of The New Expedition with Tents, Maps and monuments, a position a sentence."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

from engine.agents.advice import Adviser, Past, advice, appraise
from engine.agents.search import Tried
from engine.archaeology_family.moves import Explore, Sell, Trade
from engine.expedition.agents.explorations import Shaft
from engine.expedition.agents.worths import best_pick, drawn, worth_saving
from engine.expedition.moves import Guess, LookAt, Stop, TurnUp, UseTent
from engine.expedition.state import KEEP, MINE, TENT, ExpeditionState, MonumentKey
from tests.engine.archaeology_family import END_TURN, cards, counts, kind
from tests.engine.expedition.scene import GAME, keep, scene

SITE = "coin " * 20
MASTER = cast("Adviser", GAME.agents["master"])


def choice(agent: str, state: ExpeditionState) -> Any:
    """The agent's move in the place of the seat that is asked."""
    return GAME.agents[agent].choose(GAME.view(state, state.asked), Random(1))


def tried(move: Any) -> Tried[Any]:
    return Tried(move, 0.0, 0.0, 0.0, 0)


def known(state: ExpeditionState, number: int) -> ExpeditionState:
    """The same match, the asked seat knowing what lies in this chamber."""
    state.privy[number] = [state.asked]
    return state


def storm(hand: str, to_come: int) -> ExpeditionState:
    """A match of two in which seat 0 is asked for its Tent, so many Sandstorms still to come."""
    dug = GAME.card_list.sandstorms.by_seats[2] - to_come
    return scene(
        hand, "coin", site=SITE + "sandstorm " * to_come, phase=TENT, active=1, asked=0, sandstorms=dug
    )


def mine(hand: str, turned: str, within: str, size: int = 0) -> ExpeditionState:
    """Seat 0 has turned these cards up; of the rest it knows `within`, `size` cards more lying there."""
    seen = counts(within, 7)
    up = [kind(name) for name in turned.split()]
    state = scene(
        hand, "coin", monument="mine", chambers=[within], site=SITE, phase=MINE, turned=up, explored=True
    )
    state.within = [seen]
    state.chambers = [[n + (size if number == 0 else 0) for number, n in enumerate(seen)]]
    return state


SMALL, SHARDS = "pot_shard*2 parchment_scrap*2 coin*2", "parchment_scrap*3 pot_shard*2"
GUESSED = "broken_cup*5 coin*6 pot_shard*4"
FINE = ("coin", "pharaohs_mask talisman coin", "pot_shard*3")
REST = "pot_shard*5 parchment_scrap"
TOMB = ("pot_shard*2 broken_cup coin*3 pharaohs_mask", "coin*8")


def dig(
    hand: str, monument: MonumentKey, *laid: str, knows: tuple[int, ...] = (), **more: Any
) -> ExpeditionState:
    """Seat 0 is to act at this monument, and knows what lies in some chambers."""
    state = scene(hand, "coin", monument=monument, chambers=laid or None, **{"site": SITE, **more})
    for number in knows:
        known(state, number)
    return state


def seen(state: ExpeditionState) -> ExpeditionState:
    """The same match, all knowing what lies in its only chamber."""
    state.within = [state.chambers[0].copy()]
    return state


def poor_ruins() -> ExpeditionState:
    state = dig("map", "ruins", "pot_shard", "parchment_scrap", "pot_shard", site=SITE + "sandstorm")
    state.pile = [kind("coin")] * 12
    return state


CHOICES: list[tuple[str, ExpeditionState, Any]] = [
    ("a Tent is used against the last Sandstorm", storm("pot_shard*2", to_come=0), UseTent(True)),
    ("and saved while little is at stake and storms are to come", storm("pot_shard*2", to_come=5),
        UseTent(False)),
    ("it spares a great hand at any time", storm("pharaohs_mask*3 talisman*4 coin*4", to_come=5),
        UseTent(True)),
    ("it is saved from a storm that takes small change", storm(SMALL, to_come=5), UseTent(False)),
    ("the Mine is searched on while no card can bury", mine("coin", "pot_shard", "pot_shard*6"),
        TurnUp()),
    ("nobody goes on where only Masks are left", mine("coin", "coin", "pharaohs_mask*4"), Stop()),
    ("risk", mine("parchment_scrap", "coin pot_shard", "", size=13), TurnUp()),
    ("less with the card that completes a set",
        mine("coin*4 parchment_scrap", "coin pot_shard", "", size=13), Stop()),
    ("of a Tomb's chamber the cards that complete sets are kept",
        dig("broken_cup pharaohs_mask*3", "tomb", *TOMB, knows=(0,), phase=KEEP, opened=0),
        keep("broken_cup pharaohs_mask")),
    ("two cards are kept even of one kind",
        dig("coin", "tomb", "coin*7", "", knows=(0,), phase=KEEP, opened=0), keep("coin*2")),
    ("back to the chamber in which good cards were left",
        dig("map coin", "tomb", "pharaohs_mask*2 coin*3", REST, knows=(0,)), Explore(0)),
    ("or to the other", dig("map coin", "tomb", REST, "coin*8", knows=(0,)), Explore(1)),
    ("a look at what is not known", dig("coin", "temple", knows=(0, 2), look=0), LookAt(1)),
    ("is declined when all is", dig("coin", "temple", knows=(0, 1, 2), look=0), END_TURN),
    ("the richest chamber known", dig("map*2", "temple", "pot_shard*5", "pharaohs_mask*2 talisman*3",
        "parchment_scrap*5", knows=(0, 1)), Explore(1)),
    ("an unknown one rather than a poor one", dig("map*2", "temple", SHARDS, "coin*5", "", knows=(0,)),
        Explore(1)),
    ("no Map for a lone Pot Shard of the Ruins", poor_ruins(), END_TURN),
    ("one for good cards", dig("map", "ruins", *FINE), Explore(1)),
    ("and for what makes a pair",
        dig("map broken_cup", "ruins", "broken_cup coin", "talisman coin", "coin*2"), Explore(0)),
    *((f"{n} Maps explore the largest chamber that they pay for",
        dig(f"map*{n} pot_shard", "great_pyramid"), Explore(n - 1))
      for n in (1, 2, 3)),
    ("nothing is explored twice in a turn", dig("map", "great_pyramid", explored=True), END_TURN),
    ("at the dry end a Map is saved for the next turn's exploration",
        scene("map", "coin*2 talisman", monument="tomb", explored=True, acted=True, fruitful=True), END_TURN),
    ("one that can explore nothing is sold", scene("map", "", monument="tomb", chambers=("", "")),
        Sell(kind("map"), 1)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "move"), [pytest.param(state, move, id=name) for name, state, move in CHOICES]
)
def test_a_sensible_player_does_this(state: ExpeditionState, move: Any) -> None:
    chosen = choice("expert", state)
    assert (type(chosen), chosen) == (type(move), move)


@pytest.mark.parametrize(
    ("state", "named"),
    [
        (seen(dig("map coin", "sphinx", GUESSED)), {"coin", "broken_cup"}),
        (seen(dig("map parchment_scrap*3 pot_shard*4", "sphinx")), {"coin", "pot_shard"}),
    ],
    ids=["what is known to lie there", "what completes sets"],
)
def test_the_sphinx_is_asked_for(state: ExpeditionState, named: set[str]) -> None:
    move = choice("expert", state)
    assert isinstance(move, Guess)
    assert set(move.treasures) == set(map(kind, named))


def test_an_expert_buys_the_second_map_that_a_chamber_costs() -> None:
    move = choice("expert", scene("map talisman", "coin", monument="temple", market="map", site=SITE))
    assert isinstance(move, Trade)
    assert move.take == cards("map")


def test_the_more_storms_are_to_come_the_more_a_tent_saved_is_worth() -> None:
    assert [worth_saving(n) for n in range(6)] == sorted(worth_saving(n) for n in range(6))


def test_a_hint_sells_a_whole_set_and_then_looks_where_the_seller_has_not_before_the_turn_ends() -> None:
    sale = Sell(kind("broken_cup"), 2)
    for knows, rest in (((1,), ()), ((0, 1, 2), (END_TURN,))):
        view = GAME.view(dig("broken_cup*2 pharaohs_mask*2", "temple", knows=knows), 0)
        assert MASTER.advised(view, [tried(END_TURN)], Random(1), Past()).line == (sale, *rest)
    view = GAME.view(dig("coin", "temple", knows=(0, 2), look=0), 0)
    assert advice(GAME, [view], b"1") == (LookAt(1), ("looks", {"cards": 5}), (LookAt(1),))


def test_a_map_is_bought_for_the_best_chamber_although_it_costs_one_more() -> None:
    laid, trade = (SHARDS, "pharaohs_mask*5", "coin*5"), Trade(cards("pharaohs_mask"), cards("pot_shard map"))
    state = dig("pharaohs_mask", "temple", *laid, knows=(0, 1), market="pot_shard map")
    code, facts = MASTER.reason(GAME.view(state, 0), tried(trade), None)
    assert (code, facts["maps"], facts["missing"], facts["chamber"]) == ("buys-maps", 1, 1, 1)


def test_a_master_does_in_the_mine_as_an_expert_and_a_review_tells_the_two_ways_apart() -> None:
    state = mine("coin*4 parchment_scrap", "coin pot_shard", "", size=13)
    assert choice("master", state) == Stop()
    appraisals = [appraise(GAME, GAME.view(state, 0), move, Random(0)) for move in (Stop(), TurnUp())]
    assert [type(each.move) for each in appraisals] == [Stop, Stop]
    assert appraisals[0].cost == 0
    assert appraisals[1].error > 0, "they were compared"
    reasons = [MASTER.reason(GAME.view(state, 0), tried(move), None).code for move in (Stop(), TurnUp())]
    assert reasons == ["takes-what-lies", "risks-more"]


def test_stopping_well_in_the_mine_is_worth_what_trying_everything_gives() -> None:
    """A 2 and two 4s: the first card is kept; after the 2 a second would be one too many."""
    gains = [[0.0, 2.0, 4.0], [0.0, 5.0, 9.0]]
    assert Shaft(gains, [2, 4], [1.0, 2.0]).prospect() == pytest.approx((2.0 + 5.0 + 5.0) / 3)
    begun = Shaft(gains, [2, 4], [0.0, 2.0], [1, 0])
    assert (begun.prospect(), begun.taken()) == (0.0, 2.0)
    assert Shaft([[0.0, 2.0, 4.0, 6.0]], [1], [3.0]).prospect() == pytest.approx(6.0)


# -- estimates


def test_what_draws_should_add_counts_sets_that_they_complete() -> None:
    assert drawn([0.0, 1.0, 10.0], 1, 0.5) == 0.5
    assert drawn([0.0, 1.0, 10.0], 2, 1.0) == 10.0


def test_the_best_of_some_cards_are_worth_more_than_the_next() -> None:
    gain, lie = [1.0, 5.0], [4.0, 4.0]
    assert best_pick(gain, lie, 1, 1, 1) == pytest.approx(3.0)
    assert best_pick(gain, lie, 2, 1, 1) == pytest.approx(4.0)
    assert best_pick(gain, lie, 2, 1, 2) == pytest.approx(6.0)
    assert best_pick(gain, lie, 4, 1, 2) > best_pick(gain, lie, 4, 3, 4)
