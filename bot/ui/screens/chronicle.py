"""The log of a match in words: a line for each event, or for each turn.

Each event is worded with the names at its time: later changes of a seat's holder do not change earlier lines. A move
that an agent made for a person is worded as the agent's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Final, Literal, NamedTuple

from bot.art.picture import Picture
from bot.art.scene import WIDTH
from bot.language import by_language, ngettext
from bot.store.model import LogRow
from bot.tables.model import SUBSTITUTE, Seat, Table
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.kit import LARGE, pictured
from bot.ui.screens.names import Names
from bot.ui.screens.words import ending_text, setting_event, table_event
from engine.game import Event, load_event

Kind = Literal["person", "agent", "substitute"]
"""The holder of a seat: a person, an agent, or an agent in the place of a person."""
NEWS_ROWS: Final = 200
"""The number of a log's newest rows that are searched for somebody's news."""
_EVENTS: Final = 8192
"""The number of parsed events in the cache, at about 1 KB each."""


class Line(NamedTuple):
    """An event in the form that a viewer may know, with the names at its time.

    `sequence` is the number of moves that had been made by then. `mover` is the seat that made the move, by itself or
    by an agent in its place (`stood_in`); it is None for the set-up and for events of the table itself (`of_table`).
    `viewer` is the reader's seat. It is None for events before the reader took over that seat: the reader sees them as
    a spectator does. `row` is the event as it is stored.
    """

    event: SeenEvent
    names: Names
    sequence: int
    mover: int | None
    stood_in: bool
    of_table: bool
    viewer: int | None
    row: str


def latest(
    table: Table,
    screens: AnyScreens,
    log: Sequence[LogRow],
    viewer: int | None,
    limit: int,
    fit: Callable[[Sequence[str]], bool] = lambda _lines: True,
) -> list[str]:
    """The newest rows of a log in words for this viewer, oldest first: a player's consecutive moves are summarised.

    There are at most `limit` lines besides headings, and only as many as `fit` accepts. The newest move is always among
    them, and in full after the end: of a turn that does not fit, the beginning is left out. Of an earlier one there is
    its heading, or at a larger table a line that counts the players whose latest turn has no room. The turn of
    `latest_picture` is `pictured`. The last row has to be the log's newest: names are determined backwards from it.
    """
    texts: list[str] = []
    told: set[int | None] = set()
    lines = [line for line in without_the_end(lines_of(table, log, viewer)) if not _is_open_wish(table, line)]
    shown = latest_picture(table, screens, log)[1]
    for turn in _turns_backwards(lines, screens):
        # Events that belong to nobody's turn get one line each.
        for part in [turn] if turn[0].mover is not None else [[line] for line in reversed(turn)]:
            mark = pictured if any((line.sequence, line.row) == shown for line in part) else list[str]
            worded = mark(in_short(part, table, screens))
            heaviest = max(part, key=lambda line: weight(line, screens))
            for few in ([line for line in part if weight(line, screens)[0]] or part, [heaviest]):
                if texts and not (screens.counts_rounds or fit([*worded, *texts])):
                    worded = mark(in_short(few, table, screens))
            more = [*worded, *texts]
            if texts and is_plain(part, screens):
                if {line.mover for line in part} <= told:
                    return texts
                # Told all the same, or somebody would seem to have two turns in a row.
                more = [type(texts[0])(" ".join([*worded, texts[0]])), *texts[1:]]
            if texts and (sum(not line.startswith(LARGE) for line in more) > limit or not fit(more)):
                if told:
                    left = {line.mover for line in lines} - told - {None}
                    heading = [line for line in worded if line.startswith(LARGE)]
                    if not (left and heading and fit([*heading, *texts])):
                        heading = more_turns(0 if len(table.seats) == 2 or fit(more) else len(left))
                    return [*heading, *texts]
                if part[0].of_table:
                    continue
            if not (fit(more) or part[0].of_table):
                ended = _end(part, table, screens, texts, fit)
                return [*mark(ended[: len(ended) - len(texts)]), *texts]
            if worded and not part[0].of_table:
                told |= {line.mover for line in part}
            texts = more
    return texts


def is_plain(turn: Sequence[Line], screens: AnyScreens) -> bool:
    """Whether a turn of others has only events that are hardly news."""
    others = all(line.viewer is None or line.viewer != line.event.seat for line in turn)
    return others and {line.event.kind for line in turn} <= screens.alike


def telling(turn: Sequence[Line], screens: AnyScreens) -> Sequence[Line]:
    """A turn without the events of others that are hardly news, unless it has no other events."""
    return [line for line in turn if not is_plain([line], screens)] or turn


def weight(line: Line, screens: AnyScreens) -> tuple[int, int]:
    """How much an event matters to its viewer, beside others of its turn."""
    event = line.event
    return (0, 0) if line.of_table else (screens.moment(event, line.viewer), abs(screens.effect(event)))


def more_turns(n: int) -> list[str]:
    """The line about turns for which there is no room; none for no turn."""
    # Translators: turns of players that a screen has no room for.
    text = ngettext("… {n} more turn is in the log.", "… {n} more turns are in the log.", n)
    return [text.format(n=n)] if n else []


def _end(
    turn: Sequence[Line],
    table: Table,
    screens: AnyScreens,
    below: Sequence[str],
    fit: Callable[[Sequence[str]], bool],
) -> list[str]:
    """As many of a turn's newest moves as `fit` accepts above the lines `below`, in whole sentences after an ellipsis.

    The turn's heading stays. At least the newest move, even if it does not fit; while the match goes on, at least that
    move's last event.
    """
    starts = [at for at in range(1, len(turn)) if turn[at].sequence != turn[at - 1].sequence]
    if table.live:
        starts += range(starts[-1] + 1 if starts else 1, len(turn))
    whole = in_short(turn, table, screens)
    heading = [line for line in whole if line.startswith(LARGE)]
    shortest = [*whole, *below]
    for start in starts:
        if texts := in_short(turn[start:], table, screens):
            begun = [line for line in texts if not line.startswith(LARGE)]
            shortest = [*heading, *(f"… {line}" for line in begun[:1]), *begun[1:], *below]
            if fit(shortest):
                break
    return shortest


def without_the_end(lines: Sequence[Line]) -> list[Line]:
    """The lines without an early end, which the screens show anyway, and moves that were taken back before others."""
    left_out = ("abandoned", "undone" if lines and not lines[-1].of_table else "")
    return [line for line in lines if not (line.of_table and line.event.kind in left_out)]


def _is_open_wish(table: Table, line: Line) -> bool:
    """Whether the line tells of a wish to end the match that the table message names among the open decisions."""
    wish = line.of_table and line.event.kind == "end-vote"
    return wish and table.status == "playing" and line.event.seat in table.body.end_votes


def latest_events(table: Table, log: Sequence[LogRow], seat: int) -> list[SeenEvent]:
    """The events of a seat's last move and all after it, as that seat may know them."""
    moved = max(1, table.seats[seat].moved)
    lines = lines_of(table, log, seat)
    return [line.event for line in lines if not line.of_table and line.sequence >= moved]


