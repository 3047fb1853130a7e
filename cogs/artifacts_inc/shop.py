"""A purchase on the private screen: what can be paid, both sides of the chosen card, what it scores, and its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.language import gettext as _
from bot.language import listing
from bot.ui.screens import components as ui
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.fitting import small_print
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import FIRST_TIME, Choices, Item, Option, button, menus
from cogs.artifacts_inc import companies, effects, proposals, uses
from cogs.artifacts_inc import names as name
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.catalogue import Card, Side
from engine.artifacts_inc.choices import (
    Score,
    last_round,
    museum_points,
    places,
    purchases,
    score,
    scored_places,
    turnable,
    turning_score,
    usual_place,
)
from engine.artifacts_inc.company import CompanyCard, Place, Space, around
from engine.artifacts_inc.state import GOAL, Held, View, company
from engine.errors import IllegalMove

# Intents. A menu's intent also names what is chosen in it.
OPENED: Final = "g.shop"
CARD: Final = "g.card"
PLACE: Final = "g.place"
BUY: Final = "g.buy"
NEW_CARD: Final = "card"
UPGRADE: Final = "up"
"""Kinds of choices in the menu of intent `CARD`: a new card, and one of one's own."""

SMALL_PRINT: Final = 100
"""Characters of a menu option's description."""


class Visit(NamedTuple):
    """A purchase as far as it has come: the kind of the latest choice, the die and its space, and the card that is
    chosen, by its numbers.
    """

    kind: str
    die: int
    on: Space
    wanted: tuple[int, ...]


def read_visit(choices: Choices) -> Visit | None:
    """How far a purchase has come; None where none has begun. Raises `IllegalMove` for what was never offered."""
    for value in (*choices.get(CARD, ()), *choices.get(OPENED, ())):
        kind, numbers = uses.decode(value)
        if kind not in (uses.SHOP, NEW_CARD, UPGRADE):
            continue  # the menu has other uses of dice, too
        die, on, rest = uses.placement(numbers)
        return Visit(kind, die, on, tuple(rest[:-1]))  # the last is the option's number in its menu
    return None


def selection_for(view: View, move: m.Buy | m.TurnCard) -> Choices:
    """The selection of this purchase, which the button of `confirm` makes."""
    place, (offered, own) = (move.die, *move.on), _in_order(view)
    if isinstance(move, m.TurnCard):
        at = len(offered) + own.index(move.own)
        return {CARD: [uses.encode(UPGRADE, *place, *move.own, at)]}
    where = [*places(view, view.active)].index(move.place)
    return {
        CARD: [uses.encode(NEW_CARD, *place, move.card, offered.index(move.card))],
        PLACE: [uses.encode("at", *move.place, where)],
    }


def items(view: View, visit: Visit, choices: Choices, to: Id) -> list[Item]:
    """The menu of what can be bought and improved, and what is chosen with all that it brings."""
    place = (visit.die, *visit.on)
    which, text = to._replace(intent=CARD), _("Buy or upgrade a card (die {die}) …").format(die=visit.die)
    cards = menus(which, text, _options(view, place), chosen=choices.get(CARD, ()))
    shown: list[Item] = [ui.text(_means(view, visit)), *cards]
    if visit.kind == NEW_CARD:
        return [*shown, *_purchase(view, visit, choices, to)]
    if visit.kind == UPGRADE:
        return [*shown, *_improvement(view, visit)]
    return shown


def options_at_once(view: View, found: Sequence[uses.Use]) -> list[Option]:
    """The same options beside what else dice can do, if there is but one kind of slot that buys; none otherwise."""
    opening = [use for use in found if use.opens_shop]
    return _options(view, uses.decode(opening[0].choice)[1]) if len(opening) == 1 else []


def die_of(options: Sequence[Option]) -> int:
    """The die with which these options buy; 0 without options."""
    return uses.decode(options[0].value)[1][0] if options else 0


def _options(view: View, place: Sequence[int]) -> list[Option]:
    """The cards that can be bought and improved with the die and the space of `place`."""
    offered = [_card_option(view, number, place, at) for at, number in enumerate(_in_order(view)[0])]
    return [*offered, *_upgrade_options(view, place, len(offered))]


