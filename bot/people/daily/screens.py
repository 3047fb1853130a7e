"""The screens of the command `/daily`: today's deal, the board of a day that is over, and the board of a month."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from babel.dates import format_date, format_skeleton

from bot.art.picture import Picture
from bot.language import current_language, listing, ngettext, pgettext
from bot.language import gettext as _
from bot.people.ratings.leaderboard import podium
from bot.store.model import AttemptRow, DealRow, MonthRow
from bot.tables.daily import Progress, date_of, day_of, ends_at, first_of, month_of, rank_of
from bot.tables.model import Table
from bot.tables.thinking import MasterPlay
from bot.ui.screens import components as ui
from bot.ui.screens import ended, lessons
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.fairness import fairness_button
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.ids import BESIDE, Id
from bot.ui.screens.kit import CALM, MEDALS, Screen, button
from bot.ui.screens.names import Names
from bot.ui.screens.review import review_offer
from engine.fairness import commitment

PLAY: Final = "daily-play"
"""The intent of the button that begins the match of today's deal, or goes on with it."""
POST: Final = "daily-post"
"""The intent of the button that posts one's result of a day, below its preview. The argument is the day."""
BOARD: Final = "daily-board"
"""The intent of the buttons that show the board of a day. The argument is the day."""
MONTH: Final = "daily-month"
"""The intent of the buttons that show the board of a month. The argument is the month."""
SEALS: Final = "daily-seals"
"""The intent of the button that shows the seals of today's and tomorrow's deal."""
SHOWN: Final = 8
"""The most people on the board of a day, each with a button."""
SHOWN_OF_MONTH: Final = 20


@dataclass(frozen=True, slots=True)
class Today:
    """Today's deal for one person; `match` is that of their attempt, as long as it is stored.

    `to_beat` is the score of the post that has led here, and who has posted it. `following` has the screens of the next
    deal's game. `earlier` is the newest day before with a deal.
    """

    deal: DealRow
    progress: Progress
    match: Table | None
    to_beat: tuple[int, int] | None = None
    following: AnyScreens | None = None
    earlier: int | None = None


@dataclass(frozen=True, slots=True)
class DayBoard:
    """The board of a day that is over, for one person.

    `day` is the day, `today` the present one. `stored` are the tables whose matches are still stored. `comparison` is a
    sentence about the person's play and the winner's. `off`: the server keeps no results. Without a server, the board
    has the person's own attempt at most. `master` is as for `Progress`, and `earlier` as for `Today`.
    """

    day: int
    today: int
    deal: DealRow | None
    board: Sequence[AttemptRow] = ()
    own: AttemptRow | None = None
    stored: Collection[int] = field(default_factory=set[int])
    comparison: str = ""
    off: bool = False
    master: MasterPlay | None = None
    earlier: int | None = None


@dataclass(frozen=True, slots=True)
class Month:
    """The board of a month for one person: `own` are their attempts, and `streak` their days in a row up to `today`.

    Their weeks begin on the weekday `begins`, from 0 for Monday.
    `off`: the server keeps no results. `earlier` is the newest day before the month with a deal.
    """

    month: int
    today: int
    board: Sequence[MonthRow]
    own: Sequence[AttemptRow] = ()
    streak: int = 0
    begins: int = 0
    off: bool = False
    earlier: int | None = None


def today(one: Today, screens: AnyScreens) -> Screen:
    """Today's deal: the game, why to play it, and the person's own attempt."""
    day, own = one.deal.day, one.progress.own
    screen = Screen(colour=screens.colour)
    subtitle = [_date(day)]
    if own is None or own.score is None:
        subtitle.append(_("ends {when}").format(when=f"<t:{int(ends_at(day))}:R>"))
    heading = "### " + _("The Daily Dig") + f" · {screens.title()}"
    screen.text(heading, f"-# {' · '.join(subtitle)}").text(*_own(one, screens))
    buttons: list[ui.Button] = []
    if own is None:
        learn = lessons.offer(screens.lesson, Id("", view_version=BESIDE, arg=screens.game))
        start = Id(PLAY, arg=str(one.to_beat[0]) if one.to_beat else "")
        buttons += [button(pgettext("button: begin a match", "Start"), start, SUCCESS, emoji="▶️"), *learn]
    elif one.match is not None and one.match.live:
        buttons.append(button(pgettext("button: with a match", "Go On"), Id(PLAY), SUCCESS, emoji="▶️"))
    elif one.match is not None and own.score is not None:
        shared = [] if one.match.body.shared else [ended.share_button(day)]
        mine = button(_("My Match"), Id(PLAY), emoji="🏁")
        buttons += [*shared, mine, *review_offer(one.match)]
    seals = button(pgettext("button", "Fairness"), Id(SEALS), emoji="⚖️")
    return screen.buttons(*buttons, *_to_earlier(one.earlier, day), *_to_month(day), seals)


