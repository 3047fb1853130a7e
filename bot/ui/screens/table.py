"""The messages of a table that every game has: lobby, board, private screen, log, result."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.language import gettext as _
from bot.language import listing, ngettext, pgettext
from bot.store.model import LogRow
from bot.tables.absence import played_by_agent
from bot.tables.ending import undecided
from bot.tables.model import Table
from bot.tables.play import drawn_from
from bot.ui.screens.chronicle import latest_turns, log_lines
from bot.ui.screens.credits import rules_and_credits
from bot.ui.screens.game_screens import OWN_SCREEN, Action, AnyScreens, Pressed, Told, has_pictures
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import (
    CALM,
    OVER,
    Item,
    Screen,
    button,
    clipped,
    escape,
    line_height,
    link,
    text_height,
    utf16_length,
)
from bot.ui.screens.names import Names
from bot.ui.screens.settings import SETTINGS
from bot.ui.screens.words import duration_text, ending_text, level_name, limit_text
from engine.fairness import commitment
from engine.game import load_event

PRIMARY: Final = discord.ButtonStyle.primary
SUCCESS: Final = discord.ButtonStyle.success
DANGER: Final = discord.ButtonStyle.danger

FAIRNESS: Final = "fairness"
"""The intent of the button that explains how the shuffle is kept fair."""

REPLAY: Final = "replay"
"""The intent of the button that shows the match as a film."""

RECENT: Final = 5
"""How many lines about the latest turns the table message shows at most: one for each seat."""
RECENT_ROWS: Final = 40
"""How many of the log's newest rows are searched for them."""
TITLE: Final = 1931
"""The id of the component with the game's name, below which the table's picture stands."""
LATEST_TURNS: Final = 1930
"""The id of the component with these lines, by which a small picture of the newest turn finds its place."""
TEXT_HEIGHT: Final = 400
"""How high the table message's texts may be on a phone, in its pixels, before lines about earlier turns give way.

With the buttons and the frame that makes 600, which leaves room for a picture on a screen 844 high.
"""
LEAST_HEIGHT: Final = 19
"""How high the newest turn may be in any case: one line. What is left of it stands in the log."""
LOG_PAGE: Final = 20
LOG_TEXT: Final = 3600
"""The most lines and the most characters on a page of the log."""
MESSAGE_TEXT: Final = 4000
"""The most characters, counted in UTF-16, that Discord accepts in all texts of a message together."""


def message_url(table: Table, message: int | None) -> str:
    """The address of a message in the table's channel; that of the channel if there is no message."""
    where = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"
    return f"{where}/{message}" if message else where


def table_url(table: Table) -> str:
    """The address of the table message."""
    messages = table.body.messages
    return message_url(table, messages.board or messages.lobby)


# -- the lobby


def to_the_table(table: Table) -> ui.Button[Any]:
    """The button that leads to a table's message."""
    return link(_("Go to the Table"), table_url(table))


def lobby(table: Table, screens: AnyScreens, notice: str = "") -> Screen:
    """The lobby message: seats, options, the commitment, and the buttons to join and start.

    `notice` is what the operator has every table message say.
    """
    screen = Screen(colour=screens.colour)
    if table.status != "lobby":
        return _closed_lobby(screen.text(f"## {screens.title()}"), table)
    screen.text(*filter(None, (f"## {screens.title()}", screens.summary())))
    if notice:
        screen.text(f"📣 {notice}")
    if table.body.guests and not table.starting:
        screen.rule().text(_once_more(table))
    screen.rule().text(_seats_heading(table), *_seat_lines(table))
    screen.rule().text(*_settings(table, screens), _what_next(table), _commitment(table))
    to = table.id
    if table.starting:
        return screen.buttons(button(pgettext("button", "Rules"), Id("rules", to), emoji="📖"))
    screen.buttons(
        button(pgettext("button", "Join"), Id("join", to), SUCCESS, emoji="🪑"),
        button(pgettext("button", "Leave"), Id("leave-lobby", to)),
        button(_("Start Match"), Id("start", to), PRIMARY, emoji="▶️"),
    )
    agents = [button(_("Add Agent"), Id("add-agent", to), emoji="🤖")]
    if any(seat.user_id is None for seat in table.seats):
        agents.append(button(_("Remove Agent"), Id("remove-agent", to, seats_drawn(table))))
    return screen.buttons(
        *agents,
        button(pgettext("button", "Settings"), Id(SETTINGS, to), emoji="⚙️"),
        button(_("Lucky Word"), Id("word", to), emoji="🍀"),
        button(pgettext("button", "Rules"), Id("rules", to), emoji="📖"),
    )


