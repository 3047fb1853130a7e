"""The shared parts of all card lists: files, checks, and the naming of card numbers.

A card list is JSON data, `cards.json` in a game's package or several files in a folder there, described by a pydantic
model of `CardData`. The same model checks the list of an owner who puts another in its place.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Collection
from functools import lru_cache
from importlib import resources
from typing import Any, Literal, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.errors import BadData, first_flaw

Provenance = Literal["printed", "inferred", "house"]
"""How a number is known: read off the card or the rules, fitting all that is known, or this project's own."""


class CardData(BaseModel):
    """A part of a card list. It is checked when it is made, cannot be changed, and has no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


T = TypeVar("T", bound=CardData)


def card_data(package: str, own: object | None = None) -> object:
    """The JSON data of a game's card list: an owner's `own`, or the list that comes with the `package` of `engine`."""
    if own is not None:
        return own
    return json.loads(resources.files(f"engine.{package}").joinpath("cards.json").read_text(encoding="utf-8"))


def built_in_files(package: str, folder: str) -> dict[str, object]:
    """The JSON data of the files in a package's folder, by file name and in its order."""
    files = resources.files(f"engine.{package}").joinpath(folder).iterdir()
    return {
        file.name: json.loads(file.read_text(encoding="utf-8"))
        for file in sorted(files, key=lambda file: file.name)
        if file.name.endswith(".json")
    }


def read_cards(form: type[T], data: object, game: str) -> T:
    """A card list from JSON data, checked by its `form`, which has a field `game`.

    Raises `BadData` with the path of the first fault.
    """
    try:
        card_list = form.model_validate(data)
    except ValidationError as error:
        flaw = first_flaw(error)
        raise BadData(f"{flaw.path or 'the card list'}: {flaw.text}", flaw.where) from None
    named = getattr(card_list, "game", None)
    if named != game:
        raise BadData(f"game: this is a list of {named!r}, not of {game!r}", ("game",))
    return card_list


def digest(card_list: CardData, without: Collection[str] = ("provenance",)) -> str:
    """The digest that names a card list's numbers in a record: 16 hexadecimal digits.

    Fields whose names are in `without` do not change it.
    """
    return hashlib.sha256(json.dumps(digested(card_list, without), sort_keys=True).encode()).hexdigest()[:16]


def digested(card_list: CardData, without: Collection[str] = ("provenance",)) -> Any:
    """The JSON data of which a card list's digest is made.

    Fields whose names are in `without` are left out. Fields that the list does not give have their defaults there.
    """
    return _left_of(card_list.model_dump(mode="json"), without)


def _left_of(data: Any, without: Collection[str]) -> Any:
    """JSON data without the members of these names, at whatever depth they stand."""
    match data:
        case dict():
            members = cast("dict[str, Any]", data)
            return {name: _left_of(part, without) for name, part in members.items() if name not in without}
        case list():
            return [_left_of(part, without) for part in cast("list[Any]", data)]
        case _:
            return data


class ListedCards(ABC):
    """The tables that the rules look up in a card list. Equal where the lists are; pickled as the list's text."""

    __slots__ = ("digest", "text")

    def __init__(self, card_list: CardData, digest: str) -> None:
        self.text = card_list.model_dump_json(exclude_unset=True)
        self.digest = digest

    @classmethod
    @abstractmethod
    def read(cls, text: str) -> Self:
        """The catalogue of the card list with this text."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.digest}>"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, type(self)) and self.text == other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return _read_listed, (type(self), self.text)


@lru_cache(maxsize=16)
def _read_listed(kind: type[ListedCards], text: str) -> ListedCards:
    """The card list, read once for all views of a process that have the same one."""
    return kind.read(text)
