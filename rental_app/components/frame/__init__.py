"""The frame round every page: one of its own for the shop and one for the vendor area, both built alike."""
