"""The screens of Artifact: the trail, parties in full, the decisions of a turn, the tale that the log tells."""
