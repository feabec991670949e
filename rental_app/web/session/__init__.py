"""Session state of the pages: thin, and every public handler can be called by anyone and authorises again."""
