"""People's own choices: their language; and where, how often, and when not they are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.fleet.fleet import Fleet
from bot.language import languages
from bot.store.store import Store
from bot.tables import calling
from bot.tables.guests import EVERYONE, NOBODY, read_challengers
from bot.tables.holidays import Holiday, last_noon, read_holiday
from bot.tables.model import HOUR
from bot.tables.refusals import Refused

CALLS: Final = "calls"
"""The choice of the place where a person is called, `BY_DM` or `WITH_HAND`, or of a digest in place of calls."""
QUIET: Final = "quiet"
"""The choice of quiet hours: the first hour, the hour after the last, and the time zone, as in "22-7 Europe/Berlin"."""
REMINDERS: Final = "reminders"
"""The choice of reminders: `NEVER`, or the hours between two."""
DIGEST: Final = "digest"
"""The state of a person's digest (`DigestState`)."""
HOLIDAY: Final = "holiday"
"""The choice of a holiday (`Holiday`)."""
LANGUAGE: Final = "language"
"""The choice of a language, by its name in `languages()`."""
CHALLENGED_BY: Final = "challenged-by"
"""The choice of the people by whom a person may be challenged, one of `CHALLENGERS`."""


_READ: Final[Mapping[str, Callable[[str], Any]]] = {
    CALLS: calling.read_calls,
    QUIET: calling.read_quiet_hours,
    REMINDERS: calling.read_reminders,
    DIGEST: calling.read_digest_state,
    HOLIDAY: read_holiday,
    LANGUAGE: lambda text: text if text in languages() else None,
    CHALLENGED_BY: read_challengers,
}


class CallChoices:
    """The choices, stored durably and cached in every process."""

    def __init__(self, store: Store, fleet: Fleet | None = None) -> None:
        self._store = store
        self._fleet = fleet if fleet is not None else Fleet()
        self._chosen: dict[str, dict[int, Any]] = {name: {} for name in _READ}
        self._fleet.on("calls", self.load)
        self._fleet.on("forgotten", self.load)

    async def load(self) -> None:
        """Reads the choices. To be called once the store is open. Raises `StoreError`."""
        for name, read in _READ.items():
            stored = await self._store.choices.named("person", name)
            self._chosen[name] = {
                user: value for user, text in stored.items() if (value := read(text)) is not None
            }

    # -- what is chosen

    def language(self, user: int, otherwise: str) -> str:
        """The language of everything that this person alone reads.

        `otherwise` is the locale for a person who has chosen none: that of their Discord, or the table's.
        """
        return self.chosen_language(user) or otherwise

    def chosen_language(self, user: int) -> str | None:
        """The language that this person has chosen; None for that of their Discord."""
        return self._chosen[LANGUAGE].get(user)

    def by_dm(self, user: int) -> bool:
        """Whether this person is called by direct message."""
        return isinstance(self._chosen[CALLS].get(user), str)

    def with_hand(self, user: int) -> bool:
        """Whether this person is called by a direct message that has their hand."""
        return self._chosen[CALLS].get(user) == calling.WITH_HAND

    def digest(self, user: int) -> calling.Digest | None:
        """The digest that this person gets in place of calls."""
        chosen = self._chosen[CALLS].get(user)
        return chosen if isinstance(chosen, calling.Digest) else None

    def quiet_hours(self, user: int) -> calling.QuietHours | None:
        """The quiet hours of this person."""
        return self._chosen[QUIET].get(user)

    def quiet_until(self, user: int, now: float) -> float | None:
        """The end of this person's quiet hours if they hold now; None if the person may be called."""
        quiet = self.quiet_hours(user)
        return None if quiet is None else quiet.until(now)

    def challenged_by(self, user: int) -> str:
        """The people by whom this person may be challenged, one of `CHALLENGERS`."""
        return self._chosen[CHALLENGED_BY].get(user, EVERYONE)

    def may_ask(self, user: int, now: float) -> bool:
        """Whether a lobby that asks this person to join it may notify them now."""
        return self.challenged_by(user) != NOBODY and self.quiet_until(user, now) is None

    def reminders(self, user: int) -> float | None:
        """The seconds between two reminders, infinite for none; None: one reminder late in the turn."""
        return self._chosen[REMINDERS].get(user)

    def holiday(self, user: int) -> Holiday | None:
        """This person's holiday; it may be over, or still to come."""
        return self._chosen[HOLIDAY].get(user)

    def holidays(self) -> list[tuple[int, Holiday]]:
        """All holidays, by person."""
        return list(self._chosen[HOLIDAY].items())

    def check_here(self, user: int, now: float) -> None:
        """Raises `Refused` if this person is on holiday, and so can sit down at no table."""
        holiday = self.holiday(user)
        if holiday is not None and holiday.lasts(now):
            raise Refused("on-holiday", ends=last_noon(holiday.ends))

    # -- choosing; each method raises `StoreError`, and the choice is then unchanged

    async def choose(self, user: int, name: str, value: object | None) -> None:
        """Stores the choice of this name by its text; None for the default. The leader begins and ends holidays."""
        await self._store_choice(user, name, None if value is None else str(value))
        await self._fleet.publish_with_retry("calls")

    async def choose_digest(self, user: int, digest: calling.Digest, now: float) -> None:
        """Stores a person's digest. The first one is due after its hours."""
        before = await self.digest_state(user) or calling.DigestState(0.0, 0.0)
        due = now + digest.hours * HOUR
        await self._store_choice(user, DIGEST, str(before._replace(due=due, slot=due)))
        await self.choose(user, CALLS, digest)

    async def _store_choice(self, user: int, name: str, value: str | None) -> None:
        await self._store.choices.put("person", user, name, value)
        self._keep(user, name, value)

    def _keep(self, user: int, name: str, value: str | None) -> None:
        read = None if value is None else _READ[name](value)
        if read is None:
            self._chosen[name].pop(user, None)
        else:
            self._chosen[name][user] = read

    def forget(self, user: int) -> None:
        """Forgets a person whose choices the store has deleted."""
        for chosen in self._chosen.values():
            chosen.pop(user, None)

    # -- the course of digests

    def digest_states(self) -> list[tuple[int, calling.DigestState]]:
        """The states of all digests, also of people who have just chosen something else."""
        return list(self._chosen[DIGEST].items())

    async def digest_state(self, user: int) -> calling.DigestState | None:
        """The stored state of a person's digest. Raises `StoreError`."""
        text = await self._store.choices.get("person", user, DIGEST)
        return None if text is None else calling.read_digest_state(text)

    async def move(self, user: int, name: str, old: object, new: object | None) -> bool:
        """Replaces a stored value if it is still `old`; None deletes it. Returns whether this process has replaced it.

        A value that another process has changed is read again. Raises `StoreError`.
        """
        value = None if new is None else str(new)
        moved = await self._store.choices.swap("person", user, name, str(old), value)
        self._keep(user, name, value if moved else await self._store.choices.get("person", user, name))
        return moved
