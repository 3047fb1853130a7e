"""The rule page told a second time, slowly and from the card list's JSON alone, to be played beside the engine.

It imports nothing of the engine's: a company is a dictionary of places, a card a dictionary, moves are JSON data,
chance is HMAC from the standard library. `Oracle.may` says whether a move is legal, `Oracle.play` plays it,
`Oracle.public` tells everything that lies open.
"""

from __future__ import annotations

import hmac
import json
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

BUILT_IN: dict[str, Any] = json.loads(
    (Path(__file__).parents[3] / "engine" / "artifacts_inc" / "cards.json").read_text(encoding="utf-8")
)

ARTIFACTS = ("fossil", "scroll", "statue", "gem")
PILES = ("A", "B", "C", "D", "E")
SOURCES = ("cards", "abilities", "dives", "museums")
ORDER = ("desert_expedition", "canyon_expedition", "headquarters", "adventurers")
DOLLARS = {1: 2, 2: 3, 3: 3, 4: 4}

CODES = {
    "not-your-move",
    "unknown-move",
    "roll-first",
    "rolled-already",
    "not-the-starting-cards",
    "no-such-die",
    "no-such-card",
    "no-such-slot",
    "slot-covered",
    "requirement-unmet",
    "other-action",
    "no-such-artifact",
    "no-expedition-yields",
    "other-museum",
    "no-such-order",
    "order-filled",
    "too-few-artifacts",
    "malformed-artifacts",
    "nothing-to-sell",
    "not-on-offer",
    "too-few-dollars",
    "no-such-row",
    "place-taken",
    "place-apart",
    "turned-already",
    "dived-already",
    "no-dive-left",
    "dive-needs-dice",
    "dive-too-low",
    "no-such-ability",
    "ability-used",
    "no-such-face",
    "same-face",
    "face-out-of-reach",
    "roll-needs-dice",
}
"""Every code that a refused move may bear."""


def words(key: bytes, stream: str, block: int) -> Iterator[int]:
    """The 32-bit words of a stream from a block on."""
    for n in count(block):
        drawn = hmac.digest(key, f"{stream}:{n}".encode(), "sha256")
        for at in range(0, 32, 4):
            yield int.from_bytes(drawn[at : at + 4], "big")


def fits(face: int, requirement: str) -> bool:
    faces = {
        "any": {1, 2, 3, 4, 5, 6},
        "odd": {1, 3, 5},
        "even": {2, 4, 6},
        "6+": {6},
        "5+": {5, 6},
        "4+": {4, 5, 6},
        "3+": {3, 4, 5, 6},
        "2+": {2, 3, 4, 5, 6},
        "1+": {1, 2, 3, 4, 5, 6},
        "6-": {1, 2, 3, 4, 5, 6},
        "5-": {1, 2, 3, 4, 5},
        "4-": {1, 2, 3, 4},
        "3-": {1, 2, 3},
        "2-": {1, 2},
        "1-": {1},
    }
    return face in (faces[requirement] if requirement in faces else {int(requirement[1])})


def beside(place: tuple[str, int]) -> list[tuple[str, int]]:
    """The places left, right, above or below (R34)."""
    row, column = place
    return [(row, column - 1), (row, column + 1), ("lower" if row == "upper" else "upper", column)]


class Player:
    """A company: its cards in the order in which they came, by their places in it."""

    def __init__(self, dollars: int) -> None:
        self.dollars = dollars
        self.earned = dict.fromkeys(SOURCES, 0)
        self.cards: list[dict[str, Any]] = []

    @property
    def reputation(self) -> int:
        return sum(self.earned.values())

    def add(self, key: str, place: tuple[str, int]) -> dict[str, Any]:
        card = {"key": key, "level": 1, "place": place, "cubes": Counter[str](), "used": 0, "dice": {}}
        self.cards.append(card)
        return card

    def held(self, artifact: str) -> int:
        return sum(card["cubes"][artifact] for card in self.cards)

    def spend(self, artifact: str, n: int) -> None:
        """Takes artifacts off the card that came first (R61)."""
        for _ in range(n):
            next(card for card in self.cards if card["cubes"][artifact])["cubes"][artifact] -= 1

    def find(self, own: dict[str, Any]) -> dict[str, Any] | None:
        copies = [card for card in self.cards if card["key"] == own["card"]]
        copy = own.get("copy", 0)
        return copies[copy] if copy < len(copies) else None


