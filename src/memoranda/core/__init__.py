"""Core memory: labelled blocks of limited length that are always in context, kept as documents of a store."""
