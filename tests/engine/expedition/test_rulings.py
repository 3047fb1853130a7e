"""The rules of The New Expedition beside the family's: Tents, monuments, and R9 to R17, a row each."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest

from engine.archaeology_family.card_list import MAP, TREASURES
from engine.expedition.state import MONUMENTS, MonumentKey
from engine.game import Decision
from tests.engine.archaeology_family import (
    DIG_MOVE,
    END_TURN,
    cards,
    counts,
    discard,
    hand,
    kind,
    read_in,
    sell,
    trade,
)
from tests.engine.expedition.scene import (
    GAME,
    LAID,
    PILE,
    SAVE_TENT,
    STOP,
    TURN_UP,
    USE_TENT,
    asked,
    explore,
    guess,
    keep,
    look,
    names,
    play,
    refused,
    scene,
    turned_up,
)
from tests.engine.rulings import Ruling, check, each, row

STORM: dict[str, Any] = {"site": "sandstorm coin", "dig": True}
AGAIN = [END_TURN, DIG_MOVE, END_TURN, DIG_MOVE]
"""Both seats' turns until the first has dug anew."""

STORMS = [
    row("all Tents are declared before anybody loses anything", scene(*["coin*4"] * 3, active=1, **STORM),
        DIG_MOVE, SAVE_TENT, USE_TENT, SAVE_TENT, asked=(2, "sandstorm"), queue=[1],
        tents=[False, True, True]),
    row("from the left of who dug", scene(*["coin*4"] * 3, active=1, **STORM), DIG_MOVE, asked=(2, "tent"),
        queue=[0, 1], refuses={"no-dig-due": [DIG_MOVE], "no-sandstorm": [discard("coin*2")],
        "not-now": [END_TURN, explore()]}),
    row("to who dug, who digs again", scene(*["coin*2"] * 4, active=2, tents=[False] * 4, **STORM), DIG_MOVE,
        discard("coin"), discard("coin"), discard("coin"), asked=(2, "sandstorm"), queue=[]),
    row("a used Tent leaves the game", scene("coin*4", "coin*4", site="sandstorm sandstorm coin", dig=True),
        DIG_MOVE, USE_TENT, SAVE_TENT, discard("coin*2"), DIG_MOVE, tents=[True, False], asked=(0, "tent")),
    row("nobody loses where all use theirs", scene("coin*4", "coin*4", **STORM), DIG_MOVE, USE_TENT, USE_TENT,
        events="tent", asked=(0, "dig"), market="", sheltered=[], refuses={"no-tent-due": [USE_TENT]}),
    row("who sheltered is not asked", scene(*["coin*4"] * 3, **STORM), DIG_MOVE, USE_TENT, SAVE_TENT,
        SAVE_TENT, facts={"tent": {"used": False}}, asked=(2, "sandstorm"), queue=[0]),
    row("R13 with no or one card nobody is asked about the Tent",
        scene("coin*2", "coin", "", "coin*3", **STORM), DIG_MOVE, SAVE_TENT, asked=(0, "tent"), queue=[]),
    row("R13 a storm over small hands asks nobody", scene("coin", "coin", **STORM), DIG_MOVE,
        events="sandstorm", asked=(0, "dig"), tents=[True, True]),
    row("R2 a hand of a single treasure is asked all the same", scene("", "coin*2", **STORM), DIG_MOVE,
        SAVE_TENT, asked=(1, "sandstorm")),
    row("R3 after a last Sandstorm the turn goes on without a dig, and is no pass",
        scene("coin*2", "coin*2", site="sandstorm", dig=True), DIG_MOVE, USE_TENT, USE_TENT, END_TURN,
        row=[]),
    row("R3 also where nobody is asked", scene("coin", "coin", site="sandstorm", dig=True), DIG_MOVE,
        asked=(0, "act")),
    row("R12 a Sandstorm adds a card to each chamber of the Ruins before the Tents",
        scene("coin*4", "coin*4", monument="ruins", pile=PILE, **STORM), DIG_MOVE,
        events="sandstorm uncovered", facts={"uncovered": {"treasures": [2, 3, 0], "pile": 9}},
        asked=(1, "tent"), chambers={0: "coin*2", 1: "talisman*2", 2: "pot_shard*2"}),
    row("R12 the pile serves four storms",
        scene("coin", "coin", monument="ruins", pile=PILE, site="sandstorm " * 6 + "coin", dig=True),
        *[DIG_MOVE] * 5, events="sandstorm", pile=[], chambers={0: "coin*5"}),
    row("R12 an empty chamber is filled again",
        scene("map*3 coin", "coin", monument="ruins", pile=PILE, site="coin sandstorm coin coin"), explore(0),
        *AGAIN, USE_TENT, USE_TENT, DIG_MOVE, explore(0), chambers={0: "", 1: "talisman*2"}),
    *(row(f"other monuments do not mind: {monument}", scene("coin", "coin", monument=monument, **STORM),
        DIG_MOVE, events="sandstorm", chambers=dict(enumerate(LAID[monument])))
      for monument in ("temple", "mine", "sphinx")),
]  # fmt: skip

