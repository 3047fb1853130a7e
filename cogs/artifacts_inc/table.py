"""The public screens: the table message's board, and sheets with companies and cards on offer in full."""

from __future__ import annotations

from collections import Counter
from typing import Final

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.language import listing, ngettext, pgettext
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.components import PRIMARY
from bot.ui.screens.game_screens import Action, Pressed
from bot.ui.screens.ids import Id, read_number
from bot.ui.screens.kit import PICTURED, Item, button, escape, paged, pager
from bot.ui.screens.names import Names
from cogs.artifacts_inc import companies, effects
from cogs.artifacts_inc import names as name
from cogs.artifacts_inc.art import company
from engine.artifacts_inc import choices
from engine.artifacts_inc.card_list import PILES
from engine.artifacts_inc.catalogue import DiveCard
from engine.artifacts_inc.choices import majority, next_dive
from engine.artifacts_inc.state import FREE, GOAL, View
from engine.game import own_decision

COMPANY: Final = "s.company"
OFFERS: Final = "s.offers"
PUBLIC: Final = "s.public"
ALL: Final = "s.companies"

BUTTON_ROOM: Final = 12
"""Characters of a player's name on the table message's button for their company."""


# -- the table message


def board(view: View, names: Names) -> list[Item]:
    """The round, the goal and whose marks these are; without the picture, companies, museums and the next dive.

    The dice stand in the line that says whose turn it is (`public_prompt`), cards on offer on their sheet.
    """
    lines = [
        *(
            f"{name.SEAT[seat]} {names.bold(seat)} {companies.summary(view, seat)}"
            for seat in range(view.seats)
        ),
        _museums(view),
        f"-# {_dive(view)}",
    ]
    goal = _("the most {star} wins; at {goal} the round is the last").format(star=name.REPUTATION, goal=GOAL)
    goal = "" if view.outcome else f" · {goal}"
    head = _round(view) if last_round(view) else f"-# {_round(view)}{goal}"
    marks = " · ".join(name.together(name.SEAT[seat], names.bold(seat)) for seat in range(view.seats))
    return [ui.text(f"{head}\n-# {marks}"), ui.text("\n".join(lines), id=PICTURED)]


def last_round(view: View) -> bool:
    """Whether the last round is played."""
    return view.outcome is None and choices.last_round(view)


def end_line(view: View) -> str:
    """That the last round is played; empty before. To a viewer who is asked, the heading says it already."""
    if not last_round(view) or own_decision(view):
        return ""
    return _("🏁 **Last round!** When it is over, the museums are counted.")


def _round(view: View) -> str:
    """When this is: a sheet that stays open shows how things stood when it was pressed."""
    if last_round(view):
        return end_line(view)
    return _("**Round {n}**").format(n=view.round)


def _museums(view: View) -> str:
    """The reputation for the most cubes on each museum, and whose cubes lie there, in a line. Sheets have the rest."""
    each = [
        name.together(name.ARTIFACT[number], f"{name.REPUTATION}{museum.majority}", *_cubes(view, number))
        for number, museum in enumerate(view.catalogue.museums)
    ]
    # Translators: “🏛️ **Most cubes at the end:** 🦴 ⭐4 🟩2 🔵1 · 📜 ⭐3”
    text = _("{museum} **Most cubes at the end:** {museums}")
    return "-# " + text.format(museum=name.MUSEUM, museums=" · ".join(each))


def _cubes(view: View, number: int) -> list[str]:
    """How many cubes each company has on a museum: first whoever has the majority, then by their number."""
    on_it = Counter(seat for seat in view.orders[number] if seat != FREE)
    leads = majority(view, number)
    seats = sorted(on_it, key=lambda seat: (seat != leads, -on_it[seat], seat))
    return [f"{name.SEAT[seat]}{on_it[seat]}" for seat in seats]


def _dive(view: View) -> str:
    top = next_dive(view)
    if top is None:
        return _("{picture} all completed").format(picture=name.DIVING)
    return f"{name.DIVING} {_dive_card(top)}"


# -- in full, for anybody


def sheets(view: View, names: Names) -> list[Action]:
    """A button for the cards on offer, and one for each company."""
    companies_of_all = [
        Action(name.short(names.bare(seat), BUTTON_ROOM), COMPANY, name.SEAT[seat], arg=f"{seat}.0.0")
        for seat in range(view.seats)
    ]
    return [Action(pgettext("button", "Cards"), OFFERS, name.CARDS, arg="0"), *companies_of_all]


def _others(view: View, to: Id, but: str) -> ui.Row:
    ways = {
        OFFERS: button(_("Cards on Offer"), to._replace(intent=OFFERS, arg="0"), emoji=name.BUYING),
        ALL: button(_("Companies"), to._replace(intent=ALL, arg=""), emoji=name.COMPANY),
        PUBLIC: button(_("Museums and Dives"), to._replace(intent=PUBLIC, arg=""), emoji=name.MUSEUM),
    }
    return ui.row(*(way for intent, way in ways.items() if intent != but))


