"""The news on private screens are one story: in the order of events, nothing twice, and nothing that has gone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.replay.findings import Played
from bot.replay.turns import moments
from bot.store.model import LogRow
from bot.tables.history import seen_moves
from bot.tables.model import Table
from bot.ui.screens import components as ui
from bot.ui.screens.board import board
from bot.ui.screens.chronicle import lines_of, turns, weight
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.kit import Screen
from bot.ui.screens.names import Names
from bot.ui.screens.news import log_from, news, shown_news
from bot.ui.screens.pages import log_page
from bot.ui.screens.private import private
from engine.game import AnyGame, Event, dump_event
from tests.bot.replay.records import played as recorded
from tests.cogs.archaeology_family import crafted
from tests.cogs.artifact.test_table import lines
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS, Match, row
from tests.cogs.page import Page, news_of
from tests.cogs.table_driver import Room
from tests.cogs.test_absence import end
from tests.engine.artifacts_inc.scene import GAME, scene
from tests.sampling import amount

pytestmark = pytest.mark.sampled

NAMES = ["Ana", "Ben", "Cara", "Dan", "Eva"]
MATCHES, MOVES = amount(4, 3), amount(110, 45)


class Play:
    """A random match, whose seats record when their people have moved. Each event has its number among its facts."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        self.rng = Random(f"{game.key}:{seed}")
        seats = self.rng.randint(max(2, game.min_seats), game.max_seats)
        state = game.new(seats, self.rng.choice(list(game.variants(seats))), self.rng.randbytes(32))
        self.match = Match(game, state, [])
        self._log(0, game.opening(state))
        self.places = [(0, 0)] * seats

    def _log(self, move: int, events: Sequence[Event]) -> None:
        for event in events:
            facts = {**event.facts, "n": len(self.match.events)}
            self.match.events.append((move, event._replace(facts=facts)))

    def tables(self) -> Iterator[Table]:
        """The table after each move."""
        match = self.match
        for move in range(1, MOVES):
            pending = match.game.pending(match.state)
            if not pending:
                return
            seat = self.rng.choice(pending).seat
            match.movers[move] = seat
            chosen = match.game.sample(match.state, seat, self.rng)
            self._log(move, match.game.apply(match.state, seat, chosen))
            self._act(seat, move - 1, move)
            if self.rng.random() < 0.2:  # somebody chooses ahead
                self._act(self.rng.randrange(len(self.places)), move, move)
            table = match.table(names=NAMES)
            table.sequence = move
            for own, (moved, since) in zip(table.seats, self.places, strict=True):
                own.moved, own.since = moved, since
            yield table

    def _act(self, seat: int, before: int, now: int) -> None:
        """Records that a seat's person has moved, or, with the same two numbers of moves, chosen a move ahead."""
        moved, since = self.places[seat]
        self.places[seat] = now, since if moved == before else moved

    def rows(self, table: Table, seat: int) -> list[LogRow]:
        return [each for each in self.match.rows() if each.sequence >= log_from(table, seat)]


