"""The meaning of each button and menu of the private screen: a move, or the selection after it; and the way back, from
a move to the selection with which the screen makes it at one press.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.ui.screens.game_screens import Meaning, Pressed, Selection, keep_selection
from bot.ui.screens.kit import Choices
from cogs.artifacts_inc import intents, rolled, shop, turn, uses
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.choices import dives
from engine.artifacts_inc.company import CompanyCard
from engine.artifacts_inc.state import View


def _first(pressed: Pressed) -> str:
    """The choice in the pressed menu, or the argument of the button. Raises `IllegalMove` for nothing."""
    chosen = next(iter(pressed.chosen), pressed.arg)
    if not chosen:
        raise uses.malformed()
    return chosen


def _faces(text: str) -> tuple[int, ...]:
    """Dice that a button bears as digits. Raises `IllegalMove`."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 7):
        raise uses.malformed()
    return tuple(sorted(map(int, text)))


def _roll(view: View, pressed: Pressed) -> m.Move:
    order = next(iter(pressed.choices.get(intents.ORDER, ())), "")
    start = view.catalogue.start
    if not order:
        return m.Roll()
    if sorted(order) != [str(at) for at in range(len(start))]:
        raise uses.malformed()
    return m.Roll(tuple(start[int(at)] for at in order))


def _use(view: View, pressed: Pressed) -> m.Move | Selection:
    choice = _first(pressed)
    kind, numbers = uses.decode(choice)
    if kind == uses.SHOP:
        uses.placement(numbers)
        return Selection({shop.OPENED: [choice]})
    if kind == uses.SELECT:
        return Selection({intents.GOODS: turn.proposed_goods(view, choice)})
    if choice == uses.DIVES:
        return Selection({intents.DIVE_DICE: []})
    return uses.move(choice)


def _move(_view: View, pressed: Pressed) -> m.Move:
    return uses.move(pressed.arg)


def _again(_view: View, pressed: Pressed) -> m.Move:
    who, _dot, dice = pressed.arg.rpartition(".")
    match uses.decode(who):
        case "again", [card, copy]:
            return m.RollAgain(CompanyCard(card, copy), _faces(dice))
        case _:
            raise uses.malformed()


def _picked(_view: View, pressed: Pressed) -> Selection:
    """A menu of which one option is chosen, perhaps one of several menus."""
    return Selection({pressed.intent: uses.pressed_options(pressed)})


def _card(view: View, pressed: Pressed) -> m.Move | Selection:
    """A card, or another use of dice from the same menu."""
    kind, _numbers = uses.decode(_first(pressed))
    return _picked(view, pressed) if kind in (shop.NEW_CARD, shop.UPGRADE) else _use(view, pressed)


def _place(_view: View, pressed: Pressed) -> Selection:
    return Selection(
        {shop.CARD: pressed.choices.get(shop.CARD, ()), shop.PLACE: uses.pressed_options(pressed)}
    )


def _end(view: View, _pressed: Pressed) -> m.Move | Selection:
    """The turn ends at once, but for dice that could still be used."""
    return m.PASS if rolled.ends_at_once(view) else Selection({intents.END: [""]})


MEANINGS: Final[Mapping[str, Meaning[View, m.Move]]] = {
    intents.ROLL: _roll,
    intents.ORDER: lambda _view, pressed: Selection({intents.ORDER: pressed.chosen or ["0123"]}),
    intents.DIE: lambda _view, pressed: Selection({intents.DIE: [pressed.arg]}),
    intents.USE: _use,
    intents.ASK_DIVE: lambda _view, _pressed: Selection({intents.DIVE_DICE: []}),
    intents.DIVE_DICE: _picked,
    intents.DIVE: lambda _view, pressed: m.Dive(_faces(pressed.arg)),
    intents.ASK_AGAIN: lambda view, _pressed: Selection({intents.AGAIN_DICE: turn.idle_dice(view)}),
    intents.AGAIN_DICE: keep_selection,
    intents.AGAIN: _again,
    intents.GOODS: keep_selection,
    intents.SELL: _move,
    intents.END: _end,
    intents.END_NOW: lambda _view, _pressed: m.PASS,
    intents.BACK: lambda _view, _pressed: Selection({}),
    shop.CARD: _card,
    shop.PLACE: _place,
    shop.BUY: _move,
}
"""By intent. `shop.OPENED` is nothing that is pressed: it names what a screen shows."""


def selection_for(view: View, move: m.Move) -> Choices:
    """The selection with which the private screen makes this legal move at one press."""
    match move:
        case m.Buy() | m.TurnCard():
            return shop.selection_for(view, move)
        case m.Dive(dice):
            values = [turn.dive_value(each, at) for at, each in enumerate(dives(view)) if each == dice]
            return {intents.DIVE_DICE: values}  # none for a dive with a die more than it needs
        case m.RollAgain(_card, dice):
            return {intents.AGAIN_DICE: turn.values_of(view, dice)}
        case m.Collect():
            return {intents.GOODS: turn.goods_of(view, move)}
        case m.Pass():
            return {intents.END: [""]}
        case m.Roll():
            return {}
        case _:
            return {intents.DIE: [str(move.die)], intents.USE: [_choice_of(move)]}


def _choice_of(move: m.PlaceDie | m.Gather | m.SellOne | m.FillOrder | m.TurnDie) -> str:
    match move:
        case m.PlaceDie(die, on):
            return uses.encode("put", die, *on)
        case m.Gather(die, on, artifact):
            return uses.encode("gather", die, *on, artifact)
        case m.SellOne(die, on, artifact):
            return uses.encode("sell", die, *on, artifact)
        case m.FillOrder(die, on, museum, order):
            return uses.encode("fill", die, *on, museum, order)
        case m.TurnDie(own, die, to):
            return uses.encode(uses.TURN, *own, die, to)
