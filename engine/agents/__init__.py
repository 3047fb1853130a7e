"""What the agents of several games share. It knows no game."""
