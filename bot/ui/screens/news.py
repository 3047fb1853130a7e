"""The news on a private screen: one story in the order of events, since the end of the reader's turn before.

It stands above the reader's possible moves, the newest last, because on a phone the bottom of a message is in sight. So
nothing is told twice, and an event stands directly below the event that led to it; in a game of rounds the best deed of
a turn stands above the rest. The turns of others are told as a whole, and so is the reader's own turn before, unless it
ended with a press that says so. Of the reader's present turn the last move is told in full, behind a lead, **Now:**.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from operator import attrgetter, itemgetter
from typing import Final

from bot.art.picture import Picture
from bot.art.scene import WIDTH
from bot.language import gettext as _
from bot.store.model import LogRow
from bot.tables.model import Table
from bot.ui.screens.chronicle import (
    Line,
    in_short,
    in_words,
    lines_of,
    more_turns,
    of_reader,
    telling,
    turns,
    undivided,
    weight,
    without_the_end,
)
from bot.ui.screens.fitting import picture_height, small_print, that_fit
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.kit import LARGE, Screen, line_height, pictured

NO_NEWS: Final = ("undone", "back", "took-over", "holiday")
"""The kinds of a table's events that are no news to the person of their seat, because that person caused them."""
WISHES: Final = ("end-vote", "play-on")
"""The same, until the match has ended: then they say how it came to that."""
AGENT_PLAYS: Final = ("away", "left", "holiday", "waits-no-more")
"""The kinds of a table's events after which an agent plays for a person."""
SMALL: Final = "-# "
"""Begins a line in small print."""
IN_THE_LOBBY: Final = ("limit-set", "option-set")
"""The kinds of a table's events that everybody saw in the lobby before the match."""
LASTING: Final = 2
"""How much an event must stand out for a line of its own after its player has moved on."""
GREAT: Final = 4
"""How much an event must stand out to be the heading until its turn ends, where the game counts turns."""
_TURN: Final = 24
"""The number of moves before the reader's latest ones that are searched for the beginning of their turn, because
others may have moved in it too, as in a fight or a Sandstorm."""


def log_from(table: Table, seat: int) -> int:
    """The number of moves from which on the log is required for this seat's news."""
    return max(0, table.seats[seat].since - _TURN)


@dataclass(eq=False, slots=True)
class _Told:
    """A line of the news. `stays`: no lack of room takes it away."""

    text: str
    weight: tuple[int, int]
    stays: bool


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn in words. `is_past`: it is the reader's own, and somebody has moved since. `picture` stands below it."""

    lines: list[_Told]
    is_past: bool
    picture: Picture | None


def news(table: Table, screens: AnyScreens, log: Sequence[LogRow], seat: int) -> list[_Turn]:
    """The news for the person of this seat: whole turns in the order of events.

    A line is in small print unless it stands out, is of another's newest turn, or tells what the reader did or
    suffered. Of each other player's newest turn all that weighs stays, in games whose turns are short. A person who
    has neither moved nor missed anything is told the newest turn. `log` begins at the latest with `log_from`.
    """
    reader = _Reader(table, screens, seat)
    every = without_the_end(lines_of(table, log, seat))
    lines = [line for line in every if not reader.has_caused(line)]
    absences = [line for line in lines if reader.is_absent_from(line)]
    if not reader.is_played_by_agent(lines):
        lines = [line for line in lines if line not in absences]
    elif absences and absences[-1].event.kind == "left":  # its person had seen all before
        since = every[every.index(absences[-1]) :]
        lines = [line for line in since if not reader.has_caused(line) or line.event.kind == "back"]
    reported = reader.reported(undivided(turns(lines, screens)))
    story = [(turn, lines) for turn in reported if (lines := [*reader.story_of(turn)])]
    for turn, lines in story:
        if reader.has_read(turn):  # the others may have been quicker than the eye
            told = SMALL + " ".join(in_short(turn, table, screens))
            lines[:] = [_Told(told, max(line.weight for line in lines), True)]
    newest = {turn[0].mover: (turn, lines) for turn, lines in story if turn[0].mover not in (None, seat)}
    few = table.seats[seat].moved < table.sequence and len(newest) < 3  # else all that weighs stays
    for turn, lines in newest.values():
        in_round = reader.is_counted(turn)
        best = max(lines, key=attrgetter("weight")) if few or not in_round else None
        for line in lines if in_round or not screens.counts_rounds else ():
            line.stays = line.stays or line is best or line.weight > (0, 0)
    for _turn, lines in story[-1:]:
        lines[-1].stays = True
    now = reported[reader.present(reported) :]
    own = [line for turn, lines in story if turn in now for line in lines if not line.text.startswith(SMALL)]
    if own and not own[-1].text.startswith(LARGE) and story[0][0] not in now and seat in table.body.asked:
        # Translators: {text} is a sentence about what the reader has just done; others' turns stand above.
        own[-1].text = _("**Now:** {text}").format(text=own[-1].text)
    return [_Turn(lines, reader.is_past(turn), reader.picture_of(turn)) for turn, lines in story]


