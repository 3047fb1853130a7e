"""A turn on the private screen: all that the dice can do, each in one press; dives, purchases, sales and abilities.

One press leads on at a time. The menus and the ids of the buttons hold the choices so far, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Final

from bot.language import gettext as _
from bot.language import ngettext, pgettext
from bot.ui.screens import components as ui
from bot.ui.screens.components import PRIMARY, SECONDARY, SUCCESS
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import (
    FIRST_TIME,
    FOLDED,
    MENU_OPTIONS,
    Choices,
    Item,
    Option,
    button,
    escape,
    menus,
)
from cogs.artifacts_inc import companies, reasons, shop, uses
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.choices import (
    abilities,
    cheapest_dive,
    dive_bonus,
    dives,
    free_slots,
    next_dive,
    purchases,
    turnable,
)
from engine.artifacts_inc.choices import faces as faces_of
from engine.artifacts_inc.state import ARRANGE, View

# Intents. A menu's intent also names what is chosen in it.
ROLL: Final = "g.roll"
ORDER: Final = "g.order"
DIE: Final = "g.die"
USE: Final = "g.use"
FACE: Final = "g.face"
ASK_DIVE: Final = "g.ask-dive"
DIVE_DICE: Final = "g.dive-dice"
DIVE: Final = "g.dive"
ASK_AGAIN: Final = "g.ask-again"
AGAIN_DICE: Final = "g.again-dice"
AGAIN: Final = "g.again"
GOODS: Final = "g.goods"
SELL: Final = "g.sell"
END: Final = "g.end"
END_NOW: Final = "g.end-now"
BACK: Final = "g.back"

USES_ROOM: Final = 12
"""Components for what dice can do, with the menus of the shop and of abilities, of the 40 that a message takes."""
LEAST_ROOM: Final = 6
"""Of these, what is kept for buttons of what a die can do at once."""


def screen(view: View, choices: Choices, to: Id) -> list[Item]:
    """The asked viewer's choices, with the selection."""
    if view.phase == ARRANGE:
        return _arrange(view, choices, to)
    if DIVE_DICE in choices and cheapest_dive(view):
        return _dive(view, choices, to)
    if AGAIN_DICE in choices and _roller(view):
        return _again(view, choices, to)
    if choices.get(GOODS):
        return _select_goods(view, choices[GOODS], to)
    if visit := shop.read_visit(choices):
        shown = shop.items(view, visit, choices, to)
        return [*shown, ui.row(*shop.confirm(view, visit, choices, to), _back(to))]
    if END in choices:
        return _ask_end(view, to)
    return _dice(view, choices, to)


def _back(to: Id) -> ui.Button:
    return button(_("Back to the Dice"), to._replace(intent=BACK))


# -- the first turn


def _arrange(view: View, choices: Choices, to: Id) -> list[Item]:
    cards = [view.catalogue.cards[number] for number in view.catalogue.start]
    chosen = choices.get(ORDER, ())
    text = _("**Roll** with your cards as they are: that is a good order for a first match.")
    why = _(
        "Your four starting cards lie side by side. Some cards that you may buy later count what lies next to them: as "
        "the cards lie, your two Expeditions are neighbours."
    )
    options: list[Option] = []
    for order in permutations(range(len(cards))):
        label = " · ".join(name.short(name.card_name(cards[at]), 22) for at in order)
        options.append(Option(label, "".join(map(str, order))))
    return [
        ui.text(text),
        ui.text(why, id=FOLDED),
        *menus(to._replace(intent=ORDER), _("Another order, from left to right …"), options, chosen=chosen),
        ui.row(button(pgettext("button", "Roll"), to._replace(intent=ROLL), PRIMARY, emoji=name.DIE)),
    ]


# -- a die and what it can do


def chosen_dice(view: View, choices: Choices) -> list[int]:
    """The face of the die that is chosen, or else all faces there are, ascending."""
    wanted = next(iter(choices.get(DIE, ())), "")
    if wanted.isdecimal() and int(wanted) in view.dice:
        return [int(wanted)]
    return list(dict.fromkeys(view.dice))


