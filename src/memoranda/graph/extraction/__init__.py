"""Extraction: from tables and a model's rows to a graph that stands alone until it is merged."""