def latest_picture(
    table: Table, screens: AnyScreens, log: Sequence[LogRow]
) -> tuple[Picture | None, tuple[int, str] | None]:
    """The newest picture as wide as a message of a player who has not moved since; else that of the newest turn.

    With it, the number of moves and the event with which its turn ends. There is none after the match.
    """
    newest: tuple[Picture | None, tuple[int, str] | None] = None, None
    movers: set[int | None] = set()
    lines = [line for line in lines_of(table, log, None) if not line.of_table]
    for turn in _turns_backwards(lines, screens) if table.live else ():
        if turn[0].mover in movers:
            break
        picture = screens.vignette([line.event for line in turn])
        if picture is not None and (picture.width >= WIDTH or not movers):
            newest = picture, (turn[-1].sequence, turn[-1].row)
            if picture.width >= WIDTH:
                break
        movers |= {line.mover for line in turn}
    return newest


def in_short(turn: Sequence[Line], table: Table, screens: AnyScreens) -> list[str]:
    """A turn in as few lines as the game can word it. Events that belong to nobody's turn are worded one by one."""
    if turn[0].mover is not None:
        return _recap(telling(turn, screens), screens)
    return [text for line in turn for text in _of_nobodys_turn(line, table, screens)]


def _of_nobodys_turn(line: Line, table: Table, screens: AnyScreens) -> list[str]:
    return [in_words(line, table, screens)] if line.of_table else _recap([line], screens)


