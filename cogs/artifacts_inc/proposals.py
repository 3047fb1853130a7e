"""Proposed moves of Artifacts, Inc. in words, for hints and reviews."""

from __future__ import annotations

from typing import Any

from bot.language import gettext as _
from cogs.artifacts_inc import names as name
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
