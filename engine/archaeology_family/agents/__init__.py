"""Computer players of the Archaeology family. They think from a seat's view alone."""
