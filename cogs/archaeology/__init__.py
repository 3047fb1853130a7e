"""The screens of Archaeology: The Card Game."""