def _own(one: Today, screens: AnyScreens) -> list[str]:
    own, (score, user) = one.progress.own, one.to_beat or (0, 0)
    if lines := ended.among_others(one.progress, screens, one.following, _veterans(one.match, screens)):
        return [f"**{lines[0]}**", *lines[1:]]
    beat = _("🎯 **{score}** by {who} to beat").format(score=screens.amount(score), who=f"<@{user}>")
    if own is None:
        lines = [
            _(
                "Alone against two Veterans, without hints. Everyone gets the same deal and one try: who makes the "
                "most of it?"
            ),
            _("A Master plays the same deal in your seat: you race them, turn by turn."),
            _("-# About ten minutes. New to the game? **Learn** shows it, and leaves you your try."),
            _("-# Until the day is over, no one sees your moves, and you don't see anyone else's."),
        ]
    elif one.match is not None and one.match.live:
        lines = [_("Your match goes on. It must be finished before the day is over.")]
    else:
        following = ended.next_line(own, 0, one.following)
        lines = [_("Your match ended unfinished, so it has no score."), following]
    return [*[beat] * (one.to_beat is not None), *lines, *ended.streak_lines(one.progress.streak)]


def _veterans(match: Table | None, screens: AnyScreens) -> list[str]:
    if match is None or match.state is None or (outcome := match.game.outcome(match.state)) is None:
        return []
    others = listing([screens.amount(score) for score in sorted(outcome.scores[1:], reverse=True)])
    return [_("The two Veterans: {scores}").format(scores=others), *screens.ties(outcome, Names(match.seats))]


def seals(deals: Sequence[DealRow]) -> Screen:
    """Why nobody can have chosen the deal, with the seals of today's deal and of tomorrow's."""
    screen = Screen(colour=CALM).text(
        _("### Is the deal fair?"),
        _(
            "I draw the seed of a deal on the day before and show its fingerprint, the seal. When the day is over, I "
            "show the seed, and anyone can check that it has this seal. So no one can choose a deal or change it."
        ),
    )
    headings = (_("Today's seal `{seal}`"), _("Tomorrow's seal `{seal}`"))
    for heading, deal in zip(headings, deals, strict=False):
        screen.text(heading.format(seal=_seal(deal)), f"-# {_sealed(deal)}")
    return screen.buttons(button(pgettext("button: the present day", "Today"), Id(ended.DAILY)))


def shared(progress: Progress, match: Table, events: Sequence[SeenEvent], screens: AnyScreens) -> Screen:
    """A person's result of a day for everybody in a channel. Nothing gives the deal away.

    `events` are those of the match, as a spectator saw them.
    """
    outcome, own = match.game.outcome(match.state), progress.own
    assert own is not None
    sign = "🏆 " if outcome is not None and 0 in outcome.winners else ""
    return Screen(colour=screens.colour).text(
        f"### {sign}<@{own.user_id}> · {ended.daily_headline(own.score or 0, progress.master, screens)}",
        "-# 📅 **" + _("The Daily Dig") + f"** · {_date(own.day, 'medium')} · {screens.title()}",
        *screens.course(events, 0),
        *[*_veterans(match, screens)[:1], *ended.streak_lines(progress.streak)],
        _("Can you beat it?"),
    )


def _date(day: int, form: Literal["medium", "long"] = "long") -> str:
    return format_date(date_of(day), form, locale=current_language())


def podium_of(one: DayBoard, screens: AnyScreens) -> Picture | None:
    """The podium of the server's day; None if nobody has finished its deal."""
    return podium([each.score for each in one.board if each.score is not None], screens)


def day_board(one: DayBoard, screens: AnyScreens | None) -> Screen:
    """The board of a day: the people of the server with a way to each match, and the seed that was sealed.

    `screens` are those of the day's game; None if there was no deal.
    """
    screen = Screen(colour=CALM).text("## " + _("The Daily Dig") + f" · {_date(one.day)}")
    if one.deal is None or screens is None:
        screen.text(_("There was no deal on this day."))
        return screen.buttons(*_ways(one))
    screen.text(f"**{screens.title()}**")
    if one.off:
        screen.text(_("This server stores no results, so it has no board."))
    elif not one.board:
        screen.text(_("No one here played it."))
    for each in () if one.off else one.board[:SHOWN]:
        line = ui.text(_line(each, one, screens))
        replay = button(pgettext("button", "Replay"), Id(ended.REPLAY, each.table_id, BESIDE), emoji="🎬")
        screen.items.append(ui.section(line, replay) if each.table_id in one.stored else line)
    if len(one.board) > SHOWN and not one.off:
        screen.text("-# " + _("… and {n} more.").format(n=len(one.board) - SHOWN))
    if not one.off and (lines := ended.tied([each.score for each in one.board if each.score is not None])):
        screen.text(*lines)
    if one.comparison:
        screen.text(one.comparison)
    if one.master is not None:
        screen.text(_("A Master in your seat: {score}").format(score=screens.amount(one.master.score)))
    screen.rule().text(
        _("-# **Seed**: `{seed}`").format(seed=one.deal.seed),
        _("-# Its SHA-256 is the seal `{seal}`").format(seal=_seal(one.deal)),
        f"-# {_sealed(one.deal)}",
    )
    return screen.buttons(*_ways(one))


