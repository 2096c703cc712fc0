"""Times the solutions of the labs on a GPU, and draws what was measured."""
