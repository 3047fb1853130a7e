"""The data stored about a person: the list, and its deletion."""
