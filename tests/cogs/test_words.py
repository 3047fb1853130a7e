"""A game without hands and cards has the host say its own words, wherever the host speaks of them."""

from __future__ import annotations

import json

import pytest

from bot.art.picture_cache import Plate
from bot.tables.model import Seat
from bot.ui.screens.board import board as show_board
from bot.ui.screens.fairness import fairness
from bot.ui.screens.game_parts import GameWords
from bot.ui.screens.lobby import lobby
from bot.ui.screens.messages import more as show_more
from bot.ui.screens.names import Names
from bot.ui.screens.private import private
from bot.ui.screens.words import won_text
from engine.game import Outcome
from tests.cogs.in_memory import SCREENS, random_match
from tests.cogs.sealed_screens import SealedScreens
from tests.cogs.table_driver import Room, add_game
from tests.sealed import Sealed

OWN = GameWords(
    own_screen="My Bids",
    own_screen_emoji="✉️",
    own_screen_command="Your own bids",
    rules="Rules",
    rules_command="How to bid",
    send_by_dm="Send My Bids",
    sent_by_dm="I have sent you your bids.",
    dms_closed="Here are your bids:",
)


class Worded(SealedScreens):
    """The sealed bids, spoken of in words of their own."""

    def words(self) -> GameWords:
        return OWN


@pytest.fixture(autouse=True)
def worded_bids(monkeypatch: pytest.MonkeyPatch) -> None:
    add_game(monkeypatch, Sealed(), Worded)


async def test_buttons_and_letters_bear_the_games_words(room: Room) -> None:
    room.game = Sealed.key
    ana, _ben = await room.match_of("Ana", "Ben")
    board = await room.board()
    assert {"My Bids", "Rules", "More"} <= {*board.buttons}
    own = await ana.press(board, "My Bids")
    assert "Rules" in (await ana.press(own, "?")).buttons
    more = await ana.press(board, "More")
    assert "I have sent you your bids." in (await ana.press(more, "Send My Bids")).text
    room.fail("POST", "/users/@me/channels", 403, 50007)
    room.fail("POST", "/channels/*/messages", 403, 50007)
    more = await ana.press(board, "More")
    assert "Here are your bids:" in (await ana.press(more, "Send My Bids")).text
    room.heal()


async def test_commands_are_described_in_the_games_words(room: Room) -> None:
    (commands,) = room.requests("PUT", "/commands")
    described = {
        command["name"]: {option["name"]: option["description"] for option in command.get("options", ())}
        for command in commands
    }
    assert (described["sealed"]["hand"], described["sealed"]["rules"]) == ("Your own bids", "How to bid")
    assert described["archaeology"]["hand"] == GameWords().own_screen_command


def test_no_screen_of_the_hosts_speaks_of_a_hand_or_cards_in_such_a_game() -> None:
    match = random_match(Sealed.key, 3)
    screens, table = Worded(match.game), match.table()
    shown = [
        show_board(table, screens, [], 0.0),
        private(table, screens, 0, []),
        show_more(table, screens, 1, manages=True),
        fairness(table, Plate("record.json", b"{}", "")),
        lobby(table, screens),
    ]
    table.status = "lobby"
    shown.append(lobby(table, screens))
    for screen in shown:
        text = json.dumps(screen.view().to_components())
        text = text.replace("Your hand: ", "")  # the game's own
        text = text.replace(":hand:", "")  # the intent
        assert "hand" not in text.lower(), text
        assert "card" not in text.lower(), text


def test_the_verdict_says_by_how_much_somebody_wins_and_whether_it_was_close() -> None:
    names = Names([Seat("Ana", 1), Seat("Ben", 2)])

    def said(*scores: int, ranks: tuple[int, ...] = (2, 1)) -> str:
        return won_text(Outcome(ranks, scores, ""), SCREENS["archaeology"], names, 0)

    assert said(41, 40, ranks=(1, 2)) == "🏆 You win by $1! That was close."
    assert said(30, 60) == "🏆 **Ben** wins by $30! You are in place 2 with $30."
    assert said(40, 40) == "🏆 **Ben** wins! That was close."
