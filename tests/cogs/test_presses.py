"""Whatever a game draws can be pressed: a button means a move or changes the screen, and what a menu chose stays."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from simcord.components import walk_components

from bot.tables.play import Moves
from bot.tables.premoves import answered_by
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import (
    GAME_INTENTS,
    OWN_SCREEN,
    AnyScreens,
    GameScreens,
    Meaning,
    Pressed,
    Selection,
    keep_selection,
    meant_by,
)
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.kit import Choices, Item, Option, button, menu_number, menus
from bot.ui.screens.names import Names
from bot.ui.screens.private import Personal, private
from engine.errors import IllegalMove
from tests.cogs.archaeology_family import crafted
from tests.cogs.in_memory import ENGINES, SCREENS, SHOWN, Match, random_match
from tests.cogs.page import BUTTON, MENU
from tests.cogs.sealed_screens import PICK, SEAL, SealedScreens
from tests.engine.conformance import LONGEST, cases, few
from tests.sampling import FULL, SAMPLING, amount
from tests.sealed import Bid, View

OF_EACH_KIND = amount(3, 2)
EVERY = amount(25, 60)
"""At so many decisions of each kind a match is looked at, and after every so many moves."""
HINTED = amount(12, 1)
"""Moves that are hinted where a match is looked at, one of each kind."""
ROUNDS = amount(4, 1)
"""So many times all of this is done at most, until everything has been drawn: some of it seldom is, and need not be in
the quick run.
"""
MANY_LOSSES = {"coin": 4, "map": 3, "talisman": 4, "pot_shard": 5, "broken_cup": 4}
SELDOM_PLAYED = {
    "archaeology": [
        crafted.craft([MANY_LOSSES, {"coin": 1}], phase=crafted.STORM, asked=0),
        crafted.craft([{"coin": 2, "map": 1}, {"coin": 1}], phase=crafted.ACT, explored=True, rest="sold"),
    ],
}
"""States that random matches seldom reach: a Sandstorm with more possible losses than a menu takes, and a hand to sell
as a whole after the last card of the dig site.
"""
SELDOM = 6
"""In the quick run, what is drawn so often must have worked."""
SCREENS_A_WALK = 8
"""So many private screens are looked at one after the other, each made by a press on the one before."""

Drawn = dict[str, Any]
"""A component as it goes to Discord."""


@dataclass
class Walk:
    """Presses every component of a seat's private screens, and keeps what came of each intent."""

    screens: AnyScreens
    rng: Random
    drawn: Counter[str] = field(default_factory=Counter[str])
    """How often a component of this intent was drawn."""
    worked: Counter[str] = field(default_factory=Counter[str])
    """How often it was a legal move or changed the screen."""
    refused: list[str] = field(default_factory=list[str])
    """The answers to presses whose meaning the rules forbid."""

    def look_at(self, match: Match) -> None:
        """Presses what everybody is shown, and what each seat is that is asked."""
        self._press_actions(match)
        for decision in match.game.pending(match.state):
            view = match.game.view(match.state, decision.seat)
            samples = [match.game.sample(match.state, decision.seat, self.rng) for _ in range(HINTED)]
            for move in {type(each): each for each in samples}.values():
                if hinted := self.screens.selection_for(view, move):  # it fills in what is drawn nowhere else
                    list(self._press_all(match, decision.seat, hinted))
            choices: Choices = {}
            for _ in range(SCREENS_A_WALK):
                further = list(self._press_all(match, decision.seat, choices))
                if not further:
                    break
                choices = self.rng.choice(further)

    def _press_actions(self, match: Match) -> None:
        view = match.game.view(match.state, None)
        for action in self.screens.actions(view):
            if action.intent != OWN_SCREEN:
                for decision in view.pending:
                    self.drawn[action.intent] += 1
                    pressed = Pressed(action.intent, "", {})
                    seen = match.game.view(match.state, decision.seat)
                    made = meant_by(self.screens, seen, pressed)
                    assert not isinstance(made, Selection | Moves), f"{action} is to be a move at once"
                    match.game.apply(match.game.copy(match.state), decision.seat, made)
                    self.worked[action.intent] += 1

    def _press_all(self, match: Match, seat: int, choices: Choices) -> Iterator[Choices]:
        """Presses every component of one screen; yields the selection on the screens that came of it."""
        before = self._draw(match, seat, choices)
        for part in before:
            to = read_id(part["custom_id"])
            assert to is not None
            self.drawn[to.intent] += 1
            if part.get("disabled"):
                continue
            for values in self._ways(part):
                pressed = Pressed(to.intent, to.arg, _choices(before, to, values))
                try:
                    after = self._press(match, seat, before, pressed, values)
                except IllegalMove as error:
                    self.refused.append(self.screens.refuse(error))
                else:
                    if after is not None:
                        yield after

    def _press(
        self, match: Match, seat: int, before: list[Drawn], pressed: Pressed, values: Sequence[str]
    ) -> Choices | None:
        """Makes the move that a press means, or returns the selection on the screen that it changed."""
        meant = meant_by(self.screens, match.game.view(match.state, seat), pressed)
        if not isinstance(meant, Selection):
            answered_by(match.game, match.state, seat, meant.moves if isinstance(meant, Moves) else [meant])
            self.worked[pressed.intent] += 1
            return None
        after = self._draw(match, seat, meant.choices)
        shown = _choices(after, None, ())
        if pressed.intent in shown:  # the screen to which an option leads may be without the menu
            assert {*values} <= {*shown[pressed.intent]}, f"{pressed} is not shown as chosen"
        if after != before:
            self.worked[pressed.intent] += 1
            return meant.choices
        chosen = pressed.choices.get(pressed.intent, ())
        assert {*chosen} == {*_choices(before, None, ()).get(pressed.intent, ())}, (
            f"{pressed} changes nothing"
        )
        return None

    def _draw(self, match: Match, seat: int, choices: Choices) -> list[Drawn]:
        """The game's own components of a seat's private screen."""
        screen = private(match.table(), self.screens, seat, [], Personal(choices))
        parts = walk_components(json.loads(json.dumps(screen.view().to_components())))
        return [part for part in parts if part.get("custom_id") and _is_a_games(part)]

    def _ways(self, part: Drawn) -> list[list[str]]:
        """Some ways to press a component: a menu's options one by one, or several where it takes them."""
        if part["type"] == BUTTON:
            return [[]]
        options = [option["value"] for option in part["options"]]
        least, most = part["min_values"], part["max_values"]
        if most == 1:
            return [[value] for value in options]
        return [self.rng.sample(options, self.rng.randint(least, min(most, 3))) for _ in range(3)]

    def faults(self) -> list[str]:
        """The intents that the game declares and nobody was shown, and those pressed in vain."""
        missing = sorted({*self.screens.presses()} - {*self.drawn})
        return [*self.mistakes(1), *[f"{intent} is never drawn" for intent in missing]]

    def mistakes(self, least: int) -> list[str]:
        """The intents pressed in vain, of all that were drawn at least so often."""
        declared = self.screens.presses()
        drawn = {intent for intent, times in self.drawn.items() if times >= least}
        return [
            *["a refusal has no words" for text in self.refused if not text],
            *[
                f"{intent} does not begin with {GAME_INTENTS}"
                for intent in declared
                if not _of_a_game(intent)
            ],
            *[f"{intent} is not declared" for intent in sorted({*self.drawn} - {*declared})],
            *[f"{intent} never works" for intent in sorted(drawn - {*self.worked})],
        ]


