"""The verbs: remember, recall, update, retract, restore, and the rest, as plain functions over protocols."""
