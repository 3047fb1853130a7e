"""Turns and states made to measure, for what the matches of the written playthroughs do not show."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.party import EQUIPMENT
from engine.artifact.rules import ArtifactOptions
from engine.artifacts_inc.company import Space
from engine.game import Event
from tests.cogs.archaeology_family import crafted
from tests.engine.archaeology_family import DIG_MOVE, sell
from tests.engine.artifact import scene as artifact
from tests.engine.artifacts_inc import scene as inc
from tests.engine.expedition import scene as dig

BOARD, RESULT, SHEETS = "board", "result", "sheets"
"""The screens of a state, besides the private screen of a seat (its number)."""

# -- Archaeology and The New Expedition

FOUND = Event("found", 0, {}, {"treasure": 2}, (0,), True)
TRADED = Event("traded", 0, {"give": [[0, 2]], "take": [[6, 1]], "over": 1})
SOLD = Event("sold", 0, {"treasure": 3, "count": 3, "price": 14})
SOLD_TOO = Event("sold", 0, {"treasure": 2, "count": 1, "price": 2})
ENDED = Event("ended", 0)
THIEF = Event("thief", 0)
STOLEN = Event("stolen", 0, {"victim": 1}, {"treasure": 3}, (0, 1), True)
EXPLORED = Event("explored", 0, {"chamber": 1, "maps": 2, "count": 5}, {"cards": [[0, 5]]}, (0,), True)
STORM = Event("sandstorm", 0, reveals=True)
LOST = [Event("lost", seat, {"cards": [[seat, 1]]}) for seat in range(3)]
TENTS = [Event("tent", seat, {"used": seat == 2}) for seat in range(3)]
TURNED = Event("turned_up", 0, {"treasure": 0, "worth": 1})


def _ended(*sold: list[tuple[str, int]]) -> Any:
    return crafted.craft([{} for _ in sold], sold=sold, phase="over", explored=True, rest="market")


def _site(*site: str) -> Any:
    return crafted.craft([{"coin": 2}, {"map": 1}], phase=crafted.ACT, site=site, rest="sold", explored=True)


@cache
def _in_the_mine() -> Any:
    """A Parchment Scrap and a Coin are turned up; five cheap, three middling and a dear card are left."""
    chamber = "pot_shard*2 parchment_scrap*2 coin*3 talisman*3 pharaohs_mask"
    return _after(dig.turned_up(chamber, "parchment_scrap", "coin"), dig.explore(), dig.TURN_UP)


def _mine(*turned: str, known: bool = False) -> Any:
    """The same with other cards turned up, or with all that is left known to everybody."""
    state = _in_the_mine().copy()
    state.turned = [dig.kind(key) for key in turned] or state.turned
    state.within = [state.chambers[0].copy()] if known else state.within
    return state


def _after(state: Any, *moves: Any) -> Any:
    dig.play(state, *moves)
    return state


# -- Artifact

MOVED = Event("moved", 0, {"die": 3, "from": 4, "to": 7, "direction": "forward", "round": 2})
BACK = MOVED._replace(facts={**MOVED.facts, "to": 1, "direction": "back"})
MET = Event("met", 0, {"other": 1, "square": 7, "die": 1, "ability": "combat"})
CHALLENGE = Event(
    "challenge", 0, {"scenario": "lost_city", "part": 1, "dice": [4, 4], "encounter": "caimans"}
)
WOUND = Event("wounded", 1, {"member": 1, "cast": 0, "lost": ["combat"]})
OWN_WOUND = WOUND._replace(seat=0)
LEADER_WOUNDED = Event("wounded", 1, {"member": 0, "lost": []})
CARRIED = Event("member_out", 0, {"member": 2, "cast": 7, "lost": []})
SEIZED = Event("seized", 1, {"other": 0, "square": 7})
OUT = Event("party_out", 1, {"square": 7})
ROLLED = Event("rolled", 0, {"die": 3})
ORDER = {"rolls": [[0, 7], [1, 7], [2, 3], [0, 2], [1, 9]]}


def _faced(*, overcome: bool, aids: int = 0) -> Event:
    facts = {"encounter": "caimans", "die": 2, "abilities": 1, "aids": aids, "total": 3 + aids}
    return Event("faced", 0, {**facts, "dice": [3, 4], "against": 7, "overcome": overcome})


def _fought(winner: int | None) -> Event:
    rolls = {"ability": "combat", "dice": [1, 2], "abilities": [1, 1], "aids": [0, 3], "totals": [2, 6]}
    return Event("fought", 0, {"other": 1, "winner": winner, **rolls})


def _spent(seat: int, *aids: str) -> Event:
    return Event("used", seat, {"scenario": "lost_city", "aids": [*aids], "worth": 3 * len(aids)})


def _lost(kind: str, **facts: Any) -> Event:
    return Event(kind, 0, {"scenario": "lost_city", **facts})


def _over(why: str, scenario: str = "lost_city") -> Event:
    return Event("over", None, {"scenario": scenario, "winner": 0, "why": why, "round": 9})


def _asked(phase: str, **more: Any) -> Any:
    return artifact.scene(3, 9, phase=phase, step=1, **more)


def _bridge(**more: Any) -> Any:
    """Against the bridge of one rope, which asks for Agility, Mechanics and Strength."""
    return _asked(s.CHALLENGE, encounter="rope_bridge", **more)


def _fight(phase: str = s.ATTACK, **more: Any) -> Any:
    named = {} if phase == s.ABILITY else {"ability": 0}
    return artifact.scene(5, 5, phase=phase, opponent=1, step=1, **named, **more)


def _every_aid() -> str:
    here = artifact.GAME.catalogue.scenarios[artifact.scene(3, 9).scenario]
    found = next(aid for aid in here.aids.values() if aid not in EQUIPMENT)
    return " ".join(aid.key for aid in (*EQUIPMENT, found))


def _making(*rolls: int) -> Any:
    state = artifact.GAME.new(2, ArtifactOptions(scenario="lost_city"), artifact.KEY)
    state.rolls = [rolls] * 2
    return state


def _journey() -> Any:
    parties, aids = {0: "combat / combat! / x"}, {0: "pistols"}
    state = artifact.scene(2, 9, 0, parties=parties, aids=aids, holder=0)
    state.hands = (s.Held(3, 1, 30), s.Held(4, 0, 20))
    been = s.Journal(squares=57, overcome=7, faced=9, won=4, fought=6, found=5, spent=4)
    state.journal[: s.ENTRIES] = [*been]
    state.journal[2 * s.ENTRIES :] = [*s.Journal(overcome=2, faced=3, won=1, fought=2)]
    artifact.play(state, m.ROLL, artifact.d6(1))
    return state


# -- Artifacts, Inc.


def _company_turn(*last: object) -> list[Event]:
    state = inc.scene("biplane@lower:1", dice="2 3 5 6 6", dollars=9, offer="airfield", divers=[0])
    moves = (inc.put(5, "desert_expedition"), inc.buy(2, "airfield", "upper:4"), inc.dive(6), *last)
    return [event for move in moves for event in inc.GAME.apply(state, 0, move)]  # pyright: ignore[reportArgumentType]


def _sales() -> list[Event]:
    state = inc.scene("curators_office", dice="1 2 6", artifacts="gem*2 fossil scroll*2")
    events = inc.play(state, inc.fill(1, "gem", 1, "curators_office"))
    return [*events, *inc.play(state, inc.collect(2, "fossil scroll*2"))]


def _majorities() -> list[Event]:
    state = inc.scene(dice="6", round=60, active=1, first=0, orders={"fossil": {0: 0, 1: 1}, "gem": {2: 0}})
    return inc.play(state, inc.put(6, "guide_work"))


def _scored(*earned: tuple[int, int, int, int], dollars: list[int] | None = None, **more: Any) -> Any:
    state = inc.scene(more.pop("cards", ""), dice="", seats=len(earned), phase="over", **more)
    state.earned = [*earned]
    state.derive()
    state.dollars = dollars or state.dollars
    return state


def _sold(kind: str, seat: int, on: str, dollars: int, **more: Any) -> Event:
    return Event(kind, seat, {"die": 4, "on": on, "dollars": dollars, **more})


def _bought(kind: str, seat: int, card: str, cost: int, reputation: int, counted: int = 0) -> Event:
    facts = {"card": card, "cost": cost, "scrolls": 0, "dollars": 0}
    return Event(kind, seat, {**facts, "reputation": reputation, "counted": counted})


def _by_museums() -> Any:
    orders = {"fossil": {0: 1, 1: 0, 2: 1}, "scroll": {0: 0, 1: 1}, "gem": {3: 1}}
    worth = [museum.majority for museum in inc.scene(dice="2").catalogue.museums]
    return _scored((15, 0, 0, 0), (12, 0, 0, worth[0] + worth[1] + worth[3]), orders=orders)


TURNS: dict[str, list[list[Event]]] = {
    "archaeology": [
        [FOUND, TRADED, SOLD, SOLD_TOO, ENDED],
        [ENDED],
        [Event("passed", 0)],
        [THIEF, STOLEN],
        [THIEF, ENDED],
        [EXPLORED],
        [TRADED._replace(facts={"give": [[4, 2]], "take": [[2, 2]], "over": 0})],
        [SOLD, Event("over", None, {"winners": [0]})],
        [STORM, *LOST[:2], THIEF, STOLEN, SOLD],
        [STORM._replace(facts={"spared": [(1, 1), (2, 0)]})],
        [STORM._replace(facts={"in_vain": True})],
        [THIEF._replace(facts={"in_vain": True})],
        [
            STORM,
            THIEF,
            STOLEN,
            EXPLORED,
            SOLD_TOO,
            SOLD._replace(facts={"treasure": 3, "count": 5, "price": 40}),
        ],
        [STORM, EXPLORED, SOLD_TOO],
    ],
    "expedition": [
        [
            Event("entered", 0, {"chamber": 0, "maps": 1}),
            TURNED,
            Event("mined", 0, {"cards": [[0, 1]], "worth": 1}),
        ],
        [Event("collapsed", 0, {"cards": [[3, 2]], "worth": 6})],
        [Event("kept", 0, {"chamber": 0, "count": 2}, {"cards": [[2, 2]]}, (0,))],
        [TENTS[2]],
        [STORM, Event("uncovered", 0, {"treasures": [0, 1, 2], "pile": 9})],
        [STORM, TENTS[1], TENTS[2], TENTS[0], *LOST[:2], FOUND],
        [Event("revealed", 0, {"cards": [[0, 5]], "taken": []})],
        [Event("revealed", 0, {"cards": [[0, 5]], "taken": [[0, 5]]})],
    ],
    "artifact": [
        [MOVED, CHALLENGE, _faced(overcome=False), OWN_WOUND],
        [MOVED, CHALLENGE, _faced(overcome=True)],
        [MOVED, CHALLENGE],
        [BACK],
        [MOVED, MET],
        [MOVED, MET, _fought(0), WOUND],
        [MOVED, MET, _fought(1), CARRIED],
        [_fought(None)],
        [MOVED, MET, _fought(0), WOUND, CHALLENGE, _faced(overcome=False), OWN_WOUND],
        [MOVED, MET, _fought(1), OWN_WOUND, SEIZED, CHALLENGE, _faced(overcome=False)],
        [_fought(0), WOUND, OUT, CHALLENGE, _faced(overcome=False)],
        [MOVED, CHALLENGE, _spent(0, "pistols", "picks"), _faced(overcome=True, aids=6)],
        [MOVED, MET, _spent(0, "pistols", "tomes", "tomes"), _spent(1, "pistols"), _fought(0), WOUND],
        [MOVED, MET, _spent(0), _fought(0)],
        [MOVED, CHALLENGE, _faced(overcome=False), _lost("aid_lost", aid=None)],
        [MOVED, CHALLENGE, _faced(overcome=False), _lost("thrown_back", squares=2, **{"from": 7, "to": 7})],
        [MOVED, CHALLENGE, _faced(overcome=False), _lost("thrown_back", squares=2, **{"from": 7, "to": 5})],
        [ROLLED],
        [_spent(1, "pistols")],
        [Event("skipped", 0, {})],
        [LEADER_WOUNDED],
        [_fought(0), OUT, _over("last")],
        [_over("home"), _over("home", "ice_tomb")],
        [Event("reached", 0, {"scenario": "ice_tomb", "square": 30})],
        [CHALLENGE._replace(facts={**CHALLENGE.facts, "encounter": "old_one"})],
        [Event("parties", None, {"parties": [{"equipment": ["pistols"]}] * 3}), Event("order", 1, ORDER)],
        artifact.play(artifact.scene(27, 9), m.ROLL, artifact.d6(3)),
        artifact.play(artifact.scene(3, 9, holder=0), m.ROLL, artifact.d6(4)),
    ],
    "artifacts-inc": [
        _sales(),
        inc.play(inc.scene("diving_bell", dice="1 2", divers=[1]), inc.dive(1, 2)),
        _majorities(),
        _company_turn(inc.put(6, "canyon_expedition", 1), inc.put(3, "guide_work")),
        [*_company_turn(inc.put(3, "guide_work")), Event("reached", 0, {"reputation": 20, "round": 9})],
        [_sold("sold", 0, "antiquarian", 3, artifact="gem")],
        [Event("first", 0, {"rolls": [[0, 4, 4], [1, 1, 2]], "dollars": [3, 4]})],
        [Event("rolled", 0, {"dice": [1, 1, 2]}), Event("passed", 0, {"dice": [1, 1, 2]})],
        [Event("revealed", None, {"pile": "A", "card": "old_card"})],
        [
            Event(
                "dived", 0, {"dice": [6, 2], "bonus": 0, "number": 8, "find": "sunken_city", "reputation": 1}
            )
        ],
        [_sold("filled", 1, "statue_museum", 9, artifact="statue", order=8, count=6, bonus=3)],
        [_sold("collected", 2, "private_collectors", 6, artifacts={"gem": 3, "scroll": 2})],
        [_bought("bought", 2, "world_exhibition", 9, 5)],
        [_bought("turned_card", 0, "salvage_fleet", 7, 4, 3)],
        [Event("reached", 1, {"reputation": 21, "round": 9})],
        [Event("majority", 2, {"artifact": "gem", "cubes": 4, "reputation": 4})],
    ],
}
"""By game, the events of turns, which are written as the log and as the news have them."""
STATES: dict[str, list[tuple[Any, str | int]]] = {
    "archaeology": [
        (crafted.craft([{"coin": 2}, {"map": 1}, {}, {"coin": 3}], phase=crafted.STEAL, site=["coin"]), 0),
        (_site("thief", "thief", "thief", "sandstorm", "coin"), BOARD),
        (_site("coin", "map"), BOARD),
        (_site("thief"), BOARD),
        (_site("coin"), BOARD),
        (_site(), BOARD),
        (_site(), 0),
        (crafted.craft([{"pot_shard": 7, "broken_cup": 3}, {"coin": 1}], site=["coin"]), 0),
        (crafted.craft([{"broken_cup": 5, "map": 3}, {"coin": 1}], site=["coin"]), 0),
        (_ended([("map", 1)], [("coin", 1), ("coin", 1), ("talisman", 2)], [("talisman", 5)], []), RESULT),
        (_ended([("coin", 1), ("coin", 1), ("pot_shard", 1)], [("coin", 2)], [("map", 1)]), RESULT),
        (_ended([("talisman", 1)], [("map", 1)], [("coin", 1)]), RESULT),
        (_ended([("talisman", 1)], [("map", 1)], [("coin", 1)]), BOARD),
    ],
    "expedition": [
        (
            _after(
                dig.scene(
                    "coin*7",
                    "coin*4",
                    "map",
                    monument="ruins",
                    site="sandstorm coin",
                    dig=True,
                    pile=dig.PILE,
                    tents=[True, True, False],
                ),
                DIG_MOVE,
            ),
            BOARD,
        ),
        (_mine(), BOARD),
        (_mine(), 0),
        (_mine(), 1),
        (_mine(known=True), BOARD),
        (_mine("coin", "coin", known=True), BOARD),
        (_mine("pot_shard"), BOARD),
        (
            _after(
                dig.scene("coin*2 map*2", "coin*4", monument="temple", site="coin"), sell("coin"), dig.look(1)
            ),
            0,
        ),
        (
            _after(
                dig.scene(
                    "map coin",
                    "coin*4",
                    monument="tomb",
                    site="coin",
                    chambers=("coin*4 talisman*2 broken_cup", "pot_shard*8"),
                ),
                dig.explore(0),
            ),
            0,
        ),
    ],
    "artifact": [
        (artifact.scene(7, 12, 7, 1), BOARD),
        (artifact.scene(24, 24, 5, holder=1), BOARD),
        (artifact.scene(24, 0, 5, lies=9), BOARD),
        (
            artifact.scene(
                8,
                14,
                0,
                3,
                parties={1: "combat / combat! / x / combat"},
                aids={1: "pistols tomes"},
                active=1,
                holder=1,
                skips=[3],
            ),
            BOARD,
        ),
        (_bridge(parties={0: "agility / agility"}), BOARD),
        (
            _fight(
                s.DEFEND, used=("pistols",), aids={1: "pistols"}, parties={0: "combat combat", 1: "combat"}
            ),
            BOARD,
        ),
        (_fight(s.ABILITY), BOARD),
        (_bridge(parties={0: "agility / agility"}, aids={0: "climbing_gear"}), 0),
        (_bridge(parties={0: "agility / agility"}, aids={0: "climbing_gear"}), 1),
        (
            artifact.scene(
                12, 14, 9, parties={0: "combat", 1: "combat combat"}, holder=1, phase=s.DIRECTION, die=2
            ),
            0,
        ),
        (artifact.scene(12, 3, lies=11, phase=s.DIRECTION, die=1), 0),
        (artifact.scene(5, 5, 5, parties={0: "combat / x / x / x / x / x"}, phase=s.OPPONENT, step=1), 0),
        (_fight(s.ABILITY, parties={0: "combat combat", 1: "science science science science science"}), 0),
        (_fight(aids={0: "pistols", 1: "pistols"}), 0),
        (_fight(aids={0: "pistols"}), 0),
        (_fight(s.DEFEND, aids={1: "pistols"}, used=("pistols",)), 1),
        (_bridge(parties={0: "agility / agility / agility"}, aids={0: "picks picks picks picks"}), 0),
        (_bridge(aids={0: "picks"}, challenges="printed"), 0),
        (_asked(s.GIVE_UP, encounter="rival_agent", aids={0: "pistols pistols tomes"}), 0),
        (_asked(s.GIVE_UP, encounter="rival_agent", aids={0: _every_aid()}), 0),
        (_making(10, *[1] * 15), 0),
        (
            artifact.scene(
                8,
                14,
                0,
                parties={1: "combat combat science / survival! / x / combat"},
                aids={1: "pistols tomes pistols"},
                holder=1,
                skips=[1],
            ),
            SHEETS,
        ),
        (artifact.scene(4, 12, parties={0: "combat combat science! / x / agility"}, aids={0: "pistols"}), 0),
        (_journey(), RESULT),
    ],
    "artifacts-inc": [
        (
            _scored(
                (5, 1, 1, 3),
                (0, 0, 10, 0),
                (0, 0, 0, 0),
                dollars=[1, 4, 2],
                cards="world_exhibition",
                divers=[0, 1],
            ),
            RESULT,
        ),
        (
            _scored((5, 0, 0, 0), (12, 0, 0, 0), (5, 0, 0, 0), dollars=[2, 0, 1], cards="world_exhibition"),
            RESULT,
        ),
        (
            inc.scene(
                "biplane@lower:0 airfield+@lower:2",
                dice="2",
                artifacts="fossil*2 gem@biplane",
                offer="caravan grand_hall",
                orders={"fossil": {0: 0, 2: 1}},
                divers=[0] * 8,
            ),
            SHEETS,
        ),
        (_by_museums(), RESULT),
        (
            inc.scene(
                "biplane airfield+",
                dice="2 5",
                artifacts="gem*2 fossil",
                dollars=4,
                orders={"fossil": {0: 0, 2: 1}},
                divers=[0, 1],
                covered=[Space(5)],
                laid=[4],
            ),
            BOARD,
        ),
        (inc.scene(dice="2", orders={"gem": dict.fromkeys(range(6), 1)}, divers=[0] * 10), BOARD),
    ],
}
"""By game, states, and what is written of each. The turns of `TURNS` are those of players in the first one."""
