"""What a maintainer runs over the whole repository."""
