"""A turn in one line, for whoever has missed it: what it brought, and not die by die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.language import gettext as _
from bot.language import listing
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names
from cogs.artifacts_inc import names as name
from cogs.artifacts_inc import words
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import Catalogue

PASSING = frozenset({"rolled", "rolled_again", "turned_die", "passed", "revealed", "arranged"})
"""Events that a turn's summary leaves out. The next player's roll is among the events of the move before it."""
DEEDS = frozenset(
    {"gained", "gathered", "earned", "filled", "collected", "sold", "bought", "turned_card", "dived"}
)

FEW: Final = 3
"""So many artifacts of a kind are told by a number, fewer by as many pictures."""


def recap(events: Sequence[SeenEvent], viewer: int | None, names: Names, catalogue: Catalogue) -> list[str]:
    """These events of one player's moves, in one line, and a line each for what is more than the turn: the end of the
    match comes nearer, say. Where a turn has brought nothing, the last of its own events stands for it. On the table
    message, which all see, pictures stand for words, so that the line is short.
    """
    if viewer is None and all(each.kind == "rolled" for each in events):
        return []  # the line that says whose turn it is shows the dice
    lines: list[str] = []
    deeds = [each for each in events if each.kind in DEEDS]
    if deeds and deeds[0].seat is not None:
        who = names.bold(deeds[0].seat)
        if viewer is None:
            lines.append(f"{who} {' '.join(_in_short(deeds, catalogue))}")
        else:
            lines.append(f"{who} {' · '.join(_brought(deeds, catalogue))}")
    # That the end is near stands at the head of the table message.
    untold = DEEDS | PASSING | ({"reached"} if viewer is None else set[str]())
    others = [each for each in events if each.kind not in untold]
    lines += [words.tell(each, viewer, names, catalogue) for each in others]
    own = [each for each in events if each.seat == events[0].seat]
    return lines or [words.tell(own[-1], viewer, names, catalogue)]


def _brought(deeds: Sequence[SeenEvent], catalogue: Catalogue) -> Iterator[str]:
    """The sum of these deeds, in the order of a turn: verbs that follow a name."""
    found = _found(deeds)
    if any(found):
        yield _("finds {goods}").format(goods=name.goods(found))
    if dollars := _dollars(deeds):
        yield _("takes in ${n}").format(n=dollars)
    for kind, text in (("bought", _("buys {cards}")), ("turned_card", _("improves {cards}"))):
        cards = [name.name_of(catalogue, each.facts["card"]) for each in deeds if each.kind == kind]
        if cards:
            yield text.format(cards=listing(cards))
    for each in deeds:
        if each.kind == "dived":
            yield _("dives for {number}").format(number=each.facts["number"])
    if reputation := _reputation(deeds):
        yield f"{name.REPUTATION} +{reputation}"


def _in_short(deeds: Sequence[SeenEvent], catalogue: Catalogue) -> Iterator[str]:
    """The same in pictures: "🦴🦴📜 +$3 🛒 Airfield 🤿 `4` ⭐+2"."""
    found = _found(deeds)
    if any(found):
        yield "".join(_pictures(kind, n) for kind, n in enumerate(found))
    if dollars := _dollars(deeds):
        yield f"+${dollars}"
    for kind, picture in (("bought", name.BUYING), ("turned_card", name.IMPROVING)):
        cards = [name.name_of(catalogue, each.facts["card"]) for each in deeds if each.kind == kind]
        if cards:
            yield name.together(picture, ", ".join(cards))
    for each in deeds:
        if each.kind == "dived":
            yield name.together(name.DIVING, f"`{each.facts['number']}`")
    if reputation := _reputation(deeds):
        yield f"{name.REPUTATION}+{reputation}"


def _pictures(kind: int, n: int) -> str:
    """So many of an artifact: "🦴🦴", and "🦴3" where there are more."""
    picture = name.ARTIFACT[kind]
    return picture * n if n < FEW else f"{picture}{n}"


def _found(deeds: Sequence[SeenEvent]) -> list[int]:
    found = [0] * len(ARTIFACTS)
    for each in deeds:
        if each.kind in ("gained", "gathered"):
            found[ARTIFACTS.index(each.facts["artifact"])] += 1
    return found


def _dollars(deeds: Sequence[SeenEvent]) -> int:
    return sum(each.facts.get("dollars", 0) for each in deeds)


def _reputation(deeds: Sequence[SeenEvent]) -> int:
    return sum(each.facts.get("reputation", 0) + each.facts.get("counted", 0) for each in deeds)
