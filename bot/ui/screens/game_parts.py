"""The parts that games' screens are made of: presses, events, pictures, the host's texts about a game, and highlights.

A highlight names the seat that did something most often. A tie is no highlight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from bot.language import gettext as _
from bot.language import pgettext
from bot.ui.screens.kit import Choices
from bot.ui.screens.names import Names
from engine.game import Decision, Event, Outcome


@dataclass(frozen=True, slots=True)
class Credits:
    """The authors and publishers of a printed game. The names are as printed and are not translated.

    An uncertain fact is left out, and the texts then say that it is not known.
    """

    authors: tuple[str, ...]
    publishers: tuple[str, ...]
    year: int | None = None
    """The year of the implemented edition."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press on a game's button or menu: its intent and argument, and the choices in all menus of the screen.

    The argument and the choices cannot be trusted: they may be forged or come from another version.
    """

    intent: str
    arg: str
    choices: Choices

    @property
    def chosen(self) -> Sequence[str]:
        """The choices in all menus with the pressed menu's intent; empty for a button."""
        return self.choices.get(self.intent, ())


class SeenEvent(NamedTuple):
    """An event in the form that one viewer may know."""

    kind: str
    seat: int | None
    facts: Mapping[str, Any]

    @classmethod
    def of(cls, event: Event, viewer: int | None) -> SeenEvent:
        """The event as this viewer may know it."""
        return cls(event.kind, event.seat, event.seen_by(viewer))


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


class _View(Protocol):
    """The view of a game in which seats take turns: a dataclass."""

    @property
    def active(self) -> int: ...
    @property
    def moves(self) -> int: ...
    @property
    def outcome(self) -> Outcome | None: ...


V = TypeVar("V", bound=_View)


def marked(view: V, seat: int) -> V:
    """The view as if it were this seat's turn; the same view after the end, or if it is the seat's turn."""
    if view.outcome is not None or view.active == seat:
        return view
    whole = cast("Any", view)
    return cast("V", replace(whole, active=seat, pending=(Decision(view.moves, seat, ""),)))


def leader(totals: Sequence[int]) -> int | None:
    """The seat with the highest of these totals, which are ordered by seat; None for a tie, and if all totals are 0.

    >>> leader([2, 0, 3]), leader([2, 0, 2]), leader([0, 0])
    (2, None, None)
    """
    highest = max(totals, default=0)
    return totals.index(highest) if highest > 0 and totals.count(highest) == 1 else None


def most(mark: str, totals: Sequence[int], names: Names, text: str) -> list[str]:
    """The line about the seat with the highest total; no line for a tie, and if all totals are 0.

    The line begins with `mark`, an emoji. The text has the fields `who` and `n`.
    """
    first = leader(totals)
    if first is None:
        return []
    return [f"{mark} " + text.format(who=names.bold(first), n=totals[first])]
