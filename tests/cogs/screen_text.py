"""Screens as text: what people read of a match, whole or where it is new, for the texts in `playthroughs/`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from bot.art.picture import Picture
from bot.store.model import LogRow
from bot.tables.model import Table
from bot.ui.screens.board import LOG_ROWS, Watcher, board, watched
from bot.ui.screens.chronicle import NEWS_ROWS, in_words, lines_of, of_reader
from bot.ui.screens.ended import ended as result
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.kit import Screen
from bot.ui.screens.names import Names
from bot.ui.screens.pages import sheet
from bot.ui.screens.private import Personal, explained, private
from engine.game import Event
from tests.cogs.in_memory import Match
from tests.cogs.limits import BUTTON, MENU, TEXT
from tests.cogs.pictures import sheets, shown

NAMES = ("Ana", "Ben", "Cara", "Dan", "Eve", "Finn")
RULE = 14


def log_lines(table: Table, screens: AnyScreens, log: Sequence[LogRow], viewer: int | None) -> list[str]:
    """The rows of a log, oldest first, in words for this viewer: exactly one line for each event."""
    return [in_words(line, table, screens) for line in lines_of(table, log, viewer)]


def screen_text(screen: Screen) -> Iterator[str]:
    """The lines of a screen: texts, `[buttons]` and `<menus>`."""
    yield from _parts(screen.view().to_components())


def _parts(parts: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for part in parts:
        within = part.get("components", ())
        if part["type"] == TEXT:
            yield from part["content"].splitlines()
        elif part["type"] == RULE:
            yield "----"
        elif within and within[0]["type"] == BUTTON:
            yield " ".join(map(_button, within))
        elif part["type"] == MENU:
            yield _menu(part)
        else:
            yield from _parts(within)


def _button(part: Mapping[str, Any]) -> str:
    emoji = (part.get("emoji") or {}).get("name")
    label = " ".join(filter(None, (emoji, part.get("label"))))
    return f"[{label}]" if not part.get("disabled") else f"({label})"


def _menu(part: Mapping[str, Any]) -> str:
    options = [
        ("*" if option.get("default") else "")
        + " – ".join(filter(None, map(option.get, ("label", "description"))))
        for option in part["options"]
    ]
    count = f"{part.get('min_values', 1)}–{part.get('max_values', 1)}"
    return f"<{part.get('placeholder')} ({count}): {' | '.join(options)}>"


def board_text(match: Match) -> Iterator[str]:
    """The table message."""
    yield from screen_text(board(match.table(names=NAMES), match.screens, match.rows()[-LOG_ROWS:], 0.0))


def private_text(match: Match, seat: int, personal: Personal | None = None) -> Iterator[str]:
    """A seat's private screen, whose news are those of the whole log."""
    table = match.table(names=NAMES)
    rows = match.rows()[-NEWS_ROWS:]
    yield from screen_text(private(table, match.screens, seat, rows, personal or Personal()))


def pictures_text(match: Match, viewer: int | None) -> Iterator[str]:
    """The pictures, each in a line: a digest of its drawing, and the description."""
    for what, picture in shown(match, viewer, looked_up=False).items():
        if what != "banner" or not match.movers:
            yield picture_text(what, picture)


def picture_text(what: str, picture: Picture) -> str:
    return f"{what} {picture.width}×{picture.height} {picture.key[:8]}: {picture.alt}"


def sheets_text(match: Match) -> Iterator[str]:
    """All sheets that anybody may look up, from one to the next, with their pictures."""
    table, screens = match.table(names=NAMES), match.screens
    public = match.game.view(match.state, None)
    for pressed in sheets(screens, public, Names(table.seats)):
        yield f"= sheet {pressed.intent} {pressed.arg}".rstrip()
        yield from screen_text(sheet(table, screens, pressed))
        if picture := screens.sheet_picture(public, pressed):
            yield picture_text("picture", picture)


def log_text(match: Match, rows: Sequence[LogRow]) -> Iterator[str]:
    """Rows of the log as spectators read them, and as each seat does that reads them otherwise."""
    table = match.table(names=NAMES)
    yield from _each_viewer(table.seats, lambda viewer: log_lines(table, match.screens, rows, viewer))
    for seat in range(len(table.seats)):
        for line in lines_of(table, rows, seat):
            own = of_reader(line, match.screens) if match.screens.concerns(line.event, seat) else ""
            if own not in ("", in_words(line, table, match.screens)):
                yield f"{NAMES[seat]}, in the news: {own}"


def recap_text(match: Match, events: Sequence[Event]) -> Iterator[str]:
    """A turn in short, as spectators read it, and as each seat does that reads it otherwise; and its picture."""
    table = match.table(names=NAMES)
    names = Names(table.seats)

    def seen(viewer: int | None) -> list[SeenEvent]:
        return [SeenEvent(event.kind, event.seat, event.seen_by(viewer)) for event in events]

    yield from _each_viewer(table.seats, lambda viewer: match.screens.recap(seen(viewer), viewer, names))
    if picture := match.screens.vignette(seen(None)):
        yield picture_text("vignette", picture)


def _each_viewer(seats: Sequence[object], read: Callable[[int | None], list[str]]) -> Iterator[str]:
    public = read(None)
    yield from (f"all: {line}" for line in public)
    readers: dict[tuple[str, ...], list[str]] = {}
    for seat in range(len(seats)):
        readers.setdefault(tuple(read(seat)), []).append(NAMES[seat])
    for lines, names in readers.items():
        if [*lines] != public:
            yield from (f"{', '.join(names)}: {line}" for line in lines)


def state_text(match: Match, what: str | int) -> Iterator[str]:
    """The screens of a state: "board", "result", "sheets", or the private screen of the seat with this number."""
    if isinstance(what, int):
        yield from private_text(match, what)
    elif what == "board":
        yield from board_text(match)
    elif what == "sheets":
        yield from sheets_text(match)
    else:
        yield from screen_text(result(match.table(names=NAMES), match.screens, match.rows()))


def end_text(match: Match) -> Iterator[str]:
    """The result, the table message after it, and what is then open to all."""
    table = match.table(names=NAMES)
    yield "= result"
    yield from screen_text(result(table, match.screens, match.rows()))
    yield "= watched to the end"
    yield from screen_text(watched(table, match.screens, match.rows()[-LOG_ROWS:], 0.0, Watcher(False, True)))


def private_match_text(match: Match) -> Iterator[str]:
    """The first seat's screen of a private match, and what stands behind its button **?**."""
    table = match.private(names=NAMES)
    yield "= private match"
    yield from screen_text(private(table, match.screens, 0, match.rows()[-NEWS_ROWS:]))
    yield "= explained"
    yield from screen_text(explained(table, match.screens, 0))
