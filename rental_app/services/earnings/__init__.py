"""What a vendor earns, read from the accounts of trips."""
