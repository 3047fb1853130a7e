"""The operator's settings: each comes from the environment, else from `.env`, else it has the default given here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

from platformdirs import user_data_path
from pydantic import AliasChoices, BeforeValidator, Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.database_url import faults_of

ENV_FILE: Final = Path(".env")
"""The file with settings, in the folder in which the bot is started."""
CHECKOUT: Final = Path(__file__).parents[1]
"""The folder that Digsite was fetched into, if it runs from there."""
INSTALLED: Final = user_data_path("digsite", appauthor=False)
"""The user's folder for Digsite's data."""
DISCORD_TAKES: Final = 50
"""Requests a second that Discord accepts from a bot, from all its processes together."""

Seconds = Annotated[float, Field(ge=0, le=600, allow_inf_nan=False)]


def default_database(checkout: Path = CHECKOUT, installed: Path = INSTALLED) -> Path:
    """The file in which matches are kept unless the operator names another.

    It does not depend on the current folder. Only a file that is in the current folder's `data` already is used there,
    because versions up to 0.1.0 created it there.
    """
    earlier = Path("data", "digsite.sqlite3")
    if earlier.is_file():
        return earlier
    return checkout / earlier if (checkout / "pyproject.toml").is_file() else installed / earlier.name


class Address(NamedTuple):
    """An address of this machine to listen on, written `127.0.0.1:9464` or `[::1]:9464`."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(text: object) -> object:
    """The address that the text names; None if it is empty or "off". Raises `ValueError`."""
    if not isinstance(text, str):
        return text
    if text.strip().lower() in ("", "off"):
        return None
    host, colon, port = text.strip().rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if host.startswith("[") else host
    fits = port.isascii() and port.isdigit() and 0 < len(port) <= 5 and 0 <= int(port) <= 65535
    if not (colon and host and fits) or (":" in host and not text.strip().startswith("[")):
        raise ValueError("an address and a port are needed, as in 127.0.0.1:9464")
    return Address(host, int(port))


def read_secret_file(path: object) -> object:
    """The content of the file that the path names, without white space around it. Raises `ValueError`."""
    if not isinstance(path, str | Path):
        return path
    try:
        content = Path(path).read_text(encoding="utf-8-sig").strip()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text in UTF-8") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from None
    if not content:
        raise ValueError(f"{path} is empty")
    if len(content.splitlines()) > 1:
        raise ValueError(f"{path} has more than one line")
    return SecretStr(content)


SecretFile = Annotated[SecretStr | None, BeforeValidator(read_secret_file)]
"""A setting that names a file; its value is the file's content."""


class Settings(BaseSettings):
    """Every setting of the bot; `.env.example` explains each to an operator."""

    model_config = SettingsConfigDict(
        env_file=ENV_FILE, env_file_encoding="utf-8-sig", env_ignore_empty=True, extra="ignore"
    )

    discord_token_file: SecretFile = None
    discord_token: SecretStr = Field(default=SecretStr(""), validate_default=True)
    """The bot's token, possibly from the file that `DISCORD_TOKEN_FILE` names."""
    database_path: Path = Field(default_factory=default_database)
    database_url_file: SecretFile = None
    database_url: SecretStr = Field(default=SecretStr(""), validate_default=True)
    """The URL of a PostgreSQL database that stores matches; it may contain a password. Empty: `database_path` does."""
    card_lists: Path | None = Field(default=None, validation_alias=AliasChoices("card_lists", "card_tables"))
    """A folder of card lists that replace the built-in ones. `CARD_TABLES` is its old name and still works."""
    unpublished_games: bool = False
    """Whether people can play games that are not published yet (`Game.published`)."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    metrics: Annotated[Address | None, NoDecode, BeforeValidator(read_address)] = None
    """The address that serves metrics for Prometheus, `/healthz` and `/readyz`; None: they are not served."""
    register_commands: Literal["changed", "always"] = "changed"
    keep_days: int = Field(default=90, ge=1, le=3650)
    """The number of days for which finished matches are stored."""
    agent_delay: tuple[Seconds, Seconds] = (1.2, 2.6)
    """The bounds, in seconds, of the random pause before an agent's move. It is chosen before the agent thinks."""
    redraw_interval: Seconds = 1.0
    """The least number of seconds between two edits of the same table message."""
    board_lag: Seconds = 60
    """The most seconds by which a table message may lag while the bot is busy, unless a press's token edits it."""
    second_tap: Seconds = 0.6
    """The seconds after an answer within which a press on what the answer has just shown is left undone; 0: none."""
    suspense: Seconds = 2.0
    """The seconds for which a private screen shows what a roll is about before it shows the roll; 0: none."""
    tables_per_person: int = Field(default=5, ge=0)
    """How many live tables one person may have opened. In this and the next three settings, 0 means any number."""
    tables_per_server: int = Field(default=100, ge=0)
    """How many live tables there may be in one server."""
    new_tables_per_person: int = Field(default=3, ge=0)
    """How many tables one person may open within a minute."""
    new_tables_per_server: int = Field(default=20, ge=0)
    """How many tables may be opened in one server within a minute."""
    requests: float = Field(default=45, ge=1, le=DISCORD_TAKES)
    """The most requests a second that all processes of the bot together may make; answers to presses do not count."""
    own_connections: bool = True
    """Whether requests with interaction tokens go over connections of their own, and not through aiohttp."""
    pictures: bool = True
    """Whether tables and hands are shown as pictures beside their text."""
    thinkers: int = Field(default=1, ge=0, le=32)
    """The number of processes in which slow agents think; 0: they think in the bot's own process."""
    shard_count: int | None = Field(default=None, ge=1, le=100_000)
    """The number of shards of all processes together; None: as many as Discord advises."""
    drain_seconds: float = Field(default=60, ge=0, le=3600, allow_inf_nan=False)
    """The most seconds for which a process drains after a stop signal; 0: it ends at once."""

    @property
    def shares_store(self) -> bool:
        """Whether other processes may have the same store open, as is possible with a database."""
        return bool(self.database_url.get_secret_value())

    @field_validator("discord_token", "database_url")
    @classmethod
    def _or_from_its_file(cls, value: SecretStr, given: ValidationInfo) -> SecretStr:
        name = f"{given.field_name}_file"
        content: SecretStr | None = given.data.get(name)
        if content is None:
            return value
        if value.get_secret_value():
            raise ValueError(f"{name.upper()} is set too. Remove one of the two")
        return content

    @field_validator("database_url")
    @classmethod
    def _names_a_database(cls, url: SecretStr) -> SecretStr:
        if url.get_secret_value() and (fault := faults_of(url.get_secret_value())):
            raise ValueError(fault)
        return url

    @field_validator("agent_delay")
    @classmethod
    def _least_first(cls, delay: tuple[float, float]) -> tuple[float, float]:
        if delay[0] > delay[1]:
            raise ValueError("two numbers of seconds are needed, the smaller one first")
        return delay
