"""Builds the documentation as a website: MkDocs makes the pages, Doxygen the API."""
