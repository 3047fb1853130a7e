"""Trading on the private screen: whole trades in one menu, or one that the player puts together by counts.

The menus hold the incomplete trade: the value of each option is the whole choice that it leads to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.language import by_language, ngettext, pgettext
from bot.language import gettext as _
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import Meaning, Pressed, Selection
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import MENU_OPTIONS, Choices, Item, Option, button, menus
from cogs.archaeology_family import names as card
from cogs.archaeology_family.payments import Payment, payments
from cogs.archaeology_family.reading import NOTHING, first, read_cards, written
from cogs.archaeology_family.trades import Offer, best_trades, brings
from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import Bundles
from engine.archaeology_family.state import View

OFFER: Final = "g.offer"
TAKE: Final = "g.take"
PAY: Final = "g.pay"
GIVE: Final = "g.give"
TRADE: Final = "g.trade"

_FOR: Final = ">"
"""Stands between the cards given and the cards taken in the value of a whole trade."""


def trade_items(view: View, choices: Choices, to: Id) -> list[Item]:
    """The menus for the viewer, whose turn it is: whole trades, and the way to one of their own."""
    assert view.hand is not None
    taken = choices.get(TAKE, ())
    take = read_cards(view, taken)
    own = menus(to._replace(intent=TAKE), _("… or choose what to take"), _takes(view, taken), chosen=taken)
    if take:
        return [*own, *_payment_items(view, take, choices, to)]
    offers = best_trades(view.hand, view.market, view.trade, view.prices)
    now = brings(view.hand, view.prices)
    options = [_offer_option(offer, now) for offer in offers]
    return [*menus(to._replace(intent=OFFER), _("Trade at the market …"), options), *own]


def is_begun(view: View, choices: Choices) -> bool:
    """Whether the player is putting a trade of their own together."""
    return bool(read_cards(view, choices.get(TAKE, ())))


@by_language
def _offer_option(offer: Offer, now: int) -> Option:
    words = _("{take} for {give}").format(
        take=card.short_cards(offer.take), give=card.short_cards(offer.give)
    )
    if len(words) > 100:
        words = _("{take} for {give}").format(
            take=card.fitting_cards(offer.take, 0), give=card.fitting_cards(offer.give, 0)
        )
    value = written(offer.give) + _FOR + written(offer.take)
    return Option(words, value, _comes_to(now, offer.brings, offer.lost), card.EMOJI[offer.take[0][0]])


def _comes_to(now: int, then: int, lost: int) -> str:
    """The effect of a trade: the change of the hand's price at the museum, and the lost trade value."""
    text = _("hand ${now} → ${then}").format(now=now, then=then)
    return text + " · " + _("loses {n} of trade value").format(n=lost) if lost else text


# -- a trade of one's own


def _takes(view: View, taken: Sequence[str]) -> list[Option]:
    """The cards that the player can choose to take, as far as the hand can pay for it."""
    assert view.hand is not None
    limit = sum(n * value for n, value in zip(view.hand, view.trade, strict=True))
    return choice_options(view, view.market, taken, limit)


def choice_options(view: View, counts: Sequence[int], chosen: Sequence[str], limit: int) -> list[Option]:
    """A menu's options for choosing cards by counts; each leads to a whole choice worth `limit` in trade at most.

    One option changes the count of one treasure in what is `chosen` so far. If there are more options than a menu
    takes, those are left out that change a count by much: they can be reached in several steps.
    """
    now = dict(read_cards(view, chosen))
    kinds = [kind for kind, n in enumerate(counts) if n]
    room = (MENU_OPTIONS - 2) // max(1, len(kinds))
    options = [_choice_option(bundles_of(now), 0, view.worth(bundles_of(now)))] if now else []
    for kind in kinds:
        held = now.get(kind, 0)
        cards = {n: bundles_of(now | {kind: n}) for n in range(counts[kind] + 1) if n != held}
        worth = {n: view.worth(bundles) for n, bundles in cards.items()}
        fitting = [n for n in cards if 0 < worth[n] <= limit]
        near = sorted(fitting, key=lambda n: (abs(n - held), -n))[:room]
        options += [_choice_option(cards[n], kind, worth[n]) for n in sorted(near)]
    if chosen:
        options.append(Option(_("Nothing: start over"), NOTHING))
    return options


def bundles_of(counts: Mapping[int, int]) -> Bundles:
    """Cards from their counts by treasure, some of which may be 0."""
    return tuple(sorted((kind, n) for kind, n in counts.items() if n))


@by_language
def _choice_option(cards: Bundles, kind: int, worth: int) -> Option:
    value = ngettext("trade value {n}", "trade value {n}", worth).format(n=worth)
    emoji = card.EMOJI[kind if any(kind == held for held, _n in cards) else cards[0][0]]
    return Option(card.fitting_cards(cards, 100), written(cards), value, emoji)


