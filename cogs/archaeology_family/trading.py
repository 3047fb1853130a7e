"""Trading on the private screen: whole trades in one menu, or one that the player puts together by counts.

The menus hold the incomplete trade: the value of each option is the whole choice that it leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import ge
from typing import Final

from bot.language import by_language, ngettext, pgettext
from bot.language import gettext as _
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import Meaning, Pressed, Selection
from bot.ui.screens.hints import SIGN
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import MENU_OPTIONS, Choices, Item, Option, button, menus, utf16_length
from cogs.archaeology_family import names as card
from cogs.archaeology_family.names import NOTHING, first, read_cards, written
from cogs.archaeology_family.trades import Offer, Payment, best_trades, brings, payments
from engine.archaeology_family import moves as m
from engine.archaeology_family.agents.reasons import NEAR, hand_with, worths
from engine.archaeology_family.card_list import MAP, Bundles
from engine.archaeology_family.state import View

OFFER: Final = "g.offer"
TAKE: Final = "g.take"
GIVE: Final = "g.give"
TRADE: Final = "g.trade"
BACK: Final = "g.all-trades"
OWN: Final = "own"
"""The value in the menu of whole trades that leads to one of the player's own."""

LISTED: Final = 8
"""The most whole trades that are offered."""
OPENING: Final = 2
"""Of these, the most that gain nothing but an exploration, or a card of a set, unless they lose nothing."""
WHOLE: Final = 5
"""The most whole choices of a menu that has others by counts."""
CLEAR: Final = 3
"""The gain from which on the best trade has a button and is argued about, in dollars."""
BUTTON_TEXT: Final = 38, 80
"""The characters of a button's label for which a phone has one line, and Discord's limit of them."""
Opens = Callable[[int], Sequence[str]]
"""The explorations that a hand with so many Maps opens, beyond those open now."""
OPTION_TEXT: Final = 100
"""Discord's limit of an option's label and of its description, in characters."""
_FOR: Final = ">"
"""Stands between the cards given and the cards taken in the value of a whole trade."""


def trade_items(view: View, choices: Choices, to: Id, opens: Opens) -> list[Item]:
    """The viewer's trades in their turn: the best as a button too, a menu of all, and the way to one of their own."""
    if choices.get(TAKE):  # the player is putting a trade of their own together
        take = read_cards(view, choices[TAKE])
        taken = choices[TAKE] if take else ()
        own = menus(to._replace(intent=TAKE), _("Choose what to take …"), _takes(view, taken), chosen=taken)
        back = button(_("Back to All Trades"), to._replace(intent=BACK))
        return [*own, *_payment_items(view, take, choices, to, back)] if take else [*own, ui.row(back)]
    now = brings(view.own_hand, view.prices)
    offers = offered_trades(view, opens)
    options = [_offer_option(offer, now, _marks(view, offer, opens)) for offer in offers]
    press, items = to._replace(intent=OFFER), list[Item]()
    if (chosen := choices.get(OFFER)) and chosen[0] != OWN:  # by a hint
        give, take = _sides(view, chosen[0])
        label = _words(give, take, *BUTTON_TEXT) or pgettext("button", "Trade")
        items.append(ui.row(button(label, press._replace(arg=chosen[0]))))
        lost = max(0, view.worth(give) - view.worth(take))
        hinted = Offer(worths(view, take, give)["then"], lost, give, take)
        best = replace(_offer_option(hinted, now, _marks(view, hinted, opens)), emoji=SIGN)
        options = [best, *[each for each in options if each.value != best.value][: LISTED - 1]]
    for offer, option in zip(offers, options, strict=False) if not items else ():
        gain = f" · +${offer.brings - now}"
        label = _words(offer.give, offer.take, *[each - len(gain) for each in BUTTON_TEXT])
        if label and offer.brings >= now + CLEAR:
            items.append(ui.row(button(label + gain, press._replace(arg=option.value), emoji=option.emoji)))
            break
    if _takes(view, ()):
        how = _("choose what you take and what you give")
        how = how if offers else _("no trade gains at once; choose what you take and give")
        options.append(Option(_("Build your own trade …"), OWN, how, "🤝"))
    return [*items, *menus(press, _("Trade at the market …"), options)]


def selection_for(trade: m.Trade) -> Choices:
    """The selection with which this trade has a button."""
    return {OFFER: [written(trade.give) + _FOR + written(trade.take)]}


