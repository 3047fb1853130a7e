"""The six monuments in words: their names, their rule in a sentence, and their chambers on the table message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.language import gettext as _
from bot.language import ngettext
from cogs.treasures import names as card
from engine.expedition.monuments import KEPT, SAFE, TURNED
from engine.expedition.state import MONUMENTS, ExpeditionView, MonumentKey
from engine.treasures.table import MAP, bundles

EMOJI: Final[dict[MonumentKey, str]] = {
    "great_pyramid": "🔺",
    "temple": "🏛️",
    "tomb": "⚰️",
    "mine": "🕳️",
    "sphinx": "🦁",
    "ruins": "🧱",
}


def monument_name(key: MonumentKey) -> str:
    """A monument's name."""
    return {
        "great_pyramid": _("Great Pyramid"),
        "temple": _("Temple"),
        "tomb": _("Tomb"),
        "mine": _("Mine"),
        "sphinx": _("Sphinx"),
        "ruins": _("Buried Ruins"),
    }[key]


def rule_sentence(key: MonumentKey) -> str:
    """What exploring a monument means, in a sentence or two."""
    return {
        "great_pyramid": _(
            "1, 2 or 3 Maps take all cards of the chamber of 2, 5 or 8. Each is explored once."
        ),
        "temple": _(
            "2 Maps take all cards of any chamber. After each sale the seller may look into one chamber, "
            "unseen by the others."
        ),
        "tomb": _("1 Map: look at all cards of a chamber, keep {kept}, put the rest back.").format(kept=KEPT),
        "mine": _(
            "1 Map: turn up cards one by one and stop when you like. If their trade values ever add up to more "
            "than {safe}, all go back and you gain nothing."
        ).format(safe=SAFE),
        "sphinx": _(
            "1 Map: name two treasures, turn up {turned} cards, and take those that you named. The others go back."
        ).format(turned=TURNED),
        "ruins": _(
            "1 Map takes all cards of a chamber. They lie face up, and each Sandstorm adds one to every chamber."
        ),
    }[key]


def maps(view: ExpeditionView, number: int) -> str:
    """What a chamber costs."""
    return card.counted(MAP, view.costs[number])


def chamber_label(number: int) -> str:
    """A chamber's name on a line of its own."""
    return _("Chamber {n}").format(n=number + 1)


def chamber_lines(view: ExpeditionView) -> list[str]:
    """The monument on the table message."""
    key = view.monument
    lines = [f"**{EMOJI[key]} {monument_name(key)}**", f"-# {rule_sentence(key)}"]
    for number, size in enumerate(view.chambers):
        label = monument_name(key) if len(view.chambers) == 1 else chamber_label(number)
        content = (
            card.cards(bundles(view.within[number]))
            if key == "ruins" and size
            else card.number_of_cards(size)
        )
        if size:
            lines.append(f"▪️ {label} · {content} · {maps(view, number)}")
        else:
            lines.append(f"▫️ {label} · " + _("empty"))
    if key in ("mine", "sphinx") and any(view.within[0]):
        lines.append(
            "-# " + _("Known to lie there: {cards}").format(cards=card.cards(bundles(view.within[0])))
        )
    if key == "ruins":
        pile = ngettext("The pile holds {n} card.", "The pile holds {n} cards.", view.pile).format(
            n=view.pile
        )
        lines.append("-# " + pile)
    if view.turned:
        lines += mine_lines(view)
    return lines


def mine_lines(view: ExpeditionView) -> list[str]:
    """The Mine while it is explored: what is turned up, what it adds up to, and the risk."""
    cards = " + ".join(f"{card.EMOJI[kind]} {card.name(kind)} ({view.trade[kind]})" for kind in view.turned)
    total = _("{cards} = **{worth}** of {safe}").format(cards=cards, worth=view.worth_turned, safe=SAFE)
    percent = round(100 * risk_of_next(view))
    risk = (
        _("About {percent} % that the next card brings it down.").format(percent=percent)
        if percent
        else _("The next card will hardly bring it down.")
    )
    return [f"⛏️ {total}", f"-# {risk}"]


def risk_of_next(view: ExpeditionView) -> float:
    """How likely, as far as the viewer can tell, the next card of the Mine makes it collapse: 0 to 1."""
    size = view.chambers[0]
    if not size:
        return 0.0
    room = SAFE - view.worth_turned
    known = view.within[0]
    unseen = _unseen(view)
    hidden = sum(unseen)
    dear_known = sum(n for kind, n in enumerate(known) if view.trade[kind] > room)
    dear_unseen = sum(n for kind, n in enumerate(unseen) if view.trade[kind] > room)
    guessed = (size - sum(known)) * dear_unseen / hidden if hidden else 0.0
    return min(1.0, (dear_known + guessed) / size)


def _unseen(view: ExpeditionView) -> list[int]:
    """Copies of each treasure that the viewer sees nowhere; no Map lies in a monument."""
    seen: list[Sequence[int]] = [view.market, *view.within, *view.known]
    if view.viewer is not None and view.hand is not None:
        seen[len(view.within) + 1 + view.viewer] = view.hand
    left = list(view.copies)
    for counts in seen:
        for kind, n in enumerate(counts):
            left[kind] -= n
    for kind, n in (each for sets in view.sold for each in sets):
        left[kind] -= n
    for kind in view.turned:
        left[kind] -= 1
    left[MAP] = 0
    return [max(0, n) for n in left]


def insight_lines(view: ExpeditionView) -> list[str]:
    """What the viewer alone knows of the chambers: from the Temple's looks, and left behind in the Tomb (R16)."""
    if view.viewer is None or view.monument not in ("temple", "tomb") or view.opened is not None:
        return []
    return [
        _("👁️ {chamber} holds {cards}.").format(
            chamber=chamber_label(number), cards=card.cards(bundles(view.within[number]))
        )
        for number, seats in enumerate(view.privy)
        if view.viewer in seats and view.chambers[number]
    ]


__all__ = [
    "EMOJI",
    "MONUMENTS",
    "chamber_lines",
    "insight_lines",
    "mine_lines",
    "monument_name",
    "rule_sentence",
]
