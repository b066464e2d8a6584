"""The general method for partially observable games: decision nets, players, sampling, search, learning."""
