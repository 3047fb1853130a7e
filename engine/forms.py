"""How every game reads and writes moves and snapshots as JSON data: strict forms, and errors for what does not fit.

Errors never repeat what was read, for it may be anybody's words, or hidden cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from engine.chance import Counters
from engine.errors import BadData, UnknownVersion, first_flaw

F = TypeVar("F")
S = TypeVar("S", bound="SnapshotForm")


class Form(BaseModel):
    """A kind of move as JSON data. It is read strictly: neither `true` nor "1" is taken for a number."""

    model_config = ConfigDict(extra="forbid", strict=True)


def move_forms(*forms: type[Form]) -> TypeAdapter[Any]:
    """Reads moves of any of these forms, for `read_move`. Each form has a field `kind`, a `Literal` of its own."""
    annotated: Any = Annotated
    any_of_them: Any = forms[0]
    for form in forms[1:]:
        any_of_them = any_of_them | form
    return TypeAdapter(annotated[any_of_them, Field(discriminator="kind")])


class SnapshotForm(BaseModel):
    """A state as JSON data. `form` is the version of the snapshot's form, `card_list` the card list's digest."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    card_list: str


def under_present_names(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Stored data with the names that its members have now: a card list's digest was once called `table`."""
    if "table" not in data or "card_list" in data:
        return data
    return {"card_list" if name == "table" else name: value for name, value in data.items()}


def read_move(forms: TypeAdapter[F], data: Mapping[str, Any]) -> F:
    """The form that fits a move's data. Raises `BadData` if none does."""
    try:
        return forms.validate_python(data)
    except ValidationError as error:
        flaw = first_flaw(error)
        raise BadData(f"a move is malformed at {flaw.path or 'its kind'}: {flaw.code}", flaw.where) from None


class Kept(Protocol):
    """What every game's state has: the match's key, and how many blocks of each stream of chance were used."""

    key: bytes
    counters: Counters


def write_snapshot(
    state: Kept,
    version: int,
    card_list: str,
    *,
    plain: Iterable[str],
    lists: Iterable[str],
    nested: Iterable[str],
) -> dict[str, Any]:
    """The fields of these names as JSON data that share nothing with the state.

    `plain` ones are numbers, texts or None, `lists` hold such, `nested` ones are lists of lists. `version` is the
    form's, `card_list` the card list's digest.
    """
    data: dict[str, Any] = {"form": version, "card_list": card_list, "key": state.key.hex()}
    data |= {name: getattr(state, name) for name in plain}
    data["counters"] = dict(state.counters)
    data |= {name: list(getattr(state, name)) for name in lists}
    data |= {name: [list(part) for part in getattr(state, name)] for name in nested}
    return data


def check_parts(parts: Iterable[tuple[bool, str]]) -> None:
    """Refuses a snapshot of which a part does not fit: (whether it fits, its name). Raises `BadData` for the first."""
    for fits, where in parts:
        if not fits:
            raise BadData(f"the snapshot is damaged at {where}")


def read_snapshot(form: type[S], data: Mapping[str, Any], *, version: int, card_list: str) -> S:
    """The checked fields of a snapshot whose form has this version, of a match with this card list (its digest).

    Raises `BadData`, `UnknownVersion`.
    """
    data = under_present_names(data)
    if data.get("form") != version:
        raise UnknownVersion(f"the snapshot has form {data.get('form')!r}; this version reads form {version}")
    if data.get("card_list") != card_list:
        raise UnknownVersion("the snapshot is of a match with another card list")
    try:
        return form.model_validate(data)
    except ValidationError as error:
        flaw = first_flaw(error)
        raise BadData(f"the snapshot is damaged at {flaw.path or 'its whole'}: {flaw.code}") from None
