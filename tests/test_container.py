"""The image and compose.yaml, as far as they can be judged without building: `make image-check` tries the steps."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import timedelta
from typing import Any

import pytest
import yaml

from bot.settings import Settings
from tools.dockerfile import ROOT, is_sent, read_stages, sent_files

BUILD, IMAGE = read_stages((ROOT / "Dockerfile").read_text(encoding="utf-8"))
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]


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
    assert all(f"data:{volume}" in SERVICES[name]["volumes"] for name in ("digsite", "fleet"))


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
            "secrets/postgres_password",
            "data/digsite.sqlite3",
            ".git/config",
            "tests/sealed.py",
        ),
        *("bot/__pycache__/settings.cpython-313.pyc", "engine/archaeology/__pycache__/rules.cpython-313.pyc"),
    ],
)
def test_no_secret_and_nothing_superfluous_is_sent_to_the_build(path: str) -> None:
    assert not is_sent(path, IGNORED)


@pytest.mark.parametrize("name", ["digsite", "fleet"])
def test_compose_takes_every_right_that_the_bot_does_not_need(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == "unless-stopped"
    assert service["mem_limit"]
    assert service["environment"]["DISCORD_TOKEN_FILE"] == "/run/secrets/discord_token"
    assert "ports" not in service, "the figures are for other containers alone"


def test_one_bot_with_a_file_is_what_compose_starts_without_a_profile() -> None:
    assert [name for name, service in SERVICES.items() if "profiles" not in service] == ["digsite"]
    assert "DATABASE_URL_FILE" not in SERVICES["digsite"]["environment"]


def test_the_profile_fleet_is_two_processes_on_one_database() -> None:
    fleet, postgres = SERVICES["fleet"], SERVICES["postgres"]
    assert fleet["profiles"] == postgres["profiles"] == ["fleet"]
    assert fleet["deploy"]["replicas"] == 2
    assert fleet["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert fleet["environment"]["DATABASE_URL_FILE"] == "/run/secrets/database_url"
    assert set(fleet["environment"]) <= {name.upper() for name in Settings.model_fields}
    grace = timedelta(minutes=int(fleet["stop_grace_period"].removesuffix("m"))).total_seconds()
    assert grace >= float(fleet["environment"]["DRAIN_SECONDS"]) + 20


def test_the_database_keeps_its_data_and_its_password_and_logs_no_parameters() -> None:
    postgres = SERVICES["postgres"]
    assert postgres["image"] == "postgres:18"
    # Images before 18 kept their data one folder deeper.
    assert postgres["volumes"] == ["postgres:/var/lib/postgresql"]
    assert postgres["environment"]["POSTGRES_PASSWORD_FILE"] == "/run/secrets/postgres_password"
    assert postgres["command"] == ["postgres", "-c", "log_parameter_max_length=0"]
    assert postgres["healthcheck"]["test"][:3] == ["CMD", "pg_isready", "--host=127.0.0.1"]
    assert postgres["read_only"] is True
    assert postgres["cap_drop"] == ["ALL"]
    assert "ports" not in postgres


def test_each_secret_and_volume_of_a_service_is_declared_and_no_secret_stands_in_the_file() -> None:
    declared = set(COMPOSE["secrets"])
    assert {name for service in SERVICES.values() for name in service.get("secrets", ())} == declared
    assert COMPOSE["secrets"] == {name: {"file": f"secrets/{name}"} for name in declared}
    named = {
        volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())
    }
    assert {name for name in named if not name.startswith(".")} == set(COMPOSE["volumes"])


def test_prometheus_finds_the_bot_by_the_names_of_its_services() -> None:
    settings = yaml.safe_load((ROOT / "docs" / "monitoring" / "prometheus.yml").read_text(encoding="utf-8"))
    [job] = settings["scrape_configs"]
    [found] = job["dns_sd_configs"]
    assert job["job_name"] == "digsite"
    assert found["names"] == [name for name in SERVICES if "METRICS" in SERVICES[name].get("environment", {})]
    for name in found["names"]:
        assert SERVICES[name]["environment"]["METRICS"] == f"0.0.0.0:{found['port']}"
