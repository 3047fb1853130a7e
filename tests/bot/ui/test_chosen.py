"""The options in the id of the button **Open in a Thread** are read as they were written, for every game."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.ui.actions.chosen import Chosen, read_chosen, write_chosen
from bot.ui.screens.ids import Id
from bot.ui.screens.threads import OPEN_THREAD
from cogs import make_screens
from engine.registry import load_games

GAMES = load_games()
SCREENS = make_screens(GAMES)
CONTEXT: Any = SimpleNamespace(screens=SCREENS, tables=SimpleNamespace(games=GAMES))


@pytest.mark.parametrize("game", list(SCREENS))
def test_options_are_read_as_they_were_written(game: str) -> None:
    firsts = {name: next(iter(each.choices)) for name, each in SCREENS[game].settings().items()}
    for options in ({}, *({name: value} for name, value in firsts.items()), firsts):
        chosen = Chosen(
            "24h",
            1,
            next(iter(GAMES[game].agents)),
            options,
            "123456789012345-abcdefabcdef",
            offer=9 * 10**18,
        )
        text = write_chosen(CONTEXT, game, chosen)
        assert read_chosen(CONTEXT, text) == (game, chosen)
        str(Id(OPEN_THREAD, arg=text))  # it is short enough
