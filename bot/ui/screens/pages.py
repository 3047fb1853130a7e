"""Pages for one person: a sheet of the game, the log, the rules in words and with pictures, and the credits.

The pictures are numbered places, or turns of a short match with a fixed deal that agents play.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from bot.art.labels import labelled, steps
from bot.art.picture import ALT_TEXT, Picture
from bot.art.scene import Box
from bot.language import gettext as _
from bot.language import listing
from bot.store.model import LogRow
from bot.tables.model import Table
from bot.ui.screens.chronicle import in_words, lines_of, turns
from bot.ui.screens.fairness import fairness_button
from bot.ui.screens.game_screens import AnyScreens, Credits, Page, Pressed, SeenEvent
from bot.ui.screens.ids import BESIDE, Id
from bot.ui.screens.kit import CALM, Option, Screen, menus, paged, pager, to_the_table
from bot.ui.screens.lessons import offer
from bot.ui.screens.names import Names
from bot.ui.screens.words import turn_text
from engine.game import AnyGame, Options


def credits_line(credits: Credits) -> str:
    """Authors, publishers and year in a line: "By Ana and Ben · published by Chen · 2009"."""
    if not (credits.authors or credits.publishers):
        return _("Its author and its publisher are not known here")
    parts = [
        _("By {authors}").format(authors=listing([*credits.authors]))
        if credits.authors
        else _("Its author is not known here"),
        _("published by {publishers}").format(publishers=listing([*credits.publishers]))
        if credits.publishers
        else _("its publisher is not known here"),
    ]
    return " · ".join([*parts, *([str(credits.year)] if credits.year else [])])


def disclaimer() -> list[str]:
    """The relation of this project to the authors and publishers of its games, in paragraphs."""
    return [
        _(
            "The games are the work of their authors and publishers. Digsite is not theirs, and they have not "
            "endorsed it."
        ),
        _(
            "Its rules were written anew in words of its own, and its pictures were drawn for it. Numbers marked as "
            "*our own number* or as this project's own are not those of the printed cards."
        ),
        _(
            "If you like a game, buy it: from its publisher or in a game shop, and second-hand where it is out of "
            "print."
        ),
    ]


def rules_and_credits(screens: AnyScreens, *, in_match: bool) -> list[Page]:
    """The pages of a game's rules with the credits: in a line on the first page, and in full on an additional last one.

    In a match, the game's reference page comes first.
    """
    pages = screens.rules()
    if in_match:
        pages.sort(key=lambda page: not page.reference)
    line = credits_line(screens.credits)
    if screens.credits.authors or screens.credits.publishers:
        pages[0] = replace(pages[0], text=f"{pages[0].text}\n-# {line}")
    whole = "\n\n".join([f"**{screens.title()}**\n{line}", *disclaimer()])
    return [*pages, Page(_("The printed game"), whole)]


_ROOM: Final = 3400
"""The most characters of a page that is divided."""
_FIELD: Final = re.compile(r"\{(\w+)\}")
_JOINED: Final = "  "
_MARKS: Final = {"* ": "- ", _JOINED: ""}
"""The beginnings of lines that are no part of their text, and what is shown for each."""


def read_rules(file: Path, fields: Mapping[str, object], made: Mapping[str, Sequence[Page]]) -> list[Page]:
    """The pages of a game's rules, from a Markdown file, in the current language.

    A heading begins a page, and each other line is a text of its own with `fields`. "* " makes a point of a list of a
    text, and two spaces join a text to the line above. A line that is a field alone stands for lines that the game
    makes, or for none if the field is empty; a heading that is one, for pages of `made`. A page that is too long is
    divided. Raises `ValueError` for a field that the game does not give.
    """
    pages: list[Page] = []
    try:
        for heading, lines in _sections(file):
            if alone := _FIELD.fullmatch(heading):
                pages += made[alone[1]]
            else:
                shown = paged(_shown(lines, fields), _ROOM)
                pages += [Page(_(heading), "\n".join(page)) for page in shown]
    except KeyError as error:
        raise ValueError(f"{file}: the game gives nothing for {error}") from None
    return pages


def _shown(lines: Sequence[str], fields: Mapping[str, object]) -> list[str]:
    shown: list[str] = []
    for line in lines:
        mark, text = _parts(line)
        if text:
            text = (text if _FIELD.fullmatch(text) else _(text)).format(**fields)
        if mark == _JOINED:
            shown[-1] += f" {text}"
        elif text or not line:
            shown.append(_MARKS.get(mark, "") + text)
    return shown


def texts_of(file: Path) -> list[str]:
    """The texts of a file of rules, for translators."""
    lines = [line for heading, below in _sections(file) for line in (heading, *below)]
    return [text for line in lines if (text := _parts(line)[1]) and not _FIELD.fullmatch(text)]


def _parts(line: str) -> tuple[str, str]:
    """The mark at the beginning of a line of rules, and the text after it."""
    return (line[:2], line[2:]) if line[:2] in _MARKS else ("", line)


@cache
def _sections(file: Path) -> Sequence[tuple[str, Sequence[str]]]:
    """The headings of a file of rules, each with the lines below it. Lines above the first heading are for writers."""
    parts = re.split(r"^# (.*)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [
        (heading, below.strip("\n").split("\n"))
        for heading, below in zip(parts[::2], parts[1::2], strict=True)
    ]


RULES_OF: Final = "rules."
"""The beginning of the intents that turn the pages of rules outside a match. The game's key follows."""
LOG_TEXT: Final = 2000
"""The most characters on a page of the log, beside the heading of a turn's part."""


