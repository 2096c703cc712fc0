"""What this machine has, and what its absence costs."""