def _payment_items(view: View, take: Bundles, choices: Choices, to: Id) -> list[Item]:
    """How to pay for what is to be taken."""
    assert view.hand is not None
    m.weigh(view.market, take, view.trade, "not-in-market")
    price, items = view.worth(take), list[Item]()
    offers, paid, given = offered_payments(view, take), choices.get(PAY, ()), choices.get(GIVE, ())
    now = brings(view.hand, view.prices)
    options = [_payment_option(view, payment, take, now) for payment in offers]
    items += menus(to._replace(intent=PAY), _("Pay with …"), options, chosen=paid)
    items += menus(
        to._replace(intent=GIVE),
        _("… or choose what to give"),
        choice_options(view, view.hand, given, sum(view.hand) * max(view.trade)),
        chosen=given,
    )
    give = read_cards(view, paid or given)
    if not offers:
        items.append(ui.text(_("Your whole hand is not worth that much.")))
    over = view.worth(give) - price
    items.append(ui.text(_totals(view, give, take)))
    label = pgettext("button", "Trade") if over <= 0 else _("Trade, Losing {over}").format(over=over)
    press = to._replace(intent=TRADE)
    style = ui.SUCCESS
    return [*items, ui.row(button(label, press, style, disabled=not give or over < 0))]


def _totals(view: View, give: Bundles, take: Bundles) -> str:
    wanted, offered = view.worth(take), view.worth(give)
    lines = [_("You take {cards}, worth **{worth}**.").format(cards=card.cards(take), worth=wanted)]
    if give:
        lines.append(_("You give {cards}, worth **{worth}**.").format(cards=card.cards(give), worth=offered))
    if give and offered < wanted:
        lines[-1] += " " + _("That is {short} short.").format(short=wanted - offered)
    return "\n".join(lines)


def offered_payments(view: View, take: Bundles) -> list[Payment]:
    """The payments to offer for these cards. If possible, they do not use the same treasures that are to be bought."""
    assert view.hand is not None
    wanted = {kind for kind, _n in take}
    others = [0 if kind in wanted else n for kind, n in enumerate(view.hand)]
    price = view.worth(take)
    return payments(others, view.trade, view.prices, price) or payments(
        view.hand, view.trade, view.prices, price
    )


def _payment_option(view: View, payment: Payment, take: Bundles, now: int) -> Option:
    assert view.hand is not None
    after = list(view.hand)
    for kind, n in take:
        after[kind] += n
    for kind, n in payment.cards:
        after[kind] -= n
    text = _comes_to(now, brings(after, view.prices), payment.lost)
    if not payment.lost:
        text += " · " + _("exact: trades at once")
    return Option(card.fitting_cards(payment.cards, 100), written(payment.cards), text)


# -- presses


def _offer(view: View, pressed: Pressed) -> m.Trade:
    give, _for, take = first(pressed).partition(_FOR)
    return m.Trade(read_cards(view, [give]), read_cards(view, [take]))


def _take(_view: View, pressed: Pressed) -> Selection:
    """Drops a chosen payment, because its price has changed."""
    return Selection({intent: chosen for intent, chosen in pressed.choices.items() if intent != PAY})


def _pay(view: View, pressed: Pressed) -> m.Trade | Selection:
    """Trades at once if the payment is exact. If it loses value, shows it first."""
    return _trade_or(view, pressed, PAY)


def _give(view: View, pressed: Pressed) -> m.Trade | Selection:
    """Trades at once if what is chosen to give is exactly worth what is taken. It replaces a chosen payment."""
    return _trade_or(view, pressed, GIVE)


def _trade_or(view: View, pressed: Pressed, intent: str) -> m.Trade | Selection:
    chosen, taken = pressed.choices.get(intent, ()), pressed.choices.get(TAKE, ())
    give, take = read_cards(view, chosen), read_cards(view, taken)
    if give and view.worth(give) == view.worth(take):
        return m.Trade(give, take)
    return Selection({TAKE: taken, intent: chosen})


def _trade(view: View, pressed: Pressed) -> m.Trade:
    choices = pressed.choices
    give = read_cards(view, choices.get(PAY) or choices.get(GIVE, ()))
    return m.Trade(give, read_cards(view, choices.get(TAKE, ())))


PRESSES: Final[Mapping[str, Meaning[View, m.Trade]]] = {
    OFFER: _offer,
    TAKE: _take,
    PAY: _pay,
    GIVE: _give,
    TRADE: _trade,
}

__all__ = ["PRESSES", "choice_options", "is_begun", "trade_items"]
