"""A turn in one line, for whoever has missed it: what it brought, and not die by die."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.language import gettext as _
from bot.language import listing, ngettext, pgettext
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names, sentence
from cogs.artifacts_inc import names as name
from cogs.artifacts_inc import words
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import Catalogue

PASSING = frozenset({"rolled", "rolled_again", "turned_die", "passed", "revealed", "arranged"})
"""Events that a turn's summary leaves out. The next player's roll is among the events of the move before it."""
_AT_THE_TABLE = frozenset({"rolled", "revealed"})
"""Events that the table shows: the dice beside whose turn it is, and the cards on offer."""
DEEDS = frozenset(
    {"gained", "gathered", "earned", "filled", "collected", "sold", "bought", "turned_card", "dived"}
)

SALES: Final = ("filled", "collected", "sold")
_PART: Final[Mapping[str, str]] = {
    "gained": "found",
    "gathered": "found",
    "bought": "bought",
    "turned_card": "turned_card",
    "dived": "dived",
}
"""The part for each kind of deed that does more than to sell or earn."""
GREAT_SALE: Final = 7
"""The dollars from which on a sale is a moment."""


def moment(event: SeenEvent, viewer: int | None) -> int:
    """How much an event stands out: the goal, a museum's lead that changes, and a big step towards the goal. A lead
    that the viewer took is old news once others have moved.
    """
    if event.kind == "reached" or "passes" in event.facts:
        return 2 if event.kind == "reached" or event.seat != viewer else 1
    if event.kind in DEEDS and _scored(event) >= words.GREAT:
        return 3 if event.seat == viewer else 1  # one's own is told once more when one's next turn opens
    return int(event.kind in SALES and event.facts["dollars"] >= GREAT_SALE)


def effect(event: SeenEvent) -> int:
    """How good an event is for its company."""
    return 2 * moment(event, None) or int(event.kind in DEEDS)


def recap(events: Sequence[SeenEvent], viewer: int | None, names: Names, catalogue: Catalogue) -> list[str]:
    """A player's turn in one sentence, and a line for each event that is more than the turn, such as the last round.

    If a turn has brought nothing, the last of its own events stands for it. On a player's screen the race names whoever
    else is near the goal.
    """
    if viewer is not None:
        events = [each for each in events if each.kind != "near" or each.seat == viewer]
    if {each.kind for each in events} <= _AT_THE_TABLE:
        return []
    lines: list[str] = []
    deeds = [each for each in events if each.kind in DEEDS]
    if deeds and deeds[0].seat is not None:
        brought = listing(_in_order(deeds, names, catalogue, you=deeds[0].seat == viewer))
        unused = [len(each.facts["dice"]) for each in events if each.kind == "passed"]
        if unused and unused[0]:
            text = ngettext("{deeds} ({n} die unused)", "{deeds} ({n} dice unused)", unused[0])
            brought = text.format(deeds=brought, n=unused[0])
        lines.append(sentence(deeds[0].seat, brought, viewer, names))
    # That the end is near stands at the head of the table message, and the museums are counted in the result.
    left_out = DEEDS | PASSING | {"majority"} | ({"reached"} if viewer is None else set[str]())
    others = [each for each in events if each.kind not in left_out]
    lines += [words.describe(each, viewer, names, catalogue) for each in others]
    own = [each for each in events if each.seat == events[0].seat]
    return lines or [words.describe(own[-1], viewer, names, catalogue)]


def _in_order(deeds: Sequence[SeenEvent], names: Names, catalogue: Catalogue, *, you: bool) -> list[str]:
    """These deeds, all of a kind joined, in the order in which their kinds began."""
    kinds: dict[tuple[str, str], list[SeenEvent]] = {}
    for each in deeds:
        for kind in _kinds(each):
            kinds.setdefault(kind, []).append(each)
    told = {part: _verb(part[0], run, names, catalogue, you=you) for part, run in kinds.items()}
    best = max(told, key=lambda part: _weight(kinds[part]))
    if len(told) > 1 and any(_weight(kinds[best])[:2]):
        told[best] = f"**{told[best].replace('**', '')}**"
    return [*told.values()]


def _weight(deeds: Sequence[SeenEvent]) -> tuple[int, bool, int]:
    """The weight of deeds of a kind among a turn's: by reputation, then a museum's lead, then dollars."""
    return sum(map(_scored, deeds)), any(each.facts.get("takes_lead") for each in deeds), _dollars(deeds)


def _scored(deed: SeenEvent) -> int:
    return deed.facts.get("reputation", 0) + deed.facts.get("counted", 0)


def _kinds(deed: SeenEvent) -> list[tuple[str, str]]:
    """The parts of a turn's sentence (`_verb`) that tell a deed, each with the card that took what was sold."""
    if deed.kind in SALES:
        return [("sold", deed.facts["artifact"] if deed.kind == "filled" else deed.facts["on"])]
    parts = [_PART.get(deed.kind), "earned" if deed.facts.get("dollars") else None]
    return [(part, "") for part in parts if part]