def _alive(view: View, die: int) -> bool:
    """Whether a die can be placed, or turned to another face."""
    return uses.usable(view, die) or any(ability.do != "roll" for _own, ability, _n in abilities(view))


def _dice(view: View, choices: Choices, to: Id) -> list[Item]:
    """The uses of the dice, each in one press: with the die that is least needed elsewhere, or with the chosen one."""
    faces = chosen_dice(view, choices)
    found = uses.uses(view, faces)
    heading = _heading(view, faces, bool(found))
    items: list[Item] = [
        *_dice_buttons(view, faces, to),
        *([ui.text(heading)] if heading else []),
        *(ui.text(f"-# 💡 {line}", id=FIRST_TIME) for line in reasons.first_time(view, uses.sells(found))),
        *(ui.text(hint, id=FOLDED) for hint in _hints(view, faces, bool(found))),
    ]
    turnings = [option for die in faces for option in _turnings(view, die)]
    text = _("Turn the {die} to …").format(die=faces[0]) if len(faces) == 1 else _("Turn a die …")
    turning = menus(to._replace(intent=FACE), text, turnings)
    shop_menus = shop.choices_at_once(view, found, to)
    if shop_menus:
        found = [use for use in found if not use.opens_shop]
    room = max(LEAST_ROOM, USES_ROOM - components(turning) - components(shop_menus))
    at_once, others = uses.sorted_out(found, room)
    items += ui.rows(
        [button(use.label, to._replace(intent=USE, arg=use.choice), emoji=use.picture) for use in at_once]
    )
    options = [Option(use.label, use.choice, emoji=use.picture) for use in others]
    items += menus(to._replace(intent=USE), _("Other ways to use dice …"), options)
    return [*items, *shop_menus, *turning, _last_row(view, to)]


def components(items: Sequence[Item]) -> int:
    """The number of a message's components that rows with one menu each take."""
    return 2 * len(items)


def _dice_buttons(view: View, faces: Sequence[int], to: Id) -> list[Item]:
    """A button for each face: it chooses that die, or any die again where it is chosen already."""
    buttons: list[ui.Button] = []
    several = len(set(view.dice)) > 1
    for face in dict.fromkeys(view.dice):
        count = view.dice.count(face)
        label = _("Die {face}").format(face=face) + (f" ×{count}" if count > 1 else "")
        chosen = several and faces == [face]
        press = to._replace(intent=DIE, arg="" if chosen else str(face))
        buttons.append(
            button(
                f"▸ {label}" if chosen else label,
                press,
                PRIMARY if chosen else SECONDARY,
                disabled=not several or not _alive(view, face),
            )
        )
    return [*ui.rows(buttons)]


def _heading(view: View, faces: Sequence[int], can: bool) -> str:
    """The question about a die, and remarks on its uses. The uses of all dice speak for themselves."""
    die = faces[0]
    if len(faces) > 1:
        head = ""
        nothing = _("You can't place any of your dice now.")
    else:
        head = _("**What do you want to do with the {die}?**").format(die=die)
        nothing = _("You can't place the {die} anywhere now.").format(die=die)
    lines = [head if can else nothing]
    if _is_chosen(view, faces):  # whoever asks about one die reads at once why it does not buy
        lines += [f"-# {hint}" for hint in _out_of_reach(view, faces)]
    if can:
        lines += [f"-# {line}" for line in uses.idle_faces(view, faces)]
        lines += uses.last_die(view)
    return "\n".join(filter(None, lines))


def _hints(view: View, faces: Sequence[int], can: bool) -> list[str]:
    """The hints about the dice: how they are placed, and why a card that sells buys nothing now."""
    several = _("The number on a button says which die is placed. To use another die, press it first.")
    hints = [] if _is_chosen(view, faces) else _out_of_reach(view, faces)
    if uses.idle_faces(view, faces):
        hints.append(_("A die that your cards do not take can still be used by a card that you buy for it."))
    return [several, *hints] if can and len(faces) > 1 else hints


