"""The lobby message and the start message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.language import gettext as _
from bot.language import listing, ngettext, pgettext
from bot.tables.guests import AFTER_REFUSAL
from bot.tables.hints import may_take
from bot.tables.lobby import may_start_alone
from bot.tables.model import HOUR, USUAL_PACE, Table
from bot.ui.screens import components as ui
from bot.ui.screens.components import SECONDARY, SUCCESS
from bot.ui.screens.fairness import commitment_line, fairness_button, mixed_in_line
from bot.ui.screens.fitting import small_print
from bot.ui.screens.forms import CHANGE_SETTINGS, SETTINGS
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import OFF, ON, Id
from bot.ui.screens.kit import (
    CALM,
    OVER,
    Button,
    Item,
    Option,
    Screen,
    button,
    escape,
    menus,
    table_url,
    to_the_table,
)
from bot.ui.screens.lessons import offer
from bot.ui.screens.names import NO_BREAK, Names
from bot.ui.screens.same_deal import code_lines, same_deal_line
from bot.ui.screens.words import (
    catching_up,
    ending_text,
    level_name,
    level_style,
    limit_text,
    match_line,
    on_holiday,
    own_line,
    pace_text,
)
from engine.agents.advice import adviser_of

CHALLENGE: Final = "challenge"
"""The intent of the buttons that open a lobby for a challenge. The argument is the game and the challenged person."""

MORE: Final = "lobby-more"
"""The intent of the button that shows a lobby's rules and settings."""
AGENTS: Final = "agents"
"""The intent of the menu that seats agents."""
NO_AGENTS: Final = "0"
"""The value of its option without agents. Those of the others are the agents' levels."""
DECLINE: Final = "decline"
"""The intent of the button by which a person who was asked to join a lobby declines."""


def lobby(table: Table, screens: AnyScreens, notice: str = "") -> Screen:
    """The lobby message: seats, options, the commitment, and the buttons to join and start.

    `notice` is the operator's sentence for every table message.
    """
    screen = Screen(colour=screens.colour)
    if table.status != "lobby":
        return _closed_lobby(screen.text(f"## {screens.title()}"), table)
    screen.text(
        *filter(None, (f"## {screens.title()}", screens.summary())), f"-# {match_line(table.game, screens)}"
    )
    if notice:
        screen.text(f"📣 {notice}")
    if table.body.guests and not table.starting:
        if table.body.matched:
            asking = _matched(table)
        else:
            asking = _challenge(table) if table.body.rematch_of is None else _once_more(table)
        if asking:
            screen.rule().text(asking)
    taken = _("**Seats** · {taken} of {most} taken").format(taken=len(table.seats), most=table.game.max_seats)
    screen.rule().text(taken, *_seat_lines(table, screens))
    to = table.id
    if not table.starting:
        screen.items += _agents_menu(table)
    screen.rule().text(*_settings(table, screens), _what_next(table), *catching_up(table))
    if table.starting:
        screen.buttons(button(pgettext("button", "Rules"), Id("rules", to), emoji="📖"))
        return screen.text(commitment_line(table))
    alone = may_start_alone(table)
    label, can_start = _("Start Match"), alone or len(table.seats) >= table.game.min_seats
    if alone:
        label = _("Start Against a Novice")
    has_room = len(table.seats) < table.game.max_seats
    screen.buttons(  # the host's first: Join is for others, and the message is the same for all
        button(label, Id("start", to, arg=ON * alone), SUCCESS if can_start else SECONDARY, emoji="▶️"),
        *([button(pgettext("button", "Join"), Id("join", to), emoji="🪑")] if has_room else []),
    )
    screen.buttons(
        *([button(_("Not This Time"), Id(DECLINE, to))] if table.expected() else []),
        button(pgettext("button", "Leave"), Id("leave-lobby", to)),
        *_hints_switch(table, alone=False),
        button(_("Rules & Settings"), Id(MORE, to), emoji="⚙️"),
    )
    return screen.text(commitment_line(table))


