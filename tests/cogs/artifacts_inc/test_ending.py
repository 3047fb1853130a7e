"""The differences between the ends of matches played on, as a review tells them."""

from __future__ import annotations

from random import Random

from bot.tables.model import Seat
from bot.ui.screens.names import Names
from cogs.artifacts_inc.ending import differences
from engine.agents.advice import adviser_of
from engine.agents.search import Outlook
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.choices import BOUGHT, EARNED, LEADS, TURNS_HELD, holdings
from engine.artifacts_inc.company import Place, Space
from engine.artifacts_inc.state import View
from tests.engine.artifacts_inc.scene import GAME, card, scene

NAMES = Names([Seat("Ana", user_id=1), Seat("Boris", user_id=2)])
Held = dict[tuple[str, int, int], float]


def view_of_end() -> View:
    return GAME.view(scene("biplane", others={1: "dig_camp"}, orders={"gem": {0: 0}}), 0)


def told(one: Held, other: Held, *moves: m.Move, gained: float = -1.0) -> list[str]:
    outlooks = Outlook(gained, 0.0, 20.0, one), Outlook(0.0, 10.0, 20.0, other)
    return differences(view_of_end(), outlooks, moves, NAMES)


def buying(key: str) -> m.Buy:
    return m.Buy(3, Space(card("headquarters")), card(key), Place(0, 4))


def test_a_lead_and_a_card_held_more_or_less_often_are_told_with_what_became_of_them() -> None:
    biplane = 2 * card("biplane")
    one: Held = {(LEADS, 0, 3): 0.49, (BOUGHT, 0, biplane): 1.0, (LEADS, 1, 3): 0.3}
    other: Held = {(LEADS, 0, 3): 0.96, (BOUGHT, 0, biplane): 0.15}
    assert told(one, other) == [
        "**At the end of the tries** (➕ good for you, ➖ bad):",
        "➖ Lead at the Gem Museum: you 49% instead of 96% and **Boris** 30% instead of 0% · in the match: you",
        "➕ Biplane: you 100% instead of 15% · in the match: you",
    ], "what speaks for the change comes first"
    assert told(other, one)[1].startswith("➖ Biplane"), "the other way round"


def test_what_differs_by_chance_alone_is_left_out() -> None:
    one: Held = {(LEADS, 0, 3): 0.5, (BOUGHT, 1, 2 * card("dig_camp")): 1.0, (EARNED, 0, 0): 9.2}
    other: Held = {(LEADS, 0, 3): 0.4, (BOUGHT, 1, 2 * card("dig_camp")): 0.1, (EARNED, 0, 0): 9.0}
    assert told(one, other) == [], "10 % is little, and what others buy is their luck"
    assert told(one, other, m.PASS)[1:] == ["The tries end much the same."]
    assert "Dig Camp: **Boris** 100% instead of 10%" in " ".join(told(one, other, buying("dig_camp")))
    assert told({}, other, m.PASS) == [], "nothing is known of one of them"


def test_reputation_is_accounted_for_by_source() -> None:
    lines = told(
        {(EARNED, 0, 0): 15.1, (EARNED, 0, 1): 3.2, (EARNED, 0, 2): 6.0},
        {(EARNED, 0, 0): 17.0, (EARNED, 0, 1): 2.5, (EARNED, 0, 2): 6.1},
    )
    assert lines[1:] == ["➖ Your ⭐ on average: cards −1.9, dives +0.7"]


def test_a_card_that_is_bought_either_way_is_told_with_its_time() -> None:
    side = 2 * card("biplane")
    one: Held = {(BOUGHT, 0, side): 1.0, (TURNS_HELD, 0, side): 6.4}
    other: Held = {(BOUGHT, 0, side): 1.0, (TURNS_HELD, 0, side): 7.9}
    assert told(one, other, buying("biplane"))[1:] == [
        "➖ Biplane: yours either way (100% and 100%), for 6.4 of your turns instead of 7.9"
    ]
    assert told(one, one, buying("biplane"))[1:] == [
        "The tries end much the same.",
        "🟰 Biplane: yours either way (100% and 100%)",
    ]


def test_holdings_are_those_of_the_table_and_the_turns_since_they_were_bought() -> None:
    game, rng = GAME, Random(1)
    state, events = game.new(2, game.options_type(), bytes(32)), []
    while pending := game.pending(state):
        events += game.apply(state, pending[0].seat, game.sample(state, pending[0].seat, rng))
    master = adviser_of(game)
    assert master is not None
    held, found = master.held(state, events), holdings(state)
    assert found.items() <= held.items()
    for seat in range(2):
        assert (
            sum(n for (kind, at, _which), n in found.items() if (kind, at) == (EARNED, seat))
            == (state.reputation[seat])
        )
    leads = [which for kind, _seat, which in found if kind == LEADS]
    assert len(leads) == len({*leads}) == sum(any(n >= 0 for n in orders) for orders in state.orders)
    rolled = [event.seat for event in events if event.kind == "rolled"]
    for (kind, seat, side), turns in held.items():
        if kind == TURNS_HELD:
            key, deed = state.catalogue.cards[side // 2].key, "turned_card" if side % 2 else "bought"
            (at, *_again) = [
                n
                for n, each in reversed([*enumerate(events)])
                if (each.kind, each.seat, each.facts.get("card")) == (deed, seat, key)
            ]
            assert turns == sum(each.kind == "rolled" and each.seat == seat for each in events[at:])
    assert rolled
