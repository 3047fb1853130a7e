"""Why the host will not do what somebody asks: codes with facts, worded by `bot.ui.screens.words`."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """Something cannot be done now, and nothing was changed. `code` is the reason, `facts` its numbers and names."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.facts: dict[str, Any] = facts


class Stale(Refused):
    """Somebody pressed on an outdated screen. Nothing was done, and the screen is to be drawn anew."""

    def __init__(self) -> None:
        super().__init__("stale")


class AnsweredElsewhere(Exception):
    """Another process carries out this press, or has, and answers it."""
