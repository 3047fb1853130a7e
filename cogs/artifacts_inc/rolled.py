"""The rolled dice on the private screen: all that they can do, in as many buttons as a phone has room for.

In the usual layout each use is a button that names its card and all that it brings, and other choices stand in menus
and buttons of their own. If that is too high for a phone, the labels are short, only as many buttons remain as there
is room for, and a single menu has the other uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.language import gettext as _
from bot.language import ngettext
from bot.ui.screens import components as ui
from bot.ui.screens.components import PRIMARY, SECONDARY, SUCCESS
from bot.ui.screens.fitting import height
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import FIRST_TIME, FOLDED, MENU_OPTIONS, Choices, Item, Option, button, menus
from cogs.artifacts_inc import intents, shop, uses
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.choices import (
    abilities,
    cheapest_dive,
    decided,
    dive_bonus,
    dives,
    next_dive,
    spaces,
    turnable,
)
from engine.artifacts_inc.choices import faces as faces_of
from engine.artifacts_inc.state import View, cubes_on_museums

USES_ROOM: Final = 11
"""Components for what dice can do, with the menus of the shop and of abilities, of the 40 that a message takes."""
LEAST_ROOM: Final = 6
"""Of these, what is kept for buttons of what a die can do at once."""
FIRST_SALES: Final = 6
FIRST_DIVES: Final = 2
FIRST_IMPROVEMENTS: Final = 3
"""The last rounds in which the lines for a first sale, a first dive and a first improvement are shown."""
MOST_IN_FULL: Final = 4 * MENU_OPTIONS
"""The most uses in the menus of all dice; the menu of one die has all of its uses."""
FEWEST: Final = 2
"""The uses that are buttons however little room there is."""
HIGHER: Final = 20
"""The pixels by which a decision may be higher than a phone, so that each slot that takes a die has a button."""


class Dice(NamedTuple):
    """The dice that one decides about."""

    view: View
    faces: list[int]
    """The face of the chosen die, or all faces, ascending."""
    found: list[uses.Use]
    """Their uses; without buying, if that has its own menu."""
    shop: list[Item]
    """The menu of the cards that can be bought and upgraded."""
    can: bool
    """Whether one of the dice can be placed."""
    to: Id


def screen(view: View, choices: Choices, to: Id, room: int) -> list[Item]:
    """The uses of the dice, each with the die that is least needed elsewhere, or with the chosen one. A use that is
    chosen in its menu, as a hint does, is a button.

    `room` is the height for them on a phone, in its pixels.
    """
    faces = chosen_dice(view, choices)
    found = uses.uses(view, faces)
    shop_menus = shop.choices_at_once(view, found, to)
    left = [use for use in found if not use.opens_shop] if shop_menus else found
    if choices.get(intents.USE):
        left = uses.with_hinted(view, left, choices[intents.USE][0])
    dice = Dice(view, faces, left, shop_menus, bool(found), to)
    usual, room = _usual(dice), room + HIGHER
    return usual if height(usual) <= room else _short(dice, room)


def chosen_dice(view: View, choices: Choices) -> list[int]:
    """The face of the die that is chosen, or else all faces there are, ascending."""
    wanted = next(iter(choices.get(intents.DIE, ())), "")
    if wanted.isdecimal() and int(wanted) in view.dice:
        return [int(wanted)]
    return list(dict.fromkeys(view.dice))


def ends_at_once(view: View) -> bool:
    """Whether nothing is lost by ending the turn: no die that is left could be placed, or change who wins."""
    return decided(view) or not (cheapest_dive(view) or any(uses.usable(view, die) for die in view.dice))


def roller(view: View) -> tuple[str, str] | None:
    """The first card by which dice can be rolled again, as numbers and by name."""
    for own, ability, _left in abilities(view):
        if ability.do == "roll":
            return uses.encode("again", *own), name.card_name(view.catalogue.cards[own.card])
    return None


# -- the usual layout


def _usual(dice: Dice) -> list[Item]:
    """Each use as a button with all that it brings; further uses and turnings in menus."""
    view, faces, to = dice.view, dice.faces, dice.to
    turnings = [option for die in faces for option in _turnings(view, die)]
    turning = menus(to._replace(intent=intents.FACE), _("Turn a die …"), turnings)
    room = max(LEAST_ROOM, USES_ROOM - 2 * len([*turning, *dice.shop]))  # each is a row with a menu
    at_once, others = uses.sorted_out(dice.found, room)
    options = [Option(use.label, use.choice, emoji=use.picture) for use in others]
    return [
        *_above(dice),
        *ui.rows([_button(use, use.label, to) for use in at_once]),
        *_menu_of_uses(dice, options),
        *dice.shop,
        *turning,
        *_last_rows(view, to),
    ]


def _button(use: uses.Use, label: str, to: Id) -> ui.Button:
    return button(label, to._replace(intent=intents.USE, arg=use.choice), PRIMARY, emoji=use.picture)


# -- the short layout


def _short(dice: Dice, room: int) -> list[Item]:
    """The best uses as buttons with short labels, as many as there is room for, and the others in a menu."""
    above, last = _above(dice), _last_rows(dice.view, dice.to, short=True)
    best = sorted(dice.found, key=lambda use: (not use.hinted, not use.opens_shop, use.later, use.opens))

    def laid(most: int) -> list[Item]:
        buttons = ui.rows([_button(use, use.short, dice.to) for use in best[:most]])
        others = _others(dice, best[:most])[:MOST_IN_FULL]
        return [*above, *buttons, *_menu_of_uses(dice, others), *dice.shop, *last]

    tried = map(laid, range(uses.MOST, FEWEST, -1))
    return next((each for each in tried if height(each) <= room), None) or laid(FEWEST)


def _others(dice: Dice, shown: Sequence[uses.Use]) -> list[Option]:
    """The uses that are not `shown`, the turning of dice, and other dives."""
    view = dice.view
    other = [*(option for die in dice.faces for option in _turnings(view, die)), *_other_dives(view)]
    other = [option for option in other if all(option.value != use.choice for use in dice.found)]
    listed = [use for use in dice.found if use not in shown]
    return [*(Option(use.title, use.choice, use.detail, emoji=use.picture) for use in listed), *other]


def _other_dives(view: View) -> list[Option]:
    """The way to a dive with other dice than the fewest; none if there is but one dive, or none."""
    if len(dives(view)) < 2:
        return []
    return [Option(_("Dive with Other Dice …"), uses.DIVES, _dive_label(view), emoji=name.DIVING)]


# -- parts of both


def _above(dice: Dice) -> list[Item]:
    faces = _dice_buttons(dice.view, dice.faces, dice.to)
    lines = first_time(dice.view, uses.sells(dice.found))
    tips = _texts([f"-# 💡 {line}" for line in lines], FIRST_TIME)
    several = _("The number on a button says which die is placed. To use another die, press it first.")
    folded = _texts([several] if dice.can and len(dice.faces) > 1 else [], FOLDED)
    return [*faces, *_texts(_heading(dice)), *tips, *folded]


def _menu_of_uses(dice: Dice, options: Sequence[Option]) -> list[Item]:
    return [*menus(dice.to._replace(intent=intents.USE), _("Other ways to use dice …"), options)]


def _texts(lines: Sequence[str], number: int | None = None) -> list[Item]:
    """The lines as one text; none without lines."""
    return [ui.text("\n".join(lines), id=number)] if lines else []


def _dice_buttons(view: View, faces: Sequence[int], to: Id) -> list[Item]:
    """A button for each face: it chooses that die, or any die again where it is chosen already."""
    buttons: list[ui.Button] = []
    if len(set(view.dice)) == 1:
        return []
    turns = any(ability.do != "roll" for _own, ability, _n in abilities(view))
    for face in dict.fromkeys(view.dice):
        count = view.dice.count(face)
        label = _("Die {face}").format(face=face) + (f" ×{count}" if count > 1 else "")
        chosen = list(faces) == [face]
        press = to._replace(intent=intents.DIE, arg="" if chosen else str(face))
        buttons.append(
            button(
                f"▸ {label}" if chosen else label,
                press,
                PRIMARY if chosen else SECONDARY,
                disabled=not (turns or uses.usable(view, face)),
            )
        )
    return [*ui.rows(buttons)]


def _heading(dice: Dice) -> list[str]:
    """That no die has a use, or that the last one ends the turn. The uses of dice speak for themselves."""
    if dice.can:
        return uses.last_die(dice.view)
    if len(dice.faces) > 1:
        return [_("You can't place any of your dice now.")]
    return [_("You can't place the {die} anywhere now.").format(die=dice.faces[0])]


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
                choice = uses.encode(uses.TURN, *own, die, face)
                options.append(
                    Option(_("Turn {die} to {face}").format(die=die, face=face), choice, uses_left)
                )
    return options


def _last_rows(view: View, to: Id, *, short: bool = False) -> list[ui.Row]:
    """The end of the turn, dives and rolls. The end comes first: it keeps its place when the others go."""
    style = PRIMARY if ends_at_once(view) else SECONDARY
    end = button(_("End Turn"), to._replace(intent=intents.END), style)
    if decided(view):
        end = button(_("Finish the Match"), to._replace(intent=intents.END), SUCCESS, emoji="🏁")
    buttons = [end, *_dive_buttons(view, to, short=short)]
    if found := roller(view):
        label = _("Reroll …") if short else _("{card}: reroll …").format(card=found[1])
        buttons.append(button(label, to._replace(intent=intents.ASK_AGAIN), emoji="🔄"))
    return [ui.row(*buttons)]


def _dive_buttons(view: View, to: Id, *, short: bool) -> list[ui.Button]:
    """The dive with the fewest dice, at once unless it ends the turn, and the way to a dive with other dice."""
    top, cheapest = next_dive(view), cheapest_dive(view)
    if not top or not cheapest:
        return []
    asks, label = to._replace(intent=intents.ASK_DIVE), _dive_label(view, short=short)
    if len(cheapest) == len(view.dice):
        return [button(label, asks, emoji=name.FIND[top.find])]
    press = to._replace(intent=intents.DIVE, arg="".join(map(str, cheapest)))
    dive = button(label, press, emoji=name.FIND[top.find])
    if short or len(dives(view)) == 1:
        return [dive]
    return [dive, button(_("Dive with Other Dice …"), asks)]


def _dive_label(view: View, *, short: bool = False) -> str:
    """The dive with the fewest dice and what cards add, with all that it brings; `short`: without the find."""
    top, cheapest = next_dive(view), cheapest_dive(view)
    assert top is not None
    assert cheapest
    dice = name.sum_of([*cheapest, *filter(None, [dive_bonus(view, view.active)])])
    # Translators: {dice} are added up: “Dive (3 + 6): ⭐ 1, Doubloon”
    text = _("Dive ({dice}): {star} {n}") if short else _("Dive ({dice}): {star} {n}, {find}")
    return text.format(dice=dice, star=name.REPUTATION, n=top.reputation, find=name.find(top.find))


# -- the first time


def first_time(view: View, sells: bool) -> list[str]:
    """A line about the active seat's first sale to a museum, first dive or first improvement, while it can be made; for
    each in its first rounds alone, so that nobody who decides against it reads the line in every turn.

    `sells`: whether a die can make a sale to a museum now.
    """
    seat = view.active
    if sells and view.round <= FIRST_SALES and not cubes_on_museums(view, seat):
        return [
            _(
                "A sale leaves your cube: the most cubes on a museum bring its {star} at the end. Ties go "
                "to the highest order."
            ).format(star=name.REPUTATION)
        ]
    if cheapest_dive(view) and view.round <= FIRST_DIVES and seat not in view.divers:
        return [
            _("A dive adds dice up. It brings {star} and a find, which some cards count.").format(
                star=name.REPUTATION
            )
        ]
    buys = any(slot.action.do == "buy" for die in set(view.dice) for _space, slot in spaces(view, die))
    new = view.round <= FIRST_IMPROVEMENTS and not any(side & 1 for side in view.sides[seat])
    if new and buys and turnable(view):
        return [
            _(
                "Upgrading a card costs its price again: its other side then does more, and its {star} is added."
            ).format(star=name.REPUTATION)
        ]
    return []
