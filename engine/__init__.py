"""The rules of Digsite's games: pure, synchronous, deterministic. Knows nothing of Discord, files or clocks."""
