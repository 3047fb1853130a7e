"""Logs, metrics, and the health endpoint."""
