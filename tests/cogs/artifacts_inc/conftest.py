"""Rooms in which Artifacts, Inc. is played."""

from __future__ import annotations

import pytest

from engine.artifacts_inc import ArtifactsInc
from tests.cogs.table_driver import Room


@pytest.fixture
def room(room: Room) -> Room:
    room.game = ArtifactsInc.key
    return room
