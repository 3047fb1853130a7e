"""The base of every game's state. Each field is declared once: its type, who sees it, what it begins with.

    class State(MatchState):
        market: list[Number] = start(no_items)  # all see it
        hands: Owned[list[Cards]] = start(lambda match: [[] for _ in range(match.seats)])
        deck: Hidden[list[Number]] = start(no_items)  # nobody sees it
        turn: Number = 0

From that come, made once for each class as `dataclasses` makes its methods, so that a call looks nothing up:
`__slots__` and `__init__` (keywords alone), `copy`, `==`, `dump` and `load` (snapshots as strict JSON, `engine.forms`),
`seen_by` (the fields of a view), and `of_view` (the way back from a view to what a state holds).

Types: numbers, texts, None, tuples and other values that never change are shared by copies and views; lists and
dictionaries of them, nested too, are copied, and stand in views as tuples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    Self,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel, Field, ValidationError, create_model

from engine.errors import BadData, UnknownVersion, first_flaw
from engine.forms import CONFIG, bare, form_of, is_named_tuple

T = TypeVar("T")


class Seen(NamedTuple):
    """The mark that says who sees a field. A field without it is seen by all.

    `name` is the field's name in views, where it is another. A field that only the owner sees is a list by seat; a view
    has the viewer's own element, and `nothing` for a spectator.
    """

    by: Literal["all", "owner", "nobody"]
    name: str = ""
    nothing: Any = None


Owned = Annotated[T, Seen("owner")]
"""A list by seat of which each seat sees its own element."""
Hidden = Annotated[T, Seen("nobody")]
"""Views do not show it; or they show something that the game makes of it."""
DERIVED: Final = "derived"
Derived = Annotated[T, DERIVED]
"""A field that follows from the others, or is the same for all matches: snapshots do not hold it."""

Number = Annotated[int, Field(ge=0)]


class _Start(NamedTuple):
    make: Callable[[Any], Any]


def start(make: Callable[[Any], T]) -> T:
    """A field's first value, made anew for each match. `make` gets the match, whose fields above are set already."""
    return cast("Any", _Start(make))


def no_items(match: Any) -> list[Any]:
    """A list that is empty at the start."""
    return []


def no_entries(match: Any) -> dict[Any, Any]:
    """A dictionary that is empty at the start."""
    return {}


_LITERALS: Final[Mapping[Callable[[Any], Any], str]] = {no_items: "[]", no_entries: "{}"}
"""The literals that stand in place of calls of these functions, which are quicker."""


class _Slot(NamedTuple):
    """A field of a state: its type without marks, who sees it, and whether snapshots hold it."""

    name: str
    kind: Any
    seen: Seen
    kept: bool

    @property
    def shown(self) -> str:
        """The field's name in views."""
        return self.seen.name or self.name


@dataclass_transform(kw_only_default=True)
class _StateType(type):
    """Makes the methods of a state's class from its fields."""

    slots: dict[str, _Slot]
    starts: dict[str, Any]

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _StateType:
        inherited: dict[str, Any] = {}
        for base in bases:
            inherited |= getattr(base, "starts", {})
        names = [
            name
            for name, hint in namespace.get("__annotations__", {}).items()
            if not str(hint).startswith("ClassVar")
        ]
        starts = inherited | {name: namespace.pop(name) for name in names if name in namespace}
        for field, begin in starts.items():
            if isinstance(begin, list | dict | set):
                raise TypeError(f"all matches would share {field}: begin it with start(…)")
        taken = {slot for base in bases for slot in getattr(base, "slots", ())}
        namespace["__slots__"] = tuple(name for name in names if name not in taken)
        made: Any = super().__new__(mcs, name, bases, namespace)
        made.starts = starts
        made.slots = _slots(made)
        for method, source in _sources(made.slots, starts).items():
            if method not in namespace or made.__module__ == __name__:
                _define(made, method, source)
        return made


def _slots(kind: type) -> dict[str, _Slot]:
    """The fields of a state's class, those of its bases first. One that is declared again stands in its last place."""
    hints = get_type_hints(kind, include_extras=True)
    found: dict[str, _Slot] = {}
    for base in reversed(kind.__mro__):
        for name in vars(base).get("__annotations__", {}):
            if get_origin(hints[name]) is ClassVar:
                continue
            marks = get_args(hints[name])[1:] if get_origin(hints[name]) is Annotated else ()
            seen = next((mark for mark in marks if isinstance(mark, Seen)), Seen("all"))
            found.pop(name, None)
            found[name] = _Slot(name, hints[name], seen, DERIVED not in marks)
    return found


# -- the methods' texts


