"""The ways to shorten a list of messages, one file each. None knows another."""
