"""The host: the parts that all games on Discord share, and no game's rules."""
