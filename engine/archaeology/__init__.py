"""Archaeology: The Card Game (2009), by its rule page: the rules of the Archaeology family
(`engine.archaeology_family`), and a pyramid.
"""

from engine.archaeology.rules import Archaeology, create

__all__ = ["Archaeology", "create"]
