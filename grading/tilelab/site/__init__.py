"""Builds the documentation as a website: pages from Markdown, and the API from headers."""
