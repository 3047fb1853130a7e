"""The needs of the tests of every game's data: JSON of any kind, and data with one value replaced."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def emptied(data: dict[str, Any]) -> None:
    """Empties every list of a snapshot, and those within: whatever shared them would show it."""
    for value in data.values():
        if isinstance(value, list):
            for part in value:
                if isinstance(part, list):
                    part.clear()
            value.clear()


def replaced(data: Any, *path: str | int, value: Any | Callable[[Any], Any]) -> Any:
    """The data with another value in this place, or with what a function makes of the one that stood there."""
    data = deepcopy(data)
    inner: Any = data
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value(inner[path[-1]]) if callable(value) else value
    return data
