"""The commands that belong to no game: `/games` shows what can be played, `/privacy` what is kept about a person.

`/pictures` stands in `cogs.pictures`.
"""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import app_commands

from bot.app.host import Host
from bot.language import gettext as _
from bot.language import ngettext, speaking
from bot.store.model import TableRow
from bot.tables.privacy import kept_about
from bot.ui.interaction import Reply, Visit
from bot.ui.screens import table as show
from bot.ui.screens.credits import credits_line, disclaimer
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Screen, button
from bot.ui.screens.words import status_name
from cogs.commands import Say, Serve, worded
from cogs.pictures import PicturesCommand

SHOWN: Final = 20
"""The most matches that `/privacy` lists; of the others it gives only the number."""


def add_commands(host: Host, tree: app_commands.CommandTree[Any]) -> None:
    """Adds the general commands to the bot."""
    _add_deletion(host)

    def add(name: str, say: Say, serve: Serve) -> None:
        async def callback(interaction: discord.Interaction[Any]) -> None:
            await host.router.serve(Visit(interaction, Id(name)), serve, "private")

        command = app_commands.Command[Any, Any, Any](
            name=name,
            description=worded(say),
            callback=callback,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        command.guild_only = True
        tree.add_command(command)

    add("games", lambda: _("What can be played here"), _games(host))
    add("pictures", lambda: _("Choose pictures or text only"), PicturesCommand(host).show)
    add("privacy", lambda: _("What is kept about you, and how to have it deleted"), _privacy(host))


def _games(host: Host) -> Serve:
    """What `/games` shows."""

    async def games(visit: Visit) -> Reply:
        with speaking(visit.locale):
            screen = Screen(colour=CALM).text(_("## What can be played"))
            for key, screens in host.screens.items():
                screen.rule()
                game = host.games[key]
                seats = _("{least} to {most} players").format(least=game.min_seats, most=game.max_seats)
                lines = [f"### {screens.title()}", f"-# {credits_line(screens.credits())}", screens.summary()]
                screen.text(*filter(None, lines), f"-# {seats} · `/{key} start` · `/{key} rules`")
            screen.rule().text(*[f"-# {paragraph}" for paragraph in disclaimer()])
        return Reply(screen)

    return games


def _privacy(host: Host) -> Serve:
    """What `/privacy` shows."""

    def kept_line(row: TableRow) -> str:
        screens = host.screens.get(row.game)
        game = screens.title() if screens else row.game
        return f"{game} · <t:{int(row.created_at)}:d> · {status_name(row.status)}"

    async def privacy(visit: Visit) -> Reply:
        kept = await kept_about(host.tables, visit.user_id)
        text_only = host.picture_choices.text_only("person", visit.user_id)
        blocked = host.upkeep.controls.blocks(visit.user_id)
        with speaking(visit.locale):
            seats = ngettext("{n} match", "{n} matches", len(kept)).format(n=len(kept))
            screen = Screen(colour=CALM).text(_("### What I keep about you"))
            if kept:
                held = _("Your Discord id and display name, and your seat and moves, in {seats}:")
                screen.text(held.format(seats=seats), *[f"- {kept_line(row)}" for row in kept[:SHOWN]])
            elif not text_only and not blocked:
                screen.text(_("Nothing: you are in no match that I keep."))
            if text_only:
                screen.text(_("Your Discord id, because you have chosen to see no pictures."))
            if blocked:
                screen.text(_still_kept())
            if len(kept) > SHOWN:
                screen.text(_("… and {n} more.").format(n=len(kept) - SHOWN))
            screen.text(
                _(
                    "Finished matches are deleted after {days} days. I read no messages and pass nothing on."
                ).format(days=host.settings.keep_days)
            )
            if kept:
                screen.text(
                    _(
                        "Deleting removes your name and id from all of them, and an agent takes over your seat where a "
                        "match is under way. Moves stay without your name, and a lucky word stays in the shuffle of a "
                        "match that has started. I remove your name from my messages as far as Discord still lets me "
                        "edit them; the others stay as they are."
                    )
                )
            if kept or text_only:
                screen.buttons(button(_("Delete My Data"), Id("forget-me"), show.DANGER))
        return Reply(screen)

    return privacy


def _still_kept() -> str:
    return _(
        "Your Discord id, because my operator lets you sit down at no table. It is kept until that is taken back, also "
        "if you delete your data."
    )


def _add_deletion(host: Host) -> None:
    """Registers the buttons that delete what is kept about a person."""
    erasures = host.upkeep.erasures

    async def ask_forget(visit: Visit) -> Reply:
        with speaking(visit.locale):
            text = _("Your seats, your name and your id are deleted at once, and nobody can bring them back.")
            sure = Id("forget-me-now")
            return Reply(show.confirm(text, _("Delete It for Good"), sure), "update")

    async def forget_me(visit: Visit) -> Reply:
        text_only = host.picture_choices.text_only("person", visit.user_id)
        if text_only or await kept_about(host.tables, visit.user_id):
            outcome = await erasures.forget(visit.user_id)
        else:  # pressed on an old screen, or a second time
            outcome = "traces" if await host.store.erasures() else "done"
        with speaking(visit.locale):
            texts = {
                "done": _("Done: nothing that I keep has your name or id any more.")
                if not host.upkeep.controls.blocks(visit.user_id)
                else _("Done. Only this is still kept:"),
                "traces": _(
                    "Your name and id are deleted. Another program is reading my database, so traces are still in its "
                    "files. I wipe them as soon as I can; you need not do anything more."
                ),
                "later": _(
                    "I could not delete all of it just now. I have noted it and go on by myself; `/privacy` shows "
                    "what is still kept."
                ),
            }
            screen = show.say(texts[outcome])
            if host.upkeep.controls.blocks(visit.user_id):
                screen.text(_still_kept())
            return Reply(screen, "update")

    host.router.add_handler("forget-me", ask_forget, "update")
    host.router.add_handler("forget-me-now", forget_me, "update")
