"""The leaderboard of a server, a game's rated people in a season, best first; and the message that ends a season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.art.picture import Picture
from bot.art.results import STEPS, season_podium
from bot.language import gettext as _
from bot.language import listing, ngettext
from bot.ratings import ENOUGH, HALF, PROVISIONAL
from bot.store.model import Standing
from bot.ui.screens import components as ui
from bot.ui.screens.fitting import that_fit
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import OFF, ON, Id
from bot.ui.screens.kit import CALM, MEDALS, Item, Option, Screen, button, menus, pager

LEADERBOARD: Final = "leaderboard"
"""The intent of the buttons that show another page. The argument is the game, the season and the page."""
GAME_MENU: Final = "leaderboard-game"
SEASON_MENU: Final = "leaderboard-season"
ABOUT: Final = "about-ratings"
NEW_SEASON: Final = "new-season"
NEW_SEASON_NOW: Final = "new-season-now"
POST_SEASON: Final = "post-season"
"""The intent of the button that posts the final boards of a season. The argument is the season."""
SWITCH_HERE: Final = "ratings-here"
SWITCH_ON: Final = "ratings-on"
"""The intent of the button that switches results on in place of a profile. The argument is the profile's person."""
PAGE: Final = 10
NO_PLACE: Final = "▫️"
"""The mark of people without a place on the board, who come after those with one."""


