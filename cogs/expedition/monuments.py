"""The six monuments in words: their names, a sentence with their rule, and their chambers on the table message."""

from __future__ import annotations

from typing import Final

from bot.language import Phrase, noun, percent, pgettext, phrase
from bot.language import gettext as _
from bot.ui.screens.fitting import small_print
from cogs.archaeology_family import names as card
from engine.archaeology_family.card_list import MAP, bundles
from engine.expedition.agents.explorations import unseen
from engine.expedition.monuments import KEPT, MONUMENT_TYPES, PILE, SAFE, TURNED
from engine.expedition.state import ExpeditionView, MonumentKey

EMOJI: Final[dict[MonumentKey, str]] = {
    "great_pyramid": "⛰️",
    "temple": "🏛️",
    "tomb": "⚰️",
    "mine": "🕳️",
    "sphinx": "🦁",
    "ruins": "🧱",
}
_RULES: Final = {kind.key: kind for kind in MONUMENT_TYPES}

FILLED: Final = "🟨"
FREE: Final = "⬜"
"""The two halves of the Mine's gauge: the trade value turned up so far, and the room that is left."""


def monument_name(key: MonumentKey) -> str:
    """A monument's name."""
    return {
        "great_pyramid": pgettext("monument", "Great Pyramid"),
        "temple": pgettext("monument", "Temple"),
        "tomb": pgettext("monument", "Tomb"),
        "mine": pgettext("monument", "Mine"),
        "sphinx": pgettext("monument", "Sphinx"),
        "ruins": pgettext("monument", "Buried Ruins"),
    }[key]


def rule_sentence(key: MonumentKey) -> str:
    """The exploration of a monument, explained in a sentence or two."""
    return {
        "great_pyramid": _(
            "1 Map opens the chamber of 2 cards, 2 Maps that of 5, 3 Maps that of 8. Each is explored once."
        ),
        "temple": _(
            "2 Maps take all cards of a chamber. Each is explored once. After each sale the seller may look into one "
            "chamber, unseen by the others."
        ),
        "tomb": _("1 Map: look at all cards of a chamber, keep {kept}, put the rest back.").format(kept=KEPT),
        "mine": _(
            "1 Map: reveal cards one by one and stop when you like. If their trade values ever add up "
            "to more than {safe}, all go back and you gain nothing."
        ).format(safe=SAFE),
        "sphinx": _(
            "1 Map: name two different treasures, reveal {turned} cards, and take those that you "
            "named. The others go back."
        ).format(turned=TURNED),
        "ruins": _(
            "1 Map takes all cards of a chamber. They lie face up, and each Sandstorm adds one to every chamber."
        ),
    }[key]


def layout(key: MonumentKey) -> str:
    """The cards of a monument's chambers at the start: "2 + 5 + 8 cards, face down"."""
    shown = " + ".join(map(str, _RULES[key].sizes))
    if key == "ruins":
        return _("{sizes} cards, face up, and a pile of {pile}").format(sizes=shown, pile=PILE)
    return _("{sizes} cards, face down").format(sizes=shown)


def maps(view: ExpeditionView, number: int) -> str:
    """The price of a chamber."""
    return card.counted(MAP, view.costs[number])


def chamber_label(number: int) -> Phrase:
    """A chamber's name. It also fits into a sentence."""
    return phrase(noun("chamber", "Chamber {n}"), n=number + 1)


