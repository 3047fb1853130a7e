"""The pictures of Artifact: lands, explorers, abilities, equipment, and what befalls a party."""