def sheet(table: Table, screens: AnyScreens, pressed: Pressed) -> Screen:
    """The sheet that a press opens, drawn from a spectator's view."""
    view = table.game.view(table.state, None)
    screen = Screen(colour=screens.colour)
    return screen.add(screens.sheet(view, Names(table.seats), pressed, Id("", table.id)))


def log_page(
    table: Table,
    screens: AnyScreens,
    log: Sequence[LogRow],
    viewer: int | None,
    page: int | None,
    *,
    everything: bool = False,
) -> Screen:
    """A page of the whole log, in whole turns. If `page` is None, it is the last page during the match, else the first.

    During the match, the first page alone may have room left. `everything`: with all hands open.
    """
    turns = _log(table, screens, log, viewer, everything=everything) or [_("Nothing yet.")]
    way = -1 if table.live else 1
    pages = [page[::way] for page in paged(turns[::way], LOG_TEXT)][::way]
    page = min(max((len(pages) - 1) * table.live if page is None else page, 0), len(pages) - 1)
    screen = Screen(colour=CALM)
    title = (
        _("### The match so far · {page} of {pages}")
        if table.live
        else _("### The match · {page} of {pages}")
    )
    screen.text(title.format(page=page + 1, pages=len(pages)))
    screen.text("\n".join(pages[page]).strip()).buttons(
        *pager(Id("log-page", table.id), "", page, len(pages))
    )
    if table.status != "over":
        return screen
    return screen.buttons(fairness_button(table.id), *to_the_table(table))


def _log(
    table: Table, screens: AnyScreens, log: Sequence[LogRow], viewer: int | None, *, everything: bool
) -> list[str]:
    """The turns of the viewer, or the rounds where the game counts them: a heading, and a line for each event.

    The numbers are those of a review. A turn that is too long for a page comes in parts, each with its heading. That a
    turn has ended goes without saying.
    """
    shown: list[tuple[str, list[str]]] = [("", [])]
    number, owner = 0, None
    for turn in turns(lines_of(table, log, viewer), screens):
        for line in turn:
            begun, mover = number, line.mover if line.event.kind in screens.alike else turn[0].mover
            if screens.counts_rounds:
                begun = int(line.event.facts.get("round", number))
            elif mover not in (None, owner):
                owner, begun = mover, number + (mover == viewer)
            if line.event.kind == "ended" and not (line.of_table or line.event.facts):
                continue
            if begun > number:
                shown.append((f"\n**{turn_text(screens, begun)}**\n", []))
            shown[-1][1].append(in_words(line, table, screens, everything=everything))
            number = begun
    return [heading + "\n".join(part) for heading, lines in shown for part in paged(lines, LOG_TEXT) if part]


