"""From a page's components to a Jinja template: what the server fills is what the page shows, written once."""
