"""The screens that all games share, and the building kit of every screen. Screens are made from views alone."""
