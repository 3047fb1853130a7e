"""Proposed moves of Artifacts, Inc. in words, and the reasons for moves: for hints, reviews, and beside choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.language import Phrase, listing, ngettext
from bot.language import gettext as _
from bot.ui.screens.names import Names
from cogs.artifacts_inc import companies
from cogs.artifacts_inc import names as name
from engine.agents.advice import Reason
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.reasons import LESSER
from engine.artifacts_inc.agents.turn import side_of
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import Side
from engine.artifacts_inc.choices import decided, dive_bonus, last_round, last_to_move, majority_of, next_dive
from engine.artifacts_inc.state import FREE, GOAL, View

ROOM: Final = 260
"""The length, in characters, above which a reason leaves out the use of a die that its aim does not need."""


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
            return _("Finish the match.") if decided(view) else _("End the turn.")
        case _:
            return _placed(view, move)


def _bought(view: View, text: str, die: int, number: int) -> str:
    card = view.catalogue.cards[number]
    return text.format(card=name.written(card), cost=name.cost(card), die=name.die(die))


def _placed(view: View, move: Any) -> str:
    text, museum = _("Place {die} on {card} and sell {goods}."), ""
    match move:
        case m.Gather():
            text = _("Place {die} on {card} and take {goods}.")
        case m.FillOrder(museum=kind) if move.on.card != kind:
            text, museum = _("Place {die} on {card} and sell {goods} to the {museum}."), _card(view, kind)
        case m.PlaceDie():
            text = _("Place {die} on {card}.")
        case _:
            pass
    return text.format(
        die=name.die(move.die), card=_card(view, move.on.card), goods=_goods(view, move), museum=museum
    )


def _goods(view: View, move: Any) -> Phrase | str:
    """The artifacts that a placed die finds, takes or sells; empty if there are none."""
    match move:
        case m.FillOrder(museum=kind, order=order):
            return name.goods(_one(kind, view.catalogue.orders(kind, view.seats)[order]))
        case m.Collect(artifacts=sold):
            return name.goods(sold)
        case m.Gather(artifact=kind) | m.SellOne(artifact=kind):
            return name.goods(_one(kind))
        case _:
            return ""


def _one(kind: int, n: int = 1) -> tuple[int, ...]:
    """So many of one artifact."""
    return tuple(n * (other == kind) for other in range(len(ARTIFACTS)))


def _card(view: View, number: int) -> str:
    return name.written(view.catalogue.cards[number])


# -- reasons


def reason_text(view: View, reason: Reason, names: Names) -> str:
    """The reason for a move. The codes are those of `engine.artifacts_inc.agents.reasons`."""
    facts = reason.facts
    plan, why, then, known = [*facts.get("plan", ())], reason, None, facts.get("still")
    aim, helper = facts.get("aim"), facts.get("helps", why)
    while why.code == "prepares":
        then, why = why.facts["then"], why.facts["why"]
    while helper.code == "prepares":
        helper = helper.facts["why"]
    paid = bool(aim) and helper.code == "pays-for" and side_of(aim[0]) // 2 == helper.facts["card"]
    is_next = bool(aim) and plan[0][0] == aim[0]
    said = [_aim(view, aim, paid=paid and then is None, is_next=is_next)]
    aimed = facts.get("aimed")
    less = ((*LESSER, *["scores"] * bool(then)) if then else LESSER[1:]) if aim else ()
    less = (*LESSER, "pays-for", "fills-now") if aimed else less
    spare = why.code in less and why.code in LESSER and not then
    compared = _compared(view, facts)
    untold = (paid and helper is why) or why.code in less or (why.code == "due" and (compared or then))
    use = "" if untold and (known or not spare or why.code == "due") else _why(view, why, names)
    said.append(" ".join([_("The die is not needed for that."), use]).strip() if spare and not known else use)
    if why.code == "fills-now" and not aimed:
        said.reverse()  # the order comes before the aim
    if aimed and not known:
        said.insert(1, _why(view, aimed, names))
    if beside := facts.get("beside"):
        said.insert(1 if beside.code == "takes-lead" else 2, _why(view, beside, names))
    said += compared
    moves = [move for move, *_brought in plan]  # told up to the aim
    end = max((moves.index(each) + 1 for each in (then, *(aim or ())[:1]) if each in moves), default=0)
    if then is None:
        if facts.get("saves") and not aim and why.code != "later":
            said.append(_next_purchase(view, facts))
        if paid and not known:
            said[1:1] = _more_dice(view, 2 * helper.facts["card"] + helper.facts["again"])
        if not known or not any(said):  # else the plan was read
            said.append(_then(view, plan[is_next : end or len(plan)], aim))
    else:  # what is said then is of the last of the moves
        said.insert(1, _then(view, plan[is_next:end] if end else [(then, 0, 0)], aim))
    said.append(companies.after_turn(view, facts, names))
    told = " ".join(filter(None, said))
    return told.replace(f" {use}", "") if spare and use and len(told) > ROOM else told


def _aim(view: View, aim: Sequence[Any] | None, *, paid: bool, is_next: bool) -> str:
    """The deed of a plan that weighs most, with its die if it `is_next`; `paid`: the move helps to pay for it."""
    if aim is None:
        return ""
    text = _("Aim: {move}, which this helps to pay for.") if paid else _("Aim: {move}.")
    move = brief(view, *aim)
    return text.format(move=move if is_next else move.partition(" → ")[2])


def _compared(view: View, facts: Mapping[str, Any]) -> list[str]:
    """The use of a purchase in this turn, and a dearer card that scores as much or more now."""
    uses = " → ".join(brief(view, *use) for use in facts.get("opens", ()))
    said = [_("It has a use this turn: {move}.").format(move=uses)] if uses else []
    side, scored, more, cost, *_moves = facts.get("dearer") or (0, 0, 0, 0)
    text = _("{what} scores {star} {n} now, but costs ${cost} more.")
    if not more:
        text = _("{what} scores {star} {n} as well, but costs ${cost} more.")
    what = (_("Upgrading {card}") if side % 2 else "{card}").format(card=_card(view, side // 2))
    text = text.format(what=what, star=name.REPUTATION, n=scored, cost=cost)
    return [*said, text] if cost > 0 else said


def _next_purchase(view: View, facts: Mapping[str, Any]) -> str:
    """The purchase for which dollars are kept: its price, the least that it then scores, the dice that it brings."""
    (number, cost, scored), saved = facts["saves"], max(facts.get("dearer", ())[3:4], default=0)
    text = _("Your next turn then probably brings: {move}.")
    text = _("With the ${n} saved, your next turn probably brings: {move}.") if saved > 0 else text
    what = (_("Upgrade {card}") if number % 2 else _("Buy {card}")).format(card=_card(view, number // 2))
    what += f" (${cost}, {name.REPUTATION} {scored})" if scored else f" (${cost})"
    return " ".join([text.format(n=saved, move=what), *_more_dice(view, number)])


def _more_dice(view: View, number: int) -> list[str]:
    """That a side of a card brings more dice; none if it does not."""
    card, level = view.catalogue.cards[number // 2], number % 2
    return _that_rolls(card.side(level + 1).dice - level * card.side(1).dice)


def _that_rolls(n: int) -> list[str]:
    text = ngettext("You then roll {n} more die every turn.", "You then roll {n} more dice every turn.", n)
    return [text.format(n=n)] if n > 0 else []


def _then(view: View, plan: Sequence[Any], aim: Any | None) -> str:
    """The moves of the plan that follow, in their order, the `aim` by its name; a die that is turned stands before its
    use.
    """
    told = [(*each[:1], 0, 0) if aim and each[0] == aim[0] else each for each in plan]
    said = [brief(view, *each) + (" → " if isinstance(each[0], m.TurnDie) else "\n") for each in told]
    moves = "".join(said).splitlines()
    # Translators: between moves that are made one after the other: “Then 4 → Biplane, then 5 → Guide Work ($1).”
    return _("Then {moves}.").format(moves=_(", then ").join(moves)) if moves else ""


def brief(view: View, move: Any, dollars: int, reputation: int) -> str:
    """A later move and what it brings: "5️⃣ → Mountain Expedition", "3️⃣ → Buy Dig Camp ($2, ⭐ 1)"."""
    scored = [f"{name.REPUTATION} {reputation}"] if reputation else []
    match move:
        case m.Dive(dice):
            die, text = name.dice(dice), _("Dive")
        case m.TurnDie(die=face):
            return name.die(face)
        case m.Buy() | m.TurnCard():
            text = _("Buy {card}") if isinstance(move, m.Buy) else _("Upgrade {card}")
            card = view.catalogue.cards[side_of(move) // 2]
            die, text = name.die(move.die), text.format(card=name.written(card))
            scored = [name.cost(card), *scored] if dollars else []
        case _:
            die = name.die(move.die)
            text = ": ".join(filter(None, [_card(view, move.on.card), str(_goods(view, move))]))
            scored = [f"${dollars}"] * (dollars > 0)
    return f"{die} → {text}" + (f" ({', '.join(scored)})" if scored else "")


def _why(view: View, reason: Reason, names: Names) -> str:
    facts = reason.facts
    match reason.code:
        case "earns":
            return _of_income(facts)
        case "takes-lead" | "keeps-lead" | "gains-ground":
            return _of_a_museum(view, reason, names)
        case "fills-now" | "fills-order" | "grows-order":
            return _of_artifacts(view, reason)
        case "later" if facts.get("saves"):
            return _next_purchase(view, facts)
        case "supplies":
            text = _("It finds what your cards lack: a start for {star} {n} at the {museum}.")
            museum = _card(view, facts["museum"])
            return text.format(museum=museum, star=name.REPUTATION, n=facts["reputation"])
        case "pays-for":
            text = _("It helps to pay for {card}.")
            if facts.get("still"):
                text = _("That too pays for {card}.")
            elif facts["again"]:
                text = _("It helps to pay for the upgrade of {card}.")
            helped = text.format(card=_card(view, facts["card"]))
            dice = [] if facts.get("still") else _more_dice(view, 2 * facts["card"] + facts["again"])
            return " ".join([helped, *dice])
        case "ends-match":
            if facts["soon"] and facts.get("still"):
                return ""
            text = _("This turn takes you to {star} {n} and makes the round the last, while you are ahead.")
            if not facts["after"]:
                text = _("This turn takes you to {star} {n} and ends the match, while you are ahead.")
            text = text.format(star=name.REPUTATION, n=facts["reputation"])
            after = "" if facts["soon"] else listing([names.bold(seat) for seat in facts["after"]])
            return f"{text} " + _("Still to move: {names}.").format(names=after) if after else text
        case _:
            return _in_short(reason)


def _in_short(reason: Reason) -> str:
    facts = reason.facts
    match reason.code:
        case "scores":
            return " ".join([_scored(facts["reputation"]), *_that_rolls(facts.get("dice", 0))])
        case "pays":
            if facts["last"]:
                return _("It brings ${n}: in a tie, more dollars win.").format(n=facts["dollars"])
            text = _("It brings ${n}; you then hold ${held}.")
            return text.format(n=facts["dollars"], held=facts["held"])
        case "decided":
            text = _("Nothing can change the winner now; {star} {n} are still there to score.")
            text = text if facts["reputation"] else _("Nothing can change the winner now.")
            return text.format(star=name.REPUTATION, n=facts["reputation"])
        case "later" if not (facts["turn"] and facts["plan"]):  # else the rest of the turn is told
            dearer = facts.get("dearer") or (0, 0, 1)
            return _("It should bring more in later turns.") if dearer[2] else _scored(dearer[1])
        case _:
            texts = {
                "rerolls": _("As they lie, these dice are worth less than an average roll."),
                "keeps": _("No use of your dice gains you anything."),
                "due": _("It hardly matters: no move gains you much now."),
            }
            return texts.get(reason.code, "")


def _scored(reputation: int) -> str:
    return _("It scores {star} {n} at once.").format(star=name.REPUTATION, n=reputation)


def _of_income(facts: Mapping[str, Any]) -> str:
    """The gain from a card in every round."""
    said = [_scored(facts["reputation"])] if facts.get("reputation") else []
    if facts["dice"] > 0:
        said += _that_rolls(facts["dice"])
    else:
        said.append(_("It should bring more in later turns."))
    return " ".join(said)


def _of_a_museum(view: View, reason: Reason, names: Names) -> str:
    """The majority, and after the sale the cubes there: one's own, and those of the strongest of the others."""
    facts, led, cubes = reason.facts, reason.facts["led"], reason.facts["cubes"]
    mine, others = cubes[view.active], max(n for seat, n in enumerate(cubes) if seat != view.active)
    level, told = mine == others, _("cubes: {mine} to {others}")
    match reason.code:
        case "takes-lead" if led is None:
            text = _("You then lead at the {museum}{cubes}: {star} {n} if you still do at the end.")
        case "takes-lead":
            text = _("You take the lead at the {museum} from {rival}{cubes}: {star} {n} if you keep it.")
        case "keeps-lead":
            text = _("You stay ahead on the {museum} more safely{cubes}: {star} {n} at the end.")
        case _ if level:
            text = _(
                "You draw level with {rival} at the {museum}{cubes}: one more takes the lead, {star} {n} at the end."
            )
        case _:
            text = _("You come closer to {rival}, who leads at the {museum}{cubes}: {star} {n} at the end.")
    if level and reason.code == "gains-ground":
        told = _("cubes: {mine} each, theirs on the higher order")
    elif level:
        told = _("cubes: {mine} each, yours on the higher order")
    return text.format(
        museum=_card(view, facts["museum"]),
        cubes=f" ({told.format(mine=mine, others=others)})",
        star=name.REPUTATION,
        n=facts["reputation"],
        rival="" if led is None else names.bold(led),
    )


