"""The screen on which a person plans or ends a holiday, and what is said about holidays at a table."""

from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from babel.dates import format_date

from bot.language import current_language, ngettext
from bot.language import gettext as _
from bot.tables.deadlines import waited_for
from bot.tables.holidays import Holiday, days_ahead, last_days, last_noon, today_in
from bot.tables.model import Table
from bot.time_zones import known
from bot.ui.screens import components as ui
from bot.ui.screens.components import SECONDARY, SUCCESS
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Option, Screen, button, menus
from bot.ui.screens.names import Names
from bot.ui.screens.own_settings import ZONES, clock_in, place_of

HOLIDAY: Final = "holiday"
FIRST_DAY: Final = "holiday-first"
LAST_DAY: Final = "holiday-last"
HOLIDAY_ZONE: Final = "holiday-zone"
HOLIDAY_OVER: Final = "holiday-over"
OWN_SETTINGS: Final = "own-settings"
"""The intent of the button that leads back to the settings."""
WAIT: Final = "wait"
"""The intent of the button by which a player agrees to wait for a seat. The argument is the seat."""
NO_WAIT: Final = "no-wait"
NOW: Final = "now"


class Plan(NamedTuple):
    """A holiday that a person plans: its first day as a date, or `NOW`, and the time zone of its days."""

    first: str
    zone: str

    def __str__(self) -> str:
        return f"{self.first}/{self.zone}"


def read_plan(text: str) -> Plan | None:
    """The plan in the value of a menu; None if it has another form.

    >>> read_plan("now/Europe/Berlin")
    Plan(first='now', zone='Europe/Berlin')
    """
    first, _slash, zone = text.partition("/")
    return Plan(first, zone) if known(zone) else None


def holiday_text(holiday: Holiday | None, now: float) -> str:
    """A person's holiday in a sentence: its days as they were chosen, in their own time zone."""
    if holiday is None or holiday.ends <= now:
        return _("**Holiday**: none.")
    first, last = (_in_words(day) for day in holiday.days(ZoneInfo("UTC")))
    if holiday.begins <= now:
        return _("**Holiday**: until {day}.").format(day=last)
    return _("**Holiday**: from {first} until {last}.").format(first=first, last=last)


def holiday_screen(holiday: Holiday | None, plan: Plan, now: float) -> Screen:
    """The screen on which a person plans a holiday, with the person's present one."""
    screen = Screen(colour=CALM).text(
        holiday_text(holiday, now),
        "-# "
        + _(
            "While it lasts, a computer player plays for you. If everyone else at a table agrees, the match waits "
            "for you instead, and your time stands still. You can't join a new match in the meantime."
        ),
    )
    zone = ZoneInfo(plan.zone)
    today = today_in(zone, now)
    begins = today if plan.first == NOW else date.fromisoformat(plan.first)
    places = [Option(place_of(each), str(plan._replace(zone=each)), clock_in(each, now)) for each in ZONES]
    screen.text("**" + _("Your time zone") + "**")
    screen.add(menus(Id(HOLIDAY_ZONE), _("Your time zone"), places, chosen=[str(plan)]))
    if holiday is not None and holiday.lasts(now):
        begins, _last = holiday.days(zone)
    else:
        days = [(_("Now"), NOW), *[(_in_words(day), day.isoformat()) for day in days_ahead(today)]]
        options = [Option(label, str(plan._replace(first=first))) for label, first in days]
        screen.text("**" + _("It begins") + "**")
        screen.add(menus(Id(FIRST_DAY), _("It begins"), options, chosen=[str(plan)]))
    options = [Option(_in_words(day), f"{day.isoformat()}/{plan}") for day in last_days(begins, today)]
    last = "" if holiday is None or holiday.ends <= now else holiday.days(zone)[1].isoformat()
    screen.text("**" + _("The last day") + "**")
    screen.add(menus(Id(LAST_DAY), _("Choose the last day"), options, chosen=[f"{last}/{plan}"]))
    buttons = [button(_("Back to Settings"), Id(OWN_SETTINGS))]
    if holiday is not None and now < holiday.ends:
        lasts = holiday.lasts(now)
        label, style = (_("End My Holiday"), SUCCESS) if lasts else (_("Cancel My Holiday"), SECONDARY)
        buttons.insert(0, button(label, Id(HOLIDAY_OVER), style))
    return screen.buttons(*buttons)


def present_plan(holiday: Holiday | None, zone: str, now: float) -> Plan:
    """The plan that the screen shows first: that of the holiday to come, or one that begins now.

    Its zone is the one that was chosen for a present holiday, otherwise `zone`.
    """
    if holiday is None or holiday.ends <= now:
        return Plan(NOW, zone)
    zone = holiday.zone or zone
    first, _last = holiday.days(ZoneInfo(zone))
    ahead = days_ahead(today_in(ZoneInfo(zone), now))
    return Plan(first.isoformat() if first in ahead else NOW, zone)


def _in_words(day: date) -> str:
    return format_date(day, "full", locale=current_language())


def _day(ends: int) -> str:
    """The last day of a holiday, as Discord shows it to each reader."""
    return f"<t:{last_noon(ends)}:D>"


# -- at a table


def on_holiday(ends: int) -> str:
    """The remark on a seat in a lobby whose person is on holiday."""
    return "🌴 " + _("on holiday until {day}").format(day=_day(ends))


def holiday_lines(table: Table, names: Names) -> list[str]:
    """A line for each person on holiday: until when, and whether an agent plays or the match waits."""
    lines: list[str] = []
    for number, seat in enumerate(table.seats):
        if seat.holiday is None:
            continue
        facts = {"name": names.bold(number), "day": _day(seat.holiday)}
        if waited_for(table, number) or table.status == "paused":
            text = _("{name} is on holiday until {day}; the match waits.")
        else:
            text = _("{name} is on holiday until {day}; a computer player plays meanwhile.")
        others = [other for other in table.people() if other != number]
        agreed = [other for other in others if other in seat.agreed]
        line = text.format(**facts)
        if agreed and len(agreed) < len(others):
            line += " " + ngettext(
                "{n} of {all} would rather wait.", "{n} of {all} would rather wait.", len(agreed)
            ).format(n=len(agreed), all=len(others))
        lines.append(line)
    return lines


def holiday_buttons(table: Table, names: Names) -> list[ui.Button]:
    """The buttons by which the others at the table agree to wait for people on holiday, or let agents play."""
    if table.status != "playing":
        return []
    buttons: list[ui.Button] = []
    for number, seat in enumerate(table.seats):
        if seat.holiday is None or len(table.people()) < 2:
            continue
        if waited_for(table, number):
            label, intent = _("Let an AI Play for {name}"), NO_WAIT
        else:
            label, intent = _("Wait for {name}"), WAIT
        buttons.append(button(label.format(name=names.bare(number)), Id(intent, table.id, arg=str(number))))
    return buttons


def wait_noted(table: Table, number: int) -> Screen:
    """The answer to whoever agrees to wait: whether the match waits now, and a button to withdraw that."""
    names = Names(table.seats)
    if waited_for(table, number):
        text = _("Everyone agrees: the match waits for {name}, and their time stands still.")
    else:
        text = _(
            "Noted. The match waits for {name} once everyone else at the table agrees; until then a "
            "computer player plays."
        )
    screen = Screen(colour=CALM).text(text.format(name=names.bold(number)))
    return screen.buttons(button(_("Let the AI Play"), Id(NO_WAIT, table.id, arg=str(number))))
