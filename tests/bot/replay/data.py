"""The data that the script of a replay's page reads."""

from __future__ import annotations

import json
import re
from typing import Any


def data_of(page: str) -> dict[str, Any]:
    """The match as it stands in the page."""
    (text,) = re.findall(r'<script type="application/json" id="match">(.*?)</script>', page, re.S)
    return json.loads(text)
