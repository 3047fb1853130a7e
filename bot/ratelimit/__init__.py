"""The rate limit on the bot's requests to Discord, and fair queues of requests and of the jobs that make them."""
