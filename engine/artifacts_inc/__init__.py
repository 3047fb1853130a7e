"""Artifacts, Inc."""

from engine.artifacts_inc.rules import ArtifactsInc, create

__all__ = ["ArtifactsInc", "create"]
