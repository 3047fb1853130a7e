"""The log of a match in words: a line for each event, or a short text of the news since somebody's last turn.

Each event is worded with the names at its time: later changes of a seat's holder do not change earlier lines. A move
that an agent made for a person is worded as the agent's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice
from typing import Any, Final, Literal, NamedTuple

from bot.store.model import LogRow
from bot.tables.model import STAND_IN, Seat, Table
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.names import Names
from bot.ui.screens.words import ending_text, setting_event, table_event
from engine.game import Event, load_event

NO_NEWS: Final = ("undone", "end-vote", "play-on", "back", "took-over", "holiday")
"""The kinds of a table's events that are no news to the person of their seat, because that person caused them."""
AGENT_PLAYS: Final = ("away", "left", "holiday", "waits-no-more")
"""The kinds of a table's events after which an agent plays for a person."""
IN_THE_LOBBY: Final = ("limit-set", "option-set")
"""The kinds of a table's events that everybody saw in the lobby before the match."""


@dataclass(frozen=True, slots=True)
class ChronicleLimits:
    """The limits of the log in words."""

    news_rows: int = 200
    """The number of a log's newest rows that are searched for somebody's news."""
    latest: int = 3
    """The least number of lines about the latest events for somebody who has no news; a turn is always shown whole."""
    missed: int = 20
    """The greatest number of lines of news. The whole log has the rest."""
    events: int = 8192
    """The number of parsed events in the cache, at about 1 KB each."""


CHRONICLE: Final = ChronicleLimits()

Kind = Literal["person", "agent", "stand-in"]
"""The holder of a seat: a person, an agent, or an agent in the place of a person."""


class Line(NamedTuple):
    """An event in the form that a viewer may know, with the names at its time.

    `sequence` is the number of moves that had been made by then. `mover` is the seat that made the move, by itself or
    by an agent in its place (`stood_in`); it is None for the set-up and for events of the table itself (`of_table`).
    `viewer` is the reader's seat. It is None for events before the reader took over that seat: the reader sees them as
    a spectator does. `by_chance` marks chance or a revelation.
    """

    event: SeenEvent
    names: Names
    sequence: int
    mover: int | None
    stood_in: bool
    of_table: bool
    viewer: int | None
    by_chance: bool = False


def log_lines(table: Table, screens: AnyScreens, log: Sequence[LogRow], viewer: int | None) -> list[str]:
    """The rows of a log, oldest first, in words for this viewer. Every viewer gets exactly one line for each event.

    The last row has to be the log's newest, because the names at each event are determined backwards from the present.
    """
    return [_in_words(line, table, screens) for line in _lines(table, log, viewer)]


def latest_turns(
    table: Table,
    screens: AnyScreens,
    log: Sequence[LogRow],
    viewer: int | None,
    limit: int,
    fit: Callable[[Sequence[str]], bool] = lambda _lines: True,
) -> list[str]:
    """The newest rows of a log in words for this viewer, oldest first: a player's consecutive moves are summarised.

    There are at most `limit` lines, and only as many as `fit` accepts, but always all lines of the newest turn. As in
    `log_lines`, the last row has to be the log's newest.
    """
    texts: list[str] = []
    for turn in _turns_backwards(_without_the_end(_lines(table, log, viewer)), screens):
        # Events that belong to nobody's turn get one line each.
        for part in [turn] if turn[0].mover is not None else [[line] for line in reversed(turn)]:
            more = [*_in_short([part], table, screens), *texts]
            if texts and (len(more) > limit or not fit(more)):
                return texts
            texts = more
    return texts


def _without_the_end(lines: Sequence[Line]) -> list[Line]:
    """The lines without the one about an early end, which the table message and the private screens show anyway."""
    return [line for line in lines if not (line.of_table and line.event.kind == "abandoned")]


def newest_turn(
    table: Table, screens: AnyScreens, log: Sequence[LogRow], viewer: int | None = None
) -> list[SeenEvent]:
    """The events of the newest turn as this viewer may know them. The last row has to be the log's newest."""
    lines = [line for line in _lines(table, log, viewer) if not line.of_table]
    return [line.event for turn in islice(_turns_backwards(lines, screens), 1) for line in turn]


