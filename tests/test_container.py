"""The image and compose.yaml, as far as they can be judged without building: `make image-check` tries the steps."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from tools.dockerfile import ROOT, is_sent, read_stages, sent_files

BUILD, IMAGE = read_stages((ROOT / "Dockerfile").read_text(encoding="utf-8"))
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")


def test_the_image_runs_the_bot_as_a_user_without_rights() -> None:
    user, _, group = IMAGE.last("USER").words[0].partition(":")
    assert user == group == "10001", "a number, so that an orchestrator can see that it is not root"
    assert IMAGE.last("ENTRYPOINT").words == ["digsite"]
    assert IMAGE.last("CMD").words == ["run"]
    assert IMAGE.last("STOPSIGNAL").rest == "SIGTERM"
    assert json.loads(IMAGE.last("HEALTHCHECK").rest.partition("CMD ")[2]) == ["digsite", "healthy"]


def test_the_database_lies_in_the_volume_which_belongs_to_that_user() -> None:
    (volume,) = IMAGE.last("VOLUME").words
    environment = IMAGE.variables({"PATH": "/usr/bin", "DIGSITE_BUILD": "given"})
    assert environment["DATABASE_PATH"] == f"{volume}/digsite.sqlite3"
    assert environment["PATH"] == "/venv/bin:/usr/bin"
    assert environment["DIGSITE_BUILD"] == "given"
    assert re.search(rf"--owner=10001 --group=10001 --mode=0700 {volume}$", IMAGE.all("RUN")[0].rest)
    assert f"data:{volume}" in COMPOSE


def test_only_files_whose_hashes_are_known_are_installed() -> None:
    installs = [step.rest for step in BUILD.all("RUN") if " pip install " in step.rest]
    assert len(installs) == 2
    assert all("--require-hashes" in each or "--no-deps --no-build-isolation" in each for each in installs)


def test_the_image_gets_all_packages_and_what_their_build_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = {each.rstrip("*") for each in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    files = {project["project"]["readme"], *project["project"]["license-files"], "pyproject.toml"}
    copied = {source for step in BUILD.all("COPY") for source in step.words[:-1]}
    assert copied == packages | files | {"constraints-hashed.txt"}
    sent = {file.relative_to(ROOT).parts[0] for file in sent_files()}
    assert sent == copied


@pytest.mark.parametrize(
    "path",
    [
        *(
            ".env",
            "digsite.env",
            "secrets/discord_token",
            "data/digsite.sqlite3",
            ".git/config",
            "tests/sealed.py",
        ),
        *("bot/__pycache__/settings.cpython-313.pyc", "engine/archaeology/__pycache__/rules.cpython-313.pyc"),
    ],
)
def test_no_secret_and_nothing_superfluous_is_sent_to_the_build(path: str) -> None:
    assert not is_sent(path, IGNORED)


def test_compose_takes_every_right_that_the_bot_does_not_need() -> None:
    service, _, _ = COMPOSE.partition("  prometheus:\n")
    for line in (
        "read_only: true",
        "- ALL",
        "- no-new-privileges:true",
        "restart: unless-stopped",
        "mem_limit: ",
    ):
        assert line in service
    assert "DISCORD_TOKEN_FILE: /run/secrets/discord_token" in service
    assert "ports:" not in service, "the figures are for other containers alone"
