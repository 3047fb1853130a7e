"""Shared by handlers: readers of a press, and the private screen or a refusal as an answer, also on old screens."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from discord import ui

from bot.language import gettext as _
from bot.observability.context import set_outcome
from bot.store.model import StoreError
from bot.tables.absence import wake
from bot.tables.model import Table
from bot.tables.refusals import Refused, Stale
from bot.tables.secrecy import check_may_look
from bot.ui.display.state import PrivateScreen
from bot.ui.handlers import Handler, HandlerContext, check_is_ours
from bot.ui.interaction import UNDELIVERED, Interaction, Reply
from bot.ui.screens.forms import Question, form, read_input
from bot.ui.screens.game_screens import GAME_INTENTS, Pressed, Selection, meant_by
from bot.ui.screens.ids import OFF, ON, Id, read_number
from bot.ui.screens.kit import Choices, Screen, escape, menu_number, read_choices, read_label, to_the_table
from bot.ui.screens.messages import free_seats, say
from bot.ui.screens.refusals import refusal
from engine.errors import IllegalMove
from engine.game import own_decision

log = logging.getLogger(__name__)


def number_of(interaction: Interaction) -> int:
    """The number in the argument of the pressed component. Raises `Refused` if the argument is no number."""
    number = read_number(interaction.to.arg)
    if number is None:
        raise Refused("unknown")
    return number


def is_on(interaction: Interaction) -> bool:
    """Whether the pressed button switches its choice on. Raises `Refused` if it says neither on nor off."""
    if interaction.to.arg not in (ON, OFF):
        raise Refused("unknown")
    return interaction.to.arg == ON


def open_form(title: str, to: Id, labels: Iterable[ui.Label[Any]]) -> Reply:
    """Opens a form. The button that opens it has the same name."""
    late = _("I was too slow to open the form. Please press **{button}** once more.").format(button=title)
    return Reply(say(late), modal=form(title, to, labels))


def read_changes(interaction: Interaction, questions: Sequence[Question]) -> dict[str, str]:
    """The answers of a submitted form that differ from what the form showed, by question.

    So two forms that are open at once do not undo each other's changes. A question with several answers has one entry
    for each option, ON or OFF. An answer to a question that is not asked now is left out. Raises `Refused` if an answer
    is not among the options now, or if the form answers none of the questions.
    """
    asked = {question.name: question for question in questions}
    inputs = [(*read_input(custom_id), values) for custom_id, values in interaction.inputs.items()]
    if not any(name in asked for name, _shown, _values in inputs):
        raise Refused("unknown")
    changes: dict[str, str] = {}
    for name, shown, values in inputs:
        if (question := asked.get(name)) is None:
            continue
        offered = {option.value for option in question.options}
        if not offered.issuperset(values) or not (question.several or len(values) == 1):
            raise Refused("unknown")
        if question.several:
            changes |= {each: ON if each in values else OFF for each in offered & ({*values} ^ {*shown})}
        elif values != shown:
            changes[name] = values[0]
    return changes


def check_on_lobby(interaction: Interaction) -> None:
    """Raises `Refused` if the pressed button is on no public message, as a lobby's buttons are."""
    if not interaction.on_public:
        raise Refused("unknown")


def check_manages(interaction: Interaction) -> None:
    """Raises `Refused` unless the person manages the server."""
    if not interaction.manages_server:
        raise Refused("not-manager")


def choices_of(interaction: Interaction) -> Choices:
    """The present choices in all menus of the pressed message, by intent."""
    by_menu = read_choices(interaction.message)
    if "values" in _data(interaction):
        by_menu.setdefault(interaction.to.intent, {})[menu_number(interaction.to)] = interaction.values
    return {
        intent: [value for chosen in menus.values() for value in chosen] for intent, menus in by_menu.items()
    }


def label_of(interaction: Interaction) -> str:
    """The label of the pressed button, or of the chosen options of a menu; "" if the message does not contain it."""
    return read_label(interaction.message, str(_data(interaction).get("custom_id", "")), interaction.values)


def _data(interaction: Interaction) -> Mapping[str, Any]:
    return interaction.raw.data or {}


