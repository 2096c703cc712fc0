"""What compiles and runs submissions: an object for each backend."""
