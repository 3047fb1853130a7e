"""The table message of a match, the board with its buttons; and the screen of a person who watches the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from bot.language import gettext as _
from bot.language import listing, ngettext, pgettext
from bot.store.model import LogRow
from bot.tables.absence import is_expected, played_by_agent
from bot.tables.deadlines import waited_for
from bot.tables.model import Table
from bot.tables.play import view_version_of
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.chronicle import latest
from bot.ui.screens.components import PRIMARY, SUCCESS
from bot.ui.screens.ended import REPLAY
from bot.ui.screens.fairness import fairness_button
from bot.ui.screens.fitting import has_room, small_print, that_fit
from bot.ui.screens.game_screens import OWN_SCREEN, Action, AnyScreens, has_pictures
from bot.ui.screens.ids import BESIDE, Id
from bot.ui.screens.kit import (
    OVER,
    TITLE,
    Screen,
    button,
    line_height,
    text_height,
    to_the_result,
    to_the_table,
)
from bot.ui.screens.names import Names
from bot.ui.screens.refusals import refusal
from bot.ui.screens.words import catching_up, ending_text, last_day_text, won_text

LATEST_TURNS: Final = 1930
"""The id of the component with the latest turns, beside which a small picture of the newest turn stands."""
WATCH: Final = "watch"
"""The intent of the button **Watch**, and of **Refresh** on the screen of a person who watches."""
LEAST_HEIGHT: Final = 38
"""The least height for the newest turn, in pixels of a phone: two lines, in which the last deed of most turns fits."""
TURN_LINES: Final = 5
"""The greatest number of lines about the latest turns: one for each seat."""
LOG_ROWS: Final = 40
"""The number of the log's newest rows that are searched for the latest turns."""
_TEXT_HEIGHT: Final = 400
"""The greatest height of the table message's texts on a phone, in its pixels. Above it, lines about earlier turns
are left out. With the buttons and the frame the message is 600 high, which leaves room for a picture on a screen
844 high."""
WAIT: Final = "wait"
"""The intent of the button by which a player agrees to wait for a seat. The argument is the seat."""
NO_WAIT: Final = "no-wait"
FREE_SEATS: Final = "free-seats"
"""The intent of **Take Over**, which offers the free seats to a person without one."""


def board(
    table: Table, screens: AnyScreens, log: Sequence[LogRow], shown_later: float, notice: str = ""
) -> Screen:
    """The table message of a match: the public view, the latest turns, the open decisions, and the buttons.

    `log` are the newest `LOG_ROWS` rows of the log. `shown_later` are the seconds to add to a host time to
    get the time that people are shown. `notice` is the operator's sentence for every table message of a live table.
    """
    view, names = public_view(table), Names(table.seats)
    screen = Screen(colour=screens.colour)
    screen.items.append(ui.text(f"-# **{screens.title()}**", id=TITLE))
    if notice and table.live:
        screen.text(f"📣 {notice}")
    screen.add(screens.board(view, names))
    place = len(screen.rule().items)
    if table.status != "over" or not to_the_result(table):  # which has the verdict
        screen.text(*standing(table, screens, view, names, shown_later), *catching_up(table))
    _add_latest_turns(screen, place, table, screens, log)
    if table.status == "over" or table.status == "abandoned":
        screen.colour = OVER
        return screen.buttons(*_buttons_of_ended(table, screens))
    screen.buttons(*_board_buttons(table, screens, view))
    return screen.buttons(*_seldom_buttons(table), *holiday_buttons(table, names))


def public_view(table: Table) -> Any:
    """The view of a spectator. After an early end it has no open decision, so that no seat is marked as to move."""
    view = table.game.view(table.state, None)
    return replace(view, pending=()) if table.status == "abandoned" else view


def _add_latest_turns(
    screen: Screen, place: int, table: Table, screens: AnyScreens, log: Sequence[LogRow]
) -> None:
    """Inserts the lines about the latest turns before the item `place`, as many as a phone has room for."""
    room = _TEXT_HEIGHT - text_height(screen)
    if room < LEAST_HEIGHT:
        screen.items.pop(0)  # the board matters more than the game's title
        place, room = place - 1, room + line_height(f"-# {screens.title()}")
    limit = min(TURN_LINES, len(table.seats))
    texts = latest(
        table, screens, log, None, limit, lambda lines: sum(map(line_height, small_print(lines))) <= room
    )
    if lines := that_fit(screen, small_print(texts)):
        screen.tell(lines, LATEST_TURNS, place)


