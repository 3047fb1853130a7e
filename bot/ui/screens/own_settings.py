"""The settings of a person: where and how often they are called, their quiet hours, language, and pictures."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple
from zoneinfo import ZoneInfo

from babel.dates import get_timezone_location

from bot.language import current_language, languages, ngettext
from bot.language import gettext as _
from bot.tables.calling import BY_DM, DIGEST_HOURS, NEVER, REMINDER_HOURS, WITH_HAND, QuietHours
from bot.tables.guests import CHALLENGERS, EVERYONE, NOBODY, PLAYED
from bot.ui.screens import components as ui
from bot.ui.screens.ids import OFF, ON, Id
from bot.ui.screens.kit import CALM, Option, Screen, button, menus
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
        menus(Id(OWN_CHALLENGERS), _("Challenges"), options, chosen=[challengers])
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
