"""The names of a table's seats on screens: never mentions, because a mention would notify the person.

If two names are too similar, the number of the seat is added to each, so that any two players can be told apart. A name
that already ends in such a number is also given its own number, so that nobody can pose as another player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from bot.language import by_language
from bot.language import gettext as _
from bot.tables.model import Seat
from bot.tables.naming import clean_name, fold, likeness
from bot.ui.screens.kit import escape

NO_BREAK: Final = "\u00a0"
"""The space between a sign and the name that it belongs to: no line ends between them."""


class Names:
    """The names of a table's seats, in the current language at the first use."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self._seats = seats

    def __len__(self) -> int:
        """The number of seats."""
        return len(self._seats)

    def bare(self, seat: int) -> str:
        """The name alone, as plain text."""
        return self._distinct[seat][0]

    def plain(self, seat: int) -> str:
        """The name for menus and buttons, which show text without formatting."""
        return _form(self._seats[seat]).format(name=self.bare(seat))

    def escaped(self, seat: int) -> str:
        """The name alone, made safe for Markdown texts."""
        return self._distinct[seat][1]

    def bold(self, seat: int) -> str:
        """The name for Markdown texts, with an emoji if an agent plays the seat, also for somebody who is away."""
        place = self._seats[seat]
        name = f"**{self.escaped(seat)}**"
        if place.user_id is None:
            return f"🤖{NO_BREAK}{name}" if place.agent else name
        return f"🌙{NO_BREAK}{name}" if place.away else name

    @cached_property
    def _distinct(self) -> Sequence[tuple[str, str]]:
        return _distinct(tuple((place.name, _form(place)) for place in self._seats), _("Player {n}"))


@by_language
def _distinct(seats: tuple[tuple[str, str], ...], nameless: str) -> Sequence[tuple[str, str]]:
    """For each seat, given by its name and the form for menus: the distinct name, and that name made safe for Markdown.

    The result is cached, because every line about a player requires it.
    """
    clean = [clean_name(name) or nameless.format(n=number) for number, (name, _form) in enumerate(seats, 1)]
    shown, numbered = clean, set[int]()
    while True:
        alike = [
            _looks(before, name, form) for before, name, (_, form) in zip(clean, shown, seats, strict=True)
        ]
        held = Counter(each for looks in alike for each in looks)
        found = {seat for seat, looks in enumerate(alike) if any(held[each] > 1 for each in looks)}
        if found <= numbered:
            break
        numbered |= found  # with its number, a name may be similar to one without a number
        shown = [f"{name} ({seat + 1})" if seat in numbered else name for seat, name in enumerate(clean)]
    return [(name, escape(name)) for name in shown]


def _looks(clean: str, shown: str, form: str) -> set[str]:
    """The comparison keys of a player: two players with a common key are too similar.

    The keys are made from the name, the shown name, and the form for menus. With the form for menus, nobody can pose as
    an agent by a name like "Cleo (AI)".
    """
    return {fold(clean), fold(shown), likeness(clean), likeness(form.format(name=clean))}


def _form(place: Seat) -> str:
    """The form in which menus show the name of a seat's player."""
    if place.user_id is not None or place.agent is None:
        return "{name}"
    if place.left_by is not None:
        # Translators: the computer player in the seat of a person who has left.
        return _("AI for {name}")
    # Translators: {name} is a computer player.
    return _("{name} (AI)")


def sentence(seat: int, deeds: str, viewer: int | None, names: Names) -> str:
    """The sentence about what one player did."""
    # Translators: {deeds} are things that one player did, each with its verb: “dig up 1 Coin, sell 2 Maps for $6”.
    text = _("You {deeds}.") if seat == viewer else _("{who} {deeds}.")
    said = text.format(who=names.bold(seat), deeds=deeds)
    return said[:1].upper() + said[1:]  # in a language that leaves “you” out, it begins with a verb
