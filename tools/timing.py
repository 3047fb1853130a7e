"""Makes docs/timing.md: a table of all constants of time and size, from the dataclasses that hold them.

Run it after a change: `python -m tools.timing`. A component adds its dataclass to `COMPONENTS`.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final, cast

from bot.app import timing as app
from bot.art.timing import PictureCacheLimits, TileLimits
from bot.cli.check import CheckLimits
from bot.cli.healthy import HealthTiming
from bot.cli.running_bot import WaitTiming
from bot.fleet.timing import FleetTiming
from bot.gateway.timing import GatewayTiming, IdentifyTiming
from bot.language import LanguageLimits
from bot.observability.context import OperationTiming
from bot.observability.log_dedup import LogDedupTiming
from bot.observability.systemd import SystemdTiming
from bot.playground.timing import PlaygroundTiming
from bot.ratelimit.fair_queue import FairnessLimits
from bot.ratelimit.job_queue import JobQueueLimits
from bot.ratelimit.limiter import LimiterTiming
from bot.replay.timing import FilmLimits, FilmQueueLimits, ProgressTiming, ReviewLimits
from bot.store.postgres.timing import PostgresTiming
from bot.store.sqlite.timing import SqliteLimits
from bot.store.timing import StoreLimits
from bot.tables.cache import CacheLimits
from bot.tables.erasures import ErasureTiming
from bot.tables.matchmaking import MatchmakingTiming
from bot.tables.timing import LobbyTiming, MatchTiming, ThinkingTiming
from bot.tables.writer import WriteLimits
from bot.ui.application_emoji.registry import EmojiTiming
from bot.ui.digests import DigestTiming
from bot.ui.display.parts import DisplayTiming
from bot.ui.private_screens import ScreenTiming
from bot.ui.screens.board import BoardLimits
from bot.ui.screens.chronicle import ChronicleLimits
from bot.ui.screens.news import NewsLimits
from bot.ui.sender import SenderTiming
from bot.ui.timing import InteractionTiming, LateAnswerTiming, RivalTiming
from bot.version import VersionTiming

PAGE: Final = Path(__file__).parents[1] / "docs" / "timing.md"
COMPONENTS: Final[list[type[Any]]] = [
    app.HeartbeatTiming,
    app.ClosingTiming,
    app.JobTiming,
    app.JobLoopTiming,
    app.LoadLimits,
    app.HousekeepingTiming,
    app.OrderTiming,
    app.ConnectionTiming,
    GatewayTiming,
    IdentifyTiming,
    StoreLimits,
    SqliteLimits,
    PostgresTiming,
    LimiterTiming,
    FairnessLimits,
    JobQueueLimits,
    LobbyTiming,
    MatchTiming,
    MatchmakingTiming,
    ThinkingTiming,
    WriteLimits,
    CacheLimits,
    ErasureTiming,
    InteractionTiming,
    RivalTiming,
    LateAnswerTiming,
    DisplayTiming,
    DigestTiming,
    ScreenTiming,
    SenderTiming,
    EmojiTiming,
    BoardLimits,
    ChronicleLimits,
    NewsLimits,
    LanguageLimits,
    PictureCacheLimits,
    TileLimits,
    FilmLimits,
    FilmQueueLimits,
    ProgressTiming,
    ReviewLimits,
    FleetTiming,
    OperationTiming,
    LogDedupTiming,
    SystemdTiming,
    WaitTiming,
    CheckLimits,
    HealthTiming,
    VersionTiming,
    PlaygroundTiming,
]
"""The dataclasses of the page, in its order. Each field has a default and a docstring."""
_HEAD: Final = """# Times and sizes

Constants of time and size stand in one frozen dataclass for each component, which the component gets when it is made;
tests give it shorter ones. What an operator may change is a [setting](settings.md). `python -m tools.timing` makes this
page from the classes.
"""


def page() -> str:
    """The text of the page."""
    return "\n".join([_HEAD, *(line for component in COMPONENTS for line in _section(component))])


def _section(component: type[Any]) -> Iterator[str]:
    file = f"{component.__module__.replace('.', '/')}.py"
    yield f"## {component.__name__}"
    yield ""
    yield f"{inspect.getdoc(component)} (`{file}`)"
    yield ""
    yield "| name | value | meaning |"
    yield "| --- | ---: | --- |"
    meanings = meanings_of(component)
    values = component()
    for field in fields(component):
        if is_dataclass(getattr(values, field.name)):
            continue  # a component of its own
        yield f"| `{field.name}` | {_number(getattr(values, field.name))} | {meanings[field.name]} |"
    yield ""


def meanings_of(component: type[Any]) -> dict[str, str]:
    """The docstring of each field, on one line."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(component))).body
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    for field, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            assert isinstance(text, ast.Expr), f"{component.__name__}.{field.target.id} has no docstring"
            assert isinstance(text.value, ast.Constant)
            found[field.target.id] = " ".join(str(text.value.value).split())
    return found


def _number(value: float | tuple[float, ...]) -> str:
    if isinstance(value, tuple):
        return " to ".join(_number(each) for each in cast("tuple[float, ...]", value))
    return f"{value:,g}" if value < 1e6 else f"{value:,.0f}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