def _agents_menu(table: Table) -> list[Item]:
    """The menu of the computer players: none, so many of a level, or one more beside those at the table."""
    seated = [seat.agent or "" for seat in table.seats if seat.user_id is None]
    free = table.game.max_seats - len(table.seats)
    options = {NO_AGENTS: Option(_("No computer players"), NO_AGENTS)}
    for level in table.game.agents:
        for number in range(1, free + len(seated) + 1):
            value, about = ".".join([level] * number), level_style(level) if number == 1 else ""
            options[value] = Option(f"{number} × {level_name(level)}", value, about, "🤖")
    for level in table.game.agents if seated and free else ():
        value = ".".join([*seated, level])
        one_more = Option(_("One more: {level}").format(level=level_name(level)), value, emoji="🤖")
        options.setdefault(value, one_more)
    value = ".".join(seated) or NO_AGENTS
    options.setdefault(value, Option(listing([*map(level_name, seated)]), value, emoji="🤖"))
    return menus(Id(AGENTS, table.id), _("Computer players"), [*options.values()], chosen=[value])


def lobby_more(table: Table, screens: AnyScreens) -> Screen:
    """Behind one button of a lobby: its settings, the rules, the lesson, the link, and lucky words."""
    to = table.id
    word = _(
        "🍀 Your **Lucky Word** is mixed into the shuffle, beside a secret seed whose fingerprint stands in the lobby. "
        "So no one can have chosen the deal, not even I."
    )
    screen = Screen(colour=CALM).text(f"### {screens.title()}", *_settings(table, screens))
    if odds := _odds(table, screens):
        screen.text(*small_print([odds]))
    screen.rule().text(*small_print([word]))
    return screen.buttons(
        *_hints_switch(table, alone=True),
        button(pgettext("button", "Rules"), Id("rules", to), emoji="📖"),
        *offer(screens.lesson, Id("", to)),
        button(pgettext("button", "Settings"), Id(SETTINGS, to), emoji="⚙️"),
        button(_("Lucky Word"), Id("word", to), emoji="🍀"),
        button(pgettext("button", "Invite"), Id("invite", to), emoji="🔗"),
    )


def _hints_switch(table: Table, *, alone: bool) -> list[ui.Button]:
    """The button that switches hints: for several people in the lobby itself, because there they are off at first."""
    if adviser_of(table.game) is None or (len(table.people()) < 2) != alone:
        return []
    label, switched = (_("No Hints"), OFF) if table.hints else (_("Allow Hints"), ON)
    return [button(label, Id(CHANGE_SETTINGS, table.id, arg=switched), emoji="🦉")]


def _odds(table: Table, screens: AnyScreens) -> str:
    """How often a person who knows the lesson beats each level; of levels above, less often. Empty if not known."""
    wins = {level: one.lesson_wins for level, one in screens.opponents().items() if screens.lesson}
    odds: list[str] = []
    for level in table.game.agents:
        won, of = wins.get(level) or (0, 0)
        # Translators: how many matches people win against a level: “Novice 2 in 3”.
        text = _("{level} {won} in {of}") if of else _("{level} less often")
        odds += [text.format(level=level_name(level), won=won, of=of)] if of or odds else []
    text = _("🤖 After the lesson, **Learn**, people win about: {odds}.")
    return text.format(odds=" · ".join(odds)) if odds else ""


def invitation(table: Table, screens: AnyScreens, *, code: str | None = None) -> Screen:
    """The screen with a lobby's address, to be shared in other channels and messages.

    The host also sees the `code` with which other tables get the same deal.
    """
    free = table.game.max_seats - len(table.seats)
    seats = ngettext("{n} seat is free", "{n} seats are free", free).format(n=free)
    screen = Screen(colour=CALM).text(
        _(
            "Share this link wherever your friends are. It leads everyone who can see this channel to the lobby:"
        ),
        f"```\n{table_url(table)}\n```",
        f"-# {screens.title()} · {seats}",
    )
    if code is not None and table.body.same_of is None and not table.in_group:
        screen.rule().text(*code_lines(table.game.key, code))  # only tables of a server can share a deal
    return screen


def _challenge(table: Table) -> str:
    """The line that asks the challenged people who have not joined yet; empty if all have."""
    others = ", ".join(f"<@{user_id}>" for user_id in table.expected())
    text = _("🪑 {who} would like to play with {others}. Will you **Join**?")
    return text.format(who=f"**{_host_name(table)}**", others=others) if others else ""


