"""The application: puts the parts together, runs them, and does what the operator orders."""