def _of_artifacts(view: View, reason: Reason) -> str:
    facts, leads = reason.facts, reason.facts.get("reputation")
    match reason.code:
        case "fills-now" if facts.get("still"):
            text, leads = _("That too is for order {size} of the {museum}."), 0
        case "fills-now":
            text = _("You can then fill order {size} of the {museum} this turn.")
        case "fills-order":
            text = _("You then hold enough for order {size} of the {museum} (${pays}).")
        case _:
            text = _(
                "You then hold {held} of the {size} {artifact} for the next order of the {museum} (${pays})."
            )
    museum = int(facts["museum"])
    pays = facts.get("size", 0) + view.catalogue.museums[museum].bonus
    known = {"museum": _card(view, museum), "artifact": name.ARTIFACT[museum], "pays": pays}
    said = text.format(**{**facts, **known})
    lead = _("That order takes the lead: {star} {n} if you keep it.").format(star=name.REPUTATION, n=leads)
    return f"{said} {lead}" if leads else said


# -- museums


def lead(view: View, museum: int, order: int) -> str:
    """Whether the active seat then leads at the museum: "you lead 3 to 2"."""
    seat, before = view.active, view.orders[museum]
    after = filled(before, order, seat)
    sizes = view.catalogue.orders(museum, view.seats)
    led, leads = majority_of(before, sizes), majority_of(after, sizes)
    mine = after.count(seat)
    others = max(after.count(other) for other in range(view.seats) if other != seat)
    if leads != seat:
        tied = mine == others
        text = _("{mine} each, the higher order leads") if tied else _("you trail {mine} to {others}")
    elif led == seat:
        text = _("you lead {mine} to {others}")
    else:
        text = _("you take the lead") if others else _("you lead")
    return text.format(mine=mine, others=others)


