"""The news on a private screen: one story in the order of events, since the beginning of the reader's latest turn.

The end of the story stands above the reader's possible moves, and the earlier part above it. So nothing is told
twice, and an event stands directly below the event that led to it. On a phone the bottom of a message is in sight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from bot.language import gettext as _
from bot.store.model import LogRow
from bot.tables.model import Table
from bot.tables.premoves import question_for
from bot.ui.screens.chronicle import Line, in_short, in_words, lines_of, of_reader, turns, without_the_end
from bot.ui.screens.fitting import that_fit
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.kit import Screen, line_height

NO_NEWS: Final = ("undone", "end-vote", "play-on", "back", "took-over", "holiday")
"""The kinds of a table's events that are no news to the person of their seat, because that person caused them."""
AGENT_PLAYS: Final = ("away", "left", "holiday", "waits-no-more")
"""The kinds of a table's events after which an agent plays for a person."""
IN_THE_LOBBY: Final = ("limit-set", "option-set")
"""The kinds of a table's events that everybody saw in the lobby before the match."""


@dataclass(frozen=True, slots=True)
class NewsLimits:
    """The limits of the news on a private screen. Heights are those on a phone, in its pixels."""

    lines: int = 20
    """The greatest number of lines of news. The whole log has the rest."""
    turn: int = 12
    """The number of moves before the reader's latest ones that are searched for the beginning of their turn, because
    others may have moved in it too, as in a fight or a Sandstorm."""
    height: int = 95
    """The greatest height of the news above the possible moves. More would push the moves off the screen."""
    height_of_own: int = 200
    """The greatest height if the first of the lines tells of the reader: what they did, or what befell them."""
    height_without_moves: int = 330
    """The same, while the reader has no possible moves."""


LIMITS: Final = NewsLimits()


class NewsLine(NamedTuple):
    """A line of news.

    `own`: it tells the reader's own move. `about`: it tells what the reader did or suffered. `joined`: it belongs to
    the same move as the line before, or the line before tells what led to it.
    """

    text: str
    own: bool
    about: bool
    joined: bool


class News(NamedTuple):
    """The news for a seated person, in the order of events.

    They begin with the person's latest turn. During that turn, what came since their last one is told too, and `before`
    is the number of lines before the turn. A person who has neither moved nor missed anything is told the newest turn,
    and `missed` is false. `absence` says that an agent plays for the person; empty if none does.
    """

    lines: Sequence[NewsLine]
    before: int
    missed: bool
    absence: str


def log_from(table: Table, seat: int) -> int:
    """The number of moves from which on the log is required for this seat's news."""
    return max(0, table.seats[seat].since - LIMITS.turn)


def news(table: Table, screens: AnyScreens, log: Sequence[LogRow], seat: int) -> News:
    """The news for the person of this seat. `log` begins at the latest with `log_from`."""
    in_turn = table.seats[seat].moved == table.sequence
    reader = _Reader(table, screens, seat)
    lines = [line for line in without_the_end(lines_of(table, log, seat)) if not reader.has_caused(line)]
    absence: list[Line] = []
    if reader.is_played_by_agent(lines):
        absence = [line for line in lines if _begins_absence(line) and line.event.seat == seat][-1:]
    else:
        lines = [line for line in lines if not _begins_absence(line) or line.viewer is None]
    played = turns([line for line in lines if line not in absence], screens)
    own = [number for number, turn in enumerate(played) if any(map(reader.has_made, turn))]
    first = reader.beginning(played, own[0]) if own else len(played)
    missed = () if own and not in_turn else reader.missed(played[:first])
    told = [*missed, *played[first:]]
    if all(line.of_table for turn in told for line in turn):
        told = _newest(played)
    worded = reader.story(told)
    own_turn = len(missed) + own[-1] - first if own and in_turn else 0
    before, story = sum(map(len, worded[:own_turn])), [line for turn in worded for line in turn]
    cut = max(0, len(story) - LIMITS.lines)
    return News(
        story[cut:],
        max(0, before - cut) if before < len(story) else 0,
        bool(own) or not in_turn,
        "".join(in_words(line, table, screens) for line in absence),
    )


def _newest(played: Sequence[Sequence[Line]]) -> Sequence[Sequence[Line]]:
    """The newest turn in which somebody moved, and what came after it; all, if nobody has moved."""
    moved = [number for number, turn in enumerate(played) if not all(line.of_table for line in turn)]
    return played[moved[-1] :] if moved else played


