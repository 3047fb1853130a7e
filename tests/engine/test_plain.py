"""Names and words become one line that hides nothing."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.plain import plain


@pytest.mark.parametrize(
    ("sent", "stands"),
    [
        ("Ana", "Ana"),
        ("  Ana \t Maria ", "Ana Maria"),
        ("two\nlines\r\nand\u2028more\u2029still\x85here", "two lines and more still here"),
        ("\x1b[31mred\x07", "[31mred"),
        ("\u202eturned\u202c \u2066isolated\u2069 \u200fmark", "turned isolated mark"),
        ("in\u00advisi\u200bble\ufeff", "invisible"),
        ("lone \ud800 surrogate", "lone surrogate"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("\u200d\u200d", ""),
        ("\u3000\u00a0", ""),
        ("crème brûlée", "crème brûlée"),
    ],
)
def test_a_text_is_one_line_of_what_can_be_seen(sent: str, stands: str):
    assert plain(sent) == stands


@given(st.text(), st.integers(0, 10))
def test_what_is_plain_stays_as_it_is_and_keeps_to_its_length(sent: str, limit: int):
    once = plain(sent, limit)
    assert len(once) <= limit
    assert plain(once) == once
    assert plain(plain(sent)) == plain(sent)
    assert not {unicodedata.category(character) for character in once} & {"Cc", "Cs", "Zl", "Zp"}
