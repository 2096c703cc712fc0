"""What holds a submission back while it is compiled and while it runs."""
