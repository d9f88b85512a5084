"""Where entries are kept: in memory, in one SQLite file. Each folder is one store; they do not know each other."""
