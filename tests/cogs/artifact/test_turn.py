"""The private screen: each choice with its exact chances, and nothing that says the same twice."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.components import walk_components

from bot.ui.screens.game_screens import Pressed, meant_by
from bot.ui.screens.ids import read_id
from bot.ui.screens.private import Personal, private
from cogs.artifact import turn
from engine.artifact import choices
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.party import EQUIPMENT
from engine.artifact.rules import ArtifactOptions
from engine.artifact.state import State
from engine.errors import IllegalMove
from tests.cogs.artifact import adventurer
from tests.cogs.in_memory import SCREENS, Match
from tests.engine.artifact.scene import GAME, KEY, scene

NAMES = ["Ana", "Ben", "Cara"]
SPACE = "\N{NO-BREAK SPACE}"


class Shown:
    """A private screen: its lines, the labels of its buttons, and its menus by their placeholders."""

    def __init__(self, state: State, seat: int = 0, **chosen: Any) -> None:
        match = Match(GAME, state, [])
        half: dict[str, list[str]] = {f"g.{intent}": values for intent, values in chosen.items()}
        screen = private(match.table(names=NAMES), match.screens, seat, [], Personal(half))
        parts = list(walk_components(screen.view().to_components()))
        self.lines = [line for part in parts if part["type"] == 10 for line in part["content"].splitlines()]
        self.buttons = [part["label"].replace(SPACE, " ") for part in parts if part["type"] == 2]
        self.menus = {part["placeholder"]: part for part in parts if part["type"] == 3}
        self.custom_ids = {
            part["label"].replace(SPACE, " "): part.get("custom_id") or ""
            for part in parts
            if part["type"] == 2
        }
        self.half = half

    def has(self, line: str) -> bool:
        return line in [each.replace(SPACE, " ") for each in self.lines]


def challenge(**more: Any) -> State:
    """Against the bridge of one rope, which asks for Agility, Mechanics and Strength."""
    return scene(3, 9, phase=s.CHALLENGE, encounter="rope_bridge", step=1, **more)


def fight(phase: str = s.ATTACK, **more: Any) -> State:
    return scene(5, 5, phase=phase, opponent=1, ability=0, step=1, **more)


def test_each_direction_says_whom_one_meets_and_how_far_the_artifact_is() -> None:
    # Of ten faces one means 1 against 2, two mean 15 against 14, and seven mean 0 against 0: 157 and 146 of 360.
    parties = {0: "combat", 1: "combat combat"}
    state = scene(12, 14, 9, parties=parties, holder=1, phase=s.DIRECTION, die=2)
    shown = Shown(state)
    assert shown.has("`14` · ⚔️ **Ben** (win 44%, lose 41%) · 🏺")
    assert shown.has("`10` · 🏺 4 squares away")
    assert shown.buttons[:2] == ["On to 14", "Back to 10"]
    assert Shown(scene(12, 3, lies=11, phase=s.DIRECTION, die=1)).has("`13` · 🏺 2 squares away")


def test_one_chooses_whom_to_fight_by_strength_and_chances() -> None:
    # Of ten faces one means 1 against 0, the 10 too, one 4 against 16, and seven 0 against 0: 147 and 161 of 360.
    shown = Shown(scene(5, 5, 5, parties={0: "combat / x / x / x / x / x"}, phase=s.OPPONENT, step=1))
    assert shown.buttons[:2] == ["Ben", "Cara"]
    assert shown.has("🔶 **Ben** · 👤6 🎒0 · win 41%, lose 45%")


def test_the_ability_of_a_fight_is_named_with_the_chance_of_each() -> None:
    parties = {0: "combat combat", 1: "science science science science science"}
    shown = Shown(scene(5, 5, parties=parties, phase=s.ABILITY, opponent=1, step=1))
    assert shown.buttons[0] == "Combat · 72%"
    assert shown.buttons[8] == "Science · 0%"


def test_in_an_attack_the_chance_runs_from_the_least_to_the_most() -> None:
    shown = Shown(fight(aids={0: "pistols", 1: "pistols"}))
    assert shown.buttons[:2] == ["Without Boons: 8% – 42%", "Spend Pistols: 42% – 83%"]
    assert any("the first if **Ben** spends every Boon that fits" in line for line in shown.lines)


def test_where_the_other_has_no_aid_there_is_one_chance() -> None:
    shown = Shown(fight(aids={0: "pistols"}))
    assert shown.buttons[:2] == ["Without Boons: 42%", "Spend Pistols: 83%"]
    assert shown.has("-# Your chance to win:")


def test_who_defends_knows_what_the_other_has_spent() -> None:
    shown = Shown(fight(s.DEFEND, aids={1: "pistols"}, used=("pistols",)), seat=1)
    assert shown.buttons[:2] == ["Without Boons: 8%", "Spend Pistols: 42%"]


def test_equal_aids_are_counted_and_nothing_is_offered_beyond_certainty() -> None:
    shown = Shown(challenge(parties={0: "agility / agility / agility"}, aids={0: "picks picks picks picks"}))
    assert shown.buttons[:4] == [
        "Without Boons: 50%",
        "Spend Picks and Crowbar: 84%",
        "Spend Picks and Crowbar ×2: 98%",
        "Spend 3 Boons +9: 100%",
    ]
    assert shown.buttons[4] == "?"
    assert adventurer.OTHER_AIDS in shown.menus, "all four can be spent all the same"


def test_a_menu_for_other_aids_is_there_only_if_it_offers_more_than_the_buttons() -> None:
    assert adventurer.OTHER_AIDS not in Shown(challenge(aids={0: "picks picks"})).menus
    assert adventurer.OTHER_AIDS in Shown(challenge(aids={0: "picks climbing_gear"})).menus


def test_what_is_chosen_in_the_menu_has_its_chance_too() -> None:
    shown = Shown(challenge(aids={0: "picks climbing_gear"}), aids=["0.0", "1.0"])
    assert shown.buttons[3] == "Spend Climbing Gear and Picks and Crowbar: 84%"


def test_challenges_as_printed_warn_that_aids_harm() -> None:
    shown = Shown(challenge(aids={0: "picks"}, challenges="printed"))
    assert shown.buttons[:2] == ["Without Boons: 84%", "Spend Picks and Crowbar: 50%"]
    assert any("Boons hurt you" in line for line in shown.lines)


def test_the_aids_that_can_be_given_up_are_listed_with_their_worth() -> None:
    state = scene(3, 9, aids={0: "pistols pistols tomes"}, phase=s.GIVE_UP, encounter="rival_agent", step=1)
    assert Shown(state).buttons[:2] == ["Pistols ×2 · Combat +3", "Ancient Tomes · Linguistics +3"]


def test_many_kinds_of_aids_stand_in_a_menu() -> None:
    here = GAME.catalogue.scenarios[scene(3, 9).scenario]
    found = next(aid for aid in here.aids.values() if aid not in EQUIPMENT)
    every = " ".join(aid.key for aid in (*EQUIPMENT, found))
    state = scene(3, 9, aids={0: every}, phase=s.GIVE_UP, encounter="rival_agent", step=1)
    options = Shown(state).menus["The Boon to give up"]["options"]
    assert len(options) == len(EQUIPMENT) + 1 > turn.MOST_SETS
    assert ("Pistols", "Combat +3") in [(one["label"], one["description"]) for one in options]


def making(rolls: list[int]) -> State:
    state = GAME.new(2, ArtifactOptions(scenario="lost_city"), KEY)
    state.rolls = [tuple(rolls)] * 2
    return state


def test_a_party_is_proposed_with_what_its_equipment_is_for() -> None:
    shown = Shown(making([10, *[1] * 15]))
    equipment = [one for one in shown.menus["Two pieces of equipment"]["options"] if one.get("default")]
    assert len(equipment) == 2
    worth = [one["description"].split(" for ")[0] for one in equipment]
    assert shown.has(f"Your equipment, each for one roll: {worth[0]} and {worth[1]}.")
    assert any("You rolled 1 ten" in line for line in shown.lines)


def test_a_ten_counts_what_the_others_are_chosen_for() -> None:
    shown = Shown(making([10, 10, *[1] * 14]), tens=["0.8", "1.8"])
    first = next(part for name, part in shown.menus.items() if name == "An ability of your choice")
    assert first["options"][8]["description"].startswith("your party has 1 without it")
    assert first["options"][0]["description"].startswith("your party has 14 without it")


@pytest.mark.parametrize("value", ["9.0", "0", "x.1", "0.0.0", "99999.0"])
def test_what_no_menu_offers_cannot_be_chosen(value: str) -> None:
    view = GAME.view(challenge(aids={0: "picks climbing_gear"}), 0)
    with pytest.raises(IllegalMove):
        turn.chosen_aids(view, [value])


def meant(state: State, shown: Shown, label: str, seat: int = 0) -> Any:
    """The move that a button of the private screen makes."""
    to = read_id(shown.custom_ids[label])
    assert to is not None
    return meant_by(SCREENS["artifact"], GAME.view(state, seat), Pressed(to.intent, to.arg, shown.half))


def test_a_button_spends_the_aids_that_it_names() -> None:
    state = challenge(aids={0: "climbing_gear lockpicks lockpicks"})
    shown = Shown(state)
    assert [meant(state, shown, label) for label in shown.buttons[:4]] == [
        m.Use(()),
        m.Use(("climbing_gear",)),
        m.Use(("lockpicks", "lockpicks")),
        m.Use(("climbing_gear", "lockpicks", "lockpicks")),
    ]


def test_what_the_menu_shows_as_chosen_is_spent() -> None:
    state = challenge(aids={0: "climbing_gear lockpicks lockpicks lockpicks"})
    shown = Shown(state, aids=["1.1"])
    (menu,) = [part for name, part in shown.menus.items() if name == adventurer.OTHER_AIDS]
    assert [one["label"] for one in menu["options"] if one.get("default")] == ["Lockpicks ×2"]
    assert shown.buttons[-3] == "Spend Lockpicks ×2: 84%"
    assert meant(state, shown, "Spend Lockpicks ×2: 84%") == m.Use(("lockpicks", "lockpicks"))


def test_the_aid_that_is_chosen_is_given_up() -> None:
    state = scene(3, 9, aids={0: "pistols pistols tomes"}, phase=s.GIVE_UP, encounter="rival_agent", step=1)
    shown = Shown(state)
    assert [meant(state, shown, label) for label in shown.buttons[:2]] == [
        m.GiveUp("pistols"),
        m.GiveUp("tomes"),
    ]
    chosen = Pressed(turn.GIVE_UP, "", {turn.GIVE_UP: ["1"]})
    assert meant_by(SCREENS["artifact"], GAME.view(state, 0), chosen) == m.GiveUp("tomes")


def test_a_party_sets_out_with_what_its_menus_show() -> None:
    state = making([10, 10, *[1] * 14])
    shown = Shown(state, tens=["1.8"], equipment=["texts", "pistols"])
    proposed = choices.proposal(GAME.view(state, 0))
    made = meant(state, shown, "Set Out")
    assert made == m.Create((proposed.tens[0], 8), ("pistols", "texts"))
