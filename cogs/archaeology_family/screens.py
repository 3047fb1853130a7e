"""What the screens of both Archaeology games share.

This is the private screen with the meaning of its presses, and the common parts of the table message.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, TypeVar

import discord
from discord import ui

from bot.language import gettext as _
from bot.language import listing, ngettext, pgettext
from bot.ui.game_screens import (
    OWN_SCREEN,
    Action,
    GameScreens,
    HalfChosen,
    Meaning,
    Page,
    Pressed,
    Setting,
    Told,
    half_chosen,
)
from bot.ui.ids import Id
from bot.ui.kit import (
    SAND,
    Choices,
    Item,
    Option,
    bundle_sizes,
    button,
    menus,
    pick_bundles,
    ranking,
    refusal,
)
from bot.ui.names import Names
from cogs.archaeology_family import highlights, words
from cogs.archaeology_family import names as card
from cogs.archaeology_family.payments import Payment, least_loss, payments
from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import MAP, Bundles, CardList
from engine.archaeology_family.rules import ArchaeologyFamily
from engine.archaeology_family.state import View
from engine.errors import IllegalMove
from engine.game import AnyGame, own_decision

PRIMARY: Final = discord.ButtonStyle.primary
SUCCESS: Final = discord.ButtonStyle.success

# Intents. The choices of a menu are stored under its intent.
DIG_PRESS: Final = "g.dig"
STEAL_PRESS: Final = "g.steal"
LOSE: Final = "g.lose"
DISCARD: Final = "g.discard"
TAKE: Final = "g.take"
PAY: Final = "g.pay"
GIVE: Final = "g.give"
TRADE: Final = "g.trade"
SELL: Final = "g.sell"
EXPLORE: Final = "g.explore"
END_TURN: Final = "g.end"


V = TypeVar("V", bound=View, contravariant=True)
M = TypeVar("M", covariant=True)


class FamilyScreens(GameScreens[V, M]):
    """What the screens of both games share."""

    game: ClassVar[str]
    colour: discord.Colour = SAND

    def __init__(self, game: AnyGame) -> None:
        assert isinstance(game, ArchaeologyFamily)
        self.card_list: CardList = game.card_list

    # -- what is different in each game

    @abstractmethod
    def title(self) -> str: ...

    @abstractmethod
    def summary(self) -> str: ...

    @abstractmethod
    def chamber_name(self, number: int) -> str:
        """What a chamber is called in a sentence: "the small chamber"."""

    @abstractmethod
    def chambers(self, view: V) -> list[str]:
        """The chambers in words, one line for each, with its price and size."""

    @abstractmethod
    def explorations(self, view: V) -> list[Option]:
        """The chambers that the viewer can explore now; an option's value is the chamber's number."""

    @abstractmethod
    def rules(self, game: AnyGame) -> list[Page]: ...

    def settings(self) -> Sequence[Setting]:
        return ()

    def options_text(self, options: Mapping[str, Any]) -> str:
        return ""

    # -- what is asked

    def asks(self, view: V, seat: int, names: Names) -> str:
        who = names.bold(seat)
        match view.phase:
            case "dig":
                return _("It is {who}'s turn to dig.").format(who=who)
            case "steal":
                return _("{who} met a Thief and chooses whom it visits.").format(who=who)
            case "sandstorm":
                n = view.to_lose
                text = ngettext(
                    "{who} chooses {n} card to lose to the Sandstorm.",
                    "{who} chooses {n} cards to lose to the Sandstorm.",
                    n,
                )
                return text.format(who=who, n=n)
            case _:
                if view.duty:
                    return _("{who} may trade, explore and sell, and must sell at least one set.").format(
                        who=who
                    )
                return _("{who} may trade, explore and sell.").format(who=who)

    def call(self, view: V, seat: int) -> str:
        match view.phase:
            case "steal":
                # Translators: follows a name and a comma: “@Ana, you met a Thief: …”.
                return _("you met a Thief: choose whom it visits.")
            case "sandstorm":
                # Translators: follows a name and a comma.
                return _("a Sandstorm! Choose what you lose.")
            case _:
                # Translators: follows a name and a comma: “@Ana, it is your turn.”
                return _("it is your turn.")

    def actions(self, view: V) -> list[Action]:
        match view.phase:
            case "dig":
                return [Action(pgettext("button", "Dig"), DIG_PRESS, "⛏️")]
            case "sandstorm":
                return [Action(pgettext("button", "Discard"), OWN_SCREEN, card.SANDSTORM)]
            case _:
                return []

    # -- the table message

    def board(self, view: V, names: Names) -> list[Item]:
        items: list[Item] = [
            ui.TextDisplay("\n".join([_("**Market** · trade value"), *self._market(view)])),
            ui.TextDisplay("\n".join(self.chambers(view))),
            ui.TextDisplay(self._site(view)),
            ui.Separator(),
            ui.TextDisplay("\n".join(self._seat(view, seat, names) for seat in range(view.seats))),
        ]
        return items

    def _market(self, view: View) -> list[str]:
        lines = [
            f"{card.EMOJI[kind]} {card.counted(kind, n)} · "
            + ngettext("worth {value}", "{value} each", n).format(value=view.trade[kind])
            for kind, n in enumerate(view.market)
            if n
        ]
        return lines or [pgettext("market", "*empty*")]

    def _site(self, view: View) -> str:
        if view.outcome is not None:
            return _("**Dig site** · empty")
        if not view.site:
            return _("**Dig site** · empty: sell what you hold. The match ends when nobody holds a card.")
        cards = card.number_of_cards(view.site)
        thieves = ngettext("{n} Thief", "{n} Thieves", view.thieves).format(n=view.thieves)
        storms = ngettext("{n} Sandstorm", "{n} Sandstorms", view.sandstorms).format(n=view.sandstorms)
        hazards = [f"{card.THIEF} {thieves}"] if view.thieves else []
        hazards += [f"{card.SANDSTORM} {storms}"] if view.sandstorms else []
        if not hazards:
            text = ngettext(
                "**Dig site** · {cards}, a treasure",
                "**Dig site** · {cards}, all of them treasures",
                view.site,
            )
            return text.format(cards=cards)
        text = ngettext(
            "**Dig site** · {cards}: {hazards}", "**Dig site** · {cards}, among them {hazards}", view.site
        )
        return text.format(cards=cards, hazards=listing(hazards))

    def _seat(self, view: V, seat: int, names: Names) -> str:
        turn = "▶️ " if seat == view.active and view.outcome is None else ""
        cards = card.number_of_cards(view.sizes[seat])
        line = f"{turn}{names.bold(seat)} · ✋ {cards} · 💰 ${view.money[seat]}{self.seat_marks(view, seat)}"
        if view.sold[seat]:
            line += f"\n-# {card.sold_sets(view.sold[seat], view.prices)}"
        return line

    def seat_marks(self, view: V, seat: int) -> str:
        """Text that a game adds to the line of a seat."""
        return ""

    # -- the private screen

    def private_text(self, view: V) -> str:
        assert view.hand is not None
        size = sum(view.hand)
        lines = [
            _("### Your hand · {cards} · 💰 ${money}").format(
                cards=card.number_of_cards(size), money=view.money[view.viewer or 0]
            )
        ]
        lines += [self._holding(view, kind, n) for kind, n in enumerate(view.hand) if n]
        if not size:
            lines.append(_("*You hold no cards.*"))
        return "\n".join(lines)

    def _holding(self, view: View, kind: int, n: int) -> str:
        prices = view.prices[kind]
        largest = len(prices)
        line = f"{card.EMOJI[kind]} **{card.counted(kind, n)}** · "
        if largest == 1:
            return line + ngettext("${price}", "${price} each", n).format(price=prices[0])
        if n < largest:
            return line + _("${now} · {next} for ${then}").format(
                now=prices[n - 1], next=n + 1, then=prices[n]
            )
        if n == largest:
            return line + _("${now}, the largest set").format(now=prices[-1])
        return line + _("${now} for {largest}, the largest set").format(now=prices[-1], largest=largest)

    def private(self, view: V, names: Names, choices: Choices, to: Id) -> list[Item]:
        items: list[Item] = [ui.TextDisplay(self.private_text(view))]
        if own_decision(view) is None:
            return items
        return [*items, ui.Separator(), *self.decide(view, names, choices, to)]

    def decide(self, view: V, names: Names, choices: Choices, to: Id) -> list[Item]:
        """The buttons and menus of the viewer, who is being asked."""
        match view.phase:
            case "dig":
                return [
                    ui.ActionRow(
                        button(pgettext("button", "Dig"), to._replace(intent=DIG_PRESS), PRIMARY, emoji="⛏️")
                    )
                ]
            case "steal":
                return self._thief_menu(view, names, to)
            case "sandstorm":
                return self._storm_menu(view, choices, to)
            case _:
                return self._turn(view, choices, to)

    def _thief_menu(self, view: View, names: Names, to: Id) -> list[Item]:
        options = [
            Option(names.plain(seat), str(seat), card.number_of_cards(view.sizes[seat]), card.THIEF)
            for seat in view.victims
        ]
        return menus(to._replace(intent=STEAL_PRESS), _("Send the Thief to …"), options)

    def _storm_menu(self, view: View, choices: Choices, to: Id) -> list[Item]:
        due = view.to_lose
        text = ngettext(
            "{storm} A Sandstorm! Choose {n} card to lose.",
            "{storm} A Sandstorm! Choose {n} cards to lose.",
            due,
        ).format(storm=card.SANDSTORM, n=due)
        if LOSE not in choices:
            text += " " + _("What hurts least is chosen already.")
        chosen = chosen_losses(view, choices, due)
        lose = loss_button(view, chosen, due, _("Lose {cards}"), to._replace(intent=DISCARD))
        return [ui.TextDisplay(text), *loss_menus(view, chosen, to), ui.ActionRow(lose)]

    def _turn(self, view: V, choices: Choices, to: Id) -> list[Item]:
        assert view.hand is not None
        items: list[Item] = []
        if any(view.market) and any(view.hand):
            items += self._trade_menus(view, choices, to)
            if choices.get(TAKE):
                items.append(ui.Separator())
        sales = [
            Option(
                f"{card.counted(kind, n)} · ${view.prices[kind][n - 1]}",
                f"{kind}x{n}",
                emoji=card.EMOJI[kind],
            )
            for kind, have in enumerate(view.hand)
            for n in range(min(have, len(view.prices[kind])), 0, -1)
        ]
        items += menus(to._replace(intent=SELL), _("Sell a set to the museum …"), sales)
        items += self.explore_menu(view, to)
        if view.duty:
            items.append(ui.TextDisplay(_("You must sell at least one set before this turn ends.")))
        end = button(_("End Turn"), to._replace(intent=END_TURN), PRIMARY, disabled=view.duty)
        items.append(ui.ActionRow(end))
        return items

    def explore_menu(self, view: V, to: Id) -> list[Item]:
        """The menu of chambers that the viewer may explore now."""
        return menus(to._replace(intent=EXPLORE), _("Explore a chamber …"), self.explorations(view))

    def _trade_menus(self, view: View, choices: Choices, to: Id) -> list[Item]:
        assert view.hand is not None
        taken = list(choices.get(TAKE, ()))
        items = menus(
            to._replace(intent=TAKE),
            _("Trade at the market for …"),
            bundle_options(view, view.market),
            chosen=taken,
            several=True,
        )
        take = read_bundles(view, taken)
        if not take:
            return items
        m.weigh(view.market, take, view.trade, "not-in-market")
        offers = offered_payments(view, take)
        paid = choices.get(PAY, ())
        if offers:
            options = [_payment_option(view, payment) for payment in offers]
            items += menus(to._replace(intent=PAY), _("Pay with …"), options, chosen=paid)
        given = choices.get(GIVE, ())
        items += menus(
            to._replace(intent=GIVE),
            _("… or choose what to give"),
            bundle_options(view, view.hand),
            chosen=given,
            several=True,
        )
        give = read_bundles(view, paid or given)
        if not offers:
            items.append(ui.TextDisplay(_("Your whole hand is not worth that much.")))
        over = view.worth(give) - view.worth(take)
        items.append(ui.TextDisplay(self._totals(view, give, take)))
        label = pgettext("button", "Trade") if over <= 0 else _("Trade, Losing {over}").format(over=over)
        press = to._replace(intent=TRADE)
        items.append(ui.ActionRow(button(label, press, SUCCESS, disabled=not give or over < 0)))
        return items

    def _totals(self, view: View, give: Bundles, take: Bundles) -> str:
        wanted, offered = view.worth(take), view.worth(give)
        lines = [_("You take {cards}, worth **{worth}**.").format(cards=card.cards(take), worth=wanted)]
        if give:
            lines.append(
                _("You give {cards}, worth **{worth}**.").format(cards=card.cards(give), worth=offered)
            )
        if give and offered < wanted:
            lines[-1] += " " + _("That is {short} short.").format(short=wanted - offered)
        return "\n".join(lines)

    # -- presses

    def family_presses(self) -> Mapping[str, Meaning[V, m.Move]]:
        """The meaning of the buttons and menus that both games draw."""
        return {
            DIG_PRESS: lambda _view, _pressed: m.Dig(),
            STEAL_PRESS: lambda _view, pressed: m.Steal(read_number(first(pressed))),
            LOSE: half_chosen,
            DISCARD: discard,
            TAKE: _without_payment,
            GIVE: _without_payment,
            PAY: _pay,
            TRADE: _trade,
            SELL: lambda _view, pressed: m.Sell(*_read_bundle(first(pressed))),
            EXPLORE: lambda _view, pressed: m.Explore(read_number(first(pressed))),
            END_TURN: lambda _view, _pressed: m.EndTurn(),
        }

    # -- words

    def tell(self, event: Told, viewer: int | None, names: Names, game: AnyGame) -> str:
        if event.kind == "explored":
            return self._tell_explored(event, viewer, names)
        return words.tell(event, viewer, names)

    def _tell_explored(self, event: Told, viewer: int | None, names: Names) -> str:
        facts = event.facts
        you = viewer is not None and viewer == event.seat
        found = card.cards(facts["cards"]) if "cards" in facts else card.number_of_cards(facts["count"])
        text = (
            _("You explore {chamber} for {maps} and find {found}.")
            if you
            else _("{who} explores {chamber} for {maps} and finds {found}.")
        )
        return text.format(
            who=names.bold(event.seat or 0),
            chamber=self.chamber_name(facts["chamber"]),
            maps=card.counted(MAP, facts["maps"]),
            found=found,
        )

    def kept(self, view: V, move: Any) -> str:
        if isinstance(move, m.Discard):
            return _("You lose {cards} to the market.").format(cards=card.cards(move.cards))
        return ""

    def concerns(self, event: Told, viewer: int) -> bool:
        return event.seat == viewer or event.facts.get("victim") == viewer

    def refuse(self, error: IllegalMove, game: AnyGame) -> str:
        return refusal(error, self.refusals())

    def refusals(self) -> dict[str, str]:
        """Why the rules forbid a move, by code."""
        return words.refusals()

    def highlights(self, events: Sequence[Told], view: View, names: Names) -> list[str]:
        return highlights.highlights(events, view.seats, names)

    def result(self, view: View, names: Names) -> list[str]:
        outcome = view.outcome
        assert outcome is not None
        lines: list[str] = []
        for seat, place in ranking(outcome):
            lines.append(f"{place} {names.bold(seat)} · **${outcome.scores[seat]}**")
            sets = card.sold_sets(view.sold[seat], view.prices)
            lines.append(f"-# {sets}" if sets else _("-# sold nothing"))
        if outcome.why == "fewer-cards":
            tied = [seat for seat, money in enumerate(outcome.scores) if money == max(outcome.scores)]
            counts = " · ".join(f"{names.bold(seat)} {outcome.detail[seat]}" for seat in tied)
            lines.append(
                _("The richest have the same money; the one who sold fewer cards wins: {counts}").format(
                    counts=counts
                )
            )
        elif outcome.why == "shared":
            lines.append(_("The same money from equally many cards: the victory is shared."))
        return lines


# -- what presses mean


def first(pressed: Pressed) -> str:
    """The choice in a menu that allows only one; empty if there is none."""
    return next(iter(pressed.chosen), "")


def discard(view: View, pressed: Pressed) -> m.Discard:
    """The loss that is chosen in the menu of cards to lose."""
    return m.Discard(read_bundles(view, pressed.choices.get(LOSE, ())))


def _trade(view: View, pressed: Pressed) -> m.Trade:
    choices = pressed.choices
    give = read_bundles(view, choices.get(PAY) or choices.get(GIVE, ()))
    return m.Trade(give, read_bundles(view, choices.get(TAKE, ())))


def _pay(view: View, pressed: Pressed) -> m.Trade | HalfChosen:
    """Trades at once if the payment is exact. If it loses value, shows it first."""
    payment, taken = first(pressed), pressed.choices.get(TAKE, ())
    give, take = read_bundles(view, [payment]), read_bundles(view, taken)
    if view.worth(give) == view.worth(take):
        return m.Trade(give, take)
    return HalfChosen({TAKE: taken, PAY: [payment]})


def _without_payment(_view: View, pressed: Pressed) -> HalfChosen:
    """Drops a chosen payment when the player chooses other cards to give, or other cards to take.

    In the first case the new choice replaces the payment, in the second its price has changed.
    """
    return HalfChosen({intent: chosen for intent, chosen in pressed.choices.items() if intent != PAY})


# -- losses to a Sandstorm


def chosen_losses(view: View, choices: Choices, due: int) -> Sequence[str]:
    """What is chosen to be lost, as values of the menu's options; at first, what hurts least."""
    assert view.hand is not None
    chosen = choices.get(LOSE)
    if chosen is not None:
        return chosen
    return _proposal(view.hand, least_loss(view.hand, view.trade, view.prices, due))


