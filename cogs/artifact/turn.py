"""The private screen: how a party is made, and each decision of a turn with the exact chances of what it offers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from bot.language import gettext as _
from bot.language import listing, ngettext, pgettext
from bot.ui.screens import components as ui
from bot.ui.screens.components import PRIMARY, SUCCESS
from bot.ui.screens.game_screens import Pressed
from bot.ui.screens.ids import Id, read_number
from bot.ui.screens.kit import (
    ANY_NUMBER,
    FIRST_TIME,
    FOLDED,
    PICTURED,
    Choices,
    Item,
    Option,
    bundle_sizes,
    button,
    menus,
)
from bot.ui.screens.names import Names
from cogs.artifact import names as name
from cogs.artifact import prompts, table
from engine.artifact import choices as c
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.party import ABILITIES, CHOSEN, EQUIPMENT, EQUIPMENT_KEYS, Aid
from engine.artifact.state import View
from engine.errors import IllegalMove

# Intents. A menu's intent also names what is chosen in it.
TENS: Final = "g.tens"
EQUIP: Final = "g.equipment"
SET_OUT: Final = "g.set-out"
ROLL: Final = "g.roll"
FORWARD: Final = "g.forward"
BACK: Final = "g.back"
MEET: Final = "g.meet"
NAME: Final = "g.name"
USE: Final = "g.use"
AIDS: Final = "g.aids"
SPEND: Final = "g.spend"
GIVE_UP: Final = "g.give-up"

MOST_MENUS: Final = 8
"""Menus for abilities of one's choice: a message has no room for more, and hardly anybody rolls more tens."""
MOST_SETS: Final = 8
"""Buttons for single Aids; a menu offers every other choice."""
FEW: Final = 2
"""So many single Aids have buttons of their own; of more, the best one."""
LEAST: Final = Fraction(3, 100)
"""The gain in a chance from which on Aids have a button of their own."""
MOST_AIDS: Final = 10
"""Aids that one button spends: their places must fit into its custom_id."""
OWN_AIDS: Final = 16
"""Aids that one's own screen lists."""


def screen(view: View, names: Names, choices: Choices, to: Id) -> list[Item]:
    """The asked viewer's choices, with the selection."""
    match view.phase:
        case s.PARTY:
            return _party(view, choices, to)
        case s.ROLL:
            return _roll(view, names, to)
        case s.DIRECTION:
            return _direction(view, names, to)
        case s.OPPONENT:
            return _opponent(view, names, to)
        case s.ABILITY:
            return _ability(view, names, to)
        case s.GIVE_UP:
            return _give_up(view, choices, to)
        case _:
            return _aids(view, names, choices, to)


# -- making a party


def _party(view: View, choices: Choices, to: Id) -> list[Item]:
    made = created(view, choices)
    tens = c.tens(view)
    members = _made(view, made.tens)
    packed = [name.aid_worth(aid) for aid in EQUIPMENT if aid.key in made.equipment]
    members.append(_("Your equipment, each for one roll: {equipment}.").format(equipment=listing(packed)))
    items: list[Item] = [
        ui.text("\n".join(members), id=PICTURED),
        *([ui.text(f"-# 💡 {table.key()}", id=FIRST_TIME)] if table.names_signs(view) else []),
        ui.text(
            _(
                "Each sign is an ability, rolled with dice. "
                "**Set Out** to bring the Artifact {artifact} home from square 30."
            ).format(artifact=name.ARTIFACT)
        ),
        ui.row(button(_("Set Out"), to._replace(intent=SET_OUT), SUCCESS, emoji="🥾")),
        ui.text(
            _("The choice below is based on what Challenges ask for and what your party lacks."), id=FOLDED
        ),
    ]
    if tens:
        joker = _("-# A golden sign is a 10 that you rolled: you choose its ability.")
        if tens > MOST_MENUS:
            more = _("The menus change the first {n}; the others are chosen for you.").format(n=MOST_MENUS)
            joker = f"{joker} {more}"
        items.append(ui.text(joker))
    for number in range(min(tens, MOST_MENUS)):
        items += _ten(view, to, number, made.tens)
    items.append(ui.text(_("-# A good choice of two, +3 for one roll each. To swap one, first remove it.")))
    options = [_piece(view, made, aid) for aid in EQUIPMENT]
    return items + menus(
        to._replace(intent=EQUIP),
        _("Two pieces of equipment"),
        options,
        chosen=made.equipment,
        count=(CHOSEN, CHOSEN),
    )