def _newest(screens: AnyScreens, lines: Sequence[Line], least: int) -> Sequence[Line]:
    """The newest lines: `least` of them, or all of the newest turn if it has more."""
    played = [number for number, line in enumerate(lines) if not line.of_table]
    turn = screens.newest_turn([lines[number].event for number in played])
    first = played[-turn] if turn else len(lines)
    return lines[max(0, min(first, len(lines) - least)) :]


def log_from(table: Table, seat: int) -> int:
    """The number of moves from which on the log is required for this seat's news."""
    return table.seats[seat].since


class NewsLine(NamedTuple):
    """A line of news, and whether it affects the reader or tells of an agent's move in the reader's place.

    `newest`: it belongs to the newest of what the reader did or suffered; these lines stand together. `own`: it tells
    the reader's own move. `absence`: it says that an agent plays for the reader from then on.
    """

    text: str
    concerns: bool
    newest: bool = False
    own: bool = False
    absence: bool = False


class News(NamedTuple):
    """The news for a seated person, in words and in the order of the events.

    `missed`: they tell of others since the person's last turn: other players' moves, summarised, and single events that
    concern the person; these are shown until the person's next turn has ended. The outcome of chance in the person's
    own last move is shown until their next move. A person who made the match's last move, or has missed nothing, is
    shown the latest events too.
    """

    lines: Sequence[NewsLine]
    missed: bool


def news(table: Table, screens: AnyScreens, log: Sequence[LogRow], seat: int) -> News:
    """The news for the person of this seat. `log` begins at the latest with `log_from`."""
    place = table.seats[seat]
    lines = _without_the_end(_lines(table, log, seat))
    own_turn = place.moved == table.sequence
    since = place.since if own_turn else place.moved
    if not _plays_for(table, [line for line in lines if line.sequence > since], seat):
        lines = [line for line in lines if not (_begins_absence(line) and line.viewer == seat)]
    missed = [line for line in lines if _missed(line, seat, since)]
    concerning = _ids(line for line in missed if _concerns(line, screens, seat))
    others = [] if own_turn else [line for line in missed if id(line) not in concerning]
    brought = _ids(_brought_by_chance(lines, screens, seat, place.moved))
    latest: frozenset[int] = frozenset()
    if own_turn or not missed:
        rest = [line for line in lines if id(line) not in concerning]
        latest = _ids(_newest(screens, rest, 0 if concerning else CHRONICLE.latest))
    affecting = concerning | brought
    worded = [
        (number, line, text)
        for number, line in enumerate(lines)
        if id(line) in affecting | latest and (text := _news_line(line, table, screens))
    ]
    newest = _newest_of([line for _number, line, _text in worded], latest, affecting, seat)
    told = [
        (
            number,
            NewsLine(
                text,
                concerns=id(line) in affecting,
                newest=id(line) in newest,
                own=_is_own(line, seat),
                absence=_begins_absence(line),
            ),
        )
        for number, line, text in worded
    ]
    order = {id(line): number for number, line in enumerate(lines)}
    told += [
        (order[id(part[0])], NewsLine(text, concerns=False))
        for turn in _turns(others, screens)
        for part in _parts(turn, [order[id(line)] for line in turn], {order[each] for each in concerning})
        for text in _in_short([part], table, screens)
    ]
    told.sort(key=lambda each: each[0])
    return News([line for _number, line in told][-CHRONICLE.missed :], missed=bool(concerning or others))


def _newest_of(lines: Sequence[Line], latest: Set[int], affecting: Set[int], seat: int) -> frozenset[int]:
    """The newest of what the person of this seat did or suffered: the own turn, or else the last move that affected
    the person.
    """
    if own := _ids(line for line in lines if id(line) in latest and _is_own(line, seat)):
        return own
    affected = [line for line in lines if id(line) in affecting]
    return _ids(line for line in affected if line.sequence == affected[-1].sequence)


def _is_own(line: Line, seat: int) -> bool:
    """Whether the person of this seat made the move."""
    return line.mover == seat and not line.stood_in


