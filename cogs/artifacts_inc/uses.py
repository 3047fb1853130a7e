"""The present uses of a die, in words with their gains; and the moves that these choices mean.

A choice travels as a text: a word for its kind and numbers, joined by dots. All that it needs is in it, so that a
button or a menu's option that was drawn before a restart means the same afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from bot.language import gettext as _
from bot.language import pgettext
from bot.ui.screens.game_screens import Pressed
from bot.ui.screens.kit import MENU_OPTIONS, utf16_length
from cogs.artifacts_inc import effects, proposals
from cogs.artifacts_inc import names as name
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import ANY, Action, Slot
from engine.artifacts_inc.choices import collected, ends_match, fillable, gatherable, majority_of, spaces
from engine.artifacts_inc.company import CompanyCard, Place, Space
from engine.artifacts_inc.state import FREE, View
from engine.errors import IllegalMove

_NUMBER: Final = re.compile(r"-?[0-9]{1,3}")
KINDS: Final = len(ARTIFACTS)

SHOP, SELECT = "shop", "select"
"""Kinds of choices that are no move yet: what to buy, which artifacts to sell."""
TURN, DIVES = "face", "dives"
"""A die that is turned to another face; the choice that asks for the dice of a dive."""


class Use(NamedTuple):
    """Something that a die can do: its words, its picture, and what it means as a text.

    `later`: a lesser way of doing what another one does. `opens`: it is no move yet, but asks for more. `brief` is the
    label of a small button, and `label` without the part `detail` is the title of a menu's option; empty where the
    whole label is as good. All of them name the card.
    """

    label: str
    picture: str
    choice: str
    later: bool = False
    opens: bool = False
    brief: str = ""
    detail: str = ""

    @property
    def opens_shop(self) -> bool:
        """Whether it asks what to buy."""
        return self.choice.startswith(f"{SHOP}.")


def encode(kind: str, *numbers: int) -> str:
    """A choice as a text."""
    return ".".join([kind, *map(str, numbers)])


def decode(text: str) -> tuple[str, list[int]]:
    """The kind and the numbers of a choice. Raises `IllegalMove` where they are none."""
    kind, *numbers = text.split(".")
    if not all(_NUMBER.fullmatch(number) for number in numbers):
        raise malformed()
    return kind, [int(number) for number in numbers]


def malformed() -> IllegalMove:
    """For what no screen ever offered."""
    return IllegalMove("malformed")


class Laid(NamedTuple):
    """A die and the slot on which it can be laid."""

    die: int
    space: Space
    slot: Slot


def own_slots(view: View, dice: Sequence[int]) -> list[Laid]:
    """Where one of these dice can do something. Of slots that do the same on copies of one card, or that buy or sell
    alike on any cards, the one that takes the die with the fewest other uses; of several, the one that is hardest to
    use: the others stay free for other dice.
    """
    fits: dict[int, dict[tuple[int, Action], Laid]] = {die: {} for die in dice}
    for die, found in fits.items():
        for space, slot in sorted(spaces(view, die), key=lambda each: each[1].faces.bit_count()):
            use = (space.card if slot.action.do in ("gain", "gather", "earn") else ANY, slot.action)
            found.setdefault(use, Laid(die, space, slot))
    best: dict[tuple[int, Action], Laid] = {}
    for die in sorted(fits, key=lambda die: (len(fits[die]), die)):
        best = fits[die] | best
    return list(best.values())


def usable(view: View, die: int) -> bool:
    """Whether a die of this face can be placed now, other than for a dive."""
    return bool(spaces(view, die))


def last_die(view: View) -> list[str]:
    """A line that warns of the turn's end, where one die is left."""
    if len(view.dice) != 1:
        return []
    text = _("Your last die: placing it ends your turn.")
    if ends_match(view):
        text = _("Your last die: placing it ends the match.")
    elif view.round > 1:  # the next dice are rolled at once
        text = _("Your last die: placing it ends your turn and can't be undone.")
    return [f"-# {text}"]


