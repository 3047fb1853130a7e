"""A company in words: its cards by row, how they lie to each other, and where a new card can lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.language import gettext as _
from bot.language import listing, pgettext
from bot.ui.screens.kit import escape, line_height
from bot.ui.screens.names import Names
from cogs.artifacts_inc import effects
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.choices import dice_of, majority, museum_points, near_end, spaces
from engine.artifacts_inc.company import LOWER, UPPER, Place, around
from engine.artifacts_inc.state import FREE, GOAL, Held, View, company, cubes_on_museums, finds

NAME_ROOM: Final = 28


def lying(view: View, seat: int) -> list[Held]:
    """A company's cards as they lie: the upper row's first, each row from left to right."""
    return sorted(company(view, seat), key=lambda held: held.place)


def title(view: View, seat: int, held: Held) -> str:
    """A card of a company by its name and level, and by which copy it is where there are several."""
    number = held.own.card
    several = [side >> 1 for side in view.sides[seat]].count(number) > 1
    return (
        name.card_name(held.card)
        + name.level_mark(held.level)
        + (f" ({held.own.copy + 1})" if several else "")
    )


def summary(view: View, seat: int) -> str:
    """A company's goods in numbers alone: reputation, dollars, dice, artifacts."""
    artifacts = [f"{name.ARTIFACT[kind]}{n}" for kind, n in enumerate(view.artifacts[seat]) if n]
    reputation = f"{name.REPUTATION}**{view.reputation[seat]}**"
    return " ".join([reputation, f"${view.dollars[seat]}", f"{name.DIE}{dice_of(view, seat)}", *artifacts])


def worth(view: View, seat: int) -> str:
    """A company's reputation, dollars and dice."""
    return (
        f"{name.REPUTATION} **{view.reputation[seat]}** · {name.MONEY} ${view.dollars[seat]} · "
        + name.own_dice(dice_of(view, seat))
    )


def race(view: View, seat: int, names: Names) -> list[str]:
    """Each company's reputation, and that with which a round is the last: "⭐ 9/20 · Ben 14/20".

    A second line has the museums that each company leads, what they bring at the end, and who leads with them: "🏛️
    Museums: +3 🦴 · Ben +7 📜💎 → Ben leads 21 to 12".
    """
    others = [other for other in range(view.seats) if other != seat]
    called = [name.REPUTATION, *map(names.escaped, others)]
    goal = f"/{GOAL}" if max(view.reputation) < GOAL else ""
    has = [f"{view.reputation[each]}{goal}" for each in (seat, *others)]
    lines = [" · ".join(map(" ".join, zip(called, has, strict=True)))]
    leads = [majority(view, number) for number in range(len(view.orders))]
    led = [
        f"{'' if each == seat else names.escaped(each)} +{museum_points(view, each)} "
        + "".join(sign for sign, leader in zip(name.ARTIFACT, leads, strict=True) if leader == each)
        for each in (seat, *others)
        if each in leads
    ]
    if led:
        text = _("{museum} Museums: {companies}")
        companies = " · ".join(each.strip() for each in led)
        total = [view.reputation[each] + museum_points(view, each) for each in range(view.seats)]
        lines.append(text.format(museum=name.MUSEUM, companies=companies) + leader(total, seat, names))
    return lines


def orders(view: View, seat: int) -> list[str]:
    """The line about the open orders for what a seat holds: "Open orders: 💎 5+: 2–6 (2 for $6)"; none without such.
    Where they fit, also the orders for more than the one artifact that a die can find. Each with the die it needs.
    """
    actions = [slot.action for die in {*view.dice} for _space, slot in spaces(view, die)]
    found = {action.artifact for action in actions if action.do == "gain"}
    said, lines = list[str](), list[str]()
    for kind, held in sorted(enumerate(view.artifacts[seat]), key=lambda each: not each[1]):
        sizes = view.catalogue.orders(kind, view.seats)
        free = sorted(size for size, filled in zip(sizes, view.orders[kind], strict=True) if filled == FREE)
        if not free or not (held or (kind in found and free[0] > 1)):
            continue
        (slot,), price = view.catalogue.cards[kind].side(1).slots, ""
        sign = name.ARTIFACT[kind] + f" {effects.requirement(slot.requires)}:" * (slot.requires != "any")
        if most := max([size for size in free if size <= held], default=0):
            n = most + view.catalogue.museums[kind].bonus
            price = " " + _("({n} for ${price})").format(n=most, price=n)
        shape = " ".join(map(str, dict.fromkeys(free)))
        shape = f"{free[0]}–{free[-1]}" if len({*free}) > max(2, free[-1] - free[0]) else shape
        every = [*said, f"{sign} {shape}{price}"]
        line = _("Open orders: {orders}").format(orders=" · ".join(every))
        if held or line_height(f"-# {line}") == line_height("-# "):
            said, lines = every, [line]
    return lines


def alarm(view: View, seat: int, names: Names) -> list[str]:
    """The line about those who can end the match, none far from it."""
    near, more = near_end(view, seat)
    if not near:
        return []
    text = _("{names} could reach {star} {goal} in one turn: after that, you have no more turns.")
    if more:
        text = _("{names} could reach {star} {goal} in one turn: after that, you have one more turn.")
    who = listing([names.escaped(each) for each in near])
    return [f"🏁 **{text.format(names=who, star=name.REPUTATION, goal=GOAL)}**"]


