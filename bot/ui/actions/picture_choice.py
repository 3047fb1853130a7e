"""The command `/pictures`: a person chooses text only, for themselves or for a server that they manage."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.language import speaking
from bot.store.model import Scope
from bot.ui.actions.presses import check_manages, is_on
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.ids import OFF, ON, Id
from bot.ui.screens.kit import CALM, Screen, button

FOR_ME: Final = "pictures-for-me"
HERE: Final = "pictures-here"


async def show(context: HandlerContext, interaction: Interaction) -> Reply:
    """`/pictures`: shows the present choice and the buttons that change it."""
    return Reply(_screen(context, interaction))


def _screen(context: HandlerContext, interaction: Interaction) -> Screen:
    choices = context.pictures.choices
    with speaking(interaction.locale):
        screen = Screen(colour=CALM).text(_("### Pictures"))
        if not context.pictures.cache.on:
            return screen.text(
                _("My operator has switched pictures off. The text says everything that they show.")
            )
        here = choices.text_only("guild", interaction.guild_id)
        mine = choices.text_only("person", interaction.user_id)
        screen.text(
            _("This server sees text only.") if here else _("Tables are shown as pictures too."),
            _("Your own screens have text only.") if here or mine else _("So are your private screens."),
            "-# " + _("The text is complete without them. Open tables change with their next move."),
        )
        me = _("Show Me Pictures") if mine else _("Text Only for Me")
        screen.buttons(button(me, Id(FOR_ME, arg=ON if mine else OFF)))
        if interaction.manages_server:
            everybody = _("Pictures on This Server") if here else _("Text Only on This Server")
            screen.buttons(button(everybody, Id(HERE, arg=ON if here else OFF)))
        return screen


async def choose_for_me(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores the choice for the presser's own screens."""
    return await _choose(context, interaction, "person", interaction.user_id)


async def choose_here(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores the choice for a server."""
    check_manages(interaction)
    return await _choose(context, interaction, "guild", interaction.guild_id)


async def _choose(context: HandlerContext, interaction: Interaction, scope: Scope, number: int) -> Reply:
    await context.pictures.choices.choose(scope, number, text_only=not is_on(interaction))
    return Reply(_screen(context, interaction), "update")


ACTIONS: Final[Actions] = {
    FOR_ME: Action(choose_for_me, "update"),
    HERE: Action(choose_here, "update"),
}