def _once_more(table: Table) -> str:
    """The line that asks those of the match before who are not in yet. It is the only one that mentions people."""
    expected = table.expected()
    if not expected:
        return _("🔁 Playing again: everybody who was asked is in.")
    text = ngettext(
        "🔁 {who} would like to play again. {others}, will you **Join**?",
        "🔁 {who} would like to play again. {others}, will you **Join**?",
        len(expected),
    )
    others = ", ".join(f"<@{user_id}>" for user_id in expected)
    return text.format(who=f"**{_host_name(table)}**", others=others)


def _settings(table: Table, screens: AnyScreens) -> list[str]:
    """The settings that the host has chosen, one line for each."""
    lines = [_("Turn limit: {limit}").format(limit=limit_text(table.body.limit))]
    if chosen := screens.options_text(table.body.options):
        lines.append(chosen)
    return lines


def start_message(table: Table, screens: AnyScreens) -> Screen:
    """The start message, whose id enters the shuffle last. It shows all that was settled before it was posted."""
    screen = Screen(colour=screens.colour)
    screen.text(f"## {screens.title()}", _("▶️ The match begins."))
    screen.rule().text(*_seat_lines(table))
    screen.rule().text(*_settings(table, screens), _commitment(table))
    return screen.buttons(
        button(pgettext("button", "Fairness"), Id(FAIRNESS, table.id), emoji="⚖️"),
        button(pgettext("button", "Rules"), Id("rules", table.id), emoji="📖"),
    )


def left_start_message(table: Table) -> Screen:
    """What the start message shows once the table was moved down. It stays so that its id can be compared."""
    screen = Screen(colour=CALM).text(_("▶️ The match began with this message: its id went into the shuffle."))
    return screen.buttons(to_the_table(table))


def _what_next(table: Table) -> str:
    """What the lobby waits for."""
    if table.starting:
        return _(
            "⏳ Seats and lucky words are settled. The match is about to begin. If it does not, `/{game} end` closes "
            "the lobby."
        ).format(game=table.game.key)
    missing = table.game.min_seats - len(table.seats)
    if missing > 0:
        return ngettext(
            "⏳ {n} more player is needed: **Join**, or **Add Agent** for a computer player.",
            "⏳ {n} more players are needed: **Join**, or **Add Agent** for a computer player.",
            missing,
        ).format(n=missing)
    return _("▶️ Ready when you are: **{host}** starts the match.").format(host=_host_name(table))


def _closed_lobby(screen: Screen, table: Table) -> Screen:
    if table.state is not None:
        screen.text(_("The match has started."), _commitment(table), _mixed_in(table))
        return screen.buttons(to_the_table(table))
    screen.colour = OVER
    return screen.text(ending_text(table, Names(table.seats)))


def _mixed_in(table: Table) -> str:
    """What entered the shuffle besides the sealed seed, shown to everybody before the first move.

    Words stand without a name, because other people may take these seats and names may be deleted.
    """
    return "-# " + _("Mixed in: {parts}").format(parts=", ".join(_parts_mixed_in(table)))


def _parts_mixed_in(table: Table) -> list[str]:
    parts: list[str] = []
    for source, value in table.contributions:
        if source == "start":
            parts.append(_("the id of the start message `{id}`").format(id=value))
        else:
            parts.append(_("the lucky word “{word}”").format(word=escape(value)))
    return parts


def _seats_heading(table: Table) -> str:
    most = table.game.max_seats
    return _("**Seats** · {taken} of {most} taken").format(taken=len(table.seats), most=most)


