"""The agents of Artifact."""
