"""Parts that want to know of a change subscribe to it, so that no part is given another one after it was made."""

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
