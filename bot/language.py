"""The texts that players read, in their language: gettext catalogues, chosen for the current task.

Code that words a text calls `_`, `pgettext` and `ngettext` inside `with speaking(locale):`. Catalogues are the `.po`
files below `bot/locales`, read at their first use; a text without a translation appears in English.

A single word may have several meanings, each with its own translation. It goes through `pgettext`, whose context names
the meaning in a word or two. `Translators:` begins a comment that translators read with the text below it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache, wraps
from gettext import NullTranslations
from importlib import resources
from io import BytesIO
from typing import Final, ParamSpec, TypeVar

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

P = ParamSpec("P")
T = TypeVar("T")

DOMAIN = "digsite"
SOURCE = "en"


@dataclass(frozen=True, slots=True)
class LanguageLimits:
    """Texts that are kept in memory."""

    kept: int = 4096
    """The number of texts of one function that are kept (`by_language`)."""


LANGUAGE: Final = LanguageLimits()

_current: ContextVar[str] = ContextVar("language", default=SOURCE)


@cache
def languages() -> tuple[str, ...]:
    """The languages that have texts, by the names of their folders in `bot/locales`; English first."""
    folder = resources.files("bot").joinpath("locales")
    found = [
        entry.name for entry in folder.iterdir() if entry.joinpath("LC_MESSAGES", f"{DOMAIN}.po").is_file()
    ]
    return (SOURCE, *sorted(set(found) - {SOURCE}))


def language_for(locale: str | None) -> str:
    """The language for a Discord locale such as "de" or "pt-BR".

    >>> language_for("en-GB"), language_for(None)
    ('en', 'en')
    """
    name = (locale or SOURCE).replace("-", "_")
    if name in languages():
        return name
    short = name.partition("_")[0]
    return short if short in languages() else SOURCE


@cache
def _catalogue(language: str) -> NullTranslations:
    if language == SOURCE:
        return NullTranslations()
    file = resources.files("bot").joinpath("locales", language, "LC_MESSAGES", f"{DOMAIN}.po")
    compiled = BytesIO()
    with file.open("rb") as text:
        write_mo(compiled, read_po(text, locale=language, domain=DOMAIN))
    compiled.seek(0)
    return Translations(compiled)


@contextmanager
def speaking(locale: str | None) -> Generator[None]:
    """A context in which `_`, `ngettext` and `pgettext` use the language for this Discord locale."""
    token = _current.set(language_for(locale))
    try:
        yield
    finally:
        _current.reset(token)


def current_language() -> str:
    """The current language, by the name of its folder in `bot/locales`."""
    return _current.get()


def gettext(text: str) -> str:
    """The text in the current language."""
    return _catalogue(_current.get()).gettext(text)


def ngettext(one: str, many: str, n: int) -> str:
    """The text for `n` things in the current language."""
    return _catalogue(_current.get()).ngettext(one, many, n)


def pgettext(context: str, text: str) -> str:
    """The text in the current language, translated for this context ("button", "monument")."""
    return _catalogue(_current.get()).pgettext(context, text)


_ = gettext


def by_language(words: Callable[P, T]) -> Callable[P, T]:
    """Caches a function's texts by the current language and the arguments.

    It is meant for texts that screens repeat often. The arguments must be hashable, and the returned value must never
    be changed.
    """

    @lru_cache(maxsize=LANGUAGE.kept)
    def in_language(_language: str, *args: P.args, **kwargs: P.kwargs) -> T:
        return words(*args, **kwargs)

    @wraps(words)
    def worded(*args: P.args, **kwargs: P.kwargs) -> T:
        return in_language(_current.get(), *args, **kwargs)

    return worded


def mark(text: str) -> str:
    """The unchanged text, marked for translators. It is translated later, where the language is known."""
    return text


def listing(parts: list[str]) -> str:
    """The parts as a list within a sentence.

    >>> listing(["a", "b", "c"])
    'a, b and c'
    """
    if len(parts) < 2:
        return "".join(parts)
    # Translators: a list in a sentence: “Ana, Ben and Cara”.
    return _("{several} and {last}").format(several=", ".join(parts[:-1]), last=parts[-1])
