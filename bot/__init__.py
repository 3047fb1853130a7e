"""The host: what every game on Discord needs, and no game's rules."""
