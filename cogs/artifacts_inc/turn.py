"""A turn on the private screen: the first roll, dives, purchases, sales and rerolls; the dice stand in `rolled`.

One press leads on at a time. The menus and the ids of the buttons hold the choices so far, and nothing else does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from bot.language import gettext as _
from bot.language import ngettext, pgettext
from bot.ui.screens import components as ui
from bot.ui.screens.components import PRIMARY, SUCCESS
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import FIRST_TIME, MENU_OPTIONS, Choices, Item, Option, button, escape, menus
from cogs.artifacts_inc import companies, intents, rolled, shop, uses
from cogs.artifacts_inc import names as name
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.choices import cheapest_dive, collected, dive_bonus, dives, next_dive, spaces
from engine.artifacts_inc.state import ARRANGE, View


def screen(view: View, choices: Choices, to: Id, room: int) -> list[Item]:
    """The asked viewer's choices, with the selection. `room` is the height for them on a phone, in its pixels."""
    if view.phase == ARRANGE:
        return _arrange(view, choices, to)
    if intents.DIVE_DICE in choices and cheapest_dive(view):
        return _dive(view, choices, to)
    if intents.AGAIN_DICE in choices and rolled.roller(view):
        return _again(view, choices, to)
    if choices.get(intents.GOODS):
        return _select_goods(view, choices[intents.GOODS], to)
    if visit := shop.read_visit(choices):
        shown = shop.items(view, visit, choices, to)
        return [*shown, ui.row(_back(to), *shop.confirm(view, visit, choices, to))]
    if intents.END in choices:
        return _ask_end(view, to)
    return rolled.screen(view, choices, to, room)


def _back(to: Id) -> ui.Button:
    """The way back, first in its row: it lies where **End Turn** was and will be, under a second tap."""
    return button(_("Back to Dice"), to._replace(intent=intents.BACK))


# -- the first turn


def _arrange(view: View, choices: Choices, to: Id) -> list[Item]:
    cards = [view.catalogue.cards[number] for number in view.catalogue.start]
    chosen = choices.get(intents.ORDER, ())
    text = _(
        "**Roll:** buttons then show what each die can do, and what that brings. From your next turn on, your dice are "
        "rolled for you."
    )
    roll = button(pgettext("button", "Roll"), to._replace(intent=intents.ROLL), PRIMARY, emoji=name.DIE)
    order = to._replace(intent=intents.ORDER)
    items = [ui.text(f"-# 💡 {companies.goal()}", id=FIRST_TIME), ui.text(text)]
    if not chosen:
        return [*items, ui.row(roll, button(_("Rearrange My Cards …"), order))]
    why = _(
        "Your four starting cards lie side by side. Some cards that you may buy later count what lies next to them: as "
        "the cards lie, your two Expeditions are neighbours."
    )
    options = [
        Option(
            " · ".join(name.short(name.card_name(cards[at]), 22) for at in order), "".join(map(str, order))
        )
        for order in permutations(range(len(cards)))
    ]
    return [
        *items,
        ui.text(why),
        *menus(order, _("The order, from left to right …"), options, chosen=chosen),
        ui.row(roll),
    ]


# -- the end of the turn


def _ask_end(view: View, to: Id) -> list[Item]:
    text = ngettext(
        "You still have {n} die you could use: {dice}. End your turn anyway?",
        "You still have {n} dice and could use some: {dice}. End your turn anyway?",
        len(view.dice),
    ).format(n=len(view.dice), dice=name.dice(view.dice))
    label = ngettext("End Turn, {n} Die Left", "End Turn, {n} Dice Left", len(view.dice))
    return [
        ui.text(text),
        ui.row(
            _back(to), button(label.format(n=len(view.dice)), to._replace(intent=intents.END_NOW), PRIMARY)
        ),
    ]


# -- dives


def _dive(view: View, choices: Choices, to: Id) -> list[Item]:
    top = next_dive(view)
    assert top is not None
    assert view.viewer is not None
    sets = {dive_value(dice, at): dice for at, dice in enumerate(dives(view))}
    # The cheapest comes first.
    chosen = next((one for one in choices[intents.DIVE_DICE] if one in sets), next(iter(sets)))
    bonus = dive_bonus(view, view.viewer)
    lines = [
        _("{picture} **The next dive needs {number}.** It brings {star} {n} and {find}.").format(
            picture=name.DIVING,
            number=top.number,
            star=name.REPUTATION,
            n=top.reputation,
            find=f"{name.FIND[top.find]} {name.find(top.find)}",
        )
    ]
    if bonus:
        lines.append(_("Your cards add {n} to your dice.").format(n=bonus))
    if len(sets[chosen]) == len(view.dice):
        lines += uses.last_die(view) or ["-# " + _("The dive takes all your dice and ends your turn.")]
    items: list[Item] = [ui.text("\n".join(lines))]
    if len(sets) > 1:
        options = [Option(_described(dice, bonus), value) for value, dice in sets.items()]
        items += menus(to._replace(intent=intents.DIVE_DICE), _("Dive with …"), options, chosen=[chosen])
    label = _("Dive {dice}").format(dice=name.sum_of(sets[chosen]))
    press = to._replace(intent=intents.DIVE, arg=chosen.partition(".")[0])
    items.append(ui.row(_back(to), button(label, press, SUCCESS, emoji=name.DIVING)))
    return items


def dive_value(dice: Sequence[int], at: int) -> str:
    """The dice of a dive as a menu value, with their number among all dives."""
    return f"{''.join(map(str, dice))}.{at}"