def overtaking(view: View, museum: int, order: int) -> str:
    """The end of a sentence about a lead that one more cube of a rival takes away: "; order 3 would pass", or that a
    rival holds the artifacts for it now. Empty where one cube does not suffice, or the sale gives no lead.
    """
    seat, sizes = view.active, view.catalogue.orders(museum, view.seats)
    after = filled(view.orders[museum], order, seat)
    if majority_of(after, sizes) != seat:
        return ""
    beating = [
        (size, rival)
        for at, size in enumerate(sizes)
        for rival in range(view.seats)
        if after[at] == FREE and rival != seat and majority_of(filled(after, at, rival), sizes) == rival
    ]
    if not beating:
        return ""
    if any(view.artifacts[rival][museum] >= size for size, rival in beating):
        return _("; a rival can pass")
    # Translators: follows “you lead” or “you lead 2 to 1”: a rival's cube on the order of that size takes the lead.
    return _("; whoever fills order {size} then leads").format(size=min(beating)[0])


def filled(orders: tuple[int, ...], order: int, seat: int) -> tuple[int, ...]:
    return (*orders[:order], seat, *orders[order + 1 :])


# -- cards


def card(view: View, side: Side, scored: int, before: Side | None = None) -> str:
    """The use of a side to the active seat's company beside its effects; empty where there is nothing to say.

    `before`: the side that it replaces, if it replaces one.
    """
    if not last_round(view) and view.reputation[view.active] + scored >= GOAL:
        n = view.reputation[view.active] + scored
        text = _("takes you to {star} {n}, which makes this round the last")
        if last_to_move(view):
            text = _("takes you to {star} {n}: the match then ends with this turn")
        return text.format(star=name.REPUTATION, n=n)
    dice, dive = (side.dice - before.dice, side.dive - before.dive) if before else (side.dice, side.dive)
    if dice > 0 and not last_round(view):
        return _("more dice from your next turn on")
    top = next_dive(view)
    if dive > 0 and top:
        left = max(1, top.number - dive_bonus(view, view.active) - dive)
        return _("the next dive then takes {n}").format(n=left)
    return ""
