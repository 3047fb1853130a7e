"""The order and the pace of the bot's requests to Discord, and of the jobs that make them."""