def rules_page(screens: AnyScreens, table: Table | None, number: int) -> tuple[Screen, Page]:
    """A page of the rules, without its picture. In a match, the game's reference page comes first."""
    pages = rules_and_credits(screens, in_match=table is not None and table.state is not None)
    number = min(max(number, 0), len(pages) - 1)
    page, screen = pages[number], Screen(colour=screens.colour)
    screen.text(f"### {page.title} · {number + 1}/{len(pages)}").text(page.text)
    to = Id("rules-page", table.id) if table else Id(f"{RULES_OF}{screens.game}-page")
    titles = [Option(each.title, str(at)) for at, each in enumerate(pages)]
    screen.items += menus(to, _("Pages"), titles, chosen=[str(number)])
    screen.buttons(*pager(to, "", number, len(pages)))
    return screen.buttons(*offer(screens.lesson, Id("", view_version=BESIDE, arg=screens.game))), page


Place = tuple[float, float, float, float]
"""A place in a picture: the left, top, width and height of a rectangle in pixels."""
Label = tuple[Place, str]
"""A place in a picture, and the sentence about it.

The picture gets a frame around all that has its middle in the place."""


def labelled_page(title: str, draw: Callable[[], Picture | None], labels: Sequence[Label]) -> Page:
    """A page about a picture: numbered frames on the picture, and a line for each in the text.

    Without the picture, the page has its text alone.
    """
    lines = _numbered([text for _place, text in labels])
    targets = [Box(*place) for place, _text in labels]

    def picture() -> Picture | None:
        drawn = draw()
        return drawn and labelled(drawn, targets, _alt(title, lines))

    return Page(title, "\n".join(lines), picture)


def steps_page(title: str, draw: Callable[[], Sequence[Picture | None]], sentences: Sequence[str]) -> Page:
    """A page about something that happens in steps: a picture and a line for each."""
    lines = _numbered(sentences)

    def picture() -> Picture | None:
        drawn = [each for each in draw() if each is not None]
        return steps(drawn, _alt(title, lines)) if len(drawn) == len(lines) else None

    return Page(title, "\n".join(lines), picture)


def _numbered(sentences: Sequence[str]) -> list[str]:
    return [f"**{number}** · {sentence}" for number, sentence in enumerate(sentences, 1)]


def _alt(title: str, lines: Sequence[str]) -> str:
    """The alt text: the sentences that stand below the picture, in their order."""
    return f"{title}. {' '.join(lines)}".replace("**", "")[:ALT_TEXT]


DEAL: Final = bytes(32)
"""The key of the deal. No table has it."""


class Sample:
    """A match that is played as far as it is asked for. It has no secrets, because nobody plays it."""

    def __init__(self, game: AnyGame, options: Options, seats: int = 3, level: str = "novice") -> None:
        """`level` is that of the agents, a quick one."""
        self._game, self._agent = game, game.agents[level]
        self._rng = Random(0)
        self._states: list[Any] = [game.new(seats, options, DEAL)]
        """The states after 0, 1, 2 … moves."""
        self._events: list[Sequence[SeenEvent]] = [()]

    def view(self, moves: int, viewer: int | None) -> Any:
        """The view after so many moves, or of the end if that comes before."""
        return self._game.view(self._states[self._played(moves)], viewer)

    def events(self, moves: int) -> Sequence[SeenEvent]:
        """The public events of the last of so many moves."""
        return self._events[self._played(moves)]

    def _played(self, moves: int) -> int:
        """Plays until there are so many moves; returns how many there are at most."""
        game = self._game
        while len(self._states) <= moves and (pending := game.pending(self._states[-1])):
            state, seat = game.copy(self._states[-1]), pending[0].seat
            move = self._agent.choose(game.view(state, seat), self._rng)
            events = game.apply(state, seat, move)
            self._states.append(state)
            self._events.append([SeenEvent.of(each, None) for each in events])
        return min(moves, len(self._states) - 1)
