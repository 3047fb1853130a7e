"""The events and refusals of Artifacts, Inc. in words, and the lines of its agents about their play.

Each line is true of every agent of its level.

There are as many lines as a table has agents at most, so that agents of one level differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.language import Phrase, by_language, listing, ngettext, phrase
from bot.language import gettext as _
from bot.ui.screens.game_parts import Opponent
from bot.ui.screens.game_screens import Refusal, SeenEvent
from bot.ui.screens.names import Names
from cogs.artifacts_inc import effects
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.card_list import ARTIFACTS, FINDS
from engine.artifacts_inc.catalogue import Catalogue
from engine.artifacts_inc.state import GOAL

Facts = Mapping[str, Any]
GREAT: Final = 4
"""The reputation from which on a deed is a moment: a fifth of the goal."""


def describe(event: SeenEvent, viewer: int | None, names: Names, catalogue: Catalogue) -> str:
    """One line about an event, to this viewer."""
    you = viewer is not None and event.seat == viewer
    who = names.bold(event.seat) if event.seat is not None else ""
    facts = event.facts
    match event.kind:
        case "offered":
            shown = sum(map(len, facts["offers"].values()))
            return ngettext(
                "The piles are shuffled: {n} card on offer.",
                "The piles are shuffled: {n} cards on offer.",
                shown,
            ).format(n=shown)
        case "revealed":
            text = _("New on offer, from pile {pile}: {card}.")
            return text.format(pile=facts["pile"], card=name.name_of(catalogue, facts["card"], priced=True))
        case "over":
            return _("🏁 The match is over.")
        case "gained" | "earned" | "gathered" | "filled" | "collected" | "sold":
            line = _placed(event.kind, facts, who, catalogue, you=you)
            return line + (_lead(facts, who, names, viewer, you=you) if facts.get("takes_lead") else "")
        case "bought" | "turned_card":
            return _purchased(event.kind, facts, who, catalogue, you=you)
        case "dived" | "turned_die" | "rolled_again" | "rolled" | "passed":
            return _of_dice(event.kind, facts, who, catalogue, you=you)
        case _:
            return _of_the_course(event, who, catalogue, you=you)


def goods(*sales: Facts) -> Phrase:
    """The artifacts that finds or sales name, by kind or as one kind's number, together."""
    counts = [0] * len(ARTIFACTS)
    for facts in sales:
        for key, n in (facts.get("artifacts") or {facts["artifact"]: facts.get("count", 1)}).items():
            counts[ARTIFACTS.index(key)] += n
    return name.goods(counts)


def overtaken(event: SeenEvent, names: Names, catalogue: Catalogue) -> str:
    """A sale to a museum by which its company takes the lead there from the reader."""
    kind, facts = ARTIFACTS.index(event.facts["artifact"]), event.facts
    text = _(
        "{who} sells {goods} for ${n} and takes the lead at the {museum} from you: {star} {points} at the end!"
    )
    values = {"star": name.REPUTATION, "points": catalogue.museums[kind].majority, "n": facts["dollars"]}
    museum = name.written(catalogue.cards[kind])
    return text.format(who=names.bold(event.seat or 0), goods=goods(facts), museum=museum, **values)


def _placed(kind: str, facts: Facts, who: str, catalogue: Catalogue, *, you: bool) -> str:
    values = {
        "who": who,
        "die": name.die(facts["die"]),
        "card": name.name_of(catalogue, facts["on"]),
        "n": facts["dollars"],
    }
    if kind == "earned":
        text = (
            _("You place {die} on {card} and earn ${n}.")
            if you
            else _("{who} places {die} on {card} and earns ${n}.")
        )
    elif kind in ("gained", "gathered"):
        values["goods"] = goods(facts)
        if facts["dollars"]:
            values["goods"] = listing([values["goods"], f"${facts['dollars']}"])
        text = (
            _("You place {die} on {card} and gain {goods}.")
            if you
            else _("{who} places {die} on {card} and gains {goods}.")
        )
    else:
        values["goods"] = goods(facts)
        museum = catalogue.cards[ARTIFACTS.index(facts["artifact"])] if kind == "filled" else None
        if museum is not None and museum.key != facts["on"]:
            values["museum"] = name.written(museum)
            text = (
                _("You place {die} on {card} and sell {goods} to the {museum} for ${n}.")
                if you
                else _("{who} places {die} on {card} and sells {goods} to the {museum} for ${n}.")
            )
        else:
            text = (
                _("You place {die} on {card} and sell {goods} for ${n}.")
                if you
                else _("{who} places {die} on {card} and sells {goods} for ${n}.")
            )
    return text.format(**values)