EXPLORATIONS = [
    row("one exploration a turn", scene("map*3 coin", "coin", site="coin coin"), explore(0),
        refuses={"explored-already": [explore(1)]}),
    row("after a dig there is one again", scene("map*3 coin", "coin", site="coin " * 3), explore(0), *AGAIN,
        explore(1), explored=True),
    row("trades and sales around it",
        scene("map coin*3 pot_shard", "coin", market="talisman pot_shard", site="coin"), sell("coin"),
        trade("pot_shard", "pot_shard"), explore(0), sell("coin"), trade("coin", "pot_shard"),
        asked=(0, "act")),
    row("exploring is for the actions", scene("map coin", "coin", site="coin", dig=True),
        refuses={"not-now": [explore(0)]}),
    row("answers are refused where nothing is asked", scene("map coin", "coin", site="coin"),
        refuses={"no-look-due": [look(0)], "no-choice-due": [keep("coin*2")], "not-in-mine": [TURN_UP, STOP],
        "unknown-move": [None], "no-sphinx": [guess("coin", "map")]}),
    *(row(f"{maps} Maps in the Great Pyramid", scene(f"map*{maps} talisman", "coin", site="coin"),
        explore(maps - 1), hands={0: f"{found}"}, chambers={maps - 1: ""}, maps_gone=maps, asked=(0, "act"),
        facts={"explored": {"chamber": maps - 1, "maps": maps, "count": 3 * maps - 1}})
      for maps, found in ((1, "coin*2 talisman"), (2, "coin*5 talisman"), (3, "pot_shard*8 talisman"))),
    row("each chamber of the Pyramid once", scene("map*2 coin", "map coin", site="coin coin"), explore(0),
        END_TURN, DIG_MOVE, refuses={"chamber-explored": [explore(0)]}),
    # The Temple
    row("two Maps take any chamber of the Temple",
        scene("map*2 talisman", "coin", monument="temple", site="coin"), explore(1),
        hands={0: "pot_shard*5 talisman"}, facts={"explored": {"chamber": 1, "maps": 2, "count": 5}}),
    row("each once", scene("map*2 coin", "map*2 coin", monument="temple", site="coin coin"), explore(0),
        END_TURN, DIG_MOVE, refuses={"chamber-explored": [explore(0)], "no-look-due": [look(1)]}),
    row("R10 after each sale the seller may look into one chamber",
        scene("coin*3 talisman", "coin", monument="temple", site="coin"), sell("coin"), look(2), sell("coin"),
        look(0), events="looked", facts={"looked": {"chamber": 0}}, refuses={"no-look-due": [look(1)]},
        asked=(0, "act"), privy=[[0], [], [0]]),
    *(row(f"R10 the look ends when the seller goes on: {type(move).__name__}",
        scene("coin*3 map*2", "coin", monument="temple", market="coin", site="coin"), sell("coin"), move,
        privy=[[]] * 3, refuses={"no-look-due": [look(1)]})
      for move in (trade("coin", "coin"), explore(0), END_TURN)),
    row("R10 into a chamber that there is",
        scene("coin*2", "coin", monument="temple", chambers=("coin*5", "", "coin*5"), site="coin"),
        sell("coin"), refuses={"no-such-chamber": [look(3), look(-1)], "chamber-explored": [look(1)]}),
    row("R10 none where the chambers are empty",
        scene("coin*3", "coin", monument="temple", chambers=[""] * 3, site="coin"), sell("coin"),
        refuses={"no-look-due": [look(0)]}),
    row("R10 none where the sale has ended the match", scene("coin", "", monument="temple"), sell("coin"),
        events="sold over", asked=None),
    *(row(f"R10 the look comes before the turn of an emptied hand ends, {name}",
        scene("coin", "coin", monument="temple", site=site), sell("coin"), move, events=events,
        asked=(1, then))
      for name, site, move, events, then in (("at the dry end", "", look(0), "looked ended", "act"),
        ("declined", "coin", END_TURN, "ended", "dig"))),
    row("R10 before it", scene("coin", "", monument="temple", site="coin"), sell("coin"), events="sold",
        asked=(0, "act")),
    # The Tomb
    row("the Map is spent before the look", scene("map pot_shard", "coin", monument="tomb", site="coin"),
        explore(0), hands={0: "pot_shard"}, maps_gone=1, asked=(0, "keep"), facts={"opened": {"chamber": 0}},
        refuses={"keep-count": [*map(keep, ("", "coin", "coin*2 talisman"))],
        "not-in-chamber": [keep("pot_shard coin"), keep("talisman*3")],
        "malformed-cards": [keep("coin*2")._replace(cards=((2, 1), (2, 1)))], "not-now": [END_TURN]}),
    *(row(f"any two cards are kept: {text}", scene("map", "coin", monument="tomb", site="coin"), explore(0),
        keep(text), hands={0: text}, facts={"kept": {"chamber": 0, "count": 2, "left": 5}}, asked=(0, "act"))
      for text in ("talisman*2", "coin*2", "coin talisman")),
    row("of the last two cards both are taken unasked",
        scene("map", "coin", monument="tomb", chambers=("coin talisman", "coin*8"), site="coin"), explore(0),
        events="explored", facts={"explored": {"count": 2}}, hands={0: "coin talisman"}, asked=(0, "act")),
    row("three like cards are chosen from all the same",
        scene("map", "coin", monument="tomb", chambers=("coin*3", "coin*8"), site="coin"), explore(0),
        asked=(0, "keep")),
    row("a chamber can be explored while it has cards",
        scene("map*3 coin", "coin", monument="tomb", chambers=("coin*3", "coin*8"), site="coin " * 9),
        explore(0), keep("coin*2"), *AGAIN, explore(0), *AGAIN, chambers={0: ""},
        refuses={"chamber-empty": [explore(0)]}),
    # The Mine
    row("R11 at least one card is turned up", scene("map coin", "coin", monument="mine", site="coin"),
        explore(), events="entered turned_up",
        facts={"entered": {"chamber": 0, "maps": 1}, "turned_up": {"treasure": 0, "worth": 1}},
        asked=(0, "mine"), chambers={0: "pot_shard*14"},
        refuses={"not-now": [sell("coin"), END_TURN, explore()]}),
    row("the miner stops at will", scene("map coin", "coin", monument="mine", site="coin"), explore(),
        TURN_UP, TURN_UP, STOP, facts={"mined": {"cards": cards("pot_shard*3"), "worth": 3}},
        hands={0: "pot_shard*3 coin"}, chambers={0: "pot_shard*12"}, asked=(0, "act"),
        refuses={"explored-already": [explore()]}),
    row("above five all go back",
        scene("map coin", "coin", monument="mine", chambers=("talisman*8",), site="coin"), explore(), TURN_UP,
        events="turned_up collapsed", facts={"collapsed": {"cards": cards("talisman*2"), "worth": 6}},
        chambers={0: "talisman*8"}, hands={0: "coin"}, maps_gone=1, asked=(0, "act"),
        within={0: "talisman*2"}),
    row("R11 all are taken when it holds no more",
        scene("map coin", "coin", monument="mine", chambers=("pot_shard*3",), site="coin"), explore(),
        TURN_UP, TURN_UP, events="turned_up mined", hands={0: "pot_shard*3 coin"}, asked=(0, "act")),
    row("R11 an only card at once",
        scene("map coin", "coin", monument="mine", chambers=("coin",), site="coin"), explore(),
        events="entered turned_up mined"),
    row("R11 it can be explored again",
        scene("map*2 coin", "coin", monument="mine", chambers=("coin*2",), site="coin " * 4), explore(), STOP,
        *AGAIN, explore(), chambers={0: ""}),
    # The Sphinx
    row("the Sphinx turns up five and gives the named kinds, the others go back", scene("map", "coin",
        monument="sphinx", chambers=("coin*2 talisman pot_shard*2",), site="coin"), guess("talisman", "coin"),
        hands={0: "coin*2 talisman"}, chambers={0: "pot_shard*2"}, events="named revealed",
        facts={"named": {"chamber": 0, "maps": 1, "treasures": (3, 2)},
        "revealed": {"cards": cards("coin*2 talisman pot_shard*2"), "taken": cards("coin*2 talisman")}}),
    row("fewer than five are all turned up",
        scene("map", "coin", monument="sphinx", chambers=("coin talisman*2",), site="coin"),
        guess("coin", "pot_shard"),
        facts={"revealed": {"cards": cards("coin talisman*2"), "taken": cards("coin")}}),
    row("explored again, but not when empty",
        scene("map*2 pot_shard", "coin", monument="sphinx", site="coin " * 4), guess("coin", "talisman"),
        *AGAIN, guess("coin", "talisman"), maps_gone=2),
    row("R9 two different treasures in play", scene("map coin", "coin", monument="sphinx", site="coin"),
        refuses={"names-must-differ": [guess("coin", "coin")], "sphinx-needs-names": [explore()],
        "no-such-treasure": [guess("coin", "broken_tablet"),
        guess("coin", "map")._replace(treasures=(-1, 2))]}),
    row("R9 a Tablet with four", scene(*["map coin"] * 4, monument="sphinx", site="coin"),
        guess("coin", "broken_tablet"), events="named revealed"),
    row("R9 no Pendant with four", scene(*["map coin"] * 4, monument="sphinx", site="coin"),
        refuses={"no-such-treasure": [guess("coin", "broken_pendant")]}),
    row("R9 a Pendant with five", scene(*["map coin"] * 5, monument="sphinx", site="coin"),
        guess("coin", "broken_pendant"), events="named revealed"),
    row("R9 Maps may be named though none lie there",
        scene("map", "coin", monument="sphinx", chambers=("talisman*15",), site="coin"), guess("map", "coin"),
        events="named revealed ended"),
    row("the Sphinx wants a Map", scene("coin", "coin", monument="sphinx", site="coin"),
        refuses={"too-few-maps": [guess("coin", "talisman")]}),
    row("and once a turn", scene("map*2 coin", "coin", monument="sphinx", site="coin"),
        guess("coin", "talisman"), refuses={"explored-already": [guess("coin", "talisman")]}),
    row("and has cards", scene("map coin", "coin", monument="sphinx", chambers=("",), site="coin"),
        refuses={"chamber-empty": [guess("coin", "talisman")]}),
    # The Ruins
    row("a Map takes all cards of a chamber of the Ruins before all eyes",
        scene("map", "coin", monument="ruins", chambers=("coin", "coin talisman", ""), site="coin"),
        explore(1),
        facts={"explored": {"chamber": 1, "maps": 1, "count": 2, "cards": cards("coin talisman")}},
        hands={0: "coin talisman"}, within={0: "coin", 1: ""}),
    row("R12 an empty chamber of the Ruins cannot be explored",
        scene("map*2 coin", "map coin", monument="ruins", site="coin coin"), explore(1), END_TURN, DIG_MOVE,
        refuses={"chamber-empty": [explore(1)]}),
]  # fmt: skip