def uses(view: View, dice: Sequence[int]) -> list[Use]:
    """The present uses of one of these dice, lesser ways of the same use last; of equal sales the one whose slot is
    harder to use. Dice that differ are named.

    `dice` are faces of unplaced dice.
    """
    several = len(set(dice)) > 1
    slots = sorted(own_slots(view, dice), key=lambda laid: _rank(view, laid))
    found = [(use, laid) for laid in slots for use in _of_slot(view, laid.die, laid.space, laid.slot.action)]
    alike: dict[tuple[Any, ...], Use] = {}
    for use, laid in sorted(found, key=lambda each: each[1].slot.faces.bit_count()):
        kind, numbers = decode(use.choice)  # a museum and a card may fill the same order for as much
        alike.setdefault((*numbers[-2:], laid.slot.action.dollars) if kind == "fill" else (use.choice,), use)
    shown = [_with_die(use, laid.die, several=several) for use, laid in found if use in alike.values()]
    return sorted(shown, key=lambda use: use.later)


def _with_die(use: Use, die: int, *, several: bool) -> Use:
    """A use whose words name its die where there are `several`."""
    if not several:
        return use
    return use._replace(label=f"{die} → {use.label}", brief=f"{die} → {use.brief}" if use.brief else "")


def with_hinted(view: View, found: Sequence[Use], choice: str) -> list[Use]:
    """The uses, first the one with this choice, though another slot may do as well; unchanged if it is no die's use.

    Raises `IllegalMove`.
    """
    kind, numbers = decode(choice)
    if len(numbers) < 4:
        return [*found]
    if kind == TURN:
        *_own, die, face = numbers
        hinted = [Use(_("Turn {die} to {face}").format(die=die, face=face), name.DIE, choice)]
    else:
        die, on, _rest = placement(numbers)
        slots = [slot for space, slot in spaces(view, die) if space == on]
        hinted = [
            _with_die(use, die, several=len(set(view.dice)) > 1)
            for slot in slots
            for use in _of_slot(view, die, on, slot.action)
            if use.choice == choice
        ]
    return [*hinted, *(use for use in found if use.choice != choice)]


def _rank(view: View, laid: Laid) -> tuple[int, float, Space]:
    """The place of a slot among what dice can do: sales to museums, then the others but purchases by about what they
    gain in dollars.
    """
    action, held = laid.slot.action, view.artifacts[view.active]
    kinds = {"gain": [action.artifact], "gather": gatherable(view)}.get(action.do, [])
    more = {"sell": -1.0, "collect": float(collected(held) - sum(held))}.get(action.do, 0.0)
    gain = action.dollars + max([_worth(view, kind) for kind in kinds], default=more)
    return {"museum": 0, "buy": 2}.get(action.do, 1), -gain, laid.space


def _worth(view: View, kind: int) -> float:
    """About how many dollars one more artifact is worth: more by the bonus of its museum and the reputation of the lead
    there, the nearer an order is that brings them.
    """
    seat, museum, held = view.active, view.catalogue.museums[kind], view.artifacts[view.active][kind]
    sizes = view.catalogue.orders(kind, view.seats)
    free = [at for at, size in enumerate(sizes) if size > held and view.orders[kind][at] == FREE]
    if not free:
        return 1.0
    leads = majority_of(proposals.filled(view.orders[kind], free[0], seat), sizes) == seat
    return AN_ARTIFACT + (museum.bonus + leads * museum.majority) / (sizes[free[0]] - held)


def _of_slot(view: View, die: int, space: Space, action: Action) -> Iterator[Use]:
    card = name.card_name(view.catalogue.cards[space.card])
    place = (die, *space)
    match action.do:
        case "gain":
            brings = effects.and_dollars(name.counted(action.artifact, 1), action.dollars)
            yield Use(f"{card}: {brings}", name.ARTIFACT[action.artifact], encode("put", *place))
        case "earn":
            yield Use(f"{card}: ${action.dollars}", name.MONEY, encode("put", *place))
        case "gather":
            for at, kind in enumerate(gatherable(view)):
                brings = effects.and_dollars(name.counted(kind, 1), action.dollars)
                choice = encode("gather", *place, kind)
                yield Use(f"{card}: {brings}", name.ARTIFACT[kind], choice, later=at > 0)
        case "sell":
            held = [kind for kind, n in enumerate(view.artifacts[view.active]) if n]
            for at, kind in enumerate(held):
                label = _sale(card, name.counted(kind, 1), action.dollars)
                yield Use(label, name.ARTIFACT[kind], encode("sell", *place, kind), later=at > 0)
        case "museum":
            yield from _orders(view, card, place, action)
        case "collect":
            yield from _collections(view, card, place, action)
        case _:
            label = f"{card}: {effects.action(view.catalogue, action, plain=True)} …"
            yield Use(label, name.BUYING, encode(SHOP, *place), opens=True)


