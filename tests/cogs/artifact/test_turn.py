"""The private screen: what its menus and buttons offer, and which move each of them makes."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.components import walk_components

from bot.ui.screens import components as ui
from bot.ui.screens.fitting import height
from bot.ui.screens.game_screens import Pressed, meant_by
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.kit import FOLDED, PICTURED, line_height
from bot.ui.screens.names import Names
from bot.ui.screens.private import Personal, private
from cogs.artifact import turn
from engine.artifact import choices
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.rules import ArtifactOptions
from engine.artifact.state import State
from engine.errors import IllegalMove
from tests.cogs.artifact import adventurer
from tests.cogs.in_memory import SCREENS, Match
from tests.engine.artifact.scene import GAME, KEY, scene

NAMES = ["Ana", "Ben", "Cara"]
SPACE = "\N{NO-BREAK SPACE}"


class Shown:
    """A private screen: the labels of its buttons, and its menus by their placeholders."""

    def __init__(self, state: State, seat: int = 0, **chosen: Any) -> None:
        match = Match(GAME, state, [])
        half: dict[str, list[str]] = {f"g.{intent}": values for intent, values in chosen.items()}
        screen = private(match.table(names=NAMES), match.screens, seat, [], Personal(half))
        every = [*walk_components(screen.view().to_components())]
        parts = [part for part in every if not part.get("disabled")]
        self.buttons = [part["label"].replace(SPACE, " ") for part in parts if part["type"] == 2]
        self.menus = {part["placeholder"]: part for part in parts if part["type"] == 3}
        self.custom_ids = {
            part["label"].replace(SPACE, " "): part.get("custom_id") or ""
            for part in parts
            if part["type"] == 2
        }
        self.half = half


def challenge(**more: Any) -> State:
    """Against the bridge of one rope, which asks for Agility, Mechanics and Strength."""
    return scene(3, 9, phase=s.CHALLENGE, encounter="rope_bridge", step=1, **more)


def test_each_boon_and_all_together_have_buttons_and_a_menu_is_there_only_if_it_offers_more() -> None:
    for aids, buttons in (("picks", 2), ("picks picks", 3), ("picks climbing_gear", 4)):
        shown = Shown(challenge(aids={0: aids}))
        assert adventurer.OTHER_AIDS not in shown.menus
        assert sum("%" in label for label in shown.buttons) == buttons
    assert adventurer.OTHER_AIDS in Shown(challenge(aids={0: "picks climbing_gear lockpicks"})).menus


def making(rolls: list[int]) -> State:
    state = GAME.new(2, ArtifactOptions(scenario="lost_city"), KEY)
    state.rolls = [tuple(rolls)] * 2
    return state


def test_a_ten_counts_what_the_others_are_chosen_for() -> None:
    shown = Shown(making([10, 10, *[1] * 14]), tens=["0.8", "1.8"])
    first = next(part for name, part in shown.menus.items() if name == "An ability of your choice")
    assert first["options"][8]["description"].startswith("your party without it: 1 ")
    assert first["options"][0]["description"].startswith("your party without it: 14 ")


def test_a_newcomer_sets_out_at_one_press_above_the_menus_and_reads_what_each_is_for() -> None:
    state = making([10, 10, *[1] * 14])
    items = SCREENS["artifact"].private(
        GAME.view(state, 0), Names(Match(GAME, state, []).table().seats), {}, Id("")
    )
    shown = [item for item in items if item.get("id") not in (PICTURED, FOLDED)]
    kinds = [item["components"][0]["type"] if item["type"] == ui.ROW else item["type"] for item in shown]
    assert kinds == [ui.TEXT, ui.TEXT, ui.BUTTON, ui.TEXT, ui.MENU, ui.MENU, ui.TEXT, ui.MENU]
    texts = list(ui.texts(shown))
    assert "left to right: Combat, Strength" in texts[0]
    assert "A golden sign is a 10" in texts[2]
    assert "+3 for one roll" in texts[3]
    assert "Signs, left to right" not in "".join(texts[1:])
    assert height(item for item in shown if item["type"] == ui.TEXT) <= 10 * line_height("x")


def test_a_way_leads_in_front_of_the_artifact_s_party_or_behind_it_and_boons_are_named() -> None:
    match = Match(GAME, scene(4, 2, 9, phase=s.DIRECTION, die=3, holder=1, aids={0: "pistols"}), [])
    text = "\n".join(ui.texts(private(match.table(names=NAMES), match.screens, 0, []).items))
    for told in ("-# 🎒 Pistols\n", "square 1 · 1 square in front of 💎", "square 7 · 5 squares behind 💎"):
        assert told in text


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


def test_a_button_spends_the_aids_that_it_names_and_the_lowest_spends_none() -> None:
    state = challenge(aids={0: "climbing_gear lockpicks lockpicks"})
    shown = Shown(state)
    names = Names(Match(GAME, state, []).table().seats)
    *_choices, last = turn.screen(GAME.view(state, 0), names, {}, Id(""))
    assert last["type"] == ui.TEXT, "where **Roll** was, a second tap does nothing"
    spent = [("climbing_gear",), ("lockpicks",), ("climbing_gear", "lockpicks", "lockpicks"), ()]
    assert [meant(state, shown, label) for label in shown.buttons[:4]] == [m.Use(aids) for aids in spent]
    labels = [one["label"] for one in shown.menus[adventurer.OTHER_AIDS]["options"]]
    assert labels == ["Climbing Gear", "Lockpicks", "Lockpicks: 1 more"]


def test_what_the_menu_shows_as_chosen_is_spent() -> None:
    state = challenge(aids={0: "climbing_gear lockpicks lockpicks lockpicks"})
    shown = Shown(state, aids=["1.1"])
    (menu,) = [part for name, part in shown.menus.items() if name == adventurer.OTHER_AIDS]
    assert [one["label"] for one in menu["options"] if one.get("default")] == ["Lockpicks ×2"]
    assert shown.buttons[-4] == "Spend Lockpicks ×2: 84%"
    assert meant(state, shown, "Spend Lockpicks ×2: 84%") == m.Use(("lockpicks", "lockpicks"))


def test_the_aid_that_is_chosen_is_given_up() -> None:
    state = scene(3, 9, aids={0: "pistols pistols tomes"}, phase=s.GIVE_UP, encounter="rival_agent", step=1)
    shown = Shown(state)
    given_up = [meant(state, shown, label) for label in shown.buttons[:2]]
    assert given_up == [m.GiveUp("pistols"), m.GiveUp("tomes")]
    chosen = Pressed(turn.GIVE_UP, "", {turn.GIVE_UP: ["1"]})
    assert meant_by(SCREENS["artifact"], GAME.view(state, 0), chosen) == m.GiveUp("tomes")


def test_a_party_sets_out_with_what_its_menus_show() -> None:
    state = making([10, 10, *[1] * 14])
    shown = Shown(state, tens=["1.8"], equipment=["texts", "pistols"])
    proposed = choices.proposal(GAME.view(state, 0))
    assert meant(state, shown, "Set Out") == m.Create((proposed.tens[0], 8), ("pistols", "texts"))
