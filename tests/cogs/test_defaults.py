"""The host's screens of a game that overrides no default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.art.picture import Picture
from bot.art.scene import Scene
from bot.ui.screens.chronicle import latest
from bot.ui.screens.game_screens import Refusal, SeenEvent, Setting
from bot.ui.screens.lobby import options_text
from bot.ui.screens.names import Names
from bot.ui.screens.news import news
from engine.errors import IllegalMove, NotYourMove
from tests.cogs.in_memory import SCREENS, Match, random_match
from tests.cogs.screen_text import log_lines
from tests.cogs.sealed_screens import SealedScreens
from tests.sealed import Sealed, View

NAMES = ("Ana", "Ben", "Cara", "Dan")


class WithTexts(SealedScreens):
    """Has a text with fields, and one that is made of the facts."""

    def refusals(self) -> Mapping[str, Refusal]:
        return {
            "keep-count": "Keep {due}, not {chosen}.",
            "too-dear": lambda facts: f"That costs {'$' * facts['cost']}.",
        }


def test_a_refusal_is_the_games_own_sentence_or_a_general_one() -> None:
    screens = WithTexts(Sealed())
    assert screens.refuse(IllegalMove("keep-count", due=2, chosen=3)) == "Keep 2, not 3."
    assert screens.refuse(IllegalMove("too-dear", cost=3)) == "That costs $$$."
    assert screens.refuse(NotYourMove()) == "It's not your turn."
    assert screens.refuse(IllegalMove("something-new", n=1)) == "The rules don't allow that now."


class WithOwnSentence(SealedScreens):
    def refusals(self) -> Mapping[str, Refusal]:
        return {"not-your-move": "Wait."}


def test_a_game_may_word_the_general_refusals() -> None:
    assert WithOwnSentence(Sealed()).refuse(NotYourMove()) == "Wait."


class WithSettings(SealedScreens):
    def settings(self) -> Mapping[str, Setting]:
        return {
            "deck": Setting("Deck", "Which cards", {"old": "Old *cards*", "new": "New cards"}),
            "goal": Setting(
                "Goal", "How far", {"10": "ten"}, "no end", shown={"10": "10 points", None: "none"}
            ),
        }


def test_the_lobby_says_what_was_chosen_by_the_names_of_the_settings() -> None:
    screens = WithSettings(Sealed())
    assert options_text(screens, {"deck": "new", "goal": "10"}) == "Deck: New cards · Goal: 10 points"
    assert options_text(screens, {"deck": "old"}) == r"Deck: Old \*cards\* · Goal: none"
    assert options_text(screens, {"deck": "torn"}) == "Goal: none", (
        "a value that is not a choice is not shown"
    )
    assert options_text(SCREENS["sealed"], {"deck": "new"}) == ""


def test_the_result_names_the_scores_from_the_winner_down() -> None:
    match = random_match("sealed", 1, moves=10_000)
    names = Names(match.table(names=NAMES).seats)
    view = match.game.view(match.state, None)
    lines = match.screens.result(view, names)
    assert len(lines) == view.seats
    assert lines[0].startswith("### 🥇 1. **")
    assert lines[0].endswith(f"** · **{max(view.outcome.scores)}**")


class Terse(SealedScreens):
    """Leaves out what was drawn and that a round begins."""

    def recap(self, events: Sequence[SeenEvent], viewer: int | None, names: Names) -> list[str]:
        reported = [event for event in events if event.kind not in ("drew", "round")]
        return [self.describe(event, viewer, names) for event in reported]


def test_an_event_that_the_recap_leaves_out_has_a_line_in_the_whole_log_alone() -> None:
    match: Match = random_match("sealed", 3, moves=9)
    table, screens, rows = match.table(names=NAMES), Terse(match.game), match.rows()
    assert sum(line.startswith(("drew", "round")) for line in log_lines(table, screens, rows, 0)) > 9
    shown = latest(table, screens, rows, None, len(rows))
    for moved in (0, table.sequence):
        for seat in range(len(table.seats)):
            table.seats[seat].moved = moved
            reported = news(table, screens, rows, seat)
            shown += [line.text.removeprefix("-# ") for turn in reported for line in turn.lines]
    assert any(line.startswith("bid") for line in shown)
    assert not [line for line in shown if line.startswith(("drew", "round"))]


class HandAlone(SealedScreens):
    """Draws a hand and no table."""

    def own_picture(self, view: View) -> Picture:
        assert view.hand is not None
        scene = Scene(760, 100)
        for place, number in enumerate(view.hand):
            scene.figure(number, 50 + 90 * place, 20, 60)
        return scene.picture("Your numbers.")


def test_a_hand_may_be_drawn_without_a_table() -> None:
    match = random_match("sealed", 1, moves=0)
    screens = HandAlone(match.game)
    assert screens.own_picture(match.game.view(match.state, 0)).alt == "Your numbers."
    assert screens.table_picture(match.game.view(match.state, None)) is None