def _recap(lines: Sequence[Line], screens: AnyScreens) -> list[str]:
    """Events of moves in as few lines as the game can word them."""
    rows = tuple((line.row, line.viewer) for line in lines)
    return [*_recapped(screens, rows, lines[0].names)]


def of_reader(line: Line, screens: AnyScreens) -> str:
    """A move's event in words for the reader, whom it concerns; empty if the game leaves it to the whole log."""
    return as_agents(line, _of_reader(screens, line.row, line.viewer, line.names))


def turns(lines: Sequence[Line], screens: AnyScreens) -> list[list[Line]]:
    """The lines by turns as the game counts them, because in a fight others move in a turn too; else by mover."""
    return list(_turns_backwards(lines, screens))[::-1]


def undivided(played: Iterable[list[Line]]) -> list[list[Line]]:
    """These turns, such that a turn during which something happened at the table, as a wish to end, stays one."""
    whole: list[list[Line]] = []
    aside: list[Line] = []
    for turn in played:
        if turn[0].of_table:
            aside += turn
        elif aside and whole and _goes_on(whole[-1][-1], turn[0]):
            whole[-1] += [*aside, *turn]
            aside = []
        else:
            whole += [part for part in (aside, turn) if part]
            aside = []
    return [*whole, aside] if aside else whole


def _goes_on(last: Line, following: Line) -> bool:
    """Whether two events of moves belong to one player's turn, if only events of the table are between them."""
    return (last.mover, last.names) == (following.mover, following.names) and (
        last.mover is not None and following.sequence <= last.sequence + 1
    )


def _turns_backwards(lines: Sequence[Line], screens: AnyScreens) -> Iterator[list[Line]]:
    """The same, the newest first. A turn is computed only when the caller takes it."""
    played = [number for number, line in enumerate(lines) if not line.of_table]
    events = [lines[number].event for number in played]
    earlier = lines
    while earlier:
        while played and played[-1] >= len(earlier):
            played.pop()
        if counted := screens.newest_turn(events[: len(played)]):
            turn = earlier[played[-counted] :]
            parts = groupby(turn, lambda line: (line.mover is None, line.names))
            yield from [list(part) for _key, part in parts][::-1]
        else:
            yield (turn := _alike(earlier, screens))
        earlier = earlier[: -len(turn)]


def _alike(lines: Sequence[Line], screens: AnyScreens) -> list[Line]:
    """One player's newest moves, after those of other players that were the same and hardly news."""
    turn = part = _newest_moves(lines)
    deeds = [(line.event.kind, line.event.facts) for line in part]
    while is_plain(turn, screens):
        before = _newest_moves(lines[: len(lines) - len(turn)])
        begun = [(line.event.kind, line.event.facts) for line in before[: len(part)]]
        if begun != deeds or not is_plain(before, screens) or before[0].names != part[0].names:
            break
        if before[0].mover in {line.mover for line in turn}:
            break
        turn = [*before, *turn]
    return turn


def _newest_moves(lines: Sequence[Line]) -> list[Line]:
    """One player's newest consecutive moves. A gap in the sequence also ends them."""
    turn: list[Line] = []
    for line in reversed(lines):
        first = turn[-1] if turn else line
        if (line.mover, line.names) != (first.mover, first.names) or first.sequence > line.sequence + 1:
            break
        turn.append(line)
    return turn[::-1]


def in_the_open(event: Event, viewer: int | None, names: Names, screens: AnyScreens) -> str:
    """An event with all hands open: with its secrets, as a spectator reads it unless this viewer knew them."""
    reader = viewer if not event.secret or viewer in event.known_to else None
    return screens.describe(SeenEvent(event.kind, event.seat, {**event.facts, **event.secret}), reader, names)


def in_words(line: Line, table: Table, screens: AnyScreens, *, everything: bool = False) -> str:
    """A line of the log; with `everything`, as after the match, also the secrets of other seats."""
    viewer = line.viewer
    if line.of_table:
        if line.event.kind == "abandoned":
            return ending_text(table, line.names)
        return setting_event(line.event, screens.settings()) or table_event(line.event, viewer, line.names)
    if everything:
        return as_agents(line, in_the_open(_event(line.row), viewer, line.names, screens))
    return as_agents(line, screens.describe(line.event, viewer, line.names))