def sheet_buttons(table: Table, screens: AnyScreens) -> list[ui.Button]:
    """The buttons of the log and of the game's sheets, which everybody may look up."""
    return [
        button(pgettext("button", "Log"), Id("log", table.id), emoji="📋"),
        *[
            button(sheet.label, Id(sheet.intent, table.id, arg=sheet.arg), emoji=sheet.emoji)
            for sheet in screens.sheets(public_view(table), Names(table.seats))
        ],
    ]


def _buttons_of_ended(table: Table, screens: AnyScreens) -> list[ui.Button]:
    return [
        button(screens.words().rules, Id("rules", table.id), emoji="📖"),
        *sheet_buttons(table, screens),
        fairness_button(table.id),
        *to_the_result(table),
    ]


def _seldom_buttons(table: Table) -> list[ui.Button]:
    """The buttons to come back for people who are away, and to agree to a wish to end the match."""
    buttons: list[ui.Button] = []
    if _anyone_away(table):
        buttons.append(button(_("I'm Back"), Id("back", table.id), emoji="👋"))
    if _anyone_gone(table) or (table.status == "paused" and table.free_seats):
        buttons.append(_take_over_button(table))
    if table.body.end_votes:
        buttons.append(button(_("Agree to End"), Id("agree", table.id), emoji="🏳️"))
    return buttons


def back_button(table: Table) -> ui.Button:
    return button(_("I'm Back"), Id("back", table.id), SUCCESS, emoji="👋")


def _take_over_button(table: Table) -> ui.Button:
    return button(_("Take Over"), Id(FREE_SEATS, table.id), emoji="🪑")


def _board_buttons(table: Table, screens: AnyScreens, view: Any) -> list[ui.Button]:
    """The turn's buttons, and those that everybody may press at any time: few and narrow: a phone has two rows."""
    # Actions that only open the private screen are left out, because the message has a button for it anyway.
    moves = [action for action in screens.actions(view) if action.intent != OWN_SCREEN]
    return [
        *_turn_buttons(table, view, moves),
        _own_screen_button(table, screens),
        button(screens.words().rules, Id("rules", table.id)),
        button(pgettext("button", "More"), Id("more", table.id)),
    ]


def _turn_buttons(table: Table, view: Any, actions: Sequence[Action]) -> list[ui.Button]:
    """The buttons of these actions for the seats with an open decision; none if agents play all of those seats."""
    waiting = [decision for decision in view.pending if is_expected(table, decision.seat)]
    if table.status != "playing" or not waiting:
        return []
    view_version = view_version_of(table, waiting[0])
    return [
        button(
            action.label, Id(action.intent, table.id, view_version, action.arg), PRIMARY, emoji=action.emoji
        )
        for action in actions
    ]


def back_to_own(table: Table, screens: AnyScreens, user_id: int) -> list[ui.Button]:
    """The button below a page that shows a seated person's own screen again, below that page; else none."""
    seated = table.under_way and table.seat_of(user_id) is not None
    return [_own_screen_button(table, screens)] if seated else []


def called_from(page: Screen, table: Table, screens: AnyScreens, seat: int) -> Screen:
    """A page that a seat's person reads, with the call to their decision and the way to it above everything else."""
    if not has_room(page, 3):
        return page
    call = that_fit(page, [call_line(table, screens, seat)])
    to_own = ui.row(_own_screen_button(table, screens))
    below = [item for item in page.items if item != to_own]
    return replace(page, items=[*map(ui.text, call), to_own, ui.separator(), *below])


def call_line(table: Table, screens: AnyScreens, seat: int) -> str:
    """The line that names what is asked of a seat."""
    return f"▶️ {Names(table.seats).bold(seat)}, {screens.prompt(table.game.view(table.state, seat), seat)}"


def _own_screen_button(table: Table, screens: AnyScreens, arg: str = "") -> ui.Button:
    words, to = screens.words(), Id(OWN_SCREEN, table.id, arg=arg)
    return button(words.own_screen, to, SUCCESS, emoji=words.own_screen_emoji)


