"""Says in the log from where each game has its card list, so that a file that is not used is noticed."""

from __future__ import annotations

import logging
from pathlib import Path

from engine.registry import card_list_sources

log = logging.getLogger(__name__)


def log_card_lists(card_lists: Path | None) -> None:
    """Logs one line that names each game's files, or says that its card list is built in."""
    sources = card_list_sources(card_lists)
    named = (
        f"{name}: {', '.join(map(str, files)) if files else 'built in'}" for name, files in sources.items()
    )
    log.info("card lists: %s", "; ".join(named))