def _line(each: AttemptRow, one: DayBoard, screens: AnyScreens) -> str:
    pointer = "👉 " if one.own is not None and each.user_id == one.own.user_id else ""
    place = rank_of(one.board, each)
    if place is None:
        return f"▫️ {pointer}<@{each.user_id}> · " + _("unfinished")
    medal = MEDALS.get(place, f"{place}.")
    return f"{medal} {pointer}<@{each.user_id}> · **{screens.amount(each.score or 0)}**"


def _sealed(deal: DealRow) -> str:
    when = _("sealed {when}, before the day began")
    if day_of(deal.sealed_at) >= deal.day:
        when = _("sealed {when}: I wasn't running here on the day before")
    return when.format(when=f"<t:{int(deal.sealed_at)}:f>")


def _ways(one: DayBoard) -> list[ui.Button]:
    buttons = _to_earlier(one.earlier)
    if one.day + 1 < one.today:
        buttons.append(button(_("Later"), Id(BOARD, arg=str(one.day + 1))))
    own = [] if one.own is None else [one.own]
    shown = [each.table_id for each in (*own, *one.board) if each.table_id in one.stored]
    if shown and not one.off:
        buttons.append(fairness_button(shown[0]))
    today = button(pgettext("button: the present day", "Today"), Id(ended.DAILY))
    return [*buttons, *_to_month(one.day), today]


def month_board(shown: Month, viewer: int) -> Screen:
    """The board of a month, and the viewer's calendar of it."""
    month, board = shown.month, shown.board
    date = format_skeleton("yMMMM", date_of(first_of(month)), locale=current_language())
    screen = Screen(colour=CALM).text("## " + _("The Daily Dig") + f" · {date}")
    calendar = _calendar(shown)
    if shown.off:
        screen.text(_("This server stores no results, so it has no board."))
    elif board:
        adds_up = "-# " + _("This adds up the scores of all days that are over.")
        screen.text(*_month_lines(board, viewer)).text(adds_up, *ended.tied([each.points for each in board]))
    elif not calendar:
        screen.text(_("No score here yet. A day joins this board once it is over."))
    if calendar:
        screen.text(*calendar, *ended.streak_lines(shown.streak))
    ways = [button(_("Earlier"), Id(MONTH, arg=str(month_of(shown.earlier))))] if shown.earlier else []
    if month < month_of(shown.today):
        ways.append(button(_("Later"), Id(MONTH, arg=str(month + 1))))
    return screen.buttons(*ways, button(pgettext("button: the present day", "Today"), Id(ended.DAILY)))


def _calendar(shown: Month) -> list[str]:
    days = range(first_of(shown.month), min(first_of(shown.month + 1), shown.today + 1))
    tried = {
        each.day: "×" if each.score is None else str(each.score) for each in shown.own if each.day in days
    }
    if not tried:
        return []
    first = days.start - (date_of(days.start).weekday() - shown.begins) % 7
    names = [format_date(date_of(first + n), "cccccc", locale=current_language()) for n in range(7)]
    begun = max(days.start, min(each.day for each in shown.own))
    cells = [tried.get(day, "·") if day >= begun else "" for day in range(first, days.stop)]
    weeks = {"": names}
    for n in range((begun - first) // 7 * 7, len(cells), 7):
        ends = max(first + n, days.start), min(first + n + 7, days.stop) - 1
        weeks["–".join(dict.fromkeys(str(day - days.start + 1) for day in ends))] = cells[n : n + 7]
    lines = [f"{dates:>5}" + "".join(f"{cell:>4}" for cell in week).rstrip() for dates, week in weeks.items()]
    points = sum(each.score or 0 for each in shown.own if each.day in days)
    meaning = _("-# Scores, {points} together; × unfinished, · not played").format(points=points)
    return ["**" + _("Your days") + "**", "```", *lines, "```", meaning]


def _month_lines(board: Sequence[MonthRow], viewer: int) -> list[str]:
    lines, points = list[str](), [each.points for each in board]
    for at, each in enumerate(board):
        own = each.user_id == viewer
        if at >= SHOWN_OF_MONTH and not own:
            continue
        if at > SHOWN_OF_MONTH:
            lines.append("…")
        place = 1 + points.index(each.points)
        days = ngettext("{n} day", "{n} days", each.days).format(n=each.days)
        before = f"{MEDALS.get(place, f'{place}.')}{' 👉' if own else ''}"
        lines.append(f"{before} <@{each.user_id}> **{each.points}** · {days}")
    return lines


def _to_earlier(earlier: int | None, today: int = 0) -> list[ui.Button]:
    label = _("Yesterday") if earlier == today - 1 else _("Earlier")
    return [] if earlier is None else [button(label, Id(BOARD, arg=str(earlier)))]


def _to_month(day: int) -> list[ui.Button]:
    return [button(pgettext("button: the board of a month", "Month"), Id(MONTH, arg=str(month_of(day))))]


def _seal(deal: DealRow) -> str:
    return commitment(bytes.fromhex(deal.seed))
