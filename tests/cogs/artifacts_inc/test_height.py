"""On a phone, a company's picture and the whole of a decision stand on one screen, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from bot.language import speaking
from bot.ui.screens import components as ui
from bot.ui.screens.fitting import FRAME, PHONE, height, picture_height
from bot.ui.screens.ids import read_id
from bot.ui.screens.kit import Choices
from bot.ui.screens.private import Personal, private
from cogs.artifacts_inc import intents, rolled, shop, turn, uses
from engine.artifacts_inc.choices import cheapest_dive, purchases, turnable
from engine.artifacts_inc.state import ACT, View
from engine.game import Options
from tests.cogs.in_memory import ENGINES, Match
from tests.cogs.limits import EVERY_LANGUAGE

NAMES = ("Ana", "Ben", "Chen", "Dora")
KEY = "artifacts-inc"


def states(seats: int, seed: int, every: int) -> Iterator[Match]:
    """Every so manieth moment of a match of agents in which the first seat is asked."""
    game, rng, asked = ENGINES[KEY], Random(seed), 0
    state = game.new(seats, Options(), rng.randbytes(32))
    while pending := game.pending(state):
        seat = pending[0].seat
        asked += not seat
        if not seat and asked % every == 0:
            yield Match(game, state, [])
        game.apply(state, seat, game.agents["novice"].choose(game.view(state, seat), rng))


def stages(view: View) -> Iterator[Choices]:
    """The selections of all screens to which the presses on a turn's first screen lead."""
    yield {}
    if view.phase != ACT:
        return
    yield from ({intents.DIE: [str(face)]} for face in set(view.dice))
    for use in uses.uses(view, rolled.chosen_dice(view, {})):
        if use.opens_shop:
            place = uses.decode(use.choice)[1]
            yield {shop.OPENED: [use.choice]}
            cards = purchases(view)
            for at, number in enumerate(cards):
                yield {shop.CARD: [uses.encode("card", *place, number, at)]}
            for at, own in enumerate(turnable(view), len(cards)):
                yield {shop.CARD: [uses.encode("up", *place, *own, at)]}
        elif use.opens:
            yield {intents.GOODS: turn.proposed_goods(view, use.choice)}
    if cheapest_dive(view):
        yield {intents.DIVE_DICE: []}
    if rolled.roller(view):
        yield {intents.AGAIN_DICE: turn.idle_dice(view)}
    yield {intents.END: [""]}


def decision_height(match: Match, choices: Choices) -> int:
    """The height from the picture down to the end of the screen."""
    table = match.table(names=NAMES)
    table.body.hints = True
    screen = private(table, match.screens, 0, [], Personal(choices, may_undo=True))
    picture = match.screens.own_picture(match.game.view(match.state, 0))
    assert picture is not None
    turn_line, *below = screen.items
    assert turn_line["type"] == ui.TEXT
    return picture_height(picture.width, picture.height) + height(below) + FRAME


@EVERY_LANGUAGE
@pytest.mark.parametrize("seats", [2, 4])
def test_every_decision_stands_on_one_screen_with_the_picture(language: str, seats: int) -> None:
    with speaking(language):
        for match in states(seats, 5, 5):
            for choices in stages(match.game.view(match.state, 0)):
                found = decision_height(match, choices)
                assert found <= PHONE + rolled.HIGHER, f"{found} with {choices}"


def test_most_uses_are_one_press_away() -> None:
    """The menu has those for which there is no room."""
    shown, found = 0, 0
    for match in states(3, 2, 2):
        view = match.game.view(match.state, 0)
        if view.phase != ACT:
            continue
        screen = private(match.table(names=NAMES), match.screens, 0, [])
        pressed = [
            read_id(control["custom_id"])
            for item in screen.items
            if item["type"] == ui.ROW
            for control in item["components"]
            if control["type"] == ui.BUTTON and "custom_id" in control
        ]
        shown += sum(to is not None and to.intent == intents.USE for to in pressed)
        found += sum(not use.opens_shop for use in uses.uses(view, rolled.chosen_dice(view, {})))
    assert shown >= found * 0.7
