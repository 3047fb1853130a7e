"""What everybody sees: the table message's board, and companies and cards on offer in full for whoever asks."""

from __future__ import annotations

from typing import Final

import discord
from discord import ui

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.language import ngettext
from bot.tables.refusals import Refused
from bot.ui.game_screens import Action, Pressed
from bot.ui.ids import Id, read_number
from bot.ui.kit import Item, button, paged, pager
from bot.ui.names import Names
from cogs.artifacts_inc import companies, effects
from cogs.artifacts_inc import names as name
from cogs.artifacts_inc.art import company, pictures
from engine.artifacts_inc.card_list import PILES
from engine.artifacts_inc.choices import dice_of, majority, next_dive
from engine.artifacts_inc.state import ACT, FREE, GOAL, ROUNDS, View

PRIMARY: Final = discord.ButtonStyle.primary
SECONDARY: Final = discord.ButtonStyle.secondary

COMPANY: Final = "s.company"
OFFERS: Final = "s.offers"


# -- the table message


def board(view: View, names: Names) -> list[Item]:
    """Dice, companies, museums, dives and offers."""
    return [
        ui.TextDisplay("\n".join([_round(view), *_dice(view)])),
        ui.TextDisplay("\n".join(_seat(view, seat, names) for seat in range(view.seats))),
        ui.Separator(),
        ui.TextDisplay("\n".join(_museums(view))),
        ui.TextDisplay("\n".join([_dive(view), *_others(view)])),
        ui.Separator(),
        ui.TextDisplay("\n".join([_("**On offer**"), *_offers(view)])),
    ]


def _round(view: View) -> str:
    """When this is: a sheet that stays open shows how things stood when it was pressed."""
    if max(view.reputation) >= GOAL or view.round == ROUNDS:
        return _("**Round {n}, the last**").format(n=view.round)
    return _("**Round {n}**").format(n=view.round)


def _dice(view: View) -> list[str]:
    """The dice of whoever's turn it is: those in hand, and where the others lie."""
    if view.phase != ACT:
        return []
    lines = [f"{name.DIE} {name.dice(view.dice)}"] if view.dice else []
    if placed := companies.placed(view):
        lines.append(placed)
    return lines


def _seat(view: View, seat: int, names: Names) -> str:
    turn = "▶️ " if seat == view.active and view.outcome is None else ""
    first, second = companies.summary(view, seat)
    return f"{turn}{name.SEAT[seat]} {names.bold(seat)} · {first}\n-# {second}"


def _museums(view: View) -> list[str]:
    lines: list[str] = [
        "-# " + _("Museums: die · bonus · {star} for most cubes").format(star=name.REPUTATION)
    ]
    for number, museum in enumerate(view.catalogue.museums):
        card = view.catalogue.cards[number]
        (slot,) = card.side(1).slots
        leads = majority(view, number)
        most = name.together(name.REPUTATION, museum.majority, "" if leads is None else name.SEAT[leads])
        facts = f"`{effects.requirement(slot.requires)}` +${museum.bonus} {most}"
        sizes = view.catalogue.orders(number, view.seats)
        orders = [
            str(size) if seat == FREE else name.SEAT[seat]
            for size, seat in zip(sizes, view.orders[number], strict=True)
        ]
        lines.append(f"{name.ARTIFACT[number]} **{name.written(card)}** {facts}\n{' '.join(orders)}")
    return lines


def _dive(view: View) -> str:
    top = next_dive(view)
    if top is None:
        return _("{picture} **Dives** · all are made").format(picture=name.DIVING)
    left = len(view.catalogue.dives) - len(view.divers)
    text = ngettext(
        "{picture} **Next dive** `{number}` · {star} {reputation} · {find} · the last",
        "{picture} **Next dive** `{number}` · {star} {reputation} · {find} · {n} left",
        left,
    )
    return text.format(
        picture=name.DIVING,
        number=top.number,
        star=name.REPUTATION,
        reputation=top.reputation,
        find=f"{name.FIND[top.find]} {name.find(top.find)}",
        n=left,
    )


def _others(view: View) -> list[str]:
    """The public cards that are no museums, as small print."""
    others = view.catalogue.public_cards[len(view.catalogue.museums) :]
    if not others:
        return []
    texts = [
        f"{name.written(card)} {effects.slot_text(view.catalogue, card.side(1).slots[0])}" for card in others
    ]
    return ["-# " + " · ".join(texts)]


def _offers(view: View) -> list[str]:
    lines: list[str] = []
    for number, offer in enumerate(view.offers):
        if not offer:
            continue
        shown = [_offered(view, card, offer.count(card)) for card in dict.fromkeys(offer)]
        lines.append(f"`{PILES[number]}` " + " · ".join(shown))
    return lines