def offered_trades(view: View, opens: Opens = lambda _maps: ()) -> list[Offer]:
    """The trades of the menu, the best first: those that gain, and a few that lead to an exploration or a set."""
    now, found = brings(view.own_hand, view.prices), dict[Offer, tuple[str, ...]]()
    for offer in best_trades(view.own_hand, view.market, view.trade, view.prices):
        after, *others = [hand_with(view, each.take, each.give) for each in (offer, *found)]
        needless = any(all(map(ge, other, after)) for other in others)  # it gives no more and takes no less
        kinds, marks = dict(offer.take).keys(), _marks(view, offer, opens) if offer.brings <= now else ()
        alike = [each for each in found if (each.brings, found[each]) == (offer.brings, marks)]
        if not needless and not any(kinds >= dict(each.take).keys() for each in alike):
            found[offer] = marks
    opening = [each for each in found if found[each] and _marks(view, each, opens, 1)][:OPENING]
    gaining = [each for each in found if each.brings > now][: LISTED - len(opening)]
    even = [each for each in found if found[each] and each[:2] == (now, 0)]
    others = [*dict.fromkeys([*opening, *even])][: LISTED - len(gaining)]
    return [*gaining, *sorted(others, key=lambda each: -each.brings)]


def _marks(view: View, offer: Offer, opens: Opens, near: int = NEAR) -> tuple[str, ...]:
    """The further effects of a trade: the explorations that it opens, and sets that it completes or brings `near`."""
    after = hand_with(view, offer.take, offer.give)
    maps = dict(offer.take).get(MAP)
    marks = [*opens(view.own_hand[MAP] + maps)] if maps else []
    for kind in [kind for kind, _n in offer.take if kind != MAP]:
        before, held, whole = view.own_hand[kind], after[kind], len(view.prices[kind])
        if held // whole > before // whole:
            marks.append(_("a complete set: {treasure}").format(treasure=card.name(kind)))
        elif 0 < (short := -held % whole) <= near:
            text = _("{n} short of a complete set: {treasure}")
            marks.append(text.format(n=short, treasure=card.name(kind)))
    return tuple(marks)


def _words(give: Bundles, take: Bundles, room: int, most: int) -> str:
    """A trade in a sentence if there is room; else in at most so many characters, and empty if names are longer."""
    text, sides = _("Give {give} → get {take}"), (card.short_cards(give), card.short_cards(take))
    words, whole = " → ".join(sides), text.format(give=sides[0], take=sides[1])
    return whole if utf16_length(whole) <= room else words if utf16_length(words) <= most else ""


@by_language
def _offer_option(offer: Offer, now: int, marks: tuple[str, ...]) -> Option:
    signs = " → ".join([card.fitting_cards(offer.give, 0), card.fitting_cards(offer.take, 0)])
    words = _words(offer.give, offer.take, OPTION_TEXT, OPTION_TEXT) or signs
    value = written(offer.give) + _FOR + written(offer.take)
    effects = [comes_to(now, offer.brings, offer.lost)]
    for mark in marks:
        if utf16_length(" · ".join([*effects, mark])) <= OPTION_TEXT:
            effects.append(mark)
    return Option(words, value, " · ".join(effects), card.EMOJI[offer.take[0][0]])


def comes_to(now: int, then: int, lost: int = 0) -> str:
    """The effect of a move: the change of the hand's price at the museum, and the lost trade value."""
    text = _("hand ${now} → ${then}").format(now=now, then=then)
    return text + " · " + _("loses {n} of trade value").format(n=lost) if lost else text


# -- a trade of one's own


def _takes(view: View, taken: Sequence[str]) -> list[Option]:
    limit = sum(n * value for n, value in zip(view.own_hand, view.trade, strict=True))
    return choice_options(view, view.market, taken, limit)


def choice_options(
    view: View,
    counts: Sequence[int],
    chosen: Sequence[str],
    limit: int,
    whole: Sequence[Option] = (),
    effect: Callable[[Bundles], str] | None = None,
) -> list[Option]:
    """A menu's options for choosing cards by counts; each leads to a whole choice worth `limit` in trade at most.

    One option changes the count of one treasure in what is `chosen` so far. If there are more options than a menu
    takes, those are left out that change a count by much: they can be reached in several steps. Before them stand the
    first choices that are offered `whole`, so few that each count can go up and down. A choice is described by its
    `effect`, or else its trade value.
    """
    whole, effect = whole[:WHOLE], effect or (lambda cards: _value(view.worth(cards)))
    now = dict(read_cards(view, chosen))
    kinds = [kind for kind, n in enumerate(counts) if n]
    most = room = MENU_OPTIONS - 2 - len(whole)
    while sum(min(n, room) for n in counts) > most:
        room -= 1
    options = [_choice_option(bundles_of(now), 0, effect(bundles_of(now)))] if now else []
    for kind in kinds:
        held = now.get(kind, 0)
        cards = {n: bundles_of(now | {kind: n}) for n in range(counts[kind] + 1) if n != held}
        worth = {n: view.worth(bundles) for n, bundles in cards.items()}
        fitting = [n for n in cards if 0 < worth[n] <= limit]
        near = sorted(fitting, key=lambda n: (abs(n - held), -n))[:room]
        options += [_choice_option(cards[n], kind, effect(cards[n])) for n in sorted(near)]
    if chosen:
        options.append(Option(_("Clear selection"), NOTHING))
    offered = {option.value for option in whole}
    return [*whole, *(option for option in options if option.value not in offered)]


