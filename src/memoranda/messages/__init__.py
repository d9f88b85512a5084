"""What messages are, whatever wire format they come in: reading, writing, pairs, repair, and what they cost. Pure."""
