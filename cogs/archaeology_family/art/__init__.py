"""The drawings of the two Archaeology games: treasures, hazards, and the pictures that they are put together to."""
