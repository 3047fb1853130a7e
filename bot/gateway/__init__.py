"""The connection to Discord: shards, the limit on identifies, close codes, and a smaller discord.py."""
