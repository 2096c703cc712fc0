"""The documentation as a web site: pages from the repository's Markdown, API from its headers."""
