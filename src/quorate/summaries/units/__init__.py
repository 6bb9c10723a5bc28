"""Content units: what an item should say, whether judges found it there, and where. One table, several scores."""