def _is_chosen(view: View, faces: Sequence[int]) -> bool:
    """Whether one die is chosen, and there is another to choose."""
    return len(faces) == 1 and len(set(view.dice)) > 1


def _out_of_reach(view: View, faces: Sequence[int]) -> list[str]:
    """Why a free slot that takes one of these dice buys nothing, and the cheapest that it could buy for more money."""
    buying = [
        space
        for space, slot in free_slots(view)
        if slot.action.do == "buy" and any(slot.faces >> die & 1 for die in faces)
    ]
    if not buying or purchases(view) or turnable(view):
        return []
    office = name.written(view.catalogue.cards[buying[0].card])
    return [_("{card}: you cannot pay for any card yet.").format(card=office), shop.out_of_reach(view)]


def _turnings(view: View, die: int) -> list[Option]:
    """The faces that abilities can turn this die to; of cards that do the same, the first that has a use left."""
    options: list[Option] = []
    seen: set[tuple[str, int]] = set()
    for own, ability, left in abilities(view):
        card = name.card_name(view.catalogue.cards[own.card])
        uses_left = ngettext("{card}, {n} use left", "{card}, {n} uses left", left).format(card=card, n=left)
        for face in faces_of(ability, die):
            if (ability.do, face) not in seen:
                seen.add((ability.do, face))
                choice = uses.encode("face", *own, die, face)
                options.append(Option(f"{die} → {face}", choice, uses_left))
    return options


def _roller(view: View) -> tuple[str, str] | None:
    """The first card by which dice can be rolled again, as numbers and by name."""
    for own, ability, _left in abilities(view):
        if ability.do == "roll":
            return uses.encode("again", *own), name.card_name(view.catalogue.cards[own.card])
    return None


def _last_row(view: View, to: Id) -> ui.Row:
    buttons: list[ui.Button] = []
    cheapest = cheapest_dive(view)
    if cheapest:
        buttons += _dive_buttons(view, cheapest, to)
    roller = _roller(view)
    if roller:
        label = _("{card}: reroll …").format(card=roller[1])
        buttons.append(button(label, to._replace(intent=ASK_AGAIN), emoji="🔄"))
    label = ngettext("End Turn, {n} Die Left", "End Turn, {n} Dice Left", len(view.dice))
    buttons.append(button(label.format(n=len(view.dice)), to._replace(intent=END)))
    return ui.row(*buttons)


def _dive_buttons(view: View, cheapest: Sequence[int], to: Id) -> list[ui.Button]:
    """The dive with the fewest dice, at once unless it ends the turn, and the way to a dive with other dice."""
    top = next_dive(view)
    assert top is not None
    asks = to._replace(intent=ASK_DIVE)
    label = _("Dive with {dice}: {star}{n}, {find}").format(
        dice=name.sum_of(cheapest), star=name.REPUTATION, n=top.reputation, find=name.find(top.find)
    )
    if len(cheapest) == len(view.dice):
        return [button(f"{label} …", asks, emoji=name.DIVING)]
    press = to._replace(intent=DIVE, arg="".join(map(str, cheapest)))
    at_once = button(label, press, emoji=name.DIVING)
    if len(dives(view)) == 1:
        return [at_once]
    return [at_once, button(_("Dive with Other Dice …"), asks)]


def ends_at_once(view: View) -> bool:
    """Whether nothing is lost by ending the turn: no die that is left could be placed."""
    return not cheapest_dive(view) and not any(uses.usable(view, die) for die in view.dice)


def _ask_end(view: View, to: Id) -> list[Item]:
    text = ngettext(
        "You still have {n} die you could use ({dice}). End your turn anyway?",
        "You still have {n} dice ({dice}) and could use some. End your turn anyway?",
        len(view.dice),
    ).format(n=len(view.dice), dice=name.dice(view.dice))
    label = ngettext("End Turn, {n} Die Left", "End Turn, {n} Dice Left", len(view.dice))
    return [
        ui.text(text),
        ui.row(button(label.format(n=len(view.dice)), to._replace(intent=END_NOW), PRIMARY), _back(to)),
    ]


