"""The command line: what it says and with which status it ends, run as an operator runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from engine.fairness import Contribution, match_key
from engine.game import Options
from engine.record import make_record
from engine.registry import load_games

ROOT = Path(__file__).parents[2]


def command(
    folder: Path, *arguments: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs `python -m bot` in a folder of its own, with nothing set but what is named."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), **(environment or {})},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def record() -> dict[str, object]:
    """The record of a match that was played at random."""
    game, rng, host_seed = load_games()["archaeology"], Random(5), bytes(range(32))
    contributions = [Contribution("start", "123")]
    state = game.new(3, Options(), match_key(host_seed, contributions))
    moves: list[tuple[int, dict[str, object]]] = []
    while pending := game.pending(state):
        move = game.sample(state, pending[0].seat, rng)
        moves.append((pending[0].seat, game.dump_move(move)))
        game.apply(state, pending[0].seat, move)
    made = make_record(
        game,
        options=Options(),
        seats=["person"] * 3,
        host_seed=host_seed,
        contributions=contributions,
        moves=moves,
        outcome=game.outcome(state),
    )
    return made.model_dump(mode="json")


def test_help_names_every_command(tmp_path: Path) -> None:
    done = command(tmp_path, "--help")
    assert done.returncode == 0
    for name in ("run", "play", "verify", "backup", "forget", "export"):
        assert name in done.stdout


def test_run_without_a_token_says_where_to_get_one_and_how_to_do_without(tmp_path: Path) -> None:
    done = command(tmp_path, "run")
    assert done.returncode == 2
    assert "discord.com/developers/applications" in done.stderr
    assert "make play" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir()), "nothing was made"


@pytest.mark.parametrize(
    "setting",
    [
        {"SHARD_IDS": "[0]"},
        {"SHARD_IDS": "[0, 2]", "SHARD_COUNT": "2"},
        {"SHARD_IDS": "[]", "SHARD_COUNT": "2"},
        {"KEEP_DAYS": "0"},
        {"AGENT_DELAY": "x"},
        {"AGENT_DELAY": "[5, 1]"},
        {"LOG_LEVEL": "LOUD"},
    ],
)
def test_a_wrong_setting_is_told_by_its_name(tmp_path: Path, setting: dict[str, str]) -> None:
    done = command(tmp_path, "run", environment=setting)
    assert done.returncode == 2
    assert next(iter(setting)).lower() in done.stderr.lower()
    assert "Traceback" not in done.stderr


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("KEEP_DAYS=0\n", encoding="utf-8")
    assert "KEEP_DAYS" in command(tmp_path, "run").stderr
    assert "DISCORD_TOKEN" in command(tmp_path, "run", environment={"KEEP_DAYS": "5"}).stderr


def test_a_wrong_card_table_stops_the_start_with_file_line_and_reason(tmp_path: Path) -> None:
    table = json.loads((ROOT / "engine/archaeology/cards.json").read_text(encoding="utf-8"))
    table["treasures"][2]["copies"] = 0
    (tmp_path / "archaeology.json").write_text(json.dumps(table, indent=1), encoding="utf-8")
    done = command(tmp_path, "run", environment={"CARD_TABLES": str(tmp_path), "DISCORD_TOKEN": "x"})
    assert done.returncode == 2
    assert "archaeology.json, line " in done.stderr
    assert "copies" in done.stderr


def test_a_database_that_is_none_stops_the_start_and_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "digsite.sqlite3"
    file.write_bytes(b"not a database, but somebody's letter" * 50)
    before = file.read_bytes()
    done = command(tmp_path, "backup", "copy.sqlite3", environment={"DATABASE_PATH": str(file)})
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert file.read_bytes() == before


def test_a_sound_record_is_verified(tmp_path: Path, record: dict[str, object]) -> None:
    (tmp_path / "record.json").write_text(json.dumps(record), encoding="utf-8")
    done = command(tmp_path, "verify", "record.json")
    assert done.returncode == 0, done.stderr
    assert "comes to the same end" in done.stdout


def test_the_first_move_that_does_not_fit_is_named(tmp_path: Path, record: dict[str, object]) -> None:
    moves = record["moves"]
    assert isinstance(moves, list)
    moves[10][1] = {"kind": "sell", "treasure": "coin", "count": 5}
    (tmp_path / "record.json").write_text(json.dumps(record), encoding="utf-8")
    done = command(tmp_path, "verify", "record.json")
    assert done.returncode == 1
    assert "Move 11, by seat" in done.stdout


def test_a_seed_that_was_not_promised_is_found(tmp_path: Path, record: dict[str, object]) -> None:
    record["commitment"] = "0" * 64
    (tmp_path / "record.json").write_text(json.dumps(record), encoding="utf-8")
    done = command(tmp_path, "verify", "record.json")
    assert done.returncode == 1
    assert "NOT the one" in done.stdout