async def own_screen(
    context: HandlerContext,
    interaction: Interaction,
    table: Table,
    seat: int,
    *,
    choices: Choices | None = None,
    remark: str = "",
) -> Reply:
    """The private screen of a seat, brought up to date with its table from then on. Choices not given are those of
    the person's earlier screen.
    """
    if choices is None:
        choices = context.presenter.private.laid_aside(table, seat)
    private = PrivateScreen(interaction.user_id, seat, interaction.locale, choices, remark)
    return await following(context, interaction, table, private)


async def following(
    context: HandlerContext, interaction: Interaction, table: Table, private: PrivateScreen
) -> Reply:
    """The answer with a private screen of the presser that is then brought up to date with its table."""
    screen = await context.presenter.private.draw(table, private)

    async def follow(message: int | None) -> None:
        private.sent(interaction.token, message, interaction.attachments)
        view = screen.view()
        private.digest = view.digest
        if view.lacks_files:
            private.inputs = None
        await context.presenter.private.opened(table, private)

    return Reply(screen, "update", on_delivered=follow, is_followed=True)


async def show_hand_below(
    context: HandlerContext, interaction: Interaction, table_id: int, pressed: int | None = None
) -> None:
    """Sends the presser's private screen after an answer, as the newest message: a phone shows that one.

    The screen takes the place of the private message `pressed`.
    """
    try:
        table = await context.tables.get(table_id)
        if table.under_way and (seat := table.seat_of(interaction.user_id)) is not None:
            await interaction.follow_up(await own_screen(context, interaction, table, seat))
        if pressed is not None and interaction.token is not None:
            await interaction.token.delete(pressed)
    except (Refused, StoreError, *UNDELIVERED) as error:
        log.info("table %s: the hand was not sent after the start (%s)", table_id, type(error).__name__)


async def watching(context: HandlerContext, interaction: Interaction, table: Table) -> Reply:
    """The answer with the screen of a presser without a seat, who watches the match or has left it."""
    return await following(
        context, interaction, table, PrivateScreen(interaction.user_id, None, interaction.locale)
    )


DrawPage = Callable[[Table], Screen]
"""Draws a page that changes with its table."""


def as_page(
    context: HandlerContext,
    interaction: Interaction,
    table: Table,
    reply: Reply,
    draw: DrawPage | None = None,
) -> Reply:
    """A page that a seated person looks up during a match: it takes the place of their private screen.

    Any other answer is returned as it is.
    """
    if table.seat_of(interaction.user_id) is None or not table.under_way:
        return reply
    return _page(context, interaction, table, replace(reply, mode="update"), draw)


def _page(
    context: HandlerContext,
    interaction: Interaction,
    table: Table,
    reply: Reply,
    draw: DrawPage | None = None,
) -> Reply:
    """The reply as a page of this table. The presser's next private screen of the table takes its place."""
    seat, shown = table.seat_of(interaction.user_id) if table.under_way else None, reply.screen or Screen()
    page = PrivateScreen(interaction.user_id, seat, interaction.locale, page=draw or (lambda _table: shown))

    async def follow(message: int | None) -> None:
        page.sent(interaction.token, message, interaction.attachments)
        if reply.on_delivered is not None:
            await reply.on_delivered(message)
        await context.presenter.private.opened(table, page)

    return replace(reply, on_delivered=follow, is_followed=True)


async def moved_to_bottom(context: HandlerContext, interaction: Interaction, table: Table) -> Table:
    """A private match, which goes with its person: the process that gets their presses updates the screen.

    Any other table is returned as it is. Raises `Refused` if the person may not look at the match at this time.
    """
    check_may_look(table, interaction.user_id, context.tables.utc)
    if not table.is_private or not table.live or table.guild_id == interaction.shard_guild:
        return table
    async with context.tables.change(table.id) as draft:
        draft.table.guild_id = interaction.shard_guild
        wake(draft)
        draft.touch()
    return draft.table


async def seated(context: HandlerContext, interaction: Interaction) -> tuple[Table, int]:
    """The table of a match, and the presser's seat. Raises `Refused` if there is no such seat or no match."""
    table = await context.tables.get(interaction.to.table)
    seat = table.seat_of(interaction.user_id)
    if seat is None:
        raise not_here(table)
    check_begun(table)
    return table, seat


