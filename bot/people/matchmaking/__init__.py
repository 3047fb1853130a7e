"""Opponents and challenges."""
