"""Rooms in which Artifacts, Inc. is played, with the card list of the engine's scenes."""

from __future__ import annotations

import pytest

from bot.settings import Settings
from engine.artifacts_inc import ArtifactsInc
from tests.cogs.table_driver import Room
from tests.engine.artifacts_inc.scene import SCENE_CARDS


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"card_lists": SCENE_CARDS})


@pytest.fixture
def room(room: Room) -> Room:
    room.game = ArtifactsInc.key
    return room