def _sale(card: str, goods: str, dollars: int) -> str:
    """ "Gem Museum: 2 Gems for $5" """
    return _("{card}: {goods} for ${n}").format(card=card, goods=goods, n=dollars)


def _orders(view: View, card: str, place: tuple[int, ...], action: Action) -> Iterator[Use]:
    """A museum's orders that can be filled, the largest first; of equal ones the higher, which decides ties (R27)."""
    by_size: dict[tuple[int, int], int] = {}
    for museum, order in fillable(view, action.artifact):
        by_size[museum, view.catalogue.orders(museum, view.seats)[order]] = order

    def pays(found: tuple[int, int]) -> int:
        museum, size = found
        return size + view.catalogue.museums[museum].bonus + action.dollars

    for at, found in enumerate(sorted(by_size, key=lambda found: (-pays(found), found))):
        museum, size = found
        order = by_size[found]
        # An order's size says how many artifacts it takes; a museum's own name and the picture, of which kind.
        goods = name.counted(museum, size) if action.artifact == ANY else str(size)
        sales = [_sale(card, goods, pays(found)), f"{card}: ${pays(found)}"]
        worth = f"{name.REPUTATION}{view.catalogue.museums[museum].majority}"
        lead = proposals.lead(view, museum, order)
        verdict = f"{lead} ({worth})"
        verdicts = [verdict + proposals.overtaking(view, museum, order), verdict]
        told = [(sale, each) for sale in sales for each in verdicts]
        short = name.short(sales[-1], LONGEST - utf16_length(f" · {verdict}")), verdict
        sale, detail = next((each for each in told if utf16_length(" · ".join(each)) <= LONGEST), short)
        choice = encode("fill", *place, museum, order)
        label, brief = f"{sale} · {detail}", f"{sales[0]} · {lead}"
        yield Use(label, name.ARTIFACT[museum], choice, later=at > 0, brief=brief, detail=detail)


def _collections(view: View, card: str, place: tuple[int, ...], action: Action) -> Iterator[Use]:
    held = view.artifacts[view.active]
    label = _sale(card, pgettext("what is sold", "all"), collected(held) + action.dollars)
    yield Use(label, "🤝", encode("collect", *place, *held))
    if sum(held) > 1:
        label = _("{card}: choose what to sell …").format(card=card)
        yield Use(label, "🤝", encode(SELECT, *place, action.dollars), opens=True)


AN_ARTIFACT: Final = 2
"""About as many dollars is an artifact worth to a person who chooses a use for a die, without its museum's."""
LONGEST: Final = 76
"""Characters of a sale's label: a label takes 80, and "5 → " stands before it."""


# -- as presses and moves


def pressed_options(pressed: Pressed) -> list[str]:
    """The choice in the pressed menu, of several menus of its intent: the others show earlier choices.

    An option's value ends with its number among all of the intent's. Raises `IllegalMove`.
    """
    menu = pressed.arg.partition(".")[0]

    def number(value: str) -> int:
        at = value.rpartition(".")[2]
        if not _NUMBER.fullmatch(at):
            raise malformed()
        return int(at)

    return [
        value
        for value in pressed.choices.get(pressed.intent, ())
        if str(number(value) // MENU_OPTIONS) == menu
    ]


def move(choice: str) -> m.Move:
    """The move that a choice means. Raises `IllegalMove`."""
    kind, numbers = decode(choice)
    die, on, rest = placement(numbers)
    match kind, rest:
        case "face", []:
            card, copy, face, to = numbers
            return m.TurnDie(CompanyCard(card, copy), face, to)
        case "put", []:
            return m.PlaceDie(die, on)
        case "gather", [artifact]:
            return m.Gather(die, on, artifact)
        case "sell", [artifact]:
            return m.SellOne(die, on, artifact)
        case "fill", [museum, order]:
            return m.FillOrder(die, on, museum, order)
        case "collect", sold if len(sold) == KINDS:
            return m.Collect(die, on, tuple(sold))
        case "buy", [card, row, column]:
            return m.Buy(die, on, card, Place(row, column))
        case "turn", [card, copy]:
            return m.TurnCard(die, on, CompanyCard(card, copy))
        case _:
            raise malformed()


def placement(numbers: Sequence[int]) -> tuple[int, Space, list[int]]:
    """The die and its space, with which the numbers of a choice begin, and the rest. Raises `IllegalMove`."""
    if len(numbers) < 4:
        raise malformed()
    die, card, copy, slot, *rest = numbers
    return die, Space(card, copy, slot), rest
