"""A player's moves in one line, as each viewer may know them; and what of others' moves concerns a player."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from random import Random
from types import SimpleNamespace

import pytest

from bot.ui.screens import chronicle
from bot.ui.screens.board import board
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names
from cogs.archaeology_family import recap
from engine.archaeology_family import moves as m
from engine.archaeology_family.state import State
from engine.game import Event
from tests.cogs.archaeology_family import crafted
from tests.cogs.artifact.test_table import lines
from tests.cogs.in_memory import ENGINES, Match, row
from tests.engine.expedition import scene as dig

NAMES = ["Ana", "Ben", "Cara"]
FOUND = Event("found", 0, {}, {"treasure": 2}, (0,), True)
TRADED = Event("traded", 0, {"give": [[0, 2]], "take": [[6, 1]], "over": 1})
SOLD = Event("sold", 0, {"treasure": 3, "count": 3, "price": 14})
ENDED = Event("ended", 0)
STOLEN = Event("stolen", 0, {"victim": 1}, {"treasure": 3}, (0, 1), True)


def match_of(game: str) -> Match:
    if game == "expedition":
        return Match(dig.GAME, dig.scene("coin", "coin", "coin"), [])
    return Match(crafted.GAME, crafted.craft([{"coin": 1}] * 3, site=["coin"]), [])


def recap_of(game: str, viewer: int | None, *events: Event) -> list[str]:
    match = match_of(game)
    names = Names(match.table(names=NAMES).seats)
    several = [SeenEvent(event.kind, event.seat, event.seen_by(viewer)) for event in events]
    return match.screens.recap(several, viewer, names)


def test_a_chamber_outshines_a_theft_and_its_story_says_whose_map_it_used() -> None:
    gave = SeenEvent("traded", 0, {"give": ((5, 1),), "take": ((0, 1),)})
    took = SeenEvent("traded", 1, {"give": (), "take": ((5, 1),)})
    screens, names = match_of("archaeology").screens, Names(match_of("archaeology").table().seats)
    opened, robbed = (
        SeenEvent("explored", 1, {"count": 7, "chamber": 1}),
        SeenEvent("stolen", 1, {"victim": 0}),
    )
    sold = SeenEvent("sold", 1, {"treasure": 5, "count": 4, "price": 15})
    cases = [
        ([gave, took], opened, 0),
        ([gave, took], sold, 0),
        ([took], opened, 0),
        ([gave, took], opened, 1),
    ]
    views = [SimpleNamespace(market=[0, 0, 0, 0, 0, lies]) for lies in (0, 1)]
    assert [screens.helped(views[lies], [*before, use], [use], 0, names) for before, use, lies in cases] == [
        "With 🗺️ 1 Map that you had given away, **Person 2** opened the medium chamber.",
        "You had given away 🗺️ 1 Map of that set.",
        *["", ""],
    ]
    assert recap.moment(opened, 0, crafted.GAME.card_list) > recap.moment(robbed, 0, crafted.GAME.card_list)


@pytest.mark.parametrize("game", ["archaeology", "expedition"])
def test_every_move_of_whole_matches_is_a_line_that_tells_others_nothing_hidden(game: str) -> None:
    rng = Random(3)
    for options in ENGINES[game].variants(3):
        events = list(played(game, options, rng))
        for viewer in (None, 0, 1, 2):
            for number, several in groupby(events, key=lambda each: each[0]):
                these = [event for _number, event in several]
                shown = recap_of(game, viewer, *these)
                if [event.kind for event in these] == ["ended"] and viewer is not None:
                    assert len(shown) == bool(these[0].facts), "that a turn has ended goes without saying"
                    continue
                assert len(shown) == 1 if viewer is None else 1 <= len(shown) <= 4
                assert all(line.rstrip("*").endswith(".") for line in shown), (number, shown)
                hidden = [each for each in these if viewer not in each.known_to]
                public = [each._replace(secret={}, known_to=()) for each in hidden]
                if len(public) == len(these):
                    assert shown == recap_of(game, viewer, *public)


def played(game: str, options: object, rng: Random) -> Iterator[tuple[int, Event]]:
    engine = ENGINES[game]
    state = engine.new(3, options, rng.randbytes(32))  # type: ignore[arg-type]
    number = 0
    while pending := engine.pending(state):
        number += 1
        seat = pending[0].seat
        yield from ((number, event) for event in engine.apply(state, seat, engine.sample(state, seat, rng)))


def test_the_table_message_has_a_line_for_each_players_last_turn() -> None:
    match = match_of("archaeology")
    events = [FOUND, TRADED, ENDED, Event("found", 1, {}, {"treasure": 1}, (1,), True), Event("ended", 1)]
    events += [Event("sandstorm", 2), Event("lost", 0, {"cards": [[2, 1]]}), FOUND]
    rows = [row(event, number, event.seat) for number, event in enumerate(events, 1)]
    assert chronicle.latest(match.table(names=NAMES), match.screens, rows, None, len(rows)) == [
        "**Ana** trades 🏺 2 Pot Shards for 🎭 1 Pharaoh's Mask.",
        "**Ben** digs. **Cara** digs up a 🌪️ Sandstorm.",
        "**Ana** loses 🪙 1 Coin to the market.",
    ]


def board_after(state: State, *moves: object) -> str:
    """The table message after these moves, made by the seat that is asked."""
    match, game = Match(crafted.GAME, state, []), crafted.GAME
    for number, move in enumerate(moves, 1):
        seat = game.pending(state)[0].seat
        match.movers[number] = seat
        match.events += [(number, event) for event in game.apply(state, seat, move)]
    return "\n".join(lines(board(match.table(names=NAMES), match.screens, match.rows(), 0.0)))


def test_the_table_says_why_a_thief_or_a_sandstorm_did_nothing() -> None:
    poor = crafted.craft([{"coin": 2}, {}], site=["thief", "coin"])
    text = "**Ana** meets a Thief, who finds nothing to take: all other hands are empty."
    assert text in board_after(poor, m.Dig())
    calm = crafted.craft([{"coin": 1}, {}], site=["sandstorm", "coin"])
    assert "a Sandstorm, but it takes nothing: no one has more than one card." in board_after(calm, m.Dig())
    one = crafted.craft([{"coin": 2}, {"coin": 1}], site=["sandstorm", "map"])
    assert (
        "**Ana** digs up a 🌪️ Sandstorm. **Ben** loses nothing from a hand of one card. **The last Sandstorm: after "
        "it, every hand is safe from storms.** **Ana** loses 🪙 1 Coin to the market."
    ) in board_after(one, m.Dig(), m.Discard(((2, 1),)), m.Dig())


def test_a_sale_that_takes_the_lead_says_so() -> None:
    behind = crafted.craft([{"map": 2}, {}], sold=[[("coin", 2)], [("coin", 2)]], phase=crafted.ACT)
    text = board_after(behind, m.Sell(5, 1), m.Sell(5, 1))
    assert "sells 🗺️ 1 Map ×2 for $6. **Ana is now ahead: $11 to $5.**" in text


def test_a_theft_concerns_its_victim_and_nobody_else() -> None:
    match = match_of("archaeology")
    theft = [SeenEvent(STOLEN.kind, STOLEN.seat, STOLEN.seen_by(viewer)) for viewer in range(3)]
    concerned = [match.screens.concerns(event, viewer) for viewer, event in enumerate(theft)]
    assert concerned == [True, True, False]
    assert not match.screens.concerns(SeenEvent("sold", 0, SOLD.facts), 1)


def test_a_sandstorm_and_all_that_it_takes_are_one_line_until_the_next_turn() -> None:
    storm = [
        SeenEvent("sandstorm", 2, {}),
        SeenEvent("lost", 0, {"cards": [(0, 1)]}),
        SeenEvent("lost", 1, {"cards": [(2, 2)]}),
    ]
    assert recap.newest_turn([SeenEvent("ended", 1, {}), *storm]) == 3
    assert recap.newest_turn([*storm, SeenEvent("sold", 2, {})]) == 4, "the digger goes on"
    assert recap.newest_turn([*storm, SeenEvent("found", 0, {})]) == 0, "the next player has begun"
    assert recap.newest_turn([*storm, SeenEvent("ended", 2, {})]) == 4
    assert recap.newest_turn([*storm, SeenEvent("ended", 2, {}), SeenEvent("found", 0, {})]) == 0


def test_sales_of_one_treasure_are_told_as_one_speaks() -> None:
    sold = [
        SeenEvent("sold", 0, {"treasure": kind, "count": n, "price": n})
        for kind, n in ((1, 4), (2, 1), (1, 1))
    ]
    said = recap.sales_text(sold, you=False)
    assert said == "sells 📜 5 Parchment Scraps (4 + 1) and 🪙 1 Coin for $6"
    assert recap.sales_text(sold[:1] * 2, you=True) == "sell 📜 4 Parchment Scraps ×2 for $8"
