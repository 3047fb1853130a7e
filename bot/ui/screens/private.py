"""What one seated person sees alone: whose turn it is, what they have missed, what they have, and what they may do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from discord import ui

from bot.language import gettext as _
from bot.language import pgettext
from bot.store.model import LogRow
from bot.tables.absence import played_by_agent
from bot.tables.model import Table
from bot.tables.play import undo_drawn
from bot.tables.premoves import Question, kept_moves, question_for
from bot.tables.turns import Answer, Unfit
from bot.ui.screens.chronicle import news
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Choices, Item, Screen, button
from bot.ui.screens.names import Names
from bot.ui.screens.table import SUCCESS, small_print, standing, that_fit, to_the_table
from engine.errors import IllegalMove
from engine.game import own_decision

CHANGE_ANSWER: Final = "change-answer"
"""The intent of the button that takes back what was answered ahead."""


def private(
    table: Table,
    screens: AnyScreens,
    seat: int,
    log: Sequence[LogRow],
    *,
    choices: Choices | None = None,
    remark: str = "",
    may_undo: bool = False,
    newcomer: bool = False,
) -> Screen:
    """A seated person's private screen: whose turn it is, what happened last, what they have and may do now.

    `newcomer` says that they have never played this game before, and are to be told what it is about.
    """
    view = table.game.view(table.state, seat)
    names = Names(table.seats)
    answers, question = table.body.answers.get(seat), question_for(table, seat)
    mine = question is not None and not question.ahead and not answers
    screen = Screen(colour=screens.colour if mine else CALM)
    if remark:
        screen.text(remark)
    if lines := _whose_turn(table, screens, view, names, seat, question):
        screen.text(*lines)
    if newcomer and (primer := screens.primer()):
        screen.text(*small_print(primer))
    before = len(screen.items)
    if not table.live:
        screen.text(*standing(table, screens, view, names, 0))
    if table.status == "over":
        screen.text(*screens.result(view, names))
    elif table.status != "playing" or (answers and own_decision(view)):
        screen.text(screens.private_text(view))  # there is nothing to press
    else:
        ahead = question if question is not None and question.ahead and not answers else None
        shown = view if ahead is None else table.game.view(ahead.state, seat)
        drawn = "" if question is None else question.drawn
        screen.add(screens.private(shown, names, choices or {}, Id("", table.id, drawn)))
    if answers:
        screen.rule().add(_answered_ahead(table, screens, view, seat, answers))
    if absence := _absence(table, seat):
        screen.text(absence)
    if lines := _news(screen, table, screens, log, seat):
        screen.items.insert(before, ui.TextDisplay("\n".join(lines)))
    return screen.rule().buttons(*_last_buttons(table, screens, may_undo=may_undo, away=bool(absence)))


def _whose_turn(
    table: Table, screens: AnyScreens, view: Any, names: Names, seat: int, question: Question | None
) -> list[str]:
    """What the viewer is asked or may answer already, or whom the match waits for."""
    if table.status != "playing":
        return []
    if question is not None and seat not in table.body.answers:
        if question.ahead:
            may = _("You may choose already. It stays secret, and is played when it is your turn.")
            return [*_waiting(screens, view, names), may]
        asked = table.body.asked.get(seat)
        unfit = [_unfit(table, screens, asked.unfit)] if asked is not None and asked.unfit is not None else []
        return [f"▶️ {names.bold(seat)}, {screens.call(view, seat)}", *unfit]
    return _waiting(screens, view, names)


def _waiting(screens: AnyScreens, view: Any, names: Names) -> list[str]:
    return ["⏳ " + screens.asks(view, decision.seat, names) for decision in view.pending]


def _answered_ahead(
    table: Table, screens: AnyScreens, view: Any, seat: int, answers: Sequence[Answer]
) -> list[Item]:
    """What somebody has answered ahead, with the button that takes it back."""
    chosen = " ".join(filter(None, [screens.kept(view, move) for move in kept_moves(table, seat)]))
    text = _("🤫 You have chosen. It stays secret, and is played when it is your turn.")
    to = Id(CHANGE_ANSWER, table.id, arg=str(answers[0].press))
    return [
        ui.TextDisplay("\n".join(filter(None, [text, chosen]))),
        ui.ActionRow(button(_("Change My Choice"), to, emoji="↩️")),
    ]


def _unfit(table: Table, screens: AnyScreens, unfit: Unfit) -> str:
    """Why what somebody answered ahead could not be played."""
    why = screens.refuse(IllegalMove(unfit.code, **unfit.facts), table.game)
    return "⚠️ " + _("What you had chosen no longer fits: {why} Please choose again.").format(why=why)


def _absence(table: Table, seat: int) -> str:
    """That an agent plays for somebody who is away; empty if they play themselves."""
    if not table.seats[seat].away and not (table.status == "playing" and played_by_agent(table, seat)):
        return ""
    if table.status == "paused":
        return _("⏸️ The match is paused. Press **I'm Back** to go on with it.")
    return _("An agent plays for you.")


def _last_buttons(table: Table, screens: AnyScreens, *, may_undo: bool, away: bool) -> list[ui.Button[Any]]:
    buttons = [button(screens.words().rules, Id("rules", table.id), emoji="📖"), to_the_table(table)]
    if may_undo:
        undo = Id("undo", table.id, undo_drawn(table))
        buttons.insert(0, button(pgettext("button", "Undo"), undo, emoji="↩️"))
    if away:
        buttons.insert(0, button(_("I'm Back"), Id("back", table.id), SUCCESS, emoji="👋"))
    return buttons


def _news(screen: Screen, table: Table, screens: AnyScreens, log: Sequence[LogRow], seat: int) -> list[str]:
    """What a seated person has missed. Where the message lacks room, what concerns them is what stays."""
    told = news(table, screens, log, seat)
    lines = small_print(told.latest)
    if told.concerning or told.others:
        place = table.seats[seat]
        has_acted = place.moved != place.since
        most = [_("**Since your last turn**") if has_acted else _("**So far**"), *told.concerning]
        room = Screen([*screen.items]).text(*most)
        others = that_fit(room, small_print(told.others))
        lines = [*that_fit(screen, most), *others, *lines]
    return that_fit(screen, lines)
