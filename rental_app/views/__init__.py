"""From what services give to what pages show, whether a state shows it or the server writes it into a page."""
