"""How people are called when a match waits for them: at the table or by direct message, and their quiet hours."""

from __future__ import annotations

from typing import Final

from bot.fleet.fleet import Fleet, SingleProcess
from bot.store.store import Store
from bot.tables.quiet_hours import QuietHours, read_quiet_hours

CALLS: Final = "calls"
"""The choice of the place where a person is called."""
BY_DM: Final = "dm"
QUIET: Final = "quiet"
"""The choice of quiet hours: the first hour, the hour after the last, and the time zone, as in "22-7 Europe/Berlin"."""


class CallChoices:
    """The choices, stored durably and cached in every process."""

    def __init__(self, store: Store, fleet: Fleet | None = None) -> None:
        self._store = store
        self._fleet = fleet if fleet is not None else SingleProcess()
        self._by_dm: set[int] = set()
        self._quiet: dict[int, QuietHours] = {}
        self._fleet.on("calls", self.load)
        self._fleet.on("forgotten", self.load)

    async def load(self) -> None:
        """Reads the choices. To be called once the store is open. Raises `StoreError`."""
        calls = await self._store.choices.named("person", CALLS)
        quiet = await self._store.choices.named("person", QUIET)
        self._by_dm = {user for user, value in calls.items() if value == BY_DM}
        self._quiet = {user: read for user, value in quiet.items() if (read := read_quiet_hours(value))}

    def by_dm(self, user: int) -> bool:
        """Whether this person is called by direct message."""
        return user in self._by_dm

    def quiet_hours(self, user: int) -> QuietHours | None:
        """The quiet hours of this person."""
        return self._quiet.get(user)

    def quiet_until(self, user: int, now: float) -> float | None:
        """The end of this person's quiet hours if they hold now; None if the person may be called."""
        quiet = self._quiet.get(user)
        return None if quiet is None else quiet.until(now)

    async def choose_dm(self, user: int, *, on: bool) -> None:
        """Stores where a person is called. Raises `StoreError`; the choice is then unchanged."""
        await self._store.choices.put("person", user, CALLS, BY_DM if on else None)
        (self._by_dm.add if on else self._by_dm.discard)(user)
        await self._fleet.publish_with_retry("calls")

    async def choose_quiet(self, user: int, quiet: QuietHours | None) -> None:
        """Stores a person's quiet hours. Raises `StoreError`; the choice is then unchanged."""
        await self._store.choices.put("person", user, QUIET, None if quiet is None else str(quiet))
        if quiet is None:
            self._quiet.pop(user, None)
        else:
            self._quiet[user] = quiet
        await self._fleet.publish_with_retry("calls")

    def forget(self, user: int) -> None:
        """Forgets a person whose choices the store has deleted."""
        self._by_dm.discard(user)
        self._quiet.pop(user, None)
