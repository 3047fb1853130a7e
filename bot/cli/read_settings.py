"""Reads the operator's settings, and prints mistakes in sentences."""

from __future__ import annotations

import re
import sys

from pydantic import ValidationError
from pydantic_settings import SettingsError

from bot.cli.env_file import check_file
from bot.settings import ENV_FILE, Settings


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
