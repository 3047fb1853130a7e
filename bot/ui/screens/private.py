"""The private screen of a seated person: the turn, the news, their hand, and their possible moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from bot.language import gettext as _
from bot.language import pgettext
from bot.store.model import LogRow
from bot.tables.hints import has_button, may_take
from bot.tables.model import Table
from bot.tables.play import undo_view_version
from bot.tables.premoves import Question, kept_moves, question_for
from bot.tables.turns import Premove, Unfit
from bot.ui.screens import components as ui
from bot.ui.screens import lessons
from bot.ui.screens.board import TURN_LINES, back_button, public_view, sheet_buttons, standing
from bot.ui.screens.chronicle import latest
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.controls import Asking, with_task
from bot.ui.screens.ended import after_daily, public_events, replay_button
from bot.ui.screens.fairness import fairness_button
from bot.ui.screens.fitting import COMPONENTS, FRAME, PHONE, height, picture_height, small_print, that_fit
from bot.ui.screens.game_screens import AnyScreens, has_pictures
from bot.ui.screens.hints import SIGN, followed, hint_text, is_choice, marked, why_none
from bot.ui.screens.ids import BESIDE, Id
from bot.ui.screens.kit import (
    CALM,
    FIRST_TIME,
    FOLDED,
    NEWS,
    OTHERS,
    OWN_TITLE,
    PICTURED,
    PICTURED_BOARD,
    TITLE,
    TURN,
    Choices,
    Item,
    Screen,
    button,
    link,
    table_url,
    to_the_result,
)
from bot.ui.screens.lobby import play_again
from bot.ui.screens.names import Names
from bot.ui.screens.news import shown_news
from bot.ui.screens.pages import rules_and_credits
from bot.ui.screens.review import review_offer
from bot.ui.screens.words import introductions, last_word, own_absence, own_wish
from engine.errors import IllegalMove
from engine.game import own_decision

MOST_COMPONENTS: Final = 35
"""The components of a screen that has room for one more text, of a message's 40, with its frame and two pictures."""
CHANGE_ANSWER: Final = "change-answer"
"""The intent of the button that takes premoves back."""
HINT: Final = "hint"
"""The intent of the button **Hint**."""
INTRODUCED: Final = 2
"""The most agents that are introduced on the first private screen of a match without a lobby."""
EXPLAIN: Final = "explain"
"""The intent of the button **?**."""


class Personal(NamedTuple):
    """The content of a private screen besides the match and the seat."""

    choices: Choices = MappingProxyType({})
    """The selection in the screen's menus."""
    remark: str = ""
    """The remark on the last press on the screen."""
    may_undo: bool = False
    newcomer: bool = False
    """Whether the person has never played this game before, so that the screen has the hints for a first time."""
    to_primer: bool = False
    """Whether the screen points to the primer, and to hints: to a newcomer in the first turn, without the lesson."""
    table_shows_result: bool = True
    """Whether the table's messages can be posted, so that all read the result there first."""
    daily: Sequence[str] = ()
    """The lines about the person's score in the daily deal among the others', and beside a Master's."""


PLAIN: Final = Personal()


@dataclass(frozen=True, slots=True)
class _Seen:
    """A match in the view of one seat, and the seat's open or upcoming decision."""

    table: Table
    screens: AnyScreens
    seat: int
    view: Any
    names: Names
    question: Question | None
    personal: Personal
    counted: bool
    """Whether the match is over and its result is about to be posted at the table."""
    log: Sequence[LogRow]

    @property
    def answers(self) -> Sequence[Premove]:
        """The premoves of the seat."""
        return self.table.body.answers.get(self.seat, ())


def _own(
    table: Table, screens: AnyScreens, seat: int, log: Sequence[LogRow] = (), personal: Personal = PLAIN
) -> _Seen:
    view, question = table.game.view(table.state, seat), question_for(table, seat)
    counted = table.awaits_result and personal.table_shows_result
    return _Seen(table, screens, seat, view, Names(table.seats), question, personal, counted, log)


