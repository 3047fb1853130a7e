"""A match as one self-contained web page that steps through a record, with pictures and in words.

Discord's Markdown becomes HTML, as far as the screens use it.

The page contains every picture of the match for every seat. Equal parts and elements are stored once, and a picture is
a list of element numbers.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from base64 import b64encode
from collections.abc import Hashable, Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, Final, Generic, TypedDict, TypeVar

from bot.art import common
from bot.art.picture import Picture
from bot.art.scene import Scene
from bot.language import gettext as _
from bot.language import language_for, ngettext, pgettext, speaking
from bot.replay.turns import Moment, moments
from bot.tables.model import Seat
from bot.ui.screens import components as ui
from bot.ui.screens.chronicle import in_the_open
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.names import Names
from bot.ui.screens.pages import credits_line, disclaimer
from bot.ui.screens.words import turn_text
from engine.game import AnyGame, Event
from engine.record import Record, Verdict

_INLINE: Final = re.compile(
    r"""\\(?P<escaped>[!-/:-@\[-`{-~])
    | `(?P<code>[^`]+)`
    | \*\*(?P<strong>.+?)\*\*(?!\*)
    | __(?P<u>.+?)__
    | ~~(?P<s>.+?)~~
    | \*(?P<em>[^*\s](?:[^*]*[^*\s])?)\*
    | <a?:(?P<emoji>\w+):\d+>
    """,
    re.X | re.S,
)
_LINE: Final = re.compile(r"(?P<small>-# )|(?P<heading>#{1,3} )|(?P<item>[-*] )|(?P<quote>> )|(?P<fence>```)")


def inline(text: str) -> str:
    """One line of Markdown as HTML.

    >>> inline(r"**Ana** digs a *Map* \\*, `<4>`")
    '<strong>Ana</strong> digs a <em>Map</em> *, <code>&lt;4&gt;</code>'
    """
    parts: list[str] = []
    end = 0
    for found in _INLINE.finditer(text):
        parts += html.escape(text[end : found.start()], quote=False), _marked(found)
        end = found.end()
    return "".join([*parts, html.escape(text[end:], quote=False)])


def _marked(found: re.Match[str]) -> str:
    mark, inner = str(found.lastgroup), str(found[str(found.lastgroup)])
    if mark in ("escaped", "emoji"):
        return html.escape(inner, quote=False)
    if mark == "code":
        return f"<code>{html.escape(inner, quote=False)}</code>"
    return f"<{mark}>{inline(inner)}</{mark}>"


def block(text: str) -> str:
    """Lines of Markdown as HTML, one block per line.

    >>> block("### Hand\\n- one\\n-# two")
    '<h3>Hand</h3><p class="item">one</p><p class="small">two</p>'
    """
    return "".join(_blocks(iter(text.split("\n"))))


def _blocks(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        found = _LINE.match(line)
        rest = line[found.end() :] if found else line
        if found is None:
            if line.strip():
                yield f"<p>{inline(line)}</p>"
        elif found["fence"]:
            yield _fenced(rest, lines)
        elif found["heading"]:
            yield f"<h3>{inline(rest)}</h3>"
        else:
            yield f'<p class="{found.lastgroup}">{inline(rest)}</p>'


def _fenced(first: str, lines: Iterator[str]) -> str:
    inside: list[str] = [first] if first else []
    for line in lines:
        if line.startswith("```"):
            break
        inside.append(line)
    return f"<pre>{html.escape(chr(10).join(inside), quote=False)}</pre>"


T = TypeVar("T", bound=Hashable)

TOKEN: Final = 48
"""The size of a seat's token, in pixels."""


class NothingToShow(Exception):
    """No moment of the match can be replayed."""


class StepData(TypedDict):
    """A moment, as the page's script reads it. Texts and pictures are numbers; -1: no picture.

    `lines`: the log lines for a viewer of all hands, for a spectator, then for each seat.
    """

    turn: int
    table: int
    board: int
    asks: int
    own: list[int]
    hands: list[int]
    lines: list[list[int]]


class TurnData(TypedDict):
    """A turn: its first move, its seat (-1: the set-up), and its title."""

    first: int
    owner: int
    title: str


def make_page(
    verdict: Verdict,
    found: str,
    games: Mapping[str, AnyGame],
    screens: Mapping[str, AnyScreens],
    locale: str,
) -> str:
    """The page of a verified record; `found` is the text of the verification.

    Raises `NothingToShow` if the match cannot be replayed at all.
    """
    record = verdict.record
    if record is None:
        raise NothingToShow
    with speaking(locale):
        match = _Match(record, games[record.game], screens[record.game]) if record.game in games else None
        if match is None or not match.read(moments(record, games)):
            raise NothingToShow
        return _filled(match, verdict, found, language_for(locale))


# -- the match


class _Interned(Generic[T]):
    """A set of values, each with a number."""

    def __init__(self) -> None:
        self._numbers: dict[T, int] = {}

    def number(self, thing: T) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))

    @property
    def things(self) -> list[T]:
        return list(self._numbers)


class _Match:
    """The content of the page, move by move, with equal values stored once."""

    def __init__(self, record: Record, game: AnyGame, screens: AnyScreens) -> None:
        self.game, self.screens = game, screens
        self.seats = len(record.seats)
        self.sitters = [_sitter(sitter) for sitter in record.seats]
        self.names = Names(self.sitters)
        self.parts: dict[str, str] = {}
        self.elements = _Interned[str]()
        self.texts = _Interned[str]()
        self.pictures = _Interned[tuple[int, int, int, tuple[int, ...]]]()
        """For each picture: width, height, the number of the alt text, and the numbers of the elements."""
        self.steps: list[StepData] = []
        self.turns: list[TurnData] = []
        self.tokens = [self.picture(_token(seat)) for seat in range(self.seats)]
        self.end: list[str] = []
        """The lines of the result; empty if the match has not ended."""
        self.podium = -1
        """The number of the result's picture; -1 for none."""

    def read(self, match: Iterator[Moment]) -> bool:
        """Reads all moments. Returns whether there was a moment."""
        view: Any = None
        events: list[SeenEvent] = []
        for moment in match:
            if len(self.turns) <= moment.turn:
                self.turns.append(self._turn(moment))
            view = self.game.view(moment.step.state, None)
            events += [SeenEvent(event.kind, event.seat, event.facts) for event in moment.step.events]
            self.steps.append(self._step(moment, view))
        if view is not None and view.outcome is not None:
            highlights = self.screens.highlights(events, view, self.names)
            self.end = [*self.screens.result(view, self.names), *highlights]
            self.podium = self.picture(self.screens.podium(view))
        return bool(self.steps)

    def _turn(self, moment: Moment) -> TurnData:
        if moment.owner is None:
            return {"first": moment.step.move, "owner": -1, "title": _("The Start")}
        title = f"{turn_text(self.screens, moment.nth)} · {self.names.plain(moment.owner)}"
        return {"first": moment.step.move, "owner": moment.owner, "title": title}

    def _step(self, moment: Moment, view: Any) -> StepData:
        state, screens = moment.step.state, self.screens
        own = [self.game.view(state, seat) for seat in range(self.seats)]
        asked = [screens.public_prompt(view, decision.seat, self.names) for decision in view.pending]
        return {
            "turn": moment.turn,
            "table": self.picture(screens.table_picture(view)),
            "board": self.texts.number(block("\n".join(ui.texts(screens.board(view, self.names))))),
            "asks": self.texts.number("<br>".join(map(inline, asked))),
            "own": [self.picture(screens.own_picture(each)) for each in own],
            "hands": [self.texts.number(block(screens.private_text(each))) for each in own],
            "lines": self._log_lines(moment.step.events),
        }

    def _log_lines(self, events: Sequence[Event]) -> list[list[int]]:
        lines = [[self._line(event, viewer) for event in events] for viewer in (None, *range(self.seats))]
        told = [in_the_open(event, None, self.names, self.screens) for event in events]
        return [[self.texts.number(inline(line)) for line in told], *lines]

    def _line(self, event: Event, viewer: int | None) -> int:
        line = self.screens.describe(SeenEvent.of(event, viewer), viewer, self.names)
        return self.texts.number(inline(line))

    def picture(self, picture: Picture | None) -> int:
        """The number of a picture; -1 for none."""
        if picture is None:
            return -1
        self.parts.update(picture.parts)
        elements = tuple(self.elements.number(element) for element in picture.elements)
        alt = self.texts.number(picture.alt)
        return self.pictures.number((picture.width, picture.height, alt, elements))


def _sitter(recorded: str) -> Seat:
    """A recorded sitter as a seat: a person or an agent, without a name."""
    kind, _colon, level = recorded.partition(":")
    return Seat("", user_id=0) if kind == "person" else Seat("", agent=level or kind)


def _token(seat: int) -> Picture:
    return Scene(TOKEN, TOKEN, ground=None).place(common.token(seat), 0, 0, TOKEN).picture("·")


# -- the page


def _filled(match: _Match, verdict: Verdict, found: str, language: str) -> str:
    style, script = _part("page.css"), _part("page.js")
    title = match.screens.title()
    players = ngettext("{n} player", "{n} players", match.seats).format(n=match.seats)
    moves = ngettext("{n} move", "{n} moves", len(match.steps) - 1).format(n=len(match.steps) - 1)
    texts = {
        "language": language,
        "policy": "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"script-src '{_digest(script)}'; style-src '{_digest(style)}'",
        "title": html.escape(title),
        "about": html.escape(f"{players} · {moves}"),
        "credits": html.escape(credits_line(match.screens.credits)),
        "disclaimer": block("\n".join(disclaimer())),
        "verdict": html.escape(_verdict(verdict)),
        "sound": "sound" if verdict.sound else "faulty",
        "found": html.escape(found),
        **{f"say:{name}": html.escape(text) for name, text in _labels().items()},
        "views": _options(_views(match)),
        "turns": _options(turn["title"] for turn in match.turns),
        "speeds": _options(_speeds(), chosen=1),
        "last": str(len(match.steps) - 1),
        "end": block("\n".join(match.end)),
        "parts": "".join(f'<g id="{name}">{body}</g>' for name, body in match.parts.items()),
        "style": style,
        "script": script,
        "match": _data(match),
    }
    # Inserted texts are not searched for placeholders.
    return re.sub(r"\{\{([\w:]+)\}\}", lambda place: texts[place[1]], _part("page.html"))


def _verdict(verdict: Verdict) -> str:
    codes = {fault.code for fault in verdict.faults}
    if not codes:
        return _("The record was checked: it is sound, as far as a file can tell.")
    if codes == {"unfinished"}:
        return _("The record was checked: it fits as far as it goes, but has no end.")
    played = ngettext("{n} move can be shown.", "{n} moves can be shown.", verdict.replayed)
    return " ".join(
        [_("The record was checked, and is NOT sound."), played.format(n=verdict.replayed)],
    )


def _labels() -> dict[str, str]:
    return {
        "checked": _("Checks"),
        "noscript": _("This page needs JavaScript to show the match."),
        "now": _("This move"),
        "hands": _("The players"),
        "words": _("The table in words"),
        "log": pgettext("heading", "Log"),
        "chapter": _("Go to a turn"),
        "result": _("The result"),
        "controls": _("Controls"),
        "first": _("To the start"),
        "back": _("Previous move"),
        "play": pgettext("button", "Play"),
        "next": _("Next move"),
        "last": _("To the end"),
        "slider": pgettext("slider", "Move"),
        "view": _("Seen by"),
        "speed": _("Speed"),
        "keys": _(
            "Keys: ← and → for a move, Page Up and Page Down for a turn, Home and End, space to play and pause."
        ),
    }


def _views(match: _Match) -> list[str]:
    """The names of the views, in the order of `StepData.lines`."""
    return [
        _("All hands open"),
        pgettext("viewer", "A spectator"),
        *[match.names.plain(seat) for seat in range(match.seats)],
    ]


def _speeds() -> list[str]:
    return [pgettext("speed", "Slow"), pgettext("speed", "Normal"), pgettext("speed", "Fast")]


def _options(names: Iterator[str] | Sequence[str], chosen: int = 0) -> str:
    return "".join(
        f'<option value="{number}"{" selected" if number == chosen else ""}>{html.escape(name)}</option>'
        for number, name in enumerate(names)
    )


def _data(match: _Match) -> str:
    data = {
        "elements": match.elements.things,
        "texts": match.texts.things,
        "pictures": match.pictures.things,
        "steps": match.steps,
        "turns": match.turns,
        "tokens": match.tokens,
        "podium": match.podium,
        "names": [match.names.plain(seat) for seat in range(match.seats)],
        "say": {
            "play": pgettext("button", "Play"),
            "pause": pgettext("button", "Pause"),
            # Translators: {move} and {moves} are numbers, {turn} is "Turn 5 · Ana".
            "at": _("Move {move} of {moves} · {turn}"),
        },
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("</", "<\\/").replace("<!--", "\\u003c!--")


def _part(name: str) -> str:
    return resources.files(__package__ or "bot.replay").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()
