"""The alt texts of the pictures.

Pictures know no players' names: a company is called by its token.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.art.picture import ALT_TEXT
from bot.language import counted_noun, listing, ngettext, pgettext
from bot.language import gettext as _
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.catalogue import Card
from engine.artifacts_inc.choices import counted_museums, dice_of, majority, museum_points, next_dive
from engine.artifacts_inc.company import LOWER, UPPER
from engine.artifacts_inc.state import ACT, FREE, View, finds
from engine.artifacts_inc.state import company as cards_of


class Said(NamedTuple):
    """A sentence, and what is said in its place where there is no room for it; nothing, if that is empty."""

    whole: str
    short: str = ""


def fitted(sentences: Sequence[Said], room: int = ALT_TEXT) -> str:
    """The sentences, in at most so many characters: where that is too little room, the last ones are cut first."""
    said = [sentence.whole for sentence in sentences]
    for number in reversed(range(1, len(said))):
        if len(" ".join(filter(None, said))) <= room:
            break
        said[number] = sentences[number].short
    text = " ".join(filter(None, said))
    return text if len(text) <= room else text[: room - 1] + "…"


def seat(number: int) -> str:
    """A company by its token, as the subject of a sentence."""
    return (
        pgettext("company", "the blue circle"),
        pgettext("company", "the orange diamond"),
        pgettext("company", "the green square"),
        pgettext("company", "the red triangle"),
    )[number]


def begun(text: str) -> str:
    """A sentence that begins with a capital letter, whatever its first word is."""
    return text[:1].upper() + text[1:]


def _dice(faces: Sequence[int]) -> str:
    return ", ".join(map(str, faces))


def _goods(view: View, number: int) -> list[str]:
    held = [name.counted(kind, n) for kind, n in enumerate(view.artifacts[number]) if n]
    return held + [
        _("{n} × {thing}").format(n=n, thing=name.find(kind))
        for kind, n in enumerate(finds(view, number))
        if n
    ]


def price(card: Card) -> str:
    """The price of a card: "$3", or "$3 and 1 Scroll"."""
    parts = [f"${card.dollars}"]
    if card.scrolls:
        parts.append(name.counted(SCROLL, card.scrolls))
    return listing(parts)


SCROLL: Final = 1
"""The kind of artifact that some cards cost."""


# -- the table


def table(view: View) -> str:
    """The alt text of the table's picture."""
    n = sum(map(len, view.offers))
    return fitted(
        [
            Said(_turn(view)),
            *(
                Said(f"{_company(view, number)}{_cards(view, number)}", _company(view, number))
                for number in range(view.seats)
            ),
            Said(_museums(view)),
            Said(_dive(view)),
            Said(_offers(view), ngettext("{n} card is on offer.", "{n} cards are on offer.", n).format(n=n)),
        ]
    )


def _turn(view: View) -> str:
    if view.outcome is not None:
        winners = listing([seat(number) for number in view.outcome.winners])
        return _("The match is over, and the laurel marks who has won: {winners}.").format(winners=winners)
    text = _("The table in round {n}.").format(n=view.round)
    if not view.pending:
        return text
    if view.phase != ACT:
        return f"{text} " + _("Now {company} rolls the dice.").format(company=seat(view.active))
    text += " " + _("Now {company} plays.").format(company=seat(view.active))
    return " ".join(filter(None, [text, _in_hand(view), _placed(view)]))


def _in_hand(view: View) -> str:
    return _("Dice in hand: {dice}.").format(dice=_dice(view.dice)) if view.dice else ""


def _placed(view: View) -> str:
    lying = [
        _("{die} on {card}").format(die=face, card=name.card_name(view.catalogue.cards[space.card]))
        for space, face in zip(view.covered, view.laid, strict=True)
    ]
    if view.dived:
        lying.append(_("{dice} on a dive").format(dice=_dice(view.dived)))
    return _("Placed: {dice}.").format(dice=listing(lying)) if lying else ""


def _company(view: View, number: int) -> str:
    more = museum_points(view, number) if view.outcome is None else 0  # then they are counted
    has = listing(
        [
            _("{n} reputation").format(n=view.reputation[number]),
            *([_("{n} more from museums as they stand").format(n=more)] if more else []),
            f"${view.dollars[number]}",
            counted_noun("{n} card", "{n} cards", len(view.sides[number])),
            name.number_of_dice(dice_of(view, number)),
            *_goods(view, number),
        ]
    )
    return begun(_("{company} has {things}.").format(company=seat(number), things=has))


def _cards(view: View, number: int) -> str:
    """The cards of a company beside its starting cards, after a space; empty where it has none."""
    cards = [
        name.card_name(held.card) + name.level_mark(held.level)
        for held in cards_of(view, number)
        if held.level > 1 or held.card.number not in view.catalogue.start
    ]
    return " " + _("Its cards: {cards}.").format(cards=listing(cards)) if cards else ""


