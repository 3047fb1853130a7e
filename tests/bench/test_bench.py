"""The benchmarks run, if only for a moment."""

from __future__ import annotations

import ast
import doctest
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine.archaeology_family.agents.master import Effort, Master
from engine.registry import load_games
from tests.bench import __main__ as command
from tests.bench import agents, artifact_balance, engine, mail, press, presses
from tests.bench.pupils import CHILD, PUPIL
from tests.bench.report import Report

pytestmark = pytest.mark.system


def test_a_report_is_a_table_with_its_figures_to_the_right():
    report = Report("Speed", ("game", "moves/s"), [("chess", "9"), ("go", "1,000")], ["Higher is faster."])
    assert list(report.lines()) == [
        "Speed",
        "",
        "game   moves/s",
        "-----  -------",
        "chess        9",
        "go       1,000",
        "",
        "- Higher is faster.",
    ]


def test_the_engine_is_measured_against_itself(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(engine, "SLICE", 0.001)
    monkeypatch.setattr(engine, "others", lambda missing: iter(()))
    first, *more = engine.run().rows
    assert (first[0], first[-1]) == ("Digsite archaeology", "1.00")
    assert more


def test_what_is_not_installed_is_said_and_not_measured(monkeypatch: pytest.MonkeyPatch):
    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(engine.importlib, "import_module", absent)
    missing: list[str] = []
    assert list(engine.others(missing)) == []
    assert missing == ["rlcard (rlcard)", "pettingzoo (pettingzoo.classic)", "open_spiel (pyspiel)"]


def test_every_benchmark_is_found_by_its_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert "engine" in command.benchmarks()
    monkeypatch.setattr("sys.argv", ["bench", "no-such"])
    with pytest.raises(SystemExit):
        command.main()
    assert "there is no benchmark no-such" in capsys.readouterr().err


def test_matches_of_artifact_are_measured_beside_their_goals():
    report = artifact_balance.measured(["lost_city"], [2, 6], 4, "novice")
    assert [row[:2] for row in report.rows] == [("lost_city", "2"), ("lost_city", "6")]
    seen = artifact_balance.Watch(rounds=[17, 17, 26], home=[9, 9, 9], first=1, faced=100, overcome=80)
    figures = dict(zip(artifact_balance.HEAD, artifact_balance.row("lost_city", 2, seen), strict=True))
    assert figures["median rounds"] == "17"
    assert figures["overcome"] == "80.0 % *"
    assert figures["first player"] == "0.67"
    assert figures["changes hands"] == "0.0 % *"


def test_the_ladder_has_each_level_and_the_ceiling_at_each_number_of_seats(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(Master, "effort", Effort(turns=20, rounds=1, weightings=2, worlds=1))
    agents.ladder("expedition", agents.Extent(1, 0, {"monument": "ruins"}, 3, None), map)
    lines = capsys.readouterr().out.splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith("expedition, ")]
    assert [lines[number][:19] for number in heads] == ["expedition, 2 seats", "expedition, 3 seats"]
    for head in heads:
        rungs = [line.split()[0] for line in lines[head + 1 : head + 5]]
        assert rungs == ["novice", "veteran", "master", "ceiling"]


@pytest.mark.parametrize("key", sorted(load_games()))
def test_pupils_and_children_are_measured_in_each_game_and_children_play_otherwise(key: str):
    options = next(iter(load_games()[key].variants(2)))
    pupil, child = (
        agents.compare([agents.Job(key, name, "novice", 2, seed, options) for seed in range(6)])
        for name in (PUPIL, CHILD)
    )
    assert any(pupil.shares), "a pupil wins now and then"
    assert pupil.leads != child.leads


def test_the_ladder_of_one_level_has_its_share_by_its_place_in_the_order_of_play(
    capsys: pytest.CaptureFixture[str],
):
    agents.ladder("archaeology", agents.Extent(4, 7, {}, 2, "novice"), map)
    _, rung, *_ = capsys.readouterr().out.splitlines()
    assert rung.split()[0] == "novice"
    assert rung.endswith("(in the order of play: 0%, 0%)")


async def test_commits_are_measured_on_each_kind_of_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    pytest.importorskip("asyncpg")
    commits = importlib.import_module("tests.bench.commits")
    monkeypatch.setattr(commits, "SECONDS", 0.02)
    monkeypatch.setattr(commits, "ROUNDS", 1)
    report = await commits.measured(tmp_path)
    assert len(report.rows) == 3
    assert all(int(rate.replace(",", "")) > 0 for _, *rates in report.rows for rate in rates)


async def test_a_match_by_mail_waits_less_often_where_people_answer_ahead():
    game = load_games()["expedition"]
    before = await mail.measured(mail.one_by_one(game), 1)
    now = await mail.measured(game, 1)
    assert now[0].waits < before[0].waits
    assert now[0].calls < before[0].calls


def test_what_a_press_does_is_told_by_the_functions_that_are_under_way():
    assert not doctest.testmod(press).failed
    report = press.shares(
        {"the answer: composing": 0.003, "the answer: the rest": 0.001, press.LOOP: 0.004}, 4
    )
    assert report.rows == [
        ("the answer", "50 %", "1,000"),
        ("- composing", "38 %", "750"),
        ("- the rest", "12 %", "250"),
        (press.LOOP, "50 %", "1,000"),
        ("all of it", "100 %", "2,000"),
    ]


async def test_a_press_is_looked_at_while_the_bot_runs(monkeypatch: pytest.MonkeyPatch):
    _few(monkeypatch, press)
    monkeypatch.setattr(press, "SECONDS", 1.0)
    report = await press.measure()
    shown = {row[0] for row in report.rows}
    assert {"the answer", press.LOOP, "all of it"} <= shown
    # Which parts are met within a second is chance: only that nothing else is shown is certain.
    parts = {f"- {name}" for name in (*press.WORK.values(), press.REST)}
    assert shown <= {*press.PURPOSES.values(), *parts, press.LOOP, "all of it"}


def test_each_function_that_a_press_is_looked_for_in_is_there():
    names = set[str]()
    for package in ("bot", "cogs", "discord"):
        for file in Path(str(importlib.import_module(package).__path__[0])).rglob("*.py"):
            names.update(_functions_in(ast.parse(file.read_text(encoding="utf-8"))))
    assert {*press.PURPOSES, *press.WORK} <= names


def _functions_in(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.ClassDef):
            yield from (
                f"{node.name}.{part.name}"
                for part in node.body
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
            )


async def test_presses_are_measured_beside_a_constant(monkeypatch: pytest.MonkeyPatch):
    _few(monkeypatch, presses)
    monkeypatch.setattr(presses, "LIVE", (4,))
    monkeypatch.setattr(presses, "FEW", 2)
    report = await presses.many()
    assert [row[0] for row in report.rows] == [presses.CONSTANT, "2 live, 2 played", "4 live, 2 played"]
    assert all(float(row[1].replace(",", "")) > 0 for row in report.rows)


def _few(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> None:
    for name, value in {"TABLES": 2, "ROUNDS": 1, "WARMING": 0.1, "SECONDS": 0.5}.items():
        monkeypatch.setattr(module, name, value, raising=False)