def numbered(key: str) -> AnyScreens:
    """The game's screens, with the numbers of the events in the place of all words that are not empty."""
    screens: Any = type(SCREENS[key])

    class Numbered(screens):
        def describe(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
            return f"#{event.facts['n']}"

        def recap(self, events: Sequence[SeenEvent], viewer: int | None, names: Names) -> list[str]:
            worded = any(super().recap(events, viewer, names))
            return [" ".join(f"#{event.facts['n']}" for event in events)] if worded else []

        def news_line(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
            return f"#{event.facts['n']}" if super().news_line(event, viewer, names) else ""

    return Numbered(ENGINES[key])


def numbers(texts: Sequence[str]) -> list[int]:
    return [int(found) for text in texts for found in re.findall(r"#(\d+)", text)]


@pytest.mark.parametrize("key", PLAYED)
def test_all_that_one_does_in_the_present_turn_and_has_suffered_is_told_in_order_and_once(key: str) -> None:
    screens, words, checked = numbered(key), SCREENS[key], 0
    for seed in range(MATCHES):
        play = Play(ENGINES[key], seed)
        for table in play.tables():
            names, reported = Names(table.seats), play.match.events
            for seat, (moved, since) in enumerate(play.places):
                rows = play.rows(table, seat)
                shown = numbers(shown_news(Screen(), table, screens, rows, seat))
                in_order = (
                    sorted(shown) if key == "artifacts-inc" else shown
                )  # there the best deed comes first
                assert in_order == sorted({*shown})
                seen = [
                    (n, move, SeenEvent(e.kind, e.seat, e.seen_by(seat)))
                    for n, (move, e) in enumerate(reported)
                ]
                seen = [each for each in seen if each[1] >= log_from(table, seat)]
                in_turn = moved == table.sequence
                brief = key == "artifact" and seat in table.body.asked  # a turn that was seen is a line
                own = {
                    n
                    for n, move, event in seen
                    if (since < move if in_turn else move == moved and not brief)
                    if play.match.movers.get(move) == seat == event.seat
                    if words.news_line(event, seat, names) and any(words.recap([event], seat, names))
                }
                suffered = {
                    n
                    for n, move, event in seen
                    if move > (since if in_turn else moved) and words.concerns(event, seat)
                    if words.news_line(event, seat, names) and any(words.recap([event], seat, names))
                    if not (brief and in_turn and event.seat == seat)
                }
                # After the end, the last turn alone is told.
                assert own | suffered <= {*shown} or (table.status == "over" and shown)
                checked += 1
    assert checked


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_the_weightiest_fact_of_each_other_s_newest_turn_stays_however_little_room_there_is(key: str) -> None:
    screens, words, checked = numbered(key), SCREENS[key], 0
    for seed in range(MATCHES):
        play = Play(ENGINES[key], seed)
        for table in play.tables():
            for seat, (moved, since) in enumerate(play.places):
                rows = play.rows(table, seat)
                shown = numbers(shown_news(Screen(), table, screens, rows, seat, room=0))
                seen = since if moved == table.sequence else moved
                played = turns(lines_of(table, rows, seat), words)
                newest = {turn[0].mover: turn for turn in played if turn[-1].sequence > seen}
                for turn in [turn for mover, turn in newest.items() if mover not in (None, seat)]:
                    weights = {line.event.facts["n"]: weight(line, words) for line in turn}
                    heaviest = {n for n, weighs in weights.items() if weighs == max(weights.values())}
                    if not {line.event.kind for line in turn} <= {"ended", "passed"}:
                        assert heaviest & {*shown}, (seed, table.sequence, seat)
                        checked += 1
    assert checked


@pytest.mark.parametrize("key", PLAYED)
@pytest.mark.parametrize("seats", [2, 3])
def test_the_log_has_the_numbers_of_the_turns_that_a_review_has(key: str, seats: int) -> None:
    record = recorded(key, seats, 5)
    own = {number for number, (seat, _move) in enumerate(record.moves, 1) if seat == 0}
    seen = seen_moves(record, ENGINES, own)
    review, match = Played.of(record, ENGINES, SCREENS[key], seen), Match(ENGINES[key], None, [])
    shown_in_films = dict[int, int]()
    for moment in moments(record, ENGINES):
        step = moment.step
        shown_in_films |= {step.move: moment.nth} if moment.owner == 0 else {}
        match.state = step.state
        for event in step.events:
            facts = {**event.facts, "n": len(match.events)}
            match.events.append((step.move, event._replace(facts=facts)))
        match.movers |= {} if step.seat is None else {step.move: step.seat}
    pages = [log_page(match.table(), numbered(key), match.rows(), 0, page) for page in range(99)]
    texts = dict.fromkeys("\n".join(ui.texts(page.items[1:])) for page in pages)
    shown, of_event = 0, dict[int, int]()
    for line in "\n".join(texts).splitlines():
        heading = re.fullmatch(r"\*\*(?:Turn|Round) (\d+)\*\*", line)
        shown = int(heading[1]) if heading else shown
        assert not {*numbers([line])} & {*of_event}, "the pages do not overlap"
        of_event |= dict.fromkeys(numbers([line]), shown)
    assert all(re.match(r"\*\*(Turn|Round) ", text) for text in [*texts][1:]), "each page begins with a turn"
    views = {each.number: each.view for each in seen}
    for n, (move, event) in enumerate(match.events):
        if move in own and event.seat == 0 and of_event.get(n):  # before the first round is the set-up
            expected = views[move].round if SCREENS[key].counts_rounds else review.own_turns[move]
            assert of_event[n] == expected == shown_in_films.get(move, expected), (n, event)
    assert len({*of_event.values()}) > 3


# -- in words


def above_the_hand(page: Page) -> list[str]:
    """The news, which stand above whose turn it is."""
    return news_of(page.text.splitlines())


async def test_one_s_present_turn_stands_apart_below_the_others_and_the_turn_before_is_no_news(
    room: Room,
) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 1}, {"coin": 1}], site=["parchment_scrap"] * 9))
    for person in (ana, ben):
        await person.press(await person.press(await person.hand(), "Dig"), "End Turn")
    page = await ana.hand()
    assert above_the_hand(page) == ["**Ben** digs."]
    page = await ana.press(page, "Dig")
    assert above_the_hand(page) == ["-# **Ben** digs.", "**Now:** You dig up 📜 1 Parchment Scrap."]