def _matched(table: Table) -> str:
    """The line that calls the people who have found each other by `/play`; empty if they have left."""
    people = ", ".join(f"<@{user_id}>" for user_id in table.matched())
    text = _(
        "🪑 You have found each other: {people}. **{host}** starts the match. Changed your mind? Press **Leave**."
    )
    return text.format(people=people, host=_host_name(table)) if people else ""


def asked_silently(table: Table, notified: Sequence[int]) -> str:
    """The line for the person who opened a lobby about the guests whom it does not notify; empty without any."""
    people = [f"<@{user_id}>" for user_id in table.expected() if user_id not in notified]
    text = _(
        "🔕 I didn't notify {people}: I ask silently in people's quiet hours, soon after somebody else has asked, and "
        "where they have chosen so. The lobby names them, and a seat is kept for them."
    )
    return text.format(people=listing(people)) if people else ""


def declined(table: Table) -> Screen:
    """The answer to a person who declines to join a lobby."""
    text = _(
        "You have declined. Only **{host}** is told, by direct message. **Join** works while a seat is free."
    )
    again = _(
        "For {n} hours you can't be challenged again by the same person. `/settings` says who may at all."
    )
    screen = Screen(colour=CALM).text(text.format(host=_host_name(table)))
    return screen.text(*small_print([again.format(n=int(AFTER_REFUSAL // HOUR))]))


def has_declined(table: Table, screens: AnyScreens, person: int) -> Screen:
    """The direct message that tells a lobby's host that a person declines."""
    text = _(
        "{person} does not want to play **{game}** this time. Their seat in your lobby is free for others."
    )
    return (
        Screen(colour=CALM)
        .text(text.format(person=f"<@{person}>", game=screens.title()))
        .buttons(*to_the_table(table))
    )


def challenge(person: int, games: Mapping[str, AnyScreens]) -> Screen:
    """The screen that asks for the game of a challenge."""
    screen = Screen(colour=CALM).text(
        _("### A challenge"),
        _("A lobby opens in this channel, and {person} is asked to join it. Which game?").format(
            person=f"<@{person}>"
        ),
    )
    return screen.buttons(
        *[button(screens.title(), Id(CHALLENGE, arg=f"{game}.{person}")) for game, screens in games.items()]
    )


def _once_more(table: Table) -> str:
    """The line that asks players of the previous match who have not joined yet. No other line mentions people."""
    expected = table.expected()
    if not expected:
        return _("🔁 Playing again: everyone who was asked is in.")
    text = ngettext(
        "🔁 {who} would like to play again. {others}, will you **Join**?",
        "🔁 {who} would like to play again. {others}, will you **Join**?",
        len(expected),
    )
    others = ", ".join(f"<@{user_id}>" for user_id in expected)
    return text.format(who=f"**{_host_name(table)}**", others=others)


def _settings(table: Table, screens: AnyScreens) -> list[str]:
    lines = [_("Turn limit: {limit}").format(limit=limit_text(table.body.limit))]
    if table.is_solo and table.body.pace != USUAL_PACE:
        lines.append(_("Computer players' pace: {pace}").format(pace=pace_text(table.body.pace)))
    if may_take(table):
        alone = len(table.people()) < 2  # such a match is not rated anyway
        lines.append(_("🦉 Hints: allowed.") if alone else _("🦉 Hints: allowed. The match is not rated."))
    elif adviser_of(table.game) is not None and len(table.people()) > 1:
        lines.append(_("🦉 Hints: off, as several people play. The host can allow them."))
    if chosen := options_text(screens, table.body.options):
        lines.append(chosen)
    if shared := same_deal_line(table):
        lines.append(shared)
    return lines


def options_text(screens: AnyScreens, options: Mapping[str, Any]) -> str:
    """The game's options that the host has chosen, in a line with their titles; empty without any."""
    shown = [
        f"{setting.title}: {text}"
        for name, setting in screens.settings().items()
        if (text := setting.in_lobby(options.get(name)))
    ]
    return " · ".join(shown)


def start_message(table: Table, screens: AnyScreens) -> Screen:
    """The start message, whose id enters the shuffle last. It shows the seats, words and settings as frozen before."""
    screen = Screen(colour=screens.colour)
    screen.text(f"## {screens.title()}", _("▶️ The match begins."))
    screen.rule().text(*_seat_lines(table, screens))
    screen.rule().text(*_settings(table, screens), commitment_line(table))
    return screen.buttons(
        fairness_button(table.id),
        button(pgettext("button", "Rules"), Id("rules", table.id), emoji="📖"),
    )


def left_start_message(table: Table) -> Screen:
    """The start message after the table was moved down. It is not deleted, so that its id can be compared."""
    screen = Screen(colour=CALM).text(_("▶️ The match began with this message: its ID went into the shuffle."))
    return screen.buttons(*_to_the_board(table))


def _to_the_board(table: Table) -> list[Button]:
    """The button that leads from a message that stays to the board. In a group DM the board moves with each call."""
    return [] if table.in_group else to_the_table(table)


def _what_next(table: Table) -> str:
    if table.starting:
        return _(
            "⏳ Seats and lucky words are settled. The match is about to begin. If it does not, `/{game} end` closes "
            "the lobby."
        ).format(game=table.game.key)
    if may_start_alone(table):
        text = _(
            "▶️ **{host}** can start against a Novice at once. Others may **Join**; the menu adds computer players."
        )
        return text.format(host=_host_name(table))
    missing = table.game.min_seats - len(table.seats)
    if missing > 0:
        return ngettext(
            "⏳ {n} more player is needed: a friend by **Join**, or a computer player by the menu.",
            "⏳ {n} more players are needed: friends by **Join**, or computer players by the menu.",
            missing,
        ).format(n=missing)
    text = _("▶️ Ready when you are: **{host}** starts the match; others may **Join**.")
    if len(table.seats) == table.game.max_seats:
        text = _("▶️ Ready when you are: **{host}** starts the match.")
    return text.format(host=_host_name(table))


def _closed_lobby(screen: Screen, table: Table) -> Screen:
    if table.state is not None:
        screen.text(_("The match has started."), mixed_in_line(table))
        return screen.buttons(*_to_the_board(table))
    screen.colour = OVER
    return screen.text(ending_text(table, Names(table.seats)))


def _seat_lines(table: Table, screens: AnyScreens) -> list[str]:
    """The holders of the seats, and below each agent what it says of its play."""
    lines: list[str] = []
    names = Names(table.seats)
    for number, seat in enumerate(table.seats, 1):
        name = names.escaped(number - 1)
        if seat.user_id is None:
            kind = level_name(seat.agent or "")
            lines.append(f"{number}. 🤖{NO_BREAK}{name} · {kind}")
            lines += small_print(filter(None, [own_line(table, screens, number - 1)]))
            continue
        marks = [pgettext("who opened the table", "host")] if seat.user_id == table.body.host_id else []
        if seat.holiday is not None:
            marks.append(on_holiday(seat.holiday))
        if seat.word:
            # Translators: {word} is a player's lucky word, beside their name.
            marks.append(_("🍀 “{word}”").format(word=escape(seat.word)))
        lines.append(f"{number}. **{name}**" + "".join(f" · {mark}" for mark in marks))
    return lines


def _host_name(table: Table) -> str:
    seat = table.seat_of(table.body.host_id)
    return Names(table.seats).escaped(seat) if seat is not None else "?"


def play_again(table: Table) -> Id:
    """The id of the button that opens the next lobby, or joins it if somebody else has already opened it."""
    return Id("again", table.id)


def opened_table(table: Table, screens: AnyScreens) -> Screen:
    """The announcement of a table in another channel."""
    host = next((n for n, seat in enumerate(table.seats) if seat.user_id == table.body.host_id), 0)
    text = _("**{who}** has opened a table of **{game}** in {channel}.").format(
        who=Names(table.seats).escaped(host), game=screens.title(), channel=f"<#{table.shown_in}>"
    )
    return Screen(colour=CALM).text(text).buttons(*to_the_table(table))
