"""The host's texts about a game, some of which a game's screens may replace, and what is said of its agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.language import gettext as _
from bot.language import pgettext


def _said(text: Callable[[], str]) -> str:
    """A field whose default is this text, in the current language when the `GameWords` are made."""
    return field(default_factory=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWords:
    """The host's words for a game of hands and cards. Each is a whole label or sentence.

    The names of the commands are the same in every game, so that players can tell them to each other.
    """

    own_screen: str = _said(lambda: pgettext("button", "Hand"))
    """The button on the table message that opens the presser's private screen."""
    own_screen_emoji: str = "✋"
    own_screen_command: str = _said(lambda: _("Your hand and your moves; only you see them"))
    """The description of the command `hand`. At most 100 characters in every language, as for `rules_command`."""
    rules: str = _said(lambda: _("Cards & Rules"))
    """The button that opens the rules, once the match has begun."""
    rules_command: str = _said(lambda: _("How the game is played, and every card"))
    """The description of the command `rules`."""
    send_by_dm: str = _said(lambda: _("Send My Hand by DM"))
    """The button that sends `private_text` as a direct message."""
    sent_by_dm: str = _said(lambda: _("I have sent you your hand."))
    dms_closed: str = _said(lambda: _("Your direct messages are closed to me, so here is your hand:"))


@dataclass(frozen=True, slots=True)
class Opponent:
    """The lines and odds of the agents of a level.

    `lines` are what they say of their play, a short one each, and true of all agents of the level; agents at one table
    have different ones. `lesson_wins` are the matches of two that a player who does what the lesson teaches wins
    against one, and of how many, with the built-in cards (docs/agents.md); None if there is nothing to say.
    """

    lines: Sequence[str] = ()
    lesson_wins: tuple[int, int] | None = None