ENDS = [
    row("R14 a Mine that collapses over the last card meets the duty to sell",
        scene("map", "coin", monument="mine", chambers=("talisman*8",), duty=True, row=[0, 1]), explore(),
        TURN_UP, events="turned_up collapsed ended", asked=(1, "act"), duty=False),
    row("R14 so does a Sphinx that gives nothing",
        scene("map", "coin", monument="sphinx", duty=True, stall=6), guess("talisman", "map"),
        events="named revealed ended", asked=(1, "act"), duty=False),
    row("R14 with cards left the duty remains",
        scene("map coin", "coin", monument="mine", chambers=("talisman*8",), duty=True, row=[0, 1]),
        explore(), TURN_UP, asked=(0, "act"), refuses={"must-sell": [END_TURN]}),
    row("R14 also with what was explored", scene("map", "coin", monument="mine", duty=True, row=[0, 1]),
        explore(), STOP, refuses={"must-sell": [END_TURN]}),
    row("a turn without a card left ends even without a duty",
        scene("map", "coin", monument="mine", chambers=("talisman*8",), site="coin"), explore(), TURN_UP,
        events="turned_up collapsed ended", asked=(1, "dig"), explored=False),
    row("R4 an exploration that yields nothing can end the match",
        scene("map", "", monument="mine", chambers=("talisman*8",)), explore(), TURN_UP,
        events="turned_up collapsed over", asked=None),
    row("R4 while somebody explores with the last card of all, it goes on", scene("map", "", monument="tomb"),
        explore(), keep("coin*2"), asked=(0, "act"), hands={0: "coin*2"}),
    row("R4 the dig goes on though nobody holds a card",
        scene("map", "", monument="sphinx", site="coin coin"), guess("talisman", "map"), asked=(1, "dig")),
    row("R4 cards left in the monument do not prolong the match", scene("coin", ""), sell("coin"),
        events="sold over"),
    row("R4 without cards a player is skipped at the dry end",
        scene("map", "", "coin", monument="mine", chambers=("talisman*8",), tents=[True] * 3), explore(),
        TURN_UP, END_TURN, asked=(2, "act")),
    row("R6 an exploration that yields nothing counts as one",
        scene("map coin", "coin*2", monument="mine", chambers=("talisman*8",), stall=5), explore(), TURN_UP,
        END_TURN, stall=0),
    row("R6 trades alone count up to three turns a player",
        scene("coin", "coin", monument="temple", market="coin"), *[trade("coin", "coin"), END_TURN] * 6,
        stall=6, duty=True),
    row("R5 who must sell may look into the Temple too",
        scene("coin*2", "coin", monument="temple", duty=True, row=[0, 1]), sell("coin"), look(0), END_TURN,
        asked=(1, "act")),
    row("R7 a shared victory", scene("coin", "", sold=[[], [(2, 1)]]), sell("coin"),
        ended=((0, 1), "shared")),
    row("fewer cards", scene("coin*2", "", sold=[[], [(0, 3), (2, 1)]]), sell("coin*2"),
        ended=((0,), "fewer-cards")),
    row("what is left in pile and chambers is nobody's",
        scene("coin", "coin", monument="ruins", pile="coin coin coin"), sell("coin"), sell("coin"),
        money=(2, 2), ended=((0, 1), "shared")),
]  # fmt: skip


