"""Quiz files for learning platforms: one file per format, and what they share."""
