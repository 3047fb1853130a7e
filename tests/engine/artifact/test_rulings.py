"""The rules, the examples and the rulings R40 to R59 of the rule page, a row each, and every refusal."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.artifact import moves as m
from engine.artifact.choices import challenge_bonus, opponents, people, ways
from engine.artifact.party import ABILITIES, EQUIPMENT, SIZES, counted
from engine.artifact.rules import ArtifactOptions
from engine.artifact.state import State, cast
from tests.engine.artifact.oracle import CODES
from tests.engine.artifact.scene import (
    GAME,
    HIGH,
    KEY,
    LOW,
    against,
    d6,
    d10,
    encounter,
    facts,
    party,
    pick,
    play,
    refused,
    roll,
    scene,
    two,
    wounds,
)
from tests.engine.rulings import Ruling, check, each, row

LAST = "! / x / x / x / x / x"
"""A party of a Wounded leader: one wound more, and it is out."""
COMBAT = d10(1)
FALLS = {0: LAST}
WON, LOST, TIED = two(6, 1), two(1, 6), two(2, 2)
"""Dice of a fight for its mover."""


def made(move: Any, *dice: Any) -> tuple[Any, ...]:
    """A move with its dice; a text is the dice of an event of the Lost City."""
    return (move, *(encounter(die) if isinstance(die, str) else die for die in dice))


def rolls(face: int, *dice: Any) -> tuple[Any, ...]:
    return made(m.ROLL, d6(face), *dice)


def ahead(*dice: Any) -> tuple[Any, ...]:
    return made(m.FORWARD, *dice)


def back(*dice: Any) -> tuple[Any, ...]:
    return made(m.BACK, *dice)


def read(state: State, name: str) -> Any:
    if name == "wounds":
        return {seat: wounds(state, seat) for seat in range(state.seats)}
    return getattr(state, name)


MOVES = [
    row("as many squares as it rolls", scene(4, 1), rolls(5, "letter"), at=[9, 1], asked=(1, "roll"),
        facts={"moved": {"die": 5, "from": 4, "to": 9, "direction": "forward", "round": 5}}),
    row("the first at the end takes the Artifact", scene(28, 5), rolls(6), events="moved reached", at=[30, 5],
        holder=0, lies=0),
    row("the holder moves toward 1", scene(20, 12, holder=0), rolls(3, "rubbings"), at=[17, 12]),
    row("and the others choose", scene(20, 12, holder=0), rolls(3, "rubbings"), rolls(4), back("letter"),
        at=[17, 8]),
    row("who brings it to square 1 wins", scene(5, 12, 3, holder=0), rolls(6), events="moved over",
        asked=None, facts={"over": {"scenario": "lost_city", "winner": 0, "why": "home", "round": 5}},
        ended=((0,), "home")),
    *(row(f"from {square} by {face}: table {part}", scene(square, 1), rolls(face, two(2, 3)),
        aids={0: (key,)},
        facts={"aid": {"scenario": "lost_city", "part": part, "dice": (2, 3), "encounter": key}})
      for square, face, part, key in ((1, 1, 1, "boatman"), (10, 5, 1, "boatman"),
        (10, 6, 2, "honey_hunters"), (27, 2, 2, "honey_hunters"))),
    row("R59 around the table, past parties that are out", scene(0, 5, 0, 9, active=1), rolls(1, "letter"),
        asked=(3, "roll"), round=5),
    row("R59 and rounds go on", scene(0, 5, 0, 9, active=3), rolls(1, "letter"), asked=(1, "roll"), round=6),
    row("R50 the direction is chosen after the roll", scene(9, 25, 12, holder=1), rolls(4), events="rolled",
        facts={"rolled": {"die": 4}}, asked=(0, "direction")),
    row("R50 also where it lies", scene(9, 25, 12, lies=20), rolls(4), asked=(0, "direction")),
    row("R50 before it has been taken all move forward", scene(9, 25), rolls(4, "letter"),
        events="moved aid"),
    row("R50 from 1 there is one direction", scene(1, 25, holder=1), rolls(4, "letter"), at=[5, 25]),
    row("R50 from 30 too", scene(30, 25, holder=1), rolls(4, "honey_hunters"), at=[26, 25]),
    row("R55 no exact roll at 30", scene(29, 5), rolls(6), at=[30, 5]),
    row("R55 nor at 1", scene(2, 5, holder=0), rolls(6), at=[1, 5]),
    row("R55 square 30 has fights and no event", scene(28, 30, holder=1), rolls(5),
        ahead(COMBAT, WON, pick(0), pick(0)), events="moved met fought wounded seized", at=[30, 30],
        holder=0),
    row("R53 passing is free", scene(3, 5, 7), rolls(4, COMBAT, TIED, "letter"), facts={"met": {"other": 2}},
        at=[7, 5, 7]),
]  # fmt: skip

CHALLENGES = [
    row("a Challenge is faced at once", scene(3, 1), rolls(2, "rope_bridge", HIGH),
        events="moved challenge faced", facts={"faced": {"encounter": "rope_bridge", "die": 6, "abilities": 0,
        "aids": 0, "total": 6, "dice": (1, 1), "against": 2, "overcome": True}}),
    *(row(f"R40 {die} against 5, {challenges}: {overcome}", scene(3, 1, challenges=challenges),
        rolls(2, "fever", against(die, 2, 3)), facts={"faced": {"overcome": overcome}})
      for challenges in ("corrected", "printed")
      for die, overcome in ((4, challenges == "printed"), (5, challenges == "corrected"),
        (6, challenges == "corrected"))),
    *(row(f"R40 in a fight the lower loses, {challenges}", scene(3, 5, challenges=challenges),
        rolls(2, COMBAT, LOST, pick(0), pick(0), "letter"), facts={"fought": {"winner": 1}})
      for challenges in ("corrected", "printed")),
    row("example: four abilities of twice Strength add 8",
        scene(18, 1, parties={0: "strength strength / strength / strength"}),
        rolls(2, "stairway", against(1, 4, 5)),
        facts={"faced": {"abilities": 8, "total": 9, "overcome": True}}),
    row("R52 each of a member's abilities counts", scene(3, 1, parties={0: "/ agility agility agility"}),
        rolls(2, "rope_bridge", HIGH), facts={"faced": {"abilities": 3}}),
    row("R57 twice doubles abilities, not Aids or dice",
        scene(20, 1, parties={0: "survival"}, aids={0: "maps"}), rolls(2, "green_maze"),
        made(m.Use(("maps",)), against(4, 1, 1)),
        facts={"faced": {"abilities": 2, "aids": 3, "die": 4, "total": 9}}),
    row("R57 fights do not double", scene(20, 22, parties={0: "survival"}),
        rolls(2, d10(5), two(1, 1), pick(0), pick(0), "rubbings"), facts={"fought": {"abilities": [1, 0]}}),
    row("R57 to the letter Aids may still be spent", scene(3, 1, aids={0: "picks"}, challenges="printed"),
        rolls(2, "rope_bridge"), made(m.Use(("picks",)), against(1, 2, 3)),
        facts={"faced": {"total": 4, "against": 5, "overcome": True}}),
    row("R42 an Aid fits what names its ability, and is crossed off", scene(3, 1, aids={0: "picks pistols"}),
        rolls(2, "rope_bridge"), made(m.Use(("picks",)), HIGH), aids={0: ("pistols",)},
        facts={"used": {"scenario": "lost_city", "aids": ["picks"], "worth": 3}}),
    row("R42 who has none that fits is not asked", scene(3, 1, aids={0: "pistols letter"}),
        rolls(2, "rope_bridge", HIGH), events="moved challenge faced"),
    row("R43 the lost ability is drawn among the member's, each counting",
        scene(3, 1, parties={0: "/ combat combat science"}), rolls(2, "rope_bridge", LOW, pick(0), pick(2)),
        facts={"wounded": {"member": 1, "lost": ["science"]}}, wounds={0: [0, 1, 0, 0, 0, 0]}),
    row("R43 of two alike", scene(3, 1, parties={0: "/ combat combat science"}),
        rolls(2, "rope_bridge", LOW, pick(0), pick(1)), facts={"wounded": {"lost": ["combat"]}}),
    row("R58 a second wound is final and takes all abilities", scene(3, 1, parties={0: "/ combat science!"}),
        rolls(2, "rope_bridge", LOW, pick(0)),
        facts={"member_out": {"member": 1, "lost": ["combat", "science"]}}, wounds={0: [0, 2, 0, 0, 0, 0]},
        counts={0: counted(party("/ x")[0])}),
    *(row(f"R58 drawn among all still in but the leader: {member}",
        scene(3, 1, parties={0: "/ ! / x / / ! / x"}), rolls(2, "rope_bridge", LOW, pick(number), *more),
        facts={event: {"member": member}})
      for number, member, event, more in ((0, 1, "member_out", ()), (1, 3, "wounded", (0,)),
        (2, 4, "member_out", ()))),
    row("R58 the leader where nobody else is left", scene(3, 1, parties={0: "combat / x / x / x / x / x"}),
        rolls(2, "rope_bridge", LOW, pick(0), pick(0)), facts={"wounded": {"member": 0, "lost": ["combat"]}}),
    *(row(f"R58 a stated penalty replaces the wound: {key}", scene(square, 1), rolls(2, key, LOW),
        wounds={0: [0] * 6}, facts={"faced": {"overcome": False}}, skips=[key == "fever", False])
      for square, key in ((3, "rapids"), (3, "fever"), (18, "idol"))),
    row("R51 a turn lost is the whole next turn", scene(3, 9), rolls(2, "fever", LOW), rolls(1, "letter"),
        asked=(1, "roll"), skips=[False, False], round=6, facts={"skipped": {}}),
    row("R51 squares lost go back against the move, and nothing happens there", scene(8, 7, 9, holder=2),
        rolls(2), ahead("rapids", LOW), events="moved challenge faced thrown_back",
        facts={"thrown_back": {"squares": 3, "from": 10, "to": 7}}),
    row("R51 also when it moved back", scene(8, 9, 29, holder=2), rolls(2), back("rapids", LOW), at={0: 9}),
    row("R51 the holder's toward 30", scene(8, 20, holder=0), rolls(2, "rapids", LOW), at={0: 9}),
    row("R51 they end at 2", scene(1, 20), rolls(2, "rapids", LOW), at={0: 2}),
    row("R51 and at 29", scene(30, 20, holder=0), rolls(2, "green_maze", LOW), at={0: 29}),
    row("R51 an Aid lost is of its player's choice", scene(18, 9, aids={0: "picks pistols"}),
        rolls(2, "idol"), made(m.HOLD_BACK, LOW), made(m.GiveUp("picks")), aids={0: ("pistols",)},
        asked=(1, "roll"), facts={"aid_lost": {"scenario": "lost_city", "aid": "picks"}}),
    *(row(f"R51 of one kind or none nothing is asked: {aids}", scene(18, 9, aids={0: aids}),
        rolls(2, "idol", LOW), aids={0: left}, facts={"aid_lost": {"aid": lost}}, asked=(1, "roll"))
      for aids, lost, left in (("maps maps", "maps", ("maps",)), ("", None, ()))),
    row("R51 two wounds, perhaps on the same member", scene(3, 9),
        rolls(2, "caimans", LOW, pick(2), pick(0), pick(2)),
        events="moved challenge faced wounded member_out", wounds={0: [0, 0, 0, 2, 0, 0]}),
    row("R51 the first may be the last", scene(3, 9, 12, parties=FALLS), rolls(2, "caimans", LOW, pick(0)),
        events="moved challenge faced member_out party_out"),
    row("R58 Aids go with their party", scene(3, 9, 12, parties=FALLS, aids={0: "pistols", 1: "picks"}),
        rolls(2, "rope_bridge", LOW, pick(0)), at={0: 0}, aids=[(), ("picks",), ()]),
]  # fmt: skip

FIGHTS = [
    row("example: the lower is wounded", scene(3, 5, parties={0: "combat combat", 1: "combat"}), rolls(2,
        COMBAT, two(3, 3), pick(4), pick(0), "letter"), events="moved met fought wounded aid",
        facts={"fought": {"other": 1, "ability": "combat", "dice": (3, 3), "abilities": [2, 1],
        "aids": [0, 0], "totals": [5, 4], "winner": 0}}, wounds={1: [0, 0, 0, 0, 0, 1]}),
    row("equal rolls change nothing", scene(3, 5, holder=1), rolls(2), ahead(COMBAT, TIED, "letter"),
        events="moved met fought aid", facts={"fought": {"winner": None}}, holder=1),
    row("the winner takes the Artifact", scene(3, 5, holder=1), rolls(2),
        ahead(COMBAT, two(4, 3), pick(0), pick(0), "letter"), facts={"seized": {"other": 1, "square": 5}},
        holder=0),
    row("R42 on a 10 the mover names the ability before Aids are shown",
        scene(3, 5, aids={0: "pistols", 1: "pistols picks"}), rolls(2, d10(10)), asked=(0, "ability"),
        facts={"met": {"other": 1, "square": 5, "die": 10, "ability": None}}),
    row("R42 the other may be asked alone", scene(3, 5, aids={0: "pistols", 1: "pistols picks"}),
        rolls(2, d10(10)), made(m.Name(ABILITIES.index("strength"))), events="named", asked=(1, "defend")),
    row("R42 and R56 the mover shows its Aids first", scene(3, 5, aids={0: "pistols", 1: "pistols pistols"}),
        rolls(2, COMBAT), made(m.Use(("pistols",))), events="used", asked=(1, "defend"),
        facts={"used": {"scenario": "lost_city", "aids": ["pistols"], "worth": 3}}),
    row("R42 then the other", scene(3, 5, aids={0: "pistols", 1: "pistols pistols"}), rolls(2, COMBAT),
        made(m.Use(("pistols",))), made(m.Use(("pistols", "pistols")), two(1, 1), pick(0), pick(0), "letter"),
        events="used fought wounded aid", facts={"fought": {"totals": [4, 7]}}, aids=[("letter",), ()]),
    row("R42 Aids may be held back", scene(3, 5, aids={1: "pistols"}), rolls(2, COMBAT),
        made(m.HOLD_BACK, two(1, 1), "letter"), facts={"used": {"aids": [], "worth": 0}},
        aids={1: ("pistols",)}),
    row("R44 the holder is fought among several", scene(3, 5, 5, holder=2), rolls(2),
        ahead(COMBAT, TIED, "letter"), events="moved met fought aid", facts={"met": {"other": 2}}),
    row("R44 and R56 else the mover chooses, before the ability is rolled", scene(3, 5, 5, 5), rolls(2),
        events="moved", asked=(0, "opponent")),
    row("R44 and fights once", scene(3, 5, 5, 5), rolls(2), made(m.Meet(3), COMBAT, TIED, "letter"),
        events="met fought aid", facts={"fought": {"other": 3}}, asked=(1, "roll")),
    row("R44 a holder that comes to several chooses too", scene(8, 5, 5, holder=0), rolls(3),
        asked=(0, "opponent")),
    row("R44 no fight on square 1", scene(3, 1, 9, holder=2), rolls(3), back(), events="moved", at=[1, 1, 9]),
    *(row(f"R55 an event whatever the fight's result: {dice}", scene(3, 5),
        rolls(2, COMBAT, dice, *more, "letter"), aids={0: ("letter",)})
      for dice, more in ((WON, (0, 0)), (LOST, (0, 0)), (TIED, ()))),
    row("R53 a party due to skip still defends", scene(3, 5, aids={1: "pistols"}, skips=[1]),
        rolls(2, COMBAT), made(m.Use(("pistols",)), two(1, 1), pick(0), pick(0), "letter"),
        asked=(0, "roll")),
    row("R58 Aids are never won",
        scene(3, 5, 9, parties={1: LAST}, aids={0: "maps", 1: "picks pistols"}, holder=1), rolls(2),
        ahead(d10(3), WON, pick(0), "rope_bridge", HIGH), holder=0, aids={0: ("maps",), 1: ()}),
    # Parties out, and the Artifact on the ground
    row("R45 a mover that falls in a fight has no event", scene(3, 5, 9, parties=FALLS),
        rolls(2, COMBAT, LOST, pick(0)), events="moved met fought member_out party_out",
        facts={"party_out": {"square": 5}}, at=[0, 5, 9], asked=(1, "roll")),
    row("R45 the winner takes the Artifact of who falls", scene(8, 5, 9, parties=FALLS, holder=0),
        rolls(3, COMBAT, LOST, pick(0)), facts={"seized": {"other": 0, "square": 5}}, holder=1, lies=0),
    row("R45 also as the mover", scene(5, 8, 9, parties=FALLS, holder=0, active=1), rolls(3),
        back(COMBAT, WON, pick(0), "letter"), facts={"seized": {"other": 0, "square": 5}}, holder=1),
    row("R45 otherwise it falls on that square", scene(7, 9, 12, parties=FALLS, holder=0),
        rolls(2, "rope_bridge", LOW, pick(0)), holder=-1, lies=5, at={0: 0}),
    row("R45 a party that stands there takes it at once", scene(7, 9, 5, parties=FALLS, holder=0),
        rolls(2, COMBAT, two(3, 3), "rope_bridge", LOW, pick(0)), holder=2, lies=0,
        events="moved met fought challenge faced member_out party_out fell picked_up"),
    row("R45 of several the first in turn order", scene(5, 7, 5, 5, parties={1: LAST}, holder=1, active=1),
        rolls(2), made(m.Meet(0), COMBAT, two(3, 3), "rope_bridge", LOW, pick(0)), holder=2),
    row("R45 around the table", scene(5, 5, 7, 9, parties={2: LAST}, holder=2, active=2), rolls(2),
        made(m.Meet(1), COMBAT, two(3, 3), "rope_bridge", LOW, pick(0)), holder=0),
    row("R45 the next to pass the square takes it and stops there", scene(0, 9, 12, lies=5, active=1),
        rolls(6), back("letter"), events="moved picked_up aid", at={1: 5}, holder=1, lies=0),
    row("R45 or to land on it", scene(0, 9, 12, lies=5, active=1), rolls(4), back("letter"), at={1: 5},
        holder=1),
    row("R46 the last party wins at once", scene(3, 5, 0, parties={1: LAST}), rolls(2, COMBAT, WON, pick(0)),
        events="moved met fought member_out party_out over",
        facts={"over": {"scenario": "lost_city", "winner": 0, "why": "last", "round": 5}}),
    row("R46 with the Artifact that it won", scene(3, 5, 0, parties={1: LAST}, holder=1), rolls(2),
        ahead(COMBAT, WON, pick(0)), events="moved met fought member_out party_out seized over", holder=0),
    row("R46 or without it, by the others' misfortune", scene(7, 20, parties=FALLS, holder=0),
        rolls(2, "rope_bridge", LOW, pick(0)), events="moved challenge faced member_out party_out fell over",
        ended=((1,), "last")),
    row("R54 who is thrown onto the Artifact's square", scene(9, 12, 20, lies=8), rolls(2),
        ahead("rapids", LOW), at={0: 8}, holder=-1, lies=8),
    row("R54 takes it when its next turn begins", scene(8, 12, 20, lies=8, active=2), rolls(1),
        ahead("honey_hunters"), facts={"picked_up": {}}, holder=0, asked=(0, "roll")),
    row("R54 but not in a skipped turn", scene(8, 12, lies=8, active=1, skips=[0]), rolls(1), ahead("letter"),
        events="moved aid skipped", holder=-1),
    row("R54 another that comes there first takes it and then fights", scene(8, 12, 20, lies=8, active=1),
        rolls(6), back(COMBAT, WON, pick(0), pick(0), "letter"),
        events="moved picked_up met fought wounded aid", at={1: 8}, holder=1),
    row("R54 the holder in squares lost is judged after the fight", scene(8, 10, holder=1), rolls(2),
        ahead(COMBAT, WON, pick(0), pick(0), "rapids", LOW), facts={"thrown_back": {"from": 10, "to": 13}}),
]  # fmt: skip


@each([*MOVES, *CHALLENGES, *FIGHTS])
def test_the_rule_page_is_followed(ruling: Ruling):
    check(GAME, ruling, lambda state, made: play(state, *made), read)


def test_r43_of_abilities_that_are_alike_the_first_goes_whichever_was_drawn():
    """Or the sheet would show what no event tells."""
    left = set()
    for number in (0, 2):
        state = scene(3, 1, parties={0: "/ combat science combat"})
        roll(state, 2, encounter("rope_bridge"), LOW, pick(0), pick(number))
        left.add(state.members[0][1])
    assert left == {(ABILITIES.index("science"), ABILITIES.index("combat"))}


def test_r58_chances_among_members_are_equal():
    drawn: Counter[int] = Counter()
    for number in range(4_000):
        state = scene(3, 1, scenario="lost_city", key=number.to_bytes(32, "big"))
        GAME.apply(state, 0, m.ROLL)
        drawn.update([member for member, wound in enumerate(wounds(state, 0)) if wound])
    total = sum(drawn.values())
    assert set(drawn) == {1, 2, 3, 4, 5}
    assert all(abs(n - total / 5) < 4 * (total * 0.16) ** 0.5 for n in drawn.values())


def test_r43_a_member_without_abilities_can_still_be_wounded():
    state = scene(3, 1)
    roll(state, 2, encounter("rope_bridge"), LOW, pick(4), pick(0))
    assert state.members[0][5] == ()
    roll(state, 2, encounter("letter"))
    events = roll(state, 2, encounter("rope_bridge"), LOW, pick(4))
    assert facts(events, "member_out") == {"member": 5, "cast": cast(state), "lost": []}


def test_choices_are_listed():
    state = scene(3, 5, 5, 5)
    roll(state, 2)
    assert opponents(state) == [1, 2, 3]
    state = scene(9, 25, 12, holder=1)
    roll(state, 4)
    assert [(way.move, way.square) for way in ways(state)] == [(m.FORWARD, 13), (m.BACK, 5)]
    assert challenge_bonus(scene(18, 1, parties={0: "strength strength / strength"}), 0, "stairway") == 3 * 2
    assert GAME.out_of_turn == {"defend"}


def test_r41_equipment_is_worth_3_and_event_aids_what_they_state():
    assert {aid.worth for aid in EQUIPMENT} == {3}
    worths = {
        aid.worth for s in GAME.catalogue.scenarios for key, aid in s.aids.items() if key in s.encounters
    }
    assert worths == {2, 3, 4}


def test_a_party_and_the_ten_sided_die_and_equipment_are_those_of_the_page():
    party = people(scene(1, 1), 0)
    assert [person.role for person in party] == ["leader", *["companion"] * 3, *["helper"] * 2]
    assert [len(person.abilities) for person in party] == [5, 3, 3, 3, 1, 1] == list(SIZES)
    assert " ".join(ABILITIES) == (
        "combat strength agility navigation survival mechanics linguistics personality science"
    )
    assert {aid.key: ABILITIES[aid.ability] for aid in EQUIPMENT} == {
        "pistols": "combat",
        "picks": "strength",
        "climbing_gear": "agility",
        "sextant": "navigation",
        "maps": "survival",
        "lockpicks": "mechanics",
        "tomes": "linguistics",
        "texts": "science",
    }


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_r49_sheets_and_holder_are_public(viewer: Any):
    view = GAME.view(scene(20, 9, holder=0, aids={1: "picks"}), viewer)
    assert (view.holder, view.aids[1], len(view.members[0])) == (0, ("picks",), 6)


# -- refusals


def making(tens: int = 1) -> State:
    """Seat 0 has rolled so many 10s."""
    state = GAME.new(2, ArtifactOptions(), KEY)
    state.rolls[0] = (10,) * tens + (1,) * (16 - tens)
    return state


def after(state: State, *dice: int) -> State:
    """The state after a roll of 2."""
    roll(state, 2, *dice)
    return state


def facing(aids: str) -> State:
    """A Challenge of agility, mechanics and strength."""
    return after(scene(3, 1, aids={0: aids}), encounter("rope_bridge"))


def fighting(own: str = "", other: str = "", ability: int = 1) -> State:
    """A fight; the ability is Combat unless another is rolled."""
    return after(scene(3, 5, aids={0: own, 1: other}), d10(ability))


HEADING, CHOOSING = after(scene(9, 20, holder=1)), after(scene(3, 5, 5, 9))
LOSING = after(scene(18, 9, aids={0: "maps tomes"}), encounter("idol"), LOW)
TWO = ("pistols", "texts")
REFUSALS: list[tuple[str, State, Any, dict[str, Any]]] = [
    ("unknown-move", scene(1, 1), "roll", {}),
    ("unknown-move", scene(1, 1), (), {}),
    ("unknown-move", making(), None, {}),
    ("unknown-move", HEADING, True, {}),
    ("other-decision", scene(1, 1), m.FORWARD, {}),
    ("other-decision", scene(1, 1), m.Create((), TWO), {}),
    ("other-decision", making(), m.ROLL, {}),
    ("other-decision", HEADING, m.ROLL, {}),
    ("other-decision", facing("picks"), m.GiveUp("picks"), {}),
    ("other-decision", LOSING, m.HOLD_BACK, {}),
    ("other-decision", fighting(ability=10), m.HOLD_BACK, {}),
    ("wrong-number-of-tens", making(2), m.Create((0,), TWO), {"need": 2, "have": 1}),
    ("wrong-number-of-tens", making(0), m.Create((0,), TWO), {"need": 0, "have": 1}),
    ("no-such-ability", making(), m.Create((9,), TWO), {}),
    ("no-such-ability", making(), m.Create((-1,), TWO), {}),
    ("no-such-ability", fighting(ability=10), m.Name(9), {}),
    ("no-such-ability", fighting(ability=10), m.Name(-1), {}),
    ("wrong-number-of-pieces", making(), m.Create((0,), ("pistols",)), {"need": 2, "have": 1}),
    ("wrong-number-of-pieces", making(), m.Create((0,), (*TWO, "maps")), {"need": 2, "have": 3}),
    ("no-such-equipment", making(), m.Create((0,), ("pistols", "letter")), {}),
    ("same-equipment", making(), m.Create((0,), ("pistols", "pistols")), {}),
    ("no-such-direction", HEADING, m.Go(1), {}),  # pyright: ignore[reportArgumentType]
    *(("no-such-opponent", CHOOSING, m.Meet(seat), {})
      for seat in (0, 3, 4, -1)),
    ("aid-not-held", facing("picks"), m.Use(("lockpicks",)), {"aid": "lockpicks"}),
    ("aid-not-held", facing("picks"), m.Use(("picks", "picks")), {"aid": "picks"}),
    ("aid-not-held", fighting("pistols"), m.Use(("picks",)), {"aid": "picks"}),
    ("aid-not-held", fighting(other="pistols"), m.Use(("nothing",)), {"aid": "nothing"}),
    ("aid-not-held", LOSING, m.GiveUp("picks"), {"aid": "picks"}),
    ("aid-does-not-fit", facing("picks pistols"), m.Use(("pistols",)), {"aid": "pistols"}),
    ("aid-does-not-fit", fighting("picks pistols"), m.Use(("pistols", "picks")), {"aid": "picks"}),
    ("aid-does-not-fit", fighting(other="picks pistols"), m.Use(("picks",)), {"aid": "picks"}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "state", "move", "facts"), REFUSALS)
def test_a_move_is_refused_for_its_reason(code: str, state: State, move: Any, facts: dict[str, Any]):
    error = refused(state, move)
    assert (error.code, error.facts) == (code, facts)


def test_who_is_not_asked_is_refused_whatever_the_move():
    made, fight, over = making(0), fighting("pistols", "pistols"), scene(2, 1, holder=0)
    play(made, m.Create((), TWO), seat=0)
    roll(over, 1)
    for state, move, seats in (
        (scene(1, 1), m.ROLL, (-1, 1, 2)),
        (scene(1, 1), None, (-1, 1, 2)),
        (made, m.Create((), TWO), (0, 2)),
        (fight, m.HOLD_BACK, (1,)),
        (over, m.ROLL, (0, 1)),
    ):
        assert {refused(state, move, seat).code for seat in seats} == {"not-your-move"}
    play(fight, m.HOLD_BACK)
    assert refused(fight, m.HOLD_BACK, 0).code == "not-your-move"


def test_every_code_is_here():
    assert {code for code, *_ in REFUSALS} | {"not-your-move"} == CODES