@each([*STORMS, *EXPLORATIONS, *ENDS])
def test_the_rule_page_is_followed(ruling: Ruling):
    check(GAME, ruling, play, partial(read_in, GAME))


def test_example_adele_ben_christopher_and_daria():
    adele, ben, christopher, daria = range(4)
    hands = ("coin", "pot_shard*6", "parchment_scrap*5", "talisman*3")
    state = scene(*hands, site="sandstorm coin", dig=True, tents=[False, True, True, True])
    play(state, DIG_MOVE)
    for seat, move in ((ben, SAVE_TENT), (christopher, SAVE_TENT), (daria, USE_TENT)):
        assert asked(state) == (seat, "tent")
        play(state, move)
    assert asked(state) == (ben, "sandstorm")
    assert refused(state, discard("pot_shard*2")).facts == {"due": 3, "chosen": 2}
    play(state, discard("pot_shard*3"), discard("parchment_scrap*2"))
    assert asked(state) == (adele, "dig")
    assert [hand(state, seat) for seat in range(1, 4)] == [
        *map(cards, ("pot_shard*3", "parchment_scrap*3", "talisman*3"))
    ]
    assert (state.market, state.tents) == (
        counts("pot_shard*3 parchment_scrap*2", 8),
        [False, True, True, False],
    )


