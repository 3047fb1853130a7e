"""A person's settings, holidays included."""
