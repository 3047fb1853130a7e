"""Subscriptions to changes, so that no part has to receive another part after its creation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Subscribers(Generic[P]):
    """Callables that are called one after the other, in the order in which they have subscribed."""

    def __init__(self) -> None:
        self._subscribed: list[Callable[P, None]] = []

    def subscribe(self, subscriber: Callable[P, None]) -> None:
        self._subscribed.append(subscriber)

    def notify(self, *args: P.args, **kwargs: P.kwargs) -> None:
        for subscriber in self._subscribed:
            subscriber(*args, **kwargs)
