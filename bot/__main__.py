"""The program `digsite`: passes the command line to `bot.cli`, with the games' screens in the package `cogs`."""

from __future__ import annotations

import importlib
import sys
from typing import cast

from bot.cli import main as cli
from bot.cli.cogs import Cogs


def main(arguments: list[str] | None = None) -> int:
    """Runs a command and returns the exit status."""
    return cli.main(arguments, lambda: cast("Cogs", importlib.import_module("cogs")))


if __name__ == "__main__":
    sys.exit(main())
