"""The figures for Prometheus: what is counted under which names, and that the files for monitoring know them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from bot.art.picture import Layer, Picture
from bot.art.picture_cache import PictureCache
from bot.clock import SystemClock
from bot.observability.context import Operation, mark_durable, operation_scope
from bot.observability.metrics import Metrics, route_of
from bot.ratelimit.limiter import RateLimiter
from bot.store.backends import DatabaseBackend, FileBackend
from bot.tables.draft import KINDS
from bot.tables.thinking import Thinkers
from tests.bot.hosts import make_host, run_due
from tests.bot.postgres import server
from tests.bot.tables.samples import ANA, BEN, GAME, match_of, tables_on

MONITORING = Path(__file__).parents[3] / "docs" / "monitoring"
OWN = re.compile(r"\bdigsite_\w+")
MATCHED = re.compile(r"(\bdigsite_\w+)\{([^}]*)\}")
GROUPED = re.compile(r"\bby \(([^)]*)\)")
SHOWN = re.compile(r"\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}")


def figure(metrics: Metrics, name: str, **labels: str) -> float:
    """A figure as it would be read now; 0 if there is none."""
    return metrics.registry.get_sample_value(name, labels) or 0.0


def known() -> dict[str, set[str]]:
    """The labels of every figure, by the name with which a query asks for it."""
    found: dict[str, set[str]] = {}
    for metric in Metrics().registry.collect():
        collector: Any = Metrics().registry._names_to_collectors.get(metric.name)  # pyright: ignore
        labels: set[str] = set(getattr(collector, "_labelnames", ()))
        ends = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}.get(metric.type, ("",))
        for end in ends:
            found[f"{metric.name}{end}"] = labels | ({"le"} if end == "_bucket" else set())
    return found


def queries() -> Iterator[tuple[str, str]]:
    """Every query of the files for monitoring, with what is said of its result."""
    panels = json.loads((MONITORING / "dashboard.json").read_text(encoding="utf-8"))["panels"]
    for panel in panels:
        for target in panel.get("targets", ()):
            yield target["expr"], target["legendFormat"]
    for alert in (MONITORING / "alerts.yml").read_text(encoding="utf-8").split("- alert:")[1:]:
        expression = re.search(r"expr: (.+)", alert)
        assert expression is not None, alert
        yield expression[1], alert


def faults_of(query: str, said: str) -> list[str]:
    """The metrics in a query that are not measured."""
    measured = known()
    names = OWN.findall(query)
    faults = [f"there is no {name}" for name in names if name not in measured]
    labels: set[str] = set().union(*(measured.get(name, set()) for name in names))
    for name, inside in MATCHED.findall(query):
        used = {part.split("=")[0].rstrip("!").strip() for part in inside.split(",")}
        faults += [f"{name} has no label {label}" for label in used - measured.get(name, set())]
    grouped = {label.strip() for group in GROUPED.findall(query) for label in group.split(",")}
    faults += [
        f"nothing in {query} has a label {label}" for label in (grouped | {*SHOWN.findall(said)}) - labels
    ]
    return faults


def test_the_dashboard_and_the_alerts_ask_only_for_what_is_measured() -> None:
    asked = list(queries())
    assert len(asked) > 30
    assert [fault for query, said in asked for fault in faults_of(query, said)] == []


def test_everything_that_is_measured_is_shown_on_the_dashboard_or_watched() -> None:
    asked = {
        re.sub("_(total|bucket|sum|count)$", "", name)
        for query, _ in queries()
        for name in OWN.findall(query)
    }
    measured = {
        re.sub("_(total|bucket|sum|count)$", "", name) for name in known() if name.startswith("digsite_")
    }
    assert measured == asked


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("rate(digsite_pressings_total[5m])", ""),
        ('digsite_presses_total{meaning="join"}', ""),
        ("sum by (person) (digsite_presses_total)", ""),
        ("digsite_live_tables", "{{table}}"),
        ("digsite_presses", ""),
    ],
)
def test_a_query_for_something_else_is_found(query: str, said: str) -> None:
    assert faults_of(query, said)


def test_no_label_names_a_person_a_server_or_a_table() -> None:
    labels = set().union(*known().values())
    expected = (
        "intent outcome reason event le kind method route status game level connected version discordpy python "
        "state how"
    )
    assert labels == {*expected.split()}


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/api/v10/channels/123/messages/456", "/channels/:id/messages/:id"),
        ("/api/v10/interactions/1/c2VjcmV0/callback", "/interactions/:id/:token/callback"),
        ("/api/v10/webhooks/1/messages", "/webhooks/:id/:token"),
        ("/api/v10/webhooks/1/c2VjcmV0/messages/@original", "/webhooks/:id/:token/messages/@original"),
        ("/api/v10/users/@me", "/users/@me"),
        ("/api/v10/channels/secret", "other"),
        ("/gateway/", "/gateway"),
        ("/", "/"),
        ("/api/v10" + "/channels" * 20, "other"),
    ],
)
def test_a_route_holds_no_id_and_no_token(path: str, route: str) -> None:
    assert route_of(path) == route


async def test_requests_are_counted_by_route_and_status_and_too_many_of_them_too() -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(status=429 if request.method == "PATCH" else 200)

    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    base = f"http://127.0.0.1:{runner.addresses[0][1]}/api/v10"
    metrics, trace = Metrics(), RateLimiter(1000).trace()
    metrics.watch_requests(trace)
    async with aiohttp.ClientSession(trace_configs=[trace]) as session:
        for method, path in (
            ("GET", "users/@me"),
            ("PATCH", "channels/5/messages/6"),
            ("PATCH", "channels/7/messages/8"),
        ):
            async with session.request(method, f"{base}/{path}"):
                pass
        await runner.cleanup()
        with pytest.raises(aiohttp.ClientError):
            await session.get(f"{base}/users/@me")

    def requests(method: str, route: str, status: int) -> float:
        return figure(metrics, "digsite_requests_total", method=method, route=route, status=str(status))

    assert requests("GET", "/users/@me", 200) == 1
    assert requests("PATCH", "/channels/:id/messages/:id", 429) == 2
    assert requests("GET", "/users/@me", 0) == 1


async def commits_of_three_writes(place: FileBackend | DatabaseBackend) -> tuple[float, float]:
    """The commits and the writes in them that three simultaneous writes add."""
    metrics = Metrics()
    store = place.store(SystemClock(), committed=metrics.committed)
    await store.open()
    try:
        before = figure(metrics, "digsite_commit_seconds_count"), figure(metrics, "digsite_commit_writes_sum")
        await asyncio.gather(*(store.set_fact(name, "1") for name in "abc"))
        after = figure(metrics, "digsite_commit_seconds_count"), figure(metrics, "digsite_commit_writes_sum")
    finally:
        await store.close()
    return after[0] - before[0], after[1] - before[1]


async def test_writes_that_arrive_together_count_as_one_commit(path: Path) -> None:
    assert await commits_of_three_writes(FileBackend(path)) == (1, 3)


async def test_in_a_database_each_write_is_a_commit_of_its_own() -> None:
    running = server()
    assert await commits_of_three_writes(DatabaseBackend(running.url(await running.database()))) == (3, 3)


async def test_a_change_of_a_table_is_durable_for_the_press_that_made_it(path: Path) -> None:
    async with tables_on(path, SystemClock()) as tables:
        table = await match_of(tables, ANA, BEN, channel=1)
        with operation_scope(Operation("press", "leave")) as operation:
            async with tables.change(table.id) as draft:
                assert operation.durable is None
                draft.touch()
            assert operation.durable is not None
            first = operation.durable
            mark_durable()
            assert operation.durable == first, "the first change counts"
    metrics = Metrics()
    metrics.answered(operation, operation.durable)
    assert figure(metrics, "digsite_durable_seconds_count") == 1
    assert figure(metrics, "digsite_presses_total", intent="leave", outcome="done") == 1


async def test_jobs_are_counted_by_kind_and_outcome(path: Path) -> None:
    host, _drawn = make_host(path, SystemClock())
    await host.start()
    try:
        await match_of(host.tables, ANA, BEN, channel=1)
        await run_due(host)
        assert host.jobs.waiting() == dict.fromkeys(KINDS, (0, 0.0))
        assert figure(host.metrics, "digsite_jobs_total", kind="redraw", outcome="done") >= 1
        assert figure(host.metrics, "digsite_job_late_seconds_count", kind="redraw") >= 1
    finally:
        await host.close()


async def test_the_time_that_an_agent_takes_is_counted_by_its_game_and_level(path: Path) -> None:
    metrics = Metrics()
    async with tables_on(path, SystemClock()) as tables:
        table = await match_of(tables, ANA, BEN, channel=1)
        view = table.game.view(table.state, table.game.pending(table.state)[0].seat)
        level = next(iter(table.game.agents))
        await Thinkers(0, thought=metrics.thought).choose(table.game, level, view, b"seed")
    assert figure(metrics, "digsite_agent_seconds_count", game=GAME.key, level=level) == 1


def drawing(width: int, *elements: str) -> Picture:
    return Picture("a drawing", width, 2, "#ffffff", tuple(Layer(0, 0, 1, 1, each) for each in elements), {})


async def test_pictures_are_counted_by_outcome() -> None:
    metrics = Metrics()
    cache = PictureCache(seen=metrics.picture)
    try:
        for place, picture in ((1, drawing(1)), (1, drawing(2)), (2, drawing(2, "<g>"))):
            await cache.soon(picture, ("board", place), 0)
        await cache.soon(drawing(3), ("board", 3), 60)
        while figure(metrics, "digsite_picture_seconds_count") < 3:
            await asyncio.sleep(0.01)
    finally:
        cache.close()
    counted = {
        name: figure(metrics, "digsite_pictures_total", outcome=name)
        for name in ("rendered", "dropped", "failed")
    }
    assert counted == {"rendered": 2, "dropped": 1, "failed": 1}
