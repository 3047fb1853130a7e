"""A challenge: a lobby to which a person is asked, by `/challenge` or a person's menu; and the answer that declines."""

from __future__ import annotations

from typing import Final

from bot.language import speaking
from bot.tables import lobby
from bot.tables.holidays import last_noon
from bot.tables.refusals import Refused
from bot.ui.actions.chosen import Chosen
from bot.ui.actions.opening import open_lobby
from bot.ui.display.letters import send_letter
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.ids import read_number
from bot.ui.screens.lobby import CHALLENGE, DECLINE, declined, has_declined
from bot.ui.screens.lobby import challenge as challenge_screen


async def ask_game(context: HandlerContext, interaction: Interaction, *, person: int, is_bot: bool) -> Reply:
    """The question for the game of a challenge."""
    _check(interaction, person, is_bot=is_bot)
    with speaking(interaction.locale):
        return Reply(challenge_screen(person, context.screens))


async def challenge(
    context: HandlerContext, interaction: Interaction, *, game: str, person: int, is_bot: bool
) -> Reply:
    """Opens a lobby in this channel, and asks a person to join it."""
    _check(interaction, person, is_bot=is_bot)
    holiday = context.presenter.calls.holiday(person)
    if holiday is not None and holiday.lasts(context.tables.clock.now()):
        raise Refused("challenge-holiday", person=person, ends=last_noon(holiday.ends))
    chosen = Chosen(limit="", agents=0, level=None, options={}, guest=person)
    return await open_lobby(context, interaction, game=game, chosen=chosen)


async def _chosen_game(context: HandlerContext, interaction: Interaction) -> Reply:
    game, _dot, person = interaction.to.arg.partition(".")
    user_id = read_number(person)
    if game not in context.screens or not user_id:
        raise Refused("unknown")
    return await challenge(context, interaction, game=game, person=user_id, is_bot=False)


async def decline(context: HandlerContext, interaction: Interaction) -> Reply:
    """Declines to join a lobby. The host alone is told, by a message that makes no sound in their quiet hours."""
    async with context.tables.change(interaction.to.table) as draft:
        lobby.decline(draft, interaction.user_id)
    table, first = draft.table, draft.touched

    async def tell_host(_message: int | None) -> None:
        if not first:
            return
        now = context.tables.clock.now()
        quiet = context.presenter.calls.quiet_until(table.body.host_id, now) is not None
        language = context.presenter.calls.language(table.body.host_id, table.body.locale)
        with speaking(language):
            screen = has_declined(table, context.screens_of(table), interaction.user_id)
        to, name = table.body.host_id, f"{interaction.user_id} declines"
        await send_letter(interaction.raw.client, table, to, screen.view(), name, silent=quiet)

    with speaking(interaction.locale):
        return Reply(declined(table), then=tell_host)


def _check(interaction: Interaction, person: int, *, is_bot: bool) -> None:
    """Raises `Refused` for a challenge that nobody could accept."""
    if person == interaction.user_id:
        raise Refused("challenge-self")
    if is_bot:
        raise Refused("challenge-bot")


ACTIONS: Final[Actions] = {
    CHALLENGE: Action(_chosen_game, "ephemeral"),
    DECLINE: Action(decline, "ephemeral"),
}