def _moved(played: Sequence[Sequence[Line]]) -> Sequence[Sequence[Line]]:
    """The turns in which somebody moved."""
    return [turn for turn in played if not all(line.of_table for line in turn)]


class _Reader:
    """Tells a match to the person of a seat."""

    def __init__(self, table: Table, screens: AnyScreens, seat: int) -> None:
        self._table = table
        self._screens = screens
        self._seat = seat
        place = table.seats[seat]
        self._in_turn = place.moved == table.sequence
        self._since = place.since if self._in_turn else place.moved
        """The number of moves after which the news begin that the reader has missed."""
        self._dearest: Line | None = None
        self.newest: Sequence[Line] = ()
        """The newest turn in which somebody moved."""
        self._last: Sequence[Line] = ()
        """The newest part of the story."""
        self._ended = False
        """Whether the reader's turn is over and the newest: then it stands out, and not what they saw before it."""

    def _find_dearest(self, reported: Sequence[Sequence[Line]]) -> None:
        """Finds the new line that stands out most, the newest of several alike."""
        waits = self._table.live and self._seat not in self._table.body.asked
        self._ended = (
            not self._screens.counts_rounds
            and self._in_turn
            and waits
            and self.present(reported) < len(reported)
        )
        recent = [turn for turn in reported if not self._is_over(turn)]
        new = [one for turn in recent for one in turn if self._apart(one, turn) and self._is_new(one, turn)]
        self._dearest = max(
            reversed(new),
            key=lambda line: (self._moment(line), line.sequence == self._table.seats[self._seat].moved),
            default=None,
        )

    def _is_new(self, line: Line, turn: Sequence[Line]) -> bool:
        """Whether the reader has not seen a line, or made it with their last press or in the turn that has ended.

        What stands out more than what lasts stays new until the reader's next turn, where rounds are counted.
        """
        own = self._table.seats[self._seat]
        if self._in_turn:
            is_own = turn is self.newest and self._is_own(turn[0])
            stays = self._moment(line) >= GREAT and is_own and self.is_counted(turn)
            return stays or line.sequence >= own.moved
        stays = self._moment(line) > LASTING and self._screens.counts_rounds and not self.has_read(turn)
        if self._seat in self._table.body.asked and not stays:
            # A turn that the reader's last press has ended has hardly been seen.
            return turn[-1].sequence >= own.moved + self._screens.counts_rounds
        is_read = self._screens.counts_rounds and self.is_past(turn) and not stays
        return line.sequence > own.since and not is_read

    def picture_of(self, turn: Sequence[Line]) -> Picture | None:
        """The wide picture of what the reader has not seen of the turn with the heading, or else of the newest one."""
        table = self._table
        # The podium is the picture of a private match's end, as a lesson's step has one.
        over = table.status == "abandoned" or (table.is_private and not table.live)
        shown = turn is self._last if self._dearest is None else self._dearest in turn
        if over or table.is_lesson or not shown:
            return None
        new = [line for line in turn if not self._in_turn or self._is_new(line, turn)]
        events = [line.event for line in new if not line.of_table]
        # A later, lesser deed of the turn would give the picture another subject than the heading.
        if self._dearest and self._dearest in new and not self._screens.counts_rounds:
            kinds = [event.kind for event in events]
            events = events[: len(kinds) - kinds[::-1].index(self._dearest.event.kind)]
        picture = self._screens.vignette(events) if events else None
        return picture if picture is not None and picture.width >= WIDTH else None

    def _moment(self, line: Line) -> int:
        return 0 if line.of_table else self._screens.moment(line.event, line.viewer)

    def _apart(self, line: Line, turn: Sequence[Line]) -> bool:
        """Whether a line of this turn stands alone: in another's turn of a round, a wound is told with its cause."""
        return self._moment(line) > (LASTING if self.is_counted(turn) and not self._is_own(turn[0]) else 0)

    def has_made(self, line: Line) -> bool:
        """Whether the line tells what the reader did in their latest turn, and not what followed for others."""
        latest = line.sequence > self._table.seats[self._seat].since
        return self._is_own(line) and latest and line.event.seat == self._seat

    def reported(self, played: Sequence[Sequence[Line]]) -> Sequence[Sequence[Line]]:
        """The turns of the story."""
        own = [number for number, turn in enumerate(played) if any(map(self.has_made, turn))]
        whole = [number for number in own if self._is_own(played[number][0])]
        # A choice in another's turn before it has been seen, and so have turns before a skipped one.
        if whole:
            begun = [number for number in whole if self.is_counted(played[number])]
            own = own[own.index(max(begun, default=whole[0])) :]
        missed = self._in_turn or not own
        first = self._beginning(played, own[0]) if own else len(played)
        present = self.present(played)
        since = [self._unseen(turn) if n < present else turn for n, turn in enumerate(played[first:], first)]
        reported = [*(self._missed(played[:first]) if missed else ()), *since]
        if not _moved(reported):
            reported = played[max((n for n, turn in enumerate(played) if _moved([turn])), default=0) :]
        self.newest, self._last = [(), *_moved(reported)][-1], [(), *reported][-1]
        self._find_dearest(reported)
        return reported

    def present(self, played: Sequence[Sequence[Line]]) -> int:
        """The number of the part with which the reader's present turn begins; of all, if the newest is another's.

        A turn has several parts if several Sandstorms came in it.
        """
        first = len(played)
        for number in reversed(range(len(played))):
            if self._is_own(played[number][0]):
                first = number
            elif played[number][0].mover is not None:
                break
        return first

    def _unseen(self, turn: Sequence[Line]) -> Sequence[Line]:
        """An earlier turn; of the reader's own, what stands out if others moved in it or its last move has no words."""
        if not self._is_own(turn[0]) or self.is_counted(turn):
            return turn
        last = max(line.sequence for line in turn if self._is_own(line))
        latest, alone = [line for line in turn if line.sequence >= last], self._is_alone(turn)
        if alone and any(self._texts([line], about=True) for line in latest if self._is_about(line)):
            return turn
        return [line for line in turn if self._moment(line) >= LASTING or (line in latest and not alone)]

    def is_counted(self, turn: Sequence[Line]) -> bool:
        """Whether the game counts rounds, and these moves as a turn of one."""
        events = [line.event for line in turn if not line.of_table]
        return self._screens.counts_rounds and self._screens.newest_turn(events) > 0

    def is_past(self, turn: Sequence[Line]) -> bool:
        """True for a turn of the reader alone, or that the game counts, after which somebody else has moved."""
        whole = bool(turn) and self._is_own(turn[0]) and turn is not self.newest
        return whole and (self._is_alone(turn) or self.is_counted(turn))

    def has_read(self, turn: Sequence[Line]) -> bool:
        """True for an earlier turn of the reader, in a game of rounds, of which they saw all before they are asked."""
        own, asked = self._table.seats[self._seat].moved, self._seat in self._table.body.asked
        return asked and self.is_counted(turn) and self.is_past(turn) and turn[-1].sequence <= own

    def _is_over(self, turn: Sequence[Line]) -> bool:
        """True for the reader's turn before where rounds are counted, not turns: others' newer ones stand out."""
        return self._screens.counts_rounds and self.is_past(turn) and not self.is_counted(turn)

    def _is_alone(self, turn: Sequence[Line]) -> bool:
        """Whether the reader alone has moved in a turn."""
        return all(line.of_table or self._is_own(line) for line in turn)

    def _beginning(self, played: Sequence[Sequence[Line]], first: int) -> int:
        """The number of the turn with which a story begins that has a move of the reader in the turn `first`.

        In another player's turn, as in a Sandstorm, it begins with the reader's own turn before it, unless that
        was read when the reader was asked in a turn that the game counts.
        """
        if played[first][0].mover in (None, self._seat) or self.is_counted(played[first]):
            return first
        begun = [number for number, turn in enumerate(played[:first]) if self._is_own(turn[0])]
        return begun[-1] if begun else first

    def has_caused(self, line: Line) -> bool:
        """Whether the line tells what everybody saw in the lobby, or what the reader did besides moving."""
        kind = line.event.kind
        own = (*NO_NEWS, *WISHES) if self._table.live else NO_NEWS
        return line.of_table and (kind in IN_THE_LOBBY or (line.event.seat == self._seat and kind in own))

    def is_played_by_agent(self, lines: Iterable[Line]) -> bool:
        """Whether an agent plays for the reader, or has played in the absence that these lines tell of."""
        if self._table.status == "paused":  # the screen says so
            return False
        return not self._table.seats[self._seat].present or any(
            line.stood_in and line.mover == self._seat and line.sequence > self._since for line in lines
        )

    def is_absent_from(self, line: Line) -> bool:
        """Whether the line says that an agent plays for the reader from then on."""
        own = line.of_table and line.viewer is not None and line.event.seat == self._seat
        return own and line.event.kind in AGENT_PLAYS

    def _missed(self, turns: Iterable[Sequence[Line]]) -> list[list[Line]]:
        """These turns as far as they came since the reader's last turn, or since their last move.

        A turn that had begun before is told from its beginning, which is the cause of what came since. A reader who
        has not moved is also told what the set-up gave them.
        """
        turns = list(turns)
        missed = [list(turn) for turn in turns if _is_after(turn[-1], self._since)]
        dealt = [line for turn in turns for line in turn if not (line.sequence or line.of_table)]
        kinds = Counter(line.event.kind for line in dealt)  # what each player got, and not who begins
        given = [line for line in dealt if self._is_about(line) and kinds[line.event.kind] > 1]
        return [given, *missed] if given and missed and not self._since else missed

    def story_of(self, turn: Sequence[Line]) -> Iterator[_Told]:
        """A turn in words: a line for each event about the reader, and as few as possible for all between."""
        # A reader's own heading may be older than the others' turns.
        own = self._screens.counts_rounds and self._dearest is not None and self._is_own(self._dearest)
        aside = self._in_turn or not (own or self._dearest is None) or any(map(self._is_about, turn))
        others = None if aside else self.newest
        latest = self._table.seats[self._seat].moved + (not self._in_turn and self._is_alone(turn))
        lines, best = telling(turn, self._screens), self._best_of_round(turn)
        if best in lines:
            lines = sorted(lines, key=lambda line: line is not best)

        def kind(line: Line) -> tuple[bool, bool, bool, bool]:
            passed = self._is_own(line) and line.sequence < latest and self._moment(line) < LASTING
            passed = passed or self._is_over(turn)
            lesser = best is not None and line is not best
            large = not (passed or lesser) and (self._apart(line, turn) or turn is others)
            if self._ended:
                return False, line.of_table, line is self._dearest, self._is_own(line)
            return self._is_about(line) and not passed, line.of_table, line is self._dearest, large

        kinds, following = list[tuple[tuple[bool, bool, bool, bool], Line]](), list[SeenEvent]()
        for line in reversed(lines):
            own = kind(line)
            told = own[0] or line.of_table or self._is_own(line)
            leads = not told and self._screens.leads_to(line.event, following)
            if not (leads and kinds[-1][0][0]):  # else the reader's loss says it
                kinds.append((kinds[-1][0] if leads else own, line))
            following.insert(0, line.event)
        for (about, _of_table, dearest, large), group in groupby(reversed(kinds), itemgetter(0)):
            begin, part = (
                LARGE if dearest else "" if about or large else SMALL,
                [line for _kind, line in group],
            )
            for each in [[line] for line in part] if about else [part]:
                most = max(weight(line, self._screens) for line in each)
                for text in self._texts(each, about=about):
                    for line in (begin + text).split("\n"):
                        yield _Told(
                            line, most, stays=best is not None or (about and not line.startswith(SMALL))
                        )

    def _best_of_round(self, turn: Sequence[Line]) -> Line | None:
        """The line that begins another's turn in a game of rounds; all that was done besides follows it."""
        if not turn or not self._screens.counts_rounds or self.is_counted(turn):
            return None
        best = max(reversed(turn), key=self._moment)
        return best if self._moment(best) and best.mover != self._seat else None

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
        return line.mover == self._seat == line.viewer and not line.stood_in

    def _is_about(self, line: Line) -> bool:
        if line.viewer is None:
            return False
        if line.of_table:
            return line.event.seat == self._seat
        own = line.mover == self._seat and line.event.seat in (None, self._seat)
        return own or self._screens.concerns(line.event, self._seat)


