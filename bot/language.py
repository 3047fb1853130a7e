"""The texts that players read, in their language: gettext catalogues, chosen for the current task.

Code that words a text calls `_`, `pgettext` and `ngettext` inside `with speaking(locale):`. Catalogues are the `.po`
files below `bot/locales`, read at their first use; a text without a translation appears in English.

A single word may have several meanings, each with its own translation. It goes through `pgettext`, whose context names
the meaning in a word or two. `Translators:` begins a comment that translators read with the text below it.

A noun that texts insert is a `Phrase`, which knows its grammatical cases: a translation writes `{cards:acc}` where the
language wants the accusative. The catalogue has the noun once more for each case (`CASES`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from gettext import NullTranslations
from importlib import resources
from io import BytesIO
from string import Formatter
from typing import Any, Final, ParamSpec, Self, TypeVar

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_percent
from babel.support import Translations

P = ParamSpec("P")
T = TypeVar("T")

DOMAIN = "digsite"
SOURCE = "en"
PUBLISHED: Final = ("de", "es", "it", "ru")
"""The languages whose catalogues have every text. A folder of another language in `bot/locales` is in progress."""


CASES: Final = {"ru": ("gen", "dat", "acc", "ins", "pre")}
"""The cases in which a language's catalogue has nouns, besides the nominative."""

_current: ContextVar[str] = ContextVar("language", default=SOURCE)
_CACHED: Final = 4096
"""The number of texts of one function that are kept, unless it says another (`by_language`)."""


def languages() -> tuple[str, ...]:
    """The languages that people can choose, by the names of their folders in `bot/locales`; English first."""
    return SOURCE, *PUBLISHED


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


class InCases(Formatter):
    """Formats a text in which placeholders ask for cases. A string that is no phrase has the nominative alone."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Phrase) or format_spec not in CASES.get(_current.get(), ()):
            return format(value, format_spec)
        return self.without_cases(value)

    def without_cases(self, value: Any) -> str:
        """The text of a value that has no cases, where a translation asks for one. Tests fail here."""
        return str(value)


_IN_CASES: Final = InCases()


class _Text(str):
    """A text of a language with cases."""

    __slots__ = ()

    def format(self, *args: object, **parts: object) -> str:
        return _IN_CASES.vformat(self, args, parts)


def _text(found: str) -> str:
    return _Text(found) if _current.get() in CASES else found


def gettext(text: str) -> str:
    """The text in the current language."""
    return _text(_catalogue(_current.get()).gettext(text))


def ngettext(one: str, many: str, n: int) -> str:
    """The text for `n` things in the current language."""
    return _text(_catalogue(_current.get()).ngettext(one, many, n))


def pgettext(context: str, text: str) -> str:
    """The text in the current language, translated for this context ("button", "monument")."""
    return _text(_catalogue(_current.get()).pgettext(context, text))


_ = gettext


_forgets: list[Callable[[], None]] = []
"""Clear the caches of `by_language`."""


def forget_texts() -> None:
    """Clears the caches of `by_language`, because a person's data are to be deleted, and texts may have their name."""
    for forget in _forgets:
        forget()


def by_language(words: Callable[P, T], kept: int = _CACHED) -> Callable[P, T]:
    """Caches a function's texts by the current language and the arguments, the newest `kept` of them.

    It is meant for texts that screens repeat often, and for pictures, which have an alt text. The arguments must be
    hashable, and the returned value must never be changed.
    """

    @lru_cache(maxsize=kept)
    def in_language(_language: str, *args: P.args, **kwargs: P.kwargs) -> T:
        return words(*args, **kwargs)

    _forgets.append(in_language.cache_clear)

    @wraps(words)
    def worded(*args: P.args, **kwargs: P.kwargs) -> T:
        return in_language(_current.get(), *args, **kwargs)

    return worded


def mark(text: str) -> str:
    """The unchanged text, marked for translators. It is translated later, where the language is known."""
    return text


class Phrase(str):
    """A noun phrase that texts insert: a string in the nominative, which a placeholder can ask for in another case.

    In the language in which it was made, `"{cards:acc}".format(cards=phrase)` is the phrase in the accusative. A phrase
    without a translation for a case stands in the nominative.
    """

    in_case: Callable[[str], str]

    @classmethod
    def made(cls, in_case: Callable[[str], str]) -> Self:
        """The phrase with these forms by the names of the cases; "" is the nominative."""
        phrase = cls(in_case(""))
        phrase.in_case = in_case
        return phrase

    def __format__(self, case: str, /) -> str:
        return self.in_case(case) if case else str(self)


def noun(context: str, text: str) -> Phrase:
    """A noun without a number, translated for this context like a text of `pgettext`."""

    def in_case(case: str) -> str:
        asked = f"{context}, {case}" if case else context
        found = pgettext(asked, text)
        return pgettext(context, text) if case and found == text else found

    return Phrase.made(in_case)


def counted_noun(one: str, many: str, n: int) -> Phrase:
    """A number of things, `{n}` in both texts: "2 Coins"."""

    def in_case(case: str) -> str:
        found = _catalogue(_current.get()).npgettext(case, one, many, n) if case else ""
        return (ngettext(one, many, n) if found in ("", one, many) else found).format(n=n)

    return Phrase.made(in_case)


def _in_case(text: str, case: str) -> str:
    return format(text, case) if isinstance(text, Phrase) else text


def phrase(template: str, **parts: object) -> Phrase:
    """The template with these parts. The template, if it is a phrase, and the phrases among the parts follow the case.

    >>> phrase("{sign} {cards}", sign="🪙", cards="2 Coins")
    '🪙 2 Coins'
    """

    def in_case(case: str) -> str:
        shown = {
            name: format(part, case) if isinstance(part, Phrase) else part for name, part in parts.items()
        }
        return _in_case(template, case).format(**shown)

    return Phrase.made(in_case)


_LIKE_VOWEL: Final = {
    "es": re.compile(r"[\W_]*(i|hi(?!e))", re.IGNORECASE),
    "it": re.compile(r"[\W_]*e", re.IGNORECASE),
}
"""The beginning of a word before which a language has another word for “and”."""


def listing(parts: Sequence[str]) -> Phrase:
    """The parts as a list within a sentence. Phrases among them follow the case of the list.

    >>> listing(["a", "b", "c"])
    'a, b and c'
    """

    def in_case(case: str) -> str:
        worded = [_in_case(part, case) for part in parts]
        if len(worded) < 2:
            return "".join(worded)
        like_vowel = _LIKE_VOWEL.get(_current.get())
        if like_vowel is not None and like_vowel.match(worded[-1]):
            # Translators: as below, before a word that begins like the word for “and”: “Ana e Inés”, “Anna ed Elena”.
            text = pgettext("before the same vowel", "{several} and {last}")
        else:
            # Translators: a list in a sentence: “Ana, Ben and Cara”.
            text = _("{several} and {last}")
        return text.format(several=", ".join(worded[:-1]), last=worded[-1])

    return Phrase.made(in_case)


def percent(whole: int) -> str:
    """A number of percent as the current language writes it.

    >>> percent(33)
    '33%'
    """
    return format_percent(whole / 100, locale=_current.get())