def bundles_of(counts: Mapping[int, int]) -> Bundles:
    """Cards from their counts by treasure, some of which may be 0."""
    return tuple(sorted((kind, n) for kind, n in counts.items() if n))


def _value(worth: int) -> str:
    return ngettext("trade value {n}", "trade value {n}", worth).format(n=worth)


def _choice_option(cards: Bundles, kind: int, effect: str) -> Option:
    emoji = card.EMOJI[kind if any(kind == held for held, _n in cards) else cards[0][0]]
    return Option(card.fitting_cards(cards, 100), written(cards), effect, emoji)


def _payment_items(view: View, take: Bundles, choices: Choices, to: Id, back: ui.Button) -> list[Item]:
    m.weigh(view.market, take, view.trade, "not-in-market")
    price, chosen = view.worth(take), choices.get(GIVE, ())
    others = [0 if any(kind == each for each, _n in take) else n for kind, n in enumerate(view.own_hand)]
    paid = payments(others, view.trade, view.prices, price)
    if not paid:
        return [ui.text(_("Your other cards are not worth that much.")), ui.row(back)]
    whole = [_payment_option(view, payment, take) for payment in paid]
    if len(paid) == 1 and not chosen:  # there is no other way to pay
        chosen = [whole[0].value]
    most, pays = sum(view.own_hand) * max(view.trade), _("pays {n} of {price}")

    def effect(cards: Bundles) -> str:
        return pays.format(n=view.worth(cards), price=price)

    options = choice_options(view, others, chosen, most, whole, effect)
    items = menus(to._replace(intent=GIVE), _("Pay with …"), options, chosen=chosen)
    give = read_cards(view, chosen)
    over = view.worth(give) - price
    items.append(ui.text(_totals(view, give, take)))
    label = pgettext("button", "Trade") if over <= 0 else _("Trade, Wasting {over}").format(over=over)
    usable = bool(give) and over >= 0
    style = ui.SUCCESS if usable else ui.SECONDARY
    trade = button(label, to._replace(intent=TRADE), style, disabled=not usable)
    return [*items, ui.row(trade, back)]


def _totals(view: View, give: Bundles, take: Bundles) -> str:
    wanted, offered = view.worth(take), view.worth(give)
    lines = [_("You take {cards}, worth **{worth}**.").format(cards=card.cards(take), worth=wanted)]
    if give:
        lines.append(_("You give {cards}, worth **{worth}**.").format(cards=card.cards(give), worth=offered))
    if give and offered < wanted:
        lines[-1] += " " + _("You are {short} short.").format(short=wanted - offered)
    return "\n".join(lines)


def _payment_option(view: View, payment: Payment, take: Bundles) -> Option:
    text = comes_to(**worths(view, take, payment.cards), lost=payment.lost)
    if not payment.lost:
        text += " · " + _("exact")
    emoji = card.EMOJI[payment.cards[0][0]]
    return Option(card.fitting_cards(payment.cards, 100), written(payment.cards), text, emoji)


# -- presses


def _offer(view: View, pressed: Pressed) -> m.Trade | Selection:
    chosen = first(pressed) or pressed.arg
    if chosen == OWN:
        return Selection({TAKE: [NOTHING]})
    return m.Trade(*_sides(view, chosen))


def _sides(view: View, value: str) -> tuple[Bundles, Bundles]:
    give, _for, take = value.partition(_FOR)
    return read_cards(view, [give]), read_cards(view, [take])


def _chosen(_view: View, pressed: Pressed) -> Selection:
    """Shows what is chosen to take and to give; with nothing to take, the whole trades. Only **Trade** makes one."""
    choices = {each: pressed.choices.get(each, ()) for each in (TAKE, GIVE)}
    return Selection({} if NOTHING in choices[TAKE] else choices)


def _trade(view: View, pressed: Pressed) -> m.Trade:
    return m.Trade(*(read_cards(view, pressed.choices.get(each, ())) for each in (GIVE, TAKE)))


PRESSES: Final[Mapping[str, Meaning[View, m.Trade]]] = {
    OFFER: _offer,
    TAKE: _chosen,
    GIVE: _chosen,
    TRADE: _trade,
    BACK: lambda _view, _pressed: Selection({}),
}
