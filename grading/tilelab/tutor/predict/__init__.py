"""Predictions: what a lab asks, which one is next, and what was answered."""
