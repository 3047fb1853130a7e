"""The screens of Artifacts, Inc.: the table message, companies in full, a turn die by die, the rules."""
