"""A turn in one line, for whoever has missed it: what it brought, and not die by die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.language import gettext as _
from bot.language import listing, ngettext
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names
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

WEIGHT: Final = ("bought", "turned_card", "reputation", "dived", "filled", "sold", "found", "earned")
"""The parts of a turn's sentence, the most important first."""


def recap(events: Sequence[SeenEvent], viewer: int | None, names: Names, catalogue: Catalogue) -> list[str]:
    """A player's turn in one sentence, and a line for each event that is more than the turn, such as the last round.

    The table message may cut the sentence, so there it begins with what matters most, and leaves small earnings out.
    If a turn has brought nothing, the last of its own events stands for it.
    """
    if all(each.kind in _AT_THE_TABLE for each in events):
        return []
    lines: list[str] = []
    deeds = [each for each in events if each.kind in DEEDS]
    if deeds and deeds[0].seat is not None:
        brought = listing(
            _most_important_first(deeds, catalogue) if viewer is None else _in_order(deeds, catalogue)
        )
        # Translators: “Ana” “finds 1 Fossil, earns $1 with Guide Work and buys Airfield”
        lines.append(_("{who} {deeds}.").format(who=names.bold(deeds[0].seat), deeds=brought))
    lines += _new_leads(deeds, names, catalogue)
    # That the end is near stands at the head of the table message.
    untold = DEEDS | PASSING | ({"reached"} if viewer is None else set[str]())
    others = [each for each in events if each.kind not in untold]
    for each in others:
        if viewer is None and each.kind == "first":
            lines.append(_("{who} begins.").format(who=names.bold(each.seat or 0)))
        else:
            lines.append(words.tell(each, viewer, names, catalogue))
    own = [each for each in events if each.seat == events[0].seat]
    return lines or [words.tell(own[-1], viewer, names, catalogue)]


def _new_leads(deeds: Sequence[SeenEvent], names: Names, catalogue: Catalogue) -> list[str]:
    """A line for each museum whose majority a sale has turned."""
    taken = [each for each in deeds if each.kind == "filled" and each.facts.get("takes_lead")]
    text = _("{museum} {who} now leads the {name}.")
    return [
        text.format(
            museum=name.ARTIFACT[kind],
            who=names.bold(each.seat or 0),
            name=name.written(catalogue.cards[kind]),
        )
        for each in taken
        for kind in (ARTIFACTS.index(each.facts["artifact"]),)
    ]


def _in_order(deeds: Sequence[SeenEvent], catalogue: Catalogue) -> list[str]:
    """The sum of these deeds, in the order of a turn."""
    return [text for _part, text in _brought(deeds, catalogue)]


def _most_important_first(deeds: Sequence[SeenEvent], catalogue: Catalogue) -> list[str]:
    """The sum of these deeds, without earnings if there is anything else."""
    parts = sorted(_brought(deeds, catalogue), key=lambda part: WEIGHT.index(part[0]))
    return [text for part, text in parts if part != "earned"] or [text for _part, text in parts]


def _brought(deeds: Sequence[SeenEvent], catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """The sum of these deeds, in the order of a turn: the kind of each part (`WEIGHT`), and a verb after a name."""
    found = _found(deeds)
    if any(found):
        yield "found", _("finds {goods}").format(goods=name.goods(found))
    filled = [each for each in deeds if each.kind == "filled"]
    if filled:
        artifacts = dict.fromkeys(each.facts["artifact"] for each in filled)
        museums = [name.written(catalogue.cards[ARTIFACTS.index(artifact)]) for artifact in artifacts]
        yield (
            "filled",
            _("sells to the {museums} for ${n}").format(museums=listing(museums), n=_dollars(filled)),
        )
    sales = [each for each in deeds if each.kind in ("collected", "sold")]
    if any(sold := _sold(sales)):
        yield "sold", _("sells {goods} for ${n}").format(goods=name.goods(sold), n=_dollars(sales))
    earning = [each for each in deeds if each not in (*filled, *sales) and each.facts.get("dollars")]
    if earning:
        keys = dict.fromkeys(each.facts.get("on") or each.facts["card"] for each in earning)
        cards = [name.name_of(catalogue, key) for key in keys]
        yield "earned", _("earns ${n} with {cards}").format(n=_dollars(earning), cards=listing(cards))
    if cards := _names(deeds, "bought", catalogue):
        # Translators: {cards} are names of cards; the number is how many.
        yield "bought", ngettext("buys {cards}", "buys {cards}", len(cards)).format(cards=listing(cards))
    if cards := _names(deeds, "turned_card", catalogue):
        # Translators: {cards} are names of cards; the number is how many.
        upgrades = ngettext("upgrades {cards}", "upgrades {cards}", len(cards))
        yield "turned_card", upgrades.format(cards=listing(cards))
    for each in deeds:
        if each.kind == "dived":
            yield "dived", _("dives ({number} needed)").format(number=each.facts["number"])
    if reputation := _reputation(deeds):
        yield "reputation", _("gains {star} {n}").format(star=name.REPUTATION, n=reputation)


def _names(deeds: Sequence[SeenEvent], kind: str, catalogue: Catalogue) -> list[str]:
    """The names of the cards in the deeds of a kind."""
    return [name.name_of(catalogue, each.facts["card"]) for each in deeds if each.kind == kind]


def _found(deeds: Sequence[SeenEvent]) -> list[int]:
    found = [0] * len(ARTIFACTS)
    for each in deeds:
        if each.kind in ("gained", "gathered"):
            found[ARTIFACTS.index(each.facts["artifact"])] += 1
    return found


def _sold(sales: Sequence[SeenEvent]) -> list[int]:
    sold = [0] * len(ARTIFACTS)
    for each in sales:
        kinds = each.facts.get("artifacts") or {each.facts["artifact"]: each.facts.get("count", 1)}
        for key, n in kinds.items():
            sold[ARTIFACTS.index(key)] += n
    return sold


def _dollars(deeds: Sequence[SeenEvent]) -> int:
    return sum(each.facts.get("dollars", 0) for each in deeds)


def _reputation(deeds: Sequence[SeenEvent]) -> int:
    return sum(each.facts.get("reputation", 0) + each.facts.get("counted", 0) for each in deeds)
