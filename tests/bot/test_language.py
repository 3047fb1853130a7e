"""Texts in the language that is being spoken, and one word that means several things."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from io import BytesIO
from unittest.mock import patch

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.support import Translations

from bot import language
from bot.language import by_language, counted_noun, listing, noun, percent, pgettext, phrase, speaking


def test_a_word_is_translated_as_what_it_is_said_to_be() -> None:
    with speaking("de"):
        assert pgettext("monument", "Tomb") == "Grab"
        assert pgettext("something else", "Tomb") == "Tomb", "no translation of another thing"
    assert pgettext("monument", "Tomb") == "Tomb"


def test_what_is_said_again_and_again_is_worded_once_in_each_language() -> None:
    worded = list[int]()

    @by_language
    def tombs(n: int) -> str:
        worded.append(n)
        return f"{n} {pgettext('monument', 'Tomb')}"

    for _time in range(2):
        assert tombs(1) == "1 Tomb"
        with speaking("de"):
            assert tombs(1) == "1 Grab"
    assert tombs(2) == "2 Tomb"
    assert worded == [1, 1, 2]


@contextmanager
def a_language_with_cases() -> Generator[None]:
    """Russian, with a few nouns in the accusative."""
    catalogue = Catalog(locale="ru", fuzzy=False)
    catalogue.add(("{n} Coin", "{n} Coins"), ("{n} монета", "{n} монеты", "{n} монет"))
    catalogue.add(("{n} Coin", "{n} Coins"), ("{n} монету", "{n} монеты", "{n} монет"), context="acc")
    catalogue.add("Mask", "маска", context="treasure")
    catalogue.add("Mask", "маску", context="treasure, acc")
    catalogue.add("Cup", "чаша", context="treasure")
    catalogue.add("{several} and {last}", "{several} и {last}")
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    translations = Translations(compiled)
    with (
        patch.object(language, "_catalogue", lambda _name: translations),
        patch.object(language, "languages", lambda: ("en", "ru")),
        speaking("ru"),
    ):
        yield


def test_a_counted_noun_stands_in_the_case_that_the_translation_asks_for() -> None:
    with a_language_with_cases():
        found = ["за {maps:acc}".format(maps=counted_noun("{n} Coin", "{n} Coins", n)) for n in (1, 2, 5, 21)]
        assert found == ["за 1 монету", "за 2 монеты", "за 5 монет", "за 21 монету"]
        assert counted_noun("{n} Coin", "{n} Coins", 1) == "1 монета"


def test_a_noun_without_a_form_for_the_case_stands_in_the_nominative() -> None:
    with a_language_with_cases():
        assert (
            f"{noun('treasure', 'Cup'):acc} {counted_noun('{n} Coin', '{n} Coins', 1):ins}" == "чаша 1 монета"
        )


def test_lists_and_phrases_hand_the_case_on_to_their_nouns() -> None:
    with a_language_with_cases():
        mask = phrase("{sign} {name}", sign="🎭", name=noun("treasure", "Mask"))
        cards = listing([counted_noun("{n} Coin", "{n} Coins", 1), mask, "Анна"])
        assert f"{cards:acc}" == "1 монету, 🎭 маску и Анна"
        assert str(cards) == "1 монета, 🎭 маска и Анна"


def test_a_language_without_cases_shows_nouns_as_they_are() -> None:
    assert f"{counted_noun('{n} card', '{n} cards', 2):acc}" == "2 cards"
    with speaking("de"):
        assert f"{counted_noun('{n} card', '{n} cards', 2):acc}" == "2 Karten"


def test_spanish_has_another_and_before_the_same_vowel() -> None:
    with speaking("es-ES"):
        for last, word in (("**Inés**", "e"), ("Hilario", "e"), ("Hielo", "y"), ("Ana", "y")):
            assert listing(["Ben", last]) == f"Ben {word} {last}"


def test_percentages_are_written_as_each_language_writes_them() -> None:
    assert percent(33) == "33%"
    for locale in ("de", "es-ES"):
        with speaking(locale):
            assert percent(33) == "33\N{NO-BREAK SPACE}%"
