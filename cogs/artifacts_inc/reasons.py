"""The reasons for a move, in some words beside it: the majority that a sale changes, and the use of a card."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.language import listing
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.catalogue import Side
from engine.artifacts_inc.choices import (
    FACES,
    cheapest_dive,
    dive_bonus,
    fillable,
    majority_of,
    next_dive,
    turnable,
)
from engine.artifacts_inc.state import GOAL, View, company, cubes_on_museums

SCARCE: Final = 1
"""A face that so few of a company's slots take, or fewer, waits for a card that takes it."""


# -- museums


def sale(view: View, museum: int, order: int) -> str:
    """The majority of a museum once the active seat's cube lies on this order: "⭐4: you lead 3 to 2"."""
    seat = view.active
    before = view.orders[museum]
    after = (*before[:order], seat, *before[order + 1 :])
    sizes = view.catalogue.orders(museum, view.seats)
    led, leads = majority_of(before, sizes), majority_of(after, sizes)
    mine = after.count(seat)
    others = max(after.count(other) for other in range(view.seats) if other != seat)
    if not others:
        text = _("you lead alone")
    elif mine == others:
        text = _("{mine} each, you lead") if leads == seat else _("{mine} each, the higher order leads")
    elif leads != seat:
        text = _("you trail {mine} to {others}")
    else:
        text = _("you lead {mine} to {others}") if led == seat else _("you take the lead, {mine} to {others}")
    worth = view.catalogue.museums[museum].majority
    return f"{name.REPUTATION}{worth}: {text.format(mine=mine, others=others)}"


# -- cards


def card(view: View, side: Side, scored: int) -> str:
    """The use of a side to the active seat's company beside its effects; empty where there is nothing to say."""
    if view.reputation[view.active] < GOAL <= view.reputation[view.active] + scored:
        return _("takes you to {n}: the last round").format(n=view.reputation[view.active] + scored)
    if faces := _waiting(view, side):
        return _("takes {faces}, as few of your cards do").format(faces=listing(list(map(str, faces))))
    if side.dice:
        return _("more dice from your next turn on")
    top = next_dive(view)
    if side.dive and top:
        left = max(1, top.number - dive_bonus(view, view.active) - side.dive)
        return _("the next dive then takes {n}").format(n=left)
    return ""


def _waiting(view: View, side: Side) -> list[int]:
    """The faces that few slots of the active seat's company take and this side does, but for a side that takes any."""
    slots = [slot for held in company(view, view.active) for slot in held.side.slots]
    taken = {face: sum(slot.faces >> face & 1 for slot in slots) for face in FACES}
    fewest = min(taken.values())
    if fewest > SCARCE:
        return []
    waiting = [face for face in FACES if taken[face] == fewest]
    return [face for face in waiting if any(slot.faces >> face & 1 for slot in side.slots)]


# -- the first time


def first_time(view: View, seat: int) -> list[str]:
    """A line about the first sale to a museum, the first improvement or the first dive, while it can be made."""
    if fillable(view) and not cubes_on_museums(view, seat):
        return [
            _("A sale leaves your cube: most cubes on a museum bring its {star} at the end.").format(
                star=name.REPUTATION
            )
        ]
    if cheapest_dive(view) and seat not in view.divers:
        return [
            _("A dive adds dice up. It brings {star} and a find, which some cards count.").format(
                star=name.REPUTATION
            )
        ]
    if turnable(view) and not any(side & 1 for side in view.sides[seat]):
        return [
            _(
                "To improve a card costs its price again: its other side then does more, and its {star} is added."
            ).format(star=name.REPUTATION)
        ]
    return []
