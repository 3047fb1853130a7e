"""Texts in the language that is being spoken, and one word that means several things."""

from __future__ import annotations

from bot.language import pgettext, speaking


def test_a_word_is_translated_as_what_it_is_said_to_be() -> None:
    with speaking("de"):
        assert pgettext("monument", "Tomb") == "Grab"
        assert pgettext("something else", "Tomb") == "Tomb", "no translation of another thing"
    assert pgettext("monument", "Tomb") == "Tomb"
