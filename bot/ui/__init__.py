"""The screens' building kit, the screens that every game shares, and the way from a press to an act."""
