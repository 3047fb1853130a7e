"""Runs a command of the command line: imports the command's module, and calls the function `command` in it."""

from __future__ import annotations

import argparse
import sys
from typing import Protocol

from bot.cli.cogs import LoadCogs
from bot.cli.parser import make_parser
from bot.cli.read_settings import read_settings
from bot.observability.logs import set_up_logging
from bot.settings import Settings
from bot.store.model import StoreError, StoreFull, StoreUnreachable
from bot.version import own_version
from engine.errors import BadData


class Command(Protocol):
    """Runs a command; returns the exit status."""

    def __call__(self, settings: Settings, chosen: argparse.Namespace, load_cogs: LoadCogs, /) -> int: ...


def main(arguments: list[str] | None, load_cogs: LoadCogs) -> int:
    """Runs a command and returns the exit status."""
    chosen = make_parser().parse_args(arguments)
    settings = read_settings()
    if settings is None:
        return 2
    version = own_version() if settings.log_format == "json" else ""  # may start git
    set_up_logging(settings.log_level, settings.log_format, version=version)
    try:
        return _command(chosen.command)(settings, chosen, load_cogs)
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
        case "migrate":
            from bot.cli.migrate import command
        case "move":
            from bot.cli.move import command
        case "backup":
            from bot.cli.backup import command
        case "ratings":
            from bot.cli.ratings import command
        case "healthy":
            from bot.cli.healthy import command
        case _:
            from bot.cli.orders import command
    return command
