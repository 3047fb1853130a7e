"""A player's moves in one line: "**Ana** digs up a treasure, gives 2 Pot Shards for 1 Coin and sells 3 Coins for $10."

Each event is a deed, that is the part of the sentence after the player's name. Two events with one story are told
once. How many deeds there are depends on the kinds of the events alone, which everybody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bot.language import gettext as _
from bot.language import listing, pgettext
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names
from cogs.archaeology_family import names as card
from cogs.archaeology_family.words import found

Deed = Callable[[SeenEvent, bool, int | None, Names], str | None]
"""A player's deed in an event, for this viewer; True if the player is the viewer. None if the event is no deed."""

STORMY: Final = ("lost", "tent")
"""The kinds of events of all players in a Sandstorm."""
_TOLD_BY_THE_NEXT: Final[Mapping[str, tuple[str, ...]]] = {
    "thief": ("stolen",),
    "entered": ("turned_up", "mined", "collapsed"),
    "turned_up": ("turned_up", "mined", "collapsed"),
    "opened": ("kept",),
}
"""Kinds of events that say nothing more if one of these kinds follows."""


def newest_turn(events: Sequence[SeenEvent]) -> int:
    """How many of these events belong to the newest turn, if a Sandstorm came in it; 0 otherwise.

    So one line tells what all lose, and whose Tent holds.
    """
    for back, event in enumerate(reversed(events), 1):
        if event.kind == "sandstorm":
            after = events[len(events) - back + 1 :]
            return back if all(each.kind in STORMY or each.seat == event.seat for each in after) else 0
        if event.kind == "ended" and back > 1:
            return 0
    return 0


def in_one_line(
    events: Sequence[SeenEvent],
    viewer: int | None,
    names: Names,
    deed: Deed,
    tell: Callable[[SeenEvent], str],
) -> list[str]:
    """All these events of one player's moves as one line; what is nobody's deed follows in sentences of its own.

    No line if only the end of another player's turn is left to tell.
    """
    seat = next((event.seat for event in events if event.seat is not None), None)
    # The deeds by sentence: a loss in another player's Sandstorm has its own, before the player's next turn.
    parts: list[list[str]] = [[]]
    sentences: list[str] = []
    stormy = True
    sales: list[SeenEvent] = []
    you = viewer is not None and viewer == seat
    for number, event in enumerate(events):
        following = events[number + 1].kind if number + 1 < len(events) else ""
        if following in _TOLD_BY_THE_NEXT.get(event.kind, ()):
            continue
        if stormy and parts[-1] and event.kind not in STORMY:
            parts.append([])
        stormy = stormy and event.kind in STORMY
        deeds = parts[-1]
        if event.kind == "sold" and event.seat == seat:
            sales.append(event)
            if following != "sold":
                deeds.append(sales_text(sales, you=you))
                sales = []
            continue
        done = deed(event, you, viewer, names) if event.seat == seat and seat is not None else None
        if done is None:
            if event.kind != "ended" or not _goes_without_saying(event, viewer):
                sentences.append(tell(event))
        elif event.kind != "ended" or not (deeds or _goes_without_saying(event, viewer)):
            deeds.append(done)
    if seat is not None:
        # Translators: {deeds} are things that one player did, each with its verb: “dig up 1 Coin, sell 2 Maps for $6”.
        text = _("You {deeds}.") if you else _("{who} {deeds}.")
        told = [
            _capitalised(text.format(who=names.bold(seat), deeds=listing(deeds))) for deeds in parts if deeds
        ]
        sentences = [*told, *sentences]
    return [" ".join(sentences)] if sentences else []


def _goes_without_saying(ended: SeenEvent, viewer: int | None) -> bool:
    """Whether a reader need not be told that another player's turn has ended, after what it did to the reader."""
    return viewer not in (None, ended.seat) and not ended.facts.get("empty")


def _capitalised(sentence: str) -> str:
    """The sentence with a capital: in a language that leaves “you” out, it begins with a verb."""
    return sentence[:1].upper() + sentence[1:]


def sales_text(sales: Sequence[SeenEvent], *, you: bool) -> str:
    """A player's sales in a row, as one deed."""
    price = sum(sale.facts["price"] for sale in sales)
    cards = card.sets([(sale.facts["treasure"], sale.facts["count"]) for sale in sales])
    text = (
        pgettext("you …", "sell {cards} for ${price}")
        if you
        else pgettext("who …", "sells {cards} for ${price}")
    )
    return text.format(cards=cards, price=price)


def deed(event: SeenEvent, you: bool, viewer: int | None, names: Names) -> str | None:
    """A player's deed in an event that both games have."""
    facts = event.facts
    match event.kind:
        case "found":
            if "treasure" in facts:
                return pgettext("you …", "dig up {card}").format(card=card.cards([(facts["treasure"], 1)]))
            return pgettext("who …", "digs up a treasure")
        case "thief":
            text = (
                pgettext("you …", "meet a {thief} Thief")
                if you
                else pgettext("who …", "meets a {thief} Thief")
            )
            return text.format(thief=card.THIEF)
        case "stolen":
            return _stolen(facts, viewer, names)
        case "sandstorm":
            text = (
                pgettext("you …", "dig up a {storm} Sandstorm")
                if you
                else pgettext("who …", "digs up a {storm} Sandstorm")
            )
            return text.format(storm=card.SANDSTORM)
        case "lost":
            text = (
                pgettext("you …", "lose {cards} to the market")
                if you
                else pgettext("who …", "loses {cards} to the market")
            )
            return text.format(cards=card.cards(facts["cards"]))
        case "traded":
            text = (
                pgettext("you …", "give {give} for {take}")
                if you
                else pgettext("who …", "gives {give} for {take}")
            )
            return text.format(give=card.cards(facts["give"]), take=card.cards(facts["take"]))
        case "passed":
            return pgettext("you …", "pass") if you else pgettext("who …", "passes")
        case "ended" if facts.get("empty"):
            return (
                pgettext("you …", "end your turn with an empty hand")
                if you
                else pgettext("who …", "ends the turn with an empty hand")
            )
        case "ended":
            return pgettext("you …", "end your turn") if you else pgettext("who …", "ends the turn")
        case _:
            return None


def exploration(event: SeenEvent, chamber: str, *, you: bool) -> str:
    """A player's deed in an exploration; `chamber` is the game's name of the chamber."""
    text = (
        pgettext("you …", "find {found} in {chamber}")
        if you
        else pgettext("who …", "finds {found} in {chamber}")
    )
    return text.format(chamber=chamber, found=found(event.facts))


def _stolen(facts: Mapping[str, Any], viewer: int | None, names: Names) -> str:
    victim = facts["victim"]
    if "treasure" not in facts:
        return pgettext("who …", "steals a card from {victim}").format(victim=names.bold(victim))
    stolen = card.cards([(facts["treasure"], 1)])
    if viewer == victim:
        return pgettext("who …", "steals {card} from you").format(card=stolen)
    return pgettext("you …", "steal {card} from {victim}").format(card=stolen, victim=names.bold(victim))
