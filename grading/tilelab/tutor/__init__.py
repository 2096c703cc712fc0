"""What to do next after a check: advice, hints, quiz."""
