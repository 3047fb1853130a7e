"""The largest screens of Artifacts, Inc., in every language and with an owner's long names, keep Discord's limits."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from bot.language import speaking
from bot.tables.refusals import Refused
from bot.ui.screens.board import LOG_ROWS, board
from bot.ui.screens.chronicle import NEWS_ROWS
from bot.ui.screens.ended import ended as result
from bot.ui.screens.fitting import PHONE
from bot.ui.screens.game_screens import Pressed
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import escape
from bot.ui.screens.pages import rules_page, sheet
from bot.ui.screens.private import Personal, private
from bot.ui.screens.refusals import refusal
from cogs.artifacts_inc import companies, intents, rolled, shop, turn, uses
from cogs.artifacts_inc.screens import ArtifactsIncScreens
from engine.artifacts_inc import ArtifactsInc, create
from engine.artifacts_inc.choices import purchases, turnable
from engine.artifacts_inc.company import Place
from engine.artifacts_inc.state import SOURCES, State
from engine.game import Event, Options
from tests.cogs.in_memory import Match, row
from tests.cogs.limits import EVERY_LANGUAGE, LONG_NAMES, all_on_holiday, fits
from tests.cogs.test_limits import with_pictures
from tests.engine.artifacts_inc.oracle import BUILT_IN
from tests.engine.artifacts_inc.scene import KEY, ROLLS

EVERY_KIND = (
    {"do": "gain", "artifact": "statue", "dollars": 9},
    {"do": "museum", "dollars": 9},
    {"do": "collect", "dollars": 9},
    {"do": "buy", "dollars": 9},
    {"do": "gather", "dollars": 9},
    {"do": "sell", "dollars": 9},
)


def long_names() -> dict[str, Any]:
    """An owner's list: names of forty characters, each of which is escaped, and four slots on every side."""
    card_list = deepcopy(BUILT_IN)
    at = 0
    for group in (
        card_list["museums"],
        card_list["public"],
        card_list["start"],
        *card_list["piles"].values(),
    ):
        for card in group:
            card["name"] = f"{at:02}{'*' * 38}"
            for number, side in enumerate(card.get("sides", ())):
                kinds = [EVERY_KIND[(at + number + n) % len(EVERY_KIND)] for n in range(4)]
                side["slots"] = [{"requires": "2+", "action": kind, "provenance": "house"} for kind in kinds]
                side["per"] = {"pottery": 1, "museum": 1, "expedition": 1}
                side["dice"], side["dive"] = 1, 1
                side["ability"] = {"do": ("turn", "set", "roll")[at % 3], "uses": 2}
                side["provenance"] = "house"
            at += 1
    return card_list


