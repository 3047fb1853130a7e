"""The screens of the command `/daily`: today's deal, the board of a day that is over, and the board of a month."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from babel.dates import format_date, format_skeleton

from bot.language import current_language, ngettext, pgettext
from bot.language import gettext as _
from bot.people.daily.deals import date_of, day_of, ends_at, first_of, month_of, rank_of
from bot.store.model import AttemptRow, DealRow, MonthRow
from bot.ui.screens import components as ui
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.ended import DAILY, REPLAY
from bot.ui.screens.fairness import FAIRNESS, SEAL
from bot.ui.screens.game_screens import AnyScreens, has_pictures
from bot.ui.screens.ids import BESIDE, Id
from bot.ui.screens.kit import CALM, MEDALS, Screen, button
from engine.fairness import commitment

PLAY: Final = "daily-play"
"""The intent of the button that begins the match of today's deal, or goes on with it."""
BOARD: Final = "daily-board"
"""The intent of the buttons that show the board of a day. The argument is the day."""
MONTH: Final = "daily-month"
"""The intent of the buttons that show the board of a month. The argument is the month."""
SHOWN: Final = 8
"""The most people on the board of a day, each with a button."""
SHOWN_OF_MONTH: Final = 20


@dataclass(frozen=True, slots=True)
class Today:
    """Today's deal for one person: `board` are the attempts of their server, `own` is theirs.

    `goes_on`: their match has not ended. `tomorrow`: the deal of the next day, which is sealed already.
    """

    deal: DealRow
    tomorrow: DealRow
    board: Sequence[AttemptRow]
    own: AttemptRow | None
    goes_on: bool
    streak: int


@dataclass(frozen=True, slots=True)
class DayBoard:
    """The board of a day that is over, for one person.

    `day` is the day, `today` the present one. `stored` are the tables whose matches are still stored. `comparison` is a
    sentence about the person's play and the winner's. `off`: the server keeps no results. `alone`: there is no server,
    so the board has the person's own attempt at most.
    """

    day: int
    today: int
    deal: DealRow | None
    board: Sequence[AttemptRow] = ()
    own: AttemptRow | None = None
    stored: Collection[int] = field(default_factory=set[int])
    comparison: str = ""
    off: bool = False
    alone: bool = False


def today(one: Today, screens: AnyScreens) -> Screen:
    """Today's deal: the game, the person's own attempt, and the seals of today and tomorrow."""
    day = one.deal.day
    screen = Screen(colour=screens.colour)
    screen.text(
        _("## The daily dig"),
        f"-# {_date(day)} · " + _("ends {when}").format(when=f"<t:{int(ends_at(day))}:R>"),
        _("**{game}**, alone against two Veterans: the same deal for everyone, and one try.").format(
            game=screens.title()
        ),
    )
    screen.text(*_own(one))
    screen.rule().text(
        _("-# ⚖️ Today's seal `{seal}` of {when}").format(
            seal=_seal(one.deal)[:SEAL], when=f"<t:{int(one.deal.sealed_at)}:f>"
        ),
        _("-# Tomorrow's seal `{seal}`").format(seal=_seal(one.tomorrow)),
    )
    buttons: list[ui.Button] = []
    if one.own is None:
        buttons.append(button(pgettext("button: begin a match", "Play"), Id(PLAY), SUCCESS, emoji="▶️"))
    elif one.goes_on:
        buttons.append(button(pgettext("button: with a match", "Go On"), Id(PLAY), SUCCESS, emoji="▶️"))
    return screen.buttons(*buttons, _to_board(_("Yesterday"), day - 1), *_to_month(day))


def _own(one: Today) -> list[str]:
    """The lines about the person's own attempt."""
    own = one.own
    if own is None:
        lines = [
            _("No one sees your match before the day is over, and you don't see anyone else's."),
            _("It must be finished by then: {when}.").format(when=f"<t:{int(ends_at(one.deal.day))}:t>"),
        ]
    elif own.score is not None:
        lines = [_("Your score: **{score}**").format(score=own.score)]
        finished = [each for each in one.board if each.score is not None]
        if own in finished:
            text = _("Place **{place}** of {people} on this server so far")
            lines.append(text.format(place=rank_of(finished, own), people=len(finished)))
        lines.append("-# " + _("The board and everyone's match open when the day is over."))
    elif one.goes_on:
        lines = [_("Your match goes on. It must be finished before the day is over.")]
    else:
        lines = [_("Your match ended unfinished, so it has no score.")]
    if one.streak > 1:
        days = ngettext("{n} day in a row", "{n} days in a row", one.streak).format(n=one.streak)
        lines.append(f"🔥 {days}")
    return lines


def _date(day: int) -> str:
    """The date of a day, as the current language writes it."""
    return format_date(date_of(day), "long", locale=current_language())


