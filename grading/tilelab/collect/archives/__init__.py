"""Archives that strangers packed, read without trust."""
