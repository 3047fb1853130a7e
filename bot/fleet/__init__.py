"""Several processes on one store: membership, and which process owns which shard."""
