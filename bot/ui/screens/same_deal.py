"""The lines about tables with the same deal: in the lobby, in its invitation, and on the result."""

from __future__ import annotations

from collections.abc import Sequence

from bot.language import gettext as _
from bot.language import ngettext
from bot.tables.model import Table
from bot.ui.screens.kit import table_url


def same_deal_line(table: Table) -> str:
    """The line that says that other tables have this deal; empty if none has."""
    if table.body.same_of is not None:
        return _("🟰 The same deal as table {number}").format(number=table.body.same_of)
    others = len(table.body.same)
    if not others:
        return ""
    return ngettext("🟰 {n} more table plays this deal", "🟰 {n} more tables play this deal", others).format(
        n=others
    )


def code_lines(game: str, code: str) -> tuple[str, str]:
    """The lines that tell the host how other tables get this deal."""
    return (
        _("**Same deal**"),
        _(
            "-# Others can play the same deal at a table of their own, to be compared with yours. "
            "Give them this for another channel: `/{game} start same_deal:{code}`. It works until you "
            "start the match, and this lobby's settings are then fixed."
        ).format(game=game, code=code),
    )


def comparison(table: Table, group: Sequence[Table]) -> list[str]:
    """The scores of all tables with this deal, seat by seat, without names; none if no other table has played it."""
    played = [each for each in group if each.state is not None]
    if len(played) < 2:
        return []
    links = [_bold(each, table, f"[{number}]({table_url(each)})") for number, each in enumerate(played, 1)]
    lines = [_("🟰 **Same deal**, seat by seat · Tables {tables}").format(tables=" · ".join(links))]
    outcomes = [each.game.outcome(each.state) for each in played]
    for seat in range(len(table.seats)):
        scores = [
            _bold(each, table, "–" if outcome is None else str(outcome.scores[seat]))
            for each, outcome in zip(played, outcomes, strict=True)
        ]
        lines.append(_("Seat {number}: {scores}").format(number=seat + 1, scores=" · ".join(scores)))
    if None in outcomes:
        lines.append("-# " + _("–: that match was not finished."))
    return lines


def _bold(each: Table, own: Table, text: str) -> str:
    return f"**{text}**" if each.id == own.id else text


def same_deal_refusals() -> dict[str, str]:
    """Refusals about tables with the same deal, by code."""
    return {
        "same-code": _(
            "No lobby of this game on this server has that code. Its host finds it under **Invite**."
        ),
        "same-late": _(
            "That match has been started, so no more tables can get its deal. Open a table without the code."
        ),
        "same-full": _(
            "{most} tables already have this deal, and no more can join them. Open a table without the code."
        ),
        "same-settings": _(
            "Several tables have this deal, so the settings of the game can't be changed any more."
        ),
        "same-words": _(
            "Only the lucky words of the first table with this deal count, for all of its tables."
        ),
        "same-seats": _(
            "All tables with the same deal need the same number of seats. The first one has {seats}."
        ),
        "same-waits": _(
            "The first table with this deal must start before the others, and it hasn't started yet. "
            "Try again once it has."
        ),
        "same-gone": _(
            "The first table with this deal is no longer being played, so this match can't start. "
            "Please close this lobby and open a new one."
        ),
        "same-sat": _("You play this deal at another table, or have played it, so you can't join this one."),
        "same-sealed": _("This deal is still secret: it opens when all tables that have it are over."),
    }