def _is_after(line: Line, since: int) -> bool:
    """Whether the event came after the first `since` moves; those of the table itself have no place among the moves."""
    return line.sequence >= since if line.of_table else line.sequence > since


# -- on the screen


def shown_news(
    screen: Screen, table: Table, screens: AnyScreens, log: Sequence[LogRow], seat: int, room: float = inf
) -> list[str]:
    """The news, the newest last, to stand above whose turn it is: as much as `room` allows, their height on a phone.

    `screen` has everything else, for the limit of a message's text.
    """
    own = table.seats[seat]
    told = news(table, screens, log, seat)
    if table.status == "over":
        told = told[-1:]
    lines = _in_room(told, room, seen=own.moved == table.sequence > own.since)
    return that_fit(Screen([*screen.items]).text(""), lines)


def _in_room(played: Sequence[_Turn], room: float, *, seen: bool) -> list[str]:
    """The lines of these turns, as far as there is room without the oldest and lightest in small print; others' turns
    without a line are then counted.

    All that the reader did or suffered is told, and all that stands out: where room is short, the lightest in smaller
    print. `seen`: the reader is in their turn, and knows all but its last move.
    """
    kept = [[*turn.lines] for turn in played]

    def gone() -> list[int]:
        return [n for n, turn in enumerate(played) if not kept[n] and not turn.is_past and not seen]

    def told() -> list[str]:
        texts = small_print(more_turns(len(gone())))
        for turn, lines in zip(played, kept, strict=True):
            parts = [line.text for line in lines]
            texts += pictured(parts) if turn.picture else parts
        return texts

    wide = sum(picture_height(turn.picture.width, turn.picture.height) for turn in played if turn.picture)

    def is_too_high() -> bool:
        return sum(map(line_height, told())) + wide > room

    for lines in kept:
        older = seen and lines is not kept[-1]
        # A turn's move is the cause of all that weighs as much.
        for line in sorted(lines, key=lambda line: (line.weight, line is lines[0])):
            if not line.stays and (older or line.text.startswith(SMALL)) and is_too_high():
                lines.remove(line)
    for n in gone():
        if len(gone()) == len(played[n].lines) == 1:  # the line that counts it is as high
            kept[n] = played[n].lines
    last = [lines[-1] for lines in kept if lines]
    in_print = [line for lines in (kept[:-1] if seen else kept) for line in lines if line.weight < (GREAT, 0)]
    in_print = [line for line in in_print if line not in last[-1:]]
    for line in sorted(in_print, key=lambda line: (line in last, line.weight)):
        if not line.text.startswith((SMALL, LARGE)) and ((seen and line not in last) or is_too_high()):
            line.text = SMALL + line.text
    return told()