def _made(view: View, tens: Sequence[int]) -> list[str]:
    """The party that is being made, a line a member."""
    members = name.made(c.members_of(view), tens, "__{}__")
    return [_("### Your party"), *(f"**{member}** · {', '.join(known)}" for member, known in members)]


def _ten(view: View, to: Id, number: int, tens: Sequence[int]) -> list[Item]:
    """A menu for one of the tens; what is chosen for the others counts as abilities that the party has."""
    asked, have = c.named(view), c.rolled(view)
    owners = [n for n, (_role, known) in enumerate(c.members_of(view)) for one in known if one is None]
    member = name.member(owners[number])
    for ability in (*tens[:number], *tens[number + 1 :]):
        have[ability] += 1
    options = [
        Option(
            _("{member}: {ability}").format(member=member, ability=name.ability(ability)),
            f"{number}.{ability}",
            _("your party without it: {have} · Challenges asking for it: {asked}").format(
                have=have[ability], asked=asked[ability]
            ),
        )
        for ability in range(len(ABILITIES))
    ]
    return menus(
        to._replace(intent=TENS),
        _("An ability of your choice"),
        options,
        chosen=[f"{number}.{tens[number]}"],
        first=number,
    )


def _piece(view: View, made: m.Create, aid: Aid) -> Option:
    have = c.rolled(view)[aid.ability] + made.tens.count(aid.ability)
    text = _("{worth} for one roll · your party without it: {have}").format(
        worth=name.aid_worth(aid), have=have
    )
    return Option(name.equipment(aid.key), aid.key, text)


def created(view: View, choices: Choices) -> m.Create:
    """The party as the menus show it, and as it is proposed where they show nothing. Raises `IllegalMove`."""
    proposed = c.proposal(view)
    tens = list(proposed.tens)
    for value in choices.get(TENS, ()):
        number, ability = _numbers(value, 2)
        if number >= len(tens) or ability >= len(ABILITIES):
            raise IllegalMove("malformed")
        tens[number] = ability
    pieces = choices.get(EQUIP, ()) or proposed.equipment
    if not {*pieces} <= {*EQUIPMENT_KEYS}:
        raise IllegalMove("malformed")
    return m.Create(tuple(tens), tuple(sorted(pieces, key=EQUIPMENT_KEYS.index)))


def _numbers(value: str, count: int) -> list[int]:
    """The numbers of a menu's value. Raises `IllegalMove` for anything else."""
    found = [each for each in map(read_number, value.split(".")) if each is not None]
    if len(found) != count or value.count(".") + 1 != count:
        raise IllegalMove("malformed")
    return found


def number(value: str) -> int:
    """The number that a button or a menu's option bears. Raises `IllegalMove` for anything else."""
    return _numbers(value, 1)[0]


# -- the trail


def _roll(view: View, names: Names, to: Id) -> list[Item]:
    """The rolls that lead to another party or to the Artifact, and to a newcomer what a roll does."""
    dice: dict[c.Way, list[int]] = {}
    for die, ways in c.by_roll(view).items():
        for way in ways:
            if way.meets or way.square == view.lies:
                dice.setdefault(way, []).append(die)
    lines = [
        f"-# {name.dice(each)} → {name.square(way.square)} · {_there(view, way, names, close=True)}"
        for way, each in dice.items()
    ]
    leads = [ui.text("\n".join(lines))] if lines else []
    signs = f"\n-# 💡 {table.key()}" if table.names_signs(view) else ""
    roll = button(pgettext("button", "Roll"), to._replace(intent=ROLL), PRIMARY, emoji=name.DIE)
    if "–" in "".join(lines) and view.round <= table.EXPLAINED:
        signs += "\n-# 💡 " + _("With Boons: the lower chance if they spend all, the higher if you do.")
    first = f"{prompts.roll(view)}{signs}".strip()
    return [*([ui.text(first, id=FIRST_TIME)] if first else []), *leads, ui.row(roll)]


