"""Questions to students, with their answers."""
