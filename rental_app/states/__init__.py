"""Session state of the pages: thin, and every public handler an open door that authorises again."""
