"""Results, ratings, seasons."""
