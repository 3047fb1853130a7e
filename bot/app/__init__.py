"""The application: puts the parts together, runs them, and carries out the operator's orders."""
