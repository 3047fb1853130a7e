"""The examples in the engine's docstrings."""

import doctest
import importlib
import pkgutil

import pytest

import engine

MODULES = sorted(module.name for module in pkgutil.walk_packages(engine.__path__, "engine."))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_right(name: str):
    assert not doctest.testmod(importlib.import_module(name)).failed


def test_there_are_examples():
    tried = [doctest.testmod(importlib.import_module(name)).attempted for name in MODULES]
    assert sum(tried) >= 6
