"""A player's moves in one line, as each viewer may know them; and what of others' moves concerns a player."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from random import Random

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
SOLD_TOO = Event("sold", 0, {"treasure": 2, "count": 1, "price": 2})
ENDED = Event("ended", 0)
STOLEN = Event("stolen", 0, {"victim": 1}, {"treasure": 3}, (0, 1), True)
EXPLORED = Event("explored", 0, {"chamber": 1, "maps": 2, "count": 5}, {"cards": [[0, 5]]}, (0,), True)
TURNED = Event("turned_up", 0, {"treasure": 0, "worth": 1})
KEPT = Event("kept", 0, {"chamber": 0, "count": 2}, {"cards": [[2, 2]]}, (0,))


def match_of(game: str) -> Match:
    if game == "expedition":
        return Match(dig.GAME, dig.scene("coin", "coin", "coin"), [])
    return Match(crafted.GAME, crafted.craft([{"coin": 1}] * 3, site=["coin"]), [])


def told(game: str, viewer: int | None, *events: Event) -> list[str]:
    match = match_of(game)
    names = Names(match.table(names=NAMES).seats)
    several = [SeenEvent(event.kind, event.seat, event.seen_by(viewer)) for event in events]
    return match.screens.recap(several, viewer, names)


@pytest.mark.parametrize(
    ("game", "viewer", "events", "line"),
    [
        (
            "archaeology",
            1,
            [FOUND, TRADED, SOLD, SOLD_TOO, ENDED],
            "**Ana** digs up a treasure, trades 🏺 2 Pot Shards for 🎭 1 Pharaoh's Mask and sells 🧿 3 Talismans and "
            "🪙 1 Coin for $16.",
        ),
        ("archaeology", 0, [FOUND, SOLD, ENDED], "You dig up 🪙 1 Coin and sell 🧿 3 Talismans for $14."),
        ("archaeology", None, [ENDED], "**Ana** ends the turn."),
        ("archaeology", 0, [ENDED], "You end your turn."),
        (
            "archaeology",
            0,
            [Event("thief", 0), STOLEN],
            "You meet a 🦹 Thief and steal 🧿 1 Talisman from **Ben**.",
        ),
        (
            "archaeology",
            1,
            [Event("thief", 0), STOLEN],
            "**Ana** meets a 🦹 Thief and steals 🧿 1 Talisman from you.",
        ),
        (
            "archaeology",
            2,
            [Event("thief", 0), STOLEN],
            "**Ana** meets a 🦹 Thief and steals a card from **Ben**.",
        ),
        ("archaeology", 2, [Event("thief", 0), ENDED], "**Ana** meets a 🦹 Thief."),
        (
            "archaeology",
            0,
            [EXPLORED],
            "You find 🏺 5 Pot Shards in the medium chamber.",
        ),
        ("archaeology", 1, [EXPLORED], "**Ana** finds 5 cards in the medium chamber."),
        (
            "archaeology",
            None,
            [SOLD, Event("over", None, {"winners": [0]})],
            "**Ana** sells 🧿 3 Talismans for $14. 🏁 The match is over: no one has a card left.",
        ),
        (
            "expedition",
            1,
            [Event("entered", 0, {"chamber": 0, "maps": 1}), TURNED, Event("mined", 0, {"cards": [[0, 1]]})],
            "**Ana** takes 🏺 1 Pot Shard out of the Mine.",
        ),
        ("expedition", 1, [KEPT], "**Ana** keeps 2 cards from Chamber 1."),
        ("expedition", 0, [KEPT], "You keep 🪙 2 Coins from Chamber 1."),
        ("expedition", 1, [Event("tent", 1, {"used": True})], "You lose nothing thanks to your ⛺ Tent."),
        (
            "expedition",
            1,
            [Event("sandstorm", 0), Event("uncovered", 0, {"treasures": [0, 1, 2], "pile": 9})],
            "**Ana** digs up a 🌪️ Sandstorm. The storm uncovers 🏺 Pot Shard, 📜 Parchment Scrap and 🪙 Coin in the "
            "Ruins, one in each chamber.",
        ),
    ],
)
def test_a_turn_is_one_line(game: str, viewer: int | None, events: list[Event], line: str) -> None:
    assert told(game, viewer, *events) == [line]


@pytest.mark.parametrize("game", ["archaeology", "expedition"])
def test_every_move_of_whole_matches_is_a_line_for_each_player_that_tells_others_nothing_hidden(
    game: str,
) -> None:
    rng = Random(3)
    for options in ENGINES[game].variants(3):
        events = list(played(game, options, rng))
        for viewer in (None, 0, 1, 2):
            for number, several in groupby(events, key=lambda each: each[0]):
                these = [event for _number, event in several]
                shown = told(game, viewer, *these)
                if [event.kind for event in these] == ["ended"] and viewer not in (None, these[0].seat):
                    assert len(shown) == bool(these[0].facts), "that a turn has ended goes without saying"
                    continue
                assert len(shown) == 1 if viewer is None else 1 <= len(shown) <= 4
                assert all(line.endswith(".") for line in shown), (number, shown)
                public = [
                    event._replace(secret={}, told_to=()) for event in these if viewer not in event.told_to
                ]
                if len(public) == len(these):
                    assert shown == told(game, viewer, *public)


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
    assert chronicle.latest_turns(match.table(names=NAMES), match.screens, rows, None, len(rows)) == [
        "**Ana** digs up a treasure and trades 🏺 2 Pot Shards for 🎭 1 Pharaoh's Mask.",
        "**Ben** digs up a treasure.",
        "**Cara** digs up a 🌪️ Sandstorm.",
        "**Ana** loses 🪙 1 Coin to the market. **Ana** digs up a treasure.",
    ]


LOST = [Event("lost", seat, {"cards": [[seat, 1]]}) for seat in range(3)]
TENTS = [Event("tent", seat, {"used": seat == 2}) for seat in range(3)]


def test_what_happened_first_is_told_first() -> None:
    """A theft after a Sandstorm stands below the losses, and what the digger does next below both.

    The table message, which has little room, tells all in one line.
    """
    storm = Event("sandstorm", 0, reveals=True)
    assert told("archaeology", 2, storm, *LOST[:2], Event("thief", 0), STOLEN, SOLD) == [
        "**Ana** digs up a 🌪️ Sandstorm and loses 🏺 1 Pot Shard to the market.",
        "**Ben** loses 📜 1 Parchment Scrap to the market.",
        "**Ana** meets a 🦹 Thief, steals a card from **Ben** and sells 🧿 3 Talismans for $14.",
    ], "a line for each player"
    assert told("expedition", None, storm, TENTS[1], TENTS[2], TENTS[0], *LOST[:2], FOUND) == [
        "**Ana** digs up a 🌪️ Sandstorm. **Cara** loses nothing thanks to the ⛺ Tent. **Ana** saves the Tent and loses "
        "🏺 1 Pot Shard to the market. **Ben** saves the Tent and loses 📜 1 Parchment Scrap to the market. **Ana** "
        "digs up a treasure."
    ]


@pytest.mark.parametrize(
    ("viewer", "event", "log", "short"),
    [
        (
            1,
            Event("sandstorm", 0, {"spared": [(1, 1), (2, 0)]}),
            "🌪️ **Ana** digs up a Sandstorm! It takes half of every hand, rounded down. You lose nothing from a hand of "
            "one card. **Cara** has no card to lose.",
            "**Ana** digs up a 🌪️ Sandstorm. You lose nothing from a hand of one card. **Cara** has no card to lose.",
        ),
        (
            None,
            Event("sandstorm", 0, {"in_vain": True}),
            "🌪️ **Ana** digs up a Sandstorm, but it takes nothing: no one has more than one card.",
            "",
        ),
        (
            0,
            Event("thief", 0, {"in_vain": True}),
            "🦹 You meet a Thief, who finds nothing to take: all other hands are empty.",
            "",
        ),
        (
            0,
            Event("sandstorm", 0),
            "🌪️ You dig up a Sandstorm! It takes half of every hand, rounded down.",
            None,
        ),
    ],
)
def test_a_card_without_an_effect_says_why(
    viewer: int | None, event: Event, log: str, short: str | None
) -> None:
    match = match_of("archaeology")
    names = Names(match.table(names=NAMES).seats)
    assert match.screens.tell(SeenEvent(event.kind, event.seat, event.facts), viewer, names) == log
    if short is not None:
        assert " ".join(told("archaeology", viewer, event)) == (short or log)


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
    assert "**Ana** meets a Thief, who finds nothing to take: the hand of **Ben** is empty." in board_after(
        poor, m.Dig()
    )
    calm = crafted.craft([{"coin": 1}, {}], site=["sandstorm", "coin"])
    assert "a Sandstorm, but it takes nothing: no one has more than one card." in board_after(calm, m.Dig())
    one = crafted.craft([{"coin": 2}, {"coin": 1}], site=["sandstorm", "map"])
    assert (
        "**Ana** digs up a 🌪️ Sandstorm. **Ben** loses nothing from a hand of one card. **Ana** loses 🪙 1 Coin to the "
        "market and digs up a treasure."
    ) in board_after(one, m.Dig(), m.Discard(((2, 1),)), m.Dig())


def test_a_theft_concerns_its_victim_and_nobody_else() -> None:
    match = match_of("archaeology")
    theft = [SeenEvent(STOLEN.kind, STOLEN.seat, STOLEN.seen_by(viewer)) for viewer in range(3)]
    assert [match.screens.concerns(event, viewer) for viewer, event in enumerate(theft)] == [
        True,
        True,
        False,
    ]
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
