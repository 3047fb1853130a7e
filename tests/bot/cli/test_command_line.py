"""The command line, run as an operator runs it: what it says, and the status with which it ends."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from random import Random

import pytest

from bot.__main__ import main
from bot.cli.read_settings import check_file
from bot.settings import Settings
from bot.store.backends import backend_of
from engine.fairness import Contribution, match_key
from engine.game import Options
from engine.record import Agreement, make_record
from engine.registry import load_games
from tests.bot.fake_discord import FakeDiscord
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]


def command(
    folder: Path, *arguments: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs `python -m bot` in a folder of its own, with no settings but the given ones."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=folder,
        env={
            **kept,
            "PYTHONPATH": str(ROOT),
            "DATABASE_PATH": str(folder / "data" / "digsite.sqlite3"),
            **(environment or {}),
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


class Here:
    """Runs the command line in this process, in an empty folder and without settings. It must end before it logs."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.folder = folder
        self._patch = monkeypatch
        self._capsys = capsys
        monkeypatch.chdir(folder)
        for name in Settings.model_fields:
            monkeypatch.delenv(name.upper(), raising=False)

    def output_of(self, *arguments: str, **environment: str) -> str:
        """The program's message when it refuses a command."""
        for name, value in environment.items():
            self._patch.setenv(name, value)
        try:
            status = main([*arguments])
        except SystemExit as ended:  # which argparse raises
            status = ended.code
        assert status == 2
        return self._capsys.readouterr().err

    def output_for_file(self, content: bytes, *, mode: int = 0o600) -> str:
        """The program's message about this `.env`."""
        file = self.folder / ".env"
        file.write_bytes(content)
        file.chmod(mode)
        return self.output_of("run", SHARD_COUNT="0")  # this wrong setting stops every start


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    return Here(tmp_path, monkeypatch, capsys)


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
        Agreement(
            options=Options(),
            seats=["person"] * 3,
            host_seed=host_seed,
            contributions=contributions,
        ),
        moves,
        game.outcome(state),
    )
    return made.model_dump(mode="json")


def test_help_names_every_command(tmp_path: Path) -> None:
    done = command(tmp_path, "--help")
    assert done.returncode == 0
    for name in ("run", "play", "verify", "backup", "check", "migrate", "forget", "export", "--version"):
        assert name in done.stdout
    assert done.stdout.startswith("usage: digsite ")


def test_a_usage_names_the_command_as_it_is_installed(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (script,) = project["scripts"]
    done = command(tmp_path, "replay")
    assert done.returncode == 2
    assert done.stderr.startswith(f"usage: {script} replay ")
    assert f"\n{script} replay: error: " in done.stderr


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
        {"KEEP_DAYS": "0"},
        {"AGENT_DELAY": "x"},
        {"AGENT_DELAY": "[5, 1]"},
        {"AGENT_DELAY": "[0, Infinity]"},
        {"AGENT_DELAY": "[NaN, 1]"},
        {"AGENT_DELAY": "[0, 1e9]"},
        {"AGENT_DELAY": "[0, inf]"},
        {"AGENT_DELAY": "[1, 2, 3]"},
        {"REDRAW_INTERVAL": "inf"},
        {"REDRAW_INTERVAL": "nan"},
        {"REDRAW_INTERVAL": "1e300"},
        {"REDRAW_INTERVAL": "-1"},
        {"SHARD_COUNT": "1" * 30},
        {"DRAIN_SECONDS": "-1"},
        {"DRAIN_SECONDS": "3601"},
        {"DRAIN_SECONDS": "nan"},
        {"DRAIN_SECONDS": "a minute"},
        {"LOG_LEVEL": "LOUD"},
    ],
)
def test_a_wrong_setting_is_reported_by_its_name(here: Here, setting: dict[str, str]) -> None:
    (line,) = here.output_of("run", **{"DISCORD_TOKEN": "x", **setting}).splitlines()
    assert line.startswith(f"The setting {next(iter(setting))} ")
    assert line.endswith(".")
    assert not list(here.folder.iterdir()), "nothing was made"


def test_a_wrong_setting_ends_the_program_with_status_2_and_a_sentence(tmp_path: Path) -> None:
    done = command(tmp_path, "run", environment={"DISCORD_TOKEN": "x", "REDRAW_INTERVAL": "inf"})
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("The setting REDRAW_INTERVAL is wrong: ")


@pytest.mark.parametrize("port", ["-1", "65536", "99999999999", "x", "1e3", "8_600", ""])
def test_an_invalid_port_is_reported(here: Here, port: str) -> None:
    assert "is no port: a number from 1 to 65535" in here.output_of("play", "--no-browser", f"--port={port}")


