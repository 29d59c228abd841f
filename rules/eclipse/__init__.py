"""Eclipse (2011)."""
