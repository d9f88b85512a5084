"""The seed's built-in store: in the process's own memory, for tests, prototypes and small agents."""