def turn_rows(table: Table, screens: AnyScreens, actions: Sequence[Action], calls: str) -> list[ui.Row]:
    """The rows of buttons on an announcement: those of `actions`, the private screen's, and the link to the table.

    The button that opens the private screen has the argument `calls`.
    """
    actions = [replace(each, arg=calls) if each.intent == OWN_SCREEN else each for each in actions]
    turn = _turn_buttons(table, public_view(table), actions)
    # An action that opens the private screen says better what it is for than the general button.
    opened = bool(turn) and any(action.intent == OWN_SCREEN for action in actions)
    general = [] if opened else [_own_screen_button(table, screens, calls)]
    return ui.rows([*turn, *general, *to_the_table(table)])


def _anyone_gone(table: Table) -> bool:
    return any(seat.user_id is None and seat.left_by is not None for seat in table.seats)


def _anyone_away(table: Table) -> bool:
    def away(number: int) -> bool:
        seat = table.seats[number]
        return seat.user_id is not None and (seat.away or played_by_agent(table, number))

    return _anyone_gone(table) or any(away(number) for number in range(len(table.seats)))


def standing(table: Table, screens: AnyScreens, view: Any, names: Names, shown_later: float) -> list[str]:
    """The lines about open decisions with deadlines, upcoming ones, and votes to end; or about the match's end."""
    if table.status == "over":
        won = won_text(view.outcome, screens, names, view.viewer)
        # The heading of a deal of the day is one's score.
        return [f"## {won}" if view.viewer is not None and table.body.opens is None else won]
    if table.status == "abandoned":
        return [ending_text(table, names)]
    if table.status == "paused":
        if _anyone_away(table):
            paused = _("⏸️ The match is paused: no one is here to play. Press **I'm Back** to go on.")
            return [paused, *holiday_lines(table, names)]
        return [_("⏸️ The match is paused: no one is here to play. Press **Take Over** to go on.")]
    return [
        *_asked(table, screens, view, names, shown_later),
        *_may_choose(table, names),
        *holiday_lines(table, names),
        *_wish_to_end(table, names),
    ]


def _asked(table: Table, screens: AnyScreens, view: Any, names: Names, shown_later: float) -> list[str]:
    lines: list[str] = []
    deadlines = [_deadline(table, decision.seat) for decision in view.pending]
    for decision, deadline, following in zip(view.pending, deadlines, [*deadlines[1:], None], strict=True):
        if waited_for(table, decision.seat):
            continue  # a line of its own says that the match waits
        line = "▶️ " + screens.public_prompt(view, decision.seat, names)
        if deadline and deadline != following:  # seats in a row with the same deadline state it once
            line += " " + _("Time runs out {when}.").format(when=f"<t:{int(deadline + shown_later)}:R>")
        lines.append(line)
    return lines


def _may_choose(table: Table, names: Names) -> list[str]:
    """The line that names every seat with an upcoming decision."""
    early = [seat for seat in table.body.expected if is_expected(table, seat)]
    if not early:
        return []
    # A seat with a premove is also named, because the public line must not depend on premoves.
    text = ngettext("{names} chooses ahead, unseen.", "{names} choose ahead, unseen.", len(early))
    return ["-# ⏳ " + text.format(names=listing([names.bold(seat) for seat in early]))]


def _wish_to_end(table: Table, names: Names) -> list[str]:
    votes = table.body.end_votes
    if not votes:
        return []
    wish = ngettext("🏳️ {names} wants to end the match.", "🏳️ {names} want to end the match.", len(votes))
    how = _("It ends once everyone who is here agrees.")
    return [wish.format(names=listing([names.bold(seat) for seat in votes])) + " " + how]


def _deadline(table: Table, seat: int) -> float | None:
    """The deadline of a seat's open decision, in host time; None without a limit or decision, or if an agent plays."""
    asked = table.body.asked.get(seat)
    return asked.deadline if asked and is_expected(table, seat) else None


class Watcher(NamedTuple):
    """A person without a seat who watches a match."""

    follows: bool = False
    """Whether the screen is brought up to date while it is open."""
    open_hands: bool = False
    """Whether the match has ended, and all hands may be shown."""
    has_left: bool = False
    """Whether the person left a seat and may come back to it."""


