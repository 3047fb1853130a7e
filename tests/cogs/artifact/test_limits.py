"""The largest screens of Artifact, in every language, keep Discord's limits; nothing is cut off."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from typing import Any

from simcord.components import walk_components

from bot.language import speaking
from bot.ui.screens.board import LOG_ROWS, board
from bot.ui.screens.chronicle import NEWS_ROWS
from bot.ui.screens.ended import ended as result
from bot.ui.screens.game_screens import Pressed
from bot.ui.screens.ids import read_id
from bot.ui.screens.pages import sheet
from bot.ui.screens.private import Personal, private
from cogs.artifact import turn
from cogs.artifact.screens import ArtifactScreens
from engine.artifact import Artifact, create
from engine.artifact import state as s
from engine.artifact.moves import ROLL
from engine.artifact.party import ROLLS
from engine.artifact.rules import ArtifactOptions
from engine.artifact.state import State
from engine.game import Event
from tests.cogs.in_memory import Match, row
from tests.cogs.limits import EVERY_LANGUAGE, LONG_NAMES, all_on_holiday, fits
from tests.engine.artifact.oracle import BUILT_IN
from tests.engine.artifact.scene import GAME, KEY, scene

NAMES = [*LONG_NAMES, "#" * 32, "|" * 32]
EVERY_AID = " ".join(3 * list(GAME.catalogue.scenarios[GAME.catalogue.numbers["lost_city"]].aids))
FULL = dict.fromkeys(range(6), EVERY_AID)


def six(**more: Any) -> State:
    """Six full parties that have every Aid three times."""
    return scene(7, 7, 7, 7, 7, 7, aids=FULL, holder=3, skips=range(6), **more)


def over(game: Artifact) -> State:
    """Six full parties, of which one has just brought the Artifact home."""
    state = six(game=game, active=3)
    state.at[3] = 2
    while game.outcome(state) is None:
        game.apply(state, game.pending(state)[0].seat, ROLL)
    return state


def match_of(state: State) -> Match:
    return Match(GAME, state, [])


@cache
def long_log(count: int) -> list[Any]:
    event = Event(
        "challenge", 0, {"scenario": "lost_city", "part": 1, "dice": [6, 6], "encounter": "caimans"}
    )
    return [row(event) for _ in range(count)]


@EVERY_LANGUAGE
def test_the_largest_screens_in_every_kind_of_decision(language: str) -> None:
    states = [
        six(),
        six(phase=s.DIRECTION, die=6),
        six(phase=s.OPPONENT, step=1),
        six(phase=s.ABILITY, opponent=1, step=1),
        six(phase=s.ATTACK, opponent=1, ability=0, step=1),
        six(phase=s.DEFEND, opponent=1, ability=0, used=("pistols",), step=1),
        six(phase=s.CHALLENGE, encounter="rapids", step=1),
        six(phase=s.GIVE_UP, encounter="rival_agent", step=1),
    ]
    with speaking(language):
        for state in states:
            match = match_of(state)
            table = match.table(names=NAMES)
            table.body.end_votes = list(range(6))
            fits(board(table, match.screens, long_log(LOG_ROWS), 0.0))
            on_holiday = match.table(names=NAMES)
            on_holiday.body.end_votes = list(range(6))
            all_on_holiday(on_holiday)
            fits(board(on_holiday, match.screens, long_log(LOG_ROWS), 0.0))
            (decision,) = GAME.pending(state)
            for choices in ({}, {turn.AIDS: ["0.0"]}):
                if choices and state.phase not in (s.ATTACK, s.DEFEND, s.CHALLENGE):
                    continue
                shown = private(table, match.screens, decision.seat, long_log(NEWS_ROWS), Personal(choices))
                fits(shown)


def longest() -> Artifact:
    """An owner's scenario whose every text is as long as it may be, and each character of which is escaped."""
    data: Any = deepcopy(BUILT_IN["lost_city.json"])
    data |= {"title": "*" * 60, "prize": "*" * 60}
    data |= dict.fromkeys(("departure", "discovery", "homecoming"), "*" * 400)
    for part in data["parts"]:
        part["title"] = "_" * 60
        for encounter in part["encounters"]:
            encounter |= {"title": "|" * 60, "story": "*" * 400}
    return create({"lost_city.json": data})


@EVERY_LANGUAGE
def test_the_longest_texts_of_an_owner_s_scenario(language: str) -> None:
    game = longest()
    screens = ArtifactScreens(game)
    states = [
        six(game=game, phase=s.CHALLENGE, encounter="rapids", step=1),
        six(game=game, phase=s.ATTACK, opponent=1, ability=0, step=1),
        six(game=game, phase=s.GIVE_UP, encounter="rival_agent", step=1),
        over(game),
    ]
    with speaking(language):
        for state in states:
            table = Match(game, state, []).table(names=NAMES)
            fits(board(table, screens, long_log(LOG_ROWS), 0.0))
            fits(private(table, screens, 0, long_log(NEWS_ROWS)))
            for seat in range(6):
                fits(sheet(table, screens, Pressed("s.party", f"{seat}.0", {})))
            for part in range(2):
                fits(sheet(table, screens, Pressed("s.encounters", f"{part}.0", {})))
        assert all(len(page.text) <= 4000 for page in screens.rules())


@EVERY_LANGUAGE
def test_the_result_of_six_and_a_board_that_is_paused(language: str) -> None:
    for game in (GAME, longest()):
        screens, state = ArtifactScreens(game), over(game)
        with speaking(language):
            fits(result(Match(game, state, []).table(names=NAMES), screens, ()))
            table = Match(game, six(game=game), []).table(names=NAMES, status="paused")
            for seat in table.body.seats:
                seat.away = True
            fits(board(table, screens, long_log(LOG_ROWS), 0.0))
            fits(private(table, screens, 0, long_log(NEWS_ROWS)))


@EVERY_LANGUAGE
def test_a_party_of_nothing_but_tens_can_be_made(language: str) -> None:
    state = GAME.new(6, ArtifactOptions(scenario="lost_city"), KEY)
    state.rolls = [(10,) * ROLLS for _ in range(6)]
    match = match_of(state)
    table = match.table(names=NAMES)
    with speaking(language):
        fits(board(table, match.screens, long_log(LOG_ROWS), 0.0))
        screen = private(table, match.screens, 0, long_log(NEWS_ROWS))
        fits(screen)
        parts = walk_components(json.loads(json.dumps(screen.view().to_components())))
        intents = [to.intent for part in parts if (to := read_id(part.get("custom_id") or ""))]
        assert intents.count(turn.TENS) == turn.MOST_MENUS
    move = match.screens.presses()[turn.SET_OUT](GAME.view(state, 0), Pressed(turn.SET_OUT, "", {}))
    GAME.apply(state, 0, move)
    assert not state.waiting & 1
