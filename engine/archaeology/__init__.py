"""Archaeology: The Card Game (2009), by its rule page: the family's rules and a pyramid."""

from engine.archaeology.rules import Archaeology, create

__all__ = ["Archaeology", "create"]
