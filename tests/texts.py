"""The texts that translators get, collected from the code once for all tests of a process."""

from __future__ import annotations

from functools import cache

from babel.messages.catalog import Catalog

from tools.texts import STORIES, collect


@cache
def collected(*, stories: bool = STORIES) -> Catalog:
    """The texts that `make texts` collects."""
    return collect(stories=stories)
