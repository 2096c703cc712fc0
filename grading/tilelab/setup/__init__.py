"""Looks at this machine, and sets up new labs."""