def _captioned(question: str, buttons: Sequence[Item], caption: Sequence[str]) -> list[Item]:
    """A question, its buttons, and below them, where **Roll** was, what they mean: a second tap there does nothing."""
    return [ui.text(question), *buttons, ui.text("\n".join(caption))]


def direction_labels(view: View) -> list[tuple[str, str, str]]:
    """The two directions: label, intent, picture."""
    texts = {m.FORWARD: _("Outward {square}"), m.BACK: _("Homeward {square}")}
    intents = {m.FORWARD: (FORWARD, "➡️"), m.BACK: (BACK, "⬅️")}
    return [(texts[way.move].format(square=way.square), *intents[way.move]) for way in c.ways(view)]


def _direction(view: View, names: Names, to: Id) -> list[Item]:
    lines = [f"-# {name.square(way.square)} · {_there(view, way, names)}" for way in c.ways(view)]
    buttons = [
        button(label, to._replace(intent=intent), PRIMARY, emoji=picture)
        for label, intent, picture in direction_labels(view)
    ]
    return _captioned(_("You rolled {die}.").format(die=name.die(view.die)), ui.rows(buttons), lines)


def _there(view: View, way: c.Way, names: Names, *, close: bool = False) -> str:
    """Where a direction leads: a fight and its chances, and how far from there the Artifact is; `close`: if there."""
    ahead = (view.lies if view.holder == s.NOBODY else view.at[view.holder]) - way.square
    away = abs(ahead)
    if view.holder == s.NOBODY:
        text = ngettext("{artifact} {n} square away", "{artifact} {n} squares away", away)
    else:
        # Translators: {n} is a number of squares, and {artifact} stands for the party that has the Artifact.
        text = ngettext("{n} square behind {artifact}", "{n} squares behind {artifact}", away)
        if ahead > 0:  # at home nobody is stopped: the Artifact has come home
            front = ngettext("{n} square in front of {artifact}", "{n} squares in front of {artifact}", away)
            text = front if way.square == s.HOME else _("{artifact} must pass here, {n} away")
    where = text.format(artifact=name.ARTIFACT, n=away) if away else name.ARTIFACT
    meets = [f"{names.bold(other)}: {table.odds(view, other, tied=not close)}" for other in way.meets]
    # Translators: between two parties, one of which is fought: “Ana: you 49% or Ben: you 51%”
    either = pgettext("one of two parties", "or")
    fight = [f"{name.FIGHT} " + f" {either} ".join(meets)] if meets else []
    return " · ".join([*fight, *([] if away and close else [where])])


def _opponent(view: View, names: Names, to: Id) -> list[Item]:
    lines, buttons = list[str](), list[ui.Button]()
    for seat in c.opponents(view):
        lines.append(
            f"{name.SEAT[seat]} {names.bold(seat)} · {table.strength(view, seat)} · {table.odds(view, seat)}"
        )
        buttons.append(
            button(names.plain(seat), to._replace(intent=MEET, arg=str(seat)), PRIMARY, emoji=name.SEAT[seat])
        )
    return _captioned(_("Several parties are here. Who do you fight?"), ui.rows(buttons), lines)


def _ability(view: View, names: Names, to: Id) -> list[Item]:
    mover, other = view.active, view.opponent
    text = _("The die shows 10: you name the ability of the fight with {other}.")
    buttons: list[ui.Button] = []
    for ability in range(len(ABILITIES)):
        odds = [c.duel(view, mover, other, ability, aided=aided) for aided in ((), (mover,))]
        chances = "→".join(dict.fromkeys(name.percent(c.success(view, each)) for each in odds))
        press = to._replace(intent=NAME, arg=str(ability))
        buttons.append(button(f"{name.ability(ability)} · {chances}", press, PRIMARY))
    legend = _("-# Without Boons → with yours.") + f"\n-# {_legend(view)}"
    lines = [text.format(other=names.bold(other)), *table.stake(view, names)]
    return _captioned("\n".join(lines), ui.rows(buttons), [legend])


