"""A second verifier, written from docs/record.md alone: the standard library, that page, and nothing of the engine's.

It reads the card lists from the page and its appendices. Here stand records, chance, and the games of the Archaeology
family; each other game has a module `record_oracle` in its folder of `tests/engine`, which is found there (`Apart`).
`check` takes a record's bytes and returns the match that it replays, or raises `Unsound`. It is slow and plain on
purpose: what the page leaves out would show here.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeVar, cast

DOCS = Path(__file__).parents[2] / "docs"
PAGE_FILES = (DOCS / "fairness.md", DOCS / "record.md", *sorted((DOCS / "examples").glob("*.md")))

MONUMENTS = ("great_pyramid", "temple", "tomb", "mine", "sphinx", "ruins")
CHAMBERS = {
    "archaeology": ((3, 5, 7), (1, 2, 3)),
    "great_pyramid": ((2, 5, 8), (1, 2, 3)),
    "temple": ((5, 5, 5), (2, 2, 2)),
    "tomb": ((7, 8), (1, 1)),
    "mine": ((15,), (1,)),
    "sphinx": ((15,), (1,)),
    "ruins": ((1, 1, 1), (1, 1, 1)),
}
"""Cards laid into the chambers, and Maps to explore them."""
KEYS = {
    "form", "game", "version", "scheme", "card_list", "options", "seats", "commitment", "host_seed", "contributions",
    "moves", "end",
}  # fmt: skip
"""The fields of a record."""
PARTS = {
    "dig": (),
    "steal": ("victim",),
    "discard": ("cards",),
    "use_tent": ("use",),
    "keep": ("cards",),
    "turn_up": (),
    "stop": (),
    "trade": ("give", "take"),
    "explore": ("chamber",),
    "sell": ("treasure", "count"),
    "end_turn": (),
    "guess": ("treasures",),
    "look_at": ("chamber",),
}
"""The fields of a move beside its kind."""

Cards = Counter[str]
T = TypeVar("T")


class Played(Protocol):
    """A match that a module of its own tells."""

    def may(self, seat: int, move: dict[str, Any]) -> bool:
        """Whether this is a move, and legal for this seat now."""
        ...

    def make(self, seat: int, move: dict[str, Any]) -> None:
        """Makes a legal move."""
        ...

    def end(self) -> dict[str, list[int]] | None: ...


class Apart(Protocol):
    """The module `record_oracle` of a game that is not of the Archaeology family."""

    @property
    def GAME(self) -> str:
        """The game's key."""
        ...

    @property
    def SEATS(self) -> range: ...

    def card_list(self) -> Any:
        """The card list of the page or its appendix; None for a game that has none."""
        ...

    def are_options(self, options: Mapping[str, Any]) -> bool:
        """Whether a record may have these options."""
        ...

    def begin(self, seats: int, options: Mapping[str, Any], key: bytes) -> Played: ...


def _modules() -> Iterator[Apart]:
    folder = Path(__file__).parent
    for file in sorted(folder.glob("*/record_oracle.py")):
        yield cast("Apart", import_module(f"tests.engine.{file.parent.name}.record_oracle"))


APART = {module.GAME: module for module in _modules()}
"""The games that have modules of their own."""
SEATS = {"archaeology": range(2, 5), "expedition": range(2, 6)} | {
    key: each.SEATS for key, each in APART.items()
}


class Unsound(Exception):
    """The record does not check."""


class NoRecord(Unsound):
    """The data are no record, or one that cannot be checked here."""


def blocks_of(page: str) -> dict[str, str]:
    """A page's code blocks that have a name: "archaeology deck" stands after the language."""
    return dict(re.findall(r"^```\w+ ([^\n]+)\n(.*?)^```$", page, re.M | re.S))


RECORDS = {file.stem: file for file in sorted((DOCS / "examples").glob("*.json"))}
"""The file with the record of each example, by the game."""
BLOCKS = {f"{key} record": file.read_text(encoding="utf-8") for key, file in RECORDS.items()}
for file in PAGE_FILES:
    BLOCKS |= blocks_of(file.read_text(encoding="utf-8"))


# -- chance


