"""The texts of the commands in the languages that Discord supports."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.language import SOURCE, language_for, speaking


class CommandTexts(app_commands.Translator):
    """Translates descriptions, choices, and names of options and of menu entries, by the `say` of a `locale_str`."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        if language_for(locale.value) == SOURCE:
            return None
        names = (
            app_commands.TranslationContextLocation.command_name,
            app_commands.TranslationContextLocation.group_name,
        )
        if context.location in names and not isinstance(context.data, app_commands.ContextMenu):
            return None  # command names are the same in all languages, so that players can tell them to each other
        say = string.extras.get("say")
        if say is None:
            return None
        with speaking(locale.value):
            text = say()
        return text if text != string.message else None