def _parts(turn: Sequence[Line], places: Sequence[int], between: Set[int]) -> list[list[Line]]:
    """The lines of a turn, cut where one of the places `between` lies among those of the turn."""
    parts = [[turn[0]]]
    for line, before, place in zip(turn[1:], places, places[1:], strict=False):
        if between.isdisjoint(range(before, place)):
            parts[-1].append(line)
        else:
            parts.append([line])
    return parts


def _plays_for(table: Table, lines: Iterable[Line], seat: int) -> bool:
    """Whether an agent plays for the person, or has played in the absence that these lines tell of."""
    if table.status == "paused":  # the screen says so
        return False
    return not table.seats[seat].present or any(line.stood_in and line.mover == seat for line in lines)


def _ids(lines: Iterable[Line]) -> frozenset[int]:
    """The identities of these lines; several events of a move may be equal."""
    return frozenset(map(id, lines))


def _brought_by_chance(lines: Sequence[Line], screens: AnyScreens, seat: int, move: int) -> list[Line]:
    """What chance brought to this seat in its person's own move, from the first such event of the move on.

    The person has not seen it if the next player was quick. In another player's turn, it is what concerns the person.
    """
    own = [line for line in lines if line.mover == seat and line.sequence == move and not line.stood_in]
    concerning = [line for line in own if screens.concerns(line.event, seat)]
    first = next((line for line in concerning if line.by_chance), None)
    if first is None:
        return []
    found = own if first.event.seat == seat else concerning
    return found[found.index(first) :]


def _missed(line: Line, seat: int, since: int) -> bool:
    """Whether the event came after the first `since` moves, and was not caused by the person of this seat."""
    if line.of_table:
        seen = line.event.kind in IN_THE_LOBBY or (line.event.seat == seat and line.event.kind in NO_NEWS)
        return line.sequence >= since and not seen
    return line.sequence > since and (line.mover != seat or line.stood_in)


def _concerns(line: Line, screens: AnyScreens, seat: int) -> bool:
    if line.of_table:
        return line.event.seat == seat
    return line.mover == seat or screens.concerns(line.event, seat)


def _begins_absence(line: Line) -> bool:
    return line.of_table and line.event.kind in AGENT_PLAYS


def _in_short(turns: Iterable[Sequence[Line]], table: Table, screens: AnyScreens) -> list[str]:
    """The news, in one line for each turn if the game can word it so."""
    texts: list[str] = []
    for turn in turns:
        if turn[0].mover is None:
            texts += [_in_words(line, table, screens) for line in turn if _has_line(line, screens)]
        else:
            texts += screens.recap([line.event for line in turn], turn[0].viewer, turn[0].names)
    return texts


def _turns(lines: Sequence[Line], screens: AnyScreens) -> list[list[Line]]:
    """The lines by turns as the game counts them, because in a fight others move in a turn too; else by mover."""
    return list(_turns_backwards(lines, screens))[::-1]


def _turns_backwards(lines: Sequence[Line], screens: AnyScreens) -> Iterator[list[Line]]:
    """The turns of `_turns`, the newest first. A turn is computed only when the caller takes it."""
    earlier = lines
    while turn := _newest(screens, earlier, 0):
        parts = groupby(turn, lambda line: (line.mover is None, line.names))
        yield from [list(part) for _key, part in parts][::-1]
        earlier = earlier[: -len(turn)]
    yield from list(_in_a_row(earlier))[::-1]


