"""Finding entries for a query: pure functions of an index and a query, so that every store ranks alike."""
