"""A working graph for people and files: drawn as a tree, written as DOT, read from JSON or from rows, counted."""
