"""Embedders: thin adapters on libraries that others keep, and the weights that they load.

Only `memoranda.models.fetching.fetch` downloads, and only the command `memoranda models fetch` calls it.
Each adapter imports its library when it is first used, and a missing one is told with the extra that brings it.
"""