def private(
    table: Table, screens: AnyScreens, seat: int, log: Sequence[LogRow], personal: Personal = PLAIN
) -> Screen:
    """A seated person's private screen: the news, the turn, their hand, and their possible moves."""
    own = _own(table, screens, seat, log, personal)
    lesson = screens.lesson if table.is_lesson else None
    if lessons.is_finished(table):
        heading = Screen(colour=screens.colour).add([ui.text(f"### 🎓 {screens.title()}", id=TITLE)])
        return lessons.closing(table, lesson, heading, shown_news(heading, table, screens, log, seat))
    state = _state_of(own)
    turn, items = state(own)
    if table.status == "playing":
        turn += [*small_print(filter(None, [screens.end_line(own.view, own.names)])), *personal.daily]
    screen = Screen(colour=screens.colour if state is _asked else CALM)
    step = lessons.due_step(table, lesson)
    hint_given = hint_text(table, screens, seat, items)
    _begin(screen, own, turn, personal._replace(to_primer=personal.to_primer and not hint_given), lesson)
    folded = (FOLDED,) if personal.newcomer and not hint_given else (FOLDED, FIRST_TIME)
    items = [item for item in items if item.get("id") not in (lessons.left_out(step) if step else folded)]
    may_undo = personal.may_undo
    if lesson and step:
        remark = personal.remark or _not_chosen(own, lesson, step)
        may_undo = may_undo and not remark  # it would take back the right move before a wrong press
        items = _with_task(own, items, lesson, step, personal._replace(remark=remark, may_undo=may_undo))
    screen.add(items)
    if own.answers:
        screen.rule().add(_premoves(own))
    absence, wish = own_absence(table, seat), own_wish(table, seat)
    _say(screen, filter(None, [hint_given, absence, wish, "" if step else personal.remark]))
    # One move alone needs no advice. Where hints are off, the button says so to newcomers, who look for it.
    may_ask = has_button(table) if personal.to_primer else may_take(table)
    hint = may_ask and state in (_asked, _upcoming) and ui.controls(items) > 1 and is_choice(table, seat)
    offers = [button(pgettext("button", "Hint"), Id(HINT, table.id))] if hint else []
    offers += lessons.offer(screens.lesson, Id("", table.id, BESIDE)) if personal.to_primer else []
    end = partial(_end, own, may_undo=may_undo, away=bool(absence), wish=bool(wish))
    last = end(offers)
    room = inf  # most screens are for reading; a decision stands on a phone together with its news
    if state in (_asked, _upcoming):
        shown = [item for item in screen.items if item.get("content") != hint_given]  # a hint hides no news
        room = PHONE - 3 * FRAME - height([*shown, *last.items]) - _pictured_height(own)  # gaps between texts
    if table.is_private:
        screen.items[:0] = _board(own, MOST_COMPONENTS - 1 - ui.count([*screen.items, *last.items]), step)
    tells = not own.counted and (table.status != "over" or not (table.is_private or to_the_result(table)))
    news = shown_news(screen, table, screens, log, seat, room) if tells else []
    if offers and ui.count([*screen.items, *last.items]) + bool(news) > COMPONENTS - 3:  # frame, two pictures
        last = end([])
    screen.add(last.items)
    if news:
        screen.tell(news, NEWS, max(0, screen.after(OWN_TITLE) - 1))
    return screen


def _say(screen: Screen, remarks: Iterable[str]) -> None:
    """Adds remarks below the possible moves, or a hint above them."""
    for remark in remarks:
        rows = [n for n, item in enumerate(screen.items) if item["type"] == ui.ROW]
        at = rows[0] if rows and SIGN in remark[:4] else len(screen.items)
        screen.items.insert(at, ui.text(remark))


def _begin(
    screen: Screen, own: _Seen, turn: Sequence[str], personal: Personal, lesson: lessons.Lesson | None
) -> None:
    """Adds the turn and first words, above which the news and the board are to stand.

    The line of a lesson about what to look at takes their place.
    """
    if own.table.is_lesson and own.table.live:
        screen.rule().add([_look(own, lesson)])
        return
    welcome = _opponents(own)
    if personal.to_primer and own.screens.primer(own.view):
        hints = _(
            "👋 Your first match? **?** explains how it goes; where you have a choice, **Hint** appears."
        )
        plain = _("👋 Your first match? **?** explains how it goes.")
        welcome = [hints if may_take(own.table) else plain, *welcome]
    if turn or welcome:
        screen.add([ui.text("\n".join([*turn, *small_print(welcome)]), id=TURN)])


