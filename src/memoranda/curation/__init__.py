"""Deciding what becomes of entries: pure functions from a snapshot to a plan. No store or clock is known here."""
