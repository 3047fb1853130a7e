"""How good hints are: `python -m tests.bench hints`, or `python -m tests.bench.hints [--hints N] [--game KEY]`.

A person who follows every hint plays matches of two against good agents, and the agent that gives the hints plays the
same matches without them. Of each hint it is counted whether its button is on the screen, whether its reason is true
before and after the move (as the tests of reasons check it), whether a move that it announces is hinted next, and
whether it undoes an earlier hint of its turn, or an earlier trade for next to nothing.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random
from typing import Any, Final

from bot.tables.model import Seat
from bot.ui.screens.hints import button_of
from bot.ui.screens.ids import Id
from bot.ui.screens.names import Names
from engine.agents.advice import Advice, Past, advice, adviser_of, measuring_levels
from engine.archaeology_family.agents.reasons import WORSE
from engine.archaeology_family.moves import Explore, Sell, Trade
from tests.bench.report import Report
from tests.cogs.in_memory import ENGINES, SCREENS
from tests.engine.agents import test_reasons as treasures
from tests.engine.artifact import test_agent_reasons as races
from tests.engine.artifacts_inc import test_agent_reasons as companies

HINTS: Final = 150
NAMES: Final = Names([Seat(name, user_id=number) for number, name in enumerate(["Ana", "Ben", "Cara"])])
GAMES: Final = tuple(key for key, game in ENGINES.items() if adviser_of(game))


def has_button(key: str, view: Any, move: Any) -> bool:
    """Whether a button of the screen with the hint's selection makes its move at one press."""
    screens = SCREENS[key]
    items = screens.private(view, NAMES, screens.selection_for(view, move), Id("", 7, "1"))
    return button_of(items, screens, view, move, NAMES) is not None


def is_true(key: str, before: Any, after: Any, seat: int, hint: Advice) -> bool:
    """Whether the facts of a hint's reason are true of the match before and after its move."""
    view = ENGINES[key].view
    try:
        if key == "artifact":
            races.check(view(before, seat), hint.move, hint.reason)
        elif key == "artifacts-inc":
            companies.check(before, after, seat, hint.reason, tuple(hint.line))
        else:
            treasures.check(view(before, seat), view(after, seat), seat, hint.reason)
    except AssertionError:
        return False
    return True


def announced(hint: Advice) -> Any:
    """The move, or the treasure of the sale, that a hint says to follow; None if it announces none."""
    if hint.reason.code == "completes-set":
        return hint.reason.facts["treasure"]
    return hint.reason.facts["then"] if hint.reason.facts.get("at_once") else None


def undoes(view: Any, move: Any, earlier: list[tuple[Any, Any]]) -> bool:
    """Whether a hinted move reverses a trade that was hinted before it in its turn, or sells a whole set after one that
    left it in hand. `earlier` has the views and moves of the hints since chance last had a say.
    """
    for before, trade in earlier:
        if not isinstance(trade, Trade):
            continue
        gave, took = dict(trade.give), dict(trade.take)
        if isinstance(move, Trade) and (dict(move.give).keys() & took or dict(move.take).keys() & gave):
            return True
        if isinstance(move, Sell) and move.treasure not in {*gave, *took}:
            whole = len(view.prices[move.treasure])
            if before.hand[move.treasure] >= move.count == whole > 1:
                return True
    return False


def is_to_and_fro(hint: Advice) -> bool:
    """Whether a hint gives back cards taken from the market before, completes no set, and gains next to nothing."""
    code, facts = hint.reason.code, hint.reason.facts
    gain = max(facts["hope"] - facts["had"], facts["then"] - facts["now"]) if facts.get("back") else WORSE
    return code != "completes-set" and gain < WORSE


def play(key: str, number: int, found: Counter[str], *, follows: bool, most: int = 10_000) -> float:
    """The victory, or share of one, of the first seat in a match of this number; 0 if it ends after `most` hints."""
    game, rng = ENGINES[key], Random(number)
    variants = game.variants(2)
    state = game.new(2, variants[number % len(variants)], bytes([number % 256]) * 32)
    turn: list[tuple[Any, Any]] = []
    due: Any = None
    followed: Any = None
    while (pending := game.pending(state)) and found["hints"] < most:
        seat = pending[0].seat
        view = game.view(state, seat)
        if seat or not follows:
            level = measuring_levels(game)[-1] if seat else list(game.agents)[-1]
            move, turn, due = game.agents[level].choose(view, rng), [], None
            game.apply(state, seat, move)
            continue
        last = None if followed in turn else followed
        past = Past(last, turn[0][0] if turn else None)
        hint = advice(game, [*(before for before, _ in turn), view], number.to_bytes(4), past)
        assert hint is not None
        found["undone"] += undoes(view, hint.move, turn) or is_to_and_fro(hint)
        turn.append((view, hint.move))
        followed = turn[-1] if hint.reason.code != "due" else followed
        waits = isinstance(hint.move, Explore | Sell) and getattr(hint.move, "treasure", None) != due
        if due is not None and not waits:
            found["announced"] += 1
            found["kept"] += due in (hint.move, getattr(hint.move, "treasure", None))
            due = None
        before = game.copy(state)
        events = game.apply(state, seat, hint.move)
        chance = any(event.reveals for event in events)
        turn, due = ([], None) if chance else (turn, due if due is not None else announced(hint))
        found["hints"] += 1
        found["buttons"] += has_button(key, view, hint.move)
        found["true"] += is_true(key, before, state, seat, hint)
        found["worded"] += bool(SCREENS[key].reason_text(view, hint.reason, NAMES)) or hint.reason.code in (
            "due",
            "rolls",
        )
    outcome = game.outcome(state)
    return (0 in outcome.winners) / len(outcome.winners) if outcome else 0.0


def judged(key: str, hints: int) -> tuple[str, ...]:
    """The row of a game, from as many matches as have so many hints."""
    found, wins, own, matches = Counter[str](), 0.0, 0.0, 0
    while found["hints"] < hints:
        wins += play(key, matches, found, follows=True)
        own += play(key, matches, found, follows=False)
        matches += 1
    parts = [f"{found[name]} of {found['hints']}" for name in ("buttons", "true", "worded")]
    parts += [
        f"{found['kept']} of {found['announced']}",
        f"{found['undone']}",
        f"{wins:g} of {matches}",
        f"{own:g} of {matches}",
    ]
    return (key, *parts)


COLUMNS: Final = ("game", "button", "true", "worded", "plan kept", "undone", "wins by hints", "the agent's")


def run() -> Report:
    parser = argparse.ArgumentParser(description="Judges hints.")
    parser.add_argument("--hints", type=int, default=HINTS)
    parser.add_argument("--game", choices=GAMES, action="append")
    given = parser.parse_args() if __name__ == "__main__" else parser.parse_args([])
    rows = [judged(key, given.hints) for key in given.game or GAMES]
    return Report(
        "Hints",
        COLUMNS,
        rows,
        ["Matches of two against the strongest that try out no moves, each played both ways."],
    )


if __name__ == "__main__":
    print(*run().lines(), sep="\n")
