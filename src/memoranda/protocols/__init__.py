"""What can be plugged in, as small protocols. A host types against these; a store implements those it can."""
