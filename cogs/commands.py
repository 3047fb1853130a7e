"""The group of commands that every game gets: start, hand, table, rules, learn, log, replay, leave, end."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, Final

import discord
from discord import app_commands

from bot.app.host import Host
from bot.language import SOURCE, pgettext, speaking
from bot.language import gettext as _
from bot.tables.model import TURN_LIMITS
from bot.ui.actions import leaving, lessons, lookup, presses
from bot.ui.actions.chosen import Chosen
from bot.ui.actions.opening import open_lobby
from bot.ui.handlers import Handler
from bot.ui.screens.ended import REPLAY
from bot.ui.screens.game_screens import OWN_SCREEN, AnyScreens
from bot.ui.screens.words import level_name, limit_text

Callback = Callable[..., Coroutine[Any, Any, None]]

EVERYWHERE: Final = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
"""The places of a command that needs no server: servers, the bot's direct messages, and all others."""
BY_ALL: Final = app_commands.AppInstallationType(guild=True, user=True)
"""The installations that such a command needs: that of the server, or that of the person."""
ON_SERVERS: Final = app_commands.AppCommandContext(guild=True)
"""The places of a command that is about a server."""
BY_SERVER: Final = app_commands.AppInstallationType(guild=True)
"""The installation that such a command needs."""

Say = Callable[[], str]
"""Gives a text that Discord keeps, in the language that is being spoken."""


def group_of(
    host: Host, name: str, say: Say, prefix: str = ""
) -> tuple[app_commands.Group, Callable[[str, Say, Handler], None]]:
    """An empty group of commands, and the way to add one, which is counted by its name after a prefix."""
    group = app_commands.Group(
        name=name, description=worded(say), allowed_contexts=EVERYWHERE, allowed_installs=BY_ALL
    )

    def add(name: str, say: Say, handler: Handler) -> None:
        async def callback(raw: discord.Interaction[Any]) -> None:
            await host.router.command(raw, prefix + name, handler)

        group.add_command(app_commands.Command(name=name, description=worded(say), callback=callback))

    return group, add


def build_group(host: Host, screens: AnyScreens) -> app_commands.Group:
    """The group of a game's commands."""
    game = screens.game
    group, add = group_of(host, game, lambda: _short(screens.title()))

    def pressing(intent: str, handler: Handler, *, live: bool = True) -> Handler:
        return partial(leaving.press, game=game, intent=intent, handler=handler, live=live)

    group.add_command(_start(host, screens))
    add("hand", lambda: screens.words().own_screen_command, pressing(OWN_SCREEN, presses.show_own))
    add(
        "table",
        lambda: _("Brings the table to the bottom of the channel"),
        partial(leaving.repost, game=game),
    )
    add("rules", lambda: screens.words().rules_command, partial(lookup.rules, game=game))
    if screens.lesson is not None:
        add(
            "learn",
            lambda: _("A guided match for you alone, with every rule in a few presses"),
            partial(lessons.learn, game=game),
        )
    add("log", lambda: _("The match so far, in words"), pressing("log", lookup.show_log, live=False))
    add(
        "replay",
        lambda: _("Watch the match again, as a film of all its turns"),
        pressing(REPLAY, host.film_replies.replay, live=False),
    )
    add(
        "leave",
        lambda: _("Leave the table; a computer player plays on for you"),
        partial(leaving.leave, game=game),
    )
    add("end", lambda: _("End the match, on your own or together"), partial(leaving.end, game=game))
    return group


def _start(host: Host, screens: AnyScreens) -> app_commands.Command[Any, Any, Any]:
    game = host.games[screens.game]
    settings = screens.settings()

    async def callback(interaction: discord.Interaction[Any], **given: Any) -> None:
        chosen = Chosen(
            limit=given.get("turn_limit", ""),
            agents=given.get("agents", 0),
            level=given.get("agent_level") or None,
            same_deal=given.get("same_deal", ""),
            options={name: given[name] for name in settings if given.get(name)},
        )
        handler = partial(open_lobby, game=screens.game, chosen=chosen)
        await host.router.command(interaction, "start", handler)

    agents = app_commands.Range[int, 0, game.max_seats - 1]
    parameters = [
        _parameter("interaction", discord.Interaction),
        _parameter("turn_limit", str, ""),
        _parameter("agents", agents, 0),
        _parameter("agent_level", str, ""),
        _parameter("same_deal", str, ""),
        *[_parameter(name, str, "") for name in settings],
    ]
    # discord.py learns a command's options from the signature of its callback. This adds the game's own options to it.
    callback.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    named = _named(screens, callback)
    limits = {key: partial(limit_text, seconds) for key, seconds in TURN_LIMITS.items()}
    levels = {level: partial(level_name, level) for level in game.agents}
    choices = {
        "turn_limit": _choices(limits),
        "agent_level": _choices(levels),
        **{
            name: _choices({value: partial(_choice, screens, name, value) for value in setting.choices})
            for name, setting in settings.items()
        },
    }
    with_choices = app_commands.choices(**choices)(named)
    about = worded(
        lambda: _("Open a table on a server or in a group DM; elsewhere, play alone against the AI")
    )
    return app_commands.Command(name="start", description=about, callback=with_choices)


def _named(screens: AnyScreens, callback: Callback) -> Callback:
    settings = screens.settings()
    described = app_commands.describe(
        turn_limit=worded(lambda: _("How long a player may take before a computer player plays for them")),
        agents=worded(lambda: _("How many computer players join when the lobby opens")),
        agent_level=worded(lambda: _("How strong they are")),
        same_deal=worded(lambda: _("The code of another table, to play the same deal")),
        **{name: worded(partial(_of_setting, screens, name, "describe")) for name in settings},
    )(callback)
    return option_names(
        turn_limit=lambda: pgettext("option of a command", "turn limit"),
        agents=lambda: pgettext("option of a command", "computer players"),
        agent_level=lambda: pgettext("option of a command", "level"),
        same_deal=lambda: pgettext("option of a command", "same deal"),
        **{name: partial(_of_setting, screens, name, "title") for name in settings},
    )(described)


def option_names(**options: Say) -> Callable[[Callback], Callback]:
    """A decorator that gives options of a command names in other languages; in English they keep their own.

    Each text is a word or two, of which the name is made: "Turn limit" becomes "turn_limit".
    """

    def name(say: Say) -> str:
        return "_".join(say().lower().split())

    return app_commands.rename(
        **{option: app_commands.locale_str(option, say=partial(name, say)) for option, say in options.items()}
    )


def worded(say: Say) -> app_commands.locale_str:
    """A text that Discord keeps in English and in all other languages of the bot."""
    with speaking(SOURCE):
        return app_commands.locale_str(say(), say=say)


def _of_setting(screens: AnyScreens, name: str, text: str) -> str:
    return getattr(screens.settings()[name], text)


def _choice(screens: AnyScreens, name: str, value: str) -> str:
    return screens.settings()[name].choices[value]


def _parameter(name: str, annotation: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Parameter(name, kind, annotation=annotation, default=default)


def _choices(names: Mapping[str, Say]) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=worded(say), value=value) for value, say in names.items()]


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:99] + "…"
