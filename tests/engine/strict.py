"""Checks of JSON data that take nothing for what it is not: `true` is no integer, and no object has a key too many."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any], bool]


def integer(least: int, most: int) -> Check:
    return lambda value: type(value) is int and least <= value <= most


def text(value: Any) -> bool:
    return type(value) is str


def one_of(*values: str) -> Check:
    return lambda value: type(value) is str and value in values


def parts(needed: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """An object that has all of the first, some of the others and nothing else."""
    others = optional or {}

    def fits(value: Any) -> bool:
        if type(value) is not dict or not needed.keys() <= value.keys() <= {*needed, *others}:
            return False
        checks = {**needed, **others}
        return all(checks[name](part) for name, part in value.items())

    return fits


def array(check: Check, least: int, most: int) -> Check:
    return lambda value: type(value) is list and least <= len(value) <= most and all(map(check, value))
