"""How many tables people may open: live ones at a time, and new ones a minute, of a person and in a server."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from bot.store.base import Most, TooManyTables
from bot.tables.model import MINUTE
from bot.tables.refusals import Refused


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that are allowed; 0: any number.

    A live table counts as its opener's until it ends, also when they have left it and somebody else hosts: handing
    tables over makes no room for more.
    """

    per_person: int = 0
    per_server: int = 0
    new_per_person: int = 0
    """So many new tables a minute."""
    new_per_server: int = 0

    @property
    def live(self) -> Most:
        """What the store has to keep to: only it can count tables that are opened at once, and over restarts."""
        return Most(self.per_person, self.per_server)


NO_LIMITS: Final = Limits()


class Quota:
    """Keeps to the limits on new tables. It remembers openings for a minute, in memory alone."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._of_person = _Lately(limits.new_per_person)
        self._of_server = _Lately(limits.new_per_server)

    @contextmanager
    def opening(
        self, game: str, user_id: int, guild_id: int, now: float, shown_later: float = 0.0
    ) -> Generator[None]:
        """Within it a table is opened; it counts unless an error ends it. Raises `Refused`.

        Counted at once, before anything is awaited: a hundred presses at once get no more than one after another.
        `shown_later`: seconds from the clock's time to the one that people are shown.
        """
        for lately, key, code in (
            (self._of_person, user_id, "too-fast"),
            (self._of_server, guild_id, "too-fast-here"),
        ):
            again = lately.full_until(key, now)
            if again is not None:
                raise Refused(code, most=lately.most, again=again + shown_later)
        self._of_person.add(user_id, now)
        self._of_server.add(guild_id, now)
        try:
            yield
        except TooManyTables as error:
            self._take_back(user_id, guild_id, now)
            code = "too-many-tables" if error.of == "opener" else "too-many-tables-here"
            raise Refused(code, most=error.most, game=game) from None
        except BaseException:
            self._take_back(user_id, guild_id, now)
            raise

    def _take_back(self, user_id: int, guild_id: int, at: float) -> None:
        self._of_person.remove(user_id, at)
        self._of_server.remove(guild_id, at)


class _Lately:
    """When each of many last did something, as far as that was within a minute."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._times: dict[int, list[float]] = {}
        """By who did it; who did it last stands last."""

    def full_until(self, key: int, now: float) -> float | None:
        """When this one may do it again, if that is not now."""
        self._forget(now)
        # None that lies ahead: the clock was set back since.
        times = [at for at in self._times.get(key, ()) if now - MINUTE < at <= now]
        return times[0] + MINUTE if self.most and len(times) >= self.most else None

    def add(self, key: int, now: float) -> None:
        times = self._times.pop(key, [])
        self._times[key] = [*(at for at in times if now - MINUTE < at <= now), now]

    def remove(self, key: int, at: float) -> None:
        """Takes one such time back."""
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
