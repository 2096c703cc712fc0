"""Questions about a submission that its author can answer, with answers that were worked out."""
