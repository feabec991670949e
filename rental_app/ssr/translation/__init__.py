"""Turns a page's components into a Jinja template, so that what server and page show is written only once."""
