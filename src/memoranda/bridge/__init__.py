"""Between callers that await and callers that do not: one asynchronous core serves both (design D1)."""
