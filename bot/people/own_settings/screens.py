"""The settings of a person: calls, quiet hours, language, pictures, and holidays."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Final, Literal, NamedTuple
from zoneinfo import ZoneInfo

from babel.dates import format_date, get_timezone_location

from bot.language import current_language, languages, ngettext, pgettext
from bot.language import gettext as _
from bot.tables.calling import BY_DM, DIGEST_HOURS, NEVER, REMINDER_HOURS, WITH_HAND, QuietHours
from bot.tables.deadlines import waited_for
from bot.tables.guests import CHALLENGERS, EVERYONE, NOBODY, PLAYED
from bot.tables.holidays import Holiday, days_ahead, last_days, today_in
from bot.tables.model import Table
from bot.time_zones import known
from bot.ui.screens import components as ui
from bot.ui.screens.board import NO_WAIT
from bot.ui.screens.components import SECONDARY, SUCCESS
from bot.ui.screens.ids import OFF, ON, Id
from bot.ui.screens.kit import CALM, Option, Screen, button, menus
from bot.ui.screens.names import Names
from bot.ui.screens.words import language_name

CALLED_BY: Final = "called-by"
QUIET_MENU: Final = "quiet-hours"
ZONE_MENU: Final = "quiet-zone"
REMINDED: Final = "reminded"
OWN_LANGUAGE: Final = "own-language"
OWN_PICTURES: Final = "pictures-for-me"
OWN_CHALLENGERS: Final = "challenged-by"
DISCORDS: Final = "discord"
"""The value of the language that the person has at Discord."""
AT_TABLE: Final = "table"
USUALLY: Final = "usual"
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
    *(
        "Pacific/Honolulu",
        "America/Los_Angeles",
        "America/Vancouver",
        "America/Denver",
        "America/Mexico_City",
    ),
    *("America/Chicago", "America/Bogota", "America/New_York", "America/Santiago", "America/Sao_Paulo"),
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
"""The time zones that a menu offers, from west to east: the clocks of most people. A stored one may be another."""
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


class Chosen(NamedTuple):
    """A person's choices: the place of calls, the reminders (as in the store), the quiet hours, and the language.

    `digest` are the hours between two digests; None without. `refused`: Discord has refused the last digest. `language`
    is None for that of the person's Discord. `challengers` is one of `CHALLENGERS`.
    """

    place: str
    digest: int | None
    refused: bool
    reminders: str
    quiet: QuietHours | None
    language: str | None
    text_only: bool
    challengers: str


NoPictures = Literal["server", "operator"]
"""Those who have chosen text only for everybody here."""


def own_settings(chosen: Chosen, likely: str, now: float) -> Screen:
    """The settings of a person but for `add_looks`. `likely` is the time zone of the quiet hours to begin with."""
    screen = Screen(colour=CALM).text(_("### Your settings"))
    _add_calls(screen, chosen)
    _add_reminders(screen, chosen)
    _add_quiet(screen.rule(), chosen.quiet, likely, now)
    _add_challengers(screen, chosen.challengers)
    return screen


def _add_calls(screen: Screen, chosen: Chosen) -> None:
    place = chosen.place
    if chosen.refused:
        place = ""
        text = _(
            "**When it is your turn**: Discord doesn't let me write to you, so I call you at the "
            "table. Choose again once I may."
        )
    elif chosen.digest is not None:
        place = str(chosen.digest)
        text = ngettext(
            "**When it is your turn**: every {n} hour I send you one list of the matches that wait for you.",
            "**When it is your turn**: every {n} hours I send you one list of the matches that wait for you.",
            chosen.digest,
        ).format(n=chosen.digest)
    elif place == WITH_HAND:
        text = _(
            "**When it is your turn**, I send you your hand by direct message. If I cannot, I call you at the table."
        )
    elif place == BY_DM:
        text = _("**When it is your turn**, I write to you. If I cannot, I call you at the table.")
    else:
        text = _("**When it is your turn**, I call you at the table.")
    options = [
        Option(_("Call Me at the Table"), AT_TABLE, _("A mention in the channel of the match")),
        Option(_("Write to Me"), BY_DM, _("A direct message with a link to the table")),
        Option(_("Write to Me, with My Hand"), WITH_HAND, _("The same with your cards, for you alone")),
        *[Option(_digest_label(hours), str(hours)) for hours in DIGEST_HOURS],
    ]
    screen.text(text).add(menus(Id(CALLED_BY), _("When it is your turn"), options, chosen=[place]))


def _digest_label(hours: int) -> str:
    return ngettext("One List Every {n} Hour", "One List Every {n} Hours", hours).format(n=hours)


def _add_reminders(screen: Screen, chosen: Chosen) -> None:
    if chosen.digest is not None and not chosen.refused:
        text = _(
            "**Reminders**: your list, and a call if a turn that no list has told you about is running out."
        )
        screen.rule().text(text)
        return
    texts = {
        USUALLY: _("**Reminders**: one, when most of your time is used up."),
        NEVER: _("**Reminders**: none."),
    }
    text = texts.get(chosen.reminders)
    if text is None:
        hours = int(chosen.reminders)
        text = ngettext(
            "**Reminders**: one every {n} hour while it is your turn.",
            "**Reminders**: one every {n} hours while it is your turn.",
            hours,
        ).format(n=hours)
    options = [
        Option(_("One, Late in the Turn"), USUALLY),
        Option(_("No Reminders"), NEVER),
        *[
            Option(ngettext("Every {n} Hour", "Every {n} Hours", hours).format(n=hours), str(hours))
            for hours in REMINDER_HOURS
        ],
    ]
    screen.rule().text(text).add(menus(Id(REMINDED), _("Reminders"), options, chosen=[chosen.reminders]))


def _add_quiet(screen: Screen, quiet: QuietHours | None, likely: str, now: float) -> None:
    zone = likely if quiet is None else quiet.zone
    hours = NO_QUIET if quiet is None else f"{quiet.begins}-{quiet.ends} {zone}"
    if quiet is None:
        text = _("**Quiet hours**: none.")
    else:
        text = _("**Quiet hours**: {hours}, as in {place}.").format(
            hours=_hours(quiet.begins, quiet.ends), place=place_of(zone)
        )
    screen.text(text)
    if quiet is not None:
        screen.text("-# " + _("I call you after them. They do not stop the clock of a turn."))
    options = [Option(_("No Quiet Hours"), NO_QUIET)]
    options += [Option(_hours(*each), f"{each[0]}-{each[1]} {zone}") for each in HOURS]
    screen.add(menus(Id(QUIET_MENU), _("Quiet hours"), options, chosen=[hours]))
    if quiet is not None:
        places = [
            Option(place_of(each), f"{quiet.begins}-{quiet.ends} {each}", clock_in(each, now))
            for each in ZONES
        ]
        screen.add(menus(Id(ZONE_MENU), _("Your time zone"), places, chosen=[hours]))


def _add_challengers(screen: Screen, challengers: str) -> None:
    texts = {
        EVERYONE: _("**Challenges**: from everyone."),
        PLAYED: _("**Challenges**: from people with whom you have played."),
        NOBODY: _("**Challenges**: from no one. **Play Again** asks you without notifying you."),
    }
    options = [Option(challengers_label(each), each) for each in CHALLENGERS]
    screen.text(texts[challengers]).add(
        menus(Id(OWN_CHALLENGERS), pgettext("by other people", "Challenges"), options, chosen=[challengers])
    )


def challengers_label(challengers: str) -> str:
    """The option of a menu for these challengers."""
    return {
        EVERYONE: _("From Everyone"),
        PLAYED: _("From People Played With"),
        NOBODY: _("From No One"),
    }[challengers]


def add_looks(screen: Screen, chosen: Chosen, without: NoPictures | None) -> None:
    """Adds the language and the pictures. `without` has chosen text only for everybody here."""
    text = (
        _("**Language**: that of your Discord.")
        if chosen.language is None
        else _("**Language**: {language}.").format(language=language_name(chosen.language))
    )
    screen.rule().text(text, "-# " + _("For all that you alone see. Tables have their server's language."))
    spoken = [Option(_("The language of my Discord"), DISCORDS)]
    spoken += [Option(language_name(each), each) for each in languages()]
    screen.add(menus(Id(OWN_LANGUAGE), _("Language"), spoken, chosen=[chosen.language or DISCORDS]))
    if without == "operator":
        screen.rule().text(
            _("My operator has switched pictures off. The text says everything that they show.")
        )
        return
    if without == "server":
        text = _("**Pictures**: off for everyone on this server.")
    elif chosen.text_only:
        text = _("**Pictures**: off, for you alone. The text says everything that they show.")
    else:
        text = _("**Pictures**: on. The text says everything that they show.")
    label, arg = (_("Show Me Pictures"), ON) if chosen.text_only else (_("Text Only for Me"), OFF)
    screen.rule().add([ui.section(ui.text(text), button(label, Id(OWN_PICTURES, arg=arg)))])


def _hours(begins: int, ends: int) -> str:
    return f"{begins}:00–{ends}:00"


def place_of(zone: str) -> str:
    """The city after which a time zone is named, in the current language."""
    return get_timezone_location(ZoneInfo(zone), locale=current_language(), return_city=True)


def clock_in(zone: str, now: float) -> str:
    """The time now on the clock of this zone, as the description of a choice."""
    here = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(zone))
    return _("The time there is {time}").format(time=f"{here:%H:%M}")


HOLIDAY: Final = "holiday"
FIRST_DAY: Final = "holiday-first"
LAST_DAY: Final = "holiday-last"
HOLIDAY_ZONE: Final = "holiday-zone"
HOLIDAY_OVER: Final = "holiday-over"
OWN_SETTINGS: Final = "own-settings"
"""The intent of the button that leads back to the settings."""
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
    first, last = (_in_words(day) for day in holiday.days())
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
        begins, _last = holiday.days()
    else:
        days = [(_("Now"), NOW), *[(_in_words(day), day.isoformat()) for day in days_ahead(today)]]
        options = [Option(label, str(plan._replace(first=first))) for label, first in days]
        screen.text("**" + _("It begins") + "**")
        screen.add(menus(Id(FIRST_DAY), _("It begins"), options, chosen=[str(plan)]))
    options = [Option(_in_words(day), f"{day.isoformat()}/{plan}") for day in last_days(begins, today)]
    last = "" if holiday is None or holiday.ends <= now else holiday.days()[1].isoformat()
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
    first, _last = holiday.days()
    ahead = days_ahead(today_in(ZoneInfo(holiday.zone), now))
    return Plan(first.isoformat() if first in ahead else NOW, holiday.zone)


def _in_words(day: date) -> str:
    return format_date(day, "full", locale=current_language())


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
