"""Selling on the private screen: a button for the best sets, a menu for the others, and one for the whole hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from bot.language import by_language
from bot.language import gettext as _
from bot.tables.play import Moves
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import Meaning, Pressed
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Choices, Item, Option, button, menus
from cogs.archaeology_family import names as card
from cogs.archaeology_family.names import first, read_bundle
from cogs.archaeology_family.trades import brings, set_sizes
from engine.archaeology_family import moves as m
from engine.archaeology_family.agents.reasons import best_trade_now, is_alone, left_by_storm, whole_sets
from engine.archaeology_family.state import View
from engine.archaeology_family.turns import LEAST_STRUCK
from engine.errors import IllegalMove

SELL: Final = "g.sell"
SELL_ALL: Final = "g.sell-all"


def sale_items(view: View, choices: Choices, to: Id, *, ends_turn: bool) -> list[Item]:
    """The sales open to the viewer, whose turn it is, by price. The complete sets, or else the dearest, have
    buttons, and so has one that a hint chooses.

    `ends_turn`: a sale of the last card ends the turn.
    """
    sets = {
        m.Sell(kind, n): view.prices[kind][n - 1]
        for kind, have in enumerate(view.own_hand)
        for n in range(1, min(have, len(view.prices[kind])) + 1)
    }
    by_price = sorted(sets, key=lambda sale: (-sets[sale], sale))
    whole = whole_sets(view)
    best = [sale for sale in by_price if sale in whole][:3]  # a row takes five buttons
    shown = [] if sells_out(view) else best or by_price[:1]
    chosen = choices.get(SELL, ())
    shown += [sale for sale in by_price if _written(sale) in chosen and sale not in shown]
    shown = by_price if len(by_price) == len(shown) + 1 and shown else shown  # a menu of one choice is none
    press, text = to._replace(intent=SELL), _("Sell {cards} · ${price}")
    buttons = list[ui.Button]()
    for sale in shown:
        label, arg = text.format(cards=card.counted(*sale), price=sets[sale]), _written(sale)
        style = ui.PRIMARY if sale in whole else ui.SECONDARY
        buttons.append(button(label, press._replace(arg=arg), style, emoji=card.EMOJI[sale.treasure]))
    items: list[Item] = [ui.row(*buttons)] if buttons else []
    others = [
        Option(f"{card.counted(*sale)} · ${sets[sale]}", _written(sale), emoji=card.EMOJI[sale.treasure])
        for sale in by_price
        if sale not in shown
    ]
    items += menus(press, _("Sell another set …"), others)
    if ends_turn and len(everything(view)) == 1 and not is_alone(view):  # else it ends the match
        items.append(ui.text("-# " + _("Selling all your cards ends your turn.")))
    return items


def selection_for(sale: m.Sell) -> Choices:
    """The selection with which this sale has a button."""
    return {SELL: [_written(sale)]}


def sale_of_all(view: View, to: Id) -> list[ui.Button]:
    """The button that sells the whole hand, once the dig site is empty and the hand is more than one set."""
    sales = everything(view)
    if view.site or len(sales) < 2:
        return []
    price = sum(view.prices[sale.treasure][sale[1] - 1] for sale in sales)
    label = _("Sell Everything · ${price}").format(price=price)
    return [button(label, to._replace(intent=SELL_ALL), emoji="💰")]


def sells_out(view: View) -> bool:
    """Whether nothing is left to the viewer but to sell the whole hand, of several sets."""
    return is_alone(view) and len(everything(view)) > 1 and best_trade_now(view) is None


def set_at_risk(view: View) -> m.Sell | None:
    """The dearest complete set in the viewer's hand; None if the next Sandstorm need not break one."""
    hand = view.hand or ()
    if not view.sandstorms or sum(hand) < LEAST_STRUCK:
        return None
    kept = left_by_storm(view)
    whole = whole_sets(view) if any(kept[sale.treasure] < sale[1] for sale in whole_sets(view)) else ()
    return max(whole, key=lambda sale: view.prices[sale.treasure][-1], default=None)


def everything(view: View) -> list[m.Sell]:
    """The sales that together bring the most for the viewer's whole hand."""
    hand = enumerate(view.hand or ())
    return [m.Sell(kind, size) for kind, n in hand for size in set_sizes(view.prices[kind], n)]


def _written(sale: m.Sell) -> str:
    return f"{sale.treasure}x{sale[1]}"


def _sell_all(view: View, _pressed: Pressed) -> Moves[m.Sell]:
    sales = everything(view)
    if not sales:
        raise IllegalMove("not-in-hand")
    return Moves(tuple(sales))


PRESSES: Final[Mapping[str, Meaning[View, m.Sell]]] = {
    SELL: lambda _view, pressed: m.Sell(*read_bundle(first(pressed) or pressed.arg)),
    SELL_ALL: _sell_all,
}


def holdings(view: View) -> list[str]:
    """The cards of the viewer's hand with their prices, a line for each treasure."""
    if not any(view.own_hand):
        return [_("*You hold no cards.*")]
    text = _("In brackets: trade value. Bold: what your sets bring now, **${price}** in all.")
    lines = [
        _holding(kind, n, view.trade[kind], view.prices[kind]) for kind, n in enumerate(view.own_hand) if n
    ]
    return [*lines, "-# " + text.format(price=brings(view.own_hand, view.prices))]


@by_language
def _holding(kind: int, n: int, trade: int, prices: tuple[int, ...]) -> str:
    sizes = set_sizes(prices, n)
    sold = Counter(sizes)
    steps = " ".join(
        (f"**{price}**" + (f" ×{sold[size]}" if sold[size] > 1 else "")) if sold[size] else str(price)
        for size, price in enumerate(prices, 1)
    )
    line = f"{card.EMOJI[kind]} **{card.counted(kind, n)}** ({trade}) · ${steps}"
    return line + f" = ${sum(prices[size - 1] for size in sizes)}" if len(sizes) > 1 else line
