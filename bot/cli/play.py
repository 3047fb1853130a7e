"""`digsite play`: hosts games in a simulated Discord on a local page, without token or network."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from pydantic import SecretStr

from bot.app.client import Digsite, make_client
from bot.app.host import Host
from bot.art.rendering import Tiles, render
from bot.cli.cogs import LoadCogs
from bot.cli.read_settings import log_card_lists
from bot.clock import Clock
from bot.settings import Settings
from bot.ui.screens.game_screens import AnyScreens
from engine.registry import load_games

if TYPE_CHECKING:
    from bot.playground import Game

NO_PLAYGROUND: Final = (
    "The playground is not installed ({error}). In the folder that Digsite was fetched into, `make play` installs and "
    "starts it; or there: python -m pip install --constraint constraints.txt --editable '.[play]', "
    "or with pipx: pipx install --force '.[play]'"
)


def command(settings: Settings, chosen: argparse.Namespace, load_cogs: LoadCogs) -> int:
    """Runs the playground until Ctrl-C."""
    # discord.py would warn about voice and about a missing connection.
    logging.getLogger("discord").setLevel(logging.ERROR)
    try:
        from bot.playground import play
    except ImportError as error:
        print(NO_PLAYGROUND.format(error=error), file=sys.stderr)
        return 2

    # The playground uses its own database file, because the simulated Discord lacks the real messages. The bot
    # registers its commands at each start, because the simulated Discord starts empty.
    path = settings.database_path
    own = path.with_name(f"{path.stem}-playground{path.suffix}")
    embedded = settings.model_copy(
        update={"register_commands": "always", "database_path": own, "database_url": SecretStr("")}
    )

    def make(clock: Clock) -> tuple[Digsite, Host, Callable[[], dict[str, Game]]]:
        games = load_games(embedded.card_lists)
        log_card_lists(embedded.card_lists)
        client = make_client(embedded, clock, games, load_cogs().setup, shard_count=1)
        # The simulated Discord has no rate limit for emoji.
        client.host.emoji.between = 0.0
        host = client.host
        return client, host, lambda: {key: _offered(screens) for key, screens in host.screens.items()}

    asyncio.run(play(own, make_client=make, port=chosen.port, open_browser=not chosen.no_browser))
    return 0


def _offered(screens: AnyScreens) -> Game:
    from bot.playground import Game

    banner, lesson = screens.banner(), screens.lesson

    @cache
    def picture() -> bytes:
        return render(banner, Tiles()) if banner else b""

    options: Mapping[str, Any] = lesson.options if lesson else {}  # a lesson is for the easiest variant
    return Game(screens.game, screens.title(), screens.summary(), lesson is not None, picture, options)
