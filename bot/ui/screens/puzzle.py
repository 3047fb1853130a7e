"""The puzzle of a match that is over: the costliest decision of one person, asked once more."""

from __future__ import annotations

from typing import Any, Final

from bot.language import gettext as _
from bot.language import pgettext
from bot.tables.model import Table
from bot.ui.screens import components as ui
from bot.ui.screens.appraisals import Review
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Screen, button
from bot.ui.screens.names import Names
from bot.ui.screens.review import Around, page_of, when_of

PUZZLE: Final = "puzzle"
"""The intent of the button that asks for a puzzle, and of those that answer it: their argument is the choice."""
PROFILE: Final = "profile"
"""The intent of the button that leads from a puzzle back to its person's profile."""


def has_puzzle(table: Table, user_id: int) -> bool:
    """Whether a stored review of this person's names a costly decision."""
    seat = table.seat_of(user_id)
    return seat is not None and bool(table.body.reviews.get(seat, {}).get("costs"))


def puzzle(table: Table, screens: AnyScreens, review: Review, moves: list[Any]) -> Around:
    """The puzzle of the costliest decision, with a button for each of these moves."""
    each, names, to = review.costs[0], Names(table.seats), Id(PUZZLE, table.id)
    when = f"-# {screens.title()} · {when_of(screens, each)}"
    first = Screen(colour=screens.colour).text(_("### 🧩 Puzzle"), when)
    last = Screen().text(_("**It's your move, and you see what you saw then. What do you play?**"))
    texts = [screens.move_text(each.view, move, names) for move in moves]
    # Labels are no sentences, and have no Markdown, in which names are escaped.
    labels = [text.rstrip(".").replace("\\", "") for text in texts]
    if max(map(len, labels)) > 80:
        labels = [str(number) for number in range(1, 1 + len(texts))]
        last.text(*[f"**{label}** · {text}" for label, text in zip(labels, texts, strict=True)])
    last.buttons(*[button(label, to._replace(arg=str(number))) for number, label in enumerate(labels)])
    return first, last.buttons(_to_the_profile())


def solved(table: Table, screens: AnyScreens, review: Review, move: Any) -> Around:
    """The page of the costliest decision, with a remark about the move that was chosen in its puzzle."""
    each = review.costs[0]
    first, last = page_of(table, screens, review, int(each.view.viewer), 1 + review.moments.index(each))
    text = _("**Today:** {move} Another move is better.")
    if move is each.move:
        text = _("**Today:** {move} So you played in the match; another move is better.")
    elif move is each.appraisal.move:
        text = _("**Today:** {move} Yes, this is the better move.")
    chosen = screens.move_text(each.view, move, Names(table.seats))
    return first.remark(text.format(move=chosen)), last.buttons(_to_the_profile())


def _to_the_profile() -> ui.Button:
    return button(pgettext("button", "Profile"), Id(PROFILE), emoji="🪪")
