"""`bench compaction`: how fast tokens are counted, what long requests cost, and how much of them stays the same."""