def test_a_declaration_is_a_decision_of_its_own_and_seen_by_all():
    state = scene(*["coin*4"] * 3, site="sandstorm coin", dig=True)
    play(state, DIG_MOVE)
    assert GAME.pending(state) == (Decision(1, 1, "tent"),)
    assert refused(state, USE_TENT, seat=0).code == "not-your-move"
    (event,) = play(state, USE_TENT)
    assert (event.kind, event.seat, event.facts, event.known_to) == ("tent", 1, {"used": True}, ())
    assert GAME.pending(state) == (Decision(2, 2, "tent"),)
    view = GAME.view(state, 2)
    assert (view.sheltered, view.tents, view.queue) == ((1,), (True, False, True), (0,))


def test_tents_losses_and_what_monuments_ask_are_given_a_quarter_of_the_limit():
    assert GAME.time_shares == {"tent": 0.25, "sandstorm": 0.25, "keep": 0.25, "mine": 0.25}


@pytest.mark.parametrize("monument", ["great_pyramid", "temple", "tomb", "mine", "ruins"])
def test_a_chamber_must_exist_and_not_be_empty_and_the_maps_be_there(monument: MonumentKey):
    state = scene("coin", "coin", monument=monument, site="coin")
    last = len(state.chambers)
    assert [refused(state, explore(number)).code for number in (last, -1)] == ["no-such-chamber"] * 2
    cost = GAME.view(state, 0).costs[last - 1]
    error = refused(state, explore(last - 1))
    assert (error.code, error.facts) == ("too-few-maps", {"cost": cost})
    state.hands[0][MAP] = cost - 1
    assert refused(state, explore(last - 1)).code == "too-few-maps"
    state.chambers[last - 1] = [0] * state.kinds
    once = monument in ("great_pyramid", "temple")
    assert refused(state, explore(last - 1)).code == ("chamber-explored" if once else "chamber-empty")


