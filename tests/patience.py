"""How long tests wait for what they need."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 120.0
"""The seconds after which a test gives up waiting for something.

Only a test that fails waits so long: the limit is far above what a busy machine takes, and asserts nothing about speed.
"""
