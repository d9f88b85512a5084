"""The data sets whose files `memoranda bench recall` reads, one module each: what to remember, and what is asked.

A module never looks at evidence, answers or categories; a copy of its file without them reads the same.
"""
