"""Chance: the same numbers for everybody who has the key, each as likely as any other."""

from __future__ import annotations

import hmac
from itertools import permutations
from struct import unpack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import chance
from engine.chance import Counters, draw, draws, shuffle

KEY = bytes(range(32))

KNOWN_DRAWS = [2, 5, 3, 5, 2, 5, 5, 5, 2, 3, 3, 2]
KNOWN_SHUFFLE = [16, 12, 0, 3, 2, 15, 18, 4, 13, 1, 7, 19, 8, 14, 10, 5, 9, 6, 17, 11]


def words(key: bytes, stream: str, first_block: int = 0):
    """The stream as the scheme is written down, by the standard library's HMAC."""
    block = first_block
    while True:
        yield from unpack(">8I", hmac.digest(key, f"{stream}:{block}".encode(), "sha256"))
        block += 1


def slow_draw(key: bytes, counters: Counters, stream: str, bound: int, limits: tuple[int, ...]) -> int:
    first = counters.get(stream, 0)
    for used, word in enumerate(words(key, stream, first), 1):
        if word < limits[bound]:
            counters[stream] = first + -(-used // 8)
            return word % bound
    raise AssertionError


def slow_shuffle(
    key: bytes, counters: Counters, stream: str, cards: list[int], limits: tuple[int, ...]
) -> None:
    """Fisher–Yates word by word. At least the blocks are used that suffice where nothing is rejected."""
    first, used = counters.get(stream, 0), 0
    supply = words(key, stream, first)
    for bound in range(len(cards), 1, -1):
        while True:
            word = next(supply)
            used += 1
            if word < limits[bound]:
                break
        other = word % bound
        cards[bound - 1], cards[other] = cards[other], cards[bound - 1]
    if len(cards) > 1:
        counters[stream] = first + max(-(-used // 8), -(-(len(cards) - 1) // 8))


def test_known_draws():
    counters: Counters = {}
    assert [draw(KEY, counters, "die", 6) for _ in range(12)] == KNOWN_DRAWS
    assert counters == {"die": 12}


def test_a_known_shuffle():
    cards, counters = list(range(20)), Counters()
    shuffle(KEY, counters, "deal", cards)
    assert cards == KNOWN_SHUFFLE
    assert counters == {"deal": 3}


def test_the_first_block_is_the_hmac_of_the_streams_name_and_its_number():
    first = unpack(">8I", hmac.digest(KEY, b"die:0", "sha256"))[0]
    assert draw(KEY, {}, "die", 255) == first % 255


@given(st.binary(max_size=100), st.text(max_size=10), st.integers(0, 1000), st.integers(1, 255))
def test_draws_follow_the_scheme(key: bytes, stream: str, used: int, bound: int):
    ours, theirs = {stream: used}, {stream: used}
    for _ in range(3):
        assert draw(key, ours, stream, bound) == slow_draw(key, theirs, stream, bound, chance._LIMITS)
    assert ours == theirs


def slow_draws(
    key: bytes, counters: Counters, stream: str, bound: int, count: int, limits: tuple[int, ...]
) -> list[int]:
    """One word after the other, from a fresh block on."""
    first, used, numbers = counters.get(stream, 0), 0, list[int]()
    supply = words(key, stream, first)
    while len(numbers) < count:
        word = next(supply)
        used += 1
        if word < limits[bound]:
            numbers.append(word % bound)
    if count:
        counters[stream] = first + -(-used // 8)
    return numbers


@given(st.binary(max_size=100), st.integers(0, 1000), st.integers(1, 255), st.integers(0, 30))
def test_several_numbers_in_one_draw_follow_the_scheme(key: bytes, used: int, bound: int, count: int):
    ours, theirs = {"dice": used}, {"dice": used}
    for _ in range(3):
        drawn = draws(key, ours, "dice", bound, count)
        assert drawn == slow_draws(key, theirs, "dice", bound, count, chance._LIMITS)
    assert ours == theirs


@given(st.binary(max_size=100), st.integers(0, 1000), st.lists(st.integers(1, 255), max_size=30))
def test_numbers_thrown_one_after_another_follow_the_scheme(key: bytes, used: int, bounds: list[int]):
    """Each has a bound of its own; a throw begins at a fresh block and goes on from word to word."""
    ours, theirs = {"dice": used}, {"dice": used}
    for _ in range(3):
        source = chance.words(key, ours, "dice")
        thrown = [chance.below(source, bound) for bound in bounds]
        assert thrown == slow_throws(key, theirs, "dice", bounds, chance._LIMITS)
        assert ours == theirs


def slow_throws(
    key: bytes, counters: Counters, stream: str, bounds: list[int], limits: tuple[int, ...]
) -> list[int]:
    first, used, numbers = counters.get(stream, 0), 0, list[int]()
    supply = words(key, stream, first)
    for bound in bounds:
        word = next(supply)
        used += 1
        while word >= limits[bound]:
            word = next(supply)
            used += 1
        numbers.append(word % bound)
    if bounds:
        counters[stream] = first + -(-used // 8)
    return numbers


def test_no_block_is_used_before_a_word_is_asked_for():
    counters = Counters()
    source = chance.words(KEY, counters, "dice")
    assert counters == {}
    chance.below(source, 6)
    assert counters == {"dice": 1}


def test_words_that_end_are_an_error():
    with pytest.raises(ValueError, match="come to an end"):
        chance.below(iter([]), 6)


@given(st.binary(max_size=100), st.integers(0, 1000), st.integers(0, 255))
def test_shuffles_follow_the_scheme(key: bytes, used: int, size: int):
    ours, theirs = {"deal": used}, {"deal": used}
    one, other = list(range(size)), list(range(size))
    shuffle(key, ours, "deal", one)
    slow_shuffle(key, theirs, "deal", other, chance._LIMITS)
    assert one == other
    assert ours == theirs


@pytest.mark.parametrize("share", [2, 5, 40])
def test_words_that_would_favour_small_numbers_are_rejected(monkeypatch: pytest.MonkeyPatch, share: int):
    """With far lower limits than the real ones, so that rejections come often, up to many blocks' worth."""
    limits = tuple(limit // share for limit in chance._LIMITS)
    monkeypatch.setattr(chance, "_LIMITS", limits)
    monkeypatch.setattr(chance, "_SUSPECT", b"")
    for size in (0, 1, 2, 3, 9, 10, 66, 255):
        ours, theirs = Counters(), Counters()
        for _ in range(3):
            one, other = list(range(size)), list(range(size))
            shuffle(KEY, ours, "deal", one)
            slow_shuffle(KEY, theirs, "deal", other, limits)
            assert one == other
            assert draw(KEY, ours, "die", 6) == slow_draw(KEY, theirs, "die", 6, limits)
            assert draws(KEY, ours, "dice", 6, size) == slow_draws(KEY, theirs, "dice", 6, size, limits)
            source, bounds = chance.words(KEY, ours, "throws"), [6, 36, 216, 10] * (size // 4)
            thrown = [chance.below(source, bound) for bound in bounds]
            assert thrown == slow_throws(KEY, theirs, "throws", bounds, limits)
        assert ours == theirs


def test_the_limits_leave_every_number_equally_many_words():
    for bound in range(1, 256):
        limit = chance._LIMITS[bound]
        assert limit % bound == 0
        assert 2**32 - bound < limit <= 2**32


def test_a_shuffle_looks_for_what_every_rejected_word_begins_with():
    for word in range(min(chance._LIMITS[1:]), 2**32):
        assert word.to_bytes(4, "big").startswith(chance._SUSPECT)
    assert chance._SUSPECT


def test_streams_do_not_disturb_each_other():
    alone, among = Counters(), Counters()
    expected = [draw(KEY, alone, "seat 1", 100) for _ in range(5)]
    drawn: list[int] = []
    for _ in range(5):
        draw(KEY, among, "seat 0", 100)
        drawn.append(draw(KEY, among, "seat 1", 100))
        shuffle(KEY, among, "deal", list(range(10)))
    assert drawn == expected


def test_a_shuffle_keeps_all_cards():
    cards = [3] * 5 + [1] * 4 + [-1]
    shuffle(KEY, {}, "deal", cards)
    assert sorted(cards) == [-1, 1, 1, 1, 1, 3, 3, 3, 3, 3]


def test_what_is_too_large_is_refused_and_not_skewed():
    with pytest.raises(ValueError, match="256"):
        shuffle(KEY, {}, "deal", list(range(256)))
    with pytest.raises(IndexError):
        draw(KEY, {}, "die", 256)


def test_a_draw_among_none_fails_at_once():
    with pytest.raises(ZeroDivisionError):
        draw(KEY, {}, "die", 0)


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((n - expected) ** 2 for n in counts) / expected


# The seeds are fixed, so these either always pass or never; the bounds are the 99.9 % points.


def test_draws_are_uniform():
    counters: Counters = {}
    drawn = [draw(KEY, counters, "die", 6) for _ in range(6_000)]
    assert chi_square([drawn.count(face) for face in range(6)]) < 20.5


def test_rolls_of_several_dice_are_uniform():
    counters: Counters = {}
    drawn = [face for _ in range(1_000) for face in draws(KEY, counters, "dice", 6, 7)]
    assert chi_square([drawn.count(face) for face in range(6)]) < 20.5
    assert counters == {"dice": 1_000}


def test_shuffles_are_uniform():
    counters: Counters = {}
    found = dict.fromkeys(permutations(range(4)), 0)
    for _ in range(4_800):
        cards = list(range(4))
        shuffle(KEY, counters, "deal", cards)
        found[tuple(cards)] += 1
    assert chi_square(list(found.values())) < 49.7


def test_every_card_may_end_anywhere():
    counters: Counters = {}
    places = [[0] * 66 for _ in range(66)]
    for _ in range(1_500):
        cards = list(range(66))
        shuffle(KEY, counters, "deal", cards)
        for place, card in enumerate(cards):
            places[card][place] += 1
    assert all(chi_square(counts) < 130 for counts in places)