class _Reader:
    """Tells a match to the person of a seat."""

    def __init__(self, table: Table, screens: AnyScreens, seat: int) -> None:
        self._table = table
        self._screens = screens
        self._seat = seat
        place = table.seats[seat]
        self.since = place.since if place.moved == table.sequence else place.moved
        """The number of moves after which the news begin that the reader has missed."""

    def has_made(self, line: Line) -> bool:
        """Whether the line tells a move of the reader in or after their latest turn."""
        return self._is_own(line) and line.sequence > self._table.seats[self._seat].since

    def beginning(self, played: Sequence[Sequence[Line]], first: int) -> int:
        """The number of the turn with which the news begin, if the reader's latest move is in the turn `first`.

        In another player's turn, as in a Sandstorm, they begin with the reader's own turn before it.
        """
        if played[first][0].mover in (None, self._seat):
            return first
        begun = [number for number, turn in enumerate(played[:first]) if self._is_own(turn[0])]
        return begun[-1] if begun else first

    def has_caused(self, line: Line) -> bool:
        """Whether the line tells what everybody saw in the lobby, or what the reader did besides moving."""
        kind = line.event.kind
        return line.of_table and (kind in IN_THE_LOBBY or (line.event.seat == self._seat and kind in NO_NEWS))

    def is_played_by_agent(self, lines: Iterable[Line]) -> bool:
        """Whether an agent plays for the reader, or has played in the absence that these lines tell of."""
        if self._table.status == "paused":  # the screen says so
            return False
        return not self._table.seats[self._seat].present or any(
            line.stood_in and line.mover == self._seat and line.sequence > self.since for line in lines
        )

    def missed(self, told: Iterable[Sequence[Line]]) -> list[list[Line]]:
        """These turns as far as they came since the reader's last turn, or since their last move.

        A turn that had begun before is told from its beginning, which is the cause of what came since. A reader who
        has not moved is also told what the set-up gave them.
        """
        told = list(told)
        missed = [list(turn) for turn in told if _is_after(turn[-1], self.since)]
        dealt = [line for turn in told for line in turn if not (line.sequence or line.of_table)]
        kinds = Counter(line.event.kind for line in dealt)  # what each player got, and not who begins
        given = [line for line in dealt if self._is_about(line) and kinds[line.event.kind] > 1]
        return [given, *missed] if given and missed and not self.since else missed

    def story(self, told: Iterable[Sequence[Line]]) -> list[list[NewsLine]]:
        """Each turn in words: a line for each event about the reader, and as few as possible for all between."""
        return [list(self._story_of(turn)) for turn in told]

    def _story_of(self, turn: Sequence[Line]) -> Iterator[NewsLine]:
        others_turn = turn[0].mover not in (None, self._seat)
        move: int | None = None
        led_to_it = False
        for about, part in groupby(turn, self._is_about):
            for each in [[line] for line in part] if about else [list(part)]:
                first, own = each[0], about and self._is_own(each[0])
                for text in self._texts(each, about=about):
                    yield NewsLine(text, own, about, first.sequence == move or (about and led_to_it))
                    move, led_to_it = first.sequence, not about and others_turn
                move = None if first.of_table else each[-1].sequence

    def _texts(self, lines: Sequence[Line], *, about: bool) -> list[str]:
        """One event about the reader, or consecutive events that are not, in words."""
        if not about:
            return in_short(lines, self._table, self._screens)
        (line,) = lines
        if line.of_table:
            return [in_words(line, self._table, self._screens)]
        text = of_reader(line, self._screens)
        return [text] if text else []

    def _is_own(self, line: Line) -> bool:
        """Whether the reader made the move themselves."""
        return line.mover == self._seat == line.viewer and not line.stood_in

    def _befalls(self, line: Line) -> bool:
        return not line.of_table and self._screens.concerns(line.event, self._seat)

    def _is_about(self, line: Line) -> bool:
        """Whether the line tells what the reader did or suffered."""
        if line.viewer is None:
            return False
        if line.of_table:
            return line.event.seat == self._seat
        return self._befalls(line) or (line.mover == self._seat and line.event.seat in (None, self._seat))


def _begins_absence(line: Line) -> bool:
    return line.of_table and line.event.kind in AGENT_PLAYS


def _is_after(line: Line, since: int) -> bool:
    """Whether the event came after the first `since` moves; those of the table itself have no place among the moves."""
    return line.sequence >= since if line.of_table else line.sequence > since


# -- on the screen


def shown_news(
    screen: Screen, table: Table, screens: AnyScreens, log: Sequence[LogRow], seat: int
) -> tuple[list[str], list[str]]:
    """The end of the news, which stands above the possible moves, and the earlier part, which stands above it.

    `screen` has everything else, for the limit of a message's text.
    """
    told = news(table, screens, log, seat)
    heading = [_heading(table, seat)] if told.missed else []
    absence = [told.absence] if told.absence else []
    earlier = _("**Earlier, oldest first**")
    room = Screen([*screen.items]).text(*heading, *absence, "").text(f"{earlier}\n")
    texts = that_fit(room, [line.text if line.about else f"-# {line.text}" for line in told.lines])
    cut = len(told.lines) - len(texts)
    lines = told.lines[cut:]
    first = _first_above(lines, texts, max(0, told.before - cut), absence, asked=_is_asked(table, seat))
    if any(line.own for line in lines[first:]):
        heading = []
    above = [*absence, *texts[first:]]
    return [*heading, *above] if above else [], [earlier, *texts[:first]] if first else []


def _first_above(
    lines: Sequence[NewsLine], texts: Sequence[str], least: int, absence: Sequence[str], *, asked: bool
) -> int:
    """The number of the line, at least `least`, from which on the lines stand above the possible moves."""
    first, height, about = len(texts), sum(map(line_height, absence)), False
    most = LIMITS.height_of_own if asked else LIMITS.height_without_moves
    for number in range(len(texts) - 1, least - 1, -1):
        line = lines[number]
        height += line_height(texts[number])
        about |= line.about
        if line.joined and number:
            continue  # the lines of one move stay together
        if first == len(texts) or height <= (most if about else LIMITS.height):
            first = number
        about = False
    return first


def _is_asked(table: Table, seat: int) -> bool:
    return question_for(table, seat) is not None


def _heading(table: Table, seat: int) -> str:
    """The heading of the news: the time since when they are told."""
    place = table.seats[seat]
    in_turn = place.moved == table.sequence
    if not (place.since if in_turn else place.moved):
        return _("**Before your first turn**")
    if place.moved == place.since:
        return _("**So far**")
    return _("**Since your last turn**") if in_turn else _("**Since your last move**")
