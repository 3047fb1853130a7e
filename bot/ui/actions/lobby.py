"""The buttons of a lobby: seats, agents, lucky words and settings."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

from discord import ui

from bot.language import gettext as _
from bot.language import speaking
from bot.tables import lobby
from bot.tables.draft import Draft
from bot.tables.model import TURN_LIMITS, Table
from bot.tables.refusals import Refused
from bot.tables.same_deal import seating
from bot.ui.actions.own_screen import not_here
from bot.ui.actions.presses import check_on_lobby
from bot.ui.elsewhere import check_is_ours
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.characters import own_line
from bot.ui.screens.ids import Id
from bot.ui.screens.lobby import agent_levels, invitation, lobby_view_version, one_more_agent
from bot.ui.screens.messages import say
from bot.ui.screens.names import Names
from bot.ui.screens.refusals import refusal
from bot.ui.screens.settings import (
    LATE,
    OVER,
    SET_HINTS,
    SET_LIMIT,
    SET_OPTION,
    SET_PACE,
    SETTINGS,
    closed_settings,
    settings,
    wanted_hints,
    wanted_option,
)
from engine.fairness import WORD_LENGTH


async def _change(
    context: HandlerContext, interaction: Interaction, change: Callable[[Draft], None]
) -> Reply:
    """The answer is the pressed lobby."""
    check_on_lobby(interaction)
    async with context.tables.change(interaction.to.table) as draft:
        change(draft)
    return Reply()


async def join(context: HandlerContext, interaction: Interaction) -> Reply:
    """Seats the presser."""

    def seat(draft: Draft) -> None:
        context.tables.may_sit(interaction.user_id, interaction.guild_id)
        lobby.join(draft, interaction.user_id, interaction.user_name)

    async with seating(context.tables, interaction.to.table, interaction.user_id):
        return await _change(context, interaction, seat)


async def invite(context: HandlerContext, interaction: Interaction) -> Reply:
    """Shows the lobby's address."""
    table = await context.tables.get(interaction.to.table)
    if table.status != "lobby":
        raise Refused("lobby-over")
    with speaking(interaction.locale):
        return Reply(invitation(table, context.screens_of(table)))


async def leave(context: HandlerContext, interaction: Interaction) -> Reply:
    """Frees the presser's seat."""
    return await _change(context, interaction, lambda draft: lobby.leave_lobby(draft, interaction.user_id))


# -- agents


async def ask_level(context: HandlerContext, interaction: Interaction) -> Reply:
    """Asks for the level of the agent to add."""
    table = await context.tables.get(interaction.to.table)
    lobby.check_host(table, interaction.user_id)
    if _is_full(table):
        raise Refused("table-full", seats=table.game.max_seats)
    with speaking(interaction.locale):
        return Reply(agent_levels(table, context.screens_of(table)))


async def add_agent(context: HandlerContext, interaction: Interaction) -> Reply:
    """Seats an agent of the chosen level."""
    async with context.tables.change(interaction.to.table) as draft:
        table = draft.table
        if _as_shown(interaction, table):
            lobby.add_agent(draft, interaction.user_id, interaction.to.arg)
    with speaking(interaction.locale):
        screens = context.screens_of(table)
        text = _("🤖\u00a0{name} takes a seat.").format(name=Names(table.seats).escaped(-1))
        text = f"{text} {own_line(table, screens, len(table.seats) - 1)}".rstrip()
        if _is_full(table):
            screen = say(
                text if draft.touched else refusal(Refused("table-full", seats=table.game.max_seats))
            )
        elif draft.touched:
            screen = one_more_agent(table, text)
        else:
            screen = agent_levels(table, screens, again=True)
    return Reply(screen, "update")


async def remove_agent(context: HandlerContext, interaction: Interaction) -> Reply:
    """Frees an agent's seat."""

    def remove(draft: Draft) -> None:
        if _as_shown(interaction, draft.table):
            lobby.remove_agent(draft, interaction.user_id)

    return await _change(context, interaction, remove)


def _is_full(table: Table) -> bool:
    return len(table.seats) >= table.game.max_seats


def _as_shown(interaction: Interaction, table: Table) -> bool:
    """Whether as many seats are taken as on the pressed screen. If not, the press may be a repetition and does nothing.

    True outside a lobby: the change then raises the refusal.
    """
    return interaction.to.view_version == lobby_view_version(table) or table.status != "lobby"


# -- lucky words


