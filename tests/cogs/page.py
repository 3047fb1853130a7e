"""A message in the view of a person: texts, buttons and menus, as they are at the moment of asking."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import simcord
from simcord.backend.errors import BackendError
from simcord.backend.models import Message
from simcord.components import walk_components
from simcord.enums import ComponentType

from bot.ui.screens.ids import Id, read_id

BUTTON = int(ComponentType.BUTTON)
MENU = int(ComponentType.STRING_SELECT)
TEXT = int(ComponentType.TEXT_DISPLAY)
MENTION = re.compile(r"<@[!&]?\d+>|@everyone|@here")


@dataclass(frozen=True)
class Menu:
    """A select menu: what it offers, by label, and what is chosen in it."""

    placeholder: str
    custom_id: str
    options: Mapping[str, str]
    """Values by label."""
    details: Mapping[str, str]
    """Descriptions by label."""
    chosen: tuple[str, ...]
    """The labels that are shown as chosen."""


@dataclass(frozen=True)
class Page:
    """A message as it looks at the moment of asking."""

    env: simcord.Env
    channel_id: int
    id: int

    @property
    def kept(self) -> Message:
        return self.env.backend.get_message(self.channel_id, self.id)

    @property
    def exists(self) -> bool:
        try:
            return self.kept is not None
        except BackendError:
            return False

    @property
    def ephemeral(self) -> bool:
        return self.kept.is_ephemeral

    @property
    def components(self) -> list[dict[str, Any]]:
        return list(walk_components(self.kept.components))

    @property
    def text(self) -> str:
        """All that there is to read, buttons and menus left out."""
        return "\n".join(part["content"] for part in self.components if part["type"] == TEXT)

    @property
    def buttons(self) -> dict[str, str]:
        """The buttons that can be pressed: custom_ids by label."""
        return {
            part["label"]: part["custom_id"]
            for part in self.components
            if part["type"] == BUTTON and part.get("custom_id") and not part.get("disabled")
        }

    @property
    def greyed(self) -> list[str]:
        """The labels of buttons that cannot be pressed."""
        return [part["label"] for part in self.components if part["type"] == BUTTON and part.get("disabled")]

    @property
    def links(self) -> dict[str, str]:
        return {
            part["label"]: part["url"]
            for part in self.components
            if part["type"] == BUTTON and part.get("url")
        }

    @property
    def menus(self) -> list[Menu]:
        found: list[Menu] = []
        for part in self.components:
            if part["type"] == MENU:
                options = part["options"]
                found.append(
                    Menu(
                        part.get("placeholder", ""),
                        part["custom_id"],
                        {option["label"]: option["value"] for option in options},
                        {option["label"]: option.get("description") or "" for option in options},
                        tuple(option["label"] for option in options if option.get("default")),
                    )
                )
        return found

    def menu(self, placeholder: str) -> Menu:
        """The menu whose placeholder begins so."""
        found = [menu for menu in self.menus if menu.placeholder.startswith(placeholder)]
        assert len(found) == 1, (
            f"{len(found)} menus {placeholder!r} among {[m.placeholder for m in self.menus]}"
        )
        return found[0]

    def offers(self, placeholder: str) -> bool:
        return any(menu.placeholder.startswith(placeholder) for menu in self.menus)

    def of_intent(self, *intents: str) -> list[str]:
        """The labels of the buttons that can be pressed with one of these intents."""
        read = {label: read_id(custom_id) for label, custom_id in self.buttons.items()}
        return [label for label, to in read.items() if to is not None and to.intent in intents]

    def label(self, beginning: str) -> str:
        """The label of the one button that begins so."""
        found = [label for label in self.buttons if label.startswith(beginning)]
        assert len(found) == 1, f"{beginning!r} among {list(self.buttons)}: {found}"
        return found[0]

    @property
    def ids(self) -> list[Id]:
        """The meanings of its buttons and menus."""
        custom_ids = [part["custom_id"] for part in self.components if part.get("custom_id")]
        return [to for custom_id in custom_ids if (to := read_id(custom_id))]

    @property
    def files(self) -> dict[str, bytes]:
        """The attached files by name."""
        cdn = self.env.backend.cdn
        return {file["filename"]: cdn.get(file["url"]) or b"" for file in self.kept.attachments}

    def as_message(self) -> simcord.ResponseMessage:
        return simcord.ResponseMessage(self.env, self.kept)


def news_of(lines: Sequence[str]) -> list[str]:
    """The lines of the news on a private screen: those above whose turn it is."""
    turn = next(number for number, line in enumerate(lines) if line.startswith(("▶️", "⏳", "🏁", "### Your")))
    return list(lines[:turn])
