"""The choices of text only: by servers for all their messages, by people for their own screens."""

from __future__ import annotations

from typing import Final

from bot.fleet.fleet import Fleet, SingleProcess
from bot.store.model import Scope
from bot.store.store import Store

SCOPES: Final[tuple[Scope, ...]] = ("guild", "person")


class PictureChoices:
    """The choices, stored durably and cached in every process."""

    def __init__(self, store: Store, fleet: Fleet | None = None) -> None:
        self._store = store
        self._fleet = fleet if fleet is not None else SingleProcess()
        self._text_only: dict[Scope, set[int]] = {scope: set() for scope in SCOPES}
        self._fleet.on("pictures", self.load)
        self._fleet.on("forgotten", self.load)

    async def load(self) -> None:
        """Reads the choices. To be called once the store is open. Raises `StoreError`."""
        chosen: dict[Scope, set[int]] = {scope: set() for scope in SCOPES}
        for scope, number in await self._store.text_only():
            chosen[scope].add(number)
        self._text_only = chosen

    def text_only(self, scope: Scope, number: int) -> bool:
        """Whether this server or person has chosen text only."""
        return number in self._text_only[scope]

    def shown(self, guild: int, user: int | None = None) -> bool:
        """Whether pictures are shown in this server and, with `user`, on that person's own screens there."""
        return guild not in self._text_only["guild"] and user not in self._text_only["person"]

    async def choose(self, scope: Scope, number: int, *, text_only: bool) -> None:
        """Stores the choice of a server or person. Raises `StoreError`; the choice is then unchanged."""
        await self._store.set_text_only(scope, number, text_only)
        await self.note(scope, number, text_only=text_only)

    async def note(self, scope: Scope, number: int, *, text_only: bool) -> None:
        """Makes a choice that has been stored known to every process."""
        if text_only:
            self._text_only[scope].add(number)
        else:
            self._text_only[scope].discard(number)
        await self._fleet.publish_with_retry("pictures")

    def forget(self, user: int) -> None:
        """Forgets a person whose choice the store has deleted."""
        self._text_only["person"].discard(user)
