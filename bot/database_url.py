"""The URL of a PostgreSQL database: its faults, and its form without secrets."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote, urlsplit

SCHEMES: Final = ("postgresql", "postgres")


def where(url: str) -> str:
    """The URL's server and database, without user, password and options."""
    try:
        parts = urlsplit(url)
        host, port, name = parts.hostname or "", parts.port, unquote(parts.path.lstrip("/"))
    except ValueError:
        return "the database of DATABASE_URL"
    if ":" in host:
        host = f"[{host}]"
    return f"postgresql://{host}{f':{port}' if port else ''}/{name}"


def faults_of(url: str) -> str | None:
    """The fault of a URL, in words that do not quote the URL; None if it has none."""
    try:
        parts = urlsplit(url)
        if parts.scheme not in SCHEMES:
            return "it must begin with postgresql://"
        _ = parts.port
    except ValueError:
        return "it cannot be read; the characters @, :, / and # of a password must be written as %40, %3A, %2F and %23"
    if not parts.path.lstrip("/"):
        return "the name of the database is missing, as in postgresql://user@server/digsite"
    return None
