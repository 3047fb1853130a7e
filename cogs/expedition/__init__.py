"""The screens of Archaeology: The New Expedition."""
