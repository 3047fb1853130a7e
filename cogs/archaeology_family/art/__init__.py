"""The drawings of the two Archaeology games: treasures, hazards, and the pictures that they are put together to."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bot.art.common import draw as common
from bot.art.drawings import Drawings

draw: Final = Drawings(Path(__file__).with_name("drawings"), common)