class Oracle:
    """A match by the rule page."""

    def __init__(self, seats: int, key: bytes, card_list: dict[str, Any] | None = None) -> None:
        self.card_list = card_list or BUILT_IN
        self.key = key
        self.blocks: Counter[str] = Counter()
        self.assets = {card["key"]: card for card in self.card_list["start"]}
        for pile in PILES:
            self.assets |= {card["key"]: {**card, "pile": pile} for card in self.card_list["piles"][pile]}
        self.museums = {museum["artifact"]: museum for museum in self.card_list["museums"]}
        self.piles: dict[str, list[str]] = {}
        self.offers: dict[str, list[str]] = {}
        for pile in PILES:
            cards = [card["key"] for card in self.card_list["piles"][pile] for _ in range(card["copies"])]
            self._shuffle(f"pile {pile}", cards)
            size = 1 if pile in "DE" else 4
            self.offers[pile] = [cards.pop() for _ in range(min(size, len(cards)))]
            self.piles[pile] = cards
        side = "six" if seats == 2 else "nine"
        self.sizes = {artifact: museum[side] for artifact, museum in self.museums.items()}
        self.orders: dict[str, list[int | None]] = {a: [None] * len(sizes) for a, sizes in self.sizes.items()}
        self.first = self._first(seats)
        self.turns = 0
        self.players: list[Player] = []
        for seat in range(seats):
            player = Player(DOLLARS[1 + (seat - self.first) % seats])
            for column, key_ in enumerate(card["key"] for card in self.card_list["start"]):
                player.add(key_, ("upper", column))
            self.players.append(player)
        self.divers: list[int] = []
        self.dice: list[int] | None = None
        self.public_dice: dict[str, int] = {}
        self.dived: list[int] = []
        self.over = False

    # -- chance

    def _shuffle(self, stream: str, cards: list[str]) -> None:
        supply = words(self.key, stream, self.blocks[stream])
        drawn = 0
        for last in range(len(cards) - 1, 0, -1):
            while True:
                word = next(supply)
                drawn += 1
                if word < 2**32 - 2**32 % (last + 1):
                    break
            other = word % (last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        self.blocks[stream] += -(-drawn // 8)

    def _throw(self, stream: str, many: int) -> list[int]:
        """So many dice: words from a fresh block on, those passed over that would favour small numbers."""
        supply = words(self.key, stream, self.blocks[stream])
        dice: list[int] = []
        for drawn in count(1):
            word = next(supply)
            if word < 2**32 - 2**32 % 6:
                dice.append(1 + word % 6)
            if len(dice) == many:
                self.blocks[stream] += -(-drawn // 8)
                break
        return sorted(dice)

    def _first(self, seats: int) -> int:
        self.rolls: list[list[int]] = []
        rolling = list(range(seats))
        while len(rolling) > 1:
            sums: dict[int, int] = {}
            for seat in rolling:
                dice = self._throw("first", 2)
                self.rolls.append([seat, *dice])
                sums[seat] = sum(dice)
            rolling = [seat for seat in rolling if sums[seat] == max(sums.values())]
        return rolling[0]

    # -- who, when

    @property
    def round(self) -> int:
        """The match goes round the table from the first player on."""
        turns = self.turns - 1 if self.over else self.turns
        return 1 + turns // len(self.players)

    @property
    def active(self) -> int:
        turns = self.turns - 1 if self.over else self.turns
        return (self.first + turns) % len(self.players)

    @property
    def me(self) -> Player:
        return self.players[self.active]

    # -- cards

    def side(self, card: dict[str, Any]) -> dict[str, Any]:
        return self.assets[card["key"]]["sides"][card["level"] - 1]

    def finds(self, seat: int) -> Counter[str]:
        taken = zip(self.card_list["dives"], self.divers, strict=False)
        return Counter(dive["find"] for dive, diver in taken if diver == seat)

    def slot(self, on: dict[str, Any]) -> tuple[str, dict[str, Any], dict[int, int]] | None:
        """A slot's requirement, its action, and the dice on its card by slot."""
        key, number = on["card"], on["slot"]
        for museum in self.card_list["museums"]:
            if museum["key"] == key and not on.get("copy") and number == 0:
                action = {"do": "museum", "artifact": museum["artifact"]}
                return museum["requires"], action, self._public_dice(key)
        for public in self.card_list["public"]:
            if public["key"] == key and not on.get("copy") and number == 0:
                return public["slot"]["requires"], public["slot"]["action"], self._public_dice(key)
        card = self.me.find(on)
        if card is None:
            return None
        slots = self.side(card).get("slots", [])
        if number >= len(slots):
            return None
        return slots[number]["requires"], slots[number]["action"], card["dice"]

    def _public_dice(self, key: str) -> dict[int, int]:
        return {0: self.public_dice[key]} if key in self.public_dice else {}

    def yields(self) -> set[str]:
        """The yield of the active player's Expeditions: the kinds that their upper sides' gain slots name (R60)."""
        found: set[str] = set()
        for card in self.me.cards:
            if self.assets[card["key"]].get("expedition"):
                for slot in self.side(card).get("slots", []):
                    if slot["action"]["do"] == "gain":
                        found.add(slot["action"]["artifact"])
        return found

    # -- legality

    def may(self, seat: int, move: dict[str, Any]) -> bool:
        """Whether this move is legal for this seat now."""
        if self.over or seat != self.active:
            return False
        kind = move["kind"]
        if self.dice is None:
            order = move.get("order")
            return kind == "roll" and (order is None or sorted(order) == sorted(self._start()))
        match kind:
            case "pass":
                return True
            case "roll":
                return False
            case "dive":
                return self._may_dive(move["dice"])
            case "turn_die" | "roll_again":
                return self._may_use(move)
            case _:
                return self._may_place(move)

    def _start(self) -> list[str]:
        return [card["key"] for card in self.card_list["start"]]

    def _have_dice(self, dice: list[int]) -> bool:
        assert self.dice is not None
        return len(dice) > 0 and not Counter(dice) - Counter(self.dice)

    def _may_dive(self, dice: list[int]) -> bool:
        if self.dived or len(self.divers) == len(self.card_list["dives"]) or not self._have_dice(dice):
            return False
        bells = sum(self.side(card).get("dive", 0) for card in self.me.cards)
        return sum(dice) + bells >= self.card_list["dives"][len(self.divers)]["number"]

    def _may_use(self, move: dict[str, Any]) -> bool:
        card = self.me.find(move["by"])
        ability = card and self.side(card).get("ability")
        if not card or not ability or card["used"] >= ability["uses"]:
            return False
        if ability["do"] == "roll":
            return move["kind"] == "roll_again" and self._have_dice(move["dice"])
        if move["kind"] != "turn_die" or not self._have_dice([move["die"]]):
            return False
        die, to = move["die"], move["to"]
        return to in range(1, 7) and to != die and (ability["do"] == "set" or to in (die - 1, die + 1))

    def _may_place(self, move: dict[str, Any]) -> bool:
        found = self.slot(move["on"])
        if not found or not self._have_dice([move["die"]]):
            return False
        requirement, action, covered = found
        if move["on"]["slot"] in covered or not fits(move["die"], requirement):
            return False
        match action["do"], move["kind"]:
            case (("gain" | "earn"), "place_die"):
                return True
            case "gather", "gather":
                return move["artifact"] in self.yields()
            case "museum", "fill_order":
                artifact, order = move["museum"], move["order"]
                return (
                    artifact == (action.get("artifact") or artifact)
                    and order < len(self.sizes[artifact])
                    and self.orders[artifact][order] is None
                    and self.me.held(artifact) >= self.sizes[artifact][order]
                )
            case "collect", "collect":
                sold = move["artifacts"]
                return sum(sold.values()) > 0 and all(n <= self.me.held(a) for a, n in sold.items())
            case "sell", "sell_one":
                return self.me.held(move["artifact"]) > 0
            case "buy", "buy":
                return self._may_buy(move)
            case "buy", "turn_card":
                card = self.me.find(move["own"])
                return card is not None and card["level"] == 1 and self._may_pay(card["key"])
            case _:
                return False

    def _may_buy(self, move: dict[str, Any]) -> bool:
        place = (move["place"]["row"], move["place"]["column"])
        taken = [card["place"] for card in self.me.cards]
        return (
            any(move["card"] in offer for offer in self.offers.values())
            and self._may_pay(move["card"])
            and place not in taken
            and any(near in taken for near in beside(place))
        )

    def _may_pay(self, key: str) -> bool:
        cost = self.assets[key]["cost"]
        return cost["dollars"] <= self.me.dollars and cost.get("scrolls", 0) <= self.me.held("scroll")

    # -- play

    def play(self, move: dict[str, Any]) -> None:
        """Plays a legal move."""
        me = self.me
        match move["kind"]:
            case "roll":
                for column, key in enumerate(move.get("order") or ()):
                    me.cards[column] |= {"key": key}
                self._roll()
            case "pass":
                self.dice = []
            case "dive":
                self._take(move["dice"])
                self.dived = sorted(move["dice"])
                me.earned["dives"] += self.card_list["dives"][len(self.divers)]["reputation"]
                self.divers.append(self.active)
            case "turn_die":
                self._used(move)
                self._take([move["die"]])
                self._put([move["to"]])
            case "roll_again":
                self._used(move)
                self._take(move["dice"])
                self._put(self._throw("dice", len(move["dice"])))
            case _:
                self._place(move)
        if not self.dice:
            self._end_turn()

    def _take(self, dice: list[int]) -> None:
        assert self.dice is not None
        for die in dice:
            self.dice.remove(die)

    def _put(self, dice: list[int]) -> None:
        assert self.dice is not None
        self.dice = sorted(self.dice + dice)

    def _used(self, move: dict[str, Any]) -> None:
        card = self.me.find(move["by"])
        assert card
        card["used"] += 1

    def _roll(self) -> None:
        icons = sum(self.side(card).get("dice", 0) for card in self.me.cards)
        self.dice = self._throw("dice", min(7, icons))

    def _place(self, move: dict[str, Any]) -> None:
        me, on = self.me, move["on"]
        found = self.slot(on)
        assert found
        _, action, _ = found
        card = None if on["card"] not in self.assets else me.find(on)
        self._take([move["die"]])
        if card is None:
            self.public_dice[on["card"]] = move["die"]
        else:
            card["dice"][on["slot"]] = move["die"]
        me.dollars += action.get("dollars", 0)
        match move["kind"]:
            case "place_die" if action["do"] == "gain":
                assert card
                card["cubes"][action["artifact"]] += 1
            case "gather":
                self._gather(move["artifact"])
            case "fill_order":
                artifact, order = move["museum"], move["order"]
                size = self.sizes[artifact][order]
                me.spend(artifact, size)
                me.dollars += size + self.museums[artifact]["bonus"]
                self.orders[artifact][order] = self.active
            case "collect":
                sold = {artifact: n for artifact, n in move["artifacts"].items() if n}
                for artifact, n in sold.items():
                    me.spend(artifact, n)
                    me.dollars += n
                me.dollars += len(sold) - 1
            case "sell_one":
                me.spend(move["artifact"], 1)
            case "buy":
                self._buy(move)
            case "turn_card":
                turned = me.find(move["own"])
                assert turned
                self._pay(turned["key"])
                turned["level"] = 2
                self._score(turned)
            case _:
                pass

    def _gather(self, artifact: str) -> None:
        """Puts the artifact on the first Expedition that yields it (R61)."""
        for card in self.me.cards:
            slots = self.side(card).get("slots", [])
            gains = [slot["action"].get("artifact") for slot in slots if slot["action"]["do"] == "gain"]
            if self.assets[card["key"]].get("expedition") and artifact in gains:
                card["cubes"][artifact] += 1
                return
        raise AssertionError

    def _pay(self, key: str) -> None:
        cost = self.assets[key]["cost"]
        self.me.dollars -= cost["dollars"]
        self.me.spend("scroll", cost.get("scrolls", 0))

    def _buy(self, move: dict[str, Any]) -> None:
        key = move["card"]
        self._pay(key)
        pile = self.assets[key]["pile"]
        self.offers[pile].remove(key)
        card = self.me.add(key, (move["place"]["row"], move["place"]["column"]))
        self._score(card)
        if self.piles[pile]:
            self.offers[pile].append(self.piles[pile].pop())

    def _score(self, card: dict[str, Any]) -> None:
        """Gives what the side that is now up shows, counted once (R20)."""
        me, side = self.me, self.side(card)
        me.earned["cards"] += side.get("reputation", 0)
        found = self.finds(self.active)
        museums = sum(self.active in orders for orders in self.orders.values())
        near = [other for other in me.cards if other["place"] in beside(card["place"])]
        expeditions = sum(bool(self.assets[other["key"]].get("expedition")) for other in near)
        counts = {**found, "museum": museums, "expedition": expeditions}
        for counted, each in side.get("per", {}).items():
            me.earned["abilities"] += each * counts.get(counted, 0)

    def _end_turn(self) -> None:
        for card in self.me.cards:
            card["dice"], card["used"] = {}, 0
        self.public_dice, self.dived, self.dice = {}, [], None
        self.turns += 1
        seats = len(self.players)
        if self.turns % seats == 0 and (
            self.turns == 60 * seats or max(player.reputation for player in self.players) >= 20
        ):
            self._finish()
        elif self.turns >= seats:
            self._roll()

    def _finish(self) -> None:
        self.over = True
        self.dice = []
        for artifact, orders in self.orders.items():
            cubes = Counter(seat for seat in orders if seat is not None)
            if cubes:
                most = max(cubes.values())
                tied = {seat for seat, n in cubes.items() if n == most}
                winner = next(seat for seat in reversed(orders) if seat in tied)
                assert winner is not None
                self.players[winner].earned["museums"] += self.museums[artifact]["majority"]

    # -- what lies open

    def public(self) -> dict[str, Any]:
        """Everything that lies open, in plain words."""
        return {
            "phase": "over" if self.over else "arrange" if self.dice is None else "act",
            "round": self.round,
            "active": self.active,
            "first": self.first,
            "rolls": self.rolls,
            "dice": self.dice or [],
            "public dice": dict(self.public_dice),
            "dived": self.dived,
            "dollars": [player.dollars for player in self.players],
            "reputation": [player.reputation for player in self.players],
            "earned": [player.earned for player in self.players],
            "companies": [[self._card_facts(card) for card in player.cards] for player in self.players],
            "offers": self.offers,
            "piles": {pile: dict(Counter(cards)) for pile, cards in self.piles.items()},
            "orders": self.orders,
            "divers": self.divers,
            "ranks": self.ranks() if self.over else None,
        }

    def _card_facts(self, card: dict[str, Any]) -> list[Any]:
        cubes = [card["cubes"][artifact] for artifact in ARTIFACTS]
        return [card["key"], card["level"], card["place"], cubes, card["used"], dict(card["dice"])]

    def ranks(self) -> list[int]:
        """The ranks by seat (R24)."""
        keys = [
            (player.reputation, player.dollars, sum(orders.count(seat) for orders in self.orders.values()))
            for seat, player in enumerate(self.players)
        ]
        return [1 + sum(other > key for other in keys) for key in keys]
