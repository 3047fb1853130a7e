"""Checks of everything that the bot asked of Discord in a test, whatever the test was about."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from simcord import HttpLogEntry

from tests.cogs import schemas
from tests.cogs.limits import COMPONENTS_V2, command_faults, form_faults, message_faults

NOBODY: dict[str, Any] = {"parse": []}
UPDATE, MODAL = 7, 9


_FAULTLESS: set[int] = set()
"""The hashes of requests in which no test of this process has found a fault."""


def request_faults(entries: Iterable[HttpLogEntry]) -> list[str]:
    """The faults that Discord, or somebody who reads the channel, would object to."""
    faults: list[str] = []
    for entry in entries:
        if entry.json is None:
            continue
        request = hash((entry.method, entry.path, json.dumps(entry.json, sort_keys=True, default=str)))
        if request not in _FAULTLESS:
            found = [f"{entry.method} {entry.path}: {fault}" for fault in _faults(entry)]
            faults += found
            if not found:
                _FAULTLESS.add(request)
    return faults


def _faults(entry: HttpLogEntry) -> Iterator[str]:
    body: Any = entry.json
    if entry.path.endswith("/commands"):
        for command in body:
            yield from command_faults(command)
    elif entry.path.endswith("/callback") and body["type"] == MODAL:
        yield from form_faults(body["data"])
    else:
        message = (body.get("data") or {}) if entry.path.endswith("/callback") else body
        if "components" in message:
            yield from message_faults(message["components"])
            yield from _mention_faults(message)
            yield from _file_faults(entry, message)
            if message.get("content") or message.get("embeds"):
                yield "content or embeds beside components"
            if entry.method == "POST" and not message.get("flags", 0) & COMPONENTS_V2:
                yield "the flag of Components V2 is missing"
    yield from schemas.faults(entry.method, entry.path, body)


def _file_faults(entry: HttpLogEntry, message: dict[str, Any]) -> Iterator[str]:
    """A component shows each file that the message then has, and an edit leaves it no other."""
    edits = entry.method == "PATCH" or (
        entry.path.endswith("/callback") and (entry.json or {}).get("type") == UPDATE
    )
    if edits and "attachments" not in message:
        yield "an edit that leaves the message whatever files it has"
    attached = [file["filename"] for file in message.get("attachments") or ()]
    shown = {*re.findall(r'"attachment://([^"]+)"', json.dumps(message["components"], ensure_ascii=False))}
    if sorted(attached) != sorted(shown):
        yield f"the files {attached} are attached, and the components show {sorted(shown)}"


def _mention_faults(message: dict[str, Any]) -> Iterator[str]:
    """Nobody is rung but by a message that is for them: those who are named in it."""
    allowed = message.get("allowed_mentions")
    if allowed is None or allowed.get("parse"):
        yield f"allowed_mentions is {allowed}"
        return
    users = [str(user) for user in allowed.get("users") or []]
    text = json.dumps(message["components"])
    if any(f"<@{user}>" not in text for user in users):
        yield f"mentions {users}"
    if allowed.get("roles"):
        yield "mentions roles"
