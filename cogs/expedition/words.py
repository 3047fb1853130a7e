"""The New Expedition's own events and refusals in words, its own proposed moves, and the reasons for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.language import by_language, listing, pgettext
from bot.language import gettext as _
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names
from cogs.archaeology_family import names as card
from cogs.archaeology_family.proposals import fitting, sells
from cogs.expedition.monuments import EMOJI, chamber_label, monument_name
from engine.agents.advice import Reason
from engine.archaeology_family.card_list import MAP
from engine.expedition import moves as x
from engine.expedition.monuments import KEPT
from engine.expedition.state import ExpeditionView

TENT_ICON: Final = "⛺"


def describe(event: SeenEvent, viewer: int | None, names: Names) -> str | None:
    """One line about an event that only this game has. None if the event is one of the whole family."""
    facts = event.facts
    you = viewer is not None and event.seat == viewer
    who = names.bold(event.seat) if event.seat is not None else ""
    match event.kind:
        case "monument":
            key = facts["monument"]
            return _("The monument is the {name}.").format(name=f"{EMOJI[key]} {monument_name(key)}")
        case "uncovered":
            finds = listing([card.signed(kind) for kind in facts["treasures"]])
            text = _("The storm uncovers {finds} in the Ruins, one in each chamber.")
            text = _("In the Ruins lie {finds}, one in each chamber.") if event.seat is None else text
            return text.format(finds=finds)
        case "looked" | "opened":
            return _hidden_chamber(event.kind, facts, who, you=you)
        case _:
            return None


def _hidden_chamber(kind: str, facts: Mapping[str, Any], who: str, *, you: bool) -> str:
    """A line about a look into the Temple or a choice in the Tomb. Only the person who saw the cards is told them, and
    everybody after the match.
    """
    place = chamber_label(facts["chamber"])
    seen = card.cards(facts["cards"]) if "cards" in facts else ""
    if kind == "looked":
        yours, theirs = _("👁️ You look into {place}: {cards}."), _("👁️ {who} looks into {place}: {cards}.")
        text = (yours if you else theirs) if seen else _("👁️ {who} looks into {place}.")
        return text.format(who=who, place=place, cards=seen)
    text = _("{who} opens {place} for {maps} and sees its {count}.")
    if seen:
        yours = _("You open {place} for {maps} and see {cards}.")
        text = yours if you else _("{who} opens {place} for {maps} and sees {cards}.")
    count, maps = card.number_of_cards(facts["count"]), card.counted(MAP, facts["maps"])
    return text.format(who=who, place=place, maps=maps, cards=seen, count=count)


def refusals() -> dict[str, str]:
    """Why a rule that only this game has forbids a move. None if the rule is one of the whole family."""
    return {
        "explored-already": _(
            "The monument can be explored only once per turn. You can explore it again on your next turn."
        ),
        "chamber-empty": _("There is nothing left there. Choose another place."),
        "no-tent-due": _("You have no Tent decision to make right now."),
        "no-look-due": _("You can look into the Temple only right after a sale."),
        "no-choice-due": _("There is nothing to choose in the Tomb right now."),
        "not-in-mine": _("You're not in the Mine."),
        "no-sphinx": _("This match has another monument."),
        "sphinx-needs-names": _("Name two different treasures to the Sphinx."),
        "no-such-treasure": _("That treasure isn't in this match. Name another one."),
        "names-must-differ": _("Name two different treasures."),
        "not-in-chamber": _("Those cards aren't there. Choose others."),
        "keep-count": _("Choose exactly {due} to keep, not {chosen}."),
    }


@by_language
def _verbs() -> Mapping[str, tuple[str, str]]:
    return {
        "sheltered": (
            pgettext("who …", "loses nothing thanks to the {tent} Tent"),
            pgettext("you …", "lose nothing thanks to your {tent} Tent"),
        ),
        "tent": (pgettext("who …", "saves the Tent"), pgettext("you …", "save your Tent")),
        "entered": (
            pgettext("who …", "enters the Mine for {maps}"),
            pgettext("you …", "enter the Mine for {maps}"),
        ),
        "turned_up": (
            pgettext("who …", "reveals {card} in the Mine"),
            pgettext("you …", "reveal {card} in the Mine"),
        ),
        "mined": (
            pgettext("who …", "takes {cards} out of the Mine"),
            pgettext("you …", "take {cards} out of the Mine"),
        ),
        "collapsed": (
            pgettext("who …", "reveals {cards} in the Mine, which collapses at {worth} 💥"),
            pgettext("you …", "reveal {cards} in the Mine, which collapses at {worth} 💥"),
        ),
        "kept": (
            pgettext("who …", "keeps {cards} from {place}"),
            pgettext("you …", "keep {cards} from {place}"),
        ),
        "looked": (pgettext("who …", "looks into {place}"), pgettext("you …", "look into {place}")),
        "named": (
            pgettext("who …", "asks the Sphinx for {first} and {second} ({maps})"),
            pgettext("you …", "ask the Sphinx for {first} and {second} ({maps})"),
        ),
        "revealed": (
            pgettext("who …", "takes {cards} out of {shown}"),
            pgettext("you …", "take {cards} out of {shown}"),
        ),
        "refused": (
            pgettext("who …", "gets neither: it shows {shown}"),
            pgettext("you …", "get neither: it shows {shown}"),
        ),
    }


def deed(event: SeenEvent, you: bool) -> str | None:
    """A player's deed in an event that only this game has, as a part of a sentence after their name."""
    kind, facts = event.kind, event.facts
    cards = facts.get("taken") or facts.get("cards") or ()
    given = {"tent": TENT_ICON, "cards": card.cards(cards), "worth": facts.get("worth")}
    given |= {"maps": card.counted(MAP, facts.get("maps", 1)), "shown": card.cards(facts.get("cards", ()))}
    match kind:
        case "tent":
            kind = "sheltered" if facts["used"] else kind
        case "turned_up":
            given["card"] = card.cards(cards or [(facts["treasure"], 1)])
        case "looked" | "opened" | "kept":
            kind = "kept" if kind == "kept" else "looked"
            given["place"] = chamber_label(facts["chamber"])
            given["cards"] = given["cards"] or card.number_of_cards(facts.get("count", 0))
        case "named":
            given["first"], given["second"] = (card.name(treasure) for treasure in facts["treasures"])
        case "revealed":
            kind = kind if facts["taken"] else "refused"
        case _:
            pass
    return _verbs()[kind][you].format(**given) if kind in _verbs() else None


