"""The settings of a person: where they are called, and their quiet hours."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import get_timezone_location

from bot.language import current_language
from bot.language import gettext as _
from bot.tables.quiet_hours import QuietHours
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Option, Screen, button, menus

CALLED_BY: Final = "called-by"
QUIET_MENU: Final = "quiet-hours"
ZONE_MENU: Final = "quiet-zone"
AT_TABLE: Final = "table"
BY_DM: Final = "dm"
NO_QUIET: Final = "none"
HOURS: Final = (
    (20, 8),
    (21, 7),
    (22, 6),
    (22, 7),
    (22, 8),
    (23, 7),
    (23, 8),
    (0, 7),
    (0, 8),
    (0, 9),
    (8, 16),
    (9, 17),
)
ZONES: Final = (
    *("Pacific/Honolulu", "America/Los_Angeles", "America/Denver", "America/Mexico_City", "America/Chicago"),
    *("America/Bogota", "America/New_York", "America/Santiago", "America/Sao_Paulo", "Atlantic/Azores"),
    *(
        "Europe/London",
        "Africa/Lagos",
        "Europe/Berlin",
        "Europe/Athens",
        "Africa/Johannesburg",
        "Europe/Moscow",
    ),
    *("Asia/Dubai", "Asia/Karachi", "Asia/Kolkata", "Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo"),
    *("Australia/Adelaide", "Australia/Sydney", "Pacific/Auckland"),
)
"""The time zones that a menu offers, from west to east."""
LIKELY_ZONES: Final = {
    "de": "Europe/Berlin",
    "fr": "Europe/Berlin",
    "it": "Europe/Berlin",
    "es-ES": "Europe/Berlin",
    "en-US": "America/New_York",
    "es-419": "America/Mexico_City",
    "pt-BR": "America/Sao_Paulo",
    "ru": "Europe/Moscow",
    "ja": "Asia/Tokyo",
    "zh-CN": "Asia/Shanghai",
}
"""The time zones that are proposed, by Discord's locale; for others that of London."""


def likely_zone(locale: str) -> str:
    """The time zone that is proposed to a person with this locale."""
    return LIKELY_ZONES.get(locale, "Europe/London")


def own_settings(quiet: QuietHours | None, likely: str, now: float, *, by_dm: bool) -> Screen:
    """The settings of a person. `likely` is the time zone of the quiet hours that are offered if there are none."""
    screen = Screen(colour=CALM).text(_("### Your settings"))
    if by_dm:
        screen.text(_("**When it is your turn**, I write to you. If I cannot, I call you at the table."))
        screen.buttons(button(_("Call Me at the Table"), Id(CALLED_BY, arg=AT_TABLE)))
    else:
        screen.text(_("**When it is your turn**, I call you at the table."))
        screen.buttons(button(_("Write to Me Instead"), Id(CALLED_BY, arg=BY_DM)))
    zone = likely if quiet is None else quiet.zone
    hours = NO_QUIET if quiet is None else f"{quiet.begins}-{quiet.ends} {zone}"
    if quiet is None:
        text = _("**Quiet hours**: none.")
    else:
        text = _("**Quiet hours**: {hours}, as in {place}.").format(
            hours=_hours(quiet.begins, quiet.ends), place=_place(zone)
        )
    screen.rule().text(text, "-# " + _("I call you after them. They do not stop the clock of a turn."))
    options = [Option(_("No Quiet Hours"), NO_QUIET)]
    options += [Option(_hours(*each), f"{each[0]}-{each[1]} {zone}") for each in HOURS]
    screen.add(menus(Id(QUIET_MENU), _("Quiet hours"), options, chosen=[hours]))
    if quiet is not None:
        places = [
            Option(_place(each), f"{quiet.begins}-{quiet.ends} {each}", _clock(each, now)) for each in ZONES
        ]
        screen.add(menus(Id(ZONE_MENU), _("Your time zone"), places, chosen=[hours]))
    return screen


def _hours(begins: int, ends: int) -> str:
    return f"{begins}:00–{ends}:00"


def _place(zone: str) -> str:
    """The city after which a time zone is named, in the current language."""
    return get_timezone_location(ZoneInfo(zone), locale=current_language(), return_city=True)


def _clock(zone: str, now: float) -> str:
    here = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(zone))
    return _("There it is {time} now").format(time=f"{here:%H:%M}")
