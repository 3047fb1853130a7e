"""Proposed moves of Artifacts, Inc. in words, and the reasons for them, for hints and reviews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.language import gettext as _
from bot.language import ngettext
from cogs.artifacts_inc import names as name
from engine.agents.advice import Reason
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.state import View


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
            return _("End the turn.")
        case _:
            return _placed(view, move)


def _bought(view: View, text: str, die: int, number: int) -> str:
    card = view.catalogue.cards[number]
    return text.format(card=name.written(card), cost=name.cost(card), die=name.die(die))


def _placed(view: View, move: Any) -> str:
    """A die that is placed for artifacts or dollars."""
    text, goods, museum = _("Place {die} on {card} and sell {goods}."), (0,) * len(ARTIFACTS), ""
    match move:
        case m.Gather(artifact=kind):
            text, goods = _("Place {die} on {card} and take {goods}."), _one(kind)
        case m.FillOrder(museum=kind, order=order):
            goods = _one(kind, view.catalogue.orders(kind, view.seats)[order])
            if move.on.card != kind:
                text = _("Place {die} on {card} and sell {goods} to the {museum}.")
                museum = _card(view, kind)
        case m.Collect(artifacts=goods):
            pass
        case m.SellOne(artifact=kind):
            goods = _one(kind)
        case _:
            text = _("Place {die} on {card}.")
    return text.format(
        die=name.die(move.die), card=_card(view, move.on.card), goods=name.goods(goods), museum=museum
    )


def _one(kind: int, n: int = 1) -> tuple[int, ...]:
    """So many of one artifact."""
    return tuple(n * (other == kind) for other in range(len(ARTIFACTS)))


def _card(view: View, number: int) -> str:
    return name.written(view.catalogue.cards[number])


# -- reasons


def reason_text(view: View, reason: Reason) -> str:
    """The reason for a move. The codes are those of `engine.artifacts_inc.agents.reasons`."""
    facts = reason.facts
    match reason.code:
        case "prepares":
            following = _("Next: {move}").format(move=move_text(view, facts["then"]))
            return " ".join(filter(None, [following, reason_text(view, facts["why"])]))
        case "earns":
            return _of_income(facts)
        case "takes-lead" | "keeps-lead" | "gains-ground":
            return _of_a_museum(view, reason)
        case "fills-now" | "fills-order" | "grows-order" | "stocks":
            return _of_artifacts(view, reason)
        case "pays-for":
            text = (
                _("It pays for the upgrade of {card} this turn.")
                if facts["again"]
                else _("It pays for {card}, which you can then buy this turn.")
            )
            return text.format(card=_card(view, facts["card"]))
        case _:
            return _in_short(reason)


def _in_short(reason: Reason) -> str:
    facts, star = reason.facts, name.REPUTATION
    match reason.code:
        case "ends-match":
            text = _("That takes you to {star} {n} and makes this the last round, while you are ahead.")
            return text.format(star=star, n=facts["reputation"])
        case "scores":
            return _("It scores {star} {n} at once.").format(star=star, n=facts["reputation"])
        case "pays":
            text = _("It brings ${n}; all in all, no other use of the die promises more.")
            return text.format(n=facts["dollars"])
        case "rolls":
            return _("The order of your cards matters only to cards that count what lies beside them.")
        case "rerolls":
            return _("As they lie, these dice are worth less than an average roll.")
        case "keeps":
            return _("Nothing that you could still do gains you anything.")
        case "due":
            return _("Nothing else that you could do now is worth more.")
        case _:
            return ""


def _of_income(facts: Mapping[str, Any]) -> str:
    """The gain from a card in every round, and its cause."""
    text = ngettext(
        "It should be worth about ${dollars} a round, for about {n} more round.",
        "It should be worth about ${dollars} a round, for about {n} more rounds.",
        facts["rounds"],
    ).format(dollars=facts["dollars"], n=facts["rounds"])
    if facts["dice"] > 0:
        more = ngettext("You then roll {n} more die.", "You then roll {n} more dice.", facts["dice"])
        return f"{more.format(n=facts['dice'])} {text}"
    if facts["faces"]:
        idle = _("None of your cards has a use for {dice} yet.").format(dice=name.dice(facts["faces"]))
        return f"{idle} {text}"
    return text


def _of_a_museum(view: View, reason: Reason) -> str:
    """The majority on a museum after a sale."""
    facts = reason.facts
    match reason.code:
        case "takes-lead":
            text = _("You then have the most cubes on the {museum}: {star} {n} at the end.")
        case "keeps-lead":
            text = _("You stay ahead on the {museum} more safely: {star} {n} at the end.")
        case _:
            text = _("You come closer to the most cubes on the {museum}: {star} {n} at the end.")
    return text.format(museum=_card(view, facts["museum"]), star=name.REPUTATION, n=facts["reputation"])


def _of_artifacts(view: View, reason: Reason) -> str:
    """The purpose of an artifact."""
    facts = reason.facts
    match reason.code:
        case "fills-now":
            goods = name.goods(_one(facts["museum"], facts["gained"]))
            text = _("It brings {goods}. You need that to fill order {size} of the {museum} this turn.")
            return text.format(goods=goods, size=facts["size"], museum=_card(view, facts["museum"]))
        case "fills-order":
            text = _("You then hold enough for order {size} of the {museum}.")
        case "grows-order":
            text = _("You then hold {held} of the {size} for the next order of the {museum}.")
        case _:
            text = _("It's worth about ${dollars} when you sell it.")
    facts = {"size": 0, "held": 0, "dollars": 0, **facts}
    return text.format(**{**facts, "museum": _card(view, facts["museum"])})
