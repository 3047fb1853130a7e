"""The group `/digsite`: what the owners of the application may do on Discord, as with the commands of the program.

Discord shows it only to people who manage a server. Each use checks that the person is an owner.
"""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import app_commands

from bot.app.host import Host
from bot.app.notice import LONGEST_NOTICE
from bot.app.orders import OrderKind
from bot.app.overview import as_text
from bot.language import gettext as _
from bot.language import speaking
from bot.tables.refusals import Refused
from bot.ui.handlers import Handler, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens import messages
from bot.ui.screens.ids import read_number
from cogs.commands import Say, worded

SERVERS_SHOWN: Final = 40
"""The most servers that `/digsite tables` lists."""
RANKS: Final = (discord.TeamMemberRole.admin, discord.TeamMemberRole.developer)
"""The members of the application's team who count as owners. The others may only read about it."""


def owners_of(application: discord.AppInfo) -> set[int]:
    """The people who own the application: one person, or those of its team who may change it."""
    team = application.team
    if team is None:
        return {application.owner.id}
    members = {member.id for member in team.members if member.role in RANKS}
    return members | ({team.owner_id} if team.owner_id is not None else set())


def check_owner(interaction: Interaction) -> None:
    """Raises `Refused` unless an owner gives the command."""
    application = interaction.raw.client.application
    if application is None or interaction.user_id not in owners_of(application):
        raise Refused("owners-only")


def add_commands(host: Host, tree: app_commands.CommandTree[Any]) -> None:
    """Adds the group to the bot."""
    group = app_commands.Group(
        name="digsite",
        description=worded(lambda: _("For the owners of this application")),
        guild_only=True,
        default_permissions=discord.Permissions.none(),
        allowed_contexts=app_commands.AppCommandContext(guild=True),
        allowed_installs=app_commands.AppInstallationType(guild=True),
    )
    _add_tables(host, group)
    _add_blocks(host, group)
    _add_others(host, group)
    _add_processes(host, group)
    tree.add_command(group)


def _ordering(host: Host, what: OrderKind, argument: str) -> Handler:
    """An order of the person who gives the command."""

    async def order(_context: HandlerContext, interaction: Interaction) -> Reply:
        check_owner(interaction)
        with speaking(interaction.locale):
            done = await host.housekeeping.operator.give(
                what, argument, f"owner {interaction.user_id}", interaction.locale
            )
            if done is None:
                return Reply(messages.say(_not_yet()))
            return Reply(messages.say(_shown(what, done.said) if done.done else f"⚠️ {done.said}"))

    return order


def _not_yet() -> str:
    return _("⏳ This is not done yet. It is queued and will be done as soon as possible.")


def _shown(what: OrderKind, said: str) -> str:
    """The outcome of an order; lines of equal width as such."""
    return f"```\n{said}\n```" if what == "processes" and "\n" in said else said


def _of_server(host: Host, what: OrderKind, server: str) -> Handler:
    """An order about a server, whose id was typed."""
    number = read_number(server.strip())

    async def refuse(_context: HandlerContext, interaction: Interaction) -> Reply:
        check_owner(interaction)
        raise Refused("no-server-id")

    return _ordering(host, what, str(number)) if number else refuse


async def _serve(host: Host, interaction: discord.Interaction[Any], name: str, handler: Handler) -> None:
    await host.router.command(interaction, f"owners-{name}", handler)


def _command(name: str, say: Say, callback: Any) -> app_commands.Command[Any, Any, Any]:
    return app_commands.Command(name=name, description=worded(say), callback=callback)


def _add_tables(host: Host, group: app_commands.Group) -> None:
    async def count(_context: HandlerContext, interaction: Interaction) -> Reply:
        check_owner(interaction)
        rows = await host.store.live_tables()
        return Reply(messages.say(f"```\n{as_text(rows, SERVERS_SHOWN)}\n```"))

    async def tables(interaction: discord.Interaction[Any]) -> None:
        await _serve(host, interaction, "tables", count)

    group.add_command(_command("tables", lambda: _("Count live tables and people, by server"), tables))


def _add_blocks(host: Host, group: app_commands.Group) -> None:
    @app_commands.describe(person=worded(lambda: _("The person to block")))
    async def block_person(interaction: discord.Interaction[Any], person: discord.User) -> None:
        await _serve(host, interaction, "block", _ordering(host, "block-person", str(person.id)))

    @app_commands.describe(person=worded(lambda: _("The person to unblock")))
    async def allow_person(interaction: discord.Interaction[Any], person: discord.User) -> None:
        await _serve(host, interaction, "allow", _ordering(host, "allow-person", str(person.id)))

    @app_commands.describe(server=worded(_server_id))
    async def block_server(interaction: discord.Interaction[Any], server: str) -> None:
        await _serve(host, interaction, "block", _of_server(host, "block-server", server))

    @app_commands.describe(server=worded(_server_id))
    async def allow_server(interaction: discord.Interaction[Any], server: str) -> None:
        await _serve(host, interaction, "allow", _of_server(host, "allow-server", server))

    group.add_command(
        _command("block-person", lambda: _("Block a person from opening or joining tables"), block_person)
    )
    group.add_command(_command("allow-person", lambda: _("Unblock a person"), allow_person))
    group.add_command(
        _command(
            "block-server",
            lambda: _("Block everyone on a server from opening or joining tables"),
            block_server,
        )
    )
    group.add_command(_command("allow-server", lambda: _("Unblock a server"), allow_server))


def _add_others(host: Host, group: app_commands.Group) -> None:
    @app_commands.describe(table=worded(lambda: _("The table's number, as in the log")))
    async def end(interaction: discord.Interaction[Any], table: app_commands.Range[int, 1]) -> None:
        await _serve(host, interaction, "end", _ordering(host, "end", str(table)))

    @app_commands.describe(server=worded(_server_id))
    async def leave(interaction: discord.Interaction[Any], server: str) -> None:
        await _serve(host, interaction, "leave", _of_server(host, "leave", server))

    @app_commands.describe(
        text=worded(lambda: _("The text of the notice; leave it out to withdraw the notice"))
    )
    async def notice(
        interaction: discord.Interaction[Any], text: app_commands.Range[str, 0, LONGEST_NOTICE] = ""
    ) -> None:
        await _serve(host, interaction, "notice", _ordering(host, "notice", text))

    group.add_command(_command("end", lambda: _("End a table, even one that can't be read"), end))
    group.add_command(_command("leave", lambda: _("Leave a server"), leave))
    group.add_command(
        _command("notice", lambda: _("Show a notice on all tables until it is withdrawn"), notice)
    )


def _add_processes(host: Host, group: app_commands.Group) -> None:
    async def processes(interaction: discord.Interaction[Any]) -> None:
        await _serve(host, interaction, "processes", _ordering(host, "processes", ""))

    group.add_command(
        _command(
            "processes", lambda: _("List the processes that share the work, and their shards"), processes
        )
    )


def _server_id() -> str:
    return _("The server's ID")