def _lead(facts: Facts, who: str, names: Names, viewer: int | None, *, you: bool) -> str:
    """A sentence about the lead at a museum that a sale took, with whose it was."""
    text = _("You now lead there.") if you else _("{who} now leads there.")
    if "passes" in facts:
        text = (
            _("You take the lead there from {rival}.")
            if you
            else _("{who} takes the lead there from {rival}.")
        )
        text = _("{who} takes the lead there from you.") if facts["passes"] == viewer else text
    return " " + text.format(who=who, rival=names.bold(facts["passes"]) if "passes" in facts else "")


def _purchased(kind: str, facts: Facts, who: str, catalogue: Catalogue, *, you: bool) -> str:
    if kind == "bought":
        text = _("You buy {card} for {cost}.") if you else _("{who} buys {card} for {cost}.")
    else:
        text = _("You upgrade {card} for {cost}.") if you else _("{who} upgrades {card} for {cost}.")
    line = text.format(who=who, card=name.name_of(catalogue, facts["card"]), cost=price(facts))
    gains = [*gained(facts, catalogue), *([f"+${facts['dollars']}"] if facts["dollars"] else [])]
    return " ".join(filter(None, [line, " · ".join(gains)]))


def gained(facts: Facts, catalogue: Catalogue) -> list[str]:
    """The reputation that a deed brought, with its cause."""
    printed, more = facts.get("reputation", 0), facts.get("counted", 0)
    if not (n := printed + more):
        return []
    total = name.gained(n)
    if more and (number := catalogue.numbers.get(facts["card"])) is not None:
        # Translators: a gain and its parts: “⭐ +4: 2 + 2 for 🏺 Pottery”
        text = _("{total}: {printed} + {n} for {what}")
        side = catalogue.cards[number].side(1)
        finds = [f"{name.FIND[kind]} {name.find(kind)}" for kind, each in enumerate(side.per_find) if each]
        others = [_("museums")] * bool(side.per_museum) + [_("Expeditions")] * bool(side.per_expedition)
        what = listing([*finds, *others])
        total = text.format(total=total, printed=printed, n=more, what=what)
    return [total]


def price(facts: Facts) -> str:
    """The price that a purchase says: "$4", "$3 + 1 📜"."""
    return f"${facts['cost']}" + (f" + {facts['scrolls']} {name.ARTIFACT[1]}" if facts["scrolls"] else "")


def find(facts: Facts) -> str:
    """The finds of a dive."""
    found = FINDS.index(facts["find"])
    return phrase("{sign} {find}", sign=name.FIND[found], find=name.find(found))