def fullest(game: ArtifactsInc, *, seats: int = 4, dice: str = "1 2 3 4 5 6 6", dollars: int = 99) -> State:
    """All cards of the piles but the offered ones, shared out among the seats; every museum half filled."""
    catalogue = game.catalogue
    state = game.new(seats, Options(), KEY)
    state.rolls, state.first, state.active, state.round, state.phase = ROLLS[seats], 0, 0, 9, "act"
    cards = [card for pile in state.piles for card in pile]
    state.piles = [() for _ in state.piles]
    for at, card in enumerate(cards):
        seat = at % seats
        own = len(state.places[seat])
        where = Place(own % 2, own // 2 + 2 if own % 2 == 0 else -(own // 2))
        if where in state.places[seat]:
            where = Place(1, own)
        state.sides[seat] = (*state.sides[seat], 2 * card + (at // seats) % 2)
        state.places[seat] = (*state.places[seat], where)
        state.cubes[seat] += [1, 1, 1, 1]
    state.orders = [tuple((at % seats if at % 2 else -1) for at in range(len(row))) for row in state.orders]
    state.divers = tuple(at % seats for at in range(len(catalogue.dives) - 1))
    state.earned = [(30,) * len(SOURCES) for _ in range(seats)]
    state.dollars = [dollars] * seats
    state.dice = sorted(map(int, dice.split()))
    state.derive()
    return state


OWNERS = create(long_names())
GAMES = pytest.mark.parametrize("game", [create(), OWNERS], ids=["built-in", "owner's"])


def match_of(game: ArtifactsInc, state: State) -> tuple[Match, ArtifactsIncScreens]:
    return Match(game, state, []), ArtifactsIncScreens(game)


@cache
def long_log(game: ArtifactsInc, count: int) -> list[Any]:
    key = game.catalogue.cards[7].key
    sold = {"fossil": 99, "scroll": 99, "statue": 99, "gem": 99}
    event = Event("collected", 0, {"on": key, "die": 6, "dollars": 400, "artifacts": sold})
    return [row(event) for _ in range(count)]


@EVERY_LANGUAGE
@GAMES
def test_the_largest_table(language: str, game: ArtifactsInc) -> None:
    match, screens = match_of(game, fullest(game))
    table = match.table(names=LONG_NAMES)
    table.body.end_votes = list(range(len(table.seats)))
    with speaking(language):
        all_on_holiday(table)
        fits(board(table, screens, long_log(game, LOG_ROWS), 0.0))
    for seat in table.seats:
        seat.is_here()
        seat.left_by, seat.user_id, seat.agent = seat.user_id, None, "novice"
    with speaking(language):
        fits(board(table, screens, long_log(game, LOG_ROWS), 0.0))
        table.status = "paused"
        fits(board(table, screens, long_log(game, LOG_ROWS), 0.0))
        fits(private(table, screens, 0, long_log(game, NEWS_ROWS)))


@EVERY_LANGUAGE
@GAMES
def test_the_largest_companies_and_offers_page_by_page(language: str, game: ArtifactsInc) -> None:
    match, screens = match_of(game, fullest(game, seats=2))
    table = match.table(names=LONG_NAMES)
    with speaking(language):
        for both in (0, 1):
            shown: list[str] = []
            for page in range(40):
                screen = sheet(table, screens, Pressed("s.company", f"0.{both}.{page}", {}))
                fits(screen)
                shown.append(str(screen.view().to_components()))
            view = match.game.view(match.state, None)
            titles = [escape(companies.title(view, 0, held)) for held in companies.lying(view, 0)]
            assert all(any(repr(f"**{title}**")[1:-1] in text for text in shown) for title in titles), (
                "every card"
            )
        for page in range(10):
            fits(sheet(table, screens, Pressed("s.offers", str(page), {})))


@EVERY_LANGUAGE
@GAMES
def test_the_largest_turn(language: str, game: ArtifactsInc) -> None:
    state = fullest(game)
    match, screens = match_of(game, state)
    table = match.table(names=LONG_NAMES)
    table.seats[0].away = True
    view = game.view(state, 0)
    remark = "⚠️ " + refusal(Refused("failed", reference="x" * 8)) * 2
    place = (5, *next(laid.space for laid in uses.own_slots(view, [5]) if laid.slot.action.do == "buy"))
    select = uses.encode(uses.SELECT, 5, 4, 0, 0, 9)
    number = purchases(view)[-1]
    stages: list[dict[str, list[str]]] = [
        {},
        *[{intents.DIE: [str(die)]} for die in view.dice],
        {intents.DIVE_DICE: []},
        {intents.AGAIN_DICE: turn.die_values(view)},
        {intents.GOODS: turn.proposed_goods(view, select)},
        {intents.END: [""]},
        {shop.OPENED: [uses.encode(uses.SHOP, *place)]},
        {shop.CARD: [uses.encode("card", *place, number, len(purchases(view)) - 1)]},
        {
            shop.CARD: [
                uses.encode("up", *place, *turnable(view)[-1], len(purchases(view) + turnable(view)) - 1)
            ]
        },
    ]
    with speaking(language):
        for choices in stages:
            log = long_log(game, NEWS_ROWS)
            personal = Personal(choices, remark, may_undo=True)
            fits(private(table, screens, 0, log, personal))
            fits(with_pictures(private(match.private(names=LONG_NAMES), screens, 0, log, personal)))


@EVERY_LANGUAGE
@GAMES
def test_the_first_turn_the_rules_and_the_result(language: str, game: ArtifactsInc) -> None:
    match, screens = match_of(game, game.new(4, Options(), KEY))
    table = match.table(names=LONG_NAMES)
    over = fullest(game)
    over.phase = "over"
    ended, _screens = match_of(game, over)
    with speaking(language):
        fits(board(table, screens, [], 0.0))
        fits(private(table, screens, match.state.active, []))
        for page in range(len(screens.rules())):
            fits(rules_page(screens, table, page)[0])
        fits(result(ended.table(names=LONG_NAMES), screens, ended.rows()))


def test_no_use_of_a_die_is_left_out_where_there_are_more_than_buttons() -> None:
    view, to = OWNERS.view(fullest(OWNERS), 0), Id("", 1, "1")
    found, shown = uses.uses(view, [5]), str(rolled.screen(view, {intents.DIE: ["5"]}, to, PHONE))
    assert len(found) > 25, "more than one menu takes"
    assert all(use.choice in shown for use in found if not use.opens_shop)


def test_where_several_kinds_of_slots_buy_each_keeps_a_button() -> None:
    """One menu of cards could mean only one of them."""
    view = create().view(fullest(create()), 0)
    (opening,) = [use for use in uses.uses(view, [5]) if use.opens_shop]
    assert shop.options_at_once(view, [opening])
    assert not shop.options_at_once(view, [opening, opening._replace(label="Another card")])