def test_the_version_is_the_installed_ones_with_the_build_that_the_environment_names(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    done = command(tmp_path, "--version", environment={"DIGSITE_BUILD": "20261122175512.b64bec4f2a10"})
    assert (done.returncode, done.stdout) == (
        0,
        f"digsite {project['version']}+20261122175512.b64bec4f2a10\n",
    )


@pytest.mark.system
def test_missing_playground_names_a_safe_installation(tmp_path: Path) -> None:
    (tmp_path / "simcord.py").write_text("raise ImportError('no simcord here')\n", encoding="utf-8")
    done = command(tmp_path, "play", environment={"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"})
    assert done.returncode == 2
    assert "make play" in done.stderr
    assert "'.[play]'" in done.stderr, "this folder's own, not what a name in a public index leads to"
    assert "digsite[" not in done.stderr
    assert "Traceback" not in done.stderr


# -- the file .env


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("KEEP_DAYS=5\nDISCORD_TOKEN=schlüssel\n".encode("latin-1"), "(line 2)"),
        ("DISCORD_TOKEN=x\n".encode("utf-16"), "UTF-8"),
        (b"DISCORD_TOKN=x\n", "sets DISCORD_TOKN, which is no setting. Did you mean DISCORD_TOKEN?"),
        (b"DISCORD_BOT_TOKEN=x\n", "Did you mean DISCORD_TOKEN?"),
        (b"KEEP_DAY=5\n", "Did you mean KEEP_DAYS?"),
        (b"keepdays=5\n", "Did you mean KEEP_DAYS?"),
        (b"export AGENTS_DELAY=[1, 2]\n", "Did you mean AGENT_DELAY?"),
        (b"KEEP_DAYS=5\nDISCORD TOKEN=x\n", "Line 2 of .env is not of the form NAME=value."),
        (b"KEEP_DAYS=5\n\nrubbish\n", "Line 3 of .env is not of the form NAME=value."),
        (b"DISCORD_TOKEN\n", "Line 1 of .env is not of the form NAME=value."),
        (b"export rubbish\nKEEP_DAYS=5\n", "Line 1 of .env is not of the form NAME=value."),
    ],
)
def test_mistake_in_the_env_file_stops_the_start(here: Here, content: bytes, words: str) -> None:
    (line,) = here.output_for_file(content).splitlines()
    assert words in line


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.touch()

    def refused(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refused)
    assert check_file(file, Settings.model_fields).faults == [f"{file} cannot be read: Permission denied."]


def test_unknown_settings_in_the_file_are_warned_of(here: Here) -> None:
    said = here.output_for_file(b"# mine\n\nPOSTGRES_PASSWORD=x\nKEEP_DAYS=5\n")
    assert "sets POSTGRES_PASSWORD, which is no setting of Digsite's; it is left alone." in said
    assert "The setting SHARD_COUNT" in said


def test_other_programs_settings_in_the_environment_are_not_mentioned(here: Here) -> None:
    (line,) = here.output_of("run", DISCORD_TOKN="x", KEEP_DAY="5", SHARD_COUNT="0").splitlines()
    assert line.startswith("The setting SHARD_COUNT")


def test_a_file_as_windows_writes_it_is_read(here: Here) -> None:
    assert here.output_for_file("KEEP_DAYS=0\r\n".encode("utf-8-sig")).count("The setting") == 2


@pytest.mark.parametrize("mode", [0o644, 0o604, 0o664])
def test_world_readable_token_is_warned_of(here: Here, mode: int) -> None:
    said = here.output_for_file(b"DISCORD_TOKEN=x\n", mode=mode)
    assert f"everybody on this machine can read it (mode {mode:04o}): chmod 600 .env" in said


def test_world_readable_database_password_is_warned_of(here: Here) -> None:
    said = here.output_for_file(b"DATABASE_URL=postgresql://ana:sesame@db/digsite\n", mode=0o644)
    assert "holds the database's password, and everybody" in said
    assert "sesame" not in said
    assert "password" not in here.output_for_file(
        b"DATABASE_URL=postgresql://ana@db:5432/digsite\n", mode=0o644
    )


def test_settings_do_not_show_a_databases_password() -> None:
    settings = Settings(_env_file=None, database_url="postgresql://ana:sesame@db/digsite")  # type: ignore[call-arg, arg-type]
    assert "sesame" not in f"{settings!r} {settings} {backend_of(settings)!r} {backend_of(settings)}"


def test_a_url_of_another_kind_of_database_is_refused_without_being_repeated(here: Here) -> None:
    said = here.output_of("check", DATABASE_URL="mysql://ana:sesame@db/digsite")
    assert said == "The setting DATABASE_URL is wrong: it must begin with postgresql://.\n"