def as_agents(line: Line, text: str) -> str:
    """The text about an event, marked if an agent made the move for the reader."""
    # The move may have had events of others, such as the next player's roll, which no agent did for the viewer.
    for_viewer = line.stood_in and line.viewer is not None and line.mover == line.event.seat == line.viewer
    return f"🤖 {text}" if text and for_viewer else text


# -- the names at each event


def lines_of(table: Table, log: Sequence[LogRow], viewer: int | None) -> list[Line]:
    return list(_backwards(table, log, viewer))[::-1]


def _backwards(table: Table, log: Sequence[LogRow], viewer: int | None) -> Iterator[Line]:
    """The lines from the newest to the oldest. Each change of a seat's holder is reverted on the way."""
    held = [_holder(seat) for seat in table.seats]

    def names(stood_in: int | None = None) -> Names:
        shown = held
        if stood_in is not None:
            shown = held.copy()
            shown[stood_in] = held[stood_in][0], "substitute"
        return _names(tuple(shown))

    now = names()
    for row in reversed(log):
        event = _seen_event(row.event, viewer)
        kind, seat, facts = event
        if row.source != "table":
            mover = row.mover
            stood_in = row.source == "agent" and mover is not None and held[mover][1] != "agent"
            shown = names(mover) if stood_in else now
            yield Line(event, shown, row.sequence, mover, stood_in, False, viewer, row.event)
            continue
        before = None if seat is None else _held_before(table, kind, facts, held[seat][0])
        if before is not None and seat is not None and kind == "left":
            held[seat] = before  # the event's line names the person who left
            now = names()
        if before is not None and kind == "took-over":
            event = SeenEvent(kind, seat, {**facts, "of": before[0]})
        yield Line(event, now, row.sequence, None, False, True, viewer, row.event)
        if before is not None and seat is not None:
            held[seat] = before
            now = names()
            if kind == "took-over" and seat == viewer:
                viewer = None


@lru_cache(maxsize=_EVENTS)
def _seen_event(text: str, viewer: int | None) -> SeenEvent:
    """The event of a row in the form that this viewer may know. Cached, because each later move words the row again."""
    return SeenEvent.of(_event(text), viewer)


@lru_cache(maxsize=_EVENTS)
def _event(text: str) -> Event:
    """The event of a row. Cached, because it is parsed for every viewer."""
    return load_event(json.loads(text))


# Each press words the same turns again for several screens, so their words are kept, by language and viewer. Equal
# names are one object, which makes them a key.


@by_language
def _recapped(screens: AnyScreens, rows: tuple[tuple[str, int | None], ...], names: Names) -> Sequence[str]:
    """Events in as few lines as the game can word them. Each is a row and the viewer who sees it."""
    return tuple(screens.recap([_seen_event(*row) for row in rows], rows[0][1], names))


@by_language
def _of_reader(screens: AnyScreens, row: str, viewer: int | None, names: Names) -> str:
    event = _seen_event(row, viewer)
    text = screens.news_line(event, viewer, names)
    return text if text and screens.recap([event], viewer, names) else ""


@by_language
def _names(held: tuple[tuple[str, Kind], ...]) -> Names:
    return Names([_seat(*each) for each in held])


def _held_before(table: Table, kind: str, facts: Mapping[str, Any], name: str) -> tuple[str, Kind] | None:
    """The name and kind of the seat's holder before this event of the table; None if the holder did not change."""
    if kind == "left":
        return name, "person"
    if kind == "back" and facts.get("had_left"):
        return name, "substitute"
    if kind == "took-over" and "earlier" in facts:
        earlier = table.body.earlier[int(facts["earlier"])]
        return earlier.name, "agent" if earlier.user_id is None else "substitute"
    return None


def _holder(seat: Seat) -> tuple[str, Kind]:
    if seat.user_id is not None or seat.agent is None:
        return seat.name, "person"
    return seat.name, "agent" if seat.left_by is None else "substitute"


def _seat(name: str, kind: Kind) -> Seat:
    if kind == "person":
        return Seat(name, user_id=0)
    return Seat(name, agent=SUBSTITUTE, left_by=0 if kind == "substitute" else None)