class Chance:
    """The streams under a match's key."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.used: Counter[str] = Counter()
        self.passed_over = 0

    def block(self, name: str, n: int) -> bytes:
        return hmac.digest(self.key, f"{name}:{n}".encode("ascii"), "sha256")

    def _words(self, name: str) -> Iterator[int]:
        while True:
            block = self.block(name, self.used[name])
            self.used[name] += 1
            for at in range(0, 32, 4):
                yield int.from_bytes(block[at : at + 4], "big")

    def _below(self, bound: int, words: Iterator[int]) -> int:
        limit = 2**32 - 2**32 % bound
        while (word := next(words)) >= limit:
            self.passed_over += 1
        return word % bound

    def draw(self, name: str, bound: int) -> int:
        return self._below(bound, self._words(name))

    def shuffle(self, name: str, cards: list[str]) -> None:
        words = self._words(name)
        for place in range(len(cards) - 1, 0, -1):
            other = self._below(place + 1, words)
            cards[place], cards[other] = cards[other], cards[place]


# -- reading


def _refuse(why: str) -> NoReturn:
    raise Unsound(why)


def _need(holds: object, why: str) -> None:
    if not holds:
        raise Unsound(why)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _need(len({key for key, _ in pairs}) == len(pairs), "a key stands twice")
    _need(len(pairs) <= 100, "too many keys")
    return dict(pairs)


def _a(kind: type[T], value: object) -> T:
    """The value, which is of exactly this kind: true is no integer, and 1.0 neither."""
    if type(value) is not kind:
        raise Unsound(f"{value!r} is not of the kind that it should be")
    return value  # type: ignore[return-value]


def _integer(value: object, least: int, most: int) -> int:
    number = _a(int, value)
    _need(least <= number <= most, f"{number} is out of range")
    return number


def _matches(pattern: str, value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def read(data: bytes) -> dict[str, Any]:
    """The record, of the form that the page gives. Raises `Unsound`."""
    with _or_no_record():
        record = _read_form(data)
    seed = bytes.fromhex(record["host_seed"])
    _need(hashlib.sha256(seed).hexdigest() == record["commitment"], "another seed was promised")
    with _or_no_record():
        _need_known(record)
    seats = record["seats"]
    _need(len(seats) in SEATS[record["game"]], "number of seats")
    _read_options(record["game"], record["options"])
    if record["end"] is not None:
        _need(all(len(part) == len(seats) for part in record["end"].values()), "end")
    _read_contributions(record["contributions"], seats, record["scheme"])
    for seat, _move in record["moves"]:
        _integer(seat, 0, len(seats) - 1)
    return record


@contextmanager
def _or_no_record() -> Iterator[None]:
    try:
        yield
    except Unsound as error:
        raise NoRecord(str(error)) from None


def _need_known(record: dict[str, Any]) -> None:
    """Raises `Unsound` where the page does not describe the record's game, version, scheme or cards."""
    _integer(record["version"], 1, 1)
    _integer(record["scheme"], 2, 4)
    _need(record["game"] in SEATS, "another game")
    _need(record["card_list"] == digest(record["game"]), "another card list")


def _read_form(data: bytes) -> dict[str, Any]:
    """The data, of the form of a record of some match."""
    _need(len(data) <= 16 * 2**20, "too large")
    _need(not data.startswith(b"\xef\xbb\xbf"), "a byte-order mark")
    try:
        record = json.loads(
            data.decode("utf-8"), object_pairs_hook=_object, parse_constant=lambda name: _refuse(name)
        )
        json.dumps(record, ensure_ascii=False).encode("utf-8")  # half a character cannot be written
    except (ValueError, RecursionError):
        raise Unsound("no JSON") from None
    record = _a(dict, record)
    _need(set(record) == KEYS, "other keys")
    _integer(record["form"], 1, 1)
    for name in ("version", "scheme"):
        _integer(record[name], 0, 1_000_000)
    for name in ("game", "card_list"):
        _need(len(_a(str, record[name])) <= 40, name)
    for name in ("commitment", "host_seed"):
        _need(_matches("[0-9a-f]{64}", record[name]), name)
    seats = _a(list, record["seats"])
    _need(1 <= len(seats) <= 100, "number of seats")
    _need(all(_matches("person|agent(:[a-z0-9_-]{1,30})?", seat) for seat in seats), "seats")
    _a(dict, record["options"])
    if record["end"] is not None:
        _read_end(_a(dict, record["end"]))
    contributions = [_pair(pair) for pair in _a(list, record["contributions"])]
    _need(len(contributions) <= 100, "too many contributions")
    for source, value in contributions:
        _need(len(_a(str, source)) <= 40 and len(_a(str, value)) <= 2_000, "a contribution")
    moves = [_pair(pair) for pair in _a(list, record["moves"])]
    _need(len(moves) <= 100_000, "too many moves")
    for seat, move in moves:
        _integer(seat, 0, 99)
        _a(dict, move)
    return record