@pytest.mark.parametrize(
    ("content", "mode"),
    [(b"DISCORD_TOKEN=x\n", 0o600), (b"DISCORD_TOKEN=x\n", 0o640), (b"DISCORD_TOKEN=\nKEEP_DAYS=5\n", 0o644)],
)
def test_private_or_tokenless_file_is_not_warned_of(here: Here, content: bytes, mode: int) -> None:
    assert "read it" not in here.output_for_file(content, mode=mode)


def test_the_example_file_names_exactly_the_settings() -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    lines = [line.removeprefix("# ") for line in text.splitlines() if re.match(r"(# )?[A-Z_]+=", line)]
    named = {line.partition("=")[0].lower() for line in lines}
    assert named == set(Settings.model_fields)


@pytest.mark.system
def test_environment_takes_precedence_over_the_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("KEEP_DAYS=0\n", encoding="utf-8")
    assert "KEEP_DAYS" in command(tmp_path, "run").stderr
    assert "DISCORD_TOKEN" in command(tmp_path, "run", environment={"KEEP_DAYS": "5"}).stderr


@pytest.mark.system
def test_a_wrong_card_list_stops_the_start_with_file_line_and_reason(tmp_path: Path) -> None:
    table = json.loads((ROOT / "engine/archaeology/cards.json").read_text(encoding="utf-8"))
    table["treasures"][2]["copies"] = 0
    (tmp_path / "archaeology.json").write_text(json.dumps(table, indent=1), encoding="utf-8")
    done = command(tmp_path, "run", environment={"CARD_LISTS": str(tmp_path), "DISCORD_TOKEN": "x"})
    assert done.returncode == 2
    assert "archaeology.json, line " in done.stderr
    assert "copies" in done.stderr


def test_a_card_list_by_a_wrong_name_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "archeology.json").write_text("{}", encoding="utf-8")
    done = command(tmp_path, "run", environment={"CARD_LISTS": str(tmp_path), "DISCORD_TOKEN": "x"})
    assert done.returncode == 2
    assert (
        "archeology.json: no game has a card list of this name. Did you mean archaeology.json?" in done.stderr
    )


@pytest.mark.system
async def test_the_log_says_at_the_start_which_card_list_each_game_uses(path: Path, tmp_path: Path) -> None:
    lists = tmp_path / "lists"
    lists.mkdir()
    text = (ROOT / "engine/expedition/cards.json").read_text(encoding="utf-8")
    (lists / "expedition.json").write_text(text, encoding="utf-8")
    async with FakeDiscord().serving() as discord:
        bot = await discord.start_bot(path, CARD_LISTS=str(lists))
        await discord.connected()
        bot.terminate()
        _out, output_of = await bot.communicate()
    (line,) = re.findall("card lists: (.*)", output_of.decode())
    assert {"archaeology: built in", f"expedition: {lists}/expedition.json"} <= set(line.split("; "))


@pytest.mark.system
def test_a_file_that_is_no_database_stops_the_start_and_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "digsite.sqlite3"
    file.write_bytes(b"not a database, but somebody's letter" * 50)
    before = file.read_bytes()
    done = command(tmp_path, "backup", "copy.sqlite3", environment={"DATABASE_PATH": str(file)})
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert file.read_bytes() == before


@pytest.mark.system
def test_a_sound_record_is_verified(tmp_path: Path, record: dict[str, object]) -> None:
    (tmp_path / "record.json").write_text(json.dumps(record), encoding="utf-8")
    done = command(tmp_path, "verify", "record.json")
    assert done.returncode == 0, done.stderr
    assert "comes to the same end" in done.stdout


@pytest.mark.system
def test_the_first_move_that_does_not_fit_is_named(tmp_path: Path, record: dict[str, object]) -> None:
    moves = record["moves"]
    assert isinstance(moves, list)
    moves[10][1] = {"kind": "sell", "treasure": "coin", "count": 5}
    (tmp_path / "record.json").write_text(json.dumps(record), encoding="utf-8")
    done = command(tmp_path, "verify", "record.json")
    assert done.returncode == 1
    assert "Move 11, by seat" in done.stdout


@pytest.mark.system
def test_seed_without_the_promised_commitment_is_found(tmp_path: Path, record: dict[str, object]) -> None:
    record["commitment"] = "0" * 64
    (tmp_path / "record.json").write_text(json.dumps(record), encoding="utf-8")
    done = command(tmp_path, "verify", "record.json")
    assert done.returncode == 1
    assert "NOT the one" in done.stdout
