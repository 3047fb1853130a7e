"""The settings of a server, for people who manage it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, Literal

from bot.language import gettext as _
from bot.language import languages, listing
from bot.tables.guests import CHALLENGERS
from bot.tables.model import TURN_LIMITS, Table
from bot.tables.server_settings import ServerSettings
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import OFF, ON, Id
from bot.ui.screens.kit import CALM, Item, Option, Screen, button, menus
from bot.ui.screens.links import to_the_table
from bot.ui.screens.names import Names
from bot.ui.screens.own_settings import challengers_label
from bot.ui.screens.words import language_name, limit_text

SET_LANGUAGE: Final = "server-language"
SET_CHALLENGERS: Final = "server-challengers"
SET_CHANNELS: Final = "server-channels"
SET_ROLE: Final = "server-role"
SET_LIMIT: Final = "server-limit"
SET_ANNOUNCED_IN: Final = "server-announced-in"
SET_PICTURES: Final = "server-pictures"
SET_RATINGS: Final = "server-ratings"
SET_THREADS: Final = "server-threads"
DISCORD: Final = "discord"
"""The value of the language that the server has at Discord."""
MOST_CHANNELS: Final = 25


def server_setup(
    settings: ServerSettings,
    *,
    discords: str,
    pictures: bool | None,
    ratings: bool,
    lacks: Sequence[str] = (),
    lacks_for_pictures: Sequence[str] = (),
) -> Screen:
    """The menus of all settings, each with its present value. Choices apply to tables opened from then on.

    `discords` is the language that the server has at Discord. `pictures` is None if the operator has switched them off.
    `lacks` are the names of the permissions that the bot lacks for threads, `lacks_for_pictures` those for pictures.
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
    limits = [Option(limit_text(seconds), key) for key, seconds in TURN_LIMITS.items()]
    screen.rule().text("**" + _("Turn limit") + "**")
    screen.add(menus(Id(SET_LIMIT), _("Turn limit"), limits, chosen=[settings.limit]))
    spoken = [Option(_("As at Discord: {language}").format(language=language_name(discords)), DISCORD)]
    spoken += [Option(language_name(each), each) for each in languages()]
    screen.text("**" + _("Language of tables") + "**")
    screen.add(menus(Id(SET_LANGUAGE), _("Language"), spoken, chosen=[settings.language or DISCORD]))
    by = [Option(challengers_label(each), each) for each in CHALLENGERS]
    screen.text("**" + _("Challenges") + "**")
    screen.add(menus(Id(SET_CHALLENGERS), _("Challenges"), by, chosen=[settings.challengers]))
    screen.rule().text(*_threads_lines(lacks, on=settings.threads))
    screen.text(*_pictures_lines(lacks_for_pictures, on=pictures)).text(*_ratings_lines(on=ratings))
    screen.rule().text(
        "-# " + _("Each choice is saved immediately and applies to tables opened from now on.")
    )
    return screen.buttons(*_switches(threads=settings.threads, pictures=pictures, ratings=ratings))


def _switches(*, threads: bool, pictures: bool | None, ratings: bool) -> list[ui.Button]:
    """The buttons that switch a setting on or off; none for pictures that the operator has switched off."""
    buttons = [
        button(_("Switch Threads Off"), Id(SET_THREADS, arg=OFF))
        if threads
        else button(_("Switch Threads On"), Id(SET_THREADS, arg=ON)),
        button(_("Switch Ratings Off"), Id(SET_RATINGS, arg=OFF))
        if ratings
        else button(_("Switch Ratings On"), Id(SET_RATINGS, arg=ON)),
    ]
    if pictures is not None:
        switch = (
            button(_("Switch Pictures Off"), Id(SET_PICTURES, arg=OFF))
            if pictures
            else button(_("Switch Pictures On"), Id(SET_PICTURES, arg=ON))
        )
        buttons.insert(1, switch)
    return buttons


def _pictures_lines(lacks: Sequence[str], *, on: bool | None) -> list[str]:
    """The lines about pictures. `on` is None if the operator has switched them off."""
    if on is None:
        return [_("My operator has switched pictures off. The text says everything that they show.")]
    return [
        "**" + (_("Pictures: on") if on else _("Pictures: off")) + "**",
        "-# " + _("Without them all messages here are text alone, which says everything that they show."),
        *_lacks_line(lacks),
    ]


def _ratings_lines(*, on: bool) -> list[str]:
    return [
        "**" + (_("Results and ratings: on") if on else _("Results and ratings: off")) + "**",
        "-# "
        + _(
            "While they are off, I store no result of a match here and show no leaderboard and no profiles. Earlier "
            "results stay saved, and are shown again afterwards."
        ),
    ]


def _threads_lines(lacks: Sequence[str], *, on: bool) -> list[str]:
    """The lines about the choice of a thread for each match."""
    return [
        "**" + (_("A thread for each match: on") if on else _("A thread for each match: off")) + "**",
        "-# "
        + _(
            "With it, every match opens in a thread of its own. After the match I tell its result in the channel, and "
            "archive the thread."
        ),
        *_lacks_line(lacks),
    ]


def _lacks_line(lacks: Sequence[str]) -> list[str]:
    if not lacks:
        return []
    text = _("⚠️ For that I need the permission {permissions}, which I lack in this channel.")
    return [text.format(permissions=listing(lacks))]


def _entity_menu(
    kind: Literal[6, 8], to: Id, placeholder: str, chosen: Sequence[int], *, most: int = 1
) -> list[Item]:
    """A menu of the server's roles or channels. With other choices it has another custom_id, as menus of texts."""
    digest = blake2b(repr(list(chosen)).encode(), digest_size=4).hexdigest()
    custom_id = str(to._replace(arg=f"0.{digest}"))
    return [ui.row(ui.entity_menu(kind, custom_id, placeholder, chosen, most=most))]


def opened_table(table: Table, screens: AnyScreens) -> Screen:
    """The announcement of a table in another channel."""
    host = next((n for n, seat in enumerate(table.seats) if seat.user_id == table.body.host_id), 0)
    text = _("**{who}** has opened a table of **{game}** in {channel}.").format(
        who=Names(table.seats).escaped(host), game=screens.title(), channel=f"<#{table.shown_in}>"
    )
    return Screen(colour=CALM).text(text).buttons(*to_the_table(table))
