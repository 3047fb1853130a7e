"""The buttons of a lobby: seats, agents, lucky words and settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from discord import ui

from bot.language import gettext as _
from bot.language import pgettext
from bot.tables import lobby
from bot.tables.draft import Draft
from bot.tables.model import TURN_LIMITS, Table
from bot.tables.same_deal import code_of, seating
from bot.ui.actions.presses import check_on_lobby, not_here, open_form, read_changes
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens import forms
from bot.ui.screens.ids import OFF, ON, Id
from bot.ui.screens.lobby import AGENTS, MORE, NO_AGENTS, invitation, lobby_more
from bot.ui.screens.messages import say
from engine.fairness import WORD_LENGTH

WORD: Final = "word"
"""The custom_id of the input for a lucky word."""


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


async def _lobby(context: HandlerContext, interaction: Interaction) -> Table:
    """The lobby of a press. Raises `Refused` if it has closed, or its match has begun."""
    table = await context.tables.get(interaction.to.table)
    if table.status != "lobby":
        raise lobby.no_lobby(table)
    return table


async def show_more(context: HandlerContext, interaction: Interaction) -> Reply:
    """Shows the lobby's settings, rules, lesson, link and lucky words."""
    table = await _lobby(context, interaction)
    return Reply(lobby_more(table, context.screens_of(table)))


async def invite(context: HandlerContext, interaction: Interaction) -> Reply:
    """Shows the lobby's address."""
    table = await _lobby(context, interaction)
    hosting = interaction.user_id == table.body.host_id
    return Reply(invitation(table, context.screens_of(table), code=code_of(table) if hosting else None))


async def leave(context: HandlerContext, interaction: Interaction) -> Reply:
    """Frees the presser's seat."""
    return await _change(context, interaction, lambda draft: lobby.leave_lobby(draft, interaction.user_id))


# -- agents


async def set_agents(context: HandlerContext, interaction: Interaction) -> Reply:
    """Seats the agents of the menu's choice, in place of those at the table."""
    chosen = "".join(interaction.values[:1])
    levels = chosen.split(".") if chosen != NO_AGENTS else []
    return await _change(
        context, interaction, lambda draft: lobby.set_agents(draft, interaction.user_id, levels)
    )


# -- lucky words


async def ask_word(context: HandlerContext, interaction: Interaction) -> Reply:
    """Opens the form for a lucky word."""
    table = await _lobby(context, interaction)
    if table.seat_of(interaction.user_id) is None:
        raise not_here(table)
    word = ui.Label[Any](
        text=_("A word that is mixed into the shuffle"),
        description=_("Everyone sees it in the lobby immediately."),
        component=ui.TextInput(custom_id=WORD, max_length=WORD_LENGTH, required=False),
    )
    return open_form(_("Lucky Word"), Id("word-set", table.id), [word])


async def add_word(context: HandlerContext, interaction: Interaction) -> Reply:
    """Sets the lucky word of the presser's seat."""
    word = "".join(interaction.inputs.get(WORD, ()))
    async with context.tables.change(interaction.to.table) as draft:
        lobby.add_word(draft, interaction.user_id, word)
    seat = draft.table.seat_of(interaction.user_id)
    given = seat is not None and draft.table.seats[seat].word
    text = _("Your word is in the lobby now, and will be part of the shuffle.")
    return Reply(say(text if given else _("You have no lucky word in the shuffle.")))


# -- settings


async def ask_settings(context: HandlerContext, interaction: Interaction) -> Reply:
    """Opens the form of all settings for the host."""
    table = await context.tables.get(interaction.to.table)
    lobby.check_settable(table, interaction.user_id)
    asked = forms.questions(table, context.screens_of(table))[: forms.MOST_QUESTIONS]
    title = pgettext("button", "Settings")
    return open_form(title, Id(forms.CHANGE_SETTINGS, table.id), [each.label() for each in asked])


async def change_settings(context: HandlerContext, interaction: Interaction) -> Reply:
    """Changes all settings that the host has answered otherwise than before, or none if one of them is refused.

    A press on a button of the settings, whose argument is ON or OFF, allows hints or not.
    """

    async with context.tables.change(interaction.to.table) as draft:
        lobby.check_settable(draft.table, interaction.user_id)
        asked = forms.questions(draft.table, context.screens_of(draft.table))
        if (switched := interaction.to.arg) in (ON, OFF):  # a form's is another
            lobby.set_hints(draft, interaction.user_id, switched == ON)
        else:
            for name, value in read_changes(interaction, asked).items():
                _set(draft, interaction.user_id, name, value)
    if interaction.on_public:  # the lobby itself shows what was switched
        return Reply()
    return Reply(lobby_more(draft.table, context.screens_of(draft.table)), "update")


def _set(draft: Draft, user_id: int, name: str, value: str) -> None:
    """Changes the setting of this question; see `questions`."""
    if name == forms.LIMIT:
        lobby.set_limit(draft, user_id, TURN_LIMITS[value])
    elif name == forms.PACE:
        lobby.set_pace(draft, user_id, value)
    else:
        option = name.removeprefix(forms.OPTION)
        lobby.set_option(draft, user_id, option, None if value == forms.UNCHOSEN else value)


ACTIONS: Final[Actions] = {
    "join": Action(join, "update"),
    "leave-lobby": Action(leave, "update"),
    AGENTS: Action(set_agents, "update"),
    MORE: Action(show_more, "ephemeral"),
    "invite": Action(invite, "ephemeral"),
    "word": Action(ask_word, "ephemeral"),
    "word-set": Action(add_word, "ephemeral"),
    forms.SETTINGS: Action(ask_settings, "ephemeral"),
    forms.CHANGE_SETTINGS: Action(change_settings, "update"),
}
