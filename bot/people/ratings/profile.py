"""A person's profile on a server: results by game, records, opponents, and the latest matches."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.art.picture import Picture
from bot.art.results import ROWS, SHOWN, GameRow, Mark, profile_picture
from bot.language import gettext as _
from bot.language import ngettext
from bot.people.ratings.leaderboard import ABOUT
from bot.ratings import PROVISIONAL
from bot.store.model import ResultRow, Standing
from bot.tables.results import InGame, Opponent, Played, Tally, by_game, opponents
from bot.ui.screens import components as ui
from bot.ui.screens.ended import REPLAY, signed, why_little
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import OFF, ON, Id
from bot.ui.screens.kit import CALM, MEDALS, Item, Option, Screen, button, menus

SWITCH_MINE: Final = "ratings-mine"
REPLAY_BEST: Final = "replay-best"
"""The intent of the menu whose options show the chosen match as a film."""
LATEST: Final = 5
OPPONENTS: Final = 5


@dataclass(frozen=True, slots=True)
class Place:
    """A person in a game's leaderboard of this season: the place, if they have one, and the number of places."""

    standing: Standing
    place: int
    people: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's results on a server. `played` are the matches, newest first; `places` the ratings by game.

    `season` is the present season, and `stored` are the tables of matches that can be watched again. `own`: the
    viewer is the person.
    """

    user_id: int
    played: Sequence[Played]
    places: Mapping[str, Place]
    season: int
    stored: Collection[int]
    own: bool


def profile(person: Profile, games: Mapping[str, AnyScreens]) -> Screen:
    """The profile of a person, without its picture."""
    played = person.played
    screen = Screen(colour=CALM).text(f"## <@{person.user_id}>", _summary(played, games))
    screen.rule()
    known = [one for one in by_game(played) if one.game in games]
    for one in known:
        screen.text(*_game(one, person.places.get(one.game), games[one.game]))
    screen.add(_watch_best(known, games, person.stored))
    if others := opponents(played)[:OPPONENTS]:
        screen.rule().text(_("### Played with"), *[_opponent(one) for one in others])
    latest = [one for one in played if one.own.game in games][:LATEST]
    if latest:
        lines = [f"{n}\\. {_match(one, games)}" for n, one in enumerate(latest, 1)]
        if any(one.own.weight is not None and one.own.weight < 1 for one in latest):
            lines.append(f"-# {why_little()}")
        screen.rule().text(_("### Latest matches"), *lines)
        tables = [(n, one.own.table_id) for n, one in enumerate(latest, 1)]
        watched = [(n, table) for n, table in tables if table in person.stored]
        screen.buttons(*[button(str(n), Id(REPLAY, table), emoji="🎬") for n, table in watched])
    return screen.buttons(*_settings(own=person.own))


def watchable(played: Sequence[Played], games: Mapping[str, AnyScreens]) -> list[int]:
    """The tables of the matches that a profile offers to watch again, if they are still stored."""
    bests = [_bests(one, games[one.game]) for one in by_game(played) if one.game in games]
    return [
        *(one.own.table_id for one in played[:LATEST]),
        *(match.table_id for best in bests for _text, match in best),
    ]


def _watch_best(
    known: Sequence[InGame], games: Mapping[str, AnyScreens], stored: Collection[int]
) -> list[Item]:
    """The menu of the matches with a person's bests; none if no such match is still stored."""
    options: list[Option] = []
    for one in known:
        texts: dict[int, list[str]] = {}
        for text, match in _bests(one, games[one.game]):
            texts.setdefault(match.table_id, []).append(text)
        options += [
            Option(" · ".join(bests), str(table), games[one.game].title(), "🎬")
            for table, bests in texts.items()
            if table in stored
        ]
    return menus(Id(REPLAY_BEST), _("Watch a best match again"), options) if options else []


def profile_rows(person: Profile, games: Mapping[str, AnyScreens]) -> list[tuple[str, GameRow]]:
    """The games in the picture of a profile, by their titles, the game with the most matches first."""
    rows: list[tuple[str, GameRow]] = []
    for one in by_game(person.played):
        if one.game in games:
            newest = [each for each in person.played if each.own.game == one.game][:SHOWN]
            marks = [_mark(each, person.season) for each in reversed(newest)]
            row = GameRow(games[one.game].sign(), marks, one.tally.wins, one.tally.matches)
            rows.append((games[one.game].title(), row))
    return rows[:ROWS]


def _mark(one: Played, season: int) -> Mark:
    after = one.own.after if one.own.season == season else None
    return Mark(one.own.place, len(one.seats), None if after is None else (after.points, after.up_to))


