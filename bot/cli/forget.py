"""`digsite forget`: deletes a person's data; and the parsing of a user id."""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from functools import partial
from typing import Final

from bot.app.controls import BLOCKED, read_blocked
from bot.cli.cogs import LoadCogs
from bot.cli.orders import AT_MOST, result_of_bot, tables_of_store
from bot.clock import SystemClock
from bot.people.privacy.erasures import Erasures, Outcome
from bot.people.privacy.stored_data import is_named
from bot.settings import Settings
from bot.store.backends import Backend, backend_of
from bot.store.model import StoreInUse
from engine.plain import plain

STILL_BLOCKED: Final = (
    "But {user} is blocked, and so that id is kept: `digsite allow person {user}` takes the block back."
)

_USER_ID: Final = re.compile(r"[1-9][0-9]{14,18}", re.ASCII)


class NoUserId(ValueError):
    """The text is not the id of a Discord account. The message says where to find the id."""


def read_user_id(text: str) -> int:
    """The user id in the text. Raises `NoUserId`."""
    if not _USER_ID.fullmatch(text) or int(text) >= 2**63:
        raise NoUserId(
            f"“{plain(text, 40)}” is no user id. That is a number of 17 to 19 digits: switch on Developer Mode in "
            "Discord's settings, and choose Copy User ID in a person's menu. Nothing was done."
        )
    return int(text)


def command(settings: Settings, chosen: argparse.Namespace, _load_cogs: LoadCogs) -> int:
    """Forgets a person, through the running bot if there is one. Returns the exit status."""
    try:
        done, message = asyncio.run(forget(settings, read_user_id(chosen.user)))
    except NoUserId as error:
        print(error, file=sys.stderr)
        return 2
    print(message, file=sys.stdout if done else sys.stderr)
    return 0 if done else 1


# -- forgetting


async def forget(settings: Settings, user_id: int) -> tuple[bool, str]:
    """Forgets a person, through the running bot if there is one.

    Returns whether everything is done, and a text about it. Raises `StoreError`, `BadData`.
    """
    place, clock = backend_of(settings), SystemClock()
    async with place.reading() as store:
        matches = len(await store.tables_naming(user_id))
        asked = any(each.user_id == user_id for each in await store.erasures.pending())
        others = await is_named(store, user_id)
        blocked = user_id in read_blocked(await store.fact(BLOCKED))["person"]
    kept = f" {STILL_BLOCKED.format(user=user_id)}" if blocked else ""
    if not matches and not asked and not others:
        nothing = "Nothing else" if blocked else "Nothing"
        return True, f"{nothing} in {place} names {user_id}. Nothing was changed.{_copies(place)}{kept}"
    try:
        outcome = await _forget_here(settings, user_id)
        return outcome == "done", _report(place, user_id, matches, outcome) + kept
    except StoreInUse:
        number = await place.ask_erasure(user_id, clock.now())
    await result_of_bot(partial(_done, place, number), AT_MOST)
    outcome = await _state(place, number)
    return outcome == "done", _report(place, user_id, matches, outcome, by_the_bot=True) + kept


async def _forget_here(settings: Settings, user_id: int) -> Outcome:
    """Forgets the person in this process. Raises `StoreInUse` if a bot has the store open."""
    async with tables_of_store(settings) as tables:
        erasures = Erasures(tables)
        outcome = await erasures.forget(user_id)
        await erasures.take_up()  # pending requests of a bot that has ended
        return outcome


async def _done(place: Backend, number: int) -> bool | None:
    return await _state(place, number) == "done" or None


async def _state(place: Backend, number: int) -> Outcome:
    async with place.reading() as store:
        for each in await store.erasures.pending():
            if each.id == number:
                return "traces" if each.user_id is None else "later"
    return "done"


def _report(place: Backend, user_id: int, matches: int, outcome: Outcome, *, by_the_bot: bool = False) -> str:
    if outcome == "later":
        why = (
            f"The bot that has {place} open has not done it within a minute"
            if by_the_bot
            else f"{place} could not be written to"
        )
        return (
            f"{why}. The request to forget {user_id} is kept there and carried out as soon as possible; "
            "run this command again to see whether it is."
        )
    redrawn = "The bot is drawing" if by_the_bot else "At its next start the bot draws"
    gone = f"{user_id} is taken out of {matches} match{'es' if matches != 1 else ''} in {place}. "
    gone += f"{redrawn} its messages anew without the name, as far as Discord lets it."
    if outcome == "traces":
        return (
            f"{gone} But another program reads it, so traces are left in its bytes; they are wiped as soon as "
            "the bot runs and nobody else reads."
        )
    return f"{gone} {place.wiped}{_copies(place)}"


def _copies(place: Backend) -> str:
    """A sentence about older copies beside the store; empty without any."""
    copies = ", ".join(place.older_copies)
    return (
        f" These older copies beside it may name them, and only you can delete them: {copies}."
        if copies
        else ""
    )
