"""The knowledge of seats: public facts, facts that one seat alone has seen, and how long they stay (R8, R15, R16)."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.expedition.state import ExpeditionState
from tests.engine.archaeology_family import DIG_MOVE, END_TURN, counts, read_in, sell
from tests.engine.expedition.scene import GAME, STOP, TURN_UP, begin, explore, keep, look, play, scene
from tests.engine.rulings import Ruling, check, each, row

SIX = "coin " * 6
TEMPLE: dict[str, Any] = {"monument": "temple", "site": SIX}
TOMB: dict[str, Any] = {"monument": "tomb", "site": SIX}
AWAY = [END_TURN, DIG_MOVE, END_TURN, DIG_MOVE]

KNOWLEDGE = [
    row("R16 what was seen in the Temple stays in the seller's view alone",
        scene("coin*3", "coin*2", **TEMPLE), sell("coin"), look(1), *AWAY,
        seen={(0, 1): "pot_shard*5", (1, 1): "", (None, 1): "", (0, 0): ""}),
    row("R16 until that chamber is explored", scene("coin*3", "map*2 coin", **TEMPLE), sell("coin"), look(1),
        sell("coin"), look(2), END_TURN, DIG_MOVE, explore(1), seen={(0, 1): "", (0, 2): "parchment_scrap*5"},
        privy=[[], [], [0]]),
    row("several may have looked", scene("coin*3", "coin*2", **TEMPLE), sell("coin"), look(1), END_TURN,
        DIG_MOVE, sell("coin"), look(1), seen={(0, 1): "pot_shard*5", (1, 1): "pot_shard*5", (None, 1): ""},
        privy=[[], [0, 1], []]),
    row("a second look changes nothing", scene("coin*3", "coin*2", **TEMPLE), sell("coin"), look(1),
        sell("coin"), look(1), privy=[[], [0], []]),
    *(row(f"R8 what comes out of a hidden chamber is known to who explored it: {monument}",
        scene("map*2", "coin", monument=monument, site="coin"), explore(1), facts={"explored": {"count": 5}},
        knows={(1, 0): "", (None, 0): ""})
      for monument in ("great_pyramid", "temple")),
    row("R16 what lies in the Tomb is seen by who opened it", scene("map coin", "coin", **TOMB), explore(0),
        seen={(0, 0): "coin*5 talisman*2", (1, 0): "", (None, 0): ""}),
    row("R16 what was left stays with who left it", scene("map coin", "coin", **TOMB), explore(0),
        keep("talisman*2"), *AWAY, seen={(0, 0): "coin*5", (1, 0): ""}, knows={(1, 0): ""}),
    row("R16 until somebody else explores that chamber", scene("map coin", "map*2 coin", **TOMB), explore(0),
        keep("talisman*2"), END_TURN, DIG_MOVE, explore(0), seen={(0, 0): "", (1, 0): "coin*5"}),
    row("R16 then with that one", scene("map coin", "map*2 coin", **TOMB), explore(0), keep("talisman*2"),
        END_TURN, DIG_MOVE, explore(0), keep("coin*2"), seen={(0, 0): "", (1, 0): "coin*3"}, privy=[[1], []]),
    row("R16 another chamber's exploration takes no knowledge", scene("map coin", "map coin", **TOMB),
        explore(0), keep("talisman*2"), END_TURN, DIG_MOVE, explore(1), keep("pot_shard*2"),
        seen={(0, 0): "coin*5", (1, 1): "pot_shard*5 talisman", (0, 1): "", (1, 0): ""}),
    row("R16 nor does one's own second exploration", scene("map*2 coin", "coin", **TOMB), explore(0),
        keep("talisman*2"), *AWAY, explore(0), keep("coin*2"), seen={(0, 0): "coin*3"}),
    row("an emptied chamber is known to nobody",
        scene("map coin", "coin", chambers=("coin*2", "coin*8"), privy=[[1], []], **TOMB), explore(0),
        privy=[[], []]),
    *(row(f"R15 {monument} tells all the same", scene("map coin", "coin", monument=monument, site="coin"),  # pyright: ignore[reportArgumentType]
        *moves, knows={(viewer, 0): knows for viewer in (None, 0, 1)})
      for monument, moves, knows in (("mine", [explore(), TURN_UP, STOP], "pot_shard*2"),
        ("ruins", [explore(0)], "coin"))),
    row("cards that left a known hand are forgotten",
        scene("map coin", "coin", monument="ruins", site="coin"), explore(1), sell("talisman"),
        knows={(1, 0): ""}),
]  # fmt: skip


@each(KNOWLEDGE)
def test_a_seat_knows_what_is_sure_and_no_more(ruling: Ruling):
    """And whatever is determinized from a view has just that in it."""

    def read(state: ExpeditionState, name: str) -> Any:
        for viewer in (None, *range(state.seats)):
            view = GAME.view(state, viewer)
            for seed in range(3):
                twin = GAME.determinize(view, Random(seed))
                assert GAME.view(twin, viewer).within == view.within
                assert GAME.view(twin, None).within == GAME.view(state, None).within == view.public_within
        return read_in(GAME, state, name)

    check(GAME, ruling, play, read)


def test_the_choice_in_the_tomb_is_seen_by_who_makes_it():
    state = scene("map coin", "coin", **TOMB)
    (opened,) = play(state, explore(0))
    assert [GAME.view(state, viewer).choice for viewer in (0, 1, None)] == [
        tuple(counts("coin*5 talisman*2", 7)),
        None,
        None,
    ]
    (kept,) = play(state, keep("talisman*2"))
    assert [["cards" in event.seen_by(viewer) for viewer in (0, 1, None)] for event in (opened, kept)] == [
        [True, False, False]
    ] * 2


# -- what is public


def test_unknown_chambers_and_the_pile_are_determinized_in_many_ways():
    for monument in ("great_pyramid", "temple", "tomb", "mine", "sphinx", "ruins"):
        view = GAME.view(begin(3, monument), 0)
        twins = [GAME.determinize(view, Random(seed)) for seed in range(10)]
        assert len({f"{twin.chambers} {twin.pile}" for twin in twins}) == 10
        assert all(not chamber[5] for twin in twins for chamber in twin.chambers)
