"""The actions of buttons: each intent has one, and each stands in the module that serves it."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter

from bot import people
from bot.ui import actions
from bot.ui.actions import ACTIONS
from bot.ui.handlers import Actions

ALL = {**ACTIONS, **people.ACTIONS}
"""The actions of every handler, as the router has them."""


def registered() -> list[Actions]:
    """The mapping of every module of handlers that has one."""
    names = [
        module.name
        for package in (actions, people)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    modules = [importlib.import_module(name) for name in names]
    return [module.ACTIONS for module in modules if hasattr(module, "ACTIONS")]


def test_no_intent_is_registered_by_two_modules() -> None:
    intents = Counter(intent for each in registered() for intent in each)
    assert [intent for intent, times in intents.items() if times > 1] == []


def test_the_actions_of_every_module_are_given_to_the_router() -> None:
    assert {intent: action for each in registered() for intent, action in each.items()} == ALL


def test_an_intent_has_a_dot_only_as_the_end_of_a_family() -> None:
    """The router looks up an intent with a dot by what stands before it."""
    assert [intent for intent in ALL if "." in intent[:-1]] == []
