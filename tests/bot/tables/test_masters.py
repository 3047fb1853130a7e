"""The strongest agent's score of a deal: it is played once, and only while nobody waits for an agent."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from bot.tables.thinking import Deal, MasterScores, Thinkers
from engine.registry import load_games

GAME = load_games()["archaeology"]
SEED = "11" * 32
DEAL = Deal(3, GAME.load_options({}), bytes(32))


class Quick(Thinkers):
    """Thinking processes in whose place a quick agent answers at once."""

    def __init__(self) -> None:
        super().__init__(1)
        self.levels: list[tuple[int, str]] = []

    async def _run(self, longest: float, thinking: Any, game: Any, *arguments: Any) -> Any:
        level, view, seed = arguments
        self.levels.append((view.viewer, level))
        return game.agents["novice"].choose(view, Random(seed))


async def done(scores: MasterScores) -> None:
    while scores.playing.tasks:
        await asyncio.wait(scores.playing.tasks)


async def test_strongest_agent_plays_the_persons_seat_once_and_every_process_finds_the_same_score() -> None:
    found: list[Any] = []
    for _process in range(2):
        thinkers = Quick()
        scores = MasterScores(thinkers)
        assert scores.play_of(GAME, DEAL, SEED, "veteran") is None
        await done(scores)
        found.append(scores.play_of(GAME, DEAL, SEED, "veteran"))
        assert {*thinkers.levels} == {(0, "master"), (1, "veteran"), (2, "veteran")}
        assert not scores.playing.tasks
    assert found[0] is not None
    assert found[0] == found[1]


async def test_deal_is_played_only_while_the_thinking_processes_are_free() -> None:
    thinkers = Quick()
    scores = MasterScores(thinkers)
    thinkers._free.clear()  # a person waits for an agent
    scores.play_of(GAME, DEAL, SEED, "veteran")
    for _ in range(20):
        await asyncio.sleep(0)
    assert thinkers.levels == []
    thinkers._free.set()
    await done(scores)
    assert scores.play_of(GAME, DEAL, SEED, "veteran") is not None


async def test_play_that_the_machine_is_too_busy_for_begins_anew_with_the_next_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scores = MasterScores(Quick())

    async def late(*_arguments: Any) -> None:
        raise TimeoutError

    with monkeypatch.context() as busy:
        busy.setattr(Quick, "_run", late)
        scores.play_of(GAME, DEAL, SEED, "veteran")
        await done(scores)
    assert scores.play_of(GAME, DEAL, SEED, "veteran") is None
    await done(scores)
    assert scores.play_of(GAME, DEAL, SEED, "veteran") is not None


async def test_without_thinking_processes_no_deal_is_played() -> None:
    scores = MasterScores(Thinkers(0))
    assert scores.play_of(GAME, DEAL, SEED, "veteran") is None
    assert not scores.playing.tasks
