"""The pictures of Artifacts, Inc.: cards, companies, and what is put together of them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bot.art.common import draw as common
from bot.art.drawings import Drawings

draw: Final = Drawings(Path(__file__).with_name("drawings"), common)
