"""Texts in the language that is being spoken, and one word that means several things."""

from __future__ import annotations

from bot.language import by_language, pgettext, speaking


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
