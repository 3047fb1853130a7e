"""discord.py reads and writes the same JSON as ever, with quicker code."""

from __future__ import annotations

import json
from enum import IntEnum
from typing import Any

import pytest
from discord import gateway, http, utils

from bot import client, quick_json
from bot.quick_json import read, write


class Kind(IntEnum):
    BUTTON = 2


DATA: list[Any] = [
    {"type": Kind.BUTTON, "label": 'Say "Dig"\n⛏️', "id": None, "on": [True, False, 1.5, -7, 2**70, {}]},
    "half a character: \ud83d",
    [],
    "",
]


def test_discord_py_uses_it() -> None:
    assert client.discord.utils is utils, "whoever has the bot's client has it"
    assert (utils._to_json, utils._from_json) == (quick_json.write, quick_json.read)
    assert http.utils is gateway.utils is utils, "they look the functions up there"


@pytest.mark.parametrize("data", DATA)
def test_what_is_written_is_read_as_it_was(data: Any) -> None:
    assert json.loads(write(data)) == read(write(data)) == data
    assert read(json.dumps(data)) == data
    assert "\n" not in write(data)
    assert ": " not in write(data) or data == DATA[1]


def test_what_is_no_json_is_refused_as_ever() -> None:
    for text in ("", "{", "[1,]", "half"):
        with pytest.raises(json.JSONDecodeError):
            read(text)


def test_what_cannot_be_written_is_refused_as_ever() -> None:
    with pytest.raises(TypeError):
        write({"view": object()})
