"""The general method: decision nets, players, sampling, search and learning, for any partially observable game."""