def _pair(value: object) -> list[Any]:
    pair = _a(list, value)
    _need(len(pair) == 2, "a pair")
    return pair


def _read_options(game: str, options: dict[str, Any]) -> None:
    if game in APART:
        _need(APART[game].are_options(options), "options")
        return
    _need(set(options) <= ({"monument"} if game == "expedition" else set()), "options")
    monument = options.get("monument")
    _need(monument is None or _a(str, monument) in MONUMENTS, "the monument")


def _read_end(end: dict[str, Any]) -> None:
    _need(set(end) == {"ranks", "scores"}, "end")
    for part, (least, most) in (("ranks", (0, 99)), ("scores", (-1_000_000, 1_000_000))):
        _need(len(_a(list, end[part])) <= 100, "end")
        for value in end[part]:
            _integer(value, least, most)


def _read_contributions(pairs: list[list[Any]], seats: list[str], scheme: int) -> None:
    if scheme == 3:
        _need(len(pairs) == 1 and pairs[0][0] == "day", "not a day alone")
        _need(_matches("[0-9]{4}-[0-9]{2}-[0-9]{2}", pairs[0][1]), "no date")
        _year, month, day = pairs[0][1].split("-")
        _need(1 <= int(month) <= 12 and 1 <= int(day) <= 31, "no date")
        return
    _need(pairs and pairs[0][0] == "start", "no start message")
    start = pairs[0][1]
    _need(_matches("[1-9][0-9]{0,19}", start) and int(start) < 2**64, "no message's id")
    last = 0
    for source, word in pairs[1:]:
        _need(_matches("seat [1-9][0-9]?", source), "no seat")
        number = int(source.removeprefix("seat "))
        _need(last < number <= len(seats), "seats ascending, each once")
        last = number
        if scheme == 2:
            _need(seats[number - 1] == "person", "a word of a seat without a person")
        _need(_is_word(word), "a word")


def _is_word(word: str) -> bool:
    if not 1 <= len(word) <= 64 or word != word.strip(" ") or "  " in word:
        return False
    joiners = "\u200c\u200d"
    if word[0] in joiners or word[-1] in joiners or re.search(f"[ {joiners}][{joiners}]", word):
        return False
    for character in word:
        category = unicodedata.category(character)
        if character.isspace() and character != " ":
            return False
        if category in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") and character not in joiners:
            return False
        if category == "Cn" and (ord(character) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(character) <= 0xFDEF):
            return False  # no character for ever, in whatever Unicode
    return True


# -- cards


def digest(game: str) -> str:
    """The digest of the page's card list, of its canonical text; empty for a game that has no cards."""
    if game in APART:
        listed = APART[game].card_list()
        if listed is None:
            return ""
        text = json.dumps(listed, sort_keys=True)
    else:
        text = BLOCKS[f"{game}-card-list"].rstrip("\n")
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def canonical(pairs: list[list[str]]) -> bytes:
    """The contributions as bytes; each escape is spelt out as the page has it."""
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}

    def text(value: str) -> str:
        return '"' + "".join(short.get(c, c if c >= " " else f"\\u{ord(c):04x}") for c in value) + '"'

    return ("[" + ",".join(f"[{text(source)},{text(value)}]" for source, value in pairs) + "]").encode(
        "utf-8"
    )


def match_key(host_seed: bytes, pairs: list[list[str]]) -> bytes:
    return hmac.digest(host_seed, canonical(pairs), "sha256")


# -- the match


