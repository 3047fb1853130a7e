"""Kills the bot at a request: what it would keep from then on is lost, and Discord has the message or not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from simcord.http import client

from bot.store.model import Change, StoreFull
from bot.store.store import Store


@contextmanager
def killed(method: str, part: str, *, taken: bool = True, mute: bool = False) -> Iterator[None]:
    """The process dies at such a request that holds this: from then on nothing is kept.

    `taken`: Discord has taken the request. `mute`: nothing more is sent either.
    """
    dispatch, commit = client.router.dispatch, Store.commit
    dead = False

    def taking(backend: Any, made: str, path: str, **options: Any) -> Any:
        nonlocal dead
        if dead and mute and made != "GET":
            raise OSError("the process is dead")
        last = made == method and part in path + json.dumps(options.get("json"), ensure_ascii=False)
        dead |= last
        if last and not taken:
            raise OSError("the process is dead")
        return dispatch(backend, made, path, **options)

    async def keep(store: Store, change: Change) -> None:
        if dead:
            raise StoreFull("the process is dead")
        await commit(store, change)

    with patch.object(client.router, "dispatch", taking), patch.object(Store, "commit", keep):
        yield
        assert dead
