"""Reads the operator's settings, and prints mistakes in sentences, also in `.env`; logs the card lists' sources."""

from __future__ import annotations

import io
import logging
import os
import re
import stat
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from dotenv.parser import Binding, parse_stream
from pydantic import ValidationError
from pydantic_settings import SettingsError

from bot.settings import ENV_FILE, Settings
from engine.registry import card_list_sources

TOKEN: Final = "discord_token"
DATABASE: Final = "database_url"
PASSWORD: Final = re.compile(r"\w+://[^@/]*:[^/]+@")
"""The start of a URL with a password."""
ALIKE: Final = 0.8
"""The least similarity to a setting (1: equal) with which an unknown name counts as a misspelling."""


@dataclass(slots=True)
class Findings:
    """Sentences for the operator: `faults` prevent the start, `warnings` do not."""

    faults: list[str] = field(default_factory=list[str])
    warnings: list[str] = field(default_factory=list[str])


def check_file(path: Path, settings: Collection[str]) -> Findings:
    """Checks the file, if it exists. `settings` are the valid names, in lower case."""
    found = Findings()
    try:
        if not path.is_file():
            return found
        text = path.read_bytes().decode("utf-8-sig")
        mode = stat.S_IMODE(path.stat().st_mode)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        found.faults.append(f"{path} is no text in UTF-8 (line {line}). Save it as UTF-8.")
        return found
    except OSError as error:
        found.faults.append(f"{path} cannot be read: {error.strerror}.")
        return found
    secrets: list[str] = []
    for binding in parse_stream(io.StringIO(text)):
        _look_at(binding, path, settings, found)
        secrets += _secrets_of(binding)
    if secrets and mode & stat.S_IROTH and os.name == "posix":
        found.warnings.append(
            f"{path} holds {' and '.join(secrets)}, and everybody on this machine can read it (mode {mode:04o}): "
            f"chmod 600 {path}"
        )
    return found


def _look_at(binding: Binding, path: Path, settings: Collection[str], found: Findings) -> None:
    """Notes what is wrong with a line of the file."""
    if binding.error or (binding.key is not None and binding.value is None):
        # The parser treats a single word as a name. The line may contain a token, so it is not quoted.
        text = binding.original.string  # includes the empty lines before the line
        line = binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")
        found.faults.append(f"Line {line} of {path} is not of the form NAME=value.")
    elif (name := (binding.key or "").lower()) and name not in settings:
        if meant := get_close_matches(name, settings, 1, ALIKE):
            meant_name = meant[0].upper()
            found.faults.append(f"{path} sets {binding.key}, which is no setting. Did you mean {meant_name}?")
        else:
            left = f"{path} sets {binding.key}, which is no setting of Digsite's; it is left alone."
            found.warnings.append(left)


def _secrets_of(binding: Binding) -> Iterator[str]:
    name = (binding.key or "").lower()
    if name == TOKEN and binding.value:
        yield "the token"
    if name == DATABASE and PASSWORD.match(binding.value or ""):
        yield "the database's password"


def read_settings() -> Settings | None:
    """The operator's settings; None after printing the mistakes."""
    found = check_file(ENV_FILE, Settings.model_fields)
    for line in (*found.faults, *found.warnings):
        print(line, file=sys.stderr)
    if found.faults:
        return None
    try:
        return Settings()
    except SettingsError as error:
        named = re.search(r'field "(\w+)"', str(error))
        name = f"The setting {named[1].upper()}" if named else "A setting"
        print(f"{name} cannot be read: a list is written as in [1.2, 2.6].", file=sys.stderr)
    except ValidationError as error:
        for fault in error.errors(include_url=False, include_input=False):
            name, why = str(fault["loc"][0]).upper(), fault["msg"].removeprefix("Value error, ")
            print(f"The setting {name} is wrong: {why}.", file=sys.stderr)
    return None


log = logging.getLogger(__name__)


def log_card_lists(card_lists: Path | None) -> None:
    """Logs each game's files, or "built in", in one line."""
    sources = card_list_sources(card_lists)
    named = (
        f"{name}: {', '.join(map(str, files)) if files else 'built in'}" for name, files in sources.items()
    )
    log.info("card lists: %s", "; ".join(named))
