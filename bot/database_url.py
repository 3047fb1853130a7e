"""The URL of a PostgreSQL database: its faults, and its form without secrets."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit, urlunsplit

SCHEMES: Final = ("postgresql", "postgres")
READ_WRITE: Final = "read-write"
"""The value of libpq's `target_session_attrs` for servers that take writes."""


def single_hosts(url: str) -> list[str]:
    """The URL for each of its hosts, as in `postgresql://user@one:5432,two:5433/digsite`. Raises `ValueError`."""
    parts = urlsplit(url)
    login, at, hosts = parts.netloc.rpartition("@")
    if "," not in hosts:
        return [url]
    return [urlunsplit(parts._replace(netloc=f"{login}{at}{host}")) for host in hosts.split(",")]


def readers_target(url: str) -> str:
    """The `target_session_attrs` of a command that only reads: that of the URL, else a server that takes writes."""
    return parse_qs(urlsplit(url).query).get("target_session_attrs", [READ_WRITE])[-1]


def where(url: str) -> str:
    """The URL's servers and database, without user, password and options."""
    try:
        hosts, name = [_host(each) for each in single_hosts(url)], unquote(urlsplit(url).path.lstrip("/"))
    except ValueError:
        return "the database of DATABASE_URL"
    return f"postgresql://{','.join(hosts)}/{name}"


def _host(url: str) -> str:
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port
    if ":" in host:
        host = f"[{host}]"
    return f"{host}:{port}" if port else host


def faults_of(url: str) -> str | None:
    """The fault of a URL, in words that do not quote the URL; None if it has none."""
    try:
        parts = urlsplit(url)
        if parts.scheme not in SCHEMES:
            return "it must begin with postgresql://"
        _ = [urlsplit(each).port for each in single_hosts(url)]
    except ValueError:
        return "it cannot be read; the characters @, :, / and # of a password must be written as %40, %3A, %2F and %23"
    if not parts.path.lstrip("/"):
        return "the name of the database is missing, as in postgresql://user@server/digsite"
    return None
