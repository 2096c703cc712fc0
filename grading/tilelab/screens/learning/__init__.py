"""What is asked of a student before and after a check, and how well that went."""
