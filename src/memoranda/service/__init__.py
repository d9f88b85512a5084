"""What surrounds the library in operation: import and export of files."""