async def test_a_theft_from_the_reader_is_marked_by_a_sign_and_in_bold(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 1}, {"talisman": 2}], site=["thief", "thief", *["coin"] * 6]))
    page = await ana.press(await ana.hand(), "Dig")
    assert above_the_hand(page) == ["You meet a 🦹 Thief.", "### You steal 🧿 1 Talisman from **Ben**."]
    await ana.press(page, "End Turn")
    await ben.press(await ben.press(await ben.hand(), "Dig"), "End Turn")
    reported = above_the_hand(await ana.hand())
    assert reported[0] == "-# **Ben** meets a 🦹 Thief (the last one).", "the turn before is no news"
    assert re.fullmatch(r"### 🦹 \*\*Ben steals .* from you\.\*\*", reported[1])
    assert len(reported) == 2, "that a turn has ended goes without saying"


Moves = Sequence[tuple[int, Sequence[Event]]]
"""The mover and the events of each move."""


def played(
    match: Match, moves: Moves, chooser: int = 0, in_advance: int | None = None
) -> tuple[Table, AnyScreens, list[LogRow]]:
    """A match with these moves, each of which was its player's latest act.

    The `chooser` acted after `in_advance` moves instead, when they chose their next move.
    """
    rows = [row(event, n, mover) for n, (mover, events) in enumerate(moves, 1) for event in events]
    table = match.table(names=NAMES)
    table.sequence = len(moves)
    acts = [(n, mover) for n, (mover, _events) in enumerate(moves, 1)]
    if in_advance is not None:
        later = next(act for act in acts[in_advance:] if act[1] == chooser)
        acts[acts.index(later)] = in_advance, chooser
    for n, mover in sorted(acts):
        seat = table.seats[mover]
        before = n if (n, mover) == (in_advance, chooser) else n - 1
        seat.moved, seat.since = n, seat.since if seat.moved == before else seat.moved
    return table, match.screens, rows


def artifacts_inc(*moves: tuple[int, Sequence[Event]]) -> tuple[Table, AnyScreens, list[LogRow]]:
    match = Match(game := ENGINES["artifacts-inc"], game.new(2, next(iter(game.variants(2))), b"5" * 32), [])
    return played(match, moves)


GAINED = Event("gained", 0, {"on": "canyon_expedition", "die": 1, "artifact": "fossil", "dollars": 0})
NOW = "**Now:** You place 1️⃣ on Canyon Expedition and gain 🦴 1 Fossil."
DIVE = Event(
    "dived", 1, {"number": 7, "dice": [7], "bonus": 0, "find": "pottery", "reputation": 2}, reveals=True
)
NEWEST = "**Ben** dives for 🏺 Pottery (⭐\N{NO-BREAK SPACE}+2)."
DIVES = f"-# {NEWEST}"


