"""`bench speed`: how long recall and writes take, and what the store costs in bytes, on made-up texts."""
