"""The reasons for a move, in some words beside it: the majority that a sale changes, and the use of a card."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.language import listing, ngettext
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.catalogue import Side
from engine.artifacts_inc.choices import (
    FACES,
    cheapest_dive,
    dive_bonus,
    majority_of,
    next_dive,
    spaces,
    turnable,
)
from engine.artifacts_inc.state import FREE, GOAL, ROUNDS, View, company, cubes_on_museums

FIRST_SALES: Final = 6
FIRST_DIVES: Final = 2
FIRST_IMPROVEMENTS: Final = 3
"""The last rounds in which the lines for a first sale, a first dive and a first improvement are shown."""
SCARCE: Final = 1
"""A face that so few of a company's slots take, or fewer, waits for a card that takes it."""


# -- museums


def sale(view: View, museum: int, order: int, *, threat: str = "") -> str:
    """The majority of a museum once the active seat's cube lies on this order: "⭐4: you lead 3 to 2".

    `threat`: how a rival can take the majority, from `overtaking`.
    """
    worth = view.catalogue.museums[museum].majority
    return f"{name.REPUTATION}{worth}: {lead(view, museum, order, threatened=bool(threat))}{threat}"


def lead(view: View, museum: int, order: int, *, threatened: bool = True) -> str:
    """Whether the active seat then leads at the museum: "you lead 3 to 2"."""
    seat, before = view.active, view.orders[museum]
    after = _filled(before, order, seat)
    sizes = view.catalogue.orders(museum, view.seats)
    led, leads = majority_of(before, sizes), majority_of(after, sizes)
    mine = after.count(seat)
    others = max(after.count(other) for other in range(view.seats) if other != seat)
    if not others:
        text = _("you lead") if threatened else _("you lead alone")
    elif mine == others:
        text = _("{mine} each, you lead") if leads == seat else _("{mine} each, the higher order leads")
    elif leads != seat:
        text = _("you trail {mine} to {others}")
    else:
        text = _("you lead {mine} to {others}") if led == seat else _("you take the lead, {mine} to {others}")
    return text.format(mine=mine, others=others)


def overtaking(view: View, museum: int, order: int) -> str:
    """The end of a sentence about a lead that one more cube of a rival takes away: "; order 3 would pass", or that a
    rival holds the artifacts for it now. Empty where one cube does not suffice, or the sale gives no lead.
    """
    seat, sizes = view.active, view.catalogue.orders(museum, view.seats)
    after = _filled(view.orders[museum], order, seat)
    if majority_of(after, sizes) != seat:
        return ""
    beating = [
        (size, rival)
        for at, size in enumerate(sizes)
        for rival in range(view.seats)
        if after[at] == FREE and rival != seat and majority_of(_filled(after, at, rival), sizes) == rival
    ]
    if not beating:
        return ""
    if any(view.artifacts[rival][museum] >= size for size, rival in beating):
        return _("; a rival can pass")
    # Translators: follows “you lead” or “you lead 2 to 1”: a rival's cube on the order of that size takes the lead.
    return _("; order {size} passes you").format(size=min(beating)[0])


def _filled(orders: tuple[int, ...], order: int, seat: int) -> tuple[int, ...]:
    return (*orders[:order], seat, *orders[order + 1 :])


# -- cards


def card(view: View, side: Side, scored: int) -> str:
    """The use of a side to the active seat's company beside its effects; empty where there is nothing to say."""
    if view.reputation[view.active] < GOAL <= view.reputation[view.active] + scored:
        return _("takes you to {n}: the last round").format(n=view.reputation[view.active] + scored)
    last_turn = max(view.reputation) >= GOAL or view.round == ROUNDS
    faces = [] if last_turn else _waiting(view, side)
    if faces:
        text = ngettext("a use for a {faces}", "a use for {faces}", len(faces))
        return text.format(faces=listing(list(map(str, faces))))
    if side.dice and not last_turn:
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


def first_time(view: View, sells: bool) -> list[str]:
    """A line about the active seat's first sale to a museum, first dive or first improvement, while it can be made; for
    each in its first rounds alone, so that nobody who decides against it reads the line in every turn.

    `sells`: whether a die can make a sale to a museum now.
    """
    seat = view.active
    if sells and view.round <= FIRST_SALES and not cubes_on_museums(view, seat):
        return [
            _(
                "A sale leaves your cube: the most cubes on a museum bring its {star} at the end. Ties go "
                "to the highest order."
            ).format(star=name.REPUTATION)
        ]
    if cheapest_dive(view) and view.round <= FIRST_DIVES and seat not in view.divers:
        return [
            _("A dive adds dice up. It brings {star} and a find, which some cards count.").format(
                star=name.REPUTATION
            )
        ]
    if (
        _improvable(view)
        and view.round <= FIRST_IMPROVEMENTS
        and not any(side & 1 for side in view.sides[seat])
    ):
        return [
            _(
                "Upgrading a card costs its price again: its other side then does more, and its {star} is added."
            ).format(star=name.REPUTATION)
        ]
    return []


def _improvable(view: View) -> bool:
    """Whether the active seat can improve a card with one of its dice now."""
    buys = any(slot.action.do == "buy" for die in set(view.dice) for _space, slot in spaces(view, die))
    return buys and bool(turnable(view))
