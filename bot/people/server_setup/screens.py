"""The settings of a server."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, Literal

from bot.language import gettext as _
from bot.language import languages, listing, pgettext
from bot.people.own_settings.screens import challengers_label
from bot.store.results import RATINGS
from bot.tables import server_settings as names
from bot.tables.guests import CHALLENGERS
from bot.tables.model import TURN_LIMITS
from bot.tables.server_settings import ServerSettings
from bot.ui.screens import components as ui
from bot.ui.screens.forms import Question
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Item, Option, Screen, button
from bot.ui.screens.words import language_name, limit_text

ASK: Final = "server-settings"
"""The intent of the button that opens the form."""
CHANGE: Final = "server-settings-set"
"""The intent of the form."""
SET_CHANNELS: Final = "server-channels"
SET_ROLE: Final = "server-role"
SET_ANNOUNCED_IN: Final = "server-announced-in"
SWITCHES: Final = "switched-on"
"""The question about all that is on or off: `names.THREADS`, `RATINGS` and `PICTURES`."""
PICTURES: Final = "pictures"
DISCORD: Final = "discord"
"""The value of the language that the server has at Discord."""
MOST_CHANNELS: Final = 25


def questions(settings: ServerSettings, *, discords: str, pictures: bool | None) -> list[Question]:
    """The settings that one form changes, each with its present value. They are named as the store names them.

    `discords` is the language that the server has at Discord. `pictures` is None if the operator has switched them off.
    """
    limits = [Option(limit_text(seconds), key) for key, seconds in TURN_LIMITS.items()]
    spoken = [Option(_("As at Discord: {language}").format(language=language_name(discords)), DISCORD)]
    spoken += [Option(language_name(each), each) for each in languages()]
    by = [Option(challengers_label(each), each) for each in CHALLENGERS]
    switches = [
        Option(_("A thread for each match"), names.THREADS),
        Option(_("Results and ratings"), RATINGS),
    ]
    if pictures is not None:
        switches.insert(1, Option(_("Pictures"), PICTURES))
    on = {names.THREADS: settings.threads, PICTURES: pictures, RATINGS: settings.ratings}
    chosen = [name for name in on if on[name]]
    return [
        Question(names.LIMIT, _("Turn limit"), limits, [settings.limit]),
        Question(names.LANGUAGE, _("Language of tables"), spoken, [settings.language or DISCORD]),
        Question(names.CHALLENGERS, pgettext("by other people", "Challenges"), by, [settings.challengers]),
        Question(SWITCHES, _("Switched on here"), switches, chosen, several=True),
    ]


def server_setup(
    settings: ServerSettings,
    asked: Sequence[Question],
    *,
    pictures: bool | None,
    lacks: Sequence[str] = (),
    lacks_for_pictures: Sequence[str] = (),
) -> Screen:
    """All settings with their present values. Choices apply to tables opened from then on.

    `asked` are the questions of the form. `pictures` is None if the operator has switched them off. `lacks` are the
    names of the permissions that the bot lacks for threads, `lacks_for_pictures` those for pictures.
    """
    screen = Screen(colour=CALM).text(_("### Digsite on this server"))
    chosen = [] if settings.role is None else [settings.role]
    announced = [] if settings.announced_in is None else [settings.announced_in]
    screen.rule().text("**" + _("Where tables may be opened") + "**")
    screen.add(
        _entity_menu(
            ui.CHANNEL_MENU, Id(SET_CHANNELS), _("All channels"), settings.channels, most=MOST_CHANNELS
        )
    )
    screen.text(
        "**" + _("The role that may open tables") + "**",
        "-# " + _("People who manage the server need no role."),
    )
    screen.add(_entity_menu(ui.ROLE_MENU, Id(SET_ROLE), _("Everyone"), chosen))
    screen.text("**" + _("Where opened tables are announced") + "**")
    screen.add(_entity_menu(ui.CHANNEL_MENU, Id(SET_ANNOUNCED_IN), _("Nowhere"), announced))
    screen.rule().text(*[question.line() for question in asked if not question.several])
    threads = _("A thread for each match: on") if settings.threads else _("A thread for each match: off")
    about_threads = _(
        "With it, every match opens in a thread of its own. After the match I tell its result in the channel, and "
        "archive the thread."
    )
    ratings = _("Results and ratings: on") if settings.ratings else _("Results and ratings: off")
    about_ratings = _(
        "While they are off, I store no result of a match here and show no leaderboard and no profiles. Earlier "
        "results stay saved, and are shown again afterwards."
    )
    screen.rule().text(*_switch_lines(threads, about_threads, lacks))
    screen.text(*_pictures_lines(lacks_for_pictures, on=pictures))
    screen.text(*_switch_lines(ratings, about_ratings))
    screen.rule().text(
        "-# " + _("Each choice is saved immediately and applies to tables opened from now on.")
    )
    return screen.buttons(button(_("Change Settings"), Id(ASK), emoji="⚙️"))


def _pictures_lines(lacks: Sequence[str], *, on: bool | None) -> list[str]:
    """The lines about pictures. `on` is None if the operator has switched them off."""
    if on is None:
        return [_("My operator has switched pictures off. The text says everything that they show.")]
    text = _("Without them all messages here are text alone, which says everything that they show.")
    return _switch_lines(_("Pictures: on") if on else _("Pictures: off"), text, lacks)


def _switch_lines(state: str, about: str, lacks: Sequence[str] = ()) -> list[str]:
    lines = [f"**{state}**", f"-# {about}"]
    if lacks:
        text = _("⚠️ For that I need the permission {permissions}, which I lack in this channel.")
        lines.append(text.format(permissions=listing(lacks)))
    return lines


def _entity_menu(
    kind: Literal[6, 8], to: Id, placeholder: str, chosen: Sequence[int], *, most: int = 1
) -> list[Item]:
    """A menu of the server's roles or text channels, of which up to `most` are chosen.

    With other choices it has another custom_id, as menus of texts.
    """
    digest = blake2b(repr(list(chosen)).encode(), digest_size=4).hexdigest()
    name: Literal["role", "channel"] = "role" if kind == ui.ROLE_MENU else "channel"
    menu: ui.EntityMenu = {
        "type": kind,
        "custom_id": str(to._replace(arg=f"0.{digest}")),
        "placeholder": placeholder,
        "min_values": 0,
        "max_values": most,
        "default_values": [{"id": str(each), "type": name} for each in chosen],
    }
    if kind == ui.CHANNEL_MENU:
        menu["channel_types"] = [ui.TEXT_CHANNEL]
    return [ui.row(menu)]