class Match:
    """A match of the Archaeology family. `asked` is (seat, question), None once it is over."""

    def __init__(self, game: str, seats: int, options: Mapping[str, Any], key: bytes) -> None:
        card_list: dict[str, Any] = json.loads(BLOCKS[f"{game}-card-list"])
        self.game, self.seats, self.chance = game, seats, Chance(key)
        in_play = [t for t in card_list["treasures"] if t["from_seats"] <= seats]
        self.order: list[str] = [t["key"] for t in in_play]
        self.trade: dict[str, int] = {t["key"]: t["trade"] for t in in_play}
        self.sales: dict[str, list[int]] = {t["key"]: t["sales"] for t in in_play}
        self.monument = "archaeology"
        if game == "expedition":
            self.monument = options.get("monument") or MONUMENTS[self.chance.draw("monument", len(MONUMENTS))]
        self.deck = [t["key"] for t in in_play if t["key"] != "map" for _ in range(t["copies"])]
        self.sorted_deck = self.deck.copy()
        self.chance.shuffle("deal", self.deck)
        self.shuffled = self.deck.copy()
        self.dealt: dict[str, list[str]] = {}
        self.hands = [self._deal(f"hand of seat {seat}", 4) for seat in range(seats)]
        self.market = self._deal("market", 5)
        sizes, self.costs = CHAMBERS[self.monument]
        self.chambers = [self._deal(f"chamber {n}", size) for n, size in enumerate(sizes)]
        self.pile = [self.deck.pop() for _ in range(12)] if self.monument == "ruins" else []
        self.site = self.deck + ["map"] * next(t["copies"] for t in in_play if t["key"] == "map")
        for hazard in ("thief", "sandstorm"):
            plural = {"thief": "thieves", "sandstorm": "sandstorms"}[hazard]
            self.site += [hazard] * card_list[plural]["by_seats"][str(seats)]
        self.site_before = self.site.copy()
        self.chance.shuffle("site", self.site)
        self.site_after = self.site.copy()
        self.active = self.chance.draw("first", seats)
        self.tents = [game == "expedition"] * seats
        self.sold: list[list[tuple[str, int]]] = [[] for _ in range(seats)]
        self.row: list[int] = []
        self.count = 0
        self.dry = self.acted = self.fruitful = self.must_sell = self.explored = self.look = False
        self.sheltered: set[int] = set()
        self.queue: list[tuple[int, str]] = []
        self.turned: list[str] = []
        self.sphinx: list[str] = []
        self.opened = 0
        self.asked: tuple[int, str] | None = (self.active, "dig")

    def _deal(self, name: str, number: int) -> Cards:
        self.dealt[name] = [self.deck.pop() for _ in range(number)]
        return Counter(self.dealt[name])

    def counted(self, cards: Cards) -> list[str]:
        """Cards one by one, in the order of the treasures."""
        return [key for key in self.order for _ in range(cards[key])]

    def value(self, cards: Mapping[str, int]) -> int:
        return sum(self.trade[key] * n for key, n in cards.items())

    # -- moves

    def play(self, seat: int, move: dict[str, Any]) -> None:
        """Makes a move. Raises `Unsound` where it is none or not legal."""
        _need(self.asked, "the match is over")
        assert self.asked
        _need(seat == self.asked[0], "another seat is asked")
        answers: dict[str, dict[str, Callable[..., None]]] = {
            "dig": {"dig": self._dig},
            "steal": {"steal": self._steal},
            "sandstorm": {"discard": self._discard},
            "tent": {"use_tent": self._use_tent},
            "keep": {"keep": self._keep},
            "mine": {"turn_up": self._turn_up, "stop": self._stop},
            "act": {
                "trade": self._trade,
                "explore": self._explore,
                "sell": self._sell,
                "end_turn": self._end_turn,
            },
        }
        if self.game == "expedition":
            answers["act"] |= {"guess": self._guess, "look_at": self._look_at}
        kind = _a(str, move.get("kind"))
        _need(kind in answers[self.asked[1]], "no answer to what is asked")
        _need(set(move) == {"kind", *PARTS[kind]}, "other parts")
        look, self.look = self.look, False
        _need(look or kind != "look_at", "no look is offered")
        answers[self.asked[1]][kind](*(move[part] for part in PARTS[kind]))

    def _cards(self, cards: object, source: Cards) -> Cards:
        """The cards that an object of counts names, all of them there."""
        named = _a(dict, cards)
        for key, n in named.items():
            _need(key in self.order and _integer(n, 1, 99) <= source[key], "cards that are not there")
        return Counter(named)

    def _dig(self) -> None:
        card = self.site.pop()
        if card == "thief":
            victims = [s for s in range(self.seats) if s != self.active and self.hands[s].total()]
            if len(victims) > 1:
                self.asked = (self.active, "steal")
                return
            if victims:
                self._take_from(victims[0])
        elif card == "sandstorm":
            self._strike()
            return
        else:
            self.hands[self.active][card] += 1
        self._go_on()

    def _steal(self, victim: object) -> None:
        seat = _integer(victim, 0, self.seats - 1)
        _need(seat != self.active and self.hands[seat].total(), "no victim")
        self._take_from(seat)
        self._go_on()

    def _take_from(self, victim: int) -> None:
        cards = self.counted(self.hands[victim])
        card = cards[self.chance.draw("thief", len(cards))]
        self.hands[victim][card] -= 1
        self.hands[self.active][card] += 1

    def _strike(self) -> None:
        if self.monument == "ruins" and self.pile:
            for chamber in self.chambers:
                chamber[self.pile.pop()] += 1
        first = self.active + (self.game == "expedition")
        order = [(first + n) % self.seats for n in range(self.seats)]
        hit = [seat for seat in order if self.hands[seat].total() >= 2]
        self.sheltered = set()
        self.queue = [(seat, "tent") for seat in hit if self.tents[seat]]
        self.queue += [(seat, "sandstorm") for seat in hit]
        self._next_in_storm()

    def _next_in_storm(self) -> None:
        while self.queue:
            seat, question = self.queue.pop(0)
            if seat not in self.sheltered:
                self.asked = (seat, question)
                return
        if self.site:
            self.asked = (self.active, "dig")
        else:
            self._go_on()

    def _use_tent(self, use: object) -> None:
        assert self.asked
        if _a(bool, use):
            self.tents[self.asked[0]] = False
            self.sheltered.add(self.asked[0])
        self._next_in_storm()

    def _discard(self, cards: object) -> None:
        assert self.asked
        hand = self.hands[self.asked[0]]
        lost = self._cards(cards, hand)
        _need(lost.total() == hand.total() // 2, "half of the hand")
        hand.subtract(lost)
        self.market.update(lost)
        self._next_in_storm()

    def _trade(self, give: object, take: object) -> None:
        hand = self.hands[self.active]
        given, taken = self._cards(give, hand), self._cards(take, self.market)
        _need(given and taken and self.value(given) >= self.value(taken), "a fair trade")
        for cards, source, target in ((given, hand, self.market), (taken, self.market, hand)):
            source.subtract(cards)
            target.update(cards)
        self.acted = True
        self.row.clear()

    def _sell(self, treasure: object, count: object) -> None:
        hand, key = self.hands[self.active], _a(str, treasure)
        _need(key in self.order, "no treasure")
        n = _integer(count, 1, min(hand[key], len(self.sales[key])))
        hand[key] -= n
        self.sold[self.active].append((key, n))
        self.acted = self.fruitful = True
        self.row.clear()
        if self.dry:
            self.count = 0
        self.must_sell = False
        if self.monument == "temple":
            going_on = self.site or any(hand.total() for hand in self.hands)
            self.look = bool(going_on) and any(chamber.total() for chamber in self.chambers)
        if not self.look:
            self._go_on()

    def _end_turn(self) -> None:
        _need(not self.must_sell, "must sell")
        self._close_turn()

    # -- exploring

    def _spend(self, number: object) -> Cards:
        """Spends the Maps for a chamber that may be explored, and returns it."""
        _need(not (self.game == "expedition" and self.explored), "explored already")
        at = _integer(number, 0, len(self.chambers) - 1)
        hand, chamber = self.hands[self.active], self.chambers[at]
        _need(chamber.total() and hand["map"] >= self.costs[at], "cannot be explored")
        hand["map"] -= self.costs[at]
        self.explored = self.acted = self.fruitful = True
        self.row.clear()
        self.count = 0
        return chamber

    def _explore(self, chamber: object) -> None:
        _need(self.monument != "sphinx", "the Sphinx is asked")
        cards = self._spend(chamber)
        if self.monument == "mine":
            self._turn_up()
        elif self.monument == "tomb" and cards.total() > 2:
            self.opened = _a(int, chamber)
            self.asked = (self.active, "keep")
        else:
            self._gain(cards, Counter(cards))
            self._go_on()

    def _gain(self, source: Cards, cards: Cards) -> None:
        self.hands[self.active].update(cards)
        source.subtract(cards)

    def _guess(self, treasures: object) -> None:
        _need(self.monument == "sphinx", "there is no Sphinx")
        named = [_a(str, key) for key in _pair(treasures)]
        _need(all(key in self.order for key in named) and named[0] != named[1], "two treasures in play")
        chamber = self._spend(0)
        cards = self.counted(chamber)
        self.chance.shuffle("sphinx", cards)
        self.sphinx = cards
        self._gain(chamber, Counter(card for card in cards[-5:] if card in named))
        self._go_on()

    def _look_at(self, chamber: object) -> None:
        at = _integer(chamber, 0, len(self.chambers) - 1)
        _need(self.chambers[at].total(), "an empty chamber")
        self._go_on()

    def _keep(self, cards: object) -> None:
        chosen = self._cards(cards, self.chambers[self.opened])
        _need(chosen.total() == 2, "two cards")
        self._gain(self.chambers[self.opened], chosen)
        self._go_on()

    def _turn_up(self) -> None:
        chamber = self.chambers[0]
        cards = self.counted(chamber)
        card = cards[self.chance.draw("mine", len(cards))]
        chamber[card] -= 1
        self.turned.append(card)
        worth = sum(self.trade[key] for key in self.turned)
        if worth > 5:
            chamber.update(self.turned)
            self.turned = []
            self._go_on()
        elif worth == 5 or not chamber.total():
            self._stop()
        else:
            self.asked = (self.active, "mine")

    def _stop(self) -> None:
        self.hands[self.active].update(self.turned)
        self.turned = []
        self._go_on()

    # -- turns

    def _go_on(self) -> None:
        """To the actions; who holds no card has ended the turn, or the match."""
        if self.hands[self.active].total():
            self.asked = (self.active, "act")
        elif self.site or any(hand.total() for hand in self.hands):
            self._close_turn()
        else:
            self.asked = None

    def _close_turn(self) -> None:
        if self.dry:
            if not self.acted:
                self.row.append(self.active)
            if not self.fruitful:
                self.count += 1
        self.acted = self.fruitful = self.explored = self.must_sell = False
        self.active = (self.active + 1) % self.seats
        if self.site:
            self.asked = (self.active, "dig")
            return
        while not self.hands[self.active].total():
            self.active = (self.active + 1) % self.seats
        self.dry = True
        holders = sum(1 for hand in self.hands if hand.total())
        self.must_sell = len(self.row) >= holders or self.count >= 3 * holders
        self.asked = (self.active, "act")

    def end(self) -> dict[str, list[int]] | None:
        if self.asked:
            return None
        scores = [sum(self.sales[key][n - 1] for key, n in sets) for sets in self.sold]
        keys = [(score, -sum(n for _, n in sets)) for score, sets in zip(scores, self.sold, strict=True)]
        return {"ranks": [1 + sum(other > key for other in keys) for key in keys], "scores": scores}


class ToldApart:
    """A match of another module that takes moves as a `Match` does."""

    def __init__(self, played: Played) -> None:
        self.played = played
        self.end = played.end

    def play(self, seat: int, move: dict[str, Any]) -> None:
        """Makes a move. Raises `Unsound` where it is none or not legal."""
        _need(self.played.may(seat, move), "no legal move")
        self.played.make(seat, move)


def begin(record: Mapping[str, Any]) -> Match | ToldApart:
    """The match of a record that was read, before its first move."""
    key = match_key(bytes.fromhex(record["host_seed"]), record["contributions"])
    seats, options = len(record["seats"]), record["options"]
    game = record["game"]
    if game in APART:
        return ToldApart(APART[game].begin(seats, options, key))
    return Match(game, seats, options, key)


def check(data: bytes) -> Match | ToldApart:
    """The match that a record leads to. Raises `Unsound` unless all of the record holds and the match is over."""
    record = read(data)
    match = begin(record)
    for seat, move in record["moves"]:
        match.play(seat, move)
    _need(match.end() == record["end"], "another end")
    _need(record["end"], "unfinished")
    return match