def of_ana(*moves: tuple[int, Sequence[Event]], active: int = 0) -> list[str]:
    """Ana's news after these moves of Artifacts, Inc."""
    match = Match(GAME, scene(dice="1 2", active=active), [])
    table, screens, rows = played(match, moves)
    return shown_news(Screen(), table, screens, rows, 0)


def found(n: int) -> list[str]:
    """So many finds of Ana's in short."""
    return [f"-# You find 🦴 {n} Fossil{'s' if n > 1 else ''}."] if n else []


def test_one_s_turn_before_is_told_as_a_whole_in_short() -> None:
    for own in range(1, 21):
        assert of_ana(*[(0, [GAINED])] * own, (1, [DIVE])) == [*found(own), NEWEST], f"{own} moves"


def test_reputation_gained_at_once_is_a_heading_from_four_on() -> None:
    bought = {"card": "dig_camp", "cost": 2, "scrolls": 0, "counted": 1, "dollars": 0}
    for scored, large in ((2, False), (3, True)):
        event = Event("bought", 1, {**bought, "reputation": scored})
        shown = of_ana((1, [GAINED._replace(seat=1), event]))
        assert shown[0].startswith("### ") == (len(shown) == 2) == large


def test_of_the_present_turn_the_last_move_is_told_in_full_below_the_others_in_short() -> None:
    for own in range(1, 21):
        assert of_ana((1, [DIVE]), *[(0, [GAINED])] * own) == [DIVES, *found(own - 1), NOW], f"{own} moves"


def test_the_news_begin_with_one_s_turn_before_until_one_s_next_move() -> None:
    turn: Moves = [(0, [GAINED]), (1, [DIVE]), (0, [GAINED]), (1, [DIVE])]
    assert of_ana(*turn) == [*found(1), NEWEST], "the turn before the latest one is no news"
    assert of_ana(*turn, (0, [GAINED])) == [DIVES, NOW]
    assert of_ana(*turn, *[(0, [GAINED])] * 2) == [DIVES, *found(1), NOW]


def test_a_wish_to_end_the_match_does_not_tear_the_turn_in_which_it_comes() -> None:
    match = Match(GAME, scene(dice="1 2"), [])
    table, screens, rows = played(match, [(1, [DIVE]), (0, [GAINED]), (0, [GAINED])])
    wish = LogRow("table", 2, json.dumps(dump_event(Event("end-vote", 1))), 0.0)
    reported = shown_news(Screen(), table, screens, [*rows[:2], wish, *rows[2:]], 0)
    assert reported == [DIVES, *found(1), "-# 🏳️ **Ben** wants to end the match.", NOW]


async def test_a_match_that_all_agreed_to_end_tells_each_of_them_their_own_wish_too(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 1}, {"coin": 1}], site=["coin"] * 6))
    his, hers = await ben.hand(), await end(ana)
    own = "🏳️ You want to end the match."
    assert own not in hers.text, "a line below her hand says it, with what it takes"
    assert "You want to end the match. It ends once **Ben** agrees too." in hers.text
    await ben.press(await room.board(), "Agree to End")
    await room.catch_up()
    wishes = [line for line in hers.text.splitlines() if "🏳️" in line]
    assert wishes == [own, "-# 🏳️ **Ben** wants to end the match."]
    wishes = [line for line in his.text.splitlines() if "🏳️" in line]
    assert wishes == ["-# 🏳️ **Ana** wants to end the match.", own]


def archaeology(
    *moves: tuple[int, Sequence[Event]], seat: int, active: int = 0, in_advance: int | None = None
) -> list[str]:
    """The news for a seat in a match of Archaeology with these moves.

    `in_advance` is the number of moves after which the seat chose its next move, which was then not its latest act.
    """
    match = Match(crafted.GAME, crafted.craft([{"coin": 1}] * 3, active=active, site=["coin"] * 9), [])
    table, screens, rows = played(match, moves, seat, in_advance)
    log = [each for each in rows if each.sequence >= log_from(table, seat)]
    return shown_news(Screen(), table, screens, log, seat)


