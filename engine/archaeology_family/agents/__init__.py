"""Players of the Archaeology games that think from a seat's view alone."""