def confirm(view: View, visit: Visit, choices: Choices, to: Id) -> list[ui.Button]:
    """The button that makes the purchase, once a card is chosen."""
    place = (visit.die, *visit.on)
    if visit.kind == NEW_CARD:
        card = view.catalogue.cards[visit.wanted[0]]
        where = _chosen_place(view, card, choices)
        press = to._replace(intent=BUY, arg=uses.encode("buy", *place, card.number, *where))
        return [button(_("Buy for {cost}").format(cost=name.cost(card)), press, SUCCESS, emoji=name.BUYING)]
    if visit.kind == UPGRADE:
        card = view.catalogue.cards[visit.wanted[0]]
        press = to._replace(intent=BUY, arg=uses.encode("turn", *place, *visit.wanted))
        label = _("Upgrade for {cost}").format(cost=name.cost(card))
        return [button(label, press, SUCCESS, emoji=name.IMPROVING)]
    return []


def _means(view: View, visit: Visit) -> str:
    """Where the die is about to lie: "4️⃣ **Headquarters**"."""
    if not 0 <= visit.on.card < len(view.catalogue.cards):
        raise uses.malformed()
    return f"-# {name.die(visit.die)} **{name.written(view.catalogue.cards[visit.on.card])}**"


def _in_order(view: View) -> tuple[list[int], list[CompanyCard]]:
    """The cards that can be bought and those that can be improved, first those that bring most reputation at once."""
    offered = sorted(purchases(view), key=lambda number: -_best(view, number).total)
    return offered, sorted(turnable(view), key=lambda own: -turning_score(view, own).total)


def _best(view: View, number: int) -> Score:
    """The most reputation that a card on offer brings at once, wherever it lies."""
    return max((found for _where, found in scored_places(view, number)), key=lambda found: found.total)


def _card_option(view: View, number: int, place: Sequence[int], at: int) -> Option:
    card = view.catalogue.cards[number]
    return Option(
        f"{name.card_name(card)} · {name.cost(card)}",
        uses.encode(NEW_CARD, *place, number, at),
        _described(view, card.side(1), _best(view, number)),
        name.BUYING,
    )


def _described(view: View, side: Side, scored: Score, before: Side | None = None) -> str:
    """The effects of a side in a menu's small print, and what it does to the company.

    `before`: the side that it replaces, if it replaces one.
    """
    text = effects.side_text(
        view.catalogue, side, plain=True, scored=scored, before=before.dice if before else 0
    )
    reason, total = (
        proposals.card(view, side, scored.total, before),
        view.reputation[view.active] + scored.total,
    )
    if view.reputation[view.active] < GOAL <= total:
        reason = f"🏁 {total}"
    return (
        f"{name.short(text, SMALL_PRINT - len(reason) - 3)} · {reason}"
        if reason
        else name.short(text, SMALL_PRINT)
    )


def _upgrade_options(view: View, place: Sequence[int], first: int) -> list[Option]:
    """The cards of one's own that can be improved. Their options are numbered from `first`."""
    held = {each.own: each for each in company(view, view.active)}
    options: list[Option] = []
    for at, own in enumerate(_in_order(view)[1], first):
        card = view.catalogue.cards[own.card]
        best = turning_score(view, own)
        called = companies.title(view, view.active, held[own])
        text = _described(view, card.side(2), best, card.side(1))
        label = f"{called} → {name.LEVELS[1]} · {name.cost(card)}"
        options.append(Option(label, uses.encode(UPGRADE, *place, *own, at), text, name.IMPROVING))
    return options


def finish(view: View, deeds: Sequence[tuple[m.Move, int, int]]) -> list[str]:
    """The line about the `deeds` with which the turn reaches the goal, if the seat is then ahead with the museums."""
    totals = [view.reputation[seat] + museum_points(view, seat) for seat in range(view.seats)]
    own = totals.pop(view.active) + sum(reputation for _move, _dollars, reputation in deeds)
    if not deeds or last_round(view) or own <= max(totals):
        return []
    what = listing([proposals.brief(view, *deed) for deed in deeds])
    text = _("{star} {goal} is in reach: {what}.").format(star=name.REPUTATION, goal=GOAL, what=what)
    return [f"🏁 **{text}**"]


# -- a new card


