"""What a host holds: `Memory` and its scopes, wired to a store."""
