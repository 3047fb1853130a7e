"""Archaeology: The Card Game (2009), as its rule page has it: the family's rules and a pyramid of three chambers."""

from engine.archaeology.rules import Archaeology, create

__all__ = ["Archaeology", "create"]
