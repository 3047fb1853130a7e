"""The connection to Discord: shards, the identify budget, close codes, and a leaner discord.py."""
