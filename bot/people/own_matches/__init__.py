"""A person's matches: the list, and the digests by direct message."""
