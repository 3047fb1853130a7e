"""The screens that all games share, and the building kit of every screen. A screen is made from views alone."""
