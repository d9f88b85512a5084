"""Frozen values: what memoranda stores, asks and answers. No I/O, no rules beyond their own validity."""
