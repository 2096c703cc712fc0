"""What instructors type."""