def _of_dice(kind: str, facts: Facts, who: str, catalogue: Catalogue, *, you: bool) -> str:
    values: dict[str, Any] = {"who": who}
    match kind:
        case "rolled":
            text = _("You roll {dice}.") if you else _("{who} rolls {dice}.")
            values["dice"] = name.dice(facts["dice"])
        case "turned_die":
            text = (
                _("You turn {die} to {to} with {card}.")
                if you
                else _("{who} turns {die} to {to} with {card}.")
            )
            values |= {"die": name.die(facts["die"]), "to": name.die(facts["to"])}
            values["card"] = name.name_of(catalogue, facts["by"])
        case "rolled_again":
            text = (
                _("You reroll {dice} with {card}: {rolled}.")
                if you
                else _("{who} rerolls {dice} with {card}: {rolled}.")
            )
            values |= {"dice": name.dice(facts["dice"]), "rolled": name.dice(facts["rolled"])}
            values["card"] = name.name_of(catalogue, facts["by"])
        case "dived":
            text = (
                _("You dive for {number} with {dice} and find {find}. {gained}")
                if you
                else _("{who} dives for {number} with {dice} and finds {find}. {gained}")
            )
            bonus = f" (+{facts['bonus']})" if facts["bonus"] else ""
            values |= {"number": facts["number"], "dice": name.dice(facts["dice"]) + bonus}
            values |= {"find": find(facts), "gained": name.gained(facts["reputation"])}
        case _:
            return _passed(len(facts["dice"]), who, you=you)
    return text.format(**values)


def _passed(left: int, who: str, *, you: bool) -> str:
    text = (
        ngettext("You end your turn with {n} die left.", "You end your turn with {n} dice left.", left)
        if you
        else ngettext(
            "{who} ends the turn with {n} die left.", "{who} ends the turn with {n} dice left.", left
        )
    )
    return text.format(who=who, n=left)


def _of_the_course(event: SeenEvent, who: str, catalogue: Catalogue, *, you: bool) -> str:
    facts = event.facts
    values: dict[str, Any] = {"who": who, "star": name.REPUTATION}
    match event.kind:
        case "first":
            text = _("You begin; those after you get more dollars for it.")
            text = text if you else _("{who} rolls {n} and begins; those after get more dollars for it.")
            values["n"] = max(one + other for seat, one, other in facts["rolls"] if seat == event.seat)
        case "arranged":
            text = (
                _("You arrange your starting cards: {cards}.")
                if you
                else _("{who} arranges the starting cards: {cards}.")
            )
            values["cards"] = " · ".join(name.name_of(catalogue, key) for key in facts["order"])
        case "near":
            text = (
                _("🏁 You could reach {star} {goal} on your next turn.")
                if you
                else _("🏁 {who} could reach {star} {goal} on the next turn.")
            )
            values["goal"] = GOAL
        case "reached":
            text = (
                _("🏁 You have {star} {n}: this round is the last.")
                if you
                else _("🏁 {who} has {star} {n}: this round is the last.")
            )
            values["n"] = facts["reputation"]
        case "majority":
            text = _majority(you=you, tied=facts.get("tied", False))  # earlier versions did not say so
            values["museum"] = name.written(catalogue.cards[ARTIFACTS.index(facts["artifact"])])
            values["n"] = facts["reputation"]
        case _:
            return event.kind
    return text.format(**values)


def _majority(*, you: bool, tied: bool) -> str:
    if you and tied:
        return _("You tie for the most cubes on the {museum} and hold its highest order: {star} +{n}")
    if tied:
        return _("{who} ties for the most cubes on the {museum} and holds its highest order: {star} +{n}")
    if you:
        return _("You have the most cubes on the {museum}: {star} +{n}")
    return _("{who} has the most cubes on the {museum}: {star} +{n}")


# -- refusals


def refusals() -> dict[str, Refusal]:
    """Why the rules forbid a move, and what can be done instead, by code."""
    return {**_of_dice_and_sales(), **_of_purchases_and_abilities()}


def _naming_the_artifact(text: str) -> Refusal:
    return lambda facts: text.format(
        **{**facts, "artifact": name.artifact(ARTIFACTS.index(facts["artifact"]))}
    )


def _used_up(facts: Facts) -> str:
    uses = facts.get("uses", 1)
    text = ngettext(
        "You've already used that card this turn; it works once per turn.",
        "You've already used that card this turn; it works {uses} times per turn.",
        uses,
    )
    return text.format(uses=uses)


