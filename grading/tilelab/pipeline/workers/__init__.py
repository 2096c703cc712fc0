"""Workers that a judge compares: a submission's, and those of the lab's own files."""
