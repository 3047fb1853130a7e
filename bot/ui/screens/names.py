"""The names of a table's seats on screens: never mentions, because a mention would ring.

If names are too much alike, the number of the seat is added to them, so that any two players can be told apart. A name
that ends in such a number counts as alike too and gets its own number, so that nobody can pose as another player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache

from bot.language import gettext as _
from bot.tables.model import Seat
from bot.tables.naming import clean_name, fold, likeness
from bot.ui.screens.kit import escape


class Names:
    """The names of a table's seats. They are in the language that is being spoken when they are first asked for."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self._seats = seats

    def __len__(self) -> int:
        """How many seats there are."""
        return len(self._seats)

    def bare(self, seat: int) -> str:
        """The name alone, as plain text."""
        return self._told_apart[seat][0]

    def plain(self, seat: int) -> str:
        """The name for menus and buttons, which show text without formatting."""
        return _form(self._seats[seat]).format(name=self.bare(seat))

    def escaped(self, seat: int) -> str:
        """The name alone, made safe for Markdown texts."""
        return self._told_apart[seat][1]

    def bold(self, seat: int) -> str:
        """The name for Markdown texts, with an emoji if an agent plays the seat, be it for somebody who is away."""
        place = self._seats[seat]
        name = f"**{self.escaped(seat)}**"
        if place.user_id is None:
            return f"🤖 {name}" if place.agent else name
        return f"🌙 {name}" if place.away else name

    @cached_property
    def _told_apart(self) -> Sequence[tuple[str, str]]:
        return _told_apart(tuple((place.name, _form(place)) for place in self._seats), _("Player {n}"))


def forget_names() -> None:
    """Forgets the names that were worked out, because somebody is to be forgotten."""
    _told_apart.cache_clear()


@lru_cache(maxsize=4096)
def _told_apart(seats: tuple[tuple[str, str], ...], nameless: str) -> Sequence[tuple[str, str]]:
    """For each seat, given by its name and the form in which menus show it: its name, and that made safe for Markdown.

    Every line about a player needs this, so it is kept.
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
        numbered |= found  # a number may make a name like one that has none yet
        shown = [f"{name} ({seat + 1})" if seat in numbered else name for seat, name in enumerate(clean)]
    return [(name, escape(name)) for name in shown]


def _looks(clean: str, shown: str, form: str) -> set[str]:
    """The likenesses of a player: of their name, the name that is shown, and the form in which menus show it.

    Names are also compared as menus show them, so that nobody poses as an agent with a name like "Cleo (agent)".
    """
    return {fold(clean), fold(shown), likeness(clean), likeness(form.format(name=clean))}


def _form(place: Seat) -> str:
    """How menus show the name of whoever plays this seat."""
    if place.user_id is not None or place.agent is None:
        return "{name}"
    if place.left_by is not None:
        # Translators: the computer player in the seat of a person who has left.
        return _("Agent for {name}")
    # Translators: {name} is a computer player.
    return _("{name} (agent)")
