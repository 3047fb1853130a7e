"""A person's profile on a server: results by game, records, opponents, and the latest matches."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.language import gettext as _
from bot.language import ngettext
from bot.ratings import PROVISIONAL, Rating
from bot.tables.statistics import InGame, Opponent, Played, Tally, by_game, opponents
from bot.ui.screens import components as ui
from bot.ui.screens.ended import REPLAY
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, MEDALS, Screen, button
from bot.ui.screens.leaderboard import ABOUT, OFF, ON, signed

SWITCH_MINE: Final = "ratings-mine"
LATEST: Final = 5
OPPONENTS: Final = 5


@dataclass(frozen=True, slots=True)
class Place:
    """A person's rating in a game this season, its place on the leaderboard, and the number of people there."""

    rating: Rating
    matches: int
    place: int
    people: int


def profile(
    user_id: int,
    played: Sequence[Played],
    places: Mapping[str, Place],
    games: Mapping[str, AnyScreens],
    stored: Collection[int],
    *,
    own: bool,
) -> Screen:
    """The profile of a person: `played` are the matches, newest first; `places` the ratings by game.

    `stored` are the tables of matches that can be watched again. `own`: whether the person looks at it themselves.
    """
    screen = Screen(colour=CALM).text(f"## <@{user_id}>", _summary(played, games))
    screen.rule()
    for one in by_game(played):
        if one.game in games:
            screen.text(*_game(one, places.get(one.game), games[one.game]))
    if others := opponents(played)[:OPPONENTS]:
        screen.rule().text(_("### Played with"), *[_opponent(one) for one in others])
    latest = [one for one in played if one.own.game in games][:LATEST]
    if latest:
        lines = [f"{n}\\. {_match(one, games)}" for n, one in enumerate(latest, 1)]
        screen.rule().text(_("### Latest matches"), *lines)
        watched = [(n, one.own.table_id) for n, one in enumerate(latest, 1) if one.own.table_id in stored]
        screen.buttons(*[button(str(n), Id(REPLAY, table), emoji="🎬") for n, table in watched])
    return screen.buttons(*_settings(own=own, hidden=False))


def hidden_profile() -> Screen:
    """The profile of a person who has hidden it, as the person sees it."""
    screen = Screen(colour=CALM).text(
        _("### Your profile"),
        _("Your results are hidden: nobody sees them, and nothing more is kept of your matches."),
    )
    return screen.buttons(*_settings(own=True, hidden=True))


def empty_profile(user_id: int, *, own: bool) -> Screen:
    """The profile of a person without results, or of another person who has hidden theirs."""
    screen = Screen(colour=CALM)
    if not own:
        return screen.text(_("There are no results of {person} here.").format(person=f"<@{user_id}>"))
    screen.text(
        _("### Your profile"),
        _("You have no results here yet. A match counts if two or more people play it to its end."),
    )
    return screen.buttons(*_settings(own=True, hidden=False))


def _settings(*, own: bool, hidden: bool) -> list[ui.Button]:
    about = button(_("How Ratings Work"), Id(ABOUT))
    if not own:
        return [about]
    label = _("Show My Results") if hidden else _("Hide My Results")
    return [about, button(label, Id(SWITCH_MINE, arg=ON if hidden else OFF))]


def _summary(played: Sequence[Played], games: Mapping[str, AnyScreens]) -> str:
    matches = ngettext("{n} match", "{n} matches", len(played)).format(n=len(played))
    text = f"{matches}, " + _("{n} won").format(n=sum(one.won for one in played))
    known = [one for one in by_game(played) if one.game in games]
    if len(known) > 1:
        text += " · " + _("favourite: {game}").format(game=games[known[0].game].title())
    return text


def _won(tally: Tally) -> str:
    return _("{wins} of {matches} won").format(wins=tally.wins, matches=tally.matches)


def _game(one: InGame, place: Place | None, screens: AnyScreens) -> list[str]:
    lines = [f"**{screens.title()}** · {_won(one.tally)}"]
    if place is not None:
        lines.append("📈 " + _rating(place))
    facts = [
        ngettext("{n} player", "{n} players", n).format(n=n) + f": {_won(tally)}"
        for n, tally in sorted(one.by_seats.items())
    ]
    if one.best is not None and one.best.score > 1:  # 1 and 0 say only who has won
        facts.append(_("best score {n}").format(n=one.best.score))
    if one.quickest is not None:
        moves = ngettext("{n} move", "{n} moves", one.quickest.moves).format(n=one.quickest.moves)
        facts.append(_("quickest victory {moves}").format(moves=moves))
    return [*lines, "-# " + " · ".join(facts)]


def _rating(place: Place) -> str:
    provisional = place.matches < PROVISIONAL
    text = _("**~{points}** (up to {most}, provisional)") if provisional else _("**{points}** (up to {most})")
    where = _("place {place} of {people}").format(place=place.place, people=place.people)
    return f"{text.format(points=place.rating.points, most=place.rating.up_to)} · {where}"


def _opponent(one: Opponent) -> str:
    text = _("{person} · ahead {ahead}, behind {behind}")
    return text.format(person=f"<@{one.user_id}>", ahead=one.ahead, behind=one.behind)


def _match(one: Played, games: Mapping[str, AnyScreens]) -> str:
    own = one.own
    place = _("place {place} of {people}").format(place=own.place, people=len(one.seats))
    change = ""
    if own.before is not None and own.after is not None:
        change = f" · {signed(own.after.points - own.before.points)}"
    return (
        f"{MEDALS.get(own.place, '▫️')} {games[own.game].title()}, {place}{change} · <t:{int(own.ended_at)}:R>"
    )