def loss_menus(view: View, chosen: Sequence[str], to: Id) -> list[Item]:
    """The menu of the viewer's cards from which those that are lost are chosen."""
    assert view.hand is not None
    options = bundle_options(view, view.hand)
    return menus(to._replace(intent=LOSE), _("Cards to lose"), options, chosen=chosen, several=True)


def loss_button(view: View, chosen: Sequence[str], due: int, label: str, press: Id) -> ui.Button[Any]:
    """The button that accepts the choice, with the chosen {cards} in its label; greyed until there are enough."""
    cards = read_bundles(view, chosen)
    picked = sum(n for _kind, n in cards)
    if picked < due:
        label = ngettext("Choose {n} More", "Choose {n} More", due - picked).format(n=due - picked)
    elif picked > due:
        label = ngettext("Choose {n} Fewer", "Choose {n} Fewer", picked - due).format(n=picked - due)
    else:
        label = label.format(cards=card.fitting_cards(cards, 80 - len(label)))
    return button(label, press, PRIMARY, disabled=picked != due)


# -- bundles in menus


def bundle_options(view: View, counts: Sequence[int]) -> list[Option]:
    """A menu's options that can be combined to any number of each treasure."""
    options: list[Option] = []
    for kind, have in enumerate(counts):
        seen: set[int] = set()
        for place, n in enumerate(bundle_sizes(have)):
            value = ngettext("trade value {n}", "trade value {n}", n * view.trade[kind]).format(
                n=n * view.trade[kind]
            )
            label = card.counted(kind, n)
            if n in seen:
                other = card.name(kind) if n == 1 else label
                # Translators: one more line of a menu that has such cards already: “another 2 Coins”.
                label = _("another {cards}").format(cards=other)
            seen.add(n)
            options.append(Option(label, f"{kind}x{n}.{place}", value, card.EMOJI[kind]))
    return options