def watched(
    table: Table, screens: AnyScreens, log: Sequence[LogRow], shown_later: float, watcher: Watcher
) -> Screen:
    """The screen of a person who watches, drawn from a spectator's view.

    `log` and `shown_later` are those of `board`.
    """
    view, names = public_view(table), Names(table.seats)
    screen = Screen(colour=screens.colour if table.live else OVER)
    screen.items.append(ui.text(f"-# **{screens.title()}**", id=TITLE))
    screen.add(screens.board(view, names))
    place = len(screen.rule().items)
    screen.text(*standing(table, screens, view, names, shown_later))
    end = [*screens.result(view, names)] if table.status == "over" else []
    end += _hands(table, screens, names) if watcher.open_hands else []
    if lines := that_fit(screen, end):
        screen.text(*lines)
    if watcher.has_left:
        screen.text(left_text(table))
    elif not watcher.open_hands:
        screen.text(*small_print(["👀 " + _note(table, follows=watcher.follows)]))
    turns = small_print(latest(table, screens, log, None, TURN_LINES))
    if lines := that_fit(screen, turns):
        screen.tell(lines, LATEST_TURNS, place)
    if watcher.has_left:
        screen.buttons(back_button(table))
    return screen.buttons(*_buttons(table, screens, watcher))


def left_text(table: Table) -> str:
    """How a match goes on for a person who has left it."""
    if table.status == "paused":
        return _(
            "⏸️ You have left, and no one else is here: the match is paused until you press **I'm Back** or someone "
            "takes your seat over."
        )
    return _(
        "You have left. A computer player plays for you until you press **I'm Back** or someone takes your seat over."
    )


def _hands(table: Table, screens: AnyScreens, names: Names) -> list[str]:
    """The things of each seat that others could not see, a text for each; none if nothing was hidden."""
    hands = [screens.revealed(table.game.view(table.state, seat), names) for seat in range(len(table.seats))]
    shown = [hand for hand in hands if hand]
    return [_("**No longer secret**"), *shown] if shown else []


def _note(table: Table, *, follows: bool) -> str:
    """The line that tells how the screen is brought up to date, or why hands are not shown yet."""
    if not table.live:
        return refusal(Refused("same-sealed"))
    if follows:
        return _(
            "You're watching. This screen follows the match for about 15 minutes; after that, press **Refresh**. "
            "To stop, dismiss this message."
        )
    return _(
        "Many people are watching, so this screen does not follow the match. Press **Refresh**. To stop, dismiss this "
        "message."
    )


def _buttons(table: Table, screens: AnyScreens, watcher: Watcher) -> list[ui.Button]:
    buttons: list[ui.Button] = []
    if table.under_way and _anyone_gone(table) and not watcher.has_left:
        buttons.append(_take_over_button(table))
    if not watcher.open_hands:
        buttons.append(button(pgettext("button", "Refresh"), Id(WATCH, table.id)))
    elif has_pictures(screens):
        buttons.append(button(pgettext("button", "Replay"), Id(REPLAY, table.id, BESIDE), emoji="🎬"))
    buttons += [
        button(pgettext("button", "Log"), Id("log", table.id), emoji="📋"),
        button(screens.words().rules, Id("rules", table.id), emoji="📖"),
    ]
    return [*buttons, *(to_the_result(table) or to_the_table(table))]


def holiday_lines(table: Table, names: Names) -> list[str]:
    """A line for each person on holiday: until when, and whether an agent plays or the match waits."""
    lines: list[str] = []
    for number, seat in enumerate(table.seats):
        if seat.holiday is None:
            continue
        facts = {"name": names.bold(number), "day": last_day_text(seat.holiday)}
        if waited_for(table, number) or table.status == "paused":
            text = _("{name} is on holiday until {day}; the match waits.")
        else:
            text = _("{name} is on holiday until {day}; a computer player plays meanwhile.")
        others = [other for other in table.people() if other != number]
        agreed = [other for other in others if other in seat.agreed]
        line = text.format(**facts)
        if agreed and len(agreed) < len(others):
            line += " " + ngettext(
                "{n} of {all} would rather wait.", "{n} of {all} would rather wait.", len(agreed)
            ).format(n=len(agreed), all=len(others))
        lines.append(line)
    return lines


def holiday_buttons(table: Table, names: Names) -> list[ui.Button]:
    """The buttons by which the others at the table agree to wait for people on holiday, or let agents play."""
    if table.status != "playing":
        return []
    buttons: list[ui.Button] = []
    for number, seat in enumerate(table.seats):
        if seat.holiday is None or len(table.people()) < 2:
            continue
        if waited_for(table, number):
            label, intent = _("Let an AI Play for {name}"), NO_WAIT
        else:
            label, intent = _("Wait for {name}"), WAIT
        buttons.append(button(label.format(name=names.bare(number)), Id(intent, table.id, arg=str(number))))
    return buttons
