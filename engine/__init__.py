"""The rules of Digsite's games: pure, synchronous, deterministic. No Discord, no files, no clock."""