async def ask_word(context: HandlerContext, interaction: Interaction) -> Reply:
    """Opens the form for a lucky word."""
    table = await context.tables.get(interaction.to.table)
    if table.seat_of(interaction.user_id) is None:
        raise not_here(table)
    with speaking(interaction.locale):
        # The custom_id contains a nonce, because discord.py finds forms by custom_id alone, not by person.
        form = ui.Modal(
            title=_("Lucky Word"),
            custom_id=str(Id("word-set", table.id, arg=secrets.token_hex(4))),
            timeout=None,
        )
        form.add_item(
            ui.Label(
                text=_("A word that is mixed into the shuffle"),
                description=_("Everyone sees it in the lobby immediately."),
                component=ui.TextInput(custom_id="word", max_length=WORD_LENGTH, required=False),
            )
        )
        late = say(_("I was too slow to open the form. Please press **Lucky Word** once more."))
    return Reply(late, modal=form)


async def add_word(context: HandlerContext, interaction: Interaction) -> Reply:
    """Sets the lucky word of the presser's seat."""
    word = _value(interaction)
    async with context.tables.change(interaction.to.table) as draft:
        lobby.add_word(draft, interaction.user_id, word)
    seat = draft.table.seat_of(interaction.user_id)
    given = seat is not None and draft.table.seats[seat].word
    with speaking(interaction.locale):
        text = _("Your word is in the lobby now, and will be part of the shuffle.")
        return Reply(say(text if given else _("You have no lucky word in the shuffle.")))


def _value(interaction: Interaction) -> str:
    """The value that was chosen or typed; "" if there is none."""
    return interaction.values[0] if interaction.values else ""


# -- settings


async def show_settings(context: HandlerContext, interaction: Interaction) -> Reply:
    """Shows the menus of all settings to the host."""
    table = await context.tables.get(interaction.to.table)
    lobby.check_settable(table, interaction.user_id)
    with speaking(interaction.locale):
        return Reply(settings(table, context.screens_of(table)))


async def set_limit(context: HandlerContext, interaction: Interaction) -> Reply:
    """Sets the turn limit that the host has chosen in a menu."""
    value = _value(interaction)
    if value not in TURN_LIMITS:
        raise Refused("unknown")
    limit = TURN_LIMITS[value]
    return await _set(context, interaction, lambda draft: lobby.set_limit(draft, interaction.user_id, limit))


async def set_pace(context: HandlerContext, interaction: Interaction) -> Reply:
    """Sets the agents' pace that the host has chosen in a menu."""
    pace = _value(interaction)
    return await _set(context, interaction, lambda draft: lobby.set_pace(draft, interaction.user_id, pace))


async def set_hints(context: HandlerContext, interaction: Interaction) -> Reply:
    """Allows or forbids hints, as the host has chosen in a menu."""
    allowed = wanted_hints(_value(interaction))
    if allowed is None:
        raise Refused("unknown")
    return await _set(
        context, interaction, lambda draft: lobby.set_hints(draft, interaction.user_id, allowed)
    )


async def set_option(context: HandlerContext, interaction: Interaction) -> Reply:
    """Sets an option of the game that the host has chosen in a menu."""
    table = await context.tables.get(interaction.to.table)
    wanted = wanted_option(context.screens_of(table), interaction.to.intent, _value(interaction))
    if wanted is None:
        raise Refused("unknown")
    return await _set(
        context, interaction, lambda draft: lobby.set_option(draft, interaction.user_id, *wanted)
    )


async def _set(context: HandlerContext, interaction: Interaction, change: Callable[[Draft], None]) -> Reply:
    """The settings after this change. If the match has been started or is over, the screen loses its menus."""
    try:
        async with context.tables.change(interaction.to.table) as draft:
            change(draft)
    except Refused as refused:
        if refused.code not in (LATE, *OVER):
            raise
        await check_is_ours(context, interaction)
        with speaking(interaction.locale):
            return Reply(closed_settings(refused.code), "update")
    with speaking(interaction.locale):
        return Reply(settings(draft.table, context.screens_of(draft.table)), "update")


ACTIONS: Final[Actions] = {
    "join": Action(join, "update"),
    "leave-lobby": Action(leave, "update"),
    "add-agent": Action(ask_level, "ephemeral"),
    "add": Action(add_agent, "update"),
    "remove-agent": Action(remove_agent, "update"),
    "invite": Action(invite, "ephemeral"),
    "word": Action(ask_word, "ephemeral"),
    "word-set": Action(add_word, "ephemeral"),
    SETTINGS: Action(show_settings, "ephemeral"),
    SET_LIMIT: Action(set_limit, "update"),
    SET_PACE: Action(set_pace, "update"),
    SET_HINTS: Action(set_hints, "update"),
    SET_OPTION: Action(set_option, "update"),
}
