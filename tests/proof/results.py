"""How matches have ended: each is to be told once in its channel, as a replay of its moves says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic_core import to_json

from bot.language import SOURCE, speaking
from bot.store.model import LogRow
from bot.tables.model import Table
from bot.ui.screens.ended import ended as show_ended
from cogs import make_screens
from engine.game import Event, dump_event
from engine.registry import load_games
from tests.bench.busy_discord import Component, Shown, walk

SCREENS: Final = make_screens(load_games())


@dataclass(frozen=True)
class Result:
    """How a match ended that was played to its end. `texts` is what the message about it must say."""

    table: int
    message: int | None
    """The message that tells it, as far as the store knows."""
    texts: tuple[str, ...]
    ended_at: float


def texts_of(components: Iterable[Component]) -> tuple[str, ...]:
    """The texts of a message, without its buttons."""
    return tuple(str(part["content"]) for part in walk([*components]) if "content" in part)


def result_of(table: Table, state: object, log: Sequence[LogRow]) -> Result:
    """The result as it has to be told. `state` is what the match's moves lead to when they are played again."""
    kept, table.state = table.state, state
    with speaking(SOURCE):
        view = show_ended(table, SCREENS[table.game.key], log).view()
    table.state = kept
    assert table.ended_at is not None
    return Result(table.id, table.body.messages.result, texts_of(view.to_components()), table.ended_at)


def events_flaw(events: Sequence[Event], log: Sequence[LogRow]) -> str | None:
    """A flaw in the log of a match in which nothing was taken back; None if there is none.

    `events` are those of a replay. The log must tell each of them once, the end of the match included.
    """
    logged = [json.loads(row.event) for row in log if row.source != "table"]
    replayed = [json.loads(to_json(dump_event(event))) for event in events]
    if logged == replayed:
        return None
    return f"its log tells {len(logged)} events, and its moves lead to {len(replayed)}, or to others"


def flaws(
    results: Sequence[Result], posted: Mapping[int, Mapping[int, Shown]], notified_until: float
) -> tuple[list[str], list[str], list[str]]:
    """The results that were told twice, those that were not told, and those that were told falsely.

    `posted` has, by table, the messages with a result, also those that were deleted since. Matches that ended after
    `notified_until` need not be told yet.
    """
    twice, unannounced, false = list[str](), list[str](), list[str]()
    for result in results:
        messages = posted.get(result.table, {})
        if len(messages) > 1:
            twice.append(f"the result of table {result.table} was told {len(messages)} times")
        if not messages and result.ended_at <= notified_until:
            unannounced.append(f"the result of table {result.table} was not told")
        for number, shown in messages.items():
            if texts_of(shown.components) != result.texts or result.message not in (number, None):
                false.append(f"the result of table {result.table} was told otherwise than it is")
    ended = {result.table for result in results}
    false += [f"table {table} has not ended, but a result was told" for table in posted.keys() - ended]
    return twice, unannounced, false
