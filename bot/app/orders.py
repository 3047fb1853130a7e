"""The operator's orders and their outcomes, as two facts in the store hold them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal, get_args

OrderKind = Literal[
    "block-person",
    "allow-person",
    "block-server",
    "allow-server",
    "end",
    "notice",
    "leave",
    "processes",
]

ORDERS: Final = "orders"
"""The fact that holds the orders."""
DONE: Final = "orders-done"
"""The fact that holds the outcomes of orders. Only processes that have the store open write it."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order of the operator. `argument` is an id, a table's number, a name or a text; `by` says who gave the order.

    `at` is the time of the order, in seconds; 0 if unknown.
    """

    number: int
    what: OrderKind
    argument: str
    by: str
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of an order: whether it was carried out, and a sentence that says so."""

    number: int
    done: bool
    said: str


def read_orders(text: str | None) -> list[Order]:
    """The orders that a fact holds, without the kinds that only a newer version has."""
    return [
        Order(**_known(Order, each)) for each in _entries(text) if each.get("what") in get_args(OrderKind)
    ]


def read_done(text: str | None) -> list[Done]:
    """The outcomes of orders that a fact holds."""
    return [Done(**_known(Done, each)) for each in _entries(text)]


def numbers_in(text: str | None) -> set[int]:
    """The numbers of all entries of a fact, including the kinds that only a newer version has."""
    return {each["number"] for each in _entries(text)}


def with_entry(text: str | None, entry: Order | Done) -> str:
    """The fact with this entry, which replaces an earlier one of its number.

    All other entries stay unchanged, because a newer version may have written them.
    """
    rest = [each for each in _entries(text) if each["number"] != entry.number]
    return json.dumps([*rest, asdict(entry)])


def without(text: str | None, numbers: Collection[int]) -> str:
    """The fact without the entries of these numbers."""
    return json.dumps([each for each in _entries(text) if each["number"] not in numbers])


def _entries(text: str | None) -> list[dict[str, Any]]:
    return json.loads(text or "[]")


def _known(kind: type[Order | Done], entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry without the fields that only a newer version has."""
    known = {field.name for field in fields(kind)}
    return {name: value for name, value in entry.items() if name in known}


def noting(done: Done, orders: Collection[int]) -> Callable[[str | None], str]:
    """A change of `DONE` that adds the outcome of one of these orders, and drops outcomes of orders that are gone.

    Outcomes of newer orders, which other processes may have added, stay.
    """
    newest = max(orders)

    def note(text: str | None) -> str:
        gone = {number for number in numbers_in(text) if number not in orders and number <= newest}
        return with_entry(without(text, gone), done)

    return note
