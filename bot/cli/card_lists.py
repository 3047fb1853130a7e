"""Logs the source of each game's card list, so that the operator notices an unused file."""

from __future__ import annotations

import logging
from pathlib import Path

from engine.registry import card_list_sources

log = logging.getLogger(__name__)


def log_card_lists(card_lists: Path | None) -> None:
    """Logs each game's files, or "built in", in one line."""
    sources = card_list_sources(card_lists)
    named = (
        f"{name}: {', '.join(map(str, files)) if files else 'built in'}" for name, files in sources.items()
    )
    log.info("card lists: %s", "; ".join(named))
