"""Proposed moves of Artifacts, Inc. in words, and the reasons for moves: for hints, reviews, and beside choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.language import gettext as _
from bot.language import listing, ngettext
from cogs.artifacts_inc import names as name
from engine.agents.advice import Reason
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS
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


def move_text(view: View, move: Any) -> str:
    """A proposed move."""
    match move:
        case m.Roll():
            return _("Roll your dice.")
        case m.Dive(dice):
            return _("Dive with {dice}.").format(dice=name.dice(dice))
        case m.TurnDie(own, die, to):
            card = _card(view, own.card)
            return _("Turn {die} to {to} with {card}.").format(die=name.die(die), to=name.die(to), card=card)
        case m.RollAgain(own, dice):
            return _("Reroll {dice} with {card}.").format(dice=name.dice(dice), card=_card(view, own.card))
        case m.Buy(die, _on, card, _place):
            return _bought(view, _("Buy {card} for {cost} with {die}."), die, card)
        case m.TurnCard(die, _on, own):
            return _bought(view, _("Upgrade {card} for {cost} with {die}."), die, own.card)
        case m.Pass():
            return _("End the turn.")
        case _:
            return _placed(view, move)


def _bought(view: View, text: str, die: int, number: int) -> str:
    card = view.catalogue.cards[number]
    return text.format(card=name.written(card), cost=name.cost(card), die=name.die(die))


def _placed(view: View, move: Any) -> str:
    text, goods, museum = _("Place {die} on {card} and sell {goods}."), (0,) * len(ARTIFACTS), ""
    match move:
        case m.Gather(artifact=kind):
            text, goods = _("Place {die} on {card} and take {goods}."), _one(kind)
        case m.FillOrder(museum=kind, order=order):
            goods = _one(kind, view.catalogue.orders(kind, view.seats)[order])
            if move.on.card != kind:
                text = _("Place {die} on {card} and sell {goods} to the {museum}.")
                museum = _card(view, kind)
        case m.Collect(artifacts=goods):
            pass
        case m.SellOne(artifact=kind):
            goods = _one(kind)
        case _:
            text = _("Place {die} on {card}.")
    return text.format(
        die=name.die(move.die), card=_card(view, move.on.card), goods=name.goods(goods), museum=museum
    )


def _one(kind: int, n: int = 1) -> tuple[int, ...]:
    """So many of one artifact."""
    return tuple(n * (other == kind) for other in range(len(ARTIFACTS)))


def _card(view: View, number: int) -> str:
    return name.written(view.catalogue.cards[number])


# -- reasons


def reason_text(view: View, reason: Reason) -> str:
    """The reason for a move. The codes are those of `engine.artifacts_inc.agents.reasons`."""
    facts = reason.facts
    match reason.code:
        case "prepares":
            text = _("Next: {move}") if facts["at_once"] else _("Later this turn: {move}")
            following = text.format(move=move_text(view, facts["then"]))
            return " ".join(filter(None, [following, reason_text(view, facts["why"])]))
        case "earns":
            return _of_income(facts)
        case "takes-lead" | "keeps-lead" | "gains-ground":
            return _of_a_museum(view, reason)
        case "fills-now" | "fills-order" | "grows-order" | "stocks":
            return _of_artifacts(view, reason)
        case "pays-for":
            text = (
                _("You need it to pay for the upgrade of {card} this turn.")
                if facts["again"]
                else _("You need it to pay for {card} this turn.")
            )
            return text.format(card=_card(view, facts["card"]))
        case _:
            return _in_short(reason)


def _in_short(reason: Reason) -> str:
    facts, star = reason.facts, name.REPUTATION
    match reason.code:
        case "ends-match":
            text = _("That takes you to {star} {n} and makes this the last round, while you are ahead.")
            return text.format(star=star, n=facts["reputation"])
        case "scores":
            return _("It scores {star} {n} at once.").format(star=star, n=facts["reputation"])
        case "pays":
            if facts["last"]:
                return _("It brings ${n}: in a tie, more dollars win.").format(n=facts["dollars"])
            text = _("It brings ${n}; you then hold ${held}.")
            return text.format(n=facts["dollars"], held=facts["held"])
        case "rolls":
            return _(
                "It's the only move now. Their order matters only to cards that count what lies beside them."
            )
        case "rerolls":
            return _("As they lie, these dice are worth less than an average roll.")
        case "keeps":
            return _("Nothing is better than ending the turn: no use of your dice gains you anything.")
        case "due":
            return _("It gains you little; nothing else gains you more.")
        case _:
            return ""


def _of_income(facts: Mapping[str, Any]) -> str:
    """The gain from a card in every round, and its cause."""
    text = ngettext(
        "It should be worth about ${dollars} a round, for about {n} more round.",
        "It should be worth about ${dollars} a round, for about {n} more rounds.",
        facts["rounds"],
    ).format(dollars=facts["dollars"], n=facts["rounds"])
    if facts["dice"] > 0:
        more = ngettext("You then roll {n} more die.", "You then roll {n} more dice.", facts["dice"])
        return f"{more.format(n=facts['dice'])} {text}"
    if facts["faces"]:
        use = _("It has a use for {dice}, which your cards lack.").format(dice=name.dice(facts["faces"]))
        return f"{use} {text}"
    return text


def _of_a_museum(view: View, reason: Reason) -> str:
    facts = reason.facts
    match reason.code:
        case "takes-lead":
            text = _("You then have the most cubes on the {museum}: {star} {n} at the end.")
        case "keeps-lead":
            text = _("You stay ahead on the {museum} more safely: {star} {n} at the end.")
        case _:
            text = _("You come closer to the most cubes on the {museum}: {star} {n} at the end.")
    return text.format(museum=_card(view, facts["museum"]), star=name.REPUTATION, n=facts["reputation"])


def _of_artifacts(view: View, reason: Reason) -> str:
    facts = reason.facts
    match reason.code:
        case "fills-now":
            goods = name.goods(_one(facts["museum"], facts["gained"]))
            text = _("You need {goods} to fill order {size} of the {museum} this turn.")
            return text.format(goods=goods, size=facts["size"], museum=_card(view, facts["museum"]))
        case "fills-order":
            text = _("You then hold enough for order {size} of the {museum}.")
        case "grows-order":
            text = _("You then hold {held} of the {size} for the next order of the {museum}.")
        case _:
            text = _("It's worth about ${dollars} when you sell it.")
    facts = {"size": 0, "held": 0, "dollars": 0, **facts}
    return text.format(**{**facts, "museum": _card(view, facts["museum"])})


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
        text = ngettext("puts a {faces} to use", "puts {faces} to use", len(faces))
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