def _museums(view: View) -> str:
    parts: list[str] = []
    for number, orders in enumerate(view.orders):
        card = view.catalogue.cards[number]
        free = [
            size
            for size, filled in zip(view.catalogue.orders(number, view.seats), orders, strict=True)
            if filled == FREE
        ]
        text = _("{museum}: free orders for {orders}") if free else _("{museum}: no free order")
        leads = majority(view, number)
        if leads is not None:
            text += ", " + _("first is {company}").format(company=seat(leads))
        parts.append(text.format(museum=name.card_name(card), orders=_dice(free)))
    return "; ".join(parts) + "."


def _dive(view: View) -> str:
    top = next_dive(view)
    if top is None:
        return _("All dives have been completed.")
    return _("The next dive takes {n} and finds {find}.").format(n=top.number, find=name.find(top.find))


def _offers(view: View) -> str:
    if not any(view.offers):
        return _("Nothing is on offer.")
    shown = [
        _("{card} for {price}").format(card=_times(name.card_name(card), count), price=price(card))
        for card, count in _offered(view)
    ]
    return _("On offer: {cards}.").format(cards=listing(shown))


def _offered(view: View) -> list[tuple[Card, int]]:
    return [
        (view.catalogue.cards[number], offer.count(number))
        for offer in view.offers
        for number in dict.fromkeys(offer)
    ]


def _times(text: str, count: int) -> str:
    return _("{n} × {thing}").format(n=count, thing=text) if count > 1 else text


def offers(view: View) -> str:
    """The alt text of the picture of the cards on offer."""
    if not any(view.offers):
        return _("Nothing is on offer.")
    cards = [
        _("{card} for {price}: {first} reputation at level 1, {second} at level 2").format(
            card=_times(name.card_name(card), count),
            price=price(card),
            first=card.side(1).reputation,
            second=card.side(2).reputation,
        )
        for card, count in _offered(view)
    ]
    return fitted(
        [Said(_("The cards on offer, each with its two sides.")), Said("; ".join(cards) + ".", _offers(view))]
    )


# -- a company


def company(view: View, number: int, ghosts: int = 0) -> str:
    """The alt text of a company's picture. `ghosts`: how many empty places it shows."""
    sentences = [Said(_("This is your company."))] if view.viewer == number else []
    sentences.append(Said(_company(view, number)))
    if (view.phase == ACT or ghosts) and number == view.active:
        sentences += [Said(text) for text in (_in_hand(view), _placed(view)) if text]
    if ghosts:
        text = ngettext(
            "A new card can lie in {n} numbered place.", "A new card can lie in {n} numbered places.", ghosts
        )
        sentences.append(Said(text.format(n=ghosts)))
    for row, text in (
        (UPPER, _("Its upper row, from left to right: {cards}.")),
        (LOWER, _("Its lower row: {cards}.")),
    ):
        lying = sorted(
            (held for held in cards_of(view, number) if held.place.row == row), key=lambda held: held.place
        )
        if not lying:
            continue
        cards: list[str] = []
        for held in lying:
            called = name.card_name(held.card) + name.level_mark(held.level)
            on_it = [name.counted(kind, n) for kind, n in enumerate(held.artifacts) if n]
            cards.append(
                _("{card} with {artifacts}").format(card=called, artifacts=listing(on_it))
                if on_it
                else called
            )
        short = ngettext("{n} card lies in this row.", "{n} cards lie in this row.", len(lying))
        sentences.append(Said(text.format(cards=listing(cards)), short.format(n=len(lying))))
    return fitted(sentences)


# -- the beginning and the end


def banner() -> str:
    """The alt text of the lobby's picture."""
    return _(
        "New York, 1929: a biplane crosses the sky above the museum and the towers of the city. On the quay lie a statue, "
        "a bone, an amphora, and crates from all over the world."
    )


def podium(view: View) -> str:
    """The alt text of the result's picture."""
    outcome = view.outcome
    assert outcome is not None
    order = sorted(range(view.seats), key=lambda number: (outcome.ranks[number], number))
    places = [
        _("{rank}. {company}, {n} reputation").format(
            rank=outcome.ranks[number], company=seat(number), n=outcome.scores[number]
        )
        for number in order
    ]
    sentences = [Said(_("A podium with the companies: {places}.").format(places="; ".join(places)))]
    led = [
        f"{name.card_name(view.catalogue.cards[each.museum])}: {seat(each.seat)}"
        for each in counted_museums(view)
    ]
    sentences += [Said("; ".join(led) + ".")] if led else []
    return fitted(sentences)
