"""A turn in one line or a few: "**Ana** trades 2 Pot Shards for 1 Coin and sells 3 Coins for $10."

Each event is a deed, that is the part of a sentence after its player's name, or a sentence of its own. They are told in
the order of events. Two events with one story are told once. How many deeds and sentences there are depends on the
public facts alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from bot.language import by_language, listing, pgettext
from bot.language import gettext as _
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names, sentence
from cogs.archaeology_family import names as card
from cogs.archaeology_family.words import after_the_last, ahead, is_in_vain, spared
from engine.archaeology_family.card_list import MAP, Bundles, CardList
from engine.archaeology_family.state import View

Events = Sequence[SeenEvent]
Deed = Callable[[SeenEvent, bool, int | None, Names], str | None]
"""A player's deed in an event, for this viewer; True if the player is the viewer. None if the event is no deed."""

_EFFECTS: Final = {"sold": 2, "explored": 2, "kept": 2, "mined": 2, "stolen": 1, "lost": -1, "collapsed": -1}
"""How good events are for their player, by kind."""
GAINS: Final = ("found", "stolen", "traded", "explored", "kept", "mined", "revealed")
"""The kinds of events that bring cards to a hand."""
TOP, HUGE, GREAT, FULL = 0.7, 0.5, 0.3, 0.2
"""The shares of the dearest set's $50 that are above a chamber, decide matches, are great, or great for a full set."""
LARGE: Final = 15
"""The dollars from which on a review tells of the cards in a sale that its person gave away."""
MANY: Final = 5
"""The cards of an exploration that stands out as much as a decisive sale."""
STORMY: Final = ("lost", "tent")
"""The kinds of events of all players in a Sandstorm."""
_COVERED_BY_NEXT: Final[Mapping[str, tuple[str, ...]]] = {
    "entered": ("turned_up",),
    "turned_up": ("mined", "collapsed"),
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


def moment(event: SeenEvent, viewer: int | None, card_list: CardList) -> int:
    """How much an event stands out: for all, most a decisive sale or a large chamber; a loss for those concerned."""
    facts, dearest = event.facts, max(treasure.sales[-1] for treasure in card_list.treasures)
    match event.kind:
        case "sold":
            sales = card_list.treasures[int(facts["treasure"])].sales
            share = facts["price"] / dearest
            return sum(share >= each for each in (TOP, HUGE, FULL if facts["count"] == len(sales) else GREAT))
        case "explored" if facts["count"] >= MANY:
            return 2 - (viewer == event.seat)  # own finds do not outlast the sales of their turn
        case "revealed":
            return int(bool(facts["taken"]))
        case "lost" | "stolen" if viewer is not None:
            return int(viewer in (event.seat, facts.get("victim")))
        case _:
            return int(event.kind in ("explored", "kept", "mined", "collapsed"))


def leads_to(event: SeenEvent, later: Sequence[SeenEvent]) -> bool:
    """Whether an event says little beside the next one, or is a trade for what is then sold or explored with."""
    taken = dict[int, int](event.facts["take"] if event.kind == "traded" else ())
    used = [each.facts.get("treasure", MAP) for each in later if each.kind in ("sold", "explored")]
    told = () if event.facts.get("last") else {**_COVERED_BY_NEXT, "thief": ("stolen",)}.get(event.kind, ())
    return not taken.keys().isdisjoint(used) or any(each.kind in told for each in later[:1])


def effect(event: SeenEvent) -> int:
    return _EFFECTS.get(event.kind, 0)


def takes_lead(event: SeenEvent) -> bool:
    return "lead" in event.facts


def helped(
    view: View, events: Events, told: Events, seat: int, names: Names, chamber: Callable[[int], str]
) -> str:
    """The sentences that others explored with, or sold for much, cards that this seat had laid into the market and
    that else they would not have had. All the events come before this view.
    """
    given, taken, said = Counter[int](), Counter[tuple[int | None, int]](), list[str]()
    lie = Counter(dict(enumerate(view.market)))
    laid = [
        dict(each.facts["cards"] if each.kind == "lost" else each.facts.get("give", ())) for each in events
    ]
    for event, cards in zip(events, laid, strict=True):
        lie.subtract(cards)
        lie.update(dict(event.facts.get("take", ())))
    for event, cards in zip(events, laid, strict=True):
        facts, own, took = event.facts, event.seat == seat, event.facts.get("take", ())
        lie.update(cards)
        given.update(cards if own and took else ())
        for kind, n in took:
            taken[event.seat, kind] += 0 if own else max(0, n + given[kind] - lie[kind])
            lie[kind] -= n
            given[kind] = max(0, min(given[kind] - n * own, lie[kind]))
        used = facts.get("treasure", MAP)
        if event.kind not in ("explored", "sold"):
            continue
        n = taken.pop((event.seat, used), 0)
        if n and event in told and facts.get("price", LARGE) >= LARGE:
            text, opened = _("You had given away {cards} of that set."), ""
            if event.kind == "explored":
                text = _("With {cards} that you had given away, {who} opened {chamber}.")
                opened = chamber(facts["chamber"])
            said.append(
                text.format(cards=card.cards([(used, n)]), who=names.bold(event.seat or 0), chamber=opened)
            )
    return " ".join(said)


def gained(events: Sequence[SeenEvent], seat: int | None) -> Bundles:
    """The cards that these events have brought to the hand of a seat, as its person knows them."""
    cards = Counter[int]()
    for event in events:
        facts: Mapping[str, Any] = event.facts if event.seat == seat and event.kind in GAINS else {}
        brought: Any = next(
            (facts[name] for name in ("take", "taken", "cards", "treasure") if name in facts), ()
        )
        for kind, n in [(brought, 1)] if isinstance(brought, int) else brought:
            cards[kind] += n
    return tuple(sorted(cards.items()))


def in_few_lines(
    events: Sequence[SeenEvent],
    viewer: int | None,
    names: Names,
    deed: Deed,
    describe: Callable[[SeenEvent], str],
) -> list[str]:
    """All these events in a line for each player, or in one line on the table message, which has little room.

    A line has a sentence for what one player did in a row, in the order of events. There is no line if only the end of
    another player's turn is left to tell.
    """
    seats = [event.seat for event in events if event.kind == "found"]
    if len(seats) > 1:  # several who did the same
        text = _("{who} dig.")
        return [text.format(who=listing([names.bold(seat) for seat in seats if seat is not None]))]
    # A loss says that the Tent was saved.
    events = _together([each for each in events if each.kind != "tent" or each.facts["used"]] or events)
    line = _Line(viewer, names)
    sales: list[SeenEvent] = []
    stormy = True
    for number, event in enumerate(events):
        following = events[number + 1] if number + 1 < len(events) else None
        if following is not None and following.kind in _COVERED_BY_NEXT.get(event.kind, ()):
            continue
        if stormy and event.kind not in STORMY:
            line.end_sentence()  # a loss in another player's Sandstorm is no part of the player's own turn after it
        stormy = stormy and event.kind in STORMY
        you = viewer is not None and viewer == event.seat
        if event.kind == "sold":
            sales.append(event)
            if following is None or (following.kind, following.seat) != ("sold", event.seat):
                line.add_sales(sales, you=you)
                line.add_sentence(ahead(sales, viewer, names), event.seat)
                sales = []
        elif event.kind == "ended" and (
            event.seat in line.mentioned or (viewer is not None and not event.facts)
        ):
            continue  # a player need not be told that a turn has ended
        elif is_in_vain(event) or (done := deed(event, you, viewer, names)) is None:
            line.add_sentence(describe(event), event.seat)
        else:
            line.add_deed(event.seat, done)
        if event.kind == "sandstorm":
            for seat, reason in spared(event, viewer):
                line.add_deed(seat, reason)
            line.add_sentence(after_the_last(event), event.seat)
    line.end_sentence()
    parts = groupby(line.sentences, lambda sentence: viewer is not None and sentence[0])
    return [" ".join(text for _seat, text in part) for _player, part in parts]


def _together(events: Sequence[SeenEvent]) -> list[SeenEvent]:
    """The events with all cards that somebody has revealed in the Mine in one, and long trades for something short."""
    told: list[SeenEvent] = []
    for at, event in enumerate(events):
        if event.kind == "traded" and leads_to(event, events[at + 1 :]):
            event = event._replace(facts={**event.facts, "short": len(event.facts["give"]) > 2})
        if event.kind == "turned_up":
            goes_on = told and told[-1].kind == "turned_up"
            cards = Counter[int](dict(told.pop().facts["cards"]) if goes_on else {})
            cards[event.facts["treasure"]] += 1
            event = event._replace(facts={"cards": tuple(sorted(cards.items()))})
        told.append(event)
    return told


def in_full(event: SeenEvent, viewer: int | None, names: Names, deed: Deed) -> str:
    """One event that is a player's deed, as a line of its own."""
    you = viewer is not None and viewer == event.seat
    done = sales_text([event], you=you) if event.kind == "sold" else deed(event, you, viewer, names)
    if done is None or event.seat is None:
        return event.kind
    if event.kind == "traded" and event.facts["over"]:
        # Translators: ends the sentence “You trade … for …”; the full stop follows.
        done += _(", overpaying by {over}").format(over=event.facts["over"])
    said = [sentence(event.seat, done, viewer, names), ahead([event], viewer, names)]
    return " ".join(filter(None, said))


class _Line:
    """Sentences, each with consecutive deeds of one player."""

    def __init__(self, viewer: int | None, names: Names) -> None:
        self.sentences: list[tuple[int | None, str]] = []
        """The sentences, each with the seat that it tells of."""
        self.mentioned: set[int | None] = set()
        """The seats of which something is told."""
        self._viewer = viewer
        self._names = names
        self._seat: int | None = None
        self._deeds: list[str] = []

    def add_deed(self, seat: int | None, deed: str) -> None:
        if seat != self._seat:
            self.end_sentence()
        self._seat = seat
        self._deeds.append(deed)
        self.mentioned.add(seat)

    def add_sales(self, sales: Sequence[SeenEvent], *, you: bool) -> None:
        alike = [[*each] for _kind, each in groupby(sales, lambda sale: sale.facts["treasure"])]
        for n, each in enumerate(alike):
            self.add_deed(sales[0].seat, sales_text(each, you=you, further=n > 0))

    def add_sentence(self, text: str, seat: int | None) -> None:
        if not text:
            return
        self.end_sentence()
        self.sentences.append((seat, text))
        self.mentioned.add(seat)

    def end_sentence(self) -> None:
        if self._deeds and self._seat is not None:
            text = sentence(self._seat, listing(self._deeds), self._viewer, self._names)
            self.sentences.append((self._seat, text))
        self._deeds = []


@by_language
def verbs() -> Mapping[str, tuple[str, str]]:
    """The deeds in events that both games have, by kind: those of others, and the viewer's."""
    return {
        "found": (pgettext("who …", "digs"), pgettext("you …", "dig up {card}")),
        "thief": (pgettext("who …", "meets a {thief} Thief"), pgettext("you …", "meet a {thief} Thief")),
        "sandstorm": (
            pgettext("who …", "digs up a {storm} Sandstorm"),
            pgettext("you …", "dig up a {storm} Sandstorm"),
        ),
        "lost": (
            pgettext("who …", "loses {cards} to the market"),
            pgettext("you …", "lose {cards} to the market"),
        ),
        "traded": (
            pgettext("who …", "trades {give} for {take}"),
            pgettext("you …", "trade {give} for {take}"),
        ),
        "sold": (
            pgettext("who …", "sells {cards} for ${price}"),
            pgettext("you …", "sell {cards} for ${price}"),
        ),
        "explored": (
            pgettext("who …", "finds {found} in {chamber} for {maps}"),
            pgettext("you …", "find {found} in {chamber} for {maps}"),
        ),
        "passed": (pgettext("who …", "passes"), pgettext("you …", "pass")),
        "ended": (pgettext("who …", "ends the turn"), pgettext("you …", "end your turn")),
        "emptied": (
            pgettext("who …", "ends the turn with an empty hand"),
            pgettext("you …", "end your turn with an empty hand"),
        ),
    }


def sales_text(sales: Sequence[SeenEvent], *, you: bool, further: bool = False) -> str:
    """A player's sales in a row, as one deed; without the verb if they are `further` ones."""
    price = sum(sale.facts["price"] for sale in sales)
    cards = card.sets([(sale.facts["treasure"], sale.facts["count"]) for sale in sales])
    text = _("{cards} for ${price}") if further else verbs()["sold"][you]
    return text.format(cards=cards, price=price)


def deed(event: SeenEvent, you: bool, viewer: int | None, names: Names) -> str | None:
    """A player's deed in an event that both games have."""
    kind, facts = event.kind, event.facts
    match kind:
        case "found":
            if "treasure" not in facts:
                return verbs()[kind][False]
            # Others read it in the log of an ended match.
            text = verbs()[kind][True] if you else pgettext("who …", "digs up {card}")
            return text.format(card=card.cards([(facts["treasure"], 1)]))
        case "stolen":
            return _stolen(facts, viewer, names)
        case "thief" | "sandstorm":
            text = verbs()[kind][you].format(thief=card.THIEF, storm=card.SANDSTORM)
            return text + (_(" (the last one)") if kind == "thief" and facts.get("last") else "")
        case "lost" | "traded":
            given = {name: card.cards(facts[name]) for name in ("cards", "give", "take") if name in facts}
            if facts.get("short"):
                given["give"] = card.number_of_cards(sum(n for _kind, n in facts["give"]))
            return verbs()[kind][you].format(**given)
        case "passed" | "ended":
            return verbs()["emptied" if facts.get("empty") else kind][you]
        case _:
            return None


def _stolen(facts: Mapping[str, Any], viewer: int | None, names: Names) -> str:
    victim = facts["victim"]
    if "treasure" not in facts:
        return pgettext("who …", "steals a card from {victim}").format(victim=names.bold(victim))
    stolen = card.cards([(facts["treasure"], 1)])
    if viewer == victim:
        return pgettext("who …", "steals {card} from you").format(card=stolen)
    text = pgettext("you …", "steal {card} from {victim}")
    if viewer is None:
        text = pgettext("who …", "steals {card} from {victim}")
    return text.format(card=stolen, victim=names.bold(victim))
