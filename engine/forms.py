"""Python values as strict JSON data and back: what a type's annotations say about the form of its data.

Moves (`Moves`) and states (`engine.state`) are declared once, as classes with annotated fields. From the annotations
come the form that is read, and what is written:

| type | JSON data |
| --- | --- |
| `int`, `bool`, `str`, `Literal`, `X \\| None` | itself |
| `tuple[X, ...]`, `list[X]` | a list |
| `dict[K, X]` | an object |
| a named tuple | an object by field in moves, a list in snapshots |
| a dataclass | an object by field |
| `bytes` (32) | hexadecimal digits |
| `Annotated[X, Field(ge=1)]` and other marks of pydantic | as X, with that check |
| `Annotated[X, Spelled(…)]` | in moves what the mark says, in snapshots as X |

Reading is strict: neither `true`, "1" nor 1.0 is taken for a whole number, and no unknown key is taken. Errors never
repeat what was read, for it may be anybody's words, or hidden cards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import pydantic

from engine.errors import BadData, first_flaw

M = TypeVar("M")

Writer = Callable[[Any, Any], Any]
"""Makes JSON data of a value. The second argument is the card list's catalogue, where a game's moves need one."""


class Spelled(NamedTuple):
    """A mark for a value that has another form as JSON data than its type, such as a card that is named by its key.

    `form` is the type of the data, which may have marks of pydantic. `read` and `write` get what they convert and the
    catalogue that was passed to `Moves`. `name` is the field's name in the data, where it is another.
    """

    form: Any
    read: Writer
    write: Writer
    name: str = ""


def by_key(keys: Sequence[str]) -> Spelled:
    """The mark for a number that is written as the key which stands in this place of `keys`."""

    def read(key: Any, _: Any) -> int:
        return keys.index(key)

    def write(number: int, _: Any) -> str:
        return keys[number]

    form: Any = Literal[tuple(keys)]
    return Spelled(form, read, write)


ALWAYS: Final = "always"
"""The mark for a move's field that has a default and is written even where it has that value."""


# -- forms that are read

CONFIG: Final = pydantic.ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)
_LAX: Final = pydantic.Strict(False)
"""Lets a tuple be read from a list, and a number from the key of an object. The parts of a tuple stay strict."""


def form_of(kind: Any, *, named: bool) -> Any:
    """The type with which pydantic reads data of this type. Named tuples are objects if `named`, else lists."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        inner, *marks = parts
        for mark in marks:
            if named and isinstance(mark, Spelled):
                return _annotated(mark.form, pydantic.AfterValidator(_reader(mark)))
        return _annotated(form_of(inner, named=named), *marks)
    if origin in (Union, UnionType):
        return Union[tuple([form_of(part, named=named) for part in parts])]  # noqa: UP007
    if origin is list:
        return list[form_of(parts[0], named=named)]
    if origin is dict:
        key, value = parts
        return dict[_annotated(key, _LAX) if bare(key) is int else key, form_of(value, named=named)]
    if origin is tuple:
        return _annotated(tuple[tuple([p if p is ... else form_of(p, named=named) for p in parts])], _LAX)
    if kind is bytes:
        return _annotated(
            str, pydantic.Field(pattern=r"^[0-9a-f]{64}$"), pydantic.AfterValidator(bytes.fromhex)
        )
    if is_dataclass(kind) or (named and is_named_tuple(kind)):
        return _annotated(object_form(kind), pydantic.AfterValidator(_maker(kind)))
    if is_named_tuple(kind):
        hints = get_type_hints(kind, include_extras=True).values()
        form = tuple[tuple([form_of(hint, named=named) for hint in hints])]
        return _annotated(form, _LAX, pydantic.AfterValidator(kind._make))
    return kind


def object_form(kind: Any, /, **first: Any) -> type[pydantic.BaseModel]:
    """The form of an object with the fields of a named tuple or a dataclass, after the fields `first`."""
    fields: dict[str, Any] = dict(first)
    for field in _fields(kind):
        default = field.default if field.optional else ...
        fields[f"field_{field.name}"] = (
            form_of(field.kind, named=True),
            pydantic.Field(default, alias=field.key),
        )
    return pydantic.create_model(kind.__name__, __config__=CONFIG, **fields)


def is_named_tuple(kind: Any) -> bool:
    """Whether this type is a class of named tuples."""
    return isinstance(kind, type) and tuple in kind.__bases__ and "_fields" in vars(kind)


def bare(kind: Any) -> Any:
    """A type without its marks."""
    return bare(get_args(kind)[0]) if get_origin(kind) is Annotated else kind


def _annotated(kind: Any, *marks: Any) -> Any:
    annotated: Any = Annotated
    return annotated[(kind, *marks)]


def _reader(mark: Spelled) -> Callable[[Any, pydantic.ValidationInfo], Any]:
    return lambda value, info: mark.read(value, info.context)


def _maker(kind: Any) -> Callable[[pydantic.BaseModel], Any]:
    names = [field.name for field in _fields(kind)]
    return lambda form: kind(*[getattr(form, f"field_{name}") for name in names])


class _Field(NamedTuple):
    """A field of a move, or of a value in it.

    `optional`: the data may leave it out, and do where it has its default.
    """

    name: str
    key: str
    kind: Any
    optional: bool
    default: Any


def _fields(kind: Any) -> list[_Field]:
    defaults: Mapping[str, Any] = getattr(kind, "_field_defaults", {})
    found: list[_Field] = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        spelled = next((mark.name for mark in marks if isinstance(mark, Spelled)), "")
        always, optional = ALWAYS in marks, name in defaults
        if optional and defaults[name] is None:
            hint = _without_none(hint)
        found.append(_Field(name, spelled or name, hint, optional and not always, defaults.get(name)))
    return found


def _without_none(kind: Any) -> Any:
    """The type of an optional field's data: None is its default, which is never written."""
    if get_origin(kind) is Annotated:
        inner, *marks = get_args(kind)
        return _annotated(_without_none(inner), *marks)
    return Union[tuple([part for part in get_args(kind) if part is not NoneType])]  # noqa: UP007


