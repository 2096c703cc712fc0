"""What students type."""
