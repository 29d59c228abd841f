"""Whole games and every way of getting something wrong, through the real bot on the sandbox."""