def _verb(part: str, deeds: Sequence[SeenEvent], names: Names, catalogue: Catalogue, *, you: bool) -> str:
    """Deeds of one kind, the sales to one place, as a verb after a name or “you”."""
    match part:
        case "found":
            text = pgettext("you …", "find {goods}") if you else _("finds {goods}")
            return text.format(goods=words.goods(*(each.facts for each in deeds)))
        case "sold":
            text = (
                pgettext("you …", "sell {goods} to the {place} for ${n}")
                if you
                else _("sells {goods} to the {place} for ${n}")
            )
            goods = words.goods(*(each.facts for each in deeds))
            sales = text.format(goods=goods, place=_place(deeds[0], catalogue), n=_dollars(deeds))
            # Translators: follows a sale to a museum: “sells 2 Gems to the Gem Museum for $5 (**now in the lead**)”
            leads = _("**now in the lead**") if any(each.facts.get("takes_lead") for each in deeds) else ""
            if taken := [each.facts["passes"] for each in deeds if "passes" in each.facts]:
                leads = _("**lead taken from {rival}**").format(rival=names.escaped(taken[0]))
            return f"{sales} ({leads})" if leads else sales
        case "earned":
            keys = dict.fromkeys(each.facts.get("on") or each.facts["card"] for each in deeds)
            cards = [name.name_of(catalogue, key) for key in keys]
            text = pgettext("you …", "earn ${n} with {cards}") if you else _("earns ${n} with {cards}")
            return text.format(n=_dollars(deeds), cards=listing(cards))
        case "bought" | "turned_card":
            cards = [_purchase(each, catalogue) for each in deeds]
            n = len(cards)
            # Translators: {cards} are names of cards with their prices; the number is how many.
            text = pgettext("you …", "buy {cards}") if you else ngettext("buys {cards}", "buys {cards}", n)
            if part == "turned_card":
                # Translators: {cards} are names of cards with their prices; the number is how many.
                text = ngettext("upgrades {cards}", "upgrades {cards}", n)
                text = pgettext("you …", "upgrade {cards}") if you else text
            return text.format(cards=listing(cards))
        case _:
            dive = deeds[0]
            text = pgettext("you …", "dive for {find}") if you else _("dives for {find}")
            return text.format(find=words.find(dive.facts)) + _gain(dive)


def _purchase(deed: SeenEvent, catalogue: Catalogue) -> str:
    """A card that was bought or upgraded, with its price and the reputation that it brought."""
    # Translators: a card and its price: “Airfield for $2”
    text = _("{card} for {cost}")
    card = name.name_of(catalogue, deed.facts["card"])
    return text.format(card=card, cost=words.price(deed.facts)) + _gain(deed)


def _gain(deed: SeenEvent) -> str:
    """The reputation that a deed brought, directly after it: " (⭐ +2)"."""
    return f" ({name.gained(n)})" if (n := _scored(deed)) else ""


def _place(sale: SeenEvent, catalogue: Catalogue) -> str:
    """The name of the museum or the card that took what was sold."""
    if sale.kind == "filled":
        return name.written(catalogue.cards[ARTIFACTS.index(sale.facts["artifact"])])
    return name.name_of(catalogue, sale.facts["on"])


def _dollars(deeds: Sequence[SeenEvent]) -> int:
    return sum(each.facts.get("dollars", 0) for each in deeds)