def _described(dice: Sequence[int], bonus: int) -> str:
    """ "3 + 5 = 8", "3 + 5 (+2) = 10" """
    added = f" (+{bonus})" if bonus else ""
    total = sum(dice) + bonus
    return f"{name.sum_of(dice)}{added}" + (f" = {total}" if len(dice) > 1 or bonus else "")


# -- rolling again


def die_values(view: View) -> list[str]:
    """The unplaced dice as menu values, each by its face and a number of its own."""
    return [f"{die}.{at}" for at, die in enumerate(view.dice)]


def values_of(view: View, dice: Sequence[int]) -> list[str]:
    """These unplaced dice as menu values."""
    left = Counter(dice)
    values: list[str] = []
    for value, die in zip(die_values(view), view.dice, strict=True):
        if left[die]:
            left[die] -= 1
            values.append(value)
    return values


def idle_dice(view: View) -> list[str]:
    """The dice that are proposed for another roll: those that can do nothing, or else the lowest."""
    values = die_values(view)
    idle = [value for value, die in zip(values, view.dice, strict=True) if not uses.usable(view, die)]
    return idle or values[:1]


def _again(view: View, choices: Choices, to: Id) -> list[Item]:
    roller = rolled.roller(view)
    assert roller is not None
    values = die_values(view)
    chosen = [value for value in choices[intents.AGAIN_DICE] if value in values]
    options = [Option(str(die), value) for value, die in zip(values, view.dice, strict=True)]
    dice = [int(value.partition(".")[0]) for value in chosen]
    label = _("Reroll {dice}").format(dice=", ".join(map(str, dice))) if dice else _("Reroll")
    press = to._replace(intent=intents.AGAIN, arg=f"{roller[0]}.{''.join(map(str, dice))}")
    text = _("**{card}**: which dice do you want to reroll? A reroll can't be undone.")
    return [
        ui.text(text.format(card=escape(roller[1]))),
        *menus(
            to._replace(intent=intents.AGAIN_DICE),
            _("Dice to reroll"),
            options,
            chosen=chosen,
            count=(1, None),
        ),
        ui.row(_back(to), button(label, press, SUCCESS, emoji="🔄", disabled=not dice)),
    ]


# -- choosing what to sell


def proposed_goods(view: View, choice: str) -> list[str]:
    """One of each kind: what brings most for each artifact."""
    return [f"{choice}.{kind}.1" for kind, have in enumerate(view.artifacts[view.active]) if have]


def goods_of(view: View, sale: m.Collect) -> list[str]:
    """The choice of these artifacts for Private Collectors, one value for each kind."""
    (dollars,) = [slot.action.dollars for space, slot in spaces(view, sale.die) if space == sale.on]
    choice = uses.encode(uses.SELECT, sale.die, *sale.on, dollars)
    held = view.artifacts[view.active]
    return [f"{choice}.{kind}.{n}" for kind, n in enumerate(sale.artifacts) if held[kind]]


def read_goods(values: Sequence[str]) -> tuple[list[int], list[int]]:
    """Die, space and dollars on top of a sale, and how many of each kind are chosen. Raises `IllegalMove`."""
    sold = [0] * len(ARTIFACTS)
    place: list[int] = []
    for value in values:
        kind, numbers = uses.decode(value)
        if kind != uses.SELECT or len(numbers) != 7:
            raise uses.malformed()
        *place, artifact, n = numbers
        if not 0 <= artifact < len(sold) or n < 0:
            raise uses.malformed()
        sold[artifact] += n
    return place, sold


def _select_goods(view: View, values: Sequence[str], to: Id) -> list[Item]:
    """A menu for each kind, from which a number of it is chosen, and the button that sells."""
    place, sold = read_goods(values)
    *at, dollars = place
    die, space, _rest = uses.placement(at)
    if not 0 <= space.card < len(view.catalogue.cards):
        raise uses.malformed()
    card = name.written(view.catalogue.cards[space.card])
    text = _("**{card}** pays $1 for each artifact, and $1 more for each kind beyond the first.")
    if dollars:
        text = _(
            "**{card}** pays $1 for each artifact, $1 more for each kind beyond the first, and ${n} on top."
        )
    items: list[Item] = [ui.text("\n".join([text.format(card=card, n=dollars), *uses.last_die(view)]))]
    for kind, have in enumerate(view.artifacts[view.active]):
        if have:
            choice = uses.encode(uses.SELECT, *place, kind)
            counts = sorted({*range(min(have, MENU_OPTIONS - 1)), have})
            options = [
                Option(name.counted(kind, n), f"{choice}.{n}", emoji=name.ARTIFACT[kind]) for n in counts
            ]
            chosen = [f"{choice}.{sold[kind]}"]
            items += menus(
                to._replace(intent=intents.GOODS), name.artifact(kind), options, chosen=chosen, first=kind
            )
    label = _("Sell for ${n}").format(n=(collected(sold) + dollars) * any(sold))
    press = to._replace(intent=intents.SELL, arg=uses.encode("collect", die, *space, *sold))
    return [*items, ui.row(_back(to), button(label, press, SUCCESS, disabled=not any(sold)))]


# -- above the choices


def state_of_turn(view: View, seat: int) -> str:
    """The viewer's possessions and dice, and the places of these."""
    dice, money = name.dice(view.dice), f"{name.MONEY} ${view.dollars[seat]}"
    return "\n".join(filter(None, [money, dice, companies.standing(view, seat), companies.placed(view)]))
