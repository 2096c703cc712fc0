"""What is asked of a student: before and after a check, in a quiz, about a file."""
