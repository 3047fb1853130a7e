"""Games that are not published: players of a release see none, unless the operator switches them on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import cogs
from bot.cli import run
from bot.settings import Settings
from engine.game import AnyGame
from engine.registry import load_games


class Started(Exception):
    """The bot would start with these games."""

    def __init__(self, games: Mapping[str, AnyGame]) -> None:
        self.games = games


@pytest.mark.parametrize("switched_on", [False, True])
async def test_an_unpublished_game_is_offered_only_if_the_operator_says_so(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, switched_on: bool
) -> None:
    def start(
        _settings: Settings, _clock: object, games: Mapping[str, AnyGame], *_given: Any, **_more: Any
    ) -> None:
        raise Started(games)

    monkeypatch.setattr(run, "make_client", start)
    monkeypatch.setattr(type(load_games()["expedition"]), "published", False)
    chosen = settings.model_copy(update={"unpublished_games": switched_on})
    with pytest.raises(Started) as started:
        await run._run(chosen, lambda: cogs)
    screens = cogs.make_screens(started.value.games)
    assert ("expedition" in screens) == switched_on
    assert "archaeology" in screens
    assert "expedition" in load_games(), "records of its matches are verified, and the playground has it"
