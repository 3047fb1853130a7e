"""Rooms in which Artifact is played."""

from __future__ import annotations

import pytest

from engine.artifact import Artifact
from tests.cogs.table_driver import Room


@pytest.fixture
def room(room: Room) -> Room:
    room.game = Artifact.key
    return room
