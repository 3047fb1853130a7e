"""The review of a match that is over: the decisions of one person that cost most, and those that were best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from bot.language import gettext as _
from bot.language import ngettext, pgettext
from bot.tables.model import Table
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import BESIDE, Id
from bot.ui.screens.kit import CALM, Screen, button
from bot.ui.screens.links import to_the_table
from bot.ui.screens.names import Names
from bot.ui.screens.words import level_name
from engine.agents.advice import Appraisal, adviser_of

REVIEW: Final = "review"
"""The intent of the button that reviews the presser's own decisions."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A decision of a person: the number of the move, the view then, the move, and its appraisal."""

    number: int
    view: Any
    move: Any
    appraisal: Appraisal


class Review(NamedTuple):
    """The findings of a review in `decisions` decisions, best and worst first.

    `deal` is the mean score of a good agent in the seat, over several plays of the same deal; None while the deal is
    sealed. `score` is the seat's score in the match.
    """

    decisions: int
    costs: list[Reviewed]
    leads: list[Reviewed]
    deal: float | None
    score: int


class Part(NamedTuple):
    """A part of a review's screen, and the view whose picture stands below it."""

    text: str
    view: Any


def review_button(table: Table, view_version: str = "") -> ui.Button:
    """The button that asks for the presser's review; with `BESIDE` the pressed private screen stays."""
    return button(pgettext("button", "Review"), Id(REVIEW, table.id, view_version), emoji="🔎")


def review_offer(table: Table) -> list[ui.Button]:
    """The button below the end of a private match; none if there is no review of it."""
    there_is = table.status == "over" and adviser_of(table.game) is not None
    return [review_button(table, BESIDE)] if there_is else []


def pending(table: Table, decisions: int) -> Screen:
    """The screen that the review replaces when it is ready."""
    text = ngettext(
        "🔎 Looking at {n} decision of yours. The review appears here, usually within a minute.",
        "🔎 Looking at {n} decisions of yours. The review appears here, usually within a minute.",
        decisions,
    ).format(n=decisions)
    again = _("If nothing comes, press **Review** again.")
    return Screen(colour=CALM).text(text, f"-# {again}").buttons(review_button(table))


def opening(table: Table, review: Review) -> list[str]:
    """The first lines of a review: what it looked at, and luck apart from play."""
    quick = [level for level, agent in table.game.agents.items() if not agent.slow]
    looked = ngettext(
        "{n} decision of yours, each tried out in many deals that fit what you saw then.",
        "{n} decisions of yours, each tried out in many deals that fit what you saw then.",
        review.decisions,
    ).format(n=review.decisions)
    luck: list[str] = []
    if review.deal is not None:
        text = _(
            "**Luck:** with this deal, a computer player ({agent}) in your seat scores about {deal}. "
            "**Play:** you scored {score}."
        )
        luck = [text.format(agent=level_name(quick[-1]), deal=round(review.deal), score=review.score)]
    points = _(
        "Points are your lead over the best of the others. Late in a match, a better chance of winning counts too."
    )
    return [
        _("### 🔎 Your review"),
        looked,
        *luck,
        f"-# {points}",
    ]


def parts(table: Table, screens: AnyScreens, review: Review) -> list[Part]:
    """The decisions that cost most, then those that were best, with a heading in the first part of either."""
    names, agent = Names(table.seats), level_name(list(table.game.agents)[-1])
    costs = [_cost(screens, names, agent, each) for each in review.costs]
    leads = [_lead(screens, names, each) for each in review.leads]
    if not costs:
        none = _(
            "**Costliest decisions**\nNone worth mentioning: the {agent} would have played much the same."
        )
        costs = [Part(none.format(agent=agent), None)]
    else:
        costs[0] = costs[0]._replace(text="\n".join([_("**Costliest decisions**"), costs[0].text]))
    if leads:
        leads[0] = leads[0]._replace(text="\n".join([_("**Best decisions**"), leads[0].text]))
    return [*costs, *leads]


def _cost(screens: AnyScreens, names: Names, agent: str, each: Reviewed) -> Part:
    appraisal, view = each.appraisal, each.view
    heading = _("Move {number} · points lost: about {points}").format(
        number=each.number, points=points_text(appraisal.cost)
    )
    made = _("You: {move}").format(move=screens.move_text(view, each.move, names))
    better = f"{agent}: {screens.move_text(view, appraisal.move, names)}"
    reason = screens.reason_text(view, appraisal.reason, names)
    return Part("\n".join([heading, *_public(screens, view), made, f"{better} {reason}".rstrip()]), view)


def _lead(screens: AnyScreens, names: Names, each: Reviewed) -> Part:
    heading = _("Move {number} · points more than the next best: about {points}").format(
        number=each.number, points=points_text(each.appraisal.lead)
    )
    made = _("You: {move}").format(move=screens.move_text(each.view, each.move, names))
    reason = screens.reason_text(each.view, each.appraisal.reason, names)
    return Part("\n".join([heading, *_public(screens, each.view), f"{made} {reason}".rstrip()]), each.view)


def _public(screens: AnyScreens, view: Any) -> list[str]:
    line = screens.call_line(view)
    return [f"-# {line}"] if line else []


def points_text(points: float) -> str:
    """Points in a text, to the half."""
    return f"{round(2 * points) / 2:g}"


def closing(screen: Screen, table: Table) -> Screen:
    """Adds the last button of a review."""
    return screen.buttons(*to_the_table(table))
