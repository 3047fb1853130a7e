"""The host's refusals of acts: codes with facts, worded by `bot.ui.screens.words`."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """An act cannot be done now, and nothing was changed. `code` is the reason, `facts` its numbers and names."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.facts: dict[str, Any] = facts


class Stale(Refused):
    """The press was on an outdated screen. Nothing was done, and the screen is to be drawn anew."""

    def __init__(self) -> None:
        super().__init__("stale")


class AnsweredElsewhere(Exception):
    """Another process carries out this press, or has done so, and answers the press."""