def move_text(view: ExpeditionView, move: Any) -> str | None:
    """A proposed move that only this game has; None if it is one of the whole family."""
    match move:
        case x.UseTent(use):
            return _("Use the Tent.") if use else _("Save the Tent.")
        case x.LookAt(chamber):
            return _("Look into {chamber}.").format(chamber=chamber_label(chamber))
        case x.Keep(cards):
            return _("Keep {cards}.").format(cards=card.cards(cards))
        case x.TurnUp():
            return _("Reveal another card.")
        case x.Stop():
            return _("Stop and take what lies there.")
        case x.Guess(treasures):
            first, second = map(card.name, sorted(treasures))
            return _("Ask the Sphinx for {first} and {second}.").format(first=first, second=second)
        case _:
            return None


def reason_text(view: ExpeditionView, reason: Reason) -> str | None:
    """A reason that only this game has (`engine.expedition.agents.master`); None if it is one of the whole family."""
    facts = reason.facts
    match reason.code:
        case "explores" if view.monument in ("tomb", "mine"):
            text = _(
                "You keep the best {n} of {cards}, worth about ${dollars} in sets; {maps} would sell for ${price}."
            )
            if view.monument == "mine":
                text = _(
                    "Cards that you dare to reveal are worth about ${dollars} in sets; {maps} would sell for ${price}."
                )
            maps, cards = card.counted(MAP, facts["maps"]), card.number_of_cards(facts["cards"])
            return text.format(**{**facts, "n": KEPT, "maps": maps, "cards": cards})
        case "spares-cards" | "saves-tent":
            text = _("Without it you lose {cards}, which should bring about ${loss} in the end.")
            text = text.format(**{**facts, "cards": card.number_of_cards(facts["cards"])})
            later = _("Kept for the Sandstorms to come ({n}), the Tent should save about ${saved}.")
            return fitting(text, later.format(**facts, n=facts["storms"]) if facts["storms"] else "")
        case "keeps-best":
            return sells(facts, 1) if facts["then"] > facts["now"] else _("They go best with your hand.")
        case "risks-more" | "takes-what-lies":
            return _("Going on should bring about ${more}, stopping ${stop}.").format(**facts)
        case "looks":
            return _("It's free: you don't know its {cards} cards yet.").format(**facts)
        case "names-likeliest":
            there = [(kind, n) for kind, n in facts["there"] if n]
            known = _("Known to lie there: {cards}.").format(cards=card.cards(there)) if there else ""
            text = _("With one of each, your hand: ${now} → ${then}.").format(**facts)
            seen = _("Not seen yet: {cards} among {n} treasures.")
            return f"{known or seen.format(cards=card.cards(facts['unseen']), n=facts['of'])} {text}"
        case _:
            return None
