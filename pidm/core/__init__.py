"""The general method of the paper: nets, players, sampling and search. It knows no bridge."""
