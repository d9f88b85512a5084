"""Import of files: pure parsers, one a format, and the reading of bytes (`reading`). `detect.parse` chooses."""
