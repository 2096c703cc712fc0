"""Helps a student on after a check: advice, hints, predictions, quiz."""
