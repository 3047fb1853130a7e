"""Checks request bodies against Discord's own description of its API, where the file is at hand.

The file lies beside the project's folder (`../shared`), not in it: a plain checkout goes without.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

FILE = Path(__file__).parents[3] / "shared" / "discord-openapi.json"
WHERE = "urn:discord"

_seen: set[tuple[object, ...]] = set()
"""The forms of objects in which no fault has been found."""


def at_hand() -> bool:
    """Whether there is a description to check against."""
    return FILE.is_file()


@cache
def _api() -> Mapping[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


@cache
def _operations() -> list[tuple[str, re.Pattern[str], int, str]]:
    """Method, path's pattern, how many parts of the path are fixed, and where the body's schema stands."""
    found: list[tuple[str, re.Pattern[str], int, str]] = []
    for path, methods in _api()["paths"].items():
        pattern = re.compile(re.sub(r"\{\w+\}", "[^/]+", path))
        fixed = sum(not part.startswith("{") for part in path.split("/"))
        for method, operation in methods.items():
            if method != "parameters" and "application/json" in operation.get("requestBody", {}).get(
                "content", {}
            ):
                pointer = path.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")
                where = f"/paths/{pointer}/{method}/requestBody/content/application~1json/schema"
                found.append((method.upper(), pattern, fixed, f"{WHERE}#{where}"))
    return found


@cache
def validator(reference: str) -> Draft202012Validator:
    """The validator of the schema at this reference into the description."""
    registry: Registry[Any] = Registry().with_resource(
        WHERE, Resource.from_contents(_api(), default_specification=DRAFT202012)
    )
    return Draft202012Validator({"$ref": reference}, registry=registry)


@cache
def _schema_for(method: str, path: str) -> str | None:
    fitting = [
        (fixed, reference)
        for other, pattern, fixed, reference in _operations()
        if other == method and pattern.fullmatch(path)
    ]
    return max(fitting)[1] if fitting else None


def _forms(data: Any, at: str) -> Iterator[tuple[object, ...]]:
    """The form of each object in some data, with its place: two bodies of the same forms are both right or both wrong,
    their lengths apart.
    """
    if isinstance(data, Mapping):
        at = f"{at}/{data.get('type', '')}"
        yield (
            at,
            *sorted(
                (key, value if key in ("type", "style") else type(value).__name__)
                for key, value in data.items()
            ),
        )
        for key, value in data.items():
            yield from _forms(value, f"{at}.{key}")
    elif isinstance(data, list):
        yield at, *sorted({type(part).__name__ for part in data})
        for part in data:
            yield from _forms(part, at)


def faults(method: str, path: str, body: Any) -> list[str]:
    """How this body differs from what Discord describes; nothing where there is no description at hand."""
    if not at_hand():
        return []
    where = re.sub(r"\d{5,}|simcord_interaction_\d+", "0", path)
    forms = {*_forms(body, f"{method} {where}")}
    if forms <= _seen:
        return []
    found = check(method, path, body)
    if not found:
        _seen.update(forms)
    return found


def _ids_as_text(data: Any, key: str = "") -> Any:
    """discord.py sends ids of mentioned people and attachments as numbers; Discord takes but does not describe it."""
    if isinstance(data, Mapping):
        return {name: _ids_as_text(value, f"{key}.{name}") for name, value in data.items()}
    if isinstance(data, list):
        return [_ids_as_text(part, key) for part in data]
    is_id = key.endswith(("allowed_mentions.users", "attachments.id", "recipient_id"))
    return str(data) if is_id and isinstance(data, int) else data


def check(method: str, path: str, body: Any) -> list[str]:
    """How this body differs from what Discord describes."""
    reference = _schema_for(method, path)
    if reference is None:
        return [f"Discord describes no {method} {path} with a body"]
    error = best_match(validator(reference).iter_errors(_ids_as_text(body)))
    if error is None:
        return []
    return [f"not of Discord's form at {error.json_path}: {error.message[:300]}"]
