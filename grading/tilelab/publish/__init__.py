"""Writes the repository that students get: chosen labs, without their solutions."""