# -- data that are written


def _writer(kind: Any) -> Writer:
    """Makes JSON data of values of this type, named tuples as objects."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        inner, *marks = parts
        spelled = next((mark.write for mark in marks if isinstance(mark, Spelled)), None)
        return spelled or _writer(inner)
    if origin in (tuple, list):
        return _list_writer([_writer(part) for part in parts if part is not ...])
    if is_named_tuple(kind):
        return _object_writer(kind)
    return lambda value, _: value


def _list_writer(parts: Sequence[Writer]) -> Writer:
    if len(parts) == 1:
        (each,) = parts
        return lambda values, catalogue: [each(value, catalogue) for value in values]
    return lambda values, catalogue: [
        part(value, catalogue) for part, value in zip(parts, values, strict=True)
    ]


def _object_writer(kind: Any, /, **first: str) -> Writer:
    fields = [(field, _writer(field.kind)) for field in _fields(kind)]

    def write(value: Any, catalogue: Any) -> dict[str, Any]:
        data: dict[str, Any] = dict(first)
        for (field, part), own in zip(fields, value, strict=True):
            if not field.optional or own != field.default:
                data[field.key] = part(own, catalogue)
        return data

    return write


# -- moves


class Moves(Generic[M]):
    """The moves of a game as JSON data, as their classes' fields say. Each class is a named tuple.

    The data's `kind` is the class's name in lower case, `EndTurn` being "end_turn". A field with a default may be left
    out, and is left out where it has that value (but for the mark `ALWAYS`).
    """

    def __init__(self, *kinds: type[M]) -> None:
        self.kinds = kinds
        self._writers = {kind: _object_writer(kind, kind=_name(kind)) for kind in kinds}
        self._makers = {_name(kind): _maker(kind) for kind in kinds}
        forms: list[Any] = [object_form(kind, kind=(Literal[_name(kind)], ...)) for kind in kinds]
        form: Any = Union[tuple(forms)]  # noqa: UP007
        self.forms: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(
            _annotated(form, pydantic.Field(discriminator="kind")) if len(forms) > 1 else form
        )

    def dump(self, move: M, catalogue: Any = None) -> dict[str, Any]:
        """A move as JSON data."""
        return self._writers[type(move)](move, catalogue)

    def load(self, data: Mapping[str, Any], catalogue: Any = None) -> M:
        """The move that these data describe; its form is checked, not its legality. Raises `BadData`."""
        try:
            form = self.forms.validate_python(data, context=catalogue)
        except pydantic.ValidationError as error:
            flaw = first_flaw(error)
            raise BadData(
                f"a move is malformed at {flaw.path or 'its kind'}: {flaw.code}", flaw.where
            ) from None
        return self._makers[form.kind](form)


def _name(kind: type) -> str:
    """The name of a move's class as the `kind` of its data.

    >>> _name(type("EndTurn", (), {}))
    'end_turn'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