STORM = Event("sandstorm", 0, reveals=True)
LOSES = tuple(Event("lost", seat, {"cards": [[seat, 2]]}) for seat in range(3))
ENDS = tuple(Event("ended", seat) for seat in range(3))
FIRST_STORM: Moves = [(0, [STORM]), *[(seat, [LOSES[seat]]) for seat in range(3)]]


def test_the_losses_of_others_in_one_s_own_sandstorm_stand_below_it_also_after_a_second_one() -> None:
    assert archaeology(*FIRST_STORM, (0, [STORM]), seat=0) == [
        "-# You dig up a 🌪️ Sandstorm and lose 🏺 2 Pot Shards to the market.",
        "-# **Ben** loses 📜 2 Parchment Scraps to the market.",
        "-# **Cara** loses 🪙 2 Coins to the market.",
        "You dig up a 🌪️ Sandstorm.",
    ]


def test_one_s_own_loss_stands_below_the_sandstorm_that_another_dug_up() -> None:
    rest: Moves = [(0, [Event("thief", 0, reveals=True)]), (0, [ENDS[0]])]
    dug: Moves = [(2, [Event("found", 2, {}, {"treasure": 1}, (2,), True)]), (2, [ENDS[2]])]
    for more in ([], dug):
        assert archaeology(*FIRST_STORM, *rest, *more, seat=1, active=1) == [
            "-# **Ana** digs up a 🌪️ Sandstorm and loses 🏺 2 Pot Shards to the market.",
            "### 🌪️ **You lose 📜 2 Parchment Scraps to the market.**",
            "-# **Cara** loses 🪙 2 Coins to the market.",
            "-# **Ana** meets a 🦹 Thief.",
            *(["-# **Cara** digs."] if more else []),
        ]
    after: Moves = [(1, [Event("found", 1, {}, {"treasure": 1}, (1,), True)])]
    reported = archaeology(*FIRST_STORM, *rest, *after, seat=1, active=1)
    assert reported[-1] == "**Now:** You dig up 📜 1 Parchment Scrap."
    assert reported[0].startswith("-# **Ana** digs up a 🌪️ Sandstorm"), "the cause of her loss"


def test_the_picture_below_a_heading_is_of_that_and_not_of_a_later_sale() -> None:
    sale = Event("sold", 0, {"treasure": 0, "count": 5, "price": 15})
    match = Match(crafted.GAME, crafted.craft([{"coin": 1}] * 3, active=1, site=["coin"] * 9), [])
    table, screens, rows = played(match, [*FIRST_STORM, (0, [sale, ENDS[0]])], 1)
    (picture,) = [turn.picture for turn in news(table, screens, rows, 1) if turn.picture]
    assert picture.alt.startswith("A Sandstorm sweeps over the camp.")


def test_a_sale_that_ended_one_s_turn_stays_the_heading_of_what_others_did_that_stands_out_as_much() -> None:
    sells = [Event("sold", seat, {"treasure": 0, "count": 5, "price": 15}) for seat in range(3)]
    own: Moves = [(seat, [sells[seat], ENDS[seat]]) for seat in range(3)]
    assert [line[:7] for line in archaeology(*own, seat=0)] == ["### You", "**Ben**", "**Cara*"]
    great: Moves = [(0, [Event("sold", 0, {"treasure": 2, "count": 5, "price": 30})])]
    assert archaeology(*great, *own, seat=0)[0] == "### You sell 🪙 5 Coins for $30."