def _sources(slots: Mapping[str, _Slot], starts: Mapping[str, Any]) -> dict[str, str]:
    """By name, the text of each method of a class with these fields."""
    each = slots.values()
    copies = [f"twin.{slot.name} = {_copied(slot.kind, f'self.{slot.name}')}" for slot in each]
    equal = " and ".join(f"self.{slot.name} == other.{slot.name}" for slot in each)
    dumped = [
        f"{slot.name!r}: {_dumped(slot.kind, f'self.{slot.name}')}"
        for slot in each
        if slot.kept and slot.name != "key"
    ]
    return {
        "__init__": _init(slots, starts),
        "__eq__": f"def __eq__(self, other):\n if other.__class__ is not self.__class__:\n  return NotImplemented\n"
        f" return {equal}",
        "copy": "def copy(self):\n twin = new(self.__class__)\n " + "\n ".join(copies) + "\n return twin",
        "dump": "def dump(self, card_list):\n return {'form': self.form, 'card_list': card_list, "
        f"'key': self.key.hex(), {', '.join(dumped)}}}",
        "seen_by": f"def seen_by(self, viewer):\n return {{{', '.join(_seen(slots))}}}",
        "of_view": _of_view(slots, starts),
    }


def _init(slots: Mapping[str, _Slot], starts: Mapping[str, Any]) -> str:
    """Fields whose first value is made for each match are set last: the value may be made from the other fields."""
    needed = [name for name in slots if name not in starts]
    made = [name for name in slots if isinstance(starts.get(name), _Start)]
    constant = [name for name in slots if name in starts and name not in made]
    arguments = [*needed, *(f"{name}=start_{name}" for name in constant), *(f"{name}=UNSET" for name in made)]
    lines = [f"self.{name} = {name}" for name in (*needed, *constant)]
    lines += [f"self.{name} = {_begin(name, starts)} if {name} is UNSET else {name}" for name in made]
    return f"def __init__(self, {', '.join(arguments)}):\n " + "\n ".join(lines)


def _of_view(slots: Mapping[str, _Slot], starts: Mapping[str, Any]) -> str:
    seen = {
        slot.name: _thawed(slot.kind, f"view.{slot.shown}")
        for slot in slots.values()
        if slot.seen.by == "all"
    }
    rest = {name: _begin(name, starts) for name in slots if name not in seen and name != "key"}
    lines = [f"self.{name} = {text}" for name, text in (seen | rest).items()]
    return "def of_view(cls, view, key):\n self = new(cls)\n self.key = key\n " + "\n ".join(
        [*lines, "return self"]
    )


def _begin(name: str, starts: Mapping[str, Any]) -> str:
    """The expression for what a field begins with."""
    begin = starts[name]
    if not isinstance(begin, _Start):
        return f"start_{name}"
    return _LITERALS.get(begin.make, f"start_{name}(self)")


def _seen(slots: Mapping[str, _Slot]) -> list[str]:
    parts = ["'viewer': viewer"]
    for slot in slots.values():
        if slot.seen.by == "all":
            parts.append(f"{slot.shown!r}: {_frozen(slot.kind, f'self.{slot.name}')}")
        elif slot.seen.by == "owner":
            (element,) = get_args(bare(slot.kind))
            own = _frozen(element, f"self.{slot.name}[viewer]")
            parts.append(f"{slot.shown!r}: {slot.seen.nothing!r} if viewer is None else {own}")
    return parts


def _is_shared(kind: Any) -> bool:
    """Whether copies may share the values of a type. A tuple with a list in it is no type of a field."""
    kind = bare(kind)
    if get_origin(kind) is tuple and not all(_is_shared(part) for part in get_args(kind)):
        raise TypeError(f"a state has no {kind}: use lists of lists, or tuples of tuples")
    return get_origin(kind) not in (list, dict)


def _copied(kind: Any, at: str) -> str:
    """The expression for a copy of what stands at `at`."""
    if _is_shared(kind):
        return at
    kind, each = bare(kind), _inner(at)
    value = get_args(kind)[-1]
    if _is_shared(value):
        return f"{at}.copy()"
    if get_origin(kind) is dict:
        return f"{{name: {_copied(value, each)} for name, {each} in {at}.items()}}"
    return f"[{_copied(value, each)} for {each} in {at}]"


def _frozen(kind: Any, at: str) -> str:
    """The expression for what a view shows of this."""
    if _is_shared(kind):
        return at
    value, each = _element(kind), _inner(at)
    if _is_shared(value):
        return f"tuple({at})"
    if _is_shared(_element(value)):
        return f"tuple(map(tuple, {at}))"
    return f"tuple([{_frozen(value, each)} for {each} in {at}])"


def _thawed(kind: Any, at: str) -> str:
    """The expression for what a state holds of this part of a view."""
    if _is_shared(kind):
        return at
    value, each = _element(kind), _inner(at)
    return f"list({at})" if _is_shared(value) else f"[{_thawed(value, each)} for {each} in {at}]"


