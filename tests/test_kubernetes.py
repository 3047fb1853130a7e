"""The manifests in deploy/kubernetes, judged without a cluster: what one of them names, another one has."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from bot.cli.main import make_parser
from bot.database_url import faults_of
from bot.settings import Settings, read_address

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "deploy" / "kubernetes"
SPARE: Final = 20.0
"""Seconds that a process has beside those for draining: to end by itself, and for what the cluster does around it."""


def read(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


KUSTOMIZATION: Final = read("kustomization.yaml")
MANIFESTS: Final = {name: read(name) for name in KUSTOMIZATION["resources"]}
DEPLOYMENT: Final = MANIFESTS["deployment.yaml"]["spec"]
POD: Final = DEPLOYMENT["template"]["spec"]
LABELS: Final = DEPLOYMENT["template"]["metadata"]["labels"]
[BOT] = POD["containers"]
[MIGRATE] = POD["initContainers"]


def variables(container: Any) -> dict[str, str]:
    return {each["name"]: each["value"] for each in container["env"]}


def secrets() -> dict[str, list[tuple[str, str]]]:
    """The files of the volume of secrets: by secret, each key with its file."""
    [volume] = [each["projected"] for each in POD["volumes"] if each["name"] == "secrets"]
    return {
        each["secret"]["name"]: [(item["key"], item["path"]) for item in each["secret"]["items"]]
        for each in volume["sources"]
    }


def test_every_manifest_is_listed_and_the_examples_are_not_applied() -> None:
    files = {file.name for file in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(MANIFESTS) == files
    assert {file.name for file in (FOLDER / "examples").iterdir()} == {"secret.yaml", "database.yaml"}
    assert {each["kind"] for each in MANIFESTS.values()} == {
        *("Deployment", "PodDisruptionBudget", "NetworkPolicy", "PodMonitor", "PrometheusRule")
    }


@pytest.mark.parametrize(
    "selector",
    [
        DEPLOYMENT["selector"],
        POD["topologySpreadConstraints"][0]["labelSelector"],
        MANIFESTS["disruption-budget.yaml"]["spec"]["selector"],
        MANIFESTS["network-policy.yaml"]["spec"]["podSelector"],
        MANIFESTS["pod-monitor.yaml"]["spec"]["selector"],
    ],
)
def test_each_selector_selects_the_pods(selector: Any) -> None:
    assert selector["matchLabels"].items() <= LABELS.items()


def test_an_old_process_ends_only_when_a_new_one_is_ready_and_only_one_at_a_time() -> None:
    assert DEPLOYMENT["strategy"] == {
        "type": "RollingUpdate",
        "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0},
    }
    assert MANIFESTS["disruption-budget.yaml"]["spec"]["maxUnavailable"] == 1


def test_a_process_has_time_to_drain_and_then_to_end() -> None:
    assert POD["terminationGracePeriodSeconds"] == float(variables(BOT)["DRAIN_SECONDS"]) + SPARE


def test_there_are_shards_for_each_process_and_for_one_more() -> None:
    surge = DEPLOYMENT["strategy"]["rollingUpdate"]["maxSurge"]
    assert int(variables(BOT)["SHARD_COUNT"]) >= DEPLOYMENT["replicas"] + surge


@pytest.mark.parametrize("container", [BOT, MIGRATE])
def test_each_variable_is_a_setting_and_each_secret_a_file(container: Any) -> None:
    given = variables(container)
    assert {name.lower() for name in given} <= set(Settings.model_fields)
    [folder] = [each["mountPath"] for each in container["volumeMounts"] if each["name"] == "secrets"]
    files = {f"{folder}/{path}" for items in secrets().values() for _, path in items}
    named = {value for name, value in given.items() if name.endswith("_FILE")}
    assert named <= files
    assert named == files or container is MIGRATE
    assert not {"DISCORD_TOKEN", "DATABASE_URL"} & set(given)


def test_the_settings_are_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    url = "postgresql://digsite:secret@digsite-database-rw.digsite:5432/digsite"
    assert faults_of(url) is None, "as CloudNativePG writes it"
    for name, value in variables(BOT).items():
        file = tmp_path / Path(value).name
        file.write_text(url, encoding="utf-8")
        monkeypatch.setenv(name, str(file) if name.endswith("_FILE") else value)
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    assert settings.shares_store


def test_the_secrets_come_from_the_examples() -> None:
    secret, database = read("examples/secret.yaml"), read("examples/database.yaml")
    assert set(secrets()) == {secret["metadata"]["name"], f"{database['metadata']['name']}-app"}
    assert {key for key, _ in secrets()[secret["metadata"]["name"]]} == set(secret["stringData"])
    assert not any(secret["stringData"].values()), "no secret stands in the repository"
    for example in (secret, database):
        assert example["metadata"]["namespace"] == KUSTOMIZATION["namespace"]


def test_the_first_container_brings_the_layout_up_to_date() -> None:
    assert make_parser().parse_args(MIGRATE["args"]).command == "migrate"
    assert [each["name"] for each in KUSTOMIZATION["images"]] == [BOT["image"]] == [MIGRATE["image"]]


def test_the_probes_and_prometheus_ask_at_the_port_of_the_figures() -> None:
    [port] = BOT["ports"]
    address: Any = read_address(variables(BOT)["METRICS"])
    assert port == {"name": "metrics", "containerPort": address.port}
    paths = {
        name: BOT[name]["httpGet"]["path"] for name in ("startupProbe", "livenessProbe", "readinessProbe")
    }
    assert paths == {"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"}
    asking = [BOT[name]["httpGet"]["port"] for name in paths]
    asking += [each["port"] for each in MANIFESTS["pod-monitor.yaml"]["spec"]["podMetricsEndpoints"]]
    [ingress] = MANIFESTS["network-policy.yaml"]["spec"]["ingress"]
    asking += [each["port"] for each in ingress["ports"]]
    assert set(asking) == {port["name"]}


def test_the_job_is_called_as_in_the_alerts() -> None:
    label = MANIFESTS["pod-monitor.yaml"]["spec"]["jobLabel"]
    assert f'job="{LABELS[label]}"' in (ROOT / "docs" / "monitoring" / "alerts.yml").read_text(
        encoding="utf-8"
    )


def test_the_bot_may_speak_to_discord_the_database_and_the_name_service_alone() -> None:
    egress = MANIFESTS["network-policy.yaml"]["spec"]["egress"]
    ports = {(port["port"], port["protocol"]) for rule in egress for port in rule["ports"]}
    assert ports == {(53, "UDP"), (53, "TCP"), (443, "TCP"), (5432, "TCP")}


@pytest.mark.parametrize("container", [BOT, MIGRATE])
def test_no_container_may_do_more_than_it_needs(container: Any) -> None:
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert POD["securityContext"]["runAsNonRoot"] is True
    assert POD["securityContext"]["runAsUser"] == POD["securityContext"]["fsGroup"] == 10001
    assert POD["automountServiceAccountToken"] is False
    mounted = {each["name"] for each in container["volumeMounts"]}
    assert mounted == {each["name"] for each in POD["volumes"]}
    assert {"cpu", "memory"} <= set(container["resources"]["requests"])
    assert "memory" in container["resources"]["limits"]


def test_the_rules_are_those_of_the_alerts() -> None:
    alerts = yaml.safe_load((ROOT / "docs" / "monitoring" / "alerts.yml").read_text(encoding="utf-8"))
    assert MANIFESTS["prometheus-rule.yaml"]["spec"] == alerts


def test_the_example_of_a_database_logs_no_parameters_and_has_what_the_bot_needs() -> None:
    database = read("examples/database.yaml")["spec"]
    assert database["postgresql"]["parameters"]["log_parameter_max_length"] == "0"
    assert database["bootstrap"]["initdb"]["encoding"] == "UTF8"
