"""The command `learn` of a game and its buttons: a lesson, which is continued where its person left it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from bot.language import gettext as _
from bot.observability.context import set_table
from bot.tables.ending import abandon
from bot.tables.lessons import BEGUN_ANEW, CHANGED
from bot.tables.lobby import Deal, NewTable
from bot.tables.model import DAY, NOWHERE, USUAL, Seat, Table
from bot.tables.own_tables import own_tables
from bot.tables.refusals import Refused
from bot.ui.actions.chosen import Chosen
from bot.ui.actions.opening import open_lobby
from bot.ui.actions.presses import moved_to_bottom, own_screen
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens import lessons
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import BESIDE
from bot.ui.screens.lessons import ANEW, LEARN, LEARNER, START, Lesson
from bot.ui.screens.names import Names
from engine.fairness import SCHEME, Contribution

CONTRIBUTIONS: Final = (Contribution("start", "1"),)
"""The contributions to every lesson's deal, which nobody has agreed on."""
_LESSON_ENDS: Final = 30 * DAY
"""Seconds after which a lesson that was begun ends by itself."""


async def learn(context: HandlerContext, interaction: Interaction, *, game: str) -> Reply:
    """`learn`: the presser's lesson in this game, from the step at which they left it, or from the first."""
    lesson = _lesson(context, game)
    table, remark = await _own_lesson(context, interaction, game), ""
    if table is not None and not lessons.is_current(table, lesson):
        table = await _begun(context, interaction, lesson, [table], CHANGED, game)
        remark = "ℹ️ " + _("The lesson has changed since you left it, so it starts over.")
    elif table is None:
        table = await _begun(context, interaction, lesson, (), CHANGED, game)
    mode = "ephemeral" if interaction.to.view_version == BESIDE else "update"
    return replace(await _shown(context, interaction, table, remark), mode=mode, game=game)


async def learn_here(context: HandlerContext, interaction: Interaction) -> Reply:
    """The button **Learn**: the lesson of the table's game, or of the game in the argument."""
    to = interaction.to
    game = (await context.tables.get(to.table)).game.key if to.table else to.arg
    return await learn(context, interaction, game=game)


async def anew(context: HandlerContext, interaction: Interaction) -> Reply:
    """Begins the lesson of a table from its first step, in place of the pressed screen."""
    table = await context.tables.get(interaction.to.table)
    if not table.is_lesson or table.seat_of(interaction.user_id) is None:
        raise Refused("unknown")
    game = table.game.key
    lesson = _lesson(context, game)
    olds = [table, await _own_lesson(context, interaction, game)]
    live = [old for old in olds if old is not None and old.live]
    table = await _begun(context, interaction, lesson, live, BEGUN_ANEW, game)
    return replace(await _shown(context, interaction, table), game=game)


async def start(context: HandlerContext, interaction: Interaction) -> Reply:
    """Starts a game, as its command does: with one agent, if the button names its level."""
    game, _dot, level = interaction.to.arg.partition(".")
    if game not in context.screens or (level and level not in context.tables.games[game].agents):
        raise Refused("unknown")
    chosen = Chosen("", 1 if level else 0, level or None, {})
    return await open_lobby(context, interaction, game=game, chosen=chosen)


def not_now(screens: AnyScreens, table: Table, move: Any) -> str:
    """The remark on a press that is not the step that is due."""
    return lessons.not_now(table, screens.lesson, move, Names(table.seats), screens.move_text)


def _lesson(context: HandlerContext, game: str) -> Lesson:
    """The lesson of this game. Raises `Refused` if there is none."""
    screens = context.screens.get(game)
    if screens is None:
        raise Refused("unknown")
    if screens.lesson is None:
        raise Refused("no-lesson", game=game)
    return screens.lesson


async def _own_lesson(context: HandlerContext, interaction: Interaction, game: str) -> Table | None:
    for own in await own_tables(context.tables, interaction.user_id):
        if own.table.is_lesson and own.table.game.key == game:
            return await context.tables.get(own.table.id)
    return None


def _new(context: HandlerContext, interaction: Interaction, game: str, lesson: Lesson) -> NewTable:
    engine = context.tables.games[game]
    deal = Deal(lessons.seed_of(lesson), SCHEME, CONTRIBUTIONS, _LESSON_ENDS, script=lesson.script(engine))
    seats = [Seat(interaction.user_name, interaction.user_id)]
    assert len(seats) - 1 == LEARNER
    return NewTable(
        engine,
        interaction.shard_guild,
        NOWHERE,
        interaction.user_id,
        seats,
        interaction.guild_locale,
        limit=None,
        options=dict(lesson.options),
        agents=lesson.seats - 1,
        level=USUAL,
        deal=deal,
    )


async def _shown(context: HandlerContext, interaction: Interaction, table: Table, remark: str = "") -> Reply:
    table = await moved_to_bottom(context, interaction, table)
    set_table(table.id)
    return await own_screen(context, interaction, table, LEARNER, remark=remark)


async def _begun(
    context: HandlerContext,
    interaction: Interaction,
    lesson: Lesson,
    olds: Iterable[Table],
    why: str,
    game: str,
) -> Table:
    """A lesson that begins now. Only then do the presser's older ones of this game end, because of `why`."""
    table = await context.tables.open(_new(context, interaction, game, lesson))
    for old in olds:
        async with context.tables.change(old.id) as draft:
            if draft.table.live:
                abandon(draft, why)
        _no_longer_follow(context, old, interaction.user_id)
    return table


def _no_longer_follow(context: HandlerContext, table: Table, user_id: int) -> None:
    """Keeps the end of this lesson off the message in which the next one stands now."""
    state = context.presenter.states.get(table.id)
    if state is not None:
        state.screens.pop(user_id, None)


ACTIONS: Final[Actions] = {
    LEARN: Action(learn_here, "update"),
    ANEW: Action(anew, "update"),
    START: Action(start, "update"),
}
"""The handlers of the buttons of lessons."""
