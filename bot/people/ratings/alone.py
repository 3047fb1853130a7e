"""A person's progress against computer players: victories by game and level, lessons, what to try next, a puzzle.

It follows from the stored matches, so it reaches as far back as these; nothing else is stored for it. Only its person
sees it, because it tells of matches that nobody else may see.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.language import gettext as _
from bot.language import ngettext, pgettext
from bot.people.ratings.profile import won_text
from bot.tables import daily
from bot.tables.lessons import FINISHED
from bot.tables.model import Table, read_table
from bot.tables.results import PERSON, Tally
from bot.tables.service import Tables
from bot.ui.screens import components as ui
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.ended import streak_lines
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Screen, button
from bot.ui.screens.lessons import START, is_finished, offer
from bot.ui.screens.puzzle import PUZZLE, has_puzzle
from bot.ui.screens.words import level_name
from engine.errors import BadData
from engine.game import AnyGame

log = logging.getLogger(__name__)

NEWEST: Final = 60
"""The most matches that are read for a person's progress: each takes about a millisecond."""
ENOUGH: Final = 2
"""The victories over a level after which the next level is suggested."""


@dataclass(slots=True)
class InGame:
    """A person's matches against agents alone in one game, by the level of the strongest agent."""

    game: AnyGame
    levels: dict[str, Tally] = field(default_factory=dict[str, Tally])
    lesson: bool = False
    """Whether the person has played the lesson to its end."""

    @property
    def beaten(self) -> str | None:
        """The strongest level over which there is a victory."""
        return next((level for level in reversed([*self.game.agents]) if self.wins(level)), None)

    def wins(self, level: str) -> int:
        return self.levels.get(level, Tally()).wins

    def stronger(self, level: str) -> str | None:
        """The next stronger level; None above the strongest."""
        levels = [*self.game.agents]
        return next(iter(levels[levels.index(level) + 1 :]), None)


async def progress_of(tables: Tables, user_id: int, guild: int | None) -> tuple[list[InGame], Table | None]:
    """The person's progress by game, the last played first, and the newest match with a puzzle that opens here.

    Raises `StoreError`.
    """
    found: dict[str, InGame] = {}
    puzzle: Table | None = None
    for row in await tables.store.ended_tables_of(user_id, FINISHED, NEWEST):
        await asyncio.sleep(0)  # presses of others come in between
        game = tables.games.get(row.game)
        try:
            table = None if game is None else read_table(row, game)
        except BadData as error:
            log.error("table %s cannot be read: %s", row.id, error)
            continue
        if table is None or table.seat_of(user_id) is None:
            continue
        one = InGame(table.game)
        opens = table.is_private or table.guild_id == guild
        puzzle = table if puzzle is None and opens and has_puzzle(table, user_id) else puzzle
        if is_finished(table):
            found.setdefault(row.game, one).lesson = True
        elif played := _against_agents(table, user_id):
            level, won = played
            levels = found.setdefault(row.game, one).levels
            levels[level] = levels.get(level, Tally()).plus(won=won)
    return [*found.values()], puzzle


def _against_agents(table: Table, user_id: int) -> tuple[str, bool] | None:
    """The level of the strongest agent, and whether the person won; None unless they alone played against agents.

    A deal of the day counts by its score alone.
    """
    own, sitters, levels = table.seat_of(user_id), [*table.body.sitters], [*table.game.agents]
    outcome = None if table.state is None else table.game.outcome(table.state)
    if own is None or outcome is None or len(sitters) < 2 or sitters.pop(own) != PERSON or table.body.earlier:
        return None
    others = [sitter.removeprefix("agent:") for sitter in sitters]
    if table.body.opens is not None or not {*others} <= {*levels}:
        return None
    return max(others, key=levels.index), own in outcome.winners


async def daily_lines(tables: Tables, user_id: int) -> list[str]:
    """The line about the person's daily deals; empty if they have finished none. Raises `StoreError`."""
    attempts = await tables.store.daily.attempts_of(user_id)
    days = sum(each.score is not None for each in attempts)
    text = ngettext("📅 **The Daily Dig** · {n} deal", "📅 **The Daily Dig** · {n} deals", days).format(
        n=days
    )
    streak = streak_lines(daily.streak(attempts, daily.day_of(tables.utc)))
    return [" · ".join([text, *streak])] if days else []


def add_progress(
    screen: Screen, found: Sequence[InGame], puzzle: Table | None, games: Mapping[str, AnyScreens]
) -> Screen:
    """Adds the person's progress to the screen of their profile, with the buttons of what to try next."""
    known = [one for one in found if one.game.key in games]
    lines = [_line(one, games[one.game.key]) for one in known]
    text, buttons = _next(known, games)
    from_stored = _("Only you see this. It counts your newest matches alone, as long as they are stored.")
    small = [f"-# {from_stored}"] if known else []
    screen.rule().text(_("### Against computer players"), *lines, f"🎯 {text}", *small)
    screen.buttons(*buttons)
    if puzzle is not None and puzzle.game.key in games:
        offered = _("Your costliest decision in **{game}**, from a **Review**: what do you play today?")
        screen.text("🧩 " + offered.format(game=games[puzzle.game.key].title()))
        screen.buttons(button(_("Puzzle"), Id(PUZZLE, puzzle.id), emoji="🧩"))
    return screen


def _line(one: InGame, screens: AnyScreens) -> str:
    parts = [
        f"{level_name(level)} ({won_text(tally)})"
        for level in one.game.agents
        if (tally := one.levels.get(level))
    ]
    if one.lesson:
        parts.append("🎓 " + _("lesson done"))
    return f"**{screens.title()}** · {' · '.join(parts)}"


def _next(known: Sequence[InGame], games: Mapping[str, AnyScreens]) -> tuple[str, list[ui.Button]]:
    """The sentence that suggests what to try next, and its button. It speaks of the game that was played last."""
    played = next((one for one in known if one.levels), known[0] if known else None)
    if played is None:
        text = _("`/games list` has every game with its lesson, and `/daily` a new deal every day.")
        return text, []
    game, beaten = games[played.game.key].title(), played.beaten
    if beaten is None:
        level = next(iter(played.game.agents))
        text = _("No victory in **{game}** yet: try the {next}.")
        if level in played.levels and not played.lesson and games[played.game.key].lesson is not None:
            text = _("No victory in **{game}** yet: the lesson shows every rule in a few presses.")
            return text.format(game=game), offer(games[played.game.key].lesson, Id("", arg=played.game.key))
        return text.format(game=game, next=level_name(level)), [_start(played, level)]
    wins, stronger = played.wins(beaten), played.stronger(beaten)
    if stronger is None:
        text = _(
            "You beat the {level} in **{game}**: no computer player is stronger. Try people, with `/play`."
        )
        return text.format(level=level_name(beaten), game=game), []
    if wins < ENOUGH:
        text = _("You beat the {level} once in **{game}**: can you do it again?")
        return text.format(level=level_name(beaten), game=game), [_start(played, beaten)]
    text = ngettext(
        "You beat the {level} {n} time in **{game}**: try the {next}.",
        "You beat the {level} {n} times in **{game}**: try the {next}.",
        wins,
    )
    said = text.format(level=level_name(beaten), n=wins, game=game, next=level_name(stronger))
    return said, [_start(played, stronger)]


def _start(one: InGame, level: str) -> ui.Button:
    label = pgettext("button: begin a match", "Start")
    return button(
        f"{label} · {level_name(level)}", Id(START, arg=f"{one.game.key}.{level}"), SUCCESS, emoji="▶️"
    )