def _of_a_game(intent: str) -> bool:
    return intent.startswith(GAME_INTENTS)


def _is_a_games(part: Drawn) -> bool:
    to = read_id(part["custom_id"])
    assert to is not None
    return to.view_version != "" and to.intent != "undo"


def _choices(parts: Sequence[Drawn], pressed: Id | None, values: Sequence[str]) -> Choices:
    """The chosen options in the menus of a screen; in the pressed one those chosen just now."""
    by_menu: dict[tuple[str, str], Sequence[str]] = {}
    for part in parts:
        to = read_id(part["custom_id"])
        if part["type"] == MENU and to is not None:
            chosen = [option["value"] for option in part["options"] if option.get("default")]
            by_menu[to.intent, menu_number(to)] = values if to == pressed else chosen
    found: dict[str, list[str]] = {}
    for (intent, _number), chosen in by_menu.items():
        found.setdefault(intent, []).extend(chosen)
    return found


def moments(key: str, rng: Random) -> Iterator[Match]:
    """Random matches in every variant, stopped now and then, and at some decisions of each kind."""
    game = ENGINES[key]
    every = cases({key: game})
    for case in every if FULL else few(every):
        kinds: Counter[str] = Counter()
        state = game.new(case.seats, case.options, rng.randbytes(32))
        for made in range(LONGEST):
            pending = game.pending(state)
            if not pending:
                break
            decision = rng.choice(pending)
            kinds[decision.kind] += 1
            if kinds[decision.kind] <= OF_EACH_KIND * SAMPLING or made % EVERY == 0:
                yield Match(game, state, [])
            game.apply(state, decision.seat, game.sample(state, decision.seat, rng))
    for state in SELDOM_PLAYED.get(key, ()):
        yield Match(game, game.copy(state), [])