def _look(own: _Seen, lesson: lessons.Lesson | None) -> ui.Item:
    """The line of a lesson about what to look at, above what the learner has."""
    look = lessons.look_line(own.table, lesson, own.view, own.names)
    return ui.text("\n".join(filter(None, [look, own.screens.heading(own.view, own.names)])))


def _opponents(own: _Seen) -> list[str]:
    """The agents, to a person who has met them in no lobby and has not moved yet; of many, where they are."""
    if not own.table.is_private or not own.table.live or own.table.seats[own.seat].moved:
        return []
    lines = introductions(own.table, own.screens)
    return lines if len(lines) <= INTRODUCED else [_("🤖 **?** has a word from each of your opponents.")]


def _not_chosen(own: _Seen, lesson: lessons.Lesson, step: lessons.Step) -> str:
    """Why what is selected does not lead to the step's move; empty if nothing is, or if it leads there."""
    due = own.screens.selection_for(own.view, step.move)
    return lessons.not_chosen(lesson, step, own.view, own.names, own.personal.choices, due)


def _with_task(
    own: _Seen, items: Sequence[Item], lesson: lessons.Lesson, step: lessons.Step, personal: Personal
) -> list[Item]:
    """The items of a lesson's step, with its task beside the control that it asks for. The remark is above it."""
    task = lessons.task_line(lesson, step, own.view, own.names)
    end = _end(own, [], may_undo=personal.may_undo, away=False, wish=False)
    around = [_look(own, lesson), ui.separator(), *end.items]
    room = PHONE - 2 * FRAME - height(around) - _shown_height(own, step)
    asking = Asking(step, lesson.back, own.table.game, own.screens, own.view, room)
    return with_task(items, ui.text("\n".join(filter(None, [personal.remark, task]))), asking)


def _shown_height(own: _Seen, step: lessons.Step) -> int:
    """The height on a phone of what a lesson's step shows above its lines: a picture, with the texts beside it."""
    board = [item for item in _board(own, MOST_COMPONENTS, step) if item.get("id") != PICTURED_BOARD]
    return height(board) + _pictured_height(own, of_table=step.of_table)


def _pictured_height(own: _Seen, *, of_table: bool = False) -> int:
    """The height on a phone of the picture of the seat's possessions, or of the table."""
    screens = own.screens
    picture = screens.table_picture(public_view(own.table)) if of_table else screens.own_picture(own.view)
    return 0 if picture is None else picture_height(picture.width, picture.height)


def _board(own: _Seen, room: int, step: lessons.Step | None) -> list[Item]:
    """The board above the viewer's own part, on the screen of a private match, which has no table message.

    `room` is the number of components for which the screen has room. If there is too little, the board becomes one
    text, or is left to its picture. A line parts it from the own part. A lesson's step has one of both parts.
    After the end, the result takes the place of both.
    """
    if room < 2:
        return []
    title = " · ".join([*[_("The Daily Dig")] * own.table.is_daily, own.screens.title()])
    title = f"-# **{title}**"
    if own.table.status == "over":
        return [ui.text(title, id=TITLE)]
    words = own.screens.words()
    if step is not None and not step.of_table:
        return [ui.text(f"-# {words.own_screen_emoji} **{words.own_screen}**", id=OWN_TITLE)]
    board = own.screens.board(public_view(own.table), own.names)
    if ui.count(board) > room - 2:
        board = [ui.text("\n".join(ui.texts(board)))] if room > 2 else []
    return [
        ui.text(title, id=TITLE),
        *[
            ui.text(item["content"], id=PICTURED_BOARD)
            if item["type"] == ui.TEXT and item.get("id") == PICTURED
            else item
            for item in board
        ],
        *([ui.separator(OWN_TITLE)] if step is None else []),
    ]


