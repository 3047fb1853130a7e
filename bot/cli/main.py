"""Parses a command line, imports the command's module, and calls the function `command` in it."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from bot.cli.cogs import LoadCogs
from bot.cli.read_settings import read_settings
from bot.language import SOURCE, languages
from bot.observability.logs import set_up_logging
from bot.settings import Settings
from bot.store.model import StoreError, StoreFull, StoreUnreachable
from bot.version import own_version
from engine.errors import BadData


class _Version(argparse.Action):
    """Computes the version on demand only, because the computation may start git."""

    def __call__(self, parser: argparse.ArgumentParser, *_values: object) -> None:
        print(f"digsite {own_version()}")
        parser.exit()


def _number(least: int, most: int, what: str) -> Callable[[str], int]:
    """Reads numbers from `least` to `most`; any other text is no `what`."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{text!r} is no {what}")
        return int(text)

    return read


_PORT: Final = _number(0, 65535, "port: a number from 1 to 65535, or 0 for any that is free")
_ID: Final = _number(1, 2**63 - 1, "id, which is a number")
_COPIES: Final = _number(1, 9999, "number of copies, which is 1 or more")


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="digsite", description="Digsite hosts board games on Discord.")
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and the build, and end")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("run", help="connect to Discord and host games (needs DISCORD_TOKEN)")
    playing = commands.add_parser("play", help="host games in a simulated Discord on a local page; no token")
    playing.add_argument("--port", type=_PORT, default=8600, help="the page's port (default: 8600)")
    playing.add_argument("--no-browser", action="store_true", help="do not open the page")
    _add_records(commands.add_parser)
    saving = commands.add_parser("backup", help="copy the database consistently, also while the bot runs")
    saving.add_argument(
        "file", type=Path, nargs="?", help="the copy, which must not exist yet; with --keep a folder"
    )
    saving.add_argument(
        "--keep",
        type=_COPIES,
        metavar="NUMBER",
        help="keep so many copies in a folder, the newest ones",
    )
    for name, what in (
        ("forget", "delete what is kept about a person, also while the bot runs"),
        ("export", "print what is kept about a person as JSON, also while the bot runs"),
    ):
        about = commands.add_parser(name, help=what)
        about.add_argument("user", metavar="USER_ID", help="the id of the person's Discord account")
    _add_orders(commands.add_parser)
    _add_maintenance(commands.add_parser)
    return parser


def _add_orders(add: Callable[..., argparse.ArgumentParser]) -> None:
    add("healthy", help="ask the running bot at its METRICS address whether it is alive")
    listing = add("tables", help="count the live tables and the people at them, by server")
    listing.add_argument("--server", type=_ID, metavar="SERVER_ID", help="list that server's tables")
    for name, what in (
        ("block", "let a person, or everybody on a server, open and join no more tables"),
        ("allow", "take a block back"),
    ):
        blocking = add(name, help=f"{what}, also while the bot runs")
        blocking.add_argument("scope", choices=("person", "server"))
        blocking.add_argument("id", type=_ID, help="the id of the account or the server")
    ending = add("end", help="end a table, also one that cannot be read")
    ending.add_argument("table", type=_ID, metavar="TABLE", help="its number, as in the log")
    leaving = add("leave", help="let the running bot leave a server")
    leaving.add_argument("server", type=_ID, metavar="SERVER_ID")
    noticing = add("notice", help="show a notice on all table messages until it is taken back")
    text = noticing.add_mutually_exclusive_group(required=True)
    text.add_argument("text", nargs="?", metavar="TEXT")
    text.add_argument("--clear", action="store_true", help="take it back")
    add("processes", help="list the processes that share the database, and how many shards each owns")


def _add_records(add: Callable[..., argparse.ArgumentParser]) -> None:
    verifying = add(
        "verify",
        help="replay a finished match's record and say whether it fits",
        epilog="Status: 0 the record is sound; 1 something does not fit, or the match is unfinished; 2 the file "
        "cannot be read, or is no record that can be checked here. docs/fairness.md says what that proves.",
    )
    verifying.add_argument("file", type=Path, help="the record, as attached to the match's result")
    replaying = add(
        "replay",
        help="make a page of a match's record, on which it can be watched again",
        epilog="The record is checked first, and the status is that of verify.",
    )
    replaying.add_argument("file", type=Path, help="the record, as attached to the match's result")
    replaying.add_argument(
        "-o", "--output", type=Path, help="the page (default: the record's name, ending in .html)"
    )
    replaying.add_argument("--force", action="store_true", help="overwrite the page if there is one")
    replaying.add_argument(
        "--language", choices=languages(), default=SOURCE, help="the language of the page (default: en)"
    )


def _add_maintenance(add: Callable[..., argparse.ArgumentParser]) -> None:
    checking = add(
        "check", help="look through the database or a backup and replay its matches, also while the bot runs"
    )
    checking.add_argument("file", type=Path, nargs="?", help="a file (default: the bot's own database)")
    checking.add_argument("--quick", action="store_true", help="do not replay the matches")
    add(
        "migrate",
        help="bring the layout of the database up to date, as the bot does when it starts",
        epilog="Status: 0 the layout is up to date; 1 a new attempt may help; 2 it cannot be changed now.",
    )
    moving = add(
        "move",
        help="carry all matches into a PostgreSQL database or back, while no bot runs",
        epilog="From the file DATABASE_PATH to a URL, or from the database DATABASE_URL to a path. All of it arrives, "
        "or nothing; what is carried stays where it was too.",
    )
    moving.add_argument("--to", required=True, metavar="URL|PATH", help="an empty database, or a new file")


Command = Callable[[Settings, argparse.Namespace, LoadCogs], int]
"""Runs a command; returns the exit status."""


def main(arguments: list[str] | None, load_cogs: LoadCogs) -> int:
    """Runs a command and returns the exit status."""
    chosen = make_parser().parse_args(arguments)
    settings = read_settings()
    if settings is None:
        return 2
    version = own_version() if settings.log_format == "json" else ""  # may start git
    set_up_logging(settings.log_level, settings.log_format, version=version)
    gc.disable()  # imports create objects that stay: searching them for cycles is a fifth of a start
    command = _command(chosen.command)
    gc.enable()
    try:
        return command(settings, chosen, load_cogs)
    except (StoreUnreachable, StoreFull) as error:
        print(error, file=sys.stderr)
        return 1  # a retry may succeed
    except (StoreError, BadData) as error:
        print(error, file=sys.stderr)
        return 2


def _command(name: str) -> Command:
    match name:
        case "run":
            from bot.cli.run import command
        case "play":
            from bot.cli.play import command
        case "verify":
            from bot.cli.verify import command
        case "replay":
            from bot.cli.replay import command
        case "forget":
            from bot.cli.forget import command
        case "export":
            from bot.cli.export import command
        case "check":
            from bot.cli.check import command
        case "migrate" | "move":
            from bot.cli.migrate import command
        case "backup":
            from bot.cli.backup import command
        case "healthy":
            from bot.cli.healthy import command
        case _:
            from bot.cli.orders import command
    return command