def _seat_lines(table: Table) -> list[str]:
    lines: list[str] = []
    names = Names(table.seats)
    for number, seat in enumerate(table.seats, 1):
        name = names.escaped(number - 1)
        if seat.user_id is None:
            kind = level_name(seat.agent or "")
            lines.append(f"{number}. 🤖 {name} · {kind}")
            continue
        marks = [pgettext("who opened the table", "host")] if seat.user_id == table.body.host_id else []
        if seat.word:
            marks.append(f"🍀 “{escape(seat.word)}”")
        lines.append(f"{number}. **{name}**" + "".join(f" · {mark}" for mark in marks))
    lines += [
        f"{number}. " + pgettext("seat", "*free*")
        for number in range(len(table.seats) + 1, table.game.min_seats + 1)
    ]
    return lines


def _host_name(table: Table) -> str:
    seat = table.seat_of(table.body.host_id)
    return Names(table.seats).escaped(seat) if seat is not None else "?"


def _commitment(table: Table) -> str:
    return _("-# The shuffle is sealed, and can be checked after the match: SHA-256 `{sealed}`").format(
        sealed=_sealed(table)
    )


def _sealed(table: Table) -> str:
    return commitment(bytes.fromhex(table.body.host_seed))


def seats_drawn(table: Table) -> str:
    """What identifies the state from which a lobby's screen was drawn: how many people sit there."""
    return str(len(table.seats))


def agent_levels(table: Table) -> Screen:
    """The screen that asks which agent to add."""
    screen = Screen(colour=CALM).text(_("How strong should the agent be?"))
    return screen.buttons(
        *[
            button(level_name(level), Id("add", table.id, seats_drawn(table), level))
            for level in table.game.agents
        ]
    )


def play_again(table: Table) -> Id:
    """What the button means that opens the next lobby, or joins the one that somebody has opened by it."""
    return Id("again", table.id)


# -- the table message


def board(
    table: Table, screens: AnyScreens, log: Sequence[LogRow], shown_later: float, notice: str = ""
) -> Screen:
    """The table message of a match: all that is public, the latest turns, whose move it is, and the buttons.

    `log` are the newest rows of the log, `RECENT_ROWS` of them. `shown_later` are the seconds to add to a host time to
    get the time that people are shown. `notice` is what the operator has every table message say while it is live.
    """
    view = table.game.view(table.state, None)
    names = Names(table.seats)
    to = table.id
    screen = Screen(colour=screens.colour)
    screen.items.append(ui.TextDisplay(f"-# **{screens.title()}**", id=TITLE))
    if notice and table.live:
        screen.text(f"📣 {notice}")
    screen.add(screens.board(view, names))
    sheets = [
        button(sheet.label, Id(sheet.intent, to, arg=sheet.arg), emoji=sheet.emoji)
        for sheet in screens.sheets(view, names)
    ]
    before = len(screen.rule().items)
    screen.text(*standing(table, screens, view, names, shown_later))
    room = TEXT_HEIGHT - text_height(screen)
    if room < LEAST_HEIGHT:
        screen.items.pop(0)  # what lies on the table matters more than what the game is called
        before, room = before - 1, room + line_height(f"-# {screens.title()}")
    latest = latest_turns(
        table,
        screens,
        log,
        None,
        min(RECENT, len(table.seats)),
        lambda lines: sum(map(line_height, small_print(lines))) <= room,
    )
    latest = small_print(latest)
    if len(latest) == 1:
        latest = [clipped(latest[0], max(room, LEAST_HEIGHT))]
    if lines := that_fit(screen, latest):
        screen.items.insert(before, ui.TextDisplay("\n".join(lines), id=LATEST_TURNS))
    if table.status == "over" or table.status == "abandoned":
        screen.colour = OVER
        buttons = [
            button(pgettext("button", "Log"), Id("log", to), emoji="📋"),
            button(screens.words().rules, Id("rules", to), emoji="📖"),
            *sheets,
            button(pgettext("button", "Fairness"), Id(FAIRNESS, to), emoji="⚖️"),
        ]
        if table.body.messages.result:
            url = message_url(table, table.body.messages.result)
            buttons.append(link(_("See the Result"), url))
        return screen.buttons(*buttons)
    screen.add(_board_buttons(table, screens, view, sheets))
    seldom: list[ui.Button[Any]] = []
    if _anyone_away(table):
        seldom.append(button(_("I'm Back"), Id("back", to), SUCCESS, emoji="👋"))
    if table.body.end_votes:
        seldom.append(button(_("Agree to End"), Id("agree", to), emoji="🏳️"))
    return screen.buttons(*seldom) if seldom else screen