def _in_a_row(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines in groups of one player's consecutive moves. A gap in the sequence also begins a new group."""
    turn: list[Line] = []
    for line in lines:
        last = turn[-1] if turn else line
        same = (line.mover, line.names) == (last.mover, last.names) and line.sequence <= last.sequence + 1
        if turn and not same:
            yield turn
            turn = []
        turn.append(line)
    if turn:
        yield turn


def _has_line(line: Line, screens: AnyScreens) -> bool:
    """Whether this event has a line outside the whole log, as the game's `recap` decides."""
    return line.of_table or bool(screens.recap([line.event], line.viewer, line.names))


def _news_line(line: Line, table: Table, screens: AnyScreens) -> str:
    """The line among the reader's news about one event; empty if the event needs none."""
    if not _has_line(line, screens):
        return ""
    if line.of_table:
        return _in_words(line, table, screens)
    return _as_agents(line, screens.news_line(line.event, line.viewer, line.names))


def _in_words(line: Line, table: Table, screens: AnyScreens) -> str:
    viewer = line.viewer
    if line.of_table:
        if line.event.kind == "abandoned":
            return ending_text(table, line.names)
        return setting_event(line.event, screens.settings()) or table_event(line.event, viewer, line.names)
    return _as_agents(line, screens.tell(line.event, viewer, line.names))


def _as_agents(line: Line, text: str) -> str:
    """The text about an event, marked if an agent made the move for the reader."""
    # The move may have had events of others, such as the next player's roll, which no agent did for the viewer.
    for_viewer = line.stood_in and line.viewer is not None and line.mover == line.event.seat == line.viewer
    return f"🤖 {text}" if text and for_viewer else text


# -- the names at each event


def _lines(table: Table, log: Sequence[LogRow], viewer: int | None) -> list[Line]:
    return list(_backwards(table, log, viewer))[::-1]


def _backwards(table: Table, log: Sequence[LogRow], viewer: int | None) -> Iterator[Line]:
    """The lines from the newest to the oldest. Each change of a seat's holder is reverted on the way."""
    held = [_holder(seat) for seat in table.seats]
    made: dict[tuple[tuple[str, Kind], ...], Names] = {}

    def names(stood_in: int | None = None) -> Names:
        shown = held
        if stood_in is not None:
            shown = held.copy()
            shown[stood_in] = held[stood_in][0], "stand-in"
        key = tuple(shown)
        found = made.get(key)
        if found is None:
            found = made[key] = Names([_seat(*each) for each in key])
        return found

    now = names()
    for row in reversed(log):
        event = _seen_event(row.event, viewer)
        kind, seat, facts = event
        if row.source != "table":
            mover = row.mover
            stood_in = row.source == "agent" and mover is not None and held[mover][1] != "agent"
            shown = names(mover) if stood_in else now
            chance = _event(row.event).reveals
            yield Line(event, shown, row.sequence, mover, stood_in, False, viewer, chance)
            continue
        before = None if seat is None else _held_before(table, kind, facts, held[seat][0])
        if before is not None and seat is not None and kind == "left":
            held[seat] = before  # the event's line names the person who left
            now = names()
        if before is not None and kind == "took-over":
            event = SeenEvent(kind, seat, {**facts, "of": before[0]})
        yield Line(
            event,
            now,
            row.sequence,
            None,
            stood_in=False,
            of_table=True,
            viewer=viewer,
        )
        if before is not None and seat is not None:
            held[seat] = before
            now = names()
            if kind == "took-over" and seat == viewer:
                viewer = None


@lru_cache(maxsize=CHRONICLE.events)
def _seen_event(text: str, viewer: int | None) -> SeenEvent:
    """The event of a row in the form that this viewer may know. Cached, because each later move words the row again."""
    event = _event(text)
    return SeenEvent(event.kind, event.seat, event.seen_by(viewer))


@lru_cache(maxsize=CHRONICLE.events)
def _event(text: str) -> Event:
    """The event of a row. Cached, because it is parsed for every viewer."""
    return load_event(json.loads(text))


def _held_before(table: Table, kind: str, facts: Mapping[str, Any], name: str) -> tuple[str, Kind] | None:
    """The name and kind of the seat's holder before this event of the table; None if the holder did not change."""
    if kind == "left":
        return name, "person"
    if kind == "back" and facts.get("had_left"):
        return name, "stand-in"
    if kind == "took-over" and "earlier" in facts:
        earlier = table.body.earlier[int(facts["earlier"])]
        return earlier.name, "agent" if earlier.user_id is None else "stand-in"
    return None


def _holder(seat: Seat) -> tuple[str, Kind]:
    if seat.user_id is not None or seat.agent is None:
        return seat.name, "person"
    return seat.name, "agent" if seat.left_by is None else "stand-in"


def _seat(name: str, kind: Kind) -> Seat:
    if kind == "person":
        return Seat(name, user_id=0)
    return Seat(name, agent=STAND_IN, left_by=0 if kind == "stand-in" else None)
