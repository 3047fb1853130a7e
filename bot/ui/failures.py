"""Answers a press or command, also if it fails: refused, stale, delivered twice, or not stored."""

from __future__ import annotations

import logging
import secrets

from bot.gateway.errors import Brief, is_transient
from bot.observability.context import set_outcome
from bot.store.model import Conflict, Repeated, StoreError
from bot.tables.refusals import AnsweredElsewhere, Refused, Stale
from bot.ui import conflicts
from bot.ui.actions.own_screen import refused_reply, show_present
from bot.ui.elsewhere import check_is_ours
from bot.ui.handlers import Handler, HandlerContext
from bot.ui.interaction import UNDELIVERED, Interaction, Reply

log = logging.getLogger(__name__)


async def answer(context: HandlerContext, interaction: Interaction, handler: Handler) -> Reply:
    """The handler's reply, or a screen with the reason why the press did nothing.

    Raises `AnsweredElsewhere` if another process answers, and no other error.
    """
    try:
        return await _unless_outdated(context, interaction, handler)
    except Refused as refused:
        await check_is_ours(context, interaction)
        set_outcome("refused")
        return refused_reply(interaction, refused)
    except AnsweredElsewhere:
        raise
    except StoreError as error:
        set_outcome("not-saved")
        log.error("table %s: could not be saved: %s", interaction.to.table, error)
        return refused_reply(interaction, Refused("storage"))
    except Exception:
        set_outcome("failed")
        reference = secrets.token_hex(4)
        to = interaction.to
        log.exception("table %s: a press failed (%s, %s)", to.table, to.intent, reference)
        return refused_reply(interaction, Refused("failed", reference=reference))


async def _unless_outdated(context: HandlerContext, interaction: Interaction, handler: Handler) -> Reply:
    """The handler's reply, or the present state if the press was on an outdated screen or was already carried out."""
    try:
        return await conflicts.run(context, interaction, handler)
    except UNDELIVERED as error:
        if not is_transient(error):
            raise
        log.warning("table %s: Discord does not take a message (%s)", interaction.to.table, Brief(error))
        raise Refused("discord-away") from None
    except (Stale, Conflict):
        return await _present(context, interaction, "stale")
    except Repeated:
        return await _present(context, interaction, "repeated")


async def _present(context: HandlerContext, interaction: Interaction, code: str) -> Reply:
    await check_is_ours(context, interaction)
    set_outcome(code)
    return await show_present(context, interaction, code)