def _board_buttons(
    table: Table, screens: AnyScreens, view: Any, sheets: Sequence[ui.Button[Any]]
) -> list[Item]:
    """The turn's buttons, and those that everybody may press at any time, in rows that suit a phone."""
    # What only opens the private screen is left out, because everybody has a button for it here.
    moves = [action for action in screens.actions(view) if action.intent != OWN_SCREEN]
    turn = _turn_buttons(table, screens, view, moves)
    general = [
        _own_screen_button(table, screens),
        button(screens.words().rules, Id("rules", table.id), emoji="📖"),
        button(pgettext("button", "Log"), Id("log", table.id), emoji="📋"),
        *sheets,
        button(pgettext("button", "More"), Id("more", table.id)),
    ]
    if len(turn) == 1:
        turn.append(general.pop(0))
    return Screen().buttons(*turn).buttons(*general).items


def _turn_buttons(
    table: Table, screens: AnyScreens, view: Any, actions: Sequence[Action]
) -> list[ui.Button[Any]]:
    """The buttons of these actions for whoever is asked; none while an agent is."""
    waiting = [decision for decision in view.pending if not played_by_agent(table, decision.seat)]
    if table.status != "playing" or not waiting:
        return []
    drawn = drawn_from(table, waiting[0])
    return [
        button(action.label, Id(action.intent, table.id, drawn, action.arg), PRIMARY, emoji=action.emoji)
        for action in actions
    ]


def _own_screen_button(table: Table, screens: AnyScreens) -> ui.Button[Any]:
    words = screens.words()
    return button(words.own_screen, Id(OWN_SCREEN, table.id), SUCCESS, emoji=words.own_screen_emoji)


def turn_rows(table: Table, screens: AnyScreens, view: Any) -> list[ui.ActionRow[Any]]:
    """The rows of buttons on an announcement: the turn's, the private screen, and the way to the table."""
    buttons = [
        *_turn_buttons(table, screens, view, screens.actions(view)),
        _own_screen_button(table, screens),
        to_the_table(table),
    ]
    return [ui.ActionRow(*buttons[first : first + 5]) for first in range(0, len(buttons), 5)]


def sheet(table: Table, screens: AnyScreens, pressed: Pressed) -> Screen:
    """What anybody may look up at a table, as a spectator sees it."""
    view = table.game.view(table.state, None)
    screen = Screen(colour=screens.colour)
    return screen.add(screens.sheet(view, Names(table.seats), pressed, Id("", table.id)))


def small_print(lines: Iterable[str]) -> list[str]:
    return [f"-# {line}" for line in lines]


def that_fit(screen: Screen, lines: list[str]) -> list[str]:
    """The newest of these lines, as many as the message has room for in addition to the screen's other texts."""
    room = MESSAGE_TEXT - sum(
        utf16_length(item.content) for item in screen.items if isinstance(item, ui.TextDisplay)
    )
    for first in range(len(lines)):
        if utf16_length("\n".join(lines[first:])) <= room:
            return lines[first:]
    return []


def _anyone_away(table: Table) -> bool:
    def away(number: int) -> bool:
        seat = table.seats[number]
        if seat.user_id is None:
            return seat.left_by is not None
        return played_by_agent(table, number)

    return any(away(number) for number in range(len(table.seats)))