def sheet(view: View, names: Names, pressed: Pressed, to: Id) -> list[Item]:
    """The sheet that a press asks for. Raises `Refused` for a press that this version does not have."""
    if pressed.intent == COMPANY:
        return _company(view, names, pressed.arg, to)
    if pressed.intent == OFFERS:
        return _cards_on_offer(view, pressed.arg, to)
    if pressed.intent == ALL:
        return _companies(view, names, to)
    if pressed.intent == PUBLIC:
        return _public_cards(view, to)
    raise Refused("unknown")


def sheet_picture(view: View, pressed: Pressed) -> Picture | None:
    """The picture of a sheet; None for a press that this version does not have."""
    if pressed.intent == OFFERS:
        return company.offers(view)
    asked = _company_asked(view, pressed.arg) if pressed.intent == COMPANY else None
    if asked is None:
        return None
    seat, both, _page = asked
    return company.both_sides(view, seat) if both else company.picture(view, seat)


def _companies(view: View, names: Names, to: Id) -> list[Item]:
    """The goods of each company and the names of its cards, with a button to each company in full."""
    items: list[Item] = [ui.text("\n".join([_("### Companies"), _round(view)]))]
    for seat in range(view.seats):
        cards = [escape(companies.title(view, seat, held)) for held in companies.lying(view, seat)]
        lines = [
            f"{name.SEAT[seat]} {names.bold(seat)} · {companies.worth(view, seat)}",
            companies.standing(view, seat),
            f"-# {listing(cards)}",
        ]
        items.append(ui.text("\n".join(lines)))
    return [*items, ui.row(*_each_company(view, names, to, 0)), _others(view, to, ALL)]


def _each_company(view: View, names: Names, to: Id, both: int, but: int | None = None) -> list[ui.Button]:
    return [
        button(names.plain(seat), to._replace(intent=COMPANY, arg=f"{seat}.{both}.0"), emoji=name.SEAT[seat])
        for seat in range(view.seats)
        if seat != but
    ]


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
        f"{_round(view)} · {companies.worth(view, seat)}",
        companies.standing(view, seat),
    ]
    to = to._replace(intent=COMPANY)
    label = _("This Side Only") if both else _("Both Sides")
    buttons = [button(label, to._replace(arg=f"{seat}.{1 - both}.0"), PRIMARY)]
    buttons += pager(to, f"{seat}.{both}.", page, len(pages))
    return [
        ui.text("\n".join(head)),
        ui.text("\n".join(pages[page])),
        ui.row(*buttons),
        ui.row(
            *_each_company(view, names, to, both, seat),
            button(_("All Companies"), to._replace(intent=ALL, arg="")),
        ),
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
    piles = _("The cards come from five piles, A to E: a card that is bought is replaced from its own pile.")
    costs = _("Upgrading a card to level 2 costs its price again.")
    head = [_("### Cards on offer"), _round(view), f"-# {piles} {costs}"]
    items: list[Item] = [ui.text("\n".join([*head, *pages[page]]))]
    if buttons := pager(to._replace(intent=OFFERS), "", page, len(pages)):
        items.append(ui.row(*buttons))
    return [*items, _others(view, to, OFFERS)]


def _pile(number: int, left: int) -> str:
    if not left:
        return _("Pile {pile}, the last cards").format(pile=PILES[number])
    text = ngettext("Pile {pile}, {n} more card", "Pile {pile}, {n} more cards", left)
    return text.format(pile=PILES[number], n=left)


def _public_cards(view: View, to: Id) -> list[Item]:
    """The museums with each order, the other public cards, and the dives that are still to be made."""
    catalogue = view.catalogue
    lines = [_("### Museums and dives"), _round(view)]
    for number, museum in enumerate(catalogue.museums):
        card = catalogue.cards[number]
        (slot,) = card.side(1).slots
        text = _(
            "{picture} **{museum}** `{die}` · a sale brings ${bonus} more · {star} {majority} for the most cubes"
        )
        lines.append(
            text.format(
                picture=name.ARTIFACT[number],
                museum=name.written(card),
                die=effects.requirement(slot.requires),
                bonus=museum.bonus,
                star=name.REPUTATION,
                majority=museum.majority,
            )
        )
        leads = majority(view, number)
        orders = [
            str(size) if seat == FREE else name.SEAT[seat]
            for size, seat in zip(catalogue.orders(number, view.seats), view.orders[number], strict=True)
        ]
        lines.append(
            _("Orders: {orders}").format(orders=" ".join(orders))
            + ("" if leads is None else " · " + _("most cubes: {who}").format(who=name.SEAT[leads]))
        )
    lines += [
        f"**{name.written(card)}** {effects.slot_text(catalogue, card.side(1).slots[0])}"
        for card in catalogue.public_cards[len(catalogue.museums) :]
    ]
    if dives := [_dive_card(dive) for dive in catalogue.dives[len(view.divers) :]]:
        lines.append(_("{picture} **Dives to come**").format(picture=name.DIVING) + " " + " · ".join(dives))
    else:
        lines.append(_("{picture} All dives have been completed.").format(picture=name.DIVING))
    return [ui.text("\n".join(lines)), _others(view, to, PUBLIC)]


def _dive_card(dive: DiveCard) -> str:
    """A dive: its number, its reputation and its find."""
    find = name.together(name.FIND[dive.find], name.unbroken(name.find(dive.find)))
    return name.together(f"`{dive.number}`", f"{name.REPUTATION}{dive.reputation}", find)
