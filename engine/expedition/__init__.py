"""Archaeology: The New Expedition (2016), by its rule page: the family's rules, Tents and one of six monuments."""

from engine.expedition.rules import Expedition, create

__all__ = ["Expedition", "create"]