# -- Aids


def _aids(view: View, names: Names, choices: Choices, to: Id) -> list[Item]:
    """Aids for a Challenge or a fight: each alone, all together, and any other set by menu; below, what decides."""
    faced = c.encounter(view) if view.phase == s.CHALLENGE else None
    fight = [] if faced else [table.fight_line(view, names), *table.stake(view, names)]
    # The heading that the Artifact may be lost stands first.
    lines = table.challenge_lines(view, faced) if faced else sorted(fight, key=lambda line: line[0] != "#")
    caption = [table.if_you_fail(view, faced) if faced else f"-# {_chances_of(view, names)}"]
    places = {aid.key: place for place, (aid, _n) in enumerate(c.fitting(view))}
    offered, is_all = _offered(view, [*places])
    none, *spending = [
        button(
            _aids_and_chance(view, keys),
            to._replace(intent=USE, arg=".".join(str(places[key]) for key in keys)),
            PRIMARY,
            emoji=name.AIDS if keys else None,
        )
        for keys in ((), *offered)
    ]
    items: list[Item] = [*ui.rows([*spending, *([none] if is_all else [])])]
    if not is_all:
        chosen = list(choices.get(AIDS, ()))
        keys = chosen_aids(view, chosen)
        items += menus(
            to._replace(intent=AIDS),
            _("Choose Boons to spend …"),
            _bundles(view),
            chosen=chosen,
            count=ANY_NUMBER,
        )
        if keys:
            spend = to._replace(intent=SPEND)
            items.append(ui.row(button(_aids_and_chance(view, keys), spend, PRIMARY, emoji=name.AIDS)))
        items.append(ui.row(none))
    return _captioned("\n".join(lines), items, caption)


def _offered(view: View, kinds: Sequence[str]) -> tuple[list[tuple[str, ...]], bool]:
    """The sets of Aids with buttons of their own, and whether these are all: each of few kinds, else the one that helps
    most, and the cheapest set of all that helps more.
    """
    every = most = tuple([aid.key for aid, n in c.fitting(view) for _one in range(n)])

    def helps(keys: tuple[str, ...]) -> Fraction:
        return max(c.successes(view, keys))

    alone = [(key,) for key in kinds if view.printed or len(every) == 1 or helps((key,)) >= helps(()) + LEAST]
    if len(alone) > FEW:
        alone = [max(alone, key=lambda keys: (helps(keys), -c.worth(view, keys)))]
    if not view.printed:
        # The first is the cheapest.
        most = max(c.aid_sets(view), key=lambda keys: sum(c.successes(view, keys)))
    gain = helps(most) - max(map(helps, [(), *alone]))
    more = 1 < len(most) <= MOST_AIDS and (view.printed or gain >= LEAST)
    offered = [*alone, *([most] if more else [])]
    return offered, len(every) <= FEW and len(offered) == len(kinds) + (len(every) > 1)


def _chances_of(view: View, names: Names) -> str:
    text = _legend(view)
    if len({*c.fight_chances(view)}) > 1:
        text += " " + _("The first is if {other} spends every Boon that fits, the second if none.")
    text += "\n-# " + _("Each side rolls a die: the lower one is wounded.")
    return text.format(other=names.bold(view.opponent))


def _legend(view: View) -> str:
    """The meaning of the chances of a fight."""
    if view.holder == c.asked(view):
        return _("Your chance to keep the Artifact, by a win or a draw.")
    return _("Your chance to win; a draw changes nothing.")


def _aids_and_chance(view: View, keys: Sequence[str]) -> str:
    chance = name.percents(c.successes(view, keys))
    if not keys:
        return _("Without Boons: chance {chance}").format(chance=chance)
    if len(keys) > 2:
        aids = name.number_of_aids(len(keys)) + f" +{c.worth(view, keys)}"
    else:
        titles = [_name(view, key) for key in keys]
        aids = listing(name.counted([each if len(each) <= 28 else each[:27] + "…" for each in titles]))
    return _("Spend {aids}: {chance}").format(aids=aids, chance=chance)


