"""Controls that people type or choose with, with their labels and errors."""
