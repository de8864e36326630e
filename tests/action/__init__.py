"""Does action.yml hold its schema, and do its scripts do the right thing on each event?"""
