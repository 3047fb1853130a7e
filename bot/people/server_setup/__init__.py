"""A server's settings, and the bot's first words."""