def standing(table: Table, screens: AnyScreens, view: Any, names: Names, shown_later: float) -> list[str]:
    """Whose move it is and by when, who may choose already, and who wants to end the match; or how it has ended."""
    if table.status == "over":
        winners = [names.bold(seat) for seat in view.outcome.winners]
        won = ngettext("🏆 {names} wins the match.", "🏆 {names} share the victory.", len(winners))
        return [won.format(names=listing(winners))]
    if table.status == "abandoned":
        return [ending_text(table, names)]
    if table.status == "paused":
        if _anyone_away(table):
            return [_("⏸️ The match is paused: nobody is here to play. **I'm Back** goes on with it.")]
        return [_("⏸️ The match is paused: nobody is here to play. Take over a seat under **More** to go on.")]
    lines: list[str] = []
    deadlines = [_deadline(table, decision.seat) for decision in view.pending]
    for decision, deadline, following in zip(view.pending, deadlines, [*deadlines[1:], None], strict=True):
        line = "▶️ " + screens.public_prompt(view, decision.seat, names)
        if deadline and deadline != following:  # who has as much time is asked in a row, which tells it once
            line += " " + _("Time runs out {when}.").format(when=f"<t:{int(deadline + shown_later)}:R>")
        lines.append(line)
    if early := [seat for seat in table.body.expected if not played_by_agent(table, seat)]:
        # Whoever has chosen already is named all the same, or the others could tell.
        text = ngettext("{names} may choose now too.", "{names} may choose now too.", len(early))
        lines.append("-# ⏳ " + text.format(names=listing([names.bold(seat) for seat in early])))
    votes = table.body.end_votes
    if votes:
        wish = ngettext("🏳️ {names} wants to end the match.", "🏳️ {names} want to end the match.", len(votes))
        how = _("It ends once everybody who is here agrees.")
        lines.append(wish.format(names=listing([names.bold(seat) for seat in votes])) + " " + how)
    return lines


def _deadline(table: Table, seat: int) -> float | None:
    """When a person's time runs out who is asked; None for agents, for those who have no limit, and for all others."""
    asked = table.body.asked.get(seat)
    return asked.deadline if asked and not played_by_agent(table, seat) else None


# -- what one person sees


def more(table: Table, screens: AnyScreens, user_id: int, *, manages: bool) -> Screen:
    """The screen with what is seldom needed: the private text by direct message, leaving, taking over, ending."""
    screen = Screen(colour=CALM)
    to = table.id
    names = Names(table.seats)
    seated = table.seat_of(user_id) is not None
    screen.text(_("### More"))
    if seated:
        screen.buttons(
            button(screens.words().send_by_dm, Id("dm", to), emoji="✉️"),
            button(_("Leave the Match"), Id("leave", to)),
            button(_("End the Match"), Id("end", to), DANGER),
        )
    else:
        own = [number for number, seat in enumerate(table.seats) if seat.left_by == user_id]
        if own:
            screen.text(_("You left this match; an agent plays on for you."))
            screen.buttons(button(_("I'm Back"), Id("back", to), SUCCESS, emoji="👋"))
        elif free := [number for number, seat in enumerate(table.seats) if seat.user_id is None]:
            screen.text(_("You do not sit at this table. You can take over from an agent:"))
            screen.buttons(
                *[
                    button(
                        _("Take Over from {name}").format(name=names.bare(seat)),
                        Id("take-over", to, arg=str(seat)),
                        SUCCESS,
                    )
                    for seat in free
                ]
            )
        else:
            screen.text(_("You do not sit at this table, and no seat is free to take over."))
        if manages:
            screen.buttons(button(_("End the Match"), Id("end", to), DANGER))
    screen.buttons(button(pgettext("button", "Fairness"), Id(FAIRNESS, to), emoji="⚖️"))
    screen.text(
        _("-# `/{game} table` brings the table to the bottom of the channel.").format(game=table.game.key)
    )
    return screen


def confirm(text: str, label: str, to: Id) -> Screen:
    """A question before something that cannot be undone."""
    return Screen(colour=CALM).text(text).buttons(button(label, to, DANGER))