def _offered(view: View, number: int, count: int) -> str:
    card = view.catalogue.cards[number]
    price = f"**{name.together(*name.cost(card).split())}**"
    return f"{name.unbroken(name.written(card))}{name.NO_BREAK}{price}" + (
        f"{name.NO_BREAK}×{count}" if count > 1 else ""
    )


# -- in full, for anybody


def sheets(view: View, names: Names) -> list[Action]:
    """A button for each company, and one for the cards on offer."""
    shown = [
        Action(names.plain(seat), COMPANY, name.SEAT[seat], arg=f"{seat}.0.0") for seat in range(view.seats)
    ]
    return [*shown, Action(_("Cards on Offer"), OFFERS, name.BUYING, arg="0")]


def sheet(view: View, names: Names, pressed: Pressed, to: Id) -> list[Item]:
    """A company or the cards on offer in full. Raises `Refused` for a press that this version does not have."""
    if pressed.intent == COMPANY:
        return _company(view, names, pressed.arg, to)
    if pressed.intent == OFFERS:
        return _cards_on_offer(view, pressed.arg, to)
    raise Refused("unknown")


def sheet_picture(view: View, pressed: Pressed) -> Picture | None:
    """What a sheet shows as a picture; None for a press that this version does not have."""
    if pressed.intent == OFFERS:
        return pictures.offers(view)
    asked = _company_asked(view, pressed.arg) if pressed.intent == COMPANY else None
    if asked is None:
        return None
    seat, both, _page = asked
    return pictures.both_sides(view, seat) if both else company.picture(view, seat)


def _company_asked(view: View, arg: str) -> tuple[int, int, int] | None:
    """The seat, whether both sides are shown (1), and the page; None if it means nothing."""
    match [read_number(part) for part in arg.split(".")]:
        case [int(seat), int(both), int(page)] if seat < view.seats and both < 2:
            return seat, both, page
        case _:
            return None


def _company(view: View, names: Names, arg: str, to: Id) -> list[Item]:
    asked = _company_asked(view, arg)
    if asked is None:
        raise Refused("unknown")
    seat, both, page = asked
    pages = paged(companies.card_lines(view, seat, both=bool(both)))
    page = min(page, len(pages) - 1)
    head = [
        f"### {name.SEAT[seat]} {names.escaped(seat)}",
        f"{_round(view)} · {name.REPUTATION} **{view.reputation[seat]}** · {name.MONEY} ${view.dollars[seat]} · "
        + name.own_dice(dice_of(view, seat)),
        companies.standing(view, seat),
        companies.plan(companies.lying(view, seat)),
    ]
    to = to._replace(intent=COMPANY)
    label = _("This Side Only") if both else _("Both Sides")
    buttons = [button(label, to._replace(arg=f"{seat}.{1 - both}.0"), PRIMARY)]
    buttons += pager(to, f"{seat}.{both}.", page, len(pages))
    others = [
        button(names.plain(other), to._replace(arg=f"{other}.{both}.0"), emoji=name.SEAT[other])
        for other in range(view.seats)
        if other != seat
    ]
    return [
        ui.TextDisplay("\n".join(head)),
        ui.TextDisplay("\n".join(pages[page])),
        ui.ActionRow(*buttons),
        ui.ActionRow(*others),
    ]


def _cards_on_offer(view: View, arg: str, to: Id) -> list[Item]:
    """`arg`: the page."""
    page = read_number(arg)
    if page is None:
        raise Refused("unknown")
    lines: list[str] = []
    for number, offer in enumerate(view.offers):
        for at, card_number in enumerate(dict.fromkeys(offer)):
            card = view.catalogue.cards[card_number]
            count = offer.count(card_number)
            head = f"**{name.written(card)}** · {name.cost(card)}" + (f" ×{count}" if count > 1 else "")
            if not at:
                left = sum(n for _card, n in view.piles[number])
                head = f"__{_pile(number, left)}__\n{head}"
            lines.append(f"{head}\n{effects.both_sides(view.catalogue, card)}")
    pages = paged(lines or [_("There is nothing on offer any more.")])
    page = min(page, len(pages) - 1)
    costs = _("To improve a card to level 2 costs the same again.")
    head = [_("### Cards on offer"), _round(view), f"-# {costs}"]
    items: list[Item] = [ui.TextDisplay("\n".join([*head, *pages[page]]))]
    if buttons := pager(to._replace(intent=OFFERS), "", page, len(pages)):
        items.append(ui.ActionRow(*buttons))
    return items


def _pile(number: int, left: int) -> str:
    if not left:
        return _("Pile {pile}, the last cards").format(pile=PILES[number])
    text = ngettext("Pile {pile}, {n} more card", "Pile {pile}, {n} more cards", left)
    return text.format(pile=PILES[number], n=left)
