"""What the rooms hand each other, as typed records. It reads no files and scores nothing."""
