"""Every screen at its largest, in every language, keeps Discord's limits; nothing is cut off."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from discord import ui
from simcord.components import walk_components

from bot.language import languages, speaking
from bot.tables.refusals import Refused
from bot.ui import table_screens as show
from bot.ui.ids import Id
from bot.ui.kit import Option, Screen, bundle_sizes, button, escape, link, menus, pick_bundles
from bot.ui.words import refusal
from cogs.archaeology_family.payments import payments
from cogs.archaeology_family.screens import GIVE, LOSE, PAY, TAKE, _payment_option, bundle_options
from engine.game import Event
from tests.cogs import crafted
from tests.cogs.in_memory import ENGINES, SCREENS, SHOWN, Match, matches, row
from tests.cogs.limits import command_faults, form_faults, message_faults

LONG = "*" * 32
"""A name as long as Discord takes, of which each character is escaped."""
NAMES = [LONG, "_" * 32, "W" * 32, "~" * 32]

EVERY_LANGUAGE = pytest.mark.parametrize("language", languages())


def faults(screen: Screen) -> list[str]:
    return message_faults(screen.view().to_components())


def fits(screen: Screen) -> None:
    found = faults(screen)
    assert not found, f"{found}\n{json.dumps(screen.view().to_components(), ensure_ascii=False)[:4000]}"


def archaeology(state: Any) -> Match:
    return Match(crafted.GAME, state, [])


# -- Archaeology's own largest states

EVERYTHING_IN_THE_MARKET = crafted.craft(
    [{"map": 1}, {"coin": 1}, {}, {}], rest="market", phase=crafted.ACT, explored=True
)
HALVES = (
    {key: n - n // 2 for key, n in crafted.COPIES.items()},
    {key: n // 2 for key, n in crafted.COPIES.items()},
)


def half_and_half(phase: str = crafted.ACT, **options: Any) -> Any:
    """One hand holds half of all cards, the market the other half."""
    hand, market = HALVES
    market = {**market, "pot_shard": market["pot_shard"] - 1}
    return crafted.craft(
        [hand, {"pot_shard": 1}], market=market, site=[], rest="market", phase=phase, explored=True, **options
    )


def all_in_one_hand(phase: str) -> Any:
    hand = crafted.everything(coin=3)
    return crafted.craft(
        [hand, {"coin": 1}], market={"coin": 2}, phase=phase, explored=True, site=["sandstorm"], rest="market"
    )


def all_sold_one_by_one() -> Any:
    """Seventy-two sets of one card, shared out among four people."""
    sold: list[list[tuple[str, int]]] = [[] for _ in range(4)]
    cards = [key for key, n in crafted.COPIES.items() for _ in range(n)]
    for number, key in enumerate(cards):
        sold[number % 4].append((key, 1))
    state = crafted.craft([{}, {}, {}, {}], sold=sold, phase="over", explored=True)
    assert ENGINES["archaeology"].outcome(state) is not None
    return state


def long_log(count: int) -> list[Any]:
    """Lines as long as they get: trades of every treasure for every treasure."""
    bundles = [[kind, 18] for kind in range(7)]
    event = Event("traded", 0, {"give": bundles, "take": bundles, "over": 12})
    return [row(event) for _ in range(count)]


@EVERY_LANGUAGE
def test_the_largest_boards(language: str) -> None:
    for state in (EVERYTHING_IN_THE_MARKET, half_and_half(), all_sold_one_by_one()):
        match = archaeology(state)
        table = match.table(names=NAMES)
        table.body.end_votes = list(range(len(table.seats)))
        for seat in table.seats:
            seat.left_by, seat.user_id, seat.agent = seat.user_id, None, "novice"
        with speaking(language):
            fits(show.board(table, match.screens, long_log(show.RECENT), 0.0))
        table.status = "paused" if table.status == "playing" else "abandoned"
        with speaking(language):
            fits(show.board(table, match.screens, long_log(show.RECENT), 0.0))


@EVERY_LANGUAGE
def test_the_largest_result(language: str) -> None:
    match = archaeology(all_sold_one_by_one())
    table = match.table(names=NAMES)
    with speaking(language):
        screen = show.result(table, match.screens)
        screen.add([ui.File("attachment://digsite-archaeology-1000000000.json")])
        fits(screen)


@EVERY_LANGUAGE
def test_the_largest_private_screens(language: str) -> None:
    duty = half_and_half()
    duty.duty = True
    thief = crafted.craft([{"coin": 1}] * 4, phase=crafted.STEAL)
    states = [half_and_half(), duty, all_in_one_hand(crafted.ACT), all_in_one_hand(crafted.STORM), thief]
    states += [
        crafted.craft(
            [crafted.everything(coin=1, pot_shard=8, talisman=8), {"coin": 1}],
            phase=crafted.ACT,
            market={"talisman": 1},
        )
    ]
    for state in states:
        match = archaeology(state)
        table = match.table(names=NAMES)
        table.seats[0].away = True
        view = match.game.view(state, 0)
        with speaking(language):
            everything = [option.value for option in bundle_options(view, view.market)]
            hand = [option.value for option in bundle_options(view, view.hand)]
            some = everything[-3:]
            for choices in (
                {},
                {TAKE: some, GIVE: hand},
                {TAKE: everything, GIVE: hand[:5]},
                {LOSE: hand},
                {TAKE: some, PAY: hand[:1]},
            ):
                remark = "⚠️ " + refusal(Refused("failed", reference="x" * 8)) * 2
                fits(
                    show.private(
                        table, match.screens, 0, long_log(show.OWN_RECENT), choices=choices, remark=remark
                    )
                )


@EVERY_LANGUAGE
def test_no_payment_is_too_long_for_its_line(language: str) -> None:
    """Discord cuts a label at 100 characters, and what it leaves out might be what matters."""
    rng = Random(5)
    view = crafted.GAME.view(half_and_half(), 0)
    longest = 0
    for _ in range(40):
        hand = [rng.randint(0, n // 2) for n in crafted.GAME.copies]
        price = rng.randint(1, max(1, sum(n * t for n, t in zip(hand, crafted.GAME.trade, strict=True))))
        for payment in payments(hand, crafted.GAME.trade, crafted.GAME.prices, price):
            with speaking(language):
                option = _payment_option(view, payment)
            longest = max(longest, len(option.label))
            assert len(option.label) <= 100
            assert len(option.description) <= 100
            assert len(option.value) <= 100
    assert longest > 40


@EVERY_LANGUAGE
def test_a_log_of_long_lines_is_shown_whole_page_by_page(language: str) -> None:
    match = archaeology(EVERYTHING_IN_THE_MARKET)
    table = match.table(names=NAMES)
    log = long_log(90)
    shown: list[str] = []
    with speaking(language):
        while not shown or not _is_last(shown[-1]):
            screen = show.log_page(table, match.screens, log, None, len(shown))
            fits(screen)
            shown.append(json.dumps(screen.view().to_components()))
    assert len(shown) > 5
    texts = [
        part["content"] for page in shown for part in walk_components(json.loads(page)) if "content" in part
    ]
    begun = [line.partition("\\.")[0] for line in "\n".join(texts).splitlines()]
    assert [begun.count(str(number)) for number in range(1, 91)] == [1] * 90


def _is_last(page: str) -> bool:
    """Whether there is no page after this one: the button that leads on is greyed."""
    buttons = [part for part in walk_components(json.loads(page)) if part["type"] == 2]
    return bool(buttons[-1].get("disabled"))


# -- what every game has


@EVERY_LANGUAGE
@pytest.mark.parametrize("key", SHOWN)
def test_every_screen_of_random_matches(key: str, language: str) -> None:
    for match in matches(key, 25):
        table, rows = match.table(names=NAMES * 2), match.rows()
        with speaking(language):
            fits(show.board(table, match.screens, rows[-show.RECENT :], 0.0))
            for seat in range(len(table.seats)):
                fits(show.private(table, match.screens, seat, rows[-show.OWN_RECENT :]))
            fits(show.log_page(table, match.screens, rows, 0, None))
            if table.status == "over":
                fits(show.result(table, match.screens))


@EVERY_LANGUAGE
@pytest.mark.parametrize("key", SHOWN)
def test_lobby_rules_and_what_is_seldom_needed(key: str, language: str) -> None:
    game, screens = ENGINES[key], SCREENS[key]
    match = next(matches(key, 4))
    table = match.table(names=NAMES * 2)
    for seat in table.seats:
        seat.word = "*" * 64
    with speaking(language):
        for page in range(len(screens.rules(game))):
            fits(show.rules_page(screens, table, game, page))
            fits(show.rules_page(screens, None, game, page))
        fits(show.agent_levels(table))
        fits(show.lobby(table, screens))
        table.status = "lobby"
        fits(show.lobby(table, screens))
        table.status = "playing"
        fits(show.more(table, screens, 1, manages=True))
        for seat in table.seats:
            seat.left_by, seat.user_id = seat.user_id, None
        fits(show.more(table, screens, 99, manages=True))


# -- the building kit


@pytest.mark.parametrize("count", range(1, 73))
def test_bundles_make_every_number(count: int) -> None:
    sizes = bundle_sizes(count)
    assert sum(sizes) == count
    for wanted in range(count + 1):
        assert sum(sizes[place] for place in pick_bundles(sizes, wanted)) == wanted


def test_a_menu_of_more_options_than_one_takes_becomes_several() -> None:
    options = [Option(f"option {n}", str(n)) for n in range(60)]
    screen = Screen().add(menus(Id("pick", 1), "Pick", options, several=True))
    fits(screen)
    parts = json.loads(json.dumps(screen.view().to_components()))
    shown = [part["options"] for part in walk_components(parts) if part["type"] == 3]
    assert [len(offered) for offered in shown] == [25, 25, 10]


# -- the checker itself


SPOILT = [
    ("text", Screen().text("x" * 4001)),
    ("text", Screen().text("x" * 2500).text("x" * 2500)),
    ("text", Screen().text("🏺" * 2001)),
    ("custom_id", Screen().buttons(button("a", Id("b")), button("c", Id("b")))),
    ("labelled", Screen().buttons(link("", "https://x.example"))),
]
"""Screens that each break one limit."""


@pytest.mark.parametrize(("word", "screen"), SPOILT)
def test_the_checker_finds_what_is_too_much(word: str, screen: Screen) -> None:
    assert any(word in fault for fault in faults(screen)), faults(screen)


def test_the_checker_finds_menus_rows_commands_and_forms_that_are_too_large() -> None:
    option = {"label": "x", "value": "x"}
    menu = {"type": 3, "custom_id": "m", "options": [option]}
    one = {"type": 2, "label": "x", "style": 1}

    def broken(*parts: dict[str, Any]) -> list[str]:
        return message_faults([{"type": 1, "components": list(parts)}])

    assert not broken(menu)
    assert broken(menu | {"options": [option | {"value": str(n)} for n in range(26)]})
    assert broken(menu | {"options": [option, option]})
    assert broken(menu | {"options": [option | {"label": "x" * 101}]})
    assert broken(menu | {"options": [option | {"description": "x" * 101}]})
    assert broken(menu | {"max_values": 2})
    assert broken(*[one | {"custom_id": str(n)} for n in range(6)])
    assert broken(one | {"custom_id": "x" * 101})
    assert broken(one | {"custom_id": "x", "label": "x" * 81})
    assert broken(menu, one | {"custom_id": "x"})
    command = {"name": "dig", "description": "Digs"}
    assert not command_faults(command)
    assert command_faults(command | {"description": "x" * 101})
    assert command_faults(command | {"name": "Dig"})
    assert command_faults(
        command | {"options": [{"name": f"o{n}", "description": "x", "type": 1} for n in range(26)]}
    )
    label = {"type": 18, "label": "x", "component": {"type": 4, "custom_id": "x"}}
    form = {"title": "x", "custom_id": "x", "components": [label]}
    assert not form_faults(form)
    assert form_faults(form | {"title": "x" * 46})
    assert form_faults(form | {"components": [label] * 6})


def test_an_escaped_name_stays_short_enough_for_the_screens() -> None:
    assert max(len(escape(name)) for name in NAMES) <= 64
