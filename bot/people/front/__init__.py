"""The first words of the bot, and its front: the games, and the way to everything else."""
