"""The frame around every page: one for the shop and one for the vendor area, built from the same parts."""
