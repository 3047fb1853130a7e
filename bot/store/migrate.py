"""The numbered migrations of both kinds of store, and the refusals of layouts that this version does not know.

The first migration makes layout 1, the next one turns that into layout 2. Each is applied in one transaction with the
number that it makes, so none can be applied twice or be forgotten (`bot.store.sqlite.layout`,
`bot.store.postgres.layout`).
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final, Literal

from bot.store.model import StoreRefused


def scripts(kind: Literal["sqlite", "postgres"]) -> list[str]:
    """The SQL of the migrations in order."""
    folder = files("bot.store").joinpath("migrations").joinpath(kind)
    found = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name
    )
    for number, script in enumerate(found, start=1):
        if not script.name.startswith(f"{number:04}_"):
            raise RuntimeError(f"migration {number:04} is missing; found {script.name}")
    return [script.read_text(encoding="utf-8") for script in found]


EXPANDS: Final = "-- Expands: "
"""How a migration begins that only adds something, so that versions of before can go on working beside it."""


def check_is_known(where: object, layout: int, latest: int) -> None:
    """Raises `StoreRefused` if the layout is newer than the latest one that this version knows."""
    if layout > latest:
        raise StoreRefused(
            f"{where} was written by a newer Digsite (layout {layout}; this one knows up to {latest}). "
            "It was left as it is; start the newer version, or restore a backup from before the upgrade."
        )


def older(where: object) -> StoreRefused:
    """The refusal of a store of an older layout by a command that changes none."""
    return StoreRefused(
        f"{where} was written by an older Digsite. It was left as it is; run `digsite migrate`, or start this "
        "version's bot on it first."
    )


def not_migrated(where: object, number: int, reason: str) -> StoreRefused:
    """The refusal of a store that the migration after layout `number` could not be applied to."""
    return StoreRefused(
        f"{where} could not be brought from layout {number} to {number + 1} ({reason}). "
        "It was left as it was; see to the cause, or go on with the version of Digsite that wrote it."
    )