def explained(table: Table, screens: AnyScreens, seat: int) -> Screen:
    """The content of the button **?**: how the game goes, helpful lines, and the viewer's hand in words."""
    own = _own(table, screens, seat)
    state = _state_of(own)
    screen = Screen(colour=CALM)
    if primer := screens.primer(own.view):
        screen.text(_("### How to play"), *[f"- {line}" for line in primer])
    folded = ui.texts(item for item in state(own)[1] if item.get("id") in (FOLDED, FIRST_TIME))
    hints = [text for text in folded if not any(line in text for line in primer)]
    screen.text("\n".join(filter(None, [*hints, screens.private_text(own.view), why_none(table)])))
    if lines := that_fit(screen, small_print(introductions(table, screens))):
        screen.text(*lines)
    buttons = [button(screens.words().rules, Id("rules", table.id), emoji="📖")]
    pages = rules_and_credits(screens, in_match=True)
    pictured = [number for number, page in enumerate(pages) if page.picture is not None]
    for own_page in pictured[1:2]:  # the first shows the table
        to = Id("rules", table.id, arg=str(own_page))
        buttons.append(button(_("The Picture Explained"), to, emoji="📖"))
    if table.is_private:  # the log stands below the hand, and at a table More has the sheets
        buttons += sheet_buttons(table, screens)[1:]
    if table.is_alone:
        buttons.append(fairness_button(table.id))
    return screen.buttons(*buttons)


State = Callable[[_Seen], tuple[list[str], list[Item]]]
"""Makes the lines about the turn, and the items with the viewer's hand and possible moves."""


def _state_of(own: _Seen) -> State:
    if own.table.status == "over":
        return _over
    if own.table.status != "playing":
        return _halted
    if own.answers:
        return _answered
    if own.question is None:
        return _idle
    return _upcoming if own.question.is_premove else _asked


def _asked(own: _Seen) -> tuple[list[str], list[Item]]:
    asked = own.table.body.asked.get(own.seat)
    lines = ["▶️ " + _heading(own, own.view)]
    if asked is not None and asked.unfit is not None:
        lines.append(_unfit(own.table, own.screens, asked.unfit))
    return lines, marked(_game_items(own, own.view), own.table, own.screens, own.seat)


def _heading(own: _Seen, view: Any) -> str:
    """The line about the seat's decision in this view, with what it has."""
    asked = own.screens.prompt(view, own.seat)
    return own.screens.heading(view, own.names) or asked[:1].upper() + asked[1:]


def _upcoming(own: _Seen) -> tuple[list[str], list[Item]]:
    assert own.question is not None
    view = own.table.game.view(own.question.state, own.seat)
    may = _("You can already choose. Your choice stays secret until it is played.")
    items = marked(_game_items(own, view), own.table, own.screens, own.seat)
    return [*_waiting(own), may, _heading(own, view)], items


def _answered(own: _Seen) -> tuple[list[str], list[Item]]:
    return _waiting(own), _private_text(own) if own_decision(own.view) else _game_items(own, own.view)


def _idle(own: _Seen) -> tuple[list[str], list[Item]]:
    return _waiting(own), _game_items(own, own.view)


def _halted(own: _Seen) -> tuple[list[str], list[Item]]:
    """The state of a match that is paused or has ended early: the game has no buttons."""
    return [], [*_standing(own), *_private_text(own)]


def _over(own: _Seen) -> tuple[list[str], list[Item]]:
    """The state of a match that is over. The table tells the result first, if it can be posted there."""
    day = own.personal.daily
    score, more = [ui.text(f"## 📅 {line}") for line in day[:1]], "\n".join(day[1:])
    whole = own.table.is_private and not score  # of other matches the log begins late
    if own.counted:
        return [], Screen().text(_("🏁 The match is over. The result follows at the table.")).items
    if result := to_the_result(own.table):
        shown = Screen().buttons(*result)
    else:
        shown = Screen().text(*own.screens.result(own.view, own.names))
        bests = own.screens.highlights(public_events(own.log), own.view, own.names) if whole else []
        said = last_word(own.table, own.screens, own.view.outcome)
        if lines := that_fit(shown, [*bests, *small_print([said] if said else [])]):
            shown.text(*lines)
    last = latest(own.table, own.screens, own.log, own.seat, TURN_LINES) if own.table.is_private else []
    told = [ui.text("\n".join(small_print(last)), id=NEWS)] if last else []
    above = [*score, *_standing(own), *([ui.text(more)] if more else []), *told]
    return [], [*above, *shown.items, *map(ui.text, followed(own.table, own.seat))]