def leader(total: Sequence[int], seat: int, names: Names) -> str:
    """The company that leads with these scores, museums counted."""
    first, second = sorted(range(len(total)), key=total.__getitem__, reverse=True)[:2]
    text = _("you lead {mine} to {others}") if first == seat else _("{who} leads {mine} to {others}")
    if total[first] == total[second]:
        text = pgettext("as much reputation", "level")
    return f" → **{text.format(who=names.escaped(first), mine=total[first], others=total[second])}**"


def after_turn(view: View, facts: Mapping[str, Any], names: Names) -> str:
    """Who leads with the museums after a turn of the last round; who still moves, or how a tie is broken."""
    seat, scores, tie = view.active, facts.get("scores"), facts.get("broken", ())
    if not scores:
        return ""
    said = _("After this turn, with the museums{leader}.").format(leader=leader(scores, seat, names))
    level = [(n, each) for each, n in enumerate(tie) if scores[each] == max(scores) and each != seat]
    if not tie:
        after = [(view.first - n) % view.seats for n in range((view.first - seat - 1) % view.seats, 0, -1)]
        text = _("Still to move: {names}.").format(names=listing([names.bold(each) for each in after]))
    elif scores[seat] == max(scores) and level and facts["tie"] != "shared":
        text = _("Dollars decide between you and {rival}: ${n} to ${most}.")
        if facts["tie"] == "cubes":
            text = _("Cubes decide between you and {rival}: {n} to {most}.")
        text = text.format(rival=names.bold(max(level)[1]), n=tie[seat], most=max(level)[0])
    else:
        text = _("That is place {n}.").format(n=facts["place_won"])
    return f"{said} {text}"


def goal() -> str:
    """How a match is won, in a sentence or two."""
    text = _(
        "The most reputation {star} wins; a round in which somebody has {goal} is the last. Cards and dives bring it, "
        "and the most cubes on a museum at the end."
    )
    return text.format(star=name.REPUTATION, goal=GOAL)


def standing(view: View, seat: int) -> str:
    """A company's goods, in a line with words."""
    held = name.goods(view.artifacts[seat]) or _("No artifacts")
    lines = [held]
    if any(found := finds(view, seat)):
        shown = [f"{name.FIND[kind]} {name.find(kind)} ×{n}" for kind, n in enumerate(found) if n]
        lines.append(_("Finds: {finds}").format(finds=listing(shown)))
    if cubes := cubes_on_museums(view, seat):
        lines.append(_("Cubes on museums: {n}").format(n=cubes))
    return " · ".join(lines)


def placed(view: View) -> str:
    """Where the dice lie that have been placed this turn, as small print; empty where none have."""
    lying_there = [
        name.together(name.die(die), name.unbroken(name.written(view.catalogue.cards[space.card])))
        for space, die in zip(view.covered, view.laid, strict=True)
    ]
    if view.dived:
        lying_there.append(_("{dice} on a dive").format(dice=name.dice(view.dived)))
    return "-# " + _("Placed: {dice}").format(dice=" · ".join(lying_there)) if lying_there else ""


def card_line(view: View, seat: int, held: Held, *, both: bool) -> str:
    """A card of a company: its name, what it lies below, its effects, and the artifacts on it."""
    head = f"**{escape(title(view, seat, held))}**"
    if below := _above(view, seat, held.place):
        head += " " + _("below {card}").format(card=escape(below))
    cubes = " · ".join(f"{name.ARTIFACT[kind]} {n}" for kind, n in enumerate(held.artifacts) if n)
    on_it = " · " + _("on it: {artifacts}").format(artifacts=f"**{cubes}**") if cubes else ""
    if not both:
        return f"{head} · {effects.side_text(view.catalogue, held.side)}{on_it}"
    if held.level == 1:
        head += " · " + _("{cost} to upgrade").format(cost=name.cost(held.card))
    return f"{head}{on_it}\n{effects.both_sides(view.catalogue, held.card, up=held.level)}"


def _above(view: View, seat: int, place: Place) -> str:
    """The name of the card above a place of the lower row; empty where there is none."""
    if place.row == UPPER:
        return ""
    above = [held for held in company(view, seat) if held.place == Place(UPPER, place.column)]
    return title(view, seat, above[0]) if above else ""


def card_lines(view: View, seat: int, *, both: bool = False) -> list[str]:
    """All cards of a company, as they lie. Each row begins with a heading, and a gap in a row is told."""
    lines: list[str] = []
    last: Place | None = None
    rows = len({held.place.row for held in lying(view, seat)})
    headings = {UPPER: _("__Upper row, from left to right__"), LOWER: _("__Lower row__")}
    for held in lying(view, seat):
        line = card_line(view, seat, held, both=both)
        if rows > 1 and (last is None or held.place.row != last.row):
            line = f"{headings[held.place.row]}\n{line}"
        elif last is not None and held.place.column > last.column + 1:
            line = _("(a gap)") + f"\n{line}"
        last = held.place
        lines.append(line)
    return lines


def neighbours(view: View, seat: int, place: Place) -> tuple[str, str]:
    """Where a place is, by the first card that it touches: "Below Headquarters"; and the further ones, if any."""
    there = {held.place: name.short(title(view, seat, held), NAME_ROOM) for held in company(view, seat)}
    left, right, across = around(place)
    texts = {
        across: _("Below {card}") if place.row == LOWER else _("Above {card}"),
        left: _("Right of {card}"),
        right: _("Left of {card}"),
    }
    touched = [near for near in (across, left, right) if near in there]
    first, *others = touched
    beside = (
        _("also beside {cards}").format(cards=listing([there[near] for near in others])) if others else ""
    )
    return texts[first].format(card=there[first]), beside
