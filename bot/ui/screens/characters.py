"""The agents as characters: a line about how each plays, and a word of one of them at the end of a match.

A line follows from an agent's level, game and name alone, and a word from the public result. So neither tells anything
about cards or thoughts.
"""

from __future__ import annotations

from bot.language import gettext as _
from bot.tables.lobby import AGENT_NAMES
from bot.tables.model import Seat, Table
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.names import Names
from bot.ui.screens.words import level_name
from engine.game import Outcome


def own_line(table: Table, screens: AnyScreens, seat: int) -> str:
    """The line of the agent in this seat about its play, in quotation marks.

    Empty for a person, for an agent that plays for one, in a lesson, and where the game has no lines for the level.
    """
    place = table.seats[seat]
    if not _is_character(table, place):
        return ""
    opponent = screens.opponents().get(place.agent or "")
    if opponent is None or not opponent.lines:
        return ""
    return _quoted(opponent.lines[_number(place) % len(opponent.lines)])


def introductions(table: Table, screens: AnyScreens) -> list[str]:
    """A line for each agent at the table: name, level, and what it says of its play."""
    names = Names(table.seats)
    return [
        f"{names.bold(seat)} · {level_name(place.agent or '')}: {line}"
        for seat, place in enumerate(table.seats)
        if (line := own_line(table, screens, seat))
    ]


def last_word(table: Table, screens: AnyScreens, outcome: Outcome) -> str:
    """The word of the best of the agents at the end of a match, with its name; empty if no agent has a character."""
    speakers = [seat for seat in range(len(table.seats)) if own_line(table, screens, seat)]
    if not speakers:
        return ""
    speaker = min(speakers, key=lambda seat: (outcome.ranks[seat], seat))
    if speaker in outcome.winners:
        words = _won() if len(outcome.winners) == 1 else [_("We share it. I can live with that!")]
    else:
        words = _lost(table, table.seats[speaker].agent or "")
    word = words[(table.id + _number(table.seats[speaker])) % len(words)]
    return f"{Names(table.seats).bold(speaker)}: {_quoted(word)}"


def _won() -> list[str]:
    return [
        _("A good match. Once more?"),
        _("I enjoyed that! The next one may be yours."),
        _("This one is mine. Thank you for the match!"),
    ]


def _lost(table: Table, level: str) -> list[str]:
    """The words of an agent that has lost. If there is a stronger level, some words name it."""
    words = [
        _("Well played! I'd like another match."),
        _("Congratulations! That victory is yours."),
        _("You were too good for me today."),
    ]
    levels = [*table.game.agents]
    if level != levels[-1]:
        stronger = level_name(levels[levels.index(level) + 1])
        # Translators: an agent that has lost names the next stronger level.
        words.append(_("Well played! Your next opponent: {level}?").format(level=stronger))
    elif level == "master":
        words.append(_("You beat a Master. Well played!"))
    return words


def _is_character(table: Table, seat: Seat) -> bool:
    """Whether an agent of the game plays this seat for itself. A lesson's agents play fixed moves."""
    is_agent = seat.user_id is None and seat.left_by is None and seat.agent in table.game.agents
    return is_agent and not table.is_lesson


def _number(seat: Seat) -> int:
    """The number of an agent's name, so that agents with different names have different lines."""
    name = seat.name.partition(" ")[0]
    return AGENT_NAMES.index(name) if name in AGENT_NAMES else 0


def _quoted(words: str) -> str:
    # Translators: what a computer player says; use your language's quotation marks.
    return _("“{words}”").format(words=words)