# -- dives


def _dive(view: View, choices: Choices, to: Id) -> list[Item]:
    top = next_dive(view)
    assert top is not None
    assert view.viewer is not None
    sets = {f"{''.join(map(str, dice))}.{at}": dice for at, dice in enumerate(dives(view))}
    # The cheapest comes first.
    chosen = next((one for one in choices[DIVE_DICE] if one in sets), next(iter(sets)))
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
        items += menus(to._replace(intent=DIVE_DICE), _("Dive with …"), options, chosen=[chosen])
    label = _("Dive with {dice}").format(dice=name.sum_of(sets[chosen]))
    press = to._replace(intent=DIVE, arg=chosen.partition(".")[0])
    items.append(ui.row(button(label, press, SUCCESS, emoji=name.DIVING), _back(to)))
    return items


def _described(dice: Sequence[int], bonus: int) -> str:
    """ "3 + 5 = 8", "3 + 5 (+2) = 10" """
    added = f" (+{bonus})" if bonus else ""
    total = sum(dice) + bonus
    return f"{name.sum_of(dice)}{added}" + (f" = {total}" if len(dice) > 1 or bonus else "")


# -- rolling again


def die_values(view: View) -> list[str]:
    """The unplaced dice as menu values, each by its face and a number of its own."""
    return [f"{die}.{at}" for at, die in enumerate(view.dice)]


def idle_dice(view: View) -> list[str]:
    """The dice that are proposed for another roll: those that can do nothing, or else the lowest."""
    values = die_values(view)
    idle = [value for value, die in zip(values, view.dice, strict=True) if not uses.usable(view, die)]
    return idle or values[:1]


def _again(view: View, choices: Choices, to: Id) -> list[Item]:
    roller = _roller(view)
    assert roller is not None
    values = die_values(view)
    chosen = [value for value in choices[AGAIN_DICE] if value in values]
    options = [Option(str(die), value) for value, die in zip(values, view.dice, strict=True)]
    dice = [int(value.partition(".")[0]) for value in chosen]
    label = _("Reroll {dice}").format(dice=", ".join(map(str, dice))) if dice else _("Reroll")
    press = to._replace(intent=AGAIN, arg=f"{roller[0]}.{''.join(map(str, dice))}")
    text = _("**{card}**: which dice do you want to reroll? A reroll can't be undone.")
    return [
        ui.text(text.format(card=escape(roller[1]))),
        *menus(
            to._replace(intent=AGAIN_DICE),
            _("Dice to reroll"),
            options,
            chosen=chosen,
            count=(1, None),
        ),
        ui.row(button(label, press, SUCCESS, emoji="🔄", disabled=not dice), _back(to)),
    ]


# -- choosing what to sell


def proposed_goods(view: View, choice: str) -> list[str]:
    """One of each kind: what brings most for each artifact."""
    return [f"{choice}.{kind}.1" for kind, have in enumerate(view.artifacts[view.active]) if have]


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
            items += menus(to._replace(intent=GOODS), name.artifact(kind), options, chosen=chosen, first=kind)
    label = _("Sell for ${n}").format(n=uses.collected(sold, dollars) if any(sold) else 0)
    press = to._replace(intent=SELL, arg=uses.encode("collect", die, *space, *sold))
    return [*items, ui.row(button(label, press, SUCCESS, disabled=not any(sold)), _back(to))]


# -- above the choices


def state_of_turn(view: View, seat: int) -> str:
    """The viewer's possessions, and the places of their dice."""
    lines = [
        _("### Your turn · {star} {reputation} · {money} ${dollars}").format(
            star=name.REPUTATION,
            reputation=view.reputation[seat],
            money=name.MONEY,
            dollars=view.dollars[seat],
        ),
        companies.standing(view, seat),
    ]
    if placed := companies.placed(view):
        lines.append(placed)
    return "\n".join(lines)