def _proposal(hand: Sequence[int], cards: Bundles) -> list[str]:
    """The values of the options that together make up these cards."""
    values: list[str] = []
    for kind, n in cards:
        sizes = bundle_sizes(hand[kind])
        values += [f"{kind}x{sizes[place]}.{place}" for place in pick_bundles(sizes, n)]
    return values


def read_bundles(view: View, values: Sequence[str]) -> Bundles:
    """The cards that values of options stand for. Raises `IllegalMove` for values that this match does not have."""
    counts: dict[int, int] = {}
    for value in values:
        for part in value.split(","):
            kind, n = _read_bundle(part)
            if kind >= len(view.trade):
                raise IllegalMove("malformed-cards")
            counts[kind] = counts.get(kind, 0) + n
    return tuple(sorted(counts.items()))


def _read_bundle(value: str) -> tuple[int, int]:
    kind, _x, rest = value.partition("x")
    return read_number(kind), read_number(rest.partition(".")[0])


def read_number(text: str) -> int:
    """The number from a menu or a button. Raises `IllegalMove` if the text is not a number from 0 to 99."""
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise IllegalMove("malformed-cards")
    return int(text)


def offered_payments(view: View, take: Bundles) -> list[Payment]:
    """The payments to offer for these cards. If possible, they do not use the same treasures that are to be bought."""
    assert view.hand is not None
    wanted = {kind for kind, _n in take}
    others = [0 if kind in wanted else n for kind, n in enumerate(view.hand)]
    price = view.worth(take)
    return payments(others, view.trade, view.prices, price) or payments(
        view.hand, view.trade, view.prices, price
    )


def _payment_option(view: View, payment: Payment) -> Option:
    value = ",".join(f"{kind}x{n}" for kind, n in payment.cards)
    lost = (
        _("exact: trades at once")
        if not payment.lost
        else _("loses {n} of trade value").format(n=payment.lost)
    )
    hurt = (
        _("your sets bring ${n} less").format(n=payment.hurt) if payment.hurt else _("your sets lose nothing")
    )
    return Option(card.fitting_cards(payment.cards, 100), value, f"{lost} · {hurt}")