def ask_end(table: Table, *, alone: bool) -> Screen:
    """The question before a match or a lobby is ended, or before a wish to end it is noted."""
    if table.status == "lobby":
        return confirm(
            _("This closes the lobby: nobody can join any more."),
            _("Close the Lobby"),
            Id("end-now", table.id),
        )
    if alone:
        text = _("This ends the match for everybody, without a winner.")
    else:
        text = _("The match ends, without a winner, once everybody who is here agrees.")
    return confirm(text, _("End the Match"), Id("end-now", table.id))


def wish_noted(table: Table) -> Screen:
    """Tells a person who wishes to end the match whose consent is missing, and how to take the wish back."""
    names = Names(table.seats)
    others = [names.bold(seat) for seat in undecided(table)]
    text = ngettext(
        "You want to end the match. It ends once {names} agrees too.",
        "You want to end the match. It ends once {names} agree too.",
        len(others),
    ).format(names=listing(others))
    return Screen(colour=CALM).text(text).buttons(button(_("Play On"), Id("play-on", table.id), SUCCESS))


def say(text: str) -> Screen:
    """A screen with a sentence for one person."""
    return Screen(colour=CALM).text(text)


def log_page(
    table: Table, screens: AnyScreens, log: Sequence[LogRow], viewer: int | None, page: int | None
) -> Screen:
    """A page of the whole log, the last one unless another is wanted."""
    # The numbers are escaped so that they form no list, which some clients would number from 1 on each page.
    lines = [f"{number}\\. {line}" for number, line in enumerate(log_lines(table, screens, log, viewer), 1)]
    pages = _pages(lines or [_("Nothing yet.")])
    page = len(pages) - 1 if page is None else min(max(page, 0), len(pages) - 1)
    screen = Screen(colour=CALM)
    screen.text(_("### The match so far · {page} of {pages}").format(page=page + 1, pages=len(pages)))
    screen.text(*pages[page])
    return _pager(screen, Id("log", table.id), page, len(pages))


def _pages(lines: Sequence[str]) -> list[list[str]]:
    """The lines divided into pages that are easy to read. A page has fewer lines if these are long."""
    pages: list[list[str]] = []
    room = 0
    for line in lines:
        room -= utf16_length(line) + 1
        if room < 0 or len(pages[-1]) >= LOG_PAGE:
            pages.append([])
            room = LOG_TEXT - utf16_length(line) - 1
        pages[-1].append(line)
    return pages


def rules_page(screens: AnyScreens, table: Table | None, page: int) -> Screen:
    """A page of the rules. In a match the page comes first that is looked up most."""
    pages = rules_and_credits(screens, in_match=table is not None and table.state is not None)
    page = min(max(page, 0), len(pages) - 1)
    screen = Screen(colour=screens.colour)
    screen.text(f"### {pages[page].title} · {page + 1}/{len(pages)}", pages[page].text)
    to = Id("rules", table.id) if table else Id(f"rules.{screens.game}")
    return _pager(screen, to, page, len(pages))


def _pager(screen: Screen, to: Id, page: int, pages: int) -> Screen:
    if pages > 1:
        screen.buttons(
            button(
                pgettext("button: the page before", "Back"),
                to._replace(intent=f"{to.intent}-page", arg=f"{page - 1}"),
                disabled=page == 0,
            ),
            button(
                pgettext("button: the page after", "Next"),
                to._replace(intent=f"{to.intent}-page", arg=f"{page + 1}"),
                disabled=page == pages - 1,
            ),
        )
    return screen


# -- the end


def ended(table: Table, screens: AnyScreens, log: Sequence[LogRow]) -> Screen:
    """The message that ends a match. It names everybody who sits there, in a way that can mention them.

    `log` is the whole log.
    """
    return result(table, screens, log) if table.status == "over" else _farewell(table, screens)


def _farewell(table: Table, screens: AnyScreens) -> Screen:
    """The message about a match that ended before its end: why, and by whom."""
    screen = Screen(colour=OVER)
    screen.text(f"## {screens.title()}", "🏁 " + ending_text(table, Names(table.seats)), *_everybody(table))
    return _after_the_end(screen, table, screens)