@pytest.mark.parametrize("monument", MONUMENTS)
def test_r5_and_r6_an_exploration_ends_the_row_and_sets_the_count_back(monument: MonumentKey):
    state = scene("map*2 coin", "coin*2", "coin", monument=monument, row=[1, 2], stall=5)
    play(state, guess("coin", "talisman") if monument == "sphinx" else explore())
    answer = {"keep": keep("coin*2"), "mine": STOP}.get(state.phase)
    play(state, *([] if answer is None else [answer]), END_TURN)
    assert (state.row, state.stall, state.duty) == ([], 0, False)


@pytest.mark.parametrize(
    ("order", "end"),
    [
        ("coin talisman", "mined"),
        ("pharaohs_mask pot_shard", "mined"),
        ("pharaohs_mask coin", "collapsed"),
        ("coin coin pot_shard", "mined"),
        ("talisman pot_shard coin", "collapsed"),
    ],
)  # fmt: skip
def test_r11_five_is_safe_and_six_is_not(order: str, end: str):
    treasures = order.split()
    state = turned_up("pot_shard*4 coin*4 talisman*3 pharaohs_mask*4", *treasures)
    assert names(play(state, explore(), *[TURN_UP] * (len(treasures) - 1))) == ["turned_up", end]


def test_every_card_left_in_the_mine_is_as_likely_to_turn_up():
    shown: Counter[str] = Counter()
    after_one: Counter[str] = Counter()
    for number in range(1500):
        state = scene("map", "coin", monument="mine", chambers=("pot_shard*3 coin*2 talisman",), site="coin")
        state.key = number.to_bytes(32, "big")
        first = play(state, explore())[1].facts["treasure"]
        shown[TREASURES[first]] += 1
        if first == kind("pot_shard"):
            after_one[TREASURES[play(state, TURN_UP)[0].facts["treasure"]]] += 1
    assert [round(shown[t] / 250) for t in ("pot_shard", "coin", "talisman")] == [3, 2, 1]
    total = sum(after_one.values())
    assert [round(5 * after_one[t] / total) for t in ("pot_shard", "coin", "talisman")] == [2, 2, 1]