def _of_dice_and_sales() -> dict[str, Refusal]:
    unmet = _("A {die} doesn't fit there: the slot takes {requires}. Choose another die or slot.")
    return {
        "malformed": _("You can't choose that. Please choose again."),
        "roll-first": _("Roll your dice first."),
        "rolled-already": _("You've already rolled. From now on your dice are rolled as your turn begins."),
        "not-the-starting-cards": _("Put each of your four starting cards in the order exactly once."),
        "no-such-die": _("You have no {die} left to place. Choose another die."),
        "no-such-card": _("That card isn't yours. Place your dice on your own cards or on public ones."),
        "no-such-slot": _("That card has no such slot. Choose another one."),
        "slot-covered": _(
            "There is already a die there, and a slot takes one die per turn. Choose another slot."
        ),
        "requirement-unmet": lambda facts: unmet.format(
            **{**facts, "requires": effects.requirement(facts["requires"])}
        ),
        "other-action": _("That slot does something else. Choose another one."),
        "no-such-artifact": _("There is no such artifact. Choose another one."),
        "no-expedition-yields": _naming_the_artifact(
            _("None of your Expeditions finds that: {artifact}. Choose another artifact.")
        ),
        "other-museum": _("That museum buys another kind of artifact. Choose another museum."),
        "no-such-order": _("That museum has no such order. Choose another one."),
        "order-filled": _("That order has already been filled. Choose one that is free."),
        "too-few-artifacts": _naming_the_artifact(
            _("That takes {need} of {artifact}, and you have {have}. Choose a smaller order.")
        ),
        "malformed-artifacts": _("Those artifacts can't be sold together. Choose others."),
        "nothing-to-sell": _("Choose at least one artifact to sell."),
    }


def _of_purchases_and_abilities() -> dict[str, Refusal]:
    return {
        "not-on-offer": _("That card is no longer on offer. Choose another one."),
        "too-few-dollars": _(
            "That costs ${cost}, and you have ${have}. Choose something cheaper, or earn more first."
        ),
        "no-such-row": _("There are only two rows. Choose a place in the upper or the lower one."),
        "place-taken": _("Another card of yours is there, and cards never move. Choose a free place."),
        "place-apart": _(
            "A new card must touch one of yours: left or right of it, above or below. Choose another place."
        ),
        "turned-already": _("That card is already at level 2. Choose another one."),
        "dived-already": _("You can dive only once per turn. You can dive again on your next turn."),
        "no-dive-left": _("There are no dives left."),
        "dive-needs-dice": _("A dive takes at least one die. Choose some."),
        "dive-too-low": _("The dive needs {number}, and you reach {sum}. Add another die."),
        "roll-needs-dice": _("Choose at least one die to reroll."),
        "ability-used": _used_up,
        "no-such-ability": _("That card doesn't change dice in this way. Choose another one."),
        "no-such-face": _("A die shows 1 to 6. Choose one of these."),
        "same-face": _("The die already shows that face. Choose another one."),
        "face-out-of-reach": _("That card turns a die by 1: a {die} can't become that. Choose another face."),
    }


@by_language
def opponents() -> Mapping[str, Opponent]:
    """The lines and odds of the agents, by level."""
    return {
        "novice": Opponent(
            (
                _("One die at a time, where it seems to bring most."),
                _("I overlook half of what I could do."),
                _("I buy what I like at a glance."),
            ),
            (3, 5),
        ),
        "veteran": Opponent(
            (
                _("I follow my first good idea to the end of my turn."),
                _("Of all the cards that I could buy, I look at only one."),
                _("I love to dive. At times I dive too much."),
            ),
            (1, 3),
        ),
        "expert": Opponent(
            (
                _("I plan every die to the end of my turn."),
                _("I count the turns that are left, and what they can bring."),
                _("If a card lets me reroll, I weigh what that may bring."),
            ),
            (1, 20),
        ),
        "master": Opponent(
            (
                _("I compare many plans before I place a die."),
                _("I imagine your next turn, and then mine."),
                _("I play for the chance to win, not for reputation alone."),
            )
        ),
    }
