"""Every event and refusal has words, and every card's text follows from its data, in every language."""

from __future__ import annotations

import re
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Final

import pytest

import engine.artifacts_inc
from bot.language import languages, speaking
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names
from cogs.artifacts_inc import effects, pages
from cogs.artifacts_inc import names as name
from cogs.artifacts_inc.screens import ArtifactsIncScreens
from engine.artifacts_inc import create
from engine.errors import IllegalMove
from tests.cogs.in_memory import Match, random_match
from tests.cogs.limits import EVERY_LANGUAGE
from tests.cogs.screen_text import log_lines
from tests.engine.artifacts_inc.card_lists import bare_list, strange_list
from tests.engine.artifacts_inc.oracle import BUILT_IN
from tests.engine.artifacts_inc.public_facts import EVENTS
from tests.engine.artifacts_inc.scene import GAME, scene

SCREENS = ArtifactsIncScreens(GAME)
RARE: Final = {"sold"}
"""Events that seldom come up in random matches."""


def lines_of(match: Match, viewer: int | None) -> list[str]:
    return log_lines(match.table(names=["Ana", "Ben", "Cara", "Dan"]), match.screens, match.rows(), viewer)


@EVERY_LANGUAGE
def test_every_event_is_told_in_words_to_all_and_to_whom_it_concerns(language: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(6):
        match = random_match("artifacts-inc", seed, moves=3000)
        with speaking(language):
            public, own = lines_of(match, None), lines_of(match, match.state.first)
        for (_made, event), line, mine in zip(match.events, public, own, strict=True):
            seen[event.kind] += 1
            assert line != event.kind
            assert "{" not in line + mine
            if event.seat == match.state.first:
                assert line != mine, "it is said to somebody as it is said of them"
            elif event.facts.get("passes") == match.state.first:
                assert line != mine, "nobody reads their own name"
            elif event.seat is not None:
                assert line == mine
    assert {*seen} >= {*EVENTS} - RARE


def test_every_refusal_of_the_rules_has_a_sentence_of_its_own() -> None:
    source = "".join(file.read_text() for file in Path(engine.artifacts_inc.__file__).parent.glob("*.py"))
    codes = {
        *re.findall(r'IllegalMove\(\s*"([a-z-]+)"', source),
        "roll-first",
        "dive-needs-dice",
        "roll-needs-dice",
    }
    assert len(codes) > 30
    facts = {
        "die": 3,
        "requires": "4+",
        "artifact": "gem",
        "need": 2,
        "have": 1,
        "cost": 5,
        "number": 8,
        "sum": 6,
    }
    facts |= {"bonus": 0, "uses": 2, "action": "buy"}
    for language in languages():
        with speaking(language):
            texts = {code: SCREENS.refuse(IllegalMove(code, **facts)) for code in (*codes, "malformed")}
            assert len({*texts.values()}) == len(texts)
            assert not any("{" in text for text in texts.values())
            assert SCREENS.refuse(IllegalMove("of-a-later-version")) not in texts.values()


def test_the_name_of_every_card_that_comes_with_the_game_can_be_translated() -> None:
    assert {card.name for card in GAME.catalogue.cards} <= name.BUILT_IN
    with speaking("de"):
        assert name.card_name(GAME.catalogue.cards[0]) != "Fossil Museum"


def test_an_owners_names_stand_as_they_are_and_make_nothing_of_the_text() -> None:
    card_list = deepcopy(BUILT_IN)
    card_list["museums"][0]["name"] = "The **Back** @everyone"
    card = create(card_list).catalogue.cards[0]
    with speaking("de"):
        assert name.card_name(card) == "The **Back** @everyone"
        assert name.written(card).startswith("The \\*\\*Back\\*\\* @\u200beveryone")


@EVERY_LANGUAGE
@pytest.mark.parametrize(
    "card_list", [BUILT_IN, strange_list(), bare_list()], ids=["built-in", "strange", "bare"]
)
def test_the_rules_tell_every_side_of_every_card_from_its_data(language: str, card_list: object) -> None:
    game = create(card_list)
    with speaking(language):
        text = "\n".join(page.text for page in pages.rules(game.card_list, game.catalogue, []))
        for card in game.catalogue.cards[game.catalogue.public :]:
            assert name.written(card) in text
            for side in card.sides:
                assert effects.side_text(game.catalogue, side) in text
        for heading in ("__Starting cards__", "__Pile A__", "__Dives__"):
            assert (heading in text) == (language == "en")


def test_another_s_turn_is_told_in_the_order_of_its_events_with_what_was_sold_and_where() -> None:
    scroll = {"on": "desert_expedition", "die": 5, "artifact": "scroll", "dollars": 0}
    bought = {"card": "antiquarian", "cost": 2, "scrolls": 0, "reputation": 1, "counted": 0, "dollars": 0}
    museum = {"on": "scroll_museum", "die": 3, "artifact": "scroll", "count": 1, "dollars": 3}
    gem = {"on": "antiquarian", "die": 2, "artifact": "gem", "dollars": 3}
    collected = {"on": "private_collectors", "die": 1, "artifacts": {"fossil": 2, "gem": 1}, "dollars": 4}
    events = [
        SeenEvent("gained", 0, scroll),
        SeenEvent("bought", 0, bought),
        SeenEvent("filled", 0, museum),
        SeenEvent("sold", 0, gem),
        SeenEvent("collected", 0, collected),
    ]
    names = Names(Match(GAME, scene(), []).table(names=["Ana", "Ben"]).seats)
    deeds = [
        "finds 📜 1 Scroll",
        "**buys Antiquarian for $2 (⭐\N{NO-BREAK SPACE}+1)**",
        "sells 📜 1 Scroll to the Scroll Museum for $3",
        "sells 💎 1 Gem to the Antiquarian for $3",
        "sells 🦴 2 Fossils and 💎 1 Gem to the Private Collectors for $4",
    ]
    for viewer in (None, 1):
        assert SCREENS.recap(events, viewer, names) == [f"**Ana** {', '.join(deeds[:-1])} and {deeds[-1]}."]
    assert SCREENS.recap(events[:2], 0, names) == [
        "You find 📜 1 Scroll and **buy Antiquarian for $2 (⭐\N{NO-BREAK SPACE}+1)**."
    ]
    unused = [SeenEvent("bought", 0, {**bought, "counted": 4}), SeenEvent("passed", 0, {"dice": [1, 1]})]
    assert SCREENS.recap(unused, 1, names)[0].endswith("(⭐\N{NO-BREAK SPACE}+5) (2 dice unused).")
    earned = SeenEvent("earned", 0, {"on": "guide_work", "die": 2, "dollars": 1})
    torn = SCREENS.recap([events[0], earned, events[0], *events[2:3]], 1, names)
    assert torn == [f"**Ana** finds 📜 2 Scrolls, earns $1 with Guide Work and {deeds[2]}."]
    near = [events[0], SeenEvent("near", 0, {"reputation": 14})]
    assert [len(SCREENS.recap(near, viewer, names)) for viewer in (None, 0, 1)] == [2, 2, 1]
    assert SCREENS.recap(near[1:], 1, names) == [], "the race says it"
    revealed = SeenEvent("revealed", None, {"pile": "A", "card": "antiquarian"})
    assert SCREENS.recap([revealed], 0, names) == [], "the table and the shop show it"


def test_a_side_is_told_in_full() -> None:
    catalogue = create(strange_list()).catalogue
    club = next(card for card in catalogue.cards if card.key == "explorers_club")
    assert effects.side_text(catalogue, club.side(2)) == (
        "⭐ 2 · ⭐ +1 for each 🏺 Pottery you hold · ⭐ +1 for each museum with your cube · ⭐ +2 for each adjacent "
        "Expedition · 🎲\N{NO-BREAK SPACE}1\N{NO-BREAK SPACE}die · "
        "`any` $5 · 3 times per turn: turn an unplaced die up or down by 1 · dives: sum +9"
    )
    old = next(card for card in catalogue.cards if card.key == "antiquarian")
    assert effects.side_text(catalogue, old.side(1)) == "`any` sell an artifact for $3"
    assert effects.side_text(catalogue, old.side(2), plain=True) == (
        "⭐ 1 · any: sell an artifact for $4 · 1–5: an artifact that your Expeditions yield + $1"
    )


def test_the_first_page_is_ten_lines_and_ruling_numbers_stand_on_the_last_pages_alone() -> None:
    shown = SCREENS.rules()
    assert len(shown[0].text.splitlines()) == 10
    assert "A slot that says *buy* (Headquarters)" in shown[0].text, (
        "it says where one can buy from the start"
    )
    numbers = [re.findall(r"\bR[0-9]{2}\b", page.text) for page in shown]
    last = [page.title for page, found in zip(shown, numbers, strict=True) if found]
    assert set(last) == {"Full rules"}
    assert len({number for found in numbers for number in found}) == 27