async def show_own(context: HandlerContext, interaction: Interaction) -> Reply:
    """Shows the presser's private screen; to a person who left the match, the way back; to others, the free seats."""
    table = await context.tables.get(interaction.to.table)
    if table.under_way and table.has_left(interaction.user_id):
        return await watching(context, interaction, table)
    if table.under_way and table.seat_of(interaction.user_id) is None and table.free_seats:
        return Reply(free_seats(table))
    table, seat = await seated(context, interaction)
    return await own_screen(context, interaction, table, seat)


def check_begun(table: Table) -> None:
    """Raises `Refused` if a table has no match to show."""
    if table.state is None:
        raise Refused("not-started" if table.live else "match-over")


def not_here(table: Table) -> Refused:
    """The refusal for somebody who does not sit at this table."""
    return Refused("not-joined" if table.status == "lobby" else "not-seated")


async def show_present(context: HandlerContext, interaction: Interaction, refused: Refused) -> Reply:
    """The presser's present private screen, with the reason why the press did nothing.

    A presser without a private screen gets the refusal alone.
    """
    table = await context.tables.get(interaction.to.table)
    seat = table.seat_of(interaction.user_id)
    if seat is None or table.state is None:
        return refused_reply(refused)
    why = refusal(refused) if refused.code != "stale" else _outdated(context, interaction, table, seat)
    choices: Choices | None = {} if refused.code == "stale" else None
    return await own_screen(context, interaction, table, seat, choices=choices, remark=f"ℹ️ {why}")


def refused_on_screen(handler: Handler) -> Handler:
    """The handler whose refusals during a match stand on the presser's private screen, as remarks on the press.

    A message of its own would stay above the screen when the reason holds no longer.
    """

    async def handle(context: HandlerContext, interaction: Interaction) -> Reply:
        try:
            return await handler(context, interaction)
        except Refused as refused:
            table = context.tables.at_hand(interaction.to.table)
            if isinstance(refused, Stale) or table is None or not table.live:
                raise
            await check_is_ours(context, interaction)
            set_outcome("refused")
            if table.status == "lobby":  # the refusal goes with the next change of the lobby
                return _page(context, interaction, table, refused_reply(refused))
            return await show_present(context, interaction, refused)

    return handle


def while_it_lasts(handler: Handler) -> Handler:
    """The handler of a button without a purpose after the end: a sentence then takes its private panel's place."""

    async def handle(context: HandlerContext, interaction: Interaction) -> Reply:
        try:
            return await handler(context, interaction)
        except Refused as refused:
            if refused.code != "match-over" or not interaction.on_private:
                raise
            await check_is_ours(context, interaction)
            return replace(refused_reply(refused), mode="update")

    return handle


def refused_reply(refused: Refused) -> Reply:
    """The text of a refusal, with a link to the refusal's table if it names one."""
    table = refused.facts.get("table")
    screen = say(refusal(refused))
    if isinstance(table, Table):
        screen.buttons(*to_the_table(table))
    return Reply(screen)


def _outdated(context: HandlerContext, interaction: Interaction, table: Table, seat: int) -> str:
    """The remark on a press on an outdated screen: the pressed label, and the present state."""
    label = label_of(interaction)
    if not label:
        return refusal(Refused("stale"))
    # The press may repeat one that was carried out, so the text speaks of this press alone.
    nothing = _("{button}: this press did nothing.").format(button=f"**{escape(label)}**")
    if not table.live:
        return f"{nothing} {refusal(Refused('match-over'))}"
    return f"{nothing} {_whether_to_press_again(context, interaction, table, seat)}"


def _whether_to_press_again(
    context: HandlerContext, interaction: Interaction, table: Table, seat: int
) -> str:
    """The sentence about pressing again: that it is possible, or why the press would do nothing now either."""
    to = interaction.to
    moved_on = _("The match has moved on since this screen was shown; here is how things stand.")
    screens, view = context.screens_of(table), table.game.view(table.state, seat)
    if not to.intent.startswith(GAME_INTENTS) or own_decision(view) is None:
        return moved_on
    try:
        move = meant_by(screens, view, Pressed(to.intent, to.arg, choices_of(interaction)))
        if not isinstance(move, Selection):
            table.game.apply(table.game.copy(table.state), seat, move)
    except IllegalMove as error:
        return screens.refuse(error)
    except Refused:
        return moved_on
    return _("The match has moved on since this screen was shown. Press again if you still want to.")
