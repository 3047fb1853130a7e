"""What the seats of a table are called on screens: by name and never by mention, because a mention would ring.

If names are too much alike, the number of the seat is added to them, so that any two players can be told apart. A name
that ends in such a number counts as alike too and gets its own number, so that nobody can pose as another player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from bot.language import gettext as _
from bot.tables.model import Seat
from bot.tables.naming import clean_name, fold, likeness
from bot.ui.kit import escape


class Names:
    """The names of a table's seats. They are in the language that is being spoken when they are first asked for."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self._seats = seats

    def __len__(self) -> int:
        """How many seats there are."""
        return len(self._seats)

    def bare(self, seat: int) -> str:
        """The name alone, as plain text."""
        return self._names[seat]

    def plain(self, seat: int) -> str:
        """The name for menus and buttons, which show text without formatting."""
        return _with_agent(self._seats[seat], self._names[seat])

    def escaped(self, seat: int) -> str:
        """The name alone, made safe for Markdown texts."""
        return escape(self._names[seat])

    def bold(self, seat: int) -> str:
        """The name for Markdown texts, with an emoji if an agent plays the seat, be it for somebody who is away."""
        place = self._seats[seat]
        name = f"**{self.escaped(seat)}**"
        if place.user_id is None:
            return f"🤖 {name}" if place.agent else name
        return f"🌙 {name}" if place.away else name

    @cached_property
    def _names(self) -> list[str]:
        clean = [
            clean_name(place.name) or _("Player {n}").format(n=number)
            for number, place in enumerate(self._seats, 1)
        ]
        # Names are also compared as menus show them, so that nobody poses as an agent with a name like "Cleo (agent)".
        alike = [
            {fold(name), likeness(name), likeness(_with_agent(place, name))}
            for place, name in zip(self._seats, clean, strict=True)
        ]
        held = Counter(each for several in alike for each in several)
        return [
            f"{name} ({number})" if any(held[each] > 1 for each in several) else name
            for number, (name, several) in enumerate(zip(clean, alike, strict=True), 1)
        ]


def _with_agent(place: Seat, name: str) -> str:
    if place.user_id is not None or place.agent is None:
        return name
    if place.left_by is not None:
        # Translators: the computer player in the seat of a person who has left.
        return _("Agent for {name}").format(name=name)
    # Translators: {name} is a computer player.
    return _("{name} (agent)").format(name=name)