def test_a_trade_is_told_with_the_sale_or_the_exploration_that_it_is_for_and_a_thief_by_the_theft() -> None:
    robs = Event("stolen", 1, {"victim": 0}, {"treasure": 6}, (0, 1), True)
    trades = [([[3, 2]], [[5, 2]]), ([[0, 5], [1, 3], [2, 1]], [[6, 4]])]
    maps, masks = (Event("traded", 1, {"give": give, "take": take, "over": 0}) for give, take in trades)
    opens = Event("explored", 1, {"chamber": 1, "maps": 2, "count": 5}, {"cards": [[0, 5]]}, (1,), True)
    sells = Event("sold", 1, {"treasure": 6, "count": 4, "price": 50})
    turn: Moves = [(1, [Event("thief", 1), robs]), (1, [maps]), (1, [opens]), (1, [masks]), (1, [sells])]
    assert archaeology((0, [ENDS[0]]), *turn, seat=0) == [
        "🦹 **Ben steals 🎭 1 Pharaoh's Mask from you.**",
        "**Ben** trades 🧿 2 Talismans for 🗺️ 2 Maps and finds 5 cards in the medium chamber for 2 Maps.",
        "### **Ben** trades 9 cards for 🎭 4 Pharaoh's Masks and sells 🎭 4 Pharaoh's Masks for $50.",
    ]


def test_one_s_own_choice_in_another_s_turn_is_told_without_one_s_own_turn_before_it() -> None:
    own: Moves = [(1, [Event("found", 1, {}, {"treasure": 1}, (1,), True)]), (1, [ENDS[1]])]
    assert archaeology(*own, *FIRST_STORM, seat=1) == [
        "-# **Ana** digs up a 🌪️ Sandstorm and loses 🏺 2 Pot Shards to the market.",
        "### 🌪️ **You lose 📜 2 Parchment Scraps to the market.**",
        "-# **Cara** loses 🪙 2 Coins to the market.",
    ]


def test_a_storm_of_before_one_s_own_turn_is_no_news_after_that_turn() -> None:
    """The choice in it was made in advance, while the storm's first player was choosing, or last of all."""
    storm: Moves = [(0, [STORM]), (0, [LOSES[0]]), (1, [LOSES[1]])]
    finds = [Event("found", seat, {}, {"treasure": 1}, (seat,), True) for seat in range(2)]
    turn: Moves = [(1, [finds[1]]), (1, [ENDS[1]])]
    another: Moves = [(0, [finds[0]]), (0, [ENDS[0]])]
    digs, own = "**Ana** digs.", ["-# **Ana** digs.", "**Now:** You dig up 📜 1 Parchment Scrap."]
    for rest in (another, []):
        before: Moves = [*turn, *storm, *rest]
        for in_advance in (len(turn) + 1, None):
            for later, expected in (([], [digs]), (turn[:1], own)):
                moves = [*before, *turn, *another, *later]
                reported = archaeology(*moves, seat=1, active=1, in_advance=in_advance)
                assert reported == expected, (len(rest), in_advance)


def test_what_a_person_has_missed_after_leaving_begins_with_that_and_ends_with_the_return() -> None:
    match = Match(crafted.GAME, crafted.craft([{"coin": 1}] * 3, active=1, site=["coin"] * 9), [])
    finds = [Event("found", seat, {}, {"treasure": 1}, (seat,), True) for seat in range(3)]
    turn: Moves = [(1, [finds[1]]), (1, [ENDS[1]])]
    table, screens, rows = played(match, [*turn, *FIRST_STORM, (0, [ENDS[0]])])
    seen = table.sequence
    rows.append(LogRow("table", seen, json.dumps(dump_event(Event("left", 1))), 0.0))
    for n, (mover, event) in enumerate([(1, finds[1]), (1, ENDS[1]), (2, finds[2]), (2, ENDS[2])], seen + 1):
        rows.append(replace(row(event, n, mover), source="agent" if mover == 1 else "player"))
    table.sequence = seen + 4
    rows.append(LogRow("table", seen + 4, json.dumps(dump_event(Event("back", 1, {"had_left": True}))), 0.0))
    missed = [
        "🚪 You left; a computer player plays on.",
        "🤖 You dig up 📜 1 Parchment Scrap.",
        "**Cara** digs.",
        "👋 You are back.",
    ]
    assert shown_news(Screen(), table, screens, rows, 1) == missed
    missed[2] = f"-# {missed[2]}"
    rows.append(row(finds[1], seen + 5, 1))
    seat = table.seats[1]
    table.sequence = seen + 5
    seat.since, seat.moved = seat.moved, table.sequence
    reported = shown_news(Screen(), table, screens, rows, 1)
    assert reported == [*missed, "**Now:** You dig up 📜 1 Parchment Scrap."]


