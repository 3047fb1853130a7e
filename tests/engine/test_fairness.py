"""Commit, contribute, reveal: the numbers that anybody can compute with any SHA-256 tool."""

from __future__ import annotations

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from engine.fairness import Contribution, canonical, commitment, match_key

SEED = bytes(range(32))
AGREED = [Contribution("start", "1234567890"), Contribution("seat 1", "Käse")]


def test_the_commitment_is_the_seeds_sha256():
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert commitment(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_contributions_are_written_one_way_only():
    assert canonical([]) == b"[]"
    assert canonical(AGREED) == '[["start","1234567890"],["seat 1","Käse"]]'.encode()
    assert canonical([Contribution("seat 0", 'a"b\\')]) == b'[["seat 0","a\\"b\\\\"]]'


def test_the_key_is_the_hmac_of_the_contributions_under_the_seed():
    text = '[["start","1234567890"],["seat 1","Käse"]]'.encode()
    assert match_key(SEED, AGREED) == hmac.new(SEED, text, hashlib.sha256).digest()
    assert match_key(SEED, AGREED).hex() == "8e63c4bf1e175b7304dc07c6ede6ad776df92e478093f292937a52f4909d830b"


def test_every_contribution_changes_the_key():
    keys = {
        match_key(SEED, agreed)
        for agreed in (AGREED, AGREED[::-1], AGREED[:1], [], [AGREED[0], Contribution("seat 2", "Käse")])
    }
    assert len(keys) == 5


@given(st.lists(st.tuples(st.text(), st.text())), st.lists(st.tuples(st.text(), st.text())))
def test_different_contributions_are_written_differently(
    one: list[tuple[str, str]], other: list[tuple[str, str]]
):
    def written(pairs: list[tuple[str, str]]) -> bytes:
        return canonical([Contribution(source, value) for source, value in pairs])

    assert (written(one) == written(other)) == (one == other)