def _name(view: View, key: str) -> str:
    return name.aid_name(c.scenario(view), key, c.asked(view))


def _bundles(view: View) -> list[Option]:
    """Each fitting Aid, several alike in bundles from which every number can be put together."""
    found = list[Option]()
    for place, (aid, n) in enumerate(c.fitting(view)):
        label, sizes = _name(view, aid.key), bundle_sizes(n)
        for bundle, size in enumerate(sizes):
            text = _("{aid}: {n} more") if size in sizes[:bundle] else "{aid} ×{n}" if size > 1 else "{aid}"
            chance = name.percents(c.successes(view, [aid.key] * size))
            alone = _("{aid}, alone {chance}").format(aid=name.aid_worth(aid), chance=chance)
            found.append(Option(text.format(aid=label, n=size), f"{place}.{bundle}", alone))
    return found


def chosen_aids(view: View, values: Sequence[str]) -> tuple[str, ...]:
    """The Aids that the menus show as chosen. Raises `IllegalMove` for what they do not offer."""
    fitting = c.fitting(view)
    keys: list[str] = []
    for value in dict.fromkeys(values):
        place, bundle = _numbers(value, 2)
        if place >= len(fitting) or bundle >= len(sizes := bundle_sizes(fitting[place][1])):
            raise IllegalMove("malformed")
        keys += [fitting[place][0].key] * sizes[bundle]
    return tuple(sorted(keys))


def set_aids(view: View, arg: str) -> tuple[str, ...]:
    """The Aids that a button bears. Raises `IllegalMove` for what it does not."""
    fitting = c.fitting(view)
    places = [number(part) for part in arg.split(".")] if arg else []
    if any(place >= len(fitting) for place in places):
        raise IllegalMove("malformed")
    return tuple(sorted(fitting[place][0].key for place in places))


def _give_up(view: View, choices: Choices, to: Id) -> list[Item]:
    """A button for each kind of Aid, or a menu if there are many, with a button for the one that a hint chooses."""
    to = to._replace(intent=GIVE_UP)
    items: list[Item] = []
    options = [
        Option(text.format(aid=_name(view, aid.key), n=n), f"{place}", name.aid_worth(aid))
        for place, (aid, n) in enumerate(c.aids(view, view.active))
        for text in ["{aid}" if n == 1 else _("{aid}: one of {n}")]
    ]
    if len(options) > MOST_SETS:
        items += menus(to, _("The Boon to give up"), options, chosen=choices.get(GIVE_UP, ()))
        options = [option for option in options if option.value in choices.get(GIVE_UP, ())]
    buttons = [button(f"{one.label} · {one.description}", to._replace(arg=one.value)) for one in options]
    return [*items, *ui.rows(buttons)]


def given_up(view: View, pressed: Pressed) -> str:
    """The Aid that is given up. Raises `IllegalMove` where there is none of this number."""
    held, place = c.aids(view, view.active), number(next(iter(pressed.chosen), pressed.arg))
    if place >= len(held):
        raise IllegalMove("malformed")
    return held[place][0].key


def own_party(view: View) -> str:
    """The viewer's party in full, as the private screen and direct messages show it; until the sheets are shown, its
    rolls and choices.
    """
    seat = view.viewer
    assert seat is not None
    if view.phase == s.PARTY:
        lines = _made(view, view.created.tens if view.created else ())
        if view.created:
            lines.append(f"{name.AIDS} " + listing([name.equipment(key) for key in view.created.equipment]))
        return "\n".join([*lines, _("Your party stays hidden until all parties are made.")])
    lines = [_("### Your party"), *table.whole_party(view, seat)]
    aids = len(c.aids(view, seat))
    if aids > OWN_AIDS:
        more = ngettext("… and {n} Boon more", "… and {n} Boons more", aids - OWN_AIDS)
        lines = [*lines[: OWN_AIDS - aids], more.format(n=aids - OWN_AIDS)]
    return "\n".join(lines)
