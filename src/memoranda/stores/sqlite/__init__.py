"""The store in one SQLite file: many threads and processes may use it at once (design D5)."""