def chamber_lines(view: ExpeditionView) -> list[str]:
    """The monument on the table message: how many cards lie in each chamber, what it costs in Maps, what is known."""
    key = view.monument
    heading = f"**{EMOJI[key]} {monument_name(key)}**"
    left = [number for number, size in enumerate(view.chambers) if size]
    if len(view.chambers) == 1:
        lines = [f"{heading} · {_what_lies_there(view, 0)}"]
    elif key == "ruins":
        places = [f"{number + 1}: {_what_lies_there(view, number)}" for number in range(len(view.chambers))]
        lines = [f"{heading} · " + " · ".join([*places, _pile(view)])]
    elif not left:
        lines = [f"{heading} · " + pgettext("monument", "explored")]
    else:
        text, sizes = _("{cards} for {maps}"), view.chambers
        offers = [text.format(cards=card.number_of_cards(sizes[n]), maps=maps(view, n)) for n in left]
        lines = [f"{heading} · " + ", ".join(offers)]
    if key in ("mine", "sphinx") and any(view.within[0]) and not view.turned:  # then the risk tells it
        known = card.in_signs(bundles(view.within[0]))
        lines.append(_("Known there: {cards}").format(cards=known))
    if view.turned:
        lines += mine_lines(view)
    return lines


def _what_lies_there(view: ExpeditionView, number: int) -> str:
    size = view.chambers[number]
    if not size:
        return pgettext("chamber", "explored") if _RULES[view.monument].once else pgettext("chamber", "empty")
    if view.monument == "ruins":  # a price in Maps would look like one of the open cards; the rule names it
        return card.in_signs(bundles(view.within[number]))
    return f"{card.number_of_cards(size)} · {maps(view, number)}"


def _pile(view: ExpeditionView) -> str:
    if not view.pile:
        return _("pile used up")
    # Translators: how many cards lie in a pile.
    return _("pile of {n}").format(n=view.pile)


def mine_lines(view: ExpeditionView) -> list[str]:
    """The Mine while it is explored: the cards turned up, their total trade value, and the risk of going on."""
    cards = " + ".join(f"{card.EMOJI[kind]} {card.name(kind)} ({view.trade[kind]})" for kind in view.turned)
    worth = view.worth_turned
    gauge = FILLED * worth + FREE * (SAFE - worth)
    total = _("{gauge} **{worth}** of {safe}").format(gauge=gauge, worth=worth, safe=SAFE)
    return [f"⛏️ {cards}", f"{total}. {_risk(risk_of_next(view))}"]


def _risk(risk: float) -> str:
    if not risk:
        return _("The next card cannot make it collapse.")
    if risk == 1:
        return _("The next card is sure to make it collapse.")
    chance = percent(max(1, min(99, round(100 * risk))))
    return _("Chance that the next card makes it collapse: about {percent}.").format(percent=chance)


def risk_of_next(view: ExpeditionView) -> float:
    """The probability, from 0 to 1, that the next card makes the Mine collapse, as far as the viewer can tell."""
    size = view.chambers[0]
    if not size:
        return 0.0
    room = SAFE - view.worth_turned
    known = view.within[0]
    hidden = unseen(view)
    dear_known = sum(n for kind, n in enumerate(known) if view.trade[kind] > room)
    dear_unseen = sum(n for kind, n in enumerate(hidden) if view.trade[kind] > room)
    guessed = (size - sum(known)) * dear_unseen / sum(hidden) if any(hidden) else 0.0
    return min(1.0, (dear_known + guessed) / size)


def sphinx_chances(view: ExpeditionView) -> list[tuple[int, str]]:
    """Every treasure that may be named, with what the viewer can tell about it. Maps are last: none lie there (R9)."""
    hidden, known = unseen(view), view.within[0]
    chances: list[tuple[int, str]] = []
    for kind in sorted(range(view.kinds), key=lambda kind: kind == MAP):
        if kind == MAP:
            text = _("none lie here")
        else:
            text = _("unseen: {unseen} of {n}").format(unseen=hidden[kind], n=view.copies[kind])
            if known[kind]:
                text = _("known here: {n}").format(n=known[kind]) + " · " + text
        chances.append((kind, text))
    return chances


def insight_lines(view: ExpeditionView) -> list[str]:
    """The viewer's own knowledge of the chambers: cards seen in the Temple or left behind in the Tomb (R16)."""
    if view.opened is not None:
        return []
    return small_print(
        f"👁️ {chamber_label(number)} · {card.in_signs(bundles(seen))}"
        for number, seen in view.insight
        if view.chambers[number]
    )