def _element(kind: Any) -> Any:
    kind = bare(kind)
    if get_origin(kind) is not list:
        raise TypeError(f"a view shows no {kind}: mark the field as `Hidden`, and show what is made of it")
    return get_args(kind)[0]


def _dumped(kind: Any, at: str) -> str:
    """The expression for this as JSON data that share nothing with the state."""
    kind, each = bare(kind), _inner(at)
    origin, parts = get_origin(kind), [part for part in get_args(kind) if part is not ...]
    if origin in (Union, UnionType):
        (value,) = [part for part in parts if part is not NoneType]
        text = _dumped(value, at)
        return at if text == at else f"None if {at} is None else {text}"
    if is_dataclass(kind):
        hints = get_type_hints(kind, include_extras=True)
        own = [f"{name!r}: {_dumped(hint, f'{at}.{name}')}" for name, hint in hints.items()]
        return f"{{{', '.join(own)}}}"
    if origin is dict:
        key, value = parts
        name, text = "str(name)" if bare(key) is int else "name", _dumped(value, each)
        if name == "name" and text == each:
            return f"dict({at})"
        return f"{{{name}: {text} for name, {each} in {at}.items()}}"
    if is_named_tuple(kind):
        parts = list(get_type_hints(kind, include_extras=True).values())
    if parts and origin is not Literal:
        texts = {_dumped(part, each) for part in parts}
        if texts == {each}:
            return f"list({at})"
        (text,) = texts  # a tuple whose parts differ in form has to be a dataclass
        return f"[{text} for {each} in {at}]"
    return at


def _inner(at: str) -> str:
    """A name for the elements of what stands at `at`."""
    return f"each{int(at[4:] or 0) + 1}" if at.startswith("each") and at[4:].isdigit() else "each0"


def _define(kind: Any, name: str, source: str) -> None:
    names: dict[str, Any] = {"new": kind.__new__, "UNSET": object()}
    for field, begin in kind.starts.items():
        names[f"start_{field}"] = begin.make if isinstance(begin, _Start) else begin
    exec(compile(source, f"<{kind.__qualname__}.{name}>", "exec"), names)
    setattr(kind, name, classmethod(names[name]) if name == "of_view" else names[name])


@cache
def _form(kind: _StateType) -> type[BaseModel]:
    fields: dict[str, Any] = {"form": (int, ...), "card_list": (str, ...)}
    for slot in kind.slots.values():
        if slot.kept:
            fields[f"field_{slot.name}"] = (form_of(slot.kind, named=False), Field(alias=slot.name))
    return create_model(kind.__name__, __config__=CONFIG, **fields)


# -- the base


class MatchState(metaclass=_StateType):
    """The fields that every game's state has: the number of seats, the match's key, how many blocks of each stream of
    chance were used (`engine.chance`), and the number of moves made.
    """

    form: ClassVar[int] = 1
    """The version of the snapshots' form."""

    seats: Number
    key: Hidden[bytes]
    counters: Hidden[dict[str, Number]] = start(no_entries)
    moves: Number = 0

    __hash__: ClassVar[None] = None  # pyright: ignore[reportIncompatibleMethodOverride]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} seats={self.seats} moves={self.moves}>"

    def copy(self) -> Self:
        """A copy of the match. A change of the copy does not change the match."""
        raise NotImplementedError  # as of the methods below, each class has its own: see `_sources`

    def seen_by(self, viewer: int | None) -> dict[str, Any]:
        """All that this seat (None: a spectator) sees, by the names of the view's fields, `viewer` included."""
        raise NotImplementedError

    @classmethod
    def of_view(cls, view: Any, key: bytes) -> Self:
        """A state that has from this view what everybody sees. The rest is as at the start of a match."""
        raise NotImplementedError

    def dump(self, card_list: str) -> dict[str, Any]:
        """The state as JSON data that share nothing with it. `card_list` is the card list's digest."""
        raise NotImplementedError

    @classmethod
    def load(cls, data: Mapping[str, Any], card_list: str, **given: Any) -> Self:
        """The state that `dump` made these data from, of a match with this card list (its digest).

        `given` are the fields that snapshots do not hold and that begin with nothing. Each field is checked for itself
        alone. Raises `BadData`, `UnknownVersion`.
        """
        form = data.get("form")
        if form != cls.form:
            other = f"form {form}" if type(form) is int else "no form"
            raise UnknownVersion(f"the snapshot has {other}; this version reads form {cls.form}")
        if data.get("card_list") != card_list:
            raise UnknownVersion("the snapshot is of a match with another card list")
        try:
            read = _form(cls).model_validate(data)
        except ValidationError as error:
            flaw = first_flaw(error)
            raise BadData(f"the snapshot is damaged at {flaw.path or 'its whole'}: {flaw.code}") from None
        kept = {slot.name: getattr(read, f"field_{slot.name}") for slot in cls.slots.values() if slot.kept}
        return cls(**given, **kept)