def _everybody(table: Table) -> list[str]:
    """A line that mentions all people who sit there; none if only agents do."""
    people = [f"<@{seat.user_id}>" for seat in table.seats if seat.user_id is not None]
    return ["-# " + " ".join(people)] if people else []


def result(table: Table, screens: AnyScreens, log: Sequence[LogRow]) -> Screen:
    """The message that ends a match: who won, the ranks and what made them, what was worth remembering, Play Again.

    `log` is the whole log.
    """
    view = table.game.view(table.state, None)
    names = Names(table.seats)
    winners = [names.bold(seat) for seat in view.outcome.winners]
    won = ngettext("🏆 {names} wins!", "🏆 {names} share the victory!", len(winners))
    screen = Screen(colour=screens.colour)
    heading = f"## {won.format(names=listing(winners))}"
    screen.text(heading, f"{screens.title()} · {_how_long(table, log)}", *_everybody(table))
    screen.rule().text(*screens.result(view, names))
    if lines := that_fit(screen, screens.highlights(_public_events(log), view, names)[::-1]):
        screen.rule().text(*lines[::-1])
    return _after_the_end(screen, table, screens)


def _after_the_end(screen: Screen, table: Table, screens: AnyScreens) -> Screen:
    watch_again = [replay_button(table)] if has_pictures(screens) else []
    return screen.buttons(
        button(_("Play Again"), play_again(table), SUCCESS, emoji="🔁"),
        *watch_again,
        button(pgettext("button", "Log"), Id("log", table.id), emoji="📋"),
        button(pgettext("button", "Fairness"), Id(FAIRNESS, table.id), emoji="⚖️"),
        link(_("See the Table"), table_url(table)),
    )


def replay_button(table: Table) -> ui.Button[Any]:
    """The button that shows a match as a film."""
    return button(pgettext("button", "Replay"), Id(REPLAY, table.id), emoji="🎬")


def _how_long(table: Table, log: Sequence[LogRow]) -> str:
    """How long a match took that is over, in time and in moves."""
    began = next((row.at for row in log if row.source != "table"), table.changed_at)
    ended = table.changed_at if table.ended_at is None else table.ended_at
    moves = ngettext("{n} move", "{n} moves", table.sequence).format(n=table.sequence)
    return f"{duration_text(max(0, ended - began))} · {moves}"


def _public_events(log: Sequence[LogRow]) -> list[Told]:
    """What the log holds of the match itself, as a spectator saw it."""
    events = [load_event(json.loads(row.event)) for row in log if row.source != "table"]
    return [Told(event.kind, event.seat, event.facts) for event in events]


def fairness(table: Table, record: str | None) -> Screen:
    """Explains how the shuffle is kept fair (docs/fairness.md). Once the match has ended, it also shows the seed.

    `record` is the name of the attached file with the record, if there is one.
    """
    screen = Screen(colour=CALM)
    screen.text(
        _("### Is the shuffle fair?"),
        _(
            "Before anyone joined, I drew a secret seed and showed its fingerprint in the lobby. When the match "
            "started, lucky words and the id of the start message were mixed in. All chance of the match comes from "
            "these alone, so from then on nobody could change any of it."
        ),
    )
    lines = [_("**Fingerprint** (SHA-256): `{sealed}`").format(sealed=_sealed(table))]
    if not table.live:
        lines.append(_("**Seed**: `{seed}`").format(seed=table.body.host_seed))
    lines.append(_("**Mixed in**: {parts}").format(parts=", ".join(_parts_mixed_in(table))))
    screen.rule().text(*lines)
    if record is None:
        return screen.rule().text(_("The seed is shown once the match has ended."))
    screen.rule().text(
        _(
            "The file holds the whole match, move by move and without names. Anyone can replay it with Digsite, by "
            "`digsite verify {file}`, and check that every shuffle and every throw came out as recorded. Compare the "
            "fingerprint with the one "
            "that you saw in the lobby."
        ).format(file=record)
    )
    return screen.add([ui.File(f"attachment://{record}")])