def test_only_five_of_the_sphinxs_fifteen_are_turned_up_all_as_likely():
    shown: Counter[int] = Counter()
    for number in range(600):
        state = scene("map coin", "coin", monument="sphinx", site="coin")
        state.key = number.to_bytes(32, "big")
        (_, revealed) = play(state, guess("map", "talisman"))
        assert sum(n for _, n in revealed.facts["cards"]) == 5
        shown.update(dict(revealed.facts["cards"]))
    assert all(900 < shown[kind(t)] < 1100 for t in ("pot_shard", "parchment_scrap", "coin"))


# -- R15: what all have seen


def test_r15_what_is_turned_up_is_seen_while_it_lies_there_and_known_in_the_hand_or_in_the_mine():
    state = scene("map coin", "coin", monument="mine", site="coin")
    play(state, explore(), TURN_UP)
    view = GAME.view(state, 1)
    assert (view.turned, view.worth_turned, view.chambers) == ((0, 0), 2, (13,))
    play(state, STOP)
    assert {GAME.view(state, viewer).known[0] for viewer in (None, 1)} == {tuple(counts("pot_shard*2", 7))}


@pytest.mark.parametrize(
    ("within", "moves", "known"),
    [
        ("", [explore(), TURN_UP], "talisman pharaohs_mask"),
        ("pharaohs_mask talisman*2", [explore()], "talisman*2"),
        ("pharaohs_mask talisman*2", [explore(), STOP], "talisman*2"),
        ("talisman", [explore(), TURN_UP], "talisman pharaohs_mask"),
    ],
)  # fmt: skip
def test_r15_what_is_turned_up_again_may_be_the_card_known_before(within: str, moves: list[Any], known: str):
    state = turned_up("coin*7 pharaohs_mask*4 talisman*4", "pharaohs_mask", "talisman")
    state.within = [counts(within, 7)]
    play(state, *moves)
    assert {GAME.view(state, viewer).within for viewer in (None, 0, 1)} == {(tuple(counts(known, 7)),)}


def test_r15_all_know_what_the_sphinx_showed_and_gave():
    state = scene("map", "coin", monument="sphinx", chambers=("coin*2 talisman pot_shard*2",), site="coin")
    play(state, guess("talisman", "coin"))
    for viewer in (None, 1):
        view = GAME.view(state, viewer)
        assert view.known[0] == tuple(counts("coin*2 talisman", 7))
        assert view.within == (tuple(counts("pot_shard*2", 7)),)


def test_r15_cards_shown_twice_may_be_the_same():
    state = scene("map", "coin", monument="sphinx", chambers=("coin*5 talisman*10",), site="coin")
    state.within = [counts("coin*4 talisman*2", 7)]
    (_, revealed) = play(state, guess("coin", "pot_shard"))
    shown = dict(revealed.facts["cards"])
    coins, talismans = shown.get(kind("coin"), 0), shown.get(kind("talisman"), 0)
    left = counts(f"coin*{max(4, coins) - coins} talisman*{max(2, talismans)}", 7)
    assert GAME.view(state, 1).within == (tuple(left),)


@pytest.mark.parametrize(
    ("monument", "move", "facts"),
    [
        ("great_pyramid", explore(0), {"chamber": 0, "maps": 1, "count": 2}),
        ("temple", explore(1), {"chamber": 1, "maps": 2, "count": 5}),
        ("tomb", explore(0), {"chamber": 0, "maps": 1, "count": 7}),
    ],
)  # fmt: skip
def test_r8_what_is_found_in_a_hidden_chamber_is_told_to_who_explores(monument: Any, move: Any, facts: Any):
    state = scene("map*2", "coin", monument=monument, site="coin")
    (event,) = play(state, move)
    assert (event.facts, set(event.secret), event.known_to, event.reveals) == (facts, {"cards"}, (0,), True)
