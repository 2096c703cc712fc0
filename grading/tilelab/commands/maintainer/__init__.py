"""What those type who work on TileLab itself."""
