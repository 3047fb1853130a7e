"""The texts of cards, made from their data alone: a replaced card list reads right in every language."""

from __future__ import annotations

from collections import Counter

from bot.language import gettext as _
from bot.language import ngettext, pgettext
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.catalogue import ANY, Ability, Action, Card, Catalogue, Side, Slot
from engine.artifacts_inc.choices import Score


def requirement(requires: str) -> str:
    """Which dice a slot takes: "any", "4+", "1–2", "1", "odd"."""
    match requires:
        case "any":
            return pgettext("die that a slot takes", "any")
        case "odd":
            return pgettext("die that a slot takes", "odd")
        case "even":
            return pgettext("die that a slot takes", "even")
        case _ if requires.startswith("="):
            return requires[1:]
        case "1-":
            return "1"
        case _ if requires.endswith("-"):
            return f"1–{requires[:-1]}"
        case "6+":
            return "6"
        case _:
            return requires


def action(catalogue: Catalogue, doing: Action, *, plain: bool = False) -> str:
    """The effect of a slot, in some words: "🦴 Fossil", "sell any artifacts, and $2"."""
    match doing.do:
        case "gain":
            text = name.together(name.ARTIFACT[doing.artifact], name.artifact(doing.artifact))
        case "gather":
            text = _("an artifact that your Expeditions yield")
        case "buy":
            text = _("buy or upgrade a card")
        case "museum" if doing.artifact == ANY:
            text = _("sell to any museum")
        case "museum":
            museum = catalogue.cards[doing.artifact]
            called = name.card_name(museum) if plain else name.written(museum)
            text = _("sell to the {museum}").format(museum=called)
        case "collect":
            text = _("sell any artifacts")
        case "sell":
            return _("sell an artifact for ${n}").format(n=doing.dollars)
        case _:
            return f"${doing.dollars}"
    return and_dollars(text, doing.dollars)


def and_dollars(what: str, dollars: int) -> str:
    """Something, with the dollars that come on top of it."""
    return _("{what} + ${n}").format(what=what, n=dollars) if dollars else what


def slot_text(catalogue: Catalogue, slot: Slot, *, plain: bool = False) -> str:
    """A slot: "`4+` 📜 Scroll"; `plain` for menus, which show text as it is."""
    doing = action(catalogue, slot.action, plain=plain)
    return f"{requirement(slot.requires)}: {doing}" if plain else f"`{requirement(slot.requires)}` {doing}"


def ability_text(ability: Ability) -> str:
    """The changes that may be made to unplaced dice, and how often."""
    match ability.do:
        case "turn":
            text = ngettext(
                "once per turn: turn an unplaced die up or down by 1",
                "{n} times per turn: turn an unplaced die up or down by 1",
                ability.uses,
            )
        case "set":
            text = ngettext(
                "once per turn: set an unplaced die to any face",
                "{n} times per turn: set an unplaced die to any face",
                ability.uses,
            )
        case _:
            text = ngettext(
                "once per turn: reroll unplaced dice",
                "{n} times per turn: reroll unplaced dice",
                ability.uses,
            )
    return text.format(n=ability.uses)


def counting_parts(side: Side) -> list[str]:
    """The reputation that a side counts when it is turned up."""
    star = name.REPUTATION
    parts = [
        _("{star} +{n} for each {find} you hold").format(
            star=star, n=each, find=f"{name.FIND[kind]} {name.find(kind)}"
        )
        for kind, each in enumerate(side.per_find)
        if each
    ]
    if side.per_museum:
        parts.append(_("{star} +{n} for each museum with your cube").format(star=star, n=side.per_museum))
    if side.per_expedition:
        parts.append(_("{star} +{n} for each adjacent Expedition").format(star=star, n=side.per_expedition))
    return parts


def side_text(
    catalogue: Catalogue, side: Side, *, plain: bool = False, scored: Score | None = None, before: int = 0
) -> str:
    """One side of a card, in a line; `plain` for menus. `scored`: what it scores now.
    `before`: the dice of the side that it replaces.
    """
    score = scored or Score(side.reputation, 0)
    parts = [*[score_text(score)] * bool(score.total), *counting_parts(side)]
    if side.dice:
        instead = " " + _("(instead of {n})").format(n=before) if before and before != side.dice else ""
        parts.append(name.own_dice(side.dice) + instead)
    slots = Counter(slot_text(catalogue, slot, plain=plain) for slot in side.slots)
    parts += [text + (f" ×{n}" if n > 1 else "") for text, n in slots.items()]
    if side.ability:
        parts.append(ability_text(side.ability))
    if side.dive:
        parts.append(_("dives: sum +{n}").format(n=side.dive))
    return " · ".join(parts) or "–"


def both_sides(catalogue: Catalogue, card: Card, *, up: int = 0) -> str:
    """Both sides of an asset, a line each. `up`: the level that is up on a company's card, which is then marked."""
    lines: list[str] = []
    for level, side in enumerate(card.sides, 1):
        mark = name.LEVELS[level - 1]
        before = card.side(1).dice if level == 2 else 0
        text = side_text(catalogue, side, before=before)
        lines.append(f"{f'▸ **{mark}**' if level == up else mark} · {text}")
    return "\n".join(lines)


def score_text(score: Score) -> str:
    """The immediate score of a side, and the part that is printed: "⭐ 3", "⭐ 3 (2 + 1)"."""
    both = f" ({score.icon} + {score.counted})" if score.counted else ""
    return f"{name.REPUTATION} {score.total}{both}"
