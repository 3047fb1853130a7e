"""Checks of every edit of a message that several people see: it has to show what everybody may see.

Such screens are drawn by `PublicScreens` alone, from a spectator's view.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import simcord
from simcord.components import walk_components

from bot.ui.public_screens import PublicScreens
from bot.ui.screens.kit import Screen, ScreenView


@contextmanager
def watching(env: simcord.Env) -> Iterator[list[str]]:
    """The edits of public messages to anything but a public screen, in words, in the order of their requests."""
    drawn: list[Screen | ScreenView] = []
    faults: list[str] = []
    edit, backend = env.backend.edit_message, env.backend

    def drawing(name: str) -> Any:
        draw = getattr(PublicScreens, name)

        @functools.wraps(draw)
        def draws(*arguments: Any, **options: Any) -> Any:
            made = draw(*arguments, **options)
            drawn.append(made)
            return made

        return draws

    def shown() -> Iterator[str]:
        for one in reversed(drawn):
            view = one if isinstance(one, ScreenView) else one._view  # one that was not sent has none
            if view is not None:
                yield _words(view.to_components())

    def checked(channel_id: int, message_id: int, fields: dict[str, Any]) -> Any:
        message, channel = backend.get_message(channel_id, message_id), backend.get_channel(channel_id)
        is_public = not message.is_ephemeral and (channel.guild_id or len(channel.recipient_ids) > 1)
        words = _words(fields.get("components") or [])
        if is_public and words not in shown():
            faults.append(words)
        return edit(channel_id, message_id, fields)

    with pytest.MonkeyPatch.context() as patch:
        for name in ("draw", "announcement"):
            patch.setattr(PublicScreens, name, drawing(name))
        patch.setattr(backend, "edit_message", checked)
        yield faults


def _words(components: list[dict[str, Any]]) -> str:
    """All that can be read or pressed."""
    names = ("content", "label", "placeholder", "custom_id", "url")
    return "\n".join(
        str(part[name]) for part in walk_components(components) for name in names if part.get(name)
    )
