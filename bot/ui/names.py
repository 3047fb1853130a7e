"""How the seats of a table are called on screens: by name, never by mention (a mention would ring)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.language import gettext as _
from bot.tables.model import Seat
from bot.ui.kit import escape


class Names:
    """The names of a table's seats."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self._seats = seats

    def plain(self, seat: int) -> str:
        """For menus and buttons, which show text as it is."""
        place = self._seats[seat]
        if place.user_id is not None:
            return place.name
        if place.left_by is not None:
            return _("Agent for {name}").format(name=place.name)
        return _("{name} (agent)").format(name=place.name)

    def bold(self, seat: int) -> str:
        """For Markdown texts, with a picture where an agent plays: in its own right, or for somebody who is away."""
        place = self._seats[seat]
        name = f"**{escape(place.name)}**"
        if place.user_id is None:
            return f"🤖 {name}"
        return f"💤 {name}" if place.away else name
