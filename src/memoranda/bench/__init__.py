"""Measuring: how well recall finds what public data sets ask for, and how fast it is."""