def _game_items(own: _Seen, view: Any) -> list[Item]:
    view_version = "" if own.question is None else own.question.view_version
    items = own.screens.private(view, own.names, own.personal.choices, Id("", own.table.id, view_version))
    return [item for item in items if item.get("id") != OTHERS or not own.table.is_private]


def _private_text(own: _Seen) -> list[Item]:
    return Screen().text(own.screens.private_text(own.view)).items


def _standing(own: _Seen) -> list[Item]:
    """The lines about the end of a match; empty if the match has not ended."""
    lines = [] if own.table.live else standing(own.table, own.screens, own.view, own.names, 0)
    return Screen().text(*lines).items if lines else []


def _waiting(own: _Seen) -> list[str]:
    return ["⏳ " + own.screens.public_prompt(own.view, each.seat, own.names) for each in own.view.pending]


def _premoves(own: _Seen) -> list[Item]:
    moves = kept_moves(own.table, own.seat)
    chosen = " ".join(filter(None, [own.screens.premove_text(own.view, move) for move in moves]))
    text = _("🤫 You have chosen. Your choice stays secret until it is played.")
    to = Id(CHANGE_ANSWER, own.table.id, arg=str(own.answers[0].press))
    return [
        ui.text("\n".join(filter(None, [text, chosen]))),
        ui.row(button(_("Change My Choice"), to, emoji="↩️")),
    ]


def _unfit(table: Table, screens: AnyScreens, unfit: Unfit) -> str:
    why = screens.refuse(IllegalMove(unfit.code, **unfit.facts))
    return "⚠️ " + _("Your choice no longer fits: {why} Please choose again.").format(why=why)


def _end(own: _Seen, offers: Sequence[ui.Button], *, may_undo: bool, away: bool, wish: bool) -> Screen:
    """The rows of buttons below the possible moves, after `offers`. `wish`: the viewer wants to end the match."""
    table = own.table
    buttons = [*offers, *_last_buttons(table)]
    if may_undo and not own.answers:  # premoves are taken back first
        undo = Id("undo", table.id, undo_view_version(table))
        # Not in the place that **Hint** had before the move.
        buttons.insert(len(offers) + 2, button(pgettext("button", "Undo"), undo))
    if away:
        buttons.insert(0, back_button(table))
    if wish:
        buttons.insert(0, button(_("Play On"), Id("play-on", table.id), SUCCESS))
    if table.is_alone and not table.live:
        buttons = [*_after_the_end(table, own.screens), *buttons]
    return Screen().rule().buttons(*buttons)


def _last_buttons(table: Table) -> list[ui.Button]:
    """The buttons of every screen. For a phone to show **Undo** and **Hint** in their line, those have no emoji."""
    buttons: list[ui.Button] = [button("?", Id(EXPLAIN, table.id))]
    if not table.is_private:
        return [*buttons, link(pgettext("button: leads to it", "Table"), table_url(table))]
    buttons.append(button(pgettext("button", "Log"), Id("log", table.id, BESIDE), emoji="📋"))
    if table.is_lesson:
        buttons.append(lessons.once_more(table))
    if table.live:
        label = _("End the Lesson") if table.is_lesson else _("End the Match")
        buttons.append(button(label, Id("end", table.id, BESIDE)))
    elif table.body.opens is not None:
        buttons[:0] = [*after_daily(table), *review_offer(table)]
    return buttons


def _after_the_end(table: Table, screens: AnyScreens) -> list[ui.Button]:
    """The buttons that the result of a match at a table has, below a match alone that is over."""
    buttons = [button(_("Play Again"), play_again(table), SUCCESS, emoji="🔁")]
    if has_pictures(screens):
        buttons.append(replay_button(table, BESIDE))
    return [*buttons, *review_offer(table), fairness_button(table.id)]
