"""The labs and the course, as the files of instructors describe them."""
