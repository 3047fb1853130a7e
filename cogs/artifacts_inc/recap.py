"""A turn in one line, for whoever has missed it: what it brought, and not die by die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.language import gettext as _
from bot.language import listing
from bot.ui.game_screens import Told
from bot.ui.names import Names
from cogs.artifacts_inc import names as name
from cogs.artifacts_inc import words
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import Catalogue

PASSING = frozenset({"rolled", "rolled_again", "turned_die", "passed", "revealed", "arranged"})
"""What a turn's outcome tells without them. The next player's roll is among the events of the move before it."""
DEEDS = frozenset(
    {"gained", "gathered", "earned", "filled", "collected", "sold", "bought", "turned_card", "dived"}
)


def recap(told: Sequence[Told], viewer: int | None, names: Names, catalogue: Catalogue) -> list[str]:
    """These events of one player's moves, in one line, and a line each for what is more than the turn: the end of the
    match comes nearer, say. Where a turn has brought nothing, the last of its own events stands for it.
    """
    lines: list[str] = []
    deeds = [each for each in told if each.kind in DEEDS]
    if deeds and deeds[0].seat is not None:
        who = names.bold(deeds[0].seat)
        lines.append(f"{who} {' · '.join(_brought(deeds, catalogue))}")
    others = [each for each in told if each.kind not in DEEDS | PASSING]
    lines += [words.tell(each, viewer, names, catalogue) for each in others]
    own = [each for each in told if each.seat == told[0].seat]
    return lines or [words.tell(own[-1], viewer, names, catalogue)]


def _brought(deeds: Sequence[Told], catalogue: Catalogue) -> Iterator[str]:
    """What these deeds came to, in the order in which a turn goes: verbs that follow a name."""
    found = [0] * len(ARTIFACTS)
    for each in deeds:
        if each.kind in ("gained", "gathered"):
            found[ARTIFACTS.index(each.facts["artifact"])] += 1
    if any(found):
        yield _("finds {goods}").format(goods=name.goods(found))
    if dollars := sum(each.facts.get("dollars", 0) for each in deeds):
        yield _("takes in ${n}").format(n=dollars)
    for kind, text in (("bought", _("buys {cards}")), ("turned_card", _("improves {cards}"))):
        cards = [name.name_of(catalogue, each.facts["card"]) for each in deeds if each.kind == kind]
        if cards:
            yield text.format(cards=listing(cards))
    for each in deeds:
        if each.kind == "dived":
            yield _("dives for {number}").format(number=each.facts["number"])
    facts = [each.facts for each in deeds]
    if reputation := sum(fact.get("reputation", 0) + fact.get("counted", 0) for fact in facts):
        yield f"{name.REPUTATION} +{reputation}"
