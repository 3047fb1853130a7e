"""The New Expedition's screens at their largest, in every language, keep Discord's limits; no button is lost by it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from simcord.components import walk_components

from bot.language import languages, speaking
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.ui.screens.board import LOG_ROWS, board
from bot.ui.screens.chronicle import NEWS_ROWS
from bot.ui.screens.ended import ended as result
from bot.ui.screens.kit import Screen
from bot.ui.screens.private import Personal, private
from bot.ui.screens.refusals import refusal
from cogs.archaeology_family.losses import LOSE
from cogs.archaeology_family.names import written
from cogs.archaeology_family.trading import GIVE, TAKE
from engine.archaeology_family.card_list import bundles
from engine.archaeology_family.state import ACT, OVER, STORM
from engine.expedition.rules import Expedition, ExpeditionOptions
from engine.expedition.state import KEEP, MINE, MONUMENTS, TENT, ExpeditionState, MonumentKey
from engine.game import Event
from tests.cogs.in_memory import ENGINES, Match, row
from tests.cogs.limits import fits
from tests.cogs.screen_text import log_lines
from tests.cogs.test_limits import with_pictures
from tests.sampling import sweep

SEATS = 5
LONG = ["*" * 32, "_" * 32, "~" * 32, "|" * 32, "W" * 32]
"""Names as long as Discord takes, of which most characters are escaped."""

every_language = pytest.mark.parametrize("language", languages())
every_monument = pytest.mark.parametrize("monument", MONUMENTS)


def the_game() -> Expedition:
    game = ENGINES["expedition"]
    assert isinstance(game, Expedition)
    return game


GAME = the_game()


def rich(monument: MonumentKey, *, market: bool, phase: str = ACT, **more: Any) -> Match:
    """Five people at a dry dig site: the first holds what is not sold, or shares it with the market."""
    state: ExpeditionState = GAME.new(SEATS, ExpeditionOptions(monument=monument), bytes(32))
    for kind, n in enumerate(cards_outside_the_monument(state)):
        state.market[kind] = n // 2 if market else 0
        for hand in state.hands:
            hand[kind] = 0
        state.hands[0][kind] = n - state.market[kind]
    state.hands[0][0] -= 1
    state.hands[1][0] += 1
    state.site, state.thieves, state.sandstorms = [], 10, 4
    uncover_everything(state)
    state.active = state.asked = 0
    state.phase, state.dry = phase, phase in (ACT, MINE, KEEP)
    for name, value in more.items():
        setattr(state, name, value)
    return Match(GAME, GAME.load(GAME.dump(state)), [])


def cards_outside_the_monument(state: ExpeditionState) -> list[int]:
    counts = list(GAME.copies)
    for chamber in state.chambers:
        counts = [n - inside for n, inside in zip(counts, chamber, strict=True)]
    for kind in state.pile:
        counts[kind] -= 1
    return counts


def uncover_everything(state: ExpeditionState) -> None:
    """The public knowledge of the chambers is as much as it can be."""
    while state.pile:
        for chamber in state.chambers:
            chamber[state.pile.pop()] += 1
    if state.monument in ("mine", "sphinx", "ruins"):
        state.within = [chamber.copy() for chamber in state.chambers]


def sold_in_as_many_ways_as_there_are() -> Match:
    """The end of a match in which each seat has sold sets of as many sizes as the cards allow."""
    state: ExpeditionState = GAME.new(SEATS, ExpeditionOptions(monument="great_pyramid"), bytes(32))
    state.sold = [[] for _ in range(SEATS)]
    for kind, left in enumerate(GAME.copies):
        size, seat = 1, 0
        while left >= size and size <= GAME.largest[kind]:
            state.sold[seat].append((kind, size))
            left -= size
            size, seat = (size, seat + 1) if seat + 1 < SEATS else (size + 1, 0)
        state.sold[0] += [(kind, 1)] * left
    nothing = [0] * state.kinds
    state.hands = [nothing.copy() for _ in range(SEATS)]
    state.chambers = [nothing.copy() for _ in state.chambers]
    state.market, state.site, state.phase = nothing.copy(), [], OVER
    state.thieves, state.sandstorms = 10, 4
    return Match(GAME, GAME.load(GAME.dump(state)), [])


@cache
def long_log(count: int) -> list[Any]:
    """Lines as long as they get: each in turn trades every treasure for every treasure."""
    cards = [[kind, 16] for kind in range(9)]
    facts = {"give": cards, "take": cards, "over": 12}
    return [row(Event("traded", number % SEATS, facts), number, number % SEATS) for number in range(count)]


def crowd(match: Match) -> Table:
    """A table of people with long names, all of whom have left and wish to end the match."""
    table = match.table(names=LONG)
    table.body.end_votes = list(range(SEATS))
    for seat in table.seats:
        seat.left_by, seat.user_id, seat.agent = seat.user_id, None, "novice"
    return table


def parts(screen: Screen) -> list[dict[str, Any]]:
    return list(walk_components(json.loads(json.dumps(screen.view().to_components()))))


@every_language
@every_monument
def test_the_largest_boards(monument: MonumentKey, language: str) -> None:
    for match in (rich(monument, market=True), rich(monument, market=False)):
        table = crowd(match)
        with speaking(language):
            fits(board(table, match.screens, long_log(LOG_ROWS), 0.0))
            table.status = "paused"
            fits(board(table, match.screens, long_log(LOG_ROWS), 0.0))


@every_language
def test_a_board_with_too_much_to_tell_tells_the_newest(language: str) -> None:
    match = sold_in_as_many_ways_as_there_are()
    table = crowd(match)
    log = [*long_log(LOG_ROWS - 1), row(Event("passed", 1), LOG_ROWS, 1)]
    with speaking(language):
        screen = board(table, match.screens, log, 0.0)
        fits(screen)
        newest = log_lines(table, match.screens, log[-1:], None)[0]
        fits(result(table, match.screens, log))
    texts = [part["content"] for part in parts(screen) if part["type"] == 10]
    assert texts[-2].endswith(newest), "the oldest lines make room, not the newest"


def private_screens(match: Match, **choices: list[str]) -> None:
    """All that the first seat may have selected."""
    table = match.table(names=LONG)
    table.seats[0].away = True
    view = match.game.view(match.state, 0)
    hand, everything = [written(bundles(view.hand))], [written(bundles(view.market))]
    some, one = [written(bundles(view.market)[-3:])], [written(bundles(view.hand)[:1])]
    remark = "⚠️ " + refusal(Refused("failed", reference="x" * 8)) * 2
    for selection in (
        {},
        {TAKE: some, GIVE: hand},
        {TAKE: everything, GIVE: hand},
        {TAKE: some, GIVE: one},
        {LOSE: hand},
    ):
        log = long_log(NEWS_ROWS)
        fits(private(table, match.screens, 0, log, Personal(selection, remark)))
        alone = match.private(names=LONG)
        fits(with_pictures(private(alone, match.screens, 0, log, Personal(selection, remark))))


@every_language
@every_monument
@pytest.mark.parametrize("market", sweep(True, False))
def test_the_largest_private_screens(monument: MonumentKey, market: bool, language: str) -> None:
    states = [rich(monument, market=market), rich(monument, market=market, duty=True)]
    if monument in ("temple", "tomb"):
        privy = [[0] for _ in states[0].state.chambers]
        states.append(rich(monument, market=market, privy=privy, duty=True))
    if monument == "temple":
        privy = [[0], [0], [0]]
        states.append(rich(monument, market=market, privy=privy, look=0, fruitful=True, acted=True))
        assert GAME.view(states[-1].state, 0).look
    with speaking(language):
        for match in states:
            private_screens(match)


@every_language
def test_the_largest_questions_of_monuments_and_storms(language: str) -> None:
    tomb = rich(
        "tomb", market=True, phase=KEEP, opened=1, privy=[[], [0]], explored=True, acted=True, fruitful=True
    )
    storm = rich("great_pyramid", market=False, phase=STORM)
    tent = rich("great_pyramid", market=False, phase=TENT)
    with speaking(language):
        for match in (tomb, storm, tent, deep_in_the_mine()):
            private_screens(match)
            fits(board(crowd(match), match.screens, long_log(LOG_ROWS), 0.0))


def deep_in_the_mine() -> Match:
    """Four cards of a trade value of 1 are turned up, and what else lies there is known."""
    cheap = [0, 0, 1, 1]
    for number in range(200):
        state: ExpeditionState = GAME.new(
            SEATS, ExpeditionOptions(monument="mine"), number.to_bytes(32, "big")
        )
        chamber = state.chambers[0]
        if chamber[0] >= 2 and chamber[1] >= 2:
            break
    else:
        raise AssertionError("no such Mine")
    for kind in cheap:
        chamber[kind] -= 1
    state.turned = cheap
    state.within = [chamber.copy()]
    state.active = state.asked = 0
    state.phase, state.explored, state.acted, state.fruitful = MINE, True, True, True
    return Match(GAME, GAME.load(GAME.dump(state)), [])