@pytest.mark.sampled
@pytest.mark.parametrize("key", SHOWN)
def test_every_button_and_menu_that_a_game_draws_is_a_move_a_changed_screen_or_refused_by_rule(
    key: str,
) -> None:
    rng = Random(5)
    walk = Walk(SCREENS[key], rng)
    for _ in range(ROUNDS):
        for match in moments(key, rng):
            walk.look_at(match)
        if not walk.faults():
            break
    assert not (walk.faults() if FULL else walk.mistakes(SELDOM))
    assert sum(walk.worked.values()) > len(walk.screens.presses()), walk.worked
    assert len(walk.worked) > len(walk.screens.presses()) / 2


# -- mistakes that a game may make, each of which is found


class Misspelt(SealedScreens):
    """The button's intent is another than the one that is known."""

    def presses(self) -> Mapping[str, Meaning[View, Bid]]:
        known = super().presses()
        return {PICK: known[PICK], "g.sael": known[SEAL]}


class Forgetful(SealedScreens):
    """The choice is kept under a name that no menu has."""

    def presses(self) -> Mapping[str, Meaning[View, Bid]]:
        def keep(_view: View, pressed: Pressed) -> Selection:
            return Selection({"g.pikc": pressed.chosen})

        return {**super().presses(), PICK: keep}


class Idle(SealedScreens):
    """A button changes nothing."""

    def presses(self) -> Mapping[str, Meaning[View, Bid]]:
        return {**super().presses(), SEAL: keep_selection}


class LooksElsewhere(SealedScreens):
    """A button looks for what is chosen in a menu of another name, and is refused for ever."""

    def presses(self) -> Mapping[str, Meaning[View, Bid]]:
        def seal(view: View, pressed: Pressed) -> Bid:
            if not pressed.choices.get("g.pikc"):
                raise IllegalMove("nothing-chosen")
            return Bid(0)

        return {**super().presses(), SEAL: seal}


class NeverDrawn(SealedScreens):
    """An intent is known that no screen has."""

    def presses(self) -> Mapping[str, Meaning[View, Bid]]:
        return {**super().presses(), "g.other": keep_selection}


class HostsWord(SealedScreens):
    """An intent that the host would take for its own."""

    def private(self, view: View, names: Names, choices: Choices, to: Id) -> list[Item]:
        options = [Option("One", "1")]
        more = menus(to._replace(intent="pick"), "More", options, chosen=choices.get("pick", ()))
        shown = ui.row(button("Other", to._replace(intent="pick", arg="x")))
        return [*super().private(view, names, choices, to), *more, *([shown] if choices.get("pick") else [])]

    def presses(self) -> Mapping[str, Meaning[View, Bid]]:
        return {**super().presses(), "pick": keep_selection}


@pytest.mark.parametrize("broken", [Misspelt, Forgetful, Idle, LooksElsewhere, NeverDrawn, HostsWord])
def test_a_mistake_is_found(broken: type[SealedScreens]) -> None:
    match = random_match("sealed", 1, moves=0)
    walk = Walk(broken(match.game), Random(5))
    try:
        for _ in range(10):
            walk.look_at(match)
        found = walk.faults()
    except (AssertionError, Refused) as error:
        found = [str(error)]
    assert found


def test_the_unbroken_screens_have_no_fault() -> None:
    match = random_match("sealed", 1, moves=0)
    walk = Walk(SealedScreens(match.game), Random(5))
    for _ in range(10):
        walk.look_at(match)
    assert not walk.faults()


def test_an_intent_that_the_game_does_not_have_is_an_older_versions() -> None:
    match = random_match("sealed", 1, moves=0)
    view = match.game.view(match.state, 0)
    with pytest.raises(Refused) as refused:
        meant_by(match.screens, view, Pressed("g.nothing", "", {}))
    assert refused.value.code == "unknown"


def test_screens_that_lack_a_member_are_not_made() -> None:
    lacking: type[AnyScreens] = type("Lacking", (GameScreens,), {})
    with pytest.raises(
        TypeError, match=r"board.*credits.*decide.*describe.*presses.*private_text.*rules.*title"
    ):
        lacking(ENGINES["sealed"])
