"""What learning systems let an instructor download, turned into the folder of a class."""
