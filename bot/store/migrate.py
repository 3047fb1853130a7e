"""The numbered migrations of both engines, and the errors for unknown layouts.

The first migration creates layout 1; each later migration raises the layout by one. The transaction of a migration also
stores its number, so no migration runs twice or is skipped (`bot.store.sqlite.layout`, `bot.store.postgres.layout`).
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final, Literal

from bot.store.model import StoreRefused


def scripts(kind: Literal["sqlite", "postgres"]) -> list[str]:
    """The SQL of the migrations, in order."""
    folder = files("bot.store").joinpath("migrations").joinpath(kind)
    found = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name
    )
    for number, script in enumerate(found, start=1):
        if not script.name.startswith(f"{number:04}_"):
            raise RuntimeError(f"migration {number:04} is missing; found {script.name}")
    return [script.read_text(encoding="utf-8") for script in found]


EXPANDS: Final = "-- Expands: "
"""The first words of a migration that only adds to the layout, so that older versions can run beside it."""


def check_is_known(where: object, layout: int, latest: int) -> None:
    """Raises `StoreRefused` if the layout is newer than `latest`, the newest one that this version supports."""
    if layout > latest:
        raise StoreRefused(
            f"{where} was written by a newer Digsite (layout {layout}; this one knows up to {latest}). "
            "It was left as it is; start the newer version, or restore a backup from before the upgrade."
        )


def older(where: object) -> StoreRefused:
    """The error of a command that does not migrate, for a store of an older layout."""
    return StoreRefused(
        f"{where} was written by an older Digsite. It was left as it is; run `digsite migrate`, or start this "
        "version's bot on it first."
    )


def not_migrated(where: object, number: int, reason: str) -> StoreRefused:
    """The error for a failed migration from layout `number`."""
    return StoreRefused(
        f"{where} could not be brought from layout {number} to {number + 1} ({reason}). "
        "It was left as it was; see to the cause, or go on with the version of Digsite that wrote it."
    )
