"""Pages about grades: feedback for each student, a report for the instructor."""
