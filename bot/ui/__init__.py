"""The building kit of screens, the screens that every game shares, and the handling of presses and commands."""
