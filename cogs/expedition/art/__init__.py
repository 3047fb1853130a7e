"""The drawings that The New Expedition has beyond those of the Archaeology family: the six monuments."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bot.art.drawings import Drawings
from cogs.archaeology_family.art import draw as family

draw: Final = Drawings(Path(__file__).with_name("drawings"), family)
