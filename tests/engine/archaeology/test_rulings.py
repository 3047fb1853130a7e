"""The rulings R1 to R8 and the examples of the rule page, a row each, and what the page says of every turn."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.state import ACT, DIG, OVER
from engine.game import Options
from tests.engine.archaeology.scene import GAME, counts, explore, play, refused, scene
from tests.engine.archaeology_family import DIG_MOVE, END_TURN, cards, discard, kind, read_in, sell, trade
from tests.engine.rulings import Ruling, check, each, row

DUG: dict[str, Any] = {"dig": True}
COIN = trade("coin", "coin")
STALLED = [COIN, END_TURN]
"""A turn with one trade and no sale."""

TURNS = [
    row("dug from the top, one a turn", scene("coin", "coin", site="talisman map pot_shard", **DUG), DIG_MOVE,
        END_TURN, DIG_MOVE, hands={0: "coin talisman", 1: "coin map"}, site=[kind("pot_shard")]),
    row("a turn begins with the dig", scene("coin", "coin", site="coin", **DUG),
        refuses={"not-now": [END_TURN, sell("coin"), COIN, explore(0)],
        "unknown-move": [None, "dig", (), ((2, 1),)]}),
    row("and has only one", scene("coin", "coin", site="coin coin", **DUG), DIG_MOVE, events="found",
        asked=(0, "act"),
        refuses={"no-dig-due": [DIG_MOVE], "no-thief-due": [m.Steal(1)], "no-sandstorm": [discard("coin")]}),
    row("clockwise", scene("coin", "coin", "coin", site="coin " * 9, active=2, **DUG), DIG_MOVE, END_TURN,
        events="ended", asked=(0, "dig")),
    row("no hand limit", scene("coin*14 talisman*8 pot_shard*18", "map", site="map map", **DUG), DIG_MOVE,
        hands={0: "pot_shard*18 coin*14 talisman*8 map"}),
    # Thieves
    row("a Thief asks for its victim and ends the dig",
        scene("coin", "talisman*2", "map*3", site="thief coin", **DUG), DIG_MOVE, m.Steal(2), events="stolen",
        hands={0: "coin map", 2: "map*2"}, phase=ACT, refuses={"no-dig-due": [DIG_MOVE]}),
    row("with one possible victim nobody is asked", scene("coin", "", "map", site="thief coin", **DUG),
        DIG_MOVE, events="thief stolen", facts={"stolen": {"victim": 2}}, hands={0: "coin map"}),
    row("with none nothing happens", scene("coin", "", "", site="thief coin", **DUG), DIG_MOVE,
        events="thief", phase=ACT, hands={0: "coin"}, thieves=1),
    row("R2 a Thief must be used on an opponent who holds cards", scene("coin", "coin", "", "map",
        site="thief coin", **DUG), DIG_MOVE, asked=(0, "steal"), refuses={"thief-needs-cards": [m.Steal(2)],
        "thief-needs-opponent": [*map(m.Steal, (0, -1, 4, 99))], "not-now": [END_TURN, sell("coin")],
        "no-dig-due": [DIG_MOVE]}),
    # Sandstorms
    row("R2 seats lose one after another from the digger clockwise, and the digger digs again",
        scene("coin*2", "coin*4", "coin*3", site="sandstorm coin", active=1, **DUG), DIG_MOVE,
        discard("coin*2"), discard("coin"), discard("coin"), market="coin*4", asked=(1, "dig")),
    row("R2 the next is asked", scene("coin*2", "coin*4", "coin*3", site="sandstorm coin", active=1, **DUG),
        DIG_MOVE, discard("coin*2"), asked=(2, "sandstorm"), queue=[0], market="coin*2",
        refuses={"not-now": [END_TURN], "no-dig-due": [DIG_MOVE]}),
    row("R2 a hand of none or one is not asked",
        scene("coin", "", "map*2", "coin", site="sandstorm coin", **DUG), DIG_MOVE, asked=(2, "sandstorm")),
    row("R2 a hand of one treasure is asked all the same", scene("coin*4", "", site="sandstorm coin", **DUG),
        DIG_MOVE, asked=(0, "sandstorm")),
    row("half, rounded down, of what is held", scene("coin*4 map", "coin", site="sandstorm coin", **DUG),
        DIG_MOVE,
        refuses={"discard-count": [m.Discard(()), *map(discard, ("coin", "coin*2 map", "coin*4 map"))],
        "not-in-hand": [discard("map*2"), discard("talisman coin")]}),
    row("a second storm and a Thief", scene("coin*2", "coin", site="sandstorm sandstorm thief coin", **DUG),
        DIG_MOVE, discard("coin"), DIG_MOVE, DIG_MOVE, events="thief stolen"),
    row("R3 a Sandstorm as last card goes on to the actions",
        scene("coin*2", "coin*2", site="sandstorm", **DUG), DIG_MOVE, discard("coin"), discard("coin"),
        asked=(0, "act"), refuses={"no-dig-due": [DIG_MOVE]}),
    row("R3 at once where it strikes nobody", scene("coin", "", site="sandstorm", **DUG), DIG_MOVE,
        events="sandstorm", asked=(0, "act")),
    row("R3 that turn is no pass", scene("coin*2", "coin*2", site="sandstorm", **DUG), DIG_MOVE,
        discard("coin"), discard("coin"), END_TURN, row=[]),
    # Trades
    row("a trade; what is over is lost",
        scene("coin*2 map", "coin", market="talisman pot_shard", site="coin"), trade("coin*2", "talisman"),
        hands={0: "talisman map"}, market="pot_shard coin*2",
        facts={"traded": {"give": cards("coin*2"), "take": cards("talisman"), "over": 1}}, asked=(0, "act")),
    row("nothing is had below its value",
        scene("coin*3 map*2", "coin", market="pot_shard*5 pharaohs_mask*2", site="coin"),
        refuses={"trade-too-dear": [trade("coin", "pot_shard*3"), trade("map*2", "pharaohs_mask*2")]}),
    row("R1 a trade gives and takes at least one card", scene("coin", "coin", market="pot_shard",
        site="coin"), refuses={"trade-needs-both": [m.Trade((), cards("pot_shard")),
        m.Trade(cards("coin"), ()), m.Trade((), ())], "not-in-hand": [trade("coin*2", "pot_shard"),
        trade("map", "pot_shard")]}),
    row("R1 the cards taken lay in the market before",
        scene("coin*2", "coin", market="pot_shard coin", site="coin"), COIN, COIN, hands={0: "coin*2"},
        refuses={"not-in-market": [trade("coin*2", "coin*2"), trade("coin", "map")]}),
    row("cards are written in order, one bundle a treasure", scene("coin*2 map", "coin",
        market="pot_shard coin*2 map", site="coin"), refuses={"malformed-cards": [move
        for pairs in (((MAP, 1), (2, 1)), ((2, 1), (2, 1)), ((2, 0),), ((2, -1),), ((-1, 1),),
        ((7, 1),)) for move in (m.Trade(pairs, cards("pot_shard")), m.Trade(cards("coin"), pairs))]}),
    row("example: two scraps and a Coin buy a Talisman and a Pot Shard",
        scene("parchment_scrap*2 coin map", "", market="talisman pot_shard broken_cup", site="coin"),
        trade("parchment_scrap*2 coin", "talisman pot_shard"), facts={"traded": {"over": 0}}),
    # The pyramid
    *(row(f"example: {maps} Maps open a chamber", scene(f"talisman map*{maps}", "coin", site="coin"),
        explore(maps - 1), hands={0: f"{found} talisman"}, chambers={maps - 1: ""}, maps_gone=maps,
        facts={"explored": {"chamber": maps - 1, "maps": maps, "count": 1 + 2 * maps}})
      for maps, found in ((1, "coin*3"), (2, "coin*5"), (3, "pot_shard*7"))),
    row("several chambers in a turn, each once a match", scene("map*6", "coin", site="coin"), explore(2),
        explore(0), hands={0: "pot_shard*7 coin*3 map*2"},
        refuses={"chamber-explored": [explore(0)], "no-such-chamber": [*map(explore, (-1, 3, 99))]}),
    *(row(f"{maps} Maps are too few", scene(f"coin map*{maps}", "map*3", site="coin"),
        refuses={"too-few-maps": [explore(maps)]})
      for maps in (0, 1, 2)),
    # Sales
    row("a set lies before its seller for its price", scene("coin*5", "map", site="coin"), sell("coin*3"),
        facts={"sold": {"treasure": 2, "count": 3, "price": 10}}, sold=[[(2, 3)], []], hands={0: "coin*2"}),
    row("a sold set never grows", scene("coin*5", "map", site="coin"), sell("coin*2"), sell("coin*2"),
        money=(10, 0)),
    row("a Map is sold for $3", scene("map*2 coin", "map", site="coin"), sell("map"), sell("map"),
        money=(6, 0), maps_gone=0),
    row("example: of six Talismans five are one set", scene("talisman*6", "map", site="coin"),
        sell("talisman*5"), sell("talisman"), money=(43, 0)),
    row("only cards of the hand, in sets of one treasure", scene("coin", "map*3", site="coin"),
        refuses={"not-in-hand": [sell("coin*2"), sell("map")],
        "no-such-set": [*(m.Sell(*each) for each in ((-1, 1), (7, 1), (99, 1), (2, 0), (2, -1)))]}),
    row("sold sets are safe", scene("coin*2 map", "talisman*3", site="sandstorm thief coin"), sell("coin*2"),
        END_TURN, DIG_MOVE, discard("talisman"), DIG_MOVE, money=(5, 0)),
]  # fmt: skip

ENDS = [
    row("R4 while the site has cards, who has none digs", scene("coin", "", site="talisman coin"), END_TURN,
        asked=(1, "dig")),
    row("R4 and the match goes on though nobody holds any", scene("coin", "", site="thief coin coin"),
        sell("coin"), DIG_MOVE, events="thief ended", asked=(0, "dig"), ended=None),
    row("R4 without cards a seat is skipped at the dry end", scene("coin", "", "", "map"), END_TURN,
        asked=(3, "act")),
    row("R4 and not counted among those who must pass", scene("coin", "", "map"), END_TURN, END_TURN,
        duty=True, refuses={"must-sell": [END_TURN]}),
    row("R4 the match ends at the sale after which nobody holds a card", scene("coin map", ""), sell("coin"),
        sell("map"), events="sold over", asked=None, refuses={"not-your-move": [END_TURN]}),
    row("R4 or with a last Thief", scene("", "", site="thief", **DUG), DIG_MOVE, events="thief over",
        phase=OVER),
    row("R4 or a last Sandstorm", scene("", "", site="sandstorm", **DUG), DIG_MOVE, events="sandstorm over"),
    row("R4 or in the turn that dug the last card", scene("", "", site="coin", **DUG), DIG_MOVE, sell("coin"),
        events="sold over"),
    row("an emptied hand ends its turn", scene("coin", "map", site="coin"), sell("coin"),
        events="sold ended"),
    row("also after a last card that gave nothing", scene("", "map", site="sandstorm", **DUG), DIG_MOVE,
        events="sandstorm ended", asked=(1, "act")),
    row("R5 when all have passed in a row, the first must sell", scene("coin", "coin", "coin", active=1),
        END_TURN, END_TURN, END_TURN, events="passed", asked=(1, "act"), refuses={"must-sell": [END_TURN]}),
    row("R5 and is then free", scene("coin*2", "coin"), END_TURN, END_TURN, sell("coin"), END_TURN,
        duty=False, row=[], asked=(1, "act")),
    row("R5 who must sell may do other things too", scene("coin map*2", "coin", market="talisman"), END_TURN,
        END_TURN, trade("map", "talisman"), explore(0), refuses={"must-sell": [END_TURN]}),
    *(row(f"R5 an action ends the row: {type(action).__name__}",
        scene("coin", "coin*2 map*2", market="talisman"), END_TURN, action, END_TURN, events="ended", row=[],
        duty=False)
      for action in (trade("map", "talisman"), explore(0), sell("coin"))),
    row("R5 a turn that dug is no pass", scene("coin", "coin", site="map", **DUG), DIG_MOVE, END_TURN,
        END_TURN, row=[1], duty=False),
    row("R5 alone with cards one may pass once", scene("coin", "", ""), END_TURN, asked=(0, "act"),
        duty=True),
    row("R5 nobody must sell while the site has cards", scene("coin", "coin", site="coin " * 8), END_TURN,
        *[DIG_MOVE, END_TURN] * 4, row=[], stall=0),
    row("R6 trades alone cannot put off the end", scene("coin", "coin", market="coin"), *STALLED * 6, COIN,
        duty=True, refuses={"must-sell": [END_TURN]}),
    row("R6 the sale ends the duty", scene("coin", "coin", market="coin"), *STALLED * 6, sell("coin"),
        asked=(1, "act"), duty=False, stall=0),
    row("R6 three turns for each who holds cards", scene("coin", "coin", "", "coin", market="coin"),
        *STALLED * 8, duty=False, stall=8),
    row("R6 and then", scene("coin", "coin", "", "coin", market="coin"), *STALLED * 9, duty=True),
    row("R6 a sale sets the count back", scene("coin*3", "coin", market="coin"), *STALLED * 4, sell("coin"),
        END_TURN, *STALLED * 5, stall=5, duty=False),
    row("R6 so does an exploration", scene("coin map", "coin", market="coin"), *STALLED * 4, explore(0),
        END_TURN, *STALLED * 5, stall=5, duty=False),
    row("R6 but the duty outlasts it", scene("coin map", "coin", market="coin"), *STALLED * 6, explore(0),
        refuses={"must-sell": [END_TURN]}),
    row("R6 only turns begun with an empty site count", scene("coin", "coin", market="coin", site="coin"),
        *STALLED, DIG_MOVE, *STALLED, *STALLED, stall=1),
    row("R6 passes count with trades", scene("coin", "coin", market="coin"), *[END_TURN, *STALLED] * 3,
        stall=6, refuses={"must-sell": [END_TURN]}),
]  # fmt: skip


@each([*TURNS, *ENDS])
def test_the_rule_page_is_followed(ruling: Ruling):
    check(GAME, ruling, play, partial(read_in, GAME))


def test_only_the_asked_seat_may_move():
    state = scene("coin*2", "coin*2", "coin", site="sandstorm coin", dig=True)
    assert {refused(state, DIG_MOVE, seat).code for seat in (1, 2, 3, -1)} == {"not-your-move"}
    play(state, DIG_MOVE)
    assert refused(state, discard("coin"), 1).code == "not-your-move"


@pytest.mark.parametrize(
    ("state", "move", "facts"),
    [
        (scene("pot_shard", "", market="pharaohs_mask", site="coin"), trade("pot_shard", "pharaohs_mask"),
            {"short": 3}),
        (scene("coin map", "map", site="coin"), explore(1), {"cost": 2}),
        (scene("coin", "map*3", site="coin"), sell("map"), {"treasure": MAP}),
        (scene("map*2", "coin", site="coin"), sell("map*2"), {"treasure": MAP, "largest": 1}),
        (scene("coin*4 map", "", site="coin", phase="sandstorm"), discard("coin"), {"due": 2, "chosen": 1}),
    ],
)  # fmt: skip
def test_a_refusal_has_facts(state: Any, move: Any, facts: dict[str, Any]):
    assert refused(state, move).facts == facts


@pytest.mark.parametrize("treasure", range(7))
def test_no_set_is_larger_than_its_largest(treasure: int):
    most, state = len(GAME.prices[treasure]), scene("coin", "map", site="coin")
    state.hands[0][treasure] = most + 1
    assert refused(state, m.Sell(treasure, most + 1)).facts == {"treasure": treasure, "largest": most}
    play(state, m.Sell(treasure, most))
    assert GAME.money(state)[0] == GAME.prices[treasure][-1]


@pytest.mark.parametrize(("size", "lost"), [(6, 3), (5, 2), (3, 1), (2, 1)])
def test_example_a_sandstorm_takes_half_of_a_hand_rounded_down(size: int, lost: int):
    state = scene(f"coin*{size}", "", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE)
    assert GAME.view(state, 0).to_lose == lost
    play(state, discard(f"coin*{lost}"))
    assert state.market == counts(f"coin*{lost}")


def test_every_card_of_the_hand_may_be_the_stolen_one():
    stolen: list[int] = []
    for number in range(600):
        key = number.to_bytes(32, "big")
        state = scene("", "coin*3 talisman*2 map", site="thief coin", dig=True, key=key)
        stolen.append(play(state, DIG_MOVE)[1].secret["treasure"])
    shares = [stolen.count(kind(key)) / 600 for key in ("coin", "talisman", "map")]
    assert shares == pytest.approx([3 / 6, 2 / 6, 1 / 6], abs=0.06)


@pytest.mark.parametrize(
    ("state", "moves", "public", "secret", "knows", "reveals"),
    [
        (scene("coin", "map", site="map coin", dig=True), [DIG_MOVE], {}, {"treasure": MAP}, (0,), True),
        (scene("coin", "map", "coin", site="thief coin", dig=True), [DIG_MOVE, m.Steal(1)], {"victim": 1},
            {"treasure": MAP}, (0, 1), True),
        (scene("map", "coin", "coin", site="coin"), [explore(0)], {"chamber": 0, "maps": 1, "count": 3},
            {"cards": cards("coin*3")}, (0,), True),
        (scene("coin*2", "coin", site="sandstorm coin", dig=True), [DIG_MOVE, discard("coin")],
            {"cards": cards("coin")}, {}, (), False),
        (scene("coin", "coin", site="coin coin", dig=True), [DIG_MOVE, END_TURN], {}, {}, (), False),
    ],
    ids=["dug", "stolen", "explored", "lost", "ended"],
)  # fmt: skip
def test_r8_hidden_cards_are_told_to_those_concerned(
    state: Any, moves: list[Any], public: Any, secret: Any, knows: tuple[int, ...], reveals: bool
):
    (event,) = play(state, *moves)
    assert (event.seat, event.facts, event.secret, event.known_to, event.reveals) == (
        0,
        public,
        secret,
        knows,
        reveals,
    )


def test_r8_public_is_what_lies_open_and_how_many_cards_lie_where():
    state = GAME.new(3, Options(), bytes(32))
    view = GAME.view(state, None)
    assert (view.market, view.sizes, view.chambers, view.hand) == (
        tuple(state.market),
        (4, 4, 4),
        (3, 5, 7),
        None,
    )
    assert [GAME.view(state, seat).hand for seat in range(3)] == [tuple(hand) for hand in state.hands]


@pytest.mark.parametrize(
    ("sold", "scores", "ranks", "why", "detail"),
    [
        ([[("coin", 5)], [("talisman", 5)], [("map", 1)]], (30, 40, 3), (2, 1, 3), "money", None),
        ([[("coin", 1)] * 3, [("coin", 3)]], (6, 10), (2, 1), "money", None),
        ([[("talisman", 4), ("talisman", 2), ("coin", 5)], []], (61, 0), (1, 2), "money", None),
        ([[("coin", 5), ("coin", 4), ("coin", 1)], [("pharaohs_mask", 4)], [("coin", 1)]], (50, 50, 2),
            (2, 1, 3), "fewer-cards", (10, 4, 1)),
        ([[("coin", 2)], [("map", 1)], [("coin", 2)]], (5, 3, 5), (1, 3, 1), "shared", None),
    ],
    ids=[
        "the most money",
        "each set by itself",
        "example: $61",
        "among tied players fewer cards",
        "R7 shared",
    ],
)  # fmt: skip
def test_who_wins(sold: Any, scores: Any, ranks: Any, why: str, detail: Any):
    state = scene(*["" for _ in sold], site="thief", dig=True)
    state.sold = [[(kind(key), n) for key, n in sets] for sets in sold]
    _thief, over = play(state, DIG_MOVE)
    outcome = GAME.outcome(state)
    assert outcome
    assert (outcome.scores, outcome.ranks, outcome.why) == (scores, ranks, why)
    assert detail in (None, outcome.detail)
    assert over == ("over", None, {"winners": outcome.winners, "scores": scores}, {}, (), True)


def test_money_is_counted_as_it_comes_in():
    state = scene("talisman*4 talisman*2 coin*5", "map", site="coin")
    play(state, sell("talisman*4"), sell("talisman*2"))
    view = GAME.view(state, None)
    assert (view.money, view.sold[0]) == ((31, 0), cards("talisman*4") + cards("talisman*2"))
    assert (state.phase != DIG, GAME.outcome(state)) == (True, None)
