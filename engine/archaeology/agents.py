"""Archaeology's agents. (Being written.)"""
from __future__ import annotations
AGENTS: dict[str, object] = {}
