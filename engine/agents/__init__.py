"""Shared parts of the agents of several games. No game is known here."""
