"""The words that players read, in their language: gettext catalogues, chosen for the current piece of work.

Code that words something calls `_`, `pgettext` and `ngettext` inside `with speaking(locale):`. Catalogues are the `.po`
files below `bot/locales`, read when first needed; a text without a translation appears in English.

A single word means different things in different places, and may want a different translation in each: it goes through
`pgettext`, with a word or two on what it is. `Translators:` begins a comment above a text that translators read too.
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
    """The languages there are texts in, as folders of `bot/locales` are named; English first."""
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
    """Within it, `_` and `ngettext` speak the language for this Discord locale."""
    token = _current.set(language_for(locale))
    try:
        yield
    finally:
        _current.reset(token)


def gettext(text: str) -> str:
    """The text in the current language."""
    return _catalogue(_current.get()).gettext(text)


def ngettext(one: str, many: str, n: int) -> str:
    """The text for `n` things in the current language."""
    return _catalogue(_current.get()).ngettext(one, many, n)


def pgettext(context: str, text: str) -> str:
    """The text in the current language, as it is translated in this context ("button", "monument")."""
    return _catalogue(_current.get()).pgettext(context, text)


_ = gettext


def by_language(words: Callable[P, T]) -> Callable[P, T]:
    """Keeps what a function words, by the language that is being spoken and its arguments.

    For what screens say again and again. The arguments must be hashable, and what is returned must never be changed.
    """

    @lru_cache(maxsize=LANGUAGE.kept)
    def in_language(_language: str, *args: P.args, **kwargs: P.kwargs) -> T:
        return words(*args, **kwargs)

    @wraps(words)
    def worded(*args: P.args, **kwargs: P.kwargs) -> T:
        return in_language(_current.get(), *args, **kwargs)

    return worded


def mark(text: str) -> str:
    """The text as it is, marked for translators: it is worded later, where the language is known."""
    return text


def listing(parts: list[str]) -> str:
    """Parts as a sentence lists them.

    >>> listing(["a", "b", "c"])
    'a, b and c'
    """
    if len(parts) < 2:
        return "".join(parts)
    # Translators: a list in a sentence: “Ana, Ben and Cara”.
    return _("{several} and {last}").format(several=", ".join(parts[:-1]), last=parts[-1])