def picture_of(person: Profile, games: Mapping[str, AnyScreens]) -> Picture:
    """The picture of a profile that has results."""
    rows = profile_rows(person, games)
    lines: list[str] = []
    for title, row in rows:
        places = " ".join(str(mark.place) for mark in row.marks)
        line = _("{game}: {wins} of {matches} won. Latest places, the newest last: {places}.").format(
            game=title, wins=row.wins, matches=row.matches, places=places
        )
        newest = next((mark.rating for mark in reversed(row.marks) if mark.rating), None)
        if newest is not None:
            line += " " + _("Rating {points}, up to {most}.").format(points=newest[0], most=newest[1])
        lines.append(line)
    return profile_picture([row for _title, row in rows], "\n".join(lines))


def profile_elsewhere() -> Screen:
    """The beginning of a person's own profile where the bot is on no server."""
    text = _("Your results with other people are saved for each server: `/profile` shows them there.")
    return Screen(colour=CALM).text(_("### Your profile"), f"-# {text}")


def hidden_profile() -> Screen:
    """The profile of a person who has hidden it, as the person sees it."""
    screen = Screen(colour=CALM).text(
        _("### Your profile"),
        _("Your results are hidden: no one sees them."),
        _(
            "Matches that begin from now on are not stored for you and not rated. Those under way still count."
        ),
    )
    return screen.buttons(*_settings(own=True, hidden=True))


def empty_profile(user_id: int, *, own: bool) -> Screen:
    """The profile of a person without results, or of another person who has hidden theirs."""
    screen = Screen(colour=CALM)
    if not own:
        return screen.text(_("{person} has no results here.").format(person=f"<@{user_id}>"))
    screen.text(
        _("### Your profile"),
        _("No results with other people here yet: a match counts if two or more play it to its end."),
    )
    return screen.buttons(*_settings(own=True))


def _settings(*, own: bool, hidden: bool = False) -> list[ui.Button]:
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


def won_text(tally: Tally) -> str:
    """The victories among the matches, within a line."""
    return _("{wins} of {matches} won").format(wins=tally.wins, matches=tally.matches)


def _game(one: InGame, place: Place | None, screens: AnyScreens) -> list[str]:
    lines = [f"**{screens.title()}** · {won_text(one.tally)}"]
    if place is not None:
        lines.append("📈 " + _rating(place))
    facts = [
        ngettext("{n} player", "{n} players", n).format(n=n) + f": {won_text(tally)}"
        for n, tally in sorted(one.by_seats.items())
    ]
    facts += [text for text, _match in _bests(one, screens)]
    return [*lines, "-# " + " · ".join(facts)]


def _bests(one: InGame, screens: AnyScreens) -> list[tuple[str, ResultRow]]:
    """A person's best score, quickest victory and largest feats in a game, each with its match."""
    bests: list[tuple[str, ResultRow]] = []
    if one.best is not None and one.best.score > 1:  # 1 and 0 say only who has won
        bests.append((_("best score {n}").format(n=one.best.score), one.best))
    if one.quickest is not None:
        moves = ngettext("{n} move", "{n} moves", one.quickest.moves).format(n=one.quickest.moves)
        bests.append((_("quickest victory {moves}").format(moves=moves), one.quickest))
    for name, feat in one.feats.items():
        if text := screens.feat(name, feat.size):
            bests.append((text, feat.match))
    return bests


def _rating(place: Place) -> str:
    rating, provisional = place.standing.rating, place.standing.matches < PROVISIONAL
    text = _("**{points}**, at most about {most}")
    if provisional:
        text = _("**about {points}** for now, at most about {most}: fewer than {n} rated matches")
    shown = text.format(points=rating.points, most=rating.up_to, n=PROVISIONAL)
    return f"{shown} · {_where(place)}"


def _where(place: Place) -> str:
    opponents, needed = place.standing.opponents, place.standing.needed
    if not needed:
        return _("place {place} of {people}").format(place=place.place, people=place.people)
    if opponents < needed:
        text = _("no place yet: {n} of {needed} different opponents")
        return text.format(n=opponents, needed=needed)
    return _("no place yet: too few of the opponents have a place")


def _opponent(one: Opponent) -> str:
    text = _("{person} · ahead {ahead}, behind {behind}")
    return text.format(person=f"<@{one.user_id}>", ahead=one.ahead, behind=one.behind)


def _match(one: Played, games: Mapping[str, AnyScreens]) -> str:
    own = one.own
    place = _("place {place} of {people}").format(place=own.place, people=len(one.seats))
    change = ""
    if own.before is not None and own.after is not None:
        change = f" · {signed(own.after.points - own.before.points)}"
    if own.weight is not None and own.weight < 1:
        change += " " + _("(counted {n}%)").format(n=round(100 * own.weight))
    return (
        f"{MEDALS.get(own.place, '▫️')} {games[own.game].title()}, {place}{change} · <t:{int(own.ended_at)}:R>"
    )
