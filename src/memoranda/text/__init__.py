"""Pure functions over plain text: analysis into words, cutting, cleaning, redaction and comparison."""
