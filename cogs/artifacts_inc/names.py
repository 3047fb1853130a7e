"""Names and emoji of things: dice, artifacts, finds, cards, companies.

A picture never stands alone where a word has room. Dice are shown as digits: the pips of ⚀ to ⚅ are hard to tell apart
on a phone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bot.language import Phrase, counted_noun, listing, mark, noun, phrase
from bot.language import gettext as _
from bot.ui.screens.kit import SEATS, escape, utf16_length
from bot.ui.screens.kit import dice as dice
from bot.ui.screens.kit import die as die
from bot.ui.screens.names import NO_BREAK
from engine.artifacts_inc.card_list import ARTIFACTS, FINDS
from engine.artifacts_inc.catalogue import Card, Catalogue

DIE: Final = "🎲"
REPUTATION: Final = "⭐"
MONEY: Final = "💰"
DIVING: Final = "🤿"
MUSEUM: Final = "🏛️"
COMPANY: Final = "🎩"
CARDS: Final = "🗂️"
BUYING: Final = "🛒"
IMPROVING: Final = "⬆️"
ARTIFACT: Final = ("🦴", "📜", "🗿", "💎")
FIND: Final = ("🏺", "🪙", "🔱")
SEAT: Final = SEATS
"""A company's mark and its cubes: told apart by their shape, and not by their colour alone."""

UNBROKEN: Final = 22
"""Characters that a phone always shows in one line beside others; longer names may be broken."""

LEVELS: Final = ("I", "II")
"""The levels of a card."""

_ARTIFACTS: Final[tuple[Callable[[int], Phrase], ...]] = (
    lambda n: counted_noun("{n} Fossil", "{n} Fossils", n),
    lambda n: counted_noun("{n} Scroll", "{n} Scrolls", n),
    lambda n: counted_noun("{n} Statue", "{n} Statues", n),
    lambda n: counted_noun("{n} Gem", "{n} Gems", n),
)
assert len(_ARTIFACTS) == len(ARTIFACT) == len(ARTIFACTS)
assert len(FIND) == len(FINDS)

BUILT_IN: Final = frozenset(
    {
        mark("Fossil Museum"),
        mark("Scroll Museum"),
        mark("Statue Museum"),
        mark("Gem Museum"),
        mark("Private Collectors"),
        mark("Guide Work"),
        mark("Desert Expedition"),
        mark("Canyon Expedition"),
        mark("Headquarters"),
        mark("Adventurers"),
        mark("Mountain Expedition"),
        mark("Jungle Expedition"),
        mark("Dig Camp"),
        mark("Antiquarian"),
        mark("Field Office"),
        mark("Auction House"),
        mark("Biplane"),
        mark("Curator's Office"),
        mark("Diving Bell"),
        mark("Caravan"),
        mark("Explorers' Club"),
        mark("Research Institute"),
        mark("Salvage Fleet"),
        mark("Grand Hall"),
        mark("World Exhibition"),
        mark("Hired Adventurers"),
        mark("Airfield"),
    }
)
"""The names of the cards that come with the game. Others are an owner's, and shown as they are."""


def card_name(card: Card) -> str:
    """A card's name, translated where it is one of the game's own."""
    return _(card.name) if card.name in BUILT_IN else card.name


def written(card: Card) -> str:
    """A card's name for Markdown texts."""
    return escape(card_name(card))


def name_of(catalogue: Catalogue, key: str, *, priced: bool = False) -> str:
    """The name of the card that a log line names, also with its price; its key where there is no such card any more."""
    number = catalogue.numbers.get(key)
    if number is None:
        return escape(key)
    card = catalogue.cards[number]
    return f"{written(card)} · {cost(card)}" if priced else written(card)


def level_mark(level: int) -> str:
    """The suffix of an improved card's name."""
    return f" {LEVELS[1]}" if level == 2 else ""


def together(*parts: object) -> str:
    """The parts of one line, however narrow the screen is; empty parts are left out."""
    return NO_BREAK.join(filter(None, map(str, parts)))


def unbroken(text: str) -> str:
    """A text that a narrow screen does not break into two lines, where it is short enough for one."""
    return whole(text) if len(text) <= UNBROKEN else text


def whole(text: str) -> str:
    """A text that a narrow screen does not break into two lines."""
    return text.replace(" ", NO_BREAK)


def gained(reputation: int) -> str:
    """The reputation that something has brought, in one line: "⭐ +2"."""
    return together(REPUTATION, f"+{reputation}")


def sum_of(faces: Sequence[int]) -> str:
    """Dice as they are added up: "3 + 5"."""
    return " + ".join(map(str, faces))


def artifact(kind: int) -> Phrase:
    """An artifact's name."""
    return (
        noun("artifact", "Fossil"),
        noun("artifact", "Scroll"),
        noun("artifact", "Statue"),
        noun("artifact", "Gem"),
    )[kind]


def counted(kind: int, n: int) -> Phrase:
    """So many of an artifact: "2 Gems"."""
    return _ARTIFACTS[kind](n)


def goods(counts: Sequence[int]) -> Phrase:
    """Artifacts in a sentence: "🦴 2 Fossils and 💎 1 Gem"."""
    return listing(
        [
            phrase("{sign} {goods}", sign=ARTIFACT[kind], goods=counted(kind, n))
            for kind, n in enumerate(counts)
            if n
        ]
    )


def find(kind: int) -> Phrase:
    """A find's name."""
    return (noun("find", "Pottery"), noun("find", "Doubloon"), noun("find", "Sunken City"))[kind]


def number_of_dice(n: int) -> Phrase:
    """So many dice."""
    return counted_noun("{n} die", "{n} dice", n)


def own_dice(n: int) -> str:
    """So many dice with their picture, in one line."""
    return together(DIE, unbroken(number_of_dice(n)))


def cost(card: Card) -> str:
    """The price of a card: "$2", or "$2 + 1 📜"."""
    return f"${card.dollars}" + (f" + {card.scrolls} {ARTIFACT[1]}" if card.scrolls else "")


def short(text: str, room: int) -> str:
    """A text of at most so many characters, as Discord counts them: an owner's names may not fit."""
    if utf16_length(text) <= room:
        return text
    while utf16_length(text) >= room:
        text = text[:-1]
    return text + "…"
