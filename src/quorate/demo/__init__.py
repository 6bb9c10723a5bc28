"""Made-up panels with bad judges planted in them, and the reports that find them."""
