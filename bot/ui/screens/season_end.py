"""The message that ends a season: the final boards of a server, with a podium for each game that was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.art.picture import Picture
from bot.art.results import STEPS, season_podium
from bot.language import gettext as _
from bot.language import listing, ngettext
from bot.store.model import Standing
from bot.ui.screens import components as ui
from bot.ui.screens.fitting import that_fit
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.kit import CALM, Screen
from bot.ui.screens.leaderboard import page_lines

GAMES: Final = 6
"""The games that the message has room for."""
_FIRST_ID: Final = 1940
"""The component id of the first game's text. Those of the others follow."""


@dataclass(frozen=True, slots=True)
class FinalBoard:
    """The final board of a game, best first, and the number of its rated matches in the season."""

    game: str
    matches: int
    standings: Sequence[Standing]


@dataclass(frozen=True, slots=True)
class SeasonEnd:
    """A season that has ended, with its boards, the most played game first. The first season has no `began_at`."""

    season: int
    began_at: float | None
    ended_at: float
    boards: Sequence[FinalBoard]


def season_end(end: SeasonEnd, games: Mapping[str, AnyScreens]) -> Screen:
    """The message without its pictures. It mentions people, and is to notify nobody."""
    screen = Screen(colour=CALM)
    until = f"<t:{int(end.ended_at)}:d>"
    when = until if end.began_at is None else f"<t:{int(end.began_at)}:d> – {until}"
    screen.text(_("## 🏁 Season {n} has ended").format(n=end.season), f"-# {when}")
    for number, board in enumerate(end.boards):
        matches = ngettext("{n} match", "{n} matches", board.matches).format(n=board.matches)
        heading = f"### {games[board.game].title()} · {matches}"
        lines = page_lines(board.standings, 0, None)
        fitting = that_fit(screen, [*lines[::-1], heading])[::-1]
        screen.items.append(ui.text("\n".join(fitting or [heading]), id=text_id(number)))
    return screen


def text_id(number: int) -> int:
    """The id of the text of the board with this number, below which its picture stands."""
    return _FIRST_ID + number


def podium_of(board: FinalBoard, screens: AnyScreens) -> Picture | None:
    """The podium of a game; None if nobody has a place on the board."""
    ratings = [one.rating.points for one in board.standings if not one.needed][:STEPS]
    if not ratings:
        return None
    places = [
        _("place {place} with {points}").format(place=place, points=points)
        for place, points in enumerate(ratings, 1)
    ]
    text = _("The podium of {game}: {places}.").format(game=screens.title(), places=listing(places))
    return season_podium(ratings, screens.sign(), text)