def day_board(one: DayBoard, screens: AnyScreens | None) -> Screen:
    """The board of a day: the people of the server with a way to each match, and the seed that was sealed.

    `screens` are those of the day's game; None if there was no deal.
    """
    screen = Screen(colour=CALM).text(_("## The daily dig of {date}").format(date=_date(one.day)))
    if one.deal is None or screens is None:
        screen.text(_("There was no deal on this day."))
        return screen.buttons(*_ways(one))
    screen.text(f"**{screens.title()}**")
    if one.off:
        screen.text(_("This server stores no results, so it has no board."))
    elif not one.board:
        screen.text(_("You didn't play it.") if one.alone else _("No one on this server played it."))
    for each in () if one.off else one.board[:SHOWN]:
        line = ui.text(_line(each, one))
        if each.table_id not in one.stored:
            screen.items.append(line)
        elif has_pictures(screens):
            replay = button(pgettext("button", "Replay"), Id(REPLAY, each.table_id, BESIDE), emoji="🎬")
            screen.items.append(ui.section(line, replay))
        else:
            log = button(pgettext("button", "Log"), Id("log", each.table_id), emoji="📋")
            screen.items.append(ui.section(line, log))
    if len(one.board) > SHOWN and not one.off:
        screen.text("-# " + _("… and {n} more.").format(n=len(one.board) - SHOWN))
    if one.comparison:
        screen.text(one.comparison)
    screen.rule().text(*_revealed(one.deal))
    return screen.buttons(*_ways(one))


def _line(each: AttemptRow, one: DayBoard) -> str:
    """A person's line on the board of a day."""
    pointer = "👉 " if one.own is not None and each.user_id == one.own.user_id else ""
    place = rank_of(one.board, each)
    if one.alone and place is not None:
        return _("Your score: **{score}**").format(score=each.score)
    if place is None:
        return f"▫️ {pointer}<@{each.user_id}> · " + _("unfinished")
    return f"{MEDALS.get(place, f'{place}.')} {pointer}<@{each.user_id}> · **{each.score}**"


def _revealed(deal: DealRow) -> list[str]:
    """The lines with the seed of a day that is over, and its seal."""
    sealed = f"<t:{int(deal.sealed_at)}:f>"
    before = day_of(deal.sealed_at) < deal.day
    when = _("sealed {when}, before the day began") if before else _("sealed {when}, only on the day itself")
    return [
        _("-# **Seed**: `{seed}`").format(seed=deal.seed),
        _("-# Its SHA-256 is the seal `{seal}`").format(seal=_seal(deal)),
        "-# " + when.format(when=sealed),
    ]


def _ways(one: DayBoard) -> list[ui.Button]:
    """The buttons below the board of a day."""
    buttons = [_to_board(_("Earlier"), one.day - 1)] if one.deal is not None else []
    if one.day + 1 < one.today:
        buttons.append(_to_board(_("Later"), one.day + 1))
    own = [] if one.own is None else [one.own]
    shown = [each.table_id for each in (*own, *one.board) if each.table_id in one.stored]
    if shown and not one.off:
        buttons.append(button(pgettext("button", "Fairness"), Id(FAIRNESS, shown[0]), emoji="⚖️"))
    return [*buttons, *_to_month(one.day), button(pgettext("button: the present day", "Today"), Id(DAILY))]


def month_board(
    month: int,
    present: int,
    board: Sequence[MonthRow],
    viewer: int,
    *,
    off: bool = False,
    alone: bool = False,
) -> Screen:
    """The board of a month; `present` is the present month. `off`: the server keeps no results.

    `alone`: there is no server, so the board has the viewer at most.
    """
    date = format_skeleton("yMMMM", date_of(first_of(month)), locale=current_language())
    screen = Screen(colour=CALM).text(_("## The daily dig · {month}").format(month=date))
    if off:
        screen.text(_("This server stores no results, so it has no board."))
    elif not board:
        nobody = _("No one on this server has finished a deal that is over.")
        screen.text(_("You have finished no deal that is over.") if alone else nobody)
    else:
        screen.text(*([_month_line("👉", board[0])] if alone else _month_lines(board, viewer)))
        screen.text("-# " + _("This adds up the scores of all days that are over."))
    ways = [button(_("Earlier"), Id(MONTH, arg=str(month - 1)))] if board else []
    if month < present:
        ways.append(button(_("Later"), Id(MONTH, arg=str(month + 1))))
    return screen.buttons(*ways, button(pgettext("button: the present day", "Today"), Id(DAILY)))


def _month_lines(board: Sequence[MonthRow], viewer: int) -> list[str]:
    lines: list[str] = []
    for place, each in enumerate(board, 1):
        own = each.user_id == viewer
        if place > SHOWN_OF_MONTH and not own:
            continue
        if place > SHOWN_OF_MONTH + 1:
            lines.append("…")
        lines.append(_month_line(f"{MEDALS.get(place, f'{place}.')}{' 👉' if own else ''}", each))
    return lines


def _month_line(before: str, each: MonthRow) -> str:
    days = ngettext("{n} day", "{n} days", each.days).format(n=each.days)
    return f"{before} <@{each.user_id}> **{each.points}** · {days}"


def _to_board(label: str, day: int) -> ui.Button:
    return button(label, Id(BOARD, arg=str(day)))


def _to_month(day: int) -> list[ui.Button]:
    return [button(pgettext("button: the board of a month", "Month"), Id(MONTH, arg=str(month_of(day))))]


def _seal(deal: DealRow) -> str:
    return commitment(bytes.fromhex(deal.seed))