def test_an_absence_stands_among_the_events_where_it_began() -> None:
    match = Match(crafted.GAME, crafted.craft([{"coin": 1}] * 3, site=["coin"] * 9), [])
    found = [Event("found", seat, {}, {"treasure": 1}, (seat,), True) for seat in range(3)]
    table, screens, rows = played(match, [(0, [found[0]]), (0, [ENDS[0]])])
    rows.append(LogRow("table", 2, json.dumps(dump_event(Event("away", 1))), 0.0))
    rows.append(replace(row(found[1], 3, 1), source="agent"))
    table.sequence, table.seats[1].away = 3, True
    assert shown_news(Screen(), table, screens, rows, 1) == [
        "-# **Ana** digs.",
        "⏰ You ran out of time again; a computer player plays until you press **I'm Back**.",
        "🤖 You dig up 📜 1 Parchment Scrap.",
    ]
    others = shown_news(Screen(), table, screens, rows, 2)
    assert "**Ben** ran out of time again" in others[1]


def test_one_s_own_moves_before_the_last_are_one_line_and_that_one_has_ended_one_s_turn_goes_without_saying() -> (
    None
):
    sold = Event("sold", 0, {"treasure": 2, "count": 2, "price": 5})
    turn: Moves = [(0, [Event("found", 0, {}, {"treasure": 2}, (0,), True)]), (0, [sold]), (0, [ENDS[0]])]
    assert archaeology(*turn, seat=0) == ["-# You dig up 🪙 1 Coin and sell 🪙 2 Coins for $5."]


def test_a_pass_goes_without_saying_also_when_the_same_player_s_turn_follows() -> None:
    sells = Event("sold", 1, {"treasure": 2, "count": 2, "price": 5})
    passes: Moves = [(0, [Event("passed", 0)])]
    reported = archaeology(*passes, (1, [sells, Event("ended", 1, {"empty": True})]), *passes, seat=0)
    assert reported == ["-# **Ben** sells 🪙 2 Coins for $5."]


def test_what_was_bought_with_the_last_die_is_told_after_the_next_player_has_moved() -> None:
    facts: dict[str, Any] = {"card": "dig_camp", "cost": 2, "scrolls": 0, "counted": 0, "dollars": 0}
    facts["reputation"] = 1
    last = [Event("bought", 0, facts), Event("rolled", 1, {"dice": [1, 2, 3]}, reveals=True)]
    earned = Event("earned", 1, {"die": 2, "on": "guide_work", "dollars": 1})
    table, screens, rows = artifacts_inc((0, last), (1, [earned]))
    table.seats[0].moved = 1
    for scored in (1, 5):
        facts["reputation"] = scored
        rows[0] = row(last[0], 1)
        shown = lines(private(table, screens, 0, rows))
        place = shown.index(f"-# You buy Dig Camp for $2 (⭐\N{NO-BREAK SPACE}+{scored}).")
        assert shown[place + 1] == "**Ben** earns $1 with Guide Work.", (
            "never larger than the others' newer turn"
        )


def test_the_first_player_is_named_in_a_whole_sentence() -> None:
    first = Event("first", 0, {"rolls": [[0, 3, 4], [1, 2, 2]]}, reveals=True)
    table, screens, _rows = artifacts_inc()
    rows = [row(first, 0)]
    for shown in (board(table, screens, rows, 0.0), private(table, screens, 1, rows)):
        assert "-# **Ana** rolls 7 and begins; those after get more dollars for it." in lines(shown)
