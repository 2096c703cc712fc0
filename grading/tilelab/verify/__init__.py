"""Whether a lab judges its own files as it should."""
