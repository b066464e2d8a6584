"""Small cooperative games with known optima, and the solvers of the papers side by side."""
