"""The treasures' names, in the singular and the plural, their emoji, and cards and numbers in the arguments of buttons.

Arguments of buttons and values of options cannot be trusted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from bot.language import Phrase, by_language, counted_noun, listing, noun, phrase
from bot.language import gettext as _
from bot.ui.screens.game_screens import Pressed
from bot.ui.screens.names import NO_BREAK
from engine.archaeology_family.card_list import TREASURES, Bundles
from engine.archaeology_family.state import View
from engine.errors import IllegalMove

EMOJI: Final = ("🏺", "📜", "🪙", "🧿", "🍷", "🗺️", "🎭", "🪨", "📿")
THIEF: Final = "🦹"
SANDSTORM: Final = "🌪️"

_COUNTED: Final[tuple[Callable[[int], Phrase], ...]] = (
    lambda n: counted_noun("{n} Pot Shard", "{n} Pot Shards", n),
    lambda n: counted_noun("{n} Parchment Scrap", "{n} Parchment Scraps", n),
    lambda n: counted_noun("{n} Coin", "{n} Coins", n),
    lambda n: counted_noun("{n} Talisman", "{n} Talismans", n),
    lambda n: counted_noun("{n} Broken Cup", "{n} Broken Cups", n),
    lambda n: counted_noun("{n} Map", "{n} Maps", n),
    lambda n: counted_noun("{n} Pharaoh's Mask", "{n} Pharaoh's Masks", n),
    lambda n: counted_noun("{n} Broken Tablet", "{n} Broken Tablets", n),
    lambda n: counted_noun("{n} Broken Pendant", "{n} Broken Pendants", n),
)
assert len(_COUNTED) == len(EMOJI) == len(TREASURES)


@by_language
def name(kind: int) -> Phrase:
    """A treasure's name."""
    return (
        noun("treasure", "Pot Shard"),
        noun("treasure", "Parchment Scrap"),
        noun("treasure", "Coin"),
        noun("treasure", "Talisman"),
        noun("treasure", "Broken Cup"),
        noun("treasure", "Map"),
        noun("treasure", "Pharaoh's Mask"),
        noun("treasure", "Broken Tablet"),
        noun("treasure", "Broken Pendant"),
    )[kind]


@by_language
def counted(kind: int, n: int) -> Phrase:
    """A number of one treasure: "2 Coins"."""
    return _COUNTED[kind](n)


def signed(kind: int) -> Phrase:
    """A treasure's name after its emoji: "🪙 Coin"."""
    return phrase("{sign} {name}", sign=EMOJI[kind], name=name(kind))


def cards(bundles: Iterable[Sequence[int]]) -> Phrase:
    """Cards in a sentence: "🪙 2 Coins and 🗺️ 1 Map"."""
    return listing(
        [phrase("{sign} {cards}", sign=EMOJI[kind], cards=counted(kind, n)) for kind, n in bundles]
    )


def sets(bundles: Iterable[Sequence[int]]) -> Phrase:
    """Sets in a sentence, those of a treasure put together: "🪙 2 Coins ×3, 📜 5 Scraps (4 + 1) and 🗺️ 1 Map"."""
    sizes: dict[int, list[int]] = {}
    for kind, n in bundles:
        sizes.setdefault(kind, []).append(n)
    return listing([_of_a_treasure(kind, of_kind) for kind, of_kind in sizes.items()])


def _of_a_treasure(kind: int, sizes: Sequence[int]) -> Phrase:
    if len(sizes) > 1 and len(set(sizes)) == 1:
        return phrase("{cards} ×{times}", cards=cards([(kind, sizes[0])]), times=len(sizes))
    together = cards([(kind, sum(sizes))])
    if len(sizes) == 1:
        return together
    return phrase("{cards} ({sizes})", cards=together, sizes=" + ".join(map(str, sizes)))


def in_signs(bundles: Iterable[Sequence[int]], trade: Sequence[int] | None = None) -> str:
    """Cards without words, in groups that no line breaks: "🪙 ×2 (2), 🗺️ ×1 (3)"."""
    return ", ".join(
        f"{EMOJI[kind]}{NO_BREAK}×{n}" + (f"{NO_BREAK}({trade[kind]})" if trade else "")
        for kind, n in bundles
    )


def short_cards(bundles: Bundles) -> str:
    """Cards in a menu's line: "2 Coins, 1 Map"."""
    return ", ".join(counted(kind, n) for kind, n in bundles)


def fitting_cards(bundles: Bundles, room: int) -> str:
    """Cards in a menu's line or on a button: in words if these have room, otherwise with emoji."""
    words = short_cards(bundles)
    return words if len(words) <= room else ", ".join(f"{n} {EMOJI[kind]}" for kind, n in bundles)


def sold_sets(sets: Iterable[Sequence[int]], prices: Sequence[Sequence[int]]) -> str:
    """Sold sets with what each brought; equal ones are put together: "3× 🪙 2 Coins, $5 each"."""
    one, more = "{cards} ${price}", "{times}× " + _("{cards}, ${price} each")
    return " · ".join(
        (more if times > 1 else one).format(
            cards=cards([bundle]), price=prices[bundle[0]][bundle[1] - 1], times=times
        )
        for bundle, times in Counter((kind, n) for kind, n in sets).items()
    )


@by_language
def number_of_cards(n: int) -> Phrase:
    """A number of cards: "2 cards"."""
    return counted_noun("{n} card", "{n} cards", n)


NOTHING: Final = "none"
"""The value that stands for no cards."""


def first(pressed: Pressed) -> str:
    """The choice in a menu that allows only one; empty if there is none."""
    return next(iter(pressed.chosen), "")


def written(cards: Bundles) -> str:
    """The value that stands for these cards.

    >>> written(((1, 2), (3, 1)))
    '1x2,3x1'
    """
    return ",".join(f"{kind}x{n}" for kind, n in cards) or NOTHING


def read_cards(view: View, values: Sequence[str]) -> Bundles:
    """The cards that values stand for, together. Raises `IllegalMove` for values that this match does not have."""
    counts = Counter[int]()
    for value in values:
        for part in value.split(",") if value != NOTHING else ():
            kind, n = read_bundle(part)
            if kind >= len(view.trade) or not n:
                raise IllegalMove("malformed-cards")
            counts[kind] += n
    return tuple(sorted(counts.items()))


def read_bundle(value: str) -> tuple[int, int]:
    """A treasure and a number of its cards. Raises `IllegalMove`."""
    kind, _x, rest = value.partition("x")
    return read_number(kind), read_number(rest.partition(".")[0])


def read_number(text: str) -> int:
    """The number from a menu or a button. Raises `IllegalMove` if the text is not a number from 0 to 99."""
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise IllegalMove("malformed-cards")
    return int(text)
