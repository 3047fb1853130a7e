"""Runs a command of the command line. A command's module is imported only when it runs."""

from __future__ import annotations

import argparse
import sys

from bot.cli.cogs import LoadCogs
from bot.cli.parser import make_parser
from bot.cli.read_settings import read_settings
from bot.observability.logs import set_up_logging
from bot.settings import Settings
from bot.store.model import StoreError, StoreFull, StoreUnreachable
from bot.version import own_version
from engine.errors import BadData


def main(arguments: list[str] | None, load_cogs: LoadCogs) -> int:
    """Runs a command and returns the exit status."""
    chosen = make_parser().parse_args(arguments)
    settings = read_settings()
    if settings is None:
        return 2
    version = own_version() if settings.log_format == "json" else ""  # may start git
    set_up_logging(settings.log_level, settings.log_format, version=version)
    try:
        return _run(settings, chosen, load_cogs)
    except (StoreUnreachable, StoreFull) as error:
        print(error, file=sys.stderr)
        return 1  # a retry may succeed
    except (StoreError, BadData) as error:
        print(error, file=sys.stderr)
        return 2


def _run(settings: Settings, chosen: argparse.Namespace, load_cogs: LoadCogs) -> int:
    match chosen.command:
        case "run":
            from bot.cli.run import run

            return run(settings, load_cogs)
        case "play":
            from bot.cli.play import play

            return play(settings, load_cogs, port=chosen.port, browser=not chosen.no_browser)
        case "verify":
            from bot.cli.verify import verify_command

            return verify_command(settings, chosen.file, load_cogs)
        case "replay":
            from bot.cli.replay import replay_command

            return replay_command(settings, chosen, load_cogs)
        case _:
            return _operate(settings, chosen)


def _operate(settings: Settings, chosen: argparse.Namespace) -> int:
    """Runs one of the operator's commands."""
    match chosen.command:
        case "forget":
            from bot.cli.forget import forget_command

            return forget_command(settings, chosen.user)
        case "export":
            from bot.cli.export import export_command

            return export_command(settings, chosen.user)
        case "check":
            from bot.cli.check import check_command

            return check_command(settings, chosen.file, quick=chosen.quick)
        case "migrate":
            from bot.cli.migrate import migrate_command

            return migrate_command(settings)
        case "move":
            from bot.cli.move import move_command

            return move_command(settings, chosen.to)
        case "backup":
            from bot.cli.backup import backup_command

            return backup_command(settings, chosen.file, chosen.keep)
        case "healthy":
            from bot.cli.healthy import healthy_command

            return healthy_command(settings)
        case "tables":
            from bot.cli.orders import tables_command

            return tables_command(settings, chosen.server)
        case _:
            from bot.cli.orders import order_command

            return order_command(settings, chosen)
