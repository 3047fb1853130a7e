"""Archaeology: The New Expedition (2016), by its rule page: the rules of the Archaeology family
(`engine.archaeology_family`), Tents, and one of six monuments.
"""

from engine.expedition.rules import Expedition, create

__all__ = ["Expedition", "create"]
