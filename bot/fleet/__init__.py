"""Several processes on one store: their membership, and the shards that each of them holds."""