def _purchase(view: View, visit: Visit, choices: Choices, to: Id) -> list[Item]:
    if len(visit.wanted) != 1 or visit.wanted[0] not in purchases(view):
        raise IllegalMove("not-on-offer")
    card = view.catalogue.cards[visit.wanted[0]]
    scores = dict(ranked_places(view, card))
    where = _chosen_place(view, card, choices)
    found = scores[where]
    differ = len({*scores.values()}) > 1
    # In small print, because on a phone both sides would push the picture off the screen.
    lines = [
        *small_print(effects.both_sides(view.catalogue, card).splitlines()),
        *_brings(view, card.side(1), found),
    ]
    options = [
        Option(
            _place_label(view, at + 1, place, scores[place] if differ else None),
            uses.encode("at", *place, at),
            name.short(companies.neighbours(view, view.active, place)[1], SMALL_PRINT),
        )
        for at, place in enumerate(places(view, view.active))
    ]
    chosen = [
        option.value
        for option, place in zip(options, places(view, view.active), strict=True)
        if place == where
    ]
    numbered = _("The numbers in the picture are the places where the card can lie: the best one is chosen.")
    numbers = [ui.text(f"-# 💡 {numbered}", id=FIRST_TIME)] if differ else []
    last = uses.last_die(view)
    if not last and len(view.piles[card.pile]) > 1:  # of one kind alone, the next card is known
        lines.append("-# " + _("This reveals a new card: no undo."))
    lines += last
    return [
        ui.text("\n".join(lines)),
        *numbers,
        *menus(to._replace(intent=PLACE), _("Where to place it …"), options, chosen=chosen),
    ]


def _minds_expeditions(card: Card) -> bool:
    """Whether it may count later that the card lies beside an Expedition."""
    return card.expedition or any(side.per_expedition for side in card.sides)


def _place_label(view: View, number: int, place: Place, found: Score | None) -> str:
    """A place by its number in the picture, what the card scores there, where that differs, and its neighbour.

    The neighbour is last: a phone cuts the end of a long option.
    """
    scored = [] if found is None else [effects.score_text(found)]
    there = _("Place {n}").format(n=number)
    return " · ".join([there, *scored, companies.neighbours(view, view.active, place)[0]])


def ranked_places(view: View, card: Card) -> list[tuple[Place, Score]]:
    """Where the active seat can lay a card, the best first: by what it scores there, then the usual place, then by how
    many Expeditions of its own it would touch; these come before the usual place if the card minds them.
    """
    seat = view.active
    expeditions = {held.place for held in company(view, seat) if held.card.expedition}
    usual = usual_place(view, seat)

    def order(found: tuple[Place, Score]) -> tuple[int, int, int]:
        place, each = found
        touched, elsewhere = -sum(near in expeditions for near in around(place)), int(place != usual)
        if _minds_expeditions(card):
            return -each.total, touched, elsewhere
        return -each.total, elsewhere, touched

    return sorted(scored_places(view, card.number), key=order)


def _chosen_place(view: View, card: Card, choices: Choices) -> Place:
    """The place that is chosen, or the best. Raises `IllegalMove` for one that was never offered."""
    open_ones = [place for place, _score in ranked_places(view, card)]
    for value in choices.get(PLACE, ()):
        _kind, numbers = uses.decode(value)
        if len(numbers) != 3:
            raise uses.malformed()
        if (where := Place(*numbers[:-1])) in open_ones:
            return where
    return open_ones[0]


def _brings(view: View, side: Side, found: Score, before: Side | None = None) -> list[str]:
    """The score of an upgrade, or where it is more or less than the side's line says; and the use to the company."""
    text = _("It scores {score} immediately.") if found.total else _("It scores nothing immediately.")
    told = before or side.counts or not side.reputation
    said = [text.format(score=effects.score_text(found))] if told else []
    reason = proposals.card(view, side, found.total, before)
    return [*said, f"-# 💡 {reason[:1].upper()}{reason[1:]}."] if reason else said


# -- a card of one's own


def _improvement(view: View, visit: Visit) -> list[Item]:
    if len(visit.wanted) != 2 or (own := CompanyCard(*visit.wanted)) not in turnable(view):
        raise IllegalMove("no-such-card")
    held: Held = next(each for each in company(view, view.active) if each.own == own)
    found = score(view, view.active, held.card.side(2), held.place)
    lines = [
        *small_print(effects.both_sides(view.catalogue, held.card).splitlines()),
        *_brings(view, held.card.side(2), found, held.card.side(1)),
    ]
    if any(space[:2] == own for space in view.covered):
        lines.append("-# " + _("The die on this card stays, and takes up its slot."))
    return [ui.text("\n".join([*lines, *uses.last_die(view)]))]
