"""The drawings that The New Expedition has beyond those of the Archaeology family: the six monuments."""
