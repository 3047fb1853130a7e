"""Limits on the tables that one person and one server may have at a time, and may open within a minute."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from bot.settings import Settings
from bot.store.model import ANY_NUMBER, TableLimits, TooManyTables
from bot.tables.model import MINUTE, Table
from bot.tables.refusals import Refused


@dataclass(frozen=True, slots=True)
class Limits:
    """The most tables that are allowed; 0 means any number.

    A live table counts for the person who opened it until it ends, even if they have left it and somebody else hosts
    it. Handing a table over therefore makes no room for another one.
    """

    per_person: int = 0
    per_server: int = 0
    new_per_person: int = 0
    """How many new tables one person may open within a minute."""
    new_per_server: int = 0

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """The limits that the operator has set."""
        return cls(
            settings.tables_per_person,
            settings.tables_per_server,
            settings.new_tables_per_person,
            settings.new_tables_per_server,
        )

    @property
    def live(self) -> TableLimits:
        """The limits that the store enforces: only the store counts simultaneous openings, also over restarts."""
        return TableLimits(self.per_person, self.per_server)


NO_LIMITS: Final = Limits()


class Quota:
    """Enforces the limits on new tables. The openings of the last minute are stored in memory only."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._of_person = _Lately(limits.new_per_person)
        self._of_server = _Lately(limits.new_per_server)

    def counted(self, table: Table) -> tuple[int | None, TableLimits]:
        """The server for which a new table counts, None for none; and the limits that the store is to enforce."""
        limits = self.limits.live
        if table.is_private:
            return None, ANY_NUMBER
        return (None, TableLimits(limits.of_opener)) if table.in_group else (table.guild_id, limits)

    @contextmanager
    def opening(
        self, game: str, user_id: int, guild_id: int | None, now: float, shown_later: float = 0.0
    ) -> Generator[None]:
        """A context in which a table is opened. The opening counts unless an error occurs. Raises `Refused`.

        `guild_id` is None for a private match and in a group DM: these tables take no room on a server, and count for
        their person alone.

        The opening counts before anything is awaited, so that many simultaneous presses open no more tables than
        successive ones. `shown_later` is the number of seconds from the clock's time to the time that people are shown.
        """
        counted = [(self._of_person, user_id, "too-fast")]
        if guild_id is not None:
            counted.append((self._of_server, guild_id, "too-fast-here"))
        for lately, key, code in counted:
            again = lately.full_until(key, now)
            if again is not None:
                raise Refused(code, most=lately.limit, again=again + shown_later)
        for lately, key, _code in counted:
            lately.add(key, now)
        try:
            yield
        except BaseException as error:
            for lately, key, _code in counted:
                lately.remove(key, now)
            if not isinstance(error, TooManyTables):
                raise
            code = "too-many-tables" if error.of == "opener" else "too-many-tables-here"
            raise Refused(code, most=error.limit, game=game) from None


class _Lately:
    """The times within the last minute at which each person or server opened a table."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._times: dict[int, list[float]] = {}
        """The times by the id of a person or server, the most recent id last."""

    def full_until(self, key: int, now: float) -> float | None:
        """The time from which this person or server may open a table again; None for now."""
        self._forget(now)
        # Times in the future do not count. They are from before the clock was set back.
        times = [at for at in self._times.get(key, ()) if now - MINUTE < at <= now]
        return times[0] + MINUTE if self.limit and len(times) >= self.limit else None

    def add(self, key: int, now: float) -> None:
        times = self._times.pop(key, [])
        self._times[key] = [*(at for at in times if now - MINUTE < at <= now), now]

    def remove(self, key: int, at: float) -> None:
        """Removes one of the times."""
        times = self._times.get(key)
        if times is not None and at in times:
            times.remove(at)
            if not times:
                del self._times[key]

    def _forget(self, now: float) -> None:
        for key, times in list(self._times.items()):
            if times[-1] > now - MINUTE:
                return
            del self._times[key]