@dataclass(frozen=True, slots=True)
class Board:
    """A page of a leaderboard.

    `began_at` is the begin of the season, None for the first one. `newest` is the number of the present season.
    """

    game: str
    season: int
    newest: int
    began_at: float | None
    standings: Sequence[Standing]
    page: int = 0

    @property
    def pages(self) -> int:
        return max(1, -(-len(self.standings) // PAGE))

    @property
    def place(self) -> str:
        """The argument of buttons that lead back to this board."""
        return f"{self.game}.{self.season}."


def leaderboard(board: Board, games: Mapping[str, AnyScreens], viewer: int, *, manages: bool) -> Screen:
    """A page of a server's leaderboard, as one person sees it; with more buttons for people who manage the server."""
    screen = Screen(colour=CALM)
    title = games[board.game].title()
    screen.text(_("## Leaderboard · {game}").format(game=title), f"-# {_season_line(board)}")
    if board.standings:
        screen.text(*page_lines(board.standings, board.page, viewer))
        if marks := _marks(board.standings):
            screen.text(*marks)
    else:
        screen.text(
            _("No one has a rating yet. Play a match with people only, without computer players, to its end.")
        )
    screen.add(_menus(board, games))
    screen.buttons(
        *pager(Id(LEADERBOARD), board.place, board.page, board.pages),
        button(_("How Ratings Work"), Id(ABOUT)),
        *_for_managers(board, manages=manages),
    )
    return screen


def _season_line(board: Board) -> str:
    season = _("Season {n}").format(n=board.season)
    people = ngettext("{n} person", "{n} people", len(board.standings)).format(n=len(board.standings))
    since = [] if board.began_at is None else [_("since {date}").format(date=f"<t:{int(board.began_at)}:d>")]
    return " · ".join([season, *since, people])


def page_lines(standings: Sequence[Standing], page: int, viewer: int | None) -> list[str]:
    """The lines of a page of standings; then that of the viewer, if it is on another page."""
    first = page * PAGE
    lines = [
        _line(place, one, viewer) for place, one in enumerate(standings[first : first + PAGE], first + 1)
    ]
    own = next((n for n, one in enumerate(standings) if one.user_id == viewer), None)
    if own is not None and not first <= own < first + PAGE:
        lines += ["…", _line(own + 1, standings[own], viewer)]
    return lines


def _marks(standings: Sequence[Standing]) -> list[str]:
    """The lines that explain the marks of provisional ratings and of people without a place, if there are any."""
    lines: list[str] = []
    if any(one.matches < PROVISIONAL for one in standings):
        lines.append("-# " + _("~ provisional: fewer than {n} rated matches").format(n=PROVISIONAL))
    if needed := max(one.needed for one in standings):
        text = ngettext(
            "{mark} no place yet: that needs {n} opponent with a place",
            "{mark} no place yet: that needs {n} different opponents with a place",
            needed,
        )
        lines.append("-# " + text.format(mark=NO_PLACE, n=needed))
    return lines


def _line(place: int, one: Standing, viewer: int | None) -> str:
    rating = f"{'~' if one.matches < PROVISIONAL else ''}{one.rating.points}"
    won = _("{wins} of {matches} won").format(wins=one.wins, matches=one.matches)
    pointer = "👉 " if one.user_id == viewer else ""
    mark = NO_PLACE if one.needed else MEDALS.get(place, f"{place}.")
    return f"{mark} {pointer}<@{one.user_id}> **{rating}** · {won}"


def _menus(board: Board, games: Mapping[str, AnyScreens]) -> list[Item]:
    options = [Option(screens.title(), f"{key}.{board.season}.0") for key, screens in games.items()]
    chosen = [f"{board.game}.{board.season}.0"]
    rows = menus(Id(GAME_MENU), _("Game"), options, chosen=chosen)
    if board.newest > 1:
        newest = range(board.newest, max(0, board.newest - 25), -1)
        seasons = [Option(_("Season {n}").format(n=n), f"{board.game}.{n}.0") for n in newest]
        rows += menus(Id(SEASON_MENU), _("Season"), seasons, chosen=chosen)
    return rows


def _for_managers(board: Board, *, manages: bool) -> list[ui.Button]:
    if not manages:
        return []
    ended = board.season < board.newest
    post = [button(_("Post Here"), Id(POST_SEASON, arg=str(board.season)))] if ended else []
    return [
        *post,
        button(_("New Season"), Id(NEW_SEASON, arg=str(board.newest)), emoji="🏁"),
        button(_("Switch Off Here"), Id(SWITCH_HERE, arg=OFF)),
    ]


def switched_off(title: str, *, manages: bool, profile_of: int | None = None) -> Screen:
    """The screen of a server that stores no results, in place of the screen with this title.

    `profile_of` is the id of a person if that screen is their profile.
    """
    screen = Screen(colour=CALM).text(
        f"### {title}",
        _("This server stores no results and no ratings."),
        "-# " + _("Earlier ones stay saved, and are shown again once they are switched on."),
        "-# " + _("A match that begins before that never counts."),
    )
    if manages:
        to = Id(SWITCH_HERE, arg=ON) if profile_of is None else Id(SWITCH_ON, arg=str(profile_of))
        return screen.buttons(button(_("Switch On Here"), to))
    return screen.text("-# " + _("Someone who manages the server can switch them on with `/setup`."))


def about_ratings() -> Screen:
    """How results count, in the words of docs/ratings.md."""
    return Screen(colour=CALM).text(
        _("### How ratings work"),
        _(
            "A rating is a careful estimate of how well you play one game on this server. You are probably better, up "
            "to the second number in your profile. You begin at 1000. The rating rises when you come before others, "
            "most when that was a surprise, and moves less the better it is known."
        ),
        _(
            "- **Rated** is a match of two or more people without computer players that was played to its end, if at "
            "least two of them made a third of the usual moves themselves."
        ),
        _(
            "- **A match brings little** against people you have often met this season: after {half} matches with "
            "someone the next one counts half, after {twice} a third. It also brings little against people who have "
            "met fewer than {enough} others."
        ).format(half=HALF, twice=2 * HALF, enough=ENOUGH),
        _(
            "- **A place** on the leaderboard needs {enough} different opponents this season who have a place "
            "themselves; on a small server fewer are enough. {mark} marks a rating without a place."
        ).format(enough=ENOUGH, mark=NO_PLACE),
        _("- **Computer players** from the start: the match is shown in your profile but changes no rating."),
        _(
            "- **Leaving** counts as the last place, unless you come back. A seat counts for the "
            "person who began in it, not for the one who takes it over. A computer player that plays "
            "while you are away plays for you."
        ),
        _("- **Hints**: a match whose host allows them is shown in your profile but changes no rating."),
        _("- **Ended early** by agreement or by a manager: nothing counts."),
        _("- **~** marks a rating of fewer than {n} matches.").format(n=PROVISIONAL),
        _("- A **season** begins for everyone at 1000. Earlier boards stay."),
        _(
            "- **Hidden**: with **Hide My Results** in `/profile` you leave the boards. Matches that begin after that "
            "are not stored for you and not rated; those under way still count. **Delete My Data** in `/privacy` takes "
            "you out of all results; the others keep the ratings that they have won against you."
        ),
    )


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
    return podium([one.rating.points for one in board.standings if not one.needed], screens)


def podium(points: Sequence[int], screens: AnyScreens) -> Picture | None:
    """The podium of a game with the best of these points, which come best first; None without any."""
    places = [
        _("place {place} with {points}").format(place=points.index(each) + 1, points=each)
        for each in points[:STEPS]
    ]
    text = _("The podium of {game}: {places}.").format(game=screens.title(), places=listing(places))
    return season_podium(points[:STEPS], screens.sign(), text) if points else None
