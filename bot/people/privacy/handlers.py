"""The command `/privacy`: the stored data of a person, and the buttons that delete them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.language import gettext as _
from bot.language import ngettext
from bot.people.privacy.erasures import Erasures
from bot.people.privacy.stored_data import is_named
from bot.store.model import TableRow
from bot.store.results import RATINGS
from bot.ui.call_choices import CALLS, CHALLENGED_BY, DIGEST, HOLIDAY, LANGUAGE, QUIET, REMINDERS
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.components import DANGER
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Screen, button
from bot.ui.screens.messages import confirm, say
from bot.ui.screens.words import status_name

SHOWN: Final = 20
"""The greatest number of matches that `/privacy` lists; for the others it shows only the number."""
FORGET: Final = "forget-me"
FORGET_NOW: Final = "forget-me-now"


class Privacy:
    """Shows the stored data of a person, and deletes them.

    `blocks` returns whether the operator has blocked the person with this id from all tables. Finished matches are
    stored for `keep_days` days.
    """

    def __init__(self, erasures: Erasures, blocks: Callable[[int], bool], keep_days: int) -> None:
        self._erasures = erasures
        self._blocks = blocks
        self._keep_days = keep_days
        self.actions: Final[Actions] = {
            FORGET: Action(self._ask, "update"),
            FORGET_NOW: Action(self._forget, "update"),
        }

    async def show(self, context: HandlerContext, interaction: Interaction) -> Reply:
        """`/privacy`: shows the stored data of the person."""
        kept = await context.tables.store.tables_of(interaction.user_id)
        text_only = context.pictures.choices.text_only("person", interaction.user_id)
        results = len(await context.tables.store.results.of_person(interaction.user_id))
        daily = len(await context.tables.store.daily.attempts_of(interaction.user_id))
        chosen = await context.tables.store.choices.of("person", interaction.user_id)
        wishes = await context.tables.store.wishes.of_person(interaction.user_id)
        asked = await context.tables.store.guests.of_person(interaction.user_id)
        blocked = self._blocks(interaction.user_id)
        screen = Screen(colour=CALM).text(_("### Your data"))
        if kept:
            screen.text(*_matches(context, kept))
        elif not (text_only or blocked or results or daily or chosen or wishes or asked):
            screen.text(_("I store no match of yours."))
        for sentence in _other_data(results, daily, chosen, text_only=text_only):
            screen.text(sentence)
        if wishes:
            screen.text(_wishes(len(wishes)))
        if asked:
            screen.text(_("Your Discord ID, because you asked someone to a lobby or were asked, for a day."))
        if blocked:
            screen.text(_still_kept())
        if len(kept) > SHOWN:
            screen.text(_("… and {n} more.").format(n=len(kept) - SHOWN))
        screen.text(
            ngettext(
                "Finished matches are deleted after {n} day. I read no messages and pass nothing on.",
                "Finished matches are deleted after {n} days. I read no messages and pass nothing on.",
                self._keep_days,
            ).format(n=self._keep_days)
        )
        if kept:
            screen.text(_what_deleting_does())
        if kept or text_only or results or daily or chosen or wishes or asked:
            screen.buttons(button(_("Delete My Data"), Id(FORGET), DANGER))
        return Reply(screen)

    async def _ask(self, _context: HandlerContext, _interaction: Interaction) -> Reply:
        text = _("Your seats, your name and your ID are deleted immediately, and no one can restore them.")
        return Reply(confirm(text, _("Delete Permanently"), Id(FORGET_NOW)), "update")

    async def _forget(self, context: HandlerContext, interaction: Interaction) -> Reply:
        user_id = interaction.user_id
        store = context.tables.store
        if await is_named(store, user_id) or await store.tables_of(user_id):
            outcome = await self._erasures.forget(user_id)
        else:  # pressed on an old screen, or a second time
            outcome = "traces" if await store.erasures.pending() else "done"
        blocked = self._blocks(user_id)
        texts = {
            "done": _("Done: nothing that I store has your name or ID any more.")
            if not blocked
            else _("Done. Only this is still stored:"),
            "traces": _(
                "Your name and ID are deleted. Another program is reading my database, so traces are still "
                "in its files. I'll wipe them as soon as I can; you don't need to do anything."
            ),
            "later": _(
                "I couldn't delete all of it right now. I've noted it and will go on by myself; `/privacy` "
                "shows what is still stored."
            ),
        }
        screen = say(texts[outcome])
        if blocked:
            screen.text(_still_kept())
        return Reply(screen, "update")


def _other_data(results: int, daily: int, chosen: Mapping[str, str], *, text_only: bool) -> list[str]:
    """Sentences about the stored data of a person that do not belong to a stored match."""
    sentences: list[str] = []
    if results:
        text = ngettext(
            "Your Discord ID with the place and score of {n} finished match, for `/profile` and "
            "`/leaderboard`. It stays when the match is deleted; **Hide My Results** in `/profile` "
            "stops that.",
            "Your Discord ID with the places and scores of {n} finished matches, for `/profile` and "
            "`/leaderboard`. They stay when the matches are deleted; **Hide My Results** in `/profile` "
            "stops that.",
            results,
        )
        sentences.append(text.format(n=results))
    if daily:
        text = ngettext(
            "Your Discord ID with {n} daily deal that you have begun, its day and your score. It stays "
            "when the match is deleted.",
            "Your Discord ID with {n} daily deals that you have begun, their days and your scores. "
            "They stay when the matches are deleted.",
            daily,
        )
        sentences.append(text.format(n=daily))
    if text_only:
        sentences.append(_("Your Discord ID, because you have chosen to see no pictures."))
    if RATINGS in chosen:
        sentences.append(_("Your Discord ID, because you have hidden your results."))
    if CHALLENGED_BY in chosen:
        sentences.append(_("Your Discord ID, with who may challenge you."))
    if not {CALLS, QUIET, REMINDERS, DIGEST}.isdisjoint(chosen):
        sentences.append(_("Your Discord ID, with where and when you want to be called."))
    if LANGUAGE in chosen:
        sentences.append(_("Your Discord ID, with the language that you have chosen."))
    if HOLIDAY in chosen:
        sentences.append(_("Your Discord ID, with the days of your holiday and their time zone."))
    return sentences


def _wishes(servers: int) -> str:
    text = ngettext(
        "Your Discord ID with your wish for a match on {n} server: the channel, the game and since "
        "when. It is deleted when you are seated, when you stop looking, and at its end.",
        "Your Discord ID with your wishes for a match on {n} servers: the channel, the game and "
        "since when. They are deleted when you are seated, when you stop looking, and at their end.",
        servers,
    )
    return text.format(n=servers)


def _matches(context: HandlerContext, kept: list[TableRow]) -> list[str]:
    seats = ngettext("{n} match", "{n} matches", len(kept)).format(n=len(kept))
    held = _("Your Discord ID and display name, and your seat and moves, in {seats}:").format(seats=seats)
    return [held, *[f"- {_match(context, row)}" for row in kept[:SHOWN]]]


def _match(context: HandlerContext, row: TableRow) -> str:
    screens = context.screens.get(row.game)
    game = screens.title() if screens else row.game
    return f"{game} · <t:{int(row.created_at)}:d> · {status_name(row.status)}"


def _what_deleting_does() -> str:
    return _(
        "Deleting removes your name and ID from all of them, and a computer player takes over your "
        "seat where a match is under way. Moves stay without your name, and a lucky word stays in "
        "the shuffle of a match that has started. I remove your name from my messages as far as "
        "Discord still lets me edit them; the others stay as they are."
    )


def _still_kept() -> str:
    return _(
        "Your Discord ID, because my operator has blocked you from joining tables. It is stored "
        "until the block is lifted, even if you delete your data."
    )
