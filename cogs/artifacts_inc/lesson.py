"""The lesson of Artifacts, Inc.: four turns of a deal that shows each rule once, in fifteen presses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.language import gettext as _
from bot.ui.screens.kit import dice
from bot.ui.screens.lessons import Lesson, Replies, Step
from bot.ui.screens.names import Names
from cogs.artifacts_inc import names as name
from cogs.artifacts_inc.intents import BACK, DIE
from cogs.artifacts_inc.shop import CARD, PLACE
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import Catalogue, Slot
from engine.artifacts_inc.choices import counted, dice_of, majority, next_dive, places
from engine.artifacts_inc.state import GOAL, View

CARDS: Final = "4edf8ea385899b8b"
"""The digest of the card list with which the lesson was made."""

CANYON: Final = {"card": "canyon_expedition", "slot": 1}
DESERT: Final = {"card": "desert_expedition", "slot": 0}
OFFICE: Final = {"card": "headquarters", "slot": 0}


def _on(die: int, on: Mapping[str, Any], kind: str = "place_die", **further: Any) -> dict[str, Any]:
    return {"kind": kind, "die": die, "on": dict(on), **further}


def _order(die: int, artifact: str, order: int) -> dict[str, Any]:
    on = {"card": f"{artifact}_museum", "slot": 0}
    return _on(die, on, "fill_order", museum=artifact, order=order)


def _dive(*faces: int) -> dict[str, Any]:
    return {"kind": "dive", "dice": list(faces)}


FIRST_REPLY: Final = (
    {"kind": "roll"},
    _dive(6),
    _on(4, DESERT),
    _on(3, OFFICE, "buy", card="antiquarian", place={"row": "upper", "column": 4}),
)
SECOND_REPLY: Final = (
    _order(3, "scroll", 0),
    _on(1, {"card": "canyon_expedition", "slot": 0}),
    _order(6, "fossil", 0),
)
THIRD_REPLY: Final = (_dive(2, 6), _on(6, DESERT))
FOURTH_REPLY: Final = (
    _on(3, {"card": "antiquarian", "slot": 0}, "sell_one", artifact="scroll"),
    _dive(4, 5),
)


def lesson(catalogue: Catalogue) -> Lesson | None:
    """The lesson with its texts; None with another card list."""
    if catalogue.digest != CARDS:
        return None
    return Lesson(
        seed=13,
        seats=2,
        cards=CARDS,
        steps=(
            _roll(catalogue),
            *_first(catalogue),
            *_second(catalogue),
            *_third(catalogue),
            *_turned(catalogue),
            *_fourth(catalogue),
            *_last(catalogue),
        ),
        closing=(
            _("Place every die. Before you buy a card, see which dice it feeds that now find little to do."),
            _(
                "Sell several artifacts of a kind in one sale, where the cube takes the lead: at the end, "
                "the most cubes bring reputation."
            ),
            _("Spend your money on cards and upgrades: they score immediately, some for what they touch."),
        ),
        facts=facts,
        would=would,
        back=(BACK, f"{DIE}:"),
        outcome=_(
            "🏛️ You have {star} {reputation}. If the match ended now, your cubes would lead at "
            "{fossil_museum} and {scroll_museum}: {star} {fossil_majority} and {star} {scroll_majority} more."
        ),
    )


def _replies(catalogue: Catalogue, moves: tuple[Mapping[str, Any], ...]) -> Replies:
    return tuple((1, m.MOVES.load(move, catalogue)) for move in moves)


def _roll(catalogue: Catalogue) -> Step:
    return Step(
        m.MOVES.load({"kind": "roll"}, catalogue),
        _(
            "The most reputation {star} wins. When someone has {goal}, the round is played out, and "
            "that is the end. Your cards say what dice do."
        ),
        _("You roll as many dice as your cards show: {adventurers} has three. Press **Roll**."),
        shows=("rolled",),
        given={"rolls": 3},
    )


def _first(catalogue: Catalogue) -> tuple[Step, ...]:
    load = m.MOVES.load
    return (
        Step(
            load(_dive(2), catalogue),
            _(
                "You rolled {dice}. A dive adds dice up to a number, the first to {dive_number}. It brings "
                "{star} {dive_star} and a find, which some cards count."
            ),
            _("A 2 can do little else, so **dive** with it."),
            _("First use the lowest die for the dive."),
            shows=("dived",),
            given={"faces": (2, 4, 4), "dive_number": 2},
        ),
        Step(
            load(_on(4, OFFICE, "buy", card="field_office", place={"row": "upper", "column": 4}), catalogue),
            _(
                "You have ${dollars}. A card scores its {star} immediately and works from now on; "
                "{field_office} costs ${field_office_cost}."
            ),
            _("With a 4 on {headquarters}, **buy** {field_office}: each turn it turns a die by one."),
            _("First buy {field_office}, which helps you on every turn; leave its place as it is."),
            shows=("bought", "revealed"),
            given={"dollars": 2, "field_office_cost": 2},
            through=(CARD,),
        ),
        Step(
            load(_on(4, CANYON), catalogue),
            _(
                "A 4 is left. {canyon_expedition} has two slots, one for a 1 and one for 3 or more; "
                "{desert_expedition} has one for 4 or more. Each slot takes one die per turn."
            ),
            _(
                "Place the 4 on {canyon_expedition}, which gets a Fossil: lower dice fit there too, for "
                "more of the kind."
            ),
            _("Collect one kind: museums buy several in one sale."),
            shows=("gained", "rolled", "dived", "bought"),
            given={"faces": (4,), "canyon_expedition_takes": "1 / 3+", "desert_expedition_takes": "4+"},
            replies=_replies(catalogue, FIRST_REPLY),
        ),
    )


def _second(catalogue: Catalogue) -> tuple[Step, ...]:
    load = m.MOVES.load
    return (
        Step(
            load(_dive(2, 5), catalogue),
            _(
                "You rolled {dice}. The next dive needs {dive_number} in all and brings {star} {dive_star} "
                "and another find."
            ),
            _(
                "**Dive** with 2 + 5, and the 3 is left for {canyon_expedition}. The museum's button is "
                "explained next."
            ),
            _("First the dive: the 3 alone is enough for {canyon_expedition}."),
            shows=("dived",),
            given={"faces": (2, 3, 5), "dive_number": 7},
        ),
        Step(
            load(_on(3, CANYON), catalogue),
            _(
                "You hold {fossil}. A museum has orders of 1, 2, 3 and more of a kind, each for one sale "
                "per match. A sale leaves your cube: the most cubes bring {star} at the end."
            ),
            _("Place the 3 on {canyon_expedition} for another one; your last die ends your turn."),
            _("Another Fossil makes a larger order."),
            shows=("gained", "filled", "rolled"),
            given={"fossils": 1, "faces": (3,)},
            replies=_replies(catalogue, SECOND_REPLY),
        ),
    )


def _third(catalogue: Catalogue) -> tuple[Step, ...]:
    load = m.MOVES.load
    return (
        Step(
            load(_on(5, CANYON), catalogue),
            _(
                "{lead_fossil} has a cube on the order of 1 at {fossil_museum}, and so leads for the "
                "{star} {fossil_majority} at the end. If cubes are tied, the higher order leads."
            ),
            _(
                "Press **{die_5}**, then place it on {canyon_expedition}: with three Fossils you can do "
                "better."
            ),
            _("First get the third Fossil with the 5: the lesson needs both threes for what comes next."),
            of_table=True,
            shows=("gained",),
            given={"faces": (3, 3, 5), "fossils": 2, "fossil_leader": 1},
            through=(f"{DIE}:5",),
        ),
        Step(
            load(_order(3, "fossil", 2), catalogue),
            _(
                "{fossil}: an order of 3 pays $3 and ${fossil_bonus} more. “Order 2 passes you” means: "
                "with a sale there {a} would lead again."
            ),
            _("With a 3, sell all three at {fossil_museum}: your cube takes the lead from {a}."),
            _(
                "First fill the order of 3: it takes all your Fossils, and its cube leads while cubes are "
                "tied."
            ),
            of_table=True,
            shows=("filled",),
            proves={"filled": {"takes_lead": True}},
            given={"fossils": 3, "fossil_leader": 1, "fossil_bonus": 2},
        ),
    )


def _turned(catalogue: Catalogue) -> tuple[Step, ...]:
    load = m.MOVES.load
    return (
        Step(
            load({"kind": "turn_die", "by": {"card": "field_office"}, "die": 3, "to": 4}, catalogue),
            _(
                "Now your cube leads there. A 3 is left, but {desert_expedition} takes "
                "{desert_expedition_takes}."
            ),
            _(
                "A die that is left at the end of a turn is lost. {field_office} turns one by 1: turn the "
                "3 to a 4."
            ),
            _("First make the die fit."),
            shows=("turned_die",),
            given={"faces": (3,), "fossil_leader": 0},
        ),
        Step(
            load(_on(4, DESERT), catalogue),
            _("So cards work together: one makes the dice that another one needs."),
            _("Place the 4 on {desert_expedition} for a Scroll."),
            _("The die was turned for {desert_expedition}."),
            shows=("gained",),
            given={"faces": (4,), "scrolls": 0},
            replies=_replies(catalogue, THIRD_REPLY),
        ),
    )


def _fourth(catalogue: Catalogue) -> tuple[Step, ...]:
    load = m.MOVES.load
    return (
        Step(
            load(_on(4, DESERT), catalogue),
            _("You rolled {dice}. {lead_scroll} leads at {scroll_museum} with one cube, on the order of 1."),
            _("Place a 4 on {desert_expedition}: two Scrolls make a higher order."),
            _("First get the second Scroll."),
            shows=("gained",),
            given={"faces": (4, 4, 6), "scroll_leader": 1, "scrolls": 1},
        ),
        Step(
            load(_on(4, {"card": "guide_work", "slot": 0}), catalogue),
            _("{guide_work} takes any die and pays $1. That helps with dice that find no better place."),
            _(
                "Place the 4 on {guide_work}, to see it once. On {canyon_expedition} it would get a "
                "Fossil, often the better use."
            ),
            _("First earn the dollar."),
            shows=("earned",),
            given={"faces": (4, 6), "guide_work_takes": "1+"},
        ),
        Step(
            load(_on(6, OFFICE, "turn_card", own={"card": "field_office"}), catalogue),
            _(
                "Upgrading a card costs its price again, ${field_office_cost} for {field_office}. Level 2 "
                "turns dice twice per turn and scores again."
            ),
            _("With the 6 on {headquarters}, **upgrade** {field_office}."),
            _("The 6 is best used on {headquarters} now: the upgrade scores immediately."),
            shows=("turned_card", "rolled"),
            given={"field_office_cost": 2, "dollars": 6, "reputation": 3},
            through=(CARD,),
            replies=_replies(catalogue, FOURTH_REPLY),
        ),
    )


def _last(catalogue: Catalogue) -> tuple[Step, ...]:
    load = m.MOVES.load
    club = _on(1, OFFICE, "buy", card="explorers_club", place={"row": "upper", "column": -1})
    return (
        Step(
            load(_order(4, "scroll", 1), catalogue),
            _(
                "You rolled {dice} and hold {scroll}. {scroll_museum} takes a {scroll_museum_takes} and adds "
                "${scroll_bonus}."
            ),
            _("With the 4, sell both Scrolls on the order of 2: your cube takes the lead."),
            _("First the order: it pays for what comes next."),
            of_table=True,
            shows=("filled",),
            proves={"filled": {"takes_lead": True}},
            given={"faces": (1, 1, 4), "scrolls": 2, "scroll_leader": 1},
        ),
        Step(
            load(club, catalogue),
            _(
                "You have ${dollars}; {explorers_club} costs ${explorers_club_cost}. It scores {star} 1 "
                "more for each "
                "Expedition that it touches."
            ),
            _(
                "With a 1 on {headquarters}, **buy** {explorers_club} and lay it left of "
                "{desert_expedition}: left, right, above and below count."
            ),
            _("The lesson ends with the card that scores for its place, left of {desert_expedition}."),
            shows=("bought",),
            proves={"bought": {"counted": 1}},
            given={"dollars": 8, "explorers_club_cost": 7, "club_counts": 1, "scroll_leader": 0},
            through=(CARD, PLACE),
        ),
    )


# -- fields and other moves


def facts(view: View, names: Names) -> Mapping[str, Any]:
    """The fields of the texts.

    Of a card by its key: KEY is its name, KEY_cost its dollars, KEY_takes the dice of its slots. Of an artifact by
    its key: KEY are the viewer's in words, KEYs their number, KEY_museum its museum's name, KEY_museum_takes,
    KEY_bonus and KEY_majority the museum's dice, dollars and reputation, lead_KEY and KEY_leader the name and the
    seat that lead there. Of the match: the reputation that begins the last round (goal), the number of dice that the
    viewer rolls, dice and faces, the label of the button for a 5 (die_5), dollars, reputation,
    the next dive, the opponent (a), and what the Explorers' Club would count in its best place.
    """
    catalogue, dive = view.catalogue, next_dive(view)
    found: dict[str, Any] = {
        "star": name.REPUTATION,
        "dice": dice(view.dice),
        "faces": tuple(view.dice),
        "die_5": _("Die {face}").format(face=5),
        "goal": GOAL,
        "rolls": dice_of(view, 0),
        "dollars": view.dollars[0],
        "reputation": view.reputation[0],
        "a": names.bold(1),
        "dive_number": dive.number if dive else 0,
        "dive_star": dive.reputation if dive else 0,
        "club_counts": _club_counts(view),
    }
    for card in catalogue.cards:
        slots = card.sides[0].slots if card.sides else ()
        found[card.key] = f"**{name.written(card)}**"
        found[f"{card.key}_cost"] = card.dollars
        found[f"{card.key}_takes"] = " / ".join(map(_takes, slots))
    for artifact, key in enumerate(ARTIFACTS):
        museum, leader = catalogue.museums[artifact], majority(view, artifact)
        found[key] = f"{name.ARTIFACT[artifact]} {name.counted(artifact, view.artifacts[0][artifact])}"
        found[f"{key}s"] = view.artifacts[0][artifact]
        found[f"{key}_bonus"], found[f"{key}_majority"] = museum.bonus, museum.majority
        found[f"{key}_leader"] = leader
        found[f"lead_{key}"] = names.bold(leader) if leader is not None else ""
    return found


def _club_counts(view: View) -> int:
    side = view.catalogue.cards[view.catalogue.numbers["explorers_club"]].sides[0]
    return max(counted(view, 0, side, place) for place in places(view, 0))


def _takes(slot: Slot) -> str:
    """The dice that a slot takes: "3+", or "1" for a 1 alone."""
    faces = [face for face in range(1, 7) if slot.faces >> face & 1]
    return f"{faces[0]}+" if faces[-1] == 6 else ", ".join(map(str, faces))


def would(view: View, move: Any) -> str:
    """The effect that a move would have, in a sentence."""
    match move:
        case m.Roll():
            return _("That would roll with your cards in another order.")
        case m.Pass():
            return _("**End Turn** would end your turn, and the dice that are left would do nothing.")
        case m.Dive():
            return _("That would dive with {dice}.").format(dice=name.sum_of(move.dice))
        case m.TurnDie():
            return _("That would turn the {die} to a {face}.").format(die=move.die, face=move.to)
        case m.RollAgain():
            return _("That would reroll dice.")
        case m.Buy():
            return _("That would buy {card}.").format(card=_card(view, move.card))
        case m.TurnCard():
            return _("That would upgrade {card}.").format(card=_card(view, move.own.card))
        case m.FillOrder():
            size = view.catalogue.orders(move.museum, view.seats)[move.order]
            return _("That would fill the order of {size} at {card}.").format(
                size=size, card=_card(view, move.museum)
            )
        case _:
            return _("That would place the {die} on {card}.").format(
                die=move.die, card=_card(view, move.on.card)
            )


def _card(view: View, number: int) -> str:
    return f"**{name.written(view.catalogue.cards[number])}**"
