"""What each learning system lets an instructor download, a file each."""
